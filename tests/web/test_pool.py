"""Child processes: what they do for a request, how they are ended, and who comes next."""

import math
import os
import pickle
import signal
import threading
import time
from collections.abc import Iterator

import pytest
from django.conf import settings

from designer import settings as of_the_site
from designer.core.design import gallery
from designer.core.design.document import Design
from designer.processes import Limits
from projects import gate, work
from projects.budget import AT_ONCE, Budget
from projects.gate import BusyError, Gate
from projects.pool import LEAST, QUICK, Pace, Pool, StoppedError, in_time
from projects.shares import Share

ALICE, BOB = Share("person:1", is_member=True), Share("person:2", is_member=True)
VISITOR, OTHER = Share("visitor:1", is_member=False), Share("visitor:2", is_member=False)
ROOMY = Limits(cpu_seconds=20, wall_seconds=30.0, memory_mb=512)


@pytest.fixture(autouse=True)
def rich(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for what a child before took."""
    monkeypatch.setattr("projects.pool.budget", Budget(comes_back=1e9))


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    made = Pool(2)
    yield made
    made.close()


def run(pool: Pool, limits: Limits, do: object, *args: object) -> object:
    return pickle.loads(pool.run(ALICE, limits, pickle.dumps((do, args))))


def test_a_child_does_it_and_another_process_it_is(pool: Pool) -> None:
    assert run(pool, ROOMY, os.getpid) != os.getpid()


def test_what_a_function_raises_is_raised_here(pool: Pool) -> None:
    with pytest.raises(ZeroDivisionError):
        run(pool, ROOMY, divmod, 1, 0)


def test_a_child_without_end_is_ended_at_its_processor_time(pool: Pool) -> None:
    with pytest.raises(StoppedError) as stopped:
        # C code, which no signal handler of Python interrupts.
        run(pool, Limits(1, 30.0, 512), pow, 7, 10**9)
    assert stopped.value.reason == "cpu"
    assert run(pool, ROOMY, divmod, 7, 2) == (3, 1)


def test_a_child_that_waits_is_ended_by_the_clock(pool: Pool) -> None:
    with pytest.raises(StoppedError) as stopped:
        run(pool, Limits(5, 0.3, 512), time.sleep, 60)
    assert stopped.value.reason == "wall"
    assert run(pool, ROOMY, divmod, 7, 2) == (3, 1)


def test_a_child_that_takes_too_much_memory_is_refused_it(pool: Pool) -> None:
    with pytest.raises(StoppedError) as stopped:
        run(pool, Limits(20, 30.0, 64), bytes, 1 << 30)
    assert stopped.value.reason == "memory"
    assert run(pool, ROOMY, divmod, 7, 2) == (3, 1)


def test_beside_others_a_plan_takes_half_of_what_its_share_has_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spent = Budget(comes_back=0.0)
    monkeypatch.setattr("projects.pool.budget", spent)
    pace = in_time(VISITOR)
    spent.take(OTHER, AT_ONCE - 0.1)
    least, of_a_member = in_time(OTHER), in_time(ALICE)
    with gate.answering.entered(VISITOR, 1), gate.answering.entered(OTHER, 1):
        assert pace(AT_ONCE / 2) == 0 and least(LEAST) == 0 and of_a_member(2 * AT_ONCE) == 0
        for one, taken in ((pace, 0.6 * AT_ONCE), (least, 2 * LEAST), (of_a_member, 5 * AT_ONCE)):
            with pytest.raises(StoppedError) as stopped:
                one(taken)
            assert stopped.value.limits.cpu_seconds == math.ceil(taken)
    with gate.answering.entered(VISITOR, 1):
        assert pace(AT_ONCE) == 0  # alone


EDIT = {"thread": 0.18, "children": 0.2}
"""Seconds of a processor that an edit of a design of thirty access patterns takes with its preview, and its plans: as
`tests/load/flood.py` edits the shop, and as docs/planning-times.md has it of both styles.
"""


def test_who_edits_at_a_normal_pace_waits_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A visitor, once a second, answered by two web processes in turn, beside whom others come and go."""
    now = 100.0
    monkeypatch.setattr("projects.budget.time.monotonic", lambda: now)
    of_a_process = Budget(comes_back=of_the_site.VISITOR_PERCENT / 100)  # tests have another
    monkeypatch.setattr("projects.pool.budget", of_a_process)
    with gate.answering.entered(VISITOR, 1), gate.answering.entered(OTHER, 1):
        for number in range(600):
            assert of_a_process.left(VISITOR) > 0, f"after {number} edits"
            for _ in range(2):
                in_time(VISITOR)(EDIT["children"] / 2)  # of each style: no worker has to go on
            of_a_process.take(VISITOR, sum(EDIT.values()))
            now += 2


def test_a_child_is_ended_where_a_worker_goes_on(pool: Pool) -> None:
    def ends(taken: float) -> float:
        raise StoppedError("cpu", QUICK)

    with pytest.raises(StoppedError):
        pool.run(VISITOR, ROOMY, pickle.dumps((time.sleep, (600,))), ends)
    assert run(pool, ROOMY, divmod, 7, 2) == (3, 1)


@pytest.mark.parametrize("crash", [signal.SIGABRT, signal.SIGSEGV])
def test_a_library_that_crashes_without_memory_says_what_was_missing(
    crash: signal.Signals, pool: Pool
) -> None:
    with pytest.raises(StoppedError) as stopped:
        run(pool, ROOMY, signal.raise_signal, crash)
    assert stopped.value.reason == "memory"
    assert stopped.value.reason not in work.BY_OTHERS, "it is not begun again and again"
    assert run(pool, ROOMY, divmod, 7, 2) == (3, 1)


def test_a_child_that_is_killed_leaves_the_pool_alive(pool: Pool) -> None:
    with pytest.raises(StoppedError) as stopped:
        run(pool, ROOMY, signal.raise_signal, signal.SIGKILL)
    assert stopped.value.reason == "killed"
    idle = run(pool, ROOMY, os.getpid)
    assert isinstance(idle, int)
    os.kill(idle, signal.SIGKILL)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            assert run(pool, ROOMY, divmod, 7, 2) == (3, 1)
            break
        except (StoppedError, RuntimeError):
            time.sleep(0.1)
    else:
        pytest.fail("the pool did not come back")


class Inside:
    """Somebody who is let in, in a thread of their own, and stays until they are told."""

    def __init__(self, gate: Gate, share: Share, came: list[str]) -> None:
        self._leave = threading.Event()
        self._came = came
        self.is_turned_away = False
        self._thread = threading.Thread(target=self._run, args=(gate, share))
        self._thread.start()

    def _run(self, gate: Gate, share: Share) -> None:
        try:
            with gate.entered(share, 10):
                self._came.append(share.key)
                self._leave.wait(10)
        except BusyError:
            self.is_turned_away = True

    def leave(self) -> None:
        self._leave.set()
        self._thread.join()


def wait_for(came: list[str], count: int) -> None:
    deadline = time.monotonic() + 5
    while len(came) < count and time.monotonic() < deadline:
        time.sleep(0.005)


def test_nobody_has_all_places_and_members_come_first() -> None:
    full, came = Gate(2, lambda share, others: 1, 4), []  # type: ignore[var-annotated]
    first = Inside(full, VISITOR, came)
    wait_for(came, 1)
    second = Inside(full, VISITOR, came)  # waits, though there is a place
    third = Inside(full, OTHER, came)
    wait_for(came, 2)
    assert came == ["visitor:1", "visitor:2"]
    member = Inside(full, ALICE, came)
    time.sleep(0.05)
    third.leave()
    wait_for(came, 3)
    assert came[2:] == ["person:1"]
    first.leave()
    wait_for(came, 4)
    assert came[3:] == ["visitor:1"]
    for each in (second, member):
        each.leave()


def test_who_took_much_of_late_comes_in_where_nobody_else_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spent = Budget(comes_back=0.01)
    spent.take(VISITOR, 2.0)
    monkeypatch.setattr(gate, "budget", spent)
    answering, came = Gate(100, gate._at_once, 4), []  # type: ignore[var-annotated]
    ordinary = Inside(answering, OTHER, came)
    wait_for(came, 1)
    spender = Inside(answering, VISITOR, came)
    member = Inside(answering, ALICE, came)
    wait_for(came, 2)
    assert came == ["visitor:2", "person:1"]
    ordinary.leave()
    time.sleep(0.05)
    assert len(came) == 2  # somebody is there yet
    member.leave()
    wait_for(came, 3)
    assert came[2:] == ["visitor:1"]
    another = Inside(answering, VISITOR, came)
    other = Inside(answering, OTHER, came)  # waits for no spender
    wait_for(came, 4)
    assert came[3:] == ["visitor:2"]
    for each in (other, spender, another):
        each.leave()


def test_who_has_too_many_waiting_does_not_wait() -> None:
    full, came = Gate(1, lambda share, others: 1, 4), []  # type: ignore[var-annotated]
    inside = [Inside(full, VISITOR, came) for _ in range(5)]
    time.sleep(0.1)
    with pytest.raises(BusyError):
        full.entered(VISITOR, 10).__enter__()
    with pytest.raises(BusyError):
        full.entered(BOB, 0.01).__enter__()  # nobody leaves in time
    for each in inside:
        each.leave()


@pytest.mark.parametrize(("left", "price"), [(1.1, 1), (0.9, gate.OF_A_CROWD)])
def test_who_took_more_than_half_pays_more_beside_others(
    monkeypatch: pytest.MonkeyPatch, left: float, price: int
) -> None:
    answering = Gate(100, lambda share, others: 1, 16)
    monkeypatch.setattr(gate, "answering", answering)
    monkeypatch.setattr(gate.budget, "left", lambda share: left)
    assert gate.price(VISITOR) == gate.price(ALICE) == 1, "nobody else is there"
    with answering.entered(OTHER, 1):
        assert gate.price(VISITOR) == price
        assert gate.price(ALICE) == 1


def test_a_crowd_of_one_network_pays_more_while_others_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr("projects.gate.time.monotonic", lambda: now)
    answering, came = Gate(100, lambda share, others: 1, 16), []  # type: ignore[var-annotated]
    monkeypatch.setattr(gate, "answering", answering)
    one = come(answering, VISITOR, came, gate.CROWD)  # of whom one is inside
    with answering.entered(OTHER, 1):
        assert gate.price(VISITOR) == 1
        assert answering.has_others(OTHER)
    many = come(answering, VISITOR, came, 1)
    assert not answering.has_others(OTHER), "who is no crowd does not pay for one"
    assert gate.price(VISITOR) == gate.OF_A_CROWD  # the other has left, but came lately
    assert gate.price(OTHER) == 1
    members = come(answering, ALICE, came, gate.CROWD + 1)
    assert gate.price(ALICE) == 1
    now += 2 * gate.LATELY
    assert gate.price(VISITOR) == 1
    for each in (*one, *many, *members):
        each.leave()


def test_who_rests_holds_up_the_next_of_its_own_and_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spent = Budget(comes_back=0.0)
    spent.take(OTHER, AT_ONCE * 0.9)  # so that it comes in only where nobody else is
    monkeypatch.setattr(gate, "budget", spent)
    answering, came = Gate(100, gate._at_once, 4), []  # type: ignore[var-annotated]
    resting, woken, sleep = threading.Event(), threading.Event(), time.sleep

    def sleeps(seconds: float) -> None:
        if seconds == 77:
            resting.set()
            woken.wait(10)
        else:
            sleep(seconds)

    def rests() -> None:
        with answering.entered(VISITOR, 1):
            answering.rest(VISITOR, 77)

    monkeypatch.setattr("projects.gate.time.sleep", sleeps)
    one = threading.Thread(target=rests)
    one.start()
    assert resting.wait(5)
    other = Inside(answering, OTHER, came)
    wait_for(came, 1)
    next_one = Inside(answering, VISITOR, came)
    sleep(0.05)
    assert came == ["visitor:2"]
    woken.set()
    one.join()
    wait_for(came, 2)
    assert came == ["visitor:2", "visitor:1"]
    for each in (other, next_one):
        each.leave()
    assert not answering._resting and not answering._inside


def come(gate: Gate, share: Share, came: list[str], count: int) -> list[Inside]:
    """So many of a share, each after the other."""
    found = []
    for _ in range(count):
        found.append(Inside(gate, share, came))
        time.sleep(0.05)
    return found


def turned_away(some: list[Inside]) -> list[int]:
    time.sleep(0.1)
    return [at for at, each in enumerate(some) if each.is_turned_away]


def test_those_of_whom_the_most_wait_are_turned_away_before_threads_run_out() -> None:
    crowded, came = Gate(100, lambda share, others: 1, 16, in_all=5), []  # type: ignore[var-annotated]
    many = come(crowded, VISITOR, came, 5)
    assert not turned_away(many), "while nobody else comes they all stay"
    assert crowded.is_full(VISITOR) and not crowded.is_full(OTHER)
    few = come(crowded, OTHER, came, 1)
    assert came == ["visitor:1", "visitor:2"] and turned_away(many) == [4]
    few += come(crowded, OTHER, came, 1)
    assert turned_away(many) == [3, 4] and not turned_away(few)
    assert turned_away(come(crowded, VISITOR, came, 1)) == [0], "others come before more of them"
    member = come(crowded, ALICE, came, 2)
    assert came[2:] == ["person:1"] and turned_away(many) == [2, 3, 4]
    assert turned_away([*few, *member]) == [1], "a visitor before a member, of whom as many wait"
    for each in (*member, *few, *many):
        each.leave()
    assert came.count("visitor:1") == 2, "the others come in as places are free"


def test_a_class_behind_one_address_waits_for_its_turn() -> None:
    answering, came = Gate(10_000, gate._at_once, gate.WAITING, gate.IN_ALL), []  # type: ignore[var-annotated]
    learners = come(answering, VISITOR, came, 15)
    assert len(came) == gate.VISITORS and not turned_away(learners)
    assert gate.IN_ALL <= settings.WEB_THREADS - 6
    for each in learners:
        each.leave()
    assert len(came) == 15


def test_what_follows_from_the_same_design_is_worked_out_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runs: list[bytes] = []

    class Counting:
        def run(self, share: Share, limits: Limits, packed: bytes, pace: Pace | None) -> bytes:
            runs.append(packed)
            do, args = pickle.loads(packed)
            return pickle.dumps(do(*args))

    monkeypatch.setattr(settings, "POOL_PROCESSES", 1, raising=False)
    monkeypatch.setattr("projects.pool.pool", Counting())
    work.forget()
    design = gallery.load("starter")
    text = "a" * 300

    def entities(of: Design, said: str) -> int:
        return work.derive(ALICE, ROOMY, _entities_of, of, said)

    assert entities(design, text) == entities(design, text) == len(design.entities)
    assert len(runs) == 1
    entities(design.model_copy(update={"name": "Another"}), text)
    entities(design, text + "b")
    assert len(runs) == 3


def _entities_of(design: Design, said: str) -> int:
    return len(design.entities)
