"""What is said of keys is so: of what they are made, how they are sorted, and beside what."""

import pytest

from designer.core.design import gallery
from designer.core.examples import examples
from designer.core.grid import grid
from designer.core.grid.shown import Grid
from designer.core.plan import Shape, Style, Table
from designer.core.planner import plan
from designer.core.sentences.keys import key_words, shown
from tests.planned import planned


def shape(name: str, **keys: str) -> Shape:
    return Shape.model_construct(
        shape=name, entity=name, role="entity", attributes={}, set=keys, holds={}
    )


def table(*items: Shape) -> Table:
    made = Table.model_validate(
        {
            "name": "app",
            "key": {
                "partition": {"name": "PK", "type": "S"},
                "sort": {"name": "SK", "type": "S"},
            },
        }
    )
    return made.model_copy(update={"items": items})


USER = shape("User", PK="USER#{userId}", SK="A")
ORDER = shape("Order", PK="USER#{userId}", SK="#ORDER#{placedAt}")
ADDRESS = shape("Address", PK="USER#{userId}", SK="ADDRESS#{addressId}")


def test_a_partition_key_says_what_lies_together() -> None:
    said = key_words(table(USER, ORDER))
    assert said["Order", "PK"] == (
        "`USER#<userId>`. Items with the same userId form one collection, which one Query reads."
    )
    assert said["User", "PK"] == (
        "`USER#<userId>`. Each User has a collection of its own, which one Query reads."
    )


def test_the_key_of_a_table_without_sort_key_is_shared_by_no_two_items() -> None:
    alone = Table.model_validate(
        {"name": "users", "key": {"partition": {"name": "userId", "type": "S"}}}
    )
    user = shape("User").model_copy(update={"attributes": {"userId": {}}})
    said = key_words(alone.model_copy(update={"items": (user,)}))
    assert said["User", "userId"] == "The value of userId, which no two User items share."


def test_a_sort_key_says_what_it_is_apart_from() -> None:
    said = key_words(table(USER, ORDER, ADDRESS))
    assert "Sorted by placedAt." in said["Order", "SK"]
    assert (
        "begins with `#ORDER#`, unlike the keys of User (`A`) and Address (`ADDRESS#`)"
        in said["Order", "SK"]
    )


def test_what_stands_before_its_parent_says_why() -> None:
    said = key_words(table(USER, ORDER))
    assert (
        "`#` sorts before every letter, so Order items come before the User (`A`)"
        in (said["Order", "SK"])
    )
    assert (
        "from the User returns it first, then Order items in reverse order" in said["Order", "SK"]
    )
    assert min("#ORDER#2026", "A") == "#ORDER#2026"
    assert "`#` sorts" not in key_words(table(ORDER, ADDRESS))["Order", "SK"]


def test_a_beginning_that_others_have_too_promises_nothing() -> None:
    late = shape("Late", PK="USER#{userId}", SK="#ORDER#LATE#{placedAt}")
    assert "and no others" not in key_words(table(ORDER, late))["Order", "SK"]
    assert "read Late items and no others" in key_words(table(ORDER, late))["Late", "SK"]


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("P#{pad(10, 2, price)}", "price is padded with zeros"),
        ("P#{inverse(day)}", "day is inverted"),
        ("P#{shard(8, orderId)}", "The shard, a number derived from orderId, has 8 values."),
        ('{when(status, "FREE")}P#{room}', "Present only while status is `FREE`"),
        ("{when(flaggedAt)}P#{room}", "Present only while the item has flaggedAt"),
        ("P#{month(readAt)}", "Only the month of readAt."),
    ],
)
def test_forms_are_told_in_words(template: str, words: str) -> None:
    said = key_words(table(shape("Item", PK=template, SK="A")))["Item", "PK"]
    assert words in said
    assert "{" not in said and "when(" not in shown(template)


@pytest.mark.parametrize("slug", ["starter", "order-lines", "user-preferences", "tenants"])
def test_every_key_of_the_gallery_is_told(slug: str) -> None:
    for plan_table in planned(gallery.load(slug), "single").tables:
        said = key_words(plan_table)
        for item in plan_table.items:
            for part in (plan_table.key.partition, plan_table.key.sort):
                if part is not None and item.inside is None:
                    words = said[item.shape, part.name]
                    assert words.endswith(".") and "{" not in words and "  " not in words


def grids(style: Style, index: str | None = None) -> Grid:
    design = gallery.load("shop")
    planned = plan(design, style)
    return grid(design, planned, examples(design), planned.tables[0].name, index)


def test_what_the_plan_made_for_indexes_folds_into_one_column() -> None:
    shown_grid = grids("single")
    assert [other.label for other in shown_grid.others] == ["GSI1", "GSI2"]
    assert {shown_grid.key_columns[at].name for at in shown_grid.folded} == {
        "GSI1PK",
        "GSI1SK",
        "GSI2PK",
        "GSI2SK",
    }


def test_in_an_index_the_key_of_the_table_folds() -> None:
    shown_grid = grids("single", "GSI1")
    assert [other.label for other in shown_grid.others] == ["table"]
    assert {shown_grid.key_columns[at].name for at in shown_grid.folded} == {"PK", "SK"}


def test_a_plain_attribute_that_is_a_key_stays_a_column() -> None:
    shown_grid = grids("multi")
    plain = {column.name for column in shown_grid.key_columns if not column.is_made}
    assert plain.isdisjoint(shown_grid.key_columns[at].name for at in shown_grid.folded)
