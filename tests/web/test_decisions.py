"""The decisions of a plan, and how good it is said to be."""

from django.contrib.auth.models import User
from django.test import Client

from designer.core.design import gallery
from designer.templatetags.designer_tags import coded
from designer.views.decisions import _parts
from projects.models import Draft
from tests.planned import planned
from tests.web.test_plan_tabs import tabs
from tests.web.test_tolerance import load

URL = "/d/club4alice/decisions/"


def test_prices_are_said_to_be_for_storage_where_no_access_pattern_has_a_rate(
    club: Draft, alice: User, as_alice: Client
) -> None:
    page = as_alice.get(URL).content.decode()
    assert "every price here is for storage alone" in page
    assert "a month for storage<" in page
    assert tabs(page)["Decisions"] == "no rates yet"
    load(club, alice, 1)
    page = as_alice.get(URL).content.decode()
    assert "for storage alone" not in page
    assert "a month for requests and storage<" in page


def test_the_bound_is_said_to_be_of_what_is_listed(club: Draft, as_alice: Client) -> None:
    page = as_alice.get(URL).content.decode()
    assert "the lower bound: no choice among the candidates costs less" in page
    assert (
        "The planner decided earlier" in page and "a key that is not a candidate is cheaper" in page
    )
    assert "whatever is chosen" not in page


def test_a_guard_stands_with_its_own_table(db: None, client: Client) -> None:
    page = client.get("/d/merchant-orders/decisions/?view=multi").content.decode()
    table = page.split("Table market-PaymentExternalIds</h2>")[1].split("</section>")[0]
    assert "Guard of Payment.externalId" in table
    assert page.count("Guard of Payment.externalId") == 1


def test_every_decision_stands_with_one_table() -> None:
    for slug in ("user-preferences", "order-lines", "video-views", "event-log"):
        made = planned(gallery.load(slug), "multi")
        shown = [one for part in _parts(made) for _, _, one in part.decisions]
        assert sorted(one.about for one in shown) == sorted(one.about for one in made.decisions)


def test_a_single_index_is_said_to_be_needed(db: None, client: Client) -> None:
    one = client.get("/d/accounts/decisions/").content.decode()
    assert "<summary>Why at least 1 index</summary>" in one
    two = client.get("/d/merchant-orders/decisions/").content.decode()
    assert "<summary>Why at least 2 indexes</summary>" in two


def test_what_is_quoted_is_shown_as_code_and_escaped() -> None:
    said = "Pattern 3 asks for `a < b` or <b>; `kept: at-once` takes it, a lone ` stays"
    assert coded(said) == (
        "Pattern 3 asks for <code>a &lt; b</code> or &lt;b&gt;; <code>kept: at-once</code> takes it, a lone ` stays"
    )
