"""What the team states: the application, its entities and relationships, and its patterns."""

from collections.abc import Iterator

from designer.core.cost.modes import MODES
from designer.core.cost.options import exact
from designer.core.design import unstated
from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.er_picture import sentences as relationship_sentences
from designer.core.messages import text
from designer.core.patterns import AnyPattern
from designer.core.patterns.base import Read, Write
from designer.core.patterns.elsewhere import Elsewhere
from designer.core.report.blocks import (
    NOT_STATED,
    Block,
    Heading,
    Listed,
    Paragraph,
    Section,
    Table,
    key_code,
)
from designer.core.report.facts import Facts
from designer.core.report.running import STREAMS
from designer.core.sentences.patterns import reads_as
from designer.core.words import figures
from designer.core.words.english import joined

KEPT = {
    "by-stream": "updated by a stream consumer",
    "by-price": "updated in the transaction or by a stream consumer, whichever is cheaper",
}
"""How an aggregate is kept up to date; the transaction goes without saying."""


def application(facts: Facts) -> Section:
    """What it is for, and how much it asks in all."""
    design, context = facts.design, facts.design.context
    entities = ", ".join(entity.name for entity in design.entities) or NOT_STATED
    lines = [
        ("Domain", (context.domain if context else None) or NOT_STATED),
        ("Main entities", entities),
        ("Business", (context.business if context else "") or NOT_STATED),
        ("Scale", (context.scale if context else "") or NOT_STATED),
        ("Traffic", _runs(design)),
        ("Region", design.region),
    ]
    blocks: list[Block] = [Paragraph(design.description)] if design.description else []
    blocks.append(Table(("Topic", "Stated"), tuple(lines), (20, 80)))
    return Section("application", "Application", tuple(blocks))


def _runs(design: Design) -> str:
    rated = [p.rate for p in design.patterns if p.rate is not None]
    if not rated:
        return NOT_STATED
    average = sum(exact(rate.average) for rate in rated)
    peak = sum(exact(rate.average if rate.peak is None else rate.peak) for rate in rated)
    served = unstated.asked(design)
    lacking = sum(one.rate is None for one in served)
    have = "has" if lacking == 1 else "have"
    of = " that DynamoDB serves" if len(served) < len(design.patterns) else ""
    without = f"; {lacking} of {len(served)} access patterns{of} {have} no rate" if lacking else ""
    return (
        f"{figures.number(float(average))} runs of access patterns a second on average, "
        f"{figures.number(float(peak))} if all peak at once{without}"
    )


def patterns(facts: Facts) -> Section:
    """Every access pattern with all that is stated of it."""
    rows = tuple(_pattern(facts.design, pattern) for pattern in facts.design.patterns)
    if not rows:
        return Section("patterns", "Access patterns", (Paragraph("No access pattern is stated."),))
    head = (
        "No.",
        "Access pattern",
        "Average / s",
        "Peak / s",
        "Type",
        "Attributes needed",
        "Requirements",
        "Considerations",
        "Status",
    )
    table = Table(head, rows, (4, 24, 7, 7, 7, 14, 16, 14, 7), frozenset((2, 3)))
    return Section("patterns", "Access patterns", (table,))


def _pattern(design: Design, pattern: AnyPattern) -> tuple[str, ...]:
    rate = pattern.rate
    status = "served without keys" if isinstance(pattern, Elsewhere) else pattern.status
    said = [pattern.name, pattern.why, reads_as(design, pattern)]
    return (
        str(pattern.number),
        " ".join(text if text.endswith((".", "?", "!")) else f"{text}." for text in said if text),
        NOT_STATED if rate is None else figures.number(rate.average),
        NOT_STATED if rate is None or rate.peak is None else figures.number(rate.peak),
        "read" if pattern.is_read else "write",
        _attributes(design, pattern),
        "; ".join(_required(pattern)) or NOT_STATED,
        pattern.considerations or NOT_STATED,
        status,
    )


def _attributes(design: Design, pattern: AnyPattern) -> str:
    if isinstance(pattern, Read):
        if pattern.aggregate is not None:
            return pattern.aggregate.of
        if pattern.answer_kind in ("count", "exists"):
            return "none"
        return ", ".join(pattern.attributes) if pattern.attributes else "all"
    if isinstance(pattern, Write):
        whole_ones = (one.entity for one in pattern.changes if one.writes_whole)
        created = joined([*dict.fromkeys(whole_ones)])
        rest = [change for change in pattern.changes if not change.writes_whole]
        written = ", ".join(dict.fromkeys(name for change in rest for name in change.written))
        if created:
            whole = f"all of {created}" if rest else "all"
            return f"{whole}; {written}" if written else whole
        if not written and all(change.verb in ("delete", "check") for change in rest):
            return ", ".join(_given(design, pattern)) or "none"
        return written or "all"
    return NOT_STATED


def _given(design: Design, pattern: Write) -> dict[str, None]:
    """By what the caller says which items a write removes or checks."""
    if pattern.collection:
        return dict.fromkeys(condition.attribute for condition in pattern.collection)
    given: dict[str, None] = {}
    for change in pattern.changes:
        entity = design.entity.get(change.entity)
        given |= dict.fromkeys(change.by or (entity.identifier if entity else ()))
    return given


def _required(pattern: AnyPattern) -> Iterator[str]:
    if pattern.latency_ms is not None:
        yield f"within {figures.number(pattern.latency_ms)} ms"
    if pattern.at_most_requests is not None:
        yield f"in at most {figures.count(pattern.at_most_requests, 'request')}"
    if isinstance(pattern, Read):
        yield (
            f"{pattern.consistency} consistency"
            if pattern.consistency != "transactional"
            else "a snapshot of one moment"
        )
    if isinstance(pattern, Write) and len(pattern.changes) > 1:
        yield "all or nothing"
    if pattern.hottest is not None:
        yield f"{figures.share(pattern.hottest)} of its traffic is on its hottest key value"
    if pattern.workflow:
        yield f"part of {pattern.workflow}"


def entities(facts: Facts) -> Section:
    """The entities with their attributes, and how they belong together."""
    design = facts.design
    rows = tuple(
        (
            entity.name,
            ", ".join(entity.identifier),
            NOT_STATED if entity.items is None else f"{entity.items:,}",
            NOT_STATED if entity.growth_per_month is None else f"{entity.growth_per_month:,}",
            "; ".join(_needs(entity)) or NOT_STATED,
            entity.description,
        )
        for entity in design.entities
    )
    if not rows:
        return Section(
            "entities", "Entities and relationships", (Paragraph("No entity is stated."),)
        )
    head = ("Entity", "Identifier", "Items", "New per month", "Needs", "Description")
    blocks: list[Block] = [Table(head, rows, (14, 16, 10, 10, 20, 30), frozenset((2, 3)))]
    blocks.append(Heading("Relationships"))
    bound = "; the child cannot exist without its parent"
    said = tuple(
        f"{text}{bound if one.identifying else ''}{_unsaid(one)}."
        for one, text in zip(design.relationships, relationship_sentences(design), strict=True)
    )
    blocks.append(Listed(said) if said else Paragraph("No relationship is stated."))
    blocks.append(Heading("Attributes"))
    attributes = tuple(
        (
            entity.name,
            attribute.name,
            attribute.type + (f" {attribute.format}" if attribute.format else ""),
            attribute_text(entity, attribute),
        )
        for entity in design.entities
        for attribute in entity.attributes
    )
    blocks.append(Table(("Entity", "Attribute", "Type", "Facts"), attributes, (18, 18, 14, 50)))
    return Section("entities", "Entities and relationships", tuple(blocks))


def _unsaid(one: Relationship) -> str:
    words = {"on average": "average", "at most": "maximum"}
    missing = [words[each] for each in unstated.how_many(one)]
    return f"; {joined(missing)} {NOT_STATED}" if missing else ""


def _needs(entity: Entity) -> Iterator[str]:
    needs = entity.needs
    if needs is None:
        return
    if needs.team:
        yield f"belongs to {needs.team}"
    if needs.tenant:
        yield f"tenant by {needs.tenant}"
    if needs.stream:
        yield f"stream with {STREAMS[needs.stream]}"
    if needs.recovery_days is not None:
        yield f"recoverable for {figures.count(needs.recovery_days, 'day')}"
    if needs.table_class:
        yield f"table class {needs.table_class}"
    if needs.billing:
        yield needs.billing
    if needs.personal_data:
        yield "personal data"


def attribute_text(entity: Entity, attribute: Attribute, *first: str) -> str:
    """All that is stated of an attribute: `first`, its facts, and its description as a sentence of its own."""
    facts = "; ".join((*first, *attribute_facts(entity, attribute)))
    return ". ".join(filter(None, (facts, attribute.description)))


def attribute_facts(entity: Entity, attribute: Attribute) -> Iterator[str]:
    """All that is stated of an attribute besides its type and description."""
    if attribute.name in entity.identifier:
        yield "identifier"
    if attribute.refers_to:
        yield f"refers to {attribute.refers_to}"
    if attribute.unique:
        yield "unique"
    if attribute.unique_within:
        yield f"unique within {joined(attribute.unique_within)}"
    if attribute.mutable:
        yield "mutable"
    if attribute.present < 1:
        yield f"in {figures.share(attribute.present)} of the items"
    if (range_ := _range(attribute)) is not None:
        yield range_
    if attribute.elements is not None:
        yield f"at most {figures.count(attribute.elements.most, 'element')}"
    if attribute.most_bytes is not None:
        yield f"at most {figures.binary_size(attribute.most_bytes)}"
    if attribute.later:
        yield "absent until it is set"
    if attribute.values:
        yield "one of " + ", ".join(_values(attribute))
    elif attribute.shares:
        of = "of the items" if attribute.present == 1 else "of the items that have it"
        yield f"true in {figures.share(attribute.shares[0])} {of}"
    if attribute.busiest is not None:
        yield f"its busiest value in {figures.share(attribute.busiest)} of the items"
    if attribute.ttl:
        yield "time to live"
    if attribute.derived:
        yield f"from {attribute.derived}"
    if attribute.aggregate:
        yield attribute.aggregate
    if attribute.kept in KEPT:
        yield KEPT[attribute.kept]


def _values(attribute: Attribute) -> list[str]:
    """Its values, each with its share where that is stated."""
    values = [str(value) for value in attribute.values or ()]
    if attribute.shares is None:
        return values
    shares = map(figures.share, attribute.shares)
    return [f"{value} ({share})" for value, share in zip(values, shares, strict=True)]


def _range(attribute: Attribute) -> str | None:
    """Between which numbers it lies, as far as that is stated."""
    least, most = attribute.minimum, attribute.maximum
    if least is None or most is None:
        bound = least if most is None else most
        return None if bound is None else f"at {'least' if most is None else 'most'} {bound}"
    return f"{least} to {most}"


def considerations(facts: Facts) -> Section:
    """What the plan brings up while requirements are still open: heat, elsewhere, streams, money."""
    lines: list[str] = []
    hottest = facts.heat.hottest
    if hottest is None or not hottest.used:
        lines.append(f"Hot keys: {NOT_STATED}. {facts.no_rates}")
    else:
        used = figures.little_share(float(hottest.used))
        lines.append(
            f"Hot keys: the hottest is {key_code(hottest.key)} of {hottest.name}; "
            f"at peak, it takes {used} of what a partition serves."
        )
    for operation in facts.answered("elsewhere"):
        name = facts.design.pattern(operation.pattern).name
        lines.append(
            f"Served without keys: pattern {operation.pattern}, {name}. {operation.because}"
        )
    lines += [
        f"Streams: after {one.event}, a consumer updates {one.keeps}." for one in facts.plan.upkeep
    ]
    lines += [
        f"{text(decision.heading)}: {decision.because}"
        for decision in facts.plan.decisions
        if decision.about.startswith(("copy ", "figure "))
    ]
    mode = MODES[facts.bill.options.mode].label.lower()
    lines.append(f"Cost: {figures.money(float(facts.bill.usd))} a month, {mode}, at average rates.")
    said = tuple(line for line in lines)
    return Section("considerations", "Design considerations", (Listed(said),))
