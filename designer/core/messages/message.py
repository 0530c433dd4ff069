"""A sentence, or a part of one, as data."""

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from designer.core.frozen import Frozen


class KeyWords(Frozen):
    """A key to be described: `an index by userId, then placedAt`."""

    kind: Literal["base", "index", "local", "copy"] = "index"
    """`base`: the table's own key; `local`: a local index; `copy`: the key of a copy of the items."""
    partition: tuple[str, ...] = ()
    """Attributes. If empty, all items share one partition key."""
    shards: int = 1
    """The number of shards. 0: over shards, but their number is not said."""
    sort: tuple[str, ...] = ()
    inverse: tuple[str, ...] = ()
    """Attributes of the sort key that are stored inverted."""
    own: bool = False
    """Whether each part is an attribute of its own."""
    bare: bool = False
    """Whether the identifier is left out."""
    only: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """If only some items are in the index: attributes, each with the values that these items have."""


class Message(Frozen):
    """What is said: the id of a sentence or of a part of one, and the values that its words need."""

    id: str
    values: dict[str, "Value"] = Field(default_factory=dict)
    """By name: numbers, names, keys, other messages, or lists of these."""

    def parts(self) -> Iterator["Message"]:
        """The message, and the messages among its values, and among theirs."""
        yield self
        for value in self.values.values():
            for one in value if isinstance(value, tuple) else (value,):
                if isinstance(one, Message):
                    yield from one.parts()

    def __hash__(self) -> int:
        return hash((self.id, tuple(self.values.items())))


Item = int | float | str | Message | KeyWords
Value = Item | tuple[Item, ...] | tuple[tuple[str, str], ...]
"""A value of a message. Pairs are key attributes, each with its template."""

Message.model_rebuild()


def say(id: str, /, **values: Value) -> Message:
    """A message with these values."""
    return Message(id=id, values=values)
