"""What makes a design less simple has to earn its keep: charges besides the bill, for the objective `simplest`.

Rates and sizes are good to a factor of two at best. So an index, a copy of every item, a transaction, another way to
store items or one more request of a pattern is taken only where it saves what is worth talking about. The charges are
fixed costs, as in facility location: they are part of what choices are compared by, and of no bill.
"""

from designer.core.capacity.sizes import attribute_bytes, entity_bytes
from designer.core.capacity.units import read_units, write_units
from designer.core.design.document import Design
from designer.core.design.settings import PlannerSettings
from designer.core.dynamodb.limits import ITEM_OVERHEAD_BYTES
from designer.core.dynamodb.prices import SECONDS_PER_MONTH, prices_of
from designer.core.planner.model.reads_and_writes import EntityRead, Requirements
from designer.core.planner.model.score import exact
from designer.core.rational import Fraction

LEAST = Fraction(1)
"""US dollars a month that are worth talking about in the smallest design."""
SHARE = Fraction(1, 400)
"""The same as a share of what a design costs anyway: so that four charges come to a hundredth of it."""

# What is charged, in multiples of the worth.
INDEX = Fraction(1)
COPY = Fraction(30)
"""Each item twice, by transactions, and each later change of either: where a design is small that has to save $30."""
EDGE_COPY = Fraction(3)
"""An edge under its other side: an index that every write of the edge keeps in a transaction."""
GUARD = Fraction(2)
"""An item for each identifier, so that a transaction creates and deletes."""
COARSE = Fraction(2)
"""A partition key of few values, or of times or kinds alone, where it answers only what gives more."""
REWRITE = Fraction(2)
"""Items stored in another way than stated, and not in fewer: in two, or with copied values."""
ODD_KEY = Fraction(1, 64)
"""A table key that has more than the identifier in it, or does not begin with it: of keys that cost about the same,
people expect the identifier."""
STRANGE_KEY = Fraction(1, 2)
"""One that begins with neither the identifier nor a reference: people look for whose an item is, not for its words."""
BARE = Fraction(1)
"""An index key that ends without the identifier, whatever is aimed at: people expect it there."""
ANOTHER_REQUEST = Fraction(1, 2)
"""One more request in the answer to a pattern, however often it is asked."""
CUT = Fraction(2)
"""A read of the first few that finds more at the worst, which the application sorts and cuts;"""
PERHAPS_CUT = Fraction(1, 2)
"""and one of which nobody says how many it finds at the worst."""
UNCOUNTED = Fraction(1, 4)
"""A read that tests what its key could have, where only a guess says that the key without it finds few."""
ON_AVERAGE = Fraction(4)
"""A read that at the worst goes through more than a few pages and may return little of them."""
DROPPED = Fraction(1)
"""A read that at the worst drops all the pages that it may; one that drops less counts for as much less."""
AMONG = Fraction(1)
"""A read of a collection for items that a list names: it grows with the collection, as a read of each by its key does
not."""
LATE = Fraction(1)
"""A read that gets items before it tests them, since the index does not hold what is tested."""
SPELLED = Fraction(2)
"""A read that takes parts of the identifier from the text of keys, since the index does not hold them again."""

PROVEN = 8
"""Part of the worth that may lie between the choice for an entity and what nothing can be cheaper than."""
NEARLY = 1e-3
"""The same as a share of the price, at the most."""

TOLERATED = Fraction(1, 100)
"""Share of the lowest cost that the simplest plan may cost more than the cheapest; or $1 for each thing it saves."""
LOWERED = 4
"""What the worth is divided by where a plan costs more than that,"""
TRIES = 3
"""and how often it is."""
PREFIX_BYTES = 8
"""Bytes that each prefix in a key counts for: their lengths decide nothing."""


def stated_worth(design: Design) -> Fraction:
    """US dollars a month that are worth talking about in a design: as it says, or the least."""
    worth = design.planner.worth
    return LEAST if worth is None else exact(worth)


class Lowest(PlannerSettings):
    """The settings of a search for the lowest cost that no design states."""

    about: bool = False
    """Whether it ends near enough to hold a simpler plan against it."""
    charged: bool = False
    """Whether it counts more than the bill, as with the objective `cost`: then its bound is none of bills."""


def besides(design: Design, usd: Fraction) -> Fraction:
    """What something counts for besides the bill: nothing where the bill alone decides."""
    planner = design.planner
    return Fraction(0) if isinstance(planner, Lowest) and not planner.charged else usd


def _is_about(design: Design) -> bool:
    return isinstance(design.planner, Lowest) and design.planner.about


def near(design: Design) -> float:
    """US dollars a month that a choice may lie above its bound; 0 where the lowest cost is asked for."""
    is_about = _is_about(design) or design.planner.objective == "simplest"
    return float(stated_worth(design) / PROVEN) if is_about else 0.0


def left_aside(design: Design) -> float:
    """Share of the price that a search may leave aside, of many base keys; 0 where the lowest cost is asked for.

    The simplest plan may cost as much more than the cheapest.
    """
    return float(TOLERATED) if _is_about(design) else 0.0


def worth_of(needed: Requirements) -> Fraction:
    """What is worth talking about in a design, in US dollars a month.

    The larger of a dollar and a share of what the design costs at the least, rounded down to a power of two, so that a
    rate that is stated a little differently changes no choice by it.
    """
    share = floor_bill(needed) * float(SHARE)
    worth = LEAST
    while worth * 2 <= share:
        worth *= 2
    return worth


def floor_bill(needed: Requirements) -> float:
    """US dollars a month that a design costs at the least: its items, its writes, and the rows of its reads alone."""
    design = needed.design
    prices = prices_of(design.region)
    byte, written, read = map(float, (prices.byte_month, prices.write_unit, prices.read_unit))
    sizes = {entity.name: entity_bytes(entity) for entity in design.entities}
    usd = sum(
        (sizes[entity.name] + ITEM_OVERHEAD_BYTES) * (entity.items or 0) * byte
        for entity in design.entities
    )
    for write in needed.writes:
        a_month = (write.average or 0) * write.times * SECONDS_PER_MONTH
        usd += float(write_units(sizes[write.entity])) * a_month * written
    for pattern_read in needed.pattern_reads:
        for entity_read in pattern_read.entity_reads if pattern_read.finds is None else ():
            a_month = (pattern_read.average or 0) * entity_read.times * SECONDS_PER_MONTH
            size = _rows(entity_read) * _wanted_bytes(design, entity_read)
            usd += float(read_units(size, entity_read.consistency)) * a_month * read
    return usd


def _rows(entity_read: EntityRead) -> float:
    """Rows that an entity read returns each time."""
    rows = entity_read.matched * entity_read.kept
    return rows if entity_read.limit is None else min(rows, entity_read.limit)


def _wanted_bytes(design: Design, entity_read: EntityRead) -> float:
    """Bytes of what an entity read needs of a row."""
    entity = design.entity[entity_read.entity]
    if entity_read.needs is None:
        return entity_bytes(entity)
    return sum(attribute_bytes(a) for a in entity.stored if a.name in entity_read.needs)
