"""The same traffic where a design leaves a figure out: it is then drawn from what the plan calls plausible.

What is left out has to stand in the plan as assumed, for each read that comes from it. At the ends of its range a read
takes what the plan says of these, and anywhere between no more than the worst case.

The tests try a few designs. `python -m tests.traffic_unstated 0 2000` tries the first two thousand, of which every
other one leaves a figure out, at about two seconds each, and prints as it goes.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import permutations
from math import ceil
from random import Random
from typing import Any

from designer.core.design.document import Design
from designer.core.plan import STYLES, Assumed, Plan, Style, Use
from designer.core.planner.pipeline import outlined
from tests.traffic import (
    HALF,
    ORDERS,
    Given,
    Made,
    Simulated,
    by_owner,
    ends_at_times,
    in_other_orders,
    made,
    owned,
    rows_of,
    simulated,
    steps_of_chance,
)
from tests.traffic import wrong as stated

OWNERS_ASKED = 8
"""Of many owners as many are asked for, and have rows: but for the busiest one, all have as many."""


@dataclass(frozen=True)
class Without:
    """A made-up design that leaves a figure out."""

    made: Made
    what: str
    """Kind of assumption, and its subject."""
    of: str
    draw: Callable[[float], "Drawn"]
    """Rows for a value of the figure, and what callers give."""


@dataclass(frozen=True)
class Drawn:
    made: Made
    given: Given


def without(seed: int) -> Without:
    """A made-up design that leaves out one figure, which kind the seed says."""
    random = Random(f"without {seed}")
    return random.choice(KINDS)(made(seed), random)


def _changed(of: Made, change: Callable[[dict[str, Any]], object]) -> Design:
    document = of.design.model_dump(mode="json", by_alias=True, exclude_unset=True)
    change(document)
    return Design.model_validate(document)


def _attribute(document: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = (one for one in document["entities"][0]["attributes"] if one["name"] == name)
    return found


def _reads(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in document["patterns"] if one["kind"] in ("list", "count")]


def _with_rows(of: Made, sizes: dict[str, int]) -> Made:
    """The same with the rows of a few of these owners, the busiest among them."""
    first, *others = list(sizes)[:OWNERS_ASKED]
    busiest = _busiest(of)
    asked = {first: 1 / (len(others) + 1) if busiest is None else busiest}
    asked |= dict.fromkeys(others, (1 - asked[first]) / len(others) if others else 0.0)
    facts = replace(of.facts, sizes=tuple((name, sizes[name]) for name in asked))
    return replace(of, facts=facts, rows=rows_of(Random(1), facts), traffic=tuple(asked.items()))


def _busiest(of: Made) -> float | None:
    return of.design.entity["Row"].by_name["owner"].busiest


def _values(of: Made, random: Random) -> Without:
    """How many owners there are."""
    design = _changed(of, lambda document: _attribute(document, "owner").pop("distinct"))
    stated = replace(of, design=design)

    def drawn(value: float) -> Drawn:
        owners = max(1 if _busiest(of) is None else 2, round(value))
        return Drawn(_with_rows(stated, owned(owners, len(of.rows), _busiest(of))), by_owner)

    return Without(stated, "values", "Row.owner", drawn)


def _items(of: Made, random: Random) -> Without:
    """How many rows there are."""
    stated = replace(of, design=_changed(of, lambda document: document["entities"][0].pop("items")))

    def drawn(value: float) -> Drawn:
        sizes = owned(len(of.facts.sizes), round(value), _busiest(of))
        return Drawn(_with_rows(stated, sizes), by_owner)

    return Without(stated, "items", "Row", drawn)


def _children(of: Made, random: Random) -> Without:
    """How many rows each owner has, who is an entity."""
    owners = len(of.facts.sizes)

    def change(document: dict[str, Any]) -> None:
        row = document["entities"][0]
        row.pop("items")
        attribute = _attribute(document, "owner")
        attribute.clear()
        attribute.update(name="owner", refers_to="Owner.owner")
        document["entities"].append(
            {
                "name": "Owner",
                "identifier": ["owner"],
                "attributes": [{"name": "owner", "bytes": 8}],
            }
        )
        document["relationships"] = [{"name": "owns", "one": "Owner", "many": "Row", "by": "owner"}]

    stated = _with_rows(replace(of, design=_changed(of, change)), dict(of.facts.sizes))

    def drawn(value: float) -> Drawn:
        return Drawn(_with_rows(stated, owned(owners, round(value) * owners, None)), by_owner)

    return Without(stated, "children", "owns", drawn)


def _share(of: Made, random: Random) -> Without:
    """The share of an owner's rows that a range keeps."""
    where = random.choice(["where", "where", "keep"])

    def change(document: dict[str, Any]) -> None:
        for pattern in _reads(document):
            pattern.setdefault(where, []).append(
                {"attribute": "madeAt", "from": {"param": "since"}}
            )

    stated = _with_rows(replace(of, design=_changed(of, change)), dict(of.facts.sizes))

    def drawn(value: float) -> Drawn:
        times = {
            name: sorted(r["madeAt"] for r in stated.rows if r["owner"] == name)
            for name, _ in stated.traffic
        }

        def given(owner: str) -> list[tuple[float, dict[str, Any]]]:
            mine = times[owner]
            since = mine[min(len(mine) - 1, round(len(mine) * (1 - value)))]
            return [(1.0, {"owner": owner, "since": since})]

        return Drawn(stated, given)

    return Without(stated, "share", "madeAt", drawn)


def _list(of: Made, random: Random) -> Without:
    """How many states a caller asks for at once."""

    def change(document: dict[str, Any]) -> None:
        for pattern in _reads(document):
            pattern["where"] = [
                pattern["where"][0],
                {"attribute": "state", "any_of": {"param": "states"}},
            ]

    stated = _with_rows(replace(of, design=_changed(of, change)), dict(of.facts.sizes))

    def drawn(value: float) -> Drawn:
        lists = _lists(dict(of.facts.shares), round(value))

        def given(owner: str) -> list[tuple[float, dict[str, Any]]]:
            return [
                (often, {"owner": owner, "states": sorted(some)}) for some, often in lists.items()
            ]

        return Drawn(stated, given)

    return Without(stated, "list", "state", drawn)


def _lists(shares: dict[str, float], length: int) -> dict[frozenset[str], float]:
    """Lists of so many states and how often each is given: a common state is in more of them."""
    found: dict[frozenset[str], float] = {}
    for some in permutations(shares, length):
        often, left = 1.0, sum(shares.values())
        for state in some:
            often *= shares[state] / left
            left -= shares[state]
        found[frozenset(some)] = found.get(frozenset(some), 0.0) + often
    return found


KINDS = (_values, _items, _children, _share, _list)


def wrong(seed: int, style: Style) -> list[str]:
    """What traffic takes otherwise than the plan of a design without a figure says; empty where all is as it says."""
    of = without(seed)
    plan = outlined(of.made.design, style)
    where = f"seed {seed}, {style}, without {of.what} of {of.of}"
    listed = [one for one in plan.assumed if (one.what, one.of) == (of.what, of.of)]
    reads = {one.number for one in of.made.design.patterns if one.kind in ("list", "count")}
    found = [
        f"{where}: pattern {number} does not say that it is assumed"
        for number in sorted(reads - {use.pattern for one in listed for use in one.used})
    ]
    if not listed:
        return found
    random = Random(f"drawn {seed}")
    one = listed[0]
    between = random.uniform(one.low, one.high)
    if of.what != "share":
        between = float(max(1, round(between)))
    for value in (one.low, one.high, between):
        drawn = of.draw(value)
        at = f"{where}, at {value:g}"
        took = simulated(drawn.made, plan, drawn.given)
        differs = _otherwise(at, drawn.made, plan, listed, value, took)
        for orders in ORDERS:
            if differs:
                took = in_other_orders(drawn.made, plan, orders, drawn.given)
                differs = _otherwise(at, drawn.made, plan, listed, value, took)
        found += differs
    return found


def _otherwise(
    where: str,
    of: Made,
    plan: Plan,
    listed: list[Assumed],
    value: float,
    took: dict[int, Simulated],
) -> list[str]:
    found = []
    for one in listed:
        for use in one.used:
            at, real = f"{where}, pattern {use.pattern}", took[use.pattern]
            worst = _worst(plan, one, use, value)
            requests = max(use.low.requests, use.high.requests)
            if real.most > max(1.05 * worst, worst + steps_of_chance(requests)):
                found.append(f"{at} takes {real.most} units, at the worst {worst}")
            for end, said in ((one.low, use.low), (one.high, use.high)):
                margin = max(0.1 * said.units, HALF * ceil(said.requests))
                below = said.units if _ends_at_times(of, plan, one, use, end) else margin
                if value == end and not -below <= round(real.average - said.units, 6) <= margin:
                    found.append(
                        f"{at} takes {real.average:.2f} units on average, not {said.units}"
                    )
    return found


def _worst(plan: Plan, one: Assumed, use: Use, value: float) -> float:
    """The worst case with a value of what is assumed: of a share it is in the plan, whatever the share is."""
    (operation,) = plan.operations_for(use.pattern)
    worst = operation.worst.units if operation.worst is not None else operation.read_units
    if one.what != "share":
        worst *= max(1.0, one.value / value if one.what == "values" else value / one.value)
    return max(worst, use.low.units, use.high.units)


def _ends_at_times(of: Made, plan: Plan, one: Assumed, use: Use, value: float) -> bool:
    """Whether a limit ends some of the reads, of common states or of owners with many rows."""
    limit = getattr(of.design.pattern(use.pattern), "limit", None)
    (operation,) = plan.operations_for(use.pattern)
    kept = value if one.what == "share" else 1.0
    return limit is not None and (one.what == "list" or ends_at_times(of, operation, kept))


def main(first: int, after: int) -> int:
    """Try designs, each in one of the styles in turn, and print what is wrong at once; return how many figures are."""
    failed = 0
    for tried, seed in enumerate(range(first, after), 1):
        found = (stated, wrong)[seed % 2](seed, STYLES[seed // 2 % len(STYLES)])
        failed += len(found)
        for said in found:
            _say(said)
        if tried % 20 == 0 or seed + 1 == after:
            _say(f"{tried} of {after - first} designs, {failed} figures wrong")
    return failed


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]), int(sys.argv[2]))))
