"""What an edit is not about keeps its name: over the gallery, and over designs that were made up."""

import re
from random import Random

import pytest

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.design.settings import Pin
from designer.core.edits import add_pin
from designer.core.errors import DesignError
from designer.core.patterns import AnyPattern
from designer.core.patterns.base import Read
from designer.core.plan import ALL_STYLES, Plan, Shape, Style
from designer.core.plan.recording import named_in, recorded
from designer.core.planner.pipeline import outlined
from tests.designs_generated import generated

MADE_UP = 8
AT_MOST = 3
"""Patterns of a design that each come last once."""


def faults(before: Plan, after: Plan, about: frozenset[str] = frozenset()) -> list[str]:
    """What a later plan calls otherwise, though it is as it was; `about`: the entities that the edit is about."""
    return [*_keys_renamed(before, after, about), *_indexes_changed(before, after)]


def _keys_renamed(before: Plan, after: Plan, about: frozenset[str]) -> list[str]:
    was, now = _keys(before), _keys(after)
    return [
        f"{shape}: {was[shape]} became {now[shape]}"
        for shape in was.keys() & now.keys()
        if shape.split("By")[0] not in about
        and _made_of(was[shape]) == _made_of(now[shape])
        and _text(was[shape]) != _text(now[shape])
    ]


def _indexes_changed(before: Plan, after: Plan) -> list[str]:
    """Indexes that another one took the name of: of other keys, or holding something else."""
    was, now = ({i.name: i for i in named_in(plan).indexes} for plan in (before, after))
    tables = [{i.name: t.name for t in plan.tables for i in t.indexes} for plan in (before, after)]
    said = []
    for name in was.keys() & now.keys():
        old, new = was[name], now[name]
        if tables[0][name] != tables[1][name] or before.style == "grouped":
            continue
        if (old.keys, old.holds, old.local) != (new.keys, new.holds, new.local):
            said.append(f"{name} is another index: {old} became {new}")
        others = [s for s in old.of.keys() & new.of.keys() if old.of[s] != new.of[s]]
        said += [f"{name}: {shape} has another key in it" for shape in others]
    return said


def _keys(plan: Plan) -> dict[str, tuple[str | None, ...]]:
    return {
        shape.shape: _key(
            shape, [part.name for part in (table.key.partition, table.key.sort) if part]
        )
        for table in plan.tables
        for shape in table.items
        if shape.inside is None and shape.role not in ("guard", "counter", "aggregate")
    }


def _key(shape: Shape, names: list[str]) -> tuple[str | None, ...]:
    return tuple(shape.set.get(name) for name in names)


def _made_of(key: tuple[str | None, ...]) -> list[list[str]]:
    """The attributes that a key is made of: where these are others, no name could have stayed."""
    return [re.findall(r"{[^}]*}", text or "") for text in key]


def _text(key: tuple[str | None, ...]) -> list[str]:
    """What ends with a delimiter is the same start of a key."""
    return [(text or "").rstrip("#") for text in key]


def entities_of(design: Design, pattern: AnyPattern) -> frozenset[str]:
    """Those that a pattern reads, which it may want in another order; of a write nobody."""
    if not isinstance(pattern, Read):
        return frozenset()
    along = [design.relationship[each.relationship] for each in pattern.with_]
    return frozenset({*pattern.entities, *(n for each in along for n in (each.parent, each.child))})


def without(design: Design, pattern: AnyPattern) -> Design:
    left = tuple(each for each in design.patterns if each is not pattern)
    return design.model_copy(update={"patterns": left})


def one_of_each_kind(design: Design) -> list[AnyPattern]:
    """Of every kind the last one, then others, as far as patterns may be left out alone."""
    kinds = {each.kind: each for each in design.patterns}
    rest = [each for each in reversed(design.patterns) if each not in kinds.values()]
    return [*kinds.values(), *rest][:AT_MOST]


def added(design: Design, more: AnyPattern, style: Style) -> list[str]:
    """What adding a pattern to the rest of its design renames of others."""
    before = without(design, more)
    plan = outlined(before, style)
    names = recorded(before, [plan]).names
    later = outlined(design.model_copy(update={"names": names}), style)
    return faults(plan, later, entities_of(design, more))


@pytest.mark.parametrize("slug", gallery.SLUGS)
@pytest.mark.parametrize("style", ALL_STYLES)
def test_a_pattern_more_renames_nothing(slug: str, style: Style) -> None:
    design = load(gallery.text(slug), slug)
    for more in one_of_each_kind(design):
        assert added(design, more, style) == [], (more.number, more.name)


@pytest.mark.parametrize("slug", gallery.SLUGS)
@pytest.mark.parametrize("moves", [False, True])
def test_a_pinned_key_renames_no_other_entity(slug: str, moves: bool) -> None:
    """But those that a pattern reads with it, where it has to sort elsewhere among them."""
    design = load(gallery.text(slug), slug)
    plan = outlined(design, "single")
    named = recorded(design, [plan])
    for shape, (partition, sort) in _keys(plan).items():
        if shape not in design.entity or partition is None or sort is None:
            continue
        start = "PINNED" if moves else f"{sort.partition('{')[0].rstrip('#')}S"
        other = "#".join((start, *re.findall(r"{[^}]*}", sort)))
        pin = Pin(style="single", entity=shape, key={"partition": partition, "sort": other})
        try:
            pinned = add_pin(named, pin)
        except DesignError:
            continue  # it is pinned already, or has no such key
        about = frozenset({shape})
        for each in design.patterns if moves else ():
            together = entities_of(design, each)
            about |= together if shape in together else frozenset()
        assert faults(plan, outlined(pinned, "single"), about) == [], shape


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(MADE_UP))
def test_a_pattern_more_renames_nothing_in_designs_that_were_made_up(seed: int) -> None:
    design = generated(Random(f"names {seed}"))
    for more in one_of_each_kind(design):
        for style in ("single", "multi"):
            assert added(design, more, style) == [], (style, more.number)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(MADE_UP))
@pytest.mark.parametrize("style", ALL_STYLES)
def test_recording_changes_no_plan_of_designs_that_were_made_up(seed: int, style: Style) -> None:
    design = generated(Random(f"names {seed}"))
    plan = outlined(design, style)
    named = recorded(design, [plan])
    again = outlined(named, style)
    assert again == plan
    assert recorded(named, [again]) == named


def test_a_name_that_ends_with_a_delimiter_is_no_other_start() -> None:
    assert _text(("A#", "ROOM#")) == _text(("A", "ROOM"))
    assert _text(("1#A", None)) != _text(("A", None))
