"""Patterns are answered by the later plan, once everything that it reads is there."""

from designer.core.english import joined
from designer.core.migration.base import Caution, Change, Kind, Phase, Step
from designer.core.patterns.base import Read


class SwitchReads(Kind):
    slug = "switch-reads"

    def steps(self, change: Change) -> tuple[Step, ...]:
        reads = [p.number for p in change.after.design.patterns if isinstance(p, Read)]
        new = tuple(number for number in reads if change.asks_otherwise(number))
        gone = sorted(
            p.number
            for p in change.before.design.patterns
            if isinstance(p, Read)
            and p.number not in {q.number for q in change.after.design.patterns}
        )
        if not new and not gone:
            return ()
        strong = any(
            step.consistent
            for n in new
            for operation in change.after.plan.operations_for(n)
            for step in operation.steps
        )
        numbers = joined([str(n) for n in new])
        does = (
            [
                f"Answer {'pattern' if len(new) == 1 else 'patterns'} {numbers} by the later plan: first beside "
                "the old answer with the two compared, then for a share of the requests, then for all."
            ]
            if new
            else []
        )
        if gone:
            does.append(
                f"Stop asking {'pattern' if len(gone) == 1 else 'patterns'} {joined([str(n) for n in gone])}."
            )
        cautions = [
            Caution(
                "note",
                "Everything is still written as both plans have it, so that each access pattern can go back by itself.",
            )
        ]
        if strong:
            cautions.append(
                Caution(
                    "availability",
                    "A strong read sees what was written before it in one place only: switch it when nothing else "
                    "writes the old place alone.",
                )
            )
        return (
            Step(
                self.slug,
                Phase.READS,
                f"Answer {'pattern' if len(new) == 1 else 'patterns'} {numbers} by the later plan"
                if new
                else "Stop running removed access patterns",
                tuple(does),
                tuple(cautions),
                patterns=new,
            ),
        )
