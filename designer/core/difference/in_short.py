"""Many changes in short: one or two as they are, of more how many parts of which kind came, went
and changed, by name where they are few.
"""

from collections.abc import Iterable
from typing import Literal

from designer.core.design.document import Design
from designer.core.difference.base import About, Change, Kind, What, code, phrase
from designer.core.difference.stated.design import difference
from designer.core.words.english import joined

FEW = 2
"""The most changes that are listed, and the most parts of a kind that are named. Of more, only the number is given."""
Done = What | Literal["renamed and changed"]
_VERBS: dict[Done, str] = {
    "added": "add",
    "removed": "remove",
    "renamed": "rename",
    "renamed and changed": "rename and change",
    "changed": "change",
}
_CALLED: dict[Kind, tuple[str, str]] = {
    "entity": ("entity", "entities"),
    "attribute": ("attribute", "attributes"),
    "relationship": ("relationship", "relationships"),
    "pattern": ("access pattern", "access patterns"),
    "pin": ("pin", "pins"),
    "ignored finding": ("ignored finding", "ignored findings"),
}
_ONE_THING: dict[Kind, str] = {
    "design": "the settings",
    "planner": "how plans are chosen",
}
"""What a design has only one of."""


def in_short(changes: Iterable[Change]) -> str:
    """One sentence or two; names from the design stand between backticks, those of access patterns are quoted.

    What plans named is left out: nobody stated it. Without changes it says that nothing is otherwise.

    >>> about = [About("entity", name, name) for name in ("Hotel", "Room", "Guest")]
    >>> in_short([Change(about[0], "changed", ""), *(Change(each, "added", "") for each in about[1:])])
    'Add entities `Room` and `Guest`; change entity `Hotel`.'
    """
    stated = [each for each in changes if each.about.kind != "names"]
    if not stated:
        return "In the end the design states the same as before."
    if len(stated) <= FEW:
        return " ".join(each.sentence for each in stated)
    found: dict[Done, dict[Kind, dict[str, About]]] = {what: {} for what in _VERBS}
    for change in stated:
        found[change.what].setdefault(change.about.kind, {})[change.about.id] = change.about
    _join(found)
    said = "; ".join(
        f"{_VERBS[what]} {joined([_parts(what, kind, tuple(parts.values())) for kind, parts in kinds.items()])}"
        for what, kinds in found.items()
        if kinds
    )
    return f"{said[0].upper()}{said[1:]}."


def each_in_short(some: Iterable[tuple[Design, Design]]) -> tuple[str, ...]:
    """What is stated otherwise in the second design of each pair, in short."""
    return tuple(in_short(difference(before, after)) for before, after in some)


def _join(found: dict[Done, dict[Kind, dict[str, About]]]) -> None:
    """What was renamed and changed is named once. Of the one thing of a kind, the two are called differently."""
    for kind in (*found["renamed"],):
        both = found["renamed"][kind].keys() & found["changed"].get(kind, {}).keys()
        if kind in _ONE_THING or not both:
            continue
        joint = found["renamed and changed"].setdefault(kind, {})
        for part in sorted(both):
            joint[part] = found["changed"][kind].pop(part)
            del found["renamed"][kind][part]
        for what in ("renamed", "changed"):
            if not found[what][kind]:
                del found[what][kind]


def _parts(what: Done, kind: Kind, parts: tuple[About, ...]) -> str:
    if kind in _ONE_THING:
        return "the design" if what == "renamed" else _ONE_THING[kind]
    one, many = _CALLED.get(kind, (kind, f"{kind}s"))
    if len(parts) > FEW:
        return f"{len(parts)} {many}"
    names = joined([phrase(part.name) if kind == "pattern" else code(part.name) for part in parts])
    return f"{one if len(parts) == 1 else many} {names}"
