"""Fewest indexes for a stated part of the lowest cost more.

What belongs together (a shared table and all that is asked for with its entities, or one entity) is solved with fewer
and fewer structures for each entity; then one of these is taken for each, so that there are as few indexes as the cost
allows, by dynamic programming. In a shared table entities share indexes, so what counts is the most of any entity. A
copy of the items that no strong read asks for is no way round: it counts as an index, and where what costs least has
some, there are none among fewer.
"""

from dataclasses import dataclass
from itertools import product

from designer.core.planner.model.chosen import EntityChoice
from designer.core.planner.model.score import BEFORE_MONEY, Score
from designer.core.planner.solve.search import Search
from designer.core.planner.solve.together import Together
from designer.core.rational import Fraction


@dataclass(frozen=True)
class _Step:
    """What belongs together, with so many indexes."""

    indexes: int
    score: Score
    found: tuple[Together, ...]


def fewest_indexes(search: Search, allowed: Fraction) -> list[Together]:
    """The choice with the fewest indexes that costs at most so much more than the cheapest, in US dollars a month."""
    fronts = [_front(search, components, allowed) for components in _blocks(search)]
    cheapest: dict[int, tuple[Fraction, tuple[_Step, ...]]] = {0: (Fraction(0), ())}
    """By the number of indexes: what they cost more than the cheapest choice, and the steps to them."""
    for front in fronts:
        before, cheapest = cheapest, {}
        for (indexes, (usd, steps)), step in product(before.items(), front):
            total = indexes + step.indexes
            more = usd + step.score.usd - front[0].score.usd
            if more <= allowed and (total not in cheapest or more < cheapest[total][0]):
                cheapest[total] = more, (*steps, step)
    _, chosen = cheapest[min(cheapest)]
    return [one for step in chosen for one in step.found]


def _blocks(search: Search) -> list[list[tuple[str, ...]]]:
    """Components of the search, those with entities in one table together."""
    blocks: list[list[tuple[str, ...]]] = []
    for component in search.components():
        tables = {search.requirements.table_of(name) for name in component}
        touching = [
            block
            for block in blocks
            if tables & {search.requirements.table_of(name) for names in block for name in names}
        ]
        blocks = [block for block in blocks if block not in touching]
        blocks.append([names for block in touching for names in block] + [component])
    return blocks


def _front(search: Search, components: list[tuple[str, ...]], allowed: Fraction) -> list[_Step]:
    """From the cheapest down to the fewest indexes that are allowed, each with its score."""
    front: list[_Step] = []
    most: int | None = None
    while True:
        found = tuple(search.component(names, most).best() for names in components)
        score = sum((one.score for one in found), Score())
        if front:
            first = front[0].score
            if score.key[:BEFORE_MONEY] > first.key[:BEFORE_MONEY]:
                return front
            if score.usd - first.usd > allowed:
                return front
        indexes = _indexes(search, found)
        if not front or indexes < front[-1].indexes:
            front.append(_Step(indexes, score, found))
        choices = [choice for one in found for choice in one.entities.items()]
        highest = max((len(choice.projections) for _, choice in choices), default=0)
        if search.copies and any(_copies(search, *choice) for choice in choices):
            search, most = search.without_copies(), highest
        else:
            most = (highest if most is None else min(highest, most)) - 1
        if most < 0:
            return front


def _indexes(search: Search, found: tuple[Together, ...]) -> int:
    """Indexes that the tables need, as many as the entity with the most has, and copies for their price alone."""
    tables: dict[object, int] = {}
    copies = 0
    for one in found:
        for name, choice in one.entities.items():
            table = search.requirements.table_of(name)
            indexes = sum(structure.kind != "copy" for structure in choice.projections)
            tables[table] = max(tables.get(table, 0), indexes)
            copies += _copies(search, name, choice)
    return sum(tables.values()) + copies


def _copies(search: Search, name: str, choice: EntityChoice) -> int:
    """Copies of an entity's items that answer no strong read."""
    strong = {part.id for part in search.of_entity[name] if part.entity_read.strong}
    asked = {access.structure for part, access in choice.access.items() if part in strong}
    model = search.models[name]
    return sum(
        model.is_copy(structure) and structure not in asked for structure in choice.projections
    )
