"""Attributes in an item of their own: when, at what price, and that every read and write still is right."""

from functools import partial

import pytest

from designer.core.design.document import Design
from designer.core.planner import plan
from designer.core.planner.what_if.why_not import why_not
from designer.core.sentences.steps import served_by
from designer.proof.prove import prove_on
from tests.core.priced import READ, SECONDS, STORED, WRITE, numbered, rated, shapes
from tests.core.videos import OF_CHANNEL, OF_VIDEO, with_comments
from tests.messages import reasons_of
from tests.planned import outlined
from tests.proven import in_memory

VIDEO = {
    "name": "Video",
    "identifier": ["videoId"],
    "items": 100_000,
    "attributes": [
        {"name": "videoId", "format": "ulid"},
        {"name": "channel", "bytes": 20, "distinct": 1000},
        {"name": "publishedAt", "format": "datetime"},
        {"name": "day", "derived": "date(publishedAt)", "distinct": 3600},
        {"name": "state", "values": ["OPEN", "HIDDEN"]},
        {"name": "about", "bytes": 2800},
        {"name": "views", "type": "N", "format": "integer", "digits": 9},
        {"name": "lastView", "format": "datetime", "present": 0.5},
    ],
}


videos = partial(with_comments, video=VIDEO)

PUBLISH = rated(1, kind="create", entity="Video")
COUNT = rated(50, kind="update", entity="Video", add={"views": {"value": 1}})
PAGE = rated(10, kind="get", returns="Video", where=OF_VIDEO)
VIEWS = rated(4, kind="get", returns="Video", where=OF_VIDEO, attributes=["views"])
NEWEST = rated(
    1,
    kind="list",
    returns="Video",
    where=OF_CHANNEL,
    order=["publishedAt descending"],
    limit=5,
    attributes=["videoId", "state"],
)

EVERYTHING = (
    PAGE,
    VIEWS,
    NEWEST,
    PUBLISH,
    COUNT,
    rated(0.1, kind="list", returns="Video", where=OF_CHANNEL, order=["publishedAt ascending"]),
    rated(
        0.1,
        kind="list",
        returns="Video",
        where=[{"attribute": "day", "is": {"param": "day"}}],
        keep=[{"attribute": "state", "is": {"value": "OPEN"}}],
        attributes=["state", "views"],
    ),
    rated(
        0.1,
        kind="list",
        returns="Video",
        where=OF_CHANNEL,
        order=["publishedAt descending"],
        limit=2,
        then_keep=[{"attribute": "state", "is": {"value": "OPEN"}}],
    ),
    rated(
        0.1,
        kind="batch_get",
        returns="Video",
        where=[{"attribute": "videoId", "any_of": {"param": "videos"}}],
    ),
    rated(
        0.1,
        kind="batch_get",
        returns="Video",
        where=[{"attribute": "videoId", "any_of": {"param": "videos"}}],
        attributes=["videoId", "lastView", "views"],
    ),
    rated(
        0.1,
        kind="get",
        returns="Video",
        where=OF_VIDEO,
        consistency="strong",
        **{"with": [{"relationship": "about", "limit": 2, "order": ["commentId descending"]}]},
    ),
    rated(0.1, kind="count", returns="Video", where=OF_CHANNEL),
    rated(0.1, kind="exists", returns="Video", where=OF_VIDEO),
    rated(
        0.1,
        kind="get",
        returns="Comment",
        where=[*OF_VIDEO, {"attribute": "commentId", "is": {"param": "commentId"}}],
        **{"with": [{"relationship": "about", "attributes": ["videoId", "state"]}]},
    ),
    rated(0.1, kind="create", entity="Comment"),
    rated(
        0.1, kind="create", entity="Video", set={"views": {"value": 0}, "state": {"value": "OPEN"}}
    ),
    rated(
        0.1,
        kind="update",
        entity="Video",
        set={"state": {"value": "HIDDEN"}, "views": {"value": 0}},
        remove=["lastView"],
        **{"if": [{"attribute": "views", "after": {"value": 0}}]},
    ),
    rated(
        0.1,
        kind="update",
        entity="Video",
        set={"lastView": {"param": "at"}},
        add={"views": {"param": "more"}},
        **{"if": [{"attribute": "state", "is": {"value": "OPEN"}}]},
    ),
    rated(40, kind="update", entity="Video", greatest={"lastView": "at"}),
    rated(
        0.1,
        kind="transaction",
        members=[
            {"create": "Comment"},
            {"update": "Video", "add": {"views": {"value": 1}}},
        ],
    ),
    rated(
        0.1,
        kind="transaction",
        members=[
            {"create": "Comment"},
            {"check": "Video", "if": [{"attribute": "views", "from": {"param": "least"}}]},
        ],
    ),
    rated(
        0.1,
        kind="update",
        entity="Video",
        add={"views": {"value": 1}},
        times={"average": 2, "most": 5},
    ),
    rated(0.1, kind="delete", entity="Video"),
)


TOLD = rated(0.1, kind="update", entity="Video", set={"about": {"param": "about"}})
"""The large text can lie apart as well, and leaves what is counted with the rest."""
SOUGHT = rated(
    0.1,
    kind="list",
    returns="Video",
    where=OF_CHANNEL,
    keep=[{"attribute": "about", "contains": {"param": "word"}}],
)
"""The large text has to stay where it is found."""


@pytest.fixture(params=["single", "multi", "grouped"])
def style(request):
    return request.param


def test_a_busy_counter_of_a_large_item_lies_apart(style):
    made = plan(videos(PAGE, VIEWS, PUBLISH, COUNT), style)
    own, part = shapes(made)["Video"], shapes(made)["VideoViews"]
    assert (part.entity, part.role, list(part.attributes)) == (
        "Video",
        "split",
        ["videoId", "views"],
    )
    assert "views" not in own.attributes
    page, views, publish, count = made.operations
    assert [step.call for step in page.steps] == ["Query"]
    assert [part.completes for part in page.result.parts] == [None, "rows"]
    assert [step.call for step in views.steps] == ["GetItem"]
    assert [step.shapes for step in views.steps] == [("VideoViews",)]
    assert [step.call for step in publish.steps] == ["TransactWriteItems"]
    # One of 3 KB at the most and one under 1 KB: 3 + 1 units, twice that in a transaction.
    assert (publish.write_units, count.write_units) == (8, 1)
    assert (page.read_units, views.read_units) == (0.5, 0.5)
    stored = (own.bytes + 100 + part.bytes + 100) * 100_000
    expected = SECONDS * (14 * 0.5 * READ + (8 + 50) * WRITE)
    comments = shapes(made)["Comment"]
    expected += (stored + (comments.bytes + 100) * 400_000) * STORED
    assert made.cost.per_month == pytest.approx(expected, abs=0.001)


def test_in_multi_table_style_the_two_share_a_table_only_where_a_read_needs_both():
    page = {**PAGE, "attributes": ["videoId", "about"]}
    apart = plan(videos(page, VIEWS, PUBLISH, COUNT), "multi")
    assert [table.key.partition.name for table in apart.tables[:2]] == ["videoId", "videoId"]
    assert [step.call for step in apart.operations[0].steps] == ["GetItem"]
    shared = plan(videos(PAGE, VIEWS, PUBLISH, COUNT), "multi").tables[0]
    assert [shape.role for shape in shared.items] == ["entity", "split"]


ALL_BUT_VIEWS = {**PAGE, "attributes": ["videoId", "about"]}
SEVERAL = rated(
    1,
    kind="batch_get",
    returns="Video",
    where=[{"attribute": "videoId", "any_of": {"param": "videos"}}],
)


@pytest.mark.proof
def test_what_no_read_of_one_item_needs_together_has_tables_with_short_keys():
    """Who asks for several items asks for both in two requests, in one table as in two."""
    design = videos(ALL_BUT_VIEWS, VIEWS, SEVERAL, PUBLISH, COUNT)
    made = plan(design, "multi")
    own, part, _ = made.tables
    assert [table.key.partition.name for table in (own, part)] == ["videoId", "videoId"]
    found = shapes(made)
    # 33 bytes of the identifier and 10 of the counter: no text of a shared table's keys.
    assert (found["VideoViews"].bytes, found["Video"].bytes) == (43, 2920)
    assert [step.table for step in made.operations[2].steps] == [own.name, part.name]
    verdict = prove_on(in_memory(), design, made)
    assert verdict.passed, [p for p in verdict.patterns if p.status != "passed"] or verdict.problem


def short(*asked: dict, **planner: object) -> Design:
    """Videos whose text has a unit of its own, as long as no key of a shared table is added to it."""
    attributes = [{**a, "bytes": 980} if a["name"] == "about" else a for a in VIDEO["attributes"]]
    told = {**TOLD, "rate": {"average": 50}}
    return videos(*asked, PUBLISH, told, video={**VIDEO, "attributes": attributes}, **planner)


def test_a_split_that_a_shared_table_makes_too_dear_is_taken_in_tables_of_their_own():
    made = plan(short(SEVERAL), "multi")
    part = shapes(made)["VideoAbout"]
    assert 1000 < part.bytes <= 1024
    (told,) = [one for one in made.decisions if one.about.startswith("apart")]
    (whole,) = told.instead_of
    # A unit less for each of 50 changes a second, of which making an item in two takes 2 at the most.
    assert whole.per_month - told.per_month > SECONDS * (50 - 2) * WRITE - 10


def test_a_read_of_one_item_is_put_together_only_where_the_team_allows_it():
    assert "VideoAbout" not in shapes(plan(short(PAGE), "multi"))
    made = plan(short(PAGE, point_reads="by-price"), "multi")
    assert "VideoAbout" in shapes(made)
    assert {step.call for step in made.operations[0].steps} == {"BatchGetItem"}
    assert made.operations[0].requests == 1


def test_it_is_said_how_a_row_is_put_together(style):
    made = plan(videos(PAGE, PUBLISH, COUNT), style)
    said = served_by(made, made.operations[0])
    assert "each row combined from its items in the application (1 request)" in said
    written = served_by(made, made.operations[1])
    assert (
        "put Video, if it does not exist yet; put VideoViews, if it does not exist yet" in written
    )


def test_the_decision_says_shares_sizes_changes_and_both_prices(style):
    made = plan(videos(PAGE, VIEWS, NEWEST, PUBLISH, COUNT), style)
    (decision,) = [one for one in made.decisions if one.about == "apart Video.views"]
    assert decision.choice == "views in an item of its own"
    said = reasons_of(decision)["read-with-rest"]
    assert said["share"] == pytest.approx(2 / 3)
    assert (said["item_bytes"], said["bytes"]) == (pytest.approx(2930, abs=1), 10)
    assert (said["writes"], said["other_writes"]) == (50, 0)
    assert set(decision.serves) == {1, 2, 3, 4, 5}
    (whole,) = decision.instead_of
    # At the least two units less for each of 50 counts a second, of which making an item takes 5 at the most.
    assert whole.per_month - decision.per_month > SECONDS * (50 * 2 - 5) * WRITE - 1


@pytest.mark.parametrize(
    ("count", "publish"),
    [(2, 1), (50, 20)],
    ids=["seldom counted", "made as often as counted"],
)
def test_where_making_two_items_costs_more_it_stays_one(style, count, publish):
    """A count saves 2 units or 3; making two items instead of one takes 8 instead of 3 or 4."""
    made = plan(
        videos(
            PAGE, {**COUNT, "rate": {"average": count}}, {**PUBLISH, "rate": {"average": publish}}
        ),
        style,
    )
    assert ("VideoViews" in shapes(made)) == (count * 2 > publish * 5)


@pytest.mark.parametrize("unique", [False, True])
def test_what_has_a_guard_is_made_in_a_transaction_anyway(style, unique):
    """A count saves 2 units; making two items takes 8 instead of 3, or of 6 beside a guard."""
    titled = {**VIDEO, "attributes": [*VIDEO["attributes"], {"name": "title", "unique": unique}]}
    publish, count = {**PUBLISH, "rate": {"average": 20}}, {**COUNT, "rate": {"average": 30}}
    made = plan(videos(PAGE, publish, count, video=titled), style)
    assert ("VideoViews" in shapes(made)) == unique


def test_a_counter_of_a_small_item_stays_in_it(style):
    small = [{**a, "bytes": 300} if a["name"] == "about" else a for a in VIDEO["attributes"]]
    made = plan(videos(PAGE, PUBLISH, COUNT, video={**VIDEO, "attributes": small}), style)
    assert "VideoViews" not in shapes(made)
    assert not [one for one in made.decisions if one.about.startswith("apart")]


def test_what_changes_in_turn_lies_apart_together(style):
    """Alone, one of the two would still be changed in the large item."""
    seen = rated(40, kind="update", entity="Video", set={"lastView": {"param": "at"}})
    made = plan(videos(PAGE, PUBLISH, COUNT, seen), style)
    part = shapes(made)["VideoViewsLastView"]
    assert list(part.attributes) == ["videoId", "views", "lastView"]
    (decision,) = [one for one in made.decisions if one.about.startswith("apart")]
    assert decision.about == "apart Video.views, Video.lastView"
    assert decision.choice == "views and lastView in an item of their own"


@pytest.mark.parametrize(
    "asked",
    [
        rated(
            1, kind="list", returns="Video", where=[{"attribute": "views", "is": {"param": "n"}}]
        ),
        rated(1, kind="list", returns="Video", where=OF_CHANNEL, order=["views descending"]),
        rated(1, kind="list", returns="Video", where=OF_CHANNEL, result={"sum": "views"}),
        rated(1, kind="list", returns=["Video", "Comment"], where=OF_VIDEO),
        rated(
            1,
            kind="list",
            returns="Comment",
            where=OF_VIDEO,
            **{"with": [{"relationship": "about"}]},
        ),
        rated(1, kind="upsert", entity="Video"),
        rated(1, kind="delete", entity="Video", where=OF_CHANNEL),
        rated(1, kind="create", entity="Video", times={"average": 2, "most": 5}),
        rated(1, kind="get", returns="Video", where=OF_VIDEO, consistency="transactional"),
        rated(
            1,
            kind="transaction",
            members=[
                {"create": "Video"},
                {"create": "Comment", "times": {"average": 5, "most": 99}},
            ],
        ),
    ],
    ids=[
        "found by it",
        "sorted by it",
        "added up",
        "in a union",
        "brought along",
        "upserted",
        "deleted by collection",
        "made many at once",
        "read in a transaction",
        "made in a transaction with no room left",
    ],
)
def test_a_pattern_that_needs_the_attribute_in_its_place_keeps_it_there(style, asked):
    assert "VideoViews" not in shapes(plan(videos(PAGE, PUBLISH, COUNT, asked), style))


USER = {
    "name": "User",
    "identifier": ["userId"],
    "items": 5000,
    "attributes": [
        {"name": "userId", "format": "ulid"},
        {"name": "settings", "type": "M", "bytes": 1500},
        {"name": "seenAt", "format": "datetime"},
    ],
}
CHANNEL = {
    "name": "Channel",
    "identifier": ["channelId"],
    "items": 1000,
    "attributes": [{"name": "channelId", "format": "ulid"}, {"name": "title"}],
}
MEMBER = {
    "name": "Member",
    "identifier": ["channelId", "userId"],
    "attributes": [
        {"name": "channelId", "format": "ulid", "refers_to": "Channel.channelId"},
        {"name": "userId", "format": "ulid", "refers_to": "User.userId"},
        {"name": "role", "values": ["OWNER", "MEMBER"]},
    ],
}
MEMBERS = {"name": "member", "many": ["Channel", "User"], "through": "Member", "averages": [20, 4]}
OF_CHANNEL_ID = [{"attribute": "channelId", "is": {"param": "channelId"}}]
OF_USER = [{"attribute": "userId", "is": {"param": "userId"}}]


def chat(**related) -> Design:
    """Users that are seen often, and a channel that is read with its members."""
    asked = (
        rated(10, kind="get", returns="User", where=OF_USER),
        rated(90, kind="update", entity="User", set={"seenAt": {"param": "now"}}),
        rated(1, kind="create", entity="User"),
        rated(1, kind="create", entity="Channel"),
        rated(1, kind="create", entity="Member"),
        rated(5, kind="get", returns="Channel", where=OF_CHANNEL_ID, **related),
    )
    return Design.model_validate(
        {
            "name": "Chat",
            "entities": [USER, CHANNEL, MEMBER],
            "relationships": [MEMBERS],
            "patterns": numbered(asked),
        }
    )


@pytest.mark.proof
def test_where_edges_come_along_the_items_on_their_other_side_may_be_split(style):
    """Members are brought, not users; to list all that a member has is to ask for the same."""
    design = chat(**{"with": [{"relationship": "member", "limit": 3}]})
    made = plan(design, style)
    assert shapes(made)["UserSeenAt"].role == "split"
    named = ["channelId", "userId", "role"]
    listed = chat(**{"with": [{"relationship": "member", "attributes": named, "limit": 3}]})
    assert plan(listed, style).cost.per_month == made.cost.per_month
    assert prove_on(in_memory(), design, made).passed


@pytest.mark.parametrize("said", [{"unique": True}, {"ttl": True, "format": "epoch"}])
def test_what_the_item_itself_must_have_stays_in_it(style, said):
    attributes = [{**a, **said} if a["name"] == "views" else a for a in VIDEO["attributes"]]
    made = plan(videos(PAGE, PUBLISH, COUNT, video={**VIDEO, "attributes": attributes}), style)
    assert shapes(made)["Video"].attributes["views"]


def test_what_is_named_by_another_attribute_than_the_identifier_stays_one_item(style):
    """The part's key is made of the identifier."""
    titled = {**VIDEO, "attributes": [*VIDEO["attributes"], {"name": "title", "unique": True}]}
    for by, is_split in ((["title"], False), (["videoId"], True)):
        made = plan(videos(PAGE, PUBLISH, {**COUNT, "by": by}, video=titled), style)
        assert ("VideoViews" in shapes(made)) == is_split


def test_an_entity_with_a_stream_stays_one_item(style):
    followed = videos(PAGE, PUBLISH, COUNT, video={**VIDEO, "needs": {"stream": "new"}})
    assert "VideoViews" not in shapes(plan(followed, style))


OWN_KEY = {"entity": "Video", "key": {"partition": "CLIP#{videoId}", "sort": "HEAD"}}
BY_CHANNEL = {
    "entity": "Video",
    "index": "ByChannel",
    "key": {"partition": "OF#{channel}", "sort": "AT#{publishedAt}#{videoId}"},
}


@pytest.mark.parametrize(
    "pins",
    [[OWN_KEY], [BY_CHANNEL], [{"pattern": 2, "index": "Newest"}], [OWN_KEY, BY_CHANNEL]],
    ids=["key", "index", "pattern", "both"],
)
def test_pins_and_a_split_go_together(style, pins):
    asked = (PAGE, NEWEST, PUBLISH, COUNT)
    made = plan(videos(*asked, pins=pins), style)
    found = shapes(made)
    assert found["VideoViews"].role == "split"
    assert not [f for f in made.findings if f.rule in ("pin-not-obeyed", "pin-collides")]
    # A key may be longer than ours; whole items would cost $250 more.
    assert made.cost.per_month < plan(videos(*asked), style).cost.per_month + 1
    if OWN_KEY in pins:
        own, part = ([*found[name].set.values()] for name in ("Video", "VideoViews"))
        assert own[:2] == ["CLIP#{videoId}", "HEAD"]
        assert part[0] == own[0]
        (page,) = made.operations_for(1)
        assert page.requests == 1


SEEN = rated(50, kind="update", entity="Video", set={"lastView": {"param": "at"}})
STAYS = {
    "sort": (
        [{"entity": "Video", "key": {"partition": "{videoId}", "sort": "{publishedAt}"}}],
        "begins with a value",
    ),
    "two items' attributes": (
        [
            {
                "entity": "Video",
                "index": "Top",
                "key": {"partition": "{channel}", "sort": "{lastView}"},
            }
        ],
        "pinned to hold both lastView and channel",
    ),
    "everything": (
        [
            {
                "entity": "Video",
                "index": "Top",
                "key": {"partition": "TOP", "sort": "AT#{lastView}"},
            },
            {"entity": "Video", "index": "Top", "projection": "all"},
        ],
        "pinned to hold lastView and everything else",
    ),
}


@pytest.mark.parametrize("why", STAYS)
def test_where_a_pin_cannot_go_together_with_a_split_the_decision_says_so(style, why):
    pins, said = STAYS[why]
    made = plan(videos(PAGE, NEWEST, PUBLISH, SEEN, pins=pins), style)
    assert "VideoLastView" not in shapes(made)
    (told,) = [d for d in made.decisions if d.about == "apart Video.lastView"]
    assert told.choice == "in the item of Video"
    (other,) = told.instead_of
    assert said in other.because
    assert other.per_month < told.per_month
    # In one table comments lie beside a video, whose sort key then begins with what it is.
    beside = {"pin-not-obeyed"} if (style, why) == ("single", "sort") else set()
    found = {f.rule for f in made.findings}
    assert found & {"pin-not-obeyed", "pin-collides"} == beside


@pytest.mark.parametrize("style", ["multi", "grouped"])
def test_a_key_called_as_its_attribute_keeps_the_item_whole(style):
    pins = [{"entity": "Video", "names": {"partition": "videoId"}}]
    made = plan(videos(PAGE, PUBLISH, COUNT, pins=pins), style)
    assert "VideoViews" not in shapes(made)
    assert "videoId" in [table.key.partition.name for table in made.tables]
    assert not [f for f in made.findings if f.rule == "pin-not-obeyed"]
    (told,) = [d for d in made.decisions if d.about == "apart Video.views"]
    assert reasons_of(told.instead_of[0])["pinned-to-name"] == {"names": ("videoId",)}


def test_a_pin_of_another_style_lets_the_item_be_split(style):
    other = {"single": "multi", "multi": "single", "grouped": "single"}[style]
    pins = [{**pin, "style": other} for pin in STAYS["two items' attributes"][0]]
    assert "VideoLastView" in shapes(plan(videos(PAGE, PUBLISH, SEEN, pins=pins), style))


def test_the_two_items_are_read_at_once_though_what_comes_along_lies_elsewhere():
    """Only what lies in one collection with the newest few must lie on their far side."""
    comments = {"relationship": "about", "limit": 2, "order": ["commentId descending"]}
    talk = {**PAGE, "with": [comments]}
    pins = [
        {"entity": "Video", "key": {"partition": "VIDEO#{videoId}", "sort": "A"}},
        {
            "entity": "Comment",
            "key": {"partition": "COMMENT#{videoId}#{commentId}", "sort": "A"},
        },
    ]
    made = plan(videos(talk, PUBLISH, COUNT, pins=pins), "single")
    assert "VideoViews" in shapes(made)
    (asked,) = made.operations_for(1)
    assert [step.index for step in asked.steps] == [None, "GSI1"]
    assert asked.requests == 2


BY_SEEN = {
    "entity": "Video",
    "index": "Top",
    "key": {"partition": "TOP", "sort": "AT#{lastView}#{videoId}"},
}


def test_an_index_pin_holds_for_the_item_that_has_its_attributes(style):
    made = plan(videos(PAGE, NEWEST, PUBLISH, SEEN, pins=[BY_SEEN]), style)
    part, own = shapes(made)["VideoLastView"], shapes(made)["Video"]
    held = [template for template in part.set.values() if "lastView" in template]
    assert held == ["{when(lastView)}TOP", "AT#{lastView}#{videoId}"]
    assert not any("lastView" in template for template in own.set.values())
    assert not [f for f in made.findings if f.rule in ("pin-not-obeyed", "pin-collides")]


def test_as_stated_nothing_is_split(style):
    design = videos(PAGE, PUBLISH, COUNT)
    settings = design.planner.model_copy(update={"items": "as-stated"})
    made = plan(design.model_copy(update={"planner": settings}), style)
    assert "VideoViews" not in shapes(made)


def test_findings_name_the_entity_that_was_stated(style):
    """So many changes of one video run hot, wherever they are kept."""
    hot = {**SEEN, "rate": {"average": 50, "peak": 4000}, "hottest": 0.9}
    made = plan(videos(PAGE, PUBLISH, hot), style)
    assert "VideoLastView" in shapes(made)
    (found,) = [one for one in made.findings if one.rule == "hot-partition"]
    assert found.where == "entities.Video"


def test_why_not_otherwise_is_asked_of_both_items_as_they_are(style):
    design = videos(PAGE, NEWEST, PUBLISH, COUNT)
    made = plan(design, style)
    (together,) = why_not(design, style, "apart Video.views").rivals
    assert together.choice == "in the item of Video"
    assert together.per_month > made.cost.per_month + 100
    others = why_not(design, style, "key Video").rivals
    # Under another key it is split as well, so that it is the key alone that is priced.
    assert others
    assert all(rival.per_month < together.per_month - 50 for rival in others)
    assert "VIDEOVIEWS" in why_not(design, style, "key VideoViews").now


def test_a_pinned_name_of_the_table_leaves_the_item_split(style):
    pins = [{"style": style, "entity": "Video", "name": "clips"}]
    made = plan(videos(PAGE, PUBLISH, COUNT, pins=pins), style)
    assert "VideoViews" in shapes(made)
    if style == "multi":
        (home,) = [table for table in made.tables if table.name == "clips"]
        assert {shape.shape for shape in home.items} == {"Video", "VideoViews"}
        assert not [f for f in made.findings if f.rule == "pin-not-obeyed"]


@pytest.mark.proof
@pytest.mark.parametrize(
    "pins",
    [[OWN_KEY, BY_CHANNEL], [BY_SEEN, {"pattern": 3, "index": "Newest", "projection": "all"}]],
    ids=["own", "of the counters"],
)
def test_what_is_pinned_and_split_is_right(style, pins):
    design = videos(*EVERYTHING, pins=pins)
    made = outlined(design, style)
    assert any(shape.role == "split" for shape in shapes(made).values())
    verdict = prove_on(in_memory(), design, made)
    assert verdict.passed, [p for p in verdict.patterns if p.status != "passed"] or verdict.problem


@pytest.mark.proof
def test_a_read_of_the_other_item_alone_through_a_pinned_index_finds_it(style):
    """What it asks of the entity's own item is the identifier, which is in the index's composed key only."""
    views = {"kind": "get", "returns": "Video", "where": OF_VIDEO, "attributes": ["views"]}
    pins = [{"pattern": 4, "projection": "include"}]
    design = videos(PAGE, PUBLISH, COUNT, {**views, "rate": {"average": 1}}, pins=pins)
    made = outlined(design, style)
    (first, then) = made.operations_for(4)[0].steps
    assert first.index is not None
    assert then.shapes == ("VideoViews",)
    verdict = prove_on(in_memory(), design, made)
    assert verdict.passed, [p for p in verdict.patterns if p.status != "passed"] or verdict.problem


A_FEW = {"average": 2, "most": 5}
SERIES = (
    rated(0.2, kind="transaction", members=[{"create": "Video", "times": A_FEW}]),
    rated(
        0.2,
        kind="transaction",
        members=[
            {
                "update": "Video",
                "times": A_FEW,
                "set": {"state": {"value": "OPEN"}, "views": {"value": 0}},
                "if": [{"attribute": "state", "is": {"value": "HIDDEN"}}],
            }
        ],
    ),
    rated(0.2, kind="transaction", members=[{"delete": "Video", "times": A_FEW}]),
)
"""Transactions that write both items of several videos."""


@pytest.mark.proof
@pytest.mark.parametrize(
    ("patterns", "name"),
    [
        ((*EVERYTHING, SOUGHT), "VideoViewsLastView"),
        ((*EVERYTHING, TOLD), "VideoAbout"),
        ((*EVERYTHING, SOUGHT, *SERIES), "VideoViewsLastView"),
    ],
    ids=["the counters apart", "the text apart", "several in one transaction"],
)
def test_every_read_and_write_of_a_split_item_is_right(style, patterns, name):
    design = videos(*patterns)
    made = outlined(design, style)
    assert shapes(made)[name].role == "split"
    verdict = prove_on(in_memory(), design, made)
    assert verdict.passed, [p for p in verdict.patterns if p.status != "passed"] or verdict.problem


DOCUMENT = {
    "name": "Document",
    "identifier": ["documentId"],
    "items": 100_000,
    "attributes": [
        {"name": "documentId", "format": "ulid"},
        {"name": "owner", "bytes": 12, "distinct": 5000},
        {"name": "title", "bytes": 60},
        {"name": "changedAt", "format": "datetime"},
        {"name": "body", "bytes": 20_000},
    ],
}
OF_DOCUMENT = [{"attribute": "documentId", "is": {"param": "documentId"}}]
OF_OWNER = [{"attribute": "owner", "is": {"param": "owner"}}]
BY_TITLE = {"kind": "list", "returns": "Document", "where": OF_OWNER, "order": ["title ascending"]}
HEADER = ["documentId", "owner", "title"]


def documents(*more: dict) -> Design:
    """Documents that are sorted by what changes, most of whose bytes are seldom asked for."""
    asked = (
        rated(100, kind="get", returns="Document", where=OF_DOCUMENT, attributes=HEADER),
        rated(2, kind="get", returns="Document", where=OF_DOCUMENT),
        rated(9, **BY_TITLE, attributes=["documentId", "title"]),
        rated(5, kind="update", entity="Document", set={"title": {"param": "new"}}),
        rated(1, kind="create", entity="Document"),
        *more,
    )
    return Design.model_validate(
        {
            "name": "Documents",
            "entities": [DOCUMENT],
            "patterns": numbered(asked),
        }
    )


def test_what_is_sorted_by_stays_and_the_large_rest_leaves(style):
    """What nobody asks for alone leaves only with what is large."""
    design = documents()
    made = plan(design, style)
    own, part = shapes(made)["Document"], shapes(made)["DocumentBody"]
    assert list(own.attributes) == ["documentId", "owner", "title", "changedAt"]
    assert list(part.attributes) == ["documentId", "body"]
    header, whole, listed, rename, _ = made.operations
    assert (header.read_units, whole.requests, listed.requests) == (0.5, 1, 1)
    # One item of less than 1 KB, and its entry in the index.
    assert rename.write_units == 2
    settings = design.planner.model_copy(update={"items": "as-stated"})
    together = plan(design.model_copy(update={"planner": settings}), style)
    (told,) = [one for one in made.decisions if one.about == "apart Document.body"]
    (instead,) = told.instead_of
    assert instead.per_month == pytest.approx(together.cost.per_month, abs=0.001)
    # 19 units less for each of 5 changes, of which making an item in two takes 23.
    saved = SECONDS * (5 * 19 - 23) * WRITE
    assert made.cost.per_month < together.cost.per_month - saved


def test_what_some_read_tests_stays_however_large(style):
    made = plan(
        documents(
            rated(
                1,
                kind="list",
                returns="Document",
                where=OF_OWNER,
                keep=[{"attribute": "body", "contains": {"param": "word"}}],
            )
        ),
        style,
    )
    assert "body" in shapes(made)["Document"].attributes


@pytest.mark.proof
def test_every_read_and_write_is_right_where_the_rest_leaves(style):
    design = documents(
        rated(0.1, **BY_TITLE),
        rated(0.1, kind="update", entity="Document", set={"body": {"param": "body"}}),
        rated(
            0.1,
            kind="update",
            entity="Document",
            set={"body": {"param": "body"}, "changedAt": {"param": "at"}},
            **{"if": [{"attribute": "title", "is": {"param": "title"}}]},
        ),
        rated(0.1, kind="delete", entity="Document"),
        rated(0.1, kind="count", returns="Document", where=OF_OWNER),
    )
    made = outlined(design, style)
    assert any(shape.role == "split" for shape in shapes(made).values())
    verdict = prove_on(in_memory(), design, made)
    assert verdict.passed, [p for p in verdict.patterns if p.status != "passed"] or verdict.problem
