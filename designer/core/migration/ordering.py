"""The steps of a change in their order, each deployment with the tables that it leaves."""

from designer.core.design.document import Design
from designer.core.migration.base import (
    Change,
    Deployed,
    Kind,
    Migration,
    Phase,
    Placed,
    Stage,
    Tables,
)
from designer.core.migration.kinds.backfill_attributes import BackfillAttributes
from designer.core.migration.kinds.change_settings import ChangeSettings
from designer.core.migration.kinds.copy_items import CopyItems
from designer.core.migration.kinds.create_index import CreateIndex
from designer.core.migration.kinds.create_tables import CreateTables
from designer.core.migration.kinds.delete_items import DeleteItems
from designer.core.migration.kinds.drop_index import DropIndex
from designer.core.migration.kinds.drop_tables import DropTables
from designer.core.migration.kinds.find_duplicates import FindDuplicates
from designer.core.migration.kinds.read_versions import ReadVersions
from designer.core.migration.kinds.remove_attributes import RemoveAttributes
from designer.core.migration.kinds.streams import Streams
from designer.core.migration.kinds.switch_reads import SwitchReads
from designer.core.migration.kinds.switch_writes import SwitchWrites
from designer.core.migration.kinds.time_to_live import TimeToLive
from designer.core.migration.kinds.write_both import WriteBoth
from designer.core.migration.region import to_another_region
from designer.core.migration.settling import settle

KINDS: tuple[Kind, ...] = (
    FindDuplicates(),
    CreateTables(),
    ChangeSettings(),
    Streams(),
    WriteBoth(),
    ReadVersions(),
    BackfillAttributes(),
    CopyItems(),
    CreateIndex(),
    SwitchReads(),
    SwitchWrites(),
    DropIndex(),
    RemoveAttributes(),
    DeleteItems(),
    TimeToLive(),
    DropTables(),
)
"""In the order in which their steps come within a phase."""


def migrate(before: Deployed, after: Deployed) -> Migration:
    """The steps that lead from one deployed plan to another."""
    if before.design.region != after.design.region and before.plan.tables:
        return to_another_region(before, after)
    change = settle(before, after)
    steps = [step for kind in KINDS for step in kind.steps(change)]
    order = list(Phase)
    steps.sort(key=lambda step: order.index(step.phase))
    tables: Tables = {table.name: table for table in before.plan.tables}
    start = Stage(before.design, before.plan)
    placed = []
    for number, step in enumerate(steps, 1):
        stage = None
        if step.deploys is not None:
            tables = step.deploys(tables)
            stage = _stage(change, tables, step.phase)
        if step.means is not None:
            tables = step.means(tables)
        placed.append(Placed(number, step, stage))
    return Migration(change, start, tuple(placed))


def _stage(change: Change, tables: Tables, phase: Phase) -> Stage:
    """What is deployed at a phase: in the middle, the patterns of both plans ask for capacity."""
    order = list(Phase)
    at = order.index(phase)
    early, late = at < order.index(Phase.WRITE_BOTH), at >= order.index(Phase.WRITES)
    before, after = change.before, change.after
    settled = after if late else before
    other = before if late else after
    operations = () if late else before.plan.operations
    operations += () if early else after.plan.operations
    return Stage(
        _together(settled.design, other.design),
        after.plan.model_copy(
            update={
                "tables": tuple(tables.values()),
                "operations": operations,
                "upkeep": after.plan.upkeep if late else (*before.plan.upkeep, *after.plan.upkeep),
            }
        ),
    )


def _together(first: Design, second: Design) -> Design:
    """The design with what only the other one has: the tables of both are described by it."""
    entities = [entity for entity in second.entities if entity.name not in first.entity]
    numbers = {pattern.number for pattern in first.patterns}
    patterns = [pattern for pattern in second.patterns if pattern.number not in numbers]
    if not entities and not patterns:
        return first
    return first.model_copy(
        update={
            "entities": (*first.entities, *entities),
            "patterns": tuple(sorted((*first.patterns, *patterns), key=lambda p: p.number)),
        }
    )
