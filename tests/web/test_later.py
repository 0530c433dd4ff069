"""Who took much of the workers' time comes after others, while there are any."""

import os
import pickle
import signal
import time
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from designer.core.design import gallery
from designer.core.plan import ALL_STYLES
from designer.processes import Limits
from projects import chores, later, work, workers
from projects.later import AT_ONCE, LATELY, LaterError, Turn
from projects.management.commands import worker
from projects.models import Throttled, WorkedOut, Worker
from projects.pool import Pace, Pool
from projects.shares import SITE, Share
from tests.planner import SlowPlanner, planted

FLOOD, OTHER = Share("visitor:1", is_member=False), Share("visitor:2", is_member=False)
THIRD = Share("visitor:3", is_member=False)
ALICE = Share("person:1", is_member=True)
ROOMY = Limits(cpu_seconds=20, wall_seconds=30.0, memory_mb=512)

# A worker beside the test would wait for a test's own transaction.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = datetime.now(timezone.get_default_timezone())

    def __call__(self) -> datetime:
        return self.now

    def go(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture(autouse=True)
def limited(settings: object) -> Iterator[None]:
    settings.LATER_PERCENT = 20  # type: ignore[attr-defined]
    later.forget()
    yield
    later.forget()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    still = Clock()
    monkeypatch.setattr("django.utils.timezone.now", still)
    return still


@pytest.fixture
def planner(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowPlanner]:
    with planted(monkeypatch) as slow:
        yield slow


def test_what_a_share_takes_of_the_workers_comes_back_with_time(clock: Clock) -> None:
    assert later.left(FLOOD) == AT_ONCE and later.left(ALICE) == 4 * AT_ONCE
    later.take(FLOOD, AT_ONCE + 1)
    later.take(ALICE, AT_ONCE + 1)
    assert later.left(FLOOD) == pytest.approx(-1)
    assert later.left(ALICE) == pytest.approx(3 * AT_ONCE - 1)
    assert later.left(OTHER) == AT_ONCE
    clock.go(10)
    assert later.left(FLOOD) == pytest.approx(1)
    later.take(FLOOD, 1000)
    assert later.left(FLOOD) == pytest.approx(-later.OWED)  # nobody is out for long
    clock.go(1000)
    assert later.left(FLOOD) == AT_ONCE
    later.take(FLOOD, 1)
    assert later.left(FLOOD) == pytest.approx(AT_ONCE - 1)


def test_the_site_itself_has_no_limit() -> None:
    later.take(SITE, 1000)
    later.note_asked(SITE)
    assert not Throttled.objects.exists() and not later.is_behind(SITE)


def test_alone_on_the_site_nobody_comes_later(clock: Clock) -> None:
    later.take(FLOOD, 1000)
    later.note_asked(FLOOD)
    assert not later.is_behind(FLOOD)
    later.note_asked(OTHER)
    assert later.is_behind(FLOOD) and not later.is_behind(OTHER)
    clock.go(LATELY.total_seconds())
    assert not later.is_behind(FLOOD)


def test_those_who_took_too_much_do_not_hold_up_each_other(clock: Clock) -> None:
    for share in (FLOOD, OTHER):
        later.take(share, 1000)
        later.note_asked(share)
    assert not later.is_behind(FLOOD) and not later.is_behind(OTHER)
    later.forget()  # another process notes who asks there
    later.note_asked(ALICE)
    assert later.is_behind(FLOOD) and later.is_behind(OTHER)


def test_each_knows_of_others_and_no_more_than_two_are_written_down(clock: Clock) -> None:
    crowd = [Share(f"visitor:{at}", is_member=False) for at in range(30)]
    for _ in range(20):
        for share in crowd:
            later.note_asked(share)
        assert Throttled.objects.filter(ends_at__gt=clock()).count() <= 2
        assert all(map(later.is_beside_others, crowd))
        clock.go(1)
    chores.run()
    assert Throttled.objects.count() <= 2


def test_nothing_is_written_where_everybody_may_take_all(settings: object) -> None:
    settings.LATER_PERCENT = 100  # type: ignore[attr-defined]
    later.take(FLOOD, 1000)
    later.note_asked(FLOOD)
    later.note_asked(OTHER)
    assert not Throttled.objects.exists() and not later.is_behind(FLOOD)


def test_a_page_tells_the_workers_that_somebody_is_there(as_charlie: Client) -> None:
    assert as_charlie.get("/gallery/").status_code == 200
    assert later.is_beside_others(FLOOD)


# How fast it goes ---------------------------------------------------------------------------------


def turn(share: Share, *, is_later: bool) -> Turn:
    """One that looks each time who is there."""
    moments = iter(range(10_000))
    return Turn(share, is_later, clock=lambda: float(next(moments)) * later.LOOKS)


def test_what_comes_later_rests_beside_others_and_alone_it_does_not(clock: Clock) -> None:
    later.take(FLOOD, 1000)
    slow = turn(FLOOD, is_later=True)
    assert slow.rest(0.1) == 0
    later.note_asked(OTHER)
    assert slow.rest(0.2) == pytest.approx(0.1 * 4)  # a fifth of the time
    assert slow.rest(0.25) == pytest.approx(0.05 * 4)
    clock.go(LATELY.total_seconds())
    assert slow.rest(0.3) == 0


def test_who_has_used_up_their_time_goes_on_later_if_others_are_there(clock: Clock) -> None:
    first = turn(FLOOD, is_later=False)
    for taken in range(1, 30):
        assert first.rest(taken) == 0  # alone
    later.note_asked(OTHER)
    with pytest.raises(LaterError):
        first.rest(30)
    fresh = turn(THIRD, is_later=False)
    assert [fresh.rest(taken) for taken in (3.0, 6.0, 9.0)] == [0, 0, 0]
    with pytest.raises(LaterError):
        fresh.rest(10)


def test_all_that_was_taken_is_noted_once(clock: Clock) -> None:
    one = turn(FLOOD, is_later=False)
    for taken in (0.5, 1.5, 1.7, 0.0):  # at last its child is gone
        one.rest(taken)
    one.end()
    one.end()
    assert later.left(FLOOD) == pytest.approx(AT_ONCE - 1.7)


def test_work_goes_on_while_the_database_does_not_answer(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> bool:
        raise OperationalError("gone")

    one = turn(FLOOD, is_later=False)
    for name in ("is_behind", "take"):
        monkeypatch.setattr(later, name, fails)
    assert [one.rest(taken) for taken in (0.5, 2.5, 2.7)] == [0, 0, 0]
    one.end()


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    made = Pool(1)
    yield made
    made.close()


def test_a_child_rests_as_a_whole_and_goes_on(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[int, int]] = []
    rests = iter((0.01, 0.01, 0.0, 0.01))
    kill = os.kill

    def noted(pid: int, signum: int) -> None:
        sent.append((pid, signum))
        kill(pid, signum)

    monkeypatch.setattr("projects.pool.os.kill", noted)
    child = run(pool, os.getpid)
    run(pool, time.sleep, 0.5, pace=lambda taken: next(rests, 0.0))
    assert sent == [(child, signal.SIGSTOP), (child, signal.SIGCONT)] * 3


def test_a_child_is_ended_where_its_work_goes_on_later(pool: Pool) -> None:
    def later_with(taken: float) -> float:
        raise LaterError

    first = run(pool, os.getpid)
    with pytest.raises(LaterError):
        run(pool, time.sleep, 600, pace=later_with)
    assert run(pool, os.getpid) != first


def run(pool: Pool, do: object, *args: object, pace: Pace | None = None) -> object:
    return pickle.loads(pool.run(ALICE, ROOMY, pickle.dumps((do, args)), pace))


# What the worker does -----------------------------------------------------------------------------


def ask(address: str, *slugs: str) -> Share:
    """Have a visitor's network ask for the plans of some designs; its share."""
    known = set(WorkedOut.objects.values_list("share", flat=True))
    for slug in slugs:
        Client(REMOTE_ADDR=address).get(f"/d/{slug}/")
    (key,) = set(WorkedOut.objects.values_list("share", flat=True)) - known
    return Share(key, is_member=False)


def planned(planner: SlowPlanner) -> list[str]:
    return [name for name, style in planner.asked if style == "single"]


def names(*slugs: str) -> list[str]:
    return [gallery.load(slug).name for slug in slugs]


def test_a_flood_does_not_hold_up_another_network(db: None, planner: SlowPlanner) -> None:
    flood = ask("203.0.113.66", "shop", "starter", "sessions")
    later.take(flood, 2 * AT_ONCE)
    ask("198.51.100.7", "tenants")
    planner.finish()
    assert planned(planner) == names("tenants", "shop", "starter", "sessions")
    assert not WorkedOut.objects.filter(result=None).exists()


def test_floods_of_many_networks_leave_room_for_another(
    db: None, planner: SlowPlanner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "OF_ALL_VISITORS", 3)
    monkeypatch.setattr(work, "A_FEW", len(ALL_STYLES))
    monkeypatch.setattr(work, "FULL", 3 * len(ALL_STYLES))
    ask("203.0.113.66", "shop")
    Client(REMOTE_ADDR="203.0.113.66").get("/d/starter/")  # it has its few
    assert WorkedOut.objects.count() == len(ALL_STYLES)
    ask("203.0.113.67", "sessions")
    ask("198.51.100.7", "tenants")
    assert WorkedOut.objects.count() == 3 * len(ALL_STYLES)
    Client(REMOTE_ADDR="198.51.100.8").get("/d/starter/")
    assert WorkedOut.objects.count() == 3 * len(ALL_STYLES)


def test_a_flood_of_its_own_is_done_as_it_comes(db: None, planner: SlowPlanner) -> None:
    flood = ask("203.0.113.66", "shop", "starter")
    later.take(flood, 2 * AT_ONCE)
    planner.finish()
    assert planned(planner) == names("shop", "starter")
    assert not DBTaskResult.objects.filter(queue_name=later.QUEUE).exists()


def test_what_others_came_to_goes_on_behind_them(
    db: None, planner: SlowPlanner, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask("203.0.113.66", "shop")
    done = work._done
    tries: list[bool] = []

    def others_come(piece: object, design: object, turn: Turn) -> object:
        tries.append(turn.is_later)
        if not turn.is_later:
            raise LaterError
        return done(piece, design, turn)  # type: ignore[arg-type]

    monkeypatch.setattr(work, "_done", others_come)
    call_command("worker", batch=True)
    assert tries == [False] * len(ALL_STYLES) + [True] * len(ALL_STYLES)
    assert planned(planner) == names("shop")
    assert not WorkedOut.objects.filter(result=None).exists()


def test_what_was_put_off_is_still_overtaken(db: None, planner: SlowPlanner) -> None:
    flood = ask("203.0.113.66", "shop")
    later.take(flood, 2 * AT_ONCE)
    ask("198.51.100.7", "tenants")
    for key in WorkedOut.objects.filter(share=flood.key).values_list("pk", flat=True):
        work.run.call(key)
    waiting = WorkedOut.objects.filter(share=flood.key)
    assert waiting.count() == len(ALL_STYLES) and not waiting.exclude(started_at=None).exists()
    waiting.delete()
    planner.finish()
    assert planned(planner) == names("tenants")


def test_a_worker_that_is_gone_holds_nothing_back(db: None, planner: SlowPlanner) -> None:
    flood = ask("203.0.113.66", "shop")
    later.take(flood, 2 * AT_ONCE)
    ask("198.51.100.7", "tenants")
    for key in WorkedOut.objects.filter(share=flood.key).values_list("pk", flat=True):
        work.run.call(key)
    DBTaskResult.objects.filter(queue_name="plans").delete()
    long_ago = timezone.now() - 2 * workers.GONE
    behind = DBTaskResult.objects.filter(queue_name=later.QUEUE)
    behind.update(status="RUNNING", started_at=long_ago, worker_ids=["gone"])
    assert workers.take_up(["plans", later.QUEUE]) == len(ALL_STYLES)
    planner.finish()
    assert planned(planner) == names("shop")


def test_a_worker_that_is_told_to_stop_puts_back_what_it_did_beside(
    db: None, planner: SlowPlanner
) -> None:
    flood = ask("203.0.113.66", "shop")
    task = work.run_later.enqueue(WorkedOut.objects.filter(share=flood.key)[0].pk)
    row = DBTaskResult.objects.get(pk=task.id)
    row.claim("me")
    beside = worker._worker([], "me")
    beside.doing = row
    with worker._beside(beside):
        pass
    row.refresh_from_db()
    assert row.status == "READY" and not beside.running


def test_a_page_says_that_planning_waits_its_turn(as_charlie: Client, planner: SlowPlanner) -> None:
    said = "It is waiting its turn: much was planned for you or your network lately"
    Worker.objects.create(key="w", queues="plans", seen_at=timezone.now())
    assert said not in as_charlie.get("/d/shop/").content.decode()
    share = Share(WorkedOut.objects.values_list("share", flat=True)[0], is_member=False)
    later.take(share, 2 * AT_ONCE)
    assert said not in as_charlie.get("/d/starter/").content.decode()  # nobody else is there
    later.note_asked(OTHER)
    assert said in as_charlie.get("/d/sessions/").content.decode()
