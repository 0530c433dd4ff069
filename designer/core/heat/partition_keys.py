"""The partition keys of items in tables and indexes, and those that a step asks for."""

import re
from collections.abc import Iterator

from designer.core.heat.shares import EACH_NUMBER
from designer.core.plan import Expression, Index, Shape, Step, Table
from designer.core.plan.keys import lone, parse


def templates_of(table: Table, index: Index | None, shape: Shape) -> tuple[str, ...] | None:
    """What a shape's items hold in the attributes of a partition key; None where they are not in the index."""
    names = [part.name for part in (index.partition if index else (table.key.partition,))]
    found = [shape.set.get(n, f"{{{n}}}" if n in shape.attributes else None) for n in names]
    known = [template for template in found if template is not None]
    return tuple(known) if len(known) == len(found) else None


def asked_keys(
    table: Table, index: Index | None, step: Step
) -> Iterator[tuple[tuple[Expression, ...], int]]:
    """The partition keys that a read step names, each with the number of items that it is named for."""
    names = [part.name for part in (index.partition if index else (table.key.partition,))]
    if step.call == "Query":
        equals = {one.attribute: one.equals for one in step.where if one.equals is not None}
        yield tuple(equals[name] for name in names), 1
        return
    numbers = step.for_each.numbers if step.for_each else None
    for key in (step.key, *step.also):
        drawn = any(EACH_NUMBER in str(expression) for expression in key.values())
        yield tuple(key[name] for name in names), (numbers or 1) if drawn else 1


def may_be(template: str, asked: Expression) -> bool:
    """Whether a key that is asked for, with its parameters, may be one that a template writes."""
    text = asked if isinstance(asked, str) else str(asked.value)
    if lone(text):  # as an earlier step read it
        return True
    said = "".join(part if isinstance(part, str) else "x" for part in parse(text))
    pattern = "".join(
        re.escape(part) if isinstance(part, str) else ".*" for part in parse(template)
    )
    return re.fullmatch(pattern, said, re.DOTALL) is not None
