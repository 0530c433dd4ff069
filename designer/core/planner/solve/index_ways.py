"""The ways to answer each entity read through each index, with each list of attributes that it may hold."""

from functools import reduce

from designer.core.planner.model.structures import Access, Projection, Structure
from designer.core.planner.pricing.key_matching import lists_all
from designer.core.planner.pricing.structures import keys_bytes
from designer.core.planner.solve.index_problem import IndexProblem, Option, Place, Ways, union

UNIONS = 24
"""Lists of names that one index may hold: what its readers ask for and every union of these; of more, only each and
all together."""


class IndexWays:
    """The ways to answer the reads of an entity under a base key."""

    def __init__(self, whole: IndexProblem) -> None:
        self.whole = whole

    def ways(self) -> list[Ways]:
        """For each entity read and each (index, what it holds), the best access; None is the table or a guard."""
        whole, forced = self.whole, self.whole.forced.items()
        found: list[Ways] = []
        for at, options in enumerate(whole.options):
            mine: Ways = {}
            for access, score in options:
                structure = access.structure
                place: Place | None = None
                projection = access.projection
                if structure in whole.forced:
                    projection = union(projection, whole.forced[structure])
                    if not whole.suits(at, access, projection):
                        continue
                if whole.forced:
                    access, score = self._repriced(at, access, projection)
                there = structure in (None, whole.base) or (structure, projection) in forced
                if structure is not None and not there:
                    place = (structure, projection)
                if place not in mine or score < mine[place][1]:
                    mine[place] = (access, score)
            if None in mine:
                # An index never costs less than nothing, so what reads no cheaper through it stays with the table;
                # unless it is a reason for the index.
                most = mine[None][1].key[:-1]
                mine = {
                    place: option
                    for place, option in mine.items()
                    if place is None
                    or option[1].key[:-1] < most
                    or at in (whole.reasons(place[0]) or ())
                }
            found.append(mine)
        through = [by_structure(mine) for mine in found]
        asked: dict[Structure, dict[Projection, None]] = {}
        for mine in found:
            for place in mine:
                if place is not None:
                    asked.setdefault(place[0], {})[place[1]] = None
        for structure, lists in asked.items():
            for projection in self._unions(list(lists)):
                for at, mine in enumerate(found):
                    self._widen(at, mine, through[at].get(structure, []), structure, projection)
        return found

    def _unions(self, lists: list[Projection]) -> list[Projection]:
        """What an index may hold: for each set of its readers, what they ask of it."""
        wider: dict[Projection, None] = dict.fromkeys(lists)
        for one in lists:
            wider |= dict.fromkeys(union(one, other) for other in tuple(wider))
        if len(wider) > UNIONS:
            wider = dict.fromkeys((*lists, reduce(union, lists)))
        return list(wider)

    def _widen(
        self,
        at: int,
        mine: Ways,
        places: list[Place],
        structure: Structure,
        projection: Projection,
    ) -> None:
        """How an entity read is answered when the index holds more than it asks for. `places`: its own among all."""
        whole = self.whole
        place = (structure, projection)
        entity_read = whole.entity_reads[at]
        if place in mine and not entity_read.others and not lists_all(entity_read, mine[place][0]):
            # The best already: only a list of all counts for more than its price, and of several ranges or lists
            # another may need less, and read less where there is more.
            return
        narrower = [
            access
            for access, _ in map(mine.__getitem__, places)
            if whole.suits(at, access, projection)
        ]
        for access in narrower:
            now, score = self._repriced(at, access, projection)
            if place not in mine:
                places.append(place)
            if place not in mine or score < mine[place][1]:
                mine[place] = (now, score)

    def _repriced(self, at: int, access: Access, projection: Projection) -> Option:
        """An access with the keys of the structures that are there anyway, and its own, and its score."""
        whole = self.whole
        structures = dict.fromkeys([*whole.forced, access.structure or whole.base])
        size = keys_bytes(whole.model, whole.base, structures)
        return whole.priced(at, access, projection, size)


def by_structure(
    mine: Ways,
) -> dict[Structure, list[Place]]:
    """The places through which an entity read is answered, by their structure."""
    found: dict[Structure, list[Place]] = {}
    for place in mine:
        if place is not None:
            found.setdefault(place[0], []).append(place)
    return found
