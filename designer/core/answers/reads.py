"""The answer that a read must give."""

from collections import defaultdict
from decimal import Decimal

from designer.core.answers.expected import Answer, Item, Parameters, Row, Rows, State, Value
from designer.core.answers.facts import Facts, in_order, operand_value
from designer.core.answers.values import canonical, sort_key
from designer.core.design.document import Design
from designer.core.patterns.base import Read
from designer.core.patterns.figures import Aggregate


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
    if pattern.crossing is not None:
        found = _crossed(pattern, found, parameters)
    if pattern.answer_kind == "count":
        return Answer(value=Decimal(len(found)))
    if pattern.answer_kind == "exists":
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


def _crossed(
    pattern: Read, found: list[tuple[str, Item]], parameters: Parameters
) -> list[tuple[str, Item]]:
    """What is returned of items that have it in common, once, where for each value of the list one of them has it."""
    crossing = pattern.crossing
    assert crossing is not None
    assert crossing.all_of is not None
    wanted = {canonical(one) for one in operand_value(crossing.all_of, parameters) or ()}
    common: dict[Value, tuple[str, Item]] = {}
    had: dict[Value, set[Value]] = defaultdict(set)
    for name, item in found:
        same = {each: item.get(each) for each in pattern.attributes or ()}
        if None not in same.values():
            common.setdefault(canonical(same), (name, same))
            had[canonical(same)].add(canonical(item.get(crossing.attribute)))
    return [row for key, row in common.items() if wanted <= had[key]]


def _figure(facts: "Facts", wanted: Aggregate, found: list[tuple[str, Item]]) -> Value:
    values = [
        value for name, item in found if (value := facts.value(name, item, wanted.of)) is not None
    ]
    if wanted.sum:
        return sum(values, Decimal(0))
    if not values:
        return None
    return max(values, key=sort_key) if wanted.greatest else min(values, key=sort_key)
