"""The grid: item collections, cells and marks, in tables and in indexes."""

import json

import pytest

from designer.core.design import gallery
from designer.core.examples import examples
from designer.core.examples.stored_items import stored_items
from designer.core.grid import grid, sheet
from designer.core.grid.answer import operation_for, request, requests
from designer.core.grid.pieces import Piece, template_pieces
from designer.core.grid.shown import Cell, Grid, Row
from designer.core.plan import STYLES, Constant
from designer.core.sentences.steps import served_by
from tests.planned import planned

from .orders import ORDERS, PLAN

EXAMPLES = examples(ORDERS)


def text(pieces: tuple[Piece, ...]) -> str:
    return "".join(piece.text for piece in pieces)


def shown(index: str | None = None, pattern: int | None = None, form: str = "samples") -> Grid:
    operation = operation_for(PLAN, pattern) if pattern else None
    return grid(ORDERS, PLAN, EXAMPLES, "orders", index, operation, form)  # type: ignore[arg-type]


def row(of: Grid, item: str) -> Row:
    return next(row for row in of.rows if row.item == item)


def cell(of: Grid, item: str, name: str) -> Cell:
    found = row(of, item)
    return next(cell for cell in (*found.keys, *found.cells) if cell.name == name)


def test_items_of_one_partition_key_stand_together_sorted_by_sort_key() -> None:
    first = shown().collections[0]
    assert text(first.partition) == "USER#u1"
    sorts = [text(row.sort.pieces) for row in first.rows if row.sort]
    assert sorts == sorted(sorts)
    assert [row.label for row in first.rows] == ["Order", "Order", "Order", "User"]


def test_constant_parts_of_a_key_are_told_from_its_values() -> None:
    first = shown().collections[0]
    assert first.partition == (Piece("USER#", True), Piece("u1"))


def test_a_guard_says_what_it_is() -> None:
    assert row(shown(), "UserEmail-1").label == "UserEmail"


def test_absent_attributes_are_told_from_those_a_shape_never_has() -> None:
    assert cell(shown(), "User-1", "premiumSince").state == "present"
    assert cell(shown(), "User-2", "premiumSince").state == "absent"
    assert cell(shown(), "Order-1", "premiumSince").state == "none"


def test_an_index_holds_its_own_items_and_says_how_many_are_not_in_it() -> None:
    index = shown("GSI1")
    assert {row.item for row in index.rows} == {"Order-2", "Order-3"}
    assert (index.items, index.elsewhere) == (2, 8)
    assert (
        index.sentence == "2 items, 2 collections; 8 of the table's 10 items are not in this index."
    )


def test_what_an_index_does_not_project_is_marked() -> None:
    index = shown("GSI1")
    assert cell(index, "Order-2", "placedAt").state == "present"
    assert cell(index, "Order-2", "total").state == "unprojected"
    assert cell(index, "Order-2", "PK").state == "present", "every index holds the table's key"


def test_an_item_has_the_same_name_in_the_table_and_in_the_index() -> None:
    assert row(shown("GSI1"), "Order-2").label == row(shown(), "Order-2").label


def test_rows_are_numbered_as_they_are_returned_and_others_are_dropped_or_left_alone() -> None:
    lit = shown(pattern=1)
    marks = {row.item: (row.mark, row.number) for row in lit.rows if row.mark}
    assert marks == {
        "Order-2": ("returned", 1),
        "Order-1": ("returned", 2),
        "Order-3": ("dropped", None),
    }
    assert lit.is_lit
    assert lit.reading is not None
    assert lit.reading.sentence.endswith("the selected access pattern reads 3 items and returns 2.")
    assert [collection.is_lit for collection in lit.collections][:2] == [True, False]


def test_a_pattern_lights_nothing_in_an_index_that_it_does_not_read() -> None:
    assert not shown("GSI1", pattern=1).is_lit


def test_what_is_read_on_the_way_is_told_from_the_answer() -> None:
    lit = shown(pattern=3)
    email = row(lit, "UserEmail-1")
    assert (email.mark, email.note) == ("looked-up", "read on the way to the answer")
    assert row(lit, "User-1").number == 1


def test_templates_show_one_row_for_each_shape() -> None:
    templates = shown(form="templates")
    assert [text(collection.partition) for collection in templates.collections] == [
        "USER#<userId>",
        "EMAIL#<email>",
    ]
    assert templates.sentence == "3 item types."
    order = next(row for row in templates.rows if row.label == "Order")
    assert order.sort is not None
    assert text(order.sort.pieces) == "ORDER#<placedAt>#<orderId>"


@pytest.mark.parametrize(
    ("template", "shown_as"),
    [
        ("{userId}", "<userId>"),
        ("P#{pad(10, 2, price)}#", "P#<price>#"),
        ("DAY#{date(readAt)}", "DAY#<date of readAt>"),
        ("{{}}", "{}"),
        ('{when(kind, "ERROR")}EVENT#{at}', "EVENT#<at> (only if kind is ERROR)"),
        ('STATE#{only(state, "PAID")}', "STATE#<state> (only if state is PAID)"),
        ('{absent(paidAt, "OPEN")}', "OPEN (only if paidAt is missing)"),
    ],
)
def test_templates_are_written_for_people(template: str, shown_as: str) -> None:
    assert text(template_pieces(template)) == shown_as


def test_a_sheet_opens_what_the_pattern_reads() -> None:
    opened = sheet(ORDERS, PLAN, EXAMPLES, operation_for(PLAN, 2))
    assert [each.index for each in opened.grids] == ["GSI1"]
    assert [(tab.label, tab.is_current, tab.is_read) for tab in opened.tabs] == [
        ("orders", False, False),
        ("GSI1", True, True),
    ]


def test_a_sheet_opens_the_chosen_tab_and_every_table_when_nothing_is_chosen() -> None:
    chosen = sheet(ORDERS, PLAN, EXAMPLES, operation_for(PLAN, 2), "orders")
    assert [each.index for each in chosen.grids] == [None]
    assert [each.index for each in sheet(ORDERS, PLAN, EXAMPLES).grids] == [None]
    unknown = sheet(ORDERS, PLAN, EXAMPLES, None, "gone", "GSI9")
    assert [each.index for each in unknown.grids] == [None]


def test_asking_for_an_index_that_is_not_there_is_refused() -> None:
    with pytest.raises(KeyError):
        grid(ORDERS, PLAN, EXAMPLES, "orders", "GSI9")


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_every_example_item_of_the_gallery_is_in_its_table(slug: str) -> None:
    design = gallery.load(slug)
    items = examples(design)
    for style in STYLES:
        plan = planned(design, style)
        for entity in design.entities:
            placed = [
                row.item
                for table in plan.tables
                for row in grid(design, plan, items, table.name).rows
                for shape in table.items
                if shape.role in ("entity", "edge")
                and shape.entity == entity.name
                and row.item.rpartition("-")[0] == shape.shape
            ]
            placed += [
                inside.id
                for table in plan.tables
                for item in stored_items(design, plan, items, table)
                for inside in item.inside
                if inside.shape.entity == entity.name
            ]
            assert len(placed) >= len(items[entity.name]), f"{style}: {entity.name}"
        ids = [row.id for shown_grid in sheet(design, plan, items).grids for row in shown_grid.rows]
        assert len(set(ids)) == len(ids)


def test_where_each_row_shows_its_own_attributes_they_come_in_the_order_of_its_entity() -> None:
    """Not in that of whichever entity has one of them first: what identifies an item leads."""
    design = gallery.load("shop")
    plan = planned(design, "single")
    shown_all = grid(design, plan, examples(design), plan.tables[0].name, None, None, "samples")
    assert shown_all.layout == "positions"
    for each in shown_all.rows:
        entity = next(s.entity for s in plan.tables[0].items if s.shape == each.shape)
        stated = [a.name for a in design.entity[entity].attributes]
        names = [cell.name for cell in each.cells if cell.name in stated]
        if not each.shape.endswith("Guard"):
            assert names == [name for name in stated if name in names], each.item


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        (29, "with orderId = o-4801015 and 5 other parameters, the selected access pattern writes 6 items."),
        (
            31,
            "with orderId = o-4801015, changedAt = 2026-11-06T08:02:00Z and items (6 rows), the selected access pattern"
            " writes 8 items.",
        ),
    ],
)  # fmt: skip
def test_what_a_pattern_does_with_the_examples_is_said_without_long_lists(
    pattern: int, sentence: str
) -> None:
    design = gallery.load("shop")
    made = planned(design, "single")
    reading = sheet(design, made, examples(design), operation_for(made, pattern)).reading
    assert reading is not None and reading.sentence == sentence


def test_an_item_that_is_new_to_the_examples_is_counted_as_written() -> None:
    """The guard of the new address, beside the User that changes; the guard of the old one is deleted."""
    design = gallery.load("shop")
    made = planned(design, "single")
    reading = sheet(design, made, examples(design), operation_for(made, 21)).reading
    assert reading is not None
    assert reading.sentence.endswith("reads 1 item, writes 2 items and deletes 1 item.")


def test_a_request_shows_constants_as_they_are_and_conditions_of_values_in_its_note() -> None:
    made = planned(gallery.load("tenants"), "single")
    (put,) = requests(made, made.operations_for(11)[0])
    item = json.loads(put.text)["Item"]
    (index,) = [
        name for name, value in item.items() if "<issuedAt>" in value and name != "issuedAt"
    ]
    assert item[index] == "INVOICE#<issuedAt>#<invoiceId>"
    assert f"{index.replace('SK', 'PK')} and {index} only if state is OPEN" in put.note

    step = made.operations_for(12)[0].steps[0]
    typed = {"likes": Constant(value=1), "isShown": Constant(value=True), "name": "{name}"}
    member = step.members[0].model_copy(update={"set": typed, "add": {"seen": Constant(value=1)}})
    said = request(made, step.model_copy(update={"members": (member,)}))
    values = said["ExpressionAttributeValues"]
    assert (values[":likes"], values[":seen"], values[":name"]) == (1, 1, "<name>")
    assert values[":isShown"] is True


def test_values_of_several_words_stand_in_quotes() -> None:
    design = gallery.load("product-reviews")
    made = planned(design, "single")
    reading = sheet(design, made, examples(design), operation_for(made, 4)).reading
    assert reading is not None
    assert reading.sentence == (
        "with productId = p-1002, name = “Two-person tent” and description = “1.9 kg, stands in a gale.”, the selected "
        "access pattern writes 1 item."
    )


def test_items_that_are_deleted_are_not_said_to_be_written() -> None:
    design = gallery.load("sessions")
    made = planned(design, "single")
    reading = sheet(design, made, examples(design), operation_for(made, 12)).reading
    assert reading is not None
    assert reading.sentence.endswith("reads 2 items and deletes 2 items.")


def test_an_item_that_a_write_only_checks_is_not_counted_as_written() -> None:
    design = gallery.load("newest-orders")
    made = planned(design, "single")
    reading = sheet(design, made, examples(design), operation_for(made, 7)).reading
    assert reading is not None
    assert reading.sentence.endswith("the selected access pattern writes 1 item and checks 1.")


def test_what_a_write_reads_first_is_not_on_the_way_to_an_answer() -> None:
    design = gallery.load("merchant-orders")
    made = planned(design, "single")
    grids = sheet(design, made, examples(design), operation_for(made, 16)).grids
    notes = {row.mark: row.note for each in grids for row in each.rows if row.mark}
    assert notes == {"looked-up": "read before the write", "update": "changed"}


def test_a_request_of_an_update_shows_what_it_removes_where_a_condition_does_not_hold() -> None:
    design = gallery.load("order-states")
    said = {"set": {"status": {"param": "status"}}, "if": []}
    change = design.pattern(5)
    change = change.model_validate({**change.model_dump(by_alias=True, exclude_none=True), **said})
    patterns = tuple(change if p.number == 5 else p for p in design.patterns)
    made = planned(design.model_copy(update={"patterns": patterns}), "single")
    operation = made.operations_for(5)[0]
    one, other = requests(made, operation)
    assert one.note == "GSI1PK only if status is PAID, otherwise removed"
    assert json.loads(one.text)["UpdateExpression"] == "SET #status = :status, #GSI1PK = :GSI1PK"
    assert other.note == "the same with GSI1PK removed"
    said = json.loads(other.text)
    assert said["UpdateExpression"] == "SET #status = :status REMOVE #GSI1PK"
    assert said["ExpressionAttributeValues"] == {":status": "<status>"}
    assert (
        "setting GSI1PK = STATUS#<status> if status is PAID, otherwise removing GSI1PK"
        in served_by(made, operation)
    )


def test_a_request_shows_what_is_added_to_a_new_item_and_what_was_missing_when_read() -> None:
    made = planned(gallery.load("running-totals"), "multi")
    _, present, missing = requests(made, made.operations_for(5)[0])
    put, _, update = json.loads(present.text)["TransactItems"]
    assert put["Put"]["Item"]["itemCount"] == "<count of OrderLine>"
    assert "#lastOrderAt = :lastOrderAt2" in update["Update"]["ConditionExpression"]
    assert present.note == "if lastOrderAt was present when read"
    assert missing.note == "the same if lastOrderAt was missing when read"
    update = json.loads(missing.text)["TransactItems"][-1]["Update"]
    assert update["ConditionExpression"].endswith("AND attribute_not_exists(#lastOrderAt)")
    assert update["ExpressionAttributeValues"][":lastOrderAt"] == "<placedAt>"


def test_notes_say_what_is_left_out() -> None:
    made = planned(gallery.load("premium-and-sale"), "single")
    (put,) = requests(made, made.operations_for(5)[0])
    assert put.note == "premiumSince only if given; GSI1PK and GSI1SK only if premiumSince is given"
    (update,) = requests(made, made.operations_for(7)[0])
    assert update.note == ""  # who becomes a premium member always has a date
    made = planned(gallery.load("accounts"), "single")
    *_, write = requests(made, made.operations_for(6)[0])
    assert write.note == "delete and put AccountEmailGuard only if <old email> and <email> differ"


def test_the_items_of_a_batch_come_with_their_keys() -> None:
    made = planned(gallery.load("order-lines"), "multi")
    (batch,) = [
        one for one in requests(made, made.operations_for(5)[0]) if one.call == "BatchGetItem"
    ]
    (table,) = json.loads(batch.text)["RequestItems"].values()
    assert table["ProjectionExpression"] == "#name, #productId"
