"""Parents that come along: from copies that their children carry, or by a read of their own, by price (rule 16).

Each relationship is tried in turn with copies, and keeps them where the whole choice is cheaper so. Where a condition
speaks of a parent that comes along, it is then tried to test it on that parent, so that no child need carry what it
asks. Last, figures that may be kept either way are tried with a stream's consumer.

See docs/modelling-rules.md.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from designer.core.capacity.referred import with_referred_sizes
from designer.core.design.document import Design
from designer.core.design.kept import kept_figures, needs_stream
from designer.core.dynamodb.limits import INCLUDE_NAMES
from designer.core.patterns.base import Read, With, Write
from designer.core.plan import Style
from designer.core.planner.model.copies import Weighed
from designer.core.planner.model.pins import Candidates
from designer.core.planner.model.reads_and_writes import EntityRead, Requirements
from designer.core.planner.model.score import Score
from designer.core.planner.model.shard_attributes import is_shard
from designer.core.planner.model.worth import near, worth_of
from designer.core.planner.operations.context import context_of
from designer.core.planner.operations.writes import write_operation
from designer.core.planner.rewrites.rewriting import rewrite_charge
from designer.core.planner.solve.cache import Cache
from designer.core.planner.solve.choice import choose
from designer.core.planner.workload.aggregates import with_figures
from designer.core.planner.workload.copies import asked_of_parent, may_be_brought, with_copies
from designer.core.planner.workload.lookups import who_looks_up, with_lookups
from designer.core.planner.workload.maintenance import with_upkeep
from designer.core.planner.workload.requirements import requirements

Groups = frozenset[tuple[str, str]]
"""Parents and relationships, for the figures of the one over the other."""
WEIGHED: Cache[tuple[tuple[Weighed, ...], tuple[Weighed, ...], tuple[Weighed, ...], Groups]] = (
    Cache()
)
"""What was weighed before, by design and style."""
NOTHING = Score()
NOTHING_GIVEN: Mapping[str, Candidates] = MappingProxyType({})


def requirements_of(
    design: Design,
    style: Style,
    given: Mapping[str, Candidates] = NOTHING_GIVEN,
    known: Requirements | None = None,
) -> Requirements:
    """All that the planner must serve, with the copies that items carry for it and the figures that writes keep.

    `given`: what some entities may have instead of what is listed for them. `known`: what a design without copies
    asks for, where that is known; it is taken where it asks the same.
    """
    asking, testing, looking = _who_brings(design), _who_tests(design), who_looks_up(design)
    either = _kept_either_way(design)
    if not asking and not testing and not looking and not either:
        if known is not None and _asks_the_same(known.design, design):
            return replace(known, design=design)
        return requirements_with(design)
    key = (hashlib.sha256(design.model_dump_json().encode()).digest(), near(design), style)
    found = None if given else WEIGHED.get(key)
    if found is None:
        weighing = _Weighing(design, style, given)
        weighed = weighing.along(asking)
        tests = weighing.tests(_taken(weighed), testing)
        given_so = _taken(weighed), _taken(tests)
        lookups = weighing.lookups(*given_so, looking)
        figures = weighing.figures(*given_so, _taken(lookups), either)
        found = weighed, tests, lookups, figures
        if not given:
            WEIGHED.put(key, found)
    weighed, tests, lookups, streamed = found
    entity_reads = requirements_with(
        design, _taken(weighed), _taken(tests), _taken(lookups), streamed
    )
    return replace(entity_reads, weighed=weighed, tests=tests, lookups=lookups)


def _asks_the_same(one: Design, other: Design) -> bool:
    """Whether two designs, one made from the other, differ in what the planner aims at alone."""
    return (
        one.entities is other.entities
        and one.relationships is other.relationships
        and one.patterns is other.patterns
    )


def with_worth(design: Design) -> tuple[Design, Requirements | None]:
    """The design with what is worth talking about in it: the same in all that is tried. With what it asks for without
    copies, where the worth was worked out from that.
    """
    if design.planner.worth is not None:
        return design, None
    needed = requirements_with(design)
    return design.with_planner(worth=float(worth_of(needed))), needed


def requirements_with(
    design: Design,
    along: frozenset[str] = frozenset(),
    tested: frozenset[str] = frozenset(),
    looked_up: frozenset[str] = frozenset(),
    streamed: Groups = frozenset(),
) -> Requirements:
    """All that the planner must serve, where by some relationships parents come along from copies, or are tested.

    `looked_up`: the entities whose writes may ask an index for their item. `streamed`: the figures that a stream's
    consumer keeps, of those that may be kept either way.
    """
    carrying = with_copies(with_referred_sizes(design), along, tested)
    needed = with_figures(requirements(carrying.design), streamed)
    needed = with_lookups(with_upkeep(needed, carrying.copies), looked_up)
    needed = replace(needed, brought=carrying.brought, tested=carrying.tested)
    return _named(needed) if carrying.copies else needed


def _named(needed: Requirements) -> Requirements:
    """The requirements where who needs all of an item says it by name, without the copies that others ask for."""
    pattern_reads = []
    for pattern_read in needed.pattern_reads:
        brought = {
            name
            for one in needed.brought
            if one.pattern == pattern_read.number
            for _, name in one.take
        }
        entity_reads = (
            _by_name(needed, entity_read, brought) for entity_read in pattern_read.entity_reads
        )
        pattern_reads.append(replace(pattern_read, entity_reads=tuple(entity_reads)))
    return replace(needed, pattern_reads=tuple(pattern_reads))


def _by_name(needed: Requirements, entity_read: EntityRead, brought: set[str]) -> EntityRead:
    copies = {
        name for one in needed.copies if one.entity == entity_read.entity for name in one.names
    }
    if entity_read.needs is not None or copies <= brought:
        return entity_read
    stored = (attribute.name for attribute in needed.design.entity[entity_read.entity].stored)
    names = tuple(name for name in stored if name not in copies - brought)
    # With the attribute that tells shapes apart, a list of names has to be short enough for an index.
    return replace(entity_read, named=names) if len(names) < INCLUDE_NAMES else entity_read


def _who_tests(design: Design) -> dict[str, tuple[int, ...]]:
    """For each relationship by which parents could be tested as they come along, the patterns that ask for it."""
    found: dict[str, tuple[int, ...]] = {}
    for pattern in design.patterns:
        if isinstance(pattern, Read) and pattern.status != "declined" and pattern.rate is not None:
            for along in pattern.with_:
                if asked_of_parent(design, pattern, along):
                    name = along.relationship
                    found[name] = (*found.get(name, ()), pattern.number)
    return found


def _who_brings(design: Design) -> dict[str, tuple[int, ...]]:
    """For each relationship by which a parent could come along from copies, the patterns that ask for it."""
    found: dict[str, tuple[int, ...]] = {}
    for pattern in design.patterns:
        if isinstance(pattern, Read) and pattern.status != "declined":
            for along in pattern.with_:
                if may_be_brought(design, pattern, along) and _can_be_weighed(design, along):
                    name = along.relationship
                    found[name] = (*found.get(name, ()), pattern.number)
    return found


def _can_be_weighed(design: Design, along: With) -> bool:
    """Whether the design says what a copy costs: how often children are written, and what is copied changes."""
    relationship = design.relationship[along.relationship]
    parent = design.entity[relationship.parent]
    copied = set(along.attributes or ())
    is_written = False
    changed: set[str] = set()
    for pattern in design.patterns:
        if not isinstance(pattern, Write) or pattern.status == "declined":
            continue
        for change in pattern.changes:
            whole = change.writes_whole
            touched = set(change.written)
            makes = whole and change.entity == relationship.child
            is_written |= makes
            changes = change.entity == parent.name and bool(touched & copied or change.may_replace)
            changed |= touched if changes else set()
            if (makes or changes) and pattern.rate is None:
                return False
    return is_written and all(
        name in changed or not parent.by_name[name].mutable for name in copied
    )


@dataclass(frozen=True)
class _Weighing:
    """Tries what can be tried, by the price of the whole choice."""

    design: Design
    style: Style
    given: Mapping[str, Candidates]

    def along(self, asking: dict[str, tuple[int, ...]]) -> tuple[Weighed, ...]:
        """Which parents come along from copies."""
        return self._each(
            asking,
            lambda taken: requirements_with(self.design, taken),
            charge=Score(penalty=rewrite_charge(self.design)),
        )

    def tests(
        self, along: frozenset[str], testing: dict[str, tuple[int, ...]]
    ) -> tuple[Weighed, ...]:
        """Which parents that come along are tested themselves, given what comes from copies."""

        def needed(taken: frozenset[str]) -> Requirements:
            return requirements_with(self.design, along, taken)

        able = {n: q for n, q in testing.items() if self._can_be_kept(needed(frozenset({n})))}
        return self._each(able, needed, spared=Score(penalty=rewrite_charge(self.design)))

    def lookups(
        self, along: frozenset[str], tested: frozenset[str], looking: tuple[str, ...]
    ) -> tuple[Weighed, ...]:
        """Which entities' writes find their item through an index, given all that."""

        def needed(taken: frozenset[str]) -> Requirements:
            return requirements_with(self.design, along, tested, taken)

        asked = needed(frozenset(looking)).pattern_reads if looking else ()
        patterns = {
            name: tuple(sorted({q.number for q in asked if q.finds and q.finds.entity == name}))
            for name in looking
        }
        return self._each(patterns, needed)

    def figures(
        self,
        along: frozenset[str],
        tested: frozenset[str],
        looked_up: frozenset[str],
        either: tuple[tuple[str, str], ...],
    ) -> Groups:
        """Which figures a stream's consumer keeps, given all that."""
        if not either:
            return frozenset()
        given = along, tested, looked_up
        streamed: Groups = frozenset()
        best = self._kept(requirements_with(self.design, *given))
        for group in either:
            tried = self._kept(requirements_with(self.design, *given, streamed | {group}))
            if tried < best:
                streamed, best = streamed | {group}, tried
        return streamed

    def _each(
        self,
        patterns: Mapping[str, tuple[int, ...]],
        needed: Callable[[frozenset[str]], Requirements],
        charge: Score = NOTHING,
        spared: Score = NOTHING,
    ) -> tuple[Weighed, ...]:
        """One thing after the other, each given those before it that pay. `patterns`: those that ask for each.

        `needed`: what the planner must serve with some of them; `charge`: what it counts for that there are any;
        `spared`: what each spares besides its price.
        """
        if not patterns:
            return ()
        taken: frozenset[str] = frozenset()
        best = self._score(needed(taken))
        found = []
        for name, numbers in patterns.items():
            tried = self._score(needed(taken | {name})) + charge
            is_taken = tried < best + spared
            found.append(Weighed(name, numbers, is_taken, tried.usd, best.usd))
            if is_taken:
                taken, best = taken | {name}, tried
        return tuple(found)

    def _kept(self, entity_reads: Requirements) -> tuple[int, Score]:
        """How many writes no transaction can say, and what the whole choice costs."""
        search, choice = choose(entity_reads, self.style, self.given)
        context = context_of(search, choice)
        writes = {write.pattern.number: write.pattern for write in entity_reads.writes}
        answers = (write_operation(context, pattern).answer for pattern in writes.values())
        return sum(answer == "not served" for answer in answers), choice.score

    def _score(self, entity_reads: Requirements) -> Score:
        _, choice = choose(entity_reads, self.style, self.given)
        return choice.score

    def _can_be_kept(self, entity_reads: Requirements) -> bool:
        """Whether the entities have all attributes of the given keys."""
        return all(
            name in entity_reads.design.entity[entity].by_name
            for entity, candidates in self.given.items()
            for structure in (*(candidates.bases or ()), *(candidates.indexes or ()))
            for name in structure.attributes
            if not is_shard(name)
        )


def _taken(weighed: tuple[Weighed, ...]) -> frozenset[str]:
    return frozenset(one.name for one in weighed if one.is_taken)


def _kept_either_way(design: Design) -> tuple[tuple[str, str], ...]:
    """The figures, by parent and relationship, of which the price decides how they are kept."""
    figures = (figure for figure in kept_figures(design) if figure.kept == "by-price")
    return tuple(dict.fromkeys(f.group for f in figures if not needs_stream(design, f)))
