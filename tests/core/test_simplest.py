"""The objective `simplest`: what makes a plan less simple has to save what is worth talking about."""

from dataclasses import replace
from pathlib import Path

import pytest

from designer.core.design import gallery
from designer.core.design.load import load
from designer.core.plan import Plan
from designer.core.planner import plan
from designer.core.planner.model.worth import floor_bill, worth_of
from designer.core.planner.pipeline import outlined
from designer.core.planner.rewrites.read_strategies import requirements_with
from designer.core.planner.solve.candidate_lists import CACHED
from designer.core.planner.solve.milp import Program
from designer.core.sentences.plans import optimality
from tests.planned import planned

DESIGNS = Path(__file__).parents[1] / "designs"


def stated(name, **settings):
    """A design that aims at the simplest plan, or at what is said."""
    design = load((DESIGNS / f"simplest_{name}.yaml").read_text(), name=name)
    settings = {"objective": "simplest", **settings}
    return design.model_copy(update={"planner": design.planner.model_copy(update=settings)})


def shapes(made, role=None):
    return {
        shape.shape: shape
        for table in made.tables
        for shape in table.items
        if role is None or shape.role == role
    }


def test_the_owner_comes_before_the_date_in_the_table_and_in_the_index() -> None:
    made = plan(stated("hotel"), "single")
    bed = shapes(made)["Bed"]
    assert bed.set["PK"].startswith("HOUSE#{houseId}")
    assert bed.set["GSI1PK"].endswith("HOUSE#{houseId}")
    cheapest = plan(stated("hotel", objective="cost"), "single")
    cheap = shapes(cheapest)["Bed"]
    assert cheap.set["PK"] == "DAY#{day}", "a byte less in each of the keys"
    assert cheap.set["GSI1PK"].endswith("DAY#{day}")
    assert 0 < made.cost.per_month - cheapest.cost.per_month < 1


def test_of_table_keys_that_cost_the_same_one_begins_with_the_owner() -> None:
    made = plan(stated("harbour"), "multi")
    (table,) = (
        table for table in made.tables if any(shape.shape == "Berth" for shape in table.items)
    )
    assert table.key.partition.name == "harbourId"
    assert table.indexes


@pytest.mark.parametrize("style", ["single", "multi"])
def test_a_key_sorts_where_an_application_would_else_read_all_to_return_a_few(style) -> None:
    """A bike has 13 repairs on average, and 2,000 at the most, of which a page shows 20."""
    made = plan(stated("bikes"), style)
    (page,) = made.operations_for(1)[0].steps
    assert (page.forward, page.limit) == (False, 20)
    assert made.cost.per_month - plan(stated("bikes", objective="cost"), style).cost.per_month < 1


def test_where_there_are_never_more_than_a_page_shows_the_application_sorts() -> None:
    design = stated("bikes")
    few = design.relationships[0].model_copy(update={"average": 2.0, "most": 20})
    made = plan(design.model_copy(update={"relationships": (few,)}), "single")
    assert shapes(made)["Repair"].set["SK"] == "REPAIR#{repairId}"


@pytest.mark.parametrize("prefix", ["S", "SITE", "SITE_OF_A_MEMBER"])
def test_the_length_of_a_prefix_decides_no_key(prefix) -> None:
    """Each row that pattern 2 reads has both prefixes in the table's key, so that their bytes are read 200 times."""
    design = load(
        f"""
        keywright: 1
        name: Sites
        entities:
          - name: Site
            prefix: {prefix}
            identifier: [siteId]
            items: 1000
            attributes:
              - {{name: siteId, bytes: 36}}
          - name: Desk
            identifier: [siteId, deskId]
            items: 100000
            attributes:
              - {{name: siteId, bytes: 36, refers_to: Site.siteId}}
              - {{name: deskId, bytes: 36}}
              - {{name: user, bytes: 20, distinct: 500, mutable: true}}
              - {{name: label, bytes: 40}}
        patterns:
          - number: 1
            name: A desk
            kind: get
            returns: Desk
            where:
              - {{attribute: siteId, is: {{param: siteId}}}}
              - {{attribute: deskId, is: {{param: deskId}}}}
            rate: {{average: 10}}
          - number: 2
            name: Desks of a user
            kind: list
            returns: Desk
            where: [{{attribute: user, is: {{param: user}}}}]
            rate: {{average: 100}}
          - {{number: 3, name: Add a desk, kind: create, entity: Desk, rate: {{average: 1}}}}
        """,
        name="sites",
    )
    made = outlined(design, "single")
    desk = shapes(made)["Desk"].set
    assert (desk["PK"], desk["SK"]) == (f"{prefix}#{{siteId}}", "DESK#{deskId}")
    assert desk["GSI1PK"] == "USER#{user}"


@pytest.mark.parametrize("identifier", [["shelfId", "bookId"], ["bookId", "shelfId"]])
def test_of_keys_that_cost_about_the_same_the_one_like_the_identifier_is_taken(identifier) -> None:
    design = load(
        f"""
        keywright: 1
        name: Library
        entities:
          - name: Copy
            identifier: [{", ".join(identifier)}]
            items: 100000
            attributes:
              - {{name: shelfId, bytes: 36, distinct: 10000}}
              - {{name: bookId, bytes: 36, distinct: 10000}}
              - {{name: state, bytes: 400}}
        patterns:
          - number: 1
            name: Copies of a book
            kind: list
            returns: Copy
            where: [{{attribute: bookId, is: {{param: bookId}}}}]
            rate: {{average: 10}}
          - number: 2
            name: Copies on a shelf
            kind: list
            returns: Copy
            where: [{{attribute: shelfId, is: {{param: shelfId}}}}]
            rate: {{average: 10}}
          - {{number: 3, name: Buy a copy, kind: create, entity: Copy, rate: {{average: 1}}}}
        """,
        name="library",
    )
    for style in ("single", "multi"):
        (table,) = outlined(design, style).tables
        base = {name: name for name in identifier} | table.items[0].set
        first = base[table.key.partition.name]
        assert identifier[0] in first, first


@pytest.mark.parametrize("name", ["berths", "members", "opinions"])
def test_nothing_is_kept_twice_for_the_bytes_of_keys(name) -> None:
    assert shapes(plan(stated(name, objective="cost"), "single"), "copy")
    assert not shapes(plan(stated(name), "single"), "copy")


def test_the_identifier_is_left_out_of_a_sort_key_where_that_saves_a_sixth() -> None:
    made = plan(stated("parcels"), "single")
    assert shapes(made)["Parcel"].set["GSI2SK"] == "PARCEL"
    assert made.cost.per_month == pytest.approx(185.02, abs=0.01)
    assert made.cost.gap == 0
    named = plan(stated("parcels", worth=1000), "single")
    assert shapes(named)["Parcel"].set["GSI1SK"] == "PARCEL#{depotId}#{parcelId}"
    assert named.cost.per_month > 1.15 * made.cost.per_month


@pytest.mark.parametrize("style", ["single", "multi", "grouped"])
@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_a_simple_plan_is_a_hundredth_dearer_at_most_or_a_dollar_for_each_thing_saved(
    slug, style
) -> None:
    made = planned(gallery.load(slug), style)
    assert gallery.load(slug).planner.objective == "simplest"
    more = made.cost.per_month - made.cost.cheapest
    if more > max(1, 0.01 * made.cost.cheapest):
        cheaper = planned(gallery.load(slug).with_planner(objective="cost"), style)
        assert more <= _things(cheaper) - _things(made)


def _things(made: Plan) -> int:
    """Indexes, and twice the reads that take parts of the identifier from the text of keys."""
    indexes = sum(len(table.indexes) for table in made.tables)
    return indexes + 2 * sum(bool(s.from_keys) for o in made.operations for s in o.steps)


@pytest.mark.slow
def test_several_charges_together_choose_no_plan_that_is_much_dearer() -> None:
    """With a worth of $16 nothing would be kept twice, for a hundred dollars a month."""
    library = load((DESIGNS.parent / "published" / "electrodb-library.yaml").read_text())
    made = outlined(library, "single")
    assert made.cost.per_month <= 1.01 * made.cost.cheapest


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize("name", ["hotel", "comments", "members"])
def test_the_bound_is_that_of_the_cheapest(name, style) -> None:
    made, cheapest = plan(stated(name), style), plan(stated(name, objective="cost"), style)
    assert made.cost.bound == pytest.approx(cheapest.cost.bound, abs=0.01)
    # The plan of lowest cost may be dearer: it has no index key without its identifier for so little.
    assert made.cost.bound - 0.01 <= made.cost.cheapest <= cheapest.cost.per_month + 0.01
    assert cheapest.cost.cheapest is None
    assert made.cost.per_month >= made.cost.bound


def test_the_claim_says_what_the_cheapest_would_save() -> None:
    made = plan(stated("members"), "single")
    assert made.cost.gap > 0
    assert "This is the simplest plan within that margin." in optimality(made)


def test_what_is_worth_more_is_taken_less_often() -> None:
    # Where no good has far more than the others, nothing is served on average only.
    text = (DESIGNS / "simplest_comments.yaml").read_text().replace(", busiest: 0.002", "")
    design = load(text, name="comments")
    little, much = (
        plan(design.model_copy(update={"planner": settings}), "single")
        for settings in (design.planner.model_copy(update={"worth": usd}) for usd in (0.01, 1000))
    )
    assert [len(table.indexes) + len(shapes(little, "copy")) for table in little.tables] == [1]
    assert [len(table.indexes) + len(shapes(much, "copy")) for table in much.tables] == [0]
    assert all(operation.answer != "not served" for operation in much.operations)


def test_the_worth_is_a_power_of_two_of_what_the_design_costs() -> None:
    needed = requirements_with(stated("comments"))
    assert worth_of(needed) == 1
    design = stated("comments")
    much = design.model_copy(
        update={
            "patterns": tuple(
                one.model_copy(
                    update={"rate": one.rate.model_copy(update={"average": 40000, "peak": None})}
                )
                for one in design.patterns
            )
        }
    )
    worth = worth_of(requirements_with(much))
    assert worth <= floor_bill(requirements_with(much)) / 400 < 2 * worth
    assert worth.denominator == 1
    assert worth.numerator.bit_count() == 1


@pytest.mark.parametrize("size", [300, 6000, 390_000])
def test_an_item_is_read_by_its_identifier_in_its_table_however_large_it_is(size) -> None:
    """A GetItem is rounded up to steps of 4 KB as a Query is, so no index saves anything by that."""
    design = load(
        f"""
        keywright: 1
        name: Articles
        entities:
          - name: Article
            identifier: [articleId]
            items: 600000
            attributes:
              - {{name: articleId, format: ulid}}
              - {{name: body, bytes: {size}}}
        patterns:
          - number: 1
            name: An article
            kind: get
            returns: Article
            where: [{{attribute: articleId, is: {{param: articleId}}}}]
            rate: {{average: 150}}
          - {{number: 2, name: Publish, kind: create, entity: Article, rate: {{average: 0.004}}}}
        """,
        name="articles",
    )
    for style in ("single", "multi"):
        made = plan(design, style)
        assert not [index for table in made.tables for index in table.indexes]
        assert made.operations_for(1)[0].steps[0].call == "GetItem"


def test_many_lists_of_one_entity_take_few_programs_that_are_nearly_whole(monkeypatch) -> None:
    """Every key makes the items longer that whole lists read, and each list reads many units."""
    solve = Program.solve
    parts = []

    def noted(self, *limits):
        found = solve(self, *limits)
        relaxed = solve(replace(self, whole=[False] * len(self.whole)), 0)
        parts.append(relaxed.cost / found.bound if found else 1.0)
        return found

    monkeypatch.setattr(Program, "solve", noted)
    CACHED.clear()
    design = load((DESIGNS / "instruments.yaml").read_text())
    made = outlined(design, "single")
    assert len(parts) <= 30
    assert min(parts) > 0.9, "a program is far from whole: branching takes long"
    assert made.cost.cheapest <= 1.01 * made.cost.bound
    assert made.cost.per_month <= 1.01 * made.cost.cheapest
    assert all(operation.answer != "not served" for operation in made.operations)


@pytest.mark.parametrize("style", ["single", "multi"])
def test_an_index_that_is_read_a_lot_does_not_hold_the_keys_of_others(style) -> None:
    design = load((DESIGNS / "instruments.yaml").read_text())
    made = plan(design, style)
    index = {
        f"index {table.name}/{one.name}": one for table in made.tables for one in table.indexes
    }
    by_name = [
        decision.per_month - other.per_month
        for decision in made.decisions
        for other in decision.instead_of
        if getattr(other.chosen, "id", "") == "all-projected-by-name"
    ]
    assert by_name
    assert max(by_name) < 0.01 * made.cost.per_month
    assert {one.projection.type for one in index.values()} == {"ALL", "INCLUDE"}
