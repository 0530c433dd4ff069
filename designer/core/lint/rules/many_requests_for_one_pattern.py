"""A pattern that takes a request for each row."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Found, Plans, Rule, at_pattern, steps
from designer.core.messages import Message, say
from designer.core.plan import READS, Step, Style

MANY = 5
"""Requests, on average, from which a second look pays."""


class ManyRequestsForOnePattern(Rule):
    id = "C104"
    severity = "advice"
    title = "One request per row"
    about = "pattern"
    what = (
        "A read sends another request for each row that it finds, or for each value that it is given, and needs "
        f"{MANY} or more requests on average. A batch request counts once, however many items it "
        "returns."
    )
    why = (
        "The application performs the join of a normalised schema. Each request takes time and costs at least "
        "half a read unit."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-relational-modeling.html"
    cure = (
        "Identify the children by their parent, so that one Query reads them. Refer by a path to the attributes of "
        "other items that you need, so that copies of them are stored. Read fewer rows at a time. If the caller "
        "gives the values, store the items that one run reads together under one key, so that one Query returns "
        "them. Or compare the styles: a shared table often returns in one request what separate tables return one by "
        "one."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for (at, requests, each), styles in _repeating(plans).items():
            places = tuple(_in_styles(place, named) for place, named in styles.items())
            yield Found(
                at_pattern(at),
                say("many-requests", pattern=at, places=places, requests=requests, each=say(each)),
                say("give-fewer-values" if each == "given-value" else "read-together-or-fewer"),
            )


def _repeating(plans: Plans) -> dict[tuple[int, float, str], dict[str, list[Style]]]:
    """Patterns, requests and what each is for, with the tables and indexes, each once with its styles."""
    found: dict[tuple[int, float, str], dict[str, list[Style]]] = {}
    for plan, at, step in steps(plans):
        if _repeats(step) and step.expects.requests >= MANY:
            place = step.table if step.index is None else f"{step.table}/{step.index}"
            styles = found.setdefault((at, step.expects.requests, _each(step)), {})
            named = styles.setdefault(place, [])
            if plan.style not in named:
                named.append(plan.style)
    return found


def _each(step: Step) -> str:
    """What a step is repeated for, as the id of its words."""
    each = step.for_each
    if each is None or each.rows is None:
        return "given-value"
    return "row-and-value" if each.values else "found-row"


def _repeats(step: Step) -> bool:
    each = step.for_each
    is_one_by_one = step.call in READS and step.call in ("Query", "GetItem")
    return is_one_by_one and each is not None and bool(each.rows or each.values)


def _in_styles(place: str, styles: list[Style]) -> Message:
    named = tuple(say("of-style", style=style) for style in styles)
    return say("place-in-styles", place=place, styles=named)
