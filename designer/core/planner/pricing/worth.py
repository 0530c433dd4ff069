"""What is worth talking about: what keys have to save before they leave out what people expect there.

Rates and sizes are good to a factor of two at best, so a smaller difference chooses no key.
"""

from fractions import Fraction

from designer.core.design.document import Design
from designer.core.limits import ITEM_OVERHEAD_BYTES
from designer.core.planner.model.structures import exact
from designer.core.planner.workload.requirements import ReadDemand, Requirements
from designer.core.prices import SECONDS_PER_MONTH, prices_of
from designer.core.sizes import attribute_bytes, entity_bytes
from designer.core.units import read_units, write_units

WORTH = Fraction(1)
"""US dollars a month that are worth talking about in the smallest design."""
WORTH_SHARE = Fraction(1, 400)
"""The same as a share of what a design costs at the least."""


def worth_of(needed: Requirements) -> Fraction:
    """US dollars a month that are worth talking about in a design: a dollar, or the power of two below its share.

    In such large steps, so that a rate that is stated a little differently changes no key by it.
    """
    share = least_bill(needed) * WORTH_SHARE
    worth = WORTH
    while worth * 2 <= share:
        worth *= 2
    return worth


def least_bill(needed: Requirements) -> Fraction:
    """US dollars a month that a design costs at the least: its items, their writes, and the rows that reads return."""
    design = needed.design
    prices = prices_of(design.region)
    sizes = {entity.name: entity_bytes(entity) for entity in design.entities}
    stored = sum(
        exact((size + ITEM_OVERHEAD_BYTES) * (design.entity[name].items or 0))
        for name, size in sizes.items()
    )
    usd = stored * prices.byte_month
    for write in needed.writes:
        a_month = exact(write.average or 0) * exact(write.times) * SECONDS_PER_MONTH
        usd += a_month * write_units(sizes[write.entity]) * prices.write_unit
    for question in needed.questions:
        for demand in question.demands if question.finds is None else ():
            a_month = exact(question.average or 0) * exact(demand.times) * SECONDS_PER_MONTH
            size = demand.returned * _wanted_bytes(design, demand)
            usd += a_month * read_units(size, demand.consistency) * prices.read_unit
    return usd


def _wanted_bytes(design: Design, demand: ReadDemand) -> float:
    """Bytes of what a demand needs of each row."""
    entity = design.entity[demand.entity]
    if demand.needs is None:
        return entity_bytes(entity)
    return sum(attribute_bytes(one) for one in entity.stored if one.name in demand.needs)
