"""Items that a list names are the same, in the same order, whether one Query finds them or each is got by its key."""

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES
from designer.proof.engine import engine
from designer.proof.prove import prove_on
from tests.core.test_list_tested import ALONG, BAGS, NAMED
from tests.planned import outlined
from tests.proof.test_runner import run_design
from tests.proven import in_memory

SORTED = "order: [grams descending]\n    limit: 3"
DESIGNS = {
    "listed": BAGS,
    "named": NAMED,
    "named strongly": NAMED.replace("planner:", "    consistency: strong\nplanner:"),
    "the first of them": NAMED.replace("rate: {average: 5}", f"rate: {{average: 5}}\n    {SORTED}"),
    "some of them": NAMED.replace(
        "rate: {average: 5}",
        "rate: {average: 5}\n    keep: [{attribute: grams, from: {param: least}}]",
    ),
    "always the same": NAMED.replace("{param: sorts, count: 8}", "{value: [egg, milk, oil, rye]}"),
    "with what they are": ALONG,
}


def queries(made):
    (found,) = made.operations_for(2)
    return [step.call for step in found.steps]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize("chosen", [in_memory, engine])
def test_what_a_query_finds_of_a_list_of_identifiers_is_proven(chosen, name, style):
    design = load(DESIGNS[name])
    made = outlined(design, style)
    assert queries(made)[0] == "Query"
    verdict = prove_on(chosen(), design, made)
    assert [(p.name, p.difference) for p in verdict.patterns if p.status != "passed"] == []


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", DESIGNS)
def test_the_other_runner_finds_the_same(name, style):
    run_design(engine(), load(DESIGNS[name]), style)


@pytest.mark.parametrize("style", STYLES)
def test_the_proof_sees_a_query_that_returns_what_the_list_does_not_name(style):
    design = load(NAMED)
    made = outlined(design, style)
    (found,) = made.operations_for(2)
    steps = tuple(step.model_copy(update={"filter": ()}) for step in found.steps)
    parts = tuple(part.model_copy(update={"keep": ()}) for part in found.result.parts)
    result = found.result.model_copy(update={"parts": parts})
    wrong = found.model_copy(update={"steps": steps, "result": result})
    assert wrong != found
    operations = tuple(wrong if one is found else one for one in made.operations)
    verdict = prove_on(in_memory(), design, made.model_copy(update={"operations": operations}))
    (one,) = (one for one in verdict.patterns if one.pattern == 2)
    assert one.status == "failed"
