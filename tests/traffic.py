"""Traffic of made-up designs, simulated: rows that are as the design states, read as often as it states.

All figures are stated here; `tests.traffic_unstated` leaves some out, and tries as many designs as are asked for.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil
from random import Random
from typing import Any

from designer.core.answers import Item
from designer.core.design.document import Design
from designer.core.patterns.base import Condition
from designer.core.plan import Operation, Plan, Style
from designer.core.planner.pipeline import outlined
from designer.proof.execute import execute
from designer.proof.tables import Tables
from designer.proof.values import item_to_wire
from tests.memory import Memory
from tests.runner import Runner

STATES = ("DONE", "NEW", "OPEN", "STUCK")
HALF = 0.5
"""The least that a page or an item takes, in read units: figures that differ by it in each request say the same."""
ORDERS = (8, 40)
"""Orders of the rows that are tried where one took something else; then more, as a last page is needed by chance."""


@dataclass(frozen=True)
class Facts:
    """How the rows of a made-up design are."""

    sizes: tuple[tuple[str, int], ...]
    """The rows of each owner."""
    shares: tuple[tuple[str, float], ...]
    """The share of each state."""
    present: float
    """The share of the rows that have `sentAt`."""
    bytes_of_text: int


@dataclass(frozen=True)
class Made:
    """A made-up design of one entity, with rows as it states them."""

    design: Design
    facts: Facts
    rows: tuple[Item, ...]
    traffic: tuple[tuple[str, float], ...]
    """Each owner, and how often they are asked for."""
    beside: tuple[tuple[str, Item], ...] = ()
    """Rows of other entities."""


def owned(owners: int, items: int, busiest: float | None) -> dict[str, int]:
    """Owners with their rows: as many each, but those of the busiest one."""
    names = [f"owner{number:03}" for number in range(owners)]
    if busiest is None:
        return dict.fromkeys(names, round(items / owners))
    rest = round(items * (1 - busiest) / (owners - 1))
    return dict.fromkeys(names, rest) | {names[0]: round(items * busiest)}


def rows_of(random: Random, facts: Facts) -> tuple[Item, ...]:
    """Rows as the facts say, in any order of their states."""
    rows: list[Item] = []
    for name, size in facts.sizes:
        states = _spread(random, size, dict(facts.shares))
        there = _spread(random, size, {True: facts.present, False: 1 - facts.present})
        for at in range(size):
            row: dict[str, Any] = {
                "rowId": f"{len(rows):08}",
                "owner": name,
                "state": states[at],
                "madeAt": f"2026-{at % 12 + 1:02}-{at % 28 + 1:02}T{at % 24:02}:00:{at % 60:02}Z",
                "text": "x" * facts.bytes_of_text,
            }
            if there[at]:
                row["sentAt"] = row["madeAt"]
            rows.append(row)
    return tuple(rows)


def made(seed: int) -> Made:
    """All figures are stated: owners, perhaps one of them with many rows, states with shares, what is often missing."""
    random = Random(seed)
    owners = random.choice([8, 20, 50])
    each = random.choice([20, 40, 100])
    busiest = random.choice([None, None, 0.2, 0.4])
    shares = random.choice([(0.7, 0.1, 0.1, 0.1), (0.85, 0.05, 0.05, 0.05), (0.25,) * 4])
    present = random.choice([0.1, 0.5, 0.9])
    bytes_of_text = random.choice([400, 1500])
    sizes = owned(owners, owners * each, busiest)
    weights = dict.fromkeys(sizes, 1 / owners)
    if busiest is not None:
        first, *others = sizes
        weights = dict.fromkeys(others, (1 - busiest) / len(others)) | {first: busiest}
    by_state = tuple(zip(STATES, shares, strict=True))
    facts = Facts(tuple(sizes.items()), by_state, present, bytes_of_text)
    rows = rows_of(random, facts)
    owner: dict[str, Any] = {"name": "owner", "bytes": 8, "distinct": owners}
    if busiest is not None:
        owner["busiest"] = busiest
    entity = {
        "name": "Row",
        "identifier": ["rowId"],
        "items": len(rows),
        "attributes": [
            {"name": "rowId", "bytes": 8},
            owner,
            {"name": "state", "values": STATES, "shares": shares, "mutable": True},
            {"name": "madeAt", "format": "datetime"},
            {"name": "sentAt", "format": "datetime", "present": present, "mutable": True},
            {"name": "text", "bytes": bytes_of_text},
        ],
    }
    asked = [
        [],
        [{"attribute": "state", "is": {"value": "NEW"}}],
        [{"attribute": "state", "is": {"value": "DONE"}}],
        [{"attribute": "sentAt", "missing": True}],
        [{"attribute": "sentAt", "exists": True}],
        [{"attribute": "state", "any_of": {"value": ["NEW", "OPEN"]}}],
        [{"attribute": "state", "not": {"value": "DONE"}}],
    ]
    patterns: list[dict[str, Any]] = [
        {"kind": "create", "entity": "Row", "rate": {"average": 1}},
        {
            "kind": "update",
            "entity": "Row",
            "set": {"sentAt": {"param": "at"}},
            "rate": {"average": 0.1},
        },
    ]
    for more in random.sample(asked, 3):
        kind = random.choice(["list", "list", "count"])
        pattern = {
            "kind": kind,
            "returns": "Row",
            "where": [{"attribute": "owner", "is": {"param": "owner"}}, *more],
            "rate": {"average": random.choice([0.1, 2, 50])},
        }
        if kind == "list" and random.random() < 0.5:
            pattern |= {"order": ["madeAt descending"], "limit": random.choice([5, 20])}
        patterns.append(pattern)
    numbered = [
        {"number": at, "name": f"P{at}", **pattern} for at, pattern in enumerate(patterns, 1)
    ]
    design = Design.model_validate({"name": "Rows", "entities": [entity], "patterns": numbered})
    return Made(design, facts, rows, tuple(weights.items()))


def _spread(random: Random, size: int, shares: dict[Any, float]) -> list[Any]:
    """Values with their shares of some rows, to the row, in any order."""
    found: list[Any] = []
    left = 0.0
    for value, share in shares.items():
        left += share * size
        found += [value] * (round(left) - len(found))
    random.shuffle(found)
    return found


@dataclass(frozen=True)
class Simulated:
    """What one access pattern took."""

    average: float
    """Read units of one call, on average over the traffic."""
    most: float


Given = Callable[[str], list[tuple[float, dict[str, Any]]]]
"""What callers give who ask for an owner, and how often each."""


def by_owner(owner: str) -> list[tuple[float, dict[str, Any]]]:
    return [(1.0, {"owner": owner})]


def simulated(
    of: Made,
    plan: Plan,
    given: Given = by_owner,
) -> dict[int, Simulated]:
    """The reads of a plan, each done once for every owner; weighed by how often they are asked for.

    `given`: what callers give who ask for an owner, and how often each.
    """
    client = Memory()
    runner = Runner(client, plan.as_json())
    runner.create_tables()
    stored: dict[str, list[Any]] = {}
    for entity, row in (*of.beside, *(("Row", row) for row in of.rows)):
        for table, item in runner.items(entity, row, {}):
            stored.setdefault(table, []).append(item_to_wire(item))
    for table, items in stored.items():
        client.fill(table, items)
    tables = Tables(client, plan, "")  # type: ignore[arg-type]
    found = {}
    for operation in plan.operations:
        if operation.answer in ("not served", "elsewhere") or not _reads(operation):
            continue
        average = most = 0.0
        for owner, weight in of.traffic:
            for often, values in given(owner):
                client.units = 0.0
                execute(tables, operation, values)
                average += weight * often * client.units
                most = max(most, client.units)
        found[operation.pattern] = Simulated(average, most)
    return found


def _reads(operation: Operation) -> bool:
    return not any(step.members for step in operation.steps)


def ends_at_times(of: Made, operation: Operation, kept: float = 1.0) -> bool:
    """Whether a limit ends the queries of some states and not of others: on average they take less than is said.

    `kept`: the share of an owner's rows that a range with a bound from the caller keeps.
    """
    pattern = of.design.pattern(operation.pattern)
    limit = getattr(pattern, "limit", None)
    if limit is None:
        return False
    # Of several queries for an owner, one for each state, each ends at the limit by itself.
    if not any(step.for_each is not None and step.for_each.values for step in operation.steps):
        return False
    page = max(step.limit or limit for step in operation.steps)
    by_state = Counter((row["owner"], row["state"]) for row in of.rows)
    counts = [by_state[owner, state] * kept for owner, _ in of.traffic for state in STATES]
    return min(counts) < page <= max(counts)


def steps_of_chance(requests: float) -> float:
    """Units that reads of rows somewhat larger than the average row may take more: one step in each request."""
    return HALF * ceil(requests)


def by_chance(operation: Operation) -> float:
    """Units of the last page of a read that needs it at times: of few rows, less depends on chance than of many."""
    return 1.05 * operation.read_units * (operation.requests % 1) / operation.requests


def _meets(row: Item, where: tuple[Condition, ...]) -> bool:
    """Whether a row meets conditions, but for those that compare it with what a caller gives."""
    for condition in where:
        value = row.get(condition.attribute)
        if condition.missing or condition.exists:
            met = (value is None) == bool(condition.missing)
        elif condition.is_ is not None and condition.is_.value is not None:
            met = value == condition.is_.value
        elif condition.not_ is not None:
            met = value != condition.not_.value
        else:
            listed = condition.listed
            met = listed is None or listed.value is None or value in listed.value
        if not met:
            return False
    return True


def in_other_orders(
    of: Made, plan: Plan, orders: int, given: Given = by_owner
) -> dict[int, Simulated]:
    """The same on average over rows in several orders: how many of a page pass a test is chance."""
    many = []
    for seed in range(orders):
        rows = rows_of(Random(f"order {seed}"), of.facts)
        many.append(simulated(replace(of, rows=rows), plan, given))
    return {
        number: Simulated(
            sum(one[number].average for one in many) / orders,
            max(one[number].most for one in many),
        )
        for number in many[0]
    }


def wrong(seed: int, style: Style, of: Made | None = None) -> list[str]:
    """What traffic takes otherwise than the plan of a made-up design says; empty where all is as it says.

    No read takes more than the worst case. Each takes on average what is said, or less where a limit ends the reads
    of some owners and not of others. `of`: the design, where it is another than the seed's own.
    """
    of = of or made(seed)
    plan = outlined(of.design, style)
    took = simulated(of, plan)
    assert took
    where = f"seed {seed}, {style}"
    found = _otherwise(where, of, plan, took)
    for orders in ORDERS:
        found = found and _otherwise(where, of, plan, in_other_orders(of, plan, orders))
    return found


def _otherwise(where: str, of: Made, plan: Plan, took: dict[int, Simulated]) -> list[str]:
    found = []
    for operation in plan.operations:
        if operation.pattern not in took:
            continue
        real, said = took[operation.pattern], operation.read_units
        worst = operation.worst.units if operation.worst is not None else said
        at = f"{where}, pattern {operation.pattern}"
        if real.most > max(1.05 * worst, worst + steps_of_chance(operation.requests)):
            found.append(f"{at} takes {real.most} units, at the worst {worst}")
        margin = max(0.1 * said, HALF * operation.requests)
        below = said if ends_at_times(of, operation) else max(margin, by_chance(operation))
        if not -below <= round(real.average - said, 6) <= margin:
            found.append(f"{at} takes {real.average:.2f} units on average, not {said}")
    return found
