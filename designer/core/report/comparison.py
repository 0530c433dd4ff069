"""The styles side by side, in the words and figures of the comparison page."""

from collections.abc import Mapping

from designer.core.comparison.compare import Comparison, compared
from designer.core.comparison.coupling import Shared
from designer.core.comparison.fares import Fare
from designer.core.comparison.recommending import Recommendation
from designer.core.comparison.side import Side
from designer.core.comparison.totals import totals
from designer.core.design.document import Design
from designer.core.grid.shown import STYLE_LABELS
from designer.core.plan import ALL_STYLES, Plan, Style
from designer.core.report.blocks import (
    NOT_STATED,
    Block,
    Heading,
    Listed,
    Paragraph,
    Section,
    Table,
)
from designer.core.sentences.plans import unshared
from designer.core.words import figures
from designer.core.words.english import spoken

TITLE = "Comparison of the styles"


def beside(design: Design, plan: Plan, others: Mapping[Style, Plan]) -> tuple[Section, ...]:
    """The comparison of a plan with those of other styles; nothing where there are none to compare with."""
    found = compared_with(design, plan, others)
    if found is None:
        return ()
    return (Section("comparison", TITLE, (*verdict(found), *background(found))),)


def compared_with(design: Design, plan: Plan, others: Mapping[Style, Plan]) -> Comparison | None:
    """A plan and those of other styles, in the order of the styles; None where there is nothing to compare."""
    if not others or not design.patterns:
        return None
    plans = {**others, plan.style: plan}
    styles = (style for style in ALL_STYLES if style in plans)
    return compared(design, {style: plans[style] for style in styles})


def verdict(found: Comparison) -> tuple[Block, ...]:
    """Which style the design speaks for and why; which access patterns differ; the totals."""
    return (
        *_recommended(found.recommendation),
        *(Paragraph(f"Problem in this style: {words}") for words in found.still),
        Heading("Totals"),
        _totals(found),
        Heading(
            "What differs" if any(row.differs for row in found.rows) else "Each access pattern"
        ),
        *_differing(found),
    )


def background(found: Comparison) -> tuple[Block, ...]:
    """What is shared, every criterion, and when each way to build it is the one to take."""
    return (
        Heading("What is shared"),
        *_shared(found),
        Heading("What decides between the styles"),
        _criteria(found.recommendation),
        Heading("What to use when"),
        _choices(found),
    )


def _labels(styles: tuple[Style, ...]) -> str:
    return spoken(tuple(STYLE_LABELS[style] for style in styles))


def _recommended(found: Recommendation) -> list[Block]:
    said = f"{found.verdict}."
    if found.as_good:
        said += f" {found.undecided}"
    because = [f"{one.ruled_out} {one.answer.says}" for one in found.reasons]
    against = [f"{one.favoured} {one.answer.says}" for one in found.against]
    blocks: list[Block] = [Paragraph(said)]
    if because:
        blocks += [Paragraph("Because:"), Listed(tuple(because))]
    if against:
        blocks += [
            Paragraph(f"Against the recommended {'styles' if found.as_good else 'style'}:"),
            Listed(tuple(against)),
        ]
    return blocks


def _differing(found: Comparison) -> list[Block]:
    differing = [row for row in found.rows if row.differs]
    alike = len(found.rows) - len(differing)
    blocks: list[Block] = []
    if alike:
        number = figures.count(len(found.rows), "access pattern")
        which = (
            f"{alike} of {number} {'has' if alike == 1 else 'have'}"
            if differing
            else f"All {number} have"
        )
        if len(found.rows) == 1:
            which = "The access pattern has"
        blocks.append(Paragraph(f"{which} the same result in every style."))
    if differing:
        head = ("No.", "Access pattern", *(side.label for side in found.sides))
        rows = tuple(
            (str(row.pattern.number), row.pattern.name, *map(_fare, row.fares)) for row in differing
        )
        width = 72 // len(found.sides)
        blocks.append(Table(head, rows, (4, 24, *(width for _ in found.sides)), frozenset((0,))))
    return blocks


OF_READS = ("strong", "partly strong", "eventual")


def _fare(fare: Fare) -> str:
    """`more requests: 2 requests, 4 items read, strong consistency, 2 read units, $6.48 a month, heat under 0.1 %`."""
    if not fare.requests:
        return fare.verdict
    said = [
        figures.count(fare.requests, "request"),
        *([f"{figures.count(fare.read, 'item')} read"] if fare.read else []),
        f"{fare.consistency} consistency" if fare.consistency in OF_READS else fare.consistency,
        *(
            figures.count(float(units), f"{what} unit")
            for units, what in ((fare.read_units, "read"), (fare.write_units, "write"))
            if units
        ),
        "no rate" if fare.usd is None else f"{figures.money(float(fare.usd))} a month",
    ]
    if fare.heat is not None:
        said.append(f"heat {figures.little_share(float(fare.heat.used))}")
    return f"{fare.verdict}: {', '.join(said)}"


def _totals(found: Comparison) -> Table:
    rows = tuple(
        (f"{one.label}. {one.note}" if one.note else one.label, *one.cells) for one in totals(found)
    )
    columns = frozenset(range(1, len(found.sides) + 1))
    head = ("", *(side.label for side in found.sides))
    return Table(head, rows, (46, *(18 for _ in found.sides)), columns)


def _shared(found: Comparison) -> list[Block]:
    rows = []
    alone = []
    for side in found.sides:
        shared = [one for one in found.coupling[side.style] if one.is_shared]
        rows += [_table(side, one) for one in shared]
        if not shared:
            alone.append(f"{side.label}: {unshared(side.plan)}")
    blocks: list[Block] = [Paragraph(words) for words in alone]
    if rows:
        head = ("Style", "Table", "Entities", "Average use", "Backups", "Stream", "Permissions")
        blocks.append(Table(head, tuple(rows), (10, 12, 20, 14, 14, 15, 15)))
    return blocks


def _table(side: Side, one: Shared) -> tuple[str, ...]:
    capacity = f"{figures.little(float(one.reads))} read and {figures.little(float(one.writes))} write units a second"
    back = (
        f"restored together, to any time in the last {one.recovery_days} days"
        if one.recovery_days
        else "without recovery"
    )
    stream = "none"
    if one.has_stream:
        stream = f"for {spoken(one.streamed_for)}" if one.streamed_for else "for no entity"
        stream += f"; also carries {spoken(one.streamed_along)}" if one.streamed_along else ""
    personal = f"personal data: {NOT_STATED}"
    if one.personal:
        personal = f"personal data of {spoken(one.personal)}"
        personal += f", stored with {spoken(one.beside_personal)}" if one.beside_personal else ""
    return (
        side.label,
        one.table,
        ", ".join(one.entities),
        capacity,
        f"{figures.size(float(one.bytes))}, {back}",
        stream,
        "; ".join(filter(None, (personal, ", ".join(one.teams)))),
    )


def _criteria(found: Recommendation) -> Table:
    rows = tuple(
        (
            one.title,
            one.answer.says if one.answer.is_stated else f"{NOT_STATED}: {one.answer.says}",
            _labels(one.favours) or "none",
            _labels(one.leaves_out),
        )
        for one in found.answered
    )
    return Table(("Criterion", "This design", "Favours", "Rules out"), rows, (20, 50, 15, 15))


def _choices(found: Comparison) -> Table:
    rows = tuple(
        (one.label, one.when, one.takes, here, price) for one, here, price in found.technologies
    )
    head = ("Choice", "When", "What it takes", "Here", "What it takes here")
    return Table(head, rows, (10, 18, 18, 27, 27))
