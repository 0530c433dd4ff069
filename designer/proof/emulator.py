"""moto, an emulator of DynamoDB, inside this process: it is asked in AWS's JSON, with no network between.

Imported where something is proven and nowhere else, since the processes that serve pages do without it.
"""

import copy
import json
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import boto3
from botocore import UNSIGNED
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.config import Config
from moto.core.botocore_stubber import MockRawResponse
from moto.core.request import normalize_request
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.dynamo_type import DynamoType
from moto.dynamodb.models.table import Table
from moto.dynamodb.responses import DynamoHandler

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

Place = tuple[str, DynamoType, DynamoType | None]
"""Where an item lies: the name of its table, and its key's two halves."""


def client(config: Config) -> "DynamoDBClient":
    """A client of an emulator of its own, which is empty."""
    made = boto3.client(
        "dynamodb",
        endpoint_url="http://moto.invalid",  # nothing is ever sent there
        region_name="us-east-1",
        config=config.merge(Config(signature_version=UNSIGNED)),
    )
    backend = _Backend("us-east-1", "123456789012")

    def answer(request: AWSPreparedRequest, **_: Any) -> Any:
        asked = normalize_request(request)
        try:
            status, headers, body = _Handler(backend).answer(asked)
        except Exception as error:  # as moto's server does
            status, headers = 500, {}
            body = json.dumps({"__type": "InternalServerError", "message": repr(error)})
        return AWSResponse(request.url, status, headers, MockRawResponse(body))

    made.meta.events.register("before-send.dynamodb", answer)
    return made


class _Handler(DynamoHandler):
    """moto's, for one request to one backend."""

    def __init__(self, backend: DynamoDBBackend) -> None:
        super().__init__()
        self.backend = backend

    @property
    def dynamodb_backend(self) -> DynamoDBBackend:
        return self.backend

    def answer(self, request: Any) -> Any:
        """Status, headers and body."""
        return self._dispatch(request, request.raw_url, request.headers)

    def serialized(self, action_result: Any) -> Any:
        """As moto's, which tries many names for each part of each value; those of items are as they must be."""
        result = action_result.result
        if self._get_action() not in _READS or not isinstance(result, Mapping):
            return super().serialized(action_result)
        said = {name: value for name, value in result.items() if value is not None}
        return 200, dict(self.response_headers), json.dumps(said, default=_base64)


_READS = ("BatchGetItem", "GetItem", "Query", "Scan", "TransactGetItems")


def _base64(value: bytes) -> str:
    return b64encode(value).decode()


class _Backend(DynamoDBBackend):
    """moto's tables."""

    def transact_write_items(self, transact_items: list[dict[str, Any]]) -> None:
        """As moto's, which copies a whole table for each of the writes, so as to be able to go back.

        So it is given tables with nothing in them but the items that the transaction names.
        """
        try:
            places = list(self._places(transact_items))
        except KeyError:
            return super().transact_write_items(transact_items)  # which says what is wrong
        whole = {name: self.tables[name] for name, _, _ in places}
        for name, table in whole.items():
            self.tables[name] = copy.copy(table)
            self.tables[name].items = defaultdict(dict)
        _move(places, whole, self.tables)
        try:
            return super().transact_write_items(transact_items)
        finally:
            _move(places, self.tables, whole)
            self.tables.update(whole)

    def _places(self, transact_items: Sequence[Mapping[str, Any]]) -> Iterator[Place]:
        for one in transact_items:
            (request,) = one.values()
            table = self.tables[request["TableName"]]
            named = request.get("Item") or request["Key"]
            sort = table.range_key_attr
            yield (
                table.name,
                DynamoType(named[table.hash_key_attr]),
                None if sort is None else DynamoType(named[sort]),
            )


def _move(places: Sequence[Place], source: Mapping[str, Table], to: Mapping[str, Table]) -> None:
    """Make the items of these places in some tables what they are in others."""
    for name, partition, sort in places:
        item = source[name].get_item(partition, sort)
        held: Any = to[name].items
        if item is None:
            to[name].delete_item(partition, sort)
        elif sort is None:
            held[partition] = item
        else:
            held[partition][sort] = item
