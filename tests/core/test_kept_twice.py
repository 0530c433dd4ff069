"""Items that are kept a second time under another key though nothing reads them strongly: for the price alone."""

from pathlib import Path

import pytest

from designer.core.comparison.compare import compared
from designer.core.comparison.totals import totals
from designer.core.cost.price import price
from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.exporters import EXPORTERS
from designer.core.lint import lint
from designer.core.messages import say
from designer.core.messages.message import Value
from designer.core.patterns import Transaction
from designer.core.plan import STYLES, Plan
from designer.core.planner import alternatives, plan, why_not
from designer.core.planner.candidates import keys as candidates
from designer.core.planner.explain.comparing import Difference
from designer.core.planner.model import key_text
from designer.core.planner.pipeline import outlined
from designer.core.planner.solve.candidate_lists import CACHED
from designer.core.report import checklist
from designer.core.report.facts import Facts
from designer.core.sentences.plans import summary
from designer.core.sentences.steps import COPIES, served_by
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests.memory import Memory
from tests.messages import reasons_of


@pytest.fixture(autouse=True)
def nothing_read_from_keys(monkeypatch):
    """An index that need not hold the identifier again is mostly as short as a copy. test_spelled.py is about that."""
    CACHED.clear()
    monkeypatch.setattr(key_text, "spelled", lambda *_: frozenset())
    yield
    CACHED.clear()


def document(read=15.0, written=0.01, name=20, until=None, several=None):
    """The rooms of a building, of which 60 entries of an index have more than 12 KB, and 60 copies have less."""
    patterns = [
        {
            "number": 1,
            "name": "Rooms of a building",
            "kind": "list",
            "returns": "Room",
            "where": [{"attribute": "buildingId", "is": {"param": "buildingId"}}],
            "order": ["seats ascending"],
            "rate": {"average": read},
        },
        {
            "number": 2,
            "name": "A room",
            "kind": "get",
            "returns": "Room",
            "where": [{"attribute": "roomId", "is": {"param": "roomId"}}],
            "rate": {"average": 20},
        },
        {"number": 3, "name": "Open", "kind": "create", "entity": "Room"},
    ]
    if several:
        times = {"average": 1, "most": several}
        member = {"create": "Room", "times": times, "each": "rooms"}
        patterns[2] = {
            "number": 3,
            "name": "Open some",
            "kind": "transaction",
            "members": [member],
        }
    if written is not None:
        patterns[2]["rate"] = {"average": written}
    return {
        "name": "Rooms",
        "entities": [
            {
                "name": "Room",
                "identifier": ["roomId"],
                "items": 2400,
                "attributes": [
                    {"name": "roomId", "format": "uuid"},
                    {"name": "buildingId", "bytes": 6, "distinct": 40},
                    {"name": "seats", "type": "N", "digits": 3, "distinct": 40},
                    {"name": "name", "bytes": name},
                    {"name": "until", "type": "N", "format": "epoch", **(until or {})},
                ],
            }
        ],
        "patterns": patterns,
        "planner": {"objective": "cost"},
    }


def rooms(**stated) -> Design:
    return Design.model_validate(document(**stated))


def copies(made: Plan) -> int:
    return sum(shape.role == "copy" for table in made.tables for shape in table.items)


def test_items_are_kept_twice_where_reading_them_so_saves_more_than_writing_them_twice_costs(
    monkeypatch,
):
    design = rooms()
    made = plan(design, "single")
    (operation,) = made.operations_for(1)
    assert copies(made) == 1
    assert operation.read_units == 1.5
    (decision,) = (one for one in made.decisions if one.about.startswith("copy "))
    assert "copy-stores-less" in reasons_of(decision)
    assert "copy-for-strong-read" not in reasons_of(decision)

    monkeypatch.setattr(candidates, "_may_be_kept_twice", lambda _: False)
    CACHED.clear()
    try:
        other = outlined(design, "single")
    finally:
        CACHED.clear()
    assert other.operations_for(1)[0].read_units == 2
    # Half a unit less of each read, for two units more of each write; what is kept is next to nothing.
    saved = (15 * 0.5 * 0.125 - 0.01 * 2 * 0.625) * 2.592
    assert other.cost.per_month - made.cost.per_month == pytest.approx(saved, abs=1e-3)


@pytest.mark.parametrize(
    "stated",
    [
        {"written": 2},  # dear to write
        {"written": None},  # of writes that nothing is known of
        {"read": 6},  # less than a dollar is saved
        {"until": {"ttl": True}},  # an item and its copy would expire one after the other
        {"several": 51},  # a transaction has no room for a copy of each
        {"name": 65},  # nothing is saved
    ],
)
def test_else_an_index_answers(stated):
    made = outlined(rooms(**stated), "single")
    assert copies(made) == 0
    assert [len(table.indexes) for table in made.tables] == [1]


def test_few_reads_of_much_pay_for_copies_as_many_reads_of_little_do():
    """Six lists of 1,000 rooms come to each write, which takes two units more: each would read 6.5 more of an index."""
    stated = document(read=90, written=15)
    stated["entities"][0]["items"] = 40000
    assert copies(outlined(Design.model_validate(stated), "single")) == 1


def test_a_transaction_with_room_keeps_items_twice():
    assert copies(outlined(rooms(several=50), "single")) == 1


def asked_by(*names, several=25, unique=0) -> Design:
    """Rooms that are also listed by each of some attributes, and made several at once."""
    stated = document(several=several)
    (room,) = stated["entities"]
    room["attributes"] += [{"name": name, "bytes": 6, "distinct": 40} for name in names]
    guarded = [{"name": f"code{at}", "bytes": 8, "unique": True} for at in range(unique)]
    room["attributes"] += guarded
    for at, name in enumerate(names):
        where = [{"attribute": name, "is": {"param": name}}]
        more = {"number": 4 + at, "name": f"Rooms of a {name}", "where": where}
        stated["patterns"].append(stated["patterns"][0] | more)
    return Design.model_validate(stated)


@pytest.mark.parametrize(
    ("design", "kept"),
    [
        (asked_by("a", "b", "c"), 3),  # 25 items and 75 copies
        (asked_by("a", "b", "c", unique=1), 2),  # and 25 guards
        (asked_by("a", several=40), 1),
    ],
)
def test_no_more_copies_than_a_transaction_has_room_for(design, kept):
    made = outlined(design, "single")
    (operation,) = made.operations_for(3)
    assert operation.answer != "not served"
    assert copies(made) == kept
    lists = sum(pattern.kind == "list" for pattern in design.patterns)
    assert len(made.tables[0].indexes) == lists - kept
    assert made.cost.gap == 0


def test_a_transaction_has_room_for_the_copies_of_one_entity_and_not_of_two():
    members = [
        {"create": name, "times": {"average": 1, "most": 30}, "each": f"{name}s"}
        for name in ("Room", "Desk")
    ]
    together = {"number": 9, "name": "Open", "kind": "transaction", "members": members}
    opening = Transaction.model_validate(together | {"rate": {"average": 0.01}})
    two = rooms_and_desks()
    asked = [pattern for pattern in two.patterns if pattern.kind != "create"]
    made = outlined(two.model_copy(update={"patterns": (*asked, opening)}), "single")
    (operation,) = made.operations_for(9)
    assert operation.answer != "not served"
    assert (copies(made), len(made.tables[0].indexes)) == (1, 1)
    assert made.cost.bound < made.cost.per_month, "the bound is that of two copies"


def test_two_transactions_have_more_room_than_one_that_does_both():
    stated = document(several=30)
    (member,) = stated["patterns"][2]["members"]
    also = member | {"each": "others"}
    apart = [*stated["patterns"], stated["patterns"][2] | {"number": 4, "members": [also]}]
    both = [*stated["patterns"][:2], stated["patterns"][2] | {"members": [member, also]}]
    for patterns, kept in ((apart, 1), (both, 0), (apart, 1)):
        made = outlined(Design.model_validate(stated | {"patterns": patterns}), "single")
        assert copies(made) == kept


def test_a_strong_read_that_a_transaction_has_no_room_for_says_so():
    stated = document(several=60)
    for pattern in stated["patterns"][:2]:
        pattern["consistency"] = "strong"
    made = outlined(Design.model_validate(stated), "multi")
    (operation,) = made.operations_for(1)
    assert operation.answer == "not served"
    said = reasons_of(operation)["no-room-for-copy"]
    assert (said["patterns"], said["limit"]) == ((3,), 100)
    assert [one.answer for one in made.operations_for(3)] == ["in one request"]


def test_edges_that_a_transaction_makes_are_not_written_twice_where_it_has_no_room():
    sides = [
        {
            "name": name,
            "identifier": [key],
            "items": 1000,
            "attributes": [{"name": key, "format": "uuid"}, {"name": "name", "bytes": 20}],
        }
        for name, key in (("Author", "authorId"), ("Title", "titleId"))
    ]
    refers = [
        {"name": "authorId", "format": "uuid", "refers_to": "Author.authorId"},
        {"name": "titleId", "format": "uuid", "refers_to": "Title.titleId"},
    ]
    edge = {"name": "Wrote", "identifier": ["authorId", "titleId"], "items": 300000}
    times = {"average": 2, "most": 60}
    patterns = [
        {
            "number": at,
            "name": f"By {name}",
            "kind": "list",
            "returns": "Wrote",
            "where": [{"attribute": name, "is": {"param": name}}],
            "rate": {"average": 20},
        }
        for at, name in enumerate(("authorId", "titleId"), 1)
    ]
    members = [{"create": "Wrote", "times": times, "each": "rows"}]
    made = {"number": 3, "name": "Made", "kind": "transaction", "members": members}
    design = Design.model_validate(
        {
            "name": "Books",
            "entities": [*sides, edge | {"attributes": refers}],
            "relationships": [
                {
                    "name": "wrote",
                    "many": ["Author", "Title"],
                    "through": "Wrote",
                    "averages": [300, 300],
                    "mosts": [900, 900],
                }
            ],
            "patterns": [*patterns, made | {"rate": {"average": 0.01}}],
        }
    )
    planned = outlined(design, "single")
    assert [one.answer for one in planned.operations_for(3)] == ["in one request"]
    assert len(planned.tables[0].indexes) == 1


def test_what_is_kept_twice_is_proven():
    design = rooms()
    made = plan(design, "single")
    verdict = prove_on(Engine("memory", Memory()), design, made)
    assert {one.status for one in verdict.patterns} == {"passed"}
    assert not verdict.problem


def test_a_copy_says_why_it_is_there_and_what_an_index_would_cost():
    made = plan(rooms(), "single")
    (decision,) = (one for one in made.decisions if one.about.startswith("copy "))
    assert reasons_of(decision)["copy-stores-less"] == {"patterns": (2,)}
    index = next(one for one in decision.instead_of if one.chosen.id == "through")
    assert [place.kind for place in index.chosen.values["places"]] == ["index"]
    assert reasons_of(index)["costs-more"]["usd"] == pytest.approx(2.4)
    assert not any(one.chosen.id == "no-index" for one in decision.instead_of)


def test_a_copy_says_that_a_stream_carries_it_too():
    stated = document()
    assert "in-stream-twice" not in _of_copy(Design.model_validate(stated))
    stated["entities"][0]["needs"] = {"stream": "new-and-old"}
    said = _of_copy(Design.model_validate(stated))["in-stream-twice"]
    assert said == {"table": "Rooms", "entity": "Room", "copy": "RoomByRoomId"}


def _of_copy(design: Design) -> dict[str, dict[str, Value]]:
    made = plan(design, "single")
    return next(reasons_of(one) for one in made.decisions if one.about.startswith("copy "))


def test_a_cheaper_copy_that_is_not_taken_says_why():
    rivals = why_not(rooms(read=6), "single", "pattern 1").rivals
    cheaper = [one for one in rivals if "less" in one.because]
    assert len(cheaper) == 1
    assert "a copy must save at least $1 a month" in cheaper[0].because

    expiring = why_not(rooms(until={"ttl": True}), "single", "pattern 1").rivals
    assert any("the items expire" in one.because for one in expiring)

    unsorted = document(read=6)
    del unsorted["patterns"][0]["order"]
    made = plan(Design.model_validate(unsorted), "single")
    about = next(one for one in made.decisions if one.about.startswith("index "))
    (instead,) = about.instead_of
    assert instead.choice == "an index by buildingId, without the identifier"
    assert instead.because.endswith("a key without the identifier must save at least $1 a month")


def test_the_certificate_counts_copies_as_keys():
    copied = plan(rooms(), "single").certificate
    assert copied.indexes_at_least == 0
    assert copied.because.endswith(
        "The table's own key serves one. A copy of the items serves one more."
    )
    assert plan(rooms(read=6), "single").certificate.indexes_at_least == 1
    with_indexes = plan(asked_by("a", "b", "c", unique=1), "single").certificate
    assert with_indexes.indexes_at_least == 2
    assert with_indexes.because.endswith("serves one. Copies of the items serve 2 more.")


def test_fewest_indexes_are_shared_ones_and_not_copies_instead():
    design = rooms_and_desks()
    made = outlined(design, "single")
    assert (copies(made), len(made.tables[0].indexes)) == (2, 0)

    fewest = outlined(aiming(design, 0.3), "single")
    assert (copies(fewest), len(fewest.tables[0].indexes)) == (0, 1)

    within = outlined(aiming(design, 0.2), "single")
    assert within.cost.per_month == made.cost.per_month, "the index costs more than is allowed"


def rooms_and_desks() -> Design:
    """Rooms of buildings, and desks of buildings, of which all is as of rooms."""
    one = rooms()
    text = one.model_dump_json(by_alias=True)
    other = Design.model_validate_json(text.replace("Room", "Desk").replace("room", "desk"))
    numbered = [p.model_copy(update={"number": p.number + 3}) for p in other.patterns]
    return one.model_copy(
        update={
            "entities": (*one.entities, *other.entities),
            "patterns": (*one.patterns, *numbered),
        }
    )


def aiming(design: Design, tolerance: float) -> Design:
    aim = {"objective": "indexes", "tolerance": tolerance}
    return design.model_copy(update={"planner": design.planner.model_copy(update=aim)})


@pytest.mark.parametrize("slug", ["cloudformation", "terraform", "data-model"])
def test_who_reads_an_export_learns_what_is_a_copy_and_that_the_application_writes_it(slug):
    design = rooms()
    content = str(EXPORTERS[slug].export(design, plan(design, "single")).content)
    said = " ".join(content.replace("#", "").split())
    assert COPIES in said
    assert ", a copy of Room" in said
    content = str(EXPORTERS[slug].export(design, plan(design, "multi")).content)
    assert "opies" not in content.partition("Comparison of the styles")[0]


def test_a_copy_has_its_reason_in_the_data_model():
    design = asked_by("a")
    made = plan(design, "single")
    assert copies(made) == 2
    content = str(EXPORTERS["data-model"].export(design, made).content)
    rows = [line for line in content.splitlines() if ", a copy of Room |" in line]
    assert len(rows) == 2
    assert all("one transaction writes both" in row for row in rows)
    assert rows[0].split("|")[-2] != rows[1].split("|")[-2]
    assert checklist.justified(Facts(design, made)).evidence == "For all 3 keys."
    silent = [one for one in made.decisions if not one.about.startswith("copy ")]
    untold = made.model_copy(update={"decisions": tuple(silent)})
    assert checklist.justified(Facts(design, untold)).holds is False


@pytest.mark.parametrize("slug", ["cloudformation", "terraform"])
def test_each_copy_has_its_reason_in_a_template(slug):
    design = asked_by("a")
    content = str(EXPORTERS[slug].export(design, plan(design, "single")).content)
    assert "RoomByBuildingId: Pattern 1 finds Room items by buildingId" in content
    assert "RoomByRoomId: Pattern 2 finds Room items by roomId" in content


def test_copies_are_counted_beside_indexes():
    design = asked_by("a")
    made = plan(design, "single")
    assert "no indexes, 2 copies of the items, $" in summary(made, price(design, made))
    (operation,) = made.operations_for(3)
    said = served_by(made, operation)
    assert (
        "put Room for each given row of rooms, if it does not exist yet; put 2 copies of Room"
        in said
    )
    found = compared(design, {style: plan(design, style) for style in STYLES})
    cells = {one.label: one.cells for one in totals(found)}
    assert cells["Indexes"][0] == "0"
    assert cells["Copies of items"] == ("2", *["0"] * (len(STYLES) - 1))
    (here,) = (here for one, here, _ in found.technologies if one.slug == "indexes")
    assert "Single table: none, but 2 copies of the items instead of indexes." in here


def test_who_wants_few_indexes_is_told_of_copies_too():
    design = asked_by("a")
    plans = {style: plan(design, style) for style in ("single", "multi")}
    aimed = design.model_copy(
        update={"planner": design.planner.model_copy(update={"objective": "indexes"})}
    )
    answered = compared(aimed, plans).recommendation.answered
    found = {one.criterion.slug: one.answer for one in answered}["indexes"]
    assert found.says == "Total: single table 0 and 2 copies of the items, multi table 2."
    assert not found.favours


def test_copies_do_not_make_a_plan_that_of_the_fewest_indexes():
    found = alternatives(asked_by("a"))
    kept = next(one for one in found if one.copies)
    other = next(one for one in found if not one.copies)
    assert kept.indexes == 0
    assert kept.copies == other.indexes == 2
    # One is no better than the other.
    assert "fewest indexes" in kept.best
    assert "fewest indexes" in other.best
    found = list(Difference(other.plan, kept.plan).sums())
    assert found[1:] == [say("more-indexes", count=2), say("fewer-copies", count=2)]


def test_a_guard_does_not_double_what_a_transaction_with_copies_takes():
    def said(several):
        made = plan(asked_by("a", several=several, unique=1), "single")
        (guard,) = (one for one in made.decisions if one.about == "guard Room.code0")
        return copies(made), guard.because

    kept, because = said(25)
    assert kept == 2
    assert "doubles" not in because
    kept, because = said(50)
    assert kept == 0
    assert because.endswith("The transaction doubles the write units.")


def test_no_other_way_is_named_twice_with_two_prices():
    folder = Path(__file__).parent.parent / "published"
    design = load((folder / "electrodb-library.yaml").read_text())
    for decision in plan(design, "single").decisions:
        named = [one.choice for one in decision.instead_of]
        assert len(set(named)) == len(named), decision.about


def test_an_index_in_the_place_of_a_copy_has_one_price():
    design = asked_by("a")
    prices: dict[str, float] = {}
    for one in why_not(design, "single", "copy RoomByRoomId").rivals:
        assert one.choice not in prices
        prices[one.choice] = one.per_month
    # With the rest as it is, each index would cost $2.40 more than this.
    assert prices["Room: an index by roomId"] == pytest.approx(17.93, abs=0.01)


def test_rules_about_partition_keys_hear_of_those_of_copies():
    design = asked_by("a")
    said = [
        one.message
        for one in lint(design, {"single": plan(design, "single")})
        if one.rule == "K101"
    ]
    assert sorted(said) == [
        "In table Rooms, the partition key of Room items is a, with 40 values in all.",
        "In table Rooms, the partition key of Room items is buildingId, with 40 values in all.",
    ]
