"""Many changes in one sentence."""

from designer.core.design.document import Design
from designer.core.difference import difference, in_short
from designer.core.difference.base import About, Change
from designer.core.edits import change_settings, identified, new_design, remove_entity
from designer.core.outline import add_asked, add_outline, read_outline, read_pattern

HOTEL = """
Hotel: hotelId uuid, name, city
Room: hotelId, roomNo
Guest: guestId uuid, name
Hotel 1-N Room
"""


def hotel(*asked: str) -> Design:
    design = identified(add_outline(new_design("Hotel"), read_outline(HOTEL)))
    for sentence in asked:
        design = identified(add_asked(design, read_pattern(sentence, design)))
    return design


def test_few_parts_are_named_and_many_are_counted() -> None:
    said = in_short(difference(new_design("Hotel"), hotel("Get a Hotel")))
    assert said.startswith("Add 3 entities, relationship `")
    assert "access pattern “1 Get a hotel”" in said


def test_of_more_than_two_what_came_went_and_changed_is_told_apart() -> None:
    after = change_settings(remove_entity(hotel(), "Guest"), region="eu-west-1", name="Inn")
    assert in_short(difference(hotel(), after)) == (
        "Remove entity `Guest`; rename the design; change the settings."
    )


def test_what_was_renamed_and_changed_is_named_once() -> None:
    about = [About("pattern", f"p-{number}", f"{number} X") for number in (2, 3)]
    changes = [Change(about[0], "renamed", ""), *(Change(each, "changed", "") for each in about)]
    assert in_short(changes) == (
        "Rename and change access pattern “2 X”; change access pattern “3 X”."
    )
    assert in_short([*changes, Change(about[1], "renamed", "")]) == (
        "Rename and change access patterns “2 X” and “3 X”."
    )


def test_one_change_or_two_are_told_as_they_are() -> None:
    after = change_settings(hotel(), region="eu-west-1")
    (change,) = difference(hotel(), after)
    assert in_short([change]) == change.sentence
    assert "eu-west-1" in change.sentence


def test_what_was_taken_back_is_no_change() -> None:
    assert (
        in_short(difference(hotel(), hotel())) == "In the end the design states the same as before."
    )
