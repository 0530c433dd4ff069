"""Patterns, operations and plans in plain English: what a pattern reads as, and how it is served."""

import re

from designer.core.cost.price import Price
from designer.core.messages import say, text
from designer.core.plan import Decision, Operation, Plan
from designer.core.plan.keys import TemplateError
from designer.core.sentences.templates import template_text
from designer.core.words import figures
from designer.core.words.english import joined, numbered


def choice_text(text: str) -> str:
    """A decision's choice with the names in its key templates in angle brackets; other texts as
    they are.

    >>> choice_text('GSI1PK = STATE#{only(state, "PAID")}, GSI1SK = {placedAt}')
    'GSI1PK = STATE#<state> (only if state is PAID), GSI1SK = <placedAt>'
    """
    try:
        # Each attribute of a key says for itself when it is written.
        return ", ".join(map(template_text, re.split(r", (?=[\w.-]+ = )", text)))
    except TemplateError:
        return text


def optimality(plan: Plan) -> str:
    """How far the plan can be from the cheapest: claimed is only what was proven.

    >>> from designer.core.plan import Cost, PlannedDesign
    >>> of = PlannedDesign(name="Shop", meaning="")
    >>> optimality(Plan(design=of, style="single", planner="1", cost=Cost(per_month=9, bound=9, gap=0)))
    'With these candidates and prices, no other plan of this style is cheaper.'
    >>> cost = Cost(per_month=41, bound=40, gap=0.024, cheapest=40)
    >>> for said in optimality(Plan(design=of, style="single", planner="1", cost=cost)).split(". "):
    ...     print(said)
    With these candidates and prices, no other plan of this style saves more than $1.00 a month (2.4 %)
    This is the simplest plan within that margin.
    """
    cost = plan.cost
    is_pinned = any(decision.about.startswith(("pin ", "pins ")) for decision in plan.decisions)
    pinned = " that follows the pins" if is_pinned else ""
    others = f"With these candidates and prices, no other plan of this style{pinned}"
    if cost.gap == 0:
        return f"{others} is cheaper."
    share = figures.little_share(cost.gap)
    if cost.cheapest is None:
        return (
            f"{others} costs less than {figures.money(cost.bound)} a month, so this one is at most {share}"
            " above the cheapest."
        )
    most = cost.per_month - cost.bound
    amount = "a cent" if most < 2 * figures.HALF_A_CENT else figures.money(most)
    said = f"{others} saves more than {amount} a month ({share}). This is the simplest plan within that margin."
    if cost.cheapest - cost.bound < figures.HALF_A_CENT:
        return said
    saved = cost.per_month - cost.cheapest
    if saved < figures.HALF_A_CENT:
        return f"{said} No cheaper plan was found."
    return f"{said} The cheapest plan found saves {figures.money(saved)}."


def index_bound(plan: Plan) -> str:
    """Why the plan has no fewer indexes, and for which patterns it does without; empty where none is needed."""
    proof = plan.certificate
    if proof is None or not proof.indexes_at_least:
        return ""
    least = figures.count(proof.indexes_at_least, "index", "indexes")
    verb = "is" if proof.indexes_at_least == 1 else "are"
    served = _patterns(set(proof.patterns))
    each = " each" if len(proof.patterns) > 1 else ""
    said = [
        f"At least {least} {verb} needed to serve {served} in one request{each}. {proof.because}"
    ]
    of = [one for one in plan.operations if one.pattern in proof.patterns]
    filtered = {one.pattern for one in of if _filters(one)}
    if filtered:
        said.append(f"For {_patterns(filtered)}, this plan filters the items that it reads.")
    spread = {
        one.pattern
        for one in of
        for step in one.steps
        if step.call == "Query" and step.for_each is not None and step.for_each.numbers
    }
    if spread:
        said.append(f"For {_patterns(spread)}, this plan queries each shard of the key.")
    return " ".join(said)


def _filters(operation: Operation) -> bool:
    """Whether it reads more than its rows and drops the rest."""
    parts = operation.result.parts if operation.result is not None else ()
    return any(step.filter for step in operation.steps) or any(part.keep for part in parts)


def _patterns(numbers: set[int]) -> str:
    return numbered(tuple(sorted(numbers))).lower()


def summary(plan: Plan, price: Price) -> str:
    """`1 table, 2 indexes, $41.20 a month for requests and storage; 12 of 12 served, 9 of them in one request`.

    The count is of those that DynamoDB is to serve: `; 2 served without keys` stands after it.
    """
    indexes = sum(len(table.indexes) for table in plan.tables)
    copies = sum(shape.role == "copy" for table in plan.tables for shape in table.items)
    kept = f" {figures.count(copies, 'copy', 'copies')} of the items," if copies else ""
    said = (
        f"{figures.count(len(plan.tables), 'table')},"
        f" {figures.count(indexes, 'index', 'indexes') if indexes else 'no indexes'},"
        f"{kept} {price}"
    )
    number, asked = served(plan)
    if asked:
        said += f"; {number} of {asked} served{at_once(plan, number)}{served_partly(plan)}"
    return said + served_without_keys(plan)


def served(plan: Plan) -> tuple[int, int]:
    """How many patterns are served, also at the worst, and of how many that DynamoDB is to serve."""
    asked = asked_of(plan)
    failed = {o.pattern for o in plan.operations if o.answer == "not served" or o.beyond}
    return len(asked - failed), len(asked)


def asked_of(plan: Plan) -> set[int]:
    """The patterns that DynamoDB is to serve."""
    return {o.pattern for o in plan.operations if o.answer != "elsewhere"}


def without_keys(plan: Plan) -> int:
    """How many patterns are served without keys, by choice."""
    return len({o.pattern for o in plan.operations} - asked_of(plan))


def served_without_keys(plan: Plan) -> str:
    """`; 2 served without keys`, after those that DynamoDB serves; empty for none."""
    number = without_keys(plan)
    return f"; {number} served without keys" if number else ""


def at_once(plan: Plan, number: int) -> str:
    """`, 9 of them in one request`, of as many patterns as are served; empty for none."""
    if not number:
        return ""
    in_one = len(in_one_request(plan))
    if in_one < number:
        return f", {in_one} of them in one request"
    return f", {'each ' if number > 1 else ''}in one request"


def in_one_request(plan: Plan) -> set[int]:
    """The patterns of which every case takes one request, also at the worst: not only on average."""
    others = {o.pattern for o in plan.operations if o.answer != "in one request" or o.beyond}
    return {o.pattern for o in plan.operations} - others


def served_partly(plan: Plan) -> str:
    """`, and 1 more only on average`: `partly_served` after those that are served."""
    said = partly_served(plan)
    return f", and {said.replace(' ', ' more ', 1)}" if said else ""


def partly_served(plan: Plan) -> str:
    """`1 only on average`: how many patterns are served, but not at the worst, or not in a few pages."""
    unserved = {o.pattern for o in plan.operations if o.answer in ("not served", "elsewhere")}
    beyond = {o.pattern for o in plan.operations if o.beyond} - unserved
    on_average = {o.pattern for o in plan.operations if {*o.beyond} - {"answer"}} & beyond
    said = {"only on average": on_average, "only in many pages": beyond - on_average}
    return joined([f"{len(patterns)} {how}" for how, patterns in said.items() if patterns])


PRICED = (
    "A price covers the requests and storage that its decision affects. That of an index or a copy is for writing and "
    "storing it, and for storing the index's key attributes in the table, not for its reads; that of what was not "
    "chosen includes what reads would then cost more or less. Several decisions may affect the same requests, and a "
    "read of several entities in one request is in no key's price, so prices may add up to more or less than the "
    "plan costs."
)
"""What the prices of decisions and of what was not chosen are for."""


def unshared(plan: Plan) -> str:
    """How many tables there are in a plan in which no entities share one: `2 tables; no two entities share one.`"""
    tables = len(plan.tables)
    alone = "; no two entities share one" if tables > 1 else ", for one entity"
    return f"{figures.count(tables, 'table')}{alone}."


def with_code(text: str) -> tuple[tuple[str, bool], ...]:
    """A text in parts, each with whether it stands between backticks: what is written so in a design or a key.

    >>> with_code("Say `kept: at-once`.")
    (('Say ', False), ('kept: at-once', True), ('.', False))
    """
    parts = re.split(r"`([^`]+)`", text)
    return tuple((part, at % 2 == 1) for at, part in enumerate(parts) if part)


def headed(decision: Decision) -> tuple[str, str]:
    """The heading of a decision, and what was chosen."""
    kind, _, rest = decision.about.partition(" ")
    if kind == "index" and decision.chosen.id == "key-of":
        values = decision.chosen.values
        return str(values["entity"]), text(say("key", key=values["key"]))
    if kind == "guard" and " and " in rest:
        return f"Guard of {rest} together", decision.choice
    return text(decision.heading), decision.choice
