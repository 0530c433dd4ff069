"""A design of single patterns that the gallery does not ask, proven in both styles."""

from pathlib import Path

import pytest

from designer.core.design.load import load
from designer.proof.prove import prove
from tests.planned import outlined

HARD = Path(__file__).parent.parent / "designs" / "hard.yaml"


@pytest.mark.parametrize("style", ["single", "multi"])
def test_every_hard_case_is_proven(style, moto_server):
    design = load(HARD.read_text())
    verdict = prove(design, outlined(design, style), endpoint=moto_server)
    assert [one for one in verdict.patterns if one.status not in ("passed", "elsewhere")] == []
    assert verdict.passed


@pytest.mark.engine_local
@pytest.mark.parametrize("style", ["single", "multi"])
def test_every_hard_case_is_proven_on_dynamodb_local(style, dynamodb_local):
    design = load(HARD.read_text())
    verdict = prove(design, outlined(design, style), endpoint=dynamodb_local)
    assert [one for one in verdict.patterns if one.status not in ("passed", "elsewhere")] == []
    assert verdict.passed
