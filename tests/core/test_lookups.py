"""Items that writes find through an index, where the team allows it (rules 12 and 23)."""

import pytest

from designer.core.planner import plan
from designer.core.planner.workload.lookups import who_looks_up
from designer.proof.prove import prove
from tests.core.test_planner import CREATE, ORDER, design, is_, listing, operation

STRONG = listing(is_("userId"), order=["placedAt descending"], consistency="strong")
"""A strong list makes the table's key lead with the user, which a write by the identifier does not know."""
SEND = {
    "kind": "update",
    "entity": "Order",
    "set": {"status": {"param": "newStatus"}},
    "rate": {"average": 2},
}
DROP = {"kind": "delete", "entity": "Order", "rate": {"average": 0.1}}
ALLOWED = {"planner": {"lookups_before_writes": "gsi"}}
PATTERNS = [STRONG, {**CREATE, "rate": {"average": 400}}, SEND, DROP]


@pytest.fixture(params=["single", "multi"])
def style(request):
    return request.param


def roles(made):
    return [shape.role for table in made.tables for shape in table.items]


def test_a_write_goes_through_no_index_unless_the_team_allows_it(style):
    made = plan(design([ORDER], PATTERNS), style)
    assert all(step.index is None for step in operation(made, 3).steps)
    assert "guard" in roles(made) or "copy" in roles(made)


def test_an_index_leads_to_the_item_where_that_costs_less(style):
    made = plan(design([ORDER], PATTERNS, **ALLOWED), style)
    found, written = operation(made, 3).steps
    assert (found.call, found.index is None, found.consistent) == ("Query", False, False)
    assert found.when_missing == "stop"
    (member,) = written.members
    assert member.if_[0].exists
    assert "guard" not in roles(made)
    dearer = plan(design([ORDER], PATTERNS), style)
    assert made.cost.per_month < dearer.cost.per_month
    (decision,) = [one for one in made.decisions if one.about == "look-up Order"]
    assert decision.choice == "through an index"
    assert decision.serves == (3, 4)
    assert decision.per_month == made.cost.per_month
    assert [one.per_month for one in decision.instead_of] == [dearer.cost.per_month]


def test_who_knows_the_key_asks_nothing(style):
    asked = {**SEND, "given": ["userId", "placedAt"]}
    made = plan(design([ORDER], [STRONG, CREATE, asked], **ALLOWED), style)
    (step,) = operation(made, 3).steps
    assert step.call == "UpdateItem"


def test_nothing_is_looked_up_where_the_identifier_is_the_key(style):
    made = plan(design([ORDER], [CREATE, SEND], **ALLOWED), style)
    assert made.cost == plan(design([ORDER], [CREATE, SEND]), style).cost
    assert operation(made, 2).answer == "in one request"


@pytest.mark.proof
def test_what_is_found_through_an_index_is_written_right(style):
    moved = {
        "kind": "transaction",
        "members": [
            {
                "update": "Order",
                "set": {"note": {"param": "newNote"}},
                "times": {"average": 2, "most": 3},
            }
        ],
        "rate": {"average": 0.1},
    }
    there = {
        "kind": "transaction",
        "members": [
            {"check": "Order", "exists": True},
        ],
        "rate": {"average": 0.1},
    }
    of_status = listing(is_("status"), order=["placedAt descending"], limit=5)
    made_of = design([ORDER], [*PATTERNS, of_status, moved, there], **ALLOWED)
    made = plan(made_of, style)
    assert operation(made, 3).steps[0].index
    verdict = prove(made_of, made)
    assert verdict.passed, verdict.problem or [p for p in verdict.patterns if p.status != "passed"]


def test_an_identifier_that_a_relationship_says_is_the_parents_is_no_generated_one():
    parent = {"name": "Album", "identifier": ["albumId"], "attributes": [{"name": "albumId"}]}
    track = {
        "name": "Track",
        "identifier": ["albumId", "number"],
        "attributes": [{"name": "albumId", "format": "uuid"}, {"name": "number", "type": "N"}],
    }
    has = {"name": "has", "one": "Album", "many": "Track", "by": "albumId"}
    changes = [
        {"kind": kind, "entity": "Track", "rate": {"average": 1}} for kind in ("create", "delete")
    ]
    settings = {"lookups_before_writes": "gsi"}
    made = design([parent, track], changes, relationships=[has], planner=settings)
    assert who_looks_up(made) == ()
