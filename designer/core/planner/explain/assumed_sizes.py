"""Which sizes, and shares of true and false, a plan assumes, and what it would cost with others: its keys, tables and
pages stay as they are.

Only those that matter are listed: most texts may be ten times as long without a difference that anybody would see.
"""

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import chain

from designer.core.capacity.sizes import attribute_value_bytes, is_guessed
from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.dynamodb.limits import ITEM_BYTES
from designer.core.plan import Assumed, Constant, Effect, Plan, Sized, Use
from designer.core.planner.explain.assumed import FACTOR, LOWEST_SHARE
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.score import Score, exact, money
from designer.core.planner.model.structures import Access
from designer.core.planner.operations.context import Context
from designer.core.planner.pricing.access_paths import priced_otherwise
from designer.core.planner.pricing.read_figures import repriced
from designer.core.planner.pricing.structures import keys_bytes, owning_score
from designer.core.planner.pricing.write_costs import write_costs
from designer.core.planner.rewrites.resized import resized
from designer.core.planner.rewrites.rewritten import Rewritten
from designer.core.planner.solve.read_scores import scored_as
from designer.core.rational import Fraction

LEAST_USD = 1.0
"""US dollars a month that a size has to change at least to be listed, unless it could exceed a limit;"""
LEAST_SHARE = 0.01
"""and the share of the plan's cost: less of either decides nothing."""

EVEN = 0.5
"""The share of the items in which an attribute is true, where nothing says it."""

Changes = Mapping[tuple[str, str], dict[str, object]]
"""Other figures of attributes, by entity and attribute."""
Run = tuple[int, tuple[str, ...] | None]
"""An access pattern, and which optional parameters are given."""


@dataclass
class _Taken:
    """What some entities take: in all, and each time that a pattern runs."""

    score: Score = field(default_factory=Score)
    runs: dict[Run, tuple[Fraction, Fraction, Fraction]] = field(default_factory=dict)
    """Requests of reads, read units, and write units."""
    item_bytes: dict[str, float] = field(default_factory=dict)

    def add(self, run: Run, requests: Fraction, read: Fraction, written: Fraction) -> None:
        nothing = Fraction(0)
        before = self.runs.get(run, (nothing, nothing, nothing))
        self.runs[run] = (before[0] + requests, before[1] + read, before[2] + written)


def assumed_sizes(context: Context, made: Plan, found: Rewritten) -> tuple[Assumed, ...]:
    """The sizes that nobody stated and that matter. `made`: the plan in the words of the design as it is planned."""
    pricing = _Pricing(context, made)
    listed = (
        _listed(pricing, entity, attribute, found)
        for entity in found.stated.entities
        for attribute in entity.stored
        if is_guessed(attribute) and not _follows(found.stated, entity, attribute)
    )
    flags = (
        _flag(pricing, entity, attribute)
        for entity in found.stated.entities
        for attribute in entity.stored
        if _is_even(attribute) and pricing.stores(entity.name, attribute.name)
    )
    return tuple(one for one in chain(listed, flags) if one is not None)


def _is_even(attribute: Attribute) -> bool:
    """Whether an attribute is taken to be true as often as false, as nothing says how often."""
    return attribute.type == "BOOL" and attribute.shares is None and attribute.busiest is None


def _flag(pricing: "_Pricing", entity: Entity, attribute: Attribute) -> Assumed | None:
    """In what share of the items an attribute is true, with the plan at both ends; None where it does not matter."""
    lower, upper = (
        pricing.with_(
            {(entity.name, attribute.name): {"shares": (share, 1 - share)}},
            _Flag(entity.name, attribute.name, share),
        )
        for share in (LOWEST_SHARE, 1 - LOWEST_SHARE)
    )
    if not (lower.exceeds or upper.exceeds or abs(upper.usd - lower.usd) >= pricing.least):
        return None
    return Assumed(
        what="flag",
        where=f"entities.{entity.name}.attributes.{attribute.name}",
        of=f"{entity.name}.{attribute.name}",
        value=EVEN,
        low=LOWEST_SHARE,
        high=1 - LOWEST_SHARE,
        used=tuple(pricing.used(lower, upper)),
        usd_per_month=money(abs(upper.usd - lower.usd)),
        at_low=lower.sized,
        at_high=upper.sized,
    )


@dataclass(frozen=True)
class _Flag:
    """An attribute that is true in another share of the items than in half of them."""

    entity: str
    attribute: str
    share: float

    def times(self, entity_read: EntityRead) -> float | None:
        """How many times as many items an entity read finds then; None where it does not ask for true or false."""
        asked = entity_read.equals.get(self.attribute)
        if entity_read.entity != self.entity or not isinstance(asked, Constant):
            return None
        return (self.share if asked.value else 1 - self.share) / EVEN


def _follows(design: Design, entity: Entity, attribute: Attribute) -> bool:
    """Whether what an attribute refers to says how large its values are."""
    return not is_guessed(design.origin(entity, attribute)[1])


def _listed(
    pricing: "_Pricing", entity: Entity, attribute: Attribute, found: Rewritten
) -> Assumed | None:
    """The size of one attribute, with the plan at both ends of its range; None where it does not matter."""
    value = attribute_value_bytes(attribute)
    low, high = max(1.0, float(round(value / FACTOR))), float(round(value * FACTOR))
    if attribute.most_bytes is not None:
        high = max(value, min(high, attribute.most_bytes))

    def at(size: float) -> Changes:
        copies = pricing.context.search.requirements.copies
        sizes = resized(entity.name, attribute.name, size, found.taken, copies)
        return {name: {"bytes": bytes_} for name, bytes_ in sizes.items()}

    lower, upper = pricing.with_(at(low)), pricing.with_(at(high))
    between = upper.usd - lower.usd
    if not (upper.exceeds or between >= pricing.least):
        return None
    return Assumed(
        what="size",
        where=f"entities.{entity.name}.attributes.{attribute.name}",
        of=f"{entity.name}.{attribute.name}",
        value=round(value, 6),
        low=low,
        high=high,
        used=tuple(pricing.used(lower, upper)),
        usd_per_month=money(between),
        at_low=lower.sized,
        at_high=upper.sized,
    )


@dataclass(frozen=True)
class _Otherwise:
    """The plan with another size."""

    usd: Fraction
    """Of the whole plan, a month."""
    exceeds: bool
    item_bytes: float
    runs: Mapping[Run, tuple[Fraction, Fraction, Fraction]]
    """By how much each pattern takes more: requests, read units and write units."""

    @property
    def sized(self) -> Sized:
        return Sized(
            item_bytes=round(self.item_bytes, 1), per_month=money(self.usd), exceeds=self.exceeds
        )


class _Pricing:
    """Prices the plan as it is with other sizes of some attributes."""

    def __init__(self, context: Context, made: Plan) -> None:
        self.context = context
        self.usd = exact(made.cost.per_month)
        self.least = max(exact(LEAST_USD), self.usd * exact(LEAST_SHARE))
        self.operations = {(one.pattern, one.given): one for one in made.operations}
        self._before: dict[tuple[str, ...], _Taken] = {}

    def stores(self, entity: str, attribute: str) -> bool:
        """Whether an attribute is stored in items of its entity: not within its parent's, nor apart from them."""
        is_there = entity in self.context.choice.entities
        return is_there and attribute in self.context.model(entity).entity.by_name

    def with_(self, changes: Changes, flag: _Flag | None = None) -> _Otherwise:
        """The plan with these sizes, or with this share of true and false."""
        names = tuple(n for n in self.context.choice.entities if any(n == of for of, _ in changes))
        if names not in self._before:
            self._before[names] = self._taken({n: self.context.model(n) for n in names})
        before = self._before[names]
        after = self._taken({n: _model(self.context.model(n), changes) for n in names}, flag)
        largest = max(names, key=lambda name: after.item_bytes[name])
        exceeds = _exceeded(after.score) > _exceeded(before.score) or (
            after.item_bytes[largest] > ITEM_BYTES >= before.item_bytes[largest]
        )
        runs = {
            run: (more[0] - was[0], more[1] - was[1], more[2] - was[2])
            for run, more in after.runs.items()
            if (was := before.runs[run]) != more
        }
        usd = max(Fraction(0), self.usd + after.score.usd - before.score.usd)
        return _Otherwise(usd, exceeds, after.item_bytes[names[0]], runs)

    def used(self, low: _Otherwise, high: _Otherwise) -> Iterator[Use]:
        """The patterns that take more with one size than with the other."""
        for run in sorted({*low.runs, *high.runs}, key=lambda run: (run[0], run[1] or ())):
            one, other = self._effect(run, low), self._effect(run, high)
            if run in self.operations and one != other:
                yield Use(pattern=run[0], given=run[1], low=one, high=other)

    def _effect(self, run: Run, otherwise: _Otherwise) -> Effect:
        operation = self.operations.get(run)
        if operation is None:
            return Effect(requests=0, units=0)
        nothing = Fraction(0)
        requests, read, written = otherwise.runs.get(run, (nothing, nothing, nothing))
        return Effect(
            requests=round(operation.requests + float(requests), 6),
            units=round(operation.read_units + float(read), 6),
            write_units=round(operation.write_units + float(written), 6),
        )

    def _taken(self, models: Mapping[str, EntityModel], flag: _Flag | None = None) -> _Taken:
        """What these entities take as they are stored, and what is asked of them."""
        found = _Taken()
        for name, model in models.items():
            self._stored(found, name, model)
            self._read(found, name, model, flag)
        search = copy(self.context.search)
        search.models = {**search.models, **models}
        for group in self.context.layout.groups:
            pattern_read = search.requirements.pattern_reads[group.pattern_read]
            if all(pattern_read.entity_reads[at].entity not in models for at in group.parts):
                continue
            requests, units, size, _ = search.group_reads(group, self.context.choice.entities)
            rated = next(
                one
                for one in search.of_entity[pattern_read.entity_reads[0].entity]
                if one.pattern_read == group.pattern_read
            )
            rated = replace(rated, entity_read=pattern_read.entity_reads[group.parts[0]])
            model = search.models[rated.entity_read.entity]
            found.score += scored_as(rated, requests, units, size, "query", model)
            run = (pattern_read.stated_number, pattern_read.given)
            found.add(run, Fraction(0), units, Fraction(0))
        return found

    def _stored(self, found: _Taken, name: str, model: EntityModel) -> None:
        """Adds what an entity's items take, and what is written to them."""
        chosen = self.context.choice.entities[name]
        keys = keys_bytes(model, chosen.base, chosen.projections)
        found.item_bytes[name] = model.own_bytes + keys
        found.score += owning_score(model, chosen.base, chosen.projections, chosen.guard, keys)
        for write, cost in write_costs(model, chosen.base, chosen.projections, chosen.guard, keys):
            if not write.is_upkeep:
                run = (write.pattern.number, None)
                found.add(run, Fraction(0), Fraction(0), cost.write_units)

    def _read(self, found: _Taken, name: str, model: EntityModel, flag: _Flag | None) -> None:
        """Adds what is read of an entity by itself."""
        chosen, search = self.context.choice.entities[name], self.context.search
        keys = keys_bytes(model, chosen.base, chosen.projections)
        for rated in search.of_entity[name]:
            access = chosen.access.get(rated.id)
            if access is None:
                continue
            entity_read = rated.entity_read
            holds = chosen.projections.get(access.structure) if access.structure else None
            times = None if flag is None else flag.times(entity_read)
            if times is None:
                way = repriced(model, chosen.base, access, entity_read, holds, keys, access.page)
            else:
                entity_read = replace(entity_read, matched=entity_read.matched * times, others=())
                keyed = times if _finds_by(access, flag) else 1.0
                way = priced_otherwise(model, chosen.base, access, entity_read, holds, keys, keyed)
            found.score += search.scored(model, chosen.base, rated, way)
            pattern_read = search.requirements.pattern_reads[rated.pattern_read]
            often = 1 if way.call == "get" else entity_read.times
            run = (pattern_read.stated_number, pattern_read.given)
            units = way.units * exact(entity_read.times)
            found.add(run, exact(way.requests * often), units, Fraction(0))


def _finds_by(access: Access, flag: _Flag | None) -> bool:
    """Whether the key by which items are found has the attribute, or its index holds those of one value."""
    structure = access.structure
    if structure is None or flag is None:
        return structure is None
    limited = (name for name, _ in structure.only)
    fixed = {*structure.partition, *structure.sort[: access.bound], access.prefix, *limited}
    return flag.attribute in fixed


def _exceeded(score: Score) -> int:
    return score.unserved + score.violated + score.hot


def _model(model: EntityModel, changes: Changes) -> EntityModel:
    """An entity with other figures of its attributes."""
    attributes = tuple(
        one.model_copy(update=changes[model.name, one.name])
        if (model.name, one.name) in changes
        else one
        for one in model.entity.attributes
    )
    entity = model.entity.model_copy(update={"attributes": attributes})
    return replace(model, entity=entity, answers={})
