"""A pattern that ends at a limit, through an index in another order: read whole only where it stays small."""

import pytest

from designer.core.planner import plan
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.workload.requirements import requirements
from tests.core.test_pins import OF_USER
from tests.core.test_planner import (
    CREATE,
    GET,
    ORDER,
    design,
    indexes,
    is_,
    listing,
    operation,
)
from tests.enumerator import cheapest
from tests.messages import reasons_of

SHORT = {**ORDER, "attributes": ORDER["attributes"][:-1]}
USER = {
    "name": "User",
    "identifier": ["userId"],
    "items": 100_000,
    "attributes": [{"name": "userId", "bytes": 12}],
}


@pytest.fixture(params=["single", "multi"])
def style(request):
    return request.param


def newest_and_dearest(most, *pins):
    """The newest and the dearest orders of a user, who has ten on average and so many at the most."""
    asked = [
        listing(is_("userId"), order=["placedAt descending"], limit=20),
        listing(is_("userId"), order=["total descending"], limit=20),
        {**GET, "consistency": "strong"},
        CREATE,
    ]
    has = {"name": "has", "one": "User", "many": "Order", "by": "userId", "average": 10}
    has |= {} if most is None else {"most": most}
    return design([USER, SHORT], asked, relationships=[has], planner={"pins": pins})


@pytest.mark.parametrize(("most", "count"), [(300, 1), (3000, 2), (None, 2)])
def test_one_index_gives_both_orders_where_a_collection_stays_small(most, count, style):
    made = plan(newest_and_dearest(most), style)
    assert len(indexes(made)) == count
    assert {operation(made, number).requests for number in (1, 2)} == {1}
    assert {operation(made, n).steps[0].expects.read for n in (1, 2)} == {10}


@pytest.mark.parametrize("most", [300, 3000])
def test_no_key_there_is_costs_less(most, style):
    stated = newest_and_dearest(most)
    planner = stated.planner.model_copy(update={"items": "as-stated"})
    stated = stated.model_copy(update={"planner": planner})
    _, usd = cheapest(stated, style)
    # Which entities share an index is settled after the choice, for half a cent at the most.
    assert plan(stated, style).cost.per_month == pytest.approx(usd, abs=5e-3)


@pytest.mark.parametrize(
    ("most", "said"),
    [
        (None, {"sort-unbounded": {"entity": "Order"}}),
        (3000, {"sort-too-much": {"most": 3000, "limit": 20}}),
    ],
)
def test_the_reason_says_what_is_not_known_or_too_much(most, said, style):
    key = {"partition": "{userId}", "sort": "{placedAt}#{orderId}"}
    pins = (
        {"entity": "Order", "index": "ByUser", "key": key},
        {"pattern": 2, "index": "ByUser"},
    )
    answer = operation(plan(newest_and_dearest(most, *pins), style), 2)
    assert answer.answer == "not served"
    found = reasons_of(answer)
    assert found.pop("pinned-index-not-sorted")["order"] == ("total",)
    assert found == said
    assert operation(plan(newest_and_dearest(300, *pins), style), 2).requests == 1


def test_the_most_of_a_parents_parent_bounds_a_collection():
    project = {
        "name": "Project",
        "identifier": ["projectId"],
        "attributes": [{"name": "projectId"}],
    }
    by_both = [{"name": "projectId"}, {"name": "flagKey"}]
    flag = {"name": "Flag", "identifier": ["projectId", "flagKey"], "attributes": by_both}
    setting = {
        "name": "Setting",
        "identifier": ["projectId", "flagKey", "environment"],
        "attributes": [*by_both, {"name": "environment"}],
    }
    has = {"name": "has", "one": "Project", "many": "Flag", "by": "projectId", "most": 40}
    by = ["projectId", "flagKey"]
    told = {"name": "told", "one": "Flag", "many": "Setting", "by": by, "most": 3}
    made = design([project, flag, setting], [], relationships=[has, told])
    model = EntityModel(made, made.entity["Setting"], "multi", requirements(made))
    assert model.most_items(frozenset({"projectId"})) == 120
    assert model.most_items(frozenset({"projectId", "flagKey"})) == 3
    assert model.most_items(frozenset({"projectId", "flagKey", "environment"})) == 1
    assert model.most_items(frozenset({"environment"})) is None


def test_of_keys_that_cost_the_same_the_one_in_order_is_taken():
    """Ten orders of a user take the unit that a Query takes anyway, and the index holds `placedAt` in any case."""
    made = plan(design([ORDER], [OF_USER, CREATE, GET]), "multi")
    assert [[key.name for key in index.sort] for index in indexes(made)] == [["placedAt"]]
    assert operation(made, 1).result.parts[0].order == ()
