"""Patterns are answered by the later plan, once everything that it reads is there."""

from collections.abc import Iterator

from designer.core.migration.base import Caution, Change, Kind, Phase, Step
from designer.core.patterns.base import Read
from designer.core.words.english import numbered


class SwitchReads(Kind):
    slug = "switch-reads"

    def steps(self, change: Change) -> tuple[Step, ...]:
        reads = [p.number for p in change.after.design.patterns if isinstance(p, Read)]
        differing = tuple(number for number in reads if change.asks_otherwise(number))
        lost = tuple(number for number in differing if change.loses(number))
        new = tuple(number for number in differing if change.serves(number))
        gone = tuple(
            p.number
            for p in change.before.design.patterns
            if isinstance(p, Read)
            and p.number not in {q.number for q in change.after.design.patterns}
        )
        if not (new or lost or gone):
            return ()
        does = []
        if new:
            does.append(
                f"Serve {_patterns(new)} from the later plan: first in parallel, to compare the results, then "
                f"for a share of the requests, then for all."
            )
        if lost:
            does.append(stopping(lost))
        if gone:
            does.append(f"Deploy a version of the application without {_patterns(gone)}.")
        if new:
            title = f"Serve {_patterns(new)} from the later plan"
        elif lost:
            title = f"Stop running {_patterns((*lost, *gone))}"
        else:
            title = f"Stop running {_patterns(gone)}"
        about = tuple(sorted((*new, *lost)))
        cautions = tuple(_cautions(change, new)) if new else ()
        return (Step(self.slug, Phase.READS, title, tuple(does), cautions, patterns=about),)


def _cautions(change: Change, new: tuple[int, ...]) -> Iterator[Caution]:
    """What is at stake where patterns are switched to the later plan."""
    yield Caution(
        "note",
        "The application still writes for both plans, so each access pattern can be switched back "
        "alone.",
    )
    operations = [one for number in new for one in change.after.plan.operations_for(number)]
    if any(step.consistent for operation in operations for step in operation.steps):
        yield Caution(
            "availability",
            "A strongly consistent read sees only earlier writes to the table that it reads: switch it "
            "once every writer also writes to the later plan's table.",
        )
    partly = tuple(number for number in new if not change.serves(number, every_case=True))
    if partly:
        yield Caution(
            "availability", f"The later plan does not serve every case of {_patterns(partly)}."
        )


def stopping(lost: tuple[int, ...]) -> str:
    """What becomes of patterns that the later plan does not serve."""
    which = "it" if len(lost) == 1 else "them"
    return f"Stop running {_patterns(lost)}, or use another service: the later plan does not serve {which}."


def _patterns(numbers: tuple[int, ...]) -> str:
    return numbered(tuple(sorted(numbers))).lower()
