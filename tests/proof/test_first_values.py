"""A greatest and a least value are right where a key has them first, and a sum is of all items."""

import pytest

from designer.core.plan import STYLES
from designer.proof.engine import engine
from designer.proof.prove import prove, prove_on
from tests.core.test_first_values import ALL, USER, bets
from tests.planned import outlined
from tests.proof.test_runner import run_design
from tests.proven import in_memory

DESIGNS = {
    "of one kind": bets(*ALL),
    "of several": bets(f"{USER}, result: {{greatest: madeAt}}", returns="[Bet, Payment]"),
}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", DESIGNS)
def test_first_values_are_proven(name, style):
    design = DESIGNS[name]
    verdict = prove_on(in_memory(), design, outlined(design, style))
    assert [(p.name, p.difference) for p in verdict.patterns if p.status != "passed"] == []


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", DESIGNS)
def test_a_stranger_finds_first_values(name, style):
    run_design(in_memory(), DESIGNS[name], style)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("wrong", [{"forward": True}, {"limit": 1, "pages": "one", "filter": ()}])
def test_another_item_than_the_first_is_wrong(style, wrong):
    design = bets(ALL[0], ALL[1])
    made = outlined(design, style)
    at = 3 if "forward" in wrong else 4
    spoilt = tuple(
        one.model_copy(update={"steps": tuple(s.model_copy(update=wrong) for s in one.steps)})
        if one.pattern == at
        else one
        for one in made.operations
    )
    verdict = prove_on(in_memory(), design, made.model_copy(update={"operations": spoilt}))
    assert [one.pattern for one in verdict.patterns if one.status == "failed"] == [at]


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", DESIGNS)
def test_first_values_are_right_on_dynamodb_local(name, style, dynamodb_local):
    design = DESIGNS[name]
    run_design(engine(dynamodb_local), design, style)
    assert prove(design, outlined(design, style), dynamodb_local).passed
