"""Parts of the identifier that keys spell are not held by an index again, where that saves enough."""

import pytest

from designer.core.design.document import Design
from designer.core.examples import examples
from designer.core.grid import grid
from designer.core.grid.answer import requests
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.core.planner.pipeline import outlined
from designer.core.sentences.steps import step_sentence
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests.memory import Memory
from tests.neighbours import cheaper, neighbours

LOAN = {
    "name": "Loan",
    "identifier": ["branchId", "memberId", "copyId"],
    "items": 200_000,
    "attributes": [
        {"name": "branchId", "bytes": 20, "distinct": 400},
        {"name": "memberId", "bytes": 20, "distinct": 50_000},
        {"name": "copyId", "bytes": 20, "distinct": 150_000},
        {"name": "dueOn", "format": "date", "distinct": 400, "mutable": True},
        {"name": "remarks", "bytes": 300},
    ],
}


def loans(rate: float) -> Design:
    """Loans of a member, and the names of those that are due on a day, asked so often a second."""
    of_member = [{"attribute": n, "is": {"param": n}} for n in ("branchId", "memberId")]
    due = [{"attribute": "dueOn", "is": {"param": "day"}}]
    asked = {"kind": "list", "returns": "Loan"}
    patterns = [
        {**asked, "number": 1, "name": "Loans of a member", "where": of_member},
        {**asked, "number": 2, "name": "Due", "where": due, "attributes": LOAN["identifier"]},
        {"kind": "create", "number": 3, "name": "Lend", "entity": "Loan"},
    ]
    rates = (1, rate, 1)
    patterns = [
        {**one, "rate": {"average": often}} for one, often in zip(patterns, rates, strict=True)
    ]
    return Design.model_validate({"name": "Loans", "entities": [LOAN], "patterns": patterns})


@pytest.mark.parametrize("style", STYLES)
def test_parts_of_a_composed_identifier_are_read_from_the_keys(style):
    made = plan(loans(10), style)
    ((index,),) = (table.indexes for table in made.tables)
    assert index.projection.type == "KEYS_ONLY"
    (step,) = made.operations_for(2)[0].steps
    base = made.tables[0].key
    assert set(step.from_keys.values()) <= {base.partition.name, base.sort.name}
    assert set(step.project) - set(LOAN["identifier"]) == set(step.from_keys.values())
    phrase = f"copyId and memberId read from the text of {base.sort.name}"
    (request,) = requests(made, made.operations_for(2)[0])
    assert phrase in step_sentence(made, step) and phrase in request.note
    decision = next(one for one in made.decisions if one.about.startswith("index"))
    (reason,) = (one for one in decision.reasons if one.id == "read-from-keys")
    assert set(reason.values["attributes"]) == set(step.from_keys)
    dearer = next(one for one in decision.instead_of if one.chosen.id == "parts-projected")
    assert dearer.per_month > 1.01 * decision.per_month
    shown = grid(loans(10), made, examples(loans(10)), made.tables[0].name, index.name)
    cells = {cell.name: cell for row in shown.rows for cell in row.cells}
    assert (
        cells["copyId"].where == f"in {base.sort.name}"
        and cells["remarks"].where == "not projected"
    )
    verdict = prove_on(Engine("memory", Memory()), loans(10), made)
    assert {one.status for one in verdict.patterns} == {"passed"}


@pytest.mark.parametrize("style", STYLES)
def test_an_index_holds_them_again_where_it_is_seldom_read(style):
    made = outlined(loans(0.1), style)
    ((index,),) = (table.indexes for table in made.tables)
    assert index.projection.type == "INCLUDE" and "copyId" in index.projection.attributes
    assert all(not step.from_keys for one in made.operations for step in one.steps)


def test_a_key_that_is_worse_than_its_neighbour_is_found():
    """Held against a plan whose index holds everything, an index of keys alone is a neighbour that saves."""
    design = loans(10)
    made = outlined(design, "single")
    wide = next(pin for pin in neighbours(design, made) if pin.projection == "all")
    planner = design.planner.model_copy(update={"pins": (wide,)})
    worse = outlined(design.model_copy(update={"planner": planner}), "single")
    assert cheaper(design, "single", worse)
    assert cheaper(design, "single") == []
