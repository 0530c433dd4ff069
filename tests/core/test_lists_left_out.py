"""An index of the items with any value of a fixed list, whose keys do not show it: one Query, in the order asked."""

import re

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.plan import STYLES, Index, Plan, Style
from designer.core.planner import plan
from designer.proof.engine import Engine, engine
from designer.proof.prove import prove_on
from tests.memory import Memory
from tests.proof.test_runner import run_design

pytestmark = pytest.mark.slow

DEFECTS = """
keywright: 1
name: Lifts that technicians mend
entities:
  - name: Defect
    identifier: [defectId]
    items: 800000
    attributes:
      - {name: defectId, format: uuid}
      - {name: region, bytes: 6, distinct: 80, mutable: true}
      - {name: reportedAt, format: datetime}
      - {name: phase, values: [REPORTED, IN_REPAIR, MENDED], shares: [0.01, 0.02, 0.97], mutable: true}
      - {name: report, bytes: 250}
patterns:
  - number: 1
    name: What is broken in a region, oldest first
    kind: list
    returns: Defect
    where: [{attribute: region, is: {param: region}}, {attribute: phase, any_of: {value: [REPORTED, IN_REPAIR]}}]
    order: [reportedAt ascending]
    limit: 25
    rate: {average: 10}
  - {number: 2, name: Report, kind: create, entity: Defect, set: {phase: {value: REPORTED}}, rate: {average: 3}}
  - number: 3
    name: Begin
    kind: update
    entity: Defect
    set: {phase: {value: IN_REPAIR}}
    if: [{attribute: phase, is: {value: REPORTED}}]
    rate: {average: 3}
  - number: 4
    name: Finish
    kind: update
    entity: Defect
    set: {phase: {value: MENDED}}
    if: [{attribute: phase, is: {value: IN_REPAIR}}]
    rate: {average: 3}
"""
REGION = "{attribute: region, is: {param: region}}, "
SAY = "  - {number: 5, name: Say, kind: update, entity: Defect, set: {phase: {param: to}}, rate: {average: 1}}\n"
MOVE = "  - {number: 5, name: Move, kind: update, entity: Defect, set: {region: {param: to}}, rate: {average: 1}}\n"
NOW = "  - {number: 5, name: Now, kind: update, entity: Defect, set: {reportedAt: {param: to}}, rate: {average: 1}}\n"
CHANGING = DEFECTS.replace("format: datetime}", "format: datetime, mutable: true}")
ONE = (
    "  - {number: 5, name: New ones, kind: list, returns: Defect, where: ["
    + REGION
    + "{attribute: phase, is: {value: REPORTED}}], order: [reportedAt ascending], rate: {average: 2}}\n"
)
BESIDE = "planner: {composite_index_keys: multi-attribute}\n"


def keys_of(made: Plan, index: Index) -> list[str]:
    """An index's keys as they are written."""
    written = {
        name: text for table in made.tables for one in table.items for name, text in one.set.items()
    }
    return [written.get(part.name, part.name) for part in (*index.partition, *index.sort)]


def the_index(made: Plan) -> Index:
    (index,) = (one for table in made.tables for one in table.indexes if 1 in one.serves)
    return index


def assert_proven(stated: Design, style: Style) -> None:
    verdict = prove_on(Engine("memory", Memory()), stated, plan(stated, style))
    assert [(one.name, one.difference) for one in verdict.patterns if one.status != "passed"] == []
    run_design(engine(), stated, style)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("more", ["", SAY, MOVE, ONE, BESIDE])
def test_one_query_finds_the_items_of_all_values_in_order(more: str, style: Style) -> None:
    stated = load(DEFECTS + more)
    made = plan(stated, style)
    (listing,) = made.operations_for(1)
    (step,) = listing.steps
    assert (step.call, step.for_each, step.filter) == ("Query", None, ())
    assert (step.expects.read, step.expects.returned, listing.requests) == (25, 25, 1)
    keys = " ".join(keys_of(made, the_index(made)))
    assert '{when(phase, "REPORTED", "IN_REPAIR")}' in keys
    assert "only(" not in keys
    assert the_index(made).sparse
    assert_proven(stated, style)


@pytest.mark.parametrize("style", STYLES)
def test_an_entry_stays_where_it_is_when_one_value_becomes_another(style: Style) -> None:
    """It is put once, written in its place, and deleted once."""
    made = plan(load(DEFECTS), style)
    assert [made.operations_for(number)[0].write_units for number in (2, 3, 4)] == [2, 2, 2]
    (begun,) = made.operations_for(3)
    (step,) = begun.steps
    assert (begun.requests, set(step.members[0].set), step.members[0].remove) == (1, {"phase"}, ())


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("was", ["", "    if: [{attribute: phase, is: {value: MENDED}}]\n"])
def test_a_write_that_may_find_another_value_writes_the_key(was: str, style: Style) -> None:
    """An item that was mended has no key, and comes back into the index."""
    text = DEFECTS.replace("    if: [{attribute: phase, is: {value: REPORTED}}]\n", was)
    (begun,) = plan(load(text), style).operations_for(3)
    assert len(begun.steps[-1].members[0].set) > 1
    assert_proven(load(text), style)


@pytest.mark.parametrize("style", STYLES)
def test_where_nothing_else_is_asked_for_they_lie_together(style: Style) -> None:
    text = DEFECTS.replace(REGION, "")
    made = plan(load(text), style)
    (listing,) = made.operations_for(1)
    assert listing.requests == 1
    assert not any("region" in key or "only(" in key for key in keys_of(made, the_index(made)))
    assert_proven(load(text), style)


GIVEN = "    name: Begin\n", "    name: Begin\n    given: [region, reportedAt]\n"


@pytest.mark.parametrize(
    ("text", "composed"),
    [(DEFECTS + MOVE, "reportedAt"), (CHANGING + NOW, "region"), (DEFECTS, "region")],
)
def test_the_key_that_waits_is_the_one_for_which_no_write_reads(text: str, composed: str) -> None:
    """Else the shorter one. The other one is the item's own attribute."""
    made = plan(load(text.replace(*GIVEN)), "multi")
    (waiting,) = (key for key in keys_of(made, the_index(made)) if "{" in key)
    assert re.sub(r"{when\([^}]*}", "", waiting) == f"{{text({composed})}}"
    assert all(one.requests == 1 for one in made.operations)
    assert_proven(load(text.replace(*GIVEN)), "multi")


@pytest.mark.parametrize("style", STYLES)
def test_where_nearly_all_have_such_values_the_index_has_all(style: Style) -> None:
    text = DEFECTS.replace("[0.01, 0.02, 0.97]", "[0.5, 0.45, 0.05]")
    made = plan(load(text), style)
    assert "when(" not in " ".join(keys_of(made, the_index(made)))
    assert_proven(load(text), style)


@pytest.mark.parametrize("style", STYLES)
def test_a_list_that_callers_give_limits_no_index(style: Style) -> None:
    text = DEFECTS.replace("{value: [REPORTED, IN_REPAIR]}", "{param: phases, count: 2}")
    made = plan(load(text), style)
    assert "when(" not in " ".join(keys_of(made, the_index(made)))
