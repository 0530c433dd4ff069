"""The counts, sums, and greatest and least values that a write keeps on parents, and those that a consumer keeps."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from designer.core.answers.expected import Item, Join, Refused, State, Value
from designer.core.answers.facts import Facts
from designer.core.answers.values import canonical, equal, sort_key
from designer.core.design.document import Design
from designer.core.design.kept import Figure
from designer.core.patterns.base import Member


@dataclass(frozen=True)
class Written:
    """One item of a write: what was there and what will be."""

    member: Member
    before: Item | None
    after: Item | None


def with_figures(
    facts: Facts,
    written: Sequence[Written],
    refuses: bool = True,
) -> list[Written] | Refused:
    """What is written, with the parents whose figures it changes; refused where such a parent is not there."""
    after = list(written)
    for figure in facts.at_once:
        for one in written:
            for parent, values in _contributions(figure, one):
                at = _place(facts, figure, parent, after)
                if refuses and (at is None or _is_new(after[at], one)):
                    return Refused(f"{figure.entity} does not exist")
                if at is not None:
                    after[at] = _counted(figure, values, after[at])
    return after


def _is_new(parent: Written, child: Written) -> bool:
    """Whether an item of the same entity, or the child itself, is made a parent before it is there."""
    return parent.before is None and parent.member.entity == child.member.entity


def _contributions(figure: Figure, one: Written) -> Iterator[tuple[Join, list[Value]]]:
    """The parents that a write of a child concerns, with what it adds, or what may be their greatest."""
    if not figure.is_touched_by(one.member):
        return
    before, after = (_parent_of(figure, item) for item in (one.before, one.after))
    moves = one.member.verb == "update" and bool(
        figure.references & {*one.member.set, *one.member.remove, *one.member.add}
    )
    if not moves or before != after:
        yield from _change(figure, one.before, one.after)


def _change(
    figure: Figure, was: Item | None, is_: Item | None
) -> Iterator[tuple[Join, list[Value]]]:
    """The parents of an item before and after a change, with what it adds, or what may be their greatest."""
    before, after = _parent_of(figure, was), _parent_of(figure, is_)
    old, new = _worth(figure, was), _worth(figure, is_)
    less = [-value for value in old] if figure.is_added else []
    if before == after and before is not None:
        yield before, [*less, *new]
        return
    if before is not None and figure.is_added:
        yield before, less
    if after is not None:
        yield after, new


def _parent_of(figure: Figure, item: Item | None) -> Join | None:
    if item is None or any(item.get(own) is None for _, own in figure.per):
        return None
    return tuple((theirs, item[own]) for theirs, own in figure.per)


def _worth(figure: Figure, item: Item | None) -> list[Value]:
    """What an item contributes: nothing where it lacks the attribute."""
    if item is None:
        return []
    value = item.get(figure.target) if figure.target else Decimal(1)
    return [] if value is None else [value]


def _place(facts: Facts, figure: Figure, parent: Join, written: list[Written]) -> int | None:
    """Where the parent stands among what is written; put there when it is not yet, None when there is none."""
    for at, one in enumerate(written):
        item = one.after if one.after is not None else one.before
        same = one.member.entity == figure.entity
        if same and item and all(equal(item.get(name), value) for name, value in parent):
            return at
    found = facts.where(figure.entity, dict(parent))
    if not found:
        return None
    written.append(Written(Member(update=figure.entity), found[0], found[0]))
    return len(written) - 1


def _counted(figure: Figure, values: list[Value], parent: Written) -> Written:
    if parent.after is None or not values:
        return parent
    return replace(parent, after=_with_figure(figure, values, parent.after))


def _with_figure(figure: Figure, values: list[Value], parent: Item) -> Item:
    now = parent.get(figure.name)
    known = values if now is None else [now, *values]
    best = max if figure.form == "greatest" else min
    value = sum(known, Decimal(0)) if figure.is_added else best(known, key=sort_key)
    return {**parent, figure.name: value}


def kept_later(
    design: Design,
    before: State,
    written: Mapping[str, Sequence[Item]],
    figures: Sequence[Figure],
) -> dict[str, tuple[Item, ...]]:
    """The state with the figures that a consumer of the children's changes keeps on parents that are there."""
    after = {name: list(items) for name, items in written.items()}
    for figure in figures:
        was, is_ = (
            {identity(design, figure.child, item): item for item in state.get(figure.child, ())}
            for state in (before, written)
        )
        asked = (*figure.references, figure.target)
        for key in dict.fromkeys((*was, *is_)):
            old, new = was.get(key), is_.get(key)
            if all((old or {}).get(n) == (new or {}).get(n) for n in asked):
                continue
            for parent, values in _change(figure, old, new):
                parents = after.get(figure.entity, [])
                for at, item in enumerate(parents):
                    if values and all(equal(item.get(name), one) for name, one in parent):
                        parents[at] = _with_figure(figure, values, item)
    return {name: tuple(items) for name, items in after.items()}


def identity(design: Design, entity: str, item: Item) -> Value:
    """The values of an item's identifier, comparable."""
    return tuple(canonical(item.get(name)) for name in design.entity[entity].identifier)
