"""What a range, or a part of a text, is looked for in: only in items that have the attribute."""

import pytest

from designer.core.design.load import load
from designer.core.planner import plan
from designer.core.planner.workload.requirements import requirements
from designer.core.sentences.assumptions import assumption

pytestmark = pytest.mark.slow

JOBS = """
keywright: 1
name: Jobs
entities:
  - name: Job
    identifier: [tenantId, jobId]
    items: 60000
    attributes:
      - {name: tenantId, format: uuid, distinct: 60}
      - {name: jobId, format: ulid}
      - {name: until, format: datetime, present: 0.01, mutable: true}
      - {name: note, bytes: 30, distinct: 5, present: 0.01, mutable: true}
      - {name: payload, type: M, bytes: 900}
patterns:
  - {number: 1, name: Enqueue, kind: create, entity: Job, rate: {average: 1}}
  - number: 2
    name: Some
    kind: list
    returns: Job
    where: [{attribute: tenantId, is: {param: t}}]
    keep: [KEEP]
    order: [jobId descending]
    limit: 5
    rate: {average: 0.02}
"""
BELOW = "{attribute: until, below: {param: now}}"
BEGINS = "{attribute: note, begins_with: {param: text}}"
CONTAINS = "{attribute: note, contains: {param: text}}"
THERE = "{attribute: until, exists: true}"

REMINDERS = """
keywright: 1
name: Reminders
entities:
  - name: Invite
    identifier: [userId, eventId]
    items: 60000
    attributes:
      - {name: userId, format: uuid, distinct: 1500}
      - {name: eventId, format: ulid}
      - {name: remindAt, format: datetime, present: 0.02, mutable: true}
patterns:
  - number: 1
    name: Due
    kind: list
    returns: Invite
    where: [{attribute: remindAt, from: {param: low}, below: {param: high}}]
    rate: {average: 0.0167}
  - {number: 2, name: Create, kind: create, entity: Invite, rate: {average: 2}}
"""


def read_of(text, number):
    found = requirements(load(text, name="jobs")).pattern_reads
    (one,) = (one for one in found if one.stated_number == number)
    return one.entity_reads[0]


@pytest.mark.parametrize("test", [BELOW, BEGINS, CONTAINS, f"{THERE}, {BELOW}"])
def test_what_few_items_have_keeps_no_more_than_these(test):
    """Nine of ten items would be dropped, as where a value of the attribute is asked for."""
    text = JOBS.replace("KEEP", test)
    assert read_of(text, 2).kept == pytest.approx(0.005)
    assert plan(load(text, name="jobs"), "multi").operations_for(2)[0].answer == "not served"


def test_what_must_be_there_is_counted_once():
    text = JOBS.replace("where: [", f"where: [{THERE}, ").replace("KEEP", BELOW)
    asked = read_of(text, 2)
    assert (asked.matched, asked.kept) == (pytest.approx(10), pytest.approx(0.5))
    twice = JOBS.replace("KEEP", f"{BEGINS}, {CONTAINS}")
    assert read_of(twice, 2).kept == pytest.approx(0.0025)


@pytest.mark.parametrize("style", ["multi", "single"])
def test_a_sparse_index_is_read_no_further_than_it_has_entries(style):
    (operation,) = plan(load(REMINDERS, name="reminders"), style).operations_for(1)
    (step,) = operation.steps
    assert step.index is not None
    assert (step.expects.read, step.expects.returned) == (600, 600)
    assert operation.worst.read == 1200


def test_a_range_that_is_tested_in_a_sparse_index_drops_half_of_it():
    """Each entry has what is tested, and half of the entries pass."""
    text = REMINDERS.replace(
        "where: [{attribute: remindAt, from: {param: low}, below: {param: high}}]",
        "keep: [{attribute: remindAt, contains: {param: text}}]\n    order: [remindAt ascending]",
    )
    (step,) = plan(load(text, name="reminders"), "multi").operations_for(1)[0].steps
    assert (step.expects.read, step.expects.returned) == (1200, 600)


def test_the_assumed_share_is_of_what_has_the_attribute():
    made = plan(load(REMINDERS, name="reminders"), "multi")
    (one,) = made.assumed
    assert (one.value, one.low, one.high) == (0.01, 0.0002, 0.018)
    assert "1 % of the items" in assumption(one)
    (use,) = one.used
    assert use.low.units < use.high.units


def test_a_stated_share_is_of_all_items():
    text = REMINDERS.replace("below: {param: high}}", "below: {param: high}, share: 0.001}")
    (step,) = plan(load(text, name="reminders"), "multi").operations_for(1)[0].steps
    assert step.expects.read == 60


def test_who_expects_more_than_that_has_more_items():
    text = JOBS.replace("where: [", "where: [" + BELOW + ", ").replace("    keep: [KEEP]\n", "")
    few = read_of(text.replace("    limit: 5", "    expects: 8"), 2)
    assert few.matched == pytest.approx(1000)
    many = read_of(text.replace("    limit: 5", "    expects: 100"), 2)
    assert many.matched >= 10000
