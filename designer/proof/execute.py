"""Run an operation of a plan as its document says, and put the answer together."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from botocore.exceptions import ClientError

from designer.core import keys
from designer.core.answers import Answered, Item, Parameters, Value, canonical, number, sort_key
from designer.core.plan import (
    Expression,
    Inner,
    ItemCondition,
    Member,
    Operation,
    Periods,
    Repeat,
    Result,
    ResultPart,
    Shape,
    Step,
    Sum,
    of_one_item,
)
from designer.proof.exchanges import Recorder, Sent
from designer.proof.expressions import (
    Words,
    condition_expression,
    expressions_of,
    holds,
    key_condition,
    tested_with,
    value_of,
)
from designer.proof.tables import Tables, in_batches, key_names
from designer.proof.values import Wire, item_from_wire, item_to_wire

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

MOST_IN_BATCH_GET = 100
MOST_IN_TRANSACTION = 100
PAUSE = 0.02
"""Seconds between rounds in which all was refused."""
MOST_ROUNDS = 100
"""How often what is done until nothing is found is tried; no index is behind for so long."""

Binding = Mapping[tuple[str, str], Any]
"""What is current while a step repeats: elements of list parameters, rows of earlier steps."""


EACH = "each"
"""Stands before `period` and `number`, the ones that are current."""

_InnerWrite = tuple[Inner, Binding, list[str]]
"""What happens to an embedded item, what is current, and its path in the item."""


class NotRunnableError(Exception):
    """The plan asks for something that cannot be done."""


@dataclass
class Call:
    """What one request did."""

    step: str
    call: str
    read: int = 0
    """Items read, before any filter."""
    returned: int = 0
    capacity: list[dict[str, Any]] = field(default_factory=list)
    """The capacity that the engine reported, table by table."""

    @property
    def is_read(self) -> bool:
        """Whether it read, and used read units."""
        return self.call in ("GetItem", "Query", "BatchGetItem", "TransactGetItems")


@dataclass
class Outcome:
    """What came of an operation."""

    answered: Answered
    refused: bool = False
    calls: list[Call] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Found:
    """An item that a step read, its shape, and for what it was read."""

    item: Item
    shape: Shape
    bindings: tuple[Binding, ...]


class _RefusedError(Exception):
    pass


class _StopError(Exception):
    pass


def execute(
    tables: Tables,
    operation: Operation,
    parameters: Parameters,
    sent: list[Sent] | None = None,
    client: Any = None,
) -> Outcome:
    """Run an operation; into `sent` goes each of its requests. `client`: another than the tables' own.

    A refused write is an outcome; whatever else the engine objects to is raised as its own error.
    """
    run = _Run(tables, operation, parameters)
    run.client = client or tables.client
    if sent is not None:
        run.client = cast("DynamoDBClient", Recorder(tables.client, sent))
    refused = False
    try:
        run.until_none() if operation.until_none else run.once()
    except _RefusedError:
        refused = True
    except _StopError:
        refused = any(step.members for step in operation.steps)
    return Outcome(run.answered(), refused, run.calls)


class _Run:
    def __init__(self, tables: Tables, operation: Operation, parameters: Parameters) -> None:
        self.tables = tables
        self.client = tables.client
        self.operation = operation
        always = {name: list(map(number, some)) for name, some in operation.constants.items()}
        self.parameters: Parameters = {**parameters, **always}
        self.found: dict[str, list[Found]] = {}
        self.counted: dict[str, int] = {}
        self.calls: list[Call] = []

    def once(self) -> None:
        """All steps in order."""
        for step in self.operation.steps:
            self.step(step)

    def until_none(self) -> None:
        """All steps in order, again and again until nothing is found; what is refused is passed over."""
        *reads, write = self.operation.steps
        for _ in range(MOST_ROUNDS):
            self.found, self.counted = {}, {}
            for step in reads:
                self.step(step)
            rows = list(self.repetitions(write.for_each, {}))
            if not rows:
                return
            done = [self.is_done_for(write, row) for row in rows]
            if not any(done):
                time.sleep(PAUSE)  # until the index knows
        raise NotRunnableError(f"Something is still found after {MOST_ROUNDS} rounds")

    def is_done_for(self, step: Step, row: Binding) -> bool:
        """Write what a step says for one row; whether it was not refused."""
        members = [(member, row) for member in step.members]
        if step.call != "TransactWriteItems":
            return self.write_one(step, *members[0]) is True
        try:
            self.transact(step, members)
        except _RefusedError:
            return False
        return True

    # What a name stands for

    def lookup(self, name: str, binding: Binding) -> Value:
        step, _, attribute = name.rpartition(".")
        if step == EACH:
            return binding.get((EACH, attribute))
        if step:
            row = self.row_of(step, binding)
            return None if row is None else row.item.get(attribute)
        for (kind, source), element in binding.items():
            if kind == "values":
                if isinstance(element, Mapping):
                    if element.get(name) is not None:
                        return element[name]
                elif source == name:
                    return element
        return self.parameters.get(name)

    def row_of(self, step: str, binding: Binding) -> Found | None:
        """The current row of a step, or the first that was read for what is current."""
        current: Found | None = binding.get(("rows", step))
        if current is not None:
            return current
        for row in self.found.get(step, ()):
            for read_for in row.bindings:
                if all(read_for.get(key, element) is element for key, element in binding.items()):
                    return row
        return None

    def value(self, expression: Expression, binding: Binding) -> Value:
        return value_of(expression, lambda name: self.lookup(name, binding))

    def repetitions(self, repeat: Repeat | None, outer: Binding) -> Iterator[Binding]:
        if repeat is None:
            yield outer
            return
        for binding in self.elements(repeat, outer):
            for period in self.periods(repeat.periods, binding):
                for shard in self.numbers(repeat):
                    each = {(EACH, "period"): period, (EACH, "number"): shard}
                    yield binding | {key: one for key, one in each.items() if one is not None}

    def numbers(self, repeat: Repeat) -> Sequence[int | None]:
        if repeat.drawn:
            return (next(self.tables.draws) % repeat.drawn,)
        return range(repeat.numbers) if repeat.numbers else (None,)

    def elements(self, repeat: Repeat, outer: Binding) -> Iterator[dict[tuple[str, str], Any]]:
        """For each row or element; once where neither is named."""
        if repeat.rows is not None:
            rows = [
                row
                for row in self.found.get(repeat.rows, ())
                if repeat.shape in (None, row.shape.shape) and self.keeps(repeat, row)
            ]
            for row in _sorted(rows, repeat.order)[: repeat.limit]:
                yield {**row.bindings[0], **outer, ("rows", repeat.rows): row}
        elif repeat.values is not None:
            for element in self.parameters.get(repeat.values) or ():
                yield {**outer, ("values", repeat.values): element}
        else:
            yield dict(outer)

    def periods(self, periods: Periods | None, binding: Binding) -> Sequence[str | None]:
        if periods is None:
            return (None,)
        bounds = [self.value(bound, binding) for bound in (periods.from_, periods.to)]
        if None in bounds:
            return ()
        found = keys.periods(periods.form, *bounds)
        return found[::-1] if periods.newest_first else found

    def key(self, key: Mapping[str, Expression], binding: Binding) -> Item | None:
        values = {name: self.value(expression, binding) for name, expression in key.items()}
        return None if any(value in (None, "", b"") for value in values.values()) else values

    def conditions(self, member: Member, binding: Binding, words: Words) -> str:
        def read_before(step: str, attribute: str) -> Value:
            return self.lookup(f"{step}.{attribute}", binding)

        def said(conditions: Sequence[ItemCondition]) -> str:
            return condition_expression(
                conditions, lambda name: self.lookup(name, binding), read_before, words
            )

        either = " OR ".join(map(said, member.any_))
        return " AND ".join(filter(None, (said(member.if_), either and f"({either})")))

    # Steps

    def step(self, step: Step) -> None:
        if step.members:
            self.write(step)
            return
        self.found.setdefault(step.id, [])
        self.counted.setdefault(step.id, 0)
        bindings = list(self.repetitions(step.for_each, {}))
        read = self.queries if step.call == "Query" else self.gets
        missing = read(step, bindings)
        if step.when_missing == "stop" and any(missing):
            raise _StopError

    def queries(self, step: Step, bindings: Sequence[Binding]) -> list[bool]:
        """Read each range; for each whether nothing is there.

        With `until_enough` those of a later period are left out once there are enough rows.
        """
        missing: list[bool] = []
        repeat = step.for_each
        stops = repeat is not None and repeat.periods is not None and repeat.periods.until_enough
        begun: dict[Value, tuple[str, int]] = {}
        for some in self.distinct(step, bindings):
            outer = tuple((key, id(one)) for key, one in some[0].items() if key[0] != EACH)
            period = some[0].get((EACH, "period"), "")
            last, first = begun.setdefault(outer, (period, len(self.found[step.id])))
            if stops and period != last and self.enough(step, self.found[step.id][first:]):
                continue
            begun[outer] = (period, first)
            missing.append(not self.query(step, some))
        return missing

    def distinct(self, step: Step, bindings: Sequence[Binding]) -> list[list[Binding]]:
        """The repetitions to run; with `distinct` those that ask for the same are one."""
        if step.for_each is None or not step.for_each.distinct:
            return [[binding] for binding in bindings]
        groups: dict[Value, list[Binding]] = {}
        for binding in bindings:
            asked = chain(map(expressions_of, step.where), map(tested_with, step.filter))
            key = tuple(
                canonical(self.value(expression, binding))
                for expression in chain.from_iterable(asked)
            )
            groups.setdefault(key, []).append(binding)
        return list(groups.values())

    def query(self, step: Step, bindings: list[Binding]) -> bool:
        """Read one range; whether anything was there."""
        words = Words()
        binding = bindings[0]

        def lookup(name: str) -> Value:
            return self.lookup(name, binding)

        condition = key_condition(step.where, lookup, words)
        if condition is None:
            return False
        arguments: dict[str, Any] = {
            "TableName": self.tables.name(step.table),
            "KeyConditionExpression": condition,
            "ScanIndexForward": step.forward,
            "ConsistentRead": step.consistent,
            "ReturnConsumedCapacity": "INDEXES",
        }
        if step.index is not None:
            arguments["IndexName"] = step.index
        if step.filter:
            arguments["FilterExpression"] = condition_expression(
                step.filter, lookup, lambda *_: None, words
            )
        if step.count:
            arguments["Select"] = "COUNT"
        elif step.project is not None:
            arguments["ProjectionExpression"] = ", ".join(words.name(n) for n in step.project)
        if step.limit is not None:
            arguments["Limit"] = step.limit
        arguments |= words.arguments()
        rows: list[Found] = []
        counted = 0
        while True:
            page = self.client.query(**arguments)
            self.note(step, page, page["ScannedCount"], page["Count"])
            counted += page["Count"]
            rows += [self.row(step, wire, bindings) for wire in page.get("Items", ())]
            last = page.get("LastEvaluatedKey")
            if last is None or step.pages == "one" or self.enough(step, rows):
                break
            arguments["ExclusiveStartKey"] = last
        self.found[step.id] += rows
        self.counted[step.id] += counted
        return counted > 0

    def enough(self, step: Step, rows: Sequence[Found]) -> bool:
        if step.pages != "until" or self.operation.result is None:
            return False
        parts = {part.name: part for part in self.operation.result.parts}
        return all(
            sum(self.belongs(parts[name], row) for row in rows) >= wanted
            for name, wanted in step.until.items()
        )

    def gets(self, step: Step, bindings: Sequence[Binding]) -> list[bool]:
        """Read items by their keys, each key once; for each repetition whether nothing is there."""
        wanted: dict[Value, tuple[Item, list[Binding]]] = {}
        asked = [(binding, key) for binding in bindings for key in (step.key, *step.also)]
        for binding, template in asked:
            key = self.key(template, binding)
            if key is not None:
                wanted.setdefault(canonical(key), (key, []))[1].append(binding)
        words = Words()
        arguments: dict[str, Any] = {}
        if step.project is not None:
            names = dict.fromkeys((*step.project, *step.key))
            arguments["ProjectionExpression"] = ", ".join(words.name(name) for name in names)
            arguments |= words.arguments()
        pairs = list(wanted.values())
        if step.call == "GetItem":
            read = [self.get(step, key, arguments) for key, _ in pairs]
        elif step.call == "BatchGetItem":
            read = self.batch_get(step, [key for key, _ in pairs], arguments)
        else:
            read = self.transact_get(step, [key for key, _ in pairs], arguments)
        there = 0
        for (_, some), wire in zip(pairs, read, strict=True):
            if wire:
                self.found[step.id].append(self.row(step, wire, some))
                there += len(some)
        self.counted[step.id] += sum(bool(wire) for wire in read)
        return [False] * there + [True] * (len(asked) - there)

    def get(self, step: Step, key: Item, arguments: dict[str, Any]) -> Wire | None:
        answer = self.client.get_item(
            TableName=self.tables.name(step.table),
            Key=item_to_wire(key),
            ConsistentRead=step.consistent,
            ReturnConsumedCapacity="INDEXES",
            **arguments,
        )
        found = answer.get("Item")
        self.note(step, answer, int(bool(found)), int(bool(found)))
        return found

    def batch_get(
        self, step: Step, wanted: Sequence[Item], arguments: dict[str, Any]
    ) -> list[Wire | None]:
        table = self.tables.name(step.table)
        read: dict[Value, Wire] = {}
        for at in range(0, len(wanted), MOST_IN_BATCH_GET):
            some = [item_to_wire(key) for key in wanted[at : at + MOST_IN_BATCH_GET]]
            request = {"Keys": some, "ConsistentRead": step.consistent, **arguments}
            left: Any = {table: request}
            pause = 0.0
            while left:
                time.sleep(pause)
                answer = self.client.batch_get_item(
                    RequestItems=left, ReturnConsumedCapacity="INDEXES"
                )
                items = answer["Responses"].get(table, [])
                self.note(step, answer, len(items), len(items))
                for wire in items:
                    key = {name: wire[name] for name in step.key}
                    read[canonical(item_from_wire(key))] = wire
                left = answer.get("UnprocessedKeys")
                pause = pause * 2 or 0.05
        return [read.get(canonical(key)) for key in wanted]

    def transact_get(
        self, step: Step, wanted: Sequence[Item], arguments: dict[str, Any]
    ) -> list[Wire | None]:
        if len(wanted) > MOST_IN_TRANSACTION:
            raise NotRunnableError(f"{len(wanted)} items in one transaction; 100 are the most")
        if not wanted:
            return []
        table = self.tables.name(step.table)
        gets: list[Any] = [
            {"Get": {"TableName": table, "Key": item_to_wire(key), **arguments}} for key in wanted
        ]
        answer = self.client.transact_get_items(
            TransactItems=gets, ReturnConsumedCapacity="INDEXES"
        )
        read = [response.get("Item") for response in answer["Responses"]]
        self.note(step, answer, sum(map(bool, read)), sum(map(bool, read)))
        return read

    def row(self, step: Step, wire: Wire, bindings: Sequence[Binding]) -> Found:
        item = item_from_wire(wire)
        return Found(item, self.shape(step, item), tuple(bindings))

    def shape(self, step: Step, item: Item) -> Shape:
        found = self.tables.shape(step.table, item, step.shapes)
        if found is None:
            raise NotRunnableError(
                f"Step {step.id} read an item whose shape cannot be told: {item}"
            )
        return found

    def note(self, step: Step, answer: Any, read: int = 0, returned: int = 0) -> None:
        """Keep what a request did."""
        reported = answer.get("ConsumedCapacity") or []
        if isinstance(reported, Mapping):
            reported = [reported]
        self.calls.append(Call(step.id, step.call, read, returned, list(reported)))

    # Writes

    def write(self, step: Step) -> None:
        if step.call in ("TransactWriteItems", "BatchWriteItem"):
            for outer in self.repetitions(step.for_each, {}):
                requests = [
                    (member, binding)
                    for member in step.members
                    for binding in self.repetitions(member.for_each, outer)
                ]
                if step.call == "TransactWriteItems":
                    self.transact(step, requests)
                else:
                    self.batch(step, requests)
            return
        bindings = [
            (member, binding)
            for outer in self.repetitions(step.for_each, {})
            for member in step.members
            for binding in self.repetitions(member.for_each, outer)
        ]
        outcomes = [self.write_one(step, member, binding) for member, binding in bindings]
        tried = [outcome for outcome in outcomes if outcome is not None]
        if tried and not any(tried):
            raise _RefusedError

    def write_one(self, step: Step, member: Member, binding: Binding) -> bool | None:
        """One item by itself: whether it was written; None when it is left out."""
        if self.address(member, binding) is None:
            return None
        verb, arguments = self.request((member, binding))
        if verb == "Check":
            return None
        calls: dict[str, Callable[..., Any]] = {
            "Put": self.client.put_item,
            "Update": self.client.update_item,
            "Delete": self.client.delete_item,
        }
        try:
            answer = calls[verb](**arguments, ReturnConsumedCapacity="INDEXES")
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise
            self.note(step, {})
            return False
        self.note(step, answer)
        return True

    def transact(self, step: Step, members: Sequence[tuple[Member, Binding]]) -> None:
        sent = [
            (member, (member.table, canonical(key)), (member, binding))
            for member, binding in members
            if (key := self.address(member, binding)) is not None
        ]
        requests = [self.request(*one) for one in of_one_item(sent)]
        if not requests:
            return
        if len(requests) > MOST_IN_TRANSACTION:
            raise NotRunnableError(f"{len(requests)} items in one transaction; 100 are the most")
        items: list[Any] = [
            {"ConditionCheck" if verb == "Check" else verb: arguments}
            for verb, arguments in requests
        ]
        try:
            answer = self.client.transact_write_items(
                TransactItems=items, ReturnConsumedCapacity="INDEXES"
            )
        except ClientError as error:
            if not _is_refusal(error):
                raise
            self.note(step, {})
            raise _RefusedError from None
        self.note(step, answer)

    def batch(self, step: Step, members: Sequence[tuple[Member, Binding]]) -> None:
        writes: dict[Value, tuple[str, Wire]] = {}
        for member, binding in members:
            if self.address(member, binding) is None:
                continue
            verb, arguments = self.request((member, binding))
            if "ConditionExpression" in arguments or verb not in ("Put", "Delete"):
                raise NotRunnableError("BatchWriteItem has neither conditions nor updates")
            field = "Item" if verb == "Put" else "Key"
            key = (arguments["TableName"], repr(arguments[field]))
            writes[key] = (
                arguments["TableName"],
                {f"{verb}Request": {field: arguments[field]}},
            )
        for some in in_batches(list(writes.values())):
            left: Any = {}
            for table, wire in some:
                left.setdefault(table, []).append(wire)
            pause = 0.0
            while left:
                time.sleep(pause)
                answer = self.client.batch_write_item(
                    RequestItems=left, ReturnConsumedCapacity="INDEXES"
                )
                self.note(step, answer)
                left = answer.get("UnprocessedItems")
                pause = pause * 2 or 0.05

    def address(self, member: Member, binding: Binding) -> Item | None:
        """The key of the item that a member is about; None when the member is left out."""
        if member.unless_same is not None:
            one, other = (self.value(text, binding) for text in member.unless_same)
            if canonical(one) == canonical(other):
                return None
        said = member.key or member.values
        names = key_names(self.tables.plan.table(member.table))
        lacks = any(name not in said for name in names)
        return None if lacks else self.key({name: said[name] for name in names}, binding)

    def request(
        self, leader: tuple[Member, Binding], *joining: tuple[Member, Binding]
    ) -> tuple[str, dict[str, Any]]:
        """The request for one item: its verb and arguments. `joining`: further members that are about it."""
        member, binding = leader
        parts = (leader, *joining)
        verb = member.verb.capitalize()
        values = {name: self.value(text, binding) for name, text in member.values.items()}
        if verb == "Put":
            values |= self.best([leader])
            for name, more in self.added([leader]).items():
                values[name] = values[name] + more
        key = {name: self.value(text, binding) for name, text in member.key.items()}
        words = Words()
        arguments: dict[str, Any] = {"TableName": self.tables.name(member.table)}
        if verb == "Put":
            item = {n: v for n, v in values.items() if v is not None}
            arguments["Item"] = item_to_wire(item)
        else:
            arguments["Key"] = item_to_wire(key)
        inner = self.inside(member, binding)
        if verb == "Update":
            updates = [one for one in parts if one[0].verb == "update"]
            update = self.update_expression(updates, words, inner)
            if update:
                arguments["UpdateExpression"] = update
            else:
                verb = "Check"
        if verb != "Check":
            self.tables.touch(member.table, {**values, **key})
        conditions = [self.conditions(*one, words) for one in parts]
        if verb == "Put":
            arguments["Item"] |= item_to_wire(self.held(member, inner))
        else:
            conditions += [self.inner_conditions(*one, words) for one in inner]
        condition = " AND ".join(dict.fromkeys(text for text in conditions if text))
        if condition:
            arguments["ConditionExpression"] = condition
        return verb, arguments | words.arguments()

    def inside(self, member: Member, binding: Binding) -> list[_InnerWrite]:
        """What happens to embedded items: each with its path in the item."""
        found = []
        for inner in member.inside:
            place = self.tables.plan.shape(inner.shape).inside
            assert place is not None
            for row in self.repetitions(inner.for_each, binding):
                path = [place.attribute]
                if inner.at is not None:
                    path.append(self.value(inner.at, row))
                found.append((inner, row, path))
        return found

    def held(self, member: Member, inner: Sequence[_InnerWrite]) -> Item:
        """What a put item holds of embedded ones: each map is there, be it empty."""
        held: dict[str, Value] = {
            shape.inside.attribute: {}
            for shape in self.tables.plan.embedded_in(member.shape)
            if shape.inside is not None and shape.inside.at is not None
        }
        for one, row, (attribute, *at) in inner:
            values = self.present(one, row)
            if at:
                held[attribute][at[0]] = values
            else:
                held[attribute] = values
        return held

    def present(self, inner: Inner, binding: Binding) -> Item:
        values = {name: self.value(text, binding) for name, text in inner.values.items()}
        return {name: value for name, value in values.items() if value is not None}

    def inner_conditions(
        self, inner: Inner, binding: Binding, path: Sequence[str], words: Words
    ) -> str:
        said = []
        if inner.exists is not None:
            said.append(f"attribute_{'' if inner.exists else 'not_'}exists({words.path(path)})")
        tests = condition_expression(
            inner.if_, lambda name: self.lookup(name, binding), lambda *_: None, words, path
        )
        return " AND ".join([*said, *([tests] if tests else [])])

    def inner_changes(
        self, inner: Inner, binding: Binding, path: Sequence[str], words: Words
    ) -> tuple[list[str], list[str]]:
        """What an update sets and removes of an embedded item. ADD knows no paths: what is added is set."""
        if inner.verb == "delete":
            return [], [words.path(path)]
        if inner.verb == "put":
            return [f"{words.path(path)} = {words.value(self.present(inner, binding))}"], []
        sets, gone = [], [words.path((*path, name)) for name in inner.remove]
        for name, text in inner.set.items():
            value, at = self.value(text, binding), words.path((*path, name))
            if value is None:
                gone.append(at)
            else:
                sets.append(f"{at} = {words.value(value)}")
        for name, text in inner.add.items():
            at = words.path((*path, name))
            amount = words.value(self.amount(text, binding))
            sets.append(f"{at} = if_not_exists({at}, {words.value(Decimal(0))}) + {amount}")
        return sets, gone

    def update_expression(
        self,
        members: Sequence[tuple[Member, Binding]],
        words: Words,
        inner: Sequence[_InnerWrite],
    ) -> str:
        values = {
            name: self.value(text, binding)
            for member, binding in members
            for name, text in member.set.items()
        }
        gone = [name for name, value in values.items() if value is None]
        gone += [name for member, _ in members for name in member.remove]
        values |= self.best(members)
        sets = [
            f"{words.name(name)} = {words.value(value)}"
            for name, value in values.items()
            if value is not None
        ]
        adds = [
            f"{words.name(name)} {words.value(amount)}"
            for name, amount in self.added(members).items()
        ]
        for member, binding in members:
            for name, text in member.append.items():
                at, end = words.name(name), words.value(self.value(text, binding))
                sets.append(f"{at} = list_append(if_not_exists({at}, {words.value([])}), {end})")
        adds += self.of_sets([(one.include, binding) for one, binding in members], words)
        removed = [words.name(name) for name in dict.fromkeys(gone)]
        for one in inner:
            more, less = self.inner_changes(*one, words)
            sets, removed = [*sets, *more], [*removed, *less]
        clauses = (
            ("SET", sets),
            ("REMOVE", removed),
            ("ADD", adds),
            ("DELETE", self.of_sets([(one.exclude, binding) for one, binding in members], words)),
        )
        return " ".join(f"{clause} {', '.join(texts)}" for clause, texts in clauses if texts)

    def of_sets(
        self, said: Sequence[tuple[Mapping[str, Expression], Binding]], words: Words
    ) -> list[str]:
        """The elements that sets take or lose, for one clause."""
        return [
            f"{words.name(name)} {words.value(self.value(text, binding))}"
            for named, binding in said
            for name, text in named.items()
        ]

    def added(self, members: Sequence[tuple[Member, Binding]]) -> dict[str, Decimal]:
        """What members that are about one item add to its numbers."""
        found: dict[str, Decimal] = {}
        for member, binding in members:
            for name, text in member.add.items():
                amount = self.amounts(text, binding)
                if amount is not None:
                    found[name] = found.get(name, Decimal(0)) + amount
        return found

    def best(self, members: Sequence[tuple[Member, Binding]]) -> dict[str, Value]:
        """The greatest and the least of what they list, where anything is there."""
        found: dict[str, Value] = {}
        for member, binding in members:
            for best, listed in ((max, member.greatest), (min, member.least)):
                for name, texts in listed.items():
                    values = (
                        self.amounts(one, binding)
                        if isinstance(one, tuple)
                        else self.value(one, binding)
                        for one in texts
                    )
                    known = [v for v in (found.get(name), *values) if v is not None]
                    if known:
                        found[name] = best(known, key=sort_key)
        return found

    def amounts(self, added: Sum, binding: Binding) -> Decimal | None:
        """The number to add, of several their sum; None when all are missing."""
        texts = added if isinstance(added, tuple) else (added,)
        known = [n for text in texts if (n := self.amount(text, binding)) is not None]
        return sum(known, Decimal(0)) if known else None

    def amount(self, expression: Expression, binding: Binding) -> Decimal | None:
        """A number to add; `-{quantity}` subtracts."""
        minus = isinstance(expression, str) and expression.startswith("-{")
        value = self.value(expression[1:] if minus else expression, binding)  # type: ignore[index]
        if value is None:
            return None
        if not isinstance(value, Decimal):
            raise NotRunnableError(f"{expression} is not a number to add")
        return -value if minus else value

    # The answer

    def answered(self) -> Answered:
        result = self.operation.result
        if result is None or result.kind == "written":
            return Answered()
        parts: dict[str, list[Found]] = {}
        for part in sorted(result.parts, key=lambda p: (p.name != "rows", not p.required)):
            if not part.take:
                parts[part.name] = self.part(part, parts.get("rows", []))
            if part.required:
                mine = {_joined(row, [own for own, _ in part.per]) for row in parts[part.name]}
                theirs = [name for _, name in part.per]
                parts["rows"] = [row for row in parts["rows"] if _joined(row, theirs) in mine]
        if result.kind in ("rows", "one"):
            answered = {
                name: [(row.shape.entity, _own(row)) for row in rows]
                for name, rows in parts.items()
            }
            for part in result.parts:
                if part.take:
                    answered[part.name] = self.taken(part, parts["rows"])
                if part.completes is not None:
                    more = answered.pop(part.name)
                    answered[part.completes] = _completed(answered[part.completes], part, more)
            return Answered(answered)
        return Answered(value=self.figure(result, [row for rows in parts.values() for row in rows]))

    def figure(self, result: Result, rows: Sequence[Found]) -> Value:
        counting = [step.id for step in self.operation.steps if step.count]
        count = len(rows) + sum(self.counted.get(step, 0) for step in counting)
        if result.kind == "count":
            return Decimal(count)
        if result.kind == "exists":
            return count > 0
        found = (keys.value(result.attribute or "", row.item.get) for row in rows)
        values = [value for value in found if value is not None]
        if result.kind == "sum":
            return sum(values, Decimal(0))
        if not values:
            return None
        if result.kind == "greatest":
            return max(values, key=sort_key)
        return min(values, key=sort_key)

    def belongs(self, part: ResultPart, row: Found) -> bool:
        return row.shape.shape in part.shapes and self.keeps(part, row)

    def keeps(self, part: ResultPart | Repeat, row: Found) -> bool:
        return all(
            holds(condition, row.item, lambda name: self.lookup(name, row.bindings[0]))
            for condition in part.keep
            if condition.shape in (None, row.shape.shape)
        )

    def taken(self, part: ResultPart, rows: Sequence[Found]) -> list[tuple[str, Item]]:
        """What the rows carry of something else, each once."""
        found: dict[Value, tuple[str, Item]] = {}
        for row in rows:
            if self.keeps(part, row):
                values = {name: row.item.get(of) for name, of in part.take.items()}
                item = {name: value for name, value in values.items() if value is not None}
                found.setdefault(canonical(item), (part.entity or "", item))
        return list(found.values())

    def embedded(self, part: ResultPart, row: Found) -> Iterator[Found]:
        """The embedded items of a part that lie in an item that was read."""
        for shape in self.tables.plan.embedded_in(row.shape.shape):
            place = shape.inside
            held = row.item.get(place.attribute) if place is not None else None
            if place is None or held is None or shape.shape not in part.shapes:
                continue
            same = {own: row.item[t] for own, t in place.same.items() if t in row.item}
            for element in held.values() if place.at is not None else [held]:
                yield Found({**element, **same}, shape, row.bindings)

    def part(self, part: ResultPart, owners: Sequence[Found]) -> list[Found]:
        """The rows of a part; of what comes along, those that belong to a row of the answer."""
        rows = [
            row
            for step in part.steps
            for read in self.found.get(step, ())
            for row in (read, *self.embedded(part, read))
            if self.belongs(part, row)
        ]
        rows = _sorted(rows, part.order)
        if not part.per:
            return rows[: part.limit]
        counts = {_joined(owner, [theirs for _, theirs in part.per]): 0 for owner in owners}
        kept = []
        for row in rows:
            key = _joined(row, [own for own, _ in part.per])
            if key in counts and (part.limit is None or counts[key] < part.limit):
                counts[key] += 1
                kept.append(row)
        return kept


def _sorted(rows: list[Found], order: Sequence[str]) -> list[Found]:
    """Rows sorted by some attributes, the first being the most important, without those that lack one."""
    for line in reversed(order):
        name, _, way = line.partition(" ")
        rows = sorted(
            (row for row in rows if keys.value(name, row.item.get) is not None),
            key=lambda row: sort_key(keys.value(name, row.item.get)),
            reverse=way == "descending",
        )
    return rows


def _joined(row: Found, names: Sequence[str]) -> tuple[Value, ...]:
    """What joins a row to others: its values of some attributes."""
    return tuple(canonical(row.item.get(name)) for name in names)


def _completed(
    rows: Sequence[tuple[str, Item]], part: ResultPart, more: Sequence[tuple[str, Item]]
) -> list[tuple[str, Item]]:
    """Rows with the attributes that a part read of them elsewhere."""

    def key(item: Item, side: int) -> Value:
        return tuple(canonical(item.get(names[side])) for names in part.per)

    if part.adds:
        return [
            (entity, _added_up(item, part, [one for _, one in more if key(one, 0) == key(item, 1)]))
            for entity, item in rows
        ]
    there = {key(item, 0): item for _, item in more}
    return [(entity, {**item, **there.get(key(item, 1), {})}) for entity, item in rows]


def _added_up(row: Item, part: ResultPart, counters: Sequence[Item]) -> Item:
    """A row with the sums of its numbers and those of its counters, where any of them has one."""
    found = {}
    for name in part.adds:
        known = [value for one in (row, *counters) if (value := one.get(name)) is not None]
        if known:
            found[name] = sum(known, Decimal(0))
    return {**row, **found}


def _own(row: Found) -> Item:
    """Of what was read, the attributes of the entity itself."""
    same = row.shape.inside.same if row.shape.inside is not None else {}
    own = {name for name, stored in row.shape.attributes.items() if stored.from_ is None}
    return {name: value for name, value in row.item.items() if name in own or name in same}


def _is_refusal(error: ClientError) -> bool:
    """Whether a transaction was cancelled by its conditions and nothing else."""
    said = error.response["Error"]
    if (
        said["Code"] == "ValidationException"
        and "multiple operations on one item" in said["Message"]
    ):
        return True  # nothing is written, and only the caller can mend it
    if error.response["Error"]["Code"] != "TransactionCanceledException":
        return False
    reasons: Any = error.response.get("CancellationReasons") or ()
    codes = {reason.get("Code") for reason in reasons} - {"None", None}
    return codes == {"ConditionalCheckFailed"}
