"""Figures that a stream keeps, kept at once instead, and the other way round."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.design.kept import Figure, kept_figures, loses_expired
from designer.core.lint.base import Fix, attribute_at, with_attribute, writes
from designer.core.patterns.base import Write


def kept_at_once(design: Design, where: str) -> Iterator[Fix]:
    """Offered where each write of a child can tell what it does to the figures over it."""
    figures = _together(design, *attribute_at(where))
    blind = any(_is_blind(write, figure) for write in writes(design) for figure in figures)
    if not blind and not any(loses_expired(design, figure) for figure in figures):
        child = figures[0].child if figures else "child"
        what = "aggregates" if len(figures) > 1 else "aggregate"
        yield Fix(
            "at-once",
            f"Update the {what} in the transaction that writes the {child}",
            lambda now: _at_once(now, *attribute_at(where)),
        )


def kept_by_stream(design: Design, where: str) -> Design:
    """The design with the figure at a place, and those over the same children, kept by a stream."""
    for figure in _together(design, *attribute_at(where)):
        design = with_attribute(design, figure.entity, figure.name, kept="by-stream")
    return design


def _together(design: Design, entity: str, name: str) -> list[Figure]:
    """All figures of an item over one relationship are kept alike, so none of them stays behind."""
    figures = kept_figures(design)
    groups = {figure.group for figure in figures if (figure.entity, figure.name) == (entity, name)}
    return [figure for figure in figures if figure.group in groups]


def _is_blind(write: Write, figure: Figure) -> bool:
    """Whether a write does not know what it does to a figure: it replaces, deletes many, or moves and changes."""
    for change in write.changes:
        if change.entity == figure.child:
            deletes_many = bool(write.collection)
            moves = bool(figure.references & set(change.written))
            if change.may_replace or deletes_many or (moves and figure.target in change.written):
                return True
    return False


def _at_once(design: Design, entity: str, name: str) -> Design:
    for figure in _together(design, entity, name):
        design = with_attribute(design, figure.entity, figure.name, kept="at-once")
    return design
