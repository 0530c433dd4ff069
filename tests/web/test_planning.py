"""A design that takes long to plan: what is shown meanwhile, and what is not."""

import gzip
import json
import zlib
from collections.abc import Iterator

import pytest
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.design.load import load_plain, plain
from designer.core.evaluation.heaviness import heavy
from designer.core.messages import text
from designer.core.plan import ALL_STYLES, Decision, Plan, Style
from designer.core.planner import VERSION, plan
from projects import api_tokens, later, plans, pool, revisions, work
from projects.models import Draft, WorkedOut, Worker
from tests.planner import SlowPlanner, planted
from tests.web.conftest import design_of
from tests.web.forms import HTMX, send

URL = "/d/club4alice/"
POLL = {**HTMX, "HX-Target": "results", "HX-Trigger": "planning"}
LATER = '<p class="notice-line" id="planning"'

# The thread that plans writes to the database, which a test's own transaction would hold.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def planner(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowPlanner]:
    with planted(monkeypatch) as slow:
        yield slow


def planned(planner: SlowPlanner) -> list[str]:
    """The names of the designs that were planned in the style shown."""
    return [name for name, style in planner.asked if style == "single"]


def page(client: Client, path: str = "") -> str:
    return client.get(f"{URL}{path}").content.decode()


def test_the_page_comes_before_its_plan_and_asks_for_it(
    club: Draft, as_alice: Client, planner: SlowPlanner
) -> None:
    shown = page(as_alice)
    assert LATER in shown and "Working out the first plan" in shown
    assert "Member 1-N Visit" in shown
    assert as_alice.get(URL, headers=POLL).status_code == 204
    planner.finish()
    answer = as_alice.get(URL, headers=POLL)
    assert answer.status_code == 200
    arrived = answer.content.decode()
    assert LATER not in arrived and "The plan is ready." in arrived
    assert 'class="grid-scroll"' in arrived and 'id="bar"' in arrived
    assert planned(planner) == ["Club"]


def test_an_edit_is_answered_at_once_with_the_last_plan(
    club: Draft, as_alice: Client, planner: SlowPlanner
) -> None:
    page(as_alice)
    planner.finish()
    answer = send(as_alice, f"{URL}settings/", "settings-form", {"name": "Tennis"})
    shown = answer.content.decode()
    assert answer.status_code == 200
    assert design_of(club).name == "Tennis"
    assert LATER in shown and "plan below is from before this change" in shown
    assert 'class="grid-scroll"' in shown
    assert "Saved: Rename the design to Tennis. Planning" in shown
    assert 'class="grid-scroll"' in page(as_alice, "?view=multi&pattern=1")
    planner.finish()
    assert LATER not in page(as_alice)


def test_only_a_finished_plan_of_this_very_design_is_exported(
    club: Draft, as_alice: Client, planner: SlowPlanner
) -> None:
    page(as_alice)
    planner.finish()
    file = f"{URL}exports/terraform/single/"
    assert as_alice.get(file).status_code == 200
    send(as_alice, f"{URL}settings/", "settings-form", {"table_prefix": "new-"})
    refused = as_alice.get(file)
    assert refused.status_code == 503
    assert refused.headers["Retry-After"]
    assert "only a finished plan is exported" in refused.content.decode()
    shown = page(as_alice, "exports/?as=terraform")
    assert 'hx-target="#main"' in shown and 'id="export"' not in shown
    assert WorkedOut.objects.filter(result=None).count() == len(ALL_STYLES)
    planner.finish()
    assert "new-" in as_alice.get(file).content.decode()


def test_the_other_pages_fetch_the_summary(
    club: Draft, as_alice: Client, planner: SlowPlanner
) -> None:
    for path in ("history/", "text/"):
        shown = page(as_alice, path)
        assert 'hx-target="#summary"' in shown and shown.count(LATER) == 1, path


def test_a_preview_asks_again_with_what_is_typed(
    club: Draft, as_alice: Client, planner: SlowPlanner
) -> None:
    page(as_alice)
    planner.finish()
    changes = {"name": "Tennis", "intent": "preview"}
    shown = send(as_alice, f"{URL}settings/", "settings-form", changes).content.decode()
    assert f'data-preview hx-post="{URL}settings/"' in shown
    assert 'hx-include="#settings-form"' in shown
    assert 'class="grid-scroll"' in shown
    assert design_of(club).name == "Club"


def test_pins_are_priced_in_the_styles_not_shown_later(
    club: Draft, as_alice: Client, planner: SlowPlanner
) -> None:
    page(as_alice)
    planner.finish()
    pin = {"key-partition": "M#{memberId}", "key-sort": "PROFILE", "style": ""}
    shown = send(as_alice, f"{URL}pins/add/single/key Member/", "pin-form", pin).content.decode()
    assert "Key of Member" in shown
    # The list is fetched from the address that the browser shows, not from the form's.
    assert shown.count(LATER) == 1 and f'hx-get="{URL}pins/"' in shown
    planner.finish()
    fetched = as_alice.get(f"{URL}pins/", headers={**HTMX, "HX-Trigger": "planning"})
    for style in ("Single table", "Multi table", "Grouped tables"):
        assert style in fetched.content.decode()


def test_what_was_overtaken_is_not_worked_out(
    club: Draft, as_alice: Client, planner: SlowPlanner
) -> None:
    page(as_alice)
    for name in ("Golf", "Chess", "Tennis"):
        send(as_alice, f"{URL}settings/", "settings-form", {"name": name})
    planner.finish()
    assert planned(planner) == ["Tennis"]
    assert WorkedOut.objects.count() == len(ALL_STYLES)


def test_another_process_finds_the_plan(
    club: Draft, as_alice: Client, planner: SlowPlanner
) -> None:
    page(as_alice)
    planner.finish()
    work.forget()
    assert LATER not in page(as_alice)
    assert planned(planner) == ["Club"]


def as_of_another_version(key: str) -> str:
    return key.replace(" 1 ", " 0 ", 1)


def test_what_the_version_before_asks_for_is_kept_for_the_new_one(
    club: Draft, as_alice: Client, planner: SlowPlanner
) -> None:
    """While a site is upgraded, workers are new before web processes: these could not read what is made for them."""
    page(as_alice)
    DBTaskResult.objects.all().delete()
    asked = {as_of_another_version(key): key for key in every_key()}
    assert len(asked) == len(ALL_STYLES) and not asked.keys() & set(asked.values())
    for old, key in asked.items():
        WorkedOut.objects.filter(pk=key).update(key=old)
        work.run.enqueue(old)
    planner.finish()
    assert every_key() == {*asked, *asked.values()}
    waiting = WorkedOut.objects.filter(result=None, problem__isnull=True)
    assert set(waiting.values_list("pk", flat=True)) == set(asked)
    assert LATER not in page(as_alice)
    # Asked for again, it is not made again.
    for old in asked:
        work.run.enqueue(old)
    planner.finish()
    assert planned(planner) == ["Club"]


def every_key() -> set[str]:
    return set(WorkedOut.objects.values_list("pk", flat=True))


def test_what_another_version_kept_in_another_form_is_made_anew(
    club: Draft, as_alice: Client, planner: SlowPlanner
) -> None:
    page(as_alice)
    planner.finish()
    row = WorkedOut.objects.exclude(result=None).first()
    assert row is not None and row.result is not None
    found = json.loads(zlib.decompress(row.result))
    odd = zlib.compress(json.dumps({**found, "of-tomorrow": 1}).encode())
    WorkedOut.objects.exclude(result=None).update(result=odd)
    work.forget()
    assert LATER in page(as_alice)
    planner.finish()
    assert LATER not in page(as_alice)


def test_what_no_worker_has_done_for_long_is_asked_for_again(
    club: Draft, as_alice: Client, planner: SlowPlanner
) -> None:
    page(as_alice)
    DBTaskResult.objects.all().delete()
    planner.finish()
    assert planned(planner) == []
    WorkedOut.objects.update(begun_at=timezone.now() - work.LOST)
    assert LATER in page(as_alice)
    planner.finish()
    assert planned(planner) == ["Club"]
    assert LATER not in page(as_alice)


def test_a_planner_that_fails_is_not_asked_again_and_again(
    club: Draft, as_alice: Client, planner: SlowPlanner, caplog: pytest.LogCaptureFixture
) -> None:
    planner.fails = True
    page(as_alice)
    planner.finish()
    answer = as_alice.get(URL, headers=POLL)
    assert "No plan for this design" in answer.content.decode()
    assert "No plan for this design" in page(as_alice)
    assert planned(planner) == ["Club"]
    assert "a bug" in caplog.text


@pytest.mark.parametrize(
    ("path", "what"), [("cost/", "its cost"), ("heat/", "the heat of its keys")]
)
def test_a_page_says_what_it_waits_for_and_what_to_do_when_that_failed(
    club: Draft, as_alice: Client, planner: SlowPlanner, path: str, what: str
) -> None:
    planner.fails = True
    shown = page(as_alice, path)
    assert LATER in shown and f"When it is ready, {what} appears here." in shown
    assert shown.count('plan-answer">not planned yet<') == 3
    planner.finish()
    shown = page(as_alice, path)
    assert LATER not in shown and "That is our mistake, not yours" in shown
    assert "Your design is safe: change something, or undo the last edit." in shown
    assert shown.count('plan-answer">no plan<') == 3


def test_no_more_is_kept_than_is_useful(
    club: Draft, as_alice: Client, planner: SlowPlanner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "KEPT", len(ALL_STYLES))
    for name in ("Golf", "Chess", "Tennis"):
        send(as_alice, f"{URL}settings/", "settings-form", {"name": name})
        planner.finish()
    newest = plans.PLAN.of("single").key(work.digest(design_of(club)))
    assert WorkedOut.objects.count() == len(ALL_STYLES)
    assert WorkedOut.objects.filter(key=newest).exists()


def test_plans_come_back_as_they_went(club: Draft) -> None:
    what = plans.PLAN.of("single")
    made = what.do(design_of(club))
    assert what.read(what.write(made)) == made
    assert VERSION in what.key("")


def test_a_design_from_the_database_is_known_by_the_same_digest(club: Draft) -> None:
    design = design_of(club)
    assert work.digest(load_plain(plain(design))) == work.digest(design)
    assert revisions.current(club).digest == work.digest(design)


def test_a_small_design_is_planned_at_once(club: Draft, as_alice: Client) -> None:
    work.forget()
    assert LATER not in page(as_alice)
    assert not WorkedOut.objects.exists()


def test_a_small_design_that_takes_long_is_shown_like_a_large_one(
    club: Draft, as_alice: Client, planner: SlowPlanner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise pool.StoppedError("cpu", pool.QUICK)

    monkeypatch.setattr("projects.pieces.SMALL", 10_000)
    with monkeypatch.context() as slow:
        slow.setattr(work, "_planned_here", stopped)
        assert LATER in page(as_alice)
    planner.finish()
    assert LATER not in page(as_alice)
    work.forget()  # another process finds it
    assert LATER not in page(as_alice)
    assert planned(planner) == ["Club"]


def test_what_takes_long_is_not_begun_again_where_the_queue_has_no_room(
    club: Draft, as_alice: Client, planner: SlowPlanner, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    def stopped(key: str, *_: object) -> None:
        begun.append(key)
        raise pool.StoppedError("cpu", pool.QUICK)

    monkeypatch.setattr("projects.pieces.SMALL", 10_000)
    monkeypatch.setattr(work, "_planned_here", stopped)
    monkeypatch.setattr(work, "OF_A_MEMBER", 0)
    for _ in range(3):
        assert LATER in page(as_alice)
    assert len(begun) == len(set(begun)) > 0
    assert not WorkedOut.objects.exists()
    monkeypatch.setattr(work, "OF_A_MEMBER", 9)
    page(as_alice)
    assert WorkedOut.objects.exists()  # a worker does it as soon as there is room
    assert len(begun) == len(set(begun))


def test_what_was_stopped_says_so_and_keeps_the_last_plan(
    club: Draft, as_alice: Client, planner: SlowPlanner, monkeypatch: pytest.MonkeyPatch
) -> None:
    page(as_alice)
    planner.finish()
    send(as_alice, f"{URL}settings/", "settings-form", {"name": "Tennis"})

    def stopped(*_: object) -> None:
        raise pool.StoppedError("cpu", work.LONG)

    monkeypatch.setattr(work, "_done", stopped)
    planner.finish()
    work.forget()  # another process knows it too
    shown = page(as_alice)
    assert f"It took more than {work.LONG.cpu_seconds} s." in shown
    assert text(heavy(design_of(club))[0]) in shown
    assert "Below is the last plan" in shown and 'class="grid-scroll"' in shown
    assert LATER not in shown
    waits = WorkedOut.objects.filter(result=None, problem__isnull=True)
    assert not waits.exists()  # it is not begun again and again
    send(as_alice, f"{URL}settings/", "settings-form", {"name": "Golf"})
    assert waits.exists()  # but another design is another matter


PLANNED = ("cost/", "heat/", "decisions/", "compare/", "exports/?as=terraform", "migration/")


FILES = ("exports/terraform/single/", "migration/steps.md", "migration/0/terraform/")


def test_files_say_that_their_plan_is_being_worked_out(
    club: Draft, as_alice: Client, planner: SlowPlanner
) -> None:
    for path in FILES:
        answer = as_alice.get(f"{URL}{path}")
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2"), path
        assert "The plan of Club is being worked out" in answer.content.decode(), path


def test_every_page_of_a_plan_says_that_it_was_stopped(
    club: Draft, as_alice: Client, planner: SlowPlanner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise pool.StoppedError("memory", work.LONG)

    monkeypatch.setattr(work, "_done", stopped)
    for path in ("?view=both", "alternatives/", *PLANNED):
        page(as_alice, path)
    planner.finish()
    for path in ("alternatives/", *PLANNED):
        shown = page(as_alice, path)
        assert "It needed more memory than one design may take." in shown, path
        assert "our mistake" not in shown and LATER not in shown, path
    assert club.project is not None and club.project.team.home_of is not None
    _, token = api_tokens.make(club.project, club.project.team.home_of, draft=club)
    headers = {"Authorization": f"Bearer {token}"}
    answer = as_alice.get("/api/v1/designs/club4alice/draft/plan/single", headers=headers)
    assert (answer.status_code, answer.json()["type"]) == (422, "urn:keywright:stopped")
    for path in FILES:
        answer = as_alice.get(f"{URL}{path}")
        assert answer.status_code == 422, path
        assert "It needed more memory than one design may take." in answer.content.decode(), path


@pytest.mark.parametrize("reason", work.BY_OTHERS)
def test_work_that_others_ended_is_tried_again(
    reason: pool.Reason,
    club: Draft,
    as_alice: Client,
    planner: SlowPlanner,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its child was killed, or others had the processors until its time on the clock was over."""
    page(as_alice)
    done, killed = work._done, []

    def kills(piece: work.Piece[object], design: Design, turn: later.Turn) -> object:
        if piece.args not in killed:
            killed.append(piece.args)
            raise pool.StoppedError(reason, work.LONG)
        return done(piece, design, turn)

    monkeypatch.setattr(work, "_done", kills)
    planner.finish()
    assert len(killed) == len(ALL_STYLES)
    assert LATER not in page(as_alice) and "stopped" not in page(as_alice)


def test_a_page_that_waits_says_where_no_worker_is(
    club: Draft, as_alice: Client, planner: SlowPlanner
) -> None:
    assert "manage.py worker" in page(as_alice)
    Worker.objects.create(key="w", queues="mail,plans", seen_at=timezone.now())
    assert "manage.py worker" not in page(as_alice)
    Worker.objects.update(queues="mail")
    assert "manage.py worker" in page(as_alice)


def test_members_come_before_visitors_and_each_has_a_turn(
    club: Draft, as_alice: Client, as_charlie: Client, planner: SlowPlanner
) -> None:
    for slug in ("shop", "starter", "sessions"):
        as_charlie.get(f"/d/{slug}/")
    Client(REMOTE_ADDR="10.0.0.9").get("/d/tenants/")
    page(as_alice)
    planner.finish()
    names = [gallery.load(slug).name for slug in ("shop", "tenants", "starter", "sessions")]
    assert planned(planner) == ["Club", *names]


def test_a_visitor_has_so_much_waiting_and_no_more(
    as_charlie: Client, planner: SlowPlanner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "OF_A_VISITOR", len(ALL_STYLES))
    for slug in ("shop", "starter"):
        assert LATER in as_charlie.get(f"/d/{slug}/").content.decode()
    assert WorkedOut.objects.count() == len(ALL_STYLES)
    planner.finish()
    assert LATER in as_charlie.get("/d/starter/").content.decode()
    planner.finish()
    assert planned(planner) == ["Shop", "Starter"]


def test_what_was_not_chosen_is_priced_only_where_it_is_shown(
    club: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def decisions(*of: object) -> tuple[Decision, ...]:
        asked.append(of)
        return ()

    monkeypatch.setattr("designer.core.planner.explain.explained.decisions", decisions)
    work.forget()
    change = {"intent": "preview", "limit": "7"}
    shown = send(as_alice, f"{URL}patterns/p-1/", "pattern-form", change)
    assert 'class="grid-scroll"' in shown.content.decode()
    assert asked == []
    page(as_alice, "decisions/")
    assert len(asked) == 1
    work.forget()


def test_only_the_styles_shown_are_planned(
    club: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def planned(design: Design, style: Style, *_: object, **__: object) -> Plan:
        asked.append(style)
        return plan(design, style)

    monkeypatch.setattr(plans, "GLANCE", work.Work("seen", "1", planned, plans.GLANCE.kind))
    work.forget()
    page(as_alice, "?view=multi")
    assert asked == ["multi"]
    page(as_alice, "?view=both")
    assert asked == ["multi", "single", "grouped"]
    work.forget()


def test_pages_are_compressed(club: Draft, as_alice: Client) -> None:
    answer = as_alice.get(URL, headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "Member 1-N Visit" in gzip.decompress(answer.content).decode()
    assert "Accept-Encoding" in answer.headers["Vary"]
