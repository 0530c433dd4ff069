"""Whether a read can be asked of the entities it names."""

from collections.abc import Collection, Iterator

from designer.core.design.check_patterns.conditions import (
    Parameters,
    condition_flaws,
    follow,
    path_to,
)
from designer.core.design.check_patterns.flaws import (
    attribute_names,
    either_of,
    unknown,
)
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.text import Flaw, Path
from designer.core.messages import Message, say
from designer.core.patterns.base import Condition, Ordered, Read, With

_KEYED = ("S", "N", "B")
"""Types of which equal values can be told."""
MOST_OPTIONAL = 6
"""Optional conditions of a pattern: each doubles the cases that are planned."""


def read_flaws(design: Design, pattern: Read) -> Iterator[Flaw]:
    """What is wrong with a read, with paths inside it."""
    entities: list[Entity] = []
    for i, name in enumerate(pattern.entities):
        path: Path = ("returns",) if isinstance(pattern.returns, str) else ("returns", i)
        entity = design.entity.get(name)
        if entity is None:
            yield path, unknown("entity", name, design.entity)
        elif entity in entities:
            yield path, say("named-twice", name=name)
        else:
            entities.append(entity)
    if not entities:
        return
    parameters = Parameters()
    for (part, i), condition in _conditions(pattern):
        for path, message in condition_flaws(
            design,
            entities,
            condition,
            parameters,
            in_keys=part == "where",
            may_cross=part == "where" and pattern.may_cross,
        ):
            yield (part, i, *path), message
    yield from _after_limit(pattern)
    yield from _order(design, entities, pattern)
    for i, name in enumerate(pattern.attributes or ()):
        found = [entity.by_name[name] for entity in entities if name in entity.by_name]
        if not found:
            yield (
                ("attributes", i),
                unknown("attribute", name, attribute_names(entities), either_of(entities)),
            )
        elif found[0].derived is not None:
            yield (
                ("attributes", i),
                say("use-source-of-derived", name=name),
            )
    along_already: set[str] = set()
    for i, along in enumerate(pattern.with_):
        if along.relationship in along_already:
            yield (
                ("with", i, "relationship"),
                say("included-twice", name=along.relationship),
            )
        along_already.add(along.relationship)
        for path, message in _with(design, entities, along, parameters):
            yield ("with", i, *path), message
    if pattern.with_ and not pattern.returns_items:
        yield ("with",), say("number-with-related")
    if pattern.aggregate is not None:
        yield from _figure(entities, pattern)
    if pattern.crossing is not None and pattern.may_cross:
        yield from _crossing(design, entities, pattern, pattern.crossing)
    yield from _optional(pattern)
    if pattern.by_identifier:
        yield from _point(entities, pattern)


def _conditions(pattern: Read) -> Iterator[tuple[tuple[str, int], Condition]]:
    """All conditions on what a read returns, each with its place in the pattern."""
    tested = {"where": pattern.where, "keep": pattern.keep, "then_keep": pattern.after_limit}
    for part, conditions in tested.items():
        yield from (((part, i), condition) for i, condition in enumerate(conditions))


def _after_limit(pattern: Read) -> Iterator[Flaw]:
    """What a test of the items within the limit needs: that it is known which items these are."""
    if not pattern.after_limit:
        return
    here: Path = ("then_keep",)
    if pattern.limit is None or not pattern.order:
        yield (
            here,
            say("then-keep-without-order"),
        )
    if len(pattern.entities) > 1:
        yield (
            here,
            say("then-keep-of-one-entity"),
        )
    if pattern.crossing is not None:
        yield (
            here,
            say("then-keep-with-all-of"),
        )
    if pattern.aggregate is not None:
        yield here, say("then-keep-with-result")
    for i, condition in enumerate(pattern.after_limit):
        if "." in condition.attribute:
            yield (
                (*here, i, "attribute"),
                say("then-keep-of-another", attribute=condition.attribute),
            )


def _order(design: Design, entities: list[Entity], ordered: Ordered) -> Iterator[Flaw]:
    seen: set[str] = set()
    for i, order in enumerate(ordered.orders):
        for entity in entities:
            attribute = follow(design, entity, order.attribute)
            if isinstance(attribute, Message):
                yield ("order", i), attribute
                break
            if attribute.type not in ("S", "N", "B"):
                yield (
                    ("order", i),
                    say("order-type", attribute=order.attribute, type=attribute.type),
                )
                break
        if order.attribute in seen:
            yield ("order", i), say("named-twice", name=order.attribute)
        seen.add(order.attribute)


def _path_below(design: Design, child: str, returned: Collection[str]) -> str | None:
    """A path from an entity to the identifier of what is returned, if that lies above it."""
    below = design.entity.get(child)
    names = [design.entity[name].identifier[-1] for name in sorted(returned)]
    paths = [path_to(design, below, name) for name in names] if below is not None else []
    return next(filter(None, paths), None)


def _with(
    design: Design, entities: list[Entity], along: With, parameters: Parameters
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
            say(
                "leads-to-two",
                relationship=along.relationship,
                child=relationship.child,
                one=sides[0],
                other=sides[1],
            ),
        )
        return
    else:
        name, child = along.relationship, relationship.child
        joined, back = tuple(dict.fromkeys((*sides, child))), tuple(sorted(returned))
        message = say("joins-others", relationship=name, joined=joined, returned=back)
        if below := _path_below(design, child, returned):
            message = say(
                "joins-others-below",
                relationship=name,
                joined=joined,
                returned=back,
                child=child,
                path=below,
            )
        yield ("relationship",), message
        return
    if target is None:
        return  # the relationship itself is reported
    for i, name in enumerate(along.attributes or ()):
        if name not in target.by_name:
            yield ("attributes", i), unknown("attribute", name, target.by_name, target.name)
    for i, condition in enumerate(along.keep):
        for path, message in condition_flaws(design, [target], condition, parameters):
            yield ("keep", i, *path), message
    yield from _order(design, [target], along)


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
                    say(
                        "figure-of-numbers",
                        entity=entity.name,
                        attribute=name,
                        type=attribute.type,
                        figure=figure,
                    ),
                )
    if pattern.attributes is not None:
        yield ("attributes",), say("number-with-attributes")


def _crossing(
    design: Design, entities: list[Entity], pattern: Read, crossing: Condition
) -> Iterator[Flaw]:
    """Whether items can meet a condition together: the answer is what they have in common, and nothing else."""
    at, name = pattern.where.index(crossing), crossing.attribute
    path: Path = ("where", at, "all_of")
    same = set(pattern.attributes or ())
    if len(entities) > 1:
        yield path, say("all-of-one-entity")
        return
    entity = entities[0]
    found = entity.by_name.get(name)
    if sum(one.all_of is not None for one in pattern.where) > 1:
        yield path, say("all-of-once")
    if sum(one.attribute == name for one in pattern.where) > 1:
        yield (
            path,
            say("all-of-and-another", name=name),
        )
    if crossing.optional:
        yield (
            ("where", at, "optional"),
            say("all-of-optional"),
        )
    if pattern.aggregate is not None:
        yield (
            ("result",),
            say("all-of-and-figure"),
        )
        return
    if "." in name or (found is not None and (found.derived or found.type not in _KEYED)):
        yield (
            ("where", at, "attribute"),
            say("all-of-stored"),
        )
    if not same or name in same:
        yield (
            ("attributes",),
            say("all-of-in-common", name=name),
        )
        return
    for i, each in enumerate(pattern.attributes or ()):
        common = entity.by_name.get(each)
        if common is not None and common.type not in _KEYED:
            yield (
                ("attributes", i),
                say("all-of-type", name=each, type=common.type),
            )
    for i, order in enumerate(pattern.orders):
        if order.attribute not in same:
            yield ("order", i), say("all-of-order")
    for i, along in enumerate(pattern.with_):
        relationship = design.relationship.get(along.relationship)
        if relationship is None or relationship.cardinality == "N:M":
            continue  # reported already
        joined = {own for own, _ in design.references(relationship, relationship.parent)}
        if relationship.parent == entity.name or not joined <= same:
            yield (
                ("with", i, "relationship"),
                say("all-of-with", relationship=along.relationship),
            )


def _optional(pattern: Read) -> Iterator[Flaw]:
    conditions = list(_conditions(pattern))
    optional = {name for _, c in conditions if c.optional for name in c.parameters}
    for path, condition in conditions:
        for name in sorted(optional & set(condition.parameters)):
            if not condition.optional:
                yield (
                    path,
                    say("optional-elsewhere", name=name),
                )
    if sum(condition.optional for _, condition in conditions) > MOST_OPTIONAL:
        yield (
            ("where",),
            say("optional-conditions", most=MOST_OPTIONAL),
        )


def _point(entities: list[Entity], pattern: Read) -> Iterator[Flaw]:
    if len(entities) > 1:
        yield (
            ("returns",),
            say("by-identifier-of-one"),
        )
        return
    entity = entities[0]
    needed = [c for c in pattern.where if not c.optional]
    single = {c.attribute for c in needed if c.is_ is not None}
    listed = [c.attribute for c in needed if c.any_of is not None]
    keys = [set(entity.identifier), *(set(unique.names) for unique in entity.uniques)]
    found_by = say("names", names=entity.identifier)
    for unique in entity.uniques[:1]:
        found_by = say("names-or-unique", names=entity.identifier, unique=unique.names)
    if pattern.returns_one:
        if not any(key <= single for key in keys):
            yield (
                ("where",),
                say("one-found-by", entity=entity.name, found_by=found_by),
            )
    elif len(listed) != 1 or not any(
        set(listed) <= key and key <= {*single, *listed} for key in keys
    ):
        yield (
            ("where",),
            say("several-found-by", entity=entity.name, found_by=found_by),
        )
