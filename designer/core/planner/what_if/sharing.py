"""Tables that some entities share and others don't, as pins of a multi-table design: those that make it cheapest.

The grouped style brings together whatever belongs together. Of these only what one request reads saves something; the
others just have longer keys, and so have those that a table of their own would do for.
"""

from collections.abc import Iterable
from functools import cache

from designer.core.design.document import Design
from designer.core.design.settings import Pin
from designer.core.planner.explain.comparing import fails
from designer.core.planner.pipeline import outlined
from designer.core.planner.rewrites.variants import requirements_of
from designer.core.planner.solve.choice import read_together
from designer.core.planner.workload.tables import Together, alike, connected

TRIED = 8
"""Groups that are priced; of more, those that are asked for most often."""


def shared_tables(design: Design) -> tuple[Together, ...]:
    """The entities that should share tables in multi-table style, for each table; none where that saves nothing.

    Each group that a request can read is priced alone. Then, the best first, each is added to those before it where
    that is cheaper.
    """

    @cache
    def price(groups: tuple[Together, ...]) -> tuple[tuple[int, int], float]:
        made = outlined(sharing(design, groups), "multi", reasons="findings")
        return fails(made), made.cost.per_month

    groups = _groups(design)[:TRIED]
    taken: tuple[Together, ...] = ()
    for group in sorted(groups, key=lambda group: price((group,))):
        if price((*taken, group)) < price(taken):
            taken = (*taken, group)
    tables = connected((entity.name for entity in design.entities), taken)
    return tuple(names for names in tables if len(names) > 1)


def _groups(design: Design) -> tuple[Together, ...]:
    """Entities that a request can read together and that ask the same of their table, in the design's order."""
    names = tuple(entity.name for entity in design.entities)
    asked = read_together(requirements_of(design, "grouped"))
    found = (
        group
        for together in asked
        for group in alike(design, (name for name in names if name in together))
    )
    return tuple(dict.fromkeys(group for group in found if len(group) > 1))


def sharing(design: Design, tables: Iterable[Together]) -> Design:
    """The design with pins that bring these entities together in multi-table style."""
    return design.with_planner(pins=(*design.planner.pins, *map(pin_of_table, tables)))


def pin_of_table(names: Together) -> Pin:
    """The pin that lets some entities share a table in multi-table style."""
    return Pin(style="multi", table=names, because="One request reads them together.")
