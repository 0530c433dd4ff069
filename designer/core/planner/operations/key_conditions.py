"""Keys and key conditions of requests, and the parameters that they take.

Rules are cited by their numbers in docs/modelling-rules.md.
"""

from dataclasses import replace
from typing import Any

from designer.core.patterns.base import Condition, Operand
from designer.core.plan import Expression, ItemCondition, KeyCondition, Parameter, keys
from designer.core.planner.layout.key_templates import bound_piece, bound_template
from designer.core.planner.layout.placement import KeyPart, Placement
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead, operand
from designer.core.planner.model.shard_attributes import is_shard
from designer.core.planner.model.structures import Access
from designer.core.planner.operations.context import Context
from designer.core.planner.pricing.asked_lists import lists_in_key


def parameter(
    model: EntityModel, attribute: str, name: str, optional: bool = False, is_list: bool = False
) -> Parameter:
    """A parameter typed as an attribute."""
    found = model.attribute(attribute)
    return Parameter(
        name=name, type=found.type, format=found.format, optional=optional, list=is_list
    )


def key_of(
    context: Context, placement: Placement, known: dict[str, Expression]
) -> dict[str, Expression]:
    """The whole primary key of an item."""
    model = context.model(placement.entity)
    return {part.name: whole_part(part, model, known) for part in placement.parts}


def whole_part(part: KeyPart, model: EntityModel, known: dict[str, Expression]) -> Expression:
    if part.native is not None:
        return known[part.native]
    template = bound_template(part, model, known.get)
    assert template is not None, (part, known)
    return template


def key_conditions(
    context: Context, placement: Placement, entity_read: EntityRead, access: Access
) -> tuple[tuple[KeyCondition, ...], tuple[ItemCondition, ...]]:
    """(conditions on the key, conditions that only the caller can test) of a query."""
    model = context.model(placement.entity)
    tested = entity_read.lists.keys() - lists_in_key(model, entity_read, access).keys()
    if tested:
        # The Query is not repeated for a list, though what it lists may end the key: a filter tests it.
        others = {name: value for name, value in entity_read.equals.items() if name not in tested}
        entity_read = replace(entity_read, equals=others)
    known = list(placement.partition)
    if placement.structure.own:
        known += placement.sort[: access.bound]
    each: dict[str, Expression] = {access.period: "{each.period}"}
    if access.shards > 1:
        shards = (n for n in placement.structure.partition if is_shard(n))
        each |= dict.fromkeys(shards, "{each.number}")
    where = [
        KeyCondition(attribute=part.name, equals=whole_part(part, model, each | entity_read.equals))
        for part in known
    ]
    cut: tuple[ItemCondition, ...] = ()
    for part in placement.parts[len(known) : len(known) + 1]:
        if part.native is not None:
            last, cut = _native_condition(part, entity_read, access)
        else:
            last = _composed_condition(part, model, entity_read, access)
        where += [last] if last is not None else []
    return tuple(where), cut


def _native_condition(
    part: KeyPart, entity_read: EntityRead, access: Access
) -> tuple[KeyCondition | None, tuple[ItemCondition, ...]]:
    assert part.native is not None
    if part.native in entity_read.equals:
        return KeyCondition(attribute=part.name, equals=entity_read.equals[part.native]), ()
    if access.prefix:
        return KeyCondition(attribute=part.name, begins_with=entity_read.equals[access.prefix]), ()
    if not access.ranged or entity_read.range is None:
        return None, ()
    limits = entity_read.range
    if limits.begins_with is not None:
        return KeyCondition(attribute=part.name, begins_with=operand(limits.begins_with)), ()
    lower, upper = limits.from_ or limits.after, limits.to or limits.below
    if lower is not None and upper is not None:
        cut = []
        # A query takes one range, and BETWEEN includes both its ends: an excluded end is cut by the caller.
        if limits.after is not None:
            cut.append(ItemCondition(attribute=part.native, after=operand(limits.after)))
        if limits.below is not None:
            cut.append(ItemCondition(attribute=part.native, below=operand(limits.below)))
        return KeyCondition(attribute=part.name, between=(operand(lower), operand(upper))), tuple(
            cut
        )
    sides = {"from_": limits.from_, "after": limits.after, "to": limits.to, "below": limits.below}
    tests: dict[str, Any] = {s: operand(value) for s, value in sides.items() if value is not None}
    return KeyCondition(attribute=part.name, **tests), ()


def _composed_condition(
    part: KeyPart, model: EntityModel, entity_read: EntityRead, access: Access
) -> KeyCondition | None:
    """One range inside the type (rule 4)."""
    attributes = part.attributes
    prefix = ""
    bound = 0
    pieces = list(part.pieces)
    while pieces:
        kind, value = pieces[0]
        if kind == "text":
            prefix += value.replace("{", "{{").replace("}", "}}")
        else:
            known = bound_piece(
                model.attribute(value),
                entity_read.equals.get,
                _asked_only(part, model, entity_read, value),
                inverse=kind == "inverse",
            )
            if known is None or (bound >= max(access.bound, 0) and value not in entity_read.equals):
                break
            prefix += known
            bound += 1
        pieces.pop(0)
    prefix = keys.as_text(prefix)
    if not pieces:
        return KeyCondition(attribute=part.name, equals=prefix)
    if access.prefix and attributes[bound] == model.stored_name(access.prefix):
        told = {attributes[bound]: entity_read.equals[access.prefix]}
        start = bound_piece(model.attribute(attributes[bound]), told.get)
        assert start is not None
        return KeyCondition(attribute=part.name, begins_with=keys.as_text(prefix + start))
    if (
        access.ranged
        and entity_read.range is not None
        and attributes[bound] == entity_read.range.attribute
    ):
        return _composed_range(part, model, entity_read.range, prefix)
    return KeyCondition(attribute=part.name, begins_with=prefix) if prefix else None


def _asked_only(
    part: KeyPart, model: EntityModel, entity_read: EntityRead, name: str
) -> tuple[str, ...] | None:
    """The values to which a sparse key is limited. A fixed list has no others, and texts are asked
    for as they are."""
    values = dict(part.only).get(name)
    is_text = model.attribute(name).type == "S"
    return None if is_text and name in entity_read.lists else values


def _composed_range(
    part: KeyPart, model: EntityModel, limits: Condition, prefix: str
) -> KeyCondition:
    attribute = model.attribute(limits.attribute)
    inverse = ("inverse", limits.attribute) in part.pieces
    if inverse:
        turned = {
            "from_": limits.to,
            "after": limits.below,
            "to": limits.from_,
            "below": limits.after,
        }
        limits = limits.model_copy(update=turned)

    def piece(side: Operand) -> str:
        text = bound_piece(
            attribute,
            lambda name: operand(side) if name == limits.attribute else None,
            inverse=inverse,
        )
        assert text is not None
        return text

    if limits.begins_with is not None:
        start = keys.as_text(prefix + piece(limits.begins_with))
        return KeyCondition(attribute=part.name, begins_with=start)
    lower, upper = prefix, prefix
    if limits.from_ is not None:
        lower = prefix + piece(limits.from_)
    elif limits.after is not None:
        lower = prefix + piece(limits.after) + keys.ABOVE
    lower = keys.as_text(lower)
    if limits.to is not None:
        upper = prefix + piece(limits.to) + keys.ABOVE
    elif limits.below is not None:
        upper = prefix + piece(limits.below)
    elif not prefix:
        return KeyCondition(attribute=part.name, from_=lower)
    else:  # the prefix ends with the delimiter (rule 4)
        upper = prefix[:-1] + keys.ABOVE
    upper = keys.as_text(upper)
    if not lower:
        return KeyCondition(attribute=part.name, below=upper)
    return KeyCondition(attribute=part.name, between=(lower, upper))
