"""A parent with some of its children in one Query: what is tested of these, and the pages until there are enough."""

from math import comb

import pytest

from designer.core.capacity.units import read_units
from designer.core.design.load import load
from designer.core.lint import TOPICS
from designer.core.planner.pipeline import outlined, plan
from designer.proof.prove import prove

FORUM = """
keywright: 1
name: Forum
entities:
  - name: Topic
    identifier: [topicId]
    items: 50000
    attributes:
      - {name: topicId, format: ulid}
      - {name: title, bytes: 40}
  - name: Reply
    identifier: [topicId, replyId]
    items: 15000000
    attributes:
      - {name: topicId, refers_to: Topic.topicId}
      - {name: replyId, format: ulid}
      - {name: flag, values: [GOOD, BAD], shares: [0.2, 0.8], mutable: true}
      - {name: score, type: N, minimum: 0, maximum: 999}
      - {name: text, bytes: 300}
relationships:
  - {name: answers, one: Topic, many: Reply, by: topicId, identifying: true, average: 300, most: 2000}
patterns:
  - number: 1
    name: A topic with its newest good replies
    kind: get
    returns: Topic
    where: [{attribute: topicId, is: {param: topicId}}]
    with: [{relationship: answers, keep: [TEST], order: [replyId descending], limit: 10}]
    rate: {average: 5}
  - {number: 2, name: Reply, kind: create, entity: Reply, rate: {average: 40}}
  - {number: 3, name: Open, kind: create, entity: Topic, rate: {average: 1}}
"""
GOOD = "{attribute: flag, is: {value: GOOD}}"
LISTED = """  - number: 4
    name: The newest good replies of a topic
    kind: list
    returns: Reply
    where: [{attribute: topicId, is: {param: topicId}}, {attribute: flag, is: {value: GOOD}}]
    order: [replyId descending]
    limit: 10
    rate: {average: 5}
"""
SELDOM = ("rate: {average: 5}", "rate: {average: 0.5}")
"""With this an index of what is tested costs more than it saves."""


def forum(test=GOOD, *changes):
    text = FORUM.replace("TEST", test)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return load(text, name="forum")


def shared_query(made, number=1):
    (operation,) = made.operations_for(number)
    (step,) = operation.steps
    assert step.call == "Query"
    assert set(step.shapes) == {"Topic", "Reply"}
    return operation, step


def test_children_are_read_until_enough_of_them_pass():
    """One in five passes, so ten are found in fifty; the rest of the page fills the last 4 KB with the topic."""
    made = outlined(forum(), "single")
    operation, step = shared_query(made)
    sizes = {shape.shape: shape.bytes for table in made.tables for shape in table.items}
    assert step.until == {"answers": 10}
    assert step.limit > 51  # one page holds fifty and the topic, and some more
    page = sizes["Topic"] + (step.limit - 1) * sizes["Reply"]
    assert page % 4096 > 4096 - sizes["Reply"]  # nothing more fits into what it is charged for
    seen = [step.limit * pages - 1 for pages in range(1, 9)]
    fewer = [sum(comb(n, k) * 0.2**k * 0.8 ** (n - k) for k in range(10)) for n in seen]
    assert operation.requests == pytest.approx(1 + sum(fewer), abs=0.006)
    further = read_units(step.limit * sizes["Reply"])
    taken = float(read_units(page)) + (operation.requests - 1) * float(further)
    assert operation.read_units == pytest.approx(taken, rel=0.02)
    assert step.expects.returned == 11
    assert prove(forum(), made).passed


def test_at_the_worst_the_largest_collection_is_read_page_by_page():
    operation, step = shared_query(outlined(forum(), "single"))
    pages = -(-2001 // step.limit)
    assert operation.worst.requests == pages > 10
    assert operation.worst.read == 2001
    assert operation.worst.units >= 2000 * 300 / 4096 / 2


def test_what_is_kept_of_children_is_assumed_in_one_table_as_in_tables():
    """A range of which nobody says what it keeps, and values of which nobody says how common they are."""
    for test, found in (
        ("{attribute: score, after: {value: 500}}", ("share", "patterns.1", "score")),
        (GOOD, ("value", "entities.Reply.attributes.flag", "Reply.flag")),
    ):
        design = forum(test, (", shares: [0.2, 0.8]", ""))
        single, multi = plan(design, "single"), plan(design, "multi")
        operation, _ = shared_query(single)
        for made in (single, multi):
            listed = {(one.what, one.where, one.of): one for one in made.assumed}
            assert found in listed, made.style
            (use,) = (one for one in listed[found].used if one.pattern == 1)
            assert use.low.units > 4 * use.high.units
            assert use.low.requests >= use.high.requests >= 1
        (use,) = (
            one
            for of in single.assumed
            if (of.what, of.where, of.of) == found
            for one in of.used
            if one.pattern == 1
        )
        assert use.high.units <= operation.read_units <= use.low.units


def test_how_many_children_there_are_is_assumed_in_one_table_as_in_tables():
    unknown = (", average: 300, most: 2000", ""), ("    items: 15000000\n", "")
    design = forum(GOOD, *unknown, (", order: [replyId descending], limit: 10", ""))
    for style in ("single", "multi"):
        made = plan(design, style)
        (listed,) = (one for one in made.assumed if one.what == "children")
        assert [use.pattern for use in listed.used] == [1]
        assert listed.used[0].high.units > listed.used[0].low.units


LARGE = ("most: 2000", "most: 200000")


@pytest.mark.parametrize("style", ["single", "multi"])
def test_the_remedy_for_children_that_are_tested_removes_the_finding(style):
    made = plan(forum(GOOD, LARGE), style)
    (finding,) = (one for one in made.findings if one.rule == "served-on-average")
    assert [one.id for one in finding.problem.values["facts"]] == ["takes-much-at-worst"]
    (remedy,) = finding.solution.values["remedies"][:1]
    assert (remedy.id, remedy.values["entity"]) == ("list-related", "Reply")
    assert "the finding will then say how to pin it" in finding.remedy
    alone = (
        "    with: [{relationship: answers, keep: [TEST], order: [replyId descending], limit: 10}]\n",
        "",
    )
    text = FORUM.replace(*alone).replace(*LARGE) + LISTED
    listed = load(text, name="forum")
    after = plan(listed, style)
    (finding,) = (one for one in after.findings if one.rule == "served-on-average")
    offered = TOPICS["served-on-average"]().fixes(listed, {style: after}, finding.where)
    (fixed,) = (fix.edit(listed) for fix in offered)
    after = plan(fixed, style)
    assert [one.rule for one in after.findings if one.rule not in ("P102", "pin-costs")] == []
    assert all(one.answer == "in one request" for one in after.operations)


def test_no_limit_is_advised_where_one_is_stated():
    """The children are tested and cut: it is not that too many of them are returned."""
    ids = {
        remedy.id
        for style in ("single", "multi")
        for finding in plan(forum(GOOD, LARGE), style).findings
        for remedy in finding.solution.values.get("remedies", ())
    }
    assert ids == {"list-related"}


@pytest.mark.parametrize("style", ["single", "multi"])
def test_the_remedy_for_children_that_all_come_removes_the_finding(style):
    whole = (f", keep: [{GOOD}], order: [replyId descending], limit: 10", "")
    design = forum(GOOD, whole, LARGE)
    (finding,) = (one for one in plan(design, style).findings if one.rule == "served-on-average")
    remedies = {one.id: one for one in finding.solution.values["remedies"]}
    assert remedies["limit-related"].values["relationship"] == "answers"
    assert "limit-rows" not in remedies
    cut = (f", keep: [{GOOD}], order", ", order")
    assert plan(forum(GOOD, cut, LARGE), style).findings == ()


def test_one_query_drops_no_more_than_one_for_the_children_alone_might():
    """Rule 3: of a large collection it keeps a tenth at least, so what keeps less is not read together either."""
    rare = (
        ("shares: [0.2, 0.8]", "shares: [0.02, 0.98]"),
        (", order: [replyId descending], limit: 10", ""),
        SELDOM,
    )
    apart = outlined(forum(GOOD, *rare), "multi").operations_for(1)[0]
    together = outlined(forum(GOOD, *rare), "single").operations_for(1)[0]
    assert apart.answer == together.answer
    assert not any(len(step.shapes) > 1 for step in together.steps)
    often = (rare[1], SELDOM)
    shared_query(outlined(forum(GOOD, *often), "single"))  # a fifth of them is not too little


def test_a_page_that_others_fill_at_the_worst_is_followed_by_more():
    """A page has room for as many notes as there are on average; who has many takes several pages before any reply."""
    notes = """  - name: Note
    identifier: [topicId, noteId]
    items: 250000
    attributes:
      - {name: topicId, refers_to: Topic.topicId}
      - {name: noteId, format: ulid}
      - {name: text, bytes: 200}
relationships:
  - {name: notes, one: Topic, many: Note, by: topicId, identifying: true, average: 5, most: 3000}
"""
    design = forum(
        GOOD,
        ("relationships:\n", notes),
        (f"keep: [{GOOD}], ", ""),
        ("limit: 10}]", "limit: 10}, {relationship: notes}]"),
    )
    (operation,) = outlined(design, "single").operations_for(1)
    (step,) = operation.steps
    assert step.limit == 16  # ten replies, five notes and the topic
    assert operation.requests == 1
    assert operation.worst.requests == -(-3011 // 16)
    assert operation.worst.read == 16 * operation.worst.requests  # the last page is read whole


def test_pages_of_a_shared_query_count_for_the_limit_on_requests():
    rare = ("shares: [0.2, 0.8]", "shares: [0.05, 0.95]")
    limited = (
        "    rate: {average: 5}\n  - {number: 2",
        "    rate: {average: 5}\n    at_most_requests: 1\n  - {number: 2",
    )
    made = plan(forum(GOOD, rare, limited), "single")
    (operation,) = made.operations_for(1)
    assert operation.requests > 1
    assert [one.rule for one in made.findings] == ["too-many-requests"]


def test_the_busiest_parent_heats_its_partition_with_all_that_is_read_of_its_children():
    busy = (
        "{name: topicId, refers_to: Topic.topicId}",
        "{name: topicId, refers_to: Topic.topicId, busiest: 0.01}",
    )
    whole = (", order: [replyId descending], limit: 10", "")
    design = forum(GOOD, busy, whole, SELDOM, ("most: 2000", "most: 150000"))
    _, step = shared_query(outlined(design, "single"))
    assert step.expects.busiest_units > 100 * step.expects.units
    _, step = shared_query(outlined(forum(), "single"))
    assert step.expects.busiest_units is None
