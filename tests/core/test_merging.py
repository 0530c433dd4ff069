"""Two changes of one design: what both did is kept, and what only one can have is asked about."""

from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import pytest

from designer.core.design import gallery
from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.load import load
from designer.core.design.settings import IgnoredFinding, Pin
from designer.core.edits import (
    Choice,
    Clash,
    ClashError,
    add_attribute,
    add_entity,
    add_pattern,
    add_pin,
    change_attribute,
    change_entity,
    change_pattern,
    change_settings,
    identified,
    ignore_finding,
    merged,
    remove_attribute,
    remove_entity,
    remove_pattern,
    remove_pin,
)
from designer.core.edits.replacing import replaced
from designer.core.errors import DesignError
from designer.core.patterns import AnyPattern

CLUB = identified(load((Path(__file__).parents[1] / "designs" / "club.yaml").read_text()))


def pattern(design: Design, number: int, **fields: object) -> Design:
    return change_pattern(design, number, replaced(design.pattern(number), **fields))


def entity(design: Design, which: str, **fields: object) -> Design:
    return change_entity(design, which, replaced(design.entity[which], **fields))


def attribute(design: Design, which: str, **fields: object) -> Design:
    old = design.entity["Visit"].by_name[which]
    return change_attribute(design, "Visit", which, replaced(old, **fields))


def again(design: Design, **fields: object) -> Design:
    return identified(add_pattern(design, replaced(design.pattern(2), **fields)))


def clashes(mine: Design, theirs: Design, base: Design = CLUB) -> tuple[Clash, ...]:
    with pytest.raises(ClashError) as error:
        merged(base, mine, theirs)
    return error.value.clashes


MEASURED = IgnoredFinding(rule="P101", about="patterns.5", because="Measured")


def test_what_is_set_aside_about_a_pattern_comes_back_with_it() -> None:
    before = ignore_finding(CLUB, MEASURED)
    after = remove_pattern(before, 5)
    assert after.ignored_findings == ()
    elsewhere = entity(after, "Visit", items=7)
    assert merged(after, before, elsewhere).ignored_findings == (MEASURED,)
    # Where its number is another pattern's by now, it gets another one.
    newest = identified(add_pattern(after, CLUB.pattern(2)), ["p-5"])
    assert newest.pattern(5).name == CLUB.pattern(2).name
    both = merged(after, before, newest)
    assert both.pattern(6).id == "p-5"
    assert both.ignored_findings == (replaced(MEASURED, about="patterns.6"),)


def test_what_others_set_aside_about_a_pattern_goes_with_it() -> None:
    others = ignore_finding(CLUB, MEASURED)
    assert merged(CLUB, remove_pattern(CLUB, 5), others).ignored_findings == ()


def test_different_fields_of_one_part_are_both_kept() -> None:
    both = merged(CLUB, pattern(CLUB, 1, limit=5), pattern(CLUB, 1, why="The door"))
    assert (both.pattern(1).limit, both.pattern(1).why) == (5, "The door")


def test_one_field_changed_to_different_values_is_asked_about() -> None:
    mine, theirs = pattern(CLUB, 1, limit=5), pattern(CLUB, 1, limit=9)
    assert clashes(mine, theirs) == (Clash("patterns.p-1.limit", "pattern 1, limit", "5", "9"),)
    for takes, limit in (("mine", 5), ("theirs", 9)):
        choice = {"patterns.p-1.limit": Choice(takes, "9")}  # type: ignore[arg-type]
        assert merged(CLUB, mine, theirs, choice).pattern(1).limit == limit


def test_what_was_decided_about_another_value_is_asked_again() -> None:
    mine, theirs = pattern(CLUB, 1, limit=5), pattern(CLUB, 1, limit=9)
    with pytest.raises(ClashError):
        merged(CLUB, mine, theirs, {"patterns.p-1.limit": Choice("mine", "7")})


def test_the_same_change_twice_is_no_clash() -> None:
    mine = pattern(CLUB, 1, limit=5)
    assert merged(CLUB, mine, mine) == mine


def test_a_rate_is_merged_number_by_number() -> None:
    base = entity(CLUB, "Visit", needs=replaced(CLUB.entity["Visit"].needs, team="door"))
    needs = base.entity["Visit"].needs
    mine = entity(base, "Visit", needs=replaced(needs, recovery_days=7))
    theirs = entity(base, "Visit", needs=replaced(needs, team="desk"))
    both = merged(base, mine, theirs).entity["Visit"].needs
    assert (both.team, both.recovery_days, both.tenant) == ("desk", 7, "memberId")


def test_a_new_name_is_followed_in_what_came_meanwhile() -> None:
    theirs = again(CLUB, name="A member once more")
    both = merged(CLUB, entity(CLUB, "Member", name="Person"), theirs)
    assert both.pattern(6).entities == ("Person",)  # type: ignore[attr-defined]


def test_new_names_on_both_sides_meet_in_one_mention() -> None:
    mine = attribute(CLUB, "minutes", name="length")
    theirs = entity(CLUB, "Visit", name="Stay")
    both = merged(CLUB, mine, theirs)
    assert both.pattern(5).entity == "Stay"  # type: ignore[attr-defined]
    assert both.pattern(5).given == ("length",)  # type: ignore[attr-defined]
    assert both.entity["Member"].by_name["visits"].aggregate == "sum of makes.length"


def test_two_new_names_for_one_thing_are_asked_about() -> None:
    mine, theirs = entity(CLUB, "Visit", name="Stay"), entity(CLUB, "Visit", name="Call")
    assert clashes(mine, theirs) == (Clash("entities.e-visit.name", "Call, name", "Stay", "Call"),)
    choice = {"entities.e-visit.name": Choice("mine", "Call")}
    assert merged(CLUB, mine, theirs, choice) == mine


def test_what_one_removed_and_the_other_changed_is_asked_about() -> None:
    changed, removed = pattern(CLUB, 3, why="The desk"), remove_pattern(CLUB, 3)
    (clash,) = clashes(removed, changed)
    assert (clash.key, clash.label, clash.mine) == ("patterns.p-3", "pattern 3", "")
    assert "The desk" in clash.theirs
    (clash,) = clashes(changed, removed)
    assert clash.theirs == ""
    took = merged(CLUB, changed, removed, {"patterns.p-3": Choice("mine", "")})
    assert took.pattern(3) == changed.pattern(3)


def test_what_one_removed_and_the_other_renamed_is_asked_about() -> None:
    base = identified(add_entity(CLUB, _room()))
    (clash,) = clashes(remove_entity(base, "Room"), entity(base, "Room", name="Hall"), base)
    assert clash.label == "Hall"


def test_what_comes_on_both_sides_is_all_there_in_its_order() -> None:
    mine = add_attribute(CLUB, "Visit", Attribute(name="gate"))
    theirs = remove_attribute(
        add_attribute(CLUB, "Visit", Attribute(name="guest")), "Visit", "day", and_users=True
    )
    names = [each.name for each in merged(CLUB, mine, theirs).entity["Visit"].attributes]
    assert names == ["memberId", "at", "minutes", "gate", "guest"]


def test_what_was_removed_comes_back_to_its_place() -> None:
    removed = remove_attribute(CLUB, "Visit", "day", and_users=True)
    back = merged(removed, CLUB, pattern(removed, 1, limit=5))
    assert back.entity == CLUB.entity
    assert back.pattern(1).limit == 5
    assert back.pattern(3) == CLUB.pattern(3)


def test_a_pattern_that_comes_back_takes_no_number_from_another() -> None:
    base = add_pin(again(CLUB, name="A member again"), Pin(pattern=6, style="single", name="Six"))
    removed = remove_pattern(base, 6)
    theirs = again(removed, name="Another")
    back = identified(merged(removed, base, theirs))
    assert [(each.number, each.name) for each in back.patterns[5:]] == [
        (6, "Another"),
        (7, "A member again"),
    ]
    assert len({each.id for each in back.patterns}) == 7
    assert [pin.pattern for pin in back.planner.pins] == [None, 1, 7]


def test_a_pattern_that_comes_back_beside_a_new_one_is_known_as_before() -> None:
    removed = remove_pattern(CLUB, 5)
    theirs = _instead(removed)
    back = merged(removed, CLUB, theirs)
    assert [(each.number, each.id) for each in back.patterns[4:]] == [(5, "p-5-2"), (6, "p-5")]


def test_a_pattern_that_was_removed_is_not_the_one_that_took_its_number() -> None:
    theirs = _instead(remove_pattern(CLUB, 5))
    changed = pattern(CLUB, 5, why="The desk")
    (clash,) = clashes(changed, theirs)
    assert (clash.key, clash.theirs) == ("patterns.p-5", "")
    for takes, ends in (("theirs", ["p-5-2"]), ("mine", ["p-5-2", "p-5"])):
        choice = {"patterns.p-5": Choice(takes, "")}  # type: ignore[arg-type]
        both = merged(CLUB, changed, theirs, choice)
        assert [each.id for each in both.patterns[4:]] == ends
        assert both.pattern(5) == theirs.pattern(5)
    assert merged(CLUB, remove_pattern(CLUB, 5), theirs) == theirs
    assert merged(CLUB, pattern(CLUB, 1, limit=5), theirs).pattern(5) == theirs.pattern(5)


def _instead(design: Design) -> Design:
    """With another pattern than the one of number 5 that it had once."""
    added = add_pattern(design, replaced(design.pattern(2), name="Another"))
    return identified(added, former=("p-5",))


def test_pins_and_findings_set_aside_are_merged_one_by_one() -> None:
    first, second = CLUB.planner.pins
    new = Pin(style="single", entity="Member", name="Members")
    both = merged(CLUB, add_pin(CLUB, new), remove_pin(CLUB, first))
    assert both.planner.pins == (second, new)
    aside = [IgnoredFinding(rule=rule, because="Known") for rule in ("K101", "K102")]
    both = merged(CLUB, ignore_finding(CLUB, aside[0]), ignore_finding(CLUB, aside[1]))
    assert set(both.ignored_findings) == set(aside)


def test_reasons_given_twice_for_one_finding_are_asked_about() -> None:
    mine, theirs = (
        ignore_finding(CLUB, IgnoredFinding(rule="K101", because=why)) for why in ("Old", "New")
    )
    (clash,) = clashes(mine, theirs)
    assert (clash.label, clash.mine, clash.theirs) == ("finding K101, because", "Old", "New")


def test_settings_are_merged_field_by_field() -> None:
    mine = change_settings(CLUB, planner=replaced(CLUB.planner, objective="indexes"))
    theirs = change_settings(
        CLUB, region="eu-west-1", planner=replaced(CLUB.planner, tolerance=0.1)
    )
    both = merged(CLUB, mine, theirs)
    assert (both.planner.objective, both.planner.tolerance) == ("indexes", 0.1)
    assert both.region == "eu-west-1"


def test_what_does_not_hang_together_is_refused() -> None:
    base = identified(add_entity(CLUB, _room()))
    theirs = again(base, name="A room", returns="Room", with_=(), where=_by("roomId"))
    with pytest.raises(DesignError) as error:
        merged(base, remove_entity(base, "Room"), theirs)
    assert "Room" in error.value.message
    assert not isinstance(error.value, ClashError)


def test_a_text_without_ids_is_known_by_its_names() -> None:
    text = load((Path(__file__).parents[1] / "designs" / "club.yaml").read_text())
    mine = replaced(text, description="Written anew")
    both = merged(CLUB, mine, pattern(CLUB, 1, limit=5))
    assert (both.description, both.pattern(1).limit) == ("Written anew", 5)
    assert {each.id for each in both.patterns} == {each.id for each in CLUB.patterns}


EDITS: tuple[Callable[[Design], Design], ...] = (
    lambda d: pattern(d, 2, why="Asked daily"),
    lambda d: pattern(d, 1, limit=3),
    lambda d: entity(d, "Member", name="Person"),
    lambda d: entity(d, "Visit", items=7),
    lambda d: attribute(d, "at", name="cameAt"),
    lambda d: add_attribute(d, "Visit", Attribute(name="gate")),
    lambda d: remove_attribute(d, "Visit", "day", and_users=True),
    lambda d: change_settings(d, description="Changed"),
    lambda d: add_entity(d, _room()),
    lambda d: again(d, name="One more"),
)


@pytest.mark.parametrize(("one", "other"), list(combinations(range(len(EDITS)), 2)))
def test_edits_of_different_things_come_to_the_same_in_either_order(one: int, other: int) -> None:
    mine, theirs = identified(EDITS[one](CLUB)), identified(EDITS[other](CLUB))
    both = merged(CLUB, mine, theirs)
    assert both == merged(CLUB, theirs, mine)
    assert merged(theirs, CLUB, both) == mine
    assert merged(mine, CLUB, both) == theirs


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_taking_everything_back_leaves_what_the_other_did(slug: str) -> None:
    design = identified(gallery.load(slug))
    mine = change_settings(design, name="Other")
    for number in [each.number for each in design.patterns]:
        mine = pattern(mine, number, why=f"Because of {number}")
    theirs = change_settings(design, description="Kept")
    assert merged(mine, design, merged(design, mine, theirs)) == theirs


def test_patterns_without_ids_are_known_in_one_look_at_those_of_before() -> None:
    looked = 0

    class Patterns(tuple[AnyPattern, ...]):
        def __iter__(self) -> Iterator[AnyPattern]:
            nonlocal looked
            looked += 1
            return super().__iter__()

    base = CLUB.model_copy(update={"patterns": Patterns(CLUB.patterns)})
    written = tuple(each.model_copy(update={"id": None}) for each in CLUB.patterns)
    mine = CLUB.model_copy(update={"patterns": written})
    assert merged(base, mine, base) == CLUB
    assert 0 < looked < 3 < len(written)


def _room() -> Entity:
    return Entity(name="Room", identifier=("roomId",), attributes=(Attribute(name="roomId"),))


def _by(name: str) -> object:
    return (
        load(
            f"{{keywright: 1, name: x, patterns: [{{number: 1, name: x, kind: get, returns: Room,"
            f" where: [{{attribute: {name}, is: {{param: {name}}}}}]}}],"
            f" entities: [{{name: Room, identifier: [{name}], attributes: [{{name: {name}}}]}}]}}"
        )
        .pattern(1)
        .where
    )  # type: ignore[attr-defined]
