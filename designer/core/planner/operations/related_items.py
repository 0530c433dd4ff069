"""What a write tells the items around its own: the figures of parents, and the copies that children carry."""

import json
from dataclasses import replace
from typing import Any

from designer.core.design.kept import Figure
from designer.core.messages import say
from designer.core.plan import Constant, Expression, Sum, keys
from designer.core.planner.model.copies import Copied
from designer.core.planner.model.keeping import Keeping
from designer.core.planner.model.values import amount_of, negative
from designer.core.planner.operations.item_change import ItemChange, UnwritableError
from designer.core.planner.operations.largest_read import largest_part_steps
from designer.core.planner.operations.renamed import renamed
from designer.core.planner.workload.maintenance import names_one_parent, new_values, step_of_parent


def figures_over(change: ItemChange) -> list[Figure]:
    """The figures that writes of this entity keep in their transactions."""
    needed = change.context.search.requirements
    at_once = (figure for figure in needed.figures if figure not in needed.streamed)
    return [figure for figure in at_once if figure.child == change.entity.name]


def figures_kept(change: ItemChange, now: dict[str, Expression]) -> dict[str, Any]:
    """What is added to the item's figures, and what is the greatest or least of what is there and what comes."""
    found: dict[str, Any] = {"add": {}, "greatest": {}, "least": {}}
    for figure, contributed in _kept(change).items():
        if not contributed:
            continue
        if figure.is_added:
            one = contributed[0] if len(contributed) == 1 else tuple(contributed)
            found["add"][figure.name] = one
        else:
            there = [now[figure.name]] if figure.name in now else []
            found[figure.form][figure.name] = (*there, *contributed)
    return found


def _kept(change: ItemChange) -> dict[Figure, list[Sum]]:
    """For each figure that this change keeps, what other changes contribute."""
    found: dict[Figure, list[Sum]] = {}
    for keeping in change.entity_write.keeps:
        found.setdefault(keeping.figure, []).extend(
            _contributed(change.others[keeping.of], keeping)
        )
    return found


def _contributed(child: ItemChange, keeping: Keeping) -> list[Sum]:
    """What this change of a child adds to a figure of its parent, or what may be the greatest."""
    figure, rows = keeping.figure, keeping.rows
    gets_parent = keeping.side == "new" and child.change.verb == "update"
    sums_up = figure.target in child.change.add  # what it is afterwards is not read
    if (keeping.moves and figure.target in child.entity_write.changed) or (gets_parent and sums_up):
        raise UnwritableError(
            say(
                "moves-and-changes",
                child=child.entity.name,
                entity=figure.entity,
                target=str(figure.target),
                aggregate=figure.name,
            )
        )
    if figure.form == "count":
        count: Expression = f"{{count({rows})}}" if rows else Constant(value=1)
        return [negative(count) if keeping.side == "old" else count]
    rises = keeping.side == "same" and figure.target in child.change.add
    old = child.before.get(figure.target) if keeping.side != "new" else None
    if rows and old is not None and not (rises and figure.is_added):
        raise UnwritableError(
            say(
                "old-values-unknown",
                aggregate=figure.name,
                target=str(figure.target),
                child=child.entity.name,
            )
        )
    added: list[Expression] = []
    if rises:
        amount = amount_of(child.change.add[figure.target])
        if not figure.is_added:
            return [amount if old is None else (old, amount)]
        added = [amount]
    else:
        new = child.after.get(figure.target) if keeping.side != "old" else None
        added += [] if new is None else [new]
        added += [negative(old)] if old is not None and figure.is_added else []
    return [_over_rows(figure, one, rows) for one in added] if rows else list(added)


def _over_rows(figure: Figure, value: Expression, rows: str) -> Expression:
    """A figure over the rows of a parameter, of a value that each row gives."""
    minus = isinstance(value, str) and value.startswith("-")
    name = keys.lone(value.lstrip("-")) if isinstance(value, str) else None
    if name is None:
        raise UnwritableError(
            say(
                "same-in-all-rows",
                aggregate=f"{figure.entity}.{figure.name}",
                target=str(figure.target),
            )
        )
    return f"{'-' * minus}{{{figure.form}({rows}, {json.dumps(name)})}}"


def figures_at_first(change: ItemChange) -> dict[str, Expression]:
    """The figures of an item without children."""
    return {
        figure.name: Constant(value=0)
        for figure in change.context.search.requirements.figures
        if figure.entity == change.entity.name and figure.is_added
    }


def copied_values(change: ItemChange, known: dict[str, Expression]) -> dict[str, Expression]:
    """The copies that this change makes, from the transaction's own values or a read of the parent."""
    found: dict[str, Expression] = {}
    for copied in change.entity_write.refreshes:
        values = values_in_transaction(change, copied)
        if set(copied.watched) - set(values):
            step = _read_parent(change, copied, known)
            read: dict[str, Expression] = {n: f"{{{step}.{n}}}" for n in copied.watched}
            values = read | values
        found |= {name: values[attribute] for name, attribute in copied.attributes}
    return found


def values_in_transaction(change: ItemChange, copied: Copied) -> dict[str, Expression]:
    """The copied values that the transaction itself makes."""
    needed = change.context.search.requirements
    return new_values(needed.writes, change.entity_write, copied, needed.figures)


def read_of_parent(change: ItemChange, copied: Copied) -> int | None:
    """The pattern that reads the parent's values for this change; None if they are given."""
    for at, pattern_read in enumerate(change.context.search.requirements.pattern_reads):
        mine = (
            pattern_read.number == change.entity_write.pattern.number
            and pattern_read.change == change.entity_write.at
        )
        if mine and pattern_read.copied == copied:
            return at
    return None


def _read_parent(change: ItemChange, copied: Copied, known: dict[str, Expression]) -> str:
    """Read a parent's values strongly; the name of the step that has them."""
    pattern_reads = change.context.search.requirements.pattern_reads
    at = read_of_parent(change, copied)
    assert at is not None
    access = change.context.choice.entities[copied.parent].access[at, 0]
    entity_read = replace(
        pattern_reads[at].entity_reads[0], equals={theirs: known[own] for theirs, own in copied.per}
    )
    steps, _ = largest_part_steps(
        change.context, replace(pattern_reads[at], entity_reads=(entity_read,)), access
    )
    name = step_of_parent(copied, change.suffix)
    needed = change.context.search.requirements
    is_one = names_one_parent(needed.design, needed.writes, change.entity_write, copied.per)
    repeat = None if is_one else change.repeat
    steps[0] = steps[0].model_copy(update={"for_each": repeat})
    if repeat is not None and steps[0].call == "GetItem":
        steps[0] = steps[0].model_copy(update={"call": "BatchGetItem"})
    names = {step.id: name if step is steps[-1] else f"{name}_guard" for step in steps}
    for old, new in names.items():
        steps = [renamed(step, old, new) for step in steps]
    change.steps += steps
    return name
