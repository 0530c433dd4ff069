"""Which structures of different entities share an index of a shared table.

An item is in an index only if it carries that index's keys, so sharing one costs nothing by itself; but an index has
one list of names for all its entities, and each stores every name on it that it has. As few indexes as do, for no
more than may be paid for it: next to nothing, or what the team tolerates for fewer indexes. For each number of
indexes the structures are put into them one after the other, in a few orders, of which the cheapest is taken.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

from designer.core.design.settings import PinnedNames
from designer.core.dynamodb.limits import INCLUDE_NAMES
from designer.core.planner.model.chosen import Choice, EntityChoice, RatedRead
from designer.core.planner.model.pins import Projected, fits
from designer.core.planner.model.structures import Projection, Structure
from designer.core.planner.pricing.read_figures import repriced
from designer.core.planner.pricing.structures import keys_bytes, owning_score
from designer.core.planner.solve.choice import NEXT_TO_NOTHING
from designer.core.planner.solve.read_scores import read_score
from designer.core.planner.solve.search import Search
from designer.core.rational import Fraction

Slot = list[tuple[str, Structure]]
Filled = list[tuple[Slot, Projection]]


@dataclass
class Prices:
    """What structures cost in indexes that they share. What is tied `together` is named by its number."""

    search: Search
    choice: Choice
    together: list[Slot]
    _found: dict[tuple[int, Projection], Fraction] = field(default_factory=dict)
    _shared: dict[frozenset[int], tuple[Projection, Fraction]] = field(default_factory=dict)

    def shared(self, *members: int) -> Fraction:
        """What some cost in one index, with what it has to hold for all of them: their writes, storage and reads."""
        return self._in_one(members)[1]

    def filled(self, members: Sequence[int]) -> tuple[Slot, Projection]:
        """All that is in one index, and what it has to hold for that."""
        return self.slot(members), self._in_one(members)[0]

    def _in_one(self, members: Sequence[int]) -> tuple[Projection, Fraction]:
        key = frozenset(members)  # much the same is tried for each number of indexes
        if key not in self._shared:
            projection = shared_projection(self.search, self.choice, self.slot(members))
            *others, last = members
            usd = self.of(last, projection)
            if others:
                before, paid = self._in_one(others)
                # The sums are exact, so what stays as it was need not be added up again.
                changed = [at for at in others if self._differ(at, before, projection)]
                usd += paid + sum(
                    (self.of(at, projection) - self.of(at, before) for at in changed), Fraction(0)
                )
            self._shared[key] = projection, usd
        return self._shared[key]

    def of(self, at: int, projection: Projection) -> Fraction:
        """What is tied together costs in an index that holds this."""
        # Names on the list that only others have say nothing here, but that it is not one of keys alone.
        own = projection and (projection & self.names[at] or projection)
        if (at, own) not in self._found:
            items = self.together[at]
            usd = sum((self._of_one(*item, own) for item in items), Fraction(0))
            for group in self.choice.shared_queries:
                if group.index and set(group.structures).issubset(items):
                    found = {name: self._holding(name, s, own) for name, s in group.structures}
                    usd += self.search.shared_query_score(group, found).usd
            self._found[at, own] = usd
        return self._found[at, own]

    def _of_one(self, name: str, structure: Structure, projection: Projection) -> Fraction:
        model = self.search.models[name]
        chosen = self._holding(name, structure, projection)
        size = keys_bytes(model, chosen.base, chosen.projections)
        usd = owning_score(model, chosen.base, chosen.projections, chosen.guard, size).usd
        for part in self.search.of_entity[name]:
            access = chosen.access.get(part.id)
            if access is not None and access.structure == structure:
                now = repriced(model, chosen.base, access, part.entity_read, projection, size)
                usd += read_score(part, now, model).usd
        return usd

    def _holding(self, name: str, structure: Structure, projection: Projection) -> EntityChoice:
        chosen = self.choice.entities[name]
        return replace(chosen, projections={**chosen.projections, structure: projection})

    def _differ(self, at: int, one: Projection, other: Projection) -> bool:
        """Whether of what two indexes hold anything matters to what is tied together."""
        return one != other if not one or not other else not self.names[at].isdisjoint(one ^ other)

    @cached_property
    def names(self) -> list[frozenset[str]]:
        """For each, what its items may have on a list."""
        return [
            frozenset(
                name for entity, _ in items for name in self.search.models[entity].entity.by_name
            )
            for items in self.together
        ]

    def slot(self, members: Iterable[int]) -> Slot:
        """All that is in one index."""
        return [item for at in members for item in self.together[at]]

    @cached_property
    def apart(self) -> list[set[int]]:
        """For each, those that may not share an index with it.

        Two keys of one entity, keys of different kinds, and what is pinned apart.
        """
        search, choice = self.search, self.choice
        entities = [{name for name, _ in items} for items in self.together]
        kinds = [own_keys(items) for items in self.together]
        is_pinned = bool(search.requirements.pins or search.pinned)
        found: list[set[int]] = [set() for _ in self.together]
        for one, other in combinations(range(len(found)), 2):
            if (
                not entities[one].isdisjoint(entities[other])
                or kinds[one] != kinds[other]
                or (
                    is_pinned
                    and _pinned_apart(search, choice, self.together[one], self.together[other])
                )
            ):
                found[one].add(other)
                found[other].add(one)
        return found

    def total(self, contents: Iterable[Sequence[int]]) -> Fraction:
        """What indexes cost with all that is in them."""
        return sum((self.shared(*members) for members in contents), Fraction(0))


def index_slots(search: Search, choice: Choice, some: Sequence[Slot] | None = None) -> Filled:
    """The indexes of a shared table: what is in each, and what it holds. `some`: of these structures only."""
    together = tied(search, choice) if some is None else list(some)
    if not together:
        return []
    prices = Prices(search, choice, together)
    least = prices.total([at] for at in range(len(together)))
    best: tuple[Fraction, list[list[int]]] | None = None
    for count in range(_fewest(together), len(together) + 1):
        for contents in _assigned(prices, count):
            extra = prices.total(contents) - least
            if best is None or extra < best[0]:
                best = extra, contents
            if best[0] <= min(NEXT_TO_NOTHING, choice.allowed):
                break
        if best is not None and (
            best[0] <= choice.allowed or count >= search.design.planner.max_gsis
        ):
            break
    assert best is not None, "each structure may have an index of its own"
    return [prices.filled(members) for members in best[1]]


def _fewest(together: list[Slot]) -> int:
    """No fewer indexes do: the structures of one entity are in different ones."""
    counts: dict[tuple[object, str], int] = {}
    for items in together:
        for name in {name for name, _ in items}:
            key = (own_keys(items), name)
            counts[key] = counts.get(key, 0) + 1
    kinds: dict[object, int] = {}
    for (own, _), count in counts.items():
        kinds[own] = max(kinds.get(own, 0), count)
    return sum(kinds.values())


def _pinned_apart(search: Search, choice: Choice, one: Slot, other: Slot) -> bool:
    """Whether pins forbid that two share an index."""
    called = {name for slot in (one, other) if (name := pinned_name(search, choice, slot))}
    pinned = pinned_contents(search, choice, [*one, *other])
    if len(called) > 1 or not pinned:
        return len(called) > 1
    shared = shared_projection(search, choice, [*one, *other])
    return not all(fits(held, shared) for held in pinned)


def pinned_name(search: Search, choice: Choice, slot: Slot) -> str | None:
    """How an index is pinned to be called, for what it answers or by any of its entities."""
    asked = (part.entity_read.called for part in _answered(search, choice, slot))
    own = (
        model.pins.index_name(structure)
        for name, structure in slot
        if (model := search.models[name]).pins is not None
    )
    return next(filter(None, (*asked, *own)), None)


def key_names(search: Search, choice: Choice, slot: Slot) -> PinnedNames:
    """How the attributes of a key are pinned to be called, by any of its entities or for what it answers."""
    own = (
        model.pins.key(structure).names
        for name, structure in slot
        if (model := search.models[name]).pins is not None
    )
    asked = (
        part.entity_read.key_names
        for part in _answered(search, choice, [one for one in slot if one[1].is_index])
    )
    every = [names for names in (*own, *asked) if names is not None]
    return PinnedNames(
        partition=next((names.partition for names in every if names.partition), None),
        sort=next((names.sort for names in every if names.sort), None),
    )


def _answered(search: Search, choice: Choice, slot: Slot) -> Iterator[RatedRead]:
    """What is pinned of an index by the patterns that it answers."""
    mine = [part for part in search.pinned if part.entity_read.entity in dict(slot)]
    joined = {
        (group.pattern_read, at): group.structures
        for group in (choice.shared_queries if mine else ())
        for at in group.parts
    }
    for part in mine:
        name = part.entity_read.entity
        access = choice.entities[name].access.get(part.id)
        read = joined.get(part.id, ()) if access is None else ((name, access.structure),)
        if any(item in slot for item in read):
            yield part


def pinned_contents(search: Search, choice: Choice, slot: Slot) -> list[Projected]:
    """What an index is pinned to hold, by any of its entities, or for what they answer from it."""
    own = (
        model.pins.held(structure)
        for name, structure in slot
        if (model := search.models[name]).pins is not None
    )
    asked = (part.entity_read.holding for part in _answered(search, choice, slot))
    return [held for held in (*own, *asked) if held is not None]


def _assigned(prices: Prices, count: int) -> Iterator[list[list[int]]]:
    """What goes into so many indexes: in the given order, the most exclusive first, and from the other end."""
    given = range(len(prices.together))
    exclusive = sorted(given, key=lambda at: -len(prices.apart[at]))
    for order in (given, exclusive, reversed(given)):
        contents = _in_order(prices, order, count)
        if contents is not None:
            yield contents


def _in_order(prices: Prices, order: Iterable[int], count: int) -> list[list[int]] | None:
    """One after the other, each where it costs least; None when some fits nowhere."""
    contents: list[list[int]] = []
    usd: list[Fraction] = []
    for items in order:
        alone = prices.shared(items)
        more = [
            (prices.shared(*mine, items) - usd[at] - alone, at)
            for at, mine in enumerate(contents)
            if prices.apart[items].isdisjoint(mine)
        ]
        best = min(more, default=None)
        if best is not None and (best[0] <= 0 or len(contents) >= count):
            contents[best[1]].append(items)
            usd[best[1]] += best[0] + alone
        elif len(contents) < count:
            contents.append([items])
            usd.append(alone)
        else:
            return None
    return sorted(map(sorted, contents))


def local_slots(search: Search, choice: Choice) -> list[tuple[Slot, Projection]]:
    """Share local indexes among entities: the table has five at the most, so each entity takes the first ones."""
    slots: list[Slot] = []
    for name, chosen in choice.entities.items():
        own = [(name, structure) for structure in chosen.projections if structure.kind == "local"]
        slots += [[] for _ in own[len(slots) :]]
        for slot, item in zip(slots, own, strict=False):
            slot.append(item)
    return [(slot, shared_projection(search, choice, slot)) for slot in slots]


def own_keys(slot: Slot) -> tuple[str, ...] | None:
    """The attributes by which an index sorts, where they are the items' own: only the same ones share an index."""
    return next((s.sort for _, s in slot if s.own), None)


def tied(search: Search, choice: Choice) -> list[Slot]:
    """The structures that must share an index, then those that need not; what holds most comes first."""
    sets: list[Slot] = []
    called: dict[object, Slot] = {}
    for name, chosen in choice.entities.items():
        for structure in chosen.projections:
            pinned = pinned_name(search, choice, [(name, structure)])
            # What answers two patterns of one name may be two keys of an entity, which never share an index; nor do
            # keys of different kinds.
            kind = pinned, own_keys([(name, structure)])
            slot = called.setdefault(kind, []) if structure.kind == "index" and pinned else []
            if all(other != name for other, _ in slot):
                slot.append((name, structure))
    named = [slot for slot in called.values() if len(slot) > 1]
    for together in (
        *(list(group.structures) for group in choice.shared_queries if group.index),
        *named,
    ):
        mine = [items for items in sets if set(items) & set(together)]
        merged = list(dict.fromkeys([i for one in mine for i in one] + together))
        kinds = {own_keys([item]) for item in merged}
        if together in named and (len(dict(merged)) < len(merged) or len(kinds) > 1):
            continue  # a name can be pinned for more than one index may hold
        sets = [one for one in sets if one not in mine] + [merged]
    tied = {item for one in sets for item in one}
    for name, chosen in choice.entities.items():
        sets += [
            [(name, s)] for s in chosen.projections if s.kind == "index" and (name, s) not in tied
        ]
    return sorted(
        sets, key=lambda one: (-len(one), not any(_holds(choice, i) is None for i in one))
    )


def _holds(choice: Choice, item: tuple[str, Structure]) -> Projection:
    return choice.entities[item[0]].projections[item[1]]


def shared_projection(search: Search, choice: Choice, slot: Slot) -> Projection:
    """What one index must hold for some structures: a list of names, or all where one of them needs that, or it is
    too long.

    A list of all that an entity has is not the same as all: it leaves out the type, and the other indexes' keys.
    """
    stored = [search.models[name].entity.stored_names for name, _ in slot]
    held = [_holds(choice, item) for item in slot]
    names: frozenset[str] = frozenset().union(
        *(own if one is None else one for one, own in zip(held, stored, strict=True))
    )
    if len(names) > INCLUDE_NAMES - 1:
        return None  # one name of the list is kept for the type
    if None in held and names.issuperset(frozenset().union(*stored)):
        listed = any(one != "all" for one in pinned_contents(search, choice, slot))
        return names if listed else None
    return names
