"""Everything about one pattern in one style: its sentences, figures, requests, and what it reads."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from designer.core.cost.price import of_operation
from designer.core.design.document import Design
from designer.core.grid.shown import STYLE_LABELS, Reading
from designer.core.plan import (
    Constant,
    Expression,
    Inner,
    ItemCondition,
    KeyCondition,
    Member,
    Operation,
    Plan,
    Result,
    Step,
    Style,
    Sum,
    keys,
)
from designer.core.plan.condition_expressions import as_expressions
from designer.core.sentences.assumptions import assumption, effects, of_pattern
from designer.core.sentences.patterns import reads_as
from designer.core.sentences.steps import NO_LISTS, Lists, read_from_keys, repetition, served_by
from designer.core.sentences.templates import only_if_text, template_text
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
        notes += _only_if(step)
        said = [joined(notes)] if notes else []
        if step.pages != "one":
            said.append("page by page")
        if operation.until_none and step.members:
            said.append("then all requests again until nothing is found")
        yield Request(
            f"request-{plan.style}-{operation.pattern}-{step.id}",
            step.call,
            ", ".join(said),
            json.dumps(_request(plan, operation, step), indent=2, ensure_ascii=False),
        )


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


def request(plan: Plan, step: Step, lists: Lists = NO_LISTS) -> dict[str, Any]:
    """One step as the parameters of the SDK call of that name. `lists`: the fixed lists of its operation."""
    if step.members:
        return _writes(plan, step, lists)
    names = _Names(lists)
    asked = [{name: _value(value) for name, value in key.items()} for key in (step.key, *step.also)]
    key = asked[0]
    if step.call in ("BatchGetItem", "TransactGetItems"):
        inner: dict[str, Any] = {"Keys": asked}
        if step.project:
            inner["ProjectionExpression"] = names.project(step.project)
        if step.consistent and step.call == "BatchGetItem":
            inner["ConsistentRead"] = True
        if step.call == "TransactGetItems":
            get = {"TableName": step.table, **names.mention()}
            return {"TransactItems": [{"Get": {**get, "Key": key}} for key in asked]}
        return {"RequestItems": {step.table: {**inner, **names.mention()}}}
    said: dict[str, Any] = {"TableName": step.table}
    if step.index:
        said["IndexName"] = step.index
    if step.call == "GetItem":
        said["Key"] = key
    else:
        said["KeyConditionExpression"] = " AND ".join(names.key(c) for c in step.where)
        if step.filter:
            said["FilterExpression"] = " AND ".join(names.test(c) for c in step.filter)
    if step.count:
        said["Select"] = "COUNT"
    elif step.project:
        said["ProjectionExpression"] = names.project(step.project)
    if not step.forward:
        said["ScanIndexForward"] = False
    if step.limit:
        said["Limit"] = step.limit
    if step.consistent:
        said["ConsistentRead"] = True
    return {**said, **names.mention()}


def _value(value: Expression) -> Any:
    """A value as it stands in a request: a constant as it is, as a document client takes it, and a template without the
    conditions under which it is written, which stand in the note.
    """
    if isinstance(value, Constant):
        return value.value
    return template_text(value).removesuffix(only_if_text(value)).rstrip()


def _only_if(step: Step) -> Iterator[str]:
    """Which values are written only under a condition: `GSI1PK and GSI1SK only if state is OPEN`."""
    by_condition: dict[str, dict[str, None]] = {}
    for member in step.members:
        for name, value in (*member.values.items(), *member.set.items()):
            if isinstance(value, str) and (said := only_if_text(value)):
                by_condition.setdefault(said.strip("()"), {})[name] = None
    for said, names in by_condition.items():
        yield f"{joined(list(names))} {said}"


def _writes(plan: Plan, step: Step, lists: Lists) -> dict[str, Any]:
    members = [_member(plan, member, lists) for member in step.members]
    if step.call in ("PutItem", "UpdateItem", "DeleteItem"):
        return members[0][1]
    if step.call == "BatchWriteItem":
        tables: dict[str, list[Any]] = {}
        for member, (verb, said) in zip(step.members, members, strict=True):
            entry = {"Item": said["Item"]} if verb == "Put" else {"Key": said["Key"]}
            tables.setdefault(member.table, []).append({f"{verb}Request": entry})
        return {"RequestItems": tables}
    return {"TransactItems": [{verb: said} for verb, said in members]}


def _member(plan: Plan, member: Member, lists: Lists) -> tuple[str, dict[str, Any]]:
    names = _Names(lists)
    inside = [(inner, _path(plan, inner)) for inner in member.inside]
    said: dict[str, Any] = {"TableName": member.table}
    if member.verb == "put":
        said["Item"] = {name: _value(value) for name, value in member.values.items()}
        for inner, path in inside:
            element = {name: _value(value) for name, value in inner.values.items()}
            said["Item"][path[0]] = {path[1]: element} if len(path) > 1 else element
    else:
        said["Key"] = {name: _value(value) for name, value in member.key.items()}
    if member.verb == "update":
        clauses = []
        sets = [f"{names.name(n)} = {names.value(n, v)}" for n, v in member.set.items()]
        for word, chosen in (("greatest", member.greatest), ("least", member.least)):
            sets += [
                f"{names.name(n)} = {names.value(n, f'{word} of {_listed(of)}')}"
                for n, of in chosen.items()
            ]
        sets += [
            f"{names.name(n)} = list_append(if_not_exists({names.name(n)}, :empty_list), {names.value(n, v)})"
            for n, v in member.append.items()
        ]
        if member.append:
            names.give(":empty_list", [])
        removed = [names.name(name) for name in member.remove]
        for inner, path in inside:
            more, less = names.inner(inner, path)
            sets, removed = [*sets, *more], [*removed, *less]
        if sets:
            clauses.append(f"SET {', '.join(sets)}")
        if removed:
            clauses.append(f"REMOVE {', '.join(removed)}")
        adds = [f"{names.name(n)} {names.sum(n, v)}" for n, v in member.add.items()]
        adds += [f"{names.name(n)} {names.value(n, v)}" for n, v in member.include.items()]
        if adds:
            clauses.append(f"ADD {', '.join(adds)}")
        lost = [f"{names.name(n)} {names.value(n, v)}" for n, v in member.exclude.items()]
        if lost:
            clauses.append(f"DELETE {', '.join(lost)}")
        said["UpdateExpression"] = " ".join(clauses)
    tests = [names.test(c) for c in member.if_]
    if member.any_:
        ways = (" AND ".join(map(names.test, way)) for way in member.any_)
        tests.append(f"({' OR '.join(ways)})")
    for inner, path in inside if member.verb != "put" else ():
        if inner.exists is not None:
            tests.append(f"attribute_{'' if inner.exists else 'not_'}exists({names.path(path)})")
        tests += [names.test(c, path) for c in inner.if_]
    if tests:
        said["ConditionExpression"] = " AND ".join(tests)
    verb = "ConditionCheck" if member.verb == "check" else member.verb.capitalize()
    return verb, {**said, **names.mention()}


def _listed(values: Iterable[Sum], between: str = ", ") -> str:
    return between.join(
        _listed(one, " + ") if isinstance(one, tuple) else str(_value(one)) for one in values
    )


def _path(plan: Plan, inner: Inner) -> tuple[str, ...]:
    """Where an embedded item lies in the item that holds it."""
    place = plan.shape(inner.shape).inside
    assert place is not None
    return (place.attribute,) if inner.at is None else (place.attribute, str(_value(inner.at)))


class _Names:
    """Expression names and values, handed out as they are needed."""

    def __init__(self, lists: Lists) -> None:
        self._lists = lists
        self._names: dict[str, str] = {}
        self._values: dict[str, Any] = {}

    def name(self, attribute: str) -> str:
        stem = "#" + "".join(c for c in attribute if c.isalnum() or c == "_")
        placeholder, number = stem, 2
        while self._names.setdefault(placeholder, attribute) != attribute:
            placeholder, number = f"{stem}{number}", number + 1
        return placeholder

    def value(self, attribute: str, value: Expression) -> str:
        said = _value(value)
        stem = ":" + "".join(c for c in attribute if c.isalnum() or c == "_")
        placeholder, number = stem, 2
        # As JSON, in which 1 and true are two values.
        while json.dumps(self._values.setdefault(placeholder, said)) != json.dumps(said):
            placeholder, number = f"{stem}{number}", number + 1
        return placeholder

    def give(self, placeholder: str, value: Any) -> None:
        """A value that is no attribute's, under a name of its own."""
        self._values[placeholder] = value

    def sum(self, attribute: str, added: Sum) -> str:
        return self.value(attribute, _listed(added, " + ") if isinstance(added, tuple) else added)

    def path(self, names: tuple[str, ...]) -> str:
        return ".".join(self.name(name) for name in names)

    def inner(self, inner: Inner, path: tuple[str, ...]) -> tuple[list[str], list[str]]:
        """What an update sets and removes of an embedded item."""
        at = self.path(path)
        if inner.verb == "put":
            element = {name: _value(value) for name, value in inner.values.items()}
            placeholder = f":{inner.shape}"
            self._values[placeholder] = element
            return [f"{at} = {placeholder}"], []
        if inner.verb == "delete":
            return [], [at]
        sets = [f"{self.path((*path, n))} = {self.value(n, v)}" for n, v in inner.set.items()]
        for name, amount in inner.add.items():
            of = self.path((*path, name))
            zero = self.value("zero", Constant(value=0))
            sets.append(f"{of} = if_not_exists({of}, {zero}) + {self.value(name, amount)}")
        return sets, [self.path((*path, name)) for name in inner.remove]

    def project(self, attributes: tuple[str, ...]) -> str:
        return ", ".join(self.name(attribute) for attribute in attributes)

    def key(self, condition: KeyCondition) -> str:
        name = self.name(condition.attribute)
        if condition.equals is not None:
            return f"{name} = {self.value(condition.attribute, condition.equals)}"
        if condition.begins_with is not None:
            return f"begins_with({name}, {self.value(condition.attribute, condition.begins_with)})"
        if condition.between is not None:
            low, high = (self.value(condition.attribute, bound) for bound in condition.between)
            return f"{name} BETWEEN {low} AND {high}"
        return " AND ".join(
            f"{name} {sign} {self.value(condition.attribute, bound)}"
            for sign, bound in _bounds(condition)
        )

    def test(self, condition: ItemCondition, within: tuple[str, ...] = ()) -> str:
        attribute, tests = keys.stored(condition.attribute), as_expressions(condition.attribute)
        name = self.path((*within, attribute))

        def text(field: str) -> str:
            value = getattr(condition, field)
            return tests[field].format(name=name, value=self.value(attribute, value))

        fields = ("from_", "after", "to", "below", "is_", "begins_with", "contains")
        said = [text(field) for field in fields if getattr(condition, field) is not None]
        if condition.any_of is not None:
            said.append(self._among(condition.any_of, attribute, name, condition.attribute))
        said += [
            f"(attribute_not_exists({name}) OR {text(field)})"
            for field in ("not_", "below_or_missing", "above_or_missing")
            if getattr(condition, field) is not None
        ]
        if condition.exists is not None:
            said.append(f"attribute_{'exists' if condition.exists else 'not_exists'}({name})")
        if condition.same_as is not None:
            said.append(f"{name} = {self.value(attribute, f'{{{condition.same_as}.{attribute}}}')}")
        return " AND ".join(said)

    def _among(self, of: str, attribute: str, name: str, tested: str) -> str:
        """That an attribute has one of the values of a list: a placeholder for each, as far as they are known."""
        test = as_expressions(tested)["any_of"]
        if of in self._lists:
            values = [self.value(attribute, Constant(value=value)) for value in self._lists[of]]
        else:
            values = [self.value(attribute, f"{{{of}}}"), "…"]
        if keys.leading(tested) is None:
            return test.format(name=name, value=", ".join(values))
        each = [value if value == "…" else test.format(name=name, value=value) for value in values]
        return f"({' OR '.join(each)})"

    def mention(self) -> dict[str, Any]:
        said: dict[str, Any] = {}
        if self._names:
            said["ExpressionAttributeNames"] = self._names
        if self._values:
            said["ExpressionAttributeValues"] = self._values
        return said


def _bounds(condition: KeyCondition) -> list[tuple[str, Expression]]:
    signs = (
        (">=", condition.from_),
        (">", condition.after),
        ("<=", condition.to),
        ("<", condition.below),
    )
    return [(sign, bound) for sign, bound in signs if bound is not None]
