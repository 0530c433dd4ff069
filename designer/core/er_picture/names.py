"""Where the names of lines stand: beside an end, on the side where nothing else is.

A name stands at its usual place, if that is free; or else at the first of the others that is; or else where least is in
its way.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.core.er_picture.boxes import BETWEEN, Box, Edge
from designer.core.er_picture.lines import PIECES, End, Point, Route

WIDE = 5.6
"""Pixels of a letter in the name of a line, on average."""
LONGEST = 24
"""Letters of a name."""
ASCENT, DESCENT = 9, 2
"""Pixels of a name above and below the line that it is written on."""
ASIDE = 8
"""Pixels between a steep line and its name."""
CELL = 80
"""Width and height in pixels of the squares that the picture is searched by."""
MOST_PIECES = 60
"""Pieces of lines in the squares around a name; where there are more, its place is no better than another."""

MOST_SQUARES = 64
"""Squares that a piece of a line goes through; a longer one, across a very large model, is not looked at."""

Piece = tuple[Point, Point]
Square = tuple[int, int]


@dataclass(frozen=True)
class Name:
    """A name's place: `x` is where it starts, or where it ends if `anchor` is `end`."""

    text: str
    x: float
    y: float
    anchor: str

    @property
    def width(self) -> float:
        return len(self.text) * WIDE

    @property
    def left(self) -> float:
        return self.x - self.width if self.anchor == "end" else self.x

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def top(self) -> float:
        return self.y - ASCENT

    @property
    def bottom(self) -> float:
        return self.y + DESCENT


def names(edges: list[Edge], ways: list[Route], boxes: dict[str, Box]) -> list[Name]:
    """The place of each line's name, in the order of the lines.

    The two lines of a relationship between many and many have one name, where they end beside each other.
    """
    found = _Found(ways, boxes)
    placed = [Name("", 0, 0, "start")] * len(edges)
    for numbers in _named_together(edges, ways):
        number, name = _best(
            found,
            (
                (number, Name(_cut(edges[number].relationship.name), *place))
                for number in numbers
                for place in (_loop if _is_loop(edges[number]) else _places)(ways[number])
            ),
        )
        placed[number] = name
        found.put(name)
    return placed


def _best(found: "_Found", offered: Iterator[tuple[int, Name]]) -> tuple[int, Name]:
    """The first place that is free, or the first of those where least is in the way."""
    least, best = None, None
    for one in offered:
        in_the_way = found.in_the_way_of(one[1])
        if least is None or in_the_way < least:
            least, best = in_the_way, one
        if not in_the_way:
            break
    assert best is not None
    return best


def _named_together(edges: list[Edge], ways: list[Route]) -> list[list[int]]:
    """The numbers of lines, those together that need one name only."""
    found: dict[tuple[str, str, tuple[int, int]], list[int]] = {}
    for number, (edge, way) in enumerate(zip(edges, ways, strict=True)):
        found.setdefault((edge.relationship.name, edge.child, way.end.out), []).append(number)
    return list(found.values())


def _is_loop(edge: Edge) -> bool:
    return edge.parent == edge.child


def _cut(name: str) -> str:
    """A name that has room between two boxes."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}\u2026"


def _places(way: Route) -> Iterator[tuple[float, float, str]]:
    """Where a name may stand, the usual place first: on the side of its end that the line does not come from.

    Then its other side, those of its start, and beside its last stretch where that is steep.
    """
    for end, is_below in ((way.end, way.comes_from_above), (way.start, not way.comes_from_above)):
        is_second = is_below and not end.out[1]
        yield _beside(end, is_second)
        yield _beside(end, not is_second)
    for x, y in way.points[-PIECES // 2 :: -2][: PIECES // 3]:
        yield x + ASIDE, y + DESCENT + 2, "start"
        yield x - ASIDE, y + DESCENT + 2, "end"


def _beside(end: End, is_second: bool) -> tuple[float, float, str]:
    """The place above an end or, as the second, below it; where a line goes up or down, the one right or left of it."""
    across, down = end.out
    if down:
        side = -1 if is_second else 1
        return end.x + 8 * side, end.y + (20 if down > 0 else -13), "end" if is_second else "start"
    return end.x + 13 * across, end.y + (13 if is_second else -5), "start" if across > 0 else "end"


def _loop(way: Route) -> Iterator[tuple[float, float, str]]:
    yield way.start.x + 6, way.start.y - 5, "start"
    yield way.end.x + 6, way.end.y + 13, "start"
    yield way.start.x + 36, (way.start.y + way.end.y) / 2, "start"


class _Found:
    """What is in the picture already, by the squares that it is in."""

    def __init__(self, ways: list[Route], boxes: dict[str, Box]) -> None:
        self._pieces: dict[Square, list[Piece]] = {}
        self._boxes: dict[Square, list[Box]] = {}
        self._names: dict[Square, list[Name]] = {}
        for way in ways:
            for piece in zip(way.points, way.points[1:], strict=False):
                (x0, y0), (x1, y1) = piece
                around = min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)
                if _area(*around) <= MOST_SQUARES:
                    for square in _squares(*around):
                        self._pieces.setdefault(square, []).append(piece)
        for box in boxes.values():
            for square in _squares(box.x, box.y, box.right, box.bottom):
                self._boxes.setdefault(square, []).append(box)

    def put(self, name: Name) -> None:
        for square in _squares(name.left, name.top, name.right, name.bottom):
            self._names.setdefault(square, []).append(name)

    def in_the_way_of(self, name: Name) -> int:
        """How much meets a name; a box or another name more than a line, which is left out below it."""
        squares = list(_squares(name.left, name.top, name.right, name.bottom))
        pieces = {each for square in squares for each in self._pieces.get(square, ())[:MOST_PIECES]}
        if len(pieces) > MOST_PIECES:
            return MOST_PIECES
        solid = [
            each
            for square in squares
            for each in (*self._boxes.get(square, ()), *self._names.get(square, ()))
        ]
        return sum(_is_crossed(name, piece) for piece in pieces) + MOST_PIECES * sum(
            _is_under(name, each) for each in solid
        )


def _squares(left: float, top: float, right: float, bottom: float) -> Iterator[Square]:
    for column in range(int(left // CELL), int(right // CELL) + 1):
        for row in range(int(top // CELL), int(bottom // CELL) + 1):
            yield column, row


def _area(left: float, top: float, right: float, bottom: float) -> float:
    """About how many squares."""
    return ((right - left) / CELL + 1) * ((bottom - top) / CELL + 1)


def _is_under(name: Name, other: Box | Name) -> bool:
    """Whether a name would stand on a box or on another name, or between two boxes, one just below the other."""
    left, gap = (other.x, BETWEEN / 2) if isinstance(other, Box) else (other.left, 0)
    top = other.y if isinstance(other, Box) else other.top
    return (
        name.left < other.right
        and left < name.right
        and name.top - gap < other.bottom
        and top < name.bottom + gap
    )


def _is_crossed(name: Name, piece: Piece) -> bool:
    """Whether a piece of a line meets a name: what is left of it, once it is cut at each side of the name."""
    (x, y), (to_x, to_y) = piece
    first, last = 0.0, 1.0
    for along, room in (
        (x - to_x, x - name.left),
        (to_x - x, name.right - x),
        (y - to_y, y - name.top),
        (to_y - y, name.bottom - y),
    ):
        if along == 0:
            if room < 0:
                return False
        elif along < 0:
            first = max(first, room / along)
        else:
            last = min(last, room / along)
    return first <= last
