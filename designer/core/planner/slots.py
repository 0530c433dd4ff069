"""Which structures of different entities share an index of a shared table.

An item is in an index only if it carries that index's keys, so sharing one costs nothing by itself; but an index has
one list of names for all its entities, and each stores every name on it that it has. As few indexes as do, for no
more than may be paid for it: next to nothing, or what the team tolerates for fewer indexes. For each number of
indexes the assignment is tried simply first, and is an integer program when that costs more than next to nothing.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from designer.core.design.document import PinnedNames
from designer.core.limits import INCLUDE_NAMES
from designer.core.planner.accesses import repriced
from designer.core.planner.choice import NEXT_TO_NOTHING, Search, read_score
from designer.core.planner.chosen import Choice, EntityChoice, Part
from designer.core.planner.pins import Projected, fits
from designer.core.planner.pricing import keys_bytes, owning_score
from designer.core.planner.program import Program
from designer.core.planner.structures import Projection, Structure

LARGEST = 160
"""Places (structures times indexes) up to which the assignment is proven by a program."""
ROUNDS = 20
"""Times that what a shared list really costs is added to the program."""

Slot = list[tuple[str, Structure]]
Filled = list[tuple[Slot, Projection]]


@dataclass
class _Prices:
    """What structures cost in indexes that they share. What is tied `together` is named by its number."""

    search: Search
    choice: Choice
    together: list[Slot]
    _found: dict[tuple[str, Structure, Projection], Fraction] = field(default_factory=dict)
    _shared: dict[frozenset[int], Fraction] = field(default_factory=dict)

    def of(self, slot: Slot, projection: Projection) -> Fraction:
        """What some structures cost in one index: their writes, storage and reads."""
        total = sum((self._of_one(*item, projection) for item in slot), Fraction(0))
        inside = set(slot)
        for group in self.choice.groups:
            if group.index and inside.issuperset(group.structures):
                found = {name: self._holding(name, s, projection) for name, s in group.structures}
                total += self.search.group_score(group, found).usd
        return total

    def shared(self, *members: int) -> Fraction:
        """The same with what one index has to hold for all of them."""
        key = frozenset(members)  # much the same is tried for each number of indexes
        if key not in self._shared:
            slot = self.slot(members)
            self._shared[key] = self.of(slot, shared_projection(self.search, self.choice, slot))
        return self._shared[key]

    def slot(self, members: Iterable[int]) -> Slot:
        """All that is in one index."""
        return [item for at in members for item in self.together[at]]

    @cached_property
    def apart(self) -> list[list[bool]]:
        """For each, which of those before it may not share an index with it."""
        return [
            [_apart(self.search, self.choice, items, other) for other in self.together[:at]]
            for at, items in enumerate(self.together)
        ]

    def _of_one(self, name: str, structure: Structure, projection: Projection) -> Fraction:
        model = self.search.models[name]
        # Names on the list that only others have say nothing here, but that it is not one of keys alone.
        own = projection and (projection.intersection(model.entity.by_name) or projection)
        key = (name, structure, own)
        if key not in self._found:
            chosen = self._holding(name, structure, own)
            size = keys_bytes(model, chosen.base, chosen.held)
            usd = owning_score(model, chosen.base, chosen.held, chosen.guard, size).usd
            for part in self.search.of_entity[name]:
                access = chosen.access.get(part.id)
                if access is not None and access.structure == structure:
                    now = repriced(model, chosen.base, access, part.demand, own, size)
                    usd += read_score(part, now, model).usd
            self._found[key] = usd
        return self._found[key]

    def _holding(self, name: str, structure: Structure, projection: Projection) -> EntityChoice:
        chosen = self.choice.entities[name]
        return replace(chosen, held={**chosen.held, structure: projection})


def index_slots(search: Search, choice: Choice) -> Filled:
    """The indexes of a shared table: what is in each, and what it holds."""
    together = _tied(search, choice)
    if not together:
        return []
    prices = _Prices(search, choice, together)
    least = sum(map(prices.shared, range(len(together))), Fraction(0))
    best: tuple[Fraction, Filled] | None = None
    for count in range(_fewest(together), len(together) + 1):
        for assign in (_simply, _proven):
            contents = assign(prices, count)
            if contents is None:
                continue
            slots = [
                (slot, shared_projection(search, choice, slot))
                for slot in map(prices.slot, contents)
            ]
            extra = sum((prices.of(*slot) for slot in slots), Fraction(0)) - least
            if best is None or extra < best[0]:
                best = extra, slots
            if best[0] <= min(NEXT_TO_NOTHING, choice.allowed):
                return best[1]
        if best is not None and best[0] <= choice.allowed:
            return best[1]
        if count >= search.design.planner.max_gsis and best is not None:
            break
    assert best is not None, "each structure may have an index of its own"
    return best[1]


def _fewest(together: list[Slot]) -> int:
    """No fewer indexes do: the structures of one entity are in different ones."""
    counts: dict[tuple[object, str], int] = {}
    for items in together:
        for name in {name for name, _ in items}:
            key = (_own_keys(items), name)
            counts[key] = counts.get(key, 0) + 1
    kinds: dict[object, int] = {}
    for (own, _), count in counts.items():
        kinds[own] = max(kinds.get(own, 0), count)
    return sum(kinds.values())


def _apart(search: Search, choice: Choice, one: Slot, other: Slot) -> bool:
    """Whether two may not share an index: two keys of one entity, keys of different kinds, or pinned apart."""
    both = {name for name, _ in one} & {name for name, _ in other}
    if both or _own_keys(one) != _own_keys(other):
        return True
    if not search.requirements.pins and not search.pinned:
        return False
    called = {name for slot in (one, other) if (name := pinned_name(search, choice, slot))}
    pinned = _pinned_contents(search, choice, [*one, *other])
    if len(called) > 1 or not pinned:
        return len(called) > 1
    shared = shared_projection(search, choice, [*one, *other])
    return not all(fits(held, shared) for held in pinned)


def pinned_name(search: Search, choice: Choice, slot: Slot) -> str | None:
    """How an index is pinned to be called, for what it answers or by any of its entities."""
    asked = (part.demand.called for part in _answered(search, choice, slot))
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
        part.demand.key_names
        for part in _answered(search, choice, [one for one in slot if one[1].is_index])
    )
    every = [names for names in (*own, *asked) if names is not None]
    return PinnedNames(
        partition=next((names.partition for names in every if names.partition), None),
        sort=next((names.sort for names in every if names.sort), None),
    )


def _answered(search: Search, choice: Choice, slot: Slot) -> Iterator[Part]:
    """What is pinned of an index by the patterns that it answers."""
    mine = [part for part in search.pinned if part.demand.entity in dict(slot)]
    joined = {
        (group.question, at): group.structures
        for group in (choice.groups if mine else ())
        for at in group.parts
    }
    for part in mine:
        name = part.demand.entity
        access = choice.entities[name].access.get(part.id)
        read = joined.get(part.id, ()) if access is None else ((name, access.structure),)
        if any(item in slot for item in read):
            yield part


def _pinned_contents(search: Search, choice: Choice, slot: Slot) -> list[Projected]:
    """What an index is pinned to hold, by any of its entities, or for what they answer from it."""
    own = (
        model.pins.held(structure)
        for name, structure in slot
        if (model := search.models[name]).pins is not None
    )
    asked = (part.demand.holding for part in _answered(search, choice, slot))
    return [held for held in (*own, *asked) if held is not None]


def _simply(prices: _Prices, count: int) -> list[list[int]] | None:
    """One after the other, each where it costs least; None when some fits nowhere."""
    contents: list[list[int]] = []
    usd: list[Fraction] = []
    for items, apart in enumerate(prices.apart):
        alone = prices.shared(items)
        more = [
            (prices.shared(*mine, items) - usd[at] - alone, at)
            for at, mine in enumerate(contents)
            if not any(apart[other] for other in mine)
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
    return contents


def _proven(prices: _Prices, count: int) -> list[list[int]] | None:
    """The cheapest assignment, by a program; None when that would be too large, or there is none."""
    search, choice, together = prices.search, prices.choice, prices.together
    if len(together) * count > LARGEST:
        return None
    program = Program()
    places = [[program.choice(0.0) for _ in range(count)] for _ in together]
    for at, row in enumerate(places):
        # The first goes into the first index, the second into one of two: which index is which says nothing.
        program.row([(place, 1.0) for place in row[: at + 1]], least=1.0, most=1.0)
        program.row([(place, 1.0) for place in row[at + 1 :]], most=0.0)
        for other, is_apart in enumerate(prices.apart[at]):
            if is_apart:
                for one, two in zip(row, places[other], strict=True):
                    program.row([(one, 1.0), (two, 1.0)], most=1.0)
    for number in range(count):
        _list_names(search, choice, together, [row[number] for row in places], program)
    least = [prices.shared(at) for at in range(len(together))]
    more = [program.amount(1.0) for _ in range(count)]
    found: list[list[int]] | None = None
    for _ in range(ROUNDS):
        solution = program.solve(search.design.planner.work_limit)
        if solution is None:
            return found
        filled = [
            [at for at, row in enumerate(places) if solution.takes(row[number])]
            for number in range(count)
        ]
        found = [members for members in filled if members]
        exact = Fraction(0)
        for members in filled:
            usd = prices.shared(*members)
            extra = usd - sum((least[at] for at in members), Fraction(0))
            exact += extra
            for column in range(count) if extra > 0 else ():
                terms = [(places[at][column], -float(extra)) for at in members]
                program.row([(more[column], 1.0), *terms], least=float(extra) * (1 - len(members)))
        if float(exact) - solution.cost <= 1e-6 * max(1.0, float(exact)):
            return found
    return found


def _list_names(
    search: Search,
    choice: Choice,
    together: list[Slot],
    places: list[int],
    program: Program,
) -> None:
    """One index's list: whoever is in it puts names on it, and stores those of others that it has too."""
    names: dict[str, int] = {}
    wanted = [shared_projection(search, choice, items) for items in together]
    for items in together:
        for name, _ in items:
            for attribute in search.models[name].entity.stored:
                if attribute.name not in names:
                    names[attribute.name] = program.share(0.0)
    everything = program.share(0.0)
    for place, projection in zip(places, wanted, strict=True):
        if projection is None:
            program.row([(everything, 1.0), (place, -1.0)], least=0.0)
        for name in sorted(projection or ()):
            program.row([(names[name], 1.0), (place, -1.0)], least=0.0)
    too_many = float(len(names))
    program.row(
        [*((column, 1.0) for column in names.values()), (everything, -too_many)],
        most=float(INCLUDE_NAMES - 1),
    )
    for place, items, projection in zip(places, together, wanted, strict=True):
        if projection is None:
            continue
        cost: dict[str, float] = {}
        for name, structure in items:
            model = search.models[name]
            price = float((model.entity.items or 0) * model.prices.byte_month)
            for attribute in model.entity.stored:
                if attribute.name not in projection:
                    stored = price * model.density(structure)
                    stored *= model.bytes_there(structure, attribute.name)
                    cost[attribute.name] = cost.get(attribute.name, 0.0) + stored
        for attribute_name, usd in cost.items():
            stored_too = program.amount(usd)
            terms = [(stored_too, 1.0), (names[attribute_name], -1.0), (place, -1.0)]
            program.row([*terms, (everything, 1.0)], least=-1.0)
        stores_all = program.amount(sum(cost.values()))
        program.row([(stores_all, 1.0), (everything, -1.0), (place, -1.0)], least=-1.0)


def local_slots(search: Search, choice: Choice) -> list[tuple[Slot, Projection]]:
    """Share local indexes among entities: the table has five at the most, so each entity takes the first ones."""
    slots: list[Slot] = []
    for name, chosen in choice.entities.items():
        own = [(name, structure) for structure in chosen.held if structure.kind == "local"]
        slots += [[] for _ in own[len(slots) :]]
        for slot, item in zip(slots, own, strict=False):
            slot.append(item)
    return [(slot, shared_projection(search, choice, slot)) for slot in slots]


def _own_keys(slot: Slot) -> tuple[str, ...] | None:
    """The attributes by which an index sorts, where they are the items' own: only the same ones share an index."""
    return next((s.sort for _, s in slot if s.own), None)


def _tied(search: Search, choice: Choice) -> list[Slot]:
    """The structures that must share an index, then those that need not; what holds most comes first."""
    sets: list[Slot] = []
    called: dict[object, Slot] = {}
    for name, chosen in choice.entities.items():
        for structure in chosen.held:
            pinned = pinned_name(search, choice, [(name, structure)])
            # What answers two patterns of one name may be two keys of an entity, which never share an index; nor do
            # keys of different kinds.
            kind = pinned, _own_keys([(name, structure)])
            slot = called.setdefault(kind, []) if structure.kind == "index" and pinned else []
            if all(other != name for other, _ in slot):
                slot.append((name, structure))
    named = [slot for slot in called.values() if len(slot) > 1]
    for together in (
        *(list(group.structures) for group in choice.groups if group.index),
        *named,
    ):
        mine = [items for items in sets if set(items) & set(together)]
        merged = list(dict.fromkeys([i for one in mine for i in one] + together))
        kinds = {_own_keys([item]) for item in merged}
        if together in named and (len(dict(merged)) < len(merged) or len(kinds) > 1):
            continue  # a name can be pinned for more than one index may hold
        sets = [one for one in sets if one not in mine] + [merged]
    tied = {item for one in sets for item in one}
    for name, chosen in choice.entities.items():
        sets += [[(name, s)] for s in chosen.held if s.kind == "index" and (name, s) not in tied]
    return sorted(
        sets, key=lambda one: (-len(one), not any(_holds(choice, i) is None for i in one))
    )


def _holds(choice: Choice, item: tuple[str, Structure]) -> Projection:
    return choice.entities[item[0]].held[item[1]]


def shared_projection(search: Search, choice: Choice, slot: Slot) -> Projection:
    """What one index must hold for some structures: a list of names, or all where one of them needs that, or it is
    too long.

    A list of all that an entity has is not the same as all: it leaves out the type, and the other indexes' keys.
    """
    stored = {name: {a.name for a in search.models[name].entity.stored} for name, _ in slot}
    names: set[str] = set()
    whole = False
    for item in slot:
        held = _holds(choice, item)
        names |= stored[item[0]] if held is None else held
        whole = whole or held is None
    if len(names) > INCLUDE_NAMES - 1:
        return None  # one name of the list is kept for the type
    listed = any(held != "all" for held in _pinned_contents(search, choice, slot))
    if whole and not listed and all(own <= names for own in stored.values()):
        return None
    return frozenset(names)
