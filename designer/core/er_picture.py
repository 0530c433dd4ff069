"""Entities and relationships as a picture: parents left, children right, drawn as SVG on the
server.

The same design always gives the same picture. Colours are presentation attributes, which a page's
stylesheet may override through the classes; in a PDF they stand as they are.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

from designer.core import figures
from designer.core.design.document import Design, Entity, Relationship

BOX_WIDTH = 172
LINE = 16
HEAD = 28
BESIDE = 148
"""Room between two layers, for lines and the names of relationships."""
BETWEEN = 22
MARGIN = 10
MOST_ATTRIBUTES = 6
HUES = ("#0072b2", "#d55e00", "#009e73", "#c2659a", "#b87f00", "#3390cf", "#968b0a", "#6a7078")


@dataclass
class Box:
    """An entity in the picture, or the place where a line passes a layer."""

    name: str
    layer: int = 0
    x: float = 0
    y: float = 0
    height: float = 0
    lines: tuple[str, ...] = ()
    entity: bool = True
    order: float = 0

    @property
    def middle(self) -> float:
        return self.y + self.height / 2


@dataclass
class Edge:
    """A relationship's line, from the one side to the many side through the layers between."""

    relationship: Relationship
    parent: str
    child: str
    through: list[Box] = field(default_factory=list)


def sentences(design: Design) -> tuple[str, ...]:
    """The relationships in words, for those who cannot see the picture."""
    said = []
    for relationship in design.relationships:
        parent, child = relationship.parent, relationship.child
        if relationship.cardinality == "N:M" and isinstance(relationship.many, tuple):
            one, other = relationship.many
            text = f"{one} N:M {other}, through {child}"
        elif relationship.cardinality == "1:1":
            text = f"{parent} 1:1 {child}"
        else:
            text = f"{parent} 1:N {child}"
        text += f" ({relationship.name})"
        if relationship.average is not None:
            text += f", {figures.number(relationship.average)} on average"
        if relationship.most is not None:
            text += f", {relationship.most:,} at the most"
        said.append(text)
    return tuple(said)


def svg(design: Design, link: Callable[[Entity], str] | None = None) -> str:
    """The picture as an SVG element; `link` gives the address that an entity's box leads to, or none."""
    boxes, edges = _lay_out(design)
    known = [box for box in boxes.values() if box.entity]
    width = max((box.x + BOX_WIDTH for box in known), default=0) + MARGIN + 44
    height = max((box.y + box.height for box in boxes.values()), default=0) + MARGIN
    said = "; ".join(sentences(design)) or "no relationships"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="er" role="img" width="{width:g}"'
        f' height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
        ' aria-labelledby="er-title er-words">',
        '<title id="er-title">Entities and relationships</title>',
        f'<desc id="er-words">{escape(said)}</desc>',
    ]
    ports = _ports(boxes, edges)
    parts += [_line(boxes, edge, *ports[number]) for number, edge in enumerate(edges)]
    for number, entity in enumerate(design.entities):
        drawn = _box(boxes[entity.name], number)
        address = link(entity) if link is not None else ""
        if address:
            drawn = f'<a href="{escape(address)}">{drawn}</a>'
        parts.append(drawn)
    return "".join([*parts, "</svg>"])


# Where things stand -------------------------------------------------------------------------------


def _lay_out(design: Design) -> tuple[dict[str, Box], list[Edge]]:
    edges = _edges(design)
    boxes = {entity.name: _new_box(entity, edges) for entity in design.entities}
    _layers(boxes, edges)
    layers: dict[int, list[Box]] = {}
    for box in boxes.values():
        layers.setdefault(box.layer, []).append(box)
    for number, edge in enumerate(edges):
        first, last = sorted((boxes[edge.parent].layer, boxes[edge.child].layer))
        for layer in range(first + 1, last):
            passing = Box(f"-{number}-{layer}", layer, height=LINE, entity=False)
            edge.through.append(passing)
            layers.setdefault(layer, []).append(passing)
    everything = {**boxes, **{box.name: box for edge in edges for box in edge.through}}
    neighbours = _neighbours(edges)
    _order(layers, everything, neighbours)
    _place(layers, everything, neighbours)
    return everything, edges


def _edges(design: Design) -> list[Edge]:
    edges = []
    for relationship in design.relationships:
        edges += [
            Edge(relationship, side, relationship.child)
            for side in dict.fromkeys(relationship.parents)
            if side in design.entity and relationship.child in design.entity
        ]
    return edges


def _new_box(entity: Entity, edges: list[Edge]) -> Box:
    references = [a.name for a in entity.attributes if a.refers_to]
    names = list(dict.fromkeys([*entity.identifier, *references]))
    names += [a.name for a in entity.stored if a.name not in names]
    shown = names[:MOST_ATTRIBUTES]
    if len(names) > len(shown):
        shown = [*names[: MOST_ATTRIBUTES - 1], f"and {len(names) - MOST_ATTRIBUTES + 1} more"]
    ends = max(
        sum(edge.child == entity.name for edge in edges),
        sum(edge.parent == entity.name for edge in edges),
    )
    height = max(HEAD + LINE * len(shown) + 6, (ends + 1) * (LINE + 2))
    return Box(entity.name, height=height, lines=tuple(shown))


def _layers(boxes: dict[str, Box], edges: list[Edge]) -> None:
    """Each entity one layer right of its furthest parent; in a circle the first seen stays left."""
    parents: dict[str, list[str]] = {name: [] for name in boxes}
    for edge in edges:
        if edge.parent != edge.child:
            parents[edge.child].append(edge.parent)
    depth: dict[str, int] = {}

    def visit(name: str, above: frozenset[str]) -> int:
        if name not in depth:
            before = [
                visit(parent, above | {name}) for parent in parents[name] if parent not in above
            ]
            depth[name] = max(before, default=-1) + 1
        return depth[name]

    for name in boxes:
        boxes[name].layer = visit(name, frozenset({name}))


def _neighbours(edges: list[Edge]) -> dict[str, list[str]]:
    """What stands one layer beside what, along the lines."""
    found: dict[str, list[str]] = {}
    for edge in edges:
        chain = [edge.parent, *(box.name for box in edge.through), edge.child]
        for left, right in pairwise(chain):
            if left != right:
                found.setdefault(left, []).append(right)
                found.setdefault(right, []).append(left)
    return found


def _order(
    layers: dict[int, list[Box]], boxes: dict[str, Box], neighbours: dict[str, list[str]]
) -> None:
    """Few crossings: each box at the mean place of its neighbours, layer by layer, to and fro."""
    for layer in layers.values():
        for place, box in enumerate(layer):
            box.order = place
    for turn in range(6):
        numbers = sorted(layers, reverse=bool(turn % 2))
        for number in numbers:
            side = number - 1 if turn % 2 == 0 else number + 1
            layer = layers[number]
            means = {box.name: _mean(box, side, boxes, neighbours, "order") for box in layer}
            layer.sort(key=lambda box: (means[box.name], box.order))
            for place, box in enumerate(layer):
                box.order = place


def _mean(
    box: Box, layer: int, boxes: dict[str, Box], neighbours: dict[str, list[str]], what: str
) -> float:
    values = [
        float(getattr(boxes[name], what))
        for name in neighbours.get(box.name, ())
        if boxes[name].layer == layer
    ]
    return sum(values) / len(values) if values else float(getattr(box, what))


def _place(
    layers: dict[int, list[Box]], boxes: dict[str, Box], neighbours: dict[str, list[str]]
) -> None:
    for number, layer in layers.items():
        below = 0.0
        for box in layer:
            box.x = MARGIN + number * (BOX_WIDTH + BESIDE)
            box.y = below
            below += box.height + BETWEEN
    for turn in range(8):
        for number in sorted(layers, reverse=bool(turn % 2)):
            layer = layers[number]
            side = number - 1 if turn % 2 == 0 else number + 1
            wished = [
                _mean(box, side, boxes, neighbours, "middle") - box.height / 2 for box in layer
            ]
            below = float("-inf")
            for box, wish in zip(layer, wished, strict=True):
                box.y = max(wish, below)
                below = box.y + box.height + BETWEEN
            drift = sum(b.y - wish for b, wish in zip(layer, wished, strict=True)) / len(layer)
            for box in layer:
                box.y -= drift
    top = min((box.y for box in boxes.values()), default=0)
    for box in boxes.values():
        box.y += MARGIN - top


# Drawing ------------------------------------------------------------------------------------------


def _ports(
    boxes: dict[str, Box], edges: list[Edge]
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Where each line leaves its parent and enters its child, spread over the side of the box."""
    ends: dict[tuple[str, bool], list[int]] = {}
    for number, edge in enumerate(edges):
        if edge.parent != edge.child:
            ends.setdefault((edge.parent, True), []).append(number)
            ends.setdefault((edge.child, False), []).append(number)
    places: dict[tuple[int, bool], tuple[float, float]] = {}
    for (name, leaves), numbers in ends.items():
        box = boxes[name]

        def other_end(number: int, leaves: bool = leaves) -> float:
            edge = edges[number]
            chain = [*edge.through]
            if chain:
                return chain[0 if leaves else -1].middle
            return boxes[edge.child if leaves else edge.parent].middle

        numbers.sort(key=lambda number: (other_end(number), number))
        for place, number in enumerate(numbers, 1):
            edge = edges[number]
            backwards = boxes[edge.parent].layer >= boxes[edge.child].layer
            right = leaves != backwards
            y = box.y + box.height * place / (len(numbers) + 1)
            places[number, leaves] = (box.x + (BOX_WIDTH if right else 0), y)
    return [
        (places.get((n, True), (0.0, 0.0)), places.get((n, False), (0.0, 0.0)))
        for n in range(len(edges))
    ]


def _line(
    boxes: dict[str, Box], edge: Edge, start: tuple[float, float], end: tuple[float, float]
) -> str:
    relationship = edge.relationship
    name = escape(relationship.name)
    many = relationship.cardinality != "1:1"
    title = f"<title>{escape(edge.parent)} {relationship.cardinality} {escape(edge.child)}</title>"
    style = 'fill="none" stroke="#8b8f96" stroke-width="{}"'
    kind = "er-line is-identifying" if relationship.identifying else "er-line"
    width = style.format(2 if relationship.identifying else 1.25)
    if edge.parent == edge.child:
        box = boxes[edge.parent]
        x, y = box.x + BOX_WIDTH, box.y + HEAD / 2
        path = f"M{x:g} {y:g}h20q10 0 10 10v{box.height / 2:g}q0 10 -10 10h-20"
        return (
            f'<g>{title}<path class="{kind}" {width} d="{path}"/>'
            f"{_foot(x, y + box.height / 2 + 20, 1, many)}"
            f'<text class="er-word" font-size="11" fill="#566170" x="{x + 6:g}"'
            f' y="{y - 5:g}">{name}</text></g>'
        )
    way = 1 if end[0] > start[0] else -1
    points = [start, *((box.x, box.middle) for box in edge.through[::way])]
    path = f"M{start[0]:g} {start[1]:g}"
    at = start
    for x, y in points[1:]:
        bend = (x - at[0]) / 2
        path += f"C{at[0] + bend:g} {at[1]:g} {x - bend:g} {y:g} {x:g} {y:g}h{BOX_WIDTH * way:g}"
        at = (x + BOX_WIDTH * way, y)
    bend = (end[0] - at[0]) / 2
    path += f"C{at[0] + bend:g} {at[1]:g} {end[0] - bend:g} {end[1]:g} {end[0]:g} {end[1]:g}"
    anchor = "end" if way > 0 else "start"
    # The name stands on the side that the line does not come from.
    beside = 13 if at[1] < end[1] - 4 else -5
    return (
        f'<g>{title}<path class="{kind}" {width} d="{path}"/>'
        f'<path class="er-end" {style.format(1.25)} d="M{start[0] + 7 * way:g} {start[1] - 5:g}v10"/>'
        f"{_foot(end[0], end[1], -way, many)}"
        f'<text class="er-word" font-family="IBM Plex Sans" font-size="11" fill="#566170"'
        f' text-anchor="{anchor}" x="{end[0] - 13 * way:g}" y="{end[1] + beside:g}">{name}</text></g>'
    )


def _foot(x: float, y: float, way: int, many: bool) -> str:
    """The crow's foot of the many side, or the bar of a one side."""
    path = (
        f"M{x:g} {y - 6:g}L{x + 10 * way:g} {y:g}L{x:g} {y + 6:g}"
        if many
        else f"M{x + 7 * way:g} {y - 5:g}v10"
    )
    return f'<path class="er-end" fill="none" stroke="#8b8f96" stroke-width="1.25" d="{path}"/>'


def _box(box: Box, number: int) -> str:
    hue = HUES[number % len(HUES)]
    rows = "".join(
        f'<text class="er-attribute" font-family="IBM Plex Sans" font-size="12" fill="#566170"'
        f' x="{box.x + 14:g}" y="{box.y + HEAD + 11 + LINE * place:g}">{escape(_cut(text))}</text>'
        for place, text in enumerate(box.lines)
    )
    return (
        f'<g class="hue-{number % 16}"><rect class="er-box" fill="#ffffff" stroke="#c9c4b8" x="{box.x:g}"'
        f' y="{box.y:g}" width="{BOX_WIDTH}" height="{box.height:g}" rx="4"/>'
        f'<rect class="er-bar" fill="{hue}" x="{box.x:g}" y="{box.y:g}" width="4"'
        f' height="{box.height:g}" rx="1"/>'
        f'<text class="er-name" font-family="IBM Plex Sans" font-size="13" font-weight="600"'
        f' fill="#1b2430" x="{box.x + 14:g}" y="{box.y + 18:g}">{escape(_cut(box.name))}</text>'
        f"{rows}</g>"
    )


def _cut(text: str) -> str:
    return text if len(text) <= 24 else f"{text[:23]}\u2026"
