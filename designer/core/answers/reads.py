"""The answer that a read must give."""

from decimal import Decimal

from designer.core.answers.expected import Answer, Item, Parameters, Row, Rows, State, Value
from designer.core.answers.facts import Facts, in_order
from designer.core.answers.values import sort_key
from designer.core.design.document import Design
from designer.core.patterns.base import Aggregate, Read


def answer(design: Design, state: State, pattern: Read, parameters: Parameters) -> Answer:
    """The answer a read must give.

    A limit does not concern figures: `count`, `exists` and `result` are about everything that meets
    the conditions.
    """
    facts = Facts(design, state)
    found = [
        (name, item)
        for name in pattern.entities
        for item in state.get(name, ())
        if facts.meets(name, item, (*pattern.where, *pattern.keep), parameters)
    ]
    if pattern.kind == "count":
        return Answer(value=Decimal(len(found)))
    if pattern.kind == "exists":
        return Answer(value=bool(found))
    if pattern.aggregate is not None:
        return Answer(value=_figure(facts, pattern.aggregate, found))
    groups = tuple(
        tuple(
            Row(
                name,
                item,
                {
                    part.relationship: facts.along(name, item, part, parameters)
                    for part in pattern.with_
                },
                facts.meets(name, item, pattern.after_limit, parameters),
            )
            for name, item in group
        )
        for group in in_order(facts, found, pattern)
    )
    return Answer(rows=Rows(groups, pattern.limit, pattern.attributes))


def _figure(facts: "Facts", wanted: Aggregate, found: list[tuple[str, Item]]) -> Value:
    values = [
        value for name, item in found if (value := facts.value(name, item, wanted.of)) is not None
    ]
    if wanted.sum:
        return sum(values, Decimal(0))
    if not values:
        return None
    return max(values, key=sort_key) if wanted.greatest else min(values, key=sort_key)
