"""Patterns are answered by the later plan, once everything that it reads is there."""

from designer.core.migration.base import Caution, Change, Kind, Phase, Step
from designer.core.patterns.base import Read
from designer.core.words.english import joined


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
                f"Serve {'pattern' if len(new) == 1 else 'patterns'} {numbers} from the later plan: first "
                f"in parallel, to compare the results, then for a share of the requests, then for all."
            ]
            if new
            else []
        )
        if gone:
            does.append(
                f"Stop running {'pattern' if len(gone) == 1 else 'patterns'} {joined([str(n) for n in gone])}."
            )
        cautions = [
            Caution(
                "note",
                "The application still writes for both plans, so each access pattern can be switched "
                "back alone.",
            )
        ]
        if strong:
            cautions.append(
                Caution(
                    "availability",
                    "A strongly consistent read sees only earlier writes to the table that it reads: switch "
                    "it once every writer also writes to the later plan's table.",
                )
            )
        return (
            Step(
                self.slug,
                Phase.READS,
                f"Serve {'pattern' if len(new) == 1 else 'patterns'} {numbers} from the later plan"
                if new
                else "Stop running removed access patterns",
                tuple(does),
                tuple(cautions),
                patterns=new,
            ),
        )
