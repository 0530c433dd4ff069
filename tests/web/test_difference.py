"""Two revisions compared on a page: which two, in sentences, and with both grids in one."""

import re

import pytest
from django.template.loader import render_to_string
from django.test import Client

from designer.core.difference.base import About, Change
from designer.core.edits import change_entity, remove_attribute, remove_pattern
from designer.core.edits.replacing import replaced
from designer.views import difference
from designer.views.results import Asked, Standing
from projects import naming, revisions
from projects.models import Draft
from tests.web.forms import send

URL = "/d/club4alice/history/compare/"


@pytest.fixture
def changed(club: Draft) -> Draft:
    """r2: Visit is called Stay. r3: members have no e-mail address. r4: pattern 3 is gone."""
    revisions.edit(
        club,
        lambda d: change_entity(d, "Visit", replaced(d.entity["Visit"], name="Stay")),
        "Rename entity Visit to Stay",
    )
    revisions.edit(
        club,
        lambda d: remove_attribute(d, "Member", "email", and_users=True),
        "Remove attribute Member.email",
    )
    revisions.edit(club, lambda d: remove_pattern(d, 3), "Remove pattern 3")
    return club


def read(client: Client, query: str = "") -> str:
    answer = client.get(URL + query)
    assert answer.status_code == 200
    return answer.content.decode()


def which(page: str) -> list[str]:
    line = page[page.index("difference-which") : page.index("</p>", page.index("difference-which"))]
    return re.findall(r">(r\d+)</a>", line)


def test_without_a_name_all_is_compared_with_the_beginning(
    changed: Draft, as_alice: Client
) -> None:
    page = read(as_alice)
    assert which(page) == ["r1", "r4"]
    assert "Visit is now called Stay." in page
    assert "Pattern 3 (" in page and "was removed." in page


def test_the_bill_below_says_that_it_is_of_the_newest(changed: Draft, as_alice: Client) -> None:
    said = "r4, the newest revision</span>"
    for path in (f"{URL}?from=1&to=2", "/d/club4alice/migration/?from=1&to=2"):
        assert said in as_alice.get(path).content.decode().partition("<footer")[2]
    assert said not in as_alice.get("/d/club4alice/").content.decode()


def test_the_last_named_revision_is_compared_with_the_newest(
    changed: Draft, as_alice: Client
) -> None:
    naming.name(changed, 2, "as shipped")
    page = read(as_alice)
    assert which(page) == ["r2", "r4"] and "as shipped" in page
    assert "Visit is now called Stay." not in page


def test_any_two_are_compared_either_way(changed: Draft, as_alice: Client) -> None:
    assert which(read(as_alice, "?from=r3&to=r2")) == ["r3", "r2"]
    assert "Member has a new attribute email." in read(as_alice, "?from=3&to=2")
    for query in ("?from=9", "?to=9", "?from=x", "?from=r", "?from=0"):
        assert as_alice.get(URL + query).status_code == 404


def test_what_is_lost_comes_first_and_says_so(changed: Draft, as_alice: Client) -> None:
    page = read(as_alice, "?from=2&to=3")
    lost = page.index("What cannot be undone at once")
    assert lost < page.index("Member no longer has the attribute email.")
    assert page.index("Its values are no longer kept.") < page.index("What is stated")


def test_names_in_what_is_at_stake_are_code() -> None:
    about = About("index", "shop-app/GSI2", "GSI2")
    change = Change(about, "changed", "Index `GSI2` changes.", at_stake="`GSI2` is built anew.")
    line = render_to_string("designer/partials/_difference_line.html", {"change": change})
    assert "<code>GSI2</code> changes." in line
    assert "<code>GSI2</code> is built anew.</strong>" in line


def test_what_follows_is_told_in_each_style(changed: Draft, as_alice: Client) -> None:
    single, multi = read(as_alice), read(as_alice, "?view=multi")
    assert "What follows from it: Single table" in single
    assert "What follows from it: Multi table" in multi
    for page in (single, multi):
        assert 'class="grid grid-pair"' in page


def test_a_list_jumps_to_every_row_that_differs(changed: Draft, as_alice: Client) -> None:
    for query in ("", "?form=samples", "?view=multi"):
        page = read(as_alice, query)
        jumps = page[
            page.index("difference-jumps") : page.index("</nav>", page.index("difference-jumps"))
        ]
        targets = re.findall(r'href="#([^"]+)"', jumps)
        assert targets
        assert all(f'id="{target}"' in page for target in targets)


def test_rows_that_came_went_and_changed_say_so_in_words(changed: Draft, as_alice: Client) -> None:
    there, back = read(as_alice, "?view=multi"), read(as_alice, "?from=4&to=1&view=multi")
    gone = re.search(r'class="[^"]*is-removed">\s*<th.*?</th>', there, re.DOTALL)
    new = re.search(r'class="[^"]*is-added">\s*<th.*?</th>', back, re.DOTALL)
    assert gone and "gone</span>" in gone[0]
    assert new and "new</span>" in new[0]


@pytest.mark.parametrize(
    ("standing", "said"),
    [("planning", "Planning both"), ("failed", "no plan that could be compared")],
)
def test_without_a_plan_what_is_stated_is_told_alone(
    standing: Standing, said: str, changed: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(difference, "evaluated", lambda *of: Asked(standing, None))
    page = read(as_alice)
    assert "Visit is now called Stay." in page and said in page and "grid-pair" not in page
    polled = as_alice.get(
        URL, headers={"HX-Request": "true", "HX-Trigger": "planning", "HX-Target": "main"}
    )
    assert polled.status_code == (204 if standing == "planning" else 200)


def test_a_page_lists_so_many_changes_and_counts_the_rest(
    changed: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = read(as_alice)
    assert "Not listed" not in whole
    found = re.search(r"<strong>(\d+) changes</strong>, (\d+) of which", whole)
    assert found is not None
    monkeypatch.setattr(difference, "MOST_CHANGES", 1)
    page = read(as_alice)
    assert found[0] in page
    left_out = sum(map(int, re.findall(r"Not listed: (\d+) more\.", page)))
    assert page.count('class="difference-line"') + left_out == int(found[1])


def test_a_revision_differs_from_itself_in_nothing(changed: Draft, as_alice: Client) -> None:
    page = read(as_alice, "?from=3&to=3")
    assert "nothing differs" in page and "grid-pair" not in page


def test_words_alone_change_no_meaning(club: Draft, as_alice: Client) -> None:
    send(as_alice, "/d/club4alice/settings/", "settings-form", {"description": "Of members."})
    page = read(as_alice)
    assert "both mean the same" in page and "Wording only" in page


def test_a_design_with_one_revision_is_compared_with_itself(club: Draft, as_alice: Client) -> None:
    assert "nothing differs" in read(as_alice)
    page = as_alice.get("/d/shop/history/compare/").content.decode()
    assert "nothing to compare" in page
