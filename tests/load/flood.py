"""Forty-eight hostile requests from one address, again and again, while ten ordinary people read and edit."""

import json
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from threading import Event, Thread, Timer
from typing import Any

import requests

from designer.core.design import gallery
from designer.core.design.load import load, plain
from tests.load.served import TICKS, Served, p95, served, spread
from tests.web.forms import _Form

PUBLISHED = Path(__file__).parents[1] / "published"
PARTS = ("entities", "relationships", "patterns")
WARM, QUIET, FLOODED, AFTER = 15.0, 40.0, 40.0, 30.0
"""Seconds until every page was asked for, without the flood, with it, and to look whether all is as before."""
BETWEEN = 2.0
"""Seconds, about, that a person looks at a page."""
AT_FIRST = 10.0
"""Seconds of the flood that are also told by themselves: it has not used up yet what it may take at once."""
HOSTILE = 48
HOSTILE_ADDRESS = "203.0.113.66"


class Client:
    """A browser at an address, as the proxy tells it."""

    def __init__(self, url: str, address: str, session: str = "") -> None:
        self.url, self.secure_url = url, f"https://{url.removeprefix('http://')}"
        self.http = requests.Session()
        self.http.headers.update(
            {
                "X-Forwarded-Proto": "https",
                "X-Forwarded-For": address,
                "Referer": f"{self.secure_url}/",
                "Connection": "close",
            }
        )
        self.cookies = {"sessionid": session} if session else {}

    def get(self, path: str, **headers: str) -> requests.Response:
        """The answer, wherever the site has moved it."""
        for _ in range(3):
            answer = self._kept(
                self.http.get(
                    f"{self.url}{path}",
                    headers=headers,
                    cookies=self.cookies,
                    timeout=120,
                    allow_redirects=False,
                )
            )
            if answer.status_code not in (301, 302):
                break
            path = answer.headers["Location"].replace(self.secure_url, "")
        return answer

    def post(
        self, path: str, data: dict[str, str], files: Any = None, **headers: str
    ) -> requests.Response:
        token = {"X-CSRFToken": self.cookies.get("csrftoken", "")}
        return self._kept(
            self.http.post(
                f"{self.url}{path}",
                data=data,
                files=files,
                headers={**token, **headers},
                cookies=self.cookies,
                timeout=120,
                allow_redirects=False,
            )
        )

    def _kept(self, answer: requests.Response) -> requests.Response:
        self.cookies.update(answer.cookies.get_dict())
        self.http.cookies.clear()  # they are secure, and this is not HTTPS
        return answer

    def fields(self, path: str, form: str) -> dict[str, str]:
        found = _Form(form)
        found.feed(self.get(path).text)
        return found.fields


@dataclass
class Person:
    """Somebody ordinary, who opens the workspace, selects patterns, and edits."""

    client: Client
    path: str
    may_edit: bool = True
    times: list[tuple[float, float, bool]] = field(default_factory=list)
    """When each answer was asked for, how long it took, and whether it says that the plan is still to come."""
    odd: Counter[int] = field(default_factory=Counter)
    unheard: Counter[str] = field(default_factory=Counter)
    """Why there was no answer."""

    def work(self, stop: Event) -> None:
        number = 0
        # Nobody waits for others: in step, they would mostly measure each other.
        chance = random.Random(f"{self.path} {self.client.cookies}")
        stop.wait(chance.uniform(0, 2 * BETWEEN))
        while not stop.is_set():
            number += 1
            page = f"{self.path}?pattern={number % 9 + 1}"
            self.ask(lambda page=page: self.client.get(page))
            if self.may_edit and number % 2:
                self.edit(number)
            stop.wait(chance.uniform(0.5 * BETWEEN, 1.5 * BETWEEN))

    def edit(self, number: int) -> None:
        url = f"{self.path}settings/"
        fields = self.client.fields(url, "settings-form")
        if not fields:
            self.odd[0] += 1
            return
        headers = {"HX-Request": "true", "HX-Target": "statement"}
        for intent in ("preview", ""):
            sent = {**fields, "name": f"Shop {number}"} | ({"intent": intent} if intent else {})
            self.ask(lambda sent=sent: self.client.post(url, sent, **headers))

    def ask(self, do: Any) -> None:
        begun = time.monotonic()
        status, waits = -1, False
        try:
            answer = do()
            status, waits = answer.status_code, "data-planning" in answer.text
        except requests.RequestException as error:
            self.unheard[repr(error)[-60:]] += 1
        self.times.append((begun, time.monotonic() - begun, waits))
        if status not in (200, 204):
            self.odd[status] += 1

    def between(self, start: float, end: float) -> list[tuple[float, float, bool]]:
        return [each for each in self.times if start <= each[0] < end]


def hostile_designs() -> list[str]:
    """The designs of which one upload and ten page loads once stopped a site."""

    def leaderboards(peak: float) -> dict[str, Any]:
        found = plain(gallery.load("leaderboards"))
        for pattern in found["patterns"]:
            if pattern["number"] == 2:
                pattern["rate"] = {"average": 1.0}
            if pattern["number"] == 9:
                pattern["rate"]["peak"] = peak
        return found

    names = [f"a{at}" for at in range(14)]
    attributes = [{"name": name, "distinct": 20 + at} for at, name in enumerate(names)]

    def listing(count: int) -> dict[str, Any]:
        where = [{"attribute": name, "is": {"param": name}} for name in names[:count]]
        rate = {"average": 10.0, "peak": 30.0}
        one = {
            "number": 1,
            "name": "List",
            "kind": "list",
            "returns": "Thing",
            "where": where,
            "rate": rate,
        }
        thing = {
            "name": "Thing", "identifier": ["id"], "items": 1_000_000,
            "attributes": [{"name": "id", "format": "uuid"}, *attributes],
        }  # fmt: skip
        return {
            "keywright": 1,
            "name": f"{count} conditions",
            "entities": [thing],
            "patterns": [one],
        }

    many = {
        "keywright": 1,
        "name": "Many",
        "entities": [
            {"name": f"E{at}", "identifier": ["id"], "items": 1000,
             "attributes": [{"name": "id"}, *attributes[:6]]}
            for at in range(300)
        ],
        "patterns": [
            {"number": at + 1, "name": f"List {at}", "kind": "list", "returns": f"E{at % 300}",
             "where": [{"attribute": names[at % 6], "is": {"param": "p"}}],
             "rate": {"average": 1.0, "peak": 3.0}}
            for at in range(1500)
        ],
    }  # fmt: skip
    large = {
        "keywright": 1,
        "name": "Nearly a megabyte",
        "entities": [
            {"name": f"E{at}", "identifier": ["id"], "items": 1000, "description": "words " * 300,
             "attributes": [{"name": "id"}, *attributes[:6]]}
            for at in range(400)
        ],
        "patterns": [],
    }  # fmt: skip
    # As found, and with as much as may be stated since.
    boards = (leaderboards(1e9), leaderboards(1e7))
    every = (*boards, listing(8), listing(14), many, large, many_names(), _twice())
    return [json.dumps(each) for each in every]


def many_names() -> dict[str, Any]:
    """As many entities as there may be: each word of a sentence might be one of them."""
    entities = [
        {"name": f"E{at:03d}", "identifier": ["id"], "attributes": [{"name": "id"}]}
        for at in range(500)
    ]
    return {"keywright": 1, "name": "Named", "entities": entities}


IN_WORDS = {
    "patterns/several/": f"List {'Z ' * 140}by a\n" * 100,
    "relationships/several/": "".join(f"Z{at} 1-N Y{at}\n" for at in range(1999)),
    "model/": f"A 1-N B{' ' * 190_000}!",
}
"""Lists in words as long as they may be, by the forms that read them. Each once took a request for minutes."""


def _twice() -> dict[str, Any]:
    """A large published design, with every part twice."""
    document = plain(load((PUBLISHED / "electrodb-library.yaml").read_text("utf-8")))
    text = json.dumps(document)
    for entity in document["entities"]:
        text = re.sub(rf'"{entity["name"]}(["."])', rf'"{entity["name"]}2\1', text)
    second = json.loads(text)
    for relationship in second.get("relationships", ()):
        relationship["name"] += "2"
    for pattern in second["patterns"]:
        pattern["number"] += 50_000
    both = {part: document.get(part, []) + second.get(part, []) for part in PARTS}
    return {**document, **both, "planner": {}}


def flood(url: str, seconds: float, rounds: int) -> Counter[str]:
    """Each of many threads uploads, makes sandboxes, and loads pages, as fast as it is answered; what was answered."""
    texts, stop = hostile_designs(), Event()
    answered: Counter[str] = Counter()

    def attack(first: int) -> None:
        for number in range(first, first + rounds):
            for kind, status in steps(url, texts[number % len(texts)]):
                answered[f"{kind} {status}"] += 1
                if stop.is_set():
                    return

    print("begun", flush=True)
    threads = [Thread(target=attack, args=[at], daemon=True) for at in range(HOSTILE)]
    for thread in threads:
        thread.start()
    stop.wait(seconds)
    stop.set()
    return answered


def steps(url: str, text: str) -> Iterator[tuple[str, int | str]]:
    """What one of them does, and each answer."""
    client = Client(url, HOSTILE_ADDRESS)
    large = text[:-1] + " " * (990_000 - len(text)) + text[-1:]
    try:
        yield "form", client.get("/d/starter/text/").status_code
        fields = {"text": text, "was-revision": "1"}
        yield "upload", client.post("/d/starter/text/", fields).status_code
        for form, lines in IN_WORDS.items():
            said = {"lines": lines, "intent": "preview"}
            answer = client.post(f"/d/starter/{form}", said, **{"HX-Request": "true"})
            yield "in words", answer.status_code
        for pattern in range(1, 5):
            yield "page", client.get(f"/d/starter/?pattern={pattern}&view=both").status_code
        yield "comparison", client.get("/d/starter/compare/").status_code
        for _ in range(5):
            yield "sandbox", client.post("/gallery/leaderboards/copy/", {}).status_code
        file = {"file": ("design.json", text)}
        yield "new design", client.post("/designs/upload/", {}, files=file).status_code
        yield "large upload", client.post("/d/starter/text/", {"text": large}).status_code
    except requests.RequestException as error:
        yield "no answer", type(error).__name__


@contextmanager
def flooding(site: Served, rounds: int) -> Iterator["subprocess.Popen[str]"]:
    """The flood, from a process of its own that only takes what the site leaves of the processors: a real one comes
    from elsewhere.
    """
    with subprocess.Popen(
        [sys.executable, "-m", "tests.load.flood", site.url, str(rounds)],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "designer.settings"},
        stdout=subprocess.PIPE,
        text=True,
    ) as attacking:
        try:
            assert attacking.stdout is not None
            attacking.stdout.readline()
            yield attacking
        finally:
            attacking.kill()


def main(root: Path, rounds: int = 10**6) -> None:
    settings = {"KEYWRIGHT_HTTPS": "1"}
    with served(root, **settings) as site:
        made = site.people(5)
        people = [
            *(Person(Client(site.url, f"198.51.100.{at}", each["session"]), f"/d/{each['design']}/")
              for at, each in enumerate(made["people"])),
            *(Person(Client(site.url, f"198.51.100.{100 + at}"), "/d/shop/") for at in range(4)),
            Person(Client(site.url, "198.51.100.200"), f"/s/{made['token']}/", may_edit=False),
        ]  # fmt: skip
        begun, stop = time.monotonic(), Event()
        working = [Thread(target=each.work, args=[stop], daemon=True) for each in people]
        for thread in working:
            thread.start()
        peak, of_each = [0.0], [site.memory_of_each()]

        def watch() -> None:
            while not stop.is_set():
                now = site.memory_of_each()
                if sum(now.values()) > peak[0]:
                    peak[0], of_each[0] = sum(now.values()), now
                time.sleep(1)

        Thread(target=watch, daemon=True).start()
        time.sleep(WARM)
        looks = [_Look.at(site)]
        time.sleep(QUIET)
        quiet = peak[0]
        with flooding(site, rounds) as attacking:
            flooded = time.monotonic()
            looks.append(_Look.at(site))
            soon = Timer(AT_FIRST, lambda: looks.append(_Look.at(site)))
            soon.start()
            try:
                answered = attacking.communicate(timeout=FLOODED + 30)[0]
            except subprocess.TimeoutExpired:
                answered = "not counted: people left the flood too little of the processors to end"
        ended = time.monotonic()
        soon.cancel()
        looks.append(_Look.at(site))
        time.sleep(AFTER)
        marks = (begun + WARM, flooded, ended, time.monotonic())
        stop.set()
        for thread in working:
            thread.join(130)
        parts = [
            [told for each in people for told in each.between(a, b)] for a, b in pairwise(marks)
        ]
        for name, part in zip(("without flood", "flooded", "afterwards"), parts, strict=True):
            waits = sum(waits for _, _, waits in part)
            took = [took for _, took, _ in part]
            print(f"{name:14} {len(part):5} answers, {waits:4} without a plan yet  {spread(took)}")
        quiet_p95, flooded_p95 = (p95([took for _, took, _ in part]) for part in parts[:2])
        print(
            f"p95 under the flood is {flooded_p95 / max(quiet_p95, 0.001):.1f} times that without"
        )
        print(f"memory of all processes: {quiet:.0f} MB before, {peak[0]:.0f} MB at most")
        print("then:", of_each[0])
        for when, start, end in zip(
            ("before the flood", "of the flood at first", "of the flood then"),
            looks,
            looks[1:],
            strict=False,
        ):
            took = [took for each in people for _, took, _ in each.between(start.time, end.time)]
            seconds = end.time - start.time
            print(f"{when}, {seconds:.0f} s: {spread(took)}")
            parts_of = (end.spent - start.spent).items()
            said = {part: f"{spent / seconds:.0%}" for part, spent in parts_of if spent}
            print("    of a processor:", said)
        normal = _normal(people, ended, 2 * quiet_p95)
        print(f"normal again {'never' if normal is None else f'{normal:.0f} s'} after the flood")
        print(
            "odd answers to people:", dict(sum((each.odd for each in people), Counter())) or "none"
        )
        print("answers to the flood:", answered.strip())
        print("errors in its log:", site.errors() or "none")
        print("warnings:", site.warnings())


@dataclass(frozen=True)
class _Look:
    """What was taken of the processors until a moment."""

    time: float
    spent: Counter[str]

    @classmethod
    def at(cls, site: Served) -> "_Look":
        spent = site.seconds_of_each()
        spent["people"] = sum(os.times()[:2])
        # user, nice, system, idle, iowait, irq, softirq, steal (proc(5))
        times = list(map(int, Path("/proc/stat").read_text().split("\n")[0].split()[1:9]))
        spent["all of the machine"] = (sum(times) - times[3] - times[4]) / TICKS
        spent["kept by its host"] = times[7] / TICKS
        return cls(time.monotonic(), spent)


def _normal(people: list[Person], ended: float, most: float) -> float | None:
    """Seconds after the flood until no answer takes longer than `most`, and none did later."""
    slow = [
        at + took - ended
        for each in people
        for at, took, _ in each.times
        if at + took > ended and took > most
    ]
    late = max(slow, default=0.0)
    return late if late < AFTER - 2 else None


if __name__ == "__main__":
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    print(dict(sorted(flood(sys.argv[1], FLOODED, int(sys.argv[2])).items())), flush=True)
    os._exit(0)  # whoever still waits for an answer
