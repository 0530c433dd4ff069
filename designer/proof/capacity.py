"""What requests must use by our rules of sizes and units, given the items that were there.

One request is reckoned by itself, from its arguments and from how many items the engine says it looked at; the
engine's own figures stand beside it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from designer.core.answers import Item, Value, canonical, equal, sort_key
from designer.core.capacity.sizes import item_bytes
from designer.core.capacity.units import index_write_units, read_units, write_units
from designer.core.plan import Index, Plan, Table
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


Place = tuple[str, str | None]
"""A table, by its name on the engine, and one of its indexes; None for the table itself."""

LOCAL = "DynamoDB Local"


@dataclass(frozen=True)
class Part:
    """What a request uses in one place for one of the things it asks for, in request units."""

    place: Place
    units: float
    is_there: bool = True
    """Whether there was such an item; what is not there costs the minimum."""


@dataclass(frozen=True)
class Used:
    """What one request must use by the rules."""

    sent: Sent
    parts: tuple[Part, ...]

    @property
    def is_read(self) -> bool:
        """Whether its units are read units."""
        return self.sent.method in _READS

    @property
    def units(self) -> float:
        """Request units in all places, whole ones and halves."""
        return sum(part.units for part in self.parts)

    @property
    def reported(self) -> dict[Place, float]:
        """What the engine says that the request used, where that is anything."""
        said = self.sent.answer.get("ConsumedCapacity") or []
        found = {}
        for table in [said] if isinstance(said, Mapping) else said:
            name = table["TableName"]
            found[name, None] = table["Table"]["CapacityUnits"]
            for kind in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes"):
                for index, units in table.get(kind, {}).items():
                    found[name, index] = units["CapacityUnits"]
        return {place: units for place, units in found.items() if units}

    def differs_on(self, engine: str) -> bool:
        """Whether an engine, known by its name, reports something else than the rules say, in any place."""
        wanted: dict[Place, float] = {}
        for part in self.parts:
            if part.is_there or engine != LOCAL or self.sent.method not in _FREE_ON_LOCAL:
                wanted[part.place] = wanted.get(part.place, 0) + part.units
        return {place: units for place, units in wanted.items() if units} != self.reported


_FREE_ON_LOCAL = ("query", "batch_get_item")
"""Where DynamoDB Local counts nothing for what is not there, and AWS the minimum."""


def is_comparable(engine: str, one: Sent) -> bool:
    """Whether an engine, known by its name, counts the units of such a request as they are billed.

    AWS does. So does DynamoDB Local, but for what a Query or a batch does not find, and for a transaction's writes,
    which cost twice what they do on AWS, equal ones of them once; each is looked at as a write of its own
    instead (`designer.proof.alone`). Other engines have ways of their own.
    """
    if engine == LOCAL:
        return one.method != "transact_write_items"
    return engine.startswith("AWS ")


@dataclass
class Capacity:
    """Reckons what requests use on a plan's tables, whose names on the engine begin with the prefix."""

    plan: Plan
    prefix: str
    held: Held
    """What the tables hold before."""
    _ranges: dict[tuple[str, str | None], dict[Value, list[Item]]] = field(default_factory=dict)

    def used(self, sent: Iterable[Sent], after: Held | None = None) -> Iterator[Used]:
        """What each request of a case uses that came through; `after` is what writes leave behind."""
        for one in sent:
            if "Error" not in one.answer:
                is_read = one.method in _READS
                parts = self._read(one) if is_read else self._written(one, after or self.held)
                yield Used(one, tuple(parts))

    # Reads

    def _read(self, one: Sent) -> Iterator[Part]:
        arguments = one.arguments
        consistency: Any = "strong" if arguments.get("ConsistentRead") else "eventual"
        if one.method == "query":
            entries = self._queried(arguments, one.answer)
            units = float(read_units(sum(map(_bytes, entries)), consistency))
            yield Part((arguments["TableName"], arguments.get("IndexName")), units, bool(entries))
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

    def _got(self, name: str, key: Mapping[str, Any], consistency: Any) -> Part:
        table = self._table(name)
        item = self.held[table.name].get(primary_key(table, item_from_wire(key)))
        units = float(read_units(_bytes(item), consistency))
        return Part((name, None), units, item is not None)

    def _queried(self, arguments: Mapping[str, Any], answer: Mapping[str, Any]) -> list[Item]:
        """The entries that a Query looked at: so many, in order, from where it began.

        Which of several entries with one sort key comes first only the engine knows. So those that it answered with
        are taken, and of what a filter kept back the first.
        """
        table = self._table(arguments["TableName"])
        index = next((i for i in table.indexes if i.name == arguments.get("IndexName")), None)
        tests = list(_tests(arguments))
        partition, sort = _keys(table, index)
        values = {name: value for name, sign, value in tests if sign == "="}
        key = tuple(canonical(values[name]) for name in partition)
        inside = {
            primary_key(table, entry): entry
            for entry in self._entries(table, index).get(key, ())
            if all(_meets(entry.get(name), sign, value) for name, sign, value in tests)
        }
        keys = list(inside)
        if not arguments.get("ScanIndexForward", True):
            keys.reverse()
        begun = arguments.get("ExclusiveStartKey")
        last = None if begun is None else primary_key(table, item_from_wire(begun))
        if last in inside:
            at = keys.index(last)
            before = [k for k in keys[:at] if _same(inside[k], inside[last], sort)]
            keys = keys[at + 1 :] + before
        own = key_names(table)
        items = [item_from_wire(item) for item in answer.get("Items", ())]
        answered = {primary_key(table, item) for item in items if item.keys() >= set(own)}
        keys.sort(key=lambda key: key not in answered)
        return [inside[key] for key in keys[: answer["ScannedCount"]]]

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

    def _written(self, one: Sent, after: Held) -> Iterator[Part]:
        if one.method == "transact_write_items":
            for member in one.arguments["TransactItems"]:
                request = next(iter(member.values()))
                yield from self._changed(request["TableName"], request, after, is_transaction=True)
        elif one.method == "batch_write_item":
            left = one.answer.get("UnprocessedItems") or {}
            for name, requests in one.arguments["RequestItems"].items():
                for request in requests:
                    if request not in left.get(name, ()):
                        yield from self._changed(name, next(iter(request.values())), after)
        else:
            yield from self._changed(one.arguments["TableName"], one.arguments, after)

    def _changed(
        self, name: str, request: Mapping[str, Any], after: Held, is_transaction: bool = False
    ) -> Iterator[Part]:
        table = self._table(name)
        named = item_from_wire(request.get("Item") or request["Key"])
        key = primary_key(table, named)
        before, now = self.held[table.name].get(key), after[table.name].get(key)
        size = max(_bytes(before), _bytes(now))
        yield Part((name, None), float(write_units(size, is_transaction)))
        for index in table.indexes:
            was, is_ = (_entry(table, index, item) for item in (before, now))
            units = index_write_units(
                None if was is None else _bytes(was),
                None if is_ is None else _bytes(is_),
                key_moved=_moved(table, index, was, is_),
                changed=was != is_,
            )
            yield Part((name, index.name), float(units))

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
    partition, sort = _keys(table, index)
    return not _same(was, is_, (*partition, *sort))


def _same(one: Item, other: Item, names: Iterable[str]) -> bool:
    """Whether two items have the same of these attributes."""
    return all(equal(one[name], other[name]) for name in names)


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
