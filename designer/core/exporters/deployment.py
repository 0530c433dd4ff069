"""What a deployed table is given besides its keys and capacity: encryption and tags."""

import math
import re
from collections.abc import Iterator, Mapping

from designer.core.capacity.tables import Structure, is_provisioned, needs, peaks
from designer.core.design.document import Design
from designer.core.exporters.base import Options
from designer.core.plan import Plan, Table
from designer.core.words.english import joined

NAME_LENGTH = 255
"""Characters in a table's name. Source: CreateTable, TableName."""

STREAM_VIEWS = {
    "keys-only": "KEYS_ONLY",
    "new": "NEW_IMAGE",
    "old": "OLD_IMAGE",
    "new-and-old": "NEW_AND_OLD_IMAGES",
}
TABLE_CLASSES = {"standard": "STANDARD", "infrequent-access": "STANDARD_INFREQUENT_ACCESS"}


def behind(prefix: str, name: str) -> str:
    """What follows the prefix, for which templates take a parameter; empty for a pinned name without it.

    This looks at one name alone: what comes or goes beside a table must not change how its template names it.
    """
    return name.removeprefix(prefix) if name.startswith(prefix) else ""


def longest_prefix(design: Design, plan: Plan) -> int:
    """How many characters a prefix may have, so that no table's name has more than 255."""
    names = (behind(design.table_prefix, table.name) for table in plan.tables)
    return NAME_LENGTH - max(map(len, names), default=0)


def key_attributes(table: Table) -> dict[str, str]:
    """The types of exactly the attributes in keys of the table and its indexes."""
    keys = [table.key.partition, *([table.key.sort] if table.key.sort else [])]
    for index in table.indexes:
        keys += [*index.partition, *index.sort]
    return {key.name: key.type for key in keys}


def holds_personal_data(design: Design, table: Table) -> bool:
    return any(need.personal_data for need in needs(design, table))


ROOM = 4
"""Times its stated peak that an on-demand table or index may take, where it has a maximum: a guard, and no throttle."""
LEAST_MAXIMUM = 100
"""Units a second that it may take at the least: one transaction or large item can take dozens at once."""


def maximums(design: Design, plan: Plan, options: Options) -> dict[Structure, dict[str, int]]:
    """For each on-demand table and global index the `read` and `write` units that it may take a second, if asked for.

    Nothing of a kind that no access pattern with a rate takes.
    https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode-max-throughput.html
    """
    if not options.maximum:
        return {}
    found: dict[Structure, dict[str, int]] = {}
    for (table, index), (reads, writes) in peaks(design, plan).items():
        if not is_provisioned(design, plan.table(table)):
            units = {"read": reads, "write": writes}
            most = {kind: _rounded_up(ROOM * peak) for kind, peak in units.items() if peak}
            if most:
                found[table, index] = most
    return found


def _rounded_up(units: float) -> int:
    """To two digits, and at least to what any table may take."""
    step: int = 10 ** max(0, len(str(int(units))) - 2)
    return max(LEAST_MAXIMUM, math.ceil(units / step) * step)


def about_maximums(design: Design, found: Mapping[Structure, object]) -> Iterator[str]:
    """What to know of the most that tables may take."""
    if found:
        yield (
            f"Each on-demand table and index is limited to {ROOM} times its stated peak, and at least to "
            f"{LEAST_MAXIMUM} units a second. DynamoDB throttles requests above it, so raise it when the traffic grows."
        )
        without = [pattern.number for pattern in design.patterns if pattern.rate is None]
        if without:
            yield (
                "These limits leave out the access patterns without a rate: "
                f"{joined([str(each) for each in without])}."
            )


def tags(design: Design, plan: Plan, table: Table) -> dict[str, str]:
    """The table's tags, with values as AWS accepts them."""
    teams = dict.fromkeys(need.team for need in needs(design, table) if need.team)
    values = {
        "keywright:design": tag_value(design.name),
        "keywright:style": plan.style,
        "team": tag_value(" + ".join(teams)),
        "data-classification": "personal" if holds_personal_data(design, table) else "",
    }
    return {key: value for key, value in values.items() if value}


def tag_value(text: str) -> str:
    """The text as a tag's value: letters, digits, spaces and `_.:/=+-@`, at most 256 characters.

    https://docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html
    """
    return re.sub(r"[^\w .:/=+@-]+", "-", " ".join(text.split()))[:256].strip()


def not_as_stated(design: Design, plan: Plan) -> Iterator[str]:
    """Where a template says less than the design does."""
    for table in plan.tables:
        if not behind(design.table_prefix, table.name):
            yield (
                f"Table {table.name} is pinned under a name without the prefix "
                f"{design.table_prefix}: it gets no prefix."
            )
        modes = {need.billing or design.billing for need in needs(design, table)}
        if is_provisioned(design, table):
            yield (
                f"Table {table.name} has fixed capacity, of which its patterns use 70 % at their peaks; "
                "auto scaling is not set up."
            )
        elif "provisioned" in modes:
            yield (
                f"Table {table.name} is on demand: only some of its entities ask for provisioned "
                "capacity, and a table has one mode."
            )
    provisioned = any(is_provisioned(design, table) for table in plan.tables)
    without = [str(pattern.number) for pattern in design.patterns if pattern.rate is None]
    if provisioned and without:
        yield f"The capacity leaves out the patterns without a rate: {joined(without)}."
    wishes = {"design name": design.name} | {
        f"team of {entity.name}": entity.needs.team
        for entity in design.entities
        if entity.needs is not None and entity.needs.team
    }
    for what, text in wishes.items():
        if tag_value(text) != text:
            yield (
                f"The tag with the {what} says “{tag_value(text)}”: a tag's value holds letters, "
                "digits, spaces and _.:/=+-@ only."
            )
