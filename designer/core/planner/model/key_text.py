"""What keys say: the text and the attributes of each key attribute, and how it is called, where nothing is pinned.

The layout writes templates from it, and prices count its bytes, so that a key is priced as it is written. Only what
stands before a sort key's token where several item types of a collection need an order of their own is not known
before all of them are chosen; a byte or two of it is not in the price.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from designer.core.plan import keys
from designer.core.planner.model.absence import word
from designer.core.planner.model.entity_facts import cached
from designer.core.planner.model.keyed_entity import KeyedEntity
from designer.core.planner.model.shard_attributes import is_shard
from designer.core.planner.model.structures import Pieces, Structure
from designer.core.planner.model.wording import FEW_VALUES, capital, plural

SELF = "A"
"""The sort key of an item that owns its collection: it sorts before every collection member's token."""


@cached
def root_of(model: KeyedEntity, name: str) -> tuple[str, str]:
    """Where the values of an attribute come from: (entity, attribute), following references to their end."""
    entity, attribute = model.design.origin(model.entity, model.attribute(name))
    return entity.name, attribute.name


@cached
def label_of(model: KeyedEntity, name: str) -> str:
    """The token before a value in a partition key: USER for userId, STATUS for status."""
    if is_shard(name):
        return "SHARD"
    entity, attribute = root_of(model, name)
    target = model.design.entity[entity]
    if target.identifier == (attribute,):
        return target.token
    bare = re.sub(r"(?<=[a-z0-9])_?[Ii]d$", "", attribute)
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", bare).upper() or attribute.upper()


def owns_collection(model: KeyedEntity, structure: Structure) -> bool:
    """Whether an item type owns its collection: the partition key is its own identifier and there is nothing more."""
    return (
        not structure.sort
        and all(root_of(model, name) == (model.name, name) for name in structure.partition)
        and set(structure.partition) == set(model.entity.identifier)
    )


# Keys that several entities share


def shared_partition(model: KeyedEntity, structure: Structure) -> Pieces:
    """The partition key as it is written in a shared table: as pinned, as others in it have theirs, or as ours."""
    text = model.pinned_text(structure, structure.partition)
    if text is not None:
        return text.pieces
    if structure.kind in ("base", "copy") and model.pins is not None:
        mine = {"/".join(root_of(model, name)): name for name in structure.partition}
        for pieces in model.pins.beside:
            roots = [value for kind, value in pieces if kind == "attribute"]
            if sorted(roots) == sorted(mine):
                return tuple((kind, mine.get(value, value)) for kind, value in pieces)
    return own_partition(model, structure)


def own_partition(model: KeyedEntity, structure: Structure) -> Pieces:
    """The partition key as the planner writes it in a shared table."""
    pieces: list[tuple[str, str]] = []
    if all(is_shard(name) for name in structure.partition):
        pieces.append(("text", model.entity.token))
    for attribute in structure.partition:
        pieces.append(("text", f"{'#' if pieces else ''}{label_of(model, attribute)}#"))
        pieces.append(("attribute", attribute))
    if structure.own and structure.partition:
        # A native sort key cannot keep the entities of a slot apart, so the partition key does.
        pieces.insert(0, ("text", f"{model.entity.token}#"))
    return tuple(pieces)


def sort_token(model: KeyedEntity, structure: Structure) -> str:
    """What a sort key starts with, where the items of a collection need no order of their own."""
    if owns_collection(model, structure):
        return SELF
    text = model.entity.token + ("#" if model.sorted_by(structure) else "")
    return f"BY_{text}" if structure.kind == "copy" else text


def shared_sort(model: KeyedEntity, structure: Structure, token: str) -> Pieces:
    """The sort key in a shared table: as pinned, or the token, then what it sorts by."""
    text = model.pinned_text(structure, structure.sort)
    if text is not None:
        return text.pieces
    return (("text", token), *_listed(model, structure, model.sorted_by(structure)))


def shared_names(index: str, natural: bool) -> tuple[str, str]:
    """How the key attributes (partition, sort) that several entities share are called; the table's for no index."""
    if not natural:
        return f"{index}PK", f"{index}SK"
    names = "partitionKey", "sortKey"
    return (
        (f"{index.lower()}{capital(names[0])}", f"{index.lower()}{capital(names[1])}")
        if index
        else names
    )


# Keys of one entity


def own_text(model: KeyedEntity, structure: Structure, part: tuple[str, ...]) -> Pieces:
    """A composed key attribute in a table of one entity: as pinned, or the values of its attributes."""
    text = model.pinned_text(structure, part)
    if text is not None:
        return text.pieces
    token = (("text", model.entity.token),) if all(map(is_shard, part)) else ()
    joined = (("text", "#"),) if token and part else ()
    return (*token, *joined, *_listed(model, structure, part))


def own_name(model: KeyedEntity, structure: Structure, part: tuple[str, ...]) -> str:
    """How a composed key attribute of one entity is called, after what is in it."""
    only = dict(structure.only)
    if any(is_shard(name) for name in part):
        rest = tuple(n for n in part if not is_shard(n))
        return f"{own_name(model, structure, rest).removesuffix('_key')}_shard"
    if not part:
        return _of_all(model, structure)
    if len(part) == 1 and model.attribute(part[0]).derived:
        return word(part[0])
    words = [
        "_".join(
            [word(n), *(re.sub("[^A-Za-z0-9]+", "", one) for one in only.get(n, ())[:FEW_VALUES])]
        )
        for n in part
    ]
    words = [
        f"{w}_inverse" if n in structure.inverse else w for n, w in zip(part, words, strict=True)
    ]
    return "_".join(words) + ("_key" if len(part) == 1 else "")


def _of_all(model: KeyedEntity, structure: Structure) -> str:
    """What is called the one value of a key: `allUsers`, or of a sparse index `withPremiumSince`.

    Each entry holds the name, so it is short.
    """
    sparse = model.sparse_by(structure)
    if not sparse:
        return f"all{plural(model.name)}"
    only = dict(structure.only)
    words = [
        capital(word(n)) + "Or".join(map(capital, only.get(n, ())[:FEW_VALUES])) for n in sparse
    ]
    return f"with{'And'.join(words)}"


def _listed(model: KeyedEntity, structure: Structure, names: tuple[str, ...]) -> Pieces:
    """Values one after the other; a delimiter ends the last one where ranges of it are read from a sort key."""
    pieces: list[tuple[str, str]] = []
    for name in names:
        pieces += [("text", "#")] * bool(pieces)
        pieces.append(("inverse" if name in structure.inverse else "attribute", name))
    ranged = names and names[-1] in model.ranged and names[-1] not in structure.partition
    return (*pieces, *[("text", "#")] * bool(ranged))


def spelled(model: KeyedEntity, structure: Structure, pieces: Pieces) -> frozenset[str]:
    """The parts of the identifier that can be read back from a key: texts written whole, each up to a delimiter.

    Not what else is in keys: then attributes would be put into keys only to be spelled there.
    """
    found = set()
    for (kind, value), (after, text) in zip(pieces, (*pieces[1:], ("text", "#")), strict=True):
        if kind == "text":
            continue
        if after != "text" or not text.startswith("#"):
            return frozenset()
        is_whole = kind == "attribute" and value not in dict(structure.only)
        if is_whole and value in model.entity.identifier and model.attribute(value).type == "S":
            found.add(value)
    return frozenset(found)


# Two keys beside each other


def template_of(pieces: Pieces) -> str:
    """A key as a template, values as they are."""
    return "".join(value if kind == "text" else f"{{{value}}}" for kind, value in pieces)


def may_agree(one: str, other: str) -> bool:
    """Whether two templates can write the same text. No value has the delimiter in it, so they agree part by part.

    >>> may_agree("USER#{userId}", "{kind}#{id}"), may_agree("USER#{userId}", "ORDER#{orderId}")
    (True, False)
    >>> may_agree("USER#ID#{userId}", "USER#{pad(9, 0, userId)}#{line}")
    False
    """
    mine, theirs = _segments(one), _segments(other)
    if len(mine) != len(theirs):
        return False
    return all(a.may_be(b) for a, b in zip(mine, theirs, strict=True))


@dataclass(frozen=True)
class _Segment:
    """What stands between two delimiters: text, then a value or none."""

    text: str
    value: keys.Reference | keys.Form | None = None

    def may_be(self, other: "_Segment") -> bool:
        for one, against in ((self, other), (other, self)):
            if one.texts is not None:
                return any(re.fullmatch(against.pattern, text) for text in one.texts)
        if self.text == other.text and self.is_padded and other.is_padded:
            return self.pattern == other.pattern
        return self.text.startswith(other.text) or other.text.startswith(self.text)

    @property
    def is_padded(self) -> bool:
        """Whether the value is a number of fixed width."""
        return (
            isinstance(self.value, keys.Form)
            and self.value.form in ("pad", "inverse")
            and bool(self.value.numbers)
        )

    @property
    def texts(self) -> tuple[str, ...] | None:
        """All that it can be; None where that has no end."""
        value = self.value
        if value is None:
            return (self.text,)
        if isinstance(value, keys.Form) and value.form == "shard":
            return tuple(f"{self.text}{shard}" for shard in range(value.numbers[0]))
        if isinstance(value, keys.Form) and value.form == "only":
            return tuple(self.text + keys.escape(text) for text in value.texts)
        return None

    @property
    def pattern(self) -> str:
        """A regular expression of what it can be, and maybe more."""
        if self.value is None:
            return re.escape(self.text)
        if isinstance(self.value, keys.Form) and self.is_padded:
            digits, scale = self.value.numbers
            behind = rf"\.\d{{{scale}}}" if scale else ""
            return rf"{re.escape(self.text)}-?\d{{{digits - scale}}}{behind}"
        return f"{re.escape(self.text)}.*"


@lru_cache(maxsize=4096)
def _segments(template: str) -> tuple[_Segment, ...]:
    found = [_Segment("")]
    for part in keys.parse(template):
        last = found[-1]
        if isinstance(part, keys.Form) and part.form == "when":
            continue  # it writes nothing
        if not isinstance(part, str):
            # Two values with nothing between them could be anything.
            value = part if last.value is None else keys.Reference(part.name)
            found[-1] = replace(last, value=value)
            continue
        first, *rest = part.split(keys.DELIMITER)
        if last.value is None:
            found[-1] = _Segment(last.text + first)
        elif first:
            found[-1] = replace(last, value=keys.Reference(last.value.name))
        found += map(_Segment, rest)
    return tuple(found)


def partition_text(model: KeyedEntity, structure: Structure) -> Pieces | None:
    """The pieces of a partition key that differs from ours, with the entity's names left out; else None.

    Items lie together only where the whole texts agree.
    """
    pieces = shared_partition(model, structure)
    return None if pieces == own_partition(model, structure) else rooted(model, pieces)


def rooted(model: KeyedEntity, pieces: Pieces) -> Pieces:
    return tuple(
        (kind, "/".join(root_of(model, value)) if kind == "attribute" else value)
        for kind, value in pieces
    )
