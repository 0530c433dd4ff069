"""Boxes laid out by themselves: each entity one layer right of its parents, with few crossings.

A deep model would be one long strip, too small to read where all of it is shown. Its layers are folded into rows
that run to and fro, as an ox ploughs: right, then back to the left below.
"""

from itertools import pairwise

from designer.core.er_picture.boxes import (
    BESIDE,
    BETWEEN,
    BOX_WIDTH,
    LINE,
    MARGIN,
    TURN,
    Box,
    Edge,
)

PASSED = 2_000
"""Places in the layers between their ends that all lines together may take."""
WINDOW = 1_000, 640
"""Width and height of what the picture is looked at in, in pixels."""
LARGER = 1.25
"""Another row is worth it where it shows the model larger by this."""


def lay_out(boxes: dict[str, Box], edges: list[Edge]) -> dict[str, Box]:
    """Give every box its place; the result has the places too where lines pass between boxes."""
    _find_layers(boxes, edges)
    layers: dict[int, list[Box]] = {}
    for box in boxes.values():
        layers.setdefault(box.layer, []).append(box)
    for number, edge in _with_room(boxes, edges):
        for layer in _between(boxes, edge):
            passing = Box(f"-{number}-{layer}", layer, height=LINE)
            edge.through.append(passing)
            layers.setdefault(layer, []).append(passing)
    everything = {**boxes, **{box.name: box for edge in edges for box in edge.through}}
    neighbours = _neighbours(edges)
    _order(layers, everything, neighbours)
    below: float = MARGIN
    bands = _bands(layers)
    columns = len(bands[0]) if bands else 0
    for number, band in enumerate(bands):
        for column, stack in enumerate(band.values()):
            if number % 2:
                stack.reverse()
                column = columns - 1 - column
            for box in stack:
                box.band = number
                box.x = MARGIN + (TURN if len(bands) > 2 else 0) + column * (BOX_WIDTH + BESIDE)
        _place(band, everything, neighbours, below)
        below = 2 * BETWEEN + max(box.bottom for stack in band.values() for box in stack)
    return everything


def _bands(layers: dict[int, list[Box]]) -> list[dict[int, list[Box]]]:
    """The layers row by row, each row as long as the first or shorter: few that show them about as large as any."""
    ordered = sorted(layers.items())
    heights = [sum(box.height + BETWEEN for box in layer) + BETWEEN for _, layer in ordered]
    lengths = sorted(
        {-(-len(ordered) // rows) for rows in range(1, len(ordered) + 1)}, reverse=True
    )
    shown = {length: _shown(heights, length) for length in lengths}
    largest = max(shown.values(), default=1)
    length = next((each for each in lengths if shown[each] * LARGER >= largest), 1)
    return [dict(ordered[at : at + length]) for at in range(0, len(ordered), length)]


def _shown(heights: list[float], length: int) -> float:
    """How large rows of so many layers are shown where all of them are: 1 at the most."""
    rows = [max(heights[at : at + length]) for at in range(0, len(heights), length)]
    width = length * (BOX_WIDTH + BESIDE) + (TURN if len(rows) > 1 else 0)
    return min(1, WINDOW[0] / width, WINDOW[1] / sum(rows))


def _between(boxes: dict[str, Box], edge: Edge) -> range:
    """The layers that a line passes."""
    first, last = sorted((boxes[edge.parent].layer, boxes[edge.child].layer))
    return range(first + 1, last)


def _with_room(boxes: dict[str, Box], edges: list[Edge]) -> list[tuple[int, Edge]]:
    """The lines with room left for them in the layers that they pass, with their numbers: the shortest first.

    The rest go straight. A chain of 500 entities under one that all of them refer to would take 125,000 places.
    """
    shortest = sorted(enumerate(edges), key=lambda one: len(_between(boxes, one[1])))
    left = PASSED
    found = []
    for number, edge in shortest:
        left -= len(_between(boxes, edge))
        if left < 0:
            break
        found.append((number, edge))
    return sorted(found, key=lambda one: one[0])


def _find_layers(boxes: dict[str, Box], edges: list[Edge]) -> None:
    """Each entity one layer right of its furthest parent; in a circle the first seen goes right of all others."""
    parents: dict[str, list[str]] = {name: [] for name in boxes}
    for edge in edges:
        if edge.parent != edge.child:
            parents[edge.child].append(edge.parent)
    depth: dict[str, int] = {}
    for first in boxes:
        # A chain of children may be longer than Python's stack is deep.
        above = {} if first in depth else {first: iter(parents[first])}
        while above:
            name, waiting = next(reversed(above.items()))
            parent = next((one for one in waiting if one not in depth and one not in above), None)
            if parent is not None:
                above[parent] = iter(parents[parent])
                continue
            del above[name]
            known = (depth[one] for one in parents[name] if one not in above)
            depth[name] = max(known, default=-1) + 1
        boxes[first].layer = depth[first]


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
        if boxes[name].layer == layer and boxes[name].band == box.band
    ]
    return sum(values) / len(values) if values else float(getattr(box, what))


def _place(
    layers: dict[int, list[Box]],
    boxes: dict[str, Box],
    neighbours: dict[str, list[str]],
    start: float,
) -> None:
    """How high each box of a row stands, the highest at `start`."""
    for layer in layers.values():
        below = 0.0
        for box in layer:
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
    placed = [box for layer in layers.values() for box in layer]
    top = min((box.y for box in placed), default=0)
    for box in placed:
        box.y += start - top
