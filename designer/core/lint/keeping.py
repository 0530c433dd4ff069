"""Figures that a stream keeps, kept at once instead."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.design.kept import kept_figures
from designer.core.lint.base import Fix, attribute_at, with_attribute


def kept_at_once(where: str) -> Iterator[Fix]:
    """All figures of an item over one relationship are kept alike, so none of them stays behind."""
    entity, name = attribute_at(where)
    yield Fix(
        "at-once",
        "Keep it at once, in the transaction that writes the child",
        lambda now: _at_once(now, entity, name),
    )


def _at_once(design: Design, entity: str, name: str) -> Design:
    figures = kept_figures(design)
    groups = {figure.group for figure in figures if (figure.entity, figure.name) == (entity, name)}
    for figure in figures:
        if figure.group in groups:
            design = with_attribute(design, figure.entity, figure.name, kept="at-once")
    return design
