"""Edits: references follow a renaming, what is in use is not removed, and nothing wrong gets in."""

from pathlib import Path

import pytest

from designer.core.design import gallery
from designer.core.design.attributes import Attribute
from designer.core.design.check import check
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.design.load import load, plain
from designer.core.design.settings import IgnoredFinding
from designer.core.edits import (
    add_attribute,
    add_entity,
    add_pattern,
    add_relationship,
    change_attribute,
    change_entity,
    change_pattern,
    change_relationship,
    change_settings,
    identified,
    ignore_finding,
    new_design,
    remove_attribute,
    remove_entity,
    remove_pattern,
    remove_relationship,
    replace_design,
)
from designer.core.edits.references import Renaming, renamed
from designer.core.edits.replacing import replaced
from designer.core.errors import DesignError
from designer.core.messages import say, text
from designer.core.patterns.base import Operand
from designer.core.patterns.get import Get

CLUB = Path(__file__).parents[1] / "designs" / "club.yaml"


@pytest.fixture
def club() -> Design:
    return identified(load(CLUB.read_text()))


def problems(design: Design) -> list[str]:
    return [str(problem) for problem in check(design)]


def refused(edit: object, *arguments: object, **named: object) -> DesignError:
    with pytest.raises(DesignError) as error:
        edit(*arguments, **named)  # type: ignore[operator]
    return error.value


def test_what_a_change_leaves_alone_stays_the_same_thing(club: Design) -> None:
    """So that an edit of one part of a large design makes none of the others anew."""
    after = renamed(Renaming(club, relationships={"makes": "comes"}))
    for parts in ("entities", "relationships", "patterns"):
        before, now = getattr(club, parts), getattr(after, parts)
        alone = ["makes" not in each.model_dump_json() for each in before]
        assert [new is old for old, new in zip(before, now, strict=True)] == alone
        assert parts == "relationships" or {True, False} == set(alone)


@pytest.mark.parametrize(("was", "now"), [(1, True), (True, 1), (1, 1.0), (False, 0)])
def test_a_value_is_replaced_by_another_one_that_equals_it(was: object, now: object) -> None:
    assert type(replaced(Operand(value=was), value=now).value) is type(now)


def test_a_new_name_of_an_entity_is_followed_everywhere(club: Design) -> None:
    visit = club.entity["Visit"]
    after = change_entity(club, "Visit", replaced(visit, name="Stay"))
    assert "Visit" not in after.entity
    assert after.relationship["makes"].many == "Stay"
    assert after.pattern(1).returns == "Stay"
    assert after.pattern(4).members[1].create == "Stay"
    assert after.pattern(5).entity == "Stay"
    assert after.planner.pins[0].entity == "Stay"
    assert problems(after) == []
    member = change_entity(after, "Member", replaced(after.entity["Member"], name="Guest"))
    assert member.entity["Stay"].by_name["memberId"].refers_to == "Guest.memberId"


def test_a_new_name_of_an_attribute_is_followed_everywhere(club: Design) -> None:
    at = club.entity["Visit"].by_name["at"]
    after = change_attribute(club, "Visit", "at", replaced(at, name="entered"))
    visit = after.entity["Visit"]
    assert visit.identifier == ("memberId", "entered")
    assert visit.by_name["day"].derived == "date(entered)"
    assert after.pattern(1).where[1].attribute == "entered"
    assert after.pattern(1).attributes == ("entered", "minutes")
    assert after.pattern(1).order == ("entered descending",)
    assert after.pattern(2).with_[0].order == ("entered ascending",)
    assert after.planner.pins[0].key.partition == "MEMBER#{memberId}"
    assert after.planner.pins[0].key.sort == "VISIT#{entered}"
    assert after.planner.pins[0].names.sort == "SK"
    assert problems(after) == []


def test_an_attribute_is_followed_through_paths_figures_and_writes(club: Design) -> None:
    minutes = club.entity["Visit"].by_name["minutes"]
    after = change_attribute(club, "Visit", "minutes", replaced(minutes, name="length"))
    assert after.entity["Member"].by_name["visits"].aggregate == "sum of makes.length"
    assert after.pattern(2).with_[0].keep[0].attribute == "length"
    assert after.pattern(3).result.sum == "length"
    assert after.pattern(5).given == ("length",)
    assert set(after.pattern(5).add) == {"length"}
    assert after.pattern(5).if_[0].attribute == "length"
    email = club.entity["Member"].by_name["email"]
    after = change_attribute(club, "Member", "email", replaced(email, name="mail"))
    assert after.pattern(1).keep[0].attribute == "makes.mail"


def test_a_new_name_of_a_relationship_is_followed_everywhere(club: Design) -> None:
    makes = club.relationship["makes"]
    after = change_relationship(club, "makes", replaced(makes, name="comes"))
    assert after.pattern(1).keep[0].attribute == "comes.email"
    assert after.pattern(2).with_[0].relationship == "comes"
    assert after.entity["Member"].by_name["visits"].aggregate == "sum of comes.minutes"
    assert problems(after) == []


def test_a_renaming_there_and_back_changes_nothing(club: Design) -> None:
    visit = club.entity["Visit"]
    there = change_entity(club, "Visit", replaced(visit, name="Stay"))
    back = change_entity(there, "Stay", replaced(there.entity["Stay"], name="Visit"))
    assert plain(back) == plain(club)


def test_a_name_that_is_taken_is_refused(club: Design) -> None:
    error = refused(add_entity, club, Entity(name="member", identifier=("id",)))
    assert error.code == "name-taken"
    assert error.reason == say("entity-called-so", name="Member")
    visit = replaced(club.entity["Visit"], name="Member")
    assert refused(change_entity, club, "Visit", visit).code == "name-taken"
    attribute = Attribute(name="email")
    assert refused(add_attribute, club, "Member", attribute).code == "name-taken"
    makes = Relationship(name="makes", one="Member", many="Visit")
    assert refused(add_relationship, club, makes).code == "name-taken"


def test_what_is_in_use_is_not_removed_and_its_users_are_named(club: Design) -> None:
    error = refused(remove_entity, club, "Visit")
    assert error.code == "in-use"
    assert say("pattern-called", number=1, name="A member's visits") in error.reason.parts()
    assert say("relationship-called", name="makes") in error.reason.parts()
    assert "relationship “makes”, Member.visits and pin 1. First" in text(error.reason)
    error = refused(remove_relationship, club, "makes")
    assert say("pattern-called", number=2, name="A member with visits") in error.reason.parts()
    assert say("attribute-of", entity="Member", name="visits") in error.reason.parts()
    error = refused(remove_attribute, club, "Visit", "minutes")
    assert say("pattern-called", number=5, name="Stay longer") in error.reason.parts()
    error = refused(remove_attribute, club, "Visit", "at", and_users=True)
    assert error.reason == say("in-identifier", entity="Visit")


def test_what_is_in_use_can_be_removed_with_its_users(club: Design) -> None:
    after = remove_entity(club, "Visit", and_users=True)
    assert after.patterns == ()
    assert after.relationships == after.planner.pins == ()
    assert list(after.entity) == ["Member"]
    visits = after.entity["Member"].by_name["visits"]
    assert (visits.aggregate, visits.kept) == (None, "at-once")
    assert problems(after) == []
    after = remove_attribute(club, "Visit", "minutes", and_users=True)
    assert "minutes" not in after.entity["Visit"].by_name
    assert [pattern.number for pattern in after.patterns] == [4]


def test_what_is_gone_is_said_so(club: Design) -> None:
    for edit, arguments, reason in (
        (remove_entity, ("Ghost",), say("part-gone", what="Ghost")),
        (
            remove_attribute,
            ("Member", "ghost"),
            say("attribute-gone", entity="Member", name="ghost"),
        ),
        (
            remove_relationship,
            ("ghost",),
            say("part-gone", what=say("the-relationship", name="ghost")),
        ),
        (remove_pattern, (99,), say("pattern-gone", number=99)),
    ):
        error = refused(edit, club, *arguments)
        assert error.code == "gone"
        assert error.reason == reason


def test_a_pattern_gets_the_next_number_and_takes_its_pins_along(club: Design) -> None:
    get = Get(number=1, name="A visit", returns="Visit", where=club.pattern(2).where)
    after = add_pattern(club, replaced(get, returns="Member"))
    assert after.patterns[-1].number == 6
    assert identified(after).patterns[-1].id == "p-6"
    after = remove_pattern(after, 1)
    assert [pin.pattern for pin in after.planner.pins] == [None]
    assert refused(change_pattern, club, 2, get).code == "number-fixed"


def test_a_pattern_that_asks_for_what_is_not_there_is_refused(club: Design) -> None:
    get = Get(number=9, name="Nothing", returns="Ghost")
    error = refused(add_pattern, club, get)
    assert error.code == "not-consistent"
    assert [problem.place.split(" ")[0] for problem in error.problems] == ["patterns[5].returns"]


def test_a_relationship_makes_the_reference_that_it_needs() -> None:
    design = new_design("Shop")
    for name in ("Customer", "Order"):
        identifier = f"{name.lower()}Id"
        attributes = (Attribute(name=identifier, format="ulid"),)
        entity = Entity(name=name, identifier=(identifier,), attributes=attributes)
        design = add_entity(design, entity)
    after = add_relationship(design, Relationship(name="places", one="Customer", many="Order"))
    reference = after.entity["Order"].by_name["customerId"]
    assert (reference.refers_to, reference.format) == ("Customer.customerId", "ulid")
    assert problems(after) == []


def test_what_was_wrong_before_does_not_stand_in_the_way() -> None:
    broken = Design(name="Old", entities=(Entity(name="A", identifier=("gone",)),))
    assert problems(broken)
    after = change_settings(broken, description="Still to be mended")
    assert after.description == "Still to be mended"
    assert refused(replace_design, broken, broken).code == "not-consistent"


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_every_name_of_the_gallery_can_be_changed_and_changed_back(slug: str) -> None:
    design = identified(gallery.load(slug))
    for entity in design.entities:
        there = change_entity(design, entity.name, replaced(entity, name="Zebra"))
        assert problems(there) == []
        back = change_entity(there, "Zebra", replaced(there.entity["Zebra"], name=entity.name))
        assert plain(back) == plain(design)
    for relationship in design.relationships:
        there = change_relationship(design, relationship.name, replaced(relationship, name="zz"))
        assert problems(there) == []


def aside(design: Design, *places: str | None) -> Design:
    """The design with a finding set aside at each of these places."""
    for place in places:
        ignored = IgnoredFinding(rule="P101", about=place, because="Measured")
        design = ignore_finding(design, ignored)
    return design


def places(design: Design) -> list[str | None]:
    return [each.about for each in design.ignored_findings]


def test_what_is_set_aside_about_a_part_goes_with_it(club: Design) -> None:
    attribute = "entities.Visit.attributes.minutes"
    stays = (None, "patterns.1", "entities.Member", "patterns.22", "planner.max_gsis")
    parts = ("patterns.2", "pattern 2", "entities.Visit", attribute, "relationships.makes")
    club = aside(club, *stays, *parts)
    without = ("patterns.2", "pattern 2")
    left = places(remove_pattern(club, 2))
    assert left == [each for each in (*stays, *parts) if each not in without]
    left = places(remove_attribute(club, "Visit", "minutes", and_users=True))
    assert attribute not in left
    assert "entities.Visit" in left
    left = places(remove_relationship(club, "makes", and_users=True))
    assert "relationships.makes" not in left
    left = places(remove_entity(club, "Visit", and_users=True))
    assert not {"entities.Visit", attribute, "relationships.makes"} & set(left)
    assert {None, "entities.Member", "patterns.22"} <= set(left)


def test_what_is_set_aside_about_a_part_goes_with_it_from_the_text_too(club: Design) -> None:
    club = aside(club, "patterns.2", "patterns.3")
    less = replaced(club, patterns=tuple(each for each in club.patterns if each.number != 2))
    assert places(replace_design(club, less)) == ["patterns.3"]


def test_what_is_set_aside_about_a_part_follows_its_name(club: Design) -> None:
    club = aside(club, "entities.Visit.attributes.minutes", "entities.Visit", "relationships.makes")
    minutes = club.entity["Visit"].by_name["minutes"]
    after = change_attribute(club, "Visit", "minutes", replaced(minutes, name="length"))
    after = change_entity(after, "Visit", replaced(after.entity["Visit"], name="Stay"))
    makes = replaced(after.relationship["makes"], name="pays")
    after = change_relationship(after, "makes", makes)
    assert places(after) == [
        "entities.Stay.attributes.length",
        "entities.Stay",
        "relationships.pays",
    ]
