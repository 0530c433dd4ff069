"""A value that is to be unique is looked for twice before anything keeps it so."""

from designer.core.migration.base import Caution, Change, Kind, Phase, Step
from designer.core.migration.estimating import estimate, scanned, there
from designer.core.words.english import joined, plural


class FindDuplicates(Kind):
    slug = "find-duplicates"

    def steps(self, change: Change) -> tuple[Step, ...]:
        found = []
        for table in change.tables:
            for one in table.shapes:
                shape = one.shape
                if not change.becomes_unique(one):
                    continue
                sources = (
                    table
                    for table in change.before.plan.tables
                    for old in table.items
                    if old.entity == one.origin and old.role == "entity"
                )
                place = next(sources, None)
                if place is None:
                    continue
                names = joined(shape.guards)
                each = names if len(shape.guards) == 1 else f"combination of {names}"
                found.append(
                    Step(
                        self.slug,
                        Phase.CHECK,
                        f"Look for {plural(shape.entity)} with the same {names}",
                        (
                            f"Read the whole table {place.name} and count how often each {each} occurs among its "
                            f"{shape.entity} items.",
                            "Resolve each duplicate with the owners of the data. Continue only when none "
                            "is left.",
                        ),
                        (
                            Caution(
                                "data",
                                f"Of two {shape.entity} items with the same {names}, only one can have the guard: the "
                                "backfill leaves out the other, and its next change is refused.",
                            ),
                        ),
                        estimate(
                            change.before,
                            items=shape.items,
                            reads=scanned(there(change, place.name)),
                        ),
                        table=place.name,
                    )
                )
        return tuple(found)
