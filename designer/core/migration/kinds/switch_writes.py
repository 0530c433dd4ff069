"""Nothing is written for the earlier plan any more: the way back ends here."""

from designer.core.migration import deploying
from designer.core.migration.base import Caution, Change, Kind, Phase, Step, Tables
from designer.core.migration.kinds.switch_reads import stopping
from designer.core.patterns.base import Write
from designer.core.words.english import joined


class SwitchWrites(Kind):
    slug = "switch-writes"

    def steps(self, change: Change) -> tuple[Step, ...]:
        writes = tuple(
            pattern.number
            for pattern in change.after.design.patterns
            if isinstance(pattern, Write) and change.asks_otherwise(pattern.number)
        )
        shapes = [one for table in change.tables for one in table.shapes]
        new = sorted({one.shape.entity for one in shapes if one.origin is None})
        doubled = any(one.is_moved or one.sets or one.leaves for one in shapes) or any(
            table.leftovers for table in change.tables
        )
        if not writes and not new and not doubled:
            return ()
        does = []
        if doubled or writes:
            does.append(
                "Deploy a version of the application that writes only as the later plan says."
            )
        lost = tuple(number for number in writes if change.loses(number))
        if lost:
            does.append(stopping(lost))
        if new:
            does.append(
                f"From now on, {joined(new)} can be written: every running version of the application "
                f"knows {'it' if len(new) == 1 else 'them'}."
            )
        return (
            Step(
                self.slug,
                Phase.WRITES,
                "Write only as the later plan says",
                tuple(does),
                (
                    Caution(
                        "data",
                        "From here on, the data of the earlier plan becomes outdated. Going back would "
                        "take another migration.",
                    ),
                ),
                patterns=writes,
                means=lambda tables: _alone(change, tables),
            ),
        )


def _alone(change: Change, tables: Tables) -> Tables:
    for was, one in change.kept:
        tables = deploying.change(was.name, items=one.table.items)(tables)
    return tables
