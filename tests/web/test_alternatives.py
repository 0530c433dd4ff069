"""Alternatives side by side, and one of them taken."""

import pytest
from django.core.management import call_command
from django.test import Client

from designer.core.design import gallery
from designer.core.design.settings import Pin
from designer.core.edits import add_pin, use_alternative
from designer.core.plan import Plan
from designer.core.planner import plan
from designer.core.planner.what_if.alternatives import AS_SET, OBJECTIVES, Alternative
from projects import revisions, teams
from projects.models import Draft
from tests.web.forms import HTMX

URL = "/d/orders4alice/"


@pytest.fixture
def orders(alice, monkeypatch: pytest.MonkeyPatch) -> Draft:
    monkeypatch.setattr("projects.pieces.SMALL", 10_000)
    design = gallery.load("merchant-orders")
    return revisions.start(
        Draft(slug="orders4alice", project=teams.home(alice)), design, "Start", alice
    )


def requests(made: Plan, number: int) -> float:
    return max(operation.requests for operation in made.operations_for(number))


def test_the_styles_and_what_differs_are_shown(orders: Draft, as_alice: Client) -> None:
    page = as_alice.get(f"{URL}alternatives/").content.decode()
    for words in ("Single table", "Multi table", "Grouped tables", "Fewest requests", "cheapest"):
        assert words in page
    assert "A payment by the provider&#x27;s payment number" in page
    assert "14 need the same number in every plan" in page
    # Who shares a table is told where others do not.
    grouped = page.count('<span class="quiet">Grouped tables</span>')
    assert page.count("one for Order, OrderItem and Payment") == grouped > 0


def test_what_matters_most_stands_first(orders: Draft, as_alice: Client) -> None:
    page = as_alice.get(f"{URL}alternatives/")
    columns = page.context["columns"]
    assert (columns[0].style, columns[0].title) == ("single", "Current settings")
    assert [column.differs == "" for column in columns] == [True] + [False] * (len(columns) - 1)
    is_best = [bool(column.alternative.best) for column in columns[1:]]
    assert any(is_best) and is_best == sorted(is_best, reverse=True)
    others = [column.is_set for column in columns if not column.alternative.best]
    assert others == sorted(others, reverse=True)
    cheapest = next(column for column in columns if "cheapest" in column.alternative.best)
    assert columns.index(cheapest) <= 1
    assert "Requests per second" in page.content.decode()


def test_styles_that_come_to_one_plan_share_a_column(
    alice, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projects.pieces.SMALL", 10_000)
    design = gallery.load("folder-tree")
    revisions.start(Draft(slug="alone4alice", project=teams.home(alice)), design, "Start", alice)
    page = as_alice.get("/d/alone4alice/alternatives/")
    columns = page.context["columns"]
    of = [column.style for column in columns if column.is_set]
    html = page.content.decode()
    others = [column.other_styles for column in columns if column.other_styles]
    assert len(of) + len(others) == 3 and others
    for styles in others:
        assert f"also the plan of {styles} with the current settings<" in html
    assert (page.context["rows"], page.context["alike"]) == ([], 11)
    assert "(all 11 need the same number in every plan)" in html
    also = [column.also for column in page.context["columns"] if column.also]
    assert also and "cheapest" not in "".join(also)  # which the form calls the lowest cost
    for names in also:
        assert f"same plan with {names}<" in html


def test_the_cheapest_without_a_warning_is_called_so(
    alice, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In tables of their own the shop costs less, and takes more requests than the team allows."""
    monkeypatch.setattr("projects.pieces.SMALL", 10_000)
    revisions.start(
        Draft(slug="shop4alice", project=teams.home(alice)), gallery.load("shop"), "Start", alice
    )
    page = as_alice.get("/d/shop4alice/alternatives/").content.decode()
    assert "cheapest without a warning" in page
    assert "Pattern 3 takes 2 requests, but its limit is 1." in page


def test_an_alternative_is_used_and_undone(orders: Draft, as_alice: Client) -> None:
    before = revisions.latest(orders)
    assert requests(plan(before, "multi"), 5) == 2
    answer = as_alice.post(f"{URL}alternatives/multi/fewest requests/use/")
    assert (answer.status_code, answer.url) == (302, f"{URL}?view=multi")
    orders.refresh_from_db()
    after = revisions.latest(orders)
    assert after.planner.objective == "requests"
    assert requests(plan(after, "multi"), 5) == 1
    assert revisions.current(orders).note == "Use the plan with the fewest requests"
    as_alice.post(f"{URL}undo/")
    orders.refresh_from_db()
    assert revisions.latest(orders) == before


@pytest.mark.parametrize("which", ["multi/ghost", "ghost/cheapest", "multi/cheapest"])
def test_what_is_no_alternative_is_not_found(which: str, orders: Draft, as_alice: Client) -> None:
    assert as_alice.post(f"{URL}alternatives/{which}/use/").status_code == 404
    assert orders.revisions.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("later")
def test_a_comparison_that_takes_long_comes_later(club: Draft, as_alice: Client) -> None:
    page = as_alice.get("/d/club4alice/alternatives/").content.decode()
    assert 'id="planning"' in page and "appear here when they are ready" in page
    call_command("worker", batch=True)
    poll = {**HTMX, "HX-Target": "main", "HX-Trigger": "planning"}
    answer = as_alice.get("/d/club4alice/alternatives/", headers=poll)
    assert 'id="planning"' not in answer.content.decode()
    assert 'class="table alternatives"' in answer.content.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("later")
def test_what_is_chosen_while_others_are_planned_is_chosen_again(
    club: Draft, as_alice: Client
) -> None:
    use = "/d/club4alice/alternatives/multi/as set/use/"
    answer = as_alice.post(use)
    assert (answer.status_code, answer.url) == (302, "/d/club4alice/alternatives/")
    assert "its new plan is being calculated." in as_alice.get(answer.url).content.decode()
    call_command("worker", batch=True)
    assert as_alice.post(use).url == "/d/club4alice/?view=multi"
    assert as_alice.post(use.replace("as set", "ghost")).status_code == 404


def test_without_pins_only_those_of_its_style_go() -> None:
    design = gallery.load("starter")
    for style in ("single", "multi"):
        key = {"partition": "T#{projectId}", "sort": "N#{number}"}
        pin = Pin.model_validate({"style": style, "entity": "Task", "key": key})
        design = add_pin(design, pin)
    made = plan(design, "single")
    free = Alternative("without pins", "single", "", made)
    after = use_alternative(design, free)
    assert [pin.style for pin in after.planner.pins] == ["multi"]


def test_settings_make_the_alternative_the_plan() -> None:
    design = gallery.load("merchant-orders")
    made = plan(design, "single")
    for name, objective in OBJECTIVES.items():
        one = Alternative(name, "single", "", made)
        assert use_alternative(design, one).planner.objective == objective
    as_set = Alternative(AS_SET, "single", "", made)
    assert use_alternative(design, as_set) == design
