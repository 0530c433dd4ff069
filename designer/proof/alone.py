"""A transaction's writes, each sent again as the single write that it would be."""

from collections.abc import Iterator, Mapping

from designer.proof.exchanges import Sent
from designer.proof.tables import Stored, Tables, key_names, primary_key
from designer.proof.values import item_from_wire, item_to_wire

_METHODS = {"Put": "put_item", "Update": "update_item", "Delete": "delete_item"}


def alone(tables: Tables, held: Mapping[str, Stored], one: Sent) -> Iterator[Sent]:
    """Each write of a transaction by itself, on tables that hold `held`, and do again afterwards."""
    for member in one.arguments["TransactItems"]:
        ((kind, request),) = member.items()
        table = tables.plan.table(request["TableName"].removeprefix(tables.prefix))
        named = request.get("Item") or request["Key"]
        before = held[table.name].get(primary_key(table, item_from_wire(named)))
        method = _METHODS.get(kind) or _checking(before is not None)
        answer = getattr(tables.client, method)(**request, ReturnConsumedCapacity="INDEXES")
        if before is not None:
            tables.client.put_item(TableName=request["TableName"], Item=item_to_wire(before))
        else:
            key = {part: named[part] for part in key_names(table)}
            tables.client.delete_item(TableName=request["TableName"], Key=key)
        yield Sent(method, request, answer)


def _checking(is_there: bool) -> str:
    """What writes nothing when a check's condition holds, as no write but a transaction's only checks."""
    return "update_item" if is_there else "delete_item"
