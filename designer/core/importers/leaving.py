"""What a database does by itself and DynamoDB does not: for the report."""

from collections.abc import Iterator
from typing import Any

from designer.core.importers.base import Line
from designer.core.importers.model import Model, Thing
from designer.core.messages import Message, say

_UNSIZED = ("S", "B", "M", "L")
_CITED = 20
"""Columns that a line names."""


def note_left_out(model: Model) -> None:
    """Say which values the database made, what it compared and checked, and which sizes are not stated."""
    counted: list[str] = []
    for thing in model.things:
        about, line = thing.table.full_name, thing.table.line
        for message in _of_values(thing):
            model.lines.append(Line("dropped", message, about, line))
        counted += [
            f"{about}.{each.name}" for each in thing.table.columns.values() if each.counts_up
        ]
        unsized = list(_unsized(thing))
        if unsized:
            model.missing(
                say("bytes-missing", columns=_some(unsized), count=len(unsized)), about, line
            )
        blobs = [each["name"] for each in thing.attributes.values() if _is_blob(each)]
        if blobs:
            model.guessed(say("large-bytes", columns=_some(blobs)), about, line)
    if counted:
        model.lines.append(Line("dropped", say("no-auto-increment", columns=_some(counted))))
    if model.edges:
        model.lines.append(Line("dropped", say("references-unchecked")))
    followed = [
        f"{edge.child.table.full_name}.{each}"
        for edge in model.edges
        if edge.foreign.is_followed
        for each in edge.foreign.columns
    ]
    if followed:
        model.lines.append(Line("dropped", say("references-followed", columns=_some(followed))))


def _of_values(thing: Thing) -> Iterator[Message]:
    columns = [each for key, each in thing.table.columns.items() if key in thing.attributes]
    given = [
        f"{each.name} = {each.default}" for each in columns if each.default and not each.counts_up
    ]
    if given:
        yield say("defaults", defaults=_some(given))
    for each in columns:
        if each.made_of:
            yield say("computed", column=each.name, expression=each.made_of)
    folded = [each.name for each in columns if each.type.written.lower().endswith("citext")]
    if folded:
        yield say("without-capitals", columns=_some(folded))


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


def _some(names: list[str]) -> Message:
    cited, more = tuple(names[:_CITED]), len(names) - _CITED
    if more > 0:
        return say("some-names-and-more", names=cited, more=more)
    return say("some-names", names=cited)
