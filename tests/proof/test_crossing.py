"""What is crossed in the application is proven, also by the other runner, and a plan that does not cross fails."""

import pytest

from designer.core.answers import answer
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.proof.cases.reads import read_cases
from designer.proof.engine import engine
from designer.proof.prove import prove_on
from designer.proof.rows import rows
from tests.core.test_crossing import ALL_OF, PATTERN, TAGS, asked
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


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", DESIGNS)
def test_what_has_all_values_is_proven(name, style):
    design = DESIGNS[name]
    verdict = prove_on(engine(), design, plan(design, style))
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


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("wrong", ["any value does", "only this many rows are crossed"])
def test_a_plan_that_crosses_wrongly_fails(wrong, style):
    design = DESIGNS["plain"]
    made = plan(design, style)
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
