"""Whether the parts of a design hang together: names that are there, rules that can be kept.

A design may be unwise and still load (that is a finding); what stands here makes it impossible to
plan or to prove.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from designer.core.design.attributes import KEY_TYPES, Attribute
from designer.core.design.bounds import excesses
from designer.core.design.check_patterns import pattern_flaws
from designer.core.design.check_patterns.flaws import unknown
from designer.core.design.check_patterns.values import beyond, fits
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.design.ids import identified
from designer.core.design.pins import pin_flaws
from designer.core.design.scopes import unfit_scopes
from designer.core.design.text import MAX_PROBLEMS, Flaw, Path, place
from designer.core.design.wording import close_to
from designer.core.design.write import plain
from designer.core.errors import Problem
from designer.core.messages import say


def check(design: Design) -> tuple[Problem, ...]:
    """What keeps a design from being planned, each with its place and a remedy; empty when nothing does.

    The first fifty; who needs to know whether there are more asks `flaws`.
    """
    found = flaws(design)[:MAX_PROBLEMS]
    data = plain(design) if found else {}
    return tuple(Problem(place(path, data), message) for path, message in found)


def flaws(design: Design) -> list[Flaw]:
    """The same as paths in the design, and one more than are said where there are more."""
    found = (flaw for rule in _RULES for flaw in rule(design))
    return list(islice(excesses(design), MAX_PROBLEMS + 1)) or list(islice(found, MAX_PROBLEMS + 1))


def _names(design: Design) -> Iterator[Flaw]:
    names = [entity.name.casefold() for entity in design.entities]
    first = {name: names.index(name) for name in set(names)}
    yield from _twice(
        (
            (("entities", i, "name"), e.name.casefold(), e.name)
            for i, e in enumerate(design.entities)
        ),
        "entity-name-taken",
    )
    yield from _twice(
        (
            (("entities", i, "prefix" if e.prefix else "name"), e.token, e.token)
            for i, e in enumerate(design.entities)
            if e.prefix or first[e.name.casefold()] == i
        ),
        "prefix-taken",
    )
    for at, entity in enumerate(design.entities):
        yield from _twice(
            (
                (("entities", at, "attributes", i, "name"), a.name, a.name)
                for i, a in enumerate(entity.attributes)
            ),
            "attribute-name-taken",
            entity=entity.name,
        )
    yield from _twice(
        (
            (("relationships", i, "name"), r.name.casefold(), r.name)
            for i, r in enumerate(design.relationships)
        ),
        "relationship-name-taken",
    )
    yield from _twice(
        ((("patterns", i, "number"), p.number, p.number) for i, p in enumerate(design.patterns)),
        "number-taken",
    )
    yield from _twice(
        (
            ((*path, "id"), part.id, part.id)
            for path, part in identified(design)
            if part.id is not None
        ),
        "id-taken",
    )


def _twice(
    parts: Iterable[tuple[Path, object, str | int]], id: str, **values: str
) -> Iterator[Flaw]:
    seen: set[object] = set()
    for path, same, shown in parts:
        if same in seen:
            yield path, say(id, name=shown, **values)
        seen.add(same)


def _entities(design: Design) -> Iterator[Flaw]:
    for at, entity in enumerate(design.entities):
        here: Path = ("entities", at)
        yield from _identifier(entity, here)
        if sum(attribute.ttl for attribute in entity.attributes) > 1:
            named = tuple(a.name for a in entity.attributes if a.ttl)
            yield (
                here,
                say("several-ttls", entity=entity.name, names=named),
            )
        tenant = entity.needs.tenant if entity.needs else None
        if tenant is not None and tenant not in entity.by_name:
            yield (
                (*here, "needs", "tenant"),
                unknown("attribute", tenant, entity.by_name, entity.name),
            )
        for i, attribute in enumerate(entity.attributes):
            for field, message in _attribute(design, entity, attribute):
                yield (*here, "attributes", i, *field), message


def _identifier(entity: Entity, here: Path) -> Iterator[Flaw]:
    for i, name in enumerate(entity.identifier):
        path = (*here, "identifier", i)
        attribute = entity.by_name.get(name)
        if name in entity.identifier[:i]:
            yield path, say("identifier-twice", name=name)
        elif attribute is None:
            problem = say("list-it-under-attributes", entity=entity.name, name=name)
            if close_to(name, entity.by_name) is not None:
                problem = unknown("attribute", name, entity.by_name, entity.name)
            yield path, problem
        elif attribute.type not in KEY_TYPES:
            yield (
                path,
                say("identifier-type", name=name, type=attribute.type),
            )
        elif attribute.derived is not None:
            yield path, say("identifier-derived", name=name)
        elif attribute.aggregate is not None:
            yield (
                path,
                say("identifier-aggregate", name=name),
            )
        elif attribute.present < 1:
            yield (
                path,
                say("identifier-missing", name=name),
            )


def _attribute(design: Design, entity: Entity, attribute: Attribute) -> Iterator[Flaw]:
    if attribute.refers_to is not None:
        name, _, target = attribute.refers_to.partition(".")
        other = design.entity.get(name)
        if other is None:
            yield ("refers_to",), unknown("entity", name, design.entity)
        elif target not in other.by_name:
            yield ("refers_to",), unknown("attribute", target, other.by_name, name)
        elif (found := other.by_name[target]).type != attribute.type:
            yield (
                ("refers_to",),
                say(
                    "refers-to-type",
                    target=attribute.refers_to,
                    target_type=found.type,
                    name=attribute.name,
                    type=attribute.type,
                ),
            )
    yield from unfit_scopes(design, entity, attribute)
    yield from _derived(entity, attribute)
    yield from _aggregate(design, entity, attribute)
    if attribute.values is not None and attribute.type not in ("S", "N"):
        yield (
            ("values",),
            say("type-has-no-values", type=attribute.type),
        )
    for i, value in enumerate(attribute.values or ()):
        if attribute.type == "N" and not _NUMBER.fullmatch(value):
            yield ("values", i), say("value-not-number", value=value, name=attribute.name)
        elif attribute.type == "N" and (said := beyond(attribute, float(value))) is not None:
            yield ("values", i), said
    for i, example in enumerate(attribute.examples):
        if (said := fits(attribute, example) or beyond(attribute, example)) is not None:
            yield ("examples", i), said


_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


def _derived(entity: Entity, attribute: Attribute) -> Iterator[Flaw]:
    if attribute.source is None:
        return
    form, name = attribute.source
    source = entity.by_name.get(name)
    if source is None:
        yield ("derived",), unknown("attribute", name, entity.by_name, entity.name)
    elif source.derived is not None:
        yield ("derived",), say("derived-of-derived", name=name)
    elif source.type != "S" or source.format not in (None, "date", "datetime"):
        yield (
            ("derived",),
            say("derived-of-no-time", name=name, form=form),
        )
    elif form == "hour" and source.format == "date":
        yield ("derived",), say("hour-of-date", name=name)
    if attribute.type != "S":
        yield ("type",), say("derived-is-text", name=attribute.name)
    is_unique = attribute.unique or attribute.unique_within
    if attribute.aggregate is not None or attribute.refers_to is not None or is_unique:
        yield (
            ("derived",),
            say("derived-is-nothing-else", name=attribute.name),
        )


def _aggregate(design: Design, entity: Entity, attribute: Attribute) -> Iterator[Flaw]:
    if attribute.aggregate is None:
        if attribute.kept != "at-once":
            yield ("kept",), say("not-an-aggregate", name=attribute.name)
        return
    figure, _, over = attribute.aggregate.partition(" of ")
    name, _, target = over.partition(".")
    relationship = design.relationship.get(name)
    if relationship is None:
        yield ("aggregate",), unknown("relationship", name, design.relationship)
        return
    if entity.name not in relationship.parents:
        yield (
            ("aggregate",),
            say("aggregate-on-many-side", entity=entity.name, name=name),
        )
    child = design.entity.get(relationship.child)
    if figure == "count" and target:
        yield ("aggregate",), say("count-without-attribute", name=name)
    if figure != "count" and not target:
        yield ("aggregate",), say("aggregate-of-attribute", figure=figure, name=name)
    if target and child is not None and target not in child.by_name:
        yield ("aggregate",), unknown("attribute", target, child.by_name, child.name)
    elif target and child is not None and figure == "sum" and child.by_name[target].type != "N":
        yield ("aggregate",), say("sum-of-numbers", entity=child.name, attribute=target)
    if figure in ("count", "sum") and attribute.type != "N":
        yield ("type",), say("aggregate-is-number", name=attribute.name)


def _relationships(design: Design) -> Iterator[Flaw]:
    for at, relationship in enumerate(design.relationships):
        here: Path = ("relationships", at)
        ends_known = True
        for field in ("one", "many", "through"):
            ends = getattr(relationship, field)
            for i, name in enumerate(ends if isinstance(ends, tuple) else (ends,)):
                if name is not None and name not in design.entity:
                    ends_known = False
                    yield (
                        (*here, field, *((i,) if isinstance(ends, tuple) else ())),
                        unknown("entity", name, design.entity),
                    )
        if ends_known:
            yield from _joins(design, relationship, here)
        if relationship.cardinality == "N:M":
            for field in ("average", "most"):
                if getattr(relationship, field) is not None:
                    yield (
                        (*here, field),
                        say("two-sides", field=field),
                    )
        else:
            for field in ("averages", "mosts"):
                if getattr(relationship, field) is not None:
                    yield (*here, field), say("one-number", field=field[:-1])
        pairs = [(relationship.average, relationship.most)]
        pairs += zip(relationship.averages or (), relationship.mosts or (), strict=False)
        if any(
            average is not None and most is not None and average > most for average, most in pairs
        ):
            yield here, say("average-above-maximum")


def _joins(design: Design, relationship: Relationship, here: Path) -> Iterator[Flaw]:
    child = design.entity[relationship.child]
    missing = [name for name in relationship.references if name not in child.by_name]
    for name in missing:
        yield (*here, "by"), unknown("attribute", name, child.by_name, child.name)
    if missing:
        return
    for parent, pairs in design.sides(relationship):
        identifier = design.entity[parent].identifier
        if not pairs:
            wanted = tuple(f"{parent}.{name}" for name in identifier)
            yield (
                here,
                say("nothing-refers", child=child.name, parent=parent, wanted=wanted),
            )
        for name, target in pairs:
            found = design.entity[parent].by_name.get(target)
            if found is not None and found.type != child.by_name[name].type:
                yield (
                    here,
                    say(
                        "reference-types",
                        child=child.name,
                        name=name,
                        child_type=child.by_name[name].type,
                        parent=parent,
                        target=target,
                        type=found.type,
                    ),
                )


def _cycles(design: Design) -> Iterator[Flaw]:
    """Identifying parents, and attributes that refer to attributes, in a circle."""
    of: dict[str, list[str]] = {}
    for relationship in design.relationships:
        if relationship.identifying:
            of.setdefault(relationship.child, []).extend(relationship.parents)
    circle = _circle(of)
    for at, relationship in enumerate(design.relationships):
        if (
            relationship.identifying
            and circle
            and relationship.child == circle[0]
            and circle[1] in relationship.parents
        ):
            yield (
                ("relationships", at, "identifying"),
                say("parents-in-circle", circle=tuple(circle)),
            )
    refers = {
        f"{entity.name}.{attribute.name}": [attribute.refers_to]
        for entity in design.entities
        for attribute in entity.attributes
        if attribute.refers_to is not None
    }
    circle = _circle(refers)
    for at, entity in enumerate(design.entities):
        for i, attribute in enumerate(entity.attributes):
            if circle and f"{entity.name}.{attribute.name}" == circle[0]:
                yield (
                    ("entities", at, "attributes", i, "refers_to"),
                    say("references-in-circle", circle=tuple(circle)),
                )


def _circle(arrows: Mapping[str, list[str]]) -> list[str]:
    """A circle in a graph, its first node repeated at the end; empty when there is none."""
    done: set[str] = set()
    for start in arrows:
        trail: dict[str, None] = {}
        waiting = [iter((start,))]
        while waiting:
            node = next(waiting[-1], None)
            if node is None:
                waiting.pop()
                if trail:
                    done.add(trail.popitem()[0])
            elif node in trail:
                around = list(trail)
                return [*around[around.index(node) :], node]
            elif node not in done:
                trail[node] = None
                waiting.append(iter(arrows.get(node, ())))
    return []


def _patterns(design: Design) -> Iterator[Flaw]:
    for at, pattern in enumerate(design.patterns):
        for path, message in pattern_flaws(design, pattern):
            yield ("patterns", at, *path), message


_RULES: tuple[Callable[[Design], Iterator[Flaw]], ...] = (
    _names,
    _entities,
    _relationships,
    _cycles,
    _patterns,
    pin_flaws,
)
