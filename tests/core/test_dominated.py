"""An index that another beats whatever else is chosen is left out of the program."""

from fractions import Fraction

import pytest

from designer.core.planner.model.score import Score
from designer.core.planner.model.structures import Access, Structure
from designer.core.planner.solve.dominated import Beside, Place, Ways, dominated

A: Place = (Structure("Task", "index", ("owner",), ()), frozenset())
B: Place = (Structure("Task", "index", ("status",), ()), frozenset())


def beside(own: float = 1.0, **other: object) -> Beside:
    figures = {"once": {}, "key_bytes": 10.0, "hottest": 0.1, "reasons": None} | other
    return Beside(own, **figures)  # type: ignore[arg-type]


def read(**usd: float) -> Ways:
    """A read through A or B at a price in US dollars a month."""
    places = {"a": A, "b": B}
    return {
        places[name]: (Access(places[name][0], "query"), Score(usd=Fraction(price)))
        for name, price in usd.items()
    }


def weigh(score: Score) -> float:
    return float(score.usd)


def beaten(reads: list[Ways], a: Beside, b: Beside) -> set[Place]:
    return dominated(reads, weigh, {A: a, B: b})


def test_an_index_that_is_dearer_for_the_same_reads_is_beaten() -> None:
    assert beaten([read(a=1, b=1), read(a=2, b=3)], beside(), beside()) == {B}
    assert beaten([read(a=1, b=1)], beside(2), beside(1)) == {A}


def test_of_equals_the_first_stays() -> None:
    assert beaten([read(a=1, b=1)], beside(), beside()) == {B}


def test_an_index_that_alone_answers_a_read_stays() -> None:
    assert beaten([read(a=1, b=1), read(b=1)], beside(1), beside(2)) == set()
    assert beaten([read(a=1, b=1), read(a=1)], beside(1), beside(2)) == {B}


@pytest.mark.parametrize(
    "better",
    [
        {"key_bytes": 9.0},
        {"once": {}},
        {"hottest": 0.05},
    ],
    ids=["shorter keys", "no read before a write", "cooler"],
)
def test_an_index_that_is_better_in_something_stays(better: dict[str, object]) -> None:
    a = beside(1, once={"read": 0.5})
    b = beside(1, **{"once": {"read": 0.5}, **better})
    assert beaten([read(a=1, b=2)], a, b) == set()


def test_heat_decides_only_between_indexes_that_cost_the_same() -> None:
    assert beaten([read(a=1, b=1)], beside(1, hottest=0.9), beside(2, hottest=0.1)) == {B}
    assert beaten([read(a=1, b=1)], beside(1, hottest=0.9), beside(1, hottest=0.1)) == {A}


def test_an_index_of_all_attributes_beats_none_of_fewer_as_other_keys_make_it_longer() -> None:
    whole: Place = (A[0], None)
    ways: Ways = {
        whole: (Access(A[0], "query", projection=None), Score(usd=Fraction(1))),
        B: (Access(B[0], "query"), Score(usd=Fraction(2))),
    }
    assert dominated([ways], weigh, {whole: beside(1), B: beside(2)}) == set()


def test_an_index_for_which_there_is_another_reason_stays() -> None:
    reads = [read(a=1, b=1), read(a=1, b=1)]
    first, second = frozenset({0}), frozenset({1})
    assert beaten(reads, beside(1, reasons=first), beside(2, reasons=second)) == set()
    assert beaten(reads, beside(1, reasons=first | second), beside(2, reasons=second)) == {B}
    assert beaten(reads, beside(1, reasons=None), beside(2, reasons=second)) == {B}
