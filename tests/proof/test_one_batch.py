"""What goes in one request is got from several tables by the proof, and alike by the other runner."""

from decimal import Decimal

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES
from designer.proof.engine import engine
from designer.proof.execute import execute
from designer.proof.prove import prove, prove_on
from designer.proof.tables import Tables
from designer.proof.values import item_to_wire
from tests.core.test_along import LOANS, OF_BRANCHES, TICKETS
from tests.core.test_one_batch import BOTH, OF_SOME, PARCELS
from tests.memory import Memory
from tests.planned import outlined
from tests.proof.test_runner import run_design
from tests.proven import in_memory
from tests.runner import Runner

DESIGNS = {
    "whole": BOTH,
    "in part": OF_SOME,
    "parents by a text": load(TICKETS.replace("ORDER", "limit: 9")),
    "parents of what is written": load(PARCELS),
    "parents": load(LOANS.replace("ASKED", "expects: 40")),
    "a parent that is given": load(
        OF_BRANCHES.replace(", ASKED", "").replace("{relationship: reads}", "{relationship: lends}")
    ),
}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize("chosen", [in_memory, engine])
def test_what_comes_in_one_request_is_proven(chosen, name, style):
    verdict = prove_on(chosen(), DESIGNS[name], outlined(DESIGNS[name], style))
    assert [(p.name, p.difference) for p in verdict.patterns if p.status != "passed"] == []


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", DESIGNS)
def test_the_other_runner_gets_the_same(name, style):
    run_design(engine(), DESIGNS[name], style)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("number", "many", "calls"), [(5, 8, 1), (5, 60, 2), (6, 8, 1)])
def test_so_many_requests_are_sent(style, number, many, calls):
    made, client = outlined(BOTH, style), Memory()
    runner = Runner(client, made.as_json())
    runner.create_tables()
    skus = [f"sku{at:07}" for at in range(many)]
    stored = {table.name: [] for table in made.tables}
    for sku in skus[1:]:
        row = {"sku": sku, "brand": "b", "price": Decimal(1), "text": "t"}
        for table, item in runner.items("Product", row, {}):
            stored[table].append(item_to_wire(item))
    for table, items in stored.items():
        client.fill(table, items)
    (operation,) = made.operations_for(number)
    outcome = execute(Tables(client, made, ""), operation, {"skus": skus})
    assert len(outcome.calls) == calls
    assert sum(call.returned for call in outcome.calls) == 2 * (many - 1)
    found = outcome.answered.parts["rows"]
    assert {row["sku"]: row["text"] for _, row in found} == dict.fromkeys(skus[1:], "t")


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("number", [5, 6])
def test_without_the_other_items_a_proof_fails(style, number):
    made = outlined(BOTH, style)
    spoilt = tuple(
        one.model_copy(update={"steps": one.steps[:1]}) if one.pattern == number else one
        for one in made.operations
    )
    verdict = prove_on(in_memory(), BOTH, made.model_copy(update={"operations": spoilt}))
    assert [one.pattern for one in verdict.patterns if one.status == "failed"] == [number]


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", DESIGNS)
def test_one_request_for_several_tables_is_right_on_dynamodb_local(name, style, dynamodb_local):
    design = DESIGNS[name]
    run_design(engine(dynamodb_local), design, style)
    assert prove(design, outlined(design, style), dynamodb_local).passed


@pytest.mark.parametrize("style", STYLES)
def test_an_item_that_two_steps_of_a_request_want_is_asked_for_once(style):
    """Who sends a parcel home is its sender and its receiver, and DynamoDB refuses a key that comes twice."""
    made, client = outlined(load(PARCELS), style), Memory()
    runner = Runner(client, made.as_json())
    runner.create_tables()
    person = {"personId": "p1", "street": "Hill Road", "about": "t"}
    for entity, row in (("Person", person), ("Depot", {"depotId": "d1", "town": "Aix"})):
        for table, item in runner.items(entity, row, {}):
            client.fill(table, [item_to_wire(item)])
    given = {"parcelId": "x1", "sender": "p1", "receiver": "p1", "depotId": "d1", "tour": "t1"}
    (send,) = made.operations_for(2)
    execute(Tables(client, made, ""), send, given)
    (asked,) = made.operations_for(1)
    outcome = execute(Tables(client, made, ""), asked, {"tour": "t1"})
    assert [row["parcelId"] for _, row in outcome.answered.parts["rows"]] == ["x1"]
