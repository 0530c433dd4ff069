"""Names that stay: what a plan named is called the same by later plans of the design."""

import re

import pytest

from designer.core.design import gallery
from designer.core.design.load import load
from designer.core.design.meaning import meaning, ordered_meaning
from designer.core.design.settings import Pin
from designer.core.design.write import dump
from designer.core.difference import difference
from designer.core.edits import change_entity, merged, name_anew
from designer.core.errors import DesignError
from designer.core.plan import ALL_STYLES
from designer.core.plan.recording import recorded
from designer.core.planner.layout.kept_order import between
from designer.core.planner.pipeline import outlined

SOME = ("shop", "courses", "social-network")


def designed(slug):
    return load(gallery.text(slug), slug)


def recorded_in(design, style="single"):
    return recorded(design, [outlined(design, style)])


def named(plan):
    """What each index of a plan is, and what each kind of item has in its table's key."""
    indexes = {
        (table.name, index.name): index.model_copy(update={"serves": (), "sparse": False})
        for table in plan.tables
        for index in table.indexes
    }
    keys = {
        shape.shape: tuple(shape.set.get(name) for name in ("PK", "SK"))
        for table in plan.tables
        for shape in table.items
    }
    return indexes, keys


@pytest.mark.parametrize("slug", SOME)
@pytest.mark.parametrize("style", ALL_STYLES)
def test_recording_changes_no_plan(slug, style):
    design = designed(slug)
    before = outlined(design, style)
    after = recorded(design, [before])

    assert after.names.of(style).indexes or not any(table.indexes for table in before.tables)
    assert outlined(after, style) == before
    assert recorded(after, [outlined(after, style)]) == after


def test_what_is_recorded_is_read_as_it_was_written():
    design = recorded_in(designed("shop"))

    assert load(dump(design), "again") == design


@pytest.mark.parametrize("slug", SOME)
def test_a_pattern_more_renames_nothing_of_others(slug):
    design = designed(slug)
    for more in design.patterns:
        if more.kind not in ("get", "list"):
            continue
        left = tuple(each for each in design.patterns if each is not more)
        before = design.model_copy(update={"patterns": left})
        plan = outlined(before, "single")
        indexes, keys = named(plan)
        names = recorded(before, [plan]).names
        now_indexes, now_keys = named(
            outlined(design.model_copy(update={"names": names}), "single")
        )

        for place in now_indexes.keys() & indexes.keys():
            assert now_indexes[place] == indexes[place], (more.number, place)
        for shape in (now_keys.keys() & keys.keys() & design.entity.keys()) - asked(design, more):
            if _attributes(now_keys[shape]) == _attributes(keys[shape]):
                ends = [tuple(each.rstrip("#") for each in k[shape]) for k in (now_keys, keys)]
                assert ends[0] == ends[1], (more.number, shape)


def asked(design, pattern):
    """The entities that a pattern reads: where it wants them in another order, one of them has another name."""
    along = [design.relationship[each.relationship] for each in pattern.with_]
    return {*pattern.entities, *(name for each in along for name in (each.parent, each.child))}


def _attributes(key):
    """What a key is made of: where that is another, so is the key, and no name could have stayed."""
    return [re.findall(r"{[^}]*}", text or "") for text in key]


def test_an_index_that_changes_gets_a_name_that_none_ever_had():
    design = recorded_in(designed("shop"))
    known = {index.name for index in design.names.single.indexes}
    pin = Pin(style="single", pattern=_indexed(design), projection="keys-only")
    pinned = design.model_copy(
        update={"planner": design.planner.model_copy(update={"pins": (pin,)})}
    )
    before, after = (named(outlined(each, "single"))[0] for each in (design, pinned))

    for place, index in after.items():
        assert place not in before or before[place] == index
        assert place in before or place[1] not in known


def _indexed(design):
    plan = outlined(design, "single")
    return next(
        n for t in plan.tables for i in t.indexes if i.projection.type == "ALL" for n in i.serves
    )


def test_a_recorded_name_is_used_though_another_would_be_the_usual_one():
    design = recorded_in(designed("shop"))
    names = design.names.single
    first = names.indexes[0].model_copy(update={"name": "GSI9"})
    single = names.model_copy(update={"indexes": (first, *names.indexes[1:])})
    other = design.model_copy(update={"names": design.names.model_copy(update={"single": single})})

    assert "GSI9" in {i.name for t in outlined(other, "single").tables for i in t.indexes}


def test_recording_is_no_other_meaning_and_beginning_anew_is():
    design = designed("shop")
    named_ = recorded_in(design)
    anew = name_anew(named_)

    assert meaning(named_) == meaning(design)
    assert ordered_meaning(named_) == ordered_meaning(design)
    assert ordered_meaning(anew) != ordered_meaning(design)
    assert anew.names.is_empty
    with pytest.raises(DesignError):
        name_anew(anew)


def test_names_of_two_sides_never_clash():
    design = designed("shop")
    mine, theirs = recorded_in(design, "multi"), recorded_in(design)
    both = merged(design, mine, theirs)

    assert both.names.single == theirs.names.single
    assert both.names.multi == mine.names.multi


def test_an_entity_with_another_name_takes_its_names_along():
    design = recorded_in(designed("shop"))
    entity = design.entities[0]
    after = change_entity(design, entity.name, entity.model_copy(update={"name": "Somebody"}))

    assert "Somebody" in after.names.single.items
    assert entity.name not in after.names.single.items


def test_a_difference_shows_what_is_recorded_as_names():
    design = designed("shop")
    (change,) = difference(design, recorded_in(design))

    assert change.field == "names"
    assert change.is_wording


def test_names_written_by_hand_that_fit_nothing_say_nothing():
    design = designed("shop")
    text = dump(design) + "names:\n  single:\n    items: {User: {partition: ['{'], sort: [x]}}\n"

    assert outlined(load(text, "hand"), "single") == outlined(design, "single")


@pytest.mark.parametrize(
    ("low", "high"), [("1#A", "2#ROOM"), ("A", "ROOM#"), ("1#A", "1V#B"), ("#ROOM#", "A")]
)
def test_there_is_room_for_a_type_between_two_others(low, high):
    text = between(low, high, "NEW#")

    assert low < text < high
    assert text.endswith("#NEW#")
