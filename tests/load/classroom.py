"""Thirty people behind one address sign in within a few seconds, and edit a design of their own each."""

import random
import time
from collections import Counter
from pathlib import Path
from threading import Event, Thread, Timer

from tests.load.flood import Client, Person
from tests.load.served import Served, served, spread

PUPILS = 30
ADDRESS = "198.51.100.7"
WITHIN, WORK = 5.0, 30.0
"""Seconds in which all of them begin, and that each works."""
PASSWORD = "blue kettle on the stove"
ENROLL = """
import json, sys, django
django.setup()
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from designer.core.design import gallery
from projects import revisions, teams
from projects.models import Draft
hashed = make_password(sys.argv[2])
for number in range(int(sys.argv[1])):
    person = User.objects.create(username=f"pupil{number}", password=hashed)
    draft = Draft(slug=f"class{number}x", project=teams.home(person))
    revisions.start(draft, gallery.load("shop"), "Start", person)
json.dump({}, sys.stdout)
"""


class Pupil(Person):
    """Somebody who signs in, and then works."""

    signed_in: tuple[float, int] = (0.0, 0)
    """How long signing in took, and how it was answered."""

    def begin(self, number: int, at: float) -> None:
        time.sleep(max(0.0, at - time.monotonic()))
        self.ask(lambda: self.client.get("/sign-in/"))
        sent = {"username": f"pupil{number}", "password": PASSWORD}
        begun = time.monotonic()
        status = self.client.post("/sign-in/", sent).status_code
        self.signed_in = (time.monotonic() - begun, status)
        stop = Event()
        Timer(WORK, stop.set).start()
        self.work(stop)


def main(root: Path) -> None:
    with served(root, KEYWRIGHT_HTTPS="1") as site:
        site.said("-c", ENROLL, str(PUPILS), PASSWORD)
        told(site)


def told(site: Served) -> None:
    pupils = [Pupil(Client(site.url, ADDRESS), f"/d/class{at}x/") for at in range(PUPILS)]
    start = time.monotonic() + 1
    working = [
        Thread(target=each.begin, args=[number, start + random.uniform(0, WITHIN)], daemon=True)
        for number, each in enumerate(pupils)
    ]
    for thread in working:
        thread.start()
    for thread in working:
        thread.join()
    print("signed in:", dict(Counter(each.signed_in[1] for each in pupils)), end="  ")
    print(spread([each.signed_in[0] for each in pupils]))
    print("worked:   ", spread([took for each in pupils for _, took, _ in each.times]))
    print("odd answers:", dict(sum((each.odd for each in pupils), Counter())) or "none")
    unheard = sum((each.unheard for each in pupils), Counter())
    if unheard:
        print("no answer:", dict(unheard), "and the site", _how_it_is(site))
    print("errors in its log:", site.errors() or "none")


def _how_it_is(site: Served) -> str:
    ended = site.process.poll()
    said = site.log.read_text("utf-8", "replace").splitlines()[-5:]
    return "runs" if ended is None else f"ended with status {ended}: {said}"
