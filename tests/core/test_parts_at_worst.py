"""Each part of an answer is judged by itself at the worst, and the remedy names the part that takes too much."""

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES
from designer.core.planner import plan

pytestmark = pytest.mark.slow

HUTS = """
keywright: 1
name: Huts
entities:
  - name: Hut
    identifier: [hutId]
    items: 20000
    attributes:
      - {name: hutId, format: uuid}
      - {name: valley, bytes: 12, distinct: 2000, busiest: 0.005}
      - {name: story, bytes: STORY}
  - name: Visit
    identifier: [hutId, visitId]
    items: 2000000
    attributes:
      - {name: hutId, refers_to: Hut.hutId}
      - {name: visitId, format: ulid}
      - {name: remark, format: text, bytes: 80}
  - name: Blanket
    identifier: [hutId, blanketId]
    items: 60000
    attributes:
      - {name: hutId, refers_to: Hut.hutId}
      - {name: blanketId, bytes: 20}
      - {name: pattern, bytes: 5000}
relationships:
  - {name: sees, one: Hut, many: Visit, by: hutId, identifying: true, average: 100, most: VISITS}
  - {name: stores, one: Hut, many: Blanket, by: hutId, identifying: true, average: 3, most: BLANKETS}
patterns:
  - {number: 1, name: Look, FOUND, rate: {average: 5},
     with: [{relationship: sees, SEEN}, {relationship: stores, STORED}]}
  - {number: 2, name: Visit, kind: create, entity: Visit, rate: {average: 1}}
  - {number: 3, name: Move, kind: update, entity: Hut, set: {valley: {param: v}}, rate: {average: MOVES}}
"""
ONE = "kind: get, returns: Hut, where: [{attribute: hutId, is: {param: h}}]"
OF_A_VALLEY = "kind: list, returns: Hut, where: [{attribute: valley, is: {param: v}}]"
TESTED = (
    "keep: [{attribute: remark, contains: {param: word}}], order: [visitId descending], limit: 5"
)
NEWEST = "order: [visitId descending], limit: 5"


def huts_text(found=ONE, seen=TESTED, stored="", visits=700, blankets=40, story=50, moves=0.1):
    text = HUTS.replace("FOUND", found).replace("STORY", str(story)).replace("MOVES", str(moves))
    text = text.replace("VISITS", str(visits)).replace("BLANKETS", str(blankets))
    for name, asked in (("SEEN", seen), ("STORED", stored)):
        text = text.replace(f", {name}", f", {asked}" if asked else "")
    return text


def huts(**asked):
    return load(huts_text(**asked), name="huts")


def judged(design, style):
    made = plan(design, style)
    (operation,) = made.operations_for(1)
    found = [one for one in made.findings if one.rule == "served-on-average"]
    remedies = [one for each in found for one in each.solution.values["remedies"]]
    said = [(one.id, *one.values.values()) for one in remedies]
    assert bool(found) == bool(operation.beyond)
    return operation, said


@pytest.mark.parametrize("stored", ["", "limit: 40"])
@pytest.mark.parametrize("story", [50, 3000])
@pytest.mark.parametrize("style", STYLES)
def test_pages_of_a_part_that_a_limit_cuts_are_not_those_of_another(style, story, stored):
    """A limit of the most blankets that there are cuts off none of them."""
    moves = 0.1 if story == 50 else 50  # which makes it pay to split the story from the hut
    operation, _ = judged(huts(stored=stored, story=story, moves=moves), style)
    assert operation.worst.requests > operation.requests + 10
    assert operation.beyond == ()


@pytest.mark.parametrize(("story", "moves"), [(50, 0.1), (3000, 50)])
@pytest.mark.parametrize("style", STYLES)
def test_a_limit_is_asked_for_the_part_that_takes_too_much(style, story, moves):
    """And not for the rest of an item that the planner split."""
    large = {"blankets": 4000, "visits": 700, "story": story, "moves": moves}
    operation, said = judged(huts(**large), style)
    assert operation.beyond == ("largest",)
    assert said == [("limit-related", "stores"), ("state-smaller-most", "stores")]
    operation, said = judged(huts(stored="limit: 20", **large), style)
    assert (operation.beyond, said) == ((), [])
    operation, said = judged(huts(blankets=40), style)
    assert (operation.beyond, said) == ((), [])


@pytest.mark.parametrize("style", STYLES)
def test_a_part_that_may_return_little_and_one_that_returns_much_are_both_told(style):
    operation, said = judged(huts(visits=90000, blankets=4000), style)
    assert operation.beyond == ("pages", "largest")
    assert [one[:2] for one in said] == [
        ("list-related-marked", "sees"),
        ("limit-related", "stores"),
        ("state-smaller-most", "stores"),
    ]


@pytest.mark.parametrize("style", STYLES)
def test_related_items_without_a_limit_count_where_the_rows_have_one(style):
    some = f"{OF_A_VALLEY}, limit: 20"
    operation, said = judged(huts(found=some, seen=NEWEST, blankets=4000), style)
    assert operation.beyond == ("largest",)
    assert said == [("limit-related", "stores"), ("state-smaller-most", "stores")]
    operation, _ = judged(huts(found=some, seen=NEWEST, stored="limit: 3", blankets=4000), style)
    assert operation.beyond == ()
    operation, _ = judged(huts(found=some, seen=NEWEST, blankets=10), style)
    assert operation.beyond == ()  # twenty huts, each in a few requests


@pytest.mark.parametrize("style", STYLES)
def test_rows_without_a_limit_count_with_what_comes_along_with_each(style):
    operation, said = judged(huts(found=OF_A_VALLEY, seen=NEWEST, stored="limit: 3"), style)
    assert operation.beyond == ("largest",)
    assert said == [("limit-rows", "Hut")]
    operation, said = judged(
        huts(found=f"{OF_A_VALLEY}, limit: 12", seen=NEWEST, stored="limit: 3"), style
    )
    assert (operation.beyond, said) == ((), [])
    operation, said = judged(huts(found=OF_A_VALLEY, seen=NEWEST, blankets=4000), style)
    assert operation.beyond == ("largest",)
    assert {one[0] for one in said} > {"limit-rows", "limit-related"}


@pytest.mark.parametrize(
    ("visits", "blankets", "remedy"),
    [
        ("limit: 20", "", ("limit-related-or-job", "stores")),
        ("limit: 20", "limit: 900", ("smaller-limit-related-or-job", "stores")),
        ("", "limit: 3", ("limit-related-or-job", "sees")),
    ],
)
@pytest.mark.parametrize("style", STYLES)
def test_the_part_that_is_large_each_time_is_to_be_limited(style, visits, blankets, remedy):
    """The visits of a hut are small, and their blankets are large, or the other way round."""
    many = {"sees": (100, 300), "stores": (900, 900)}
    if remedy[1] == "sees":
        many = {"sees": (30000, 30000), "stores": (3, 40)}
    text = huts_text(
        seen=f"order: [visitId descending], {visits}" if visits else "",
        stored=blankets,
        visits=many["sees"][1],
        blankets=many["stores"][1],
    )
    text = text.replace("average: 100,", f"average: {many['sees'][0]},")
    text = text.replace("average: 3,", f"average: {many['stores'][0]},")
    made = plan(load(text, name="huts"), style)
    (operation,) = made.operations_for(1)
    assert operation.beyond == ("answer",)
    (found,) = (one for one in made.findings if one.rule == "many-pages")
    assert (found.solution.id, *found.solution.values.values()) == remedy


CRANES = """
keywright: 1
name: Cranes
entities:
  - name: Crane
    identifier: [craneId]
    items: 20000
    attributes:
      - {name: craneId, format: uuid}
      - {name: owner, bytes: 10, distinct: 1000, busiest: 0.05}
      - {name: build, values: [TOWER, MOBILE, FLOATING], shares: [0.7, 0.25, 0.05]}
  - name: Check
    identifier: [craneId, at]
    items: 60000000
    attributes:
      - {name: craneId, refers_to: Crane.craneId}
      - {name: at, format: datetime}
      - {name: tons, type: N, minimum: 0, maximum: 900}
relationships:
  - {name: checked, one: Crane, many: Check, by: craneId, identifying: true, most: 60000}
patterns:
  - {number: 1, name: Cranes with their newest check, kind: list, returns: Crane, ASKED, rate: {average: 3},
     with: [{relationship: checked, order: [at descending], limit: 1}]}
"""
OWNED = "{attribute: owner, is: {param: o}}"
BUILD = "{attribute: build, is: BUILT}"
RANGE = "{attribute: made, from: {param: since}, share: 0.1}"
KEPT = f"where: [{OWNED}], keep: [{BUILD}]"
KEYED = f"where: [{OWNED}, {BUILD}]"


def cranes(asked, built="{param: b}"):
    return load(CRANES.replace("ASKED", asked).replace("BUILT", built), name="cranes")


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("built", "share"), [("{param: b}", 0.7), ("{value: FLOATING}", 0.05)])
def test_what_is_asked_for_each_row_has_the_same_worst_case_tested_or_found_by_a_key(
    style, built, share
):
    """No more cranes of an owner are of one build than the share of the commonest says, and each is asked once."""
    for asked in (KEPT, KEYED):
        operation, said = judged(cranes(asked, built), style)
        assert operation.worst.requests == 1 + 1000 * share
        assert operation.beyond == ("largest",)
        assert said == [("limit-rows", "Crane")]


@pytest.mark.parametrize("style", STYLES)
def test_a_limit_on_rows_removes_the_finding_about_what_is_asked_for_each(style):
    for asked in (KEPT, KEYED):
        operation, said = judged(cranes(f"{asked}, limit: 30"), style)
        assert (operation.beyond, said) == ((), [])


@pytest.mark.parametrize("style", STYLES)
def test_pages_behind_a_test_of_what_comes_along_count_for_each_row_by_itself(style):
    few = (
        "order: [at descending], keep: [{attribute: tons, from: {param: t}, share: 0.3}], limit: 1"
    )
    text = CRANES.replace("ASKED", f"{KEPT}, limit: 30").replace("BUILT", "{param: b}")
    text = text.replace("order: [at descending], limit: 1", few)
    small = text.replace("items: 60000000", "items: 6000000").replace("most: 60000", "most: 900")
    operation, _ = judged(load(small, name="cranes"), style)
    assert operation.worst.requests > 100
    assert operation.beyond == ()
    operation, _ = judged(load(text, name="cranes"), style)
    assert operation.beyond == ("pages",)


@pytest.mark.parametrize("style", STYLES)
def test_how_wide_a_range_of_rows_is_the_caller_says(style):
    """The range decides how many rows there are on average, and at the worst it holds all of an owner's."""
    text = CRANES.replace("ASKED", f"where: [{OWNED}, {RANGE}]")
    text = text.replace("{name: owner", "{name: made, type: N, digits: 4}\n      - {name: owner")
    operation, _ = judged(load(text, name="cranes"), style)
    assert operation.worst.requests == 1001
