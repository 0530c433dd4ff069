"""The picture so small that nobody could read words in it: boxes in the hues of their entities, and lines."""

from designer.core.design.document import Design
from designer.core.er_picture.boxes import BOX_WIDTH, HEAD, Box
from designer.core.er_picture.drawing import HUES
from designer.core.er_picture.layout import laid_out
from designer.core.er_picture.lines import routes

WIDTH, HEIGHT = 120, 72
"""Of a thumbnail, in pixels."""
ROOM = 6
"""Around the boxes, in units of the picture."""
MOST_LARGE = 0.25
"""So much of its size a box has at most: one entity alone would fill everything."""


def thumbnail(design: Design) -> str:
    """The picture as a small SVG element without words. Its colours can be told on white and on black."""
    layout = laid_out(design)
    width = max(layout.right - layout.left + 2 * ROOM, WIDTH / MOST_LARGE)
    height = max(layout.bottom - layout.top + 2 * ROOM, HEIGHT / MOST_LARGE)
    left = (layout.left + layout.right - width) / 2
    top = (layout.top + layout.bottom - height) / 2
    lines = "".join(f'<path d="{way.path}"/>' for way in routes(layout.boxes, layout.edges))
    boxes = "".join(
        _box(layout.boxes[entity.name], HUES[number % len(HUES)])
        for number, entity in enumerate(design.entities)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"'
        f' viewBox="{left:g} {top:g} {width:g} {height:g}">'
        f'<g fill="none" stroke="#8b8f96" stroke-width="{width / WIDTH:.3g}">{lines}</g>{boxes}</svg>'
    )


def _box(box: Box, hue: str) -> str:
    place = f'x="{box.x:g}" y="{box.y:g}" width="{BOX_WIDTH}"'
    return (
        f'<rect fill="{hue}" fill-opacity="0.3" {place} height="{box.height:g}" rx="6"/>'
        f'<rect fill="{hue}" {place} height="{HEAD}" rx="6"/>'
    )
