"""What moves an item from one value of a key to another heats both: what leaves one of them, and what enters the other.

Writes are done to generated items, and what each value of the key gets is counted.
"""

from collections import Counter
from random import Random
from typing import Any

import pytest

from designer.core.design.document import Design
from designer.core.heat.keys import KeyHeat, plan_heat
from designer.core.plan import STYLES, Plan
from designer.core.planner.pipeline import plan
from tests.core.test_heat import _agree

THREE = {"WAITING": 0.1, "RUNNING": 0.1, "DONE": 0.8}
TWO = {"ON": 0.9, "OFF": 0.1}

Write = tuple[str | None, str | None, float]
"""From which state to which, and how often a second: from None one is made, and to None one is deleted."""
ANY = "any"
"""A state that the caller chooses; before, one that the write does not ask for."""

DESIGNS: dict[str, tuple[dict[str, float], list[Write]]] = {
    "through states": (
        THREE,
        [(None, "WAITING", 390), ("WAITING", "RUNNING", 390), ("RUNNING", "DONE", 390)],
    ),
    "and out": (
        THREE,
        [(None, "WAITING", 300), ("WAITING", "DONE", 300), ("DONE", None, 300)],
    ),
    "and back": (THREE, [("WAITING", "RUNNING", 450), ("RUNNING", "WAITING", 450)]),
    "to and fro, not asking": (TWO, [(ANY, "ON", 300), (ANY, "OFF", 300)]),
    "to what a caller says": (TWO, [(ANY, ANY, 700)]),
    "to one, from what is rare": (
        THREE,
        [(None, "WAITING", 300), ("WAITING", "RUNNING", 100), (ANY, "DONE", 300)],
    ),
    "back to any": (TWO, [(None, "ON", 10), ("OFF", ANY, 500), ("ON", "OFF", 500)]),
}


def design_of(shares: dict[str, float], writes: list[Write]) -> Design:
    attributes = [
        {"name": "jobId", "format": "ulid"},
        {
            "name": "state",
            "values": list(shares),
            "shares": list(shares.values()),
            "mutable": True,
        },
        {"name": "runAt", "format": "datetime"},
    ]
    patterns: list[dict[str, Any]] = [
        {
            "kind": "list",
            "returns": "Job",
            "where": [{"attribute": "state", "is": {"param": "state"}}],
            "order": ["runAt ascending"],
            "limit": 20,
            "rate": {"average": 1},
        }
    ]
    for old, new, rate in writes:
        kind = "create" if old is None else "delete" if new is None else "update"
        one: dict[str, Any] = {"kind": kind, "entity": "Job", "rate": {"average": rate}}
        if new is not None:
            one["set"] = {"state": {"param": "to"} if new == ANY else {"value": new}}
        if old not in (None, ANY):
            one["if"] = [{"attribute": "state", "is": {"value": old}}]
        patterns.append(one)
    numbered = [{"number": at, "name": f"P{at}", **one} for at, one in enumerate(patterns, 1)]
    entity = {"name": "Job", "identifier": ["jobId"], "items": 3_000_000, "attributes": attributes}
    return Design.model_validate({"name": "Jobs", "entities": [entity], "patterns": numbered})


def counted(shares: dict[str, float], writes: list[Write]) -> float:
    """Entries that are put and deleted each second under the value of the key that gets most of them."""
    random, seconds = Random(5), 20
    rows = {state: int(40_000 * share) for state, share in shares.items()}
    got: Counter[str] = Counter()
    events = [(old, new) for old, new, rate in writes for _ in range(int(rate * seconds))]
    random.shuffle(events)
    for old, new in events:
        was = old
        if old is not None:
            there = [old] if old != ANY else [state for state in shares if state != new]
            was = random.choices(there, [rows[state] for state in there])[0]
            rows[was] -= 1
            got[was] += 1
        if new is not None:
            to = new if new != ANY else random.choice([one for one in shares if one != was])
            rows[to] += 1
            got[to] += 1
    return max(got.values()) / seconds


def hottest(found: Plan, design: Design) -> KeyHeat:
    (key,) = [one for one in plan_heat(design, found).keys if one.index is not None]
    return key


@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize("style", STYLES)
def test_a_value_is_as_hot_as_what_enters_it_and_what_leaves_it(style, name):
    shares, writes = DESIGNS[name]
    design = design_of(shares, writes)
    found = plan(design, style)
    key = hottest(found, design)
    took = counted(shares, writes)
    assert float(key.writes) * key.shards == pytest.approx(took, rel=0.1)
    _agree(design, found, style)


@pytest.mark.parametrize("style", STYLES)
def test_no_key_is_spread_over_shards_for_what_no_value_takes(style):
    """Each of three states gets 780 units a second at the most, of 1,950 in all."""
    design = design_of(*DESIGNS["through states"])
    found = plan(design, style)
    assert hottest(found, design).shards == 1
    assert [one.rule for one in found.findings if one.rule == "hot-partition"] == []
