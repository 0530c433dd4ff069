"""Forty-eight hostile requests from one address, again and again, while ten ordinary people read and edit."""

import json
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from threading import Event, Thread
from typing import Any

import requests

from designer.core import gallery
from designer.core.design.load import load, plain
from tests.load.served import Served, p95, served, spread
from tests.web.forms import _Form

PUBLISHED = Path(__file__).parents[1] / "published"
PARTS = ("entities", "relationships", "patterns")
QUIET, FLOODED, AFTER = 20.0, 40.0, 30.0
"""Seconds without the flood, with it, and to look whether all is as before."""
HOSTILE = 48
HOSTILE_ADDRESS = "203.0.113.66"


class Client:
    """A browser at an address, as the proxy tells it."""

    def __init__(self, site: Served, address: str, session: str = "") -> None:
        self.site = site
        self.http = requests.Session()
        self.http.headers.update(
            {
                "X-Forwarded-Proto": "https",
                "X-Forwarded-For": address,
                "Referer": f"https://{site.url[7:]}/",
                "Connection": "close",
            }
        )
        self.cookies = {"sessionid": session} if session else {}

    def get(self, path: str, **headers: str) -> requests.Response:
        """The answer, wherever the site has moved it."""
        for _ in range(3):
            answer = self._kept(
                self.http.get(
                    f"{self.site.url}{path}",
                    headers=headers,
                    cookies=self.cookies,
                    timeout=120,
                    allow_redirects=False,
                )
            )
            if answer.status_code not in (301, 302):
                break
            path = answer.headers["Location"].replace(f"https://{self.site.url[7:]}", "")
        return answer

    def post(
        self, path: str, data: dict[str, str], files: Any = None, **headers: str
    ) -> requests.Response:
        token = {"X-CSRFToken": self.cookies.get("csrftoken", "")}
        return self._kept(
            self.http.post(
                f"{self.site.url}{path}",
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
    times: list[tuple[float, float]] = field(default_factory=list)
    """When each answer was asked for, and how long it took."""
    odd: Counter[int] = field(default_factory=Counter)

    def work(self, until: float) -> None:
        number = 0
        while time.monotonic() < until:
            number += 1
            page = f"{self.path}?pattern={number % 9 + 1}"
            self.ask(lambda page=page: self.client.get(page))
            if self.may_edit and number % 2:
                self.edit(number)
            time.sleep(2)

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
        try:
            status = do().status_code
        except requests.RequestException:
            status = -1
        self.times.append((begun, time.monotonic() - begun))
        if status not in (200, 204):
            self.odd[status] += 1

    def between(self, start: float, end: float) -> list[float]:
        return [took for at, took in self.times if start <= at < end]


def hostile_designs() -> list[str]:
    """The designs of which one upload and ten page loads once stopped a site."""
    leaderboards = plain(gallery.load("leaderboards"))
    for pattern in leaderboards["patterns"]:
        if pattern["number"] == 2:
            pattern["rate"] = {"average": 1.0}
        if pattern["number"] == 9:
            pattern["rate"]["peak"] = 1e7  # as much as may be stated
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
    return [json.dumps(each) for each in (leaderboards, listing(8), listing(14), many, _twice())]


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


def flood(site: Served, texts: list[str], stop: Event, answered: Counter[str]) -> None:
    """Each of many threads uploads, makes sandboxes, and loads pages, as fast as it is answered."""

    def attack(number: int) -> None:
        while not stop.is_set():
            client = Client(site, HOSTILE_ADDRESS)
            try:
                client.get("/d/starter/text/")
                text = texts[number % len(texts)]
                sent = client.post("/d/starter/text/", {"text": text, "was-revision": "1"})
                answered[f"upload {sent.status_code}"] += 1
                for pattern in range(1, 5):
                    page = client.get(f"/d/starter/?pattern={pattern}&view=both")
                    answered[f"page {page.status_code}"] += 1
                    if stop.is_set():
                        return
                answered[f"comparison {client.get('/d/starter/compare/').status_code}"] += 1
                big = text[:-1] + " " * (900_000 - len(text)) + text[-1:]
                sent = client.post("/d/starter/text/", {"text": big})
                answered[f"large upload {sent.status_code}"] += 1
            except requests.RequestException as error:
                answered[type(error).__name__] += 1
            number += 1

    threads = [Thread(target=attack, args=[at], daemon=True) for at in range(HOSTILE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(FLOODED + 130)


def main(root: Path) -> None:
    settings = {"KEYWRIGHT_HTTPS": "1"}
    with served(root, **settings) as site:
        made = site.people(5)
        people = [
            *(Person(Client(site, f"198.51.100.{at}", each["session"]), f"/d/{each['design']}/")
              for at, each in enumerate(made["people"])),
            *(Person(Client(site, f"198.51.100.{100 + at}"), "/d/shop/") for at in range(4)),
            Person(Client(site, "198.51.100.200"), f"/s/{made['token']}/", may_edit=False),
        ]  # fmt: skip
        begun = time.monotonic()
        end = begun + QUIET + FLOODED + AFTER
        working = [Thread(target=each.work, args=[end], daemon=True) for each in people]
        for thread in working:
            thread.start()
        peak, of_each, stop = [0.0], [site.memory_of_each()], Event()
        answered: Counter[str] = Counter()

        def watch() -> None:
            while time.monotonic() < end:
                now = site.memory_of_each()
                if sum(now.values()) > peak[0]:
                    peak[0], of_each[0] = sum(now.values()), now
                time.sleep(1)

        Thread(target=watch, daemon=True).start()
        time.sleep(QUIET)
        quiet = peak[0]
        attacking = Thread(
            target=flood, args=[site, hostile_designs(), stop, answered], daemon=True
        )
        attacking.start()
        time.sleep(FLOODED)
        stop.set()
        ended = time.monotonic()
        for thread in working:
            thread.join(AFTER + 130)
        marks = (begun + 5, begun + QUIET, ended, end)
        parts = [
            [took for each in people for took in each.between(a, b)] for a, b in pairwise(marks)
        ]
        print(f"without flood  {len(parts[0]):5} answers  {spread(parts[0])}")
        print(f"flooded        {len(parts[1]):5} answers  {spread(parts[1])}")
        print(f"afterwards     {len(parts[2]):5} answers  {spread(parts[2])}")
        print(
            f"p95 under the flood is {p95(parts[1]) / max(p95(parts[0]), 0.001):.1f} times that without"
        )
        print(f"memory of all processes: {quiet:.0f} MB before, {peak[0]:.0f} MB at most")
        print("then:", of_each[0])
        normal = _normal(people, ended, 2 * p95(parts[0]))
        print(f"normal again {'never' if normal is None else f'{normal:.0f} s'} after the flood")
        print(
            "odd answers to people:", dict(sum((each.odd for each in people), Counter())) or "none"
        )
        print("answers to the flood:", dict(sorted(answered.items())))
        print("errors in its log:", site.errors() or "none")
        print("warnings:", site.warnings())


def _normal(people: list[Person], ended: float, most: float) -> float | None:
    """Seconds after the flood until no answer takes longer than `most`, and none did later."""
    slow = [
        at + took - ended
        for each in people
        for at, took in each.times
        if at + took > ended and took > most
    ]
    late = max(slow, default=0.0)
    return late if late < AFTER - 2 else None
