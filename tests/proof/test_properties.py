"""What holds of any design's plan: said of designs made up at random, the same ones every time."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

from designer.core.design.check import check
from designer.core.design.settings import PlannerSettings
from designer.core.design.write import dump
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.core.planner.pipeline import outlined
from designer.core.planner.rewrites.variants import requirements_of
from designer.core.planner.solve.choice import choose
from designer.proof.engine import engine
from designer.proof.prove import prove_on
from tests.designs_generated import crossed, generated

ROOT = Path(__file__).resolve().parents[2]

designs = st.randoms(use_true_random=False).map(generated)
crossing = st.randoms(use_true_random=False).map(crossed)
SHARDS = 200
"""Of more, an engine takes minutes for each pattern; such designs are proven in memory, where a request is quick."""


def is_quickly_asked(design):
    """Whether no pattern is asked of very many shards, in either style."""
    repeats = (
        step.for_each
        for style in STYLES
        for operation in outlined(design, style).operations
        for step in operation.steps
    )
    return all(one is None or (one.numbers or 0) <= SHARDS for one in repeats)


def crosses(design):
    """Whether some list is of what items have in common."""
    return any(one.is_read and one.crossing is not None for one in design.patterns)


asked = designs.filter(is_quickly_asked)
few = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=2,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate),  # a smaller failing design is not worth its minutes
)
many = settings(few, max_examples=3)


@settings(many, max_examples=60)
@given(designs)
def test_made_up_designs_are_valid(design):
    assert check(design) == ()


@settings(many, max_examples=25)
@given(crossing)
def test_made_up_designs_that_cross_are_valid(design):
    assert check(design) == ()


@pytest.mark.slow
@settings(few, max_examples=2)
@given(crossing.filter(lambda design: crosses(design) and is_quickly_asked(design)))
def test_every_operation_crosses_as_the_design_says(design):
    """Reads of all kinds are proven below; here are those that cross, after each write of the design."""
    kept = tuple(one for one in design.patterns if not one.is_read or one.crossing is not None)
    proven(engine(), design.model_copy(update={"patterns": kept}))


@few
@given(asked)
def test_every_operation_does_what_the_design_says(design):
    """No two items collide, reads are exact and in order, writes leave everything as it must be."""
    proven(engine(), design)


@few
@given(asked)
def test_every_operation_does_so_with_several_attributes_in_index_keys(design):
    own = design.planner.model_copy(update={"composite_index_keys": "multi-attribute"})
    proven(engine(), design.model_copy(update={"planner": own}))


@pytest.mark.engine_local
@pytest.mark.slow
def test_every_operation_does_what_the_design_says_on_dynamodb_local(dynamodb_local):
    chosen = engine(dynamodb_local)

    @many
    @given(asked)
    def on_dynamodb_local(design):
        # It knows no index keys of several attributes; the test above proves these on moto.
        usual = PlannerSettings().composite_index_keys
        own = design.planner.model_copy(update={"composite_index_keys": usual})
        proven(chosen, design.model_copy(update={"planner": own}))

    on_dynamodb_local()


def proven(chosen, design):
    note(dump(design, "yaml"))
    for style in STYLES:
        verdict = prove_on(chosen, design, outlined(design, style))
        assert verdict.problem == ""
        wrong = [
            (one.name, one.difference, one.parameters)
            for one in verdict.patterns
            if one.status not in ("passed", "not served")
        ]
        assert wrong == [], style


@settings(many, max_examples=6)
@given(designs)
def test_the_same_design_gets_the_same_plan(design):
    again = type(design).model_validate_json(design.model_dump_json(by_alias=True))
    for style in STYLES:
        assert written(plan(design, style)) == written(plan(again, style))


@pytest.mark.parametrize("style", STYLES)
def test_a_pinned_plan_is_never_better_than_the_free_one(style):
    """By what choices are compared by: what is not served, what breaks a limit, requests, money.

    Pinned texts can be shorter than ours, which is worth less than a hundredth. A table that is pinned together is
    another style, and nothing to compare.
    """
    compared = 0
    for seed in range(80):
        pinned = generated(Random(seed))
        pins = tuple(pin for pin in pinned.planner.pins if not pin.table)
        if pins:
            free, bound = score_of(pinned, (), style), score_of(pinned, pins, style)
            worse = (bound.unserved, bound.violated + bound.hot, bound.unrated_reads)
            before = (free.unserved, free.violated + free.hot, free.unrated_reads)
            assert before <= worse, f"design {seed}"
            assert before < worse or free.price * 99 / 100 <= bound.price, f"design {seed}"
            compared += 1
    assert compared > 10


def score_of(design, pins, style):
    kept = {"objective": "cost", "items": "as-stated", "pins": pins}
    planner = design.planner.model_copy(update=kept)
    made = design.model_copy(update={"planner": planner})
    _, choice = choose(requirements_of(made, style), style)
    return choice.score


@settings(many, max_examples=6)
@given(designs)
def test_the_outline_of_a_plan_has_its_tables_and_operations(design):
    for style in STYLES:
        whole, outline = plan(design, style), outlined(design, style)
        assert (whole.tables, whole.operations) == (outline.tables, outline.operations)


def test_another_process_makes_the_same_plans_byte_for_byte():
    """Nothing hangs on the order of sets, which differs from process to process."""
    digests = {
        subprocess.run(
            [sys.executable, "-m", "tests.proof.test_properties"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def written(made):
    return json.dumps(made.as_json())


if __name__ == "__main__":
    whole = "".join(
        written(plan(generated(Random(seed)), style)) for seed in range(6) for style in STYLES
    )
    sys.stdout.write(hashlib.sha256(whole.encode()).hexdigest())
