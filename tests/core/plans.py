"""A small design and two plans of it, written by hand to say more than a planner's answer would.

Between them: shared and natural keys, each type of key attribute, local and global indexes, keys of
several attributes, each projection, streams, times to live, recovery, table classes, personal data
and teams.
"""

from designer.core.design.document import Design
from designer.core.plan import Plan

DESIGN = Design.model_validate(
    {
        "name": "Library",
        "description": "Members borrow copies of books.\nEach copy has its own number.",
        "table_prefix": "library-",
        "entities": [
            {
                "name": "Member",
                "identifier": ["memberId"],
                "needs": {"personal_data": True, "team": "Front desk"},
                "attributes": [{"name": "memberId"}, {"name": "name"}],
            },
            {
                "name": "Loan",
                "identifier": ["memberId", "copy"],
                "needs": {"stream": "new-and-old", "team": "Front desk"},
                "attributes": [
                    {"name": "memberId"},
                    {"name": "copy", "type": "N", "format": "integer", "digits": 8},
                    {"name": "branch"},
                    {"name": "dueDay", "format": "date"},
                    {"name": "title"},
                    {"name": "expiresAt", "type": "N", "format": "epoch", "ttl": True},
                ],
            },
            {
                "name": "Scan",
                "identifier": ["digest"],
                "needs": {"recovery_days": 0, "table_class": "infrequent-access"},
                "attributes": [{"name": "digest", "type": "B"}, {"name": "copy", "type": "N"}],
            },
        ],
        "patterns": [
            {
                "number": 1,
                "name": "Loans of a member",
                "kind": "list",
                "returns": "Loan",
                "where": [{"attribute": "memberId", "is": {"param": "memberId"}}],
                "rate": {"average": 10, "peak": 90},
            },
            {
                "number": 2,
                "name": "Loans due at a branch, the first due first",
                "kind": "list",
                "returns": "Loan",
                "where": [{"attribute": "branch", "is": {"param": "branch"}}],
                "order": ["dueDay ascending"],
                "rate": {"average": 2},
            },
            {
                "number": 3,
                "name": "Lend a copy",
                "kind": "create",
                "entity": "Loan",
                "rate": {"average": 5, "peak": 20},
            },
            {
                "number": 4,
                "name": "Search books by words",
                "kind": "elsewhere",
                "returns": "Loan",
                "because": "full-text search",
            },
        ],
    }
)

_ELSEWHERE = {
    "pattern": 4,
    "answer": "elsewhere",
    "because": "It is a full-text search: use OpenSearch.",
}


def _read(pattern: int, table: str, index: str | None, units: float) -> dict[str, object]:
    step = {"id": "s1", "call": "Query", "table": table, "index": index}
    return {
        "pattern": pattern,
        "answer": "in one request",
        "steps": [{**step, "expects": {"units": units}}],
    }


def _write(table: str, index: str) -> dict[str, object]:
    step = {
        "id": "w",
        "call": "PutItem",
        "table": table,
        "expects": {"units": 1.0, "index_units": {f"{table}/{index}": 2.0}},
        "members": [{"put": "Loan", "table": table}],
    }
    return {"pattern": 3, "answer": "in one request", "steps": [step]}


_HEAD = {
    "design": {"name": "Library", "meaning": "sha256:5ae1"},
    "planner": "0",
    "cost": {"per_month": 1.0, "bound": 1.0, "gap": 0.0},
}

SINGLE = Plan.model_validate(
    {
        **_HEAD,
        "style": "single",
        "tables": [
            {
                "name": "library-main",
                "key": {
                    "partition": {"name": "PK", "type": "S"},
                    "sort": {"name": "SK", "type": "S"},
                },
                "ttl": "expiresAt",
                "stream": "new-and-old",
                "serves": [1, 3],
                "indexes": [
                    {
                        "name": "GSI1",
                        "partition": [{"name": "GSI1PK", "type": "S"}],
                        "sort": [{"name": "GSI1SK", "type": "S"}],
                        "projection": {"type": "INCLUDE", "attributes": ["title", "dueDay"]},
                        "sparse": True,
                        "serves": [2],
                    },
                    {
                        "name": "LSI1",
                        "kind": "local",
                        "partition": [{"name": "PK", "type": "S"}],
                        "sort": [{"name": "copy", "type": "N"}],
                        "projection": {"type": "KEYS_ONLY"},
                    },
                ],
                "items": [
                    {
                        "shape": "Member",
                        "entity": "Member",
                        "set": {"PK": "MEMBER#{memberId}", "SK": "A", "Type": "Member"},
                        "attributes": {"memberId": {"type": "S"}, "name": {"type": "S"}},
                    },
                    {
                        "shape": "Loan",
                        "entity": "Loan",
                        "set": {
                            "PK": "MEMBER#{memberId}",
                            "SK": "LOAN#{pad(8, 0, copy)}#",
                            "GSI1PK": "BRANCH#{branch}",
                            "GSI1SK": "DUE#{dueDay}#{memberId}",
                            "Type": "Loan",
                        },
                        "attributes": {
                            "memberId": {"type": "S"},
                            "copy": {"type": "N"},
                            "branch": {"type": "S", "optional": True},
                            "dueDay": {"type": "S"},
                            "title": {"type": "S"},
                            "expiresAt": {"type": "N", "optional": True},
                        },
                    },
                ],
            }
        ],
        "operations": [
            _read(1, "library-main", None, 1.5),
            _read(2, "library-main", "GSI1", 0.5),
            _write("library-main", "GSI1"),
            _ELSEWHERE,
        ],
        "decisions": [
            {"about": "index library-main/GSI1", "because": "No other key starts with the branch."},
            {"about": "key Loan", "because": "Said where keys are explained, not in templates."},
        ],
    }
)
"""Members and their loans in one table; scans are left to the other plan."""

MULTI = Plan.model_validate(
    {
        **_HEAD,
        "style": "multi",
        "tables": [
            {
                "name": "library-Members",
                "key": {"partition": {"name": "memberId", "type": "S"}},
                "items": [
                    {
                        "shape": "Member",
                        "entity": "Member",
                        "attributes": {"memberId": {"type": "S"}, "name": {"type": "S"}},
                    }
                ],
            },
            {
                "name": "library-Loans",
                "key": {
                    "partition": {"name": "memberId", "type": "S"},
                    "sort": {"name": "copy", "type": "N"},
                },
                "ttl": "expiresAt",
                "stream": "keys-only",
                "recovery_days": 7,
                "serves": [1, 3],
                "indexes": [
                    {
                        "name": "LoansByBranch",
                        "partition": [{"name": "branch", "type": "S"}],
                        "sort": [
                            {"name": "dueDay", "type": "S"},
                            {"name": "copy", "type": "N"},
                        ],
                        "projection": {"type": "ALL"},
                        "serves": [2],
                    }
                ],
                "items": [
                    {
                        "shape": "Loan",
                        "entity": "Loan",
                        "attributes": {
                            "memberId": {"type": "S"},
                            "copy": {"type": "N"},
                            "branch": {"type": "S"},
                            "dueDay": {"type": "S"},
                        },
                    }
                ],
            },
            {
                "name": "library-Scans",
                "key": {"partition": {"name": "digest", "type": "B"}},
                "recovery_days": 0,
                "table_class": "infrequent-access",
                "items": [
                    {
                        "shape": "Scan",
                        "entity": "Scan",
                        "attributes": {"digest": {"type": "B"}, "copy": {"type": "N"}},
                    }
                ],
            },
        ],
        "operations": [
            _read(1, "library-Loans", None, 1.5),
            _read(2, "library-Loans", "LoansByBranch", 0.5),
            _write("library-Loans", "LoansByBranch"),
            _ELSEWHERE,
        ],
    }
)

PLANS = {plan.style: plan for plan in (SINGLE, MULTI)}
