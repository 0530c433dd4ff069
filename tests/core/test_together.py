"""What one request brings that would take two: both people of a message, or an owner with all that is theirs."""

import pytest

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.grid.answer import requests
from designer.core.planner import plan
from designer.core.sentences.steps import served_by
from designer.proof.prove import prove
from tests.enumerator import cheapest


def messages(consistency: str = "eventual") -> Design:
    def of(name: str, by: str) -> dict:
        return {"name": name, "one": "Person", "many": "Message", "by": by, "average": 20}

    along = [{"relationship": "sent", "attributes": ["name"]}, {"relationship": "received"}]
    return Design.model_validate(
        {
            "name": "Messages",
            "entities": [
                {
                    "name": "Person",
                    "identifier": ["personId"],
                    "items": 1000,
                    "attributes": [
                        {"name": "personId", "format": "ulid"},
                        {"name": "name", "bytes": 20},
                        {"name": "town", "bytes": 10},
                    ],
                },
                {
                    "name": "Message",
                    "identifier": ["boxId", "messageId"],
                    "items": 20_000,
                    "attributes": [
                        {"name": "boxId", "format": "ulid"},
                        {"name": "messageId", "format": "ulid"},
                        {"name": "senderId", "format": "ulid", "refers_to": "Person.personId"},
                        {"name": "receiverId", "format": "ulid", "refers_to": "Person.personId"},
                    ],
                },
            ],
            "relationships": [of("sent", "senderId"), of("received", "receiverId")],
            "patterns": [
                {
                    "number": 1,
                    "name": "A message with its people",
                    "kind": "get",
                    "returns": "Message",
                    "where": [
                        {"attribute": "boxId", "is": {"param": "boxId"}},
                        {"attribute": "messageId", "is": {"param": "messageId"}},
                    ],
                    "with": along,
                    "consistency": consistency,
                    "rate": {"average": 1},
                },
                {
                    "number": 2,
                    "name": "A box with all its people",
                    "kind": "list",
                    "returns": "Message",
                    "where": [{"attribute": "boxId", "is": {"param": "boxId"}}],
                    "with": along,
                    "consistency": consistency,
                    "expects": 10,
                    "rate": {"average": 1},
                },
            ],
        }
    )


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize("consistency", ["eventual", "strong"])
def test_two_references_to_one_entity_are_got_in_one_request(style, consistency):
    design = messages(consistency)
    made = plan(design, style)
    for number, people in ((1, 2), (2, 20)):
        (found,) = made.operations_for(number)
        first, second = found.steps
        assert second.call == "BatchGetItem"
        assert found.requests == 2
        assert second.expects.read == people
        assert second.expects.units == people * {"eventual": 0.5, "strong": 1}[consistency]
        assert found.read_units == first.expects.units + second.expects.units
        assert [part.steps for part in found.result.parts[1:]] == [("s2",), ("s2",)]
    assert prove(design, made).passed


def test_the_request_and_the_sentence_name_both():
    made = plan(messages(), "multi")
    (found,) = made.operations_for(1)
    shown = list(requests(made, found))[1].text
    assert "<senderId found>" in shown
    assert "<receiverId found>" in shown
    assert "and personId = <receiverId found>" in served_by(made, found)


def owned(owners_read: float) -> Design:
    """An owner comes with ten things in one Query, of 4 KB but for an index's keys; things are found by rank."""
    return Design.model_validate(
        {
            "name": "Owned",
            "planner": {"objective": "cost"},
            "entities": [
                {
                    "name": "Owner",
                    "identifier": ["ownerId"],
                    "items": 1000,
                    "attributes": [{"name": "ownerId", "format": "ulid"}],
                },
                {
                    "name": "Thing",
                    "identifier": ["ownerId", "thingId"],
                    "items": 10_000,
                    "attributes": [
                        {"name": "ownerId", "format": "ulid", "refers_to": "Owner.ownerId"},
                        {"name": "thingId", "format": "ulid"},
                        {"name": "rank", "type": "N", "digits": 6, "distinct": 500},
                        {"name": "placedAt", "format": "datetime"},
                        {"name": "body", "bytes": 128},
                    ],
                },
            ],
            "relationships": [
                {"name": "owns", "one": "Owner", "many": "Thing", "by": "ownerId", "average": 10}
            ],
            "patterns": [
                {
                    "number": 1,
                    "name": "An owner with all things",
                    "kind": "get",
                    "returns": "Owner",
                    "where": [{"attribute": "ownerId", "is": {"param": "ownerId"}}],
                    "with": [{"relationship": "owns"}],
                    "rate": {"average": owners_read},
                },
                {
                    "number": 2,
                    "name": "What has a rank and is new",
                    "kind": "list",
                    "returns": "Thing",
                    "where": [
                        {"attribute": "rank", "is": {"param": "rank"}},
                        {"attribute": "placedAt", "from": {"param": "since"}, "share": 0.2},
                    ],
                    "attributes": ["thingId", "placedAt", "body"],
                    "rate": {"average": 1},
                },
            ],
        }
    )


@pytest.mark.parametrize("owners_read", [0.1, 100])
def test_the_bound_allows_for_the_shorter_items_that_another_key_of_an_index_leaves(owners_read):
    """With the rank alone in the index's key, an owner and ten things are just below a step of 4 KB."""
    design = owned(owners_read)
    made = plan(design, "single")
    key = {"partition": "RANK#{rank}", "sort": "THING#{ownerId}#{thingId}"}
    pin = {"style": "single", "entity": "Thing", "index": "GSI1", "key": key}
    planner = design.planner.model_validate({"pins": [pin]})
    shorter = plan(design.model_copy(update={"planner": planner}), "single")
    (along,) = made.operations_for(1)[0].steps
    (less,) = shorter.operations_for(1)[0].steps
    assert (along.expects.units, less.expects.units) == (1.0, 0.5)
    assert made.cost.bound <= min(made.cost.per_month, shorter.cost.per_month)
    assert (shorter.cost.per_month < made.cost.per_month) is (owners_read == 100)


def test_two_queries_that_read_a_unit_more_than_thought_are_made_shorter_in_one_way_once():
    """Of one collection both, so that either asks for the same shorter items (a column twice had no solution)."""
    by_id = {
        "kind": "get",
        "returns": "User",
        "where": [{"attribute": "userId", "is": {"param": "id"}}],
    }
    document = {
        "name": "Read often, counted often",
        "entities": [
            {
                "name": "User",
                "identifier": ["userId"],
                "attributes": [
                    {"name": "userId"},
                    {"name": "code"},
                    {"name": "text", "bytes": 3000},
                    {"name": "hits", "type": "N"},
                ],
            }
        ],
        "patterns": [
            {"number": 1, "name": "A user", **by_id, "rate": {"average": 20}},
            {"number": 2, "name": "A user again", **by_id, "rate": {"average": 10}},
            {
                "number": 3,
                "name": "Change the code",
                "kind": "update",
                "entity": "User",
                "set": {"code": {"param": "code"}},
                "rate": {"average": 20, "peak": 4000},
                "hottest": 0.4,
            },
            {
                "number": 4,
                "name": "Count a hit",
                "kind": "update",
                "entity": "User",
                "add": {"hits": {"value": 1}},
                "rate": {"average": 100},
            },
            {
                "number": 5,
                "name": "All",
                "kind": "list",
                "returns": "User",
                "consistency": "strong",
            },
        ],
        "planner": {
            "pins": [
                {
                    "entity": "User",
                    "index": "Pinned",
                    "key": {"partition": "BY#{userId}", "sort": "BY#{text}#"},
                }
            ]
        },
    }
    made = plan(Design.model_validate(document), "multi")
    assert made.cost.gap == 0


def wards() -> Design:
    """A ward comes with its patients' names and beds; whole patients of a ward are listed, too."""
    of_ward = {"kind": "list", "where": [{"attribute": "wardId", "is": {"param": "wardId"}}]}
    along = {"relationship": "lies", "attributes": ["name", "bed"]}
    return Design.model_validate(
        {
            "name": "Wards",
            "entities": [
                {
                    "name": "Ward",
                    "identifier": ["wardId"],
                    "items": 800,
                    "attributes": [{"name": "wardId"}],
                },
                {
                    "name": "Patient",
                    "identifier": ["patientId"],
                    "items": 400_000,
                    "attributes": [
                        {"name": "patientId"},
                        {"name": "name"},
                        {"name": "wardId", "bytes": 6},
                        {"name": "bed"},
                    ],
                },
            ],
            "relationships": [
                {
                    "name": "lies",
                    "one": "Ward",
                    "many": "Patient",
                    "by": "wardId",
                    "average": 25,
                    "most": 60,
                }
            ],
            "patterns": [
                {"number": 1, "name": "Patients of a ward", "returns": "Patient", **of_ward},
                {
                    "number": 2,
                    "name": "A ward with its patients",
                    **of_ward,
                    "kind": "get",
                    "returns": "Ward",
                    "with": [along],
                    "rate": {"average": 5},
                },
            ],
        }
    )


def test_an_index_with_a_list_for_a_shared_query_can_be_kept_short_where_everything_would_do_for_others():
    """Everything is as long as the keys of all indexes, this one's too (a column twice in a row had no solution)."""
    design = wards()
    made = plan(design, "single")
    assert made.cost.gap == 0
    assert made.operations_for(2)[0].requests == 1
    assert prove(design, made).passed


def playlists(limit: int | None, present: float = 0.9) -> Design:
    """A playlist comes with its tracks by rank, which changes and which only some have."""
    along: dict = {"relationship": "holds", "order": ["rank ascending"], "limit": limit}
    rank = {"name": "rank", "type": "N", "digits": 4, "present": present, "mutable": True}
    return Design.model_validate(
        {
            "name": "Playlists",
            "entities": [
                {
                    "name": "Playlist",
                    "identifier": ["playlistId"],
                    "items": 200_000,
                    "attributes": [
                        {"name": "playlistId", "format": "ulid"},
                        {"name": "title", "bytes": 30},
                    ],
                },
                {
                    "name": "Track",
                    "identifier": ["inList", "track"],
                    "items": 8_000_000,
                    "attributes": [
                        {"name": "inList", "format": "ulid", "refers_to": "Playlist.playlistId"},
                        {"name": "track", "format": "ulid"},
                        rank,
                        {"name": "song", "bytes": 60},
                    ],
                },
            ],
            "relationships": [
                {
                    "name": "holds",
                    "one": "Playlist",
                    "many": "Track",
                    "by": "inList",
                    "average": 40,
                    "most": 2000,
                }
            ],
            "patterns": [
                {
                    "number": 1,
                    "name": "A playlist with its ranked tracks",
                    "kind": "get",
                    "returns": "Playlist",
                    "where": [{"attribute": "playlistId", "is": {"param": "playlistId"}}],
                    "with": [along],
                    "rate": {"average": 200},
                },
                {
                    "number": 2,
                    "name": "Add a track",
                    "kind": "create",
                    "entity": "Track",
                    "rate": {"average": 3},
                },
                {
                    "number": 3,
                    "name": "Rank a track",
                    "kind": "update",
                    "entity": "Track",
                    "set": {"rank": {"param": "rank"}},
                    "rate": {"average": 1},
                },
                {
                    "number": 4,
                    "name": "Rank a track no more",
                    "kind": "update",
                    "entity": "Track",
                    "remove": ["rank"],
                    "rate": {"average": 0.1},
                },
            ],
            "planner": {"items": "as-stated", "objective": "cost"},
        }
    )


@pytest.mark.parametrize("present", [0.9, 1.0])
@pytest.mark.parametrize("limit", [None, 5])
def test_children_come_with_their_parent_in_one_query_whatever_they_are_sorted_by(limit, present):
    """All of them are sorted by the caller; the first few are read in the order of an index."""
    design = playlists(limit, present)
    made = plan(design, "single")
    (found,) = made.operations_for(1)
    assert [step.call for step in found.steps] == ["Query"]
    assert (found.steps[0].index is None) is (limit is None)
    assert (made.cost.per_month, made.cost.gap) == (
        pytest.approx(cheapest(design, "single")[1], abs=1e-3),
        0,
    )
    assert prove(design, made).passed


def test_rows_that_a_shared_query_reads_in_the_order_wanted_are_not_sorted_again():
    design = gallery.load("shop")
    made = plan(design, "single")
    for number, names in ((3, ["rows", "contains"]), (12, ["rows", "livesAt", "places"])):
        (operation,) = made.operations_for(number)
        assert [part.name for part in operation.result.parts] == names
        assert {part.steps for part in operation.result.parts} == {("s1",)}
        assert [part.order for part in operation.result.parts] == [()] * len(names)
        assert "sorted" not in served_by(made, operation)
