"""An example value set in its row stays there, among the examples of its attribute."""

import pytest

from designer.core.design.document import Design
from designer.core.edits import identified, set_example
from designer.core.errors import DesignError
from designer.core.examples import examples
from designer.core.outline import add_outline, read_outline

DESIGN = identified(
    add_outline(
        Design(name="Hotel"),
        read_outline(
            "Hotel: hotelId, name, city, stars 1-5, isOpen, tags, state NEW|OLD, fax 30 %\n"
            "Room: hotelId, roomNo, view\nHotel 1-N Room"
        ),
    )
)


def value(design: Design, row: int, name: str) -> object:
    return examples(design)["Hotel"][row - 1].get(name)


@pytest.mark.parametrize(
    ("name", "text", "kept"),
    [("city", "Bergen", "Bergen"), ("stars", "4", 4), ("isOpen", "no", False), ("state", "OLD", "OLD")],
)  # fmt: skip
def test_a_value_is_shown_in_its_row_and_the_rows_before_stay(
    name: str, text: str, kept: object
) -> None:
    after = set_example(DESIGN, "Hotel-2", name, text)
    assert value(after, 2, name) == kept
    assert value(after, 1, name) == value(DESIGN, 1, name)
    assert after.entity["Hotel"].by_name[name].examples[1] == kept
    again = set_example(after, "Hotel-1", name, text)
    assert value(again, 1, name) == value(again, 2, name) == kept


def test_a_value_that_few_rows_have_can_be_given_to_one() -> None:
    assert value(set_example(DESIGN, "Hotel-3", "fax", "0351"), 3, "fax") == "0351"


@pytest.mark.parametrize(
    ("row", "name", "text", "why"),
    [
        ("Hotel-1", "stars", "many", "example-not-number"),
        ("Hotel-1", "stars", "1e99", "example-not-number"),
        ("Hotel-1", "stars", "", "example-empty"),
        ("Hotel-1", "isOpen", "perhaps", "example-true-or-false"),
        ("Hotel-1", "state", "AGED", "example-one-of"),
        ("Hotel-1", "city", "x" * 1001, "example-too-long"),
        ("Hotel-1", "hotelId", "h9", "example-links-rows"),
        ("Room-1", "hotelId", "h9", "example-links-rows"),
        ("Hotel-1", "tags", "red", "example-not-here"),
        ("Hotel-1", "ghost", "x", "example-gone"),
        ("Hotel-99", "city", "x", "example-gone"),
        ("Ghost-1", "city", "x", "row-follows"),
        ("Hotel-0", "city", "x", "row-follows"),
        ("Hotel-²", "city", "x", "row-follows"),
        ("", "", "", "row-follows"),
    ],
)
def test_what_cannot_be_an_example_is_refused(row: str, name: str, text: str, why: str) -> None:
    with pytest.raises(DesignError) as refused:
        set_example(DESIGN, row, name, text)
    assert refused.value.reason.id == why
