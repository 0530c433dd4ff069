"""What is remembered: an edit plans its part again, and the plan is as it would be from nothing."""

import pytest

from designer.core.design import gallery
from designer.core.design.settings import PlannerSettings
from designer.core.planner import plan
from designer.core.planner.solve import entity_search
from designer.core.planner.solve.candidate_lists import CACHED
from designer.core.planner.solve.search import Search
from tests.bench.workloads import workload

pytestmark = pytest.mark.slow


@pytest.fixture
def solved(monkeypatch):
    """The entities for which a program is solved."""
    names, selected = set(), entity_search.selected

    def counted(problem):
        names.add(problem.model.name)
        return selected(problem)

    monkeypatch.setattr(entity_search, "selected", counted)
    return names


def with_another_rate(design, number):
    changed = tuple(
        pattern.model_copy(
            update={
                "rate": pattern.rate.model_copy(update={"average": pattern.rate.average + 0.25})
            }
        )
        if pattern.number == number
        else pattern
        for pattern in design.patterns
    )
    return design.model_copy(update={"patterns": changed})


def test_what_is_asked_for_together_is_listed_again_only_where_it_changed(monkeypatch):
    """In one table the shop's orders lie with their items, addresses and users, which an edit of a list leaves."""
    listed, fresh = set(), Search._fresh_options

    def counted(search, model, base, rated):
        listed.add(model.name)
        return fresh(search, model, base, rated)

    monkeypatch.setattr(Search, "_fresh_options", counted)
    shop = gallery.load("shop")
    CACHED.clear()
    plan(shop, "single", reasons="findings")
    assert {"Order", "OrderItem", "Address", "User"} <= listed
    listed.clear()
    edited = with_another_rate(shop, 2)
    remembered = plan(edited, "single", reasons="findings")
    assert listed == {"Order"}
    CACHED.clear()
    assert plan(edited, "single", reasons="findings").model_dump_json() == (
        remembered.model_dump_json()
    )


@pytest.mark.parametrize(
    ("style", "concerned"), [("multi", {"Entity7"}), ("single", {"Entity6", "Entity7", "Entity8"})]
)
def test_an_edit_plans_only_what_it_concerns_again(style, concerned, solved):
    design = workload(10, 30)
    plan(design, style)
    solved.clear()
    edited = with_another_rate(design, 8)
    remembered = plan(edited, style)
    assert "Entity7" in solved
    assert solved <= concerned
    CACHED.clear()
    assert plan(edited, style).model_dump_json() == remembered.model_dump_json()
    assert solved > concerned


@pytest.mark.parametrize(
    "setting",
    [
        {"key_names": {"single": "natural"}},
        {"composite_index_keys": "multi-attribute"},
        {"point_reads": "by-price"},
        {"worth": 20.0},
    ],
    ids=lambda setting: next(iter(setting)),
)
def test_a_setting_gives_the_plan_that_it_gives_from_nothing(setting):
    stated = gallery.load("video-views")
    settings = PlannerSettings.model_validate(stated.planner.model_dump() | setting)
    changed = stated.model_copy(update={"planner": settings})
    CACHED.clear()
    plan(stated, "single", reasons="findings")
    remembered = plan(changed, "single", reasons="findings")
    CACHED.clear()
    assert plan(changed, "single", reasons="findings").model_dump_json() == (
        remembered.model_dump_json()
    )
