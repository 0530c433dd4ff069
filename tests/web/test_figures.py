"""Every number of a design in one form: saved in one edit, undone in one, and kept where it cannot be."""

import pytest
from django.test import Client

from designer.core.design.document import Design
from projects.models import Draft
from tests.web.conftest import design_of
from tests.web.forms import fields_of, send, words

PAGE = "/d/club4alice/figures/"


def _key(design: Design, entity: str) -> str:
    return f"items-{str(design.entity[entity].id).replace('-', '_')}"


def test_all_figures_are_stated_in_one_edit_and_taken_back_in_one(
    club: Draft, as_alice: Client
) -> None:
    bare = design_of(club)
    first, second, third, *others = [each.number for each in bare.patterns]
    typed = {
        _key(bare, "Member"): "20,000",
        "basis-users": "10,000",
        "basis-busiest": "12",
        "basis-times": "2",
        f"rate_{first}-average": "3",
        f"rate_{first}-peak": "9",
        f"rate_{second}-times": "50",
    }
    before = club.revisions.count()
    answer = send(as_alice, PAGE, "figures-form", typed)
    count = len(bare.patterns)
    said = f"Saved: State items of 1 entity and rates of {count} access patterns."
    assert said in answer.content.decode()
    design = design_of(club)
    assert club.revisions.count() == before + 1
    assert design.entity["Member"].items == 20_000
    rates = {
        each.number: (each.rate.average, each.rate.peak) for each in design.patterns if each.rate
    }
    assert rates[first] == (3, 9)
    # 10,000 users x 50 a day are 500,000 / 86,400 s; 12 % of them come in one of 3,600 s.
    assert rates[second] == (5.787, 16.67)
    assert {rates[number] for number in (third, *others)} == {(0.2315, 0.6667)}
    as_alice.post("/d/club4alice/undo/", headers={"HX-Request": "true"})
    assert design_of(club).entity["Member"].items is None
    assert not any(each.rate for each in design_of(club).patterns)


def test_what_is_stated_stays_where_nothing_else_is_typed(club: Draft, as_alice: Client) -> None:
    send(as_alice, PAGE, "figures-form", {"rate_1-average": "3", "rate_2-average": "4"})
    send(as_alice, PAGE, "figures-form", {"rate_2-average": "", "basis-times": "86400"})
    rates = {each.number: each.rate.average for each in design_of(club).patterns if each.rate}
    assert rates == {1: 3, 3: 1, 4: 1, 5: 1}


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ({}, words("nothing-changed")),
        ({"basis-users": "100"}, words("times-a-day-needed")),
        ({"rate_1-average": "9", "rate_1-peak": "3"}, "The peak is below the average"),
        ({"rate_1-average": "often"}, words("not-a-number", typed="often")),
        ({"rate_1-average": "", "rate_1-peak": "3"}, words("not-filled-in")),
    ],
)
def test_what_cannot_be_is_said_and_stays_typed(
    typed: dict[str, str], says: str, club: Draft, as_alice: Client
) -> None:
    before = club.revisions.count()
    answer = send(as_alice, PAGE, "figures-form", typed)
    assert answer.status_code == 422
    assert says in answer.content.decode()
    kept = fields_of(answer, "figures-form")
    assert {name: kept[name] for name in typed} == typed
    assert club.revisions.count() == before


def test_the_preview_says_the_rates_that_were_worked_out(club: Draft, as_alice: Client) -> None:
    fields = fields_of(as_alice.get(PAGE), "figures-form")
    sent = {**fields, "rate_1-times": "86400", "intent": "preview"}
    headers = {"HX-Request": "true", "HX-Target": "results"}
    page = as_alice.post(PAGE, sent, headers=headers).content.decode()
    assert "1 a second, 1 at peak" in page[page.index('id="understood"') :]


def test_a_rate_that_another_window_stated_is_kept_or_asked_about(
    club: Draft, as_alice: Client
) -> None:
    opened = fields_of(as_alice.get(PAGE), "figures-form")
    send(as_alice, PAGE, "figures-form", {"rate_1-average": "5", "rate_2-average": "7"})
    answer = as_alice.post(
        PAGE,
        {**opened, "rate_1-average": "6", "rate_3-average": "8"},
        headers={"HX-Request": "true", "HX-Target": "statement"},
    )
    assert answer.status_code == 409
    assert design_of(club).pattern(1).rate.average == 5


def test_the_foot_says_that_rates_are_missing_and_leads_to_them(
    club: Draft, as_alice: Client
) -> None:
    page = as_alice.get("/d/club4alice/").content.decode()
    foot = page[page.index('id="summary-line"') :]
    foot = foot[: foot.index("</footer>")]
    assert "no price without rates" in foot and "$0.00" not in foot
    assert f'href="{PAGE}' in foot
    assert "State the rates of 5 access patterns." in page


def test_the_foot_of_a_design_with_rates_asks_for_none(club: Draft, as_alice: Client) -> None:
    send(as_alice, PAGE, "figures-form", {"basis-times": "900"})
    assert all(each.rate for each in design_of(club).patterns)
    page = as_alice.get("/d/club4alice/").content.decode()
    assert "missing rate" not in page and "no price" not in page


def test_what_even_use_comes_to_is_shown_as_a_share(club: Draft, as_alice: Client) -> None:
    page = as_alice.get(PAGE).content.decode()
    assert 'placeholder="4.2 (evenly spread)"' in page
