"""Plans of made-up designs proven on tables in memory."""

from random import Random
from typing import Any

from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests.designs_generated import generated
from tests.memory import Both, Memory


def wrongs(seed: int, other: Any = None) -> list[str]:
    """What goes wrong with the plans of a generated design: items, order, collisions, writes.

    `other` is the client of an engine that is asked the same, and must give the same answers.
    """
    design = generated(Random(seed))
    said = []
    for style in STYLES:
        client: Any = Memory() if other is None else Both(Memory(), other)
        verdict = prove_on(Engine("memory", client), design, plan(design, style))
        problems = [verdict.problem] if verdict.problem else []
        problems += [
            f"{one.name}: {one.difference} {one.parameters}"
            for one in verdict.patterns
            if one.status not in ("passed", "not served")
        ]
        said += [f"design {seed} {style}: {problem}" for problem in problems]
    return said
