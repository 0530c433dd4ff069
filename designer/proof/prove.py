"""Prove a plan: run every operation on an engine and compare with what the design says.

A proof makes the plan's tables under a prefix of its own, fills them with the proof's own items, asks
every read, then tries every write, compares the tables, and undoes it; at the end it deletes its tables.
"""

from collections.abc import Collection
from typing import Any

from designer.core.design.document import Design
from designer.core.patterns.base import Pattern, Write
from designer.core.plan import Plan
from designer.proof.engine import Engine, engine
from designer.proof.patterns import FAILURES, Proof
from designer.proof.rows import rows
from designer.proof.tables import CollisionError, TableError, without_orphans
from designer.proof.verdicts import PatternVerdict, Progress, Verdict


def prove(
    design: Design,
    plan: Plan,
    endpoint: str | None = None,
    *,
    large: bool = False,
    patterns: Collection[int] | None = None,
) -> Verdict:
    """Prove a plan on moto, or on what answers at `endpoint`; EngineError when nothing does.

    `large` makes collections of more than a page; `patterns` are the numbers to prove, all when absent.
    """
    return prove_on(engine(endpoint), design, plan, large=large, patterns=patterns)


def prove_on(
    chosen: Engine,
    design: Design,
    plan: Plan,
    *,
    large: bool = False,
    patterns: Collection[int] | None = None,
    progress: Progress | None = None,
    examples: bool = False,
) -> Verdict:
    """Prove a plan on an engine that is at hand. What `progress` raises ends it; its tables are deleted then too.

    With `examples` a case of each kind is kept with its requests, and the units of all are reckoned by the rules.
    """
    wanted = [p for p in design.patterns if patterns is None or p.number in patterns]
    verdicts: dict[int, PatternVerdict] = {}
    problem = ""
    try:
        with chosen.tables(plan) as tables:
            proof = Proof(design, tables, chosen.name, examples)
            many, few = (
                without_orphans(plan, made)
                for made in (rows(design, large=large), rows(design, small=True))
            )
            for pattern in sorted(wanted, key=_reads_first):
                verdicts[pattern.number] = proof.pattern(
                    pattern, few if isinstance(pattern, Write) else many
                )
                if progress is not None:
                    progress(verdicts[pattern.number])
    except (CollisionError, TableError, *FAILURES) as error:
        problem = str(error)
    return Verdict(
        engine=chosen.name,
        design=design.name,
        meaning=plan.design.meaning,
        style=plan.style,
        problem=problem,
        patterns=tuple(
            verdicts.get(
                pattern.number,
                PatternVerdict(pattern=pattern.number, name=pattern.name, status="not run"),
            )
            for pattern in wanted
        ),
    )


def _reads_first(pattern: Pattern) -> tuple[Any, ...]:
    """Reads, then writes, those of the same entities together: the tables change the least."""
    if not isinstance(pattern, Write):
        return (0,)
    return (1, sorted({change.entity for change in pattern.changes}), pattern.number)
