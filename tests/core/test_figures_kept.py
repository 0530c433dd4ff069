"""Figures over children that the writes of the children keep: meaning, operations and prices worked out by hand."""

from decimal import Decimal
from pathlib import Path

import pytest

from designer.core import answers
from designer.core.answers import Refused
from designer.core.design.document import Design
from designer.core.design.kept import kept_figures
from designer.core.design.load import load
from designer.core.plan import STYLES, Constant
from designer.core.planner import plan
from tests.messages import reasons_of

ACCOUNTS = load((Path(__file__).parents[1] / "designs" / "accounts.yaml").read_text())

BLOG = {
    "name": "Blog",
    "entities": [
        {
            "name": "Post",
            "identifier": ["postId"],
            "items": 1000,
            "attributes": [
                {"name": "postId", "format": "uuid"},
                {"name": "text", "bytes": 300},
                {"name": "comments", "type": "N", "digits": 6, "aggregate": "count of has"},
                {
                    "name": "lastAt",
                    "format": "datetime",
                    "present": 0.5,
                    "aggregate": "greatest of has.at",
                },
                {"name": "stars", "type": "N", "digits": 6, "aggregate": "sum of has.stars"},
            ],
        },
        {
            "name": "Comment",
            "identifier": ["postId", "commentId"],
            "items": 10_000,
            "attributes": [
                {"name": "postId", "format": "uuid", "refers_to": "Post.postId"},
                {"name": "commentId", "format": "ulid"},
                {"name": "at", "format": "datetime"},
                {"name": "stars", "type": "N", "digits": 1},
                {"name": "words", "bytes": 100},
            ],
        },
    ],
    "relationships": [
        {"name": "has", "one": "Post", "many": "Comment", "by": "postId", "average": 10}
    ],
}
COMMENT = {"kind": "create", "entity": "Comment", "rate": {"average": 1}}


def blog(*patterns):
    numbered = [
        {"number": number, "name": f"Pattern {number}", **pattern}
        for number, pattern in enumerate(patterns, 1)
    ]
    return Design.model_validate({**BLOG, "patterns": numbered})


def state(**post):
    return {
        "Post": ({"postId": "p", "text": "t", **post},),
        "Comment": ({"postId": "p", "commentId": "c", "at": "2026-05-02", "stars": Decimal(2)},),
    }


def after(design, state, parameters):
    (pattern,) = design.patterns
    return answers.apply(design, state, pattern, parameters)


NEW = {"postId": "p", "commentId": "d", "at": "2026-05-01", "stars": Decimal(3), "words": "w"}


def test_a_new_child_adds_to_the_figures_and_may_be_the_greatest():
    design = blog(COMMENT)
    (post,) = after(design, state(comments=Decimal(1), stars=Decimal(2)), NEW)["Post"]
    assert (post["comments"], post["stars"], post["lastAt"]) == (2, 5, "2026-05-01")
    (post,) = after(design, state(lastAt="2026-05-02"), NEW)["Post"]
    assert (post["comments"], post["stars"], post["lastAt"]) == (1, 3, "2026-05-02")


def test_a_child_of_nobody_is_refused():
    assert isinstance(after(blog(COMMENT), state(), {**NEW, "postId": "q"}), Refused)


def test_a_deleted_child_takes_away_and_the_greatest_stays():
    design = blog({"kind": "delete", "entity": "Comment"})
    before = state(comments=Decimal(4), stars=Decimal(9), lastAt="2026-05-02")
    (post,) = after(design, before, {"postId": "p", "commentId": "c"})["Post"]
    assert (post["comments"], post["stars"], post["lastAt"]) == (3, 7, "2026-05-02")


def test_a_changed_summand_changes_the_sum():
    design = blog({"kind": "update", "entity": "Comment", "set": {"stars": {"param": "now"}}})
    parameters = {"postId": "p", "commentId": "c", "now": Decimal(5)}
    (post,) = after(design, state(stars=Decimal(9)), parameters)["Post"]
    assert post["stars"] == 12
    assert "comments" not in post


def test_a_new_parent_begins_at_nothing_and_the_caller_gives_no_figures():
    design = blog({"kind": "create", "entity": "Post"}, COMMENT)
    new = answers.apply(design, {}, design.pattern(1), {"postId": "p", "text": "t"})
    assert new["Post"] == ({"comments": 0, "stars": 0, "postId": "p", "text": "t"},)
    operation = plan(design, "multi").operations_for(1)[0]
    assert [parameter.name for parameter in operation.parameters] == ["postId", "text"]
    values = operation.steps[0].members[0].values
    assert values["comments"] == values["stars"] == Constant(value=0)


def test_a_figure_that_a_pattern_changes_itself_is_left_to_it():
    own = {"kind": "update", "entity": "Post", "add": {"comments": {"value": 1}}}
    assert [f.name for f in kept_figures(blog(COMMENT, own))] == ["lastAt", "stars"]
    assert kept_figures(blog({"kind": "create", "entity": "Post"})) == ()


@pytest.mark.parametrize("style", STYLES)
def test_one_transaction_writes_the_child_and_its_parents_figures(style):
    """Both items are below 1 KB, two units each in a transaction; the greatest so far is read first, strongly."""
    operation = plan(blog(COMMENT), style).operations_for(1)[0]
    read, write = operation.steps
    assert (read.call, read.consistent, write.call) == ("GetItem", True, "TransactWriteItems")
    _, parent = write.members
    assert parent.add == {"comments": Constant(value=1), "stars": "{stars}"}
    assert parent.greatest == {"lastAt": ("{old2.lastAt}", "{at}")}
    assert {test.same_as for test in parent.if_ if test.attribute == "lastAt"} == {"old2"}
    assert (operation.read_units, operation.write_units) == (1, 4)
    assert operation.usd_per_month == round(2.592 * (0.125 + 4 * 0.625), 4)


def test_what_is_deleted_is_read_first_and_must_still_be_so():
    operation = plan(blog({"kind": "delete", "entity": "Comment"}), "multi").operations_for(1)[0]
    child, parent = operation.steps[1].members
    assert [(t.attribute, t.same_as) for t in child.if_ if t.same_as] == [("stars", "old1")]
    assert parent.add == {"comments": Constant(value=-1), "stars": "-{old1.stars}"}
    assert not parent.greatest


def test_the_difference_of_a_summand_is_added():
    design = blog(
        {
            "kind": "update",
            "entity": "Comment",
            "given": ["stars"],
            "set": {"stars": {"param": "now"}},
        }
    )
    (step,) = plan(design, "multi").operations_for(1)[0].steps
    assert step.members[1].add == {"stars": ("{now}", "-{stars}")}
    assert "stars" in {test.attribute for test in step.members[0].if_}


RAISED = {
    "name": "Games",
    "entities": [
        {
            "name": "Player",
            "identifier": ["playerId"],
            "attributes": [
                {"name": "playerId", "format": "uuid"},
                {
                    "name": "best",
                    "type": "N",
                    "present": 0.9,
                    "aggregate": "greatest of has.points",
                },
            ],
        },
        {
            "name": "Game",
            "identifier": ["playerId", "gameId"],
            "attributes": [
                {"name": "playerId", "format": "uuid", "refers_to": "Player.playerId"},
                {"name": "gameId", "format": "ulid"},
                {"name": "points", "type": "N", "digits": 6},
            ],
        },
    ],
    "relationships": [{"name": "has", "one": "Player", "many": "Game", "by": "playerId"}],
    "patterns": [
        {
            "number": 1,
            "name": "Score",
            "kind": "update",
            "entity": "Game",
            "add": {"points": {"param": "more"}},
        },
        {"number": 2, "name": "Begin", "kind": "create", "entity": "Game"},
        {"number": 3, "name": "Join", "kind": "create", "entity": "Player"},
    ],
}


def test_what_a_number_is_after_it_rose_may_be_the_greatest():
    """What is added to it is not enough: the child is read first, and must still be so."""
    design = Design.model_validate(RAISED)
    operation = plan(design, "multi").operations_for(1)[0]
    child, player = operation.steps[-1].members
    (read,) = {test.same_as for test in child.if_ if test.attribute == "points"}
    assert read in {step.id for step in operation.steps if step.table == "Games"}
    assert player.greatest["best"][-1] == (f"{{{read}.points}}", "{more}")


def test_a_parent_that_comes_with_its_children_is_put_with_their_figures():
    design = blog(
        {
            "kind": "transaction",
            "members": [
                {"create": "Post"},
                {"create": "Comment", "times": {"average": 2, "most": 9}},
            ],
        }
    )
    (step,) = plan(design, "multi").operations_for(1)[0].steps
    post, _ = step.members
    assert post.add == {"comments": "{count(Comment)}", "stars": '{sum(Comment, "stars")}'}
    assert post.greatest == {"lastAt": ('{greatest(Comment, "at")}',)}


def test_an_upsert_of_a_child_cannot_keep_a_count():
    made = plan(blog({"kind": "upsert", "entity": "Comment"}, COMMENT), "multi")
    assert made.operations_for(1)[0].answer == "not served"
    assert "upsert-of-counted" in reasons_of(made.operations_for(1)[0])


def test_rows_of_a_transaction_may_have_one_parent():
    """DynamoDB takes an item once in a transaction, so that the post is updated once for all its comments."""
    flat = {
        **BLOG,
        "entities": [BLOG["entities"][0], {**BLOG["entities"][1], "identifier": ["commentId"]}],
    }
    delete = {"delete": "Comment", "times": {"average": 2, "most": 5}}
    pattern = {"number": 1, "name": "Tidy up", "kind": "transaction", "members": [delete]}
    made = plan(Design.model_validate({**flat, "patterns": [pattern]}), "multi")
    comment, post = made.operations_for(1)[0].steps[-1].members
    assert (comment.joins, post.joins) == (False, True)
    assert post.for_each.values == "Comment"


@pytest.mark.parametrize("given", [(), ("postId",)])
def test_a_check_of_the_parent_is_one_with_its_update_where_the_caller_names_it(given):
    """Else the transaction has the post twice, which DynamoDB refuses."""
    flat = [BLOG["entities"][0], {**BLOG["entities"][1], "identifier": ["commentId"]}]
    rated = {"update": "Comment", "given": given, "set": {"stars": {"param": "now"}}}
    members = [{"check": "Post", "exists": True}, rated]
    pattern = {"number": 1, "name": "Rate", "kind": "transaction", "members": members}
    design = Design.model_validate({**BLOG, "entities": flat, "patterns": [pattern]})
    write = plan(design, "multi").operations_for(1)[0].steps[-1]
    assert [member.joins for member in write.members] == (
        [False] * 2 if given else [True, False, True]
    )
    done = after(design, state(), {"postId": "p", "commentId": "c", "now": Decimal(5)})
    assert done["Post"][0]["stars"] == 3


def test_the_plan_says_what_keeping_costs_and_what_a_stream_would():
    """A comment a second: the post's update is two units, the comment's own write doubles by one, and the post is read
    first; a stream's consumer would take two units, one for what it adds and one for the greatest, which is set on a
    condition of its own."""
    made = plan(blog(COMMENT), "multi")
    (decision,) = [one for one in made.decisions if one.about.startswith("figure")]
    assert decision.about == "figure Post.comments, Post.lastAt and Post.stars"
    assert decision.per_month == round(2.592 * (3 * 0.625 + 0.125), 4)
    (other,) = decision.instead_of
    assert other.per_month == round(2.592 * 2 * 0.625, 4)
    assert {"costs-less", "consumer-is-behind"} <= reasons_of(other).keys()


def test_a_greatest_that_cannot_go_back_is_a_finding():
    delete = {"kind": "delete", "entity": "Comment"}
    stays = [
        one.where
        for one in plan(blog(COMMENT, delete), "multi").findings
        if one.rule == "figure-stays"
    ]
    assert stays == ["entities.Post.attributes.lastAt"]
    assert "figure-stays" not in {one.rule for one in plan(blog(COMMENT), "multi").findings}


@pytest.mark.parametrize("style", STYLES)
def test_every_way_to_write_a_child_is_served(style):
    answered = {operation.answer for operation in plan(ACCOUNTS, style).operations}
    assert answered == {"in one request", "in several requests"}


@pytest.mark.parametrize("style", STYLES)
def test_a_figure_that_one_item_cannot_take_is_said_with_the_items_that_can(style):
    """2,000 comments a second on one post: an update of the post in each one's transaction takes two units."""
    busy = {**COMMENT, "rate": {"average": 10, "peak": 2000}, "hottest": 1}
    made = plan(blog({"kind": "create", "entity": "Post"}, busy), style)
    said = [f for f in made.findings if f.rule == "hot-partition" and f.where == "entities.Post"]
    (values,) = (one.solution.values for one in said)
    assert (values["attributes"], values["items"]) == (("Post.comments", "Post.stars"), 5)
