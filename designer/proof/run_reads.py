"""The reads of an operation, as requests to an engine."""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

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


class _Wanted(NamedTuple):
    """A key that a step asks for, and the repetitions that ask for it."""

    step: Step
    key: Item
    bindings: list[Binding]


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
        """Read items by their keys, each key once; for each repetition whether nothing is there.

        What goes in the request of this step is read too.
        """
        steps = (step, *(one for one in self.operation.steps if one.goes_with == step.id))
        wanted: list[_Wanted] = []
        asked = 0
        for one in steps:
            every = bindings if one is step else list(self.repetitions(one.for_each, {}))
            keys: dict[Value, _Wanted] = {}
            for binding in every:
                for template in (one.key, *one.also):
                    key = self.key(template, binding)
                    if key is not None:
                        keys.setdefault(canonical(key), _Wanted(one, key, [])).bindings.append(
                            binding
                        )
            asked += len(every) * (1 + len(one.also)) * (one is step)
            wanted += keys.values()
            self.found.setdefault(one.id, [])
            self.counted.setdefault(one.id, 0)
        if step.call == "GetItem":
            read = [self.get(step, one.key) for one in wanted]
        elif step.call == "BatchGetItem":
            read = self.batch_get(step, wanted)
        else:
            read = self.transact_get(step, wanted)
        there = 0
        for (one, _, some), wire in zip(wanted, read, strict=True):
            if wire:
                self.found[one.id].append(self.row(one, wire, some))
                self.counted[one.id] += 1
                there += len(some) * (one is step)
        return [False] * there + [True] * (asked - there)

    def get(self, step: Step, key: Item) -> Wire | None:
        answer = self.client.get_item(
            TableName=self.tables.name(step.table),
            Key=item_to_wire(key),
            ConsistentRead=step.consistent,
            ReturnConsumedCapacity="INDEXES",
            **_projection(step),
        )
        found = answer.get("Item")
        self.note(step, answer, int(bool(found)), int(bool(found)))
        return found

    def batch_get(self, step: Step, wanted: Sequence[_Wanted]) -> list[Wire | None]:
        read: dict[Value, Wire] = {}
        for at in range(0, len(wanted), MOST_IN_BATCH_GET):
            left: Any = {}
            names: dict[str, Step] = {}
            for one, key, _ in wanted[at : at + MOST_IN_BATCH_GET]:
                table = self.tables.name(one.table)
                names[table] = one
                said = {"Keys": [], "ConsistentRead": one.consistent, **_projection(one)}
                asked = left.setdefault(table, said)["Keys"]
                if item_to_wire(key) not in asked:  # two steps may ask for one item
                    asked.append(item_to_wire(key))
            pause = 0.0
            while left:
                time.sleep(pause)
                answer = self.client.batch_get_item(
                    RequestItems=left, ReturnConsumedCapacity="INDEXES"
                )
                items = [(t, wire) for t, each in answer["Responses"].items() for wire in each]
                self.note(step, answer, len(items), len(items))
                for table, wire in items:
                    key = {name: wire[name] for name in names[table].key}
                    read[table, canonical(item_from_wire(key))] = wire
                left = answer.get("UnprocessedKeys")
                pause = pause * 2 or 0.05
        return [read.get((self.tables.name(o.table), canonical(key))) for o, key, _ in wanted]

    def transact_get(self, step: Step, wanted: Sequence[_Wanted]) -> list[Wire | None]:
        if len(wanted) > MOST_IN_TRANSACTION:
            raise NotRunnableError(say("too-many-in-transaction", count=len(wanted)))
        if not wanted:
            return []
        gets: list[Any] = []
        for one, key, _ in wanted:
            named = {"TableName": self.tables.name(one.table), "Key": item_to_wire(key)}
            gets.append({"Get": {**named, **_projection(one)}})
        answer = self.client.transact_get_items(
            TransactItems=gets, ReturnConsumedCapacity="INDEXES"
        )
        read = [response.get("Item") for response in answer["Responses"]]
        self.note(step, answer, sum(map(bool, read)), sum(map(bool, read)))
        return read


def _projection(step: Step) -> dict[str, Any]:
    """What a request says of the attributes that it wants of the items that a step gets."""
    if step.project is None:
        return {}
    words = Words()
    # The items of a batch come in any order, so that only their keys tell which is which.
    names = dict.fromkeys((*step.project, *(step.key if step.call == "BatchGetItem" else ())))
    said = ", ".join(words.name(name) for name in names)
    return {"ProjectionExpression": said, **words.arguments()}
