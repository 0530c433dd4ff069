"""Index keys of several attributes, numbers as sort keys in a shared table, local indexes, copies for strong reads."""

import pytest

from designer.core.plan import Index, Plan
from designer.core.planner import plan
from designer.proof.prove import prove
from tests.core.test_planner import design, indexes, is_, operation

TASK = {
    "name": "Task",
    "identifier": ["taskId"],
    "items": 1_000_000,
    "attributes": [
        {"name": "taskId", "format": "uuid"},
        {"name": "teamId", "bytes": 10, "distinct": 1000},
        {"name": "site", "bytes": 6, "distinct": 40},
        {"name": "rank", "type": "N", "format": "integer", "digits": 3, "mutable": True},
        {"name": "dueAt", "format": "datetime", "mutable": True},
        {"name": "text", "bytes": 200},
    ],
}
BY_RANK = {
    "kind": "list",
    "returns": "Task",
    "where": [is_("teamId")],
    "order": ["rank ascending", "dueAt ascending"],
    "limit": 20,
    "rate": {"average": 20},
}
SET_RANK = {
    "kind": "update",
    "entity": "Task",
    "set": {"rank": {"param": "rank"}},
    "rate": {"average": 10},
}
GET = {"kind": "get", "returns": "Task", "where": [is_("taskId")], "rate": {"average": 1}}
CREATE = {"kind": "create", "entity": "Task", "rate": {"average": 1}}
ATTRIBUTES = {"composite_index_keys": "multi-attribute"}


def keys(index: Index) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    partition, sort = (
        [(part.name, part.type) for part in parts] for parts in (index.partition, index.sort)
    )
    return partition, sort


def only_index(made: Plan) -> Index:
    (index,) = indexes(made)
    return index


# Several attributes in a key


def test_a_composed_key_is_rewritten_whole_and_own_attributes_are_not():
    """10 changes a second: 1 unit for the item, 2 for the entry that moves, at $0.625 a million: $48.60 a month.

    A text of rank and due date takes the due date besides, 1 strong unit at $0.125 a million: $3.24.
    """
    asked = [BY_RANK, SET_RANK, GET, CREATE]
    texts = plan(design([TASK], asked), "multi")
    own = plan(design([TASK], asked, planner=ATTRIBUTES), "multi")
    assert keys(only_index(texts))[1] == [("rank_dueAt", "S")]
    assert keys(only_index(own)) == ([("teamId", "S")], [("rank", "N"), ("dueAt", "S")])
    assert operation(texts, 2).usd_per_month == pytest.approx(51.84)
    assert operation(own, 2).usd_per_month == pytest.approx(48.6)
    assert [step.call for step in operation(texts, 2).steps] == ["GetItem", "UpdateItem"]
    assert [step.call for step in operation(own, 2).steps] == ["UpdateItem"]


def test_the_cheaper_of_texts_and_attributes_is_taken():
    asked = [BY_RANK, SET_RANK, GET, CREATE]
    for style in ("single", "multi"):
        texts = plan(design([TASK], asked), style)
        own = plan(design([TASK], asked, planner=ATTRIBUTES), style)
        assert own.cost.per_month < texts.cost.per_month
        assert own.cost.bound == pytest.approx(own.cost.per_month, abs=0.05)


def test_own_keys_add_nothing_to_the_item():
    own = plan(design([TASK], [BY_RANK, GET, CREATE], planner=ATTRIBUTES), "multi")
    (table,) = own.tables
    (shape,) = table.items
    assert shape.set == {}
    bare = plan(design([TASK], [GET, CREATE]), "multi")
    assert shape.bytes == bare.tables[0].items[0].bytes


def test_equal_attributes_come_before_the_range_in_the_order_of_the_key():
    where = [is_("teamId"), is_("site"), {"attribute": "rank", "from": {"param": "least"}}]
    asked = {**BY_RANK, "where": where, "order": ["rank ascending"]}
    other = {**BY_RANK, "where": [is_("teamId"), is_("site")], "order": ["rank descending"]}
    made = plan(design([TASK], [asked, other, GET, CREATE], planner=ATTRIBUTES), "multi")
    (step,) = operation(made, 1).steps
    tests = [one.model_dump(by_alias=True, exclude_none=True) for one in step.where]
    assert tests == [
        {"attribute": "teamId", "equals": "{teamId}"},
        {"attribute": "site", "equals": "{site}"},
        {"attribute": "rank", "from": "{least}"},
    ]
    assert keys(only_index(made)) == ([("teamId", "S"), ("site", "S")], [("rank", "N")])


def test_a_key_has_at_most_four_attributes_on_each_side():
    names = [f"part{at}" for at in range(5)]
    wide = {
        **TASK,
        "attributes": [
            *TASK["attributes"],
            *({"name": n, "bytes": 5, "distinct": 9} for n in names),
        ],
    }
    asked = {**BY_RANK, "where": [is_(name) for name in names], "order": []}
    made = plan(design([wide], [asked, GET, CREATE], planner=ATTRIBUTES), "multi")
    for index in indexes(made):
        assert len(index.partition) <= 4 and len(index.sort) <= 4
    assert operation(made, 1).answer == "in one request"


def test_a_derived_key_attribute_is_stored():
    """What is due on one of four days is too much to be sorted by whoever asks."""
    day = {"name": "day", "derived": "date(dueAt)", "distinct": 4}
    dated = {**TASK, "attributes": [*TASK["attributes"], day]}
    asked = {**BY_RANK, "where": [is_("teamId"), is_("day")], "order": ["rank ascending"]}
    made = plan(design([dated], [asked, GET, CREATE], planner=ATTRIBUTES), "multi")
    (table,) = made.tables
    assert keys(only_index(made))[0] == [("teamId", "S"), ("day", "S")]
    assert table.items[0].set == {"day": "{date(dueAt)}"}


def test_an_optional_attribute_keeps_items_out_of_the_index():
    """In 2 % of the items: 20,000 entries instead of a million."""
    sparse = [
        {**one, "present": 0.02} if one["name"] == "rank" else one for one in TASK["attributes"]
    ]
    asked = [BY_RANK, GET, CREATE]
    made = plan(design([{**TASK, "attributes": sparse}], asked, planner=ATTRIBUTES), "multi")
    assert only_index(made).sparse
    written = operation(made, 3).steps[-1].expects
    assert written.index_units == {"Tasks/TasksByTeam": 0.02}


# Numbers as sort keys in a shared table

SCORE = {
    "name": "Score",
    "identifier": ["gameId", "playerId"],
    "items": 100_000,
    "attributes": [
        {"name": "gameId", "bytes": 8, "distinct": 200},
        {"name": "playerId", "bytes": 12},
        {"name": "points", "type": "N", "format": "integer", "digits": 8},
    ],
}
BOARD = {
    "kind": "list",
    "returns": "Score",
    "where": [is_("gameId")],
    "order": ["points descending"],
    "limit": 10,
    "rate": {"average": 100},
}
WIN = {
    "kind": "update",
    "entity": "Score",
    "add": {"points": {"param": "won"}},
    "rate": {"average": 10},
}


def test_a_number_that_is_counted_up_is_itself_the_sort_key_in_a_shared_table():
    """100 reads of half a unit: $16.20 a month. 10 changes of 1 + 2 units: $48.60."""
    made = plan(design([SCORE], [BOARD, WIN]), "single")
    assert keys(only_index(made)) == ([("GSI1PK", "S")], [("points", "N")])
    assert made.tables[0].items[0].set["GSI1PK"] == "SCORE#GAME#{gameId}"
    (step,) = operation(made, 2).steps
    (member,) = step.members
    assert member.add == {"points": "{won}"} and not member.set
    assert operation(made, 1).usd_per_month == pytest.approx(16.2)
    assert operation(made, 2).usd_per_month == pytest.approx(48.6)


def leveled(name: str) -> tuple[dict, list[dict]]:
    """Another entity with a board of its own, by a number of this name."""
    attributes = [
        {"name": "clubId", "bytes": 8, "distinct": 200},
        {"name": "memberId", "bytes": 12},
        {"name": name, "type": "N", "format": "integer", "digits": 8},
    ]
    entity = {**SCORE, "name": "Level", "identifier": ["clubId", "memberId"]}
    board = {**BOARD, "returns": "Level", "where": [is_("clubId")], "order": [f"{name} descending"]}
    win = {**WIN, "entity": "Level", "add": {name: {"param": "won"}}}
    return {**entity, "attributes": attributes}, [board, win]


def test_entities_that_sort_by_the_same_attribute_share_an_index_and_stay_apart_in_it():
    level, asked = leveled("points")
    made = plan(design([SCORE, level], [BOARD, WIN, *asked]), "single")
    assert keys(only_index(made)) == ([("GSI1PK", "S")], [("points", "N")])
    starts = {shape.set["GSI1PK"].split("#")[0] for shape in made.tables[0].items}
    assert starts == {"SCORE", "LEVEL"}


def test_entities_that_sort_by_other_attributes_do_not_share_an_index():
    level, asked = leveled("rounds")
    made = plan(design([SCORE, level], [BOARD, WIN, *asked]), "single")
    assert sorted(keys(index)[1] for index in indexes(made)) == [
        [("points", "N")],
        [("rounds", "N")],
    ]


def test_an_attribute_of_two_types_is_no_key_of_a_shared_table():
    """DynamoDB refuses an item that has a key attribute of any index in another type."""
    level, _ = leveled("rounds")
    text = {**level, "attributes": [*level["attributes"], {"name": "points", "bytes": 4}]}
    apart = design([SCORE, text], [BOARD, WIN])
    assert indexes(plan(apart, "single")) == []
    assert keys(only_index(plan(apart, "multi"))) == ([("gameId", "S")], [("points", "N")])


# Local indexes

MAIL = {
    "name": "Mail",
    "identifier": ["boxId", "mailId"],
    "items": 1_000_000,
    "attributes": [
        {"name": "boxId", "bytes": 10, "distinct": 1000},
        {"name": "mailId", "format": "ulid"},
        {"name": "size", "type": "N", "format": "integer", "digits": 9},
        {"name": "subject", "bytes": 400},
    ],
}
LARGEST = {
    "kind": "list",
    "returns": "Mail",
    "where": [is_("boxId")],
    "order": ["size descending"],
    "limit": 5,
    "consistency": "strong",
    "rate": {"average": 10},
}
NEWEST = {
    **LARGEST,
    "order": ["mailId descending"],
    "limit": 20,
    "consistency": "eventual",
}
ARRIVE = {"kind": "create", "entity": "Mail", "rate": {"average": 1}}


@pytest.mark.parametrize(
    ("style", "sort"), [("single", [("LSI1SK", "S")]), ("multi", [("size", "N")])]
)
def test_a_strong_read_in_another_order_is_answered_by_a_local_index(style, sort):
    """One page of 5 x about 500 bytes is 1 strong unit: 10 a second at $0.125 a million is $3.24 a month."""
    made = plan(design([MAIL], [LARGEST, NEWEST, ARRIVE]), style)
    index = only_index(made)
    assert (index.kind, keys(index)[1]) == ("local", sort)
    assert index.partition == (made.tables[0].key.partition,)
    (step,) = operation(made, 1).steps
    assert step.consistent and step.index == index.name
    assert operation(made, 1).usd_per_month == pytest.approx(3.24)
    # 1 unit for the item, 1 for its entry, at $0.625 a million
    assert operation(made, 3).usd_per_month == pytest.approx(3.24)


@pytest.mark.parametrize("style", ["single", "multi"])
def test_a_strong_read_of_little_of_each_item_has_a_local_index_that_holds_just_that(style):
    """1000 mails of a box are over 400 KB; their sizes alone are a quarter of that."""
    sizes = {"kind": "list", "returns": "Mail", "where": [is_("boxId")], "attributes": ["size"]}
    asked = {**sizes, "consistency": "strong", "rate": {"average": 10}}
    made = plan(design([MAIL], [asked, NEWEST, ARRIVE]), style)
    index = only_index(made)
    assert index.kind == "local"
    assert "subject" not in index.projection.attributes
    (step,) = operation(made, 1).steps
    assert step.consistent and step.index == index.name
    assert step.expects.bytes < 1000 * 150


@pytest.mark.parametrize("style", ["single", "multi"])
def test_without_a_strong_read_the_index_is_global(style):
    made = plan(design([MAIL], [{**LARGEST, "consistency": "eventual"}, NEWEST, ARRIVE]), style)
    assert only_index(made).kind == "global"


@pytest.mark.parametrize("style", ["single", "multi"])
def test_a_strong_read_that_the_table_gets_is_no_reason_for_a_local_index(style):
    """Bytes of a shared table's keys would make it cheaper; but it holds each partition to 10 GB for ever."""
    one = {
        **NEWEST,
        "kind": "get",
        "where": [is_("boxId"), is_("mailId")],
        "order": [],
        "limit": None,
    }
    largest = {**LARGEST, "consistency": "eventual"}
    changing = [{**each, "mutable": each["name"] == "size"} for each in MAIL["attributes"]]
    mail = {**MAIL, "attributes": changing}
    made = plan(design([mail], [{**one, "consistency": "strong"}, largest, ARRIVE]), style)
    assert only_index(made).kind == "global"


@pytest.mark.parametrize("style", ["single", "multi"])
def test_a_partition_that_may_outgrow_10_gb_has_no_local_index(style):
    """30 million items on 1000 values are 30,000 a partition; of 300 KB each that is 9 GB, and entries as much."""
    huge = [
        {**one, "bytes": 300_000} if one["name"] == "subject" else one for one in MAIL["attributes"]
    ]
    made = plan(
        design([{**MAIL, "items": 30_000_000, "attributes": huge}], [LARGEST, NEWEST, ARRIVE]),
        style,
    )
    assert all(index.kind == "global" for index in indexes(made))


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize(("most", "kind"), [(2_000_000, "local"), (40_000_000, "global")])
def test_the_largest_number_of_children_counts_and_not_their_average(style, most, kind):
    """A box has 30,000 mails on average, with their entries 30 MB; of the largest, 40 GB would be too much."""
    box = {"name": "Box", "identifier": ["boxId"], "items": 1000, "attributes": [{"name": "boxId"}]}
    referring = [{"name": "boxId", "refers_to": "Box.boxId"}, *MAIL["attributes"][1:]]
    mail = {**MAIL, "items": 30_000_000, "attributes": referring}
    gets = {"name": "gets", "one": "Box", "many": "Mail", "by": "boxId", "average": 30_000}
    asked = [LARGEST, NEWEST, ARRIVE]
    made = plan(design([box, mail], asked, relationships=[{**gets, "most": most}]), style)
    kinds = {index.kind for index in indexes(made)}
    assert ("local" in kinds) == (kind == "local")


def test_what_lies_beside_the_items_counts_against_a_partition_with_a_local_index():
    """30,000 mails of 60 KB and their entries are 3.6 GB a box, and 30,000 notes of 300 KB beside them 9 GB."""
    mail = [
        {**one, "bytes": 60_000} if one["name"] == "subject" else one for one in MAIL["attributes"]
    ]
    note = {
        "name": "Note",
        "identifier": ["boxId", "noteId"],
        "items": 30_000_000,
        "attributes": [
            {"name": "boxId", "bytes": 10, "distinct": 1000, "refers_to": "Box.boxId"},
            {"name": "noteId", "format": "ulid"},
            {"name": "text", "bytes": 300_000},
        ],
    }
    box = {"name": "Box", "identifier": ["boxId"], "items": 1000, "attributes": [mail[0]]}
    many = {
        **MAIL,
        "items": 30_000_000,
        "attributes": [{**mail[0], "refers_to": "Box.boxId"}, *mail[1:]],
    }
    asked = [
        LARGEST,
        {**NEWEST, "consistency": "strong"},
        ARRIVE,
        {**NEWEST, "returns": "Note", "order": ["noteId descending"]},
    ]
    made = plan(design([box, many, note], asked), "single")
    assert [index.kind for index in indexes(made)] == ["local"]
    (said,) = (finding for finding in made.findings if finding.rule == "local-index-collection")
    assert said.where == "entities.Mail"
    assert said.problem.values["gigabytes"] == pytest.approx(12.6, abs=0.05)


# Copies for strong reads

DOC = {
    "name": "Doc",
    "identifier": ["docId"],
    "items": 100_000,
    "attributes": [
        {"name": "docId", "format": "uuid"},
        {"name": "ownerId", "bytes": 12, "distinct": 20_000},
        {"name": "size", "type": "N", "format": "integer", "digits": 8},
        {"name": "title", "bytes": 30, "mutable": True},
        {"name": "expiresAt", "type": "N", "format": "epoch", "ttl": True, "present": 0.5},
    ],
}
OWNED = {
    "kind": "list",
    "returns": "Doc",
    "where": [is_("ownerId")],
    "consistency": "strong",
    "rate": {"average": 10},
}
GET_DOC = {"kind": "get", "returns": "Doc", "where": [is_("docId")], "rate": {"average": 10}}
DOC_WRITES = [
    {"kind": "create", "entity": "Doc", "rate": {"average": 1}},
    {"kind": "delete", "entity": "Doc", "rate": {"average": 1}},
    {
        "kind": "update",
        "entity": "Doc",
        "set": {"title": {"param": "title"}},
        "rate": {"average": 1},
    },
]


LOWEST = {"objective": "cost"}


@pytest.mark.parametrize("style", ["single", "multi"])
def test_a_strong_read_by_another_key_is_served_by_a_copy_at_its_price(style):
    """Two items in a transaction are 4 units: 1 a second is $6.48 a month; a delete reads the owner first, $0.324."""
    made = plan(design([DOC], [OWNED, GET_DOC, *DOC_WRITES], planner=LOWEST), style)
    shapes = [shape for table in made.tables for shape in table.items]
    assert [(shape.shape, shape.role) for shape in shapes] == [
        ("Doc", "entity"),
        ("DocByOwnerId", "copy"),
    ]
    (step,) = operation(made, 1).steps
    assert step.consistent and step.shapes == ("DocByOwnerId",)
    create, delete, update = (operation(made, number) for number in (3, 4, 5))
    assert create.usd_per_month == pytest.approx(6.48)
    assert delete.usd_per_month == update.usd_per_month == pytest.approx(6.48 + 0.324)
    assert made.cost.gap == 0
    assert {table.ttl for table in made.tables} == {"expiresAt"}


@pytest.mark.parametrize("style", ["single", "multi"])
def test_two_copies_under_one_partition_key_have_names_of_their_own(style):
    by_size = {**OWNED, "order": ["size descending"], "limit": 5, "rate": {"average": 5000}}
    by_day = {
        **OWNED,
        "order": ["madeAt descending"],
        "limit": 5,
        "rate": {"average": 5000},
    }
    dated = [*DOC["attributes"], {"name": "madeAt", "format": "datetime"}]
    many = {**DOC, "items": 200_000_000, "attributes": dated}
    made = plan(design([many], [by_size, by_day, GET_DOC, *DOC_WRITES], planner=LOWEST), style)
    shapes = [shape.shape for table in made.tables for shape in table.items]
    assert len(shapes) == len(set(shapes)) == 3


# Sort keys without the identifier

SHELF = {
    "name": "Shelf",
    "identifier": ["shelfId"],
    "items": 1000,
    "attributes": [{"name": "shelfId", "bytes": 36}],
}
BOX = {
    "name": "Box",
    "identifier": ["shelfId", "boxId"],
    "items": 100_000,
    "attributes": [
        {"name": "shelfId", "bytes": 36, "refers_to": "Shelf.shelfId"},
        {"name": "boxId", "bytes": 36},
        {"name": "owner", "bytes": 20, "distinct": 500, "mutable": True},
        {"name": "label", "bytes": 40},
    ],
}
STORE = {"kind": "create", "entity": "Box", "rate": {"average": 1}}


def boxes_of_an_owner(rate: float, **more: object) -> Plan:
    asked = {"kind": "list", "returns": "Box", "where": [is_("owner")], **more}
    made = design([SHELF, BOX], [{**asked, "rate": {"average": rate}}, STORE])
    return plan(made, "single")


def sort_template(made: Plan) -> str:
    """What a box has as the sort key of the only index."""
    (sort,) = only_index(made).sort
    (shape,) = [one for table in made.tables for one in table.items if one.shape == "Box"]
    return shape.set[sort.name]


def test_the_identifier_ends_no_index_key_where_nothing_is_sorted_and_it_costs_much():
    assert sort_template(boxes_of_an_owner(100)) == "BOX"


def test_the_identifier_stays_in_an_index_key_where_less_than_a_dollar_is_saved():
    made = boxes_of_an_owner(0.1)
    assert sort_template(made) == "BOX#{shelfId}#{boxId}"
    assert 0 < made.cost.per_month - made.cost.bound < 1, "that is the bill without it"


def test_the_identifier_keeps_an_asked_order_the_same_every_time():
    made = boxes_of_an_owner(100, order=["label ascending"])
    assert sort_template(made).endswith("#{shelfId}#{boxId}")


def test_an_index_key_without_the_identifier_is_proven():
    asked = {"kind": "list", "returns": "Box", "where": [is_("owner")], "rate": {"average": 100}}
    made_of = design([SHELF, BOX], [asked, STORE])
    made = plan(made_of, "single")
    assert sort_template(made) == "BOX"
    assert prove(made_of, made).passed
