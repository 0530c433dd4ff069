"""How many different parents the rows of a read have, as each of them is read once."""

from collections.abc import Set
from math import prod

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.planner.model.cardinality import matching_items
from designer.core.planner.model.largest import busiest_items, most_items
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.shares import says_its_shares, share_kept

NEARLY_ALL = 0.99
"""Share of the rows above which each is taken to have a parent of its own: chance makes no fraction of an item."""


def different_parents(
    design: Design, root: EntityRead, parent: Entity, references: dict[str, str]
) -> tuple[float | None, float | None]:
    """(on average, at the most); None for no limit. `references`: for each part of the parent's identifier, the rows'.

    There are no more than have what the caller gives of it, such as the wards of one hospital: at the most that is
    stated, else as many as on average.
    """
    listed = {way.list_of: way.list_length for way in root.ways if way.list_of is not None}
    values = {**dict.fromkeys(listed, ""), **root.equals}
    given = {theirs: values[mine] for theirs, mine in references.items() if mine in values}
    lists = prod(listed.get(mine, 1.0) for mine in references.values())
    there = float(parent.items) if parent.items is not None else None
    usual, most = there, most_items(design, parent, given) if given else None
    is_known = all(says_its_shares(design, parent, parent.by_name[name]) for name in given)
    if usual is not None and given and is_known:
        usual = min(usual, matching_items(design, parent, given) * lists)
        if most is None:
            most = busiest_items(design, parent, given, given) or usual / lists
    limits = [one for one in (there, most and most * lists) if one is not None]
    at_most = min(limits, default=None)
    if usual is None or parent.names_one(given.keys()):
        return at_most, at_most
    entity, known = design.entity[root.entity], {*values, *references.values()}
    if entity.items is None or entity.names_one(known):
        return min(root.returned, usual, *limits), at_most
    named = {mine: values[mine] for theirs, mine in references.items() if theirs in given}
    every = matching_items(design, entity, named) * lists if named else float(entity.items)
    of_rows = _of_rows(design, root, usual, max(1.0, every), references.values() - named.keys())
    return min(of_rows, *limits), at_most


def _of_rows(
    design: Design, root: EntityRead, parents: float, every: float, references: Set[str]
) -> float:
    """Of so many parents, those of the rows that are returned, which lie by chance among `every` child of theirs.

    Where a limit cuts them in the order of their parents, they lie together. `references`: what the caller does not
    give of the parents' identifier.
    """
    rows, passing = root.returned, root.matched * root.combinations / every
    for one in (root.range, *root.filters):
        share = 1.0 if one is None else share_kept(design, design.entity[root.entity], one)
        if one is not None and one.attribute in references:
            parents, every = parents * share, every * share
        else:
            passing *= share
    each = every / parents if parents else 0.0
    if min(rows, each) <= 1 or rows >= every:
        return min(rows, parents)
    order = root.order[: len(references)]
    if root.limit is not None and references <= {one.attribute for one in order}:
        return min(rows, 1 + (rows - 1) / max(1.0, each * passing))
    missed = min(1.0, each / max(1.0, every - (rows - 1) / 2))
    found = min(rows, parents * (1 - float((1 - missed) ** rows)))
    return rows if found > rows * NEARLY_ALL else found
