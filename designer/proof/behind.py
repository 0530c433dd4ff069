"""An index that does not know yet that items have moved: what is deleted through it must not take them along."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from designer.core.answers import Item
from designer.core.plan import Index, Operation
from designer.proof.tables import Stored, Tables
from designer.proof.values import Wire, item_to_wire

MOST_STALE = 2
"""Entries that an index has besides, at the most."""


class Behind:
    """A client whose first Query of an index also finds entries of items that have left that key since."""

    def __init__(self, client: Any, index: Index, items: tuple[Item, ...]) -> None:
        self.client = client
        self.index = index
        self.items = items
        """Items that lie under other keys now."""

    def __getattr__(self, method: str) -> Any:
        return getattr(self.client, method)

    def query(self, **arguments: Any) -> Any:
        """The answer, and once the entries that are behind."""
        answer = self.client.query(**arguments)
        if arguments.get("IndexName") != self.index.name:
            return answer
        stale = [self._entry(item, arguments) for item in self.items]
        self.items = ()
        found = [*stale, *answer.get("Items", ())]
        more = {name: answer[name] + len(stale) for name in ("Count", "ScannedCount")}
        return {**answer, **more, "Items": found}

    def _entry(self, item: Item, arguments: Mapping[str, Any]) -> Wire:
        """An item as the index had it under the key that is asked for."""
        names, values = (
            arguments["ExpressionAttributeNames"],
            arguments["ExpressionAttributeValues"],
        )
        asked = {}
        for test in arguments["KeyConditionExpression"].split(" AND "):
            name, sign, value = (*test.split(" "), "", "")[:3]
            if sign == "=":
                asked[names.get(name, name)] = values[value]
        return {**item_to_wire(item), **asked}


def behind(
    tables: Tables,
    operation: Operation,
    held: Mapping[str, Stored],
    after: Mapping[str, Stored],
) -> Behind | None:
    """A client with an index that is behind, for a delete through it; None where no item stays that it could name."""
    read, write = operation.steps[0], operation.steps[-1]
    table, name = tables.plan.table(read.table), write.members[0].delete
    index = next(one for one in table.indexes if one.name == read.index)
    shapes = [shape.shape for shape in table.items]

    def is_such(item: Item) -> bool:
        shape = tables.shape(table.name, item, shapes)
        return shape is not None and shape.shape == name

    staying = (
        item
        for key, item in held[table.name].items()
        if after[table.name].get(key) == item and is_such(item)
    )
    items = tuple(islice(staying, MOST_STALE))
    return Behind(tables.client, index, items) if items else None
