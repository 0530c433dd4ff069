"""What the rules of sizes and units say of the items that are there is what the engine reports.

Not comparable on DynamoDB Local, and therefore left out here: transactions (it counts equal members once, at twice
the rate), keys of a batch that are not there (0 instead of the minimum), and a Query that finds
nothing (0 instead of the minimum).
"""

from random import Random

import pytest

from designer.core import gallery
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.core.sizes import item_bytes
from designer.core.units import index_write_units, read_units, write_units
from designer.proof.engine import Engine, engine
from designer.proof.prove import prove_on
from designer.proof.values import item_from_wire
from tests.designs_generated import generated

pytestmark = pytest.mark.engine_local

NOT_FOR_SIZE = ("FilterExpression", "ProjectionExpression", "Select", "ReturnConsumedCapacity")


class Watching:
    """A client that compares the capacity which each answer reports with our rules."""

    def __init__(self, client, plan):
        self.client = client
        self.tables = {table.name: table for table in plan.tables}
        self.compared = 0
        self.differences = []

    def __getattr__(self, name):
        return getattr(self.client, name)

    def compare(self, what, ours, reported):
        self.compared += 1
        if float(ours) != reported:
            self.differences.append(f"{what}: {float(ours)} by our rules, {reported} reported")

    def query(self, **request):
        answer = self.client.query(**request)
        plain = {name: value for name, value in request.items() if name not in NOT_FOR_SIZE}
        words = plain["KeyConditionExpression"]
        for name in ("ExpressionAttributeNames", "ExpressionAttributeValues"):
            plain[name] = {
                placeholder: value
                for placeholder, value in plain[name].items()
                if placeholder
                in words.replace(",", " ").replace("(", " ").replace(")", " ").split()
            }
        items = self.client.query(**plain)["Items"]
        if items:
            size = sum(item_bytes(item_from_wire(item)) for item in items)
            consistency = "strong" if request["ConsistentRead"] else "eventual"
            reported = answer["ConsumedCapacity"]["CapacityUnits"]
            self.compare(f"Query of {size} bytes", read_units(size, consistency), reported)
        return answer

    def get_item(self, **request):
        answer = self.client.get_item(**request)
        item = self.item(request["TableName"], request["Key"])
        consistency = "strong" if request["ConsistentRead"] else "eventual"
        ours = read_units(item_bytes(item) if item else 0, consistency)
        self.compare("GetItem", ours, answer["ConsumedCapacity"]["CapacityUnits"])
        return answer

    def put_item(self, **request):
        key = self.key(request["TableName"], request["Item"])
        return self.written(self.client.put_item, request, key)

    def update_item(self, **request):
        return self.written(self.client.update_item, request, request["Key"])

    def delete_item(self, **request):
        return self.written(self.client.delete_item, request, request["Key"])

    def written(self, call, request, key):
        before = self.item(request["TableName"], key)
        answer = call(**request)
        after = self.item(request["TableName"], key)
        reported = answer["ConsumedCapacity"]
        size = max(item_bytes(item) if item else 0 for item in (before, after))
        self.compare(call.__name__, write_units(size), reported["Table"]["CapacityUnits"])
        indexes = reported.get("GlobalSecondaryIndexes", {})
        for index in self.table(request["TableName"]).indexes:
            ours = index_units(self.table(request["TableName"]), index, before, after)
            said = indexes.get(index.name, {}).get("CapacityUnits", 0.0)
            self.compare(f"{call.__name__} on {index.name}", ours, said)
        return answer

    def table(self, name):
        return next(table for own, table in self.tables.items() if name.endswith(f"-{own}"))

    def key(self, name, item):
        key = self.table(name).key
        return {part.name: item[part.name] for part in (key.partition, key.sort) if part}

    def item(self, name, key):
        found = self.client.get_item(TableName=name, Key=key, ConsistentRead=True).get("Item")
        return None if found is None else item_from_wire(found)


def index_units(table, index, before, after):
    """By our rules: what a write costs on one index."""
    keys = [part.name for part in (*index.partition, *index.sort)]
    own = [part.name for part in (table.key.partition, table.key.sort) if part]

    def entry(item):
        if item is None or not all(key in item for key in keys):
            return None
        if index.projection.type == "ALL":
            return item
        kept = {*keys, *own, *index.projection.attributes}
        return {name: value for name, value in item.items() if name in kept}

    old, new = entry(before), entry(after)
    moved = None not in (old, new) and [old[k] for k in keys] != [new[k] for k in keys]
    sizes = [None if one is None else item_bytes(one) for one in (old, new)]
    return index_write_units(*sizes, key_moved=moved, changed=old != new)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("slug", ["shop", "catalogue", "merchant-orders"])
def test_reported_units_are_what_our_rules_say(slug, style, dynamodb_local):
    design = gallery.load(slug)
    made = plan(design, style)
    watching = Watching(engine(dynamodb_local).client, made)
    verdict = prove_on(Engine("watched", watching), design, made, large=True)
    assert verdict.passed
    assert watching.differences == []
    assert watching.compared > 30


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", range(12))
def test_reported_units_are_what_our_rules_say_of_generated_designs(seed, style, dynamodb_local):
    design = generated(Random(seed))
    made = plan(design, style)
    watching = Watching(engine(dynamodb_local).client, made)
    prove_on(Engine("watched", watching), design, made)
    assert watching.differences == []
    assert watching.compared > 0
