"""Example items that hang together: the same user in every place, orders that belong to users,
dates in order.

They are worked out from the design alone, without chance, so the same design always shows the same
rows. The team's own example values come first. Nothing here is proof: that makes rows of its own.
"""

from collections.abc import Iterable, Iterator
from decimal import Decimal

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.examples.asked import Constants, constants_of, meet
from designer.core.examples.items import Draft, Examples, links
from designer.core.examples.rows import rows_of
from designer.core.examples.spans import keep_apart
from designer.core.examples.values import fill
from designer.core.plan.keys import Value

MOST_ITEMS = 300
"""Example items of a whole design, so that a page stays light."""


def examples(design: Design) -> Examples:
    """Example items of each entity, by entity name, in the order in which they came to be.

    Three items of an entity that belongs to nobody; of others a few for each parent, unevenly.
    """
    drafts: dict[str, list[Draft]] = {}
    most = max(1, min(6, MOST_ITEMS // max(1, len(design.entities))))
    constants = constants_of(design)
    for entity in _parents_first(design):
        rows = rows_of(design, entity, drafts, most)
        keep_apart(design, entity, rows)
        drafts[entity.name] = fill(design, entity, rows)
        _meet(constants.get(entity.name, ()), drafts[entity.name])
    for entity in design.entities:
        _aggregate(design, entity, drafts)
    return {
        entity.name: tuple(draft.item for draft in drafts[entity.name])
        for entity in design.entities
    }


def _meet(asked: Iterable[Constants], rows: list[Draft]) -> None:
    """What patterns always ask for occurs, so that none of them finds nothing for want of an example."""
    items = [row.item for row in rows]
    claimed: list[set[str]] = [set() for _ in items]
    for constants in asked:
        meet(constants, items, claimed, lambda attribute, number: number < len(attribute.examples))


def _parents_first(design: Design) -> Iterator[Entity]:
    """The entities, each after what it refers to; a circle is entered where the design names it
    first.
    """
    done: set[str] = set()

    def visit(entity: Entity, above: frozenset[str]) -> Iterator[Entity]:
        if entity.name in done or entity.name in above:
            return
        for link in links(design, entity):
            yield from visit(design.entity[link.target], above | {entity.name})
        done.add(entity.name)
        yield entity

    for entity in design.entities:
        yield from visit(entity, frozenset())


def _aggregate(design: Design, entity: Entity, drafts: dict[str, list[Draft]]) -> None:
    """Counts, sums, greatest and least over a relationship's children, from the children there are."""
    for attribute in entity.attributes:
        if attribute.aggregate is None:
            continue
        form, _, path = attribute.aggregate.partition(" of ")
        name, _, of = path.partition(".")
        relationship = design.relationship.get(name)
        if relationship is None or relationship.child not in drafts:
            continue
        pairs = design.references(relationship, entity.name)
        for draft in drafts[entity.name]:
            values = [
                child.item.get(of) if of else 1
                for child in drafts[relationship.child]
                if pairs and all(child.item.get(m) == draft.item.get(t) for m, t in pairs)
            ]
            known = [value for value in values if value is not None]
            figure: Value = None
            if form == "count":
                figure = Decimal(len(known))
            elif form == "sum":
                figure = sum((Decimal(str(value)) for value in known), Decimal(0))
            elif known:
                figure = max(known) if form == "greatest" else min(known)
            if figure is not None:
                draft.item[attribute.name] = figure
