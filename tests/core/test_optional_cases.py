"""Lists with several optional conditions: every case is served, though keys are made for few of them."""

from typing import Any

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load_plain
from designer.core.grid.answer import answer
from designer.core.planner import plan
from designer.core.planner.rewrites.variants import requirements_of
from designer.core.planner.solve.candidate_lists import CACHED
from designer.core.planner.solve.milp import Program
from designer.core.planner.solve.search import Search
from tests.planned import outlined

DISTINCT = {"customer": 10, "region": 20, "channel": 21, "carrier": 22}


def shipments(items: int, optional: int) -> Design:
    """Shipments of a customer, by as many further attributes as are given."""
    firm, *others = list(DISTINCT)[: optional + 1]
    where: list[dict[str, Any]] = [{"attribute": firm, "is": {"param": firm}}]
    where += [{"attribute": name, "is": {"param": name}, "optional": True} for name in others]
    return load_plain(
        {
            "keywright": 1,
            "name": "Shipments",
            "entities": [
                {
                    "name": "Shipment",
                    "identifier": ["shipmentId"],
                    "items": items,
                    "attributes": [
                        {"name": "shipmentId", "format": "uuid"},
                        *({"name": name, "distinct": many} for name, many in DISTINCT.items()),
                    ],
                }
            ],
            "patterns": [
                {
                    "number": 1,
                    "name": "List shipments",
                    "kind": "list",
                    "returns": "Shipment",
                    "where": where,
                    "rate": {"average": 1, "peak": 3},
                }
            ],
        }
    )


def cases_with_keys(design: Design) -> int:
    search = Search(requirements_of(design, "multi"), "multi")
    return sum(map(search.has_keys, search.of_entity["Shipment"]))


def test_keys_are_made_for_at_most_two_optional_conditions_where_what_is_left_is_short() -> None:
    assert cases_with_keys(shipments(1_000_000, 2)) == 4
    assert cases_with_keys(shipments(1_000_000, 3)) == 7
    # Ten times as many would be more than 64 KB, of which more than 90 % are dropped.
    assert cases_with_keys(shipments(10_000_000, 3)) == 8


@pytest.mark.parametrize("style", ["single", "multi"])
def test_three_optional_conditions_take_a_moment(style: str, monkeypatch: Any) -> None:
    solved = []
    solve = Program.solve
    monkeypatch.setattr(Program, "solve", lambda *asked: solved.append(1) or solve(*asked))
    CACHED.clear()
    made = plan(shipments(1_000_000, 3), style, reasons="findings")
    assert {one.answer for one in made.operations} == {"in one request", "in several requests"}
    assert len(made.operations) == 8
    assert len(solved) <= 100


@pytest.mark.parametrize(
    ("optional", "words"),
    [(1, "without region"), (2, "without region or channel"), (3, "with none of them")],
)
def test_the_case_without_any_names_what_is_missing_where_that_is_short(
    optional: int, words: str
) -> None:
    design = shipments(1000, optional)
    told = answer(design, outlined(design, "multi"), 1)
    assert told is not None
    assert next(case.label for case in told.cases if case.key == "none") == words
