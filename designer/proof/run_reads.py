"""The reads of an operation, as requests to an engine."""

import time
from collections.abc import Sequence
from typing import Any

from designer.core.answers import Item, Value, canonical
from designer.core.messages import say
from designer.core.plan import (
    Step,
)
from designer.proof.expressions import (
    Words,
    condition_expression,
    key_condition,
)
from designer.proof.run_state import (
    EACH,
    MOST_IN_TRANSACTION,
    Binding,
    Found,
    NotRunnableError,
    RunState,
)
from designer.proof.values import Wire, item_from_wire, item_to_wire

MOST_IN_BATCH_GET = 100


class RunReads(RunState):
    """A run of an operation: its reads."""

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
            raise NotRunnableError(say("too-many-in-transaction", count=len(wanted)))
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
