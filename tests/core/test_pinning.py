"""What a plan has, said as a pin: pinned, it changes no key, no index and no operation."""

import pytest

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.design.pins import pin_flaws
from designer.core.design.settings import Pin, PinnedKey, PinnedNames
from designer.core.edits import add_pin, remove_pin
from designer.core.errors import DesignError
from designer.core.plan.pinning import OWN, pin_of, pin_words, pinnable
from designer.core.planner import plan
from designer.core.planner.pipeline import outlined
from tests.planned import planned


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize("slug", ["starter", "merchant-orders", "premium-and-sale"])
def test_pinning_a_decision_changes_nothing_but_who_took_it(slug, style):
    design = gallery.load(slug)
    made = planned(design, style)
    abouts = [about for decision in made.decisions if (about := pinnable(decision))]
    assert any(about.startswith("key ") for about in abouts)
    for about in [*abouts, *(f"table {table.name}" for table in made.tables)]:
        pin = pin_of(made, about)
        if pin is None:
            assert about.startswith("table ")  # a table of guards has no name to pin
            continue
        again = outlined(add_pin(design, pin), style)
        assert [t.name for t in again.tables] == [t.name for t in made.tables], about
        for old, new in zip(made.tables, again.tables, strict=True):
            assert (new.key, len(new.indexes)) == (
                old.key,
                len(old.indexes),
            ), about


def test_a_key_is_pinned_without_what_the_planner_adds_to_it():
    made = planned(gallery.load("premium-and-sale"), "single")
    pin = pin_of(made, "index club-app/GSI1 Product")
    assert pin is not None and pin.key is not None
    assert pin.key.sort == "PRODUCT#{salePrice}#{productId}"
    assert pin.key.partition == "PRODUCT"


def written(made):
    """A pin for each key of each entity, to the letter as the plan has it."""
    for table in made.tables:
        for shape in table.items:
            if shape.role not in OWN:
                continue

            def template(key, shape=shape):
                return shape.set.get(key.name, f"{{{key.name}}}") if key else None

            key = PinnedKey(partition=template(table.key.partition), sort=template(table.key.sort))
            yield Pin(style=made.style, entity=shape.entity, key=key)
            carried = {*shape.set, *shape.attributes}
            for index in table.indexes:
                keys = (*index.partition, *index.sort)
                if all(key.name in carried for key in keys):
                    (partition,), sort = index.partition, next(iter(index.sort), None)
                    yield Pin(
                        style=made.style,
                        entity=shape.entity,
                        index=index.name,
                        key=PinnedKey(partition=template(partition), sort=template(sort)),
                        names=PinnedNames(sort=sort.name)
                        if sort and sort.name not in shape.set
                        else None,
                    )


def offered(made):
    """A pin for whatever of the plan can be pinned, as the pages offer it."""
    abouts = [f"pattern {operation.pattern}" for operation in made.operations]
    for table in made.tables:
        abouts.append(f"table {table.name}")
        for shape in table.items:
            abouts.append(f"key {shape.entity}")
            abouts += [f"index {table.name}/{index.name} {shape.entity}" for index in table.indexes]
    for about in dict.fromkeys(abouts):
        pin = pin_of(made, about)
        if pin is not None and (pin.pattern is None or pin.index is not None):
            yield pin


@pytest.mark.parametrize("style", ["single", "multi", "grouped"])
@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_what_the_planner_chose_is_pinned_for_nothing(slug, style):
    design = gallery.load(slug)
    made = planned(design, style)
    for pins_of in (written, offered):
        is_pinned_for_nothing(design, made, pins_of)


def is_pinned_for_nothing(design, made, pins_of):
    pins = (*(pin for pin in design.planner.pins if pin.table), *pins_of(made))
    planner = design.planner.model_copy(update={"pins": pins})
    pinned = design.model_copy(update={"planner": planner})
    assert list(pin_flaws(pinned)) == []
    again = outlined(pinned, made.style, reasons="findings")  # without what each pin costs
    assert [f for f in again.findings if f.rule in ("pin-not-obeyed", "pin-collides")] == []
    # What stands before a token, for the order of a collection, is priced once it is pinned.
    assert found(again) == {name: pytest.approx(has, rel=1e-2) for name, has in found(made).items()}
    assert sorted(templates(again)) == sorted(templates(made))
    assert again.cost.per_month == pytest.approx(made.cost.per_month, rel=1e-3)
    assert {o.pattern: o.requests for o in again.operations} == {
        o.pattern: o.requests for o in made.operations
    }
    assert {(t.name, i.name) for t in again.tables for i in t.indexes} == {
        (t.name, i.name) for t in made.tables for i in t.indexes
    }


def found(made):
    """What each finding says, by its rule, its place and its sentence: apart from what pins cost, its figures."""
    return {
        (f.rule, f.where, f.problem.id): {
            name: value for name, value in f.problem.values.items() if isinstance(value, float)
        }
        for f in made.findings
        if f.rule != "pin-costs"
    }


@pytest.mark.parametrize("style", ["single", "multi"])
def test_the_index_of_a_pattern_keeps_its_shards_where_its_name_is_pinned(style):
    """What is pinned is which index answers; its key, with its shards, is the planner's."""
    design = gallery.load("event-log")
    made = plan(design, style)
    pin = pin_of(made, "pattern 1")
    assert pin is not None and pin.index is not None
    again = plan(add_pin(design, pin), style)
    assert any("{shard(" in template for _, template in templates(again))
    assert sorted(templates(again)) == sorted(templates(made))


def templates(made):
    return [
        (shape.shape, template)
        for table in made.tables
        for shape in table.items
        for name, template in shape.set.items()
        # No pin speaks of counters: their keys follow those of the items that they count for.
        if name != made.type_attribute and shape.role != "counter"
    ]


def test_a_key_that_sorts_the_other_way_round_is_pinned_as_it_is_written():
    alarm = {
        "name": "Alarm",
        "identifier": ["alarmId"],
        "items": 100_000,
        "attributes": [
            {"name": "alarmId", "format": "uuid"},
            {"name": "site", "bytes": 8, "distinct": 2000},
            {"name": "severity", "type": "N", "digits": 2, "distinct": 5},
            {"name": "state", "values": ["LOW", "HIGH"]},
            {"name": "raisedAt", "format": "datetime"},
        ],
    }
    asked = {
        "number": 1,
        "name": "Alarms of a site",
        "kind": "list",
        "returns": "Alarm",
        "where": [{"attribute": "site", "is": {"param": "site"}}],
        "order": ["severity ascending", "raisedAt descending"],
        "limit": 20,
        "rate": {"average": 50},
    }
    other = {**asked, "number": 2, "order": ["state ascending", "raisedAt descending"]}
    stated = {"name": "Alarms", "entities": [alarm], "patterns": [asked, other]}
    design = Design.model_validate(stated)
    for style in ("single", "multi"):
        made = plan(design, style)
        pins = tuple(written(made))
        assert any("inverse(" in (pin.key.sort or "") for pin in pins)
        pinned = Design.model_validate(
            {**stated, "planner": {"pins": [pin.model_dump() for pin in pins]}}
        )
        assert list(pin_flaws(pinned)) == []
        again = plan(pinned, style)
        assert again.findings == made.findings
        assert again.cost.per_month == made.cost.per_month
        assert sorted(templates(again)) == sorted(templates(made))


def test_what_is_not_in_the_plan_gives_no_pin():
    made = plan(gallery.load("starter"), "single")
    for about in ("key Ghost", "index a/b", "table ghost", "pattern 99", "pattern x", "guard", ""):
        assert pin_of(made, about) is None, about


def test_pins_are_told_in_words():
    pin = Pin(
        entity="Order", index="ByUser", key=PinnedKey(sort="{at}"), projection="all", name="X"
    )
    words = ("sort key {at}", "holds everything", "index called X")
    assert pin_words(pin) == ("Index ByUser for Order", words)
    assert pin_words(Pin(table=("A", "B"), name="both"))[0] == "One table for A and B"
    assert pin_words(Pin(entity="A", name="things")) == ("Table of A", ("table called things",))


def test_a_pin_is_added_once_and_removed_once():
    design = gallery.load("starter")
    pin = Pin(style="multi", entity="Task", name="work")
    pinned = add_pin(design, pin)
    with pytest.raises(DesignError, match="already"):
        add_pin(pinned, pin)
    with pytest.raises(DesignError, match="contradicts it"):
        add_pin(pinned, Pin(style="multi", entity="Task", name="other"))
    assert remove_pin(pinned, pin) == design
    with pytest.raises(DesignError, match="no longer"):
        remove_pin(design, pin)
