"""Whether access patterns can be asked of the entities they name."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from designer.core.design.document import Attribute, Design, Entity
from designer.core.design.text import Path, shorten
from designer.core.design.wording import nearest
from designer.core.limits import LARGEST_NUMBER, TRANSACTION_ITEMS
from designer.core.patterns.base import (
    CHANGES,
    RANGE_OPERATORS,
    Change,
    Condition,
    Member,
    Ordered,
    Pattern,
    Read,
    SingleWrite,
    With,
    Write,
)
from designer.core.patterns.elsewhere import Elsewhere

Flaw = tuple[Path, str]

MOST_OPTIONAL = 6
"""Optional conditions of a pattern: each doubles the cases that are planned."""
_SETS = {"SS": "S", "NS": "N", "BS": "B"}


def unknown(what: str, name: str, known: Iterable[str], where: str | None = None) -> str:
    """There is no such thing, and what may have been meant.

    >>> unknown("attribute", "emial", ["email"], "User")
    'User has no attribute `emial`; did you mean `email`?'
    """
    choices = list(known)
    said = f"{where} has no {what} `{name}`" if where else f"there is no {what} `{name}`"
    listed = ", ".join(f"`{choice}`" for choice in choices[:8])
    instead = (
        f"; there {'is' if len(choices) == 1 else 'are'} {listed}"
        if choices
        else f"; add the {what} first"
    )
    return said + (nearest(name, choices) or instead + (", …" if len(choices) > 8 else ""))


def fits(attribute: Attribute, value: Any) -> str | None:
    """Why a constant is no value of an attribute; None when it is one, or when a scalar cannot
    show it."""
    shown = f"`{shorten(value)}`"
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if attribute.type == "S" and not isinstance(value, str):
        return f"{shown} is not text, and `{attribute.name}` has type S; put it in quotes"
    if attribute.type == "N" and not is_number:
        return f"{shown} is not a number, and `{attribute.name}` has type N"
    if attribute.type == "N" and not abs(value) < LARGEST_NUMBER:  # nor is what is not a number
        return f"{shown} is more than DynamoDB can store; write a number below 1e126"
    if attribute.type == "BOOL" and not isinstance(value, bool):
        return f"{shown} is neither true nor false, and `{attribute.name}` has type BOOL"
    if attribute.values is not None and attribute.type == "S" and value not in attribute.values:
        return (
            f"{shown} is not one of the values of "
            f"`{attribute.name}`{nearest(str(value), attribute.values)}"
        )
    return None


def beyond(attribute: Attribute, value: Any) -> str | None:
    """Why a constant that fits is not a number of the attribute's range; None when it is one."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if attribute.type != "N" or not is_number:
        return None
    for bound, side in ((attribute.minimum, "below"), (attribute.maximum, "above")):
        if bound is not None and (value < bound if side == "below" else value > bound):
            end = "minimum" if side == "below" else "maximum"
            return f"`{shorten(value)}` is {side} the {end} of `{attribute.name}`, {bound}"
    return None


def unwritable(attributes: list[Attribute], value: Any) -> str | None:
    """Why keys, which write a number with a fixed width, cannot hold a constant that fits; None when they can."""
    for attribute in attributes:
        digits, scale = attribute.padding
        scaled = abs(Decimal(str(value))).scaleb(scale) if attribute.type == "N" else Decimal(0)
        if scaled != scaled.to_integral_value() or scaled >= 10**digits:
            return (
                f"keys hold `{attribute.name}` with {digits} digits, {scale} of them after the decimal point, which "
                f"is too few for `{shorten(value)}`; state the `digits` and the `scale` of the attribute, or put the "
                "condition under `keep`"
            )
    return None


@dataclass
class _Parameters:
    """What the caller gives to one pattern: each name means one thing."""

    meaning: dict[str, tuple[str, bool, str]] = field(default_factory=dict)

    def use(self, name: str, kind: str, is_list: bool, about: str) -> str | None:
        """Note a use; says what is wrong when the name is used for something of another type."""
        before = self.meaning.setdefault(name, (kind, is_list, about))
        if before[1] != is_list:
            return (
                f"the parameter `{name}` is a list in one place and a single value in "
                "another; give one of them another name"
            )
        if before[0] != kind:
            return (
                f"the parameter `{name}` is of type {before[0]} ({before[2]}) and of type "
                f"{kind} ({about}); give one of them another name"
            )
        return None


def pattern_flaws(design: Design, pattern: Pattern) -> Iterator[Flaw]:
    """What is wrong with one pattern, with paths inside it."""
    if isinstance(pattern, Elsewhere):
        named = pattern.returns if isinstance(pattern.returns, tuple) else (pattern.returns,)
        for name in named:
            if name not in design.entity:
                yield ("returns",), unknown("entity", name, design.entity)
    elif isinstance(pattern, Read):
        yield from _read(design, pattern)
    elif isinstance(pattern, SingleWrite):
        yield from _single_write(design, pattern)
    elif isinstance(pattern, Write):
        yield from _transaction(design, pattern.changes)


# Reads


def _read(design: Design, pattern: Read) -> Iterator[Flaw]:
    entities: list[Entity] = []
    for i, name in enumerate(pattern.entities):
        path: Path = ("returns",) if isinstance(pattern.returns, str) else ("returns", i)
        entity = design.entity.get(name)
        if entity is None:
            yield path, unknown("entity", name, design.entity)
        elif entity in entities:
            yield path, f"`{name}` is named twice; name it once"
        else:
            entities.append(entity)
    if not entities:
        return
    parameters = _Parameters()
    for part in ("where", "keep"):
        for i, condition in enumerate(getattr(pattern, part)):
            for path, message in _condition(
                design, entities, condition, parameters, in_keys=part == "where"
            ):
                yield (part, i, *path), message
    yield from _order(design, entities, pattern)
    for i, name in enumerate(pattern.attributes or ()):
        found = [entity.by_name[name] for entity in entities if name in entity.by_name]
        if not found:
            yield ("attributes", i), unknown("attribute", name, _names(entities), _shown(entities))
        elif found[0].derived is not None:
            yield (
                ("attributes", i),
                f"`{name}` is derived and not stored; use the attribute that it is derived from",
            )
    along_already: set[str] = set()
    for i, along in enumerate(pattern.with_):
        if along.relationship in along_already:
            yield (
                ("with", i, "relationship"),
                f"`{along.relationship}` is included twice; name it once",
            )
        along_already.add(along.relationship)
        for path, message in _with(design, entities, along, parameters):
            yield ("with", i, *path), message
    if pattern.with_ and not pattern.returns_items:
        yield ("with",), "the result is a number, so it cannot include related items; remove `with`"
    if pattern.aggregate is not None:
        yield from _figure(entities, pattern)
    yield from _optional(pattern)
    if pattern.by_identifier:
        yield from _point(entities, pattern)


def _condition(
    design: Design,
    entities: list[Entity],
    condition: Condition,
    parameters: _Parameters,
    *,
    in_keys: bool = False,
) -> Iterator[Flaw]:
    """`in_keys`: keys may be chosen for it, so that they must be able to hold what it compares with."""
    found: list[Attribute] = []
    for entity in entities:
        there = follow(design, entity, condition.attribute)
        if isinstance(there, str):
            yield ("attribute",), there
            return
        found.append(there)
    attribute = found[0]
    if any(other.type != attribute.type for other in found):
        yield (
            ("attribute",),
            (
                f"`{condition.attribute}` has different types in "
                f"{', '.join(e.name for e in entities)}; give them one type"
            ),
        )
    is_ordered = condition.is_range and condition.begins_with is None
    if is_ordered and attribute.type not in ("S", "N", "B"):
        yield (
            ("attribute",),
            (
                f"`{condition.attribute}` has type {attribute.type}, which has no order; "
                "a range needs S, N or B"
            ),
        )
    if condition.begins_with is not None and attribute.type not in ("S", "B"):
        yield (
            ("begins_with",),
            f"`{condition.attribute}` has type {attribute.type}; only text has a prefix",
        )
    if condition.contains is not None and attribute.type not in ("S", "L", *_SETS):
        yield (
            ("contains",),
            (
                f"`{condition.attribute}` has type {attribute.type}; only text, lists and "
                "sets contain something"
            ),
        )
    for name in ("is_", "any_of", *RANGE_OPERATORS, "contains", "not_"):
        operand = getattr(condition, name)
        if operand is None:
            continue
        key = Condition.model_fields[name].alias or name
        kind = (
            _SETS.get(attribute.type, "S")
            if name == "contains" and attribute.type != "S"
            else attribute.type
        )
        if operand.param is not None:
            said = parameters.use(operand.param, kind, name == "any_of", condition.attribute)
            if said is not None:
                yield (key, "param"), said
        elif name == "any_of":
            parameters.use(condition.list_name, kind, True, condition.attribute)
            for i, value in enumerate(operand.value):
                said = fits(attribute, value) or beyond(attribute, value)
                said = said or (unwritable(found, value) if in_keys else None)
                if said is not None:
                    yield (key, "value", i), said
        elif name == "begins_with":
            if attribute.type == "S" and not isinstance(operand.value, str):
                yield (key, "value"), "a prefix is text; put it in quotes"
        elif name in ("is_", "not_") or (
            name != "contains" and (attribute.values is None or attribute.type == "N")
        ):
            said = fits(attribute, operand.value)
            if said is None and name in ("is_", "not_"):
                said = beyond(attribute, operand.value)
            if said is None and in_keys and name != "not_":
                said = unwritable(found, operand.value)
            if said is not None:
                yield (key, "value"), said
    if condition.optional and not list(condition.parameters):
        yield (
            ("optional",),
            (
                "this condition has no parameter that the caller could leave out; remove "
                "`optional`, or compare with a parameter"
            ),
        )


def follow(design: Design, entity: Entity, path: str) -> Attribute | str:
    """The attribute that a path leads to, or what is wrong with the path."""
    *through, last = path.split(".")
    for name in through:
        relationship = design.relationship.get(name)
        if relationship is None:
            return unknown("relationship", name, design.relationship)
        if relationship.child != entity.name or relationship.cardinality == "N:M":
            return (
                f"`{name}` does not lead from {entity.name} towards one other item; a "
                "path follows relationships from the many side to the one side"
            )
        if relationship.parent not in design.entity:
            return unknown("entity", relationship.parent, design.entity)
        entity = design.entity[relationship.parent]
    return entity.by_name.get(last) or unknown("attribute", last, entity.by_name, entity.name)


def _names(entities: list[Entity]) -> list[str]:
    return list(dict.fromkeys(name for entity in entities for name in entity.by_name))


def _shown(entities: list[Entity]) -> str:
    return (
        entities[0].name if len(entities) == 1 else "none of " + ", ".join(e.name for e in entities)
    )


def _order(design: Design, entities: list[Entity], ordered: Ordered) -> Iterator[Flaw]:
    seen: set[str] = set()
    for i, order in enumerate(ordered.orders):
        for entity in entities:
            attribute = follow(design, entity, order.attribute)
            if isinstance(attribute, str):
                yield ("order", i), attribute
                break
            if attribute.type not in ("S", "N", "B"):
                yield (
                    ("order", i),
                    (
                        f"`{order.attribute}` has type {attribute.type}, which has no "
                        "order; choose one of type S, N or B"
                    ),
                )
                break
        if order.attribute in seen:
            yield ("order", i), f"`{order.attribute}` is named twice; name it once"
        seen.add(order.attribute)


def _with(
    design: Design, entities: list[Entity], along: With, parameters: _Parameters
) -> Iterator[Flaw]:
    relationship = design.relationship.get(along.relationship)
    if relationship is None:
        yield ("relationship",), unknown("relationship", along.relationship, design.relationship)
        return
    returned = {entity.name for entity in entities}
    sides = relationship.parents
    if returned & set(sides):
        target = design.entity.get(relationship.child)
    elif relationship.child in returned and len(sides) == 1:
        target = design.entity.get(relationship.parent)
    elif relationship.child in returned:
        yield (
            ("relationship",),
            (
                f"`{along.relationship}` leads from {relationship.child} to "
                f"{sides[0]} and to {sides[1]}; "
                "name a relationship with one of them: `one` that side, `many` this one"
            ),
        )
        return
    else:
        yield (
            ("relationship",),
            (
                f"`{along.relationship}` joins {_joined(sides, relationship.child)}, not "
                f"{', '.join(sorted(returned))}; choose a relationship of what is returned"
            ),
        )
        return
    if target is None:
        return  # the relationship itself is reported
    for i, name in enumerate(along.attributes or ()):
        if name not in target.by_name:
            yield ("attributes", i), unknown("attribute", name, target.by_name, target.name)
    for i, condition in enumerate(along.keep):
        for path, message in _condition(design, [target], condition, parameters):
            yield ("keep", i, *path), message
    yield from _order(design, [target], along)


def _joined(sides: tuple[str, ...], child: str) -> str:
    return " and ".join(dict.fromkeys((*sides, child)))


def _figure(entities: list[Entity], pattern: Read) -> Iterator[Flaw]:
    for figure in ("sum", "greatest", "least"):
        name = getattr(pattern.aggregate, figure)
        for entity in entities if name is not None else ():
            attribute = entity.by_name.get(name)
            if attribute is None:
                yield ("result", figure), unknown("attribute", name, entity.by_name, entity.name)
            elif attribute.type not in (("N",) if figure == "sum" else ("S", "N")):
                yield (
                    ("result", figure),
                    (
                        f"{entity.name}.{name} has type {attribute.type}; a {figure} "
                        "needs numbers (type N)"
                    ),
                )
    if pattern.attributes is not None:
        yield ("attributes",), "the result is a number, not items; remove `attributes`"


def _optional(pattern: Read) -> Iterator[Flaw]:
    conditions = [(("where", i), c) for i, c in enumerate(pattern.where)]
    conditions += [(("keep", i), c) for i, c in enumerate(pattern.keep)]
    optional = {name for _, c in conditions if c.optional for name in c.parameters}
    for path, condition in conditions:
        for name in sorted(optional & set(condition.parameters)):
            if not condition.optional:
                yield (
                    path,
                    (
                        f"the parameter `{name}` is optional in another condition and "
                        "needed here; give one of them another name"
                    ),
                )
    if sum(condition.optional for _, condition in conditions) > MOST_OPTIONAL:
        yield (
            ("where",),
            f"a pattern has at most {MOST_OPTIONAL} optional conditions; split it into several patterns",
        )


def _point(entities: list[Entity], pattern: Read) -> Iterator[Flaw]:
    if len(entities) > 1:
        yield (
            ("returns",),
            "items are found by the identifier of one entity; use kind `list` for several entities",
        )
        return
    entity = entities[0]
    needed = [c for c in pattern.where if not c.optional]
    single = {c.attribute for c in needed if c.is_ is not None}
    listed = [c.attribute for c in needed if c.any_of is not None]
    keys = [set(entity.identifier), *(set(unique.names) for unique in entity.uniques)]
    identifier = ", ".join(f"`{name}`" for name in entity.identifier)
    also = _or_what_is_unique(entity)
    if pattern.returns_one:
        if not any(key <= single for key in keys):
            yield (
                ("where",),
                (
                    f"one {entity.name} is found by {identifier}{also} given exactly; otherwise "
                    "ask for a list, or mark what is given as unique"
                ),
            )
    elif len(listed) != 1 or not any(
        set(listed) <= key and key <= {*single, *listed} for key in keys
    ):
        yield (
            ("where",),
            (
                f"several {entity.name} items are found by {identifier}{also} of which one "
                "is given as several values; otherwise ask for a list"
            ),
        )


# Writes


def _single_write(design: Design, pattern: SingleWrite) -> Iterator[Flaw]:
    entity = design.entity.get(pattern.entity)
    if entity is None:
        yield ("entity",), unknown("entity", pattern.entity, design.entity)
        return
    where = pattern.collection
    parameters = _Parameters()
    if where:
        for name in ("by", "given", "if", "or", "times"):
            if getattr(pattern, f"{name}_" if name in ("if", "or") else name):
                yield (
                    (name,),
                    (
                        f"`where` deletes every item that meets it, so `{name}` has no "
                        "place here; remove one of the two"
                    ),
                )
        for i, condition in enumerate(where):
            for path, message in _condition(design, [entity], condition, parameters, in_keys=True):
                yield ("where", i, *path), message
            if condition.optional:
                yield (
                    ("where", i, "optional"),
                    "a delete has no optional conditions; remove `optional`",
                )
        return
    yield from _change(design, entity, pattern.kind, pattern, parameters)


_FIELDS = {
    "create": ("set", "times", "each"),
    "upsert": ("set", "if", "or", "times", "each"),
    "update": (
        "by",
        "given",
        *CHANGES,
        "if",
        "or",
        "times",
        "each",
    ),
    "delete": ("by", "given", "if", "or", "times", "each"),
    "check": ("by", "given", "if", "or", "times", "each"),
}


def _change(
    design: Design, entity: Entity, verb: str, change: Change, parameters: _Parameters
) -> Iterator[Flaw]:
    """One item's change; `parameters` are those it shares with others."""
    for name in _FIELDS["update"]:
        is_stated = getattr(change, f"{name}_" if name in ("if", "or") else name)
        if is_stated and name not in _FIELDS[verb] and name != "times":
            yield (name,), f"`{name}` has no place in a {verb}; {_INSTEAD.get(verb, 'remove it')}"
            return
    if change.each is not None and change.times is None:
        yield ("each",), "`each` names the rows of `times`; say how many with `times`, or remove it"
    if change.or_ and not change.if_:
        yield ("or",), "`or` states alternatives to `if`; write the first one as `if`"
    if verb in ("create", "upsert"):
        yield from _whole(entity, change, parameters)
        yield from _tested(design, entity, change, parameters)
        return
    yield from _addressed(entity, change, parameters)
    yield from _changed(entity, change, parameters)
    if verb == "update" and not change.written:
        yield (), "the update changes nothing; give `set`, `remove`, `add` or `greatest`"
    yield from _tested(design, entity, change, parameters)


def _tested(
    design: Design, entity: Entity, change: Change, parameters: _Parameters
) -> Iterator[Flaw]:
    """`if` and `or`: what must hold of the item as it is."""
    places: list[tuple[Path, Condition]] = [(("if", i), c) for i, c in enumerate(change.if_)]
    places += [(("or", at, i), c) for at, way in enumerate(change.or_) for i, c in enumerate(way)]
    for path, condition in places:
        if "." in condition.attribute:
            yield (
                (*path, "attribute"),
                (
                    "a write's condition tests the item itself; name one of its "
                    "attributes, or add a `check` to a transaction"
                ),
            )
            continue
        if condition.optional:
            yield (*path, "optional"), "a write has no optional conditions; remove `optional`"
        for inner, message in _condition(design, [entity], condition, parameters):
            yield (*path, *inner), message
        if entity.by_name.get(condition.attribute, _STORED).derived is not None:
            yield (
                (*path, "attribute"),
                (
                    f"`{condition.attribute}` is derived and not stored; compare the attribute that it "
                    f"is derived from"
                ),
            )
        new = change.set.get(condition.attribute)
        if condition.is_ and new and new.param is not None and condition.is_.param == new.param:
            yield (
                (*path, "is", "param"),
                (
                    f"`{new.param}` is the new value in `set` and the old one here; give "
                    "one of them another name"
                ),
            )


_INSTEAD = {
    "create": (
        "a new item is written whole, from a parameter for each attribute or a constant in `set`"
    ),
    "upsert": (
        "the item is written whole, from a parameter for each attribute or a constant in `set`"
    ),
    "delete": "a deleted item has nothing to change",
    "check": "a check changes nothing",
}
_STORED = Attribute(name="any")


def _whole(entity: Entity, change: Change, parameters: _Parameters) -> Iterator[Flaw]:
    for name, operand in change.set.items():
        attribute = entity.by_name.get(name)
        if attribute is None:
            yield ("set", name), unknown("attribute", name, entity.by_name, entity.name)
        elif attribute.derived is not None:
            yield (
                ("set", name),
                f"`{name}` is derived and not stored; set the attribute that it is derived from",
            )
        elif operand.param is not None:
            said = parameters.use(operand.param, attribute.type, False, f"{entity.name}.{name}")
            if said is not None:
                yield ("set", name, "param"), said
        elif (
            said := fits(attribute, operand.value) or beyond(attribute, operand.value)
        ) is not None:
            yield ("set", name, "value"), said
    for attribute in entity.stored:
        if attribute.name not in change.set:
            said = parameters.use(
                attribute.name, attribute.type, False, f"{entity.name}.{attribute.name}"
            )
            if said is not None:
                yield (), said + ", with `set`"


def _quoted(names: Iterable[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _or_what_is_unique(entity: Entity) -> str:
    """The first other way to name one item, after the identifier; empty where there is none."""
    for unique in entity.uniques[:1]:
        together = "which are unique together" if unique.within else "which is unique"
        return f", or {_quoted(unique.names)}, {together},"
    return ""


def _addressed(entity: Entity, change: Change, parameters: _Parameters) -> Iterator[Flaw]:
    """`by` and `given`: the item, and what the caller knows of it."""
    for key in ("by", "given"):
        named = getattr(change, key)
        if len(set(named)) < len(named):
            yield (key,), f"`{key}` names an attribute twice; name it once"
            return
    identifying = set(change.by or entity.identifier)
    unknown_names = [name for name in change.by if name not in entity.by_name]
    for name in unknown_names:
        yield ("by",), unknown("attribute", name, entity.by_name, entity.name)
    if change.by and not unknown_names:
        is_unique = any(set(change.by) == set(unique.names) for unique in entity.uniques)
        if set(change.by) != set(entity.identifier) and not is_unique:
            identifier = ", ".join(f"`{name}`" for name in entity.identifier)
            ways = [_quoted(unique.names) for unique in entity.uniques]
            also = f", or by what is unique: {', or '.join(ways)}" if ways else ""
            yield (
                ("by",),
                (
                    f"a {entity.name} is identified by {identifier}{also}; name that in "
                    "`by`, and the rest in `given`"
                ),
            )
    for i, name in enumerate(change.given):
        attribute = entity.by_name.get(name)
        if attribute is None:
            yield ("given", i), unknown("attribute", name, entity.by_name, entity.name)
        elif attribute.derived is not None:
            yield (
                ("given", i),
                f"`{name}` is derived and not stored; give the attribute that it is derived from",
            )
        elif name in identifying:
            yield ("given", i), f"`{name}` identifies the item already; remove it here"
    for name in (*(change.by or entity.identifier), *change.given):
        if name in entity.by_name:
            said = parameters.use(name, entity.by_name[name].type, False, f"{entity.name}.{name}")
            if said is not None:
                yield ("by" if name in identifying else "given",), said


def _changed(entity: Entity, change: Change, parameters: _Parameters) -> Iterator[Flaw]:
    """`set`, `remove`, `add`, `greatest` and what is done with elements: what becomes of the item."""
    touched: set[str] = set()
    known = {*change.by, *change.given}
    values: dict[str, Mapping[str, Any]] = {
        "set": change.set,
        "add": change.add,
        "greatest": change.greatest,
        "append": change.append,
        "include": change.include,
        "exclude": change.exclude,
    }
    fields: list[tuple[str, str, Path]] = [
        (key, name, (key, name)) for key, named in values.items() for name in named
    ]
    fields += [("remove", name, ("remove", i)) for i, name in enumerate(change.remove)]
    for key, name, path in fields:
        attribute = entity.by_name.get(name)
        if attribute is None:
            yield path, unknown("attribute", name, entity.by_name, entity.name)
            continue
        if name in touched:
            yield path, f"`{name}` is changed twice; keep one of the changes"
        touched.add(name)
        if name in entity.identifier:
            yield (
                path,
                (
                    f"`{name}` identifies the {entity.name} and never changes; delete the "
                    "item and create another"
                ),
            )
            continue
        if attribute.derived is not None:
            yield (
                path,
                f"`{name}` is derived and not stored; change the attribute that it is derived from",
            )
            continue
        if key == "add" and attribute.type != "N":
            yield path, f"`{name}` has type {attribute.type}; only numbers can be added to"
            continue
        if key == "greatest" and attribute.type not in ("S", "N"):
            yield (
                path,
                f"`{name}` has type {attribute.type}; `greatest` is for numbers and text",
            )
            continue
        if key == "append" and attribute.type != "L":
            yield (
                path,
                f"`{name}` has type {attribute.type}; only a list (type L) can be appended to",
            )
            continue
        if key in ("include", "exclude") and attribute.type not in _SETS:
            yield (
                path,
                f"`{name}` has type {attribute.type}; only sets (type SS, NS or BS) can gain or lose "
                f"elements",
            )
            continue
        if key == "remove":
            continue
        operand = values[key][name]
        parameter = (
            operand
            if isinstance(operand, str)
            else operand.param or getattr(operand, "minus", None)
        )
        if parameter is None:
            said = fits(attribute, operand.value)
            if said is None and key == "set":
                said = beyond(attribute, operand.value)
            if said is not None:
                yield (*path, "value"), said
            continue
        if parameter == name and name in known:
            new = f"new{name[:1].upper()}{name[1:]}"
            yield (
                path,
                (
                    f"the parameter `{name}` is the value as it is now (in `by` or "
                    f"`given`) and the new one; name the new one `{new}`"
                ),
            )
            continue
        said = parameters.use(parameter, attribute.type, False, f"{entity.name}.{name}")
        if said is not None:
            yield path, said


# Transactions


def _transaction(design: Design, members: tuple[Member, ...]) -> Iterator[Flaw]:
    shared = _Parameters()
    rows: dict[str, int] = {}
    of_rows: dict[str, _Parameters] = {}
    items: dict[tuple[object, ...], int] = {}
    # Members without `times` come first: their parameters are the whole transaction's.
    for i in sorted(range(len(members)), key=lambda at: members[at].times is not None):
        member = members[i]
        path: Path = ("members", i)
        entity = design.entity.get(member.entity)
        if entity is None:
            yield (*path, member.verb), unknown("entity", member.entity, design.entity)
            continue
        each = None if member.times is None else member.each or entity.name
        parameters = shared
        if each is not None:
            first = members[rows.setdefault(each, i)]
            if first.times != member.times:
                yield (
                    (*path, "times"),
                    f"members with the rows `{each}` have one `times`; make them equal, or name other rows with `each`",
                )
            parameters = of_rows.setdefault(each, _Parameters(dict(shared.meaning)))
        for inner, message in _change(design, entity, member.verb, member, parameters):
            yield (*path, *inner), message
        if member.verb == "delete" and member.exists is not None:
            yield (*path, "exists"), "only a `check` has `exists`; remove it"
        same = (entity.name, each, _identity(entity, member))
        if same in items:
            yield (
                path,
                (
                    f"this writes the same {entity.name} as member {items[same] + 1}; "
                    "a transaction can write an item only once, so state everything in one member"
                ),
            )
        items.setdefault(same, i)
    for each in rows:
        if each in shared.meaning:
            yield (
                ("members", rows[each], "each"),
                f"`{each}` is already a parameter; give the rows another name with `each`",
            )
    most = sum(member.times.most if member.times else 1 for member in members)
    if most > TRANSACTION_ITEMS:
        yield (
            ("members",),
            (
                f"the transaction touches up to {most:,} items; the limit is {TRANSACTION_ITEMS}; lower "
                f"`most`, or split it into several patterns"
            ),
        )


def _identity(entity: Entity, member: Member) -> tuple[object, ...]:
    """What the parameters say about which item it is."""
    named = member.by or entity.identifier
    given = [
        (name, member.set[name])
        if name in member.set and member.verb in ("create", "upsert")
        else (name, name)
        for name in named
    ]
    return tuple(sorted(given, key=lambda pair: pair[0]))
