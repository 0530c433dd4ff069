"""Between listing and solving: drop the indexes that another beats under one base key, whatever else is chosen.

An index with what it holds goes when another answers all the reads that it answers, each at no higher price, and costs
no more by itself, needs nothing more together with others, and has no longer keys; of two that cost the same the cooler
stays. Programs are several times smaller for it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from designer.core.planner.model.score import Score
from designer.core.planner.model.structures import Access, Projection, Structure

DECIMALS = 6
"""Of weighed figures: what they are rounded to before they are compared."""

Place = tuple[Structure, Projection]
"""An index, or a copy, with what it holds."""
Ways = dict[Place | None, tuple[Access, Score]]
"""How an entity read is answered: through each place, or by what is there anyway (None)."""


@dataclass(frozen=True)
class Beside:
    """What a place counts for besides the reads that it answers, as the program weighs it."""

    own: float
    once: Mapping[object, float]
    """What it may need together with others only once."""
    key_bytes: float
    hottest: float
    """The share of its busiest partition key."""
    reasons: frozenset[int] | None
    """The reads of which it has to answer one; None where any will do."""


def dominated(
    reads: Sequence[Ways],
    weigh: Callable[[Score], float],
    beside: Mapping[Place, Beside],
) -> set[Place]:
    """The places that another beats; of equals all but the first, in the order of `beside`."""
    alike: dict[object, list[Place]] = {}
    for place in beside:
        alike.setdefault(_like(place), []).append(place)
    return {place for places in alike.values() for place in _beaten(reads, weigh, beside, places)}


def _like(place: Place) -> object:
    """Only places alike in this are compared."""
    structure, _ = place
    return structure.kind, structure.bare, structure.own


def _beaten(
    reads: Sequence[Ways],
    weigh: Callable[[Score], float],
    beside: Mapping[Place, Beside],
    places: Sequence[Place],
) -> set[Place]:
    paid = np.array([_paid(mine, weigh, place) for place in places for mine in reads]).reshape(
        len(places), -1
    )
    own = _figures(beside, places)
    hottest = np.array([beside[place].hottest for place in places])
    beaten: set[Place] = set()
    for at, place in enumerate(places):
        no_worse = (own <= own[at]).all(axis=1) & (paid <= paid[at]).all(axis=1)
        no_worse &= (own[:, 0] < own[at, 0]) | (
            hottest <= hottest[at]
        )  # heat decides between equals
        better = (
            (own < own[at]).any(axis=1) | (paid < paid[at]).any(axis=1) | (hottest < hottest[at])
        )
        better[:at] = True  # of equals the first
        no_worse[at] = False
        others = np.flatnonzero(no_worse & better)
        if any(_answers_a_reason(beside[places[int(one)]], beside[place]) for one in others):
            beaten.add(place)
    return beaten


def _paid(mine: Ways, weigh: Callable[[Score], float], place: Place) -> tuple[float, float]:
    """What a read through a place counts for, and the whole items that it reads, which keys of others make longer."""
    if place not in mine:
        return inf, inf
    access, score = mine[place]
    second = access.then[1] if access.then is not None else 0.0
    whole = access.read if place[1] is None and access.then is None else second
    return round(weigh(score), DECIMALS), round(whole, DECIMALS)


def _figures(beside: Mapping[Place, Beside], places: Sequence[Place]) -> "np.ndarray":
    """For each place what it costs, adds to every item and needs once, and whether it holds all attributes.

    The keys of others make the entries longer of what does.
    """
    once = list(dict.fromkeys(what for place in places for what in beside[place].once))
    rows = [
        (one.own, one.key_bytes, held is None, *(one.once.get(w, 0.0) for w in once))
        for one, (_, held) in ((beside[place], place) for place in places)
    ]
    return np.array(rows, dtype=float).reshape(len(places), -1).round(DECIMALS)


def _answers_a_reason(one: Beside, other: Beside) -> bool:
    """Whether whatever is a reason for another place is one for this place."""
    return one.reasons is None or (other.reasons is not None and other.reasons <= one.reasons)
