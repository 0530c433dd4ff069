"""What the plan costs, in the words and figures of the cost page."""

from dataclasses import replace

from designer.core.cost.bill import PatternLine
from designer.core.cost.break_even import break_evens
from designer.core.cost.commitments import commitments
from designer.core.cost.growth import MONTHS, growth
from designer.core.cost.modes import MODES
from designer.core.cost.options import Changes
from designer.core.cost.usage import Place
from designer.core.dynamodb.prices import AS_OF, CLASS_LABELS, NOT_INCLUDED, prices_of
from designer.core.monitoring import billed_apart
from designer.core.rational import Fraction
from designer.core.report.blocks import Block, Heading, Paragraph, Section, Table, numbered
from designer.core.report.facts import Facts
from designer.core.sentences.plans import optimality
from designer.core.words import figures
from designer.core.words.english import joined


def cost(facts: Facts) -> Section:
    """The bill by table, index and access pattern, in other modes, and in three years."""
    blocks = (*summary(facts), *details(facts).blocks, Heading("Over three years"), _growth(facts))
    return Section("cost", "Cost", blocks)


def summary(facts: Facts) -> tuple[Block, ...]:
    """The bill in all, and by table and index."""
    return (*_totals(facts), Heading("By table and index"), _structures(facts))


def details(facts: Facts) -> Section:
    """What every access pattern costs, and what the same would cost in other modes and classes."""
    return Section(
        "cost-details",
        "Cost in detail",
        (
            Heading("By access pattern"),
            _patterns(facts),
            Heading("The bill in each capacity mode and table class"),
            *_ways(facts),
        ),
    )


def _usd(usd: Fraction) -> str:
    return figures.money(float(usd))


def _totals(facts: Facts) -> tuple[Block, ...]:
    bill = facts.bill
    parts = [("reads", bill.usd_reads), ("writes", bill.usd_writes), ("storage", bill.usd_storage)]
    parts += [(each.label[:1].lower() + each.label[1:], each.usd) for each in bill.besides]
    spent = joined([f"{_usd(usd)} for {label}" for label, usd in parts])
    lines = [
        f"{_usd(bill.usd)} for a month of 30 days at average rates, {MODES[bill.options.mode].label.lower()} in "
        f"{bill.region}: {spent}. If every access pattern ran at its peak all month: {_usd(bill.usd_at_peak)}.",
        f"The planner compared the cost of requests and storage on demand: {figures.money(facts.plan.cost.per_month)}. "
        f"{optimality(facts.plan)}",
    ]
    if bill.without_patterns:
        lines.append(f"Not included, because they have no rate: {numbered(bill.without_patterns)}.")
    lines += bill.left_out
    if alarms := billed_apart(facts.design, facts.plan):
        lines.append(alarms)
    lines.append(
        f"Prices of {bill.region} in US dollars, as of {AS_OF}, from https://aws.amazon.com/dynamodb/pricing/. A GB of "
        f"storage is 10^9 bytes, a KB of an item or a request 1,024. Not included: {NOT_INCLUDED}."
    )
    return tuple(Paragraph(line) for line in lines)


def place(found: Place) -> str:
    return f"{found.table}/{found.index}" if found.index else found.table


def _structures(facts: Facts) -> Table:
    rows = [
        (
            place(line.place),
            figures.little(float(line.reads.average)),
            figures.little(float(line.writes.average)),
            figures.size(float(line.bytes)),
            _usd(line.usd_reads),
            _usd(line.usd_writes),
            _usd(line.usd_storage),
            _usd(line.usd),
        )
        for line in facts.bill.structures
    ]
    bill = facts.bill
    rows += [(each.label, "", "", "", "", "", "", _usd(each.usd)) for each in bill.besides]
    rows.append(
        (
            "Total",
            "",
            "",
            figures.size(float(bill.bytes)),
            _usd(bill.usd_reads),
            _usd(bill.usd_writes),
            _usd(bill.usd_storage),
            _usd(bill.usd),
        )
    )
    head = (
        "Table or index",
        "Read units / s",
        "Write units / s",
        "Stored",
        "Reads",
        "Writes",
        "Storage",
        "Cost per month",
    )
    return Table(head, tuple(rows), (30, 10, 10, 10, 10, 10, 10, 10), frozenset(range(1, 8)))


def _patterns(facts: Facts) -> Block:
    lines = facts.bill.patterns
    if not lines:
        return Paragraph(facts.no_rates)
    total = facts.bill.usd
    rows = [
        (
            _who(facts, line),
            figures.number(float(line.rate.average)),
            figures.number(float(line.read_units)),
            figures.number(float(line.write_units)),
            _usd(line.usd),
            figures.little_share(float(line.usd / total)) if total else "",
            _usd(line.usd_at_peak),
        )
        for line in sorted(lines, key=lambda line: (-line.usd, line.patterns))
    ]
    head = (
        "Access pattern",
        "Per second",
        "Read units per run",
        "Write units per run",
        "Cost per month",
        "Share of the bill",
        "At peak all month",
    )
    return Table(head, tuple(rows), (36, 10, 10, 10, 12, 10, 12), frozenset(range(1, 7)))


def _who(facts: Facts, line: PatternLine) -> str:
    if line.upkeep:
        return line.upkeep_label
    (number,) = line.patterns
    return f"{number} {facts.design.pattern(number).name}"


def _ways(facts: Facts) -> tuple[Block, ...]:
    prices = prices_of(facts.bill.region)
    rows = []
    for name, label in CLASS_LABELS.items():
        if name not in prices.classes:
            continue
        for mode in MODES.values():
            options = replace(facts.bill.options, mode=mode.slug, table_class=name)
            usd, _ = facts.account.total(options, Changes())
            lacking = joined(facts.account.without(options))
            rows.append((label, mode.label, f"{_usd(usd)} {lacking}".strip(), mode.says))
    blocks: list[Block] = [
        Table(
            ("Class", "Capacity", "Cost per month", "How"),
            tuple(rows),
            (13, 22, 11, 54),
            frozenset((2,)),
        )
    ]
    if promised := list(commitments(facts.bill)):
        said = " ".join(f"{one.sentence} See {one.source}." for one in promised)
        blocks.append(
            Paragraph(
                "Reads and writes cost less with a commitment of a year or longer. No amount here assumes one. "
                f"Prices as of {AS_OF}. {said}"
            )
        )
    pays = tuple(
        (
            place(each.place),
            each.kind.removesuffix("s"),
            f"{each.capacity:,}",
            figures.little_share(float(each.in_use)),
            figures.share(float(each.needed)),
            each.cheaper,
        )
        for each in break_evens(facts.bill)
    )
    if pays:
        target = figures.share(float(facts.bill.options.utilisation))
        blocks.append(
            Paragraph(
                "You pay for each unit of provisioned capacity by the hour, used or not. Capacity for the peak, at a "
                f"target utilisation of {target}, is cheaper than on demand if its average utilisation is at least the "
                "break-even utilisation. Auto scaling is not compared here: its cost is in the table above."
            )
        )
        head = (
            "Table or index",
            "Units",
            "Capacity (units a second)",
            "Average utilisation",
            "Break-even",
            "Cheaper",
        )
        blocks.append(Table(head, pays, (36, 12, 13, 13, 13, 13), frozenset((2, 3, 4))))
    return tuple(blocks)


def _growth(facts: Facts) -> Table:
    points = growth(facts.account, facts.bill.options, Changes())
    rows = tuple(
        (str(point.month), figures.size(float(point.bytes)), _usd(point.usd))
        for point in points
        if point.month % 12 == 0 and point.month <= MONTHS
    )
    return Table(
        ("Months from now", "Stored", "Cost per month"), rows, (34, 33, 33), frozenset((1, 2))
    )
