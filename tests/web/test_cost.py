"""The cost page: its figures are the core's, its options and what-ifs stand in its address, and nothing is saved."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from designer.core.cost.account import bill
from designer.core.cost.commitments import commitments
from designer.core.cost.options import Options
from designer.core.design import gallery
from designer.core.planner import plan
from designer.core.words.figures import binary_size, size
from designer.views.results import Asked
from projects.models import Draft
from tests.planned import planned
from tests.web.forms import HTMX
from tests.web.test_tolerance import load

URL = "/d/shop/cost/"
BILL = {**HTMX, "HX-Target": "bill"}


def text(page: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", page).split())


@pytest.fixture
def visitor(db: None, client: Client) -> Client:
    return client


def test_the_total_is_the_plan_s_and_what_comes_besides(visitor: Client) -> None:
    page = text(visitor.get(URL).content.decode())
    made = planned(gallery.load("shop"), "single")
    found = bill(gallery.load("shop"), made, Options(recovery="as-planned"))
    assert f"${float(found.usd):.2f} a month Average rates" in page
    chosen_by = f"chosen by the cost of its requests and storage, ${made.cost.per_month:.2f}."
    assert chosen_by in page
    assert f"${float(found.usd):.2f} a month for requests, storage and point-in-time" in page
    assert f"At peak rates all month, it would be ${float(found.usd_at_peak):.2f}" in page
    for operation in made.operations_for(1):
        assert f"${operation.usd_per_month:.2f}" in page


def test_what_a_commitment_saves_stands_apart_from_the_bill(visitor: Client) -> None:
    made = planned(gallery.load("shop"), "single")
    found = bill(gallery.load("shop"), made, Options(recovery="as-planned"))
    (saved,) = commitments(found)
    page = visitor.get(URL).content.decode()
    apart = page[page.index("With a commitment") : page.index('id="bill-growth"')]
    assert saved.sentence in text(apart)
    assert f'href="{saved.source}"' in apart
    assert "No amount on this page assumes one." in apart
    reserved = text(visitor.get(URL + "?mode=provisioned").content.decode())
    assert (
        "Reserved capacity (3 years, partial upfront payment, in blocks of 100 units): up to $"
        in reserved
    )


def test_options_are_asked_by_address(visitor: Client) -> None:
    asked = "?mode=autoscaled&class=infrequent-access&replica=us-west-2&recovery=off&use=50"
    page = visitor.get(URL + asked).content.decode()
    assert '<option value="autoscaled" selected>' in page
    assert '<option value="infrequent-access" selected>' in page
    assert 'value="us-west-2" checked' in page
    assert "We have no prices for a table in this class in all Regions" in page
    assert page.count('<span class="quiet">without the replicas</span>') == 3  # a row of each mode
    assert "Point-in-time recovery</dt>" not in page
    assert "at a target utilisation of 50 %" in page
    made = planned(gallery.load("shop"), "single")
    assert f"what they cost on demand in us-east-1, ${made.cost.per_month:.2f}." in text(page)
    found = bill(
        gallery.load("shop"),
        made,
        Options(
            mode="autoscaled",
            table_class="infrequent-access",
            utilisation=Options().utilisation * 5 / 7,
        ),
    )
    assert f'data-label="Read capacity">{found.structures[0].read_capacity}</td>' in page


def test_what_is_no_number_is_said_with_what_it_was_for(visitor: Client) -> None:
    page = text(visitor.get(f"{URL}?rate-5=abc&items-Order=-1").content.decode())
    assert "The rate of pattern 5: “abc” is not a number" in page
    assert "Items of Order: “-1” is not a number" in page


def test_what_if_is_answered_in_one_request_and_saved_nowhere(
    club: Draft, as_alice: Client
) -> None:
    before = club.version
    stated = as_alice.get("/d/club4alice/cost/").content.decode()
    answer = as_alice.get(
        "/d/club4alice/cost/?mode=&rate-1=1000&peak-1=&items-Member=7", headers=BILL
    )
    part = answer.content.decode()
    assert part.lstrip().startswith('<div class="bill" id="bill">')
    assert "more than with the stated figures" in text(
        part
    ) and "more than with the stated figures" not in text(stated)
    assert "The hottest key is then" in text(part)
    assert answer.headers["HX-Replace-Url"] == "/d/club4alice/cost/?rate-1=1000&items-Member=7"
    club.refresh_from_db()
    assert club.version == before


def test_no_bill_is_shown_while_the_design_is_planned(
    club: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("designer.views.cost.planned", lambda *_: Asked("planning", None))
    assert as_alice.get("/d/club4alice/cost/", headers=BILL).status_code == 204
    assert "planning" in as_alice.get("/d/club4alice/cost/").content.decode()


def test_a_peak_follows_a_changed_average_and_never_lies_below(visitor: Client) -> None:
    """A user's profile is asked for 20 times a second, 80 at peak: at 40 it is 160."""
    rows = text(visitor.get(f"{URL}?rate-1=40", headers=BILL).content.decode())
    stated = gallery.load("shop").pattern(1).rate
    assert stated is not None and stated.peak is not None
    assert f"1 A user's profile 40 {40 * stated.peak / stated.average:g}" in rows.replace(
        "&#x27;", "'"
    )
    rows = text(visitor.get(f"{URL}?rate-1=40&peak-1=3", headers=BILL).content.decode())
    assert "1 A user's profile 40 40" in rows.replace("&#x27;", "'")


def test_what_is_no_number_is_said_and_left_out(visitor: Client) -> None:
    for typed in ("many", "-1", "nan", "1e99", "inf"):
        answer = visitor.get(URL, {"rate-1": typed, "use": "0", "view": "multi"})
        assert answer.status_code == 200
        page = answer.content.decode()
        assert f"The rate of pattern 1: “{typed}” is not a number" in page
        assert "than with the stated" not in page


def test_a_rate_is_estimated_from_what_is_known(visitor: Client) -> None:
    """200,000 orders a day are 2.31 a second; 12 % of them in one hour are 6.67."""
    page = text(visitor.get(f"{URL}?actions=200,000&busiest=12").content.decode())
    assert "2.31 a second on average, 6.67 at peak." in page
    page = text(visitor.get(f"{URL}?users=1000&actions=86.4", headers=BILL).content.decode())
    assert "1 a second on average, 1 at peak." in page


@pytest.mark.parametrize("page", ["cost", "heat"])
def test_patterns_without_a_rate_are_named_and_folded_where_they_are_many(
    club: Draft, alice: User, as_alice: Client, page: str
) -> None:
    shown = as_alice.get(f"/d/club4alice/{page}/").content.decode()
    folded = shown.split('<details class="without-rate"')[1].split("</details>")[0]
    assert "5 access patterns are left out because they have no rate" in folded
    assert re.findall(r'"ordinal">(\d+)<', folded) == ["1", "2", "3", "4", "5"]
    load(club, alice, 1)
    shown = as_alice.get(f"/d/club4alice/{page}/").content.decode()
    assert "Left out because they have no rate" in text(shown)
    assert "without-rate" not in shown


def test_without_any_rate_no_total_is_claimed(club: Draft, alice: User, as_alice: Client) -> None:
    leads = '<a class="button primary" href="/d/club4alice/figures/">State items and rates</a>'
    page = as_alice.get("/d/club4alice/cost/").content.decode()
    assert "<strong>No rates yet</strong>" in page and leads in page
    load(club, alice, 1)
    page = as_alice.get("/d/club4alice/cost/").content.decode()
    assert "No rates yet" not in page and leads not in page


def test_the_digits_of_provisioned_capacity_are_grouped(visitor: Client) -> None:
    page = text(visitor.get("/d/event-log/cost/?mode=provisioned").content.decode())
    design = gallery.load("event-log")
    found = bill(design, plan(design, "single"), Options("provisioned"))
    most = max(line.write_capacity or 0 for line in found.structures)
    assert most >= 1000
    assert f" {most:,} " in page
    assert f" {most} " not in page


def test_both_sides_of_a_step_are_shown(visitor: Client) -> None:
    page = text(visitor.get("/d/premium-and-sale/cost/").content.decode())
    assert (
        "The Query of GSI1 reads 12.2 KB on average, close to the unit boundary at 12 KB: 1.5 units "
        "($0.10 a month on demand) below it, 2 units ($0.13) above it."
    ) in page
    page = text(visitor.get("/d/discussion/cost/?view=multi").content.decode())
    assert "0.5 units ($1.62 a month on demand) below it, 1 unit ($3.24) above it." in page


def test_the_dearest_access_pattern_has_the_longest_bar(visitor: Client) -> None:
    page = visitor.get(URL).content.decode()
    found = bill(gallery.load("shop"), planned(gallery.load("shop"), "single"))
    dearest = max(found.patterns, key=lambda line: line.usd)
    longest = re.findall(
        r'<rect x="0" width="100" height="8"/></svg> <span>([^<]*)</span></td>', page
    )
    assert longest == [f"${float(dearest.usd):.2f}"]
    bars = re.findall(r'<rect x="(\d+)" width="(\d+)" height="8"/>', page)
    assert {int(x) + int(width) for x, width in bars} == {100}


def test_an_item_has_one_size_on_all_pages(visitor: Client) -> None:
    """A KB of an item is 1,024 bytes everywhere, as units and limits are counted."""
    made = planned(gallery.load("tags"), "multi")
    (article,) = (one for table in made.tables for one in table.items if one.shape == "Article")
    of_item = binary_size(article.bytes)
    assert of_item != size(article.bytes)
    design = text(visitor.get("/d/tags/?view=multi").content.decode())
    assert f"the largest is Article, {of_item} on average" in design
    cost = text(visitor.get("/d/tags/cost/?view=multi").content.decode())
    assert f"The Article item is {of_item} on average" in cost
