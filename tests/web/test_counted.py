"""What is worked out from designs, and what is refused, is counted for those who watch the site."""

import json
import os
import pickle
from contextlib import suppress

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from prometheus_client import REGISTRY

from designer.core.design import gallery
from designer.core.design.load import plain
from designer.processes import Limits
from projects import plans, pool, work
from projects.models import Draft
from projects.shares import SITE, Share
from projects.work import FailedError
from tests.web.conftest import design_of
from tests.web.forms import send


def refused(reason: str) -> float:
    return REGISTRY.get_sample_value("keywright_refused_total", {"reason": reason}) or 0


def worked_out(kind: str, outcome: str) -> float:
    labels = {"kind": kind, "outcome": outcome}
    return REGISTRY.get_sample_value("keywright_planning_seconds_count", labels) or 0


class Child:
    """Stands for the child processes: does it here, or ends as it is told to."""

    def __init__(self, ends: Exception | None) -> None:
        self.ends = ends

    def run(
        self, share: Share, limits: Limits, packed: bytes, pace: pool.Pace | None = None
    ) -> bytes:
        if self.ends is not None:
            raise self.ends
        do, args = pickle.loads(packed)
        return pickle.dumps(do(*args))


STOPPED = pool.StoppedError("cpu", pool.QUICK)


@pytest.mark.parametrize(
    ("ends", "outcome", "reason"),
    [
        (None, "ok", ""),
        (STOPPED, "stopped", "stopped"),
        (ValueError("a bug"), "failed", ""),
        (pool.BusyError(), "", "busy"),
    ],
)
def test_what_a_child_works_out_for_a_page_is_counted_by_how_it_ends(
    ends: Exception | None, outcome: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "POOL_PROCESSES", 1, raising=False)
    monkeypatch.setattr("projects.pool.pool", Child(ends))
    outcomes, reasons = ("ok", "stopped", "failed"), ("busy", "stopped")
    work.forget()
    before = [worked_out("fspath", each) for each in outcomes], [refused(each) for each in reasons]
    with suppress(ValueError, FailedError, pool.BusyError):
        work.derive(SITE, pool.QUICK, os.fspath, outcome)
    after = [worked_out("fspath", each) for each in outcomes], [refused(each) for each in reasons]
    for then, now, names, which in zip(
        before, after, (outcomes, reasons), (outcome, reason), strict=True
    ):
        assert now == [count + (name == which) for count, name in zip(then, names, strict=True)]
    work.forget()


@pytest.mark.django_db
def test_a_plan_that_a_page_waits_for_is_counted_too(club: Draft, as_alice: Client) -> None:
    work.forget()
    before = worked_out("glance", "ok"), worked_out("judged", "ok")
    as_alice.get("/d/club4alice/")
    assert worked_out("glance", "ok") > before[0]
    assert worked_out("judged", "ok") > before[1]


@pytest.mark.django_db(transaction=True)
def test_what_a_worker_stops_is_counted_as_refused(
    club: Draft, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise STOPPED

    work.forget()  # what other tests planned
    monkeypatch.setattr("projects.pieces.SMALL", 0)
    monkeypatch.setattr(work, "_done", stopped)
    before = refused("stopped"), worked_out("plan", "stopped")
    assert plans.plan_of(club, design_of(club), "single") is None
    call_command("worker", batch=True)
    assert (refused("stopped"), worked_out("plan", "stopped")) == (before[0] + 1, before[1] + 1)
    work.forget()


def too_much() -> str:
    return json.dumps({**plain(gallery.load("shop")), "planner": {"work_limit": 10**9}})


@pytest.mark.django_db
@pytest.mark.parametrize("document", [too_much(), "x" * 1_000_001])
def test_a_design_beyond_the_bounds_is_counted_where_it_is_refused(
    document: str, club: Draft, as_alice: Client
) -> None:
    count = refused("bound")
    file = SimpleUploadedFile("design.json", document.encode())
    for address, data in (
        ("/designs/upload/", {"file": file}),
        ("/d/club4alice/text/", {"text": document}),
        ("/import/make/", {"design": document}),
    ):
        assert as_alice.post(address, data).status_code == 422, address
        count += 1
        assert refused("bound") == count, address
    as_alice.post("/d/club4alice/text/", {"text": "keywright: 2"})
    assert refused("bound") == count  # that is wrong, but not too much


@pytest.mark.django_db
def test_an_edit_beyond_the_bounds_is_counted(club: Draft, as_alice: Client) -> None:
    before = refused("bound")
    name = design_of(club).patterns[0].number
    address = f"/d/club4alice/patterns/{name}/"
    answer = send(
        as_alice, address, "pattern-form", {"rate-average": "20000000", "rate-peak": "20000000"}
    )
    assert answer.status_code == 422
    assert refused("bound") == before + 1
