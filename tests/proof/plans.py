"""A design, and two plans for it written by hand: the documentation's, and one with a table for each entity."""

import copy
import re
from pathlib import Path

import yaml

from designer.core.design.document import Design
from designer.core.plan import Plan

DOCUMENTATION = Path(__file__).resolve().parents[2] / "docs" / "plan-format.md"

DESIGN = Design.model_validate(
    {
        "name": "Example",
        "entities": [
            {
                "name": "User",
                "identifier": ["userId"],
                "attributes": [
                    {"name": "userId"},
                    {
                        "name": "email",
                        "format": "email",
                        "unique": True,
                        "mutable": True,
                        "present": 0.9,
                    },
                    {"name": "name"},
                ],
            },
            {
                "name": "Order",
                "identifier": ["userId", "orderId"],
                "attributes": [
                    {"name": "userId", "refers_to": "User.userId"},
                    {"name": "orderId"},
                    {"name": "status", "values": ["OPEN", "PAID"], "mutable": True},
                    {"name": "total", "type": "N", "format": "decimal", "digits": 6, "scale": 2},
                ],
            },
        ],
        "relationships": [{"name": "places", "one": "User", "many": "Order", "by": "userId"}],
        "patterns": [
            {
                "number": 1,
                "name": "A user by e-mail address",
                "kind": "get",
                "returns": "User",
                "where": [{"attribute": "email", "is": {"param": "email"}}],
            },
            {
                "number": 2,
                "name": "A user and their two newest orders",
                "kind": "get",
                "returns": "User",
                "where": [{"attribute": "userId", "is": {"param": "userId"}}],
                "with": [{"relationship": "places", "order": ["orderId descending"], "limit": 2}],
            },
            {
                "number": 3,
                "name": "Orders with a given status, the dearest first",
                "kind": "list",
                "returns": "Order",
                "where": [{"attribute": "status", "is": {"param": "status"}}],
                "order": ["total descending"],
                "limit": 3,
            },
            {"number": 4, "name": "Register", "kind": "create", "entity": "User"},
            {
                "number": 5,
                "name": "Change the e-mail address",
                "kind": "update",
                "entity": "User",
                "set": {"email": {"param": "email"}},
            },
            {
                "number": 6,
                "name": "Place several orders at once",
                "kind": "transaction",
                "members": [
                    {"check": "User", "exists": True},
                    {
                        "create": "Order",
                        "each": "orders",
                        "times": {"average": 2, "most": 20},
                        "set": {"status": {"value": "OPEN"}},
                    },
                ],
            },
            {
                "number": 7,
                "name": "Pay an order that is open",
                "kind": "update",
                "entity": "Order",
                "set": {"status": {"value": "PAID"}},
                "if": [{"attribute": "status", "is": {"value": "OPEN"}}],
            },
        ],
    }
)


def single() -> dict:
    """The plan at the end of docs/plan-format.md, as data that a test may change."""
    blocks = re.findall(r"```yaml\n(.*?)```", DOCUMENTATION.read_text(encoding="utf-8"), re.DOTALL)
    return yaml.safe_load(blocks[-1])


def multi() -> dict:
    """The same design with a table for each entity, as data that a test may change."""
    return copy.deepcopy(MULTI)


USER_KEY = {"userId": "{userId}"}
ORDER_KEY = {"userId": "{userId}", "orderId": "{orderId}"}
THERE = {"attribute": "userId", "exists": True}
NEW = {"attribute": "userId", "exists": False}
GUARD = {
    "put": "UserEmail",
    "table": "user-emails",
    "values": {"email": "{email}", "userId": "{userId}"},
    "if": [{"attribute": "email", "exists": False}],
}
S, N = {"type": "S"}, {"type": "N"}

MULTI = {
    "keywright_plan": 1,
    "design": {"name": "Example", "meaning": "sha256:0"},
    "style": "multi",
    "planner": "by hand",
    "type_attribute": None,
    "cost": {"per_month": 1.0, "bound": 1.0, "gap": 0.0},
    "tables": [
        {
            "name": "users",
            "key": {"partition": {"name": "userId", "type": "S"}},
            "items": [
                {
                    "shape": "User",
                    "entity": "User",
                    "attributes": {
                        "userId": S,
                        "email": {"type": "S", "optional": True},
                        "name": S,
                    },
                }
            ],
        },
        {
            "name": "user-emails",
            "key": {"partition": {"name": "email", "type": "S"}},
            "items": [
                {
                    "shape": "UserEmail",
                    "entity": "User",
                    "role": "guard",
                    "guards": ["email"],
                    "attributes": {"email": S, "userId": S},
                }
            ],
        },
        {
            "name": "orders",
            "key": {
                "partition": {"name": "userId", "type": "S"},
                "sort": {"name": "orderId", "type": "S"},
            },
            "indexes": [
                {
                    "name": "OrdersByStatus",
                    "partition": [{"name": "status", "type": "S"}],
                    "sort": [{"name": "total", "type": "N"}],
                    "projection": {"type": "ALL"},
                }
            ],
            "items": [
                {
                    "shape": "Order",
                    "entity": "Order",
                    "attributes": {"userId": S, "orderId": S, "status": S, "total": N},
                }
            ],
        },
    ],
    "operations": [
        {
            "pattern": 1,
            "answer": "in several requests",
            "parameters": [{"name": "email"}],
            "steps": [
                {
                    "id": "guard",
                    "call": "GetItem",
                    "table": "user-emails",
                    "key": {"email": "{email}"},
                    "shapes": ["UserEmail"],
                    "when_missing": "stop",
                },
                {
                    "id": "user",
                    "call": "BatchGetItem",
                    "table": "users",
                    "key": {"userId": "{guard.userId}"},
                    "for_each": {"rows": "guard"},
                    "shapes": ["User"],
                },
            ],
            "result": {
                "kind": "one",
                "parts": [{"name": "rows", "steps": ["user"], "shapes": ["User"]}],
            },
        },
        {
            "pattern": 2,
            "answer": "in several requests",
            "parameters": [{"name": "userId"}],
            "steps": [
                {
                    "id": "s1",
                    "call": "GetItem",
                    "table": "users",
                    "key": USER_KEY,
                    "shapes": ["User"],
                },
                {
                    "id": "s2",
                    "call": "Query",
                    "table": "orders",
                    "where": [{"attribute": "userId", "equals": "{userId}"}],
                    "forward": False,
                    "limit": 2,
                    "shapes": ["Order"],
                },
            ],
            "result": {
                "kind": "one",
                "parts": [
                    {"name": "rows", "steps": ["s1"], "shapes": ["User"]},
                    {
                        "name": "places",
                        "steps": ["s2"],
                        "shapes": ["Order"],
                        "per": [["userId", "userId"]],
                    },
                ],
            },
        },
        {
            "pattern": 3,
            "answer": "in one request",
            "parameters": [{"name": "status"}],
            "steps": [
                {
                    "id": "s1",
                    "call": "Query",
                    "table": "orders",
                    "index": "OrdersByStatus",
                    "where": [{"attribute": "status", "equals": "{status}"}],
                    "forward": False,
                    "limit": 3,
                    "shapes": ["Order"],
                }
            ],
            "result": {
                "kind": "rows",
                "parts": [{"name": "rows", "steps": ["s1"], "shapes": ["Order"]}],
            },
        },
        {
            "pattern": 4,
            "answer": "in one request",
            "parameters": [
                {"name": "userId"},
                {"name": "email", "optional": True},
                {"name": "name"},
            ],
            "steps": [
                {
                    "id": "w",
                    "call": "TransactWriteItems",
                    "table": "users",
                    "members": [
                        {
                            "put": "User",
                            "table": "users",
                            "values": {"userId": "{userId}", "email": "{email}", "name": "{name}"},
                            "if": [NEW],
                        },
                        GUARD,
                    ],
                }
            ],
        },
        {
            "pattern": 5,
            "answer": "in several requests",
            "parameters": [{"name": "userId"}, {"name": "email"}],
            "steps": [
                {
                    "id": "old",
                    "call": "GetItem",
                    "table": "users",
                    "key": USER_KEY,
                    "consistent": True,
                    "shapes": ["User"],
                    "when_missing": "stop",
                },
                {
                    "id": "w",
                    "call": "TransactWriteItems",
                    "table": "users",
                    "members": [
                        {
                            "update": "User",
                            "table": "users",
                            "key": USER_KEY,
                            "set": {"email": "{email}"},
                            "if": [THERE, {"attribute": "email", "same_as": "old"}],
                        },
                        {
                            "delete": "UserEmail",
                            "table": "user-emails",
                            "key": {"email": "{old.email}"},
                            "unless_same": ["{old.email}", "{email}"],
                        },
                        {**GUARD, "unless_same": ["{old.email}", "{email}"]},
                    ],
                },
            ],
        },
        {
            "pattern": 6,
            "answer": "in one request",
            "parameters": [
                {"name": "userId"},
                {"name": "orders", "fields": [{"name": "orderId"}, {"name": "total", "type": "N"}]},
            ],
            "steps": [
                {
                    "id": "w",
                    "call": "TransactWriteItems",
                    "table": "orders",
                    "members": [
                        {"check": "User", "table": "users", "key": USER_KEY, "if": [THERE]},
                        {
                            "put": "Order",
                            "table": "orders",
                            "for_each": {"values": "orders"},
                            "values": {
                                **ORDER_KEY,
                                "status": {"value": "OPEN"},
                                "total": "{total}",
                            },
                            "if": [NEW],
                        },
                    ],
                }
            ],
        },
        {
            "pattern": 7,
            "answer": "in one request",
            "parameters": [{"name": "userId"}, {"name": "orderId"}],
            "steps": [
                {
                    "id": "w",
                    "call": "UpdateItem",
                    "table": "orders",
                    "members": [
                        {
                            "update": "Order",
                            "table": "orders",
                            "key": ORDER_KEY,
                            "set": {"status": {"value": "PAID"}},
                            "if": [THERE, {"attribute": "status", "is": {"value": "OPEN"}}],
                        }
                    ],
                }
            ],
        },
    ],
}


def plan_of(document: dict) -> Plan:
    """The plan of a document."""
    return Plan.model_validate(document)
