"""A key has all that is asked for where only a guess says that it finds few without it."""

import pytest

from designer.core.design.load import load
from designer.core.planner import plan

pytestmark = pytest.mark.slow

PARCELS = """
keywright: 1
name: Routes
entities:
  - name: Parcel
    identifier: [trackingNo]
    items: 40000000
    attributes:
      - {name: trackingNo, bytes: 14}
      - {name: route, bytes: 8, present: 0.6}
      - {name: dueDay, format: date}
      - {name: postcode, bytes: 6, distinct: 15000}
patterns:
  - number: 1
    name: Parcels of a route on a day
    kind: list
    returns: Parcel
    where: [{attribute: route, is: {param: r}}, {attribute: dueDay, is: {param: day}}]
    rate: {average: 2}
  - {number: 2, name: Announce, kind: create, entity: Parcel, rate: {average: 10}}
"""


def asked_by_key(text, style="multi"):
    (operation,) = plan(load(text, name="routes"), style).operations_for(1)
    (step,) = operation.steps
    return {one.attribute for one in step.where}, {one.attribute for one in step.filter}


@pytest.mark.parametrize("style", ["multi", "single"])
def test_a_route_of_which_nobody_says_how_many_there_are_is_asked_with_its_day(style):
    keyed, tested = asked_by_key(PARCELS, style)
    assert keyed >= {"route", "dueDay"} if style == "multi" else tested == set()
    assert tested == set()


def test_with_few_routes_it_is_the_same_key():
    assert asked_by_key(PARCELS.replace("bytes: 8,", "bytes: 8, distinct: 500,")) == (
        {"route", "dueDay"},
        set(),
    )


def test_with_many_that_are_counted_the_day_is_tested():
    counted = PARCELS.replace("bytes: 8,", "bytes: 8, distinct: 4000000,")
    assert asked_by_key(counted) == ({"route"}, {"dueDay"})


def test_what_may_change_is_in_the_key_too_where_no_write_changes_it():
    changing = PARCELS.replace("format: date}", "format: date, mutable: true}")
    assert asked_by_key(changing) == ({"route", "dueDay"}, set())
