"""What it takes to run the tables: backup, streams, encryption, expiry, and what to watch."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint import set_aside
from designer.core.monitoring import KINDS, not_set
from designer.core.plan import Table as PlannedTable
from designer.core.report.blocks import (
    NOT_STATED,
    Block,
    Heading,
    Listed,
    Paragraph,
    Section,
    Table,
)
from designer.core.report.facts import Facts
from designer.core.words import figures
from designer.core.words.english import joined

STREAMS = {
    "keys-only": "keys only",
    "new": "new images",
    "old": "old images",
    "new-and-old": "new and old images",
}
"""What a stream has of each change, in words."""
SEVERITIES = {"error": "Errors", "warning": "Warnings", "advice": "Advice"}


def integrations(facts: Facts) -> Section:
    """Per table what it needs besides keys; and what else has to be built."""
    rows = tuple(_running(facts.design, table) for table in facts.plan.tables)
    head = ("Table", "Recovery", "Stream", "Expiry", "Encryption", "Team")
    blocks: list[Block] = [Table(head, rows, (20, 16, 16, 16, 18, 14))] if rows else []
    lines = [
        f"Pattern {one.pattern}, {facts.design.pattern(one.pattern).name}: {one.because}"
        for one in facts.answered("elsewhere")
    ]
    if facts.plan.upkeep:
        events = [one.event for one in facts.plan.upkeep]
        after = events[0] if len(events) == 1 else f"each of these changes: {'; '.join(events)}"
        lines.append(
            f"A stream consumer runs after {after}. It sees each change at least once, and the "
            f"changes to one item in order."
        )
    lines.append(
        "Permissions: each program needs a role that allows its calls on the tables that its access patterns use. "
        "`dynamodb:LeadingKeys` limits a role to the keys of one tenant or user."
    )
    blocks.append(Listed(tuple(lines)))
    return Section("integrations", "Recovery, services, permissions", tuple(blocks))


def _running(design: Design, table: PlannedTable) -> tuple[str, ...]:
    needs = {
        shape.entity: design.entity[shape.entity].needs
        for shape in table.items
        if shape.entity in design.entity
    }
    personal = [name for name, need in needs.items() if need is not None and need.personal_data]
    teams = dict.fromkeys(need.team for need in needs.values() if need is not None and need.team)
    recovery = (
        f"to any second of the last {figures.count(table.recovery_days, 'day')}"
        if table.recovery_days
        else "none"
    )
    return (
        table.name,
        recovery,
        STREAMS[table.stream] if table.stream else "none",
        f"by {table.ttl}" if table.ttl else "none",
        f"an AWS managed key, for the personal data of {joined(personal)}"
        if personal
        else "an AWS owned key",
        joined([team for team in teams if team]) or NOT_STATED,
    )


def monitoring(facts: Facts) -> Section:
    """CloudWatch alarms with thresholds that follow from the design."""
    blocks: list[Block] = [
        Paragraph(
            "These are CloudWatch alarms. Each threshold follows from the stated rates. Missing data counts as "
            "healthy, because most of these metrics are sent only if they are not zero. CloudFormation "
            "and Terraform exports contain the same alarms if you ask for them."
        )
    ]
    for kind in KINDS:
        mine = [alarm for alarm in facts.alarms if alarm.kind == kind.slug]
        if not mine:
            continue
        blocks.append(Heading(kind.title))
        places: dict[tuple[str, str, str], list[str]] = {}
        for alarm in mine:
            alike = (alarm.looks_at, alarm.condition, alarm.because)
            places.setdefault(alike, []).append(alarm.watches)
        rows = tuple((", ".join(watched), *alike) for alike, watched in places.items())
        blocks.append(
            Table(("Watches", "Metric", "Goes off when", "Because"), rows, (26, 18, 28, 28))
        )
        blocks.append(Paragraph(f"When it goes off: {kind.then} Source: {kind.source}"))
    without = not_set(facts.design, facts.plan)
    if without:
        blocks += [Heading("Alarms not set"), Listed(tuple(without))]
    return Section("monitoring", "Monitoring", tuple(blocks))


def findings(facts: Facts) -> Section:
    """What is open, and what the team set aside with its reason."""
    return Section("findings", "Findings", tuple(_findings(facts)))


def _findings(facts: Facts) -> Iterator[Block]:
    if not facts.findings:
        yield Paragraph("Nothing to report.")
    for severity, title in SEVERITIES.items():
        found = [finding for finding in facts.findings if finding.severity == severity]
        if found:
            yield Heading(title)
            yield Listed(
                tuple(f"{f.message} {f.remedy}".rstrip() + f" (`{f.rule}`)" for f in found)
            )
    aside = [
        (f, one) for f in facts.every_finding if (one := set_aside(facts.design, f)) is not None
    ]
    if aside:
        yield Heading("Ignored")
        yield Table(
            ("Rule", "Finding", "Because"),
            tuple((f.rule, f.message, one.because) for f, one in aside),
            (16, 52, 32),
        )
