"""The program of one entity is solved again only as long as something comes of it."""

from collections import Counter

import pytest

from designer.core.planner.pipeline import outlined
from designer.core.planner.solve.candidate_lists import CACHED
from designer.core.planner.solve.index_program import IndexProgram
from tests.bench.workloads import workload


def test_reads_that_get_dearer_with_each_byte_of_keys_take_few_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where a read grows byte by byte there is a step anywhere: one at its very end was added again and again."""
    added: Counter[int] = Counter()
    programs = []
    add_steps = IndexProgram.add_steps

    def counted(program: IndexProgram, *args: object) -> bool:
        programs.append(program)  # so that no other has its identity
        added[id(program)] += 1
        return add_steps(program, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(IndexProgram, "add_steps", counted)
    CACHED.clear()
    outlined(workload(3, 15), "single")

    assert added
    assert max(added.values()) <= 4
