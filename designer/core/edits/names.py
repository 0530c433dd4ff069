"""What plans named: begun anew, called otherwise with its parts, and brought together from two sides."""

from collections.abc import Callable
from typing import Any

from designer.core.design.document import Design
from designer.core.design.names import NamedIndex, NamedKey, Names, StyleNames
from designer.core.edits.replacing import each, replaced
from designer.core.errors import DesignError
from designer.core.messages import say
from designer.core.plan import keys

STYLES = ("single", "multi", "grouped")


def name_anew(design: Design) -> Design:
    """The design without what its plans named: the next plan names everything by itself."""
    if design.names.is_empty:
        raise DesignError("nothing-named", say("no-names-recorded"))
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


def followed(names: Names, before: Design, after: Design) -> Names:
    """The names with those that entities and attributes of a design have after a change of it, known by their ids."""
    entities = {each.id: each for each in after.entities}
    called: dict[str, str] = {}
    attributes: dict[tuple[str, str], str] = {}
    for entity in before.entities:
        now = entities.get(entity.id) if entity.id else None
        if now is None:
            continue
        called[entity.name] = now.name
        new = {each.id: each.name for each in now.attributes if each.id is not None}
        for attribute in entity.attributes:
            if attribute.id in new:
                attributes[entity.name, attribute.name] = new[attribute.id]
    is_same = all(old == new for old, new in called.items())
    if is_same and all(old == new for (_, old), new in attributes.items()):
        return names
    return renamed_names(
        names,
        lambda entity: called.get(entity, entity),
        lambda entity, name: attributes.get((entity, name), name),
    )


def with_names_kept(before: Design, text: Design) -> Design:
    """A design that was written as a text, made from `before`: where the text says nothing of names, or what was there,
    they stay. Others were written by hand, which counts as begun anew.

    Another design altogether has its own.
    """
    known = {part for each in before.entities for part in (each.id, each.name)} - {None}
    if not any(known & {each.id, each.name} for each in text.entities):
        return text
    stay = followed(before.names, before, text)
    if text.names in (Names(), before.names, stay):
        return replaced(text, names=stay)
    anew = max(text.names.anew, before.names.anew + 1)
    return replaced(text, names=replaced(text.names, anew=anew))


def names_of_both(
    was: dict[str, Any], mine: dict[str, Any], theirs: dict[str, Any]
) -> dict[str, Any]:
    """Theirs, and what is named in mine alone, as plain data: of two new names for one thing theirs stays.

    Where one side began anew, or took that back, its names stay alone.
    """
    anew = was.get("anew", 0)
    if theirs.get("anew", 0) != anew:
        return theirs
    if mine.get("anew", 0) != anew:
        return mine
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
