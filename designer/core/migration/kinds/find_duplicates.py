"""A value that is to be unique is looked for twice before anything keeps it so."""

from designer.core.migration.base import Caution, Change, Kind, Phase, Step
from designer.core.migration.estimating import estimate, scanned, there


class FindDuplicates(Kind):
    slug = "find-duplicates"

    def steps(self, change: Change) -> tuple[Step, ...]:
        found = []
        for table in change.tables:
            for one in table.shapes:
                shape = one.shape
                if shape.role != "guard" or not one.is_moved or one.origin is None:
                    continue
                earlier = [
                    (place, old)
                    for place in change.before.plan.tables
                    for old in place.items
                    if old.entity == one.origin
                ]
                if any(set(old.guards) == set(shape.guards) for _, old in earlier):
                    continue
                place = next((p for p, old in earlier if old.role == "entity"), None)
                if place is None:
                    continue
                names = " and ".join(shape.guards)
                found.append(
                    Step(
                        self.slug,
                        Phase.CHECK,
                        f"Look for duplicates of {names} of {shape.entity}",
                        (
                            f"Read table {place.name} whole and count how often each {names} occurs among its "
                            f"{shape.entity} items.",
                            "Settle each value that occurs twice with those who own the data. Go on only when there "
                            "is none.",
                        ),
                        (
                            Caution(
                                "data",
                                f"Of two {shape.entity} items with one {names}, only one can have the guard: the "
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
