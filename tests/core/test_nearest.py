"""A limit before a filter: the first items of an order are taken, and then tested."""

from decimal import Decimal

import pytest

from designer.core import answers
from designer.core.answers import Answered
from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.design.meaning import meaning
from designer.core.edits import change_attribute
from designer.core.errors import DesignError
from designer.core.grid.answer import request
from designer.core.lint import fixes
from designer.core.plan import STYLES, Operation, Plan
from designer.core.planner import plan
from designer.core.sentences.patterns import reads_as
from designer.core.sentences.steps import step_sentence
from designer.proof.compare import compare
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests.core.test_at_worst import RANGES
from tests.memory import Memory

BLOCKS = """
keywright: 1
name: Addresses
entities:
  - name: Block
    identifier: [net, start]
    items: 4000000
    attributes:
      - {name: net, bytes: 4, distinct: 200}
      - {name: start, type: N, format: integer, digits: 10}
      - {name: end, type: N, format: integer, digits: 10}
      - {name: country, distinct: 240}
      - {name: city, bytes: 14, present: 0.7}
patterns:
  - {number: 1, name: Load, kind: upsert, entity: Block, rate: {average: 2}}
  - number: 2
    name: The block of an address
    kind: list
    returns: Block
    where:
      - {attribute: net, is: {param: net}}
      - {attribute: start, to: {param: address}}
    order: [start descending]
    limit: 1
    then_keep:
      - {attribute: end, from: {param: address}}
    rate: {average: 300}
"""
IN_WHERE = BLOCKS.replace("    then_keep:\n", "").replace(
    "    order: [start descending]\n    limit: 1\n      - {attribute: end, from: {param: address}}\n",
    "      - {attribute: end, from: {param: address}}\n    order: [start descending]\n    limit: 1\n",
)


def changed(*changes: tuple[str, str], text: str = BLOCKS) -> str:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def asked(text: str, style: str = "multi") -> tuple[Design, Plan, Operation]:
    design = load(text)
    made = plan(design, style)
    (found,) = made.operations_for(2)
    return design, made, found


def proven(design: Design, made: Plan) -> None:
    verdict = prove_on(Engine("memory", Memory()), design, made)
    assert not verdict.problem
    assert [
        (one.pattern, one.difference) for one in verdict.patterns if one.status != "passed"
    ] == []


@pytest.mark.parametrize("style", STYLES)
def test_one_query_reads_one_item_and_a_filter_tests_it(style):
    design, made, found = asked(BLOCKS, style)
    (step,) = found.steps
    assert (step.call, step.limit, step.pages, step.until, step.forward) == (
        ("Query", 1, "one", {}, False)
    )
    assert [test.attribute for test in step.filter] == ["end"]
    assert (found.requests, found.worst, found.beyond, step.expects.read) == (1, None, (), 1)
    sent = request(made, step)
    assert (sent["Limit"], sent["ScanIndexForward"]) == (1, False)
    assert "FilterExpression" in sent
    assert not [one for one in made.findings if one.rule == "served-on-average"]
    proven(design, made)


def block(start: int, end: int) -> dict:
    return {"net": "a", "start": Decimal(start), "end": Decimal(end), "country": "x"}


HELD = (block(10, 19), block(20, 100), block(30, 39), block(60, 69))
"""With a gap from 40 to 59, where only the test of an earlier range would still hold."""


@pytest.mark.parametrize(
    ("address", "start"),
    [
        *((9, None), (10, 10), (19, 10), (20, 20), (29, 20), (30, 30), (39, 30)),
        *((40, None), (59, None), (60, 60), (69, 60), (70, None)),
    ],
)
def test_the_nearest_is_the_answer_or_nothing_is(address, start):
    """At both ends of a range, in a gap, below the first range, and above the last."""
    design = load(BLOCKS)
    asked_for = {"net": "a", "address": Decimal(address)}
    pattern = design.pattern(2)
    expected = answers.answer(design, {"Block": HELD}, pattern, asked_for)
    rows = [("Block", one) for one in HELD if one["start"] == start]
    assert compare(expected, Answered(parts={"rows": rows})) is None
    assert compare(expected, Answered(parts={"rows": [("Block", block(0, 999))]})) is not None


def test_the_same_in_where_finds_an_earlier_range():
    """What the two say is not the same where ranges overlap."""
    design = load(IN_WHERE)
    asked_for = {"net": "a", "address": Decimal(45)}
    expected = answers.answer(design, {"Block": HELD}, design.pattern(2), asked_for)
    assert expected.rows is not None
    assert [row.item["start"] for group in expected.rows.groups for row in group] == [20]


@pytest.mark.parametrize("style", STYLES)
def test_a_plan_that_tests_before_the_limit_does_not_pass_its_proof(style):
    design = load(BLOCKS)
    before = plan(load(IN_WHERE), style)
    verdict = prove_on(Engine("memory", Memory()), design, before)
    assert [one.pattern for one in verdict.patterns if one.status == "failed"] == [2]


BY_APPLICATION = {
    "more items than one page surely holds": ("limit: 1", "limit: 3"),
    "an attribute of the key": (
        "attribute: end, from: {param: address}",
        "attribute: net, not: {value: b}",
    ),
    "several Queries": ("net, is: {param: net}", "net, any_of: {param: nets}"),
}


@pytest.mark.parametrize("change", BY_APPLICATION.values(), ids=BY_APPLICATION)
def test_the_application_tests_what_no_filter_can(change):
    design, made, found = asked(changed(change))
    (part,) = found.result.parts
    assert part.then_keep
    assert part.limit == int(change[1][-1]) if change[0] == "limit: 1" else 1
    assert not any(step.filter for step in found.steps)
    proven(design, made)


def test_an_index_holds_what_is_tested():
    by_country = (
        ("{attribute: net, is: {param: net}}", "{attribute: country, is: {param: country}}"),
        ("    rate: {average: 300}", "    attributes: [city]\n    rate: {average: 300}"),
    )
    design, made, found = asked(changed(*by_country))
    (step,) = found.steps
    (index,) = made.tables[0].indexes
    assert step.index == index.name
    assert step.filter and "end" in index.projection.attributes
    proven(design, made)


def test_what_is_expected_says_how_many_pass():
    _, _, found = asked(changed(("    limit: 1", "    limit: 1\n    expects: 0.25")))
    assert (found.steps[0].expects.read, found.steps[0].expects.returned) == (1, 0.25)


REFUSED = {
    "no limit": (("    limit: 1\n", ""), "give `order` and `limit`"),
    "no order": (("    order: [start descending]\n", ""), "give `order` and `limit`"),
    "a figure": (
        ("    limit: 1\n", "    limit: 1\n    result: {sum: end}\n"),
        "does not concern a `result`",
    ),
    "another kind": (("kind: list", "kind: count"), "there is no field `then_keep`"),
    "a parameter of two types": (
        ("end, from: {param: address}", "end, from: {param: net}"),
        "is of type",
    ),
}


@pytest.mark.parametrize(("change", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_the_first_of_an_order_cannot_be_tested(change, said):
    with pytest.raises(DesignError, match=said):
        load(changed(change))


def test_it_is_said_in_words():
    design, made, found = asked(BLOCKS)
    said = "highest start first, of the first one only those whose end is at least a given number (address), "
    assert said in reads_as(design, design.pattern(2))
    assert "one page of 1 item, then filtered to items where end >= <address>" in step_sentence(
        made, found.steps[0]
    )


def test_a_renamed_attribute_is_renamed_in_it():
    design = load(BLOCKS)
    last = design.entity["Block"].by_name["end"].model_copy(update={"name": "last"})
    after = change_attribute(design, "Block", "end", last)
    assert after.pattern(2).then_keep[0].attribute == "last"


def test_it_belongs_to_the_meaning_and_its_order_does_not():
    more = "      - {attribute: city, exists: true}\n"
    own = "      - {attribute: end, from: {param: address}}\n"
    one, other = (load(changed((own, both))) for both in (own + more, more + own))
    assert meaning(one) == meaning(other) != meaning(load(BLOCKS))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("items", [900_000, 40_000])
def test_the_remedy_of_a_limit_behind_a_filter_helps(items, style):
    """Small items fill no page of 1 MB, but are asked for page after page."""
    assert "items: 900000" in RANGES
    design = load(RANGES.replace("items: 900000", f"items: {items}"))
    made = plan(design, style)
    (finding,) = (one for one in made.findings if one.rule == "served-on-average")
    assert "put the condition on end under “Then only if”" in finding.remedy
    (fix,) = (one for one in fixes(design, {style: made}, finding) if one.name == "nearest")
    mended = fix.edit(design)
    after = plan(mended, style)
    (found,) = after.operations_for(2)
    assert [one.rule for one in after.findings if one.where == finding.where] == []
    assert (found.answer, found.requests, found.worst) == ("in one request", 1, None)
    proven(mended, after)
