"""Designs made from what others wrote: one format a file, found by their slugs."""

from dataclasses import dataclass
from pathlib import PurePath

from designer.core import registry
from designer.core.errors import DesignError, Problem
from designer.core.importers.base import (
    KINDS,
    MAX_BYTES,
    Imported,
    Importer,
    Line,
    Proposal,
    only,
)

__all__ = [
    "IMPORTERS", "KINDS", "MAX_BYTES", "Imported", "Importer", "Line", "Proposal", "Refusal",
    "only", "read", "tried",
]  # fmt: skip

IMPORTERS: dict[str, Importer] = {
    slug: importer() for slug, importer in registry.load(__name__, Importer, "slug").items()
}
"""Every importer by its slug."""


@dataclass(frozen=True)
class Refusal:
    """Why nothing could be read; a process can hand it to another one."""

    message: str
    problems: tuple[Problem, ...] = ()


_BOMS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


def read(content: bytes, name: str, slug: str = "", variant: str = "") -> Imported:
    """What a file says, read by the importer of this slug, else by the one that knows it by its name or its text.

    DesignError where none does, where it is too large, no text, or cannot be understood.
    """
    if len(content) > MAX_BYTES:
        raise DesignError(
            "too-large",
            f"{name} is larger than {MAX_BYTES // 1_000_000} MB. Leave the rows out: "
            "`pg_dump --schema-only`, `mysqldump --no-data`.",
        )
    text = _text(content, name)
    if not text.strip():
        raise DesignError("empty", f"{name} is empty. Paste a schema, or choose a file.")
    importer = IMPORTERS[slug] if slug else _fitting(text, name)
    return importer.read(text, PurePath(name).name, variant)


def tried(content: bytes, name: str, slug: str = "", variant: str = "") -> Imported | Refusal:
    """The same as `read`, without an error: for processes that are ended at a limit."""
    try:
        return read(content, name, slug, variant)
    except DesignError as error:
        return Refusal(error.message, error.problems)


def _text(content: bytes, name: str) -> str:
    encoding = _BOMS.get(content[:2], "utf-8-sig")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        message = f"{name} is not text in UTF-8. Save it as UTF-8, or export it as plain SQL."
        raise DesignError("no-text", message) from None
    if "\0" in text:
        raise DesignError("no-text", f"{name} is not text. Export it as plain SQL.")
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
    known = ", ".join(importer.label for importer in every)
    raise DesignError(
        "unknown-format", f"{name} is not one of the formats that Keywright reads: {known}."
    )
