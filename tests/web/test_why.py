"""Why not otherwise, and which patterns a key answers."""

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils.html import escape

from designer.core.design.document import Design
from designer.core.edits import identified
from designer.core.messages import KeyWords, say
from designer.core.plan import Rejected
from designer.core.planner.what_if.why_not import WhyNot
from projects import revisions, work
from projects.models import Draft
from tests.web.forms import HTMX

URL = "/d/club4alice/"


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projects.pieces.SMALL", 10_000)


@pytest.mark.parametrize("about", ["key Member", "index Club/GSI1", "pattern 1", "pattern 2"])
def test_what_was_not_chosen_is_shown_with_its_price(
    about: str, club: Draft, as_alice: Client
) -> None:
    answer = as_alice.get(f"{URL}why/single/{about}/", headers=HTMX)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "<h2>Alternatives</h2>" in page and "the whole plan costs $" in page
    assert 'class="rivals"' in page or "No alternative was found" in page


def test_what_was_not_chosen_for_one_pattern_names_it_as_the_pages_do(
    club: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = say("through", places=(KeyWords(partition=("name",)),))
    chosen = say("for-pattern", choice=index, pattern=2)
    rival = Rejected(chosen=chosen, reasons=(say("costs-the-same"),))
    answer = WhyNot("key Member", "memberId = {memberId}", 1.0, (rival,))
    monkeypatch.setattr("designer.core.planner.what_if.key_asked.why_not", lambda *_: answer)
    work.forget()
    page = as_alice.get(f"{URL}why/single/key Member/", headers=HTMX).content.decode()
    work.forget()
    assert "an index by name, for pattern 2" in page


@pytest.mark.parametrize("about", ["key Ghost", "index a/b", "pattern 99", "pattern x", "x"])
def test_what_is_not_in_the_plan_is_not_found(about: str, club: Draft, as_alice: Client) -> None:
    assert as_alice.get(f"{URL}why/single/{about}/").status_code == 404
    assert as_alice.get(f"{URL}why/ghost/key Member/").status_code == 404


def test_a_key_of_an_entity_that_is_gone_is_not_found(club: Draft, as_alice: Client) -> None:
    for typed in ({}, {"partition": "memberId"}):
        answer = as_alice.get(f"{URL}keys/single/Nope/", typed)
        assert answer.status_code == 404


def test_a_key_of_the_plan_is_asked_which_patterns_it_answers(
    club: Draft, as_alice: Client
) -> None:
    page = as_alice.get(f"{URL}keys/single/e-visit/").content.decode()
    assert 'value="MEMBER#{memberId}"' in page and 'value="VISIT#{at}"' in page
    assert "A member&#x27;s visits" in page
    assert 'class="is-over-reads"' in page and 'class="is-no"' in page
    # A key that sorts nothing may return all that it reads.
    assert "Yes, but not by the key alone." in page


@pytest.mark.parametrize(
    ("typed", "status", "words"),
    [
        ({"partition": "memberId", "sort": "at"}, 200, "Yes"),
        ({"partition": "M#{memberId}", "sort": "V#{at}", "as": "index"}, 200, "an index"),
        ({"partition": "X#{memberId}", "sort": "A"}, 200, "No: "),
        ({"partition": "minutes"}, 200, "No: "),
        ({"partition": "ghost"}, 422, "ghost"),
        ({"partition": "M#{shard(4, memberId)}"}, 422, "Leave the shard out to see"),
        ({"partition": "{memberId"}, 422, "character"),
        ({"partition": "<b>"}, 422, "&lt;b&gt;"),
        ({"partition": "", "sort": ""}, 422, "Fill in a partition key: an attribute, as <code>"),
        ({"partition": "", "sort": "minutes"}, 422, 'value="minutes"'),
    ],
)
def test_a_key_typed_by_hand_is_judged(
    typed: dict[str, str], status: int, words: str, club: Draft, as_alice: Client
) -> None:
    answer = as_alice.get(f"{URL}keys/single/e-visit/", typed)
    page = answer.content.decode()
    assert answer.status_code == status
    assert words in page and "<b>" not in page
    assert f'value="{escape(typed["partition"])}"' in page


def test_a_key_that_leaves_a_pattern_without_an_answer_is_no_cheaper_way(
    club: Draft, alice: User, as_alice: Client
) -> None:
    attributes = [{"name": "orderId", "format": "uuid"}, {"name": "userId", "distinct": 100_000}]
    status = {"name": "status", "values": ["OPEN", "DONE"], "shares": [0.01, 0.99], "mutable": True}
    order = {"name": "Order", "identifier": ["orderId"], "items": 50_000_000}
    order["attributes"] = [*attributes, status, {"name": "note", "bytes": 3000}]
    of_open = [
        {"attribute": "userId", "is": {"param": "userId"}},
        {"attribute": "status", "is": {"value": "OPEN"}},
    ]
    asked = {"kind": "list", "returns": "Order", "where": of_open, "consistency": "strong"}
    design = {"name": "Orders", "entities": [order]}
    design["patterns"] = [{"number": 1, "name": "Open orders", "rate": {"average": 10}, **asked}]
    draft = Draft(slug="orders4alice", project=club.project)
    revisions.start(draft, identified(Design.model_validate(design)), "Start", alice)
    typed = {"partition": "O#{orderId}", "as": "table"}
    page = as_alice.get("/d/orders4alice/keys/single/e-order/", typed).content.decode()
    assert "No. Pattern 1 is not served. A strongly consistent read needs" in page


def test_a_copy_of_the_items_is_asked_why_it_is_not_otherwise(
    club: Draft, alice: User, as_alice: Client
) -> None:
    seat = {"name": "Seat", "identifier": ["seatId"], "items": 10_000}
    seat["attributes"] = [{"name": "seatId", "format": "uuid"}, {"name": "code", "format": "uuid"}]
    asked = {"kind": "list", "returns": "Seat", "consistency": "strong"}
    asked["where"] = [{"attribute": "code", "is": {"param": "code"}}]
    of_it = {"kind": "get", "returns": "Seat"}
    of_it["where"] = [{"attribute": "seatId", "is": {"param": "seatId"}}]
    design = {"name": "Seats", "entities": [seat], "planner": {"objective": "cost"}}
    design["patterns"] = [
        {"number": 1, "name": "By code", "rate": {"average": 10}, **asked},
        {"number": 2, "name": "A seat", "rate": {"average": 10}, **of_it},
    ]
    draft = Draft(slug="seats4alice", project=club.project)
    revisions.start(draft, identified(Design.model_validate(design)), "Start", alice)
    decisions = as_alice.get("/d/seats4alice/decisions/?view=multi").content.decode()
    url = "/d/seats4alice/why/multi/copy%20SeatByCode/"
    assert f'href="{url}' in decisions and "Copy SeatByCode" in decisions
    page = as_alice.get(url).content.decode()
    assert "Why a copy of each item, SeatByCode?" in page and 'class="rivals"' in page
    # No pin says it, and the answer is on this page.
    assert "decision-ways" not in page


def test_why_a_key_was_no_candidate_is_said(club: Draft, as_alice: Client) -> None:
    typed = {"partition": "at", "as": "index"}
    page = as_alice.get(f"{URL}keys/single/e-visit/", typed).content.decode()
    assert "This key was not a candidate: its partition key has few values" in page


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("later")
def test_an_answer_that_takes_long_comes_later(club: Draft, as_alice: Client) -> None:
    url = f"{URL}why/single/pattern 1/"
    page = as_alice.get(url).content.decode()
    assert 'hx-target="#statement" hx-swap="innerHTML"' in page
    assert "Pricing every other way" in page and "before this change" not in page
    call_command("worker", batch=True)
    answer = as_alice.get(url, headers={**HTMX, "HX-Trigger": "planning"})
    assert "the whole plan costs" in answer.content.decode()
    assert 'id="statement"' not in answer.content.decode()


def test_an_answer_leads_to_its_why(club: Draft, as_alice: Client) -> None:
    page = as_alice.get(f"{URL}?pattern=2").content.decode()
    assert f'href="{URL}why/single/pattern%202/?pattern=2"' in page
    panel = as_alice.get(f"{URL}why/single/pattern 2/").content.decode()
    assert f'href="{URL}why/single/key%20' in panel


def test_a_key_of_the_plan_over_shards_is_shown_without_an_error(client: Client, db: None) -> None:
    answer = client.get("/d/event-log/keys/single/e-reaction/")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert (
        "A read cannot name the shard <code>{shard(2, reactionId)}</code>; it queries every shard."
        in page
    )
