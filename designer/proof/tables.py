"""A plan's tables on an engine: made, filled with what a state says, read whole, deleted."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import count
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from designer.core.answers import Item, State, Value, canonical, equal
from designer.core.errors import SaidError
from designer.core.examples.copied import Carried
from designer.core.examples.counted import Counted
from designer.core.messages import say
from designer.core.plan import Index, Plan, Shape, Table, keys
from designer.proof.compare import show
from designer.proof.refusals import has_keys_of_several_attributes, mistyped, refused
from designer.proof.values import Wire, from_wire, item_from_wire, item_to_wire, to_wire

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

Stored = dict[Value, Item]
"""The items of a table by their primary key."""


class CollisionError(SaidError):
    """Two items of a design have one primary key."""


class TableError(SaidError):
    """A table that DynamoDB would refuse, or that the engine at hand cannot make."""


@dataclass
class Tables:
    """The tables of a plan on an engine, each under the prefix."""

    client: "DynamoDBClient"
    plan: Plan
    prefix: str
    touched: dict[str, Stored] = field(default_factory=dict)
    """The keys that write requests have named, by table."""
    draws: Iterator[int] = field(default_factory=count)
    """What is drawn where a plan leaves it to chance: one counter after the other, so that each is seen."""

    def name(self, table: str) -> str:
        """The name on the engine."""
        return self.prefix + table

    def create(self) -> None:
        """Make all tables, and wait until they can be used. TableError when one cannot be made."""
        waiting = []
        for table in self.plan.tables:
            made = self._make(table)
            if made["TableDescription"].get("TableStatus") != "ACTIVE":
                waiting.append(self.name(table.name))
        for name in waiting:
            self.client.get_waiter("table_exists").wait(TableName=name)

    def _make(self, table: Table) -> Any:
        described = description(table, self.name(table.name))
        wrong = [*refused(described), *mistyped(table)]
        if wrong:
            raise TableError(say("table-refused", table=table.name, problems=tuple(wrong)))
        try:
            return self.client.create_table(**described)
        except ClientError as error:
            several = [i.name for i in table.indexes if has_keys_of_several_attributes(i)]
            if several and error.response["Error"]["Code"] == "ValidationException":
                answer = error.response["Error"]["Message"]
                raise TableError(
                    say(
                        "engine-without-such-keys",
                        index=several[0],
                        table=table.name,
                        answer=answer,
                    )
                ) from error
            raise

    def delete(self) -> None:
        """Delete those of the tables that are there."""
        for table in self.plan.tables:
            try:
                self.client.delete_table(TableName=self.name(table.name))
            except self.client.exceptions.ResourceNotFoundException:
                continue

    def touch(self, table: str, key: Item) -> None:
        """Note that a request writes the item of this key."""
        names = key_names(self.plan.table(table))
        noted = self.touched.setdefault(table, {})
        noted[tuple(canonical(key[name]) for name in names)] = {name: key[name] for name in names}

    def shape(self, table: str, item: Item, among: Sequence[str]) -> Shape | None:
        """What kind of item it is: as its type attribute says, else the only one it can be."""
        shapes = {shape.shape: shape for shape in self.plan.table(table).items}
        mark = self.plan.type_attribute
        marked = mark and any(mark in shape.set for shape in shapes.values())
        name = item.get(mark or "") if marked else None
        if name is None and len(among) == 1:
            name = among[0]
        return shapes.get(name) if name is not None else None

    def read(self, table: Table, wanted: Iterable[Item]) -> Stored:
        """Those of the items of these keys that are there."""
        stored: Stored = {}
        keys = [item_to_wire(key) for key in wanted]
        for at in range(0, len(keys), 100):
            request = {"Keys": keys[at : at + 100], "ConsistentRead": True}
            left: Any = {self.name(table.name): request}
            while left:
                answer = self.client.batch_get_item(RequestItems=left)
                for wire in answer["Responses"].get(self.name(table.name), ()):
                    item = item_from_wire(wire)
                    stored[primary_key(table, item)] = item
                left = answer.get("UnprocessedKeys")
        return stored

    def scan(self, table: Table) -> Stored:
        """Everything that lies in a table."""
        stored: Stored = {}
        arguments: dict[str, Any] = {
            "TableName": self.name(table.name),
            "ConsistentRead": True,
        }
        while True:
            page = self.client.scan(**arguments)
            for wire in page["Items"]:
                item = item_from_wire(wire)
                stored[primary_key(table, item)] = item
            if "LastEvaluatedKey" not in page:
                return stored
            arguments["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def replace(self, table: Table, before: Stored, after: Stored) -> None:
        """Write what differs, so that a table that held `before` holds `after`.

        In the order of keys: moto sorts a table for each Query, which takes less where it is nearly sorted.
        """
        requests: list[Wire] = [
            {"PutRequest": {"Item": item_to_wire(item)}}
            for key, item in sorted(after.items(), key=itemgetter(0))
            if key not in before or not equal(before[key], item)
        ]
        requests += [
            {"DeleteRequest": {"Key": item_to_wire(key_of(table, item))}}
            for key, item in before.items()
            if key not in after
        ]
        for some in in_batches(requests):
            left: Any = {self.name(table.name): some}
            pause = 0.05
            while left:
                answer = self.client.batch_write_item(RequestItems=left)
                left = answer.get("UnprocessedItems")
                if left:
                    time.sleep(pause)
                    pause *= 2


def in_batches(
    requests: Sequence[Any], most: int = 25, most_bytes: int = 8_000_000
) -> Iterator[list[Any]]:
    """Requests in batches of at most 25 and well under 16 MB (BatchWriteItem, API reference)."""
    batch: list[Any] = []
    size = 0
    for request in requests:
        weight = len(repr(request))
        if batch and (len(batch) == most or size + weight > most_bytes):
            yield batch
            batch, size = [], 0
        batch.append(request)
        size += weight
    if batch:
        yield batch


def description(table: Table, name: str) -> dict[str, Any]:
    """What CreateTable is given. TTL, streams and backups change no answer and are left out."""
    key = table.key
    types = {key.partition.name: key.partition.type}
    schema = [{"AttributeName": key.partition.name, "KeyType": "HASH"}]
    if key.sort is not None:
        types[key.sort.name] = key.sort.type
        schema.append({"AttributeName": key.sort.name, "KeyType": "RANGE"})
    of_kind: dict[str, list[Wire]] = {"global": [], "local": []}
    for index in table.indexes:
        types |= {part.name: part.type for part in (*index.partition, *index.sort)}
        of_kind[index.kind].append(_index(index))
    described: dict[str, Any] = {
        "TableName": name,
        "KeySchema": schema,
        "AttributeDefinitions": [
            {"AttributeName": attribute, "AttributeType": kind} for attribute, kind in types.items()
        ],
        "BillingMode": "PAY_PER_REQUEST",
    }
    if of_kind["global"]:
        described["GlobalSecondaryIndexes"] = of_kind["global"]
    if of_kind["local"]:
        described["LocalSecondaryIndexes"] = of_kind["local"]
    return described


def _index(index: Index) -> Wire:
    projection: Wire = {"ProjectionType": index.projection.type}
    if index.projection.type == "INCLUDE":
        projection["NonKeyAttributes"] = list(index.projection.attributes)
    return {
        "IndexName": index.name,
        "KeySchema": [
            *({"AttributeName": part.name, "KeyType": "HASH"} for part in index.partition),
            *({"AttributeName": part.name, "KeyType": "RANGE"} for part in index.sort),
        ],
        "Projection": projection,
    }


def key_names(table: Table) -> tuple[str, ...]:
    """The attributes of a table's primary key."""
    parts = (table.key.partition, table.key.sort)
    return tuple(part.name for part in parts if part is not None)


def key_of(table: Table, item: Item) -> Item:
    """An item's primary key."""
    return {name: item[name] for name in key_names(table)}


def primary_key(table: Table, item: Item) -> Value:
    """An item's primary key, to look it up by."""
    return tuple(canonical(item[name]) for name in key_names(table))


def expected_items(plan: Plan, state: State) -> dict[str, Stored]:
    """What each table must hold for a state: every shape of every item, by its templates."""
    tables: dict[str, Stored] = {}
    carried, counted = Carried(plan, state), Counted(plan)
    for table in plan.tables:
        stored: Stored = {}
        for shape in table.items:
            if shape.inside is not None:
                continue
            within = [_Within(each, state) for each in plan.embedded_in(shape.shape)]
            for item in (
                held
                for one in state.get(shape.entity, ())
                for held in counted.held(shape, carried.whole(shape.entity, one))
            ):
                made = shaped(table, shape, item)
                if made is None:
                    continue
                for one in within:
                    made = {**made, **one.of(item)}
                key = primary_key(table, made)
                if key in stored:
                    said = {
                        "key": show(key_of(table, made)),
                        "one": show(stored[key]),
                        "other": show(made),
                    }
                    raise CollisionError(say("items-collide", table=table.name, **said))
                stored[key] = made
        tables[table.name] = stored
    return tables


class _Within:
    """The items of an embedded shape, by the item that each lies in."""

    def __init__(self, shape: Shape, state: State) -> None:
        assert shape.inside is not None
        self.shape, self.place = shape, shape.inside
        self.found: dict[Value, list[Item]] = {}
        for item in state.get(shape.entity, ()):
            key = tuple(canonical(item.get(own)) for own in self.place.same)
            self.found.setdefault(key, []).append(item)

    def of(self, host: Item) -> Item:
        """What the host's item carries of them."""
        key = tuple(canonical(host.get(theirs)) for theirs in self.place.same.values())
        items = self.found.get(key, [])
        if self.place.at is None:
            return {self.place.attribute: self.element(items[0])} if items else {}
        at = self.place.at
        return {
            self.place.attribute: {keys.render(at, item.get): self.element(item) for item in items}
        }

    def element(self, item: Item) -> Item:
        carried = {name: item[name] for name in self.shape.attributes if item.get(name) is not None}
        return {name: from_wire(to_wire(value)) for name, value in carried.items()}


def without_orphans(plan: Plan, state: State) -> State:
    """A state without embedded items whose parent is missing: they can be nowhere."""
    kept = dict(state)
    for table in plan.tables:
        for shape in table.items:
            if shape.inside is None:
                continue
            hosts = {s.shape: s.entity for s in table.items}
            theirs = shape.inside.same.values()
            there = {
                tuple(canonical(item.get(name)) for name in theirs)
                for item in state.get(hosts[shape.inside.shape], ())
            }
            kept[shape.entity] = tuple(
                item
                for item in state.get(shape.entity, ())
                if tuple(canonical(item.get(own)) for own in shape.inside.same) in there
            )
    return kept


def shaped(table: Table, shape: Shape, item: Item) -> Item | None:
    """An item as a shape stores it; None where the shape has none of it (its key is missing)."""
    made = {name: item[name] for name in shape.attributes if item.get(name) is not None}
    for name, template in shape.set.items():
        value = keys.render(template, item.get)
        if value is not None:
            made[name] = value
    # What has been stored has been through the API: numbers in its form, and no tuples.
    made = {name: from_wire(to_wire(value)) for name, value in made.items()}
    return made if all(name in made for name in key_names(table)) else None


def settled(plan: Plan, table: Table, items: Stored) -> Stored:
    """The items of a table with what each counted number is in all, whichever counters of an item have how much of it.

    The sum stands in the item and in each copy of it, or where none of these is here in the first of its counters.
    """
    counters = {shape.entity: shape for shape in table.items if shape.shards}
    counting = {
        shape.shape: counter
        for shape in table.items
        if (counter := counters.get(shape.entity)) and set(counter.counts) & set(shape.attributes)
    }
    found = dict(items)
    alike: dict[Value, list[tuple[bool, Value]]] = {}
    for key in sorted(items, key=repr):
        item = items[key]
        name = str(item.get(plan.type_attribute or ""))
        counter = counting.get(name)
        if counter is None:
            continue
        named = [one for one in counter.attributes if one not in counter.counts]
        group = (counter.shape, *(canonical(item.get(one)) for one in named))
        alike.setdefault(group, []).append((name == counter.shape, key))
    for (shape, *_), held in alike.items():
        added = [key for counts, key in held if counts]
        whole = [key for counts, key in held if not counts]
        names = counting[shape].counts
        for key in added:
            found[key] = {n: value for n, value in items[key].items() if n not in names}
        for key in whole or added[:1]:
            for one in names:
                numbers = (items[each].get(one) for each in dict.fromkeys((key, *added)))
                known = [number for number in numbers if number is not None]
                found[key] = {**found[key], **({one: sum(known, Decimal(0))} if known else {})}
    return found


def differences(
    plan: Plan, table: Table, expected: Stored, found: Mapping[Value, Item]
) -> list[str]:
    """How a table's content differs from what it must be, item by item."""
    said = []
    expected, found = (settled(plan, table, dict(items)) for items in (expected, found))
    for key, item in expected.items():
        if key not in found:
            said.append(f"{table.name} lacks {show(item)}")
        elif not equal(item, found[key]):
            other = found[key]
            for name in sorted(item.keys() | other.keys()):
                if not equal(item.get(name), other.get(name)):
                    said.append(
                        f"{table.name} {show(key_of(table, item))}: {name} is "
                        f"{show(other.get(name))} instead of {show(item.get(name))}"
                    )
    said += [
        f"{table.name} has the unexpected item {show(item)}"
        for key, item in found.items()
        if key not in expected
    ]
    return said
