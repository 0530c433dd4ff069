"""The two documents of a modelling session, in Markdown: requirements, and the data model that answers them."""

import re
from collections.abc import Iterator, Mapping

from designer.core.design.document import Design
from designer.core.exporters.base import NOTHING_BESIDES, Export, Exporter, Options, filename
from designer.core.exporters.quoting import flat
from designer.core.grid.shown import STYLE_LABELS
from designer.core.mermaid import er_diagram
from designer.core.plan import Plan
from designer.core.report import (
    assumed,
    checklist,
    comparison,
    cost,
    data_model,
    heat,
    running,
    stated,
)
from designer.core.report.blocks import Block, Heading, Listed, Paragraph, Section, Table
from designer.core.report.facts import Facts
from designer.core.sentences import with_code
from designer.core.standing import Standing

NOTHING_DRAWN: Mapping[str, str] = {}


class Requirements(Exporter):
    """What the team states, with what is still missing."""

    slug = "requirements"
    label = "Requirements (Markdown)"

    def export(self, design: Design, plan: Plan, options: Options = NOTHING_BESIDES) -> Export:
        facts = Facts(design, plan)
        sections = (
            stated.application(facts),
            stated.patterns(facts),
            stated.entities(facts),
            stated.considerations(facts),
            checklist.section(facts, "checklist", checklist.REQUIREMENTS),
        )
        drawn = {"entities": er_diagram(design)}
        text = _document(f"{design.name}: requirements", plan, sections, options.standing, drawn)
        return Export(filename(design, plan, "requirements.md"), "text/markdown", text)


class DataModel(Exporter):
    """What follows: the entities in a diagram, tables, answers, bill, heat, trade-offs, alarms."""

    slug = "data-model"
    label = "Data model (Markdown)"
    compares = True

    def export(self, design: Design, plan: Plan, options: Options = NOTHING_BESIDES) -> Export:
        facts = Facts(design, plan)
        sections = (
            Section("entities", "Entities and relationships", ()),
            data_model.approach(facts),
            data_model.tables(facts),
            data_model.mapping(facts),
            data_model.unsolved(facts),
            heat.heat(facts),
            cost.cost(facts),
            assumed.assumed(facts),
            data_model.decisions(facts),
            *comparison.beside(design, plan, options.beside),
            running.integrations(facts),
            running.monitoring(facts),
            running.findings(facts),
            checklist.section(facts, "checklist", checklist.DATA_MODEL),
        )
        title = f"{design.name}: data model for DynamoDB"
        drawn = {"entities": er_diagram(design)}
        text = _document(title, plan, sections, options.standing, drawn)
        return Export(filename(design, plan, "data-model.md"), "text/markdown", text)


def _document(
    title: str,
    plan: Plan,
    sections: tuple[Section, ...],
    standing: Standing | None,
    drawn: Mapping[str, str] = NOTHING_DRAWN,
) -> str:
    """`drawn`: the Mermaid diagram that a section begins with, by the section's name; none where it is empty."""
    made = f"{STYLE_LABELS[plan.style]}, planner {plan.planner}, design `{plan.design.meaning}`. Made by Keywright."
    parts = [f"# {inline(title)}", inline(made)]
    if standing is not None:
        parts.append(inline(standing.sentence))
    for section in sections:
        parts.append(f"## {inline(section.title)}")
        if diagram := drawn.get(section.name):
            parts.append(f"```mermaid\n{diagram}\n```")
        parts += ["\n".join(_lines(block)) for block in section.blocks]
    return "\n\n".join(part for part in parts if part) + "\n"


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Heading(text):
            yield f"### {inline(text)}"
        case Paragraph(text):
            yield begun(inline(text))
        case Listed(items):
            yield from (f"- {begun(inline(item))}" for item in items)
        case Table():
            yield _row(block.head)
            marks = ["---:" if at in block.numbers else "---" for at in range(len(block.head))]
            yield f"| {' | '.join(marks)} |"
            yield from map(_row, block.rows)


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(inline(cell) for cell in cells)} |"


def inline(text: str) -> str:
    """A text on one line in which nothing is markup but what stands between backticks, also in a table.

    >>> print(inline("a | *b* <i> `USER#<id>|x` snake_case"))
    a \\| \\*b\\* \\<i> `USER#<id>\\|x` snake_case
    """
    parts = (
        f"`{part}`".replace("|", "\\|") if is_code else _escaped(part)
        for part, is_code in with_code(flat(text))
    )
    return "".join(parts)


_MARKUP = re.compile(r"[\\`*\[\]<|~]|&(?=#?\w+;)|(?<!\w)_|_(?!\w)")
_BEGINS = re.compile(r"^(?:[#>=+-]|\d+(?=[.)]))")


def _escaped(text: str) -> str:
    return _MARKUP.sub(lambda found: f"\\{found[0]}", text)


def begun(text: str) -> str:
    """The same at the beginning of a line, where it must not begin a heading, a list or a rule.

    >>> print(begun("# one"), begun("1. two"), begun("three"))
    \\# one 1\\. two three
    """
    if re.match(r"\d+[.)]", text):
        return re.sub(r"^(\d+)", r"\1\\", text)
    return _BEGINS.sub(lambda found: f"\\{found[0]}", text)
