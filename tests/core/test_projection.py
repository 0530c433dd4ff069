"""What an index holds besides its keys: all that its readers test."""

import pytest

from designer.core.design.document import Design
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.core.planner.candidates.keys import LISTED
from tests.messages import reasons_of

OFTEN = {"average": 20}
NOTE = {
    "name": "Note",
    "identifier": ["noteId"],
    "items": 100_000,
    "attributes": [
        {"name": "noteId", "format": "uuid"},
        {"name": "label", "bytes": 12, "distinct": 40_000, "mutable": True},
        {"name": "placedAt", "format": "datetime"},
        {"name": "day", "derived": "date(placedAt)"},
        {"name": "title", "bytes": 20, "present": 0.4},
        {"name": "body", "bytes": 3000},
    ],
}
CHANGED = [
    {"kind": "create", "entity": "Note", "rate": OFTEN},
    {"kind": "update", "entity": "Note", "set": {"body": {"param": "body"}}, "rate": OFTEN},
]


def planned(*reads, entity=NOTE, writes=(), style="multi"):
    patterns = [
        {"number": at, "name": f"Pattern {at}", **pattern}
        for at, pattern in enumerate((*reads, *writes), 1)
    ]
    document = {"name": "Held", "entities": [entity], "patterns": patterns}
    # What is changed often would lie apart, and leave less to be held.
    document["planner"] = {"items": "as-stated"}
    return plan(Design.model_validate(document), style)


def given(*names, **more):
    where = [{"attribute": name, "is": {"param": name}} for name in names]
    return {"kind": "list", "returns": "Note", "where": where, "rate": {"average": 1}, **more}


def projection(made):
    ((index,),) = (table.indexes for table in made.tables)
    return index.projection.type, set(index.projection.attributes)


def test_keys_alone_do_not_tell_which_items_lack_what_is_sorted_by():
    """The items do, which are got without those that lack it only if the index holds it."""
    moved = {"kind": "update", "entity": "Note", "set": {"title": {"param": "t"}}, "rate": OFTEN}
    sorted_by_title = given("label", order=["title descending"])
    made = planned(sorted_by_title, writes=[CHANGED[1], moved])
    found = made.operations_for(1)[0]
    query, get = found.steps
    (part,) = found.result.parts
    assert (query.filter, [test.attribute for test in part.keep]) == ((), ["title"])
    assert get.call == "BatchGetItem"
    assert projection(made) == ("KEYS_ONLY", set())


def test_what_the_caller_cuts_by_is_asked_for_in_the_second_read_too():
    """BETWEEN includes both its ends, and the excluded one is cut when the items are there."""
    between = {"attribute": "placedAt", "from": {"param": "since"}, "below": {"param": "until"}}
    of_label = given("label", attributes=["noteId", "body"], rate={"average": 0.1})
    asked = {**of_label, "where": [*of_label["where"], {**between, "share": 0.1}]}
    common = [{**a, "distinct": 400} if a["name"] == "label" else a for a in NOTE["attributes"]]
    made = planned(asked, entity={**NOTE, "attributes": common}, writes=CHANGED)
    found = made.operations_for(1)[0]
    _, get = found.steps
    (part,) = found.result.parts
    assert [test.attribute for test in part.keep] == ["placedAt"]
    assert set(get.project) == {"noteId", "body", "placedAt"}


def test_what_a_derived_attribute_is_worked_out_from_is_held_to_test_it():
    of_day = {"attribute": "day", "is": {"param": "day"}}
    made = planned(given("label", keep=[of_day]), writes=CHANGED)
    query = made.operations_for(1)[0].steps[0]
    assert [(test.attribute, test.is_) for test in query.filter] == [("date(placedAt)", "{day}")]
    assert projection(made) == ("INCLUDE", {"placedAt"})


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("more", [{}, {"attributes": ["title", "placedAt"]}])
def test_an_entry_of_a_sparse_index_holds_all_of_its_key_whatever_it_holds_besides(style, more):
    def read(present):
        attributes = [{**one, "present": present} for one in NOTE["attributes"][1:2]]
        attributes = [NOTE["attributes"][0], *attributes, *NOTE["attributes"][2:]]
        entity = {**NOTE, "attributes": attributes}
        made = planned(given("label", **more), entity=entity, style=style)
        expected = made.operations_for(1)[0].steps[0].expects
        (index,) = (index for table in made.tables for index in table.indexes)
        assert index.sparse == (present < 1)
        return expected.bytes / expected.read

    assert read(0.3) == pytest.approx(read(1))


def test_the_one_value_that_an_index_is_limited_to_is_not_tested():
    state = {"name": "state", "values": ["OPEN", "DONE"], "shares": [0.01, 0.99]}
    rank = {"name": "rank", "type": "N", "digits": 6, "distinct": 500}
    entity = {**NOTE, "attributes": [*NOTE["attributes"], state, rank]}
    asked = given("label", order=["rank ascending", "placedAt ascending"], limit=3)
    asked["where"].append({"attribute": "state", "is": {"value": "OPEN"}})
    asked["where"].append({"attribute": "placedAt", "from": {"param": "least"}})
    made = planned(asked, entity=entity)
    ((index,),) = (table.indexes for table in made.tables)
    (query,) = made.operations_for(1)[0].steps
    assert index.sparse
    assert [test.attribute for test in query.filter] == ["placedAt"]


MEMO = {
    "name": "Memo",
    "identifier": ["memoId"],
    "items": 100_000,
    "attributes": [
        {"name": "memoId", "format": "uuid"},
        {"name": "author", "bytes": 12, "distinct": 40_000, "mutable": True},
        {"name": "body", "bytes": 3000},
    ],
}


def test_a_second_read_that_a_shared_list_saves_is_neither_made_nor_counted():
    memos = {"kind": "list", "returns": "Memo", "attributes": ["body"], "rate": OFTEN}
    memos["where"] = [{"attribute": "author", "is": {"param": "author"}}]
    patterns = [given("label", attributes=["body"]), memos, *CHANGED]
    document = {
        "name": "Shared",
        "entities": [NOTE, MEMO],
        "patterns": [{"number": n, "name": f"P{n}", **one} for n, one in enumerate(patterns, 1)],
        "planner": {"items": "as-stated"},
    }
    apart = plan(Design.model_validate(document), "single").operations_for(1)[0]
    assert [step.call for step in apart.steps] == ["Query", "BatchGetItem"]
    document["planner"]["max_gsis"] = 1
    shared = plan(Design.model_validate(document), "single").operations_for(1)[0]
    assert [step.call for step in shared.steps] == ["Query"]
    (query,) = shared.steps
    assert (query.expects.requests, query.expects.units) == (1, shared.read_units) == (1, 1.0)


def test_all_lists_of_a_shared_table_hold_no_more_than_a_hundred_names():
    """Seven indexes of 15 attributes each, and the type, would be 112; DynamoDB allows 100 in one table."""
    wide = [{"name": f"a{at}", "bytes": 6} for at in range(15)]
    seeks = [{"name": f"k{at}", "bytes": 8, "distinct": 5000} for at in range(7)]
    more = [{"name": "noteId", "format": "uuid"}, {"name": "body", "bytes": 9000}]
    entity = {**NOTE, "attributes": [*more, *wide, *seeks]}
    names = [one["name"] for one in wide]
    reads = [
        {**given(f"k{at}", attributes=names), "rate": {"average": 500, "peak": 500}}
        for at in range(7)
    ]
    made = planned(*reads, entity=entity, writes=CHANGED, style="single")
    (table,) = made.tables
    lists = [len(index.projection.attributes) for index in table.indexes]
    assert len(lists) == 7
    assert max(lists) > 15
    assert sum(lists) <= 100


def held_in(size, items=100_000):
    """What the index by label holds, where another by title is there, too."""
    sized = {**NOTE, "items": items, "attributes": [*NOTE["attributes"]]}
    sized["attributes"][1] = {**sized["attributes"][1], "distinct": items * 2 // 5}
    sized["attributes"][4] = {"name": "title", "bytes": 20, "distinct": items * 2 // 5}
    sized["attributes"][5] = {"name": "body", "bytes": size}
    whole = given("label", rate={"average": 100})
    other = given("title", attributes=["noteId"])
    made = planned(whole, other, entity=sized, writes=CHANGED, style="single")
    index, _ = made.tables[0].indexes
    return index.projection.type, set(index.projection.attributes), made


@pytest.mark.parametrize("size", [600, 700])
def test_everything_is_held_for_who_reads_whole_items(size):
    assert held_in(size)[:2] == ("ALL", set())


def test_a_list_of_all_leaves_out_the_keys_of_other_indexes_where_that_saves_a_kilobyte():
    kind, names, made = held_in(790)
    assert kind == "INCLUDE"
    assert {"noteId", "label", "placedAt", "title", "body"} <= names
    (query,) = made.operations_for(1)[0].steps
    assert query.call == "Query"
    decision = next(one for one in made.decisions if one.about.endswith("/GSI1"))
    assert any("holds-other-keys" in reasons_of(one) for one in decision.instead_of)


def test_a_list_of_all_that_saves_a_few_cents_is_told_and_left_to_a_pin():
    kind, _, made = held_in(400, items=2_000_000)
    assert kind == "ALL"
    decision = next(one for one in made.decisions if one.about.endswith("/GSI1"))
    offered = decision.instead_of[0]
    assert offered.chosen.id == "all-projected-by-name"
    assert 0 < decision.per_month - offered.per_month < LISTED
