"""The numbers of shards are counted again for what was chosen, and the choice is made again where that may pay."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.planner.pipeline import outlined
from designer.core.planner.solve import entity_search
from designer.core.planner.solve.candidate_lists import CACHED
from designer.core.planner.solve.index_problem import Best, IndexProblem
from designer.core.planner.solve.index_selection import selected

pytestmark = pytest.mark.slow

INSTRUMENTS = Path(__file__).parent.parent / "designs" / "instruments.yaml"


@pytest.fixture
def solved(monkeypatch) -> Iterator[list[IndexProblem]]:
    """The problems that were solved, one after the other."""
    CACHED.clear()
    found: list[IndexProblem] = []

    def selecting(problem: IndexProblem) -> Best:
        found.append(problem)
        return selected(problem)

    monkeypatch.setattr(entity_search, "selected", selecting)
    yield found
    CACHED.clear()


def _planned(design: Design) -> dict[str, Any]:
    CACHED.clear()
    return outlined(design, "multi").as_json()


def test_a_choice_that_other_numbers_of_shards_make_no_cheaper_is_not_made_again(
    solved, monkeypatch
):
    design = load(INSTRUMENTS.read_text())
    found = _planned(design)
    times = len(solved)
    solved.clear()
    monkeypatch.setattr(entity_search.EntitySearch, "_stays_best", lambda *_: False)

    always = _planned(design)

    assert times < len(solved), "every choice was made again, or none"
    assert always == found


def test_a_choice_is_made_again_where_fewer_shards_save_something(solved):
    design = load(INSTRUMENTS.read_text())
    settings = design.planner.model_copy(update={"objective": "cost"})

    _planned(design.model_copy(update={"planner": settings}))

    again = [one for one, other in pairwise(solved) if one is other]
    assert again, "no number of shards was counted anew"
