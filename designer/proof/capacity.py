"""What requests must use by our rules of sizes and units, given the items that were there.

One request is reckoned by itself, from its arguments and from how many items the engine says it looked at; the
engine's own figures stand beside it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from designer.core.answers import Item, Value, canonical, equal, sort_key
from designer.core.plan import Index, Plan, Table
from designer.core.sizes import item_bytes
from designer.core.units import index_write_units, read_units, write_units
from designer.proof.exchanges import Sent
from designer.proof.tables import Stored, key_names, primary_key
from designer.proof.values import from_wire, item_from_wire

Held = Mapping[str, Stored]
"""The items of each table."""
_TEST = re.compile(
    r"begins_with\((?P<prefix>#n\d+), (?P<start>:v\d+)\)"
    r"|(?P<range>#n\d+) BETWEEN (?P<low>:v\d+) AND (?P<high>:v\d+)"
    r"|(?P<name>#n\d+) (?P<sign>[<>=]+) (?P<value>:v\d+)"
)


@dataclass(frozen=True)
class Used:
    """Request units, whole ones and halves, of one request."""

    sent: Sent
    read: float = 0.0
    write: float = 0.0

    @property
    def reported(self) -> float:
        """What the engine says that the request used."""
        said = self.sent.answer.get("ConsumedCapacity") or []
        tables = [said] if isinstance(said, Mapping) else said
        return float(sum(each["CapacityUnits"] for each in tables))

    @property
    def differs(self) -> bool:
        """Whether the engine reports something else than the rules say."""
        return self.read + self.write != self.reported


def is_comparable(engine: str, one: Sent) -> bool:
    """Whether an engine, known by its name, counts the units of such a request as they are billed.

    AWS does. DynamoDB Local differs in three things: a Query that finds nothing and a key of a batch that is not
    there cost nothing, and a transaction's items cost twice what they do on AWS, equal ones of them once. Other
    engines have ways of their own.
    """
    if engine != "DynamoDB Local":
        return engine.startswith("AWS ")
    if one.method == "query":
        return bool(one.answer["ScannedCount"])
    if one.method == "batch_get_item":
        wanted = sum(len(each["Keys"]) for each in one.arguments["RequestItems"].values())
        return sum(map(len, one.answer["Responses"].values())) == wanted
    return not one.method.startswith("transact")


@dataclass
class Capacity:
    """Reckons what requests use on a plan's tables, whose names on the engine begin with the prefix."""

    plan: Plan
    prefix: str
    held: Held
    """What the tables hold before."""
    _ranges: dict[tuple[str, str | None], dict[Value, list[Item]]] = field(default_factory=dict)

    def used(self, sent: Sequence[Sent], after: Held | None = None) -> Iterator[Used]:
        """What each request of a case uses that came through; `after` is what writes leave behind."""
        for one in sent:
            if "Error" in one.answer:
                continue
            if one.method in _READS:
                yield Used(one, read=sum(self._read(one)))
            else:
                yield Used(one, write=sum(self._written(one, after or self.held)))

    # Reads

    def _read(self, one: Sent) -> Iterator[float]:
        arguments = one.arguments
        consistency: Any = "strong" if arguments.get("ConsistentRead") else "eventual"
        if one.method == "query":
            entries = self._queried(arguments, int(one.answer["ScannedCount"]))
            yield float(read_units(sum(map(_bytes, entries)), consistency))
        elif one.method == "get_item":
            yield self._got(arguments["TableName"], arguments["Key"], consistency)
        elif one.method == "transact_get_items":
            for member in arguments["TransactItems"]:
                get = member["Get"]
                yield self._got(get["TableName"], get["Key"], "transactional")
        else:
            left = one.answer.get("UnprocessedKeys") or {}
            for name, request in arguments["RequestItems"].items():
                consistency = "strong" if request.get("ConsistentRead") else "eventual"
                later = left.get(name, {}).get("Keys", ())
                for key in request["Keys"]:
                    if key not in later:
                        yield self._got(name, key, consistency)

    def _got(self, name: str, key: Mapping[str, Any], consistency: Any) -> float:
        table = self._table(name)
        item = self.held[table.name].get(primary_key(table, item_from_wire(key)))
        return float(read_units(_bytes(item), consistency))

    def _queried(self, arguments: Mapping[str, Any], most: int) -> list[Item]:
        """The entries that a Query looked at: so many, in order, from where it began."""
        table = self._table(arguments["TableName"])
        index = next((i for i in table.indexes if i.name == arguments.get("IndexName")), None)
        tests = list(_tests(arguments))
        partition, _ = _keys(table, index)
        values = {name: value for name, sign, value in tests if sign == "="}
        key = tuple(canonical(values[name]) for name in partition)
        inside = [
            entry
            for entry in self._entries(table, index).get(key, ())
            if all(_meets(entry.get(name), sign, value) for name, sign, value in tests)
        ]
        if not arguments.get("ScanIndexForward", True):
            inside.reverse()
        begun = arguments.get("ExclusiveStartKey")
        if begun is not None:
            last = primary_key(table, item_from_wire(begun))
            places = [at for at, entry in enumerate(inside) if primary_key(table, entry) == last]
            inside = inside[places[0] + 1 :] if places else inside
        return inside[:most]

    def _entries(self, table: Table, index: Index | None) -> dict[Value, list[Item]]:
        """The entries of a table or an index by partition, each in order."""
        place = (table.name, index.name if index is not None else None)
        if place not in self._ranges:
            partition, sort = _keys(table, index)
            found: dict[Value, list[Item]] = {}
            for item in self.held[table.name].values():
                entry = _entry(table, index, item)
                if entry is not None:
                    key = tuple(canonical(entry[name]) for name in partition)
                    found.setdefault(key, []).append(entry)
            for entries in found.values():
                entries.sort(key=lambda entry: tuple(sort_key(entry[name]) for name in sort))
            self._ranges[place] = found
        return self._ranges[place]

    # Writes

    def _written(self, one: Sent, after: Held) -> Iterator[float]:
        if one.method == "transact_write_items":
            for member in one.arguments["TransactItems"]:
                request = next(iter(member.values()))
                yield self._changed(request["TableName"], request, after, is_transaction=True)
        elif one.method == "batch_write_item":
            left = one.answer.get("UnprocessedItems") or {}
            for name, requests in one.arguments["RequestItems"].items():
                for request in requests:
                    if request not in left.get(name, ()):
                        yield self._changed(name, next(iter(request.values())), after)
        else:
            yield self._changed(one.arguments["TableName"], one.arguments, after)

    def _changed(
        self, name: str, request: Mapping[str, Any], after: Held, is_transaction: bool = False
    ) -> float:
        table = self._table(name)
        named = item_from_wire(request.get("Item") or request["Key"])
        key = primary_key(table, named)
        before, now = self.held[table.name].get(key), after[table.name].get(key)
        size = max(_bytes(before), _bytes(now))
        units = write_units(size, is_transaction)
        for index in table.indexes:
            was, is_ = (_entry(table, index, item) for item in (before, now))
            units += index_write_units(
                None if was is None else _bytes(was),
                None if is_ is None else _bytes(is_),
                key_moved=_moved(table, index, was, is_),
                changed=was != is_,
            )
        return float(units)

    def _table(self, name: str) -> Table:
        return self.plan.table(name.removeprefix(self.prefix))


_READS = ("get_item", "query", "batch_get_item", "transact_get_items")


def _bytes(item: Item | None) -> int:
    return 0 if item is None else item_bytes(dict(item))


def _keys(table: Table, index: Index | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the partition key and of the sort key."""
    if index is not None:
        return tuple(k.name for k in index.partition), tuple(k.name for k in index.sort)
    names = key_names(table)
    return names[:1], names[1:]


def _entry(table: Table, index: Index | None, item: Item | None) -> Item | None:
    """What a table or an index has of an item; None where it has nothing."""
    if item is None or index is None:
        return item
    partition, sort = _keys(table, index)
    if any(name not in item for name in (*partition, *sort)):
        return None
    if index.projection.type == "ALL":
        return item
    kept = {*partition, *sort, *key_names(table), *index.projection.attributes}
    return {name: value for name, value in item.items() if name in kept}


def _moved(table: Table, index: Index, was: Item | None, is_: Item | None) -> bool:
    if was is None or is_ is None:
        return False
    names = (name for part in _keys(table, index) for name in part)
    return any(not equal(was[name], is_[name]) for name in names)


def _tests(arguments: Mapping[str, Any]) -> Iterator[tuple[str, str, Value]]:
    """What a key condition asks of each attribute: its name, a sign and a value."""
    names = arguments["ExpressionAttributeNames"]
    values = arguments["ExpressionAttributeValues"]
    for found in _TEST.finditer(arguments["KeyConditionExpression"]):
        said = {part: text for part, text in found.groupdict().items() if text is not None}
        if "prefix" in said:
            yield names[said["prefix"]], "begins", from_wire(values[said["start"]])
        elif "range" in said:
            yield names[said["range"]], ">=", from_wire(values[said["low"]])
            yield names[said["range"]], "<=", from_wire(values[said["high"]])
        else:
            yield names[said["name"]], said["sign"], from_wire(values[said["value"]])


def _meets(value: Value, sign: str, other: Value) -> bool:
    if sign == "begins":
        return bool(value[: len(other)] == other)
    one, two = sort_key(value), sort_key(other)
    return bool(
        {"=": one == two, "<": one < two, ">": one > two, "<=": one <= two, ">=": one >= two}[sign]
    )
