"""What a database does by itself and DynamoDB does not: for the report."""

from collections.abc import Iterator
from typing import Any

from designer.core.importers.base import Line
from designer.core.importers.model import Model, Thing

_UNSIZED = ("S", "B", "M", "L")
_CITED = 20
"""Columns that a line names."""


def note_left_out(model: Model) -> None:
    """Say which values the database made, what it compared and checked, and which sizes are not stated."""
    counted: list[str] = []
    for thing in model.things:
        about, line = thing.table.full_name, thing.table.line
        for said in _of_values(thing):
            model.lines.append(Line("dropped", said, about, line))
        counted += [
            f"{about}.{each.name}" for each in thing.table.columns.values() if each.counts_up
        ]
        unsized = list(_unsized(thing))
        if unsized:
            model.missing(f"How many bytes these take on average: {_some(unsized)}.", about, line)
        blobs = [each["name"] for each in thing.attributes.values() if _is_blob(each)]
        if blobs:
            said = f"An item is at most 400 KB: if {_some(blobs)} may be larger, keep it in S3 and its object key here."
            model.guessed(said, about, line)
    if counted:
        said = (
            f"DynamoDB has no auto-increment, which the database uses for {_some(counted)}: let the application make \
identifiers, such as UUIDs or ULIDs, or keep a counter in an item."
        )
        model.lines.append(Line("dropped", said))
    if model.edges:
        said = (
            "DynamoDB does not check references: an item may refer to one that does not exist, and a parent may be \
deleted before its children. Where that matters, a transaction checks it."
        )
        model.lines.append(Line("dropped", said))
    followed = [
        f"{edge.child.table.full_name}.{each}"
        for edge in model.edges
        if edge.foreign.is_followed
        for each in edge.foreign.columns
    ]
    if followed:
        said = (
            f"ON UPDATE CASCADE, of {_some(followed)}: the key of an item cannot change. To change an identifier, "
            "write a new item, change what refers to it, and delete the old item."
        )
        model.lines.append(Line("dropped", said))


def _of_values(thing: Thing) -> Iterator[str]:
    columns = [each for key, each in thing.table.columns.items() if key in thing.attributes]
    given = [
        f"{each.name} = {each.default}" for each in columns if each.default and not each.counts_up
    ]
    if given:
        yield f"Default values of the database, which the application sets from now on: {_some(given)}."
    for each in columns:
        if each.made_of:
            yield f"{each.name} is computed from {each.made_of}; the application writes it from now on."
    folded = [each.name for each in columns if each.type.written.lower().endswith("citext")]
    if folded:
        yield f"{_some(folded)}: compared without regard to capitals. DynamoDB compares bytes: store lowercase text."


def _is_blob(attribute: dict[str, Any]) -> bool:
    """Whether it is bytes that nothing is found by."""
    return attribute["type"] == "B" and not attribute.keys() & {
        "bytes", "unique", "unique_within", "refers_to",
    }  # fmt: skip


def _unsized(thing: Thing) -> Iterator[str]:
    """Attributes of a varying size that nothing in the file states."""
    for attribute in thing.attributes.values():
        is_known = attribute.keys() & {"bytes", "format", "values", "refers_to"}
        if attribute["type"] in _UNSIZED and not is_known:
            yield attribute["name"]


def _some(names: list[str]) -> str:
    more = len(names) - _CITED
    return ", ".join(names[:_CITED]) + (f" and {more} more" if more > 0 else "")
