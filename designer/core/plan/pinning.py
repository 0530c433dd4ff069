"""Pins for people: what a plan has, said as a pin, so that a form can begin with it; and what a pin says, in words."""

import re
from collections.abc import Iterable

from designer.core.design.settings import Pin, PinnedKey
from designer.core.messages import Message, say, text
from designer.core.plan import Decision, Index, KeyAttribute, Plan, Shape, Table
from designer.core.plan.keys import names

HELD = {
    "keys-only": "only its keys",
    "include": "what its access patterns need",
    "all": "everything",
}
"""What an index holds, for each projection that a pin can name."""
OWN = ("entity", "edge")
"""Roles of the items that are an entity's own, and not made for it."""
_PROJECTIONS = {"KEYS_ONLY": "keys-only", "ALL": "all"}
_OWN_WORK = re.compile(r"\{(?:pad\(\d+, \d+, |text\()(\w+)\)\}|\{(?:when|absent)\(\w+\)\}")
"""What the planner adds to a pinned template by itself: `{pad(8, 2, price)}` is pinned as `{price}`. What is in an
index only when an attribute is there, or is not, has that in its key, so that the other key waits for it."""


def pin_of(plan: Plan, about: str) -> Pin | None:
    """What the plan has, as a pin of its style; None when it has no such thing.

    `about` is as in a decision: `key Order`, `index shop/GSI1`, `pattern 7`, `table shop`; after an index there may
    stand the entity whose keys in it are meant, else they are those of the first.
    """
    kind, _, name = about.partition(" ")
    found: Pin | None = None
    if kind == "key":
        found = _of_key(plan, name)
    elif kind == "index":
        place, _, entity = name.partition(" ")
        found = _of_index(plan, place, entity)
    elif kind == "pattern" and name.isdecimal():
        found = _of_pattern(plan, int(name))
    elif kind == "table":
        found = _of_table(plan, name)
    return found


def pinnable(decision: Decision) -> str:
    """What `pin_of` is asked for, to pin what was decided; empty for what no pin says."""
    kind = decision.about.partition(" ")[0]
    if kind == "index":
        return f"{decision.about} {decision.chosen.values.get('entity', '')}"
    return decision.about if kind == "key" else ""


def pin_words(pin: Pin) -> tuple[str, tuple[str, ...]]:
    """(what a pin is about, what it says of that).

    >>> pin_words(Pin(entity="Order", key=PinnedKey(partition="U#{userId}")))
    ('Key of Order', ('partition key U#{userId}',))
    """
    said: list[str] = []
    if pin.key is not None:
        said += [f"{part} key {text}" for part, text in _parts(pin.key) if text is not None]
    if pin.names is not None:
        said += [
            f"{part} key attribute {text}" for part, text in _parts(pin.names) if text is not None
        ]
    if pin.pattern is not None and pin.index is not None:
        said.append(f"answered by index {pin.index}")
    if pin.projection is not None:
        said.append(f"holds {HELD[pin.projection]}")
    if pin.name is not None:
        what = "index" if pin.index or pin.pattern else "table"
        said.append(f"{what} called {pin.name}")
    return text(_about(pin)), tuple(said)


def _about(pin: Pin) -> Message:
    if pin.pattern is not None:
        return say("pinned-pattern", pattern=pin.pattern)
    if pin.table is not None:
        return say("pinned-together", entities=pin.table)
    entity = str(pin.entity)
    if pin.index is not None:
        return say("pinned-index", index=pin.index, entity=entity)
    has_key = any(part is not None for of in (pin.key, pin.names) if of for _, part in _parts(of))
    return say("pinned-key" if has_key else "pinned-table", entity=entity)


def pin_beside(pins: Iterable[Pin], like: Pin) -> Pin | None:
    """The pin about the same as another one, in its style: that of this style alone before one of all."""
    about = pin_words(like)[0]
    found = [pin for pin in pins if pin_words(pin)[0] == about and pin.style in (None, like.style)]
    return min(found, key=lambda pin: pin.style is None, default=None)


def pin_message(pin: Pin) -> Message:
    """What a pin says: "Key of Order: partition U#{userId}"."""
    _, says = pin_words(pin)
    return say("pin-says", about=_about(pin), says=says) if says else _about(pin)


def pin_text(pin: Pin) -> str:
    """The same in words."""
    return text(pin_message(pin))


def _parts(of: object) -> list[tuple[str, str | None]]:
    return [(part, getattr(of, part)) for part in ("partition", "sort")]


def _of_key(plan: Plan, entity: str) -> Pin | None:
    for table in plan.tables:
        for shape in table.items:
            if shape.shape == entity and shape.role in OWN:
                sort = table.key.sort
                key = PinnedKey(
                    partition=_text(shape, table.key.partition),
                    sort=_text(shape, sort) if sort else None,
                )
                return Pin(style=plan.style, entity=entity, key=key)
    return None


def _of_index(plan: Plan, place: str, entity: str) -> Pin | None:
    for table, index in _indexes(plan):
        shape = _shape_in(table, index, entity)
        if f"{table.name}/{index.name}" == place and shape is not None:
            one = len(index.partition) == 1 and len(index.sort) <= 1
            key = PinnedKey(
                partition=_text(shape, index.partition[0]),
                sort=_text(shape, index.sort[0]) if index.sort else None,
            )
            sort = index.sort[0].name if one and index.sort else ""
            # In a shared index a lone attribute is itself, and not its text, where the key is called so.
            is_own = one and plan.style != "multi" and sort not in ("", *shape.set)
            return Pin.model_validate(
                {
                    "style": plan.style,
                    "entity": shape.entity,
                    "index": index.name,
                    "key": key.model_dump() if one else None,
                    "names": {"sort": sort} if is_own else None,
                    "projection": _projection(shape, index),
                }
            )
    return None


def _projection(shape: Shape, index: Index) -> str | None:
    """What an index holds, as a pin says it; None if it includes no more than an item's type and what its keys are made
    of. The planner adds these by itself, also to what holds only its keys."""
    spelled = (name for template in shape.set.values() for name in names(template))
    if index.projection.type == "INCLUDE":
        return "include" if set(index.projection.attributes) - {*shape.set, *spelled} else None
    return _PROJECTIONS[index.projection.type]


def _of_pattern(plan: Plan, number: int) -> Pin | None:
    operations = plan.operations_for(number)
    # The index that finds what is asked for first; what others find is got along with it. A deletion asks for nothing.
    reads = [
        step for operation in operations if not operation.until_none for step in operation.steps
    ]
    first = reads[0].index if reads else None
    return Pin(style=plan.style, pattern=number, index=first) if operations else None


def _of_table(plan: Plan, name: str) -> Pin | None:
    for table in plan.tables:
        own = (shape.entity for shape in table.items if shape.role in OWN)
        entities = tuple(dict.fromkeys(own))
        if table.name == name and entities:
            if len(entities) == 1:
                return Pin(style=plan.style, entity=entities[0], name=name)
            return Pin(style=plan.style, table=entities, name=name)
    return None


def _indexes(plan: Plan) -> list[tuple[Table, Index]]:
    return [(table, index) for table in plan.tables for index in table.indexes]


def _shape_in(table: Table, index: Index, entity: str) -> Shape | None:
    """The shape of an entity (of the first one, when none is named) whose items are in an index."""
    keys = [attribute.name for attribute in (*index.partition, *index.sort)]
    for shape in table.items:
        carried = {*shape.set, *shape.attributes}
        if shape.entity == (entity or shape.entity) and all(key in carried for key in keys):
            return shape
    return None


def _text(shape: Shape, key: KeyAttribute) -> str:
    return pinned_text(shape.set.get(key.name, f"{{{key.name}}}"))


def pinned_text(template: str) -> str:
    """A key template of a plan as a pin says it."""
    return _OWN_WORK.sub(lambda part: f"{{{part[1]}}}" if part[1] else "", template)
