"""Keys that one partition could not serve: shards as the peak takes them, and periods that a range runs through.

A partition serves 1,000 write and 3,000 read units a second; shards are made for 800 and 2,400.
"""

import pytest

from designer.core.design.document import Design
from designer.core.examples import examples
from designer.core.examples.simulate import run
from designer.core.examples.stored_items import stored_items
from designer.core.messages import say
from designer.core.plan import Plan
from designer.core.planner import plan
from designer.core.sentences.steps import served_by
from designer.proof.prove import prove
from tests.core.test_planner import CREATE, ORDER, design, is_, listing, operation
from tests.messages import reasons_of

EVENT = {
    "name": "Event",
    "identifier": ["eventId"],
    "items": 10_000_000,
    "attributes": [
        {"name": "eventId", "format": "uuid"},
        {"name": "at", "format": "datetime"},
        {"name": "kind", "values": ["VIEW", "BUY"], "shares": [0.8, 0.2]},
        {"name": "actor", "bytes": 8, "distinct": 50_000},
        {"name": "body", "bytes": 300},
    ],
}
NEWEST = {"order": ["at descending"], "limit": 20, "rate": {"average": 1}}


@pytest.fixture(params=["single", "multi"])
def style(request):
    return request.param


def listed(*where: dict, **more: object) -> dict:
    return {"kind": "list", "returns": "Event", "where": list(where), **more}


def create(peak: float, **more: object) -> dict:
    rate = {"average": 10, "peak": peak}
    return {"kind": "create", "entity": "Event", "rate": rate, **more}


def shards(made: Plan) -> list[int | None]:
    """How many each Query is repeated for, by pattern."""
    return [
        step.for_each.numbers if step.for_each is not None else None
        for one in made.operations
        for step in one.steps
        if step.call == "Query"
    ]


def hot(made: Plan) -> list[str]:
    return [finding.message for finding in made.findings if finding.rule == "hot-partition"]


@pytest.mark.parametrize(
    ("peak", "count"), [(1000, None), (1001, 2), (5000, 7), (5600, 7), (5601, 8)]
)
def test_all_of_them_lie_in_as_many_shards_as_the_peak_takes(peak, count, style):
    """5,000 writes a second are 6.25 times 800: seven shards."""
    made = plan(design([EVENT], [create(peak), listed(**NEWEST)]), style)
    assert shards(made) == [count]
    assert hot(made) == []


def test_a_value_that_most_items_have_is_as_hot_as_its_share(style):
    """0.8 of 5,000 writes a second are 4,000: five shards."""
    made = plan(design([EVENT], [create(5000), listed(is_("kind"), **NEWEST)]), style)
    assert shards(made) == [5]


def test_a_key_of_many_values_is_cool_unless_the_team_says_otherwise(style):
    by_actor = listed(is_("actor"), **NEWEST)
    made = plan(design([EVENT], [create(5000), by_actor]), style)
    assert shards(made) == [None]
    made = plan(design([EVENT], [create(5000, hottest=0.5), by_actor]), style)
    assert shards(made) == [4]
    attributes = [
        {**a, **({"busiest": 0.5} if a["name"] == "actor" else {})} for a in EVENT["attributes"]
    ]
    busy = {**EVENT, "attributes": attributes}
    assert shards(plan(design([busy], [create(5000), by_actor]), style)) == [4]


def test_what_a_pattern_states_of_its_hottest_key_cools_no_key_of_something_else(style):
    """The hottest actor has a hundredth of the writes; the kind that most have takes four fifths of 5,000 a second."""
    patterns = [create(5000, hottest=0.01), listed(is_("kind"), **NEWEST)]
    assert shards(plan(design([EVENT], patterns), style)) == [5]


def test_each_shard_is_asked_for_as_many_as_are_wanted_and_priced(style):
    """Seven times twenty entries of about 0.4 KB are 8 KB each, two units of 4 KB at half: seven units or more."""
    made = plan(design([EVENT], [create(5000), listed(**NEWEST)]), style)
    found = operation(made, 2)
    (step,) = found.steps
    assert (step.limit, step.pages, step.until) == (20, "until", {"rows": 20})
    assert found.requests == 7
    assert step.expects.read == 7 * 20
    each = -(-(step.expects.bytes / 7) // 4096) * 0.5
    assert found.read_units == 7 * each
    (part,) = found.result.parts
    assert (part.order, part.limit) == (("at descending",), 20)
    assert found.usd_per_month == pytest.approx(7 * each * 2.592 * 0.125, abs=1e-4)


def test_what_the_caller_merges_the_shards_by_is_held_by_their_index(style):
    """Rows of several requests are put in order by the attribute, which a key of one text does not give back."""
    newest = listed(**{**NEWEST, "attributes": ["eventId"], "rate": {"average": 50}})
    made = plan(design([EVENT], [create(5000), newest]), style)
    (step,) = operation(made, 2).steps
    (index,) = (i for table in made.tables for i in table.indexes if i.name == step.index)
    assert step.for_each.numbers == 7
    carried = {part.name for part in (*index.partition, *index.sort)}
    assert "at" in {*index.projection.attributes, *carried} or index.projection.type == "ALL"


LARGE = {
    **EVENT,
    "attributes": [{**a, "bytes": 5100} if a["name"] == "body" else a for a in EVENT["attributes"]],
}


BETWEEN_TIMES = {"attribute": "at", "from": {"param": "since"}, "below": {"param": "until"}}


def newest_of_large(*where: dict, limit: int = 20) -> Design:
    """The newest events of some 5 KB, which are written 5,000 times a second at peak."""
    return design([LARGE], [create(5000), listed(*where, **{**NEWEST, "limit": limit})])


def test_of_large_items_the_keys_of_all_shards_are_merged_and_the_first_few_got(style):
    """An entry of keys is one unit to write, the item of some 5 KB six: 7 shards and not 38.

    Seven times twenty keys are at most 4 KB each, at half a unit. Twenty items are two units each, at half.
    """
    made_of = newest_of_large()
    made = plan(made_of, style)
    assert shards(made) == [7]
    assert hot(made) == []
    (put,) = operation(made, 1).steps
    assert (put.expects.units, list(put.expects.index_units.values())) == (6, [1])
    found = operation(made, 2)
    keys, items = found.steps
    assert (keys.limit, keys.pages, keys.until) == (20, "until", {"rows": 20})
    assert (items.call, items.for_each.rows) == ("BatchGetItem", "s1")
    assert (items.for_each.order, items.for_each.limit) == (("at descending",), 20)
    assert (keys.expects.read, keys.expects.units) == (7 * 20, 7 * 0.5)
    assert (items.expects.read, items.expects.units) == (20, 20 * 2 * 0.5)
    assert found.requests == 7 + 1
    assert found.usd_per_month == pytest.approx(23.5 * 2.592 * 0.125, abs=1e-4)
    said = served_by(made, found)
    assert (
        "with a key for each of the first 20 rows found, sorted by at in descending order; the rows"
        in said
    )
    assert "; the rows are put in the same order in the application (" in said
    verdict = prove(made_of, made)
    assert verdict.passed, verdict.problem or [p for p in verdict.patterns if p.status != "passed"]


def test_the_pages_show_that_only_the_first_few_of_all_shards_are_got(style):
    made_of = newest_of_large(limit=2)
    made, items = plan(made_of, style), examples(made_of)
    (table,) = made.tables
    stored = {table.name: stored_items(made_of, made, items, table)}
    trace = run(made_of, made, stored, operation(made, 2), {})
    newest = sorted(stored[table.name], key=lambda item: item.values["at"], reverse=True)
    assert len(newest) > 2
    assert trace.returned == tuple(item.id for item in newest[:2])
    assert {t.item for t in trace.touched if t.step == "s1"} == {item.id for item in newest}
    assert {t.item for t in trace.touched if t.step == "s2"} == set(trace.returned)


def test_what_the_caller_cuts_is_cut_before_the_first_few_are_got():
    """BETWEEN includes both its ends: what happened at the excluded one is none of the first few."""
    made_of = newest_of_large(BETWEEN_TIMES)
    made = plan(made_of, "multi")
    _, items = operation(made, 2).steps
    (kept,) = items.for_each.keep
    assert (kept.attribute, kept.below, items.for_each.limit) == ("at", "{until}", 20)
    verdict = prove(made_of, made)
    assert verdict.passed, verdict.problem or [p for p in verdict.patterns if p.status != "passed"]


def test_writes_put_the_shard_of_the_item_s_own_identifier(style):
    change = {"kind": "update", "entity": "Event", "set": {"kind": {"param": "kind"}}}
    change["rate"] = {"average": 10, "peak": 100}
    asked = [create(5000), listed(is_("kind"), **NEWEST), change]
    made = plan(design([EVENT], asked), style)
    put = operation(made, 1).steps[0].members[0]
    update = operation(made, 3).steps[-1].members[0]
    assert operation(made, 3).answer == "in one request"  # the identifier is all it takes
    for values in (put.values, update.set):
        assert any("{shard(6, eventId)}" in str(value) for value in values.values())


def test_the_key_in_one_piece_is_named_as_the_hot_alternative(style):
    made = plan(design([EVENT], [create(5000), listed(**NEWEST)]), style)
    (decision,) = [one for one in made.decisions if one.about.startswith("index")]
    spread = reasons_of(decision)["spread"]
    assert (spread["shards"], spread["by"]) == (7, "eventId")
    (alternative,) = [one for one in decision.instead_of if one.chosen.id == "not-spread"]
    assert reasons_of(alternative)["units-a-second"]["writes"] == 5000
    # It would save six of the seven reads, and the bytes of the shard in the keys.
    (step,) = operation(made, 2).steps
    saved = step.expects.units * 6 / 7 * 2.592 * 0.125
    assert saved <= decision.per_month - alternative.per_month < saved + 0.5


SETTING = {
    "name": "Setting",
    "identifier": ["settingId"],
    "items": 100,
    "attributes": [{"name": "settingId", "format": "uuid"}, {"name": "value", "bytes": 950}],
}
ALL_SETTINGS = {"kind": "list", "returns": "Setting", "rate": {"average": 10, "peak": 400}}


def test_a_collection_that_is_read_whole_and_often_is_spread_for_its_reads(style):
    """A hundred items of about 1 KB, 400 times a second: some 13 units each, more than 5,000 a second."""
    (step,) = operation(plan(design([SETTING], [ALL_SETTINGS]), style), 1).steps
    units = step.expects.units
    assert step.for_each.numbers == 3
    assert 400 * units > 2400 * 2
    assert 400 * units / 3 < 2400


def test_what_shards_cannot_cool_is_served_and_said(style):
    """The newest twenty are read from each shard, so shards would only add requests."""
    asked = listed(is_("kind"), **{**NEWEST, "rate": {"average": 100, "peak": 9000}})
    made = plan(design([EVENT], [create(100), asked]), style)
    assert operation(made, 2).answer == "in one request"
    assert shards(made) == [None]
    (finding,) = [one for one in made.findings if one.rule == "hot-partition"]
    assert finding.solution == say("cache")


def test_a_strong_read_of_a_spread_table_asks_its_shards(style):
    asked = listed(is_("actor"), consistency="strong", **NEWEST)
    made = plan(design([EVENT], [create(5000, hottest=0.5), asked]), style)
    (step,) = operation(made, 2).steps
    assert (step.index, step.consistent, step.for_each.numbers) == (None, True, 4)


READING = {
    "name": "Reading",
    "identifier": ["deviceId", "readAt"],
    "items": 720_000_000,
    "growth_per_month": 72_000_000,
    "attributes": [
        {"name": "deviceId", "bytes": 8, "distinct": 1000},
        {"name": "readAt", "format": "datetime"},
        {"name": "readHour", "derived": "hour(readAt)"},
        {"name": "value", "type": "N", "digits": 5, "mutable": True},
    ],
}
BETWEEN = {"attribute": "readAt", "from": {"param": "since"}, "below": {"param": "until"}}


def readings(*where: dict, **more: object) -> dict:
    rate = {"average": 0.001}
    return {"kind": "list", "returns": "Reading", "where": list(where), "rate": rate, **more}


RECORD = {"kind": "create", "entity": "Reading", "rate": {"average": 30, "peak": 100}}
HOURS = {"entity": "Reading", "key": {"partition": "{deviceId}#{hour(readAt)}"}}
"""The team wants each hour of a device to be a collection of its own."""
OF_HOUR = readings(is_("deviceId"), is_("readHour"), rate={"average": 50})


def test_a_range_of_time_runs_through_the_hours_of_the_key(style):
    """Ten months of hours are 7,200; a thousandth of them are 8 hours, which touch 9."""
    asked = readings(is_("deviceId"), {**BETWEEN, "share": 0.001})
    made = plan(design([READING], [RECORD, OF_HOUR, asked], planner={"pins": [HOURS]}), style)
    assert [len(table.indexes) for table in made.tables] == [0]
    (step,) = operation(made, 2).steps
    assert step.for_each is None
    (step,) = operation(made, 3).steps
    every = step.for_each.periods
    assert (every.form, every.from_, every.to) == ("hour", "{since}", "{until}")
    assert (every.newest_first, every.until_enough) == (False, False)
    assert operation(made, 3).requests == 9


def test_the_newest_of_a_time_are_read_no_further_than_there_are_enough(style):
    newest = readings(
        is_("deviceId"), {**BETWEEN, "share": 0.01}, order=["readAt descending"], limit=5
    )
    made = plan(design([READING], [RECORD, OF_HOUR, newest], planner={"pins": [HOURS]}), style)
    (step,) = operation(made, 3).steps
    assert (step.for_each.periods.newest_first, step.for_each.periods.until_enough) == (True, True)
    # A hundred readings of a device in an hour: the newest hour has five.
    assert operation(made, 3).requests == 1


def test_a_time_without_an_end_is_not_asked_hour_by_hour(style):
    since = readings(is_("deviceId"), {"attribute": "readAt", "from": {"param": "since"}}, limit=5)
    made = plan(design([READING], [RECORD, OF_HOUR, since]), style)
    for step in operation(made, 3).steps:
        assert step.for_each is None or step.for_each.periods is None


def test_an_item_is_found_by_the_time_that_its_hour_is_worked_out_from(style):
    get = {"kind": "get", "returns": "Reading", "where": [is_("deviceId"), is_("readAt")]}
    change = {"kind": "update", "entity": "Reading", "set": {"value": {"param": "value"}}}
    patterns = [RECORD, OF_HOUR, get, change]
    made = plan(design([READING], patterns, planner={"pins": [HOURS]}), style)
    for number in (3, 4):
        (step,) = operation(made, number).steps
        key = step.key or step.members[0].key
        assert any("{hour(readAt)}" in str(value) for value in key.values())


def test_hours_in_the_key_keep_collections_small_enough_for_a_local_index(style):
    """A device's 720,000 readings of 20 KB are more than 10 GB; those of one of its 7,200 hours are 2 MB."""
    large = {"name": "raw", "type": "B", "bytes": 20_000}
    entity = {**READING, "attributes": [*READING["attributes"], large]}
    hour = [is_("deviceId"), is_("readHour")]
    hottest_first = readings(
        *hour, order=["value descending"], limit=3, consistency="strong", rate={"average": 50}
    )
    made = plan(design([entity], [RECORD, OF_HOUR, hottest_first]), style)
    (step,) = operation(made, 3).steps
    kinds = {index.name: index.kind for table in made.tables for index in table.indexes}
    assert kinds.get(step.index) == "local"
    whole = readings(is_("deviceId"), order=["value descending"], limit=3, consistency="strong")
    made = plan(design([entity], [RECORD, whole]), style)
    assert [index.kind for table in made.tables for index in table.indexes] == []


def test_a_pinned_key_stays_in_one_piece_and_is_said_to_run_hot(style):
    patterns = [create(5000, hottest=0.5), listed(is_("actor"), consistency="strong", **NEWEST)]
    key = {"partition": "ACTOR#{actor}", "sort": "EVENT#{at}#{eventId}"}
    pins = {"pins": [{"entity": "Event", "key": key}]}
    made = plan(design([EVENT], patterns, planner=pins), style)
    assert shards(made) == [None]
    assert "2,500 write" in hot(made)[0]


def test_keys_of_one_derived_attribute_that_wait_for_others_are_apart():
    """An item that lacks what one index is sorted by is still in the other."""
    day = {"name": "day", "derived": "date(at)"}
    optional = [{"name": name, "bytes": 8, "present": 0.5} for name in ("rank", "note")]
    others = [one for one in EVENT["attributes"] if one["name"] != "at"]
    at = {"name": "at", "format": "datetime", "mutable": True, "distinct": 10_000}
    entity = {**EVENT, "attributes": [*others, at, day, *optional]}
    asked = [
        listed(is_("day"), order=[f"{name} ascending"], limit=5, rate={"average": 500})
        for name in ("rank", "note")
    ]
    (table,) = plan(design([entity], [create(10), *asked]), "multi").tables
    keys = {index.partition[0].name: index.sort[0].name for index in table.indexes}
    assert len(keys) == len(table.indexes) == 2
    (shape,) = table.items
    for partition, sort in keys.items():
        assert shape.set[partition] == f"{{when({sort.partition('_')[0]})}}{{date(at)}}"


IN_PIECES = {
    "name": "Count",
    "identifier": ["pageId", "piece"],
    "items": 4000,
    "attributes": [
        {"name": "pageId", "bytes": 8},
        {"name": "views", "type": "N", "digits": 12, "mutable": True},
        {"name": "piece", "type": "N", "digits": 1, "distinct": 4},
    ],
}
VIEWED = {
    "kind": "update",
    "entity": "Count",
    "add": {"views": {"value": 1}},
    "rate": {"average": 100, "peak": 6000},
    "hottest": 0.5,
}


@pytest.mark.proof
def test_a_counter_in_several_items_is_cool_and_summed_in_one_request(style):
    """As the team can state it itself: who adds draws the piece, so the hottest has a quarter of the page's half."""
    pieces = {"attribute": "piece", "any_of": {"param": "pieces"}}
    total = {
        "kind": "list",
        "returns": "Count",
        "where": [is_("pageId"), pieces],
        "result": {"sum": "views"},
        "expects": 4,
        "rate": {"average": 10},
    }
    made_of = design([IN_PIECES], [{**VIEWED, "hottest": 0.125}, total])
    made = plan(made_of, style)
    assert hot(made) == []
    assert operation(made, 2).answer == "in one request"
    verdict = prove(made_of, made)
    assert verdict.passed, verdict.problem or [p for p in verdict.patterns if p.status != "passed"]


def test_a_number_that_is_added_to_is_sorted_by_in_shards(style):
    """A shared table's index is sorted by the number itself; the text of its partition key has the shard."""
    score = {
        "name": "Score",
        "identifier": ["playerId"],
        "items": 40_000_000,
        "attributes": [
            {"name": "playerId", "format": "uuid"},
            {"name": "season", "bytes": 4, "distinct": 12, "busiest": 0.4},
            {"name": "points", "type": "N", "digits": 7},
        ],
    }
    top = {
        "kind": "list",
        "returns": "Score",
        "where": [is_("season")],
        "order": ["points descending"],
        "limit": 100,
        "rate": {"average": 5, "peak": 10},
    }
    won = {
        "kind": "update",
        "entity": "Score",
        "add": {"points": {"param": "gained"}},
        "rate": {"average": 800, "peak": 6000},
    }
    made_of = design([score], [top, won])
    made = plan(made_of, style)
    # Two writes for each change, 0.4 of 6,000 a second: 4,800.
    assert shards(made) == [6]
    assert hot(made) == []
    verdict = prove(made_of, made)
    assert verdict.passed, verdict.problem or [p for p in verdict.patterns if p.status != "passed"]


def test_an_index_of_everything_has_shards_for_the_keys_of_others_too():
    """Alone its entries stay under 1 KB; with the texts of two other indexes on the item they do not."""
    wide = [{**a, "bytes": 880} if a["name"] == "body" else a for a in EVENT["attributes"]]
    wide += [{"name": "place", "bytes": 30, "distinct": 50_000}]
    often = {"order": ["at descending"], "limit": 20, "rate": {"average": 200, "peak": 300}}
    of_both = [listed(is_("kind"), is_(name), **NEWEST) for name in ("actor", "place")]
    made = plan(
        design([{**EVENT, "attributes": wide}], [create(1500), listed(**often), *of_both]), "multi"
    )
    assert hot(made) == []


def why_rejected(made: Plan) -> set[str]:
    return {other.because for decision in made.decisions for other in decision.instead_of}


LINE = {
    "name": "Line",
    "identifier": ["userId", "line"],
    "items": 50_000,
    "attributes": [
        {"name": "userId", "type": "N", "format": "integer", "digits": 9, "distinct": 2000},
        {"name": "line", "type": "N", "format": "integer", "digits": 4, "distinct": 5000},
        {"name": "code", "type": "B", "bytes": 6, "distinct": 100},
        {"name": "label", "bytes": 12, "distinct": 150},
        {"name": "status", "values": ["OPEN", "PAID", "GONE"], "shares": [0.1, 0.2, 0.7]},
        {"name": "day", "format": "date", "distinct": 100},
    ],
}
OPEN_LINES = {
    "kind": "list",
    "returns": "Line",
    "where": [
        {"attribute": "status", "is": {"value": "OPEN"}},
        {"attribute": "day", "to": {"param": "day"}},
    ],
    "consistency": "strong",
    "rate": {"average": 40},
}
ONE_LINE = {
    "kind": "get",
    "returns": "Line",
    "where": [is_("userId"), is_("line")],
    "rate": {"average": 30},
}


@pytest.mark.parametrize(
    ("more", "shards"),
    [
        ([], 2),
        ([{"kind": "list", "returns": "Line", "where": [is_("code")], "rate": {"average": 20}}], 3),
    ],
)
def test_a_table_has_shards_for_the_keys_that_its_indexes_add(more, shards):
    """By itself the table would be cool in one piece: with the keys of the index for the get it is not.

    With the index by code three shards cost $12.96 a month less than two.
    """
    asked = [OPEN_LINES, ONE_LINE, {"kind": "create", "entity": "Line"}, *more]
    made = plan(design([LINE], asked, planner={"objective": "cost"}), "single")
    (line,) = (shape for table in made.tables for shape in table.items if shape.role == "entity")
    assert line.set["PK"] == f"STATUS#{{status}}#SHARD#{{shard({shards}, line)}}"
    assert line.set["SK"].startswith("LINE#{day}#")
    assert hot(made) == []


def test_a_limit_of_the_team_and_a_hot_partition_are_told_apart(style):
    """A key is rejected for one or for the other, and each is said with what it would need."""
    wish = {"at_most_requests": 1, "rate": {"average": 1}}
    send = {"kind": "update", "entity": "Order", "set": {"status": {"param": "next"}}, **wish}
    asked = {**listing(is_("userId")), "at_most_requests": 1}
    limited = why_rejected(plan(design([ORDER], [asked, CREATE, send]), style))
    by_actor = listed(is_("actor"), **NEWEST)
    heated = why_rejected(plan(design([EVENT], [create(5000, hottest=0.5), by_actor]), style))
    for words, mine, other in (
        ("exceeds the request limit of an access pattern", limited, heated),
        ("overloads a partition", heated, limited),
    ):
        assert any(words in because for because in mine)
        assert not any(words in because for because in other)


JOB = {
    "name": "Job",
    "identifier": ["jobId"],
    "items": 1_000_000,
    "attributes": [
        {"name": "jobId", "format": "uuid"},
        {"name": "status", "values": ["OPEN", "A", "B", "C"], "shares": [0.1, 0.3, 0.3, 0.3]},
        {"name": "at", "format": "datetime"},
    ],
}


def of_status(entity: dict, peak: float) -> list[dict]:
    """Every item begins as OPEN; the newest of a status are listed."""
    listing = {
        "kind": "list",
        "returns": entity["name"],
        "where": [is_("status")],
        "order": ["at descending"],
        "limit": 50,
        "rate": {"average": 2},
    }
    begin = {
        "kind": "create",
        "entity": entity["name"],
        "set": {"status": {"value": "OPEN"}},
        "rate": {"average": 100, "peak": peak},
    }
    by_id = {
        "kind": "get",
        "returns": entity["name"],
        "where": [is_(entity["identifier"][0])],
        "consistency": "strong",
        "rate": {"average": 2},
    }
    return [listing, begin, by_id]


def test_what_every_write_sets_alike_is_as_hot_as_all_of_them(style):
    """1,500 creates a second all go to OPEN, whatever share of the items is OPEN later: two shards."""
    made = plan(design([JOB], of_status(JOB, 1500)), style)
    assert shards(made)[0] == 2
    assert hot(made) == []


def test_values_of_several_entities_that_read_alike_lie_in_partitions_of_their_own():
    """Twice 700 writes a second to STATUS#OPEN would be too many for one partition."""
    task = {**JOB, "name": "Task", "identifier": ["taskId"]}
    task["attributes"] = [{"name": "taskId", "format": "uuid"}, *JOB["attributes"][1:]]
    made_of = design([JOB, task], [*of_status(JOB, 700), *of_status(task, 700)])
    made = plan(made_of, "single")
    (table,) = made.tables
    assert len(table.indexes) == 1
    keys = {shape.shape: shape.set["GSI1PK"] for shape in table.items}
    assert keys == {"Job": "JOB#STATUS#{status}", "Task": "TASK#STATUS#{status}"}
    verdict = prove(made_of, made)
    assert verdict.passed, verdict.problem or [p for p in verdict.patterns if p.status != "passed"]


def test_what_is_read_together_stays_together_beside_a_key_that_reads_alike():
    cat = {
        "name": "Cat",
        "identifier": ["catId"],
        "attributes": [{"name": "catId", "format": "uuid"}],
    }
    toy = {
        "name": "Toy",
        "identifier": ["catId", "toyId"],
        "attributes": [
            {"name": "catId", "refers_to": "Cat.catId"},
            {"name": "toyId", "format": "uuid"},
        ],
    }
    sighting = {
        "name": "Sighting",
        "identifier": ["cat", "seenAt"],
        "attributes": [{"name": "cat", "bytes": 6}, {"name": "seenAt", "format": "datetime"}],
    }
    by_cat = {"attribute": "catId", "is": {"param": "catId"}}
    asked = [
        {"kind": "get", "returns": "Cat", "where": [by_cat], "with": [{"relationship": "has"}]},
        {
            "kind": "list",
            "returns": "Sighting",
            "where": [{"attribute": "cat", "is": {"param": "cat"}}],
        },
    ]
    has = {"name": "has", "one": "Cat", "many": "Toy", "by": "catId", "average": 4}
    made_of = design([cat, toy, sighting], asked, relationships=[has])
    made = plan(made_of, "single")
    (table,) = made.tables
    keys = {shape.shape: shape.set["PK"] for shape in table.items}
    assert keys["Cat"] == keys["Toy"]
    assert keys["Sighting"].partition("{")[0] != keys["Cat"].partition("{")[0]
    assert operation(made, 1).requests == 1
    verdict = prove(made_of, made)
    assert verdict.passed, verdict.problem or [p for p in verdict.patterns if p.status != "passed"]
