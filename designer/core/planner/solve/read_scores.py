"""What reads cost: each by itself in some way, and several parts of a pattern in one Query."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from math import ceil

from designer.core.capacity.units import read_units
from designer.core.dynamodb.limits import BATCH_GET_ITEMS, PARTITION_READS
from designer.core.dynamodb.prices import SECONDS_PER_MONTH
from designer.core.planner.candidates.keys import LISTED
from designer.core.planner.candidates.sharding import Asked
from designer.core.planner.model.changed import changed
from designer.core.planner.model.chosen import EntityChoice, RatedRead, SharedQuery
from designer.core.planner.model.entity_facts import charged
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead, PatternRead, Requirements
from designer.core.planner.model.score import Score, exact
from designer.core.planner.model.structures import Access, Projection, Projections, Structure
from designer.core.planner.model.worth import (
    AMONG,
    ANOTHER_REQUEST,
    DROPPED,
    LATE,
    ON_AVERAGE,
    SPELLED,
    besides,
)
from designer.core.planner.pricing.asked_lists import is_asked_of_each
from designer.core.planner.pricing.at_worst import cut_charge, few_pages_dropped, keeps_most
from designer.core.planner.pricing.key_matching import lists_all
from designer.core.planner.pricing.pages import asks_on_and_on
from designer.core.planner.pricing.read_figures import (
    asked_beside,
    counted_row_padding,
    rounded_up,
    smooth_steps,
)
from designer.core.planner.pricing.requests import requests_in_all
from designer.core.planner.pricing.shared_reads import Part, SharedReads, shared_part, shared_reads
from designer.core.planner.pricing.structures import hottest_reads, hottest_second_reads, keys_bytes
from designer.core.planner.pricing.uncounted import uncounted_charge
from designer.core.rational import Fraction

STEPS = 16
"""Parts in which what is dropped at the worst counts: a little more or less of it decides nothing."""


def read_score(rated: RatedRead, access: Access, model: EntityModel) -> Score:
    """What answering an entity read this way costs."""
    unsorted = int(not access.ordered)
    asked = requests_in_all(access, rated.entity_read.times)
    return scored_as(rated, asked, access.units, access.bytes, model, unsorted)


def scored_as(
    rated: RatedRead,
    asked: Fraction,
    units: Fraction,
    size: float,
    model: EntityModel,
    unsorted: int = 0,
) -> Score:
    """`asked`: requests in all; units and bytes are those of each row that it is asked for."""
    times = rated.entity_read.times
    if rated.average is None:
        return Score(
            unrated_reads=asked, unrated_bytes=exact(round(size * times)), unsorted=unsorted
        )
    rate = exact(rated.average)
    usd = _usd_of_a_unit(model, rated.average, times) * units
    return Score(usd=usd, requests=rate if asked == 1 else rate * asked, unsorted=unsorted)


def _requests_in_turn(access: Access) -> int:
    """Requests of which one needs the answer of another, or of one partition and another: one, or more than one."""
    if not access.requests:
        return 0
    return 2 if access.then or access.shards > 1 or access.call == "guard then get" else 1


def _is_asked_one_by_one(entity_read: EntityRead, access: Access) -> bool:
    """Whether each of several rows takes a Query of its own, where another key would get their items together."""
    are_items = entity_read.is_dependent and entity_read.one and entity_read.times > 1
    return are_items and access.call.startswith("query")


def _is_beside(pattern_read: PatternRead, rated: RatedRead, access: Access) -> bool:
    """Whether what comes along by the same identifiers takes its own request, as the rows are not got by theirs."""
    return rated.at == 0 and access.call != "get" and pattern_read.gets_along


def worst_charge(model: EntityModel, rated: RatedRead, access: Access) -> Fraction:
    """What it counts for that a read returns little of what it reads at the worst, in multiples of the worth."""
    charge = _charge_at_worst(model, rated.entity_read.ways[access.way], access)
    return charge + AMONG if _is_among(model, rated, access) else charge


def _is_among(model: EntityModel, rated: RatedRead, access: Access) -> bool:
    """Whether a collection is read for items that a list names, so that each could be got by its key."""
    entity_read = rated.entity_read
    if entity_read.list_of is None or access.call == "get":
        return False
    is_named = model.entity.names_one(entity_read.equals.keys())
    return is_named and not is_asked_of_each(model, entity_read.ways[access.way], access)


def shared_charge(part: Part) -> Fraction:
    """The same of one part of a shared Query."""
    return _charge_at_worst(part.model, part.entity_read, part.access)


def _charge_at_worst(model: EntityModel, entity_read: EntityRead, access: Access) -> Fraction:
    dropped = few_pages_dropped(model, entity_read, access)
    if dropped > 1:
        return ON_AVERAGE
    if asks_on_and_on(model, entity_read, access):
        return DROPPED if keeps_most(model, entity_read, access) else ON_AVERAGE
    return DROPPED * round(dropped * STEPS) / STEPS


@charged
def _usd_of_a_unit(model: EntityModel, average: float, times: float) -> Fraction:
    """What one unit costs a month that is read so often."""
    return exact(average) * exact(times) * model.prices.read_unit * SECONDS_PER_MONTH


def _takes_one(pattern_read: PatternRead) -> bool:
    """Whether a pattern takes a request by itself, whatever the keys."""
    return len(pattern_read.entity_reads) == 1 and pattern_read.finds is None


class ReadScores:
    """The entity reads of a design in one style, and what ways to answer them cost."""

    def __init__(
        self, requirements: Requirements, style: str, beside: "ReadScores | None" = None
    ) -> None:
        self.requirements = requirements
        self.design = requirements.design
        self.style = style
        known: dict[str, EntityModel]
        known = beside.models if beside is not None and self._asks_as(beside) else {}
        self.models: dict[str, EntityModel] = {
            e.name: EntityModel(
                self.design,
                e,
                requirements.form_of(e.name, style),
                requirements,
                known[e.name].answers if e.name in known else {},
            )
            for e in self.design.entities
        }
        self.rated_reads = [
            RatedRead(q, at, entity_read, pattern_read.average, pattern_read.peak)
            for q, pattern_read in enumerate(requirements.pattern_reads)
            for at, entity_read in enumerate(pattern_read.entity_reads)
        ]
        self._parts: dict[object, Part] = {}
        self.of_entity: dict[str, list[RatedRead]] = {name: [] for name in self.models}
        for rated in self.rated_reads:
            self.of_entity[rated.entity_read.entity].append(rated)

    def _asks_as(self, other: "ReadScores") -> bool:
        """Whether another search must serve the very same, and differs in what it aims at alone."""
        mine = self.requirements
        weighed = {name: getattr(mine, name) for name in ("design", "weighed", "tests", "lookups")}
        return self.style == other.style and replace(other.requirements, **weighed) == mine

    def heats(
        self, model: EntityModel, base: Structure, rated: RatedRead, access: Access
    ) -> Iterator[tuple[Structure | None, Fraction]]:
        """Read units a second on the busiest partition of what a read is answered by: with a second read, of both."""
        heat = hottest_reads(model, rated.entity_read, access, rated.peak, self.hottest(rated))
        yield access.structure, heat
        if access.then is not None:
            yield base, hottest_second_reads(model, base, rated.entity_read, access, rated.peak)

    def hottest(self, rated: RatedRead) -> float | None:
        """What the team says of the hottest key of a read's pattern."""
        return self.requirements.pattern_reads[rated.pattern_read].pattern.hottest

    def asked(self, entity: str) -> Iterator[Asked]:
        """The entity reads of an entity as they heat its keys."""
        for rated in self.of_entity[entity]:
            yield Asked(rated.entity_read, rated.peak, self.hottest(rated))

    def scored(
        self, model: EntityModel, base: Structure, rated: RatedRead, access: Access
    ) -> Score:
        """What answering an entity read this way costs, and whether it breaks a limit: the team's, or a partition's."""
        pattern_read = self.requirements.pattern_reads[rated.pattern_read]
        limit = pattern_read.pattern.at_most_requests
        over = False
        if limit is not None:
            # What is asked before a write is a request besides the write's own.
            requests = access.requests + (pattern_read.finds is not None and access.requests > 0)
            beside = _is_beside(pattern_read, rated, access)
            is_known = beside or len(pattern_read.entity_reads) == 1
            over = is_known and requests + beside > limit
        if not over and _is_among(model, rated, access):  # each by its key is always served
            over = few_pages_dropped(model, rated.entity_read.ways[access.way], access) > 1
        score = self._counted(rated, access, model)
        if lists_all(rated.entity_read, access):
            score = score + Score(penalty=besides(self.design, LISTED))
        heats = self.heats(model, base, rated, access)
        hot = sum(heat > PARTITION_READS for _, heat in heats)
        return score + Score(violated=int(over), hot=hot) if over or hot else score

    def read_price(self, model: EntityModel, rated: RatedRead, access: Access) -> float:
        """US dollars a month of answering a read this way, at the least: whether it lists all counts for nothing."""
        return float(self._counted(rated, access, model).price)

    def _counted(self, rated: RatedRead, access: Access, model: EntityModel) -> Score:
        """The score of a read with all that it counts for besides its cost."""
        score = self._with_penalty(rated, read_score(rated, access, model), model)
        if not model.worth:
            return score
        pattern_read = self.requirements.pattern_reads[rated.pattern_read]
        is_alone = _takes_one(pattern_read)
        in_turn = _requests_in_turn(access) + _is_asked_one_by_one(rated.entity_read, access)
        in_turn += not is_alone and _is_beside(pattern_read, rated, access)
        things = max(0, in_turn - is_alone) * ANOTHER_REQUEST
        things += worst_charge(model, rated, access)
        way = rated.entity_read.ways[access.way]
        things += cut_charge(model, way, access) + uncounted_charge(model, way, access)
        things += SPELLED * access.spells + LATE * bool(access.late)
        more = -rounded_up(access, rated.entity_read, score.usd, access.padding)
        if things:
            more += things * model.worth
        return changed(score, penalty=score.penalty + more)

    def _with_penalty(self, rated: RatedRead, score: Score, model: EntityModel) -> Score:
        """The score of a read with what its requests count for; the one that each pattern takes anyway does not."""
        if not (model.a_request and score.requests):
            return score
        is_alone = _takes_one(self.requirements.pattern_reads[rated.pattern_read])
        more = score.requests - (exact(rated.average or 0) if is_alone else 0)
        return changed(score, penalty=more * model.a_request)

    def taken_anyway(self) -> Score:
        """What the requests count for that no key saves: other ways to keep the same data may."""
        penalty = Fraction(0)
        for pattern_read in self.requirements.pattern_reads:
            model = self.models[pattern_read.entity_reads[0].entity]
            if model.a_request and _takes_one(pattern_read):
                penalty += exact(pattern_read.average or 0) * model.a_request
            if len(pattern_read.entity_reads) > 1:  # the first request of each is free
                penalty -= ANOTHER_REQUEST * model.worth
        return Score(penalty=penalty)

    def hot_reads(
        self,
        model: EntityModel,
        rated_reads: list[RatedRead],
        access: dict[tuple[int, int], Access],
        base: Structure,
        projections: Projections,
    ) -> int:
        heats: dict[Structure, list[Fraction]] = {one: [] for one in (base, *projections)}
        for rated in rated_reads:
            used = access.get(rated.id)
            for structure, heat in self.heats(model, base, rated, used) if used else ():
                if structure is not None:
                    heats[structure].append(heat)
        # What is too much by itself counts where the access is chosen.
        return sum(
            sum(mine) > PARTITION_READS >= max(mine, default=Fraction(0)) for mine in heats.values()
        )

    def least_reads(self, entity: str) -> Score:
        """What the entity reads of an entity cost at least under any key: the smallest read of each."""
        score = Score()
        for rated in self.of_entity[entity]:
            if self.requirements.pattern_reads[rated.pattern_read].finds is not None:
                continue  # not asked where the key is known
            times = exact(rated.entity_read.times)
            if rated.average is None:
                batches = Fraction(ceil(times / BATCH_GET_ITEMS))
                score = score + Score(unrated_reads=min(times, batches))
            else:
                smallest = read_units(1, rated.entity_read.consistency)
                usd = exact(rated.average) * smallest * times * self.models[entity].prices.read_unit
                score = score + Score(usd=usd * SECONDS_PER_MONTH)
        return score

    def shared_query_score(self, group: SharedQuery, found: dict[str, EntityChoice]) -> Score:
        """What one Query over several parts costs."""
        taken = self.shared_query_reads(group, found)
        pattern_read = self.requirements.pattern_reads[group.pattern_read]
        first = pattern_read.entity_reads[group.parts[0]]
        rated = RatedRead(
            group.pattern_read, group.parts[0], first, pattern_read.average, pattern_read.peak
        )
        model = self.models[first.entity]
        asked = exact(taken.requests) * exact(first.times)
        score = scored_as(rated, asked, taken.units, taken.bytes, model)
        if model.worth:
            smallest = read_units(1, first.consistency)
            steps = exact(round(smooth_steps(taken.requests, taken.counted), 6))
            penalty = score.usd * (steps * smallest - taken.units) / taken.units
            things = ANOTHER_REQUEST + self.shared_query_charge(group, found)
            return changed(score, penalty=penalty + things * model.worth)
        return self._with_penalty(rated, score, model)

    def shared_query_parts(self, group: SharedQuery, found: dict[str, EntityChoice]) -> list[Part]:
        """The entity reads that one Query answers."""
        pattern_read = self.requirements.pattern_reads[group.pattern_read]
        parts = []
        for at in group.parts:
            entity_read = pattern_read.entity_reads[at]
            choice = found[entity_read.entity]
            keys = keys_bytes(self.models[entity_read.entity], choice.base, choice.projections)
            structure, held = choice.base, None
            if group.index:
                structure = group.structure(entity_read.entity)
                held = choice.projections.get(structure, frozenset())
            parts.append(self.shared_part(entity_read, choice.base, structure, held, keys))
        return parts

    def shared_part(
        self,
        entity_read: EntityRead,
        base: Structure,
        structure: Structure,
        held: Projection,
        keys: float,
    ) -> Part:
        """An entity read that one Query answers with others. `keys`: bytes of the key attributes on the item."""
        key = (entity_read, base, structure, held, keys)
        if key not in self._parts:
            model = self.models[entity_read.entity]
            size = model.entry_bytes(base, structure, held, keys)
            padding = counted_row_padding(model, base, structure)
            stated = model.stated_entry_bytes(base, structure, held)
            self._parts[key] = shared_part(model, structure, entity_read, size, stated, padding)
        return self._parts[key]

    def shared_query_reads(
        self,
        group: SharedQuery,
        found: dict[str, EntityChoice],
        page: int | None = None,
        otherwise: Callable[[Part], Part] | None = None,
    ) -> SharedReads:
        """What one Query over several parts takes, read up to the limit of one of them.

        `page`: items of a page, where a plan has that already; `otherwise`: what a part finds with other figures.
        """
        parts = self.shared_query_parts(group, found)
        if otherwise is not None:
            parts = [otherwise(part) for part in parts]
        limited = next((part for part in parts if part.is_cut), None)
        return shared_reads(parts, limited, parts[0].entity_read.consistency, page)

    def shared_query_charge(self, group: SharedQuery, found: dict[str, EntityChoice]) -> Fraction:
        """What it counts for that a shared Query returns little of what it reads at the worst."""
        parts = self.shared_query_parts(group, found)
        return sum((shared_charge(part) for part in parts), Fraction(0))

    def shared_price(self, q: int) -> tuple[Score, Score]:
        """What one Query for several parts of a pattern costs: for itself, and for each of its smallest reads."""
        pattern_read = self.requirements.pattern_reads[q]
        if pattern_read.average is None:
            return Score(unrated_reads=Fraction(1)), Score()
        rate = exact(pattern_read.average)
        entity_read = pattern_read.entity_reads[0]
        model = self.models[entity_read.entity]
        usd = rate * read_units(1, entity_read.consistency) * model.prices.read_unit
        a_request = rate * model.a_request + ANOTHER_REQUEST * model.worth
        one = Score(requests=rate, penalty=a_request)
        return one, Score(usd=usd * SECONDS_PER_MONTH)

    def requests_broken(
        self, q: int, groups: Iterable[SharedQuery], found: dict[str, EntityChoice]
    ) -> Score:
        """Whether a pattern takes more requests than the team allows."""
        limit = self.requirements.pattern_reads[q].pattern.at_most_requests
        if limit is None:
            return Score()
        mine = [group for group in groups if group.pattern_read == q]
        requests = sum(self.shared_query_reads(group, found).requests for group in mine)
        together = {at for group in mine for at in group.parts}
        reads = self.requirements.pattern_reads[q].entity_reads
        rows_by = found[reads[0].entity].access.get((q, 0))
        is_got = rows_by is not None and rows_by.call == "get"
        for at, entity_read in enumerate(reads):
            access = found[entity_read.entity].access.get((q, at))
            if at not in together and access is not None:
                model = self.models[entity_read.entity]
                access = asked_beside(model, access, entity_read, reads[0], is_got)
                requests += access.requests * (
                    1 if access.call == "get" else max(1.0, entity_read.times)
                )
        return Score(violated=int(requests > limit))
