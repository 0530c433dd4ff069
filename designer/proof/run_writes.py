"""The writes of an operation, as requests to an engine."""

import time
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from botocore.exceptions import ClientError

from designer.core.answers import Item, Value, canonical, sort_key
from designer.core.messages import say
from designer.core.plan import (
    Expression,
    Inner,
    Member,
    Step,
    Sum,
    of_one_item,
)
from designer.proof.expressions import (
    Words,
    condition_expression,
)
from designer.proof.run_reads import RunReads
from designer.proof.run_state import MOST_IN_TRANSACTION, Binding, NotRunnableError, RefusedError
from designer.proof.tables import in_batches, key_names
from designer.proof.values import Wire, item_to_wire

_InnerWrite = tuple[Inner, Binding, list[str]]
"""What happens to an embedded item, what is current, and its path in the item."""


class RunWrites(RunReads):
    """A run of an operation: its writes."""

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
            raise NotRunnableError(say("not-a-number-to-add", expression=str(expression)))
        return -value if minus else value

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
            raise RefusedError

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
            raise NotRunnableError(say("too-many-in-transaction", count=len(requests)))
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
            raise RefusedError from None
        self.note(step, answer)

    def batch(self, step: Step, members: Sequence[tuple[Member, Binding]]) -> None:
        writes: dict[Value, tuple[str, Wire]] = {}
        for member, binding in members:
            if self.address(member, binding) is None:
                continue
            verb, arguments = self.request((member, binding))
            if "ConditionExpression" in arguments or verb not in ("Put", "Delete"):
                raise NotRunnableError(say("batch-without-conditions"))
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
