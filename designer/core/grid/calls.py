"""A step of a plan as the parameters of the SDK call of its name."""

import json
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from designer.core.plan import (
    Constant,
    Expression,
    Inner,
    ItemCondition,
    KeyCondition,
    Member,
    Plan,
    Step,
    Sum,
    keys,
)
from designer.core.plan.condition_expressions import as_expressions
from designer.core.sentences.steps import NO_LISTS, Lists
from designer.core.sentences.templates import without_condition


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
            # The items come in any order, so that only their keys tell which is which.
            wanted = (*step.project, *step.key) if step.call == "BatchGetItem" else step.project
            inner["ProjectionExpression"] = names.project(dict.fromkeys(wanted))
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
    return value.value if isinstance(value, Constant) else without_condition(value)


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
        said["Item"] = _item(plan, member, inside)
    else:
        said["Key"] = {name: _value(value) for name, value in member.key.items()}
    if member.verb == "update":
        clauses = []
        sets = [f"{names.name(n)} = {names.value(n, v)}" for n, v in member.set.items()]
        for word, chosen in (("greatest", member.greatest), ("least", member.least)):
            sets += [
                f"{names.name(n)} = {names.value(n, _best(word, of))}" for n, of in chosen.items()
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
        if clauses:
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
    is_check = member.verb == "check" or (
        member.verb == "update" and "UpdateExpression" not in said
    )
    verb = "ConditionCheck" if is_check else member.verb.capitalize()
    return verb, {**said, **names.mention()}


def _item(
    plan: Plan, member: Member, inside: list[tuple[Inner, tuple[str, ...]]]
) -> dict[str, Any]:
    """The item that a put writes, with what is added to its numbers, and with the items that are embedded in it."""
    item = {name: _value(value) for name, value in member.values.items()}
    for word, chosen in (("greatest", member.greatest), ("least", member.least)):
        item |= {name: _value(_best(word, of)) for name, of in chosen.items()}
    for name, more in member.add.items():
        parts = [item[name], *map(_value, more if isinstance(more, tuple) else (more,))]
        texts = [str(part) for part in parts if not _is_number(part)]
        number = sum(part for part in parts if _is_number(part))
        numbers = [str(number)] if number else []
        item[name] = _added([*numbers, *texts]) if texts else number
    for shape in plan.embedded_in(member.shape):
        if shape.inside is not None and shape.inside.at is not None:
            item[shape.inside.attribute] = {}
    for inner, path in inside:
        element = {name: _value(value) for name, value in inner.values.items()}
        if len(path) > 1:
            item.setdefault(path[0], {})[path[1]] = element
        else:
            item[path[0]] = element
    return item


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _best(word: str, values: tuple[Sum, ...]) -> Expression:
    """The greatest or the least of some values; of a single one, this value."""
    if len(values) == 1 and not isinstance(values[0], tuple):
        return values[0]
    each = (_sum(one) if isinstance(one, tuple) else str(_value(one)) for one in values)
    return Constant(value=f"{word} of {', '.join(each)}")


def _sum(values: Iterable[Expression]) -> str:
    return _added([str(_value(one)) for one in values])


def _added(texts: Iterable[str]) -> str:
    return " + ".join(texts).replace(" + -", " - ")


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
        of = Constant(value=_sum(added)) if isinstance(added, tuple) else added
        return self.value(attribute, of)

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

    def project(self, attributes: Iterable[str]) -> str:
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
