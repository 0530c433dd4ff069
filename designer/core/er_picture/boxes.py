"""What stands in the picture: a box for each entity, a line for each relationship. Lengths are in pixels."""

from collections import Counter
from dataclasses import dataclass, field

from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.er_picture.words import patterns_of
from designer.core.words import figures

BOX_WIDTH = 172
LINE = 16
HEAD = 28
BESIDE = 148
"""Room between two layers, for lines and the names of relationships."""
BETWEEN = 22
MARGIN = 10
TURN = 90
"""Room beside the rows of a deep model, for lines that turn into the next row."""
MOST_ATTRIBUTES = 6
"""Rows of a box, where not all attributes are asked for."""


@dataclass(frozen=True)
class Row:
    """A line of a box."""

    text: str
    identifies: bool = False
    refers: str = ""
    """`User.userId`: whose value the attribute holds."""


@dataclass
class Box:
    """An entity in the picture, or the place where a line passes a layer."""

    name: str
    layer: int = 0
    x: float = 0
    y: float = 0
    height: float = 0
    rows: tuple[Row, ...] = ()
    asked: str = ""
    """How many access patterns read or write it, in words."""
    is_kept: bool = False
    """Somebody put it there."""
    order: float = 0
    band: int = 0
    """Which of the rows, one below the other, that the layers of a deep model are folded into."""

    @property
    def way(self) -> int:
        """Where the next layer is: 1 for right, -1 for left. The rows run to and fro: lines go on into the next."""
        return -1 if self.band % 2 else 1

    @property
    def middle(self) -> float:
        return self.y + self.height / 2

    @property
    def right(self) -> float:
        return self.x + BOX_WIDTH

    @property
    def bottom(self) -> float:
        return self.y + self.height


@dataclass
class Edge:
    """A relationship's line, from the one side to the many side through the layers between."""

    relationship: Relationship
    parent: str
    child: str
    through: list[Box] = field(default_factory=list)


def edges_of(design: Design) -> list[Edge]:
    """The lines of a design; of a relationship between many and many one for each side."""
    return [
        Edge(relationship, side, relationship.child)
        for relationship in design.relationships
        for side in dict.fromkeys(relationship.parents)
        if side in design.entity and relationship.child in design.entity
    ]


def boxes_of(design: Design, edges: list[Edge], whole: bool = False) -> dict[str, Box]:
    """The boxes of a design by the names of their entities, none in its place yet. `whole`: with all attributes."""
    counts = patterns_of(design)
    above = Counter(edge.child for edge in edges)
    below = Counter(edge.parent for edge in edges)
    return {
        name: _new_box(design, entity, max(above[name], below[name]), counts[name], whole)
        for name, entity in ((entity.name, entity) for entity in design.entities)
    }


def _new_box(design: Design, entity: Entity, ends: int, patterns: int, whole: bool) -> Box:
    rows = _rows(design, entity, whole)
    height = max(HEAD + LINE * (len(rows) + 1) + 6, (ends + 1) * (LINE + 2))
    asked = figures.count(patterns, "access pattern") if patterns else "no access pattern"
    return Box(entity.name, height=height, rows=rows, asked=asked)


def _rows(design: Design, entity: Entity, whole: bool) -> tuple[Row, ...]:
    """Its attributes, those first that identify it or refer to another entity; unless `whole`, the rest counted."""
    referred = design.referred
    holding = [a.name for a in entity.attributes if (entity.name, a.name) in referred]
    names = list(dict.fromkeys([*entity.identifier, *holding, *(a.name for a in entity.stored)]))
    shown = names if whole or len(names) <= MOST_ATTRIBUTES else names[: MOST_ATTRIBUTES - 1]
    rows = [
        Row(
            name,
            name in entity.identifier,
            ".".join(referred.get((entity.name, name), ())),
        )
        for name in shown
    ]
    if len(names) > len(shown):
        rows.append(Row(f"and {len(names) - len(shown)} more"))
    return tuple(rows)
