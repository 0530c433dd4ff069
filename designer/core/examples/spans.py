"""Example items that begin and end, such as stays in a room: those of one parent follow one another."""

from datetime import datetime

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.examples.items import Draft, links
from designer.core.examples.values import ARRIVES, DEPARTS, is_moment, moment_of
from designer.core.words.spoken import words

_BEGINS = ARRIVES | {"start", "starts", "begin", "begins", "from"}
_ENDS = DEPARTS | {"end", "ends", "until", "till", "to"}


def keep_apart(design: Design, entity: Entity, rows: list[Draft]) -> None:
    """Move items to later moments until no two of one parent overlap in time.

    What the team gave as examples stays as it is.
    """
    begins, ends = _named(entity, _BEGINS), _named(entity, _ENDS)
    if begins is None or ends is None or begins.examples or ends.examples:
        return
    others = [link for link in links(design, entity) if link.target != entity.name]
    taken: dict[tuple[object, ...], datetime] = {}
    for row in sorted(rows, key=lambda row: row.moment):
        parents = [
            (link.target, *(row.item.get(mine) for mine, _ in link.pairs)) for link in others
        ]
        for parent in parents:
            if parent in taken and moment_of(begins, row) < taken[parent]:
                row.moment += taken[parent] - moment_of(begins, row)
        taken.update(dict.fromkeys(parents, moment_of(ends, row)))


def _named(entity: Entity, said: frozenset[str]) -> Attribute | None:
    """The first moment of the entity that is called by one of the words."""
    moments = (attribute for attribute in entity.stored if is_moment(attribute))
    return next((each for each in moments if said.intersection(words(each.name))), None)
