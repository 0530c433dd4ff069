"""Plans on tables in memory: many designs, and whether these tables answer as DynamoDB does."""

from random import Random

import pytest
from botocore.exceptions import ClientError

from designer.core.plan import Plan
from designer.core.planner import plan
from designer.proof.engine import Engine, engine
from designer.proof.prove import prove_on
from tests.designs_generated import generated
from tests.memory import Both, DisagreementError, Memory
from tests.proof.plans import DESIGN, multi
from tests.proven import wrongs


@pytest.mark.parametrize("seed", range(20))
def test_every_operation_does_what_the_design_says_in_memory(seed):
    assert wrongs(seed) == []


@pytest.mark.parametrize("seed", [1018, 2240, 2295, 2349, 7608, 8102])
def test_what_few_designs_ask_is_done_as_the_design_says(seed):
    """A pinned sort key that begins with a value; a child's parent that is checked too, by a reference that is read;
    rows with one key and their own filters; the order of several values that a filter keeps; a count inside an item;
    copies that follow a deletion through an index that lags behind.
    """
    assert wrongs(seed) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20, 55))
def test_every_operation_of_many_designs_does_what_the_design_says_in_memory(seed):
    assert wrongs(seed) == []


@pytest.mark.engine_local
@pytest.mark.slow
def test_memory_gives_the_items_the_order_and_the_refusals_of_dynamodb_local(dynamodb_local):
    other = engine(dynamodb_local).client
    assert [line for seed in range(10) for line in wrongs(seed, other)] == []


def test_memory_agrees_with_moto_too(moto_server):
    other = engine(moto_server).client
    assert wrongs(0, other) == []


def in_memory(made: Plan) -> list[str]:
    verdict = prove_on(Engine("memory", Memory()), DESIGN, made)
    return [one.difference for one in verdict.patterns if one.status == "failed"]


def test_a_plan_that_reads_the_wrong_way_fails_in_memory():
    right = Plan.model_validate(multi())
    assert in_memory(right) == []
    wrong = right.model_dump(mode="json", by_alias=True)
    for operation in wrong["operations"]:
        for step in operation["steps"]:
            step["forward"] = not step["forward"]
    assert in_memory(Plan.model_validate(wrong)) != []


def test_a_plan_whose_items_collide_fails_in_memory():
    design = generated(Random(1))
    made = plan(design, "single").model_dump(mode="json", by_alias=True)
    table = made["tables"][0]
    names = [table["key"][part]["name"] for part in ("partition", "sort")]
    for shape in table["items"]:
        shape["set"] = {**shape["set"], **dict.fromkeys(names, "ONE")}
    verdict = prove_on(Engine("memory", Memory()), design, Plan.model_validate(made))
    assert "two items have the key" in verdict.problem


TABLE = {
    "TableName": "tried",
    "KeySchema": [
        {"AttributeName": "p", "KeyType": "HASH"},
        {"AttributeName": "s", "KeyType": "RANGE"},
    ],
    "AttributeDefinitions": [
        {"AttributeName": "p", "AttributeType": "S"},
        {"AttributeName": "s", "AttributeType": "N"},
        {"AttributeName": "g", "AttributeType": "S"},
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "index",
            "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        }
    ],
    "BillingMode": "PAY_PER_REQUEST",
}
KEY = {"p": {"S": "a"}, "s": {"N": "1"}}
QUERY = {"TableName": "tried", "KeyConditionExpression": "#p = :p"}
REFUSED = {
    "an empty key": ("put_item", {"TableName": "tried", "Item": {**KEY, "p": {"S": ""}}}),
    "a key of another type": ("put_item", {"TableName": "tried", "Item": {**KEY, "s": {"S": "1"}}}),
    "an empty index key": ("put_item", {"TableName": "tried", "Item": {**KEY, "g": {"S": ""}}}),
    "no whole key": ("get_item", {"TableName": "tried", "Key": {"p": {"S": "a"}}}),
    "a key twice in a batch": ("batch_get_item", {"RequestItems": {"tried": {"Keys": [KEY, KEY]}}}),
    "an item twice in a transaction": (
        "transact_write_items",
        {"TransactItems": [{"Delete": {"TableName": "tried", "Key": KEY}}] * 2},
    ),
    "a change of the key": (
        "update_item",
        {
            "TableName": "tried",
            "Key": KEY,
            "UpdateExpression": "SET #s = :v",
            "ExpressionAttributeNames": {"#s": "s"},
            "ExpressionAttributeValues": {":v": {"N": "2"}},
        },
    ),
    "a range the wrong way round": (
        "query",
        {
            "TableName": "tried",
            "KeyConditionExpression": "#p = :p AND #s BETWEEN :a AND :b",
            "ExpressionAttributeNames": {"#p": "p", "#s": "s"},
            "ExpressionAttributeValues": {
                ":p": {"S": "a"},
                ":a": {"N": "2"},
                ":b": {"N": "1"},
            },
        },
    ),
    "a filter on a key": (
        "query",
        {
            **QUERY,
            "FilterExpression": "#s = :s",
            "ExpressionAttributeNames": {"#p": "p", "#s": "s"},
            "ExpressionAttributeValues": {":p": {"S": "a"}, ":s": {"N": "1"}},
        },
    ),
    "a strong read of an index": (
        "query",
        {
            "TableName": "tried",
            "IndexName": "index",
            "KeyConditionExpression": "#g = :g",
            "ConsistentRead": True,
            "ExpressionAttributeNames": {"#g": "g"},
            "ExpressionAttributeValues": {":g": {"S": "a"}},
        },
    ),
    "a value that nothing uses": (
        "query",
        {
            **QUERY,
            "ExpressionAttributeNames": {"#p": "p"},
            "ExpressionAttributeValues": {":p": {"S": "a"}, ":q": {"S": "a"}},
        },
    ),
    "a condition that does not hold": (
        "delete_item",
        {
            "TableName": "tried",
            "Key": KEY,
            "ConditionExpression": "attribute_exists(#p)",
            "ExpressionAttributeNames": {"#p": "p"},
        },
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_memory_refuses(what):
    memory = Memory()
    memory.create_table(**TABLE)
    call, request = REFUSED[what]
    with pytest.raises(ClientError):
        getattr(memory, call)(**request)


@pytest.mark.engine_local
def test_what_memory_refuses_dynamodb_local_refuses_alike(dynamodb_local):
    both = Both(Memory(), engine(dynamodb_local).client)
    both.create_table(**TABLE)
    try:
        for call, request in REFUSED.values():
            with pytest.raises(ClientError):
                getattr(both, call)(**request)
    finally:
        both.delete_table(TableName="tried")


def test_memory_changes_what_lies_inside_an_attribute():
    memory = Memory()
    memory.create_table(**TABLE)
    key = {"p": {"S": "a"}, "s": {"N": "1"}}
    memory.put_item(TableName="tried", Item={**key, "held": {"M": {"one": {"N": "1"}}}})
    names = {"#h": "held", "#o": "one", "#t": "two"}
    change = {"TableName": "tried", "Key": key, "ExpressionAttributeNames": names}
    more = {
        "UpdateExpression": "SET #h.#t = :v REMOVE #h.#o",
        "ConditionExpression": "attribute_exists(#h.#o)",
    }
    memory.update_item(**change, **more, ExpressionAttributeValues={":v": {"N": "2"}})
    found = memory.get_item(TableName="tried", Key=key)["Item"]
    assert found["held"] == {"M": {"two": {"N": "2"}}}
    with pytest.raises(ClientError, match="condition"):
        memory.update_item(**change, **more, ExpressionAttributeValues={":v": {"N": "2"}})


def test_a_disagreement_is_seen():
    one, other = Memory(), Memory()
    both = Both(one, other)
    both.create_table(**TABLE)
    other.put_item(TableName="tried", Item=KEY)
    with pytest.raises(DisagreementError):
        both.get_item(TableName="tried", Key=KEY)


def test_maps_and_sets_inside_others_are_in_no_order():
    one, other = Memory(), Memory()
    both = Both(one, other)
    both.create_table(**TABLE)
    lists = {"a": {"SS": ["x", "y"]}, "b": {"M": {"c": {"N": "1"}, "d": {"N": "2"}}}}
    turned = {"b": {"M": {"d": {"N": "2"}, "c": {"N": "1"}}}, "a": {"SS": ["y", "x"]}}
    one.put_item(TableName="tried", Item={**KEY, "held": {"M": lists}})
    other.put_item(TableName="tried", Item={**KEY, "held": {"M": turned}})
    assert both.scan(TableName="tried")["Items"]
