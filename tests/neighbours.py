"""Each key of a plan pinned to its neighbours: none may save more than what is worth talking about."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.design.settings import Pin, PinnedKey
from designer.core.edits.pins import add_pin
from designer.core.errors import DesignError
from designer.core.plan import STYLES, Plan, Style
from designer.core.plan.pinning import OWN, pin_of
from designer.core.planner.pipeline import outlined

PART = re.compile(r"([^{}]*)(\{[^{}]*\})")
"""A text and the value after it."""
Parts = list[tuple[str, str]]
SAVED, SHARE = 1.0, 0.01
"""US dollars a month, and part of the cost, of which the larger is worth talking about."""


def cheaper(design: Design, style: Style, than: Plan | None = None) -> list[str]:
    """The pins to neighbours with which a plan that serves as much is materially cheaper. `than`: a plan of ours."""
    made = than or outlined(design, style)
    found = []
    for pin in neighbours(design, made):
        try:
            pinned = add_pin(design, pin)
        except DesignError:
            continue  # such a key does not tell items apart, or cannot be
        other = outlined(pinned, style, reasons="findings")
        saved = made.cost.per_month - other.cost.per_month
        is_well = not {one.rule for one in other.findings} - {one.rule for one in made.findings}
        is_well = is_well and _served(other) >= _served(made)
        if is_well and saved > max(SAVED, SHARE * made.cost.per_month):
            said = pin.model_dump(exclude_none=True)
            found.append(f"{design.name} {style}: {said} saves ${saved:.2f}")
    return found


def _served(made: Plan) -> int:
    return sum(one.answer != "not served" and not one.beyond for one in made.operations)


def neighbours(design: Design, made: Plan) -> Iterator[Pin]:
    """Keys of one part less or more, with two exchanged, and indexes that hold something else."""
    for table in made.tables:
        for shape in table.items:
            if shape.role not in OWN:
                continue
            abouts = [f"key {shape.shape}"]
            abouts += [f"index {table.name}/{one.name} {shape.entity}" for one in table.indexes]
            for about in abouts:
                pin = pin_of(made, about)
                if pin is None or pin.key is None:
                    continue
                free = pin.model_copy(update={"projection": None})
                for key in _keys(pin.key, _asked(design, shape.entity)):
                    yield free.model_copy(update={"key": key})
                for held in ("keys-only", "include", "all") if pin.index is not None else ():
                    if held != pin.projection:
                        yield pin.model_copy(update={"projection": held})


def _asked(design: Design, entity: str) -> list[str]:
    """The attributes that tell items apart, or that some pattern asks for."""
    names = dict.fromkeys(design.entity[entity].identifier)
    for pattern in design.patterns:
        if getattr(pattern, "returns", None) == entity:
            names |= dict.fromkeys(one.attribute for one in getattr(pattern, "where", ()))
    return [name for name in names if name in design.entity[entity].by_name]


def _keys(key: PinnedKey, asked: list[str]) -> Iterator[PinnedKey]:
    first, then = (
        [(t, v) for t, v in PART.findall(text or "")] for text in (key.partition, key.sort)
    )
    missing = [f"{{{name}}}" for name in asked]
    missing = [value for value in missing if value not in {v for _, v in (*first, *then)}]
    for at in range(len(then)):
        yield _key(key, first, then[:at] + then[at + 1 :])
    for at in range(len(first)) if len(first) > 1 else ():
        yield _key(key, first[:at] + first[at + 1 :], then)
        yield _key(key, first[:at] + first[at + 1 :], [("#", first[at][1]), *then])
    if then:
        yield _key(key, [*first, _labelled(then[0][1])], then[1:])
    for at in range(len(then) - 1):
        yield _key(key, first, [*then[:at], then[at + 1], then[at], *then[at + 2 :]])
    if len(first) == 1 and then:
        yield _key(key, [_labelled(then[0][1])], [("#", first[0][1]), *then[1:]])
    for value in missing:
        yield _key(key, [*first, _labelled(value)], then)
        yield _key(key, first, [*then, ("#", value)])
        yield _key(key, first, [("#", value), *then])


def _labelled(value: str) -> tuple[str, str]:
    return f"#{value.strip('{}').split('(')[-1].upper()}#", value


def _key(key: PinnedKey, first: Parts, then: Parts) -> PinnedKey:
    """The key with other parts, the texts of the type and of the partition's parts as they were."""
    if not first:
        return PinnedKey(partition=key.partition, sort=_sort(key, then))
    partition = "".join(text + value for text, value in first).lstrip("#")
    if key.partition and "#" not in key.partition:
        partition = "#".join(value for _, value in first)
    return PinnedKey(partition=partition, sort=_sort(key, then))


def _sort(key: PinnedKey, then: Parts) -> str | None:
    start = re.match(r"[^{}]*", key.sort or "")
    token = start[0] if start else ""
    values = "#".join(value for _, value in then)
    if token and values and not token.endswith("#"):
        token += "#"
    return (token + values) or None


if __name__ == "__main__":
    for file in sys.argv[1:]:
        design = load(Path(file).read_text(encoding="utf-8"))
        for style in STYLES:
            said = "\n  ".join((f"{file} {style}", *cheaper(design, style)))
            sys.stdout.write(f"{said}\n")
