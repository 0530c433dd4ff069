"""The same traffic where an owner comes with rows and notes, perhaps in one request: some of them, or all.

All figures are stated. One owner has as many rows as any has; it is asked for at the worst, and not on average.
"""

from random import Random
from typing import Any

from designer.core.design.document import Design
from tests.traffic import STATES, Facts, Made, rows_of

LARGEST = "owner999"
TIMES = 6
"""How many times as many rows and notes as usual the largest owner has."""


def made(seed: int) -> Made:
    """A design in which an owner is got with some of their rows, and at times with all notes."""
    random = Random(f"together {seed}")
    owners, each, notes = (
        random.choice([4, 6]),
        random.choice([40, 150, 300]),
        random.choice([0, 5]),
    )
    shares = random.choice([(0.7, 0.1, 0.1, 0.1), (0.85, 0.05, 0.05, 0.05), (0.25,) * 4])
    present, bytes_of_text = random.choice([0.1, 0.5, 0.9]), random.choice([60, 400, 1500])
    sizes = {**{f"owner{at:03}": each for at in range(owners)}, LARGEST: TIMES * each}
    by_state = tuple(zip(STATES, shares, strict=True))
    facts = Facts(tuple(sizes.items()), by_state, present, bytes_of_text)
    beside: list[tuple[str, dict[str, Any]]] = []
    for name in sizes:
        beside.append(("Owner", {"owner": name, "title": "t" * 30}))
        there = notes * (TIMES if name == LARGEST else 1)
        beside += (
            ("Note", {"owner": name, "noteId": f"{at:06}", "text": "n" * 200})
            for at in range(there)
        )
    entities: list[dict[str, Any]] = [
        {
            "name": "Owner",
            "identifier": ["owner"],
            "items": 1000,
            "attributes": [{"name": "owner", "bytes": 8}, {"name": "title", "bytes": 30}],
        },
        {
            "name": "Row",
            "identifier": ["owner", "rowId"],
            "items": 1000 * each,
            "attributes": [
                {"name": "owner", "refers_to": "Owner.owner"},
                {"name": "rowId", "bytes": 8},
                {"name": "state", "values": STATES, "shares": shares, "mutable": True},
                {"name": "madeAt", "format": "datetime"},
                {"name": "sentAt", "format": "datetime", "present": present, "mutable": True},
                {"name": "text", "bytes": bytes_of_text},
            ],
        },
    ]
    relationships = [_of("owns", "Row", each)]
    patterns: list[dict[str, Any]] = [
        {"kind": "create", "entity": "Row", "rate": {"average": 1}},
        {"kind": "create", "entity": "Owner", "rate": {"average": 0.1}},
    ]
    if notes:
        entities.append(
            {
                "name": "Note",
                "identifier": ["owner", "noteId"],
                "items": 1000 * notes,
                "attributes": [
                    {"name": "owner", "refers_to": "Owner.owner"},
                    {"name": "noteId", "bytes": 6},
                    {"name": "text", "bytes": 200},
                ],
            }
        )
        relationships.append(_of("notes", "Note", notes))
        patterns.append({"kind": "create", "entity": "Note", "rate": {"average": 0.1}})
    for _ in range(2):
        along: dict[str, Any] = {"relationship": "owns"}
        if random.random() < 0.8:
            along["keep"] = random.choice(KEPT)
        if random.random() < 0.8:
            way = random.choice(["ascending", "descending"])
            along |= {"order": [f"rowId {way}"], "limit": random.choice([1, 5, 20])}
        others = [{"relationship": "notes"}] if notes and random.random() < 0.7 else []
        patterns.append(
            {
                "kind": "get",
                "returns": "Owner",
                "where": [{"attribute": "owner", "is": {"param": "owner"}}],
                "with": [along, *others],
                "rate": {"average": random.choice([0.1, 2, 50])},
            }
        )
    numbered = [
        {"number": at, "name": f"P{at}", **pattern} for at, pattern in enumerate(patterns, 1)
    ]
    design = Design.model_validate(
        {
            "name": "Owners",
            "entities": entities,
            "relationships": relationships,
            "patterns": numbered,
        }
    )
    traffic = dict.fromkeys(sizes, 1 / owners) | {LARGEST: 0.0}
    return Made(design, facts, rows_of(Random(seed), facts), tuple(traffic.items()), tuple(beside))


KEPT: tuple[list[dict[str, Any]], ...] = (
    [{"attribute": "state", "is": {"value": "NEW"}}],
    [{"attribute": "state", "is": {"value": "DONE"}}],
    [{"attribute": "state", "not": {"value": "DONE"}}],
    [{"attribute": "state", "any_of": {"value": ["NEW", "OPEN"]}}],
    [{"attribute": "sentAt", "missing": True}],
    [{"attribute": "sentAt", "exists": True}],
    [{"attribute": "sentAt", "exists": True}, {"attribute": "state", "is": {"value": "NEW"}}],
)


def _of(name: str, child: str, each: int) -> dict[str, Any]:
    return {
        "name": name,
        "one": "Owner",
        "many": child,
        "by": "owner",
        "identifying": True,
        "average": each,
        "most": TIMES * each,
    }
