"""The chapter on the access patterns: what each asks, how it is answered, and what that takes."""

from collections.abc import Iterator

from designer.core.cost.price import monthly, of_operation, units_monthly
from designer.core.design.document import Design
from designer.core.exporters.pdf.html import Html, tag
from designer.core.exporters.pdf.parts import table_of
from designer.core.plan import Operation, Plan, Upkeep
from designer.core.report import data_model
from designer.core.sentences.patterns import reads_as
from designer.core.sentences.steps import kept_kinds, kept_up_by, served_by
from designer.core.words import figures
from designer.core.words.english import when_given

NO_BREAK = "\u00a0"


def patterns(design: Design, plan: Plan) -> Iterator[Html]:
    """Each access pattern with how it is answered, and what the streams' consumer does."""
    bodies = []
    for pattern in design.patterns:
        operations = plan.operations_for(pattern.number)
        asked = (
            tag("th", str(pattern.number), scope="row", class_="number", rowspan=len(operations)),
            tag(
                "td",
                tag("strong", pattern.name),
                tag("p", reads_as(design, pattern)),
                tag("p", pattern.why, class_="quiet") if pattern.why else None,
                rowspan=len(operations) if len(operations) > 1 else None,
            ),
        )
        rows = [
            tag("tr", asked if place == 0 else None, _answered(design, plan, operation))
            for place, operation in enumerate(operations)
        ]
        bodies.append(tag("tbody", rows or tag("tr", asked, [tag("td")] * 4)))
    head = ("No.", "Access pattern", "Served by", "Requests", "Units", "Cost per month")
    yield table_of(head, bodies, "operations", (3, 34, 36, 7, 11, 9))
    if plan.upkeep:
        kept = kept_kinds(plan.upkeep)
        yield tag("p", f"A stream consumer keeps {kept} up to date:", class_="after")
        rows = [_upkeep(plan, upkeep) for upkeep in plan.upkeep]
        columns = ("After", "It does", "Requests", "Units", "Units per month", "Cost per month")
        yield table_of(columns, [tag("tbody", rows)], "upkeep", (21, 39, 8, 11, 12, 9))


def _answered(design: Design, plan: Plan, operation: Operation) -> tuple[Html, ...]:
    said = served_by(plan, operation)
    if operation.given is not None:
        case = when_given(operation.given)
        said = f"{case[0].upper()}{case[1:]}: {said}"
    refused = operation.answer == "not served"
    return (
        tag("td", said, class_="refused" if refused else None),
        tag("td", figures.number(operation.requests) if operation.steps else "", class_="number"),
        tag("td", _units(operation), class_="units"),
        tag("td", of_operation(design, operation), class_="number"),
    )


def _upkeep(plan: Plan, upkeep: Upkeep) -> Html:
    return tag(
        "tr",
        tag("th", upkeep.event, scope="row"),
        tag("td", kept_up_by(plan, upkeep)),
        tag("td", figures.number(upkeep.requests), class_="number"),
        tag("td", _units(upkeep), class_="units"),
        tag(
            "td",
            units_monthly(upkeep).replace(" ", NO_BREAK).replace(f",{NO_BREAK}", ", "),
            class_="units",
        ),
        tag("td", monthly(upkeep, upkeep.per_second), class_="number"),
    )


def _units(operation: Operation | Upkeep) -> str:
    """The units each time, which are broken only before a bracket and after a comma."""
    whole = data_model.units(operation).replace(" ", NO_BREAK)
    return whole.replace(f"{NO_BREAK}(", " (").replace(f",{NO_BREAK}", ", ")
