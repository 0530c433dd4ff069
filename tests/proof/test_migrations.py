"""Migrations carried out as they say, while the application goes on: no pattern is ever answered wrongly."""

from random import Random

import pytest

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.design.write import plain
from designer.core.edits import change_settings
from designer.core.migration import Deployed
from designer.core.plan import STYLES
from tests.core.test_migration import PAID, orders
from tests.designs_changed import changed
from tests.migrated import Carried
from tests.planned import outlined


def carried_out(before, style, after, later, renames=None):
    """A migration whose every step was taken, and whose every pattern was asked after each."""
    carried = Carried(
        Deployed(before, outlined(before, style)), Deployed(after, outlined(after, later)), renames
    )
    carried.run()
    carried.ended()
    return carried


def without(design, *numbers):
    kept = tuple(pattern for pattern in design.patterns if pattern.number not in numbers)
    return design.model_copy(update={"patterns": kept})


def at_the_lowest_cost(design):
    """The design planned for the lowest cost, which changes more structures with a pattern than the simplest plan."""
    planner = design.planner.model_copy(update={"objective": "cost"})
    return design.model_copy(update={"planner": planner})


@pytest.mark.parametrize(
    ("slug", "number", "kind"),
    [
        ("order-states", 1, "copy-items"),
        ("order-states", 2, "create-index"),
        ("accounts", 2, "create-index"),
        ("user-preferences", 4, "backfill-attributes"),
        ("running-totals", 3, "create-index"),
    ],
)
def test_a_pattern_comes_and_goes(slug, number, kind):
    design = at_the_lowest_cost(gallery.load(slug))
    come = carried_out(without(design, number), "single", design, "single")
    assert kind in {placed.step.kind for placed in come.migration.steps}
    carried_out(design, "single", without(design, number), "single")


@pytest.mark.parametrize("slug", ["accounts", "running-totals"])
def test_a_table_for_all_becomes_one_for_each_and_back(slug):
    design = gallery.load(slug)
    for style, later in (("single", "multi"), ("multi", "single")):
        carried = carried_out(design, style, design, later)
        assert {placed.step.kind for placed in carried.migration.steps} >= {
            "create-tables",
            "copy-items",
            "drop-tables",
        }
        # Some copies came after a newer write of the application, which was not lost by them.
        assert carried.overtaken > 0


@pytest.mark.parametrize("slug", ["discussion", "running-totals"])
@pytest.mark.parametrize(("style", "later"), [("single", "multi"), ("multi", "multi")])
def test_every_table_moves_to_another_region(slug, style, later):
    before = gallery.load(slug)
    after = change_settings(before, region="eu-central-1", table_prefix="eu-")
    carried = carried_out(before, style, after, later)
    assert set(carried.client.tables) == {t.name for t in outlined(after, later).tables}
    assert carried.overtaken > 0


CREATE = {
    "number": 5,
    "name": "Place an order",
    "kind": "create",
    "entity": "Order",
    "rate": {"average": 1, "peak": 4},
}


def test_duplicates_go_before_a_value_is_kept_unique():
    code = {"name": "code", "bytes": 8, "distinct": 3}
    before = orders(CREATE, attributes=[code])
    after = orders(CREATE, attributes=[{**code, "distinct": None, "unique": True}])
    for style in STYLES:
        carried = carried_out(before, style, after, style)
        assert carried.settled > 0


def test_duplicates_go_before_a_value_is_kept_unique_within_a_scope():
    code = {"name": "code", "values": ["A", "B", "C"]}
    scoped = {**code, "unique_within": ["status"]}
    before, after = orders(CREATE, attributes=[code]), orders(CREATE, attributes=[scoped])
    for style in STYLES:
        carried = carried_out(before, style, after, style)
        assert carried.settled > 0
        assert any(one.step.kind == "find-duplicates" for one in carried.migration.steps)


def test_what_was_unique_among_all_items_is_so_within_a_scope():
    code = {"name": "code", "bytes": 8, "unique": True}
    scoped = {"name": "code", "bytes": 8, "unique_within": ["status"]}
    before, after = orders(CREATE, attributes=[code]), orders(CREATE, attributes=[scoped])
    for style in STYLES:
        carried = carried_out(before, style, after, style)
        assert carried.settled == 0
        assert not any(one.step.kind == "find-duplicates" for one in carried.migration.steps)


@pytest.mark.parametrize("style", STYLES)
def test_figures_over_children_are_worked_out_for_the_items_that_are_there(style):
    counted = gallery.load("running-totals")
    document = plain(counted)
    for entity in document["entities"]:
        entity["attributes"] = [
            a for a in entity["attributes"] if not a.get("aggregate", "").startswith("count of")
        ]
    carried = carried_out(Design.model_validate(document), style, counted, style)
    set_ = [v for p in carried.migration.steps for b in p.step.backfills for v in b.values]
    assert {(v.attribute, v.of) for v in set_} == {
        ("orderCount", "counted"),
        ("itemCount", "counted"),
    }


def test_a_renamed_attribute_keeps_what_it_holds_and_its_index_answers():
    listed = {**PAID, "where": [{"attribute": "place", "is": {"param": "place"}}]}
    town = {"name": "town", "id": "t1", "bytes": 12, "distinct": 400}
    before = orders(attributes=[town])
    after = orders(listed, attributes=[{**town, "name": "place"}])
    for style in STYLES:
        renames = {"Order": {"place": "town"}}
        carried_out(before, style, after, style, renames)


def test_a_renamed_entity_is_copied_under_its_new_keys():
    before, after = orders(PAID, order={"id": "o1"}), orders(PAID, order={"id": "o1"})
    document = plain(after)
    document["entities"][0]["name"] = "Purchase"
    for pattern in document["patterns"]:
        pattern["returns"] = "Purchase"
    after = Design.model_validate(document)
    for style in STYLES:
        carried_out(before, style, after, style, {"Purchase": {"": "Order"}})


@pytest.mark.parametrize(
    "seed", [pytest.param(n, marks=() if n < 12 else pytest.mark.slow) for n in range(22)]
)
def test_whatever_a_team_changes_every_pattern_is_answered_at_every_step(seed):
    before, style, after, later = changed(Random(seed))
    plans = outlined(before, style), outlined(after, later)
    repeats = [s.for_each for p in plans for o in p.operations for s in o.steps if s.for_each]
    if max((each.numbers or 0 for each in repeats), default=0) <= MOST_SHARDS:
        carried_out(before, style, after, later)


MOST_SHARDS = 30
"""Of more, the patterns of one stage take minutes."""
