"""Figures over children are right after every write, whoever runs the plan."""

from decimal import Decimal
from itertools import cycle
from pathlib import Path
from random import Random

import pytest

from designer.core.design.document import Design
from designer.core.design.kept import kept_figures
from designer.core.design.load import load
from designer.core.plan import ALL_STYLES, STYLES
from designer.proof.engine import engine
from designer.proof.execute import execute
from designer.proof.prove import prove_on
from tests.core.test_figures_kept import BLOG, RAISED
from tests.core.test_figures_streamed import flat, strongly_by_two_attributes
from tests.designs_generated import generated
from tests.planned import outlined
from tests.proof.test_runner import run_design
from tests.proven import in_memory as memory

ACCOUNTS = load((Path(__file__).parents[1] / "designs" / "accounts.yaml").read_text())


@pytest.mark.parametrize("style", STYLES)
def test_figures_are_kept_right(style):
    verdict = prove_on(engine(), ACCOUNTS, outlined(ACCOUNTS, style))
    assert {one.pattern: one.status for one in verdict.patterns} == dict.fromkeys(
        range(1, 22), "passed"
    )


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
def test_figures_are_kept_right_on_dynamodb_local(style, dynamodb_local):
    verdict = prove_on(engine(dynamodb_local), ACCOUNTS, outlined(ACCOUNTS, style))
    assert verdict.passed


@pytest.mark.parametrize("style", STYLES)
def test_the_greatest_of_a_number_that_rises_is_kept_right(style):
    design = Design.model_validate(RAISED)
    assert prove_on(engine(), design, outlined(design, style)).passed
    run_design(engine(), design, style)


@pytest.mark.parametrize("style", STYLES)
def test_a_stranger_keeps_figures_right_from_the_documents(style):
    run_design(engine(), ACCOUNTS, style)


# A moment later, by a consumer of the streams

FORUM = load((Path(__file__).parents[1] / "designs" / "forum.yaml").read_text())
WAYS = ("by-stream", "by-price")


def kept(design, ways):
    """The design with its figures kept in these ways, one after the other."""
    turn = cycle(ways)
    entities = tuple(
        entity.model_copy(
            update={
                "attributes": tuple(
                    one.model_copy(update={"kept": next(turn)}) if one.aggregate else one
                    for one in entity.attributes
                )
            }
        )
        for entity in design.entities
    )
    return design.model_copy(update={"entities": entities})


def in_memory(design, made):
    return prove_on(memory(), design, made)


@pytest.mark.parametrize("style", STYLES)
def test_figures_are_right_once_the_consumer_is_done(style):
    verdict = in_memory(FORUM, outlined(FORUM, style))
    assert {one.status for one in verdict.patterns} == {"passed"}


@pytest.mark.parametrize("ways", [*((way,) for way in WAYS), ("at-once", *WAYS)], ids="-".join)
@pytest.mark.parametrize("style", ALL_STYLES)
def test_all_that_a_transaction_keeps_a_consumer_keeps_as_well(style, ways):
    design = kept(ACCOUNTS, ways)
    made = outlined(design, style)
    assert made.upkeep
    assert {one.status for one in in_memory(design, made).patterns} == {"passed"}


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
def test_a_consumer_keeps_figures_right_on_dynamodb_local(style, dynamodb_local):
    for design in (FORUM, kept(ACCOUNTS, ("by-stream",))):
        assert prove_on(engine(dynamodb_local), design, outlined(design, style)).passed
    run_design(engine(dynamodb_local), kept(ACCOUNTS, ("by-stream",)), style)


def test_a_stranger_is_the_consumer_from_the_documents():
    run_design(memory(), FORUM, "multi")
    run_design(memory(), kept(ACCOUNTS, WAYS), "single")


def asked_by_figures(kept):
    """Comments asked for by figures of their posts, which they carry copies of."""
    together = [{"create": "Post"}, {"create": "Comment", "times": {"average": 2, "most": 5}}]
    writes = [
        {"kind": "create", "entity": "Post"},
        {"kind": "create", "entity": "Comment"},
        {"kind": "update", "entity": "Comment", "set": {"postId": {"param": "to"}}},
        {"kind": "delete", "entity": "Comment"},
        *([{"kind": "transaction", "members": together}] if kept == "by-stream" else []),
    ]
    asked = [
        {"where": [{"attribute": "has.comments", "is": {"param": "number"}}]},
        {
            "where": [{"attribute": "has.lastAt", "from": {"param": "from"}}],
            "order": ["stars ascending"],
        },
    ]
    reads = [{"kind": "list", "returns": "Comment", **one} for one in asked]
    patterns = [{**one, "rate": {"average": 1}} for one in (*writes, *reads)]
    return flat(*patterns, kept=kept)


@pytest.mark.parametrize("style", STYLES)
def test_what_carries_a_figure_of_its_parent_follows_it(style):
    """One consumer goes on from what another did: the count of a post, then the copies on its comments."""
    design = asked_by_figures("by-stream")
    assert in_memory(design, outlined(design, style)).passed
    run_design(engine(), design, style)
    # A transaction that counts a child does not know the count that the child is to carry.
    design = asked_by_figures("at-once")
    statuses = {one.status for one in in_memory(design, outlined(design, style)).patterns}
    assert statuses == {"passed", "not served"}


def test_a_child_made_with_its_parent_carries_the_figure_that_it_begins_with():
    """Others are counted: nobody gives the figure of a new parent, and it is there all the same."""
    post, comment = BLOG["entities"]
    figure = {"name": "likes", "type": "N", "digits": 6, "aggregate": "count of liked"}
    own = [one for one in post["attributes"] if "aggregate" not in one]
    keys = [{"name": name, "format": "uuid"} for name in ("postId", "likeId")]
    like = {"name": "Like", "identifier": ["postId", "likeId"], "attributes": keys}
    liked = {"name": "liked", "one": "Post", "many": "Like", "by": "postId"}
    patterns = [
        {"kind": "create", "entity": "Like"},
        {"kind": "transaction", "members": [{"create": "Post"}, {"create": "Comment"}]},
        {
            "kind": "list",
            "returns": "Comment",
            "where": [{"attribute": "has.likes", "is": {"param": "likes"}}],
        },
    ]
    numbered = [
        {"number": number, "name": f"Pattern {number}", **one}
        for number, one in enumerate(patterns, 1)
    ]
    document = {
        **BLOG,
        "entities": [{**post, "attributes": [*own, figure]}, comment, like],
        "relationships": [*BLOG["relationships"], liked],
        "patterns": numbered,
    }
    design = Design.model_validate(document)
    assert in_memory(design, outlined(design, "multi")).passed


@pytest.mark.parametrize("style", STYLES)
def test_the_copy_of_a_parent_under_another_key_has_its_figures(style):
    design = strongly_by_two_attributes()
    assert in_memory(design, outlined(design, style)).passed


def test_without_the_consumer_the_figures_are_wrong():
    verdict = in_memory(FORUM, outlined(FORUM, "single").model_copy(update={"upkeep": ()}))
    assert 10 in {one.pattern for one in verdict.patterns if one.status == "failed"}


@pytest.mark.parametrize("style", STYLES)
def test_what_is_told_twice_is_counted_twice_and_no_greater(style):
    """The trap that the plan warns of, as streams tell of a change at least once."""
    chosen = engine()
    with chosen.tables(outlined(FORUM, style)) as tables:
        thread = {"threadId": "t", "boardId": "b", "startedAt": "2026-05-01T00:00:00Z"}
        execute(tables, tables.plan.operations_for(8)[0], thread)
        post = {"postId": "p", "threadId": "t", "at": "2026-05-02T00:00:00Z", "size": Decimal(5)}
        for _ in range(2):
            for upkeep in tables.plan.upkeep:
                if upkeep.entity == "Post" and upkeep.runs(None, post):
                    execute(tables, upkeep.operation, upkeep.given(None, post))
        answer = execute(tables, tables.plan.operations_for(1)[0], thread).answered
        ((_, found),) = answer.parts["rows"]
    figures = ("posts", "size", "firstAt", "lastAt")
    assert [found[name] for name in figures] == [2, 10, post["at"], post["at"]]


def test_made_up_designs_keep_their_figures_by_streams():
    """The designs that are made up at random, each of their figures kept in another way."""
    followed = 0
    for seed in range(120):
        design = kept(generated(Random(seed)), ("by-stream", "by-price", "at-once")[seed % 3 :])
        if not any(figure.kept != "at-once" for figure in kept_figures(design)):
            continue
        for style in STYLES:
            made = outlined(design, style)
            followed += any(upkeep.figures for upkeep in made.upkeep)
            verdict = in_memory(design, made)
            failed = [one for one in verdict.patterns if one.status not in ("passed", "not served")]
            assert (verdict.problem, failed) == ("", []), f"design {seed}, {style}"
    assert followed > 2
