"""Designs that differ in their figures only, and whether that changes their plans."""

from collections.abc import Callable
from typing import Any

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load_plain, plain
from designer.core.difference import figures_changed, same_plans
from designer.core.evaluation.evaluate import plans_of
from tests.core.orders import ORDERS

Edit = Callable[[dict[str, Any]], None]


def changed(edit: Edit) -> Design:
    document = plain(ORDERS)
    edit(document)
    return load_plain(document, "orders")


def put(place: str, value: Any) -> Edit:
    """Set what stands at a place such as `entities.1.items`."""

    def edit(document: dict[str, Any]) -> None:
        *way, last = [int(each) if each.isdigit() else each for each in place.split(".")]
        part: Any = document
        for each in way:
            part = part[each]
        part[last] = value

    return edit


@pytest.mark.parametrize(
    ("place", "value", "change"),
    [
        ("entities.1.items", 5500, 0.1),
        ("entities.1.items", 4000, 0.2),
        ("patterns.0.rate", {"average": 126, "peak": 400}, 0.05),
        ("patterns.0.rate.peak", 800, 1.0),
        ("patterns.0.keep.0.share", 0.6, 0.2),
        ("relationships.0.average", 5.5, 0.1),
        ("entities.0.attributes.3.present", 0.02, 1.0),
        ("entities.1.attributes.3.shares", [0.1, 0.3, 0.6], 0.5),
        ("description", "Other words", 0.0),
    ],
)
def test_figures_alone_are_measured(place: str, value: Any, change: float) -> None:
    assert figures_changed(ORDERS, changed(put(place, value))) == pytest.approx(change)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("patterns.0.limit", 21),
        ("patterns.0.order", ["placedAt ascending"]),
        ("patterns.0.name", "Other"),
        ("patterns.1.rate", {"average": 1}),
        ("entities.1.attributes.4.digits", 9),
        ("entities.1.attributes.3.values", ["PENDING", "PAID", "GONE"]),
        ("region", "eu-west-1"),
        ("patterns", []),
        ("entities.0.items", 0),
    ],
)
def test_whatever_else_differs_is_no_change_of_figures(place: str, value: Any) -> None:
    after = changed(put(place, value))
    assert figures_changed(after, ORDERS) is None


def test_a_figure_may_change_the_plan_or_leave_it() -> None:
    """A single hot status becomes sharded; a few per cent more orders leave every key as it is."""
    little = changed(put("entities.1.items", 5100))
    assert same_plans(ORDERS, plans_of(ORDERS), little, plans_of(little))

    def flooded(document: dict[str, Any]) -> None:
        document["patterns"][3]["rate"] = {"average": 5000, "peak": 20_000}
        document["patterns"][1]["rate"] = {"average": 1, "peak": 2}

    def calm(document: dict[str, Any]) -> None:
        document["patterns"][3]["rate"] = {"average": 1, "peak": 2}
        document["patterns"][1]["rate"] = {"average": 1, "peak": 2}

    before, after = changed(calm), changed(flooded)
    assert figures_changed(before, after) is not None
    assert not same_plans(before, plans_of(before), after, plans_of(after))
