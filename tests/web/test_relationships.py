"""Relationships in the left column."""

from django.test import Client

from projects.models import Draft
from tests.web.conftest import design_of
from tests.web.forms import fields_of, send, send_fields, shown

FORM = "relationship-form"
MAKES = "/d/club4alice/relationships/r-makes/"
ADD = "/d/club4alice/relationships/add/"


def test_a_relationship_is_added_with_the_reference_it_needs(club: Draft, as_alice: Client) -> None:
    send(as_alice, "/d/club4alice/entities/add/", "entity-form", {"name": "Court"})
    fields = {"name": "playedOn", "first": "Court", "second": "Visit", "average": "40"}
    answer = send(as_alice, ADD, FORM, fields)
    assert answer.status_code == 200
    design = design_of(club)
    assert design.relationship["playedOn"].average == 40
    assert design.entity["Visit"].by_name["courtId"].refers_to == "Court.courtId"
    assert answer.headers["HX-Push-Url"] == "/d/club4alice/"


def test_many_to_many_goes_through_an_entity(club: Draft, as_alice: Client) -> None:
    for name in ("Team", "Membership"):
        send(as_alice, "/d/club4alice/entities/add/", "entity-form", {"name": name})
    answer = send(as_alice, ADD, FORM, {"cardinality": "N:M", "intent": "redraw"})
    fields = {
        "name": "joins",
        "first": "Member",
        "second": "Team",
        "through": "Membership",
        "average": "2",
        "average2": "11",
    }
    fields = {**fields_of(answer, FORM), **fields, "cardinality": "N:M"}
    assert send_fields(as_alice, ADD, fields).status_code == 200
    joins = design_of(club).relationship["joins"]
    assert (joins.many, joins.through, joins.averages) == (
        ("Member", "Team"),
        "Membership",
        (2, 11),
    )


def test_a_change_is_saved_without_script(club: Draft, as_alice: Client) -> None:
    answer = send(as_alice, MAKES, FORM, {"average": "3", "name": "comes"}, htmx=False)
    assert (answer.status_code, answer.url) == (302, MAKES)
    assert design_of(club).relationship["comes"].average == 3
    again = send(as_alice, "/d/club4alice/relationships/comes/", FORM, {"name": "visits"})
    assert (again.status_code, again.headers["HX-Push-Url"]) == (200, MAKES)


def test_what_does_not_fit_is_said_and_nothing_is_saved(club: Draft, as_alice: Client) -> None:
    for changes in (
        {"name": "not/a name"},
        {"average": "-1"},
        {"average": "9", "most": "3"},
        {"second": "Ghost"},
        {"second": ""},
        {"by": "ghost"},
    ):
        answer = send(as_alice, MAKES, FORM, changes)
        assert answer.status_code == 422, changes
        name, typed = next(iter(changes.items()))
        assert fields_of(answer, FORM)[name] == typed
    assert club.revisions.count() == 1


def test_identifying_parents_in_a_circle_are_refused(club: Draft, as_alice: Client) -> None:
    fields = {
        "name": "back",
        "first": "Visit",
        "second": "Member",
        "identifying": "on",
    }
    answer = send(as_alice, ADD, FORM, fields)
    assert answer.status_code == 422
    assert "circle" in answer.content.decode()


def test_a_relationship_is_removed_with_what_follows_it(club: Draft, as_alice: Client) -> None:
    assert send_fields(as_alice, f"{MAKES}remove/", {}).status_code == 422
    assert send_fields(as_alice, f"{MAKES}remove/", {"and_users": "1"}).status_code == 200
    assert design_of(club).relationships == ()
    assert as_alice.get(MAKES).status_code == 404


def test_what_was_typed_is_quoted_as_it_was_typed(club: Draft, as_alice: Client) -> None:
    typed = {"name": "bookings/stays of guest", "first": "Member", "second": "Visit"}
    page = send(as_alice, ADD, FORM, typed)
    assert page.status_code == 422
    assert "“bookings/stays of guest” does not fit; " in page.content.decode()


def test_a_relationship_without_a_name_is_called_by_its_entities(
    club: Draft, as_alice: Client
) -> None:
    send(as_alice, "/d/club4alice/entities/add/", "entity-form", {"name": "Locker"})
    fields = {"cardinality": "1:1", "first": "Member", "second": "Locker"}
    answer = send(as_alice, ADD, FORM, fields)
    assert "Saved: Add relationship “locker”." in answer.content.decode()
    assert design_of(club).relationship["locker"].cardinality == "1:1"


def test_too_many_attributes_to_join_by_are_refused_in_plain_words(
    club: Draft, as_alice: Client
) -> None:
    fields = {"first": "Member", "second": "Visit", "by": "a, b"}
    answer = send(as_alice, ADD, FORM, fields)
    assert answer.status_code == 422
    assert "Member is identified by memberId: name as many attributes" in answer.content.decode()
    assert club.revisions.count() == 1


def test_the_form_names_both_entities_in_what_it_asks(club: Draft, as_alice: Client) -> None:
    page = shown(as_alice.get(MAKES))
    assert "Relationship “makes”" in page
    assert "A Visit cannot exist without its Member" in page
    assert "Attributes of Visit that refer to Member;" in page
    page = shown(as_alice.get(ADD))
    assert "The second entity cannot exist without the first" in page
    assert "Attributes of the second entity that refer to the first entity;" in page
