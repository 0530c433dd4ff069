"""The pages of a plan as tabs of one place, each with its answer."""

import re
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import User
from django.test import Client

from designer.views import plan_tabs
from designer.views.results import Standing
from projects import revisions, work
from projects.models import Draft, Proof
from tests.web.test_tolerance import load

PAGES = ("decisions/", "alternatives/", "compare/", "cost/", "heat/", "prove/")


def tabs(page: str) -> dict[str, str]:
    """Label to answer, as the page has them."""
    strip = page.split('aria-label="Plan"')[1].split("</nav>")[0]
    found = re.findall(r'plan-tab">(.*?)<.*?plan-answer"[^>]*>(.*?)<', strip, re.S)
    return dict(found)


def places(page: str) -> list[str]:
    """What the bar leads to, the name of the design and what is in the menu left out."""
    bar = page.split('<span class="end">')[1].split('id="more-menu"')[0]
    return re.findall(r"<(?:a|button)[^>]*>([A-Z]\w+)", bar)


@pytest.mark.parametrize("page", ["", *PAGES, "reviews/", "exports/", "history/", "settings/"])
def test_a_design_has_five_places(club: Draft, as_alice: Client, page: str) -> None:
    shown = as_alice.get(f"/d/club4alice/{page}").content.decode()
    assert places(shown) == ["Model", "Plan", "Review", "Export", "More"]


@pytest.mark.parametrize("page", PAGES)
def test_every_page_of_the_plan_has_all_its_tabs(club: Draft, as_alice: Client, page: str) -> None:
    shown = as_alice.get(f"/d/club4alice/{page}").content.decode()
    assert list(tabs(shown)) == [
        "Decisions",
        "Alternatives",
        "Comparison",
        "Cost",
        "Heat",
        "Proof",
    ]
    strip = shown.split('aria-label="Plan"')[1].split("</nav>")[0]
    (current,) = re.findall(r'href="([^"?]*)[^"]*" aria-current="page"', strip)
    assert current == f"/d/club4alice/{page}"


def test_the_tab_of_the_cost_says_what_its_page_says(
    club: Draft, alice: User, as_alice: Client
) -> None:
    page = as_alice.get("/d/club4alice/cost/").content.decode()
    assert tabs(page)["Cost"] == tabs(page)["Heat"] == "no rates yet"
    load(club, alice, 1)
    as_alice.get("/d/club4alice/cost/")
    page = as_alice.get("/d/club4alice/cost/").content.decode()
    (said,) = re.findall(r"(\$[\d.,]+) a month", tabs(page)["Cost"])
    assert f"<strong>{said}</strong> a month" in page.split('id="bill"')[1]


@pytest.mark.parametrize(("average", "said"), [(1, "no key over 0.1 %"), (100_000, "hottest key ")])
def test_the_tab_of_the_heat_is_short_where_nothing_is_warm(
    club: Draft, alice: User, as_alice: Client, average: float, said: str
) -> None:
    """A longer answer takes a second line at 1024 pixels."""
    load(club, alice, average)
    as_alice.get("/d/club4alice/cost/")
    answer = tabs(as_alice.get("/d/club4alice/cost/").content.decode())["Heat"]
    assert answer.startswith(said)
    assert len(answer) <= len("hottest key 100.25 %")


@pytest.mark.parametrize(
    ("gap", "said"),
    [
        (0, "cheapest of its style"),
        (0.0003, "about the cheapest"),
        (0.00129, "at most 1 % to save"),
        (0.05, "at most 5 % to save"),
    ],
)
def test_the_tab_of_the_decisions_tells_no_differences_under_one_per_cent(
    club: Draft,
    alice: User,
    as_alice: Client,
    monkeypatch: pytest.MonkeyPatch,
    gap: float,
    said: str,
) -> None:
    load(club, alice, 1)
    page = "/d/club4alice/cost/"
    as_alice.get(page)
    made = plan_tabs._plan(revisions.latest(club), "single")
    assert made is not None
    cost = made.cost.model_copy(update={"gap": gap, "cheapest": None})
    changed = made.model_copy(update={"cost": cost})
    monkeypatch.setattr(plan_tabs, "_plan", lambda design, style: changed)
    assert tabs(as_alice.get(page).content.decode())["Decisions"] == said


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ((95.98, 114.45), "none is cheaper"),
        ((95.93, 114.45), "none is much cheaper"),
        ((95.977, 114.45), "none is cheaper"),
        ((90.0, 114.45), "one saves $5.98 a month"),
        ((93.0, 114.45), "none is much cheaper"),  # 3 % are none in the comparison either
    ],
)
def test_the_tab_of_the_alternatives_claims_nothing_of_those_that_cost_more(
    club: Draft, monkeypatch: pytest.MonkeyPatch, others: tuple[float, ...], said: str
) -> None:
    found = [SimpleNamespace(style="single", also=(), per_month=usd) for usd in (95.984, *others)]
    monkeypatch.setattr(plan_tabs.work, "known", lambda kind, asked: found)
    known = plan_tabs.Known(club, revisions.latest(club), "single", None, "")
    assert plan_tabs._alternatives(known) == said


def test_tabs_follow_the_style(club: Draft, as_alice: Client) -> None:
    as_alice.get("/d/club4alice/compare/")
    single = as_alice.get("/d/club4alice/heat/").content.decode()
    multi = as_alice.get("/d/club4alice/heat/?view=multi").content.decode()
    assert "/d/club4alice/cost/?view=multi" in multi
    assert "/d/club4alice/cost/?view=multi" not in single.split("</nav>")[1]


def test_alternatives_and_comparison_answer_once_they_are_worked_out(
    club: Draft, as_alice: Client
) -> None:
    work.forget()
    page = as_alice.get("/d/club4alice/cost/").content.decode()
    before = tabs(page)
    assert (before["Alternatives"], before["Comparison"]) == ("not tried yet", "not compared yet")
    asked = re.findall(r'class="plan-answer" hx-get="([^"]+)" hx-trigger="load"', page)
    assert asked == ["/d/club4alice/tabs/alternatives/", "/d/club4alice/tabs/comparison/"]
    for url in asked:
        answer = as_alice.get(url, headers={"HX-Request": "true"}).content.decode()
        assert "hx-get" not in answer and "yet" not in answer
    page = as_alice.get("/d/club4alice/cost/").content.decode()
    assert 'class="plan-answer" hx-get' not in page
    after = tabs(page)
    assert re.fullmatch(
        r"none is cheaper|none is much cheaper|one saves \$[\d,.]+ a month",
        after["Alternatives"],
    )
    assert re.fullmatch(r"\w+ table fits best|Grouped tables fit best", after["Comparison"])


def test_a_tab_asks_again_while_its_answer_is_worked_out(
    club: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Standing] = ["planning", "failed"]
    monkeypatch.setitem(plan_tabs.ASKED, "alternatives", lambda draft, design: asked.pop(0))
    work.forget()
    url = "/d/club4alice/tabs/alternatives/?view=multi"
    waiting = as_alice.get(url).content.decode()
    assert f'hx-get="{url}" hx-trigger="load delay:2s"' in waiting
    assert "being worked out" in waiting
    assert "hx-get" not in as_alice.get(url).content.decode()  # nothing comes of a failure
    assert as_alice.get("/d/club4alice/tabs/heat/").status_code == 404


def test_the_tab_of_the_alternatives_says_the_difference_of_what_the_page_shows(
    club: Draft, monkeypatch: pytest.MonkeyPatch
) -> None:
    """$103.81 and $96.63, which are $7.18 apart, though they were $7.19 apart before they were rounded."""
    found = [SimpleNamespace(style="single", also=(), per_month=usd) for usd in (103.814, 96.626)]
    monkeypatch.setattr(plan_tabs.work, "known", lambda job, digest: found)
    known = plan_tabs.Known(club, revisions.latest(club), "single", None, "")
    assert plan_tabs._alternatives(known) == "one saves $7.18 a month"


def test_the_tab_of_the_proof_counts(club: Draft, as_alice: Client) -> None:
    page = "/d/club4alice/cost/"
    assert tabs(as_alice.get(page).content.decode())["Proof"] == "not proven yet"
    proof = Proof.objects.create(
        draft=club, style="single", revision=1, meaning="older", planner="older", standing="ended"
    )
    for number, status in enumerate(("passed", "passed", "failed", "elsewhere"), 1):
        proof.patterns.create(number=number, verdict={"status": status, "name": "-"}, examples=[])
    assert (
        tabs(as_alice.get(page).content.decode())["Proof"]
        == "2 of 3 proven, before the latest changes"
    )
