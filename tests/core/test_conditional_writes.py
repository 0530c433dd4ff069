"""Conditions of which one way must hold, and upserts that replace what is there on a condition: each is one request."""

from decimal import Decimal

import pytest

from designer.core import answers
from designer.core.answers import Refused
from designer.core.design.load import dump, load
from designer.core.errors import DesignError
from designer.core.grid.answer import request
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.core.sentences.patterns import reads_as
from designer.proof.engine import Engine, engine
from designer.proof.prove import prove_on
from tests.memory import Memory
from tests.proof.test_runner import run_design

PRINTS = """
keywright: 1
name: Labels that a parcel shop prints once
entities:
  - name: Print
    identifier: [parcelId, labelId]
    items: 900000
    attributes:
      - {name: parcelId, bytes: 12}
      - {name: labelId, bytes: 6}
      - {name: state, values: [PRINTING, PRINTED, JAMMED], shares: [0.01, 0.98, 0.01], mutable: true}
      - {name: until, type: N, format: epoch, digits: 10, mutable: true}
      - {name: serial, bytes: 10, UNIQUE}
      - {name: drawer, type: N, minimum: 1, maximum: 40, present: 0.5, mutable: true}
patterns:
  - number: 1
    name: Claim a label to print it
    kind: upsert
    entity: Print
    set: {state: {value: PRINTING}, until: {param: newUntil}}
    if: [{attribute: until, below: {param: now}}]
    or:
      - [{attribute: state, is: {value: JAMMED}}, {attribute: drawer, any_of: {param: drawers}}]
    rate: {average: 100, peak: 300}
  - number: 2
    name: Done
    kind: update
    entity: Print
    set: {state: {value: PRINTED}}
    if: [{attribute: state, is: {value: PRINTING}}]
    or:
      - [{attribute: state, is: {value: JAMMED}}]
      - [{attribute: drawer, missing: true}, {attribute: until, after: {param: now}}]
    rate: {average: 100, peak: 300}
  - number: 3
    name: What is printing in a parcel shop's drawer
    kind: list
    returns: Print
    where: [{attribute: parcelId, is: {param: parcelId}}, {attribute: state, is: {value: PRINTING}}]
    rate: {average: 1}
  - number: 4
    name: Throw away
    kind: delete
    entity: Print
    if: [{attribute: drawer, missing: true}]
    or: [[{attribute: state, not: {value: PRINTING}}]]
    rate: {average: 1}
  - number: 5
    name: Hand over
    kind: transaction
    members:
      - check: Print
        if: [{attribute: state, is: {value: PRINTED}}]
        or: [[{attribute: until, below: {param: now}}], [{attribute: drawer, missing: true}]]
    rate: {average: 1}
"""


def prints(unique: str = "present: 0.9") -> str:
    return PRINTS.replace("UNIQUE", unique)


DESIGN = load(prints())
CLAIM, DONE = DESIGN.pattern(1), DESIGN.pattern(2)
JAM = {
    "parcelId": "p",
    "labelId": "a",
    "state": "JAMMED",
    "until": Decimal(50),
    "drawer": Decimal(3),
}


def claimed(item, now=10, drawers=()):
    given = {"parcelId": "p", "labelId": "a", "now": Decimal(now), "newUntil": Decimal(99)}
    given["drawers"] = list(map(Decimal, drawers))
    return answers.apply(DESIGN, {"Print": [item] if item else []}, CLAIM, given)


def test_an_upsert_makes_what_is_not_there_and_replaces_what_may_be_replaced():
    new = {"parcelId": "p", "labelId": "a", "state": "PRINTING", "until": 99}
    assert claimed(None)["Print"] == (new,)
    assert claimed(JAM, now=60)["Print"] == (new,)
    assert claimed(JAM, drawers=(3, 4))["Print"] == (new,)
    refused = Refused("Print: the condition on until or state or drawer does not hold")
    assert claimed(JAM) == claimed(JAM, drawers=(5,)) == refused


@pytest.mark.parametrize("style", STYLES)
def test_a_conditional_upsert_is_one_conditional_put(style):
    operation = plan(DESIGN, style).operations_for(1)[0]
    (step,) = operation.steps
    assert (step.call, operation.requests, operation.write_units) == ("PutItem", 1, 1)
    (absent, *others) = step.members[0].any_
    assert [one.exists for one in absent] == [False]
    assert [[test.attribute for test in way] for way in others] == [["until"], ["state", "drawer"]]


def test_the_request_says_all_ways():
    made = plan(DESIGN, "multi")
    said = request(made, made.operations_for(1)[0].steps[0])["ConditionExpression"]
    assert said == (
        "(attribute_not_exists(#parcelId) OR #until < :until OR #state = :state AND #drawer IN (:drawer, …))"
    )


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("unique", ["present: 0.9", "unique: true"])
def test_it_is_proven(style, unique):
    design = load(prints(unique))
    made = plan(design, style)
    verdict = prove_on(engine(), design, made)
    assert [(p.name, p.difference) for p in verdict.patterns if p.status != "passed"] == []
    assert prove_on(Engine("memory", Memory()), design, made).passed


def test_another_runner_does_the_same():
    run_design(engine(), DESIGN, "single")


@pytest.mark.parametrize("number", [1, 2, 4, 5])
def test_a_plan_that_forgets_a_way_fails_its_proof(number):
    made = plan(DESIGN, "single")
    operations = []
    for operation in made.operations:
        if operation.pattern == number:
            (step,) = operation.steps
            (member,) = step.members
            fewer = member.model_copy(update={"any_": member.any_[:-1]})
            step = step.model_copy(update={"members": (fewer,)})
            operation = operation.model_copy(update={"steps": (step,)})
        operations.append(operation)
    verdict = prove_on(engine(), DESIGN, made.model_copy(update={"operations": tuple(operations)}))
    failed = {pattern.pattern for pattern in verdict.patterns if pattern.status == "failed"}
    assert failed == {number}


def test_sentences_say_the_ways():
    said = reads_as(DESIGN, CLAIM)
    assert "or replaces it if “until” is before a given time (now), or if state is JAMMED" in said
    assert ", or if state is JAMMED" in reads_as(DESIGN, DONE)
    assert load(dump(DESIGN)) == DESIGN


def test_conditions_of_which_others_may_hold_are_not_taken_to_hold():
    (change,) = DONE.changes
    assert change.required == () and len(change.ways) == 3
    assert CLAIM.changes[0].required == ()


@pytest.mark.parametrize(
    ("was", "now", "why"),
    [
        (
            "if: [{attribute: until, below: {param: now}}]\n    or",
            "or",
            "write the first one as `if`",
        ),
        ("{attribute: drawer, any_of", "{attribute: drawr, any_of", "did you mean `drawer`"),
        ("or: [[{attribute: state, not: {value: PRINTING}}]]", "or: [[]]", "too short"),
        ("kind: upsert", "kind: create", "`if` has no place in a create"),
        (
            "{attribute: state, not: {value: PRINTING}}",
            "{attribute: state, not: {value: LOST}}",
            "is not one of the values of `state`",
        ),
    ],
)
def test_ways_are_checked_as_conditions_are(was, now, why):
    with pytest.raises(DesignError) as refused:
        load(prints().replace(was, now, 1))
    assert why in str(refused.value)


WITNESSED = """
keywright: 1
name: Doses that a nurse witnesses
entities:
  - name: Nurse
    identifier: [nurseId]
    attributes: [{name: nurseId, format: uuid}, {name: badge, bytes: 10, unique: true, mutable: true}]
  - name: Dose
    identifier: [doseId]
    attributes: [{name: doseId, format: ulid}]
patterns:
  - number: 1
    name: Give
    kind: transaction
    members: [{check: Nurse, by: [badge], exists: true}, {create: Dose}]
    rate: {average: 1}
  - {number: 2, name: New badge, kind: update, entity: Nurse, set: {badge: {param: newBadge}}, rate: {average: 1}}
"""


@pytest.mark.parametrize("style", STYLES)
def test_a_check_by_a_unique_value_wants_the_item_to_have_it_still(style):
    """Between finding the item and checking it, its value may have gone to another one."""
    design = load(WITNESSED)
    made = plan(design, style)
    (operation,) = made.operations_for(1)
    (check,) = (m for step in operation.steps for m in step.members or () if m.check == "Nurse")
    assert [test.is_ for test in check.if_ if test.attribute == "badge"] == ["{badge}"]
    assert prove_on(Engine("memory", Memory()), design, made).passed
