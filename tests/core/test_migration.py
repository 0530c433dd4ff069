"""The steps that lead from one deployed plan to another: which there are, in which order, and what each deploys."""

import json
import re
from itertools import pairwise, product
from random import Random

import pytest

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.design.write import plain
from designer.core.edits import add_pins, change_attribute, change_settings
from designer.core.errors import DesignError
from designer.core.exporters import EXPORTERS
from designer.core.migration import Deployed, Phase, migrate, naming_pins, with_names_in_use
from designer.core.migration.kinds import time_to_live
from designer.core.migration.kinds.copy_items import counted
from designer.core.migration.markdown import deployments, document
from designer.core.migration.renaming import Names, renamed
from designer.core.migration.sql import from_sql
from designer.core.plan import Index
from tests.designs_changed import changed
from tests.independent import templates
from tests.planned import outlined

PAID = {
    "number": 2,
    "name": "Orders with a given status",
    "kind": "list",
    "returns": "Order",
    "where": [{"attribute": "status", "is": {"param": "status"}}],
    "order": ["placedAt descending"],
    "limit": 20,
    "rate": {"average": 5, "peak": 20},
}


def orders(*patterns, **more):
    """Orders by their number, and what else is asked of them."""
    attributes = [
        {"name": "orderId", "format": "uuid"},
        {"name": "placedAt", "format": "datetime"},
        {"name": "status", "values": ["OPEN", "PAID", "SENT"], "mutable": True},
        {"name": "total", "type": "N", "digits": 8, "scale": 2},
        *more.pop("attributes", ()),
    ]
    order = {"name": "Order", "identifier": ["orderId"], "items": 200_000, "attributes": attributes}
    get = {
        "number": 1,
        "name": "An order",
        "kind": "get",
        "returns": "Order",
        "where": [{"attribute": "orderId", "is": {"param": "orderId"}}],
        "rate": {"average": 10, "peak": 40},
    }
    return Design.model_validate(
        {
            "name": "Orders",
            "entities": [{**order, **more.pop("order", {})}, *more.pop("entities", ())],
            "patterns": [get, *patterns],
            **more,
        }
    )


def between(before, after, style="single", later=None):
    return migrate(
        Deployed(before, outlined(before, style)), Deployed(after, outlined(after, later or style))
    )


def kinds(migration):
    return [placed.step.kind for placed in migration.steps]


def step(migration, kind):
    (found,) = (placed for placed in migration.steps if placed.step.kind == kind)
    return found


def indexes(stage):
    return {
        (table.name, index.name)
        for table in stage.plan.tables
        for index in table.indexes
        if index.kind == "global"
    }


def test_nothing_is_to_be_done_where_nothing_changed():
    assert between(orders(PAID), orders(PAID)).steps == ()
    empty = Design(name="Orders")
    assert between(empty, change_settings(empty, region="eu-west-1")).steps == ()


def test_counts_after_a_copy_allow_for_every_counter_of_an_item():
    """An item has as many counters as its plan says, and each only once something was added to it."""
    log = gallery.load("event-log")
    said = [each for one in between(log, log, later="multi").steps for each in one.step.does]
    counts = [each for each in said if each.startswith("At the end, compare the counts")]
    assert any("there must be at most 3 PostViews items for each Post" in each for each in counts)


def test_counts_after_a_copy_say_of_which_items_they_are():
    (table,) = outlined(gallery.load("shop"), "single").tables
    shapes = [one for one in table.items if one.entity == "User"]
    assert [one.role for one in shapes] == ["entity", "guard"]
    assert counted("User", shapes).endswith("has the key attributes of both new items.")
    assert counted("User", shapes[:1]).endswith("has the key attributes of the new item.")


def test_a_pattern_that_the_later_plan_does_not_serve_is_not_switched_to_it():
    before = after = orders(PAID)
    served = outlined(before, "single")
    unserved = {"answer": "not served", "steps": (), "requests": 0.0}
    refused = served.model_copy(
        update={
            "operations": tuple(
                one.model_copy(update=unserved if one.pattern == 2 else {})
                for one in served.operations
            )
        }
    )
    switched = step(
        migrate(Deployed(before, served), Deployed(after, refused)), "switch-reads"
    ).step
    assert switched.title == "Stop running pattern 2"
    assert switched.does == (
        "Stop running pattern 2, or use another service: the later plan does not serve it.",
    )
    back = step(migrate(Deployed(after, refused), Deployed(before, served)), "switch-reads").step
    assert back.title == "Serve pattern 2 from the later plan"
    added = migrate(Deployed(orders(), outlined(orders(), "single")), Deployed(after, refused))
    assert "switch-reads" not in kinds(added)


def test_an_index_is_built_when_its_items_have_its_keys_and_read_when_it_is_built():
    migration = between(orders(), orders(PAID))
    assert kinds(migration) == [
        "write-both",
        "backfill-attributes",
        "create-index",
        "switch-reads",
        "switch-writes",
    ]
    backfill = step(migration, "backfill-attributes").step
    assert [value.attribute for value in backfill.backfills[0].values] == ["GSI1PK", "GSI1SK"]
    assert backfill.estimate.items == 200_000
    assert backfill.estimate.write_units == 200_000
    built = step(migration, "create-index")
    assert indexes(built.stage) - indexes(migration.start) == {("Orders", "GSI1")}
    assert built.step.estimate.items == 200_000
    assert built.step.patterns == (2,)
    assert step(migration, "switch-reads").step.patterns == (2,)


def test_an_index_with_the_key_of_another_says_why_that_one_does_not_stay():
    club = gallery.load("premium-and-sale")
    # With its members the index loses what they have on its list.
    less = club.model_copy(update={"patterns": tuple(p for p in club.patterns if p.number != 2)})
    (said,) = [
        each for each in step(between(club, less), "create-index").step.does if "GSI1" in each
    ]
    assert said == (
        "It has the key of GSI1 and another projection, and the projection of an index cannot be changed."
    )
    # Orders move to another key and stay in the index, where both would be read.
    seeds = gallery.load("overloaded-index")
    key = {"partition": "ORDER#{orderId}", "sort": "ORDER#{customerId}"}
    patterns = [each for each in plain(seeds)["patterns"] if each["number"] != 3]
    moved = {"patterns": patterns, "planner": {"pins": [{"entity": "Order", "key": key}]}}
    less = Design.model_validate({**plain(seeds), **moved})
    (said,) = [
        each for each in step(between(seeds, less), "create-index").step.does if "GSI1" in each
    ]
    assert said.startswith("It has the key of GSI1. If both plans used GSI1, each would also find")


def test_an_index_goes_when_nothing_reads_it_and_its_keys_after_it():
    migration = between(orders(PAID), orders())
    assert kinds(migration)[-2:] == ["drop-index", "remove-attributes"]
    (backfill,) = step(migration, "remove-attributes").step.backfills
    assert backfill.attributes == ("GSI1PK", "GSI1SK")
    says = step(migration, "remove-attributes").step.does[0]
    assert "Remove these attributes from each such item with UpdateItem" in says


def test_the_template_of_every_stage_says_what_is_deployed_then():
    for before, after, later in (
        (orders(), orders(PAID), "multi"),
        (orders(), orders(PAID, billing="provisioned"), "single"),
        (orders(PAID), orders(), "single"),
    ):
        migration = between(before, after, "single", later)
        stages = [placed.stage for placed in migration.steps if placed.stage is not None]
        assert stages
        for stage in (migration.start, *stages):
            expected = templates.said_by_plan(stage.design, stage.plan)
            for slug, read in templates.READERS.items():
                said = read(EXPORTERS[slug].export(stage.design, stage.plan).content)
                for name, table in expected.items():
                    assert {key: said[name][key] for key in templates.DEPLOYED} == {
                        key: table[key] for key in templates.DEPLOYED
                    }
                assert said.keys() == expected.keys()


def test_another_key_is_another_table_under_a_name_that_is_free():
    named = {
        "pins": [
            {"entity": "Order", "key": {"partition": "{orderId}"}, "names": {"partition": "id"}}
        ]
    }
    migration = between(orders(), orders(planner=named), "multi")
    (table,) = migration.change.tables
    assert table.before is None and table.because
    assert [kind for kind in kinds(migration) if kind != "switch-reads"] == [
        "create-tables",
        "write-both",
        "copy-items",
        "switch-writes",
        "drop-tables",
    ]
    assert table.table.name != table.planned
    dropped = step(migration, "drop-tables")
    assert {caution.risk for caution in dropped.step.cautions} == {"data"}
    assert [t.name for t in dropped.stage.plan.tables] == [table.table.name]


def test_a_local_index_comes_with_a_table_of_its_own_and_stays_as_long_as_its_table():
    design = orders(PAID)
    one = outlined(design, "single")
    (table,) = one.tables
    local = Index.model_validate(
        {
            "name": "LSI1",
            "kind": "local",
            "partition": [{"name": "PK", "type": "S"}],
            "sort": [{"name": "total", "type": "N"}],
            "projection": {"type": "ALL"},
        }
    )
    more = table.model_copy(update={"indexes": (*table.indexes, local)})
    other = one.model_copy(update={"tables": (more,)})
    (made,) = migrate(Deployed(design, one), Deployed(design, other)).change.tables
    assert made.before is None
    assert made.because == (
        "It needs the local index LSI1, which can only be created with its table.",
    )
    back = migrate(Deployed(design, other), Deployed(design, one))
    assert back.steps == ()
    assert local.name in {index.name for index in back.change.after.plan.tables[0].indexes}


def test_a_table_whose_name_alone_is_another_stays_where_it_is():
    migration = between(orders(), orders(name="Purchases"))
    assert kinds(migration) == []
    (table,) = migration.change.tables
    assert (table.planned, table.table.name) == ("Purchases", "Orders")
    assert migration.change.called == ("Table Purchases of the plan is deployed as Orders.",)


def test_indexes_that_are_only_numbered_anew_stay_as_they_are():
    design = gallery.load("accounts")
    lowest = design.planner.model_copy(update={"objective": "cost"})  # which has two indexes
    design = design.model_copy(update={"planner": lowest})
    one = outlined(design, "single")
    (table,) = one.tables
    called = {"GSI1": "GSI2", "GSI2": "GSI1"}
    keys = {f"{was}{part}": f"{now}{part}" for was, now in called.items() for part in ("PK", "SK")}
    other = renamed(one, {table.name: Names(table.name, called, keys)})
    assert {i.name for i in table.indexes} == called.keys() and other.tables != one.tables
    migration = migrate(Deployed(design, one), Deployed(design, other))
    assert migration.steps == ()
    assert migration.change.after.plan.tables == one.tables


BY_TOTAL = {**PAID, "order": ["total descending"]}
RENAMED = {
    "an index whose key keeps an attribute": (orders(PAID), "single", orders(BY_TOTAL), "single"),
    "an index with a natural name": (orders(PAID), "multi", orders(BY_TOTAL), "multi"),
    "a table": (orders(PAID), "single", orders(PAID, name="Purchases"), "single"),
    "a table made anew": (orders(PAID), "multi", orders(PAID), "single"),
    **{f"made up {seed}": changed(Random(seed)) for seed in (28, 62, 99, 116, 119)},
}


@pytest.mark.parametrize("which", RENAMED)
def test_with_the_names_in_use_pinned_the_plan_is_what_is_deployed(which):
    before, style, after, later = RENAMED[which]
    deployed = Deployed(before, outlined(before, style))
    migration = migrate(deployed, Deployed(after, outlined(after, later)))
    assert migration.change.called
    pinned = add_pins(after, naming_pins(migration.change))
    again = migrate(deployed, Deployed(pinned, outlined(pinned, later)))
    assert again.change.called == ()
    assert [one.step.title for one in again.steps] == [one.step.title for one in migration.steps]
    assert _deployed(again.change.planned) == _deployed(migration.change.after.plan)


def test_a_name_that_the_team_pinned_itself_is_left_to_it():
    own = [{"entity": "Order", "name": "Purchases", "style": "single"}]
    migration = between(orders(), orders(planner={"pins": own}))
    assert migration.change.called == ("Table Purchases of the plan is deployed as Orders.",)
    with pytest.raises(DesignError, match="An earlier pin contradicts it"):
        add_pins(migration.change.after.design, naming_pins(migration.change))


PREFIXES = [("shop-", "store-"), ("", "store-"), ("shop-", "")]


def addresses(stage):
    """By what templates know each table, under the name that it has unless a parameter says otherwise."""
    text = EXPORTERS["cloudformation-json"].export(stage.design, stage.plan).content
    template, found = json.loads(text), {}
    given = template["Parameters"]["TablePrefix"]["Default"]
    for id_, resource in template["Resources"].items():
        name = resource["Properties"]["TableName"]
        found[
            name if isinstance(name, str) else name["Fn::Sub"].replace("${TablePrefix}", given)
        ] = id_
    text = EXPORTERS["terraform"].export(stage.design, stage.plan).content
    (default,) = re.findall(r'"table_prefix" {[^}]*? default += "(.*)"', text)
    labels = re.findall(r'"aws_dynamodb_table" "(\w+)" {\s+name += "(.*)"', text)
    by_name = {name.replace("${var.table_prefix}", default): label for label, name in labels}
    assert found.keys() == by_name.keys() == {table.name for table in stage.plan.tables}
    return (given, default), {name: (id_, by_name[name]) for name, id_ in found.items()}


def keeps_its_addresses(before, style, after, later):
    """A migration in all of whose stages one table is one resource, as it is from then on."""
    deployed = Deployed(before, outlined(before, style))
    migration = migrate(deployed, Deployed(after, outlined(after, later)))
    stages = [migration.start, *(p.stage for p in migration.steps if p.stage is not None)]
    prefixes, known = addresses(stages[0])
    for stage in stages[1:]:
        given, found = addresses(stage)
        assert given == prefixes
        assert {name: known.setdefault(name, where) for name, where in found.items()} == found
    kept = with_names_in_use(after, migration.change)
    afterwards = outlined(kept, later)
    again = migrate(deployed, Deployed(kept, afterwards))
    assert [one.step.title for one in again.steps] == [one.step.title for one in migration.steps]
    given, found = addresses(Deployed(kept, afterwards))
    assert given == prefixes
    assert all(known.get(name, where) == where for name, where in found.items())
    return migration, {table.name for table in afterwards.tables}


@pytest.mark.parametrize("seed", range(7))
@pytest.mark.parametrize(("was", "now"), [("shop-", "shop-"), *PREFIXES])
def test_a_table_is_one_resource_whatever_changes(seed, was, now):
    before, style, after, later = changed(Random(seed))
    before = before.model_copy(update={"table_prefix": was})
    after = after.model_copy(update={"table_prefix": now})
    keeps_its_addresses(before, style, after, later)


def expiring(design):
    """The same with items that go by themselves."""
    document = plain(design)
    document["entities"][0]["attributes"].append(
        {"name": "expiresAt", "type": "N", "format": "epoch", "ttl": True, "present": 0.5}
    )
    return Design.model_validate(document)


def with_keys_of_several_attributes(design):
    planner = design.planner.model_copy(update={"composite_index_keys": "multi-attribute"})
    return design.model_copy(update={"planner": planner})


@pytest.mark.parametrize("slug", ["shop", "discussion", "order-states"])
@pytest.mark.parametrize(("was", "now"), PREFIXES)
@pytest.mark.parametrize(
    "change", [lambda design: design, expiring, with_keys_of_several_attributes]
)
def test_another_prefix_leaves_every_table_under_its_name(slug, was, now, change):
    before = change_settings(gallery.load(slug), table_prefix=was)
    after = change(change_settings(before, table_prefix=now))
    for style, later in product(("single", "multi"), repeat=2):
        migration, afterwards = keeps_its_addresses(before, style, after, later)
        deployed = {table.name for table in migration.change.after.plan.tables}
        assert deployed == afterwards
        if style == later and after.entities == before.entities and after.planner == before.planner:
            assert migration.steps == ()
            assert deployed == {table.name for table in migration.start.plan.tables}


def test_what_becomes_of_another_prefix_is_said_with_the_steps():
    migration = between(orders(table_prefix="shop-"), orders(PAID, table_prefix="store-"))
    (said,) = migration.change.called
    assert said.startswith("The tables keep the prefix shop-")
    assert "The later design says store-: set it back to shop-" in said
    assert said in document(migration, "Orders")
    assert {placed.stage.design.table_prefix for placed in migration.steps if placed.stage} == {
        "shop-"
    }


def test_a_pinned_name_without_the_prefix_changes_no_other_table():
    note = {"name": "Note", "identifier": ["noteId"], "attributes": [{"name": "noteId"}]}
    own = [{"entity": "Note", "name": "Notes"}]
    before = orders(table_prefix="shop-")
    after = orders(table_prefix="shop-", entities=[note], planner={"pins": own})
    for one, other in ((before, after), (after, before)):
        keeps_its_addresses(one, "multi", other, "multi")
    renamed = change_settings(after, table_prefix="store-")
    _, afterwards = keeps_its_addresses(before, "multi", renamed, "multi")
    assert afterwards == {"shop-Orders", "Notes"}


def test_a_new_table_takes_no_name_that_differs_in_what_templates_leave_out_alone():
    design = orders(name="orders")
    migration, afterwards = keeps_its_addresses(design, "multi", design, "single")
    assert [table.name for table in migration.start.plan.tables] == ["Orders"]
    assert afterwards == {"orders-2"}


@pytest.mark.parametrize("seed", range(12))
def test_in_another_region_every_table_is_made_as_the_later_design_has_it(seed):
    before, style, after, later = changed(Random(seed))
    before = change_settings(before, table_prefix="shop-")
    after = change_settings(after, region="eu-west-1", table_prefix="store-")
    start, end = Deployed(before, outlined(before, style)), Deployed(after, outlined(after, later))
    migration = migrate(start, end)
    order = [list(Phase).index(placed.step.phase) for placed in migration.steps]
    assert order == sorted(order)
    *here, there = [placed.stage for placed in migration.steps if placed.stage is not None]
    assert {stage.design.region for stage in here} <= {before.region}
    for stage in (migration.start, *here):
        assert addresses(stage) == addresses(start)
    assert there.design == after
    assert addresses(there) == addresses(end)
    assert migration.change.called == ()
    kept = {entity.name for entity in before.entities} & {entity.name for entity in after.entities}
    copied = {(b.entity, b.shape) for p in migration.steps for b in p.step.backfills}
    assert copied == {
        (shape.entity, shape.shape)
        for table in end.plan.tables
        for shape in table.items
        if shape.entity in kept and shape.inside is None
    }
    left = [placed.step.table for placed in migration.steps if placed.step.kind == "drop-tables"]
    assert left == [table.name for table in start.plan.tables]


def test_a_region_alone_can_be_changed_by_replicas_or_an_import():
    before = orders(PAID)
    migration = between(before, change_settings(before, region="eu-west-1"))
    assert kinds(migration) == [
        "region-choice",
        "stream",
        "create-tables",
        "write-both",
        "copy-items",
        "switch-reads",
        "switch-writes",
        "drop-tables",
    ]
    choice = step(migration, "region-choice").step
    assert "a replica of each in eu-west-1 (a global table)" in choice.does[0]
    # Everything is asked there, though nothing is asked otherwise.
    assert step(migration, "switch-reads").step.patterns == (1, 2)
    assert not any(migration.change.asks_otherwise(number) for number in (1, 2))
    copy = step(migration, "copy-items").step
    assert copy.estimate.items == 200_000
    assert copy.estimate.write_units == 400_000
    assert copy.estimate.read_units > 200_000
    other = between(before, change_settings(orders(), region="eu-west-1"))
    assert "region-choice" not in kinds(other)


@pytest.mark.parametrize(
    ("view", "style", "turned"),
    [
        (None, "single", ["new-and-old"]),
        ("keys-only", "single", []),
        ("keys-only", "multi", [None, "new-and-old"]),
        ("old", "multi", []),
    ],
)
def test_a_stream_tells_what_items_were_where_they_lie_under_other_keys(view, style, turned):
    before = orders(order={"needs": {"stream": view} if view else {}})
    migration = between(before, change_settings(before, region="eu-west-1"), "single", style)
    streams = [placed for placed in migration.steps if placed.step.kind == "stream"]
    assert [placed.stage.plan.tables[0].stream for placed in streams] == turned


def test_a_new_attribute_is_to_be_stated_for_the_items_that_are_there():
    migration = between(orders(), orders(attributes=[{"name": "note", "bytes": 20}]))
    (backfill,) = step(migration, "backfill-attributes").step.backfills
    assert [(value.attribute, value.of) for value in backfill.values] == [("note", "stated")]
    said = " ".join(step(migration, "backfill-attributes").step.does)
    assert "set on each Order item: note = a value of type S, for you to state." in said


def test_an_attribute_under_another_name_takes_over_what_the_old_one_holds():
    old = orders(attributes=[{"name": "note", "id": "n1", "bytes": 20}])
    new = orders(attributes=[{"name": "remark", "id": "n1", "bytes": 20}])
    migration = between(old, new)
    (value,) = step(migration, "backfill-attributes").step.backfills[0].values
    assert (value.attribute, value.says, value.of) == ("remark", "what note holds", "renamed")
    removed = step(migration, "remove-attributes").step
    assert removed.backfills[0].attributes == ("note",)
    assert [caution.risk for caution in removed.cautions] == ["data"]


def test_a_value_that_becomes_unique_is_looked_for_twice_before_anything_is_written():
    create = {
        "number": 5,
        "name": "Place an order",
        "kind": "create",
        "entity": "Order",
        "rate": {"average": 1, "peak": 4},
    }
    code = {"name": "code", "bytes": 8}
    migration = between(
        orders(create, attributes=[code]), orders(create, attributes=[{**code, "unique": True}])
    )
    assert kinds(migration)[:3] == ["find-duplicates", "write-both", "copy-items"]
    check = step(migration, "find-duplicates").step
    assert check.phase is Phase.CHECK
    assert check.title == "Look for Orders with the same code"
    refused = [each.says for each in step(migration, "copy-items").step.cautions]
    assert any(says.startswith("Order items whose code is taken are refused:") for says in refused)


NUMBERED = {"attributes": [{"name": "receipt", "format": "uuid", "unique": True}]}
LOOSE = {"attributes": [{"name": "receipt", "format": "uuid"}]}


def test_what_need_not_be_unique_any_more_leaves_guards_that_nothing_replaces():
    nothing = "Nothing replaces them: in the later design, nothing keeps receipt of Order unique."
    migration = between(orders(**NUMBERED), orders(**LOOSE))
    assert [caution.says for caution in step(migration, "delete-items").step.cautions] == [nothing]
    migration = between(orders(**NUMBERED), orders(**LOOSE), "multi")
    (caution,) = step(migration, "drop-tables").step.cautions
    assert (
        caution.says
        == f"Its 200,000 items are deleted with it, and this cannot be undone. {nothing}"
    )


def test_guards_that_lie_elsewhere_by_now_are_counted_before_the_old_ones_go():
    migration = between(orders(**NUMBERED), orders(**NUMBERED, order={"prefix": "O"}))
    cautions = {
        placed.step.title: placed.step.cautions[0].says
        for placed in migration.steps
        if placed.step.kind == "delete-items"
    }
    assert "Delete the old OrderReceiptGuard items of table Orders" in cautions
    assert all(says.startswith("Other items hold their data by now.") for says in cautions.values())


@pytest.mark.parametrize("kind", ["backfill-attributes", "delete-items"])
def test_a_whole_table_takes_what_all_its_items_take_though_only_the_later_design_counts_them(kind):
    after = orders(PAID, **LOOSE)
    uncounted, counted = (
        step(between(before, after), kind).step.estimate
        for before in (orders(**NUMBERED, order={"items": None}), orders(**NUMBERED))
    )
    assert uncounted == counted
    assert counted.items == 200_000
    assert counted.read_units > 1000


def test_what_is_unique_under_an_older_name_is_not_looked_for_twice():
    shop = gallery.load("shop")
    named = shop.entity["User"].by_name["email"].model_copy(update={"id": "a-email"})
    shop = change_attribute(shop, "User", "email", named)
    later = change_attribute(shop, "User", "email", named.model_copy(update={"name": "mail"}))
    migration = between(shop, later)
    assert "find-duplicates" not in kinds(migration)
    said = [caution.says for placed in migration.steps for caution in placed.step.cautions]
    assert not [each for each in said if "looks for duplicates" in each]


def test_time_to_live_begins_when_all_else_is_done_and_names_the_hour_between_two_changes():
    at = {"name": "goneAt", "type": "N", "format": "epoch"}
    one, other = orders(attributes=[at]), orders(attributes=[{**at, "ttl": True}])
    on, off = between(one, other), between(other, one)
    assert step(on, "time-to-live").stage.plan.tables[0].ttl == "goneAt"
    assert step(on, "time-to-live").step.phase is Phase.CLEAN_UP
    assert step(off, "time-to-live").stage.plan.tables[0].ttl is None
    assert step(off, "time-to-live").step.phase is Phase.DEPLOY
    assert step(off, "time-to-live").step.sources == (time_to_live.SOURCE,)


def test_another_view_of_a_stream_is_one_that_is_off_between():
    one = orders(order={"needs": {"stream": "keys-only"}})
    other = orders(order={"needs": {"stream": "new-and-old"}})
    stages = [placed.stage.plan.tables[0].stream for placed in between(one, other).steps]
    assert stages == [None, "new-and-old"]


def test_settings_are_deployed_where_they_change():
    rare = orders(order={"needs": {"table_class": "infrequent-access", "recovery_days": 7}})
    migration = between(orders(), rare)
    assert kinds(migration) == ["change-settings", "change-settings"]
    last = migration.steps[-1]
    assert (last.stage.plan.tables[0].table_class, last.stage.plan.tables[0].recovery_days) == (
        "infrequent-access",
        7,
    )
    assert [caution.risk for caution in last.step.cautions] == ["data"]
    assert last.step.title.startswith("Set point-in-time recovery of table ")
    assert last.step.title.endswith(" to 7 days")
    without = between(rare, orders(order={"needs": {"recovery_days": 0}})).steps[-1].step
    assert without.title.startswith("Turn off point-in-time recovery of table ")


def test_provisioned_capacity_comes_when_the_backfills_are_over():
    migration = between(orders(), orders(PAID, billing="provisioned"))
    settings = step(migration, "change-settings")
    assert settings.step.phase is Phase.WRITES
    built = EXPORTERS["cloudformation"].export(
        step(migration, "create-index").stage.design, step(migration, "create-index").stage.plan
    )
    assert "BillingMode: PAY_PER_REQUEST" in built.content
    after = EXPORTERS["cloudformation"].export(settings.stage.design, settings.stage.plan)
    assert "BillingMode: PROVISIONED" in after.content


def test_what_only_readers_look_at_may_be_filled_in_lazily_and_keys_may_not():
    versioned = {"name": "schemaVersion", "type": "N", "format": "integer", "digits": 3}
    note = {"name": "note", "bytes": 20}
    migration = between(orders(attributes=[versioned]), orders(PAID, attributes=[versioned, note]))
    said = step(migration, "read-versions").step.does
    assert "note can be filled in lazily" in said[1]
    assert "GSI1PK and GSI1SK must be backfilled" in said[2]
    assert kinds(migration).index("read-versions") < kinds(migration).index("backfill-attributes")


def test_without_a_version_nothing_is_lazy():
    assert "read-versions" not in kinds(
        between(orders(), orders(attributes=[{"name": "note", "bytes": 20}]))
    )


def test_a_sql_database_is_copied_parents_first_into_tables_with_all_their_indexes():
    shop = gallery.load("shop")
    migration = from_sql(Deployed(shop, outlined(shop, "single")))
    copied = [p.step.title for p in migration.steps if p.step.kind == "sql-copy"]
    assert copied.index("Copy the rows of User") < copied.index("Copy the rows of Order")
    assert copied.index("Copy the rows of Order") < copied.index("Copy the rows of OrderItem")
    assert sorted(copied) == sorted(f"Copy the rows of {e.name}" for e in shop.entities)
    made = step(migration, "create-tables")
    assert made.stage.plan.tables == outlined(shop, "single").tables
    order = [list(Phase).index(placed.step.phase) for placed in migration.steps]
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("style", "words"),
    [("single", "Deploy it with all its indexes"), ("multi", "Deploy them with all their indexes")],
)
def test_new_tables_are_deployed_with_their_indexes_be_it_one_or_several(style, words):
    shop = gallery.load("shop")
    migration = from_sql(Deployed(shop, outlined(shop, style)))
    assert step(migration, "create-tables").step.does[0].startswith(words)


def test_the_queries_of_a_sql_database_name_every_attribute_once():
    migration = from_sql(Deployed(orders(), outlined(orders(), "single")))
    assert step(migration, "sql-copy").step.listing == (
        'SELECT\n  order_id AS "orderId",\n  placed_at AS "placedAt",\n  status,\n  total\n'
        "FROM orders\nORDER BY order_id;"
    )


def test_a_copy_says_how_long_it_takes_and_as_which_items_its_rows_are_kept():
    shop = gallery.load("shop")
    copies = {
        placed.step.title.rpartition(" ")[2]: placed.step
        for placed in from_sql(Deployed(shop, outlined(shop, "single"))).steps
        if placed.step.kind == "sql-copy"
    }
    takes = {name: [caution.says for caution in each.cautions] for name, each in copies.items()}
    assert takes["Order"] == ["At 1,000 items a second, the copy takes about 3 hours."]
    assert takes["Stock"] == ["At 1,000 items a second, the copy takes less than an hour."]
    assert takes["Warehouse"] == []
    assert copies["User"].does[0].startswith("Each row becomes a User item in table shop-app (PK")
    assert " and a UserEmailGuard item in table shop-app (PK" in copies["User"].does[0]


def test_a_copy_from_sql_writes_to_the_indexes_of_its_table_too():
    shop = gallery.load("tea-shop")
    deployed = Deployed(shop, outlined(shop, "multi"))
    copied = {
        placed.step.title.rpartition(" ")[2]: placed.step.estimate.write_units
        for placed in from_sql(deployed).steps
        if placed.step.kind == "sql-copy"
    }
    # An Order is written to its table and to its two indexes, which the table has from the start; a Product to one.
    assert copied["Order"] == 3 * shop.entity["Order"].items
    assert copied["Product"] == 2 * shop.entity["Product"].items


@pytest.mark.parametrize(
    ("steps", "stages", "words"),
    [
        (1, 1, "which deploys a template"),
        (1, 0, "which deploys no template"),
        (4, 0, "none of which deploys a template"),
        (4, 1, "1 of which deploys a template"),
        (25, 12, "12 of which deploy a template"),
        (3, 3, "all of which deploy a template"),
    ],
)
def test_the_deployments_among_the_steps_are_said_in_the_right_number(steps, stages, words):
    assert deployments(steps, stages) == words


def test_the_document_shows_key_templates_as_text():
    text = document(between(orders(), orders(PAID)), "Orders")
    assert r"GSI1PK = STATUS#\<status>" in text


def test_the_document_has_every_step_with_what_is_at_stake():
    migration = between(orders(PAID), orders())
    text = document(migration, "Orders: from r1 to r2")
    for placed in migration.steps:
        assert f"### {placed.number}. {placed.step.title}" in text
        assert all(caution.says in text for caution in placed.step.cautions)
    assert text.startswith("# Orders: from r1 to r2\n\n4 steps, 1 of which deploys a template")


@pytest.mark.parametrize("seed", range(12))
def test_each_deployment_makes_or_removes_one_index_of_a_table_at_the_most(seed):
    before, style, after, later = changed(Random(seed))
    migration = between(before, after, style, later)
    stages = [migration.start, *(p.stage for p in migration.steps if p.stage is not None)]
    for one, other in pairwise(stages):
        tables = {table.name for table in one.plan.tables} & {t.name for t in other.plan.tables}
        for table in tables:
            differing = {i for i in indexes(one) ^ indexes(other) if i[0] == table}
            assert len(differing) <= 1
            assert one.plan.table(table).key == other.plan.table(table).key
            assert _local(one, table) == _local(other, table)
    deployed = {t.name: t.indexes for t in stages[-1].plan.tables}
    assert {n: set(map(_named, i)) for n, i in deployed.items()} == {
        t.name: set(map(_named, t.indexes)) for t in migration.change.after.plan.tables
    }


def test_the_steps_come_in_the_order_of_their_phases():
    shop = gallery.load("order-states")
    for style, later in (("single", "multi"), ("multi", "single")):
        migration = migrate(
            Deployed(shop, outlined(shop, style)), Deployed(shop, outlined(shop, later))
        )
        order = [list(Phase).index(placed.step.phase) for placed in migration.steps]
        assert order == sorted(order)
        assert [placed.number for placed in migration.steps] == list(range(1, len(order) + 1))


def _local(stage, table):
    return [i for i in stage.plan.table(table).indexes if i.kind == "local"]


def _deployed(plan):
    """What of a plan's tables has a name."""
    return {
        table.name: (
            table.key,
            {*map(_named, table.indexes)},
            {shape.shape: shape.set for shape in table.items},
        )
        for table in plan.tables
    }


def _named(index):
    return index.name, index.partition, index.sort, index.projection
