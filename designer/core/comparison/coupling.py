"""What the entities of one table share: capacity, backups, a stream, permissions."""

from dataclasses import dataclass

from designer.core.comparison.side import Side
from designer.core.cost.bill import NOTHING, StructureLine
from designer.core.plan import Table
from designer.core.rational import Fraction


@dataclass(frozen=True)
class Shared:
    """A table with what its entities have in common, as they have one table."""

    table: str
    entities: tuple[str, ...]
    share: Fraction
    """Of all that is stored."""
    bytes: Fraction
    """Of its items and index entries: what one mistake, or one restore, is about."""
    reads: Fraction
    """Read units a second on average, its indexes included."""
    writes: Fraction
    recovery_days: int
    """0 for no point-in-time recovery."""
    has_stream: bool
    streamed_for: tuple[str, ...]
    """The entities whose changes somebody wants to hear of."""
    streamed_along: tuple[str, ...]
    """The others, of which the same stream tells too."""
    personal: tuple[str, ...]
    """Entities with personal data."""
    teams: tuple[str, ...]

    @property
    def is_shared(self) -> bool:
        return len(self.entities) > 1

    @property
    def beside_personal(self) -> tuple[str, ...]:
        """Entities without personal data in a table that has some: who may read them may be able to read both."""
        return tuple(name for name in self.entities if self.personal and name not in self.personal)


def coupling(side: Side) -> tuple[Shared, ...]:
    """Every table of a plan with what its entities share."""
    whole = side.bill.bytes
    lines: dict[str, list[StructureLine]] = {}
    for line in side.bill.structures:
        lines.setdefault(line.place.table, []).append(line)
    return tuple(_shared(side, table, lines[table.name], whole) for table in side.plan.tables)


def _shared(side: Side, table: Table, lines: list[StructureLine], whole: Fraction) -> Shared:
    entities = side.together[table.name]
    needs = {name: side.design.entity[name].needs for name in entities}
    stored = sum((line.bytes for line in lines), NOTHING)
    wanted = {name for name, asked in needs.items() if asked is not None and asked.stream}
    wanted |= set(side.followed.get(table.name, ()))
    return Shared(
        table=table.name,
        entities=entities,
        share=stored / whole if whole else NOTHING,
        bytes=stored,
        reads=sum((line.reads.average for line in lines), NOTHING),
        writes=sum((line.writes.average for line in lines), NOTHING),
        recovery_days=table.recovery_days,
        has_stream=table.stream is not None,
        streamed_for=tuple(name for name in entities if name in wanted),
        streamed_along=tuple(
            name for name in entities if table.stream is not None and name not in wanted
        ),
        personal=tuple(
            name for name, asked in needs.items() if asked is not None and asked.personal_data
        ),
        teams=tuple(
            dict.fromkeys(
                asked.team for asked in needs.values() if asked is not None and asked.team
            )
        ),
    )
