"""What the plan answers: the approach, its tables with their reasons, and how each pattern is answered."""

from collections.abc import Iterator

from designer.core.capacity.tables import is_provisioned
from designer.core.cost.price import monthly, of_operation, price_of, units_monthly
from designer.core.grid.shown import STYLE_LABELS
from designer.core.heat.keys import KeyHeat
from designer.core.messages import text
from designer.core.plan import Index, KeyAttribute, Operation, Shape, Upkeep
from designer.core.plan import Table as PlannedTable
from designer.core.plan.reasons import Rejected
from designer.core.report.blocks import (
    NOT_STATED,
    Block,
    Heading,
    Listed,
    Paragraph,
    Section,
    Table,
    code,
    key_code,
    numbered,
    template_code,
)
from designer.core.report.facts import Facts
from designer.core.sentences.plans import (
    PRICED,
    choice_text,
    index_bound,
    optimality,
    partly_served,
    summary,
)
from designer.core.sentences.steps import COPIES, kept_kinds, kept_up_by, served_by, shape_name
from designer.core.words import figures
from designer.core.words.english import joined, spoken, when_given
from designer.core.words.spoken import article_of

OBJECTIVES = {
    "simplest": "the simplest structure at about the lowest bill",
    "cost": "the lowest bill",
    "indexes": "the fewest indexes",
    "requests": "the fewest requests a second",
}


def approach(facts: Facts) -> Section:
    """The style, what the keys were chosen by, and what is claimed of the choice."""
    plan, settings = facts.plan, facts.design.planner
    lines = [
        f"Style: {STYLE_LABELS[plan.style].lower()}.",
        f"In short: {summary(plan, price_of(facts.design, facts.bill))}.",
        f"The keys, indexes and tables were chosen for {OBJECTIVES[settings.objective]}. They follow from the access "
        "patterns and their rates, not from the shape of the entities.",
        optimality(plan),
    ]
    if least := index_bound(plan):
        lines.append(least)
    pins = [pin for pin in settings.pins if pin.style in (None, plan.style)]
    if pins:
        reasons = [pin.because for pin in pins if pin.because]
        why = f" Reasons: {'; '.join(dict.fromkeys(reasons))}." if reasons else ""
        lines.append(
            f"{figures.count(len(pins), 'decision is', 'decisions are')} pinned by hand.{why}"
        )
    return Section("approach", "Approach", (Listed(tuple(line for line in lines)),))


# Tables -------------------------------------------------------------------------------------------


def tables(facts: Facts) -> Section:
    """Every table and index: what it holds, its keys with their reasons, what it serves and takes."""
    blocks: list[Block] = []
    for table in facts.plan.tables:
        blocks += _table(facts, table)
        for index in table.indexes:
            blocks += _index(facts, table, index)
    if not blocks:
        blocks.append(Paragraph("There is no table yet."))
    return Section("tables", "Tables and indexes", tuple(blocks))


def _table(facts: Facts, table: PlannedTable) -> Iterator[Block]:
    yield Heading(f"Table {table.name}")
    entities = list(dict.fromkeys(shape.entity for shape in table.items))
    about = [
        f"Purpose: holds {joined(entities)}. {' '.join(_reasons(facts, f'table {table.name}'))}".rstrip()
    ]
    about += _key(facts, table, None, "Partition key", (table.key.partition,))
    if table.key.sort is not None:
        about += _key(facts, table, None, "Sort key", (table.key.sort,))
    about.append(_serves(table.serves))
    if any(shape.role == "copy" for shape in table.items):
        about.append(COPIES)
    about.append(_capacity(facts, table, None))
    yield Listed(tuple(about))
    rows = tuple(_item(facts, table, shape) for shape in table.items)
    head = ("Item", "Key", "Attributes", "Size", "Items", "Because")
    yield Table(head, rows, (12, 24, 24, 7, 8, 25), frozenset((3, 4)))


def _item(facts: Facts, table: PlannedTable, shape: Shape) -> tuple[str, ...]:
    keys = [table.key.partition.name, *([table.key.sort.name] if table.key.sort else [])]
    templates = {**{name: f"{{{name}}}" for name in shape.attributes}, **shape.set}
    written = [f"{code(k)} = {template_code(templates[k])}" for k in keys if k in templates]
    if shape.inside is not None:
        written = [f"inside {shape.inside.shape}, in {code(shape.inside.attribute)}"]
    reasons: list[str] = []
    if shape.inside is not None:
        about = (one.about for one in facts.plan.decisions if one.about.startswith("together "))
        for each in dict.fromkeys(about):
            reasons += _reasons(facts, each) if shape.entity in each.split() else ()
    if shape.role == "copy":
        reasons += _reasons(facts, f"copy {shape.shape}")
    if shape.role == "guard":
        kept = shape.guards or facts.design.entity[shape.entity].identifier
        reasons += _reasons(facts, f"guard {shape.entity}.{joined(list(kept))}")
    if shape.role in ("entity", "edge"):
        reasons += _reasons(facts, f"key {shape.entity}")
        article = article_of(shape.entity).capitalize()
        reasons += [
            f"{article} {shape.entity} cannot exist without its {joined(list(one.parents))} ({one.name})."
            for one in facts.design.relationships
            if one.identifying and one.child == shape.entity
        ]
    return (
        shape_name(shape),
        ", ".join(written),
        ", ".join(f"{name} ({held.type})" for name, held in shape.attributes.items()),
        figures.binary_size(shape.bytes),
        _how_many(facts, shape),
        " ".join(reasons),
    )


def _how_many(facts: Facts, shape: Shape) -> str:
    """The items of a shape; of an entity that states no count, nothing is known."""
    entity = facts.design.entity.get(shape.entity)
    if not shape.items and (entity is None or entity.items is None):
        return NOT_STATED
    return figures.number(shape.items)


def _index(facts: Facts, table: PlannedTable, index: Index) -> Iterator[Block]:
    yield Heading(f"Index {index.name} on {table.name}")
    held = {
        "ALL": "all attributes",
        "KEYS_ONLY": "only the keys",
        "INCLUDE": spoken(("the keys", *index.projection.attributes)),
    }[index.projection.type]
    about = [
        f"Purpose: {' '.join(_reasons(facts, f'index {table.name}/{index.name}')) or 'a further key.'}"
    ]
    about += _key(facts, table, index, "Partition key", index.partition)
    if index.sort:
        about += _key(facts, table, index, "Sort key", index.sort)
    about.append(f"Projection: {held}.{_projections(facts, table, index)}")
    names = [key.name for key in (*index.partition, *index.sort)]
    if index.sparse:
        about.append(
            f"Sparse: an item without {joined(names, 'or')} is not in it, and costs nothing here."
        )
    if index.kind == "local":
        about.append(
            "Local: it shares the table's partitions and capacity, and can be read strongly consistently."
        )
    about.append(_serves(index.serves))
    about.append(_capacity(facts, table, index))
    yield Listed(tuple(about))


def _key(
    facts: Facts,
    table: PlannedTable,
    index: Index | None,
    word: str,
    keys: tuple[KeyAttribute, ...],
) -> Iterator[str]:
    holders: dict[str, list[str]] = {}
    for shape in table.items:
        own = {name: f"{{{name}}}" for name in shape.attributes}
        templates = {**own, **shape.set}
        if all(key.name in templates for key in keys):
            text = ", ".join(template_code(templates[key.name]) for key in keys)
            holders.setdefault(text, []).append(shape.shape)
    written = [f"{text} ({joined(shapes)})" for text, shapes in holders.items()]
    spread = ""
    if word == "Partition key":
        place = (table.name, index.name if index else None)
        hot = [key for key in facts.heat.keys if (key.table, key.index) == place]
        spread = "".join(f" {_spread(key)}" for key in hot)
    called = ", ".join(f"{code(key.name)} ({key.type})" for key in keys)
    yield f"{word}: {called}, holding {joined(written) or 'nothing'}.{spread}"


def _spread(key: KeyHeat) -> str:
    values = figures.count(key.values, "value")
    used = figures.little_share(float(key.used))
    shards = ""
    if key.shards > 1:
        each = "" if values == "1 value" else " each"
        shards = f", in {key.shards} shards{each}"
    return f"{key_code(key.key)} has {values}{shards}; the hottest takes {used} of what a partition serves."


def _reasons(facts: Facts, about: str) -> Iterator[str]:
    decided = [one for one in facts.plan.decisions if one.about == about and one.reasons]
    fullest = (one for one in decided if not any(map(one.says_less_than, decided)))
    yield from dict.fromkeys(one.because for one in fullest)


def _projections(facts: Facts, table: PlannedTable, index: Index) -> str:
    """Where others were priced, it says where they stand."""
    others = (
        other.chosen.id
        for decision in facts.plan.decisions
        if decision.about == f"index {table.name}/{index.name}"
        for other in decision.instead_of
    )
    is_priced = any(id in ("all-projected", "all-projected-by-name") for id in others)
    return " The trade-offs list the prices of other projections." if is_priced else ""


def _serves(patterns: tuple[int, ...]) -> str:
    return f"Serves {numbered(patterns)}." if patterns else "Serves no access pattern by itself."


def _capacity(facts: Facts, table: PlannedTable, index: Index | None) -> str:
    place = (table.name, index.name if index else None)
    line = next(one for one in facts.bill.structures if (one.place.table, one.place.index) == place)
    mode = "provisioned" if is_provisioned(facts.design, table) else "on demand"
    reads, writes = (figures.little(float(load.average)) for load in (line.reads, line.writes))
    peak_reads, peak_writes = (
        figures.little(float(load.peak)) for load in (line.reads, line.writes)
    )
    return (
        f"Capacity: {mode}; {reads} read and {writes} write units a second on average, {peak_reads} and {peak_writes} "
        f"at peak; {figures.size(float(line.bytes))} stored; {figures.money(float(line.usd))} a month."
    )


# Patterns ----------------------------------------------------------------------------------------


def mapping(facts: Facts) -> Section:
    """Each pattern with the requests that answer it, the writes too."""
    rows = tuple(
        _operation(facts, operation)
        for pattern in facts.design.patterns
        for operation in facts.plan.operations_for(pattern.number)
        if operation.answer not in ("elsewhere", "not served")
    )
    head = (
        "No.",
        "Access pattern",
        "Tables and indexes",
        "Served by",
        "Requests",
        "Units",
        "Cost per month",
    )
    blocks: list[Block] = [
        Table(head, rows, (4, 18, 14, 40, 7, 8, 9), frozenset((4, 6)))
        if rows
        else Paragraph("These tables serve no access pattern.")
    ]
    if facts.plan.upkeep:
        kept_right = (
            f"A stream consumer keeps {kept_kinds(facts.plan.upkeep)} up to date. It sees each change at "
            "least once:"
        )
        blocks.append(Paragraph(kept_right))
        kept = tuple(_upkeep(facts, upkeep) for upkeep in facts.plan.upkeep)
        blocks.append(
            Table(
                ("After", "It does", "Requests", "Units", "Units per month", "Cost per month"),
                kept,
                (20, 44, 8, 8, 11, 9),
                frozenset((2, 5)),
            )
        )
    return Section("mapping", "How each access pattern is served", tuple(blocks))


def _operation(facts: Facts, operation: Operation) -> tuple[str, ...]:
    name = facts.design.pattern(operation.pattern).name
    if operation.given is not None:
        name += f", {when_given(operation.given)}"
    places: dict[str, None] = {}
    for step in operation.steps:
        if step.members:
            places |= dict.fromkeys(member.table for member in step.members)
        else:
            places[f"{step.table}/{step.index}" if step.index else step.table] = None
    return (
        str(operation.pattern),
        name,
        ", ".join(places),
        served_by(facts.plan, operation),
        figures.number(operation.requests),
        units(operation),
        of_operation(facts.design, operation),
    )


def _upkeep(facts: Facts, upkeep: Upkeep) -> tuple[str, ...]:
    return (
        upkeep.event,
        kept_up_by(facts.plan, upkeep),
        figures.number(upkeep.requests),
        units(upkeep),
        units_monthly(upkeep),
        monthly(upkeep, upkeep.per_second),
    )


def units(operation: Operation | Upkeep) -> str:
    """`0.5 read (at worst 48), 2 write`: request units each time."""
    worst = operation.worst if isinstance(operation, Operation) else None
    each = (
        (operation.read_units, 0.0 if worst is None else worst.units, "read"),
        (operation.write_units, 0.0 if worst is None else worst.write_units, "write"),
    )
    found = []
    for usual, most, what in each:
        if not usual and not most:
            continue
        at_worst = f" (at worst {figures.number(most)})" if _is_above(most, usual) else ""
        found.append(f"{figures.number(usual)} {what}{at_worst}")
    return ", ".join(found)


def _is_above(most: float, usual: float) -> bool:
    """Whether a figure at the worst is written otherwise than on average."""
    return most > usual and figures.number(most) != figures.number(usual)


def unsolved(facts: Facts) -> Section:
    """What these tables do not answer, each with what serves it instead, or what helps."""
    words = {"elsewhere": "served without keys", "not served": "not served"}
    rows = []
    for operation in facts.plan.operations:
        if operation.answer not in words:
            continue
        pattern = facts.design.pattern(operation.pattern)
        name = pattern.name
        if operation.given is not None:
            name += f", {when_given(operation.given)}"
        rows.append((str(operation.pattern), name, words[operation.answer], operation.because))
    limited = partly_served(facts.plan)
    served = f", {limited}" if limited else ""
    block: Block = Paragraph(f"There are none: these tables serve every access pattern{served}.")
    if rows:
        block = Table(
            ("No.", "Access pattern", "Status", "Explanation"), tuple(rows), (5, 30, 15, 50)
        )
    return Section("unsolved", "Access patterns without a key", (block,))


def _price_and_reason(other: Rejected) -> str:
    """What follows a choice that was not made, in brackets: ` ($19.16 a month; takes several requests)`."""
    price = "" if other.per_month is None else f"{figures.money(other.per_month)} a month"
    said = "; ".join(filter(None, (price, other.because)))
    return f" ({said})" if said else ""


def decisions(facts: Facts) -> Section:
    """Trade-offs: what was chosen, why, and what was not, with prices."""
    rows = tuple(
        (
            text(decision.heading),
            _choice(decision.choice),
            figures.money(decision.per_month),
            decision.because,
            "; ".join(
                f"{_choice(other.choice)}{_price_and_reason(other)}"
                for other in decision.instead_of
            ),
        )
        for decision in facts.plan.decisions
    )
    head = ("Decision", "Chosen", "Cost per month", "Because", "Not chosen")
    blocks: tuple[Block, ...] = (
        (Paragraph(PRICED), Table(head, rows, (14, 22, 9, 30, 25), frozenset((2,))))
        if rows
        else (Paragraph("There are no decisions."),)
    )
    return Section("decisions", "Trade-offs", blocks)


def _choice(text: str) -> str:
    """A choice; as code if it consists of key templates."""
    said = choice_text(text)
    return code(said) if "{" in text else said
