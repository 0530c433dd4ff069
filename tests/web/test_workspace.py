"""The workspace: its page and its fragments, undo and redo, and what it shows when planning fails."""

import re
from dataclasses import replace

import pytest
from django.http import QueryDict
from django.test import Client

from designer.core.design.document import Design
from designer.core.design.settings import IgnoredFinding
from designer.core.evaluation.evaluate import evaluate
from designer.core.plan import Finding
from designer.views import results
from designer.views.requests import Place
from projects import plans
from projects.models import Draft
from tests.web.conftest import design_of
from tests.web.forms import HTMX, send

URL = "/d/club4alice/"


def test_the_page_shows_the_statement_and_what_follows(club: Draft, as_alice: Client) -> None:
    page = as_alice.get(URL).content.decode()
    for text in ("A member&#x27;s visits", "Member 1-N Visit", 'id="results"', "Single table"):
        assert text in page


def test_one_entity_has_no_relationships_and_no_example_of_one(client: Client) -> None:
    alone = client.get("/gallery/order-states/").content.decode()
    assert "No relationships: there is only one entity." in alone
    assert "one Customer has many Orders" not in alone


def test_a_pattern_selected_lights_its_rows(club: Draft, as_alice: Client) -> None:
    answer = as_alice.get(f"{URL}?pattern=2", headers={**HTMX, "HX-Target": "results"})
    page = answer.content.decode()
    assert "<html" not in page
    assert "In words" in page and "Served by" in page
    assert '<div id="lists" hx-swap-oob="morph">' in page


def test_an_address_with_nonsense_in_it_shows_the_page(club: Draft, as_alice: Client) -> None:
    for query in (
        "view=x",
        "pattern=99",
        "pattern=-1",
        "table=ghost",
        "index=x",
        "form=9",
        "case=z",
    ):
        assert as_alice.get(f"{URL}?{query}&pattern=1").status_code == 200


def test_both_styles_are_shown_side_by_side(club: Draft, as_alice: Client) -> None:
    page = as_alice.get(f"{URL}?view=both&pattern=1").content.decode()
    assert 'class="sheets is-side-by-side"' in page


@pytest.mark.parametrize(
    ("beside", "second", "third"),
    [
        ("", "Multi table", "Grouped tables"),
        ("&beside=grouped", "Grouped tables", "Multi table"),
        ("&beside=ghost", "Multi table", "Grouped tables"),
    ],
)
def test_of_the_styles_side_by_side_the_third_is_a_tab(
    beside: str, second: str, third: str, club: Draft, as_alice: Client
) -> None:
    page = as_alice.get(f"{URL}?view=both&pattern=1{beside}").content.decode()
    assert re.findall(r'class="sheet-of-style" aria-label="([^"]*)"', page) == [
        "Single table",
        second,
    ]
    tabs = page.split('aria-label="Style beside the single table">')[1].split("</nav>")[0]
    assert re.findall(r'aria-current="true">([^<]*)<', tabs) == [second]
    assert f">{third}</a>" in tabs


def test_undo_and_redo_say_what_they_did(club: Draft, as_alice: Client) -> None:
    send(as_alice, f"{URL}settings/", "settings-form", {"name": "Tennis"})
    answer = as_alice.post(f"{URL}undo/", headers=HTMX)
    assert "Undone: Rename the design to Tennis." in answer.content.decode()
    assert design_of(club).name == "Club"
    answer = as_alice.post(f"{URL}redo/", headers=HTMX)
    assert "Redone: Rename the design to Tennis." in answer.content.decode()
    assert as_alice.post(f"{URL}undo/").status_code == 302
    assert design_of(club).name == "Club"
    assert (
        "There is nothing to undo." in as_alice.post(f"{URL}undo/", headers=HTMX).content.decode()
    )


def test_a_planner_that_fails_leaves_the_statement_to_edit(
    club: Draft,
    as_alice: Client,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(design: Design, plans: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(plans, "judged", fail)
    for path in ("", "patterns/p-1/", "exports/", "text/", "history/", "?view=both"):
        answer = as_alice.get(f"{URL}{path}")
        assert answer.status_code == 200, path
    assert "No plan for this design" in as_alice.get(URL).content.decode()
    assert "a bug" in caplog.text
    answer = send(as_alice, f"{URL}settings/", "settings-form", {"name": "Tennis"})
    assert answer.status_code == 200
    assert design_of(club).name == "Tennis"


def test_a_finding_set_aside_sets_no_other_pattern_aside(
    club: Draft, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`patterns.12` begins like `patterns.1` and is another pattern."""
    ignored = IgnoredFinding(rule="K101", about="patterns.1", because="Measured")
    design = design_of(club).model_copy(update={"ignored_findings": (ignored,)})
    found = tuple(
        Finding(rule="K101", severity="advice", where=where, message="Hot.")
        for where in ("patterns.1", "patterns.1.where", "patterns.12")
    )
    evaluation = replace(evaluate(design), findings=found)
    monkeypatch.setattr(plans, "evaluation", lambda *_: evaluation)
    shown = results.results(club, design, Place("/", QueryDict()), with_grid=False)
    assert [line.where for line in shown["findings"]] == ["pattern 12"]
    assert [line.ignored for line in shown["ignored"]] == [ignored, ignored]


def test_an_empty_design_says_where_to_begin(as_charlie: Client) -> None:
    url = as_charlie.post("/designs/new/", {"name": "Mine"}).url
    page = as_charlie.get(url).content.decode()
    assert "Add the first entity" in page


def test_text_from_people_never_becomes_markup(club: Draft, as_alice: Client) -> None:
    evil = "<script>alert(1)</script> ${x} %{if} \"'"
    url = f"{URL}patterns/p-1/"
    assert send(as_alice, url, "pattern-form", {"name": evil, "why": evil}).status_code == 200
    for path in ("", "?pattern=1", "patterns/p-1/", "text/", "history/", "exports/"):
        assert "<script>alert" not in as_alice.get(f"{URL}{path}").content.decode()


def test_no_key_does_two_things(club: Draft, as_alice: Client) -> None:
    page = as_alice.get("/d/club4alice/").content.decode()
    listed = page.split('class="keys"')[1].split("</dl>")[0]
    letters = re.findall(r"<kbd>(\w)</kbd>", listed)
    assert len([letter for letter in letters if letter != "z"]) == len({*letters} - {"z"})
    for key in set(re.findall(r'data-key="(\w)"', page)):
        assert key in letters
