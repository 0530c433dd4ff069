"""Where everything in the picture stands: kept places as they are, the rest laid out by itself around them."""

from bisect import bisect_left, insort
from dataclasses import dataclass

from designer.core.design.document import Design
from designer.core.er_picture.boxes import BETWEEN, MARGIN, TURN, Box, Edge, boxes_of, edges_of
from designer.core.er_picture.layers import lay_out


@dataclass(frozen=True)
class Layout:
    """The boxes by their entities' names, and the lines between them."""

    boxes: dict[str, Box]
    edges: list[Edge]
    left: float
    top: float
    right: float
    bottom: float


def laid_out(design: Design, whole: bool = False) -> Layout:
    """The layout of a design. `whole`: the boxes have room for all attributes.

    A box that nobody moved stands where it would without the moved ones, or below those that are in its way. Whole
    boxes are taller than those that were moved, and go down where they would stand upon one that was above them.
    """
    edges = edges_of(design)
    boxes = boxes_of(design, edges, whole)
    passed = lay_out(boxes, edges)
    for entity in design.entities:
        if entity.drawn_at is not None:
            box = boxes[entity.name]
            box.x, box.y = map(float, entity.drawn_at)
            box.is_kept = True
    if whole:
        _part(boxes, boxes_of(design, edges))
    _clear(boxes)
    ways = [*boxes.values(), *(box for name, box in passed.items() if name not in boxes)]
    return Layout(
        boxes,
        edges,
        min((box.x for box in boxes.values()), default=MARGIN),
        min((box.y for box in ways), default=MARGIN),
        max((box.right + (TURN if box.band else 0) for box in boxes.values()), default=MARGIN),
        max((box.bottom for box in ways), default=MARGIN),
    )


def _part(boxes: dict[str, Box], short: dict[str, Box]) -> None:
    """Move kept boxes down by what those above them grew, `short` having their heights before."""
    kept = sorted((box for box in boxes.values() if box.is_kept), key=_top_of)
    was = {box.name: box.y for box in kept}
    for number, box in enumerate(kept):
        for other in kept[:number]:
            gap = was[box.name] - was[other.name] - short[other.name].height
            if gap >= 0 and other.x < box.right and box.x < other.right:
                box.y = max(box.y, other.bottom + min(gap, BETWEEN))


def _clear(boxes: dict[str, Box]) -> None:
    """Put each box that nobody moved below those that are in its way.

    Each is held only against those in its own column, once, from above to below: kept places may be such that a
    thousand boxes stand in the way of a thousand others.
    """
    kept = [box for box in boxes.values() if box.is_kept]
    if not kept:
        return
    kept.sort(key=_top_of)
    tallest = max(box.height for box in boxes.values())
    columns: dict[float, list[Box]] = {}
    others = (box for box in boxes.values() if not box.is_kept)
    for box in sorted(others, key=lambda each: (each.y, each.x)):
        if box.x not in columns:
            columns[box.x] = [each for each in kept if each.x < box.right and box.x < each.right]
        column = columns[box.x]
        for number in range(bisect_left(column, box.y - tallest, key=_top_of), len(column)):
            other = column[number]
            if other.y >= box.bottom:
                break
            if box.y < other.bottom:
                box.y = other.bottom + BETWEEN
        insort(column, box, key=_top_of)


def _top_of(box: Box) -> float:
    return box.y
