"""Designs made from what others wrote: one format a file, found by their slugs."""

from dataclasses import dataclass
from pathlib import PurePath

from designer.core import registry
from designer.core.design.load import dump
from designer.core.design.text import MAX_BYTES as LARGEST_DESIGN
from designer.core.errors import DesignError
from designer.core.importers.base import (
    KINDS,
    MAX_BYTES,
    Imported,
    Importer,
    Line,
    Proposal,
    only,
)
from designer.core.messages import say

__all__ = [
    "IMPORTERS", "KINDS", "MAX_BYTES", "Imported", "Importer", "Line", "Proposal", "Tried", "only", "read",
    "tried",
]  # fmt: skip

IMPORTERS: dict[str, Importer] = {
    slug: importer() for slug, importer in registry.load(__name__, Importer, "slug").items()
}
"""Every importer by its slug."""


_BOMS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


def read(content: bytes, name: str, slug: str = "", variant: str = "") -> Imported:
    """What a file says, read by the importer of this slug, else by the one that knows it by its name or its text.

    DesignError where none does, where it is too large, no text, or cannot be understood.
    """
    if len(content) > MAX_BYTES:
        raise DesignError(
            "too-large",
            say("import-too-large", name=name, megabytes=MAX_BYTES // 1_000_000),
        )
    text = _text(content, name)
    if not text.strip():
        raise DesignError("empty", say("import-empty", name=name))
    importer = IMPORTERS[slug] if slug else _fitting(text, name)
    return importer.read(text, PurePath(name).name, variant)


@dataclass(frozen=True)
class Tried:
    """What a file says, and its design as a document in JSON."""

    found: Imported
    document: str


def tried(content: bytes, name: str, slug: str = "", variant: str = "") -> Tried | DesignError:
    """The same as `read`, for processes that are ended at a limit: with the error as its result. A design larger
    than a document may be is refused here: to unpack it would be much work for the process that waits.
    """
    try:
        found = read(content, name, slug, variant)
    except DesignError as error:
        return error
    document = dump(found.design, "json")
    if len(document.encode()) > LARGEST_DESIGN:
        return DesignError("too-large", say("import-design-too-large"))
    return Tried(found, document)


def _text(content: bytes, name: str) -> str:
    encoding = _BOMS.get(content[:2], "utf-8-sig")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        message = say("import-not-utf8", name=name)
        raise DesignError("no-text", message) from None
    if "\0" in text:
        raise DesignError("no-text", say("import-not-text", name=name))
    return text.replace("\r\n", "\n")


def _fitting(text: str, name: str) -> Importer:
    every = list(IMPORTERS.values())
    ends = PurePath(name).suffix.lower()
    for importer in every:
        if ends and ends in importer.suffixes:
            return importer
    for importer in every:
        if importer.sniff(text):
            return importer
    known = tuple(importer.label for importer in every)
    raise DesignError("unknown-format", say("import-unknown-format", name=name, formats=known))
