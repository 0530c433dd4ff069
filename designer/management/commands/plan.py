"""The plan of a design, for people or as the plan document."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from designer.core.cost.account import bill
from designer.core.cost.modes import MODES
from designer.core.cost.options import as_planned
from designer.core.cost.price import added, price
from designer.core.design.document import Design
from designer.core.design.write import dump
from designer.core.grid.shown import STYLE_WORDS
from designer.core.heat.keys import plan_heat
from designer.core.messages import say
from designer.core.plan import Index, Plan, Shape, Table
from designer.core.plan.recording import recorded
from designer.core.planner import plan
from designer.core.report.blocks import numbered
from designer.core.sentences.assumptions import assumption, effects, worth
from designer.core.sentences.plans import optimality, summary
from designer.core.sentences.steps import kept_up_by, served_by, shape_name
from designer.core.sentences.templates import template_text
from designer.core.words import figures
from designer.core.words.english import spoken, when_given
from designer.management.designs import add_design, add_style, design_of
from designer.management.refusing import CommandRefusedError
from projects.management.base import RefusingCommand


class Command(RefusingCommand):
    help = (
        "Plan a design: tables, keys, indexes, items, and how each access pattern is answered. With --json, print "
        "the plan document. The exit status is 1 if an access pattern cannot be served."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_design(parser)
        add_style(parser)
        parser.add_argument("--json", action="store_true", help="print the plan document as JSON")
        parser.add_argument(
            "--lock",
            action="store_true",
            help="write the plan's names into the design's file, so that later plans use them again",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        design = design_of(options["design"])
        planned = plan(design, options["style"])
        if options["lock"]:
            lock(options["design"], design, planned)
        if options["json"]:
            self.stdout.write(json.dumps(planned.as_json(), ensure_ascii=False, indent=2))
        else:
            for line in described(design, planned):
                self.stdout.write(line)
        unwell = [finding for finding in planned.findings if finding.severity == "error"]
        if unwell:
            raise CommandRefusedError(say("lines", lines=tuple(each.problem for each in unwell)))


def lock(source: str, design: Design, planned: Plan) -> None:
    """Write the design's file with what its plan named; the file stays as it is where that is known already."""
    if source == "-" or source.startswith("gallery:"):
        raise CommandRefusedError(say("lock-needs-file"))
    named = recorded(design, [planned])
    if named != design:
        form: Literal["yaml", "json"] = "json" if source.endswith(".json") else "yaml"
        Path(source).write_text(dump(named, form), encoding="utf-8")


def described(design: Design, planned: Plan) -> Iterator[str]:
    """The plan as lines of text."""
    yield f"{design.name}, {STYLE_WORDS[planned.style]}: {summary(planned, price(design, planned))}"
    for table in planned.tables:
        yield ""
        yield from _table(table)
    yield ""
    yield "Access patterns"
    for pattern in design.patterns:
        for operation in planned.operations_for(pattern.number):
            case = "" if operation.given is None else f" ({when_given(operation.given)})"
            yield f"  {pattern.number:>3}  {pattern.name}{case}"
            yield f"       {served_by(planned, operation)}"
    if planned.upkeep:
        yield ""
        yield "Upkeep, by a stream consumer"
    for upkeep in planned.upkeep:
        yield f"       after {upkeep.event}"
        yield f"       {kept_up_by(planned, upkeep)}"
        if more := added(upkeep):
            yield f"       adds {more}"
    yield ""
    yield from _cost(planned)
    yield _bill(design, planned)
    yield from _heat(design, planned)
    yield from _assumed(planned)
    if planned.findings:
        yield ""
        yield "Findings"
    for finding in planned.findings:
        yield f"  {finding.severity}: {finding.message} {finding.remedy}".rstrip()


def _assumed(planned: Plan) -> Iterator[str]:
    if planned.assumed:
        yield ""
        yield "Assumed, because nobody stated them; those with the largest effect come first"
    for one in planned.assumed:
        between = f" Difference between lowest and highest: {worth(one)}." if worth(one) else ""
        yield f"  {assumption(one)}{between}"
        yield from (f"    {said}" for said in effects(one))


def _table(table: Table) -> Iterator[str]:
    keys = [table.key.partition, *([table.key.sort] if table.key.sort is not None else [])]
    yield f"Table {table.name}: {', '.join(f'{key.name} ({key.type})' for key in keys)}"
    for index in table.indexes:
        yield f"  {_index(index)}"
    if table.ttl is not None:
        yield f"  time to live: {table.ttl}"
    if table.stream is not None:
        yield f"  stream: {table.stream}"
    for shape in table.items:
        yield f"  {_shape(table, shape)}"


def _index(index: Index) -> str:
    keys = ", ".join(f"{key.name} ({key.type})" for key in (*index.partition, *index.sort))
    held: str = index.projection.type
    if index.projection.attributes:
        held += f" {spoken(index.projection.attributes)}"
    kind = f"sparse {index.kind}" if index.sparse else index.kind
    serves = f", for {numbered(index.serves)}" if index.serves else ""
    return f"{kind} index {index.name}: {keys}; {held}{serves}"


def _shape(table: Table, shape: Shape) -> str:
    of = "" if shape.shape == shape.entity else f" of {shape.entity}"
    role = "" if shape.role in ("entity", "copy") else f" ({shape.role}{of})"
    keys = {key.name for key in (table.key.partition, table.key.sort) if key is not None}
    keys |= {key.name for index in table.indexes for key in (*index.partition, *index.sort)}
    templates = ", ".join(
        f"{name} = {template_text(text)}" for name, text in shape.set.items() if name in keys
    )
    if shape.inside is not None:
        at = f".{template_text(shape.inside.at)}" if shape.inside.at else ""
        where = f"{shape.inside.shape}.{shape.inside.attribute}{at}"
        return f"item {shape.shape}{role}: {figures.binary_size(shape.bytes)}, in {where}"
    return f"item {shape_name(shape)}{role}: {figures.binary_size(shape.bytes)}{'; ' + templates if templates else ''}"


def _cost(planned: Plan) -> Iterator[str]:
    cost = planned.cost
    yield (
        f"Cost: {figures.money(cost.per_month)} a month (reads {figures.money(cost.reads_per_month)}, writes "
        f"{figures.money(cost.writes_per_month)}, storage {figures.money(cost.storage_per_month)}); at peak all month "
        f"{figures.money(cost.peak_per_month)}"
    )
    yield f"  {optimality(planned)}"
    if cost.without_patterns:
        yield f"  not included, because they have no rate: {numbered(cost.without_patterns)}"


def _bill(design: Design, planned: Plan) -> str:
    """What the cost page opens with: in the design's own way to pay, with what comes besides."""
    made = bill(design, planned, as_planned(design))
    besides = (charge.label.lower() for charge in made.besides)
    way = ", with ".join((MODES[made.options.mode].label.lower(), *besides))
    return f"Bill: {figures.money(float(made.usd))} a month, {way}"


def _heat(design: Design, planned: Plan) -> Iterator[str]:
    hottest = plan_heat(design, planned).hottest
    if hottest is not None and hottest.used:
        used = figures.little_share(float(hottest.used))
        yield (
            f"Heat: {template_text(hottest.key)} of {hottest.name} is the hottest key. At peak, it takes {used} "
            "of what a partition serves."
        )
