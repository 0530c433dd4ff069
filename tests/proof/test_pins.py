"""Plans around pins, and in the style between one table and many, answer like any other."""

import pytest

from designer.core.design import gallery
from designer.core.design.check import check
from designer.core.design.document import Design
from designer.core.planner import plan
from designer.proof import prove
from designer.proof.prove import prove_on
from tests.planned import outlined
from tests.proof.test_prove import failures
from tests.proven import in_memory

PINNED = {
    "starter": (
        {"entity": "Project", "key": {"partition": "P#{projectId}", "sort": "ABOUT"}},
        {"entity": "Task", "key": {"partition": "P#{projectId}", "sort": "T#{number}"}},
    ),
    "newest-orders": (
        {"style": "single", "entity": "Customer", "names": {"partition": "hash", "sort": "range"}},
        {"entity": "Order", "key": {"partition": "C#{customerId}", "sort": "PLACED#{orderId}"}},
        {
            "entity": "Order",
            "index": "Sent",
            "key": {"partition": "{status}", "sort": "{placedAt}#{total}"},
            "projection": "keys-only",
        },
    ),
    "accounts": ({"entity": "Account", "key": {"partition": "ACC#{accountId}", "sort": "ME"}},),
}


@pytest.mark.parametrize("style", ["single", "multi", "grouped"])
@pytest.mark.parametrize("slug", PINNED)
def test_pinned_plans_are_proven(slug, style):
    design = pinned(slug)
    made = plan(design, style, reasons="findings")
    assert [f.message for f in made.findings if f.rule in ("pin-not-obeyed", "pin-collides")] == []
    verdict = prove(design, made)
    assert failures(verdict) == []
    assert verdict.passed


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_grouped_plans_are_proven(slug):
    design = gallery.load(slug)
    verdict = prove_on(in_memory(), design, outlined(design, "grouped"))
    assert failures(verdict) == []
    assert verdict.passed


@pytest.mark.engine_local
@pytest.mark.parametrize("slug", ["shop", "discussion", "folder-tree", "inbox"])
def test_grouped_plans_are_proven_on_dynamodb_local(slug, dynamodb_local):
    design = gallery.load(slug)
    verdict = prove(design, outlined(design, "grouped"), dynamodb_local)
    assert failures(verdict) == []


def pinned(slug):
    design = gallery.load(slug)
    settings = type(design.planner).model_validate({"pins": PINNED[slug]})
    design = design.model_copy(update={"planner": settings})
    assert check(design) == ()
    return design


def test_a_sort_key_that_begins_with_a_value_is_told_from_those_beside_it():
    """Values that sort before, between and after what others have there; that of 2,240 made-up ones was a price."""
    by = {
        "kind": "get",
        "returns": "User",
        "where": [{"attribute": "userId", "is": {"param": "userId"}}],
    }
    rate = {"rate": {"average": 20}}
    own = {"name": "userId", "bytes": 8}
    document = {
        "name": "Nicknames",
        "entities": [
            {
                "name": "User",
                "identifier": ["userId"],
                "attributes": [own, {"name": "nick", "bytes": 6}],
            },
            *(
                {
                    "name": name,
                    "identifier": ["userId", key],
                    "attributes": [
                        {**own, "refers_to": "User.userId"},
                        {"name": key, "format": "ulid"},
                    ],
                }
                for name, key in (("Line", "lineId"), ("Order", "orderId"))
            ),
        ],
        "relationships": [
            {"name": "lines", "one": "User", "many": "Line", "by": "userId", "average": 9},
            {"name": "orders", "one": "User", "many": "Order", "by": "userId", "average": 2},
        ],
        "patterns": [
            {
                "number": 1,
                "name": "Some lines",
                **by,
                "with": [{"relationship": "lines", "limit": 9}],
                **rate,
            },
            {"number": 2, "name": "Orders", **by, "with": [{"relationship": "orders"}], **rate},
            {"number": 3, "name": "New", "kind": "create", "entity": "User", **rate},
        ],
        "planner": {
            "pins": [{"entity": "User", "key": {"partition": "USER#{userId}", "sort": "{nick}"}}]
        },
    }
    design = Design.model_validate(document)
    assert check(design) == ()
    assert failures(prove(design, outlined(design, "single"))) == []
