"""Figures over children that a stream's consumer keeps, where the team lets them be a moment behind."""

import re
from decimal import Decimal
from pathlib import Path

import pytest

from designer.core import answers
from designer.core.answers import Refused
from designer.core.cost.account import bill
from designer.core.cost.options import as_planned
from designer.core.cost.price import added as added_by
from designer.core.cost.price import units_monthly
from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.exporters import EXPORTERS
from designer.core.messages import say
from designer.core.plan import STYLES, Constant
from designer.core.planner import plan
from designer.core.sentences.steps import kept_up_by
from tests.core.test_figures_kept import BLOG, COMMENT, NEW, state
from tests.messages import reasons_of, said_in

FORUM = load((Path(__file__).parents[1] / "designs" / "forum.yaml").read_text())
MONTH = 2.592
"""Millions of seconds in a month."""
SECONDS = 2_592_000
"""Of a month."""
WRITE = 0.625
"""US dollars for a million write units."""


def blog(*patterns, kept="by-stream", only=(), more=(), at_once=(), comment=()):
    """The blog with its figures kept in one way: `only` some of them, if said, and `more`; some kept `at_once`."""
    post, child = BLOG["entities"]
    attributes = [
        {**one, "kept": "at-once" if one["name"] in at_once else kept}
        if "aggregate" in one
        else one
        for one in (*post["attributes"], *more)
        if "aggregate" not in one or not only or one["name"] in only
    ]
    numbered = [
        {"number": number, "name": f"Pattern {number}", **pattern}
        for number, pattern in enumerate(patterns, 1)
    ]
    entities = [{**post, "attributes": attributes}, {**child, **dict(comment)}]
    return Design.model_validate({**BLOG, "entities": entities, "patterns": numbered})


def flat(*patterns, **said):
    """The same, with comments that may go to another post."""
    return blog(*patterns, comment={"identifier": ["commentId"]}, **said)


def told(made):
    """What follows what, and which figures it is for."""
    return [(one.after, [name.split(".")[1] for name in one.figures]) for one in made.upkeep]


def after(design, before, parameters, **said):
    return answers.apply(design, before, design.patterns[0], parameters, **said)


# What it means


def test_a_child_of_nobody_is_written_and_counted_nowhere():
    written = after(blog(COMMENT), state(comments=Decimal(1)), {**NEW, "postId": "q"})
    assert len(written["Comment"]) == 2
    assert written["Post"][0]["comments"] == 1


def test_once_the_consumer_is_done_the_figures_are_what_a_transaction_would_make_them():
    before = state(comments=Decimal(1), stars=Decimal(2), lastAt="2026-05-02")
    later, at_once = blog(COMMENT), blog(COMMENT, kept="at-once")
    assert after(later, before, NEW) == after(at_once, before, NEW)


def test_who_keeps_a_figure_by_price_is_told():
    """A child of nobody is refused by the transaction alone."""
    design, new = blog(COMMENT, kept="by-price"), {**NEW, "postId": "q"}
    names = {"Post.comments", "Post.lastAt", "Post.stars"}
    assert isinstance(after(design, state(), new), Refused)
    assert not isinstance(after(design, state(), new, later=names), Refused)


def test_a_child_that_goes_to_another_parent_is_taken_from_the_one_and_added_to_the_other():
    move = {"kind": "update", "entity": "Comment", "set": {"postId": {"param": "to"}}}
    posts = [{"postId": name, "comments": Decimal(5), "stars": Decimal(9)} for name in "pq"]
    before = {**state(), "Post": tuple(posts)}
    written = after(flat(move), before, {"commentId": "c", "to": "q"})
    figures = [(one["comments"], one["stars"], one.get("lastAt")) for one in written["Post"]]
    assert figures == [(4, 7, None), (6, 11, "2026-05-02")]


# What the plan says


@pytest.mark.parametrize("style", STYLES)
def test_a_child_is_written_alone_and_its_parent_updated_afterwards(style):
    """One unit for the comment, one for what is added to its post, one for the greatest."""
    made = plan(blog(COMMENT), style)
    (step,) = made.operations_for(1)[0].steps
    assert (step.call, step.expects.units) == ("PutItem", 1)
    added, greatest = made.upkeep
    assert (added.entity, added.on, added.watch) == ("Comment", ("creation",), ("postId",))
    assert added.attributes == {"new_postId": "postId", "new_stars": "stars"}
    (member,) = added.steps[0].members
    assert member.add == {"comments": Constant(value=1), "stars": "{new_stars}"}
    assert [(test.attribute, test.exists) for test in member.if_] == [
        (next(iter(member.key)), True)
    ]
    assert "{new_postId}" in next(iter(member.key.values()))
    (member,) = greatest.steps[0].members
    assert member.set == {"lastAt": "{new_at}"}
    assert member.if_[1].below_or_missing == "{new_at}"
    assert kept_up_by(made, added).endswith(", for Post.comments and Post.stars")
    for one in made.upkeep:
        assert (one.steps[0].call, one.per_second, one.write_units) == ("UpdateItem", 1, 1)
        assert one.usd_per_month == MONTH * WRITE
    assert made.cost.writes_per_month == round(MONTH * 3 * WRITE, 4)


def test_each_way_to_change_a_child_is_followed():
    update = {"kind": "update", "entity": "Comment"}
    patterns = (
        {"kind": "delete", "entity": "Comment", "rate": {"average": 1}},
        {**update, "set": {"stars": {"param": "now"}}, "rate": {"average": 2}},
        {**update, "set": {"postId": {"param": "to"}}, "rate": {"average": 3}},
        {**update, "set": {"words": {"param": "now"}}},
    )
    made = plan(flat(*patterns), "multi")
    moves, to = "a change of its postId", "a change to its postId"
    assert told(made) == [
        (f"removal of Comment, or {moves}", ["comments", "stars"]),
        ("change of Comment.stars", ["stars"]),
        (f"new Comment, or {moves}", ["comments", "stars"]),
        (f"new Comment, or {moves} or at", ["lastAt"]),
    ]
    assert [one.event for one in made.upkeep] == [
        f"the removal of a Comment or {to}",
        "a change to Comment.stars",
        f"a new Comment or {to}",
        f"a new Comment or {to} or “at”",
    ]
    gone, changed, come, _ = made.upkeep
    assert gone.steps[0].members[0].add == {"comments": Constant(value=-1), "stars": "-{old_stars}"}
    assert (gone.patterns, gone.per_second) == ((1, 3), 4)
    assert changed.steps[0].members[0].add == {"stars": ("{new_stars}", "-{old_stars}")}
    assert (changed.patterns, changed.per_second, changed.unless) == ((2,), 2, ("postId",))
    assert (come.patterns, come.per_second) == ((3,), 3)
    assert made.operations_for(4)[0].steps[0].call == "UpdateItem"


def test_it_runs_after_what_it_says_and_nothing_else():
    (come, *_, changed) = [
        one
        for one in plan(flat(COMMENT, *CHANGES), "multi").upkeep
        if one.figures != ("Post.lastAt",)
    ]
    was, moved = {"postId": "p", "stars": 1}, {"postId": "q", "stars": 1}
    assert come.runs(None, was)
    assert come.runs(was, moved)
    assert not come.runs(was, None)
    assert not come.runs(was, {**was, "stars": 2})
    assert changed.runs(was, {**was, "stars": 2})
    assert not changed.runs(was, {**moved, "stars": 2})
    assert not changed.runs(None, was)


CHANGES = (
    {"kind": "update", "entity": "Comment", "set": {"postId": {"param": "to"}}},
    {"kind": "update", "entity": "Comment", "set": {"stars": {"param": "now"}}},
)


def test_the_least_is_set_where_it_is_greater():
    first = {
        "name": "firstAt",
        "format": "datetime",
        "present": 0.5,
        "aggregate": "least of has.at",
    }
    made = plan(blog(COMMENT, more=[first]), "multi")
    (least,) = [one for one in made.upkeep if one.figures == ("Post.firstAt",)]
    assert least.steps[0].members[0].if_[1].above_or_missing == "{new_at}"


def test_what_a_transaction_cannot_say_a_stream_tells():
    upsert = {"kind": "upsert", "entity": "Comment", "rate": {"average": 1}}
    where = [{"attribute": "postId", "is": {"param": "postId"}}]
    clear = {"kind": "delete", "entity": "Comment", "where": where, "rate": {"average": 0.1}}
    for pattern in (upsert, clear):
        for kept, answered in (("at-once", False), ("by-stream", True), ("by-price", True)):
            made = plan(blog(pattern, COMMENT, kept=kept), "multi")
            assert (made.operations_for(1)[0].answer != "not served") == answered
            assert bool(made.upkeep) == answered
    made = plan(blog(upsert), "multi")
    assert [one.per_second for one in made.upkeep] == [1, 0, 0, 1]  # which it does is not known
    (decision,) = [one for one in made.decisions if one.about.startswith("figure")]
    assert decision.instead_of[0].per_month is None


@pytest.mark.parametrize("style", STYLES)
def test_rows_of_a_transaction_may_share_a_parent(style):
    pattern = {
        "kind": "transaction",
        "members": [{"delete": "Comment", "times": {"average": 2, "most": 5}}],
    }
    for kept in ("at-once", "by-stream"):
        assert plan(flat(pattern, kept=kept), style).operations_for(1)[0].answer != "not served"


def test_what_the_time_to_live_removes_is_taken_away():
    goes = {"name": "goesAt", "type": "N", "ttl": True, "present": 0.1}
    comment = {"attributes": [*BLOG["entities"][1]["attributes"], goes]}
    gone = "removal of Comment"
    assert gone in dict(told(plan(blog(COMMENT, comment=comment), "multi")))
    assert gone not in dict(told(plan(blog(COMMENT), "multi")))


GOES = {"name": "goesAt", "type": "N", "digits": 10, "ttl": True}
DELETE = {"kind": "delete", "entity": "Comment", "rate": {"average": 0.25, "peak": 0.5}}


def expiring(*patterns, **said):
    """The blog with comments that expire."""
    entity = {"attributes": [*BLOG["entities"][1]["attributes"], GOES]}
    growth = said.pop("growth", None)
    if growth is not None:
        entity["growth_per_month"] = growth
    return blog(*patterns, comment=entity, **said)


def rates(design):
    return {one.after: one.per_second for one in plan(design, "multi").upkeep}


def test_as_many_children_expire_as_are_created():
    """Each of them leaves its parent, and the consumer is paid for the update."""
    design = expiring(COMMENT, only=("comments",))
    assert rates(design) == {"new Comment": 1, "removal of Comment": 1}
    made = plan(design, "multi")
    gone = made.upkeep[1]
    assert gone.steps[0].members[0].add == {"comments": Constant(value=-1)}
    assert (gone.usd_per_month, gone.patterns) == (MONTH * WRITE, (1,))
    (decision,) = blocking_pin(made).values()
    assert decision.per_month == round(2 * MONTH * WRITE, 4)


def test_an_upsert_that_makes_children_that_expire_is_followed_by_as_many_removals():
    upsert = {"kind": "upsert", "entity": "Comment", "rate": {"average": 2, "peak": 6}}
    upsert["times"] = {"average": 3, "most": 9}
    new, gone = plan(expiring(upsert, only=("comments",)), "multi").upkeep
    assert (new.per_second, gone.per_second, gone.peak_per_second) == (6, 6, 18)


def test_what_is_deleted_does_not_expire():
    assert rates(expiring(COMMENT, DELETE, only=("comments",)))["removal of Comment"] == 1
    more = {**DELETE, "rate": {"average": 3}}
    assert rates(expiring(COMMENT, more, only=("comments",)))["removal of Comment"] == 3


def test_what_expires_is_less_where_there_will_be_more():
    design = expiring(COMMENT, only=("comments",), growth=SECONDS // 4)
    assert rates(design)["removal of Comment"] == pytest.approx(0.75)
    design = expiring(COMMENT, only=("comments",), growth=3 * SECONDS)
    assert rates(design)["removal of Comment"] == 0


def test_the_rate_at_which_children_expire_is_unknown_without_that_of_creations():
    assert rates(expiring({**COMMENT, "rate": None}, only=("comments",))) == {
        "new Comment": None,
        "removal of Comment": None,
    }


def test_no_transaction_keeps_a_count_of_what_expires():
    """By price it is the stream, and no finding or decision offers the transaction."""
    for kept in ("by-stream", "by-price"):
        made = plan(expiring(COMMENT, kept=kept), "multi")
        (decision,) = blocking_pin(made).values()
        assert decision.chosen.id == "kept-by-stream"
        (other,) = decision.instead_of
        assert reasons_of(other) == {"transaction-misses-expired": {"child": "Comment"}}
        assert other.per_month is None
        assert findings(made, "figure-lags")[PLACE].solution.id == "deploy-consumer"
    # The greatest never goes back, so that a transaction keeps it as well as a stream.
    made = plan(expiring(COMMENT, kept="by-price", only=("lastAt",)), "multi")
    (decision,) = blocking_pin(made).values()
    assert "transaction-misses-expired" not in reasons_of(decision.instead_of[0])


def test_the_greatest_of_what_expires_stays():
    stays = findings(plan(expiring(COMMENT), "multi"), "figure-stays")
    (where,) = stays
    assert where == "entities.Post.attributes.lastAt"
    assert said_in(stays[where].problem)["after-expiry"] == {"child": "Comment"}
    both = findings(plan(expiring(COMMENT, DELETE), "multi"), "figure-stays")[where]
    assert "After pattern 2 and after a Comment expires, the attribute keeps" in both.message


def strongly_by_two_attributes():
    """Posts by their text and by their identifier, strongly: one of the two asks for a copy under another key."""
    asked = [
        {
            "kind": "list",
            "returns": "Post",
            "where": [{"attribute": name, "is": {"param": name}}],
            "consistency": "strong",
            "at_most_requests": 1,
            "rate": {"average": 5},
        }
        for name in ("text", "postId")
    ]
    return blog(COMMENT, *asked, only=("comments",))


@pytest.mark.parametrize("style", STYLES)
def test_a_parent_is_updated_together_with_its_copy_under_another_key(style):
    """Two units for each in a transaction, and a strong read of the post for the key of its copy."""
    (upkeep,) = plan(strongly_by_two_attributes(), style).upkeep
    assert [step.call for step in upkeep.steps] == ["GetItem", "TransactWriteItems"]
    assert [member.shape for member in upkeep.steps[-1].members] == ["Post", "PostByText"]
    assert (upkeep.read_units, upkeep.write_units) == (1, 4)


@pytest.mark.parametrize("style", STYLES)
def test_the_childrens_table_has_a_stream_of_both_images(style):
    made = plan(blog(COMMENT), style)
    streams = {table.name: table.stream for table in made.tables}
    assert streams[made.upkeep[0].table] == "new-and-old"
    assert set(streams.values()) <= {"new-and-old", None}
    assert {table.stream for table in plan(blog(COMMENT, kept="at-once"), style).tables} == {None}


# By price


def blocking_pin(made):
    return {
        "stream" if one.chosen.id == "kept-by-stream" else "transaction": one
        for one in made.decisions
        if one.about.startswith("figure")
    }


def test_the_price_takes_the_stream_where_a_child_is_written_alone():
    design = blog(COMMENT, kept="by-price", only=("comments",))
    (decision,) = blocking_pin(plan(design, "multi")).values()
    assert decision.chosen == say("kept-by-stream", table="Comments", child="Comment")
    assert decision.per_month == round(MONTH * WRITE, 4)
    (other,) = decision.instead_of
    assert other.per_month == round(MONTH * 3 * WRITE, 4)
    assert "transaction-dearer" in reasons_of(other)


def test_the_price_takes_the_transaction_that_writes_the_parent_anyway():
    pattern = {
        "kind": "transaction",
        "members": [{"create": "Post"}, {"create": "Comment", "times": {"average": 3, "most": 9}}],
        "rate": {"average": 1},
    }
    design = blog(pattern, kept="by-price")
    (decision,) = blocking_pin(plan(design, "multi")).values()
    assert decision.chosen == say("kept-in-transaction", child="Comment")
    (other,) = decision.instead_of
    # Each of three comments is two updates of its post.
    assert (decision.per_month, other.per_month) == (0, round(MONTH * 6 * WRITE, 4))
    assert "stream-no-cheaper" in reasons_of(other)


@pytest.mark.slow
def test_each_relationship_has_its_own_price():
    """A board's threads come one by one, so that the stream is cheaper; the rest of the forum says how it is kept."""
    assert set(blocking_pin(plan(FORUM, "multi"))) == {"stream"}
    (threads,) = [d for d in plan(FORUM, "multi").decisions if d.about == "figure Board.threads"]
    assert threads.per_month < threads.instead_of[0].per_month


def test_the_decision_names_the_setting_that_takes_the_other_way():
    (at_once,) = blocking_pin(plan(blog(COMMENT, kept="at-once"), "multi")).values()
    assert "stream-if-stated" in reasons_of(at_once.instead_of[0])
    (streamed,) = blocking_pin(plan(blog(COMMENT), "multi")).values()
    assert "transaction-if-stated" in reasons_of(streamed.instead_of[0])
    # Each is priced as the other says.
    assert at_once.instead_of[0].per_month == streamed.per_month


def test_a_remark_on_the_other_way_is_no_sentence():
    """It may stand in brackets, so it has no full stop, and does not begin a sentence after one."""
    for design in (blog(COMMENT, kept="at-once"), blog(COMMENT)):
        for decision in plan(design, "multi").decisions:
            for other in decision.instead_of:
                assert "." not in re.sub(r"\d\.\d", "", other.because), other.because
    (decision,) = blocking_pin(plan(blog(COMMENT, kept="at-once"), "multi")).values()
    assert "has seen; to choose it, set" in decision.instead_of[0].because


def test_figures_of_one_parent_may_be_kept_in_both_ways():
    made = plan(blog(COMMENT, at_once=("comments",)), "multi")
    _, parent = made.operations_for(1)[0].steps[0].members
    assert parent.add == {"comments": Constant(value=1)}
    assert [one.figures for one in made.upkeep] == [("Post.lastAt",), ("Post.stars",)]
    assert set(blocking_pin(made)) == {"stream", "transaction"}


def test_upkeep_says_how_many_units_and_dollars_it_adds_to_a_month():
    """A comment a second: its post is updated once for what is added to it and once for the greatest."""
    made = plan(blog(COMMENT, READ), "multi")
    lags = findings(made, "figure-lags")[PLACE]
    assert said_in(lags.problem)["upkeep-adds"] == {"write": 2 * SECONDS, "usd": 2 * MONTH * WRITE}
    (decision,) = blocking_pin(made).values()
    assert reasons_of(decision)["upkeep-adds"] == {"write": 2 * SECONDS, "usd": 2 * MONTH * WRITE}
    (at_once,) = blocking_pin(plan(blog(COMMENT, kept="at-once"), "multi")).values()
    added = reasons_of(at_once)["upkeep-adds-reads"]
    assert (added["read"], added["write"]) == (SECONDS, 3 * SECONDS)
    assert round(added["usd"], 4) == at_once.per_month
    for one in made.upkeep:
        assert units_monthly(one) == "2,592,000 write"
        assert added_by(one) == "2,592,000 write units and $1.62 a month"


def test_upkeep_without_a_rate_adds_nothing_that_is_known():
    made = plan(blog({**COMMENT, "rate": None}), "multi")
    assert "upkeep-adds" not in said_in(findings(made, "figure-lags")[PLACE].problem)
    assert "upkeep-adds" not in reasons_of(next(iter(blocking_pin(made).values())))
    assert {added_by(one) for one in made.upkeep} == {""}


def test_documents_and_the_bill_name_the_aggregates_and_what_their_upkeep_adds():
    design = blog(COMMENT, READ)
    made = plan(design, "multi")
    document = str(EXPORTERS["data-model"].export(design, made).content)
    assert "2,592,000 write" in document
    lines = [line for line in bill(design, made, as_planned(design)).patterns if line.upkeep]
    assert [line.upkeep_label for line in lines] == [
        "Upkeep of Post.comments and Post.stars after a new Comment",
        "Upkeep of Post.lastAt after a new Comment or a change to its “at”",
    ]


# What may mislead


def findings(made, rule):
    return {one.where: one for one in made.findings if one.rule == rule}


READ = {
    "kind": "get",
    "returns": "Post",
    "where": [{"attribute": "postId", "is": {"param": "postId"}}],
    "rate": {"average": 1},
}
PLACE = "entities.Post.attributes.comments"


def test_a_figure_that_lags_is_a_finding_and_a_strong_read_of_it_a_warning():
    lags = findings(plan(blog(COMMENT, READ), "multi"), "figure-lags")[PLACE]
    assert lags.severity == "advice"
    assert said_in(lags.problem)["see-old-value"] == {"patterns": (2,)}
    strong = {**READ, "consistency": "strong"}
    lags = findings(plan(blog(COMMENT, strong), "multi"), "figure-lags")[PLACE]
    assert lags.severity == "warning"
    assert said_in(lags.problem)["aggregate-not-strong"] == {"patterns": (2,)}
    without = {**strong, "attributes": ["text"]}
    lags = findings(plan(blog(COMMENT, without), "multi"), "figure-lags")[PLACE]
    assert lags.severity == "advice"
    assert said_in(lags.problem).keys() == {"figure-lags", "aggregates-updated", "upkeep-adds"}
    assert not findings(plan(blog(COMMENT, strong, kept="at-once"), "multi"), "figure-lags")


def test_no_transaction_is_advised_where_a_write_cannot_keep_the_figure():
    """A deletion of all comments of a post does not know how many there are."""
    clear = {
        "kind": "delete",
        "entity": "Comment",
        "where": [{"attribute": "postId", "is": {"param": "postId"}}],
        "rate": {"average": 1},
    }
    said = {
        solution.solution.id
        for patterns in ((COMMENT, READ), (COMMENT, READ, clear))
        for solution in findings(plan(blog(*patterns), "multi"), "figure-lags").values()
    }
    assert said == {"deploy-consumer-or-keep-at-once", "deploy-consumer"}
    at_once = plan(blog(COMMENT, READ, clear, kept="at-once"), "multi")
    assert at_once.operations_for(3)[0].answer == "not served"


def test_a_write_on_condition_of_a_figure_that_lags_is_a_warning():
    empty = [{"attribute": "comments", "is": {"value": 0}}]
    delete = {"kind": "delete", "entity": "Post", "if": empty}
    lags = findings(plan(blog(COMMENT, delete), "multi"), "figure-lags")[PLACE]
    assert lags.severity == "warning"
    assert said_in(lags.problem)["test-old-value"] == {"patterns": (2,)}


def test_what_is_told_twice_counts_twice_but_is_not_greater():
    assert (
        findings(plan(blog(COMMENT), "multi"), "figure-counts-twice")[PLACE].severity == "warning"
    )
    assert not findings(plan(blog(COMMENT, only=("lastAt",)), "multi"), "figure-counts-twice")


@pytest.mark.parametrize("style", STYLES)
def test_a_parent_that_one_consumer_cannot_keep_up_with_runs_hot(style):
    busy = {**COMMENT, "rate": {"average": 10, "peak": 2000}, "hottest": 1}
    made = plan(blog({"kind": "create", "entity": "Post"}, busy), style)
    hot = findings(made, "hot-partition")["entities.Post"]
    assert hot.solution.id == "add-to-several-items"
    assert hot.solution.values["attributes"] == ("Post.comments", "Post.stars")


@pytest.mark.parametrize("style", STYLES)
def test_every_way_to_write_the_forum_is_served(style):
    answered = {operation.answer for operation in plan(FORUM, style).operations}
    assert answered == {"in one request", "in several requests"}


@pytest.mark.parametrize("slug", ["cloudformation", "terraform"])
def test_the_stream_is_deployed(slug):
    design = blog(COMMENT)
    text = str(EXPORTERS[slug].export(design, plan(design, "multi")).content)
    assert text.count("NEW_AND_OLD_IMAGES") == 1
