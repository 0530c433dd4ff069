"""Whichever process is killed while people work: nothing acknowledged is lost, nothing waits for ever, none is left."""

import os
import signal
import socketserver
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

import pytest
import requests

from tests.editors.editing import Editor, work_together
from tests.editors.replay import faults, figures
from tests.load.large import large
from tests.load.served import Served, served

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="It looks for processes in /proc."),
]

ROOT = Path(__file__).resolve().parent.parent
EDITORS, PEOPLE = 3, 3
QUEUES = ("plans", "proofs", "mail")
PATIENCE = 90.0
"""Seconds in which all is done: after 30 a worker that says nothing is gone for the others."""


def until(is_so: Callable[[], object], seconds: float = PATIENCE) -> bool:
    end = time.monotonic() + seconds
    while not (found := bool(is_so())) and time.monotonic() < end:
        time.sleep(0.3)
    return found


class SlowMailServer(socketserver.StreamRequestHandler):
    """Takes two seconds for each letter, and keeps for whom it was."""

    begun = 0
    taken: list[str]

    def handle(self) -> None:
        kind = type(self)
        self.wfile.write(b"220 slow\r\n")
        to = ""
        for line in self.rfile:
            word = line.split()[0].upper() if line.strip() else b""
            if word == b"RCPT":
                to = line.decode().partition("<")[2].partition(">")[0]
            if word == b"DATA":
                kind.begun += 1
                self.wfile.write(b"354 go on\r\n")
                while self.rfile.readline() not in (b".\r\n", b""):
                    pass
                time.sleep(2)
                with suppress(OSError):
                    self.wfile.write(b"250 taken\r\n")
                    kind.taken.append(to)
                continue
            self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 ok\r\n")
            if word == b"QUIT":
                return


@contextmanager
def mail_server() -> Iterator[tuple[str, type[SlowMailServer]]]:
    kind = type("Handler", (SlowMailServer,), {"taken": []})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), kind) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"smtp://127.0.0.1:{server.server_address[1]}", kind
        server.shutdown()


@contextmanager
def log_in_report(site: Served) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        error.add_note(site.log.read_text("utf-8", "replace")[-20_000:])
        raise


@dataclass
class Person:
    """Somebody who is signed in and has a copy of the shop."""

    site: Served
    session: str
    design: str

    @property
    def proof(self) -> str:
        return f"/d/{self.design}/prove/?view=single"

    def ask(self, path: str, data: dict[str, str] | None = None) -> requests.Response:
        token = "x" * 32
        given = {"cookies": {"sessionid": self.session, "csrftoken": token}, "timeout": 60}
        url = f"{self.site.url}{path}"
        if data is None:
            return requests.get(url, **given)  # type: ignore[arg-type]
        return requests.post(url, data, headers={"X-CSRFToken": token}, **given)  # type: ignore[arg-type]

    def says(self, path: str, *words: str) -> bool:
        """Whether a page has one of these words; not while the site is being started again."""
        with suppress(requests.RequestException):
            answer = self.ask(path)
            return answer.ok and any(word in answer.text for word in words)
        return False


def begin(ana: Person, *others: Person) -> None:
    """A plan, proofs and letters for forgotten passwords."""
    sent = ana.ask(f"/d/{ana.design}/text/", {"text": large("Large", 40), "was-revision": "1"})
    assert sent.ok, sent.text
    assert ana.says(f"/d/{ana.design}/", "data-planning")
    for person in others:
        assert person.ask(f"/d/{person.design}/prove/single/start/", {}).ok
    for at in range(PEOPLE):
        assert ana.ask("/password/forgotten/", {"email": f"person{at}@example.com"}).ok


def test_a_site_at_work_ends_soon_when_it_is_told_to(tmp_path: Path) -> None:
    """Containers are killed after ten seconds."""
    with (
        mail_server() as (mail, letters),
        served(ROOT, KEYWRIGHT_MAIL_URL=mail, KEYWRIGHT_PLAN_SECONDS="60") as site,
        log_in_report(site),
    ):
        begin(*(Person(site, **each) for each in site.people(PEOPLE)["people"]))
        assert until(lambda: letters.begun)
        assert until(lambda: site.log.read_text().count("state=RUNNING") >= len(QUEUES))
        site.process.terminate()
        assert until(lambda: not site.every(), 8), site.every()


def test_whoever_is_killed_while_people_work(tmp_path: Path) -> None:
    with (
        mail_server() as (mail, letters),
        served(ROOT, KEYWRIGHT_MAIL_URL=mail, KEYWRIGHT_PLAN_SECONDS="60") as site,
        log_in_report(site),
    ):
        made = site.said("-m", "tests.editors.inside", "people", str(EDITORS))
        editors = [Editor(site.url, **each, seed=seed) for seed, each in enumerate(made)]
        ana, ben, cleo = (Person(site, **each) for each in site.people(PEOPLE)["people"])
        begun, enough = time.monotonic(), Event()
        working = Thread(target=work_together, args=[editors, 10 * PATIENCE, enough], daemon=True)
        working.start()

        begin(ana, ben, cleo)

        # The workers are killed in the middle of it, and then what begins to run the other proof.
        assert until(lambda: letters.begun)
        assert until(lambda: site.log.read_text().count("state=RUNNING") >= len(QUEUES))
        workers = [pid for queue in QUEUES for pid in site.pids(f"queues {queue}")]
        gone = [each for pid in workers for each in site.below(pid)]
        for pid in workers:
            os.kill(pid, signal.SIGKILL)
        assert until(lambda: not set(gone) & set(site.every()), 10)
        kill(lambda: children_of(site, "queues proofs")[1])  # the first one begins the others

        # The web server: one that works for pages, one that answers, the one above them.
        for victim in (
            lambda: children_of(site, "gunicorn")[-1],
            lambda: site.pids("gunicorn")[-1],
            lambda: site.pids("gunicorn")[0],
        ):
            before = acknowledged(editors)
            kill(victim)
            assert until(lambda before=before: acknowledged(editors) > before)

        enough.set()
        working.join()
        assert list(faults(editors, site.said("-m", "tests.editors.inside", "recorded"))) == []
        answers = {done.status for each in editors for done in each.done}
        assert all(status < 500 for status in answers), figures(editors, time.monotonic() - begun)

        # What was begun is done, or it is said that it is not.
        assert until(lambda: set(letters.taken) == {f"person{at}@example.com" for at in range(3)})
        stopped = "ended from outside"
        assert until(lambda: all(who.says(who.proof, "Proven", stopped) for who in (ben, cleo)))
        page = f"/d/{ana.design}/"
        assert until(lambda: ana.says(page, "grid-scroll") and not ana.says(page, "data-planning"))
        assert site.log.read_text().count("A worker is gone") >= len(QUEUES)

        # All that is there is there for somebody, and goes with the supervisor.
        assert until(lambda: set(site.every()) <= set(site.processes()), 10), site.every()
        assert len(site.pids("manage.py worker")) == len(QUEUES)
        site.process.kill()
        assert until(lambda: not site.every(), 10), site.every()


BESIDE_OTHERS = """
import django, sys
django.setup()
from datetime import timedelta
from django.contrib.auth.models import User
from django.utils import timezone
from projects import later
from projects.models import Throttled
from projects.shares import Share
ana = User.objects.get(username="person0")
later.take(Share(f"person:{ana.pk}", is_member=True), 1000)
Throttled.objects.filter(pk__startswith=later.ASKED).delete()
if sys.argv[1] == "others":
    until = timezone.now() + timedelta(hours=1)
    Throttled.objects.create(pk=f"{later.ASKED}person:0", count=1, ends_at=until)
print(0)
"""


def test_what_comes_later_is_taken_up_and_ends_like_all_else(tmp_path: Path) -> None:
    with (
        served(ROOT, KEYWRIGHT_PLAN_SECONDS="60", KEYWRIGHT_LATER_PERCENT="1") as site,
        log_in_report(site),
    ):
        (ana,) = (Person(site, **each) for each in site.people(1)["people"])

        def begins(name: str) -> bool:
            """Whether a plan for which others have to be waited is begun, and rests."""
            site.said("-c", BESIDE_OTHERS, "others")
            before = site.log.read_text().count("run_later state=RUNNING")
            fields = {"text": large(name, 40), "was-revision": ""}
            assert ana.ask(f"/d/{ana.design}/text/", fields).ok
            assert ana.says(f"/d/{ana.design}/", "data-planning")
            return until(
                lambda: site.log.read_text().count("run_later state=RUNNING") > before
            ) and until(lambda: any(map(_is_stopped, children_of(site, "queues plans"))))

        assert begins("First")
        (worker,) = site.pids("queues plans")
        gone = site.below(worker)
        os.kill(worker, signal.SIGKILL)
        assert until(lambda: not set(gone) & set(site.every()), 10)
        site.said("-c", BESIDE_OTHERS, "alone")
        page = f"/d/{ana.design}/"
        assert until(lambda: ana.says(page, "grid-scroll") and not ana.says(page, "data-planning"))

        assert begins("Second")
        site.process.terminate()
        assert until(lambda: not site.every(), 8), site.every()


def _is_stopped(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    return False


def children_of(site: Served, part: str) -> list[int]:
    """The processes that work for those with a part in their command, the oldest first."""
    begun = set(site.pids("forkserver"))
    return sorted(pid for parent in site.pids(part) for pid in begun & {*site.below(parent)})


def kill(find: Callable[[], int]) -> None:
    """Whoever it finds, once there is somebody: what is looked for may just have ended, or not begun."""

    def is_killed() -> bool:
        with suppress(IndexError, ProcessLookupError):
            os.kill(find(), signal.SIGKILL)
            return True
        return False

    assert until(is_killed, 30)


def acknowledged(editors: list[Editor]) -> int:
    return sum(done.number is not None for each in editors for done in each.done)
