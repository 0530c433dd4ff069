"""What plans named: begun anew, called otherwise with its parts, and brought together from two sides."""

from collections.abc import Callable
from typing import Any

from designer.core import keys
from designer.core.design.document import Design
from designer.core.design.names import NamedIndex, NamedKey, Names, StyleNames
from designer.core.edits.replacing import each, replaced
from designer.core.errors import DesignError

STYLES = ("single", "multi", "grouped")


def name_anew(design: Design) -> Design:
    """The design without what its plans named: the next plan names everything by itself."""
    if design.names.is_empty:
        raise DesignError("nothing-named", "No names are recorded in this design.")
    return replaced(design, names=Names(anew=design.names.anew + 1))


def renamed_names(
    names: Names, entity: Callable[[str], str], attribute: Callable[[str, str], str]
) -> Names:
    """The names with other names for entities and their attributes; what is called after them keeps its own."""

    def key(shape: str, named: NamedKey) -> NamedKey:
        def template(text: str) -> str:
            try:
                return keys.rename(text, lambda old: attribute(shape, old))
            except ValueError:  # somebody wrote it by hand
                return text

        return NamedKey(
            partition=tuple(map(template, named.partition)), sort=tuple(map(template, named.sort))
        )

    def by_shape(named: dict[str, NamedKey]) -> dict[str, NamedKey]:
        return {entity(shape): key(shape, one) for shape, one in named.items()}

    def listed(index: NamedIndex, name: str) -> str:
        new = (attribute(shape, name) for shape in (*index.of, *index.was))
        return next((one for one in new if one != name), name)

    def one_index(index: NamedIndex) -> NamedIndex:
        holds = index.holds
        if holds != "all":
            holds = tuple(sorted(listed(index, name) for name in holds))
        natives = {
            part: tuple(listed(index, name) for name in getattr(index.keys, part))
            for part in ("partition", "sort")
        }
        return replaced(
            index,
            holds=holds,
            keys=replaced(index.keys, **natives),
            of=by_shape(index.of),
            was=by_shape(index.was),
        )

    if names.is_empty:
        return names
    styles = {
        style: StyleNames(items=by_shape(said.items), indexes=each(said.indexes, one_index))
        for style in STYLES
        for said in [getattr(names, style)]
    }
    return replaced(names, **styles)


def names_of_both(mine: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    """Theirs, and what is named in mine alone, as plain data: of two new names for one thing theirs stays."""
    anew = max(mine.get("anew", 0), theirs.get("anew", 0))
    found: dict[str, Any] = {"anew": anew} if anew else {}
    for style in STYLES:
        ours, others = mine.get(style, {}), theirs.get(style, {})
        items = {**ours.get("items", {}), **others.get("items", {})}
        indexes = list(others.get("indexes", ()))
        indexes += [one for one in ours.get("indexes", ()) if not _is_there(one, indexes)]
        said = {"items": items, "indexes": indexes}
        if items or indexes:
            found[style] = {name: value for name, value in said.items() if value}
    return found


def _is_there(index: dict[str, Any], others: list[dict[str, Any]]) -> bool:
    return any(index["name"] == other["name"] and _in(index) & _in(other) for other in others)


def _in(index: dict[str, Any]) -> set[str]:
    return {*index.get("of", ()), *index.get("was", ())}
