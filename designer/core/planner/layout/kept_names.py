"""What earlier plans named, read against the structures of this one.

A recorded key fits a structure where it is the same but for what the layout decides: the token that a sort key begins
with, and the entity that a partition key may begin with. Whatever fits nothing says nothing.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from designer.core.design.names import NamedIndex, NamedKey, StyleNames

TOKEN, MARK = "\ue000", "\ue001"
"""They stand for what is sought, in the key of a structure."""
Places = Mapping[str, "KeptKey"]
"""By the shape of the items, what the layout decided of a key."""

_ORDER = r"(?:[#~]|#?[0-9A-Za-z]{1,40}#)?"
"""What may stand before the token of an item type, so that it sorts where it should."""
_ENTITY = re.compile(r"(?:[A-Za-z0-9_.-]{1,40}#)?")


@dataclass(frozen=True)
class KeptKey:
    """What the layout decided of a key of a shared table."""

    token: str | None = None
    """What its sort key starts with; None where nothing is left open, as where it is pinned."""
    mark: str = ""
    """The token of an entity before the partition key, without the delimiter."""


def kept_key(recorded: NamedKey, written: NamedKey, plain: tuple[str, ...]) -> KeptKey | None:
    """What a recorded key says where one is written so, with TOKEN and MARK in it; None where it is another key.

    `plain`: the tokens that the item type may have.
    """
    if len(recorded.sort) != len(written.sort) or len(recorded.partition) != len(written.partition):
        return None
    token: str | None = None
    mark = ""
    for was, now in zip(recorded.partition, written.partition, strict=True):
        found = _between(was, now, f"{MARK}#")
        if found is None or not _ENTITY.fullmatch(found):
            return None
        mark = found[:-1] or mark
    for was, now in zip(recorded.sort, written.sort, strict=True):
        found = _between(was, now, TOKEN)
        if found is None:
            return None
        if TOKEN in now:
            if not any(re.fullmatch(_ORDER + re.escape(text), found) for text in plain):
                return None
            token = found
    return KeptKey(token, mark)


def _between(recorded: str, written: str, sign: str) -> str | None:
    """What stands in a recorded text where a sign stands in the written one; None where they differ besides."""
    if sign not in written:
        return "" if recorded == written else None
    before, after = written.split(sign, 1)
    fits = recorded.startswith(before) and recorded[len(before) :].endswith(after)
    return recorded[len(before) : len(recorded) - len(after)] if fits else None


@dataclass(frozen=True)
class Fit:
    """A recorded index that fits some structures, with what it says of each, by entity."""

    index: NamedIndex
    keys: Places


def fits(
    names: StyleNames, written: Mapping[str, tuple[NamedKey, tuple[str, ...]]], local: bool = False
) -> Iterator[Fit]:
    """The recorded indexes that all of some entities' keys, as they are written now, are in; those that they were in
    last come first.
    """
    for was in (False, True):
        for index in names.indexes:
            members = index.was if was else index.of
            if index.local != local or not written.keys() <= members.keys():
                continue
            keys = {
                name: kept_key(members[name], now, plain) for name, (now, plain) in written.items()
            }
            found = {name: key for name, key in keys.items() if key is not None}
            if len(found) == len(keys):
                yield Fit(index, found)
