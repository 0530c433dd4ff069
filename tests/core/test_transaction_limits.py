"""A transaction contains at most 100 items and 4 MB, whether it reads or writes."""

from math import isclose

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.grid.answer import requests
from designer.core.lint import lint
from designer.core.plan import STYLES, Operation
from designer.core.planner import plan
from designer.core.sentences.steps import served_by
from designer.proof.prove import prove
from tests.enumerator import cheapest

FILES = """
keywright: 1
name: Files
entities:
  - name: Owner
    identifier: [ownerId]
    items: 50000
    attributes:
      - {name: ownerId, format: uuid}
      - {name: town, bytes: 20}
  - name: File
    identifier: [fileId]
    items: 100000
    attributes:
      - {name: fileId, format: uuid}
      - {name: ownerId, refers_to: Owner.ownerId}
      - {name: editorId, refers_to: Owner.ownerId}
      - {name: box, bytes: 10, distinct: 1000}
      - {name: body, bytes: BYTES, most_bytes: MOST, mutable: true}
relationships:
  - {name: owns, one: Owner, many: File, by: ownerId, average: 2}
  - {name: edits, one: Owner, many: File, by: editorId, average: 2}
patterns:
  - {number: 1, name: Put, kind: create, entity: File, rate: {average: 1}}
"""
GET = (
    "  - {number: 2, name: Several, kind: batch_get, returns: File, where: [{attribute: fileId, "
    "any_of: {param: ids, count: COUNT}}], consistency: HOW, rate: {average: 0.1}}\n"
)
WRITE = (
    "  - {number: 2, name: Change several, kind: transaction, members: [{update: File, times: {average: 2, "
    "most: COUNT}, each: files, set: {body: {param: body}}}], rate: {average: 0.1}}\n"
)
ALONE = """
keywright: 1
name: Alone
planner: {objective: cost}
entities:
  - name: File
    identifier: [fileId]
    items: 100000
    attributes:
      - {name: fileId, format: uuid}
      - {name: body, bytes: BYTES, mutable: true}
patterns:
  - {number: 1, name: Put, kind: create, entity: File, rate: {average: 1}}
"""


def files(
    pattern: str, count: int, size: int = 20, most: int = 0, how: str = "transactional"
) -> Design:
    text = FILES + pattern.replace("COUNT", str(count)).replace("HOW", how)
    sizes = text.replace("BYTES", str(size)).replace("MOST", str(most or size))
    return load(sizes, name="files")


def second(design: Design, style: str) -> Operation:
    (found,) = plan(design, style).operations_for(2)
    return found


def told(design: Design, style: str) -> list[str]:
    """What is said of the size of a transaction."""
    found = lint(design, {style: plan(design, style)})
    return [one.problem.id for one in found if one.rule == "L103"]


@pytest.mark.parametrize("style", STYLES)
def test_what_is_got_at_one_moment_is_in_one_transaction(style):
    design = files(GET, 100)
    made = plan(design, style)
    (found,) = made.operations_for(2)
    (step,) = found.steps
    assert (step.call, found.requests, step.expects.read) == ("TransactGetItems", 1, 100)
    assert prove(design, made).passed


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("count", "size", "reason", "said"),
    [
        (101, 20, "gets-too-many-items", {"count": 101, "limit": 100}),
        (150, 50_000, "gets-too-many-items", {"count": 150, "limit": 100}),
        (90, 50_000, "gets-too-many-bytes", {"count": 90, "limit": 4 * 1024 * 1024}),
    ],
    ids=["items", "both", "bytes"],
)
def test_two_transactions_are_not_of_one_moment(style, count, size, reason, said):
    found = second(files(GET, count, size), style)
    assert found.answer == "not served"
    (why,) = found.reasons
    assert why.id == reason
    assert said.items() <= why.values.items()
    assert second(files(GET, count, size, how="strong"), style).answer != "not served"


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("count", "size"), [(100, 20), (101, 20), (80, 50_000), (90, 50_000)])
def test_no_keys_serve_what_no_plan_does(style, count, size):
    text = ALONE + GET.replace("COUNT", str(count)).replace("HOW", "transactional")
    design = load(text.replace("BYTES", str(size)), name="alone")
    made = plan(design, style)
    unserved = sum(one.answer == "not served" for one in made.operations)
    assert unserved == (count > 100 or count * size > 4 * 1024 * 1024)
    assert cheapest(design, style)[0] == unserved


PERMITS = """
keywright: 1
name: Permits of anglers
entities:
  - name: Lake
    identifier: [lakeId]
    items: 40
    attributes: [{name: lakeId, bytes: 5}, {name: rules, bytes: 9000}]
  - name: Angler
    identifier: [anglerId]
    items: 30000
    attributes: [{name: anglerId, format: uuid}, {name: email, bytes: 30, unique: true}, {name: name, bytes: 24}]
  - name: Permit
    identifier: [lakeId, anglerId]
    items: 90000
    attributes:
      - {name: lakeId, refers_to: Lake.lakeId}
      - {name: anglerId, refers_to: Angler.anglerId}
      - {name: until, format: date, mutable: true}
      - {name: weighed, type: N, digits: 4, mutable: true}
relationships:
  - {name: fished, one: Lake, many: Permit, by: lakeId, identifying: true, average: 2250, most: 9000}
  - {name: holds, one: Angler, many: Permit, by: anglerId, identifying: true, average: 3, most: 40}
patterns:
  - {number: 1, name: Grant, kind: create, entity: Permit, rate: {average: 0.1}}
  - {number: 2, name: Asked, HOW, rate: {average: 3}}
"""
OF_BOTH = "where: [{attribute: lakeId, is: {param: l}}, {attribute: anglerId, is: {param: a}}]"
WITH_BOTH = f"kind: get, returns: Permit, {OF_BOTH}, with: [{{relationship: fished}}, {{relationship: holds}}]"
OF_ANGLER = "returns: Permit, where: [{attribute: anglerId, is: {param: a}}]"
EACH = "where: [{attribute: lakeId, is: {param: l}}, {attribute: anglerId, any_of: {param: as, count: 6}}]"


def permits(asked: str, consistency: str = "transactional") -> Design:
    return load(PERMITS.replace("HOW", f"{asked}, consistency: {consistency}"), name="permits")


@pytest.mark.parametrize("style", STYLES)
def test_what_comes_along_at_one_moment_goes_in_the_same_transaction(style):
    """A permit of 2 units with its lake of 9 KB, which takes 6, and its angler: the caller gives all three keys."""
    design = permits(WITH_BOTH)
    made = plan(design, style)
    (found,) = made.operations_for(2)
    assert [step.call for step in found.steps] == ["TransactGetItems"] * 3
    assert [step.goes_with for step in found.steps] == [None, "s1", "s1"]
    assert [step.expects.units for step in found.steps] == [2, 6, 2]
    assert (found.answer, found.requests, found.read_units) == ("in one request", 1, 10)
    assert "; in the same request " in served_by(made, found)
    assert len(list(requests(made, found))) == 1
    assert prove(design, made).passed


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "asked",
    [
        f"kind: list, {OF_ANGLER}",
        f"kind: count, {OF_ANGLER}",
        "kind: list, returns: [Permit, Angler], where: [{attribute: anglerId, is: {param: a}}]",
        "kind: get, returns: Angler, where: [{attribute: email, is: {param: e}}]",
        "kind: get, returns: Lake, where: [{attribute: lakeId, is: {param: l}}], with: [{relationship: fished}]",
        f"kind: list, returns: Permit, {EACH}, with: [{{relationship: holds}}]",
    ],
    ids=["Query", "count", "several entities", "guard", "children", "parents of a list"],
)
def test_what_needs_a_query_or_a_second_request_is_not_of_one_moment(style, asked):
    found = second(permits(asked), style)
    assert (found.answer, [why.id for why in found.reasons]) == (
        "not served",
        ["not-of-one-moment"],
    )
    assert second(permits(asked, "strong"), style).answer != "not served"


@pytest.mark.parametrize("style", STYLES)
def test_the_remedy_of_a_read_that_is_not_of_one_moment_serves_it(style):
    """With the identifiers it is one transaction."""
    found = second(permits(f"kind: batch_get, returns: Permit, {EACH}"), style)
    (step,) = found.steps
    assert (step.call, found.answer, found.read_units) == ("TransactGetItems", "in one request", 12)


@pytest.mark.parametrize("style", STYLES)
def test_a_transaction_is_refused_that_would_write_too_much_at_average_sizes(style):
    found = second(files(WRITE, 90, 50_000), style)
    assert found.answer == "not served"
    (why,) = found.reasons
    assert why.id == "too-many-bytes"
    assert why.values["most"] == 90
    assert isclose(why.values["bytes"], 90 * 50_000, rel_tol=0.01)
    assert second(files(WRITE, 80, 50_000), style).answer != "not served"


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("pattern", [GET, WRITE], ids=["read", "written"])
@pytest.mark.parametrize(
    ("count", "most", "said"),
    [
        (50, 30_000, []),
        (90, 30_000, []),
        (90, 60_000, ["transaction-too-large-at-most"]),
        (68, 60_000, []),
    ],
)
def test_the_limit_is_compared_with_the_largest_sizes(style, pattern, count, most, said):
    """90 items of 20 KB are 1.8 MB, less than half of 4 MB. 90 of 60 KB are 5.4 MB, too much for a transaction."""
    assert told(files(pattern, count, 20_000, most), style) == said


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("pattern", [GET, WRITE], ids=["read", "written"])
def test_half_of_the_limit_at_average_sizes_is_near(style, pattern):
    """60 items of 40 KB are 2.4 MB."""
    assert told(files(pattern, 60, 40_000), style) == ["transaction-near-limit"]
    assert told(files(pattern, 60, 30_000), style) == []
