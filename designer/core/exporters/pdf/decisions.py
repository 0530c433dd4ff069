"""The chapter on the trade-offs: what was chosen, why, and what was not."""

from collections.abc import Iterator

from designer.core.exporters.pdf.html import Child, Html, tag
from designer.core.exporters.pdf.parts import said, table_of
from designer.core.messages import text
from designer.core.plan import Plan
from designer.core.plan.reasons import Rejected
from designer.core.sentences.plans import PRICED, choice_text, index_bound
from designer.core.words import figures


def _in_parts(choice: str) -> str:
    """A choice that is broken between the parts of a key and after an equals sign, not within a name."""
    return choice.replace("#<", "#\u200b<").replace(" = ", "\u00a0= ")


def _price_and_reason(other: Rejected) -> list[Child]:
    """What follows a choice that was not made, in brackets: ` ($19.16 a month; takes several requests)`."""
    price = "" if other.per_month is None else f"{figures.money(other.per_month)} a month"
    if not other.because:
        return [f" ({price})"] if price else []
    return [f" ({price}; " if price else " (", said(other.because), ")"]


def decisions(plan: Plan) -> Iterator[Html]:
    rows = []
    for decision in plan.decisions:
        instead = [
            tag("li", choice_text(other.choice), _price_and_reason(other))
            for other in decision.instead_of
        ]
        rows.append(
            tag(
                "tr",
                tag("th", text(decision.heading), scope="row"),
                tag("td", _in_parts(choice_text(decision.choice)), class_="key"),
                tag("td", figures.money(decision.per_month), class_="number"),
                tag("td", said(decision.because)),
                tag("td", tag("ul", instead) if instead else None),
            )
        )
    yield tag("p", PRICED, class_="quiet")
    head = ("Decision", "Chosen", "Cost per month", "Because", "Not chosen")
    yield table_of(head, [tag("tbody", rows)], "decisions", (14, 22, 9, 30, 25))
    if least := index_bound(plan):
        yield tag("p", said(least), class_="after")
