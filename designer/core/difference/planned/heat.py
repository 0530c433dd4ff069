"""How hot the tables and indexes that are in both plans run."""

from collections.abc import Iterator

from designer.core.difference.base import About, Change, code
from designer.core.difference.planned.sides import Side, Sides
from designer.core.heat.keys import KeyHeat
from designer.core.sentences.templates import without_condition
from designer.core.words import figures

LITTLE = 0.01
"""A difference below this share of a partition's limit is left out, unless the level differs."""


def changes(sides: Sides) -> Iterator[Change]:
    old, new = _hottest(sides.before), _hottest(sides.after)
    for name, now in new.items():
        was = old.get(name)
        if was is None or (
            was.level == now.level and abs(float(now.used) - float(was.used)) < LITTLE
        ):
            continue
        is_hot = {"hot": "it throttles at peak", "warm": "it is near its limit"}
        more = f", so {is_hot[now.level]}" if now.level in is_hot and now.level != was.level else ""
        used, before = (figures.little_share(float(each.used)) for each in (now, was))
        yield Change(
            About("heat", name, name),
            "changed",
            f"The busiest value of {code(without_condition(now.key))} in {code(name)} takes {used} of what a partition "
            f"serves instead of {before}{more}.",
            "used",
            before,
            used,
            tuple(sorted({load.pattern for load in now.loads if load.pattern is not None})),
        )


def _hottest(side: Side) -> dict[str, KeyHeat]:
    return {each.name: each.hottest for each in side.heat.structures if each.keys}
