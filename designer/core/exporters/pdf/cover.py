"""The first page: the decision, what it costs, what could go wrong, what is assumed and open, and who approved it."""

from collections.abc import Iterator

from designer.core.comparison.compare import Comparison
from designer.core.design import unstated
from designer.core.design.document import Design
from designer.core.design.entities import Relationship
from designer.core.exporters.pdf.html import Html, tag
from designer.core.exporters.pdf.parts import said
from designer.core.grid.shown import STYLE_LABELS
from designer.core.plan import Plan
from designer.core.report.blocks import numbered
from designer.core.report.facts import Facts
from designer.core.report.standing import Standing
from designer.core.sentences.assumptions import assumption, worth
from designer.core.sentences.plans import (
    at_once,
    optimality,
    served,
    served_partly,
    served_without_keys,
)
from designer.core.sentences.templates import without_condition
from designer.core.words import figures
from designer.core.words.english import joined, plural

MOST = 4
"""Lines of each list; how many more there are stands below it."""
WEIGHT = {"error": 0, "warning": 1}
"""Findings that are risks, heaviest first. Advice is none."""


def cover(facts: Facts, styles: Comparison | None, standing: Standing | None) -> Html:
    """The summary that a review begins with. `styles`: the comparison, where there is one."""
    design, plan = facts.design, facts.plan
    foot = [design.name, STYLE_LABELS[plan.style], _short(plan)]
    if standing is not None:
        foot += [f"r{standing.revision}", standing.status]
    lists = [
        (
            "Top risks",
            list(_risks(facts)),
            "No finding is an error or a warning, and no key is hot.",
        ),
        (
            "Assumed",
            list(_assumed(facts)),
            "Only that traffic is even over all values where no share is stated.",
        ),
        (
            "Open questions",
            list(_open(design)),
            "None about purpose, counts, relationships or rates. The checklist lists what else is not stated.",
        ),
    ]
    return tag(
        "section",
        tag("p", _mark(), "Keywright", class_="maker"),
        tag("p", design.name, class_="name"),
        tag("p", "Design for Amazon DynamoDB", class_="kind"),
        tag("p", design.description, class_="lead") if design.description else None,
        tag("table", tag("tbody", tag("tr", list(_figures(facts)))), class_="figures"),
        tag(
            "p",
            _decision(plan, styles),
            class_="decision",
        ),
        tag("div", [_list(*each) for each in lists], class_="lists"),
        tag(
            "dl",
            [
                tag("div", tag("dt", name), tag("dd", text))
                for name, text in _facts(facts, standing)
            ],
        ),
        tag("p", " - ".join(foot), class_="running"),
        class_="cover",
    )


def _decision(plan: Plan, styles: Comparison | None) -> str:
    """The style, its tables and indexes, how good the plan is, and a style that is better. The price is above."""
    indexes = sum(len(table.indexes) for table in plan.tables)
    copies = sum(shape.role == "copy" for table in plan.tables for shape in table.items)
    made = [
        figures.count(len(plan.tables), "table"),
        figures.count(indexes, "index", "indexes") if indexes else "no indexes",
        *([f"{figures.count(copies, 'copy', 'copies')} of the items"] if copies else []),
    ]
    decision = f"{STYLE_LABELS[plan.style]}: {joined(made)}. {optimality(plan)}"
    best = styles.recommendation if styles is not None else None
    if best is not None and plan.style not in best.best:
        others = "another style" if len(best.best) == 1 else "other styles"
        labels = joined([STYLE_LABELS[style] for style in best.best])
        decision += f" The comparison favours {others}: {labels}."
    return decision


def _figures(facts: Facts) -> Iterator[Html]:
    """The four figures that people look for."""
    bill, plan = facts.bill, facts.plan
    number, asked = served(plan)
    yield _large(figures.money(float(bill.usd)), "a month at average rates")
    yield _large(figures.money(float(bill.usd_at_peak)), "a month at peak rates")
    said = f"access patterns served{at_once(plan, number)}{served_partly(plan)}"
    yield _large(f"{number} of {asked}", said + served_without_keys(plan))
    hottest = facts.heat.hottest
    yield _large(
        figures.little_share(float(hottest.used)) if hottest is not None else "unknown",
        "of a partition's limit used by the hottest key",
    )


def _large(figure: str, what: str) -> Html:
    return tag("td", tag("p", figure, class_="large"), tag("p", what, class_="quiet"))


def _list(title: str, lines: list[str], otherwise: str) -> Html:
    more = len(lines) - MOST
    # A line for a single other one would say less than its own.
    shown = lines if more <= 1 else lines[:MOST]
    return tag(
        "div",
        tag("p", title, class_="strong"),
        tag("ul", [tag("li", said(line)) for line in shown])
        if shown
        else tag("p", otherwise, class_="quiet"),
        tag("p", f"and {more} more, in the document", class_="quiet") if more > 1 else None,
        class_="list",
    )


def _risks(facts: Facts) -> Iterator[str]:
    """What is not served, hot keys, and the findings that weigh."""
    for key in facts.heat.keys:
        if key.level != "cool":
            yield (
                f"`{without_condition(key.key)}` of {key.name} is {key.level}: its busiest value takes "
                f"{figures.little_share(float(key.used))} of a partition at peak."
            )
    for finding in sorted(
        (one for one in facts.findings if one.severity in WEIGHT),
        key=lambda one: WEIGHT[one.severity],
    ):
        yield finding.message


def _assumed(facts: Facts) -> Iterator[str]:
    """What the figures rest on that nobody stated: what no figure counts, then what could change most."""
    if without := facts.bill.without_patterns:
        yield f"Not included: {numbered(without)}, without a rate."
    if peaks := unstated.peaks(facts.design):
        yield f"The peak of {numbered(peaks)} is the average: none is stated."
    for one in facts.plan.assumed:
        between = (
            f" Between its lowest and its highest plausible value, the bill differs by {worth(one)}."
            if worth(one)
            else ""
        )
        yield assumption(one) + between


def _open(design: Design) -> Iterator[str]:
    """What the team has not said yet."""
    if purpose := unstated.purpose(design):
        yield f"{joined(list(purpose)).capitalize()}: what is this application for?"
    if entities := unstated.counts(design):
        yield f"How many items are there of {joined(list(entities))}?"
    if rates := unstated.rates(design):
        yield f"How often {'does' if len(rates) == 1 else 'do'} {numbered(rates)} run?"
    for entity, attribute, target in unstated.references(design):
        yield f"How does {entity}.{attribute} relate to {target}?"
    for name in unstated.fan_out(design):
        one = design.relationship[name]
        yield f"How many {_per(one)} are there {joined(unstated.how_many(one))} (relationship “{name}”)?"


def _per(one: Relationship) -> str:
    """`Orders per User`"""
    if isinstance(one.many, tuple):
        first, second = one.many
        return f"{plural(second)} per {first}, and {plural(first)} per {second}"
    return f"{plural(one.child)} per {one.parent}"


def _facts(facts: Facts, standing: Standing | None) -> Iterator[tuple[str, str]]:
    design, plan = facts.design, facts.plan
    if standing is not None:
        yield from standing.facts
    yield "Region", design.region
    yield "Design hash", plan.design.meaning
    yield "Planner", plan.planner
    if (context := design.context) is not None:
        for name, text in (
            ("Domain", context.domain),
            ("Business", context.business),
            ("Scale", context.scale),
        ):
            if text:
                yield name, text


def _short(plan: Plan) -> str:
    return plan.design.meaning.removeprefix("sha256:")[:10]


def _mark() -> Html:
    return Html(
        '<svg class="mark" viewBox="0 0 16 16" width="20" height="20"><path fill="#0b6e69"'
        ' fill-rule="evenodd" d="M7.873 5H16v8H9V7H7.873A4 4 0 1 1 7.873 5ZM4 4a2 2 0 1 0 0 4 2 2 0 0'
        ' 0 0-4ZM10 7h2v2h-2ZM13 7h2v2h-2ZM10 10h2v2h-2ZM13 10h2v2h-2Z"/></svg>'
    )


def contents(titles: list[tuple[str, str]]) -> Html:
    """The sections, with the pages they begin on."""
    lines = [tag("li", tag("a", title, href=f"#{name}")) for name, title in titles]
    return tag("nav", tag("h1", "Contents"), tag("ol", lines), class_="contents")
