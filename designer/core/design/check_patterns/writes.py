"""Whether the change of one item says which item, and what of it may change."""

from collections.abc import Iterator, Mapping
from typing import Any

from designer.core.design.attributes import Attribute
from designer.core.design.check_patterns.conditions import Parameters, condition_flaws
from designer.core.design.check_patterns.flaws import unknown
from designer.core.design.check_patterns.values import SETS, beyond, fits
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.text import Flaw, Path
from designer.core.messages import say
from designer.core.patterns.base import CHANGES, VERBS, Change, Condition, SingleWrite


def single_write_flaws(design: Design, pattern: SingleWrite) -> Iterator[Flaw]:
    """What is wrong with a write of one item or of all that meet `where`, with paths inside it."""
    entity = design.entity.get(pattern.entity)
    if entity is None:
        yield ("entity",), unknown("entity", pattern.entity, design.entity)
        return
    where = pattern.collection
    parameters = Parameters()
    if where:
        for name in ("by", "given", "if", "or", "times"):
            if getattr(pattern, f"{name}_" if name in ("if", "or") else name):
                yield (
                    (name,),
                    say("no-place-with-where", field=name),
                )
        for i, condition in enumerate(where):
            for path, message in condition_flaws(
                design, [entity], condition, parameters, in_keys=True
            ):
                yield ("where", i, *path), message
            if condition.optional:
                yield (
                    ("where", i, "optional"),
                    say("optional-in-delete"),
                )
        return
    yield from change_flaws(design, entity, pattern.kind, pattern, parameters)


_FIELDS = ("by", "given", *CHANGES, "if", "or", "times", "each")


def change_flaws(
    design: Design, entity: Entity, verb: str, change: Change, parameters: Parameters
) -> Iterator[Flaw]:
    """One item's change; `parameters` are those it shares with others."""
    for name in _FIELDS:
        is_stated = getattr(change, f"{name}_" if name in ("if", "or") else name)
        if is_stated and name not in VERBS[verb].fields and name != "times":
            yield (
                (name,),
                say(
                    "no-place-in-verb",
                    field=name,
                    verb=verb,
                    remedy=_INSTEAD.get(verb, say("remove-it")),
                ),
            )
            return
    if change.each is not None and change.times is None:
        yield ("each",), say("each-without-times")
    if change.or_ and not change.if_:
        yield ("or",), say("or-without-if")
    if VERBS[verb].writes_whole:
        yield from _whole(entity, change, parameters)
        yield from _tested(design, entity, change, parameters)
        return
    yield from _addressed(entity, change, parameters)
    yield from _changed(entity, change, parameters)
    if verb == "update" and not change.written:
        yield (), say("changes-nothing")
    yield from _tested(design, entity, change, parameters)


def _tested(
    design: Design, entity: Entity, change: Change, parameters: Parameters
) -> Iterator[Flaw]:
    """`if` and `or`: what must hold of the item as it is."""
    places: list[tuple[Path, Condition]] = [(("if", i), c) for i, c in enumerate(change.if_)]
    places += [(("or", at, i), c) for at, way in enumerate(change.or_) for i, c in enumerate(way)]
    for path, condition in places:
        if "." in condition.attribute:
            yield (
                (*path, "attribute"),
                say("tests-another-item"),
            )
            continue
        if condition.optional:
            yield (*path, "optional"), say("optional-in-write")
        for inner, message in condition_flaws(design, [entity], condition, parameters):
            yield (*path, *inner), message
        if entity.by_name.get(condition.attribute, _STORED).derived is not None:
            yield (
                (*path, "attribute"),
                say("compare-source-of-derived", name=condition.attribute),
            )
        new = change.set.get(condition.attribute)
        if condition.is_ and new and new.param is not None and condition.is_.param == new.param:
            yield (
                (*path, "is", "param"),
                say("new-and-old", name=new.param),
            )


_INSTEAD = {
    "create": say("new-item-is-written-whole"),
    "upsert": say("item-is-written-whole"),
    "delete": say("deleted-has-nothing-to-change"),
    "check": say("check-changes-nothing"),
}
_STORED = Attribute(name="any")


def _whole(entity: Entity, change: Change, parameters: Parameters) -> Iterator[Flaw]:
    for name, operand in change.set.items():
        attribute = entity.by_name.get(name)
        if attribute is None:
            yield ("set", name), unknown("attribute", name, entity.by_name, entity.name)
        elif attribute.derived is not None:
            yield (
                ("set", name),
                say("set-source-of-derived", name=name),
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
                yield (), say("with-set", problem=said)


def _addressed(entity: Entity, change: Change, parameters: Parameters) -> Iterator[Flaw]:
    """`by` and `given`: the item, and what the caller knows of it."""
    for key in ("by", "given"):
        named = getattr(change, key)
        if len(set(named)) < len(named):
            yield (key,), say("attribute-twice", field=key)
            return
    identifying = set(change.by or entity.identifier)
    unknown_names = [name for name in change.by if name not in entity.by_name]
    for name in unknown_names:
        yield ("by",), unknown("attribute", name, entity.by_name, entity.name)
    if change.by and not unknown_names:
        is_unique = any(set(change.by) == set(unique.names) for unique in entity.uniques)
        if set(change.by) != set(entity.identifier) and not is_unique:
            known_by = say("names", names=entity.identifier)
            if entity.uniques:
                ways = tuple(say("all-of-names", names=one.names) for one in entity.uniques)
                known_by = say("names-or-by-unique", names=entity.identifier, ways=ways)
            yield (
                ("by",),
                say("not-identified-by", entity=entity.name, known_by=known_by),
            )
    for i, name in enumerate(change.given):
        attribute = entity.by_name.get(name)
        if attribute is None:
            yield ("given", i), unknown("attribute", name, entity.by_name, entity.name)
        elif attribute.derived is not None:
            yield (
                ("given", i),
                say("give-source-of-derived", name=name),
            )
        elif name in identifying:
            yield ("given", i), say("identifies-already", name=name)
    for name in (*(change.by or entity.identifier), *change.given):
        if name in entity.by_name:
            said = parameters.use(name, entity.by_name[name].type, False, f"{entity.name}.{name}")
            if said is not None:
                yield ("by" if name in identifying else "given",), said


def _changed(entity: Entity, change: Change, parameters: Parameters) -> Iterator[Flaw]:
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
            yield path, say("changed-twice", name=name)
        touched.add(name)
        if name in entity.identifier:
            yield (
                path,
                say("changes-identifier", name=name, entity=entity.name),
            )
            continue
        if attribute.derived is not None:
            yield (
                path,
                say("change-source-of-derived", name=name),
            )
            continue
        if key == "add" and attribute.type != "N":
            yield path, say("add-to-number", name=name, type=attribute.type)
            continue
        if key == "greatest" and attribute.type not in ("S", "N"):
            yield (
                path,
                say("greatest-type", name=name, type=attribute.type),
            )
            continue
        if key == "append" and attribute.type != "L":
            yield (
                path,
                say("append-to-list", name=name, type=attribute.type),
            )
            continue
        if key in ("include", "exclude") and attribute.type not in SETS:
            yield (
                path,
                say("elements-of-set", name=name, type=attribute.type),
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
                say("now-and-new", name=name, new=new),
            )
            continue
        said = parameters.use(parameter, attribute.type, False, f"{entity.name}.{name}")
        if said is not None:
            yield path, said
