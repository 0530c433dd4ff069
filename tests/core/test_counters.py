"""Counters too hot for one item: in how many they lie, at what price, and that every read and write still is right."""

from functools import partial
from random import Random

import pytest

from designer.core.design.document import Design
from designer.core.examples import examples
from designer.core.grid import grid
from designer.core.messages import say
from designer.core.planner import plan
from designer.core.planner.what_if.why_not import why_not
from designer.core.sentences.steps import served_by
from designer.proof.prove import prove
from tests.core.priced import READ, SECONDS, STORED, WRITE, rated, shapes
from tests.core.videos import ABOUT, COMMENT, OF_CHANNEL, OF_VIDEO, with_comments
from tests.designs_generated import generated
from tests.messages import reasons_of, said_in

VIDEO = {
    "name": "Video",
    "identifier": ["videoId"],
    "items": 100_000,
    "attributes": [
        {"name": "videoId", "format": "ulid"},
        {"name": "channel", "bytes": 20, "distinct": 1000},
        {"name": "publishedAt", "format": "datetime"},
        {"name": "state", "values": ["OPEN", "HIDDEN"]},
        {"name": "title", "bytes": 40, "mutable": True},
        {"name": "views", "type": "N", "format": "integer", "digits": 9},
        {"name": "seconds", "type": "N", "digits": 9, "scale": 2, "present": 0.5},
        {"name": "likes", "type": "N", "format": "integer", "digits": 9},
    ],
}


videos = partial(with_comments, video=VIDEO)


def adding(peak: float, hottest: float = 1, name: str = "views", **said) -> dict:
    added = {"add": {name: {"value": 1}}, **said}
    return rated(min(10, peak), peak, kind="update", entity="Video", hottest=hottest, **added)


def counter(made):
    """The shape of the plan's only counters; None where there are none."""
    found = [shape for shape in shapes(made).values() if shape.role == "counter"]
    assert len(found) < 2
    return found[0] if found else None


def hot(made) -> list:
    return [finding for finding in made.findings if finding.rule == "hot-partition"]


PUBLISH = rated(1, kind="create", entity="Video")
PAGE = rated(20, kind="get", returns="Video", where=OF_VIDEO)
VIEWS = rated(4, kind="get", returns="Video", where=OF_VIDEO, attributes=["views"])
LISTED = rated(2, kind="list", returns="Video", where=OF_CHANNEL, order=["publishedAt descending"])
DELETE = rated(0.1, kind="delete", entity="Video")

TITLED = {**VIDEO, "attributes": [*VIDEO["attributes"], {"name": "slug", "unique": True}]}
EVERYTHING = (
    PAGE,
    VIEWS,
    {**LISTED, "limit": 3},
    {**LISTED, "attributes": ["title", "views"]},
    PUBLISH,
    adding(6000, 0.5, add={"views": {"value": 1}, "seconds": {"param": "watched"}}),
    adding(10, add={"views": {"minus": "taken"}}),
    adding(5, name="likes"),
    DELETE,
    rated(
        0.1,
        kind="batch_get",
        returns="Video",
        where=[{"attribute": "videoId", "any_of": {"param": "videos"}}],
        attributes=["videoId", "views"],
    ),
    rated(0.1, kind="get", returns="Video", where=OF_VIDEO, consistency="strong"),
    rated(
        0.1,
        kind="get",
        returns="Video",
        where=OF_VIDEO,
        keep=[{"attribute": "state", "is": {"value": "OPEN"}}],
        **{"with": [{"relationship": "about", "limit": 2, "order": ["commentId descending"]}]},
    ),
    rated(
        0.1,
        kind="list",
        returns="Video",
        where=[
            *OF_CHANNEL,
            {"attribute": "state", "is": {"param": "state"}, "optional": True},
        ],
        keep=[{"attribute": "title", "contains": {"param": "word"}}],
        order=["title ascending"],
        limit=4,
    ),
    rated(0.1, kind="get", returns="Video", where=[{"attribute": "slug", "is": {"param": "slug"}}]),
    rated(0.1, kind="count", returns="Video", where=OF_CHANNEL),
    rated(0.1, kind="exists", returns="Video", where=OF_VIDEO),
    rated(0.1, kind="create", entity="Video", set={"views": {"value": 7}}),
    rated(
        0.1,
        kind="transaction",
        members=[{"create": "Comment"}, {"update": "Video", "add": {"views": {"value": 1}}}],
    ),
    rated(
        0.1,
        kind="update",
        entity="Video",
        set={"title": {"param": "title"}},
        add={"seconds": {"param": "more"}},
        **{"if": [{"attribute": "state", "is": {"value": "OPEN"}}]},
    ),
    rated(
        0.1,
        kind="update",
        entity="Video",
        add={"views": {"param": "more"}},
        times={"average": 2, "most": 5},
    ),
    rated(
        0.1,
        kind="transaction",
        members=[{"create": "Comment"}, {"check": "Video", "exists": True}],
    ),
)


@pytest.fixture(params=["single", "multi", "grouped"])
def style(request):
    return request.param


@pytest.mark.parametrize(
    ("peak", "hottest", "items"),
    [(1000, 1, None), (1001, 1, 2), (2000, 0.5, None), (6000, 0.5, 4), (2400, 1, 3), (2401, 1, 4)],
)
def test_as_many_items_as_the_peak_takes_and_one_where_that_is_enough(style, peak, hottest, items):
    """One in 800 units a second of the hottest item, rounded up, and only above the 1,000 that a partition serves."""
    made = plan(videos(PAGE, adding(peak, hottest)), style)
    found = counter(made)
    assert (found and found.shards) == items
    assert hot(made) == []


def test_the_hottest_item_is_the_busiest_value_where_the_pattern_says_nothing(style):
    known = [{**a, "busiest": 0.25} if a["name"] == "videoId" else a for a in VIDEO["attributes"]]
    said = {key: value for key, value in adding(8000).items() if key != "hottest"}
    made = plan(videos(PAGE, said, video={**VIDEO, "attributes": known}), style)
    assert counter(made).shards == 3
    assert counter(plan(videos(PAGE, said), style)) is None


def test_all_that_it_takes_is_priced(style):
    made = plan(videos(PAGE, VIEWS, PUBLISH, adding(2400), DELETE), style)
    own, found = shapes(made)["Video"], counter(made)
    assert (found.shape, found.entity, found.counts) == ("VideoViews", "Video", ("views",))
    assert list(found.attributes) == ["videoId", "views"]
    assert found.attributes["views"].optional
    assert found.items == 3 * own.items
    page, views, publish, add, delete = made.operations
    # Each item of a read takes half a unit; of a transaction, two.
    assert (page.requests, page.read_units) == (views.requests, views.read_units) == (1, 2)
    assert [step.call for step in page.steps] == ["BatchGetItem"]
    assert (publish.write_units, add.write_units, delete.write_units) == (8, 1, 8)
    assert [step.call for step in add.steps] == ["UpdateItem"]
    stored = (own.bytes + 100 + 3 * (found.bytes + 100)) * 100_000
    stored += (shapes(made)["Comment"].bytes + 100) * 400_000
    expected = SECONDS * (24 * 2 * READ + (8 + 10 + 0.1 * 8) * WRITE) + stored * STORED
    assert made.cost.per_month == pytest.approx(expected, abs=0.001)
    assert (made.cost.gap, made.cost.without_patterns) == (0, ())


def test_each_counter_lies_under_a_partition_key_of_its_own(style):
    made = plan(videos(PAGE, PUBLISH, adding(2400)), style)
    table = next(table for table in made.tables if counter(made) in table.items)
    template = counter(made).set[table.key.partition.name]
    assert "{videoId}" in template
    assert "{each.number}" in template
    (member,) = made.operations[2].steps[0].members
    assert member.for_each.drawn == 3
    assert member.key[table.key.partition.name] == template
    # It is refused where the counter is not there, and does not touch the item itself.
    assert [(test.attribute, test.exists) for test in member.if_] == [
        (table.key.partition.name, True)
    ]


def test_rows_that_an_index_finds_get_their_counters_in_a_second_request(style):
    made = plan(videos(PAGE, {**LISTED, "limit": 3}, PUBLISH, adding(2400)), style)
    query, batch = made.operations[1].steps
    assert (query.call, batch.call) == ("Query", "BatchGetItem")
    assert (batch.for_each.rows, batch.for_each.numbers) == (query.id, 3)
    assert made.operations[1].requests == 2
    assert made.operations[1].read_units == query.expects.units + 3 * 3 * 0.5


def test_more_than_a_hundred_items_take_a_second_batch(style):
    """97 counters and the item, 98 keys; and 60 of each of two videos, with these 122."""
    made = plan(videos(PAGE, PUBLISH, adding(97 * 800)), style)
    assert (counter(made).shards, made.operations[0].requests) == (97, 1)
    several = rated(
        1,
        kind="batch_get",
        returns="Video",
        where=[{"attribute": "videoId", "any_of": {"param": "videos"}}],
        expects=2,
    )
    made = plan(videos(several, PUBLISH, adding(60 * 800)), style)
    assert (counter(made).shards, made.operations[0].requests) == (60, 2)


def test_numbers_that_only_together_are_too_hot_lie_apart_together(style):
    """700 of each, 2,100 in all: two of them apart leave the third alone in the item."""
    likes, seconds = (adding(700, name=name) for name in ("likes", "seconds"))
    made = plan(videos(PAGE, PUBLISH, adding(700), likes, seconds), style)
    assert (counter(made).counts, counter(made).shards) == (("seconds", "likes"), 2)
    assert hot(made) == []


def test_a_number_that_is_seldom_added_to_stays_in_the_item(style):
    made = plan(videos(PAGE, PUBLISH, adding(2400), adding(20, name="likes")), style)
    assert counter(made).counts == ("views",)
    assert shapes(made)["Video"].attributes["likes"]


def test_counters_of_two_entities_are_told_apart(style):
    person = {
        "name": "Person",
        "identifier": ["personId"],
        "items": 1000,
        "attributes": [{"name": "personId", "bytes": 12}, {"name": "fans", "type": "N"}],
    }
    named = [{"attribute": "personId", "is": {"param": "personId"}}]
    read = rated(3, kind="get", returns="Person", where=named)
    follow = {**adding(2000, name="fans"), "entity": "Person"}
    design = videos(PAGE, PUBLISH, adding(2400), follow, read, others=[person])
    made = plan(design, style)
    found = [shape for shape in shapes(made).values() if shape.role == "counter"]
    assert [(shape.entity, shape.shards) for shape in found] == [("Video", 3), ("Person", 3)]
    assert {number for d in made.decisions for number in d.serves} <= {1, 2, 3, 4, 5}
    assert [operation.pattern for operation in made.operations] == [1, 2, 3, 4, 5]
    assert hot(made) == []


def test_the_decision_says_how_the_number_comes_about_and_both_prices(style):
    made = plan(videos(PAGE, VIEWS, PUBLISH, adding(2400)), style)
    (decision,) = [one for one in made.decisions if one.about == "shards Video.views"]
    assert decision.choice == "views in 3 items for each Video"
    said = reasons_of(decision)["additions-overload-item"]
    assert (said["units"], said["shard_limit"], said["count"]) == (2400, 800, 3)
    assert decision.serves == (1, 2, 3, 4)
    (whole,) = decision.instead_of
    assert reasons_of(whole)["one-item-overloads"]["heat"] == pytest.approx(2400)
    # 24 reads of three items more, at half a unit; and a transaction of four items instead of a put.
    more = SECONDS * (24 * 1.5 * READ + (8 - 1) * WRITE)
    stored = (counter(made).bytes + 100) * 300_000 * STORED
    assert decision.per_month - whole.per_month == pytest.approx(more + stored, abs=0.01)
    (together,) = why_not(videos(PAGE, VIEWS, PUBLISH, adding(2400)), style, decision.about).rivals
    assert together.choice == "in the item of Video"


def test_it_is_said_how_a_counter_is_drawn_and_added_up(style):
    made = plan(videos(PAGE, PUBLISH, adding(2400)), style)
    page, publish, add = (served_by(made, operation) for operation in made.operations)
    assert "for each of 3 shards; views added up in the application (1 request)" in page
    assert "put counter of Video for each of 3 shards" in publish
    assert "in one of 3 shards, drawn at random" in add


def test_the_grid_shows_the_counters_of_each_item(style):
    design = videos(PAGE, PUBLISH, adding(2400))
    made, shown = plan(design, style), examples(design)
    table = next(table for table in made.tables if counter(made) in table.items)
    rows = [
        row
        for row in grid(design, made, shown, table.name).rows
        if row.label == counter(made).shape
    ]
    assert len(rows) == 3 * len(shown["Video"])
    assert len({row.id for row in rows}) == len(rows)


def test_as_stated_the_one_item_is_flagged(style):
    made = plan(videos(PAGE, adding(2400), items="as-stated"), style)
    assert counter(made) is None
    (finding,) = hot(made)
    assert said_in(finding.problem)["write-units-a-second"] == {"writes": 2400}
    assert finding.solution.id == "add-to-several-items"
    assert finding.solution.values["attributes"] == ("Video.views",)
    assert finding.solution.values["items"] == 3


STAYS = {
    "finds-or-sorts-by-it": rated(
        1, kind="list", returns="Video", where=OF_CHANNEL, order=["views descending"], limit=5
    ),
    "returns-with-another-entity": rated(
        1, kind="list", returns="Comment", where=OF_VIDEO, **{"with": [{"relationship": "about"}]}
    ),
    "computes-aggregate-from-it": rated(
        1, kind="list", returns="Video", where=OF_CHANNEL, result={"sum": "views"}
    ),
    "reads-several-entities": rated(1, kind="list", returns=["Video", "Comment"], where=OF_VIDEO),
    "reads-in-transaction": {**PAGE, "consistency": "transactional"},
    "allows-no-further-request": {**LISTED, "at_most_requests": 1},
    "replaces-whole-item": rated(1, kind="upsert", entity="Video"),
    "deletes-collections": rated(0.1, kind="delete", entity="Video", where=OF_CHANNEL),
    "creates-many-at-once": {**PUBLISH, "times": {"average": 2, "most": 5}},
    "sets-it-too": rated(0.1, kind="update", entity="Video", set={"views": {"value": 0}}),
    "has-condition-on-it": rated(
        0.1,
        kind="update",
        entity="Video",
        set={"state": {"value": "HIDDEN"}},
        **{"if": [{"attribute": "views", "below": {"value": 10}}]},
    ),
    "adds-under-condition": adding(1, **{"if": [{"attribute": "state", "is": {"value": "OPEN"}}]}),
}


@pytest.mark.parametrize("why", STAYS)
def test_where_a_pattern_needs_the_number_in_the_item_the_advice_says_which(style, why):
    made = plan(videos(PAGE, adding(2300), STAYS[why]), style)
    assert counter(made) is None
    said = said_in(*(finding.solution for finding in hot(made)))
    assert said["pattern-prevents"] == {"pattern": 3, "reason": say(why)}
    assert said["add-to-several-items"]["items"] == 3


def test_requests_are_counted_with_those_for_the_counters(style):
    """A query and a batch; where a pin takes two already, the limit of two keeps the number in the item."""
    asked = {**LISTED, "limit": 3, "at_most_requests": 2}
    made = plan(videos(PAGE, PUBLISH, adding(2400), asked), style)
    assert (counter(made).shards, made.operations[3].requests) == (3, 2)
    pins = [{"pattern": 4, "index": "ByChannel", "projection": "keys-only"}]
    made = plan(videos(PAGE, PUBLISH, adding(2400), asked, pins=pins), style)
    assert (counter(made), made.operations[3].requests) == (None, 2)
    (decision,) = [one for one in made.decisions if one.about == "shards Video.views"]
    assert "exceeds-limit-or-not-served" in reasons_of(decision.instead_of[0])


def test_a_pinned_index_that_makes_two_requests_of_one_is_said(style):
    page = {**PAGE, "at_most_requests": 1}
    pins = [{"pattern": 1, "index": "ByVideo"}]
    made = plan(videos(page, PUBLISH, adding(2400), pins=pins), style)
    assert (counter(made).shards, made.operations[0].requests) == (3, 2)
    said = [f.problem for f in made.findings if f.rule == "too-many-requests"]
    assert said == [say("too-many-requests", pattern=1, requests=2, limit=1)]


def test_what_reads_the_counters_is_told_by_the_patterns_numbers(style):
    made = plan(videos(*EVERYTHING, video=TITLED), style)
    assert "10000" not in made.model_dump_json(exclude={"design", "cost", "tables"})


def test_a_transaction_that_is_full_and_makes_no_counter_is_none_of_theirs(style):
    """A title and 99 comments: a hundred items, as without counters."""
    members = [
        {"update": "Video", "set": {"title": {"param": "title"}}},
        {"create": "Comment", "times": {"average": 5, "most": 99}},
    ]
    full = rated(1, kind="transaction", members=members)
    made = plan(videos(PAGE, PUBLISH, adding(2400), full), style)
    assert counter(made).shards == 3
    assert made.operations[3].answer == "in one request"


def test_more_counters_than_a_transaction_makes_are_advised_and_not_made(style):
    made = plan(videos(PAGE, PUBLISH, adding(119.9 * 800)), style)
    assert counter(made) is None
    (finding,) = hot(made)
    assert "more than 100 items, with 120 counters" in finding.remedy


@pytest.mark.parametrize("said", [{"needs": {"stream": "new"}}, {"needs": {"tenant": "channel"}}])
def test_what_has_to_lie_in_one_item_stays_there(style, said):
    made = plan(videos(PAGE, PUBLISH, adding(2400), video={**VIDEO, **said}), style)
    assert counter(made) is None
    assert len(hot(made)) == 1


def test_counters_of_an_item_that_expires_would_be_left(style):
    until = {"name": "until", "type": "N", "format": "epoch", "ttl": True, "present": 0.5}
    expiring = {**VIDEO, "attributes": [*VIDEO["attributes"], until]}
    made = plan(videos(PAGE, PUBLISH, adding(2400), video=expiring), style)
    assert counter(made) is None
    assert said_in(hot(made)[0].solution)["counters-would-not-expire"] == {"entity": "Video"}


def test_where_other_writes_run_the_item_hot_all_the_same_nothing_is_gained(style):
    rename = rated(
        10, 1500, kind="update", entity="Video", set={"title": {"param": "title"}}, hottest=1
    )
    made = plan(videos(PAGE, PUBLISH, adding(2400), rename), style)
    assert counter(made) is None
    (decision,) = [one for one in made.decisions if one.about == "shards Video.views"]
    assert decision.choice == "in the item of Video"
    assert "overloaded-anyway" in reasons_of(decision.instead_of[0])
    seldom = plan(videos(PAGE, PUBLISH, adding(20), rename), style)
    assert [d.about for d in seldom.decisions if d.about.startswith("shards")] == []


def test_a_pinned_key_that_no_other_item_can_share_keeps_them_out():
    key = {"entity": "Video", "key": {"partition": "{videoId}", "sort": "{publishedAt}"}}
    made = plan(videos(PAGE, PUBLISH, adding(2400), pins=[key]), "single")
    assert counter(made) is None
    (decision,) = [one for one in made.decisions if one.about == "shards Video.views"]
    assert "pinned-sort-key-begins-with-value" in reasons_of(decision.instead_of[0])


@pytest.mark.parametrize(
    "pin",
    [
        {"entity": "Video", "key": {"partition": "CLIP#{videoId}", "sort": "HEAD"}},
        {"entity": "Video", "name": "clips"},
        {"table": ["Video", "Comment"]},
    ],
    ids=["key", "name", "table"],
)
def test_pins_and_counters_go_together(style, pin):
    made = plan(videos(PAGE, PUBLISH, adding(2400), pins=[pin]), style)
    assert counter(made).shards == 3
    without = plan(videos(PAGE, PUBLISH, adding(10), pins=[pin]), style)
    assert made.operations[0].requests == 1
    assert [f.rule for f in made.findings] == [f.rule for f in without.findings]


def test_a_large_item_with_few_additions_is_split_and_not_sharded(style):
    """300 additions a second are 1,200 units in an item of 3 KB, and 300 in one of their own."""
    large = [{**a, "bytes": 3000} if a["name"] == "title" else a for a in VIDEO["attributes"]]
    made = plan(videos(PAGE, adding(300), video={**VIDEO, "attributes": large}), style)
    assert counter(made) is None
    assert shapes(made)["VideoViews"].role == "split"
    assert hot(made) == []


@pytest.mark.proof
def test_what_is_left_of_a_large_item_may_still_be_split(style):
    large = [{**a, "bytes": 3000} if a["name"] == "title" else a for a in VIDEO["attributes"]]
    like = {**adding(60, name="likes"), "rate": {"average": 50, "peak": 60}}
    made = plan(videos(PAGE, adding(2400), like, video={**VIDEO, "attributes": large}), style)
    assert {shape.role for shape in shapes(made).values() if shape.entity == "Video"} == {
        "entity",
        "counter",
        "split",
    }
    verdict = prove(videos(PAGE, adding(2400), like, video={**VIDEO, "attributes": large}), made)
    assert verdict.passed, verdict


def test_an_entity_with_counters_lies_inside_no_other(style):
    """As it could, its number being bounded; a counter stands for itself."""
    inside = {**COMMENT, "attributes": [*COMMENT["attributes"], {"name": "votes", "type": "N"}]}
    design = {
        "name": "Videos",
        "entities": [VIDEO, inside],
        "relationships": [{**ABOUT, "identifying": True, "most": 20}],
        "patterns": [
            {
                "number": 1,
                "name": "P1",
                **PAGE,
                "with": [{"relationship": "about", "attributes": ["commentId"]}],
            },
            {"number": 2, "name": "P2", **{**adding(2000, name="votes"), "entity": "Comment"}},
        ],
    }
    made = plan(Design.model_validate(design), style)
    assert shapes(made)["Comment"].inside is None
    assert shapes(made)["CommentVotes"].role == "counter"


def test_an_item_under_a_sharded_key_is_still_one_item(style):
    """Where an item may be read through a guard, the key by channel is spread over shards by video; no video is."""
    made = plan(videos(LISTED, PUBLISH, adding(6000, 0.5), point_reads="by-price"), style)
    assert counter(made).shards == 4


def test_a_hot_count_over_children_of_what_nobody_writes_has_its_reason():
    design = generated(Random(3104))
    said = said_in(*(finding.solution for finding in plan(design, "single").findings))
    assert said["counters-would-not-expire"] == {"entity": "User"}
