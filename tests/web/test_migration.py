"""The page of a migration: its steps, its files, and where it begins and ends."""

import pytest
import yaml
from django.contrib.auth.models import User
from django.test import Client

from designer.core.design.document import Design
from designer.core.edits import change_settings
from projects import naming, revisions
from projects.models import Draft

PAGE = "/d/club4alice/migration/"


def edited(club: Draft, alice: User) -> None:
    """The second revision has one attribute more."""

    def change(design: Design) -> Design:
        first, *rest = design.entities
        more = first.attributes[0].model_validate({"name": "nickname", "bytes": 12})
        changed = first.model_copy(update={"attributes": (*first.attributes, more)})
        return design.model_copy(update={"entities": (changed, *rest)})

    revisions.edit(club, change, "Add attribute nickname", alice)


def test_the_steps_lead_from_the_first_revision_to_the_newest(
    club: Draft, alice: User, as_alice: Client
) -> None:
    edited(club, alice)
    page = as_alice.get(PAGE).content.decode()
    assert "Set nickname on every Member item" in page
    assert page.index("Set nickname on") < page.index("Write only as the later plan says")
    assert 'name="from" value="r1"' in page
    assert 'name="to" value="r2"' in page


def test_it_begins_at_the_last_revision_with_a_name(
    club: Draft, alice: User, as_alice: Client
) -> None:
    edited(club, alice)
    naming.name(club, 2, "Deployed", "", alice)
    revisions.edit(club, lambda d: d.model_copy(update={"description": "New"}), "Say new", alice)
    page = as_alice.get(PAGE).content.decode()
    assert 'name="from" value="r2"' in page
    assert "There is nothing to do" in page


def test_another_style_makes_new_tables_with_a_template_for_each_stage(
    club: Draft, as_alice: Client
) -> None:
    query = "?from=1&to=1&was=single&view=multi"
    page = as_alice.get(PAGE + query).content.decode()
    assert "Create tables" in page
    start = yaml.safe_load(
        as_alice.get(f"{PAGE}0/cloudformation/{query}").content.decode().replace("!", "")
    )
    after = yaml.safe_load(
        as_alice.get(f"{PAGE}1/cloudformation/{query}").content.decode().replace("!", "")
    )
    assert set(start["Resources"]) < set(after["Resources"])


def test_the_steps_can_be_taken_along_in_markdown(
    club: Draft, alice: User, as_alice: Client
) -> None:
    edited(club, alice)
    answer = as_alice.get(f"{PAGE}steps.md")
    assert answer["Content-Type"] == "text/markdown"
    assert "migration-r1-to-r2.md" in answer["Content-Disposition"]
    assert "# Club: from r1 to r2" in answer.content.decode()
    assert "## Backfill" in answer.content.decode()


def test_a_sql_database_is_left_step_by_step(club: Draft, as_alice: Client) -> None:
    page = as_alice.get(f"{PAGE}?from=sql").content.decode()
    assert "Copy the rows of Member" in page
    assert "FROM members" in page
    assert page.index("Compare reads of both databases") < page.index(
        "Make DynamoDB the source of truth"
    )


def test_a_design_of_the_gallery_has_a_way_too(db: None, client: Client) -> None:
    assert "Copy the rows of" in client.get("/d/sessions/migration/?from=sql").content.decode()
    assert "Create table" in client.get("/d/sessions/migration/?was=multi").content.decode()


def test_what_is_not_there_is_not_found(club: Draft, as_alice: Client) -> None:
    for address in ("1/terraform/?from=1&to=1", "0/pdf/", "0/markdown/"):
        assert as_alice.get(PAGE + address).status_code == 404


@pytest.mark.parametrize("which", ["9", "r9", "0", "-1", "x", "r", "1234567890"])
def test_a_revision_that_is_not_there_is_not_found(
    which: str, club: Draft, as_alice: Client
) -> None:
    for query in (f"?from={which}", f"?to={which}", f"?from=sql&to={which}"):
        assert as_alice.get(PAGE + query).status_code == 404


def renamed(club: Draft, alice: User) -> None:
    """The second revision calls the design otherwise, and with it the table that all entities share."""
    revisions.edit(club, lambda d: d.model_copy(update={"name": "Society"}), "Rename", alice)


def test_names_in_use_are_pinned_by_a_click(club: Draft, alice: User, as_alice: Client) -> None:
    renamed(club, alice)
    place = f"{PAGE}?from=1&to=2&was=single&view=single"
    page = as_alice.get(place).content.decode()
    assert "Table Society of the plan is deployed as Club." in page
    assert "Keep these names" in page
    answer = as_alice.post(f"{PAGE}names/?from=1&to=2&was=single&view=single")
    assert (answer.status_code, answer["Location"]) == (
        302,
        f"{PAGE}?from=1&was=single&view=single",
    )
    page = as_alice.get(answer["Location"]).content.decode()
    assert "There is nothing to do" in page
    assert "Keep these names" not in page and "is deployed as" not in page
    club.refresh_from_db()
    pin = revisions.latest(club).planner.pins[-1]
    assert (pin.style, pin.name) == ("single", "Club")


def test_a_prefix_in_use_is_set_back_by_the_same_click(
    club: Draft, alice: User, as_alice: Client
) -> None:
    before = revisions.latest(club).table_prefix
    revisions.edit(club, lambda d: change_settings(d, table_prefix="zz-"), "Prefix", alice)
    page = as_alice.get(f"{PAGE}?from=1&to=2").content.decode()
    assert "There is nothing to do" in page
    assert "The later design says zz-: set it back to" in page
    answer = as_alice.post(f"{PAGE}names/?from=1&to=2")
    assert answer.status_code == 302
    club.refresh_from_db()
    assert revisions.latest(club).table_prefix == before
    assert "set it back" not in as_alice.get(answer["Location"]).content.decode()


def test_another_region_takes_new_tables_and_a_copy(
    club: Draft, alice: User, as_alice: Client
) -> None:
    revisions.edit(club, lambda d: change_settings(d, region="eu-west-1"), "Region", alice)
    page = as_alice.get(f"{PAGE}?from=1&to=2").content.decode()
    assert "There is nothing to do" not in page
    assert "Copy every Member to table Club in eu-west-1" in page
    compared = as_alice.get("/d/club4alice/history/compare/?from=1&to=2").content.decode()
    assert "Every table there is new: the items of the old ones have to be copied." in compared


def test_names_are_pinned_in_the_newest_revision_only(
    club: Draft, alice: User, as_alice: Client
) -> None:
    renamed(club, alice)
    edited(club, alice)
    query = "?from=1&to=2&was=single&view=single"
    assert "Keep these names" not in as_alice.get(PAGE + query).content.decode()
    assert as_alice.post(f"{PAGE}names/{query}").status_code == 409
    club.refresh_from_db()
    assert all(pin.name != "Club" for pin in revisions.latest(club).planner.pins)
