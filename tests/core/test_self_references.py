"""An entity joined with itself: both directions are known, and each takes one Query."""

import pytest

from designer.core.design.document import Design
from designer.core.edits.relationships import add_relationship
from designer.core.planner import plan
from designer.core.planner.workload.requirements import requirements
from designer.proof.prove import prove


def follows(consistency: str = "eventual", rates: tuple[float, float] = (5, 5)) -> Design:
    def listing(number: int, name: str, given: str, rate: float) -> dict:
        return {
            "number": number,
            "name": name,
            "kind": "list",
            "returns": "Follow",
            "where": [{"attribute": given, "is": {"param": given}}],
            "consistency": consistency,
            "rate": {"average": rate},
        }

    return Design.model_validate(
        {
            "name": "Follows",
            "entities": [
                {
                    "name": "User",
                    "identifier": ["userId"],
                    "items": 10_000,
                    "attributes": [{"name": "userId", "format": "ulid"}, {"name": "name"}],
                },
                {
                    "name": "Follow",
                    "identifier": ["followerId", "followedId"],
                    "items": 400_000,
                    "attributes": [
                        {"name": "followerId", "format": "ulid", "refers_to": "User.userId"},
                        {"name": "followedId", "format": "ulid", "refers_to": "User.userId"},
                        {"name": "since", "format": "datetime"},
                    ],
                },
            ],
            "relationships": [
                {
                    "name": "follows",
                    "many": ["User", "User"],
                    "through": "Follow",
                    "averages": [40, 30],
                    "mosts": [5000, 100_000],
                }
            ],
            "patterns": [
                listing(1, "Whom a user follows", "followerId", rates[0]),
                listing(2, "A user's followers", "followedId", rates[1]),
                {
                    "number": 3,
                    "name": "Follow",
                    "kind": "create",
                    "entity": "Follow",
                    "rate": {"average": 1},
                },
                {
                    "number": 4,
                    "name": "No longer follow",
                    "kind": "delete",
                    "entity": "Follow",
                    "rate": {"average": 0.1},
                },
            ],
        }
    )


def test_each_side_of_an_entity_with_itself_has_its_own_attributes():
    design = follows()
    relationship = design.relationship["follows"]
    assert design.sides(relationship) == (
        ("User", (("followerId", "userId"),)),
        ("User", (("followedId", "userId"),)),
    )
    backwards = relationship.model_copy(update={"by": ("followedId", "followerId")})
    assert [pairs[0][0] for _, pairs in design.sides(backwards)] == ["followedId", "followerId"]


def test_each_side_has_its_own_number_of_edges():
    one, other = requirements(follows()).pattern_reads
    assert one.entity_reads[0].matched == 40
    assert other.entity_reads[0].matched == 30


@pytest.mark.proof
@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize("consistency", ["eventual", "strong"])
def test_both_directions_take_one_query_each(style, consistency):
    design = follows(consistency)
    made = plan(design, style)
    for number in (1, 2):
        (found,) = made.operations_for(number)
        (step,) = found.steps
        assert (found.answer, step.call) == ("in one request", "Query")
    copies = [s for table in made.tables for s in table.items if s.shape == "FollowByFollowedId"]
    assert bool(copies) == (consistency == "strong")  # no index is read strongly
    assert prove(design, made).passed


def test_adding_the_relationship_makes_references_for_both_sides():
    design = follows()
    bare = design.entity["Follow"].model_copy(
        update={"attributes": design.entity["Follow"].attributes[2:], "identifier": ("since",)}
    )
    before = design.model_copy(
        update={"entities": (design.entities[0], bare), "relationships": (), "patterns": ()}
    )
    after = add_relationship(before, design.relationships[0])
    assert [pairs for _, pairs in after.sides(after.relationships[0])] == [
        (("userId", "userId"),),
        (("otherUserId", "userId"),),
    ]


@pytest.mark.parametrize("style", ["single", "multi"])
def test_an_edge_written_twice_costs_two_transactional_writes_and_is_stored_twice(style):
    """One item of under 1 KB: with an index 1 + 1 units, under both sides 2 + 2; storage as it lies there."""
    indexed, doubled = (plan(follows(consistency), style) for consistency in ("eventual", "strong"))
    assert [o.write_units for o in indexed.operations[2:]] == [2, 2]
    assert [o.write_units for o in doubled.operations[2:]] == [4, 4]
    for made in (indexed, doubled):
        billed = sum((s.bytes + 100) * s.items for table in made.tables for s in table.items)
        index_entries = sum(
            (s.bytes + 100) * s.items
            for table in made.tables
            for s in table.items
            for index in table.indexes
            if s.entity == "Follow" and index.projection.type == "ALL"
        )
        assert made.cost.storage_per_month == pytest.approx(
            (billed + index_entries) * 0.25e-9, abs=0.0002
        )
