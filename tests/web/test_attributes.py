"""Attributes in the left column."""

from django.test import Client

from designer.core.design.load import plain
from projects.models import Draft
from tests.web.conftest import design_of
from tests.web.forms import HTMX, fields_of, send, send_fields

FORM = "attribute-form"
EMAIL = "/d/club4alice/entities/e-member/attributes/a-member-email/"
ADD = "/d/club4alice/entities/e-member/attributes/add/"


def test_an_attribute_is_added_the_quick_way(club: Draft, as_alice: Client) -> None:
    answer = as_alice.post(ADD, {"name": "phone", "kind": "S"}, headers=HTMX)
    assert answer.status_code == 200
    assert "phone" in design_of(club).entity["Member"].by_name
    assert 'id="entity-form"' in answer.content.decode()


def test_every_field_is_saved(club: Draft, as_alice: Client) -> None:
    fields = {
        "name": "level",
        "kind": "S:enum",
        "values": "gold\nsilver",
        "shares": "10\n90",
        "present": "50",
        "busiest": "0.04",
        "mutable": "on",
        "examples": "gold",
        "description": "How often they come",
    }
    fields = {**fields_of(as_alice.get(ADD), FORM), **fields}
    assert send_fields(as_alice, ADD, fields).status_code == 200
    assert plain(design_of(club).entity["Member"].by_name["level"]) == {
        "name": "level",
        "id": "a-member-level",
        "format": "enum",
        "values": ["gold", "silver"],
        "shares": [0.1, 0.9],
        "present": 0.5,
        "busiest": 0.0004,
        "mutable": True,
        "examples": ["gold"],
        "description": "How often they come",
    }


def test_how_often_a_flag_is_true_is_one_number(club: Draft, as_alice: Client) -> None:
    start = fields_of(as_alice.get(f"{ADD}?kind=BOOL"), FORM)
    assert send_fields(as_alice, ADD, {**start, "name": "spam", "kind": "BOOL"}).status_code == 200
    spam = f"{ADD.removesuffix('add/')}a-member-spam/"
    page = as_alice.get(spam)
    assert page.content.decode().count('name="shares"') == 1
    fields = fields_of(page, FORM)
    # Only what attributes of this kind have is asked for.
    assert not {"values", "minimum", "digits", "elements-average"} & fields.keys()
    assert send_fields(as_alice, spam, {**fields, "shares": "5"}).status_code == 200
    assert design_of(club).entity["Member"].by_name["spam"].shares == (0.05, 0.95)
    fields = fields_of(as_alice.get(spam), FORM)
    assert fields["shares"] == "5"
    refused = send_fields(as_alice, spam, {**fields, "shares": "105"})
    assert (refused.status_code, "write 0 to 100 %" in refused.content.decode()) == (422, True)


def test_what_no_longer_fits_its_type_stays_to_be_removed(club: Draft, as_alice: Client) -> None:
    fields = {**fields_of(as_alice.get(ADD), FORM), "name": "weight", "kind": "N", "maximum": "9"}
    assert send_fields(as_alice, ADD, fields).status_code == 200
    weight = f"{ADD.removesuffix('add/')}a-member-weight/"
    fields = fields_of(as_alice.get(weight), FORM)
    refused = send_fields(as_alice, weight, {**fields, "kind": "S"})
    assert refused.status_code == 422
    assert 'name="maximum"' in refused.content.decode()
    assert 'name="minimum"' not in refused.content.decode()
    fields |= {"kind": "S", "maximum": ""}
    assert send_fields(as_alice, weight, fields).status_code == 200
    assert design_of(club).entity["Member"].by_name["weight"].maximum is None


def test_the_shares_of_a_few_values_make_no_flag(club: Draft, as_alice: Client) -> None:
    """The form is drawn anew when its type changes, with what was sent."""
    fields = {**fields_of(as_alice.get(ADD), FORM), "name": "level", "kind": "BOOL"}
    answer = send_fields(as_alice, ADD, {**fields, "values": "a\nb", "shares": "10\n90"})
    assert answer.status_code == 200
    assert design_of(club).entity["Member"].by_name["level"].shares is None


def test_a_figure_that_may_lag_says_so(club: Draft, as_alice: Client) -> None:
    start = fields_of(as_alice.get(ADD), FORM)
    assert start["kept"] == "at-once"
    fields = {**start, "name": "calls", "kind": "N", "aggregate": "count of makes"}
    assert send_fields(as_alice, ADD, {**fields, "kept": "by-stream"}).status_code == 200
    made = design_of(club).entity["Member"].by_name["calls"]
    assert (made.aggregate, made.kept) == ("count of makes", "by-stream")
    answer = send_fields(
        as_alice, ADD, {**fields, "name": "more", "aggregate": "", "kept": "by-price"}
    )
    assert (answer.status_code, "is not an aggregate" in answer.content.decode()) == (422, True)


def test_a_change_is_saved_without_script(club: Draft, as_alice: Client) -> None:
    answer = send(as_alice, EMAIL, FORM, {"name": "mail"}, htmx=False)
    assert (answer.status_code, answer.url) == (302, EMAIL)
    assert "mail" in design_of(club).entity["Member"].by_name


def test_what_is_addressed_by_its_name_can_be_renamed(club: Draft, as_alice: Client) -> None:
    answer = send(as_alice, "/d/club4alice/entities/Member/attributes/email/", FORM, {"name": "to"})
    assert answer.status_code == 200
    assert answer.headers["HX-Push-Url"].endswith("/attributes/a-member-email/")


def test_what_does_not_fit_is_said_at_its_field(club: Draft, as_alice: Client) -> None:
    for field, typed in (
        ("name", "a/b c"),
        ("name", "memberId"),
        ("kind", "N:email"),
        ("present", "120"),
        ("busiest", "-1"),
        ("bytes", "big"),
        ("refers_to", "Ghost.id"),
        ("derived", "week(email)"),
        ("aggregate", "count of ghosts"),
    ):
        answer = send(as_alice, EMAIL, FORM, {field: typed})
        assert answer.status_code == 422, field
        assert fields_of(answer, FORM)[field] == typed
        assert "Not saved yet" in answer.content.decode()
    assert club.revisions.count() == 1


def test_numbers_among_the_examples_are_numbers(club: Draft, as_alice: Client) -> None:
    url = "/d/club4alice/entities/e-visit/attributes/a-visit-minutes/"
    send(as_alice, url, FORM, {"examples": "30\n45"})
    assert design_of(club).entity["Visit"].by_name["minutes"].examples == (30, 45)
    answer = send(as_alice, url, FORM, {"examples": "long"})
    assert answer.status_code == 422
    assert '<a href="#field-examples">' in answer.content.decode()


def test_an_attribute_in_use_is_removed_only_with_what_uses_it(
    club: Draft, as_alice: Client
) -> None:
    url = f"{EMAIL}remove/"
    answer = send_fields(as_alice, url, {})
    assert answer.status_code == 422
    assert "pattern 1 (A member&#x27;s visits)" in answer.content.decode()
    assert send_fields(as_alice, url, {"and_users": "1"}).status_code == 200
    design = design_of(club)
    assert "email" not in design.entity["Member"].by_name
    assert [pattern.number for pattern in design.patterns] == [2, 3, 4, 5]


def test_an_attribute_that_is_gone_is_said_so(club: Draft, as_alice: Client) -> None:
    fields = fields_of(as_alice.get(EMAIL), FORM)
    send_fields(as_alice, f"{EMAIL}remove/", {"and_users": "1"})
    assert send_fields(as_alice, EMAIL, fields).status_code == 409
    assert as_alice.get(EMAIL).status_code == 404


def test_the_range_of_a_number_is_asked_for_and_saved(club: Draft, as_alice: Client) -> None:
    kind = {**fields_of(as_alice.get(ADD), FORM), "name": "stars", "kind": "N"}
    redrawn = send_fields(as_alice, ADD, {**kind, "intent": "redraw"})
    assert "Otherwise, the number takes 38 bytes" in redrawn.content.decode()
    fields = {**kind, "minimum": "-1", "maximum": "5", "values": "1\n2"}
    assert send_fields(as_alice, ADD, fields).status_code == 200
    made = design_of(club).entity["Member"].by_name["stars"]
    assert (made.minimum, made.maximum, made.padding) == (-1, 5, (1, 0))
    assert plain(made)["values"] == [1, 2]


def test_the_heading_says_that_it_is_an_attribute(club: Draft, as_alice: Client) -> None:
    assert "<h2>Attribute “email”</h2>" in as_alice.get(EMAIL).content.decode()
