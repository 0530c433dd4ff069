"""Designs that many teams bring come out as an expert would have them: keys, indexes, requests and findings.

Others of them are with what they teach: unique values within a scope, conditional puts, the nearest item, deleting a
collection through an index, batches of puts, remarks in a language, beds by the day.
"""

from functools import cache
from pathlib import Path

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.lint import lint
from designer.core.plan import STYLES, Operation, Plan, Style
from designer.core.planner.pipeline import outlined
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests.memory import Memory

pytestmark = pytest.mark.slow

DESIGNS = Path(__file__).parents[1] / "designs"
NAMES = sorted(path.stem.removeprefix("usual_") for path in DESIGNS.glob("usual_*.yaml"))
SERVED = ("in one request", "in several requests")


def stated(name: str, *changes: tuple[str, str]) -> Design:
    text = (DESIGNS / f"usual_{name}.yaml").read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return load(text, name=name)


@cache
def made(name: str, style: Style = "multi") -> Plan:
    return outlined(stated(name), style)


def keys(of: Plan) -> dict[str, tuple[str, ...]]:
    """The templates of the key of each table, and of each index, where they are not the item's own attributes."""
    found = {}
    for table in of.tables:
        texts = {name: text for item in table.items for name, text in item.set.items()}
        base = [table.key.partition, *([table.key.sort] if table.key.sort else [])]
        places = {table.name: base}
        places |= {index.name: [*index.partition, *index.sort] for index in table.indexes}
        for name, parts in places.items():
            found[name] = tuple(texts.get(part.name, part.name) for part in parts)
    return found


def operation(of: Plan, number: int) -> Operation:
    return of.operations_for(number)[0]


def calls(of: Plan, number: int) -> list[str]:
    return [step.call for step in operation(of, number).steps]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", NAMES)
def test_all_is_served_and_no_item_is_kept_twice(name: str, style: Style) -> None:
    of = made(name, style)
    assert {one.answer for one in of.operations} <= set(SERVED)
    roles = {item.role for table in of.tables for item in table.items}
    assert "copy" not in roles


def test_what_waits_is_in_a_sparse_index_over_shards_that_writes_need() -> None:
    """One channel has 85 % of 2,800 new letters a second, and a partition takes 1,000."""
    of = made("letters")
    assert keys(of) == {
        "Letters": ("letterId",),
        "LettersWithoutSentAtByChannel": (
            "{absent(sentAt)}{channel}#{shard(6, letterId)}",
            '{writtenAt}#{absent(sentAt, "NO_SENT_AT")}',
        ),
    }
    (index,) = of.tables[0].indexes
    assert index.sparse
    # A letter is written once and leaves the index once, and its time of sending comes later.
    assert [operation(of, at).write_units for at in (1, 2)] == [2, 2]


def test_a_flag_comes_before_the_time_in_one_index() -> None:
    of = made("listings")
    assert keys(of) == {
        "Listings": ("listingId",),
        "ListingsByWithdrawn": ("{text(withdrawn)}", "postedAt"),
    }
    newest, between = (operation(of, at).steps[0] for at in (3, 4))
    assert (newest.forward, newest.limit, newest.filter) == (False, 40, ())
    assert [len(step.where) for step in (newest, between)] == [1, 2]
    assert operation(of, 3).requests == operation(of, 4).requests == 1


def test_each_remark_is_an_item_below_its_consultation() -> None:
    of = made("consultations")
    assert keys(of)["Remarks"] == ("clientId", "{consultationId}#{saidAt}")
    assert not any(table.indexes for table in of.tables)
    (last,) = operation(of, 5).steps
    assert (last.call, last.forward, last.limit) == ("Query", False, 8)


def test_remarks_kept_as_a_list_in_the_consultation_are_warned_of() -> None:
    text = "{name: subject, bytes: 50, mutable: true}"
    listed = f"{text}\n      - {{name: said, type: L, bytes: 27000, mutable: true}}"
    added = """patterns:
  - {number: 6, name: Note, kind: update, entity: Consultation, append: {said: remarks}, rate: {average: 2}}
"""
    design = stated("consultations", (text, listed), ("patterns:\n", added))
    assert "L104" in {str(one.rule) for one in lint(design, {"multi": outlined(design, "multi")})}
    design = stated("consultations")
    assert "L104" not in {str(one.rule) for one in lint(design, {"multi": made("consultations")})}


def test_a_tenant_with_a_third_of_all_is_listed_over_shards_and_meters_keep_their_key() -> None:
    of = made("meters")
    assert keys(of) == {
        "Meters": ("meterId",),
        "MetersBySupplier": ("{supplierId}#{shard(2, meterId)}", "meterId"),
    }
    assert operation(of, 2).requests == 1
    assert operation(of, 3).requests == 2


def test_events_lie_by_stream_and_number_and_all_of_a_type_in_shards() -> None:
    of = made("ledger")
    assert keys(of) == {
        "Ledgers": ("ledgerId",),
        "Entries": ("ledgerId", "number"),
        "EntriesByType": ("{type}#{shard(3, ledgerId)}", "bookedAt"),
    }
    (index,) = of.tables[1].indexes
    assert index.projection.type == "KEYS_ONLY"
    (step,) = operation(of, 2).steps
    assert step.call == "TransactWriteItems"
    assert [bool(member.update) for member in step.members] == [True, False]
    assert "last" in [test.attribute for test in step.members[0].if_]
    (step,) = operation(of, 3).steps
    assert (step.call, step.index, step.consistent) == ("Query", None, True)


def test_a_booking_takes_all_its_hours_in_one_transaction() -> None:
    of = made("studios")
    assert keys(of)["Hours"] == ("houseId", "{studioNo}#{beginsAt}#")
    assert calls(of, 1) == calls(of, 2) == ["TransactWriteItems"]
    (step,) = operation(of, 3).steps
    assert (step.index, step.consistent) == (None, True)
    assert keys(of)["HoursByHouse"] == ("houseId", "beginsAt")


def test_a_post_goes_to_the_feeds_in_batches_and_edges_have_an_index_the_other_way() -> None:
    of = outlined(stated("watching"), "multi")
    assert keys(of) == {
        "Sketches": ("sketchId",),
        "SketchesByArtist": ("artistId", "sketchId"),
        "Watches": ("watcherId", "artistId"),
        "WatchesByArtist": ("artistId",),
        "Seens": ("watcherId", "sketchId"),
    }
    assert calls(of, 2) == ["BatchWriteItem"]
    assert operation(of, 2).requests == 150 / 25
    assert calls(of, 3) == ["Query", "BatchGetItem"]


@pytest.mark.parametrize("style", ["single", "multi"])
def test_the_posts_of_a_feed_are_got_together(style: Style) -> None:
    """Below their authors they would cost as much, and each take a Query of its own."""
    of = made("watching", style)
    assert (calls(of, 3), operation(of, 3).requests) == (["Query", "BatchGetItem"], 2)


def test_a_post_that_is_created_in_each_feed_is_advised_to_be_put_there() -> None:
    design = stated("watching", ("kind: upsert", "kind: create"))
    created = outlined(design, "multi")
    assert operation(created, 2).requests == 150
    assert ("C107", "patterns.2") in {(f.rule, f.where) for f in lint(design, {"multi": created})}
    design, put = stated("watching"), made("watching")
    assert "C107" not in {f.rule for f in lint(design, {"multi": put})}


def test_squares_of_a_map_are_asked_for_side_by_side_with_the_type_in_the_key() -> None:
    of = made("chargers")
    assert keys(of)["ChargersBySquare"] == ("square", "plug")
    (step,) = operation(of, 2).steps
    assert (operation(of, 2).requests, step.filter) == (9, ())
    assert of.assumed == ()


def test_the_newest_version_is_the_last_of_its_collection() -> None:
    of = made("wells")
    assert keys(of) == {"Wells": ("wellId",), "Readings": ("wellId", "number")}
    (step,) = operation(of, 3).steps
    assert (step.call, step.forward, step.limit) == ("Query", False, 1)
    (step,) = operation(of, 2).steps
    assert "newest" in [test.attribute for test in step.members[0].if_]


def test_a_name_held_by_an_item_of_its_own_moves_in_one_transaction() -> None:
    of = made("labels")
    assert keys(of) == {"Shelfs": ("shopId", "shelfId"), "Labels": ("shopId", "label")}
    (step,) = operation(of, 2).steps
    assert step.call == "TransactWriteItems"
    assert len(step.members) == 3
    assert operation(of, 3).requests == 1


@pytest.mark.parametrize("name", ["labels", "letters", "listings", "wells"])
def test_its_plan_is_proven(name: str) -> None:
    verdict = prove_on(Engine("memory", Memory()), stated(name), made(name))
    assert {one.status for one in verdict.patterns} == {"passed"}


def test_a_list_is_in_the_order_of_its_key_where_nobody_says_how_long_it_gets() -> None:
    """A firm's busiest seller has no stated number of deals: to sort them is the key's work, for two cents a month."""
    of = made("deals", "single")
    assert keys(of)["GSI1"] == ("BOARD#{board}", "DEAL#{firmId}#{title}#{dealId}")
    assert keys(of)["GSI2"] == ("SELLER#{sellerId}", "DEAL#{closesOn}#{dealId}")
    assert calls(of, 2) == calls(of, 3) == ["Query"]
    (board,) = [one for one in of.assumed if one.where == "patterns.3"]
    assert (board.what, board.of, board.low, board.high) == ("together", "firmId, board", 1, 15)
    expected = outlined(stated("deals", ("limit: 100", "limit: 100, expects: 15")), "single")
    assert not [one for one in expected.assumed if one.where == "patterns.3"]
    assert operation(expected, 3).steps[0].expects.returned == pytest.approx(15)
