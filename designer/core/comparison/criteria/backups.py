"""What is recovered together."""

from designer.core.comparison.criteria.base import Need
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Needs


class Backups(Need):
    """Point-in-time recovery is a table's: all its entities have the longest that one of them needs, and are restored
    together."""

    slug = "backups"
    title = "Backups"
    by = "entities that would share a table but need different recovery periods"
    better = "{fewer} entities that need different recovery periods share a table"
    rank = 105
    fields = ("recovery_days",)
    without = (
        "No entity states how far back it must be recoverable, so all are recoverable for 35 days."
    )
    nothing = "all entities needed the same recovery period"
    otherwise = ("needed no point-in-time recovery", {"recovery_days": 0})

    def asked(self, design: Design, entity: Entity, needs: Needs) -> str:
        if needs.recovery_days is None:
            return ""
        return f"{needs.recovery_days} days" if needs.recovery_days else "no recovery"

    def default(self, design: Design) -> str:
        return "35 days"
