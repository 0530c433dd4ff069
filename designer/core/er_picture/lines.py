"""Which way the lines between boxes go."""

from collections.abc import Callable
from dataclasses import dataclass

from designer.core.er_picture.boxes import BOX_WIDTH, HEAD, TURN, Box, Edge

SHORTEST_BEND = 24
PIECES = 12
"""Straight pieces that a curve is taken for where it matters what it meets."""

Point = tuple[float, float]


@dataclass(frozen=True)
class End:
    """Where a line meets a box, and which way is out of the box: `(-1, 0)` to the left."""

    x: float
    y: float
    out: tuple[int, int]

    def away(self, far: float, aside: float = 0) -> str:
        """A point so far out of the box, and so far along its side."""
        x, y = self.point(far, aside)
        return f"{x:g} {y:g}"

    def point(self, far: float = 0, aside: float = 0) -> Point:
        across, down = self.out
        return self.x + across * far - down * aside, self.y + down * far + across * aside


@dataclass(frozen=True)
class Route:
    """A line with its ends: at the one side, and at the many side."""

    start: End
    end: End
    path: str
    comes_from_above: bool
    """The last stretch comes down to its end."""
    points: tuple[Point, ...]
    """About where it goes: the ends of straight pieces."""


def routes(boxes: dict[str, Box], edges: list[Edge]) -> list[Route]:
    """The way of each line, those that meet one side of a box spread over it."""
    sides = [_sides(boxes[edge.parent], boxes[edge.child]) for edge in edges]
    starts, ends = _ports(boxes, edges, sides)
    return [
        _loop(boxes[edge.parent]) if edge.parent == edge.child else _route(boxes, edge, start, end)
        for edge, start, end in zip(edges, starts, ends, strict=True)
    ]


Side = tuple[int, int]


def _sides(parent: Box, child: Box) -> tuple[Side, Side]:
    """Which sides of its two boxes a line meets: those that face each other, and from row to row those in its way."""
    if parent.band != child.band and not (parent.is_kept or child.is_kept):
        on = _onward(parent, child)
        return (parent.way * on, 0), (-child.way * on, 0)
    if child.x >= parent.right:
        return (1, 0), (-1, 0)
    if child.right <= parent.x:
        return (-1, 0), (1, 0)
    if child.y >= parent.bottom:
        return (0, 1), (0, -1)
    if child.bottom <= parent.y:
        return (0, -1), (0, 1)
    return (1, 0), (1, 0)


def _onward(parent: Box, child: Box) -> int:
    """1 where the line goes on to later layers, -1 where it goes back."""
    return 1 if parent.layer < child.layer else -1


def _ports(
    boxes: dict[str, Box], edges: list[Edge], sides: list[tuple[Side, Side]]
) -> tuple[list[End], list[End]]:
    """The ends of each line: in the order in which the lines go on from there, so that they cross less."""
    at: dict[tuple[str, Side], list[tuple[int, bool]]] = {}
    for number, edge in enumerate(edges):
        if edge.parent != edge.child:
            at.setdefault((edge.parent, sides[number][0]), []).append((number, True))
            at.setdefault((edge.child, sides[number][1]), []).append((number, False))
    found: dict[tuple[int, bool], End] = {}
    for (name, side), lines in at.items():
        lines.sort(key=_towards(boxes, edges, side))
        for place, line in enumerate(lines, 1):
            found[line] = _end(boxes[name], side, place / (len(lines) + 1))
    nowhere = End(0, 0, (1, 0))
    numbers = range(len(edges))
    return (
        [found.get((number, True), nowhere) for number in numbers],
        [found.get((number, False), nowhere) for number in numbers],
    )


def _towards(
    boxes: dict[str, Box], edges: list[Edge], side: Side
) -> Callable[[tuple[int, bool]], tuple[float, int]]:
    def other(line: tuple[int, bool]) -> tuple[float, int]:
        number, leaves = line
        edge = edges[number]
        box = boxes[edge.child if leaves else edge.parent]
        if _passes(boxes, edge):
            box = edge.through[0 if leaves else -1]
        return (box.middle if side[0] else box.x), number

    return other


def _passes(boxes: dict[str, Box], edge: Edge) -> bool:
    """Whether it keeps to the room left for it: while both its boxes are where they were laid out."""
    return bool(edge.through) and not (boxes[edge.parent].is_kept or boxes[edge.child].is_kept)


def _end(box: Box, side: Side, share: float) -> End:
    if side[0]:
        return End(box.right if side[0] > 0 else box.x, box.y + box.height * share, side)
    return End(box.x + BOX_WIDTH * share, box.bottom if side[1] > 0 else box.y, side)


def _route(boxes: dict[str, Box], edge: Edge, start: End, end: End) -> Route:
    path = f"M{start.x:g} {start.y:g}"
    points = [start.point()]
    at = start
    if _passes(boxes, edge):
        on = _onward(boxes[edge.parent], boxes[edge.child])
        for box in edge.through[::on]:
            way = box.way * on
            entry = End(box.x if way > 0 else box.right, box.middle, (-way, 0))
            bend = _bend(at, entry)
            path += f"{_curve(at, entry, bend)}h{BOX_WIDTH * way:g}"
            points += _pieces(at, entry, bend)
            at = End(box.right if way > 0 else box.x, box.middle, (way, 0))
            points.append(at.point())
    bend = _bend(at, end)
    points += _pieces(at, end, bend)
    path += _curve(at, end, bend)
    return Route(start, end, path, at.y < end.y - 4, tuple(points))


def _curve(start: End, end: End, bend: float) -> str:
    return f"C{start.away(bend)} {end.away(bend)} {end.x:g} {end.y:g}"


def _pieces(start: End, end: End, bend: float) -> list[Point]:
    """Where the straight pieces of a curve end."""
    (x0, y0), (x1, y1) = start.point(), start.point(bend)
    (x3, y3), (x2, y2) = end.point(), end.point(bend)
    found = []
    for piece in range(1, PIECES + 1):
        t = piece / PIECES
        u = 1 - t
        a, b, c, d = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
        found.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
    return found


def _bend(start: End, end: End) -> float:
    """How far a curve goes straight out of its ends."""
    along = abs(end.x - start.x) if start.out[0] else abs(end.y - start.y)
    bend = max(along / 2, SHORTEST_BEND)
    if start.out == end.out:
        # A turn into the next row: the further it goes, the wider, so that turns lie in each other.
        bend = max(bend, min(SHORTEST_BEND + abs(end.y - start.y) / 8, TURN * 4 / 3))
    return bend


def _loop(box: Box) -> Route:
    """A relationship of an entity with itself, on the right of its box."""
    start = End(box.right, box.y + HEAD / 2, (1, 0))
    end = End(box.right, start.y + box.height / 2 + 20, (1, 0))
    path = f"M{start.x:g} {start.y:g}h20q10 0 10 10v{box.height / 2:g}q0 10 -10 10h-20"
    points = (start.point(), start.point(30), end.point(30), end.point())
    return Route(start, end, path, True, points)
