"""The picture as SVG.

Colours are presentation attributes, which a page's stylesheet may override through the classes; in documents and files
they stand as they are.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from itertools import count

from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.er_picture.boxes import BOX_WIDTH, HEAD, LINE, MARGIN, Box, Edge, Row
from designer.core.er_picture.layout import Layout, laid_out
from designer.core.er_picture.lines import Route, routes
from designer.core.er_picture.names import Name, names
from designer.core.er_picture.words import sentences

HUES = ("#0072b2", "#d55e00", "#009e73", "#c2659a", "#b87f00", "#3390cf", "#968b0a", "#6a7078")
LOOP = 44
"""Room on the right for a relationship of an entity with itself, and its name."""
LONGEST = 23
"""Characters of a name that a box has room for."""
TEXT = 'font-family="IBM Plex Sans, system-ui, sans-serif"'
_KEY = "M3.2 6.8a2.6 2.6 0 1 0-.01 0zM5.3 4.7L10 9.4M8 7.4l1.6-1.6"
_REFERS = "M2 5h7M6 2l3 3-3 3"

Attributes = Mapping[str, str]


@dataclass(frozen=True)
class Dress:
    """What a page adds to the picture."""

    entity: Callable[[Entity], Attributes] | None = None
    """The attributes of the link that an entity's box is; without `href` it is none."""
    relationship: Callable[[Relationship], Attributes] | None = None
    marked: frozenset[str] = frozenset()
    """Entities that are marked."""
    margin: float = MARGIN
    paper: bool = False
    """A white ground, for a file that is looked at by itself."""
    handles: bool = False
    """A handle on each box from which a relationship is drawn."""
    whole: bool = False
    """Boxes hold all attributes, however many."""


PLAIN = Dress()


@dataclass(frozen=True)
class _Drawn:
    """The parts of a picture: where it begins and how large it is; its lines by their numbers, in the order in which
    they are drawn; its boxes by the names of their entities.
    """

    left: float
    top: float
    width: float
    height: float
    lines: dict[int, str]
    boxes: dict[str, str]

    @property
    def size(self) -> str:
        return (
            f'width="{self.width:g}" height="{self.height:g}"'
            f' viewBox="{self.left:g} {self.top:g} {self.width:g} {self.height:g}"'
        )


def svg(design: Design, dress: Dress = PLAIN) -> str:
    """The picture as an SVG element."""
    drawn = _drawn(design, dress)
    said = "; ".join(sentences(design)) or "no relationships"
    role = "group" if dress.entity else "img"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="er" role="{role}" {drawn.size}'
        ' aria-labelledby="er-title er-words">',
        '<title id="er-title">Entities and relationships</title>',
        f'<desc id="er-words">{escape(said)}</desc>',
    ]
    if dress.paper:
        parts.append(
            f'<rect fill="#ffffff" x="{drawn.left:g}" y="{drawn.top:g}" width="{drawn.width:g}"'
            f' height="{drawn.height:g}"/>'
        )
    return "".join([*parts, *drawn.lines.values(), *drawn.boxes.values(), "</svg>"])


def redrawn(before: Design, after: Design, dress: Dress = PLAIN) -> str:
    """What of the picture is drawn differently after boxes were moved, as an SVG element of the size that it has then.

    Its `data-lines` names all lines in the order in which they are drawn.
    """
    was, now = _drawn(before, dress), _drawn(after, dress)
    order = " ".join(map(str, now.lines))
    parts = [part for key, part in now.lines.items() if was.lines.get(key) != part]
    parts += [part for name, part in now.boxes.items() if was.boxes.get(name) != part]
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {now.size} data-lines="{order}">',
            *parts,
            "</svg>",
        ]
    )


def _drawn(design: Design, dress: Dress) -> _Drawn:
    layout = laid_out(design, dress.whole)
    left, top = min(layout.left, MARGIN) - dress.margin, min(layout.top, MARGIN) - dress.margin
    return _Drawn(
        left,
        top,
        layout.right + dress.margin + LOOP - left,
        layout.bottom + dress.margin - top,
        _lines(design, layout, dress),
        {
            entity.name: _entity(layout.boxes[entity.name], entity, number, dress)
            for number, entity in enumerate(design.entities)
        },
    )


def _lines(design: Design, layout: Layout, dress: Dress) -> dict[int, str]:
    ways = routes(layout.boxes, layout.edges)
    placed = names(layout.edges, ways, layout.boxes)
    return {
        number: _linked(
            _line(edge, way, placed[number]),
            dress.relationship(edge.relationship) if dress.relationship else {},
            {
                "class": "er-edge",
                "data-line": str(number),
                "data-parent": design.entity[edge.parent].id or edge.parent,
                "data-child": design.entity[edge.child].id or edge.child,
            },
        )
        for number, edge, way in sorted(
            zip(count(), layout.edges, ways, strict=False), key=_when_drawn
        )
    }


def _when_drawn(line: tuple[int, Edge, Route]) -> float:
    """A name is drawn after the lines that would strike it through: those that pass it on to the next ends."""
    _, _, way = line
    return -way.end.y if way.comes_from_above else way.end.y


def _linked(drawn: str, link: Attributes, more: Attributes) -> str:
    """What is drawn, in a link where there is one."""
    tag = "a" if link.get("href") else "g"
    said = "".join(f' {name}="{escape(value)}"' for name, value in {**more, **link}.items())
    return f"<{tag}{said}>{drawn}</{tag}>"


def _line(edge: Edge, way: Route, name: Name) -> str:
    relationship, end = edge.relationship, way.end
    is_loop = edge.parent == edge.child
    title = f"{relationship.name}: {edge.parent} {relationship.cardinality} {edge.child}"
    kind = "er-line is-identifying" if relationship.identifying else "er-line"
    width = 2 if relationship.identifying else 1.25
    return (
        f"<title>{escape(title)}</title>"
        f'<path class="{kind}" fill="none" stroke="#8b8f96" stroke-width="{width}" d="{way.path}"/>'
        f"{'' if is_loop else _mark(f'M{way.start.away(7, -5)}L{way.start.away(7, 5)}')}"
        + _mark(
            f"M{end.away(0, -6)}L{end.away(10)}L{end.away(0, 6)}"
            if relationship.cardinality != "1:1"
            else f"M{end.away(7, -5)}L{end.away(7, 5)}"
        )
        + _word(name)
    )


def _word(name: Name) -> str:
    """A line's name on paper of its own, so that no line goes through it. As wide as the letters are on average."""
    if not name.text:
        return ""
    return (
        f'<rect class="er-ground" fill="#ffffff" x="{name.left:g}" y="{name.top:g}" width="{name.width:g}"'
        f' height="11"/><text class="er-word" {TEXT} font-size="11" fill="#566170"'
        f' text-anchor="{name.anchor}" x="{name.x:g}" y="{name.y:g}">{escape(name.text)}</text>'
    )


def _mark(path: str) -> str:
    """The crow's foot of the many side, or the bar of a one side."""
    return f'<path class="er-end" fill="none" stroke="#8b8f96" stroke-width="1.25" d="{path}"/>'


def _entity(box: Box, entity: Entity, number: int, dress: Dress) -> str:
    link = dress.entity(entity) if dress.entity else {}
    marked = " is-asked" if entity.name in dress.marked else ""
    key = entity.id or entity.name
    more = {
        "class": f"er-entity hue-{number % 16}{marked}",
        "id": f"er-{key}",
        "data-entity": key,
        "data-name": entity.name,
    }
    return _linked(_box(box, HUES[number % len(HUES)], dress), link, more)


def _box(box: Box, hue: str, dress: Dress) -> str:
    rows = "".join(_row(box, row, place) for place, row in enumerate(box.rows))
    handle = (
        f'<g class="er-handle"><circle class="er-reach" cx="{box.right:g}" cy="{box.y + HEAD / 2:g}"'
        f' r="13" fill="none"/><circle class="er-dot" cx="{box.right:g}" cy="{box.y + HEAD / 2:g}" r="5"/></g>'
        if dress.handles
        else ""
    )
    return (
        f"<title>{escape(box.name)}</title>"
        f'<rect class="er-box" fill="#ffffff" stroke="#c9c4b8" x="{box.x:g}" y="{box.y:g}"'
        f' width="{BOX_WIDTH}" height="{box.height:g}" rx="4"/>'
        f'<rect class="er-bar" fill="{hue}" x="{box.x:g}" y="{box.y:g}" width="4"'
        f' height="{box.height:g}" rx="1"/>'
        f'<text class="er-name" {TEXT} font-size="13" font-weight="600" fill="#1b2430"'
        f' x="{box.x + 14:g}" y="{box.y + 18:g}">{escape(_cut(box.name))}</text>{rows}'
        f'<text class="er-asked" {TEXT} font-size="11" fill="#566170" x="{box.x + 14:g}"'
        f' y="{box.bottom - 8:g}">{escape(box.asked)}</text>{handle}'
    )


def _row(box: Box, row: Row, place: int) -> str:
    """An attribute with its marks: a key where it identifies, an arrow where it refers to another entity."""
    x, y = box.x + 14, box.y + HEAD + 11 + LINE * place
    shape = _KEY if row.identifies else _REFERS if row.refers else ""
    words = " ".join(
        filter(
            None,
            ("identifies" if row.identifies else "", row.refers and f"refers to {row.refers}"),
        )
    )
    mark = (
        f'<path class="er-mark" fill="none" stroke="#566170" stroke-width="1.2" stroke-linecap="round"'
        f' transform="translate({x:g} {y - 9:g})" d="{shape}"/>'
        if shape
        else ""
    )
    title = f"<title>{escape(f'{row.text} {words}')}</title>" if words else ""
    return (
        f'<g>{title}{mark}<text class="er-attribute" {TEXT} font-size="12" fill="#566170"'
        f' x="{x + 15:g}" y="{y:g}">{escape(_cut(row.text, LONGEST - 2))}</text></g>'
    )


def _cut(text: str, longest: int = LONGEST) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}\u2026"
