"""Operations over the example items: what they read, return, drop and write."""

from decimal import Decimal

import pytest

from designer.core.design import gallery
from designer.core.examples import examples
from designer.core.examples.ask import ask
from designer.core.examples.simulate import Trace, run
from designer.core.examples.stored_items import sort_value, stored_items
from designer.core.grid.answer import operation_for, request
from designer.core.plan import STYLES, Operation, Plan, Step
from tests.planned import planned

from .orders import ORDERS, PLAN

EXAMPLES = examples(ORDERS)
STORED = {"orders": stored_items(ORDERS, PLAN, EXAMPLES, PLAN.table("orders"))}


def operation(number: int) -> Operation:
    found = operation_for(PLAN, number)
    assert found is not None
    return found


def traced(number: int, **parameters: object) -> Trace:
    return run(ORDERS, PLAN, STORED, operation(number), parameters)


def changed(plan: Plan, number: int, **step: object) -> Operation:
    """An operation of one step with some of the step's fields changed."""
    found = operation_for(plan, number)
    assert found is not None
    changed_step: Step = found.steps[0].model_copy(update=step)
    return found.model_copy(update={"steps": (changed_step,)})


def test_a_query_reads_its_range_backwards_and_drops_what_the_filter_refuses() -> None:
    trace = traced(1, userId="u1", least=Decimal(40))
    assert trace.read == ("Order-3", "Order-2", "Order-1")
    assert trace.returned == ("Order-2", "Order-1")
    assert [touch.kept for touch in trace.touched] == [False, True, True]


def test_a_page_reads_as_many_items_as_its_limit() -> None:
    one_page = changed(PLAN, 1, limit=1, pages="one")
    trace = run(ORDERS, PLAN, STORED, one_page, {"userId": "u1", "least": Decimal(0)})
    assert trace.read == ("Order-3",)


def test_reading_until_enough_goes_on_past_what_is_dropped() -> None:
    until = changed(PLAN, 1, limit=1, pages="until", until={"rows": 1})
    trace = run(ORDERS, PLAN, STORED, until, {"userId": "u1", "least": Decimal(40)})
    assert trace.read == ("Order-3", "Order-2")
    assert trace.returned == ("Order-2",)


def test_an_index_holds_only_items_with_all_of_its_keys() -> None:
    assert traced(2, status="PAID").returned == ("Order-2",)
    assert traced(2, status="DONE").read == ()


def test_a_step_reads_by_what_an_earlier_step_found() -> None:
    trace = traced(3, email="ben@example.com")
    assert trace.read == ("UserEmail-2", "User-2")
    assert trace.returned == ("User-2",)
    assert trace.looked_up == {"guard"}


def test_an_operation_ends_where_a_step_finds_nothing() -> None:
    trace = traced(3, email="nobody@example.com")
    assert (trace.read, trace.returned) == ((), ())


def test_the_newest_children_come_behind_their_parent_and_are_cut_for_each() -> None:
    trace = traced(6, userId="u1")
    assert trace.returned == ("User-1", "Order-3", "Order-2")


def test_a_write_touches_the_item_whose_key_it_names() -> None:
    order = EXAMPLES["Order"][3]
    trace = traced(4, **order)
    assert trace.written == ("Order-4",)
    assert [touch.verb for touch in trace.touched] == ["put"]


def test_texts_sort_by_utf_8_and_numbers_as_numbers() -> None:
    assert sort_value("Z") < sort_value("a") < sort_value("é") < sort_value("\U0001f600")
    assert sort_value(Decimal(9)) < sort_value(Decimal(10))
    assert sort_value(Decimal(-10)) < sort_value(Decimal(-9))


def test_parameters_are_chosen_such_that_rows_are_returned_and_some_dropped() -> None:
    trace = ask(ORDERS, PLAN, EXAMPLES, operation(1))
    assert trace is not None
    assert len(trace.returned) >= 2
    assert set(trace.returned) < set(trace.read)


def test_an_example_that_does_not_fit_its_key_is_left_out_and_breaks_nothing() -> None:
    table = PLAN.table("orders")
    order = table.items[2]
    padded = order.model_copy(update={"set": {**order.set, "SK": "{pad(1, 0, total)}#"}})
    plan = PLAN.model_copy(
        update={"tables": (table.model_copy(update={"items": (*table.items[:2], padded)}),)}
    )
    found = stored_items(ORDERS, plan, EXAMPLES, plan.tables[0])
    assert {item.shape.shape for item in found} == {"User", "UserEmail"}


def test_what_is_answered_elsewhere_reads_nothing() -> None:
    assert ask(ORDERS, PLAN, EXAMPLES, operation(5)) is None


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_every_pattern_of_the_gallery_finds_something_in_its_examples(slug: str) -> None:
    design = gallery.load(slug)
    items = examples(design)
    for style in STYLES:
        plan = planned(design, style)
        for each in plan.operations:
            if each.steps:
                trace = ask(design, plan, items, each)
                assert trace is not None
                found = trace.returned + trace.written
                assert found, f"{style}: pattern {each.pattern} finds nothing"


def test_an_example_of_an_update_sets_another_value() -> None:
    design = gallery.load("accounts")
    made = planned(design, "single")
    items = examples(design)

    def asked(number: int, name: str) -> tuple[object, object]:
        """What an update sets, and what is there."""
        found = operation_for(made, number)
        assert found is not None
        trace = ask(design, made, items, found)
        assert trace is not None
        chosen = trace.parameters
        item = next(one for one in items["Account"] if one["accountId"] == chosen["accountId"])
        return chosen[name], item[name]

    new, old = asked(6, "email")
    assert new == f"new.{old}"
    new, old = asked(8, "name")
    assert new != old


def test_what_is_created_has_values_of_its_own_not_those_of_what_is_checked() -> None:
    design = gallery.load("organisation")
    made = planned(design, "single")
    items = examples(design)
    found = operation_for(made, 10)
    assert found is not None
    trace = ask(design, made, items, found)
    assert trace is not None
    assert trace.parameters["name"] in {one["name"] for one in items["Department"]}


def test_a_request_has_a_placeholder_for_each_value_of_a_fixed_list() -> None:
    made = planned(gallery.load("inbox"), "single")
    found = operation_for(made, 4)
    assert found is not None
    said = request(made, found.steps[0], found.constants)
    assert said["FilterExpression"] == "#topic IN (:topic, :topic2)"
    values = said["ExpressionAttributeValues"]
    assert (values[":topic"], values[":topic2"]) == ("ORDER", "PAYMENT")
