"""What a plan would cost if attributes had other sizes, or other shares of their values.

Its keys, tables and pages stay as they are. Only what matters is listed: most texts may be ten times as long without a
difference that anybody would see.
"""

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace

from designer.core.dynamodb.limits import ITEM_BYTES
from designer.core.plan import Assumed, Assumption, Effect, Plan, Sized, Use
from designer.core.planner.model.changed import changed, with_attributes
from designer.core.planner.model.chosen import SharedQuery
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead, EntityWrite
from designer.core.planner.model.score import Score, exact, money
from designer.core.planner.model.structures import Access
from designer.core.planner.operations.context import Context
from designer.core.planner.operations.writes import requests_of
from designer.core.planner.pricing.access_paths import priced_otherwise
from designer.core.planner.pricing.read_figures import repriced
from designer.core.planner.pricing.requests import requests_in_all
from designer.core.planner.pricing.shared_reads import Part, SharedReads
from designer.core.planner.pricing.structures import keys_bytes, owning_score
from designer.core.planner.pricing.write_costs import write_cost, write_costs
from designer.core.planner.solve.read_scores import scored_as
from designer.core.planner.solve.search import Search
from designer.core.rational import Fraction

LEAST_USD = 1.0
"""US dollars a month that a figure has to change at least to be listed, unless it could exceed a limit;"""
LEAST_SHARE = 0.01
"""and the share of the plan's cost: less of either decides nothing."""

Changes = Mapping[tuple[str, str], dict[str, object]]
"""Other figures of attributes, by entity and attribute."""
Run = tuple[int, tuple[str, ...] | None]
"""An access pattern, and which optional parameters are given."""


Found = tuple[EntityRead, float | None]
"""An entity read with what it finds with other figures, and how many times as many items have what its key fixes; None
where the entity read says so.
"""
Finds = Callable[[EntityRead, Access], Found | None]
"""What an entity read finds, in the way that its access takes; None where it finds as much as before."""


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


@dataclass(frozen=True)
class Otherwise:
    """The plan with other figures of some attributes."""

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


class Repricing:
    """Prices the plan as it is with other figures of some attributes: its keys, tables and pages stay."""

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

    def with_(self, changes: Changes, finds: Finds | None = None) -> Otherwise:
        """The plan with these figures. `finds`: what finds more or fewer items with them."""
        names = tuple(n for n in self.context.choice.entities if any(n == of for of, _ in changes))
        return self._otherwise({n: self.model(n, changes, finds) for n in names}, finds)

    def with_writes(self, name: str, change: Callable[[EntityWrite], EntityWrite]) -> Otherwise:
        """The plan with other writes of an entity."""
        model = self.context.model(name)
        writes = tuple(map(change, model.requirements.writes))
        needed = replace(model.requirements, writes=writes)
        return self._otherwise({name: replace(model, requirements=needed, answers={})}, None)

    def _otherwise(self, models: Mapping[str, EntityModel], finds: Finds | None) -> Otherwise:
        names = tuple(models)
        if names not in self._before:
            self._before[names] = self._taken({n: self.context.model(n) for n in names})
        before = self._before[names]
        after = self._taken(models, finds)
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
        return Otherwise(usd, exceeds, after.item_bytes[names[0]], runs)

    def assumed(
        self,
        what: Assumption,
        of: tuple[str, str],
        figures: tuple[float, float, float],
        ends: tuple[Otherwise, Otherwise],
        has: str = "",
        always: bool = False,
    ) -> Assumed | None:
        """A figure of an attribute, with the plan at both ends of its range; None where it does not matter.

        `figures`: as it is assumed, the lowest and the highest plausible one; `has`: of a share, the value.
        `always`: it matters anyway.
        """
        (entity, attribute), (value, low, high), (lower, upper) = of, figures, ends
        between = abs(upper.usd - lower.usd)
        if not (always or lower.exceeds or upper.exceeds or between >= self.least):
            return None
        return Assumed(
            what=what,
            where=f"entities.{entity}.attributes.{attribute}",
            of=f"{entity}.{attribute}",
            has=has,
            value=round(value, 6),
            low=round(low, 6),
            high=round(high, 6),
            used=tuple(self._used(lower, upper)),
            usd_per_month=money(between),
            at_low=lower.sized,
            at_high=upper.sized,
        )

    def _used(self, low: Otherwise, high: Otherwise) -> Iterator[Use]:
        """The patterns that take more with one figure than with the other."""
        for run in sorted({*low.runs, *high.runs}, key=lambda run: (run[0], run[1] or ())):
            one, other = self._effect(run, low), self._effect(run, high)
            if run in self.operations and one != other:
                yield Use(pattern=run[0], given=run[1], low=one, high=other)

    def _effect(self, run: Run, otherwise: Otherwise) -> Effect:
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

    def _taken(self, models: Mapping[str, EntityModel], finds: Finds | None = None) -> _Taken:
        """What these entities take as they are stored, and what is asked of them."""
        found = _Taken()
        for name, model in models.items():
            self._stored(found, name, model)
            self._read(found, name, model, finds)
        search = copy(self.context.search)
        search.models = {**search.models, **models}
        for group in self.context.layout.shared_queries:
            pattern_read = search.requirements.pattern_reads[group.pattern_read]
            if all(pattern_read.entity_reads[at].entity not in models for at in group.parts):
                continue
            taken = self.read_together(search, group, finds)
            rated = next(
                one
                for one in search.of_entity[pattern_read.entity_reads[0].entity]
                if one.pattern_read == group.pattern_read
            )
            rated = replace(rated, entity_read=pattern_read.entity_reads[group.parts[0]])
            model = search.models[rated.entity_read.entity]
            asked = exact(taken.requests) * exact(rated.entity_read.times)
            found.score += scored_as(rated, asked, taken.units, taken.bytes, model)
            run = (pattern_read.stated_number, pattern_read.given)
            found.add(run, exact(taken.requests), taken.units, Fraction(0))
        return found

    def read_together(self, search: Search, group: SharedQuery, finds: Finds | None) -> SharedReads:
        """What one Query for several entity reads takes, in pages that are as long as they are."""
        entities = self.context.choice.entities
        page = self.context.search.shared_query_reads(group, entities).page

        def otherwise(part: Part) -> Part:
            other = None if finds is None else finds(part.entity_read, part.access)
            return part if other is None else part.finding(*other)

        return search.shared_query_reads(group, entities, page, otherwise)

    def _stored(self, found: _Taken, name: str, model: EntityModel) -> None:
        """Adds what an entity's items take, and what is written to them."""
        chosen = self.context.choice.entities[name]
        keys = keys_bytes(model, chosen.base, chosen.projections)
        found.item_bytes[name] = model.own_bytes + keys
        found.score += owning_score(model, chosen.base, chosen.projections, chosen.guard, keys)
        for write, cost in write_costs(model, chosen.base, chosen.projections, chosen.guard, keys):
            if not write.is_upkeep:
                run = (write.pattern.number, None)
                requests = self._requests_to_delete(write) if write.deletes_collection else 0
                found.add(run, exact(requests), Fraction(0), cost.write_units)

    def deleted(self, model: EntityModel, number: int, items: float) -> tuple[float, Fraction]:
        """Requests and write units of the deletion of so many items that a pattern's query finds."""
        chosen = self.context.choice.entities[model.name]
        keys = keys_bytes(model, chosen.base, chosen.projections)
        (write,) = (
            replace(one, times=items)
            for one in model.writes
            if one.deletes_collection and one.pattern.number == number
        )
        cost = write_cost(model, chosen.base, chosen.projections, write, chosen.guard, keys)
        return self._requests_to_delete(write), cost.write_units

    def _requests_to_delete(self, write: EntityWrite) -> float:
        operation = self.operations.get((write.pattern.number, None))
        if operation is None or not operation.steps:
            return 0.0  # it is not served
        return requests_of(operation.steps[-1].call, write.times)

    def model(self, name: str, changes: Changes, finds: Finds | None = None) -> EntityModel:
        """An entity with other figures of its attributes, and of what is deleted."""
        model = self.context.model(name)
        mine = {attribute: change for (of, attribute), change in changes.items() if of == name}
        found = {} if finds is None else dict(self._deletes(name, finds))
        needed = model.requirements
        if found:
            writes = tuple(
                replace(one, times=found[one.pattern.number])
                if one.deletes_collection and one.pattern.number in found
                else one
                for one in needed.writes
            )
            needed = replace(needed, writes=writes)
        entity = with_attributes(model.entity, mine)
        return replace(model, entity=entity, requirements=needed, answers={})

    def _deletes(self, name: str, finds: Finds) -> Iterator[tuple[int, float]]:
        """Of the patterns that delete collections: their numbers, and how many items each deletes then."""
        for rated in self.context.search.of_entity[name]:
            access = self.context.choice.entities[name].access.get(rated.id)
            if access is not None and rated.entity_read.deletes:
                other = finds(rated.entity_read.ways[access.way], access)
                if other is not None:
                    of = self.context.search.requirements.pattern_reads[rated.pattern_read]
                    yield of.number, other[0].rows

    def read_alone(
        self, model: EntityModel, entity_read: EntityRead, access: Access, finds: Finds | None
    ) -> Access:
        """What answers an entity read by itself, in pages that are as long as they are."""
        chosen = self.context.choice.entities[model.name]
        keys = keys_bytes(model, chosen.base, chosen.projections)
        holds = chosen.projections.get(access.structure) if access.structure else None
        other = None if finds is None else finds(entity_read.ways[access.way], access)
        if other is None:
            return repriced(model, chosen.base, access, entity_read, holds, keys, access.page)
        found = priced_otherwise(model, chosen.base, access, other[0], holds, keys, other[1])
        return changed(found, way=access.way)

    def _read(self, found: _Taken, name: str, model: EntityModel, finds: Finds | None) -> None:
        """Adds what is read of an entity by itself."""
        chosen, search = self.context.choice.entities[name], self.context.search
        for rated in search.of_entity[name]:
            access = chosen.access.get(rated.id)
            if access is None:
                continue
            entity_read = rated.entity_read
            way = self.read_alone(model, entity_read, access, finds)
            found.score += search.scored(model, chosen.base, rated, way)
            pattern_read = search.requirements.pattern_reads[rated.pattern_read]
            run = (pattern_read.stated_number, pattern_read.given)
            units = way.units * exact(entity_read.times)
            found.add(run, requests_in_all(way, entity_read.times), units, Fraction(0))


def _exceeded(score: Score) -> int:
    return score.unserved + score.violated + score.hot
