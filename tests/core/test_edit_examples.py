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
        ("Hotel-1", "stars", "many", "“many” is not a number."),
        ("Hotel-1", "stars", "1e99", "not a number"),
        ("Hotel-1", "stars", "", "Write a value."),
        ("Hotel-1", "isOpen", "perhaps", "Write true or false."),
        ("Hotel-1", "state", "AGED", "state is one of NEW, OLD."),
        ("Hotel-1", "city", "x" * 1001, "at most 1000 characters"),
        ("Hotel-1", "hotelId", "h9", "links the example rows"),
        ("Room-1", "hotelId", "h9", "links the example rows"),
        ("Hotel-1", "tags", "red", "cannot be changed here"),
        ("Hotel-1", "ghost", "x", "no longer here"),
        ("Hotel-99", "city", "x", "no longer here"),
        ("Ghost-1", "city", "x", "follows from another"),
        ("Hotel-0", "city", "x", "follows from another"),
        ("Hotel-²", "city", "x", "follows from another"),
        ("", "", "", "follows from another"),
    ],
)
def test_what_cannot_be_an_example_is_refused(row: str, name: str, text: str, why: str) -> None:
    with pytest.raises(DesignError) as refused:
        set_example(DESIGN, row, name, text)
    assert why in refused.value.message
