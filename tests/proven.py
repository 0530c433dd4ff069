"""Plans proven on tables in memory, which takes a tenth of the time that an emulator takes."""

from random import Random
from typing import Any

from designer.core.plan import ALL_STYLES, STYLES
from designer.core.planner.explain.pins_broken import colliding
from designer.core.planner.pipeline import outlined
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from designer.proof.refusals import has_keys_of_several_attributes
from tests.designs_generated import generated
from tests.memory import Both, Memory


def in_memory() -> Engine:
    """An engine of empty tables; `test_memory.py` holds it against DynamoDB Local and moto."""
    client: Any = Memory()
    return Engine("memory", client)


def wrongs(seed: int, other: Any = None) -> list[str]:
    """What goes wrong with the plans of a generated design: items, order, collisions, writes.

    `other` is the client of an engine that is asked the same, and must give the same answers, where it knows the keys:
    DynamoDB Local before 3.3 knows none of several attributes.
    """
    design = generated(Random(seed))
    said = []
    for style in STYLES if seed % 5 else ALL_STYLES:
        made = outlined(design, style)  # keys and operations are the plan's, without the reasons
        several = any(has_keys_of_several_attributes(i) for t in made.tables for i in t.indexes)
        client: Any = Memory() if other is None or several else Both(Memory(), other)
        verdict = prove_on(Engine("memory", client), design, made)
        problems = [verdict.problem] if verdict.problem else []
        problems += [
            f"{one.shape} and {two.shape} may have one key"
            for table in (made.tables if not design.planner.pins else ())
            for one, two in colliding(table)
        ]
        problems += [
            f"{one.name}: {one.difference} {one.parameters}"
            for one in verdict.patterns
            if one.status not in ("passed", "not served")
        ]
        said += [f"design {seed} {style}: {problem}" for problem in problems]
    return said
