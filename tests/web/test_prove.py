"""The page that proves a design: asked for once, run by a worker, kept with what it proves."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.edits import identified
from designer.core.plan import Plan
from designer.core.planner import VERSION
from designer.proof.engine import Engine, EngineError
from projects import plans, proofs, revisions, workers
from projects.models import Draft, Membership, Project, Proof, Role, Team, Worker
from tests.memory import Memory
from tests.web.conftest import design_of
from tests.web.forms import HTMX, send, words

URL = "/d/club4alice/prove/"
POLL = {**HTMX, "HX-Target": "proof", "HX-Trigger": "proving"}
POLLED = 'id="proving"'

# The worker takes a lock that a test's own transaction would hold.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """Proofs run in memory; the addresses of engines that were asked for."""
    addresses: list[str | None] = []

    def engine(address: str | None) -> Engine:
        addresses.append(address)
        return Engine("a table in memory", Memory())

    monkeypatch.setattr("designer.proof.engine.engine", engine)
    return addresses


def press(client: Client, style: str = "single") -> None:
    answer = client.post(f"{URL}{style}/start/")
    assert (answer.status_code, answer["Location"]) == (302, f"{URL}?view={style}")


def work() -> None:
    call_command("worker", batch=True)


def page(client: Client, path: str = "", **headers: str) -> str:
    return client.get(f"{URL}{path}", headers=headers).content.decode()


def test_each_style_has_its_button(club: Draft, as_alice: Client) -> None:
    shown = page(as_alice)
    for style in ("single", "multi", "grouped"):
        assert f'action="{URL}{style}/start/"' in shown
    assert shown.count("Not proven yet") == 3
    assert POLLED not in shown


def test_a_proof_is_run_by_the_worker_and_shown(
    club: Draft, as_alice: Client, asked: list[str | None]
) -> None:
    press(as_alice, "multi")
    waiting = page(as_alice, "?view=multi")
    assert "Waiting in the queue" in waiting and POLLED in waiting and asked == []
    work()
    assert asked == [None]
    shown = page(as_alice, "?view=multi")
    assert "Proven</span> on a table in memory" in shown
    assert POLLED not in shown and "pending" not in shown
    assert shown.count('class="is-passed"') == 1 + len(design_of(club).patterns)
    assert "Not proven yet" in shown
    proof = Proof.objects.get()
    assert (proof.style, proof.revision, proof.planner) == ("multi", 1, VERSION)
    assert proof.meaning == revisions.current(club).meaning


def test_a_pattern_that_is_not_served_is_not_proven_and_says_why(
    club: Draft, alice: User, as_alice: Client
) -> None:
    attributes = [{"name": "noteId"}, {"name": "state", "mutable": True}]
    note = {"name": "Note", "identifier": ["noteId"], "attributes": attributes}
    get = {"number": 1, "name": "A note", "kind": "get", "returns": "Note"}
    get["where"] = [{"attribute": "noteId", "is": {"param": "noteId"}}]
    strong = {"number": 2, "name": "By state", "kind": "list", "returns": "Note"}
    strong["where"] = [{"attribute": "state", "is": {"param": "state"}}]
    strong["consistency"] = "strong"
    stated = {"name": "Notes", "entities": [note], "patterns": [get, strong]}
    draft = Draft(slug="notes4alice", project=club.project)
    revisions.start(draft, identified(Design.model_validate(stated)), "Start", alice)
    as_alice.post("/d/notes4alice/prove/single/start/")
    work()
    shown = as_alice.get("/d/notes4alice/prove/").content.decode()
    assert "Not proven</span> on a table in memory" in shown
    assert "1 passed, 1 not served." in " ".join(shown.split())
    assert "A strongly consistent read needs the table" in shown


def test_pressing_twice_runs_once(club: Draft, as_alice: Client) -> None:
    press(as_alice)
    press(as_alice)
    assert Proof.objects.count() == DBTaskResult.objects.count() == 1
    press(as_alice, "multi")
    assert DBTaskResult.objects.count() == 2
    work()
    press(as_alice)
    assert DBTaskResult.objects.count() == 3


def test_the_page_asks_for_progress_and_shows_it_pattern_by_pattern(
    club: Draft, as_alice: Client
) -> None:
    press(as_alice)
    work()
    proof = Proof.objects.get()
    last = proof.patterns.last()
    assert last is not None
    last.delete()
    Proof.objects.update(standing=Proof.Standing.RUNNING)
    total = len(design_of(club).patterns)
    shown = page(as_alice, **POLL)
    assert f"{total - 1} of {total} access patterns are done" in shown and POLLED in shown
    assert shown.count(" pending") == 1
    assert "<html" not in shown and 'id="status"' not in shown
    Proof.objects.update(standing=Proof.Standing.ENDED)
    ended = page(as_alice, **POLL)
    assert POLLED not in ended and "Proven.</p>" in ended


def test_what_was_sent_is_one_click_away(club: Draft, as_alice: Client) -> None:
    press(as_alice)
    work()
    assert f'hx-get="{URL}single/1/"' in page(as_alice)
    fragment = page(as_alice, "single/1/", **{**HTMX, "HX-Target": ""})
    assert "boto3.client" in fragment and "aws dynamodb" in fragment and "The answer" in fragment
    assert "keywright-proof-" not in fragment and "<html" not in fragment
    assert "boto3.client" in page(as_alice, "single/1/") and "<html" in page(as_alice, "single/1/")
    assert as_alice.get(f"{URL}multi/1/").status_code == 404


def test_writes_say_what_they_did_and_what_was_refused(as_charlie: Client) -> None:
    shown = as_charlie.post("/d/starter/prove/single/start/")["Location"]
    work()
    assert "refused as expected" in as_charlie.get(shown).content.decode()
    create = next(p for p in gallery.load("starter").patterns if p.kind == "create")
    record = as_charlie.get(shown.replace("?view=single", f"single/{create.number}/"))
    said = record.content.decode()
    assert "Succeeded: " in said and "Refused, as expected: " in said


def test_a_proof_turns_stale_with_the_design_and_comes_back_with_it(
    club: Draft, as_alice: Client
) -> None:
    press(as_alice)
    work()
    send(as_alice, "/d/club4alice/settings/", "settings-form", {"region": "eu-west-1"})
    stale = page(as_alice)
    assert "Stale" in stale and "changed since r1" in stale
    assert "Was proven</span> on a table in memory" in stale
    as_alice.post("/d/club4alice/undo/")
    assert "Stale" not in page(as_alice)
    Proof.objects.update(planner="0")
    assert "its planner" in page(as_alice)


def test_a_word_of_explanation_makes_no_proof_stale(club: Draft, as_alice: Client) -> None:
    press(as_alice)
    work()
    send(as_alice, "/d/club4alice/settings/", "settings-form", {"description": "Tennis"})
    assert design_of(club).description == "Tennis"
    assert "Stale" not in page(as_alice)


def test_a_worker_that_was_killed_is_told_and_the_proof_begun_again(
    club: Draft, as_alice: Client
) -> None:
    press(as_alice)
    long_ago = timezone.now() - proofs.LOST - timedelta(seconds=1)
    Proof.objects.update(standing=Proof.Standing.RUNNING, beat_at=timezone.now())
    DBTaskResult.objects.all().delete()
    press(as_alice)
    assert DBTaskResult.objects.count() == 0
    Proof.objects.update(beat_at=long_ago)
    shown = page(as_alice)
    assert "Interrupted" in shown and POLLED not in shown
    press(as_alice)
    work()
    assert "Proven</span> on a table in memory" in page(as_alice)
    assert Proof.objects.count() == 1


def test_what_a_stopped_worker_was_at_is_done_by_the_next(
    club: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(address: str | None) -> Engine:
        raise SystemExit

    press(as_alice)
    with monkeypatch.context() as told_to_stop:
        told_to_stop.setattr("designer.proof.engine.engine", stopped)
        work()
    assert POLLED in page(as_alice)
    DBTaskResult.objects.update(status="READY", finished_at=None)  # as `StoppableWorker` does
    work()
    assert "Proven</span> on a table in memory" in page(as_alice)


def test_a_proof_whose_worker_is_gone_is_taken_up_by_another(club: Draft, as_alice: Client) -> None:
    press(as_alice)
    long_ago = timezone.now() - workers.GONE - timedelta(seconds=1)
    Worker.objects.create(key="gone", queues="proofs", seen_at=long_ago)
    task = DBTaskResult.objects.get()
    task.claim("gone")
    DBTaskResult.objects.update(started_at=long_ago)
    Proof.objects.update(standing=Proof.Standing.RUNNING, beat_at=long_ago)
    assert workers.take_up(["mail"]) == 0
    assert workers.take_up(["proofs"]) == 1
    work()
    assert "Proven</span> on a table in memory" in page(as_alice)


def test_what_took_several_workers_with_it_is_not_tried_again(
    club: Draft, as_alice: Client
) -> None:
    press(as_alice)
    for number in range(workers.MOST_TRIES):
        DBTaskResult.objects.get().claim(f"gone-{number}")
        DBTaskResult.objects.update(started_at=timezone.now() - 2 * workers.GONE)
        workers.take_up(["proofs"])
    assert DBTaskResult.objects.get().status == "FAILED"


def test_a_page_that_waits_says_where_no_worker_is(club: Draft, as_alice: Client) -> None:
    press(as_alice)
    assert "manage.py worker" in page(as_alice)
    Worker.objects.create(key="w", queues="mail,proofs", seen_at=timezone.now())
    assert "manage.py worker" not in page(as_alice)


def test_another_design_of_meanwhile_ends_the_older_proof(club: Draft, as_alice: Client) -> None:
    press(as_alice)
    send(as_alice, "/d/club4alice/settings/", "settings-form", {"region": "eu-west-1"})
    press(as_alice)
    assert [each.revision for each in Proof.objects.all()] == [2]
    work()
    assert "Proven</span>" in page(as_alice)


def test_a_wrong_plan_is_found_and_the_first_difference_shown(
    club: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = plan_without_conditions(plans.PLAN.of("single").do(design_of(club)))
    monkeypatch.setattr(plans, "known", lambda design, style: wrong)
    press(as_alice)
    work()
    shown = page(as_alice)
    assert "Not proven</span> on a table in memory" in shown
    assert "succeeded, but should have been refused" in shown


def plan_without_conditions(plan: Plan) -> Plan:
    document = plan.model_dump(mode="json", by_alias=True)
    for operation in document["operations"]:
        for step in operation["steps"]:
            for member in step["members"]:
                member["if"] = []
    return Plan.model_validate(document)


@pytest.mark.parametrize("error", [EngineError("no 10.0.0.1"), RuntimeError("a bug in 10.0.0.1")])
def test_what_fails_is_told_without_addresses(
    error: Exception, club: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(address: str | None) -> Engine:
        raise error

    monkeypatch.setattr("designer.proof.engine.engine", fails)
    press(as_alice)
    work()
    shown = page(as_alice)
    assert "Not proven" in shown and "10.0.0.1" not in shown
    assert ("does not answer" in shown) == isinstance(error, EngineError)


def test_the_engine_is_the_administrators(
    club: Draft, as_alice: Client, asked: list[str | None], settings: object
) -> None:
    settings.PROOF_ENDPOINT = "http://127.0.0.1:9"  # type: ignore[attr-defined]
    as_alice.post(f"{URL}single/start/?endpoint=http://10.0.0.1", {"endpoint": "http://10.0.0.1"})
    work()
    assert asked == ["http://127.0.0.1:9"]


def test_a_design_of_the_gallery_is_proven_in_a_copy(as_charlie: Client) -> None:
    answer = as_charlie.post("/d/starter/prove/single/start/")
    own = Draft.objects.get(template="starter")
    assert answer["Location"] == f"/d/{own.slug}/prove/?view=single"
    assert revisions.latest(own) == identified(gallery.load("starter"))
    work()
    assert (
        "Proven</span> on a table in memory" in as_charlie.get(answer["Location"]).content.decode()
    )
    assert as_charlie.post("/d/starter/prove/nothing/start/").status_code == 404


def test_older_proofs_are_forgotten(club: Draft, as_alice: Client) -> None:
    for _ in range(proofs.KEPT + 2):
        press(as_alice)
        Proof.objects.update(standing=Proof.Standing.ENDED)
    assert Proof.objects.count() == proofs.KEPT


def started(client: Client, path: str) -> str:
    """What the page says after a proof was asked for."""
    return client.post(f"/d/{path}/start/", follow=True).content.decode()


def test_a_visitor_has_three_proofs_waiting_or_running_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    visitor, other = Client(), Client()
    for style in ("single", "multi", "grouped"):
        assert "already" not in started(visitor, f"starter/prove/{style}")
    refused = words("proofs-of-visitor", most=3)
    Proof.objects.filter(style="multi").update(
        standing=Proof.Standing.RUNNING, beat_at=timezone.now()
    )
    assert refused in started(visitor, "sessions/prove/single")
    assert Proof.objects.count() == 3
    assert "already" not in started(other, "sessions/prove/single")
    monkeypatch.setattr(proofs, "OF_ALL_VISITORS", 4)
    assert words("proofs-of-visitors", most=4) in started(other, "sessions/prove/multi")
    Proof.objects.filter(style="multi").update(beat_at=timezone.now() - 2 * proofs.LOST)
    assert "already" not in started(visitor, "sessions/prove/multi")


def test_a_team_has_so_many_proofs_at_once(
    club: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proofs, "OF_A_TEAM", 2)
    press(as_alice, "single")
    press(as_alice, "multi")
    press(as_alice, "multi")
    assert Proof.objects.count() == 2
    refused = words("proofs-of-team", most=2)
    assert refused in started(as_alice, "club4alice/prove/grouped")
    work()
    press(as_alice, "grouped")
    assert Proof.objects.count() == 3


def order_of_work() -> list[tuple[str, str]]:
    """Design and style of each proof, as a worker took them up."""
    work()
    done = DBTaskResult.objects.filter(queue_name=proofs.QUEUE).order_by("started_at")
    numbers = [each.args_kwargs["args"][0] for each in done]
    found = Proof.objects.select_related("draft").in_bulk(numbers)
    return [(found[each].draft.name, found[each].style) for each in numbers]


def test_members_are_proven_before_visitors_and_each_share_has_its_turn(
    club: Draft, alice: User, as_alice: Client, as_bob: Client
) -> None:
    visitors = [Client(REMOTE_ADDR=f"203.0.113.{number}") for number in (1, 2)]
    for asking, path in (
        (visitors[0], "starter/prove/single"),
        (visitors[0], "starter/prove/multi"),
        (visitors[1], "sessions/prove/single"),
        (as_alice, "club4alice/prove/single"),
        (as_alice, "club4alice/prove/multi"),
        (as_bob, "tenants/prove/single"),
    ):
        started(asking, path)
    assert order_of_work() == [
        ("Club", "single"),
        (gallery.load("tenants").name, "single"),
        ("Club", "multi"),
        (gallery.load("starter").name, "single"),
        (gallery.load("sessions").name, "single"),
        (gallery.load("starter").name, "multi"),
    ]


def test_who_has_many_teams_has_one_turn(
    club: Draft, alice: User, as_alice: Client, as_bob: Client
) -> None:
    team = Team.objects.create(name="Second", slug="second4alice")
    Membership.objects.create(team=team, user=alice, role=Role.OWNER)
    project = Project.objects.create(team=team, name="Second", slug="second4project")
    second = Draft(slug="second4draft", project=project)
    revisions.start(second, design_of(club).model_copy(update={"name": "Second"}), "Start", alice)
    started(as_alice, "club4alice/prove/single")
    started(as_alice, "second4draft/prove/single")
    started(as_bob, "tenants/prove/single")
    assert [name for name, _ in order_of_work()] == ["Club", gallery.load("tenants").name, "Second"]


def test_a_visitor_with_a_new_session_has_no_other_turn() -> None:
    for _ in range(2):
        started(Client(REMOTE_ADDR="203.0.113.1"), "starter/prove/single")
    started(Client(REMOTE_ADDR="203.0.113.2"), "sessions/prove/single")
    starter, sessions = gallery.load("starter").name, gallery.load("sessions").name
    assert [name for name, _ in order_of_work()] == [starter, sessions, starter]
