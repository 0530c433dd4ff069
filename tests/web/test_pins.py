"""Pins: begun from what the plan has, added with a reason, listed with their price, changed, removed."""

import re

import pytest
from django.test import Client

from designer.core.design.load import dump
from designer.core.design.settings import Pin, PinnedKey
from designer.core.edits import add_pin, remove_pin
from projects.models import Draft
from tests.web.conftest import design_of
from tests.web.forms import HTMX, fields_of, send, send_fields

URL = "/d/club4alice/pins/"
ADD = f"{URL}add/"
FORM = "pin-form"
KEY = {"key-partition": "M#{memberId}", "key-sort": "PROFILE"}


def pins_of(draft: Draft) -> tuple[Pin, ...]:
    return design_of(draft).planner.pins


def test_pinning_begins_with_what_the_plan_has(club: Draft, as_alice: Client) -> None:
    fields = fields_of(as_alice.get(f"{ADD}single/key Member/"), FORM)
    assert fields["kind"] == "key" and fields["entity"] == "Member" and fields["style"] == "single"
    assert fields["key-partition"] == "MEMBER#{memberId}"
    assert fields["key-sort"] == "A"
    fields = fields_of(as_alice.get(f"{ADD}multi/table Members/"), FORM)
    assert (fields["kind"], fields["entity"], fields["name"]) == ("name", "Member", "Members")
    fields = fields_of(as_alice.get(f"{ADD}single/pattern 1/"), FORM)
    assert (fields["kind"], fields["pattern"]) == ("pattern", "1")


@pytest.mark.parametrize("about", ["key Ghost", "index a/b Visit", "pattern 99", "x", "table"])
def test_pinning_what_is_not_there_begins_with_nothing(
    about: str, club: Draft, as_alice: Client
) -> None:
    for style in ("single", "ghost"):
        fields = fields_of(as_alice.get(f"{ADD}{style}/{about}/"), FORM)
        assert fields["key-partition"] == "" and fields["style"] == ""


def test_a_pin_is_added_obeyed_and_undone(club: Draft, as_alice: Client) -> None:
    before = pins_of(club)
    answer = send(as_alice, f"{ADD}single/key Member/", FORM, {**KEY, "because": "Agreed."})
    assert answer.status_code == 200
    assert answer.headers["HX-Push-Url"] == URL
    key = PinnedKey(partition="M#{memberId}", sort="PROFILE")
    new = Pin(style="single", entity="Member", key=key, because="Agreed.")
    assert pins_of(club) == (*before, new)
    shown = answer.content.decode()
    assert "Saved: Pin key of Member." in shown and "Agreed." in shown
    assert '<span class="constant">M#</span>' in shown
    as_alice.post("/d/club4alice/undo/")
    assert pins_of(club) == before


def test_a_pin_is_added_without_script(club: Draft, as_alice: Client) -> None:
    changes = {"kind": "name", "entity": "Visit", "name": "", "style": "multi"}
    refused = send(as_alice, f"{ADD}multi/table Visits/", FORM, changes, htmx=False)
    assert refused.status_code == 422 and "<html" in refused.content.decode()
    answer = send(as_alice, f"{ADD}multi/table Visits/", FORM, {"name": "Stays"}, htmx=False)
    assert (answer.status_code, answer.url) == (302, URL)
    assert pins_of(club)[-1] == Pin(style="multi", entity="Visit", name="Stays")


@pytest.mark.parametrize(
    ("kind", "changes", "field"),
    [
        ("key", {"entity": "Member", "key-partition": "{ghost}"}, "key-partition"),
        ("key", {"entity": "Member", "key-partition": "{memberId"}, "key-partition"),
        ("key", {"entity": "Member", "key-partition": "M{memberId}X"}, "key-partition"),
        ("key", {"entity": ""}, "entity"),
        ("index", {"entity": "Member", "index": "a b", "key-partition": "{email}"}, "index"),
        ("pattern", {"pattern": "1", "name": "a b"}, "name"),
        ("table", {"table": "Member, Ghost"}, "table"),
    ],
)
def test_what_does_not_fit_is_said_and_what_was_typed_stays(
    kind: str, changes: dict[str, str], field: str, club: Draft, as_alice: Client
) -> None:
    before = pins_of(club)
    fields = fields_of(send(as_alice, ADD, FORM, {"kind": kind, "intent": "redraw"}), FORM)
    answer = send_fields(as_alice, ADD, {**fields, **changes})
    assert answer.status_code == 422
    assert f'href="#field-{field}"' in answer.content.decode()
    kept = fields_of(answer, FORM)
    assert {name: kept[name] for name in changes} == changes
    assert pins_of(club) == before


def test_what_contradicts_an_earlier_pin_is_refused(club: Draft, as_alice: Client) -> None:
    start = fields_of(as_alice.get(ADD), FORM)
    typed = {"kind": "key", "entity": "Visit", "key-partition": "V#{memberId}", "key-sort": "{at}"}
    answer = send_fields(as_alice, ADD, {**start, **typed})
    assert answer.status_code == 422
    assert "an earlier pin contradicts it" in answer.content.decode().lower()


def page_of(client: Client, number: int) -> str:
    """The address of the page of a pin, from the list."""
    return re.findall(rf'href="({URL}\w{{12}}/)"', client.get(URL).content.decode())[number - 1]


def test_what_is_pinned_is_changed_in_one_edit_and_undone(club: Draft, as_alice: Client) -> None:
    before = pins_of(club)
    there = page_of(as_alice, 1)
    opened = as_alice.get(f"{ADD}single/key Visit/?view=single")
    assert (opened.status_code, opened.headers["Location"]) == (302, f"{there}?view=single")
    fields = fields_of(as_alice.get(there), FORM)
    assert (fields["key-sort"], fields["names-sort"]) == ("VISIT#{at}", "SK")
    typed = {"key-partition": "M#{memberId}", "key-sort": "AT#{at}", "because": "Agreed."}
    shown = send_fields(as_alice, there, {**fields, **typed, "intent": "preview"}).content.decode()
    assert "Not changed yet." in shown and pins_of(club) == before
    answer = send_fields(as_alice, there, {**fields, **typed})
    assert (answer.status_code, answer.headers["HX-Push-Url"]) == (200, URL)
    assert "Saved: Change the pin: key of Visit." in answer.content.decode()
    key = PinnedKey(partition="M#{memberId}", sort="AT#{at}")
    changed = before[0].model_copy(update={"key": key, "because": "Agreed."})
    assert pins_of(club) == (changed, *before[1:])
    as_alice.post("/d/club4alice/undo/")
    assert pins_of(club) == before


def test_a_changed_pin_keeps_what_its_form_does_not_show(club: Draft, as_alice: Client) -> None:
    key = PinnedKey(partition="M#{memberId}", sort="A")
    both = Pin(style="multi", entity="Member", key=key, name="Everyone")
    text = dump(remove_pin(add_pin(design_of(club), both), pins_of(club)[0]))
    assert as_alice.post("/d/club4alice/text/", {"text": text}).status_code == 302
    there = page_of(as_alice, 2)
    send(as_alice, there, FORM, {"because": "Agreed."})
    assert pins_of(club)[1] == both.model_copy(update={"because": "Agreed."})


def test_a_pin_that_is_gone_is_not_changed(club: Draft, as_alice: Client) -> None:
    there = page_of(as_alice, 1)
    fields = {**fields_of(as_alice.get(there), FORM), "because": "Agreed."}
    as_alice.post(f"{there}remove/", headers=HTMX)
    before = pins_of(club)
    answer = send_fields(as_alice, there, fields)
    assert answer.status_code == 409
    assert (
        "no longer in the design" in answer.content.decode()
        and "Agreed." in answer.content.decode()
    )
    assert pins_of(club) == before
    assert as_alice.get(there).status_code == 404


def test_a_pin_is_previewed_before_it_is_added(club: Draft, as_alice: Client) -> None:
    answer = send(as_alice, f"{ADD}single/key Member/", FORM, {**KEY, "intent": "preview"})
    shown = answer.content.decode()
    assert "With this change, the single-table plan <strong>" in shown and "Not added yet." in shown
    assert '<span class="constant">M#</span>' in shown
    assert len(pins_of(club)) == 2


def test_a_preview_says_why_what_is_typed_does_not_fit(club: Draft, as_alice: Client) -> None:
    headers = {**HTMX, "HX-Target": "results"}
    fields = {**fields_of(as_alice.get(f"{ADD}single/key Member/"), FORM), "intent": "preview"}
    for typed, said in (("{day}", "Member has no attribute"), ("M#{memb", "from character 3 on")):
        answer = as_alice.post(ADD, {**fields, "key-partition": typed}, headers=headers)
        shown = answer.content.decode()
        assert answer.status_code == 200 and "Not possible as typed." in shown
        assert said in shown and 'id="form-preview" hx-swap-oob="true"' in shown
    # What is not filled in yet is no fault while somebody types.
    blank = {"kind": "name", "entity": "Member", "name": "", "intent": "preview"}
    assert as_alice.post(ADD, blank, headers=headers).status_code == 204


def test_pins_are_listed_and_removed(club: Draft, as_alice: Client) -> None:
    for page in (URL, "/d/club4alice/settings/"):
        shown = as_alice.get(page).content.decode()
        assert "Key of Visit" in shown and "index called VisitsOfMember" in shown
    remove = shown.split('action="/d/club4alice/pins/')[1].split('"')[0]
    answer = as_alice.post(f"{URL}{remove}", headers=HTMX)
    assert "Saved: Remove the pin: Key of Visit." in answer.content.decode()
    assert [pin.pattern for pin in pins_of(club)] == [1]
    gone = as_alice.post(f"{URL}{remove}", headers=HTMX)
    assert gone.status_code == 409
    assert "no longer in the design" in gone.content.decode()


def test_every_decision_leads_to_its_pin(club: Draft, as_alice: Client) -> None:
    for page in ("why/single/pattern 2/", "decisions/", "entities/e-member/"):
        assert "/pins/add/single/key%20" in as_alice.get(f"/d/club4alice/{page}").content.decode()


def test_the_name_of_a_table_is_pinned_beside_the_tables_of_its_style(
    club: Draft, as_alice: Client
) -> None:
    page = as_alice.get("/d/club4alice/decisions/?view=multi").content.decode()
    assert re.search(r'/pins/add/multi/table%20\w+/\?view=multi"', page)


def test_a_pin_that_is_not_followed_says_so_in_the_list(club: Draft, as_alice: Client) -> None:
    changes = {"kind": "name", "entity": "Visit", "style": ""}
    fields = {**fields_of(as_alice.get(f"{ADD}multi/table Visits/"), FORM), **changes}
    send_fields(as_alice, ADD, fields)
    number = len(pins_of(club))
    page = as_alice.get(f"{URL}?view=both").content.decode()
    listed = page[page.index('class="pins"') : page.index('id="results"')]
    assert listed.count(f"Pin {number} is not followed") == 1
    assert f"Multi table: Pin {number} is not followed" not in listed
