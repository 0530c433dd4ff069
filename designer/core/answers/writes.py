"""The state after a write, or its refusal."""

from collections import ChainMap
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal

from designer.core.answers.expected import Item, Parameters, Refused, State, Value
from designer.core.answers.facts import Facts, operand_value
from designer.core.answers.figures import Written, identity, kept_later, with_figures
from designer.core.answers.values import canonical, number
from designer.core.design.changes import left_out
from designer.core.design.document import Design
from designer.core.design.kept import Figure, kept_figures
from designer.core.patterns.base import Member, Write


def apply(
    design: Design,
    state: State,
    pattern: Write,
    parameters: Parameters,
    later: Collection[str] | None = None,
) -> dict[str, tuple[Item, ...]] | Refused:
    """The state after a write, or its refusal, when the consumers of streams have done their part.

    All conditions of a transaction are about the state before it. A single write with `times` is as
    many writes: each on its own, those that are refused left out; it is refused when all are.
    `later`: the figures that a consumer keeps (`Customer.orderCount`); where absent, those that the
    design says are kept by stream.
    """
    figures = kept_figures(design)
    if later is None:
        later = {_named(figure) for figure in figures if figure.kept == "by-stream"}
    at_once = tuple(figure for figure in figures if _named(figure) not in later)
    after = _after(Facts(design, state, at_once), pattern, parameters)
    followed = [figure for figure in figures if figure not in at_once]
    if isinstance(after, Refused) or not followed:
        return after
    return kept_later(design, state, after, followed)


def _named(figure: Figure) -> str:
    return f"{figure.entity}.{figure.name}"


def _after(
    facts: "Facts", pattern: Write, parameters: Parameters
) -> dict[str, tuple[Item, ...]] | Refused:
    """The state that a write itself leaves."""
    design, state = facts.design, facts.state
    if pattern.collection:
        (change,) = pattern.changes
        gone = [
            Written(change, item, None)
            for item in state.get(change.entity, ())
            if facts.meets(change.entity, item, pattern.collection, parameters)
        ]
        kept = with_figures(facts, gone, refuses=False)
        assert not isinstance(kept, Refused)
        return _with(state, kept)
    parts = list(_parts(pattern, parameters))
    if pattern.is_transaction:
        return _all_or_nothing(facts, parts)
    refused = None
    after = _copy(state)
    done = False
    for part in parts:
        outcome = _all_or_nothing(Facts(design, after, facts.at_once), [part])
        if isinstance(outcome, Refused):
            refused = outcome
        else:
            after, done = outcome, True
    return refused if refused is not None and not done else after


def _copy(state: State) -> dict[str, tuple[Item, ...]]:
    return {name: tuple(items) for name, items in state.items()}


def _parts(pattern: Write, parameters: Parameters) -> Iterator[tuple[Member, Parameters]]:
    """Each item written, with the parameters that hold for it."""
    for member in pattern.changes:
        if member.times is None:
            yield member, parameters
            continue
        for row in parameters.get(member.each or member.entity) or ():
            yield member, ChainMap(dict(row), dict(parameters))


def _all_or_nothing(
    facts: "Facts", parts: Sequence[tuple[Member, Parameters]]
) -> dict[str, tuple[Item, ...]] | Refused:
    design, state = facts.design, facts.state
    written: list[Written] = []
    for member, parameters in parts:
        outcome = _write(facts, member, parameters)
        if isinstance(outcome, Refused):
            return outcome
        if member.verb != "check":
            written.append(outcome)
    refused = _twice(design, written) or _taken(facts, written)
    if refused:
        return refused
    kept = with_figures(facts, written)
    return kept if isinstance(kept, Refused) else _with(state, kept)


def _write(facts: Facts, member: Member, parameters: Parameters) -> Written | Refused:
    entity = facts.design.entity[member.entity]
    whole = member.writes_whole
    if whole:
        new = _new_item(facts.design, member, parameters)
        found = facts.where(member.entity, {name: new.get(name) for name in entity.identifier})
    else:
        new = {}
        by = member.by or entity.identifier
        found = facts.where(member.entity, {name: parameters.get(name) for name in by})
    before = found[0] if found else None
    if member.verb == "create" and before is not None:
        return Refused(f"{member.entity} already exists")
    if before is None and (member.verb in ("update", "delete") or _needs_it(member)):
        return Refused(f"{member.entity} does not exist")
    if before is not None and member.exists is False:
        return Refused(f"{member.entity} exists")
    is_new = member.may_replace and before is None
    if not is_new and not facts.allows(member, before or {}, parameters):
        tested = " or ".join(dict.fromkeys(c.attribute for c in member.conditions))
        return Refused(f"{member.entity}: the condition on {tested} does not hold")
    if whole:
        return Written(member, before, new)
    if member.verb in ("delete", "check"):
        return Written(member, before, None)
    assert before is not None
    for attribute, parameter in member.greatest.items():
        if attribute in before and not before[attribute] < parameters[parameter]:
            return Refused(f"{member.entity}: {attribute} is not smaller")
    return Written(member, before, _changed(before, member, parameters))


def _needs_it(member: Member) -> bool:
    """Whether a check fails without the item: one with conditions does, even if it wants something missing."""
    return member.verb == "check" and member.exists is not False


def _new_item(design: Design, member: Member, parameters: Parameters) -> dict[str, Value]:
    item = {}
    kept = {f.name: f for f in kept_figures(design) if f.entity == member.entity}
    entity = design.entity[member.entity]
    without = left_out(entity, member)
    for attribute in entity.stored:
        if attribute.name in without:
            continue
        operand = member.set.get(attribute.name)
        value = (
            parameters.get(attribute.name)
            if operand is None
            else operand_value(operand, parameters)
        )
        if operand is None and attribute.name in kept and member.verb == "create":
            value = Decimal(0) if kept[attribute.name].is_added else None
        if value is not None:
            item[attribute.name] = value
    return item


def _changed(before: Item, member: Member, parameters: Parameters) -> Item:
    after = dict(before)
    for name, operand in member.set.items():
        value = operand_value(operand, parameters)
        if value is None:
            after.pop(name, None)
        else:
            after[name] = value
    for name in member.remove:
        after.pop(name, None)
    for name, amount in member.add.items():
        given = (
            amount.value
            if amount.value is not None
            else parameters[amount.param or amount.minus or ""]
        )
        by = number(given)
        after[name] = after.get(name, Decimal(0)) + (-by if amount.minus is not None else by)
    for name, parameter in member.greatest.items():
        after[name] = parameters[parameter]
    for name, parameter in member.append.items():
        after[name] = [*after.get(name, ()), *parameters[parameter]]
    for name, parameter in member.include.items():
        after[name] = after.get(name, set()) | parameters[parameter]
    for name, parameter in member.exclude.items():
        left = after.pop(name, set()) - parameters[parameter]
        if left:
            after[name] = left
    return after


def _twice(design: Design, written: Sequence[Written]) -> Refused | None:
    seen = set()
    for one in written:
        item = one.after if one.after is not None else one.before
        assert item is not None
        key = (one.member.entity, identity(design, one.member.entity, item))
        if key in seen:
            return Refused(f"{one.member.entity}: the same item is written twice")
        seen.add(key)
    return None


def _taken(facts: Facts, written: Sequence[Written]) -> Refused | None:
    """A unique value belongs to one item, before the write and after it."""
    claimed = set()
    for one in written:
        entity = facts.design.entity[one.member.entity]
        for unique in entity.uniques:
            values = {name: (one.after or {}).get(name) for name in unique.names}
            if any(value is None for value in values.values()):
                continue
            claim = (entity.name, unique, tuple(map(canonical, values.values())))
            others = [o for o in facts.where(entity.name, values) if o is not one.before]
            if others:
                return Refused(f"{entity.name}: {unique.attribute} is already taken")
            if claim in claimed:
                return Refused(f"{entity.name}: {unique.attribute} is claimed twice")
            claimed.add(claim)
    return None


def _with(state: State, written: Sequence[Written]) -> dict[str, tuple[Item, ...]]:
    after = {name: list(items) for name, items in state.items()}
    for one in written:
        items = after.setdefault(one.member.entity, [])
        if one.before is not None:
            at = next(i for i, item in enumerate(items) if item is one.before)
            items[at : at + 1] = [] if one.after is None else [one.after]
        elif one.after is not None:
            items.append(one.after)
    return {name: tuple(items) for name, items in after.items()}
