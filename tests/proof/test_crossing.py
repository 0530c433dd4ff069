"""What is crossed in the application is proven, also by the other runner, and a plan that does not cross fails."""

import pytest

from designer.core.answers import answer
from designer.core.design.load import load
from designer.core.plan import STYLES
from designer.proof.cases.reads import read_cases
from designer.proof.engine import engine
from designer.proof.prove import prove, prove_on
from designer.proof.rows import rows
from tests.core.test_crossing import ALL_OF, PATTERN, TAGS, asked
from tests.planned import outlined
from tests.proof.test_runner import run_design

ASKED = f"{{attribute: tag, {ALL_OF}}}"
SINCE = "{attribute: since, from: {param: since}, optional: true}"
DAYS = "{attribute: since, any_of: {param: days, count: 2}}"
MAKER = "{attribute: bears.maker, is: {param: maker}}"
OWN = TAGS.replace("[productId, tag]", "[taggingId]").replace(
    "- {name: since,", "- {name: taggingId, format: uuid}\n      - {name: since,"
)
NUMBERS = TAGS.replace("{name: tag, bytes: 12,", "{name: tag, type: N, format: integer, digits: 4,")
WITH = "    with: [{relationship: bears, attributes: [title]}]\n"
DESIGNS = {
    "plain": asked(),
    "tagged twice": asked(ASKED, f"{ASKED}, {SINCE}", text=OWN),
    "always the same": asked(ALL_OF, "all_of: {value: [new, cheap]}"),
    "days in common": asked(f"{PATTERN}{WITH}", "attributes: [productId, since]\n", text=NUMBERS),
    "of some days": asked(ASKED, f"{ASKED}, {DAYS}"),
    "tested": asked(ASKED, f"{ASKED}, {MAKER}", text=TAGS.replace("    limit: 20\n", "")),
}


RARE = "items: 400000", "items: 20000"
BUSY = (
    "{name: tag, bytes: 12, distinct: 2000}",
    "{name: tag, bytes: 12, distinct: 2000, busiest: 0.3}",
)
OFTEN = (
    "entity: Tagging, rate: {average: 1}",
    "entity: Tagging, rate: {average: 20, peak: 6000}",
)


def sharded(text):
    """Taggings of one tag are written more often than a partition takes."""
    for old, new in (("items: 100000", "items: 5000"), RARE, BUSY, OFTEN):
        assert old in text
        text = text.replace(old, new, 1)
    return load(text)


def shards_of(made):
    return made.operations_for(1)[0].steps[0].for_each.numbers


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", DESIGNS)
def test_what_has_all_values_is_proven(name, style):
    design = DESIGNS[name]
    verdict = prove_on(engine(), design, outlined(design, style))
    assert [(p.name, p.difference) for p in verdict.patterns if p.status != "passed"] == []


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", DESIGNS)
def test_the_other_runner_crosses_alike(name, style):
    run_design(engine(), DESIGNS[name], style)


def found(design):
    """For each list of the proof: its different values, the products with all of them, and with any."""
    state = rows(design)
    return [
        (
            len(set(case["tags"])),
            answer(design, state, design.pattern(1), case).rows.count,
            len({one["productId"] for one in state["Tagging"] if one["tag"] in case["tags"]}),
        )
        for case in read_cases(design, state, design.pattern(1))
    ]


@pytest.mark.parametrize("name", ["plain", "tagged twice"])
def test_the_proof_asks_for_what_some_have_together_and_others_have_in_part(name):
    cases = found(DESIGNS[name])
    assert any(values > 2 and count for values, count, _ in cases)
    assert any(values == 1 and count for values, count, _ in cases)
    assert any(values > 1 and 0 < count < some for values, count, some in cases)
    assert any(values > 1 and not count and some for values, count, some in cases)


def test_the_taggings_of_one_product_lie_in_several_shards():
    """By their own identifier, so that nothing can be crossed within one shard."""
    (_, shape) = (one for table in outlined(sharded(OWN), "multi").tables for one in table.items)
    assert any("shard(3, taggingId)" in template for template in shape.set.values())


@pytest.mark.parametrize("style", ["multi"])
def test_what_is_crossed_over_shards_is_proven_and_the_other_runner_crosses_alike(style):
    design = sharded(OWN)
    made = outlined(design, style)
    assert shards_of(made) == 3
    verdict = prove_on(engine(), design, made)
    assert [(p.name, p.difference) for p in verdict.patterns if p.status != "passed"] == []
    run_design(engine(), design, style)


@pytest.mark.engine_local
@pytest.mark.parametrize("style", ["single"])
def test_what_is_crossed_over_shards_is_right_on_dynamodb_local(style, dynamodb_local):
    design = sharded(OWN)
    made = outlined(design, style)
    assert shards_of(made) == 3
    assert prove(design, made, dynamodb_local).passed
    run_design(engine(dynamodb_local), design, style)


def test_crossing_without_one_of_the_shards_fails():
    design = sharded(OWN)
    made = outlined(design, "multi")
    (operation,) = made.operations_for(1)
    query = operation.steps[0]
    fewer = query.for_each.model_copy(update={"numbers": 2})
    steps = (query.model_copy(update={"for_each": fewer}), *operation.steps[1:])
    spoilt = operation.model_copy(update={"steps": steps})
    operations = tuple(spoilt if one is operation else one for one in made.operations)
    verdict = prove_on(engine(), design, made.model_copy(update={"operations": operations}))
    assert [p.pattern for p in verdict.patterns if p.status == "failed"] == [1]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("wrong", ["any value does", "only this many rows are crossed"])
def test_a_plan_that_crosses_wrongly_fails(wrong, style):
    design = DESIGNS["plain"]
    made = outlined(design, style)
    operation = made.operations_for(1)[0]
    if wrong == "any value does":
        crossing = operation.result.parts[0].crossed.model_copy(update={"values": "nothing"})
        part = operation.result.parts[0].model_copy(update={"crossed": crossing})
        result = operation.result.model_copy(update={"parts": (part, *operation.result.parts[1:])})
        spoilt = operation.model_copy(update={"result": result})
    else:
        query = operation.steps[0].model_copy(update={"pages": "one", "limit": 1})
        spoilt = operation.model_copy(update={"steps": (query, *operation.steps[1:])})
    operations = tuple(spoilt if one is operation else one for one in made.operations)
    verdict = prove_on(engine(), design, made.model_copy(update={"operations": operations}))
    (first,) = [one for one in verdict.patterns if one.pattern == 1]
    assert first.status == "failed"
