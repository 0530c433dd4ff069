"""Everything about one pattern in one style: its sentences, figures, requests, and what it reads."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from designer.core.cost.price import of_operation
from designer.core.design.document import Design
from designer.core.grid.absences import Absences
from designer.core.grid.calls import request
from designer.core.grid.shown import STYLE_LABELS, Reading
from designer.core.plan import Operation, Plan, Result, Step, Style
from designer.core.sentences.assumptions import assumption, effects, of_pattern
from designer.core.sentences.patterns import reads_as
from designer.core.sentences.steps import read_from_keys, repetition, served_by
from designer.core.words import figures
from designer.core.words.english import joined

FEW = 2
"""Optional parameters that the label of a case can name, where none of them is given."""


@dataclass(frozen=True)
class Request:
    """One call as the parameters of Amazon's SDK; values are written as templates, `USER#<userId>`, and
    constants in plain JSON, as a document client takes them.
    """

    id: str
    call: str
    note: str
    text: str


@dataclass(frozen=True)
class Figure:
    """A number and what it counts."""

    value: str
    label: str


@dataclass(frozen=True)
class Case:
    """One choice of optional conditions; `key` stands in addresses."""

    key: str
    label: str
    is_current: bool


@dataclass(frozen=True)
class Answer:
    """How one style answers one pattern."""

    style: Style
    style_label: str
    reads_as: str
    served_by: str
    verdict: Literal["served", "refused", "elsewhere"]
    figures: tuple[Figure, ...]
    requests: tuple[Request, ...]
    cases: tuple[Case, ...]
    reading: str
    """`with userId = u1, the selected access pattern reads 3 items and returns 2.`; empty when nothing is asked."""
    assumed: tuple[str, ...] = ()
    """What its figures come from that nobody stated, with what other values would change; as sentences."""


def operation_for(plan: Plan, pattern: int, case: str | None = None) -> Operation | None:
    """The operation of a pattern; where its conditions are optional, that of the case (or the
    fullest one).
    """
    operations = plan.operations_for(pattern)
    named = [operation for operation in operations if case_key(operation) == case]
    by_size = sorted(operations, key=lambda operation: -len(operation.given or ()))
    return next(iter((*named, *by_size)), None)


def case_key(operation: Operation) -> str | None:
    """What names a case in addresses: the optional parameters given, `none` without any; None: no
    such choice.
    """
    return None if operation.given is None else "-".join(operation.given) or "none"


def answer(
    design: Design,
    plan: Plan,
    pattern: int,
    case: str | None = None,
    reading: Reading | None = None,
) -> Answer | None:
    """How a plan answers a pattern; None when the plan knows no such pattern."""
    operation = operation_for(plan, pattern, case)
    if operation is None:
        return None
    operations = plan.operations_for(pattern)
    verdicts: dict[str, Literal["served", "refused", "elsewhere"]] = {
        "not served": "refused",
        "elsewhere": "elsewhere",
    }
    return Answer(
        style=plan.style,
        style_label=STYLE_LABELS[plan.style],
        reads_as=reads_as(design, design.pattern(pattern)),
        served_by=f"{served_by(plan, operation).rstrip('.')}.",
        verdict=verdicts.get(operation.answer, "served"),
        figures=tuple(_figures(design, operation)),
        requests=tuple(requests(plan, operation)),
        cases=tuple(
            Case(case_key(o) or "", _case_label(o, operations), o is operation)
            for o in operations
            if len(operations) > 1
        ),
        reading=reading.sentence if reading is not None else "",
        assumed=tuple(
            " ".join((assumption(one), *effects(one, pattern))) for one in of_pattern(plan, pattern)
        ),
    )


def _case_label(operation: Operation, operations: Sequence[Operation]) -> str:
    """Which optional parameters are given: `with since`, or `without since or until` where none is."""
    if operation.given:
        return f"with {joined(list(operation.given))}"
    optional = dict.fromkeys(name for each in operations for name in each.given or ())
    return (
        f"without {joined(list(optional), 'or')}" if len(optional) <= FEW else "with none of them"
    )


def _counted(value: float, noun: str, more: str = "") -> Figure:
    """A figure whose noun is in the singular for one."""
    return Figure(figures.number(value), f"{noun if value == 1 else noun + 's'}{more}")


def _figures(design: Design, operation: Operation) -> Iterable[Figure]:
    if operation.answer in ("not served", "elsewhere"):
        return
    yield _counted(operation.requests, "request")
    read = sum(step.expects.read for step in operation.steps)
    if read:
        yield _counted(read, "item", " read")
        if operation.result is not None and operation.result.kind != "written":
            yield Figure(figures.number(_returned(operation, operation.result)), "returned")
    if operation.read_units:
        yield _counted(operation.read_units, "read unit")
    if operation.worst is not None and operation.worst.units > operation.read_units:
        yield _counted(operation.worst.requests, "request", " at worst")
        yield _counted(operation.worst.units, "read unit", " at worst")
    if operation.write_units:
        yield _counted(operation.write_units, "write unit")
    if operation.worst is not None and operation.worst.write_units > operation.write_units:
        yield _counted(operation.worst.write_units, "write unit", " at worst")
    if operation.usd_per_month is not None:
        yield Figure(of_operation(design, operation), "a month")


def _returned(operation: Operation, result: Result) -> float:
    """Items of the answer, on average: what is read only to find them, or to complete them, is none of it."""
    parts = [part for part in result.parts if part.completes is None]
    answering = {step for part in parts for step in part.steps}
    returned = sum(step.expects.returned for step in operation.steps if step.id in answering)
    return min(returned, 1) if result.kind == "one" and len(parts) == 1 else returned


# Requests -----------------------------------------------------------------------------------------


def requests(plan: Plan, operation: Operation) -> Iterable[Request]:
    """The operation's calls in order."""
    absences = Absences.of(plan, operation)
    for step in operation.steps:
        if step.goes_with:
            continue
        notes = [repetition(step, step.for_each)] if step.for_each is not None else []
        notes += [
            f"{member.shape} {repetition(step, member.for_each)}"
            for member in step.members
            if member.for_each is not None and (member.for_each.numbers or member.for_each.drawn)
        ]
        shapes = dict.fromkeys(member.shape for member in step.members if member.joins)
        notes += [f"each {shape} once, with all that is said of it" for shape in shapes]
        notes += read_from_keys(step)
        said = [joined(notes)] if notes else []
        if step.pages != "one":
            said.append("page by page")
        if operation.until_none and step.members:
            said.append("then all requests again until nothing is found")
        yield Request(
            f"request-{plan.style}-{operation.pattern}-{step.id}",
            step.call,
            "; ".join(filter(None, (", ".join(said), *absences.notes(plan, step)))),
            _text(_request(plan, operation, step)),
        )
        if other := absences.without(step):
            yield Request(
                f"request-{plan.style}-{operation.pattern}-{step.id}-without",
                step.call,
                other[1],
                _text(_request(plan, operation, other[0])),
            )


def _text(parameters: dict[str, Any]) -> str:
    return json.dumps(parameters, indent=2, ensure_ascii=False)


def _request(plan: Plan, operation: Operation, step: Step) -> dict[str, Any]:
    """A step as the SDK call, with all that goes in its request."""
    steps = (step, *(one for one in operation.steps if one.goes_with == step.id))
    said, *others = (request(plan, one, operation.constants) for one in steps)
    for other in others:
        if "TransactItems" in said:
            said["TransactItems"] += other["TransactItems"]
            continue
        for table, inner in other["RequestItems"].items():
            keys = said["RequestItems"].setdefault(table, {**inner, "Keys": []})["Keys"]
            keys += inner["Keys"]
    return said
