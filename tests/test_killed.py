"""All workers killed at once, in the middle of what they do: nothing acknowledged is lost, and nothing is stuck."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from tests.test_serving import ROOT, Site, environment_of, served, until

pytestmark = pytest.mark.slow

MADE = """
import json, sys, django
django.setup()
from django.contrib.auth.models import User
from django.test import Client
from designer.core import gallery
from projects import revisions, teams
from projects.models import Draft
person = User.objects.create(username="alice", email="alice@example.com")
person.set_password("blue kettle sings")
person.save()
client = Client()
client.force_login(person)
for slug in ("edited", "planned", "proven"):
    design = gallery.load("shop")
    revisions.start(Draft(slug=slug, project=teams.home(person)), design, "Start", person)
json.dump(client.session.session_key, sys.stdout)
"""
ASKED = """
import json, sys, django
django.setup()
from projects.models import Draft, Proof, WorkedOut
proof = Proof.objects.first()
json.dump({
    "begun": WorkedOut.objects.filter(started_at__isnull=False, result=None).count(),
    "left": WorkedOut.objects.filter(result=None, problem__isnull=True).count(),
    "proof": "" if proof is None else proof.standing,
    "patterns": 0 if proof is None else proof.patterns.count(),
    "passed": proof is not None and proof.passed,
    "edits": Draft.objects.get(slug="edited").revisions.count() - 1,
}, sys.stdout)
"""


def inside(folder: Path, code: str) -> Any:
    """What a program says that looks into the site's database."""
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment_of(folder),
        check=True,
        capture_output=True,
    )
    return json.loads(ran.stdout)


class Alice:
    """Somebody signed in."""

    def __init__(self, site: Site, session: str) -> None:
        self.url = f"http://127.0.0.1:{site.port}"
        self.cookies = {"sessionid": session}
        self.saved = 0

    def ask(self, path: str, data: dict[str, str] | None = None, **headers: str) -> tuple[int, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        given = {"Cookie": cookies, "X-CSRFToken": self.cookies.get("csrftoken", ""), **headers}
        body = None if data is None else urlencode(data).encode()
        try:
            with urlopen(Request(f"{self.url}{path}", body, given), timeout=60) as answer:
                for cookie in answer.headers.get_all("Set-Cookie", []):
                    if cookie.startswith("csrftoken="):
                        self.cookies["csrftoken"] = cookie.partition("=")[2].partition(";")[0]
                return answer.status, answer.read().decode()
        except OSError as error:
            return getattr(error, "code", 0), ""

    def edit(self, until: Event) -> None:
        """One edit after another, and how many were acknowledged."""
        number = 0
        while not until.is_set():
            number += 1
            status, shown = self.ask(
                "/d/edited/settings/", {"name": f"Shop {number}"}, **{"HX-Request": "true"}
            )
            self.saved += status == 200 and "Saved: Rename" in shown
            time.sleep(0.3)


def slow_design() -> str:
    """One list with eight conditions: its plan takes so long that it is stopped, or nearly."""
    names = [f"a{at}" for at in range(8)]
    attributes = [{"name": name, "distinct": 20 + at} for at, name in enumerate(names)]
    where = [{"attribute": name, "is": {"param": name}} for name in names]
    thing = {
        "name": "Thing",
        "identifier": ["id"],
        "items": 1_000_000,
        "attributes": [{"name": "id", "format": "uuid"}, *attributes],
    }
    listed = {"number": 1, "name": "List", "kind": "list", "returns": "Thing", "where": where}
    listed["rate"] = {"average": 10.0, "peak": 30.0}
    return json.dumps({"keywright": 1, "name": "Slow", "entities": [thing], "patterns": [listed]})


def test_what_killed_workers_were_at_is_done_all_the_same(tmp_path: Path) -> None:
    with served(tmp_path) as site:
        alice = Alice(site, inside(tmp_path, MADE))
        assert alice.ask("/d/planned/text/")[0] == 200
        sent = alice.ask("/d/planned/text/", {"text": slow_design(), "was-revision": "1"})
        assert sent[0] == 200
        assert 'id="planning"' in alice.ask("/d/planned/")[1]
        assert alice.ask("/d/proven/prove/single/start/", {})[0] == 200
        done = Event()
        editing = Thread(target=alice.edit, args=[done])
        editing.start()
        try:
            assert until(lambda: inside(tmp_path, ASKED)["begun"] > 0), site.log.read_text()
            assert until(lambda: inside(tmp_path, ASKED)["proof"] != "waiting")
            victims = site.workers()
            for pid in victims:
                os.kill(pid, signal.SIGKILL)
            forgotten = alice.ask("/password/forgotten/", {"email": "alice@example.com"})
            assert forgotten[0] == 200
            assert until(lambda: not set(victims) & set(site.processes()))

            def all_done() -> bool:
                now = inside(tmp_path, ASKED)
                return bool(now["proof"] == "ended" and not now["left"])

            assert until(all_done, 150), inside(tmp_path, ASKED)
        finally:
            done.set()
            editing.join()
        now = inside(tmp_path, ASKED)
        assert now["passed"] and now["patterns"] == 41
        assert 0 < alice.saved <= now["edits"]
        assert "To: alice@example.com" in site.log.read_text()
        shown = alice.ask("/d/planned/")[1]
        assert re.search(r"Planning was stopped|grid-scroll", shown)
        assert 'id="planning"' not in shown
