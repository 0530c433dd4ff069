"""Which example items there are: a few for each parent, unevenly."""

from collections.abc import Iterator
from datetime import timedelta

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.examples.items import ROOTS, Draft, Item, Link, links, root_moment
from designer.core.examples.values import typed, value_of
from designer.core.plan.keys import Value

_MOST_OWN = 12
_CHILDREN = (3, 1, 0, 2)
"""Children of the first, second, third ... parent: one has many, one has one, one has none."""


def rows_of(
    design: Design, entity: Entity, drafts: dict[str, list[Draft]], most: int
) -> list[Draft]:
    """The items of an entity with the team's own values and their references filled in, and nothing
    else yet.
    """
    all_links = links(design, entity)
    ready = [link for link in all_links if drafts.get(link.target)]
    own = _own_rows(entity)
    if own:
        rows = own
        for number, row in enumerate(rows):
            _adopt(ready, drafts, row, number)
    elif ready:
        rows = list(_children(entity, ready, drafts))[: _fewer(entity, most)]
    else:
        rows = [
            Draft({}, place, root_moment(place))
            for place in range(_fewer(entity, min(most, ROOTS)))
        ]
    for link in all_links:
        if link.target == entity.name:
            _refer_to_itself(entity, link, rows)
    return rows


def _fewer(entity: Entity, most: int) -> int:
    return min(most, entity.items) if entity.items else most


def _own_rows(entity: Entity) -> list[Draft]:
    """Where each part of the identifier has examples, those are the items: the first value of each
    attribute makes the first item, and so on.
    """
    identifying = [entity.by_name[name] for name in entity.identifier if name in entity.by_name]
    number = min((len(attribute.examples) for attribute in identifying), default=0)
    rows = []
    for place in range(min(number, _MOST_OWN)):
        item = {
            attribute.name: typed(attribute, attribute.examples[place])
            for attribute in entity.stored
            if place < len(attribute.examples)
        }
        rows.append(Draft(item, place, root_moment(place)))
    return rows


def _adopt(ready: list[Link], drafts: dict[str, list[Draft]], row: Draft, number: int) -> None:
    """Find the parents of a row of the team's own, and give it parents where it names none."""
    for link in ready:
        candidates = drafts[link.target]
        named = [
            draft
            for draft in candidates
            if all(row.item.get(mine) == draft.item.get(theirs) for mine, theirs in link.pairs)
        ]
        parent = (named or candidates)[0 if named else number % len(candidates)]
        for mine, theirs in link.pairs:
            if theirs in parent.item:
                row.item.setdefault(mine, parent.item[theirs])
        row.moment = max(row.moment, parent.moment + timedelta(days=1, hours=2))


def _children(entity: Entity, ready: list[Link], drafts: dict[str, list[Draft]]) -> Iterator[Draft]:
    first, *others = ready
    one_each = first.relationship is not None and first.relationship.cardinality == "1:1"
    at = 0
    for number, parent in enumerate(drafts[first.target]):
        children = (
            int(number < max(1, len(drafts[first.target]) - 1))
            if one_each
            else _CHILDREN[number % len(_CHILDREN)]
        )
        for place in range(children):
            item = {
                mine: parent.item[theirs] for mine, theirs in first.pairs if theirs in parent.item
            }
            moment = parent.moment + timedelta(days=1 + 2 * place, hours=2 + 3 * place)
            for link in others:
                chosen = _other_parent(entity, link, drafts, parent, item, place, at)
                moment = max(moment, chosen.moment + timedelta(hours=5))
                for mine, theirs in link.pairs:
                    if mine in item:
                        continue
                    known = _through_parent(entity, first, parent.item, mine)
                    value = chosen.item.get(theirs) if known is None else known
                    if value is not None:
                        item[mine] = value
            yield Draft(item, place, moment)
            at += 1


def _other_parent(
    entity: Entity,
    link: Link,
    drafts: dict[str, list[Draft]],
    parent: Draft,
    item: Item,
    place: int,
    at: int,
) -> Draft:
    """The item that a further reference points to: a different one for each sibling, the first one
    most often.

    Where references share an attribute, one that fits what the item says already: a room of its hotel.
    """
    fitting = [
        draft
        for draft in drafts[link.target]
        if all(item.get(mine) in (None, draft.item.get(theirs)) for mine, theirs in link.pairs)
    ]
    candidates = fitting or drafts[link.target]
    different = [draft for draft in candidates if draft is not parent] or candidates
    in_identifier = all(mine in entity.identifier for mine, _ in link.pairs)
    turn = place if in_identifier else (0, 1, 0, 0, 1, 0)[at % 6]
    return different[turn % len(different)]


def _through_parent(entity: Entity, first: Link, parent: Item, name: str) -> Value:
    """What the parent already says about the same thing: an order item's user is its order's user."""
    refers_to = entity.by_name[name].refers_to if name in entity.by_name else None
    if refers_to is None or name not in parent or name in {mine for mine, _ in first.pairs}:
        return None
    return parent[name]


def _refer_to_itself(entity: Entity, link: Link, rows: list[Draft]) -> None:
    """References inside one entity point to an earlier item; the first item has none to point to.

    The identifier must be known for that, so it is filled here.
    """
    for number, row in enumerate(rows):
        for name in entity.identifier:
            if name not in row.item and name in entity.by_name:
                row.item[name] = value_of(entity, entity.by_name[name], row, number, len(rows))
    for number, row in enumerate(rows):
        if number == 0:
            continue
        earlier = rows[(number - 1) // 2]
        for mine, theirs in link.pairs:
            if theirs in earlier.item and mine not in row.item:
                row.item[mine] = earlier.item[theirs]
