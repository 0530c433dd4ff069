"""Integer programs, solved by HiGHS (https://highs.dev): minimise a cost over choices, subject to rows.

One thread, one seed and limits in nodes, so that the same program has the same answer. What comes back are choices;
figures are worked out from them in exact arithmetic by the caller.
"""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf
from threading import local

import highspy
import numpy as np

TINY = 1e-6
"""How far from a whole number a choice may be."""

Term = tuple[int, float]
"""A column and its factor in a row."""


@dataclass(frozen=True)
class Solution:
    """What was found: a value for each column, its cost, and what no solution can be cheaper than."""

    values: tuple[float, ...]
    cost: float
    bound: float

    def takes(self, column: int) -> bool:
        """Whether a yes-or-no choice is taken."""
        return self.values[column] > 0.5


@dataclass
class Program:
    """A program in the making."""

    costs: list[float] = field(default_factory=list)
    upper: list[float] = field(default_factory=list)
    whole: list[bool] = field(default_factory=list)
    # Rows may have a million terms together; arrays are handed on as they are.
    starts: "array[int]" = field(default_factory=lambda: array("i", [0]))
    indices: "array[int]" = field(default_factory=lambda: array("i"))
    factors: "array[float]" = field(default_factory=lambda: array("d"))
    least: list[float] = field(default_factory=list)
    most: list[float] = field(default_factory=list)

    def choice(self, cost: float) -> int:
        """A column that is 0 or 1."""
        return self._column(cost, 1.0, True)

    def share(self, cost: float) -> int:
        """A column between 0 and 1 that is whole when the choices are."""
        return self._column(cost, 1.0, False)

    def amount(self, cost: float, upper: float = inf) -> int:
        """A column of at least 0."""
        return self._column(cost, upper, False)

    def count(self, cost: float, upper: float = inf) -> int:
        """A whole column of at least 0."""
        return self._column(cost, upper, True)

    def _column(self, cost: float, upper: float, whole: bool) -> int:
        self.costs.append(cost)
        self.upper.append(upper)
        self.whole.append(whole)
        return len(self.costs) - 1

    def row(self, terms: Iterable[Term], least: float = -inf, most: float = inf) -> None:
        """A sum of columns that must stay within limits."""
        for column, factor in terms:
            self.indices.append(column)
            self.factors.append(factor)
        self.starts.append(len(self.indices))
        self.least.append(least)
        self.most.append(most)

    def solve(self, nodes: int, useless: float = inf) -> Solution | None:
        """The best solution, or the best found within a number of nodes; None when there is none.

        None, too, where the least that they cost without wholeness is `useless`, or more.
        """
        if not self.costs:
            return Solution((), 0.0, 0.0)
        highs = _solver()
        highs.setOptionValue("mip_max_nodes", nodes)
        highs.passModel(self._model())
        highs.run()
        if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        info = highs.getInfo()
        if info.objective_function_value >= useless:
            return None
        values = list(highs.getSolution().col_value)
        # The program without wholeness mostly has a whole solution already.
        if all(
            abs(value - round(value)) <= TINY
            for value, whole in zip(values, self.whole, strict=True)
            if whole
        ):
            return self._solution(values, info.objective_function_value)
        relaxed = info.objective_function_value
        columns = np.flatnonzero(np.array(self.whole)).astype(np.int32)
        kinds = np.full(len(columns), int(highspy.HighsVarType.kInteger), dtype=np.uint8)
        highs.changeColsIntegrality(len(columns), columns, kinds)
        highs.run()
        info = highs.getInfo()
        if info.primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
            return None
        bound = max(relaxed, info.mip_dual_bound)
        return self._solution(list(highs.getSolution().col_value), bound)

    def _solution(self, values: list[float], bound: float) -> Solution:
        values = [
            float(round(value)) if whole else value
            for value, whole in zip(values, self.whole, strict=True)
        ]
        cost = float(np.dot(self.costs, values))
        return Solution(tuple(values), cost, min(bound, cost))

    def _model(self) -> highspy.HighsLp:
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = len(self.costs), len(self.least)
        model.col_cost_ = np.array(self.costs, dtype=np.double)
        model.col_lower_ = np.zeros(len(self.costs))
        model.col_upper_ = np.array(self.upper, dtype=np.double)
        model.row_lower_ = np.array(self.least, dtype=np.double)
        model.row_upper_ = np.array(self.most, dtype=np.double)
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = np.array(self.starts, dtype=np.int32)
        model.a_matrix_.index_ = np.array(self.indices, dtype=np.int32)
        model.a_matrix_.value_ = np.array(self.factors, dtype=np.double)
        return model


_solvers = local()


def _solver() -> highspy.Highs:
    """This thread's solver, set to give the same answer every time."""
    if not hasattr(_solvers, "highs"):
        highs = highspy.Highs()  # type: ignore[no-untyped-call]
        options: dict[str, bool | int | float | str] = {
            "output_flag": False,
            "threads": 1,
            "parallel": "off",
            "random_seed": 0,
            "mip_rel_gap": 0.0,
            "mip_abs_gap": 1e-9,
            "mip_root_presolve_only": True,  # else hard programs take three times as long
            # Searches that cost more than they find in programs as small as ours.
            "mip_heuristic_run_feasibility_jump": False,
            "mip_heuristic_run_rins": False,
            "mip_heuristic_run_rens": False,
            "mip_heuristic_run_root_reduced_cost": False,
        }
        for option, value in options.items():
            highs.setOptionValue(option, value)
        _solvers.highs = highs
    solver: highspy.Highs = _solvers.highs
    solver.clearModel()
    return solver
