"""The PDF's pages as HTML: a summary, the chapters of a review, and an appendix that can be left out."""

from collections.abc import Iterator, Mapping

from designer.core.comparison.compare import Comparison
from designer.core.design.document import Design
from designer.core.examples import examples
from designer.core.exporters.pdf import charts, grids
from designer.core.exporters.pdf.cover import contents, cover
from designer.core.exporters.pdf.decisions import decisions
from designer.core.exporters.pdf.html import Html, tag
from designer.core.exporters.pdf.model import entities
from designer.core.exporters.pdf.parts import of_block, of_section, titled
from designer.core.exporters.pdf.patterns import patterns
from designer.core.grid.shown import STYLE_LABELS
from designer.core.plan import Plan, Style
from designer.core.report import assumed, checklist, comparison, cost, data_model, heat, running
from designer.core.report.blocks import Section
from designer.core.report.facts import Facts
from designer.core.report.standing import Standing

Chapter = tuple[str, str, Html]
"""The name that links lead to, the title, and the section."""


def document(
    design: Design,
    plan: Plan,
    others: Mapping[Style, Plan] | None = None,
    standing: Standing | None = None,
    with_appendix: bool = True,
) -> str:
    """The whole document. `others`: the plans
    in other styles, to compare with. `standing`: what stands on the first page and at the foot of each, where it is
    known. `with_appendix`: all example items, what each access pattern costs, alarms and checklist come along.
    """
    facts = Facts(design, plan)
    styles = comparison.compared_with(design, plan, others or {})
    chapters = [*_chapters(facts, styles), *(_appendix(facts, styles) if with_appendix else ())]
    body = tag(
        "body",
        cover(facts, styles, standing),
        contents([(name, title) for name, title, _ in chapters]),
        [section for _, _, section in chapters],
    )
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("title", f"{design.name}: {STYLE_LABELS[plan.style].lower()} design for DynamoDB"),
        tag("meta", name="generator", content="Keywright"),
    )
    return f"<!doctype html>{tag('html', head, body, lang='en')}"


def _chapters(facts: Facts, styles: Comparison | None) -> Iterator[Chapter]:
    design, plan = facts.design, facts.plan
    yield _chapter("entities", "Entities and relationships", *entities(design))
    sections = list(grids.keys_and_items(design, plan, examples(design)))
    for (table, index, title), made in zip(grids.structures(plan), sections, strict=True):
        yield grids.grid_id(table, index), title, made
    yield _chapter("patterns", "Access patterns", *patterns(design, plan))
    if facts.answered("elsewhere") or facts.answered("not served"):
        unsolved = data_model.unsolved(facts)
        yield unsolved.name, unsolved.title, of_section(unsolved)
    if styles is not None:
        said = map(of_block, comparison.verdict(styles))
        yield _chapter("comparison", comparison.TITLE, *said)
    yield _chapter("decisions", "Trade-offs", *decisions(plan))
    yield _chapter(
        "cost",
        "Cost",
        *map(of_block, cost.summary(facts)),
        tag("div", [tag("div", each) for each in charts.cost(facts)], class_="plots"),
    )
    plot = charts.heat_by_key(facts)
    about = (*heat.limits(facts), *heat.helps(facts))
    yield _chapter("heat", "Heat", *([plot] if plot else []), *map(of_block, about))
    if plan.assumed:
        rests_on = assumed.assumed(facts)
        yield rests_on.name, rests_on.title, of_section(rests_on)
    found = running.findings(facts)
    yield _chapter(found.name, "Risks and findings", *map(of_block, found.blocks))


def _appendix(facts: Facts, styles: Comparison | None) -> Iterator[Chapter]:
    items = list(grids.all_items(facts.design, facts.plan, examples(facts.design)))
    if items:
        yield _chapter("items", "Appendix: all example items", *items)
    if styles is not None:
        yield _plain(Section("styles", "Styles", comparison.background(styles)))
    yield _plain(cost.details(facts))
    yield _plain(Section("keys", "Heat of every key", (heat.keys(facts),)))
    yield _plain(running.integrations(facts))
    yield _plain(running.monitoring(facts))
    lines = (*checklist.REQUIREMENTS, *checklist.OF_THE_PLAN)
    yield _plain(checklist.section(facts, "checklist", lines))


def _chapter(name: str, title: str, *content: Html) -> Chapter:
    return name, title, titled(name, title, *content)


def _plain(section: Section) -> Chapter:
    """A part of the appendix that any format has."""
    title = f"Appendix: {section.title[:1].lower()}{section.title[1:]}"
    shown = titled(section.name, title, *map(of_block, section.blocks), kind="plain")
    return section.name, title, shown
