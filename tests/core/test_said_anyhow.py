"""What share of the items meets a condition may be said in several ways, which come to the same plan.

A condition stands in `where` or in `keep`; it states its `share`, or the attribute has `shares` or `present`.
"""

from typing import Any

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.patterns.base import RANGE_OPERATORS, Condition
from designer.core.plan import STYLES, Plan
from designer.core.planner.pipeline import plan
from tests.core.test_worst_of_parts import made
from tests.traffic import simulated

pytestmark = pytest.mark.slow

OWNER = {"attribute": "owner", "is": {"param": "owner"}}
LATEST = {"order": ["takenAt descending"], "limit": 30}
SHARE = 0.7
EVEN = {"seen": {"shares": [0.3, 0.4, 0.3]}}

CONDITIONS: dict[str, tuple[dict[str, Any], dict[str, Any] | None]] = {
    "is": (
        {"attribute": "seen", "is": {"value": "NOBODY"}},
        {"seen": {"shares": [0.7, 0.1, 0.2]}},
    ),
    "any_of": ({"attribute": "seen", "any_of": {"value": ["FRIEND", "PUBLIC"]}}, EVEN),
    "not": ({"attribute": "seen", "not": {"value": "NOBODY"}}, EVEN),
    "exists": ({"attribute": "place", "exists": True}, {"place": {"present": 0.7}}),
    "missing": ({"attribute": "place", "missing": True}, {"place": {"present": 0.3}}),
    "from_": ({"attribute": "width", "from": {"param": "least"}}, None),
    "after": ({"attribute": "width", "after": {"param": "least"}}, None),
    "to": ({"attribute": "width", "to": {"param": "most"}}, None),
    "below": ({"attribute": "width", "below": {"value": 100}}, None),
    "begins_with": ({"attribute": "title", "begins_with": {"param": "start"}}, None),
    "contains": ({"attribute": "title", "contains": {"param": "word"}}, None),
}
"""For each test: a condition, and what the attribute states where that says the share too."""
GIVEN = {
    "is": {"attribute": "seen", "is": {"param": "seen"}},
    "any_of": {"attribute": "seen", "any_of": {"param": "some", "count": 2}},
    "not": {"attribute": "seen", "not": {"param": "seen"}},
}
"""The same with what a caller gives: the attribute's shares say more of it than one share does."""
READS: dict[str, dict[str, Any]] = {
    "latest": {"kind": "list", **LATEST},
    "all": {"kind": "list"},
    "count": {"kind": "count"},
    "any": {"kind": "exists"},
}


def test_each_kind_of_condition_is_tried() -> None:
    tests = {"is_", "any_of", "exists", "missing", *RANGE_OPERATORS, "contains", "not_"}
    others = {
        "attribute",
        "optional",
        "share",
        "all_of",
    }  # what items have together is a kind of its own
    assert tests | others == Condition.model_fields.keys()
    assert {name.rstrip("_") for name in tests} == {name.rstrip("_") for name in CONDITIONS}


def planned(
    style: str,
    read: str,
    field: str,
    condition: dict[str, Any],
    facts: dict[str, Any],
    rate: float = 0.01,
) -> Plan:
    attributes: list[dict[str, Any]] = [
        {"name": "photoId", "format": "ulid"},
        {"name": "owner", "format": "uuid", "distinct": 50000, "busiest": 0.01},
        {"name": "takenAt", "format": "datetime"},
        {"name": "place", "bytes": 15, "present": 0.7},
        {"name": "seen", "values": ["NOBODY", "FRIEND", "PUBLIC"]},
        {"name": "title", "bytes": 100},
        {"name": "width", "type": "N", "format": "integer", "digits": 4},
    ]
    entity = {
        "name": "Photo",
        "identifier": ["photoId"],
        "items": 5_000_000,
        "attributes": [one | facts.get(one["name"], {}) for one in attributes],
    }
    where = [OWNER, condition] if field == "where" else [OWNER]
    tested = {"returns": "Photo", "where": where, **READS[read], "rate": {"average": rate}}
    if field == "keep":
        tested["keep"] = [condition]
    of_owner = {"kind": "list", "returns": "Photo", "where": [OWNER], **LATEST}
    patterns = [
        {"kind": "create", "entity": "Photo", "rate": {"average": 100}},
        tested,
        {**of_owner, "rate": {"average": 1}},
    ]
    numbered = [{"number": at, "name": f"P{at}", **one} for at, one in enumerate(patterns, 1)]
    return plan(
        Design.model_validate({"name": "Photos", "entities": [entity], "patterns": numbered}),
        style,
    )


def said(found: Plan) -> dict[str, Any]:
    """What a plan says of the read that has the condition, and of the design as a whole.

    But for remedies: a key may serve what is in `where`.
    """
    (operation,) = found.operations_for(2)
    return {
        "answer": operation.answer,
        "requests": operation.requests,
        "units": operation.read_units,
        "steps": [
            (step.call, step.index, step.limit, step.pages, step.expects)
            for step in operation.steps
        ],
        "worst": operation.worst,
        "beyond": operation.beyond,
        "assumed": sorted(
            (one.what, one.of, one.has, one.value) for one in found.assumed if one.what != "size"
        ),
        "findings": [(one.rule, one.severity, one.where, one.message) for one in found.findings],
        "cost": found.cost.per_month,
    }


def presence_of(condition: dict[str, Any], facts: dict[str, Any] | None) -> dict[str, Any]:
    """An attribute that is missing at times says so, whoever states the share."""
    return facts or {} if {"exists", "missing"} & condition.keys() else {}


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("name", CONDITIONS)
@pytest.mark.parametrize("style", STYLES)
def test_a_share_is_the_same_wherever_it_is_said(style, name, read):
    """The busiest owner has 50,000 photographs: pages that pass few of them would be hundreds."""
    condition, facts = CONDITIONS[name]
    stated, always = {**condition, "share": SHARE}, presence_of(condition, facts)
    seen = said(planned(style, read, "keep", stated, always))
    ways = [("where", stated, always)]
    if facts is not None:
        ways += [(field, one, facts) for field in ("where", "keep") for one in (condition, stated)]
    for way in ways:
        assert said(planned(style, read, *way)) == seen, way
    beyond = {"latest": (), "any": (), "all": ("largest",), "count": ("pages",)}
    assert seen["beyond"] == beyond[read]


@pytest.mark.parametrize("facts", [{}, EVEN], ids=["unstated", "shares"])
@pytest.mark.parametrize("read", ["latest", "count"])
@pytest.mark.parametrize("name", [*CONDITIONS, *(f"{name} given" for name in GIVEN)])
@pytest.mark.parametrize("style", STYLES)
def test_what_no_key_serves_is_the_same_in_either_field(style, name, read, facts):
    given, _, is_given = name.partition(" ")
    condition = GIVEN[given] if is_given else CONDITIONS[name][0]
    where, keep = (
        said(planned(style, read, field, condition, facts)) for field in ("where", "keep")
    )
    assert where == keep


@pytest.mark.parametrize(
    ("shares", "beyond"), [([0.3, 0.4, 0.3], ()), ([0.1, 0.8, 0.1], ("pages",))]
)
def test_what_excludes_a_value_that_a_caller_gives_may_exclude_the_commonest(shares, beyond):
    found = planned("single", "latest", "where", GIVEN["not"], {"seen": {"shares": shares}})
    assert said(found)["beyond"] == beyond


@pytest.mark.parametrize("said_by", ["condition", "attribute"])
@pytest.mark.parametrize("style", STYLES)
def test_a_key_finds_as_many_as_the_condition_says(style, said_by):
    """A key serves it: what it finds is what the condition states, and nothing of it is assumed."""
    condition, facts = CONDITIONS["is"][0], {"seen": {"shares": [0.002, 0.5, 0.498]}}
    if said_by == "condition":
        condition, facts = {**condition, "share": 0.002}, {}
    found = planned(style, "all", "where", condition, facts, rate=50)
    (operation,) = found.operations_for(2)
    assert operation.steps[0].index is not None
    # An owner who is asked for has 598 photographs on average, as one of them has 50,000.
    assert operation.steps[0].expects.read == pytest.approx(598 * 0.002, rel=0.01)
    assert operation.worst.read == 50_000 * 0.002 * len(operation.steps)
    of_read = [one for one in found.assumed if any(use.pattern == 2 for use in one.used)]
    assert [one.what for one in of_read] == []


USERS = """
keywright: 1
name: Users who may be deleted
entities:
  - name: User
    identifier: [userId]
    items: 2000000
    attributes:
      - {name: userId, format: ulid}
      - {name: orgId, format: ulid, distinct: 40000, busiest: 0.01}
      - {name: email, format: email, present: 0.8, mutable: true}
      - {name: name, bytes: 18}
      - {name: createdAt, format: datetime}
      - {name: deletedAt, format: datetime, present: 0.2, mutable: true}
patterns:
  - {number: 1, name: Sign up, kind: create, entity: User, rate: {average: 1, peak: 5}}
  - number: 2
    name: Active
    kind: list
    returns: User
    where: [{attribute: orgId, is: {param: orgId}}, {attribute: deletedAt, missing: true}]
    order: [createdAt descending]
    limit: 25
    rate: {average: 30, peak: 100}
  - number: 3
    name: Delete
    kind: update
    entity: User
    set: {deletedAt: {param: at}}
    remove: [email]
    if: [{attribute: deletedAt, missing: true}]
    rate: {average: 0.3}
"""


@pytest.mark.parametrize("style", STYLES)
def test_of_indexes_that_cost_about_the_same_one_has_nothing_to_test(style):
    """Most users are not deleted, so either would do. In one organisation all may be."""
    found = plan(load(USERS), style)
    (operation,) = found.operations_for(2)
    assert not operation.steps[0].filter
    assert operation.worst is None or operation.worst.requests < 3


@pytest.mark.parametrize(("read", "is_figure"), [("count", True), ("latest", False)])
def test_a_count_is_not_said_to_return_little(read, is_figure):
    found = planned("single", read, "where", CONDITIONS["contains"][0], {})
    (finding,) = (one for one in found.findings if one.rule == "served-on-average")
    assert ("returns little" in finding.message) == (not is_figure)
    assert ("works out its answer from many more items" in finding.message) == is_figure


@pytest.mark.parametrize("field", ["where", "keep"])
@pytest.mark.parametrize("style", STYLES)
def test_values_of_two_attributes_that_callers_give_are_as_many_as_both_say(style, field):
    """A limit cuts the common state of the busiest owner, and not the rare ones of others."""
    given = {"attribute": "state", "is": {"param": "state"}}
    where = [{"attribute": "owner", "is": {"param": "owner"}}]
    more = {"order": ["madeAt descending"], "limit": 150}
    of = made(
        [*where, given] if field == "where" else where,
        more if field == "where" else {**more, "keep": [given]},
        0.4,
        (0.6, 0.2, 0.1, 0.1),
    )
    states = of.facts.shares

    def each(owner: str) -> list[tuple[float, dict[str, Any]]]:
        return [(share, {"owner": owner, "state": state}) for state, share in states]

    found = plan(of.design, style)
    (operation,) = found.operations_for(1)
    took = simulated(of, found, each)[1]
    assert took.average == pytest.approx(operation.read_units, rel=0.1)
