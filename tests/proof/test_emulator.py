"""moto in this process answers as moto's server does."""

from typing import Any

import pytest
from botocore.exceptions import ClientError

from designer.proof.engine import engine

TABLE = "things"
NAMED: Any = {"TableName": TABLE}


def item(thing: str, part: str, **more: Any) -> Any:
    return {"thing": {"S": thing}, "part": {"S": part}, **more}


def key(thing: str, part: str) -> Any:
    return item(thing, part)


STORED = [
    item("a", "1", bytes={"B": b"\x00\xff"}, some={"SS": ["x", "y"]}, sort={"N": "-1.50"}),
    item("a", "2", list={"L": [{"M": {"in": {"NULL": True}}}, {"BOOL": False}]}, sort={"N": "7"}),
    item("b", "1", numbers={"NS": ["1", "2"]}, blobs={"BS": [b"1", b"2"]}, empty={"M": {}}),
]


def update(thing: str, part: str, condition: str) -> Any:
    return {
        "Update": {
            **NAMED,
            "Key": key(thing, part),
            "UpdateExpression": "SET #n = :v",
            "ConditionExpression": condition,
            "ExpressionAttributeNames": {"#n": "name"},
            "ExpressionAttributeValues": {":v": {"S": "new"}},
        }
    }


def transaction(*requests: Any) -> Any:
    return ("transact_write_items", {"TransactItems": list(requests)})


def put(thing: str, part: str) -> Any:
    return {"Put": {**NAMED, "Item": item(thing, part)}}


def delete(thing: str, part: str) -> Any:
    return {"Delete": {**NAMED, "Key": key(thing, part)}}


def query(**arguments: Any) -> Any:
    asked = {
        "KeyConditionExpression": "thing = :t",
        "ExpressionAttributeValues": {":t": {"S": "a"}},
        "ReturnConsumedCapacity": "INDEXES",
    }
    return ("query", {**NAMED, **asked, **arguments})


REQUESTS: dict[str, Any] = {
    "a query": query(),
    "its first page": query(Limit=1),
    "its second page": query(ExclusiveStartKey=key("a", "1"), ScanIndexForward=True),
    "a query that finds nothing": query(ExpressionAttributeValues={":t": {"S": "z"}}),
    "a query of an index": query(IndexName="by-sort", ScanIndexForward=False),
    "a query of numbers only": query(ProjectionExpression="sort"),
    "a query of no index": query(IndexName="nothing"),
    "an item": ("get_item", {**NAMED, "Key": key("b", "1")}),
    "no item": ("get_item", {**NAMED, "Key": key("z", "1")}),
    "half a key": ("get_item", {**NAMED, "Key": {"thing": {"S": "a"}}}),
    "several items": (
        "batch_get_item",
        {"RequestItems": {TABLE: {"Keys": [key("a", "1"), key("b", "1"), key("z", "1")]}}},
    ),
    "everything": ("scan", NAMED),
    "a transaction that goes through": transaction(
        update("a", "1", "attribute_exists(thing)"), put("c", "1"), delete("b", "1")
    ),
    "a transaction that is refused": transaction(
        put("c", "1"), update("z", "1", "attribute_exists(thing)"), delete("b", "1")
    ),
    "a transaction with one item twice": transaction(put("c", "1"), delete("c", "1")),
    "a transaction without half a key": transaction(
        put("c", "1"), {"Delete": {**NAMED, "Key": {"thing": {"S": "b"}}}}
    ),
    "a transaction on no table": transaction(
        put("c", "1"), {"Delete": {"TableName": "nothing", "Key": key("a", "1")}}
    ),
}


def answered(client: Any, method: str, arguments: Any) -> tuple[Any, Any]:
    """What a new table of things answers, and what it holds then."""
    client.create_table(
        **NAMED,
        KeySchema=[
            {"AttributeName": "thing", "KeyType": "HASH"},
            {"AttributeName": "part", "KeyType": "RANGE"},
        ],
        AttributeDefinitions=[
            {"AttributeName": "thing", "AttributeType": "S"},
            {"AttributeName": "part", "AttributeType": "S"},
            {"AttributeName": "sort", "AttributeType": "N"},
        ],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by-sort",
                "KeySchema": [
                    {"AttributeName": "thing", "KeyType": "HASH"},
                    {"AttributeName": "sort", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ],
        BillingMode="PAY_PER_REQUEST",
    )
    try:
        for one in STORED:
            client.put_item(**NAMED, Item=one)
        try:
            answer = getattr(client, method)(**arguments)
        except ClientError as error:
            answer = error.response
        held = client.scan(**NAMED)["Items"]
    finally:
        client.delete_table(**NAMED)
    return {name: said for name, said in answer.items() if name != "ResponseMetadata"}, held


@pytest.mark.parametrize("name", REQUESTS)
def test_it_answers_and_holds_what_motos_server_does(name, moto_server):
    here, there = engine().client, engine(moto_server).client
    assert answered(here, *REQUESTS[name]) == answered(there, *REQUESTS[name])


def test_each_engine_has_tables_of_its_own():
    one, other = engine().client, engine().client
    one.create_table(
        **NAMED,
        KeySchema=[{"AttributeName": "thing", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "thing", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    assert (one.list_tables()["TableNames"], other.list_tables()["TableNames"]) == ([TABLE], [])


def test_a_mistake_of_motos_is_an_error_of_the_engine():
    with pytest.raises(ClientError, match="has not been implemented"):
        engine().client.update_kinesis_streaming_destination(
            **NAMED, StreamArn="arn:aws:kinesis:us-east-1:123456789012:stream/none"
        )
