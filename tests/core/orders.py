"""A small design and a plan for it, both written by hand: users with a guarded e-mail address, and
their orders.
"""

from designer.core.design.document import Design
from designer.core.plan import Plan

ORDERS = Design.model_validate(
    {
        "name": "Orders",
        "entities": [
            {
                "name": "User",
                "identifier": ["userId"],
                "items": 1000,
                "attributes": [
                    {"name": "userId", "format": "uuid", "examples": ["u1", "u2", "u3"]},
                    {"name": "email", "format": "email", "unique": True, "mutable": True},
                    {"name": "name", "mutable": True},
                    {"name": "premiumSince", "format": "date", "present": 0.01},
                ],
            },
            {
                "name": "Order",
                "identifier": ["orderId"],
                "items": 5000,
                "attributes": [
                    {"name": "orderId", "format": "ulid"},
                    {"name": "userId", "refers_to": "User.userId"},
                    {"name": "placedAt", "format": "datetime"},
                    {
                        "name": "status",
                        "values": ["PENDING", "PAID", "DONE"],
                        "shares": [0.1, 0.2, 0.7],
                        "mutable": True,
                    },
                    {"name": "total", "type": "N", "format": "decimal", "digits": 8, "scale": 2},
                ],
            },
        ],
        "relationships": [
            {"name": "places", "one": "User", "many": "Order", "by": "userId", "average": 5}
        ],
        "patterns": [
            {
                "number": 1,
                "name": "A user's orders, newest first",
                "kind": "list",
                "returns": "Order",
                "where": [{"attribute": "userId", "is": {"param": "userId"}}],
                "keep": [{"attribute": "total", "from": {"param": "least"}, "share": 0.5}],
                "order": ["placedAt descending"],
                "limit": 20,
                "rate": {"average": 120, "peak": 400},
            },
            {
                "number": 2,
                "name": "Orders with a given status",
                "kind": "list",
                "returns": "Order",
                "where": [{"attribute": "status", "is": {"param": "status"}}],
            },
            {
                "number": 3,
                "name": "A user by e-mail address",
                "kind": "get",
                "returns": "User",
                "where": [{"attribute": "email", "is": {"param": "email"}}],
            },
            {"number": 4, "name": "Place an order", "kind": "create", "entity": "Order"},
            {
                "number": 5,
                "name": "Find words in orders",
                "kind": "elsewhere",
                "returns": "Order",
                "because": "full-text search",
            },
            {
                "number": 6,
                "name": "A user and their two newest orders",
                "kind": "get",
                "returns": "User",
                "where": [{"attribute": "userId", "is": {"param": "userId"}}],
                "with": [{"relationship": "places", "order": ["placedAt descending"], "limit": 2}],
            },
        ],
    }
)

_S = {"type": "S"}

PLAN = Plan.model_validate(
    {
        "design": {"name": "Orders", "meaning": "sha256:" + "0" * 64},
        "style": "single",
        "planner": "test",
        "cost": {"per_month": 12.5, "bound": 12.5, "gap": 0},
        "tables": [
            {
                "name": "orders",
                "key": {
                    "partition": {"name": "PK", "type": "S"},
                    "sort": {"name": "SK", "type": "S"},
                },
                "serves": [1, 3],
                "indexes": [
                    {
                        "name": "GSI1",
                        "partition": [{"name": "GSI1PK", "type": "S"}],
                        "sort": [{"name": "GSI1SK", "type": "S"}],
                        "projection": {"type": "INCLUDE", "attributes": ["orderId", "placedAt"]},
                        "serves": [2],
                    }
                ],
                "items": [
                    {
                        "shape": "User",
                        "entity": "User",
                        "set": {"PK": "USER#{userId}", "SK": "PROFILE", "Type": "User"},
                        "attributes": {
                            "userId": _S,
                            "email": _S,
                            "name": _S,
                            "premiumSince": {"type": "S", "optional": True},
                        },
                    },
                    {
                        "shape": "UserEmail",
                        "entity": "User",
                        "role": "guard",
                        "guards": ["email"],
                        "set": {"PK": "EMAIL#{email}", "SK": "GUARD", "Type": "UserEmail"},
                        "attributes": {"userId": _S},
                    },
                    {
                        "shape": "Order",
                        "entity": "Order",
                        "set": {
                            "PK": "USER#{userId}",
                            "SK": "ORDER#{placedAt}#{orderId}",
                            "GSI1PK": 'STATUS#{only(status, "PENDING", "PAID")}',
                            "GSI1SK": "{placedAt}",
                            "Type": "Order",
                        },
                        "attributes": {
                            "orderId": _S,
                            "userId": _S,
                            "placedAt": _S,
                            "status": _S,
                            "total": {"type": "N"},
                        },
                    },
                ],
            }
        ],
        "operations": [
            {
                "pattern": 1,
                "answer": "in one request",
                "requests": 1,
                "read_units": 0.5,
                "usd_per_month": 19.44,
                "parameters": [{"name": "userId"}, {"name": "least", "type": "N"}],
                "steps": [
                    {
                        "id": "s1",
                        "call": "Query",
                        "table": "orders",
                        "where": [
                            {"attribute": "PK", "equals": "USER#{userId}"},
                            {"attribute": "SK", "begins_with": "ORDER#"},
                        ],
                        "filter": [{"attribute": "total", "from": "{least}"}],
                        "forward": False,
                        "shapes": ["Order"],
                        "expects": {"requests": 1, "read": 5, "returned": 2.5, "units": 0.5},
                    }
                ],
                "result": {
                    "kind": "rows",
                    "parts": [{"name": "rows", "steps": ["s1"], "shapes": ["Order"], "limit": 20}],
                },
            },
            {
                "pattern": 2,
                "answer": "in one request",
                "requests": 1,
                "parameters": [{"name": "status"}],
                "steps": [
                    {
                        "id": "s1",
                        "call": "Query",
                        "table": "orders",
                        "index": "GSI1",
                        "where": [{"attribute": "GSI1PK", "equals": "STATUS#{status}"}],
                        "shapes": ["Order"],
                    }
                ],
                "result": {
                    "kind": "rows",
                    "parts": [{"name": "rows", "steps": ["s1"], "shapes": ["Order"]}],
                },
            },
            {
                "pattern": 3,
                "answer": "in several requests",
                "requests": 2,
                "parameters": [{"name": "email"}],
                "steps": [
                    {
                        "id": "guard",
                        "call": "GetItem",
                        "table": "orders",
                        "key": {"PK": "EMAIL#{email}", "SK": "GUARD"},
                        "consistent": True,
                        "when_missing": "stop",
                        "shapes": ["UserEmail"],
                    },
                    {
                        "id": "user",
                        "call": "GetItem",
                        "table": "orders",
                        "key": {"PK": "USER#{guard.userId}", "SK": "PROFILE"},
                        "shapes": ["User"],
                    },
                ],
                "result": {
                    "kind": "one",
                    "parts": [{"name": "rows", "steps": ["user"], "shapes": ["User"]}],
                },
            },
            {
                "pattern": 4,
                "answer": "in one request",
                "requests": 1,
                "write_units": 2,
                "parameters": [
                    {"name": "orderId"},
                    {"name": "userId"},
                    {"name": "placedAt"},
                    {"name": "status"},
                    {"name": "total", "type": "N"},
                ],
                "steps": [
                    {
                        "id": "w",
                        "call": "PutItem",
                        "table": "orders",
                        "members": [
                            {
                                "put": "Order",
                                "table": "orders",
                                "values": {
                                    "PK": "USER#{userId}",
                                    "SK": "ORDER#{placedAt}#{orderId}",
                                    "Type": {"value": "Order"},
                                    "orderId": "{orderId}",
                                },
                                "if": [{"attribute": "PK", "exists": False}],
                            }
                        ],
                    }
                ],
                "result": {"kind": "written"},
            },
            {
                "pattern": 5,
                "answer": "elsewhere",
                "because": "Send the table's stream to a search index",
            },
            {
                "pattern": 6,
                "answer": "in one request",
                "requests": 1,
                "parameters": [{"name": "userId"}],
                "steps": [
                    {
                        "id": "s1",
                        "call": "Query",
                        "table": "orders",
                        "where": [{"attribute": "PK", "equals": "USER#{userId}"}],
                        "forward": False,
                        "limit": 3,
                        "shapes": ["User", "Order"],
                    }
                ],
                "result": {
                    "kind": "one",
                    "parts": [
                        {"name": "rows", "steps": ["s1"], "shapes": ["User"]},
                        {
                            "name": "places",
                            "steps": ["s1"],
                            "shapes": ["Order"],
                            "limit": 2,
                            "per": [["userId", "userId"]],
                        },
                    ],
                },
            },
        ],
        "decisions": [
            {
                "about": "index orders/GSI1",
                "choice": "STATUS#{status}",
                "serves": [2],
                "because": "Nothing else answers it with the status alone.",
                "per_month": 3.1,
                "instead_of": [{"choice": "a lookup item for each order", "per_month": 6.2}],
            }
        ],
        "findings": [
            {
                "rule": "pattern-without-rate",
                "severity": "warning",
                "where": "patterns[1]",
                "message": "Pattern 2 has no rate, so it is not in the bill.",
                "remedy": "State how often it is asked.",
            }
        ],
    }
)
