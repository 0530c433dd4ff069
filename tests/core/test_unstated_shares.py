"""A read that is not served because of an assumed share says so, and asks for the share."""

import pytest

from designer.core.design.load import load
from designer.core.planner import plan

pytestmark = pytest.mark.slow

EVENTS = """
keywright: 1
name: Events
entities:
  - name: Event
    identifier: [tenantId, eventId]
    items: 2000000000
    attributes:
      - {name: tenantId, format: uuid, distinct: 200}
      - {name: eventId, format: ulid}
      - {name: action, values: [CREATE, DELETE], shares: [0.95, 0.05]}
      - {name: at, format: datetime}
      - {name: detail, type: M, bytes: 500}
patterns:
  - number: 1
    name: Deletions today
    kind: count
    returns: Event
    where:
      - {attribute: tenantId, is: {param: t}}
      - {attribute: action, is: {value: DELETE}}
      - {attribute: at, from: {param: midnight}}
    rate: {average: 0.1}
  - {number: 2, name: Write, kind: create, entity: Event, rate: {average: 8}}
"""


def reasons(made):
    (operation,) = made.operations_for(1)
    return [reason.id for reason in operation.reasons] if operation.answer == "not served" else None


@pytest.mark.parametrize("style", ["multi", "single"])
def test_the_share_that_decides_is_listed_and_asked_for(style):
    made = plan(load(EVENTS, name="events"), style)
    assert reasons(made) == ["no-key-serves", "state-smaller-share", "store-counts-of-ranges"]
    (said,) = (one for one in made.operations_for(1)[0].reasons if one.id == "state-smaller-share")
    assert (said.values["attribute"], said.values["assumed"], said.values["share"]) == (
        "at",
        0.5,
        0.01,
    )
    found = [(one.what, one.where, one.of, one.value, one.used) for one in made.assumed]
    assert ("share", "patterns.1", "at", 0.5, ()) in found


def test_with_that_share_it_is_served():
    stated = EVENTS.replace("from: {param: midnight}}", "from: {param: midnight}, share: 0.01}")
    assert reasons(plan(load(stated, name="events"), "multi")) is None


def test_where_no_share_serves_it_none_is_asked_for():
    alike = EVENTS.replace(
        "{attribute: at, from: {param: midnight}}", "{attribute: detail, exists: true}"
    )
    found = reasons(plan(load(alike, name="events"), "multi"))
    assert found is not None
    assert not any("share" in one for one in found)
