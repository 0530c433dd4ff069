"""Whether a plan follows its pins, and where pinned keys collide."""

from collections.abc import Iterator
from itertools import chain, combinations

from designer.core.design.pins import KeyText, key_text, pin_flaws
from designer.core.design.settings import Pin
from designer.core.dynamodb.limits import INCLUDE_NAMES
from designer.core.messages import Message, say
from designer.core.plan import Finding, Index, Operation, Shape, Table
from designer.core.planner.layout.placement import KeyPart, Placement
from designer.core.planner.model.key_text import may_agree
from designer.core.planner.operations.context import Context

HELD = {"keys-only": ("KEYS_ONLY",), "include": ("INCLUDE", "KEYS_ONLY"), "all": ("ALL",)}


def pin_findings(
    context: Context, tables: tuple[Table, ...], operations: tuple[Operation, ...]
) -> Iterator[Finding]:
    """Pins that the plan does not follow, and pinned keys that two items may share."""
    design, style = context.search.design, context.layout.style
    flaws = {path[2]: flaw for path, flaw in reversed(list(pin_flaws(design)))}
    for at, pin in enumerate(design.planner.pins):
        if pin.style not in (None, style):
            continue
        reason = flaws.get(at) or next(_not_done(context, pin, tables, operations), None)
        if reason is not None:
            yield Finding(
                rule="pin-not-obeyed",
                severity="error",
                where=f"planner.pins.{at + 1}",
                problem=say("pin-not-obeyed", pin=at + 1, reason=reason),
                solution=say("change-or-remove-pin"),
            )
    if design.planner.pins:
        yield from _collisions(tables)


def _not_done(
    context: Context, pin: Pin, tables: tuple[Table, ...], operations: tuple[Operation, ...]
) -> Iterator[Message]:
    layout = context.layout
    if pin.entity is not None and pin.index is None:
        base = layout.bases[pin.entity]
        yield from _key_not_done(context, pin, base)
        if pin.name is not None and pin.pattern is None and base.table != pin.name:
            yield say("shared-table-called", table=base.table)
    called = {(table.name, index.name): index for table in tables for index in table.indexes}
    if pin.entity is not None and pin.index is not None:
        places = [
            p
            for (name, _), p in layout.others.items()
            if name == pin.entity and p.index in (pin.index, pin.name)
        ]
        if not places:
            yield say("no-index-holds", entity=pin.entity)
        for place in places[:1]:
            yield from _key_not_done(context, pin, place)
            pins = context.model(pin.entity).pins
            if pins is not None and place.structure in pins.of_structure:
                yield from _not_held(context, pin, (place.table, place.index or ""), called)
            elif pin.projection is not None:
                yield say("no-key-pinned")
    if pin.pattern is not None:
        yield from _pattern_not_done(context, pin, called, operations)
    if pin.table is not None:
        homes = {layout.bases[name].table for name in pin.table}
        if len(homes) > 1:
            yield say("in-several-tables", tables=tuple(sorted(homes)))
        elif pin.name is not None and pin.name not in homes:
            yield say("table-called", table=homes.pop())


def _key_not_done(context: Context, pin: Pin, place: Placement) -> Iterator[Message]:
    entity = context.model(place.entity).entity
    parts = {"partition": next(iter(place.partition), None), "sort": next(iter(place.sort), None)}
    texts = {
        which: key_text(entity, template)
        for which in parts
        if (template := getattr(pin.key, which, None)) is not None
    }
    waited = {name for part in place.parts for name, _ in part.when}
    done = [
        which
        for which, text in texts.items()
        if (part := parts[which]) is not None and _says(part, text, waited)
    ]
    for which, part in parts.items():
        template, name = getattr(pin.key, which, None), getattr(pin.names, which, None)
        if template is not None and which not in done:
            pins = context.model(place.entity).pins
            others = () if pins is None else pins.distinct_from
            reason = say("key-is-not", part=which, template=template)
            prefix = _prefix(part, texts[which])
            if others and prefix is not None:
                reason = say("key-needs-prefix", reason=reason, others=others, prefix=prefix)
            yield say("only-part-as-pinned", part=done[0], reason=reason) if done else reason
        if name is not None and part is None:
            yield say("no-such-key")
        elif name is not None and part is not None and part.name != name:
            yield say("key-called", part=which, name=part.name)


def _says(part: KeyPart, text: KeyText, waited: set[str]) -> bool:
    """Whether a key is as pinned. `waited`: all that it or the index's other key waits for, which is as good."""
    if part.native is not None:
        return part.native == text.lone
    return part.pieces == text.pieces and {name for name, _ in text.when} <= waited


def _prefix(part: KeyPart | None, text: KeyText) -> str | None:
    """What a key has before a pinned text, and nothing else: the entity's name, which tells its items from others."""
    has_prefix = part is not None and len(part.pieces) > 1 and part.pieces[1:] == text.pieces
    return part.pieces[0][1] if part is not None and has_prefix else None


def _not_held(
    context: Context, pin: Pin, where: tuple[str, str], called: dict[tuple[str, str], Index]
) -> Iterator[Message]:
    index = called.get(where)
    if pin.projection is None or index is None or index.projection.type in HELD[pin.projection]:
        return
    entities = {e for (e, _), p in context.layout.others.items() if (p.table, p.index) == where}
    models = [context.model(name) for name in entities]
    names = {name for model in models for name in model.entity.stored_names}
    # Where kinds of items share an index, the type is on its list as well.
    most = INCLUDE_NAMES - any(model.style == "single" for model in models)
    if pin.projection == "include" and len(names) > most:
        yield say("index-holds-all", index=index.name, most=INCLUDE_NAMES)
    else:
        yield say("index-holds-more", index=index.name, projection=index.projection.type)


def _pattern_not_done(
    context: Context,
    pin: Pin,
    called: dict[tuple[str, str], Index],
    operations: tuple[Operation, ...],
) -> Iterator[Message]:
    assert pin.pattern is not None
    answers = [o for o in operations if o.pattern == pin.pattern]
    if any(operation.answer == "not served" for operation in answers):
        return  # it is followed, and that it breaks the pattern is a finding of its own
    # A pin is of the index that finds what is returned; what comes along is read from where it lies.
    first = [operation.steps[0] for operation in answers if operation.steps]
    read = {(step.table, step.index) for step in first if step.index is not None}
    used = {index for _, index in read}
    if not used:
        along = any(step.index is not None for operation in answers for step in operation.steps)
        yield say("reads-no-index-for-result" if along else "reads-no-index", pattern=pin.pattern)
    elif (names := _names(context, pin)) and not names & used:
        yield say("reads-other-index", pattern=pin.pattern, indexes=tuple(sorted(used)))
    held = (_not_held(context, pin, place, called) for place in sorted(read))
    reason = next(chain.from_iterable(held), None)
    if reason is not None and not _is_restricted(context, pin):
        reason = say("served-in-one-request", pattern=pin.pattern)
    if reason is not None:
        yield reason
    for which in ("partition", "sort") if pin.names is not None and used else ():
        name = getattr(pin.names, which)
        there = [key[0].name for place in sorted(read) if (key := getattr(called[place], which))]
        if name is not None and name not in there:
            yield (say("key-called", part=which, name=there[0]) if there else say("no-such-key"))


def _is_restricted(context: Context, pin: Pin) -> bool:
    """Whether some index can hold what is pinned for a pattern, and only such a one was to answer it."""
    pattern_reads = context.search.requirements.pattern_reads
    return any(
        q.number == pin.pattern and q.entity_reads[0].holding is not None for q in pattern_reads
    )


def _names(context: Context, pin: Pin) -> set[str]:
    """The names that the index of a pattern's pin may have: its own, or that of a pin of this index."""
    if pin.index is None or pin.name is not None:
        return {pin.name} if pin.name is not None else set()
    pins = context.search.design.planner.pins
    return {pin.index, *(other.name for other in pins if other.index == pin.index and other.name)}


# Keys that two items may share


def _collisions(tables: tuple[Table, ...]) -> Iterator[Finding]:
    for table in tables:
        for one, other in colliding(table):
            yield Finding(
                rule="pin-collides",
                severity="error",
                where="planner.pins",
                problem=say("pin-collides", table=table.name, earlier=one.shape, later=other.shape),
                solution=say("begin-with-other-text"),
            )


def colliding(table: Table) -> Iterator[tuple[Shape, Shape]]:
    """The shapes of a table of which two items may have one key (rule 1); none where nothing is pinned.

    See docs/modelling-rules.md.
    """
    items = [shape for shape in table.items if shape.inside is None]
    for one, other in combinations(items, 2):
        if all(may_agree(a, b) for a, b in _keys_of(table, one, other)):
            yield one, other


def _keys_of(table: Table, one: Shape, other: Shape) -> Iterator[tuple[str, str]]:
    for part in (table.key.partition, table.key.sort):
        if part is not None:
            yield (
                one.set.get(part.name, f"{{{part.name}}}"),
                other.set.get(part.name, f"{{{part.name}}}"),
            )
