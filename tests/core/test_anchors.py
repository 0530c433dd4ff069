"""What comments hang on: found by its id, changed when it says something else, gone when it is removed."""

from pathlib import Path

import pytest

from designer.core.anchors import ANCHORS, LONGEST, Found, Scene, find, is_anchor
from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.edits import (
    add_attribute,
    change_settings,
    identified,
    remove_entity,
    remove_pattern,
)
from designer.core.edits.entities import change_entity
from designer.core.examples import examples
from designer.core.grid import grid
from designer.core.plan import Style
from designer.core.planner import plan

CLUB = identified(load((Path(__file__).parents[1] / "designs" / "club.yaml").read_text()))
ONE_OF_EACH = {
    "design": "design",
    "entity": "entity:e-member",
    "attribute": "attribute:e-member/a-member-email",
    "relationship": "relationship:r-makes",
    "pattern": "pattern:p-1",
    "table": "table:single/Club",
    "index": "index:single/Club/GSI1",
    "row": "row:single/Club/Member-1",
}


def scene(design: Design = CLUB) -> Scene:
    return Scene(design, lambda style: plan(design, style))


def found(on: str, design: Design = CLUB) -> Found:
    there = find(scene(design), on)
    assert there is not None
    return there


def test_there_is_a_case_of_every_kind() -> None:
    assert set(ONE_OF_EACH) == set(ANCHORS)


@pytest.mark.parametrize("on", ONE_OF_EACH.values())
def test_every_object_is_found_and_says_the_same_as_before(on: str) -> None:
    assert is_anchor(on)
    assert found(on).digest
    assert found(on) == found(on)


@pytest.mark.parametrize(
    "on",
    [
        *(f"{kind}:nothing/there/x" for kind in ANCHORS),
        *(f"{on}/x" for on in ONE_OF_EACH.values()),
        "planet:mars",
    ],
)
def test_what_is_not_there_is_not_found(on: str) -> None:
    assert find(scene(), on) is None


def test_an_anchor_has_an_end() -> None:
    row = "row:single/"
    assert is_anchor(row + "x" * (LONGEST - len(row)))
    assert not is_anchor(row + "x" * (LONGEST - len(row) + 1))


def test_objects_are_called_what_people_call_them() -> None:
    assert [found(on).label for on in ONE_OF_EACH.values()] == [
        "The design as a whole",
        "Entity Member",
        "Attribute Member.email",
        "Relationship “makes”",
        "Pattern 1, A member's visits",
        "Table Club (single table)",
        "Index GSI1 on Club (single table)",
        "Row MEMBER#01KJPY4…0001, A of Club (single table)",
    ]


def test_a_renamed_entity_is_still_the_same() -> None:
    member = CLUB.entity["Member"]
    renamed = change_entity(CLUB, "Member", member.model_copy(update={"name": "Person"}))
    assert found("entity:e-member", renamed).label == "Entity Person"
    assert found("entity:e-member", renamed).digest != found("entity:e-member").digest


def test_an_attribute_changes_its_entity_and_no_other_attribute() -> None:
    wider = add_attribute(CLUB, "Member", Attribute(name="city"))
    assert found("entity:e-member", wider).digest != found("entity:e-member").digest
    email = ONE_OF_EACH["attribute"]
    assert found(email, wider).digest == found(email).digest


def test_words_change_a_part_and_not_the_meaning_of_the_whole() -> None:
    worded = change_settings(CLUB, description="In other words")
    assert found("design", worded).digest == found("design").digest
    moved = change_settings(CLUB, region="eu-west-1")
    assert found("design", moved).digest != found("design").digest


def test_an_index_changes_with_what_fills_its_keys_and_is_gone_with_its_pattern() -> None:
    index = next(t for t in plan(CLUB, "single").tables).indexes[0]
    on = f"index:single/Club/{index.name}"
    without = CLUB
    for pattern in index.serves:
        without = remove_pattern(without, pattern)
    after = find(scene(without), on)
    assert after is None or after.digest != found(on).digest


def test_what_is_removed_is_gone() -> None:
    without = remove_entity(CLUB, "Visit", and_users=True)
    assert find(scene(without), "entity:e-visit") is None
    assert find(scene(without), "relationship:r-makes") is None
    assert find(scene(without), "row:single/Club/Visit-1") is None


def test_while_a_plan_is_not_known_nothing_is_said_of_what_stands_in_it() -> None:
    unplanned = Scene(CLUB, lambda style: None)
    there = find(unplanned, ONE_OF_EACH["index"])
    assert there is not None
    assert (there.label, there.digest) == ("Index GSI1 on Club (single table)", "")


@pytest.mark.parametrize("style", ["single", "multi"])
def test_the_elements_of_rows_and_indexes_are_those_of_the_grid(style: Style) -> None:
    chosen = plan(CLUB, style)
    for table in chosen.tables:
        shown = grid(CLUB, chosen, examples(CLUB), table.name)
        assert found(f"table:{style}/{table.name}").element == shown.id
        for row in shown.rows:
            assert found(f"row:{style}/{table.name}/{row.item}").element == row.id
        for index in table.indexes:
            shown = grid(CLUB, chosen, examples(CLUB), table.name, index.name)
            assert found(f"index:{style}/{table.name}/{index.name}").element == shown.id
