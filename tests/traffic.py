"""Traffic of made-up designs, simulated: rows that are as the design states, read as often as it states.

The tests try a few designs. `python -m tests.traffic 0 2000` tries the first two thousand, at about a second each, and
prints as it goes. Most of that second is the planner's.
"""

import sys
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

from designer.core.answers import Item
from designer.core.design.document import Design
from designer.core.plan import STYLES, Operation, Plan, Style
from designer.core.planner.pipeline import outlined
from designer.proof.execute import execute
from designer.proof.tables import Tables
from tests.memory import Memory
from tests.runner import Runner

STATES = ("DONE", "NEW", "OPEN", "STUCK")
HALF = 0.5
"""The least that a page or an item takes, in read units: figures that differ by it in each request say the same."""


@dataclass(frozen=True)
class Made:
    """A made-up design of one entity, with rows as it states them."""

    design: Design
    rows: tuple[Item, ...]
    traffic: tuple[tuple[str, float], ...]
    """Each owner, and how often they are asked for."""


def made(seed: int) -> Made:
    """All figures are stated: owners, perhaps one of them with many rows, states with shares, what is often missing."""
    random = Random(seed)
    owners = random.choice([8, 20, 50])
    each = random.choice([20, 40, 100])
    busiest = random.choice([None, None, 0.2, 0.4])
    items = owners * each
    shares = random.choice([(0.7, 0.1, 0.1, 0.1), (0.85, 0.05, 0.05, 0.05), (0.25,) * 4])
    present = random.choice([0.1, 0.5, 0.9])
    bytes_of_text = random.choice([400, 1500])
    names = [f"owner{number:03}" for number in range(owners)]
    sizes = dict.fromkeys(names, each)
    weights = dict.fromkeys(names, 1 / owners)
    if busiest is not None:
        rest = round(items * (1 - busiest) / (owners - 1))
        sizes = dict.fromkeys(names, rest) | {names[0]: round(items * busiest)}
        weights = dict.fromkeys(names, (1 - busiest) / (owners - 1)) | {names[0]: busiest}
    rows: list[Item] = []
    for name, size in sizes.items():
        states = _spread(random, size, dict(zip(STATES, shares, strict=True)))
        there = _spread(random, size, {True: present, False: 1 - present})
        for at in range(size):
            row: dict[str, Any] = {
                "rowId": f"{len(rows):08}",
                "owner": name,
                "state": states[at],
                "madeAt": f"2026-{at % 12 + 1:02}-{at % 28 + 1:02}T{at % 24:02}:00:{at % 60:02}Z",
                "text": "x" * bytes_of_text,
            }
            if there[at]:
                row["sentAt"] = row["madeAt"]
            rows.append(row)
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
    return Made(design, tuple(rows), tuple(weights.items()))


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


def simulated(of: Made, plan: Plan) -> dict[int, Simulated]:
    """The reads of a plan, each done once for every owner; weighed by how often they are asked for."""
    client = Memory()
    runner = Runner(client, plan.as_json())
    runner.create_tables()
    for row in of.rows:
        runner.put("Row", row)
    tables = Tables(client, plan, "")  # type: ignore[arg-type]
    found = {}
    for operation in plan.operations:
        if operation.answer in ("not served", "elsewhere") or not _reads(operation):
            continue
        took: Counter[str] = Counter()
        for owner, _ in of.traffic:
            client.units = 0.0
            execute(tables, operation, {"owner": owner})
            took[owner] = client.units
        average = sum(weight * took[owner] for owner, weight in of.traffic)
        found[operation.pattern] = Simulated(average, max(took.values()))
    return found


def _reads(operation: Operation) -> bool:
    return not any(step.members for step in operation.steps)


def wrong(seed: int, style: Style) -> list[str]:
    """What traffic takes otherwise than the plan of a made-up design says; empty where all is as it says.

    No read takes more than the worst case. Each takes on average what is said, or less where a limit ends it early.
    """
    of = made(seed)
    plan = outlined(of.design, style)
    took = simulated(of, plan)
    assert took
    found = []
    for operation in plan.operations:
        if operation.pattern not in took:
            continue
        real, said = took[operation.pattern], operation.read_units
        worst = operation.worst.units if operation.worst is not None else said
        where = f"seed {seed}, {style}, pattern {operation.pattern}"
        if real.most > max(1.05 * worst, worst + HALF):
            found.append(f"{where} takes {real.most} units, at the worst {worst}")
        pattern = of.design.pattern(operation.pattern)
        differs = real.average - said
        if getattr(pattern, "limit", None) is None:  # a limit cuts nothing of small collections
            differs = abs(differs)
        if differs > max(0.1 * said, HALF * operation.requests):
            found.append(f"{where} takes {real.average:.2f} units on average, not {said}")
    return found


def main(first: int, after: int) -> int:
    """Try designs, each in one of the styles in turn, and print what is wrong at once; return how many figures are."""
    failed = 0
    for tried, seed in enumerate(range(first, after), 1):
        for said in wrong(seed, STYLES[seed % len(STYLES)]):
            failed += 1
            _say(said)
        if tried % 20 == 0 or seed + 1 == after:
            _say(f"{tried} of {after - first} designs, {failed} figures wrong")
    return failed


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]), int(sys.argv[2]))))
