"""Tables that behave as DynamoDB's do, in memory: the calls and expressions that plans use, and no others.

It has the methods of boto3's client that the proof calls, so a plan is proven on it as on any engine, without a
server and some ten times as fast. What it knows it has from the developer guide; that it is right is shown by running
the same requests on DynamoDB Local beside it (`Both`).
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from itertools import groupby
from types import SimpleNamespace
from typing import Any, NoReturn

from botocore.exceptions import ClientError

from designer.core.capacity.sizes import item_bytes
from designer.core.capacity.units import read_units
from designer.core.dynamodb.limits import (
    BATCH_GET_BYTES,
    BATCH_GET_ITEMS,
    BATCH_WRITE_ITEMS,
    ITEM_BYTES,
    PAGE_BYTES,
    PARTITION_KEY_BYTES,
    SORT_KEY_BYTES,
    TRANSACTION_ITEMS,
)
from designer.proof.values import item_from_wire

Wire = dict[str, Any]
"""A value or an item in DynamoDB's JSON."""


class ResourceNotFoundError(ClientError):
    """There is no such table."""


def _refuse(code: str, message: str, **more: Any) -> NoReturn:
    raise ClientError({"Error": {"Code": code, "Message": message}, **more}, "Request")


def _invalid(message: str) -> NoReturn:
    _refuse("ValidationException", message)


# Values ----------------------------------------------------------------------------------------


def _kind(wire: Wire) -> str:
    (kind,) = wire
    return kind


def _plain(wire: Wire) -> Any:
    """What two values of one type are compared by."""
    kind, value = next(iter(wire.items()))
    if kind == "N":
        return Decimal(value)
    if kind == "S":
        return value.encode()
    if kind in ("SS", "NS", "BS"):
        return frozenset(_plain({kind[0]: one}) for one in value)
    if kind == "L":
        return [(_kind(one), _plain(one)) for one in value]
    if kind == "M":
        return {name: (_kind(one), _plain(one)) for name, one in value.items()}
    return value


def _equal(one: Wire | None, other: Wire | None) -> bool:
    return (
        one is not None
        and other is not None
        and _kind(one) == _kind(other)
        and _plain(one) == _plain(other)
    )


def _key_text(wire: Wire) -> tuple[str, Any]:
    return _kind(wire), _plain(wire)


# Expressions -----------------------------------------------------------------------------------

_TOKEN = re.compile(r"\s*(#\w+(?:\.#\w+)*|:\w+|[A-Za-z_]\w*|<>|<=|>=|[=<>(),+-])")

Tree = tuple[Any, ...]
"""(operator, operands ...), where an operand is a tree, `#name`, `#name.#within` or `:value`."""


@lru_cache(maxsize=65536)
def _condition(text: str) -> Tree:
    """A condition, a filter or a key condition, read."""
    reader = _Reader(text)
    tree = reader.alternatives()
    reader.end()
    return tree


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens = _TOKEN.findall(text)
        if "".join(self.tokens) != re.sub(r"\s", "", text):
            _invalid(f"Invalid expression: {text}")
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def next(self, expected: str = "") -> str:
        token = self.peek()
        if not token or (expected and token.upper() != expected):
            _invalid(f"Syntax error; token: {token or '<EOF>'}")
        self.at += 1
        return token

    def end(self) -> None:
        if self.peek():
            _invalid(f"Syntax error; token: {self.peek()}")

    def alternatives(self) -> Tree:
        found = [self.conjunction()]
        while self.peek().upper() == "OR":
            self.next()
            found.append(self.conjunction())
        return ("or", *found) if len(found) > 1 else found[0]

    def conjunction(self) -> Tree:
        found = [self.test()]
        while self.peek().upper() == "AND":
            self.next()
            found.append(self.test())
        return ("and", *found) if len(found) > 1 else found[0]

    def test(self) -> Tree:
        token = self.next()
        if token.upper() == "NOT":
            return ("not", self.test())
        if token == "(":
            inner = self.alternatives()
            self.next(")")
            return inner
        if token in ("attribute_exists", "attribute_not_exists", "begins_with", "contains"):
            self.next("(")
            operands = [self.next()]
            while self.peek() == ",":
                self.next()
                operands.append(self.next())
            self.next(")")
            return (token, *operands)
        sign = self.next().upper()
        if sign == "BETWEEN":
            low = self.next()
            self.next("AND")
            return ("between", token, low, self.next())
        if sign == "IN":
            self.next("(")
            values = [self.next()]
            while self.peek() == ",":
                self.next()
                values.append(self.next())
            self.next(")")
            return ("in", token, *values)
        return (sign, token, self.next())


def _operands(tree: Tree) -> Iterator[str]:
    for part in tree[1:]:
        if isinstance(part, tuple):
            yield from _operands(part)
        else:
            yield part


_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
}


def _holds(tree: Tree, item: Wire, words: "_Words") -> bool:
    sign = tree[0]
    if sign == "and":
        return all(_holds(part, item, words) for part in tree[1:])
    if sign == "or":
        return any(_holds(part, item, words) for part in tree[1:])
    if sign == "not":
        return not _holds(tree[1], item, words)
    value = _at(item, words.path(tree[1]))
    if sign == "attribute_exists":
        return value is not None
    if sign == "attribute_not_exists":
        return value is None
    others = [words.value(part) for part in tree[2:]]
    if sign == "=":
        return _equal(value, others[0])
    if sign == "<>":
        return not _equal(value, others[0])
    if sign == "in":
        return any(_equal(value, other) for other in others)
    if value is None:
        return False
    if sign == "contains":
        return _contains(value, others[0])
    if any(_kind(value) != _kind(other) for other in others):
        return False
    if sign == "begins_with":
        return _kind(value) in ("S", "B") and _plain(value).startswith(_plain(others[0]))
    if _kind(value) not in ("S", "N", "B"):
        return False
    if sign == "between":
        return _plain(others[0]) <= _plain(value) <= _plain(others[1])
    return _ORDER[sign](_plain(value), _plain(others[0]))


def _at(item: Wire, path: Sequence[str]) -> Wire | None:
    """What lies at a path in an item; None when nothing does."""
    first, *rest = path
    found = item.get(first)
    if not rest or found is None:
        return found
    return _at(found["M"], rest) if _kind(found) == "M" else None


def _with_changed(item: Wire, path: Sequence[str], value: Wire | None) -> Wire:
    """The item with a value at a path, or with nothing there."""
    first, *rest = path
    if rest:
        inside = item.get(first)
        if inside is None or _kind(inside) != "M":
            _invalid("The document path provided in the update expression is invalid for update")
        value = {"M": _with_changed(inside["M"], rest, value)}
    changed = {**item, first: value}
    return changed if value is not None else {k: v for k, v in item.items() if k != first}


def _contains(value: Wire, part: Wire) -> bool:
    kind = _kind(value)
    if kind in ("S", "B"):
        return _kind(part) == kind and _plain(part) in _plain(value)
    if kind in ("SS", "NS", "BS"):
        return _kind(part) == kind[0] and _plain(part) in _plain(value)
    return kind == "L" and any(_equal(one, part) for one in value["L"])


class _Words:
    """The names and values of one request, all of which its expressions must use."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self.names: dict[str, str] = request.get("ExpressionAttributeNames", {})
        self.values: dict[str, Wire] = request.get("ExpressionAttributeValues", {})
        text = " ".join(str(request.get(name, "")) for name in _EXPRESSIONS)
        said = set(re.findall(r"[#:]\w+", text))
        for given, what in ((self.names, "Names"), (self.values, "Values")):
            unused = given.keys() - said
            if unused:
                _invalid(f"Value provided in ExpressionAttribute{what} unused: {sorted(unused)}")
        missing = said - self.names.keys() - self.values.keys()
        if missing:
            _invalid(
                f"An expression attribute used in expression is not defined: {sorted(missing)}"
            )

    def name(self, token: str) -> str:
        return self.names[token] if token.startswith("#") else token

    def path(self, token: str) -> list[str]:
        """The names of an attribute, and of what lies in it."""
        return [self.name(part) for part in token.split(".")]

    def value(self, token: str) -> Wire:
        return self.values[token]


_EXPRESSIONS = (
    "KeyConditionExpression",
    "FilterExpression",
    "ConditionExpression",
    "ProjectionExpression",
    "UpdateExpression",
)


# Tables ----------------------------------------------------------------------------------------


@dataclass
class _Index:
    """A table's own key, or a secondary index."""

    hash: tuple[str, ...]
    range: tuple[str, ...]
    is_global: bool = False
    projected: frozenset[str] | None = None
    """None for all."""

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.hash, *self.range)

    def place(self, item: Wire) -> list[Any]:
        """Where an item stands in its partition, or among others."""
        return [_plain(item[part]) for part in self.range]

    def entry(self, item: Wire) -> Wire:
        """What the index holds of an item."""
        if self.projected is None:
            return item
        return {name: value for name, value in item.items() if name in self.projected}


@dataclass
class _Ties:
    """What may come in another order: the places of the items returned, and whether a page began or ended in a tie."""

    places: list[Any]
    cut: bool


@dataclass
class _Table:
    key: _Index
    types: dict[str, str]
    indexes: dict[str, _Index]
    items: dict[Any, Wire] = field(default_factory=dict)
    sorted: dict[str | None, dict[Any, list[Wire]]] = field(default_factory=dict)
    """For each index (None: the table), the items of each partition in order; made when asked for."""
    sizes: dict[tuple[str | None, int], float] = field(default_factory=dict)
    """Bytes of the entries of each index, by the identity of their items; counted when asked for."""

    def key_of(self, item: Wire) -> Any:
        for name in self.key.names:
            if name not in item:
                _invalid("The provided key element does not match the schema")
            self.check_key(name, item[name])
        return tuple(_key_text(item[name]) for name in self.key.names)

    def only_key(self, key: Wire) -> Any:
        if key.keys() != set(self.key.names):
            _invalid("The provided key element does not match the schema")
        return self.key_of(key)

    def check_key(self, name: str, value: Wire) -> None:
        if _kind(value) != self.types[name]:
            _invalid(f"Type mismatch for key {name}: {_kind(value)} instead of {self.types[name]}")
        if value[_kind(value)] in ("", b""):
            _invalid(f"The value of key {name} is empty")
        size = len(_plain(value)) if _kind(value) in ("S", "B") else 0
        most = PARTITION_KEY_BYTES if name in self.key.hash else SORT_KEY_BYTES
        if size > most and name in self.key.names:
            _invalid(f"The value of key {name} is longer than {most} bytes")

    def check(self, item: Wire) -> None:
        """Whether an item can be stored (keys of indexes may be missing, but are of their type and not empty)."""
        self.key_of(item)
        for index in self.indexes.values():
            for name in index.names:
                if name in item:
                    self.check_key(name, item[name])
        if item_bytes(item_from_wire(item)) > ITEM_BYTES:
            _invalid("Item size has exceeded the maximum allowed size")

    def partition(self, name: str | None, values: Any) -> list[Wire]:
        index = self.key if name is None else self.indexes[name]
        if name not in self.sorted:
            made: dict[Any, list[Wire]] = {}
            for item in self.items.values():
                if all(part in item for part in index.names):
                    at = tuple(_key_text(item[part]) for part in index.hash)
                    made.setdefault(at, []).append(item)
            for items in made.values():
                items.sort(key=lambda item: self.place(index, item))
            self.sorted[name] = made
        return self.sorted[name].get(values, [])

    def after(self, name: str | None, values: Any, start: Wire, forward: bool) -> list[Wire]:
        """The items of a partition that follow one, in the order in which they are read."""
        index = self.key if name is None else self.indexes[name]
        items, at = self.partition(name, values), self.place(index, start)

        def place(item: Wire) -> Any:
            return self.place(index, item)

        if forward:
            return items[bisect_right(items, at, key=place) :]
        return items[: bisect_left(items, at, key=place)][::-1]

    def entry_bytes(self, name: str | None, item: Wire) -> float:
        """Bytes of what an index holds of an item."""
        found = self.sizes.get((name, id(item)))
        if found is None:
            index = self.key if name is None else self.indexes[name]
            found = float(item_bytes(item_from_wire(index.entry(item))))
            self.sizes[name, id(item)] = found
        return found

    def changed(self) -> None:
        self.sorted.clear()
        self.sizes.clear()

    def place(self, index: _Index, item: Wire) -> Any:
        """Where an item stands in its partition; ties stand by the table's key."""
        return (index.place(item), [_key_text(item[part]) for part in self.key.names])


class Memory:
    """The client: requests and answers as boto3's."""

    def __init__(self) -> None:
        self.tables: dict[str, _Table] = {}
        self.ties = _Ties([], False)
        """Of the last query."""
        self.units = 0.0
        """Read units that reads took, by our rules of sizes and units."""
        self.exceptions = SimpleNamespace(ResourceNotFoundException=ResourceNotFoundError)

    # Tables

    def list_tables(self, **_: Any) -> Wire:
        return {"TableNames": sorted(self.tables)}

    def create_table(self, **request: Any) -> Wire:
        key = _schema(request["KeySchema"])
        types = {a["AttributeName"]: a["AttributeType"] for a in request["AttributeDefinitions"]}
        indexes = {}
        for kind in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes"):
            for said in request.get(kind, ()):
                index = _schema(said["KeySchema"])
                projection = said["Projection"]
                index.is_global = kind.startswith("Global")
                if projection["ProjectionType"] != "ALL":
                    named = projection.get("NonKeyAttributes", ())
                    index.projected = frozenset((*named, *index.names, *key.names))
                indexes[said["IndexName"]] = index
        used = {name for one in (key, *indexes.values()) for name in one.names}
        if used != types.keys():
            _invalid("AttributeDefinitions must be those of the keys")
        self.tables[request["TableName"]] = _Table(key, types, indexes)
        return {"TableDescription": {"TableStatus": "ACTIVE"}}

    def delete_table(self, TableName: str) -> Wire:  # noqa: N803
        self.table(TableName)
        del self.tables[TableName]
        return {}

    def table(self, name: str) -> _Table:
        if name not in self.tables:
            error = {"Error": {"Code": "ResourceNotFoundException", "Message": name}}
            raise ResourceNotFoundError(error, "Request")
        return self.tables[name]

    # Reads

    def get_item(self, **request: Any) -> Wire:
        found = self._got(request)
        return {} if found is None else {"Item": found}

    def _got(self, request: Mapping[str, Any]) -> Wire | None:
        table, words = self.table(request["TableName"]), _Words(request)
        item = table.items.get(table.only_key(request["Key"]))
        self._take(0.0 if item is None else table.entry_bytes(None, item), request)
        return None if item is None else _projected(item, request, words)

    def _take(self, size: float, request: Mapping[str, Any]) -> None:
        is_strong = bool(request.get("ConsistentRead"))
        self.units += float(read_units(size, "strong" if is_strong else "eventual"))

    def batch_get_item(self, RequestItems: Any, **_: Any) -> Wire:  # noqa: N803
        responses: dict[str, list[Wire]] = {}
        left: dict[str, Any] = {}
        room = float(BATCH_GET_BYTES)
        for name, request in RequestItems.items():
            table = self.table(name)
            keys = [table.only_key(key) for key in request["Keys"]]
            if len(set(keys)) < len(keys):
                _invalid("Provided list of item keys contains duplicates")
            if not 0 < len(keys) <= BATCH_GET_ITEMS:
                _invalid("Too many items requested for the BatchGetItem call")
            responses[name] = []
            for key, only in zip(request["Keys"], keys, strict=True):
                item = table.items.get(only)
                room -= 0.0 if item is None else table.entry_bytes(None, item)
                if room < 0:
                    left.setdefault(name, {**request, "Keys": []})["Keys"].append(key)
                    continue
                found = self._got({**request, "TableName": name, "Key": key})
                responses[name] += [] if found is None else [found]
        return {"Responses": responses, "UnprocessedKeys": left}

    def transact_get_items(self, TransactItems: Any, **_: Any) -> Wire:  # noqa: N803
        gets = [one["Get"] for one in TransactItems]
        keys = [
            (get["TableName"], self.table(get["TableName"]).only_key(get["Key"])) for get in gets
        ]
        if len(set(keys)) < len(keys):
            _invalid("Transaction request cannot include multiple operations on one item")
        if len(keys) > TRANSACTION_ITEMS:
            _invalid("Member must have length less than or equal to 100")
        got = [self._got(get) for get in gets]
        return {"Responses": [{} if item is None else {"Item": item} for item in got]}

    def query(self, **request: Any) -> Wire:
        table, words = self.table(request["TableName"]), _Words(request)
        name = request.get("IndexName")
        if name is not None and name not in table.indexes:
            _invalid(f"The table does not have the specified index: {name}")
        index = table.key if name is None else table.indexes[name]
        if index.is_global and request.get("ConsistentRead"):
            _invalid("Consistent reads are not supported on global secondary indexes")
        values, within = _key_condition(table, index, request["KeyConditionExpression"], words)
        tested = request.get("FilterExpression")
        tree = None if tested is None else _condition(tested)
        if tree is not None and {words.name(o) for o in _operands(tree) if o[0] != ":"} & set(
            index.names
        ):
            _invalid("Filter Expression can only contain non-primary key attributes")
        forward = request.get("ScanIndexForward", True)
        items = table.partition(name, values)
        items = items if forward else items[::-1]
        start = request.get("ExclusiveStartKey")
        if start is not None:
            items = table.after(name, values, start, forward)
        limit = request.get("Limit")
        read: list[Wire] = []
        size, more = 0.0, None
        for item in items:
            if not within(item):
                continue
            if len(read) == limit or size > PAGE_BYTES:
                more = item
                break
            read.append(index.entry(item))
            size += table.entry_bytes(name, item)
        self._take(size, request)
        kept = [item for item in read if tree is None or _holds(tree, item, words)]
        answer: Wire = {"Count": len(kept), "ScannedCount": len(read)}
        if request.get("Select") != "COUNT":
            answer["Items"] = [_projected(item, request, words) for item in kept]
        # Whether more follows a full page is only known by reading on.
        if len(read) == limit or more is not None:
            names = dict.fromkeys((*index.names, *table.key.names))
            answer["LastEvaluatedKey"] = {part: read[-1][part] for part in names}
        self.ties = _Ties(
            [index.place(item) for item in kept],
            (more is not None and index.place(read[-1]) == index.place(more))
            or (start is not None and read != [] and index.place(read[0]) == index.place(start)),
        )
        return answer

    def fill(self, name: str, items: Iterable[Wire]) -> None:
        """Store many items as they are, which are known to be right."""
        table = self.table(name)
        table.items |= {
            tuple(_key_text(one[part]) for part in table.key.names): one for one in items
        }
        table.changed()

    def scan(self, **request: Any) -> Wire:
        return {"Items": [dict(item) for item in self.table(request["TableName"]).items.values()]}

    # Writes

    def put_item(self, **request: Any) -> Wire:
        return self._write("Put", request)

    def update_item(self, **request: Any) -> Wire:
        return self._write("Update", request)

    def delete_item(self, **request: Any) -> Wire:
        return self._write("Delete", request)

    def _write(self, verb: str, request: Mapping[str, Any]) -> Wire:
        holds, change = self._prepared(verb, request)
        if not holds:
            _refuse("ConditionalCheckFailedException", "The conditional request failed")
        change()
        return {}

    def transact_write_items(self, TransactItems: Any, **_: Any) -> Wire:  # noqa: N803
        members = [next(iter(one.items())) for one in TransactItems]
        if not 0 < len(members) <= TRANSACTION_ITEMS:
            _invalid("Member must have length less than or equal to 100")
        prepared = [self._prepared(verb, request) for verb, request in members]
        keys = []
        for verb, request in members:
            table = self.table(request["TableName"])
            item = request["Item" if verb == "Put" else "Key"]
            keys.append((request["TableName"], table.key_of(item)))
        if len(set(keys)) < len(keys):
            _invalid("Transaction request cannot include multiple operations on one item")
        if not all(holds for holds, _ in prepared):
            reasons = [
                {"Code": "None" if holds else "ConditionalCheckFailed"} for holds, _ in prepared
            ]
            _refuse(
                "TransactionCanceledException", "Transaction cancelled", CancellationReasons=reasons
            )
        for _, change in prepared:
            change()
        return {}

    def batch_write_item(self, RequestItems: Any, **_: Any) -> Wire:  # noqa: N803
        writes = []
        for name, requests in RequestItems.items():
            table = self.table(name)
            for request in requests:
                ((verb, said),) = request.items()
                item = said.get("Item") or said["Key"]
                writes.append((name, table.key_of(item), verb.removesuffix("Request"), said))
        if len({(name, key) for name, key, _, _ in writes}) < len(writes):
            _invalid("Provided list of item keys contains duplicates")
        if not 0 < len(writes) <= BATCH_WRITE_ITEMS:
            _invalid("Too many items requested for the BatchWriteItem call")
        for change in [
            self._prepared(verb, {"TableName": name, **said})[1] for name, _, verb, said in writes
        ]:
            change()
        return {"UnprocessedItems": {}}

    def _prepared(self, verb: str, request: Mapping[str, Any]) -> tuple[bool, Callable[[], None]]:
        """(whether the condition of a write holds, what carries it out)."""
        table, words = self.table(request["TableName"]), _Words(request)
        key = table.key_of(request["Item"]) if verb == "Put" else table.only_key(request["Key"])
        old = table.items.get(key)
        text = request.get("ConditionExpression")
        holds = text is None or _holds(_condition(text), old or {}, words)
        new: Wire | None = None
        if verb == "Put":
            new = dict(request["Item"])
        elif verb == "Update" and holds:
            new = _updated(table, old or dict(request["Key"]), request, words)
        if new is not None:
            table.check(new)

        def change() -> None:
            if verb == "ConditionCheck":
                return
            table.changed()
            if new is None:
                table.items.pop(key, None)
            else:
                table.items[key] = new

        return holds, change


def _schema(said: Sequence[Mapping[str, str]]) -> _Index:
    of = {
        kind: tuple(part["AttributeName"] for part in said if part["KeyType"] == kind)
        for kind in ("HASH", "RANGE")
    }
    return _Index(of["HASH"], of["RANGE"])


def _projected(item: Wire, request: Mapping[str, Any], words: _Words) -> Wire:
    text = request.get("ProjectionExpression")
    if text is None:
        return dict(item)
    names = [words.name(token.strip()) for token in text.split(",")]
    if len(set(names)) < len(names):
        _invalid("Two document paths overlap with each other")
    return {name: item[name] for name in names if name in item}


def _key_condition(
    table: _Table, index: _Index, text: str, words: _Words
) -> tuple[Any, Callable[[Wire], bool]]:
    """(the partition that a Query names, whether an item lies in its range)."""
    tree = _condition(text)
    tests = list(tree[1:]) if tree[0] == "and" else [tree]
    on = {words.name(test[1]): test for test in tests}
    if len(on) < len(tests) or not on.keys() <= set(index.names):
        _invalid("Query key condition not supported")
    for name, test in on.items():
        for operand in test[2:]:
            table.check_key(name, words.value(operand))
    for name in index.hash:
        if name not in on or on[name][0] != "=":
            _invalid(f"Query condition missed key schema element: {name}")
    ranged = [name for name in index.range if name in on]
    if ranged != list(index.range[: len(ranged)]) or any(on[n][0] != "=" for n in ranged[:-1]):
        _invalid("Query key condition not supported")
    for name in ranged:
        test = on[name]
        if test[0] not in ("=", "<", "<=", ">", ">=", "between", "begins_with"):
            _invalid("Query key condition not supported")
        if test[0] == "begins_with" and table.types[name] == "N":
            _invalid("Invalid operator used in KeyConditionExpression: begins_with")
        if test[0] == "between" and _plain(words.value(test[2])) > _plain(words.value(test[3])):
            _invalid("The BETWEEN operator requires upper bound to be greater than lower bound")
    values = tuple(_key_text(words.value(on[name][2])) for name in index.hash)
    rest = [on[name] for name in ranged]
    return values, lambda item: all(_holds(test, item, words) for test in rest)


_CLAUSE = re.compile(r"\s*\b(SET|REMOVE|ADD|DELETE)\b\s*")
_APPENDED = re.compile(
    r"([\w#.]+) = list_append\(if_not_exists\(([\w#.]+), (:\w+)\), (:\w+)\)\s*(?:,\s*|$)"
)
_ACTION = re.compile(r"([\w#.]+)(?:\s*=?\s*(?:if_not_exists\(([^)]*)\)\s*\+\s*)?(:\w+))?\s*(?:,|$)")
"""What is changed; what is added to, and what that is when it is missing; the value."""


def _updated(table: _Table, old: Wire, request: Mapping[str, Any], words: _Words) -> Wire:
    """The item after an update: `SET #a = :v, #b.#c = if_not_exists(#b.#c, :v) + :w`, `REMOVE #a.#b`, `ADD #a :v`."""
    text = request.get("UpdateExpression", "")
    new = old
    _, *clauses = _CLAUSE.split(text)
    for clause, said in zip(clauses[::2], clauses[1::2], strict=True):
        for name, of, empty, value in _APPENDED.findall(said):
            there = _at(new, words.path(of)) or words.value(empty)
            if _kind(there) != "L" or _kind(words.value(value)) != "L":
                _invalid("An operand in the update expression has an incorrect data type")
            longer = {"L": [*there["L"], *words.value(value)["L"]]}
            new = _with_changed(new, words.path(name), longer)
        said = _APPENDED.sub("", said).rstrip().removesuffix(",")
        if _ACTION.sub("", said).strip():
            raise NotImplementedError(f"This memory cannot read {said!r}")
        for name, counted, value in _ACTION.findall(said):
            path = words.path(name)
            if path[0] in table.key.names:
                _invalid(f"Cannot update attribute {path[0]}. This attribute is part of the key")
            if clause == "REMOVE":
                changed = None
            elif clause == "SET" and counted:
                of, begins = counted.split(",")
                first = _at(new, words.path(of.strip())) or words.value(begins.strip())
                changed = _added(first, words.value(value))
            elif clause == "SET":
                changed = words.value(value)
            elif clause == "DELETE":
                changed = _without(_at(new, path), words.value(value))
            else:
                changed = _added(_at(new, path), words.value(value))
            new = _with_changed(new, path, changed)
    return new


def _added(old: Wire | None, more: Wire) -> Wire:
    if old is None:
        return more
    kind = _kind(old)
    if kind != _kind(more) or kind not in ("N", "SS", "NS", "BS"):
        _invalid("An operand in the update expression has an incorrect data type")
    if kind == "N":
        return {"N": format(Decimal(old["N"]) + Decimal(more["N"]), "f")}
    return {kind: sorted({*old[kind], *more[kind]})}


def _without(old: Wire | None, less: Wire) -> Wire | None:
    """A set without the elements of another; nothing is left of an empty one."""
    if old is None:
        return None
    kind = _kind(old)
    if kind != _kind(less) or kind not in ("SS", "NS", "BS"):
        _invalid("An operand in the update expression has an incorrect data type")
    left = [one for one in old[kind] if one not in less[kind]]
    return {kind: left} if left else None


# Beside another engine -------------------------------------------------------------------------


class DisagreementError(AssertionError):
    """Memory and the other engine answer one request differently."""


class Both:
    """A client that sends every request to memory and to another engine, and compares items, order and refusals.

    Ties may come in any order, and a page may end anywhere in one: then each engine goes on where it stopped.
    """

    def __init__(self, memory: Memory, other: Any) -> None:
        self.memory, self.other = memory, other
        self.exceptions = memory.exceptions
        self.compared = 0
        self._stopped: dict[str, Wire] = {}
        """Where the other engine stopped, by where memory did."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def asked(**request: Any) -> Any:
            here = _outcome(getattr(self.memory, name), request)
            there = _outcome(getattr(self.other, name), self._continued(request))
            self.compared += 1
            if name == "query" and not isinstance(here, ClientError):
                said = self._queried(here, there)
            else:
                said = [_comparable(name, here), _comparable(name, there)]
            if said[0] != said[1]:
                raise DisagreementError(f"{name} {request}: {said[0]} here, {said[1]} there")
            if isinstance(here, ClientError):
                raise here
            return here

        return asked

    def _continued(self, request: Wire) -> Wire:
        start = request.get("ExclusiveStartKey")
        return (
            request
            if start is None
            else {**request, "ExclusiveStartKey": self._stopped[repr(start)]}
        )

    def _queried(self, here: Wire, there: Any) -> list[Any]:
        """What must be the same of two pages."""
        if isinstance(there, ClientError):
            return [here, _comparable("query", there)]
        stopped = [page.get("LastEvaluatedKey") for page in (here, there)]
        if stopped[0] and stopped[1]:
            self._stopped[repr(stopped[0])] = stopped[1]
        said: list[Any] = [
            (page["ScannedCount"], bool(last))
            for page, last in zip((here, there), stopped, strict=True)
        ]
        if self.memory.ties.cut:
            return said
        places = self.memory.ties.places
        return [
            (one, page["Count"], _untied(places, page.get("Items", ())))
            for one, page in zip(said, (here, there), strict=True)
        ]


def _untied(places: Sequence[Any], items: Sequence[Wire]) -> list[Any]:
    """The items in order, those of one place in an order of their own."""
    found = [
        (places[at] if at < len(places) else None, _item(item)) for at, item in enumerate(items)
    ]
    runs = [list(run) for _, run in groupby(found, key=lambda one: one[0])]
    return [sorted((item for _, item in run), key=repr) for run in runs]


def _outcome(call: Callable[..., Any], request: Mapping[str, Any]) -> Any:
    try:
        return call(**request)
    except ClientError as error:
        return error


def _comparable(name: str, answer: Any) -> Any:
    """What must be the same of two answers."""
    if isinstance(answer, ClientError):
        reasons: Any = answer.response.get("CancellationReasons") or ()
        return answer.response["Error"]["Code"], [reason["Code"] for reason in reasons]
    if name == "scan":
        return sorted(map(_item, answer["Items"]), key=repr)
    if name == "batch_get_item":
        found = answer["Responses"].items()
        return {table: sorted(map(_item, items), key=repr) for table, items in found}
    if name == "transact_get_items":
        return [_item(response.get("Item") or {}) for response in answer["Responses"]]
    return _item(answer.get("Item") or {})


def _item(item: Wire) -> dict[str, tuple[str, Any]]:
    return {name: (_kind(value), _sorted(_plain(value))) for name, value in sorted(item.items())}


def _sorted(value: Any) -> Any:
    """A value whose sets and maps, also those inside others, stand in an order of their own."""
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, dict):
        return {name: _sorted(part) for name, part in sorted(value.items())}
    return type(value)(map(_sorted, value)) if isinstance(value, (list, tuple)) else value
