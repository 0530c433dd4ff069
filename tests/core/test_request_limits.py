"""Findings about more requests than a pattern may take: on average, or only in the worst case."""

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.lint import fixes, lint
from designer.core.messages import say
from designer.core.plan import STYLES, Finding
from designer.core.planner.explain.comparing import warned_of
from tests.planned import planned

THREADS = """
keywright: 1
name: Threads
entities:
  - name: Thread
    identifier: [threadId]
    items: 1000
    attributes: [{name: threadId, bytes: 8}]
  - name: Reply
    identifier: [threadId, at]
    items: 20000
    attributes:
      - {name: threadId, bytes: 8, refers_to: Thread.threadId}
      - {name: at, format: datetime}
      - {name: text, bytes: BYTES}
relationships:
  - {name: has, one: Thread, many: Reply, by: threadId, average: AVERAGE, most: MOST}
patterns:
  - number: 1
    name: Replies
    kind: list
    returns: Reply
    where: [{attribute: threadId, is: {param: threadId}}]
    rate: {average: 1}
    at_most_requests: LIMIT
"""


def _design(average: int, most: int, limit: int, size: int = 1000) -> Design:
    told = {"BYTES": size, "AVERAGE": average, "MOST": most, "LIMIT": limit}
    text = THREADS
    for name, figure in told.items():
        text = text.replace(name, str(figure))
    return load(text)


def _found(design: Design) -> list[Finding]:
    plans = [planned(design, style) for style in STYLES]
    return [one for made in plans for one in made.findings if one.rule == "too-many-requests"]


def test_a_limit_that_only_the_largest_collection_exceeds_is_advice() -> None:
    """20 replies are one page. 2,500 of a KB are three."""
    found = _found(_design(20, 2500, 1))
    problem = say("too-many-requests-at-worst", pattern=1, requests=1, limit=1, most=3)
    assert {(one.severity, one.problem) for one in found} == {("advice", problem)}
    assert len(found) == len(STYLES)


def test_a_limit_that_the_average_exceeds_is_a_warning_that_says_the_worst_too() -> None:
    found = _found(_design(1500, 2500, 1))
    assert {one.severity for one in found} == {"warning"}
    assert {one.problem.id for one in found} == {"too-many-requests-and-worst"}
    assert {(one.problem.values["requests"], one.problem.values["most"]) for one in found} == {
        (2, 3)
    }


@pytest.mark.parametrize(("most", "limit"), [(2500, 3), (300, 1)])
def test_what_stays_within_its_limit_at_the_worst_is_no_finding(most: int, limit: int) -> None:
    assert _found(_design(20, most, limit)) == []


def test_only_what_the_average_exceeds_counts_where_plans_are_compared() -> None:
    for average, warnings in ((20, 0), (1500, 1)):
        made = planned(_design(average, 2500, 1), "single")
        assert len(warned_of(made)) == warnings


def test_as_many_requests_can_be_allowed_as_the_worst_case_takes() -> None:
    design = _design(20, 2500, 1)
    plans = {style: planned(design, style) for style in STYLES}
    (finding,) = {
        one.where: one
        for one in (*(f for made in plans.values() for f in made.findings), *lint(design, plans))
        if one.rule == "too-many-requests"
    }.values()
    (fix,) = fixes(design, plans, finding)
    assert fix.label == "Allow 3 requests"
    assert _found(fix.edit(design)) == []
