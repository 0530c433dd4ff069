"""Attributes that the planner makes up for keys, named as key templates write them: `shard(8, orderId)`.

They are worked out from an attribute of the item, as the derived attributes of a design are, so whoever names an
item's identifier knows them.
"""

import re

from designer.core.design.attributes import Attribute


class Spread(Attribute):
    """What divides what goes to one value of a key evenly among several partitions: the number of one of them."""

    @property
    def count(self) -> int:
        """How many partitions there are."""
        return self.distinct or 1


class Shard(Spread):
    """Which of several partitions an item lies in, by an attribute of its identifier that every item differs in."""

    derived: str | None = None

    @property
    def source(self) -> tuple[str, str]:
        return "shard", self.name.rpartition(" ")[2].rstrip(")")


def shard(count: int, attribute: str) -> str:
    """The name of an item's shard of so many."""
    return f"shard({count}, {attribute})"


def is_shard(name: str) -> bool:
    """Whether a name in a key is that of a shard."""
    return name.startswith("shard(")


def made(name: str) -> Attribute:
    """The attribute that a name stands for; KeyError for what was never made."""
    match = re.fullmatch(r"shard\((\d+), [^)]+\)", name)
    if match is None:
        raise KeyError(name)
    count = int(match[1])
    return Shard.model_construct(
        name=name, derived=name, distinct=count, bytes=float(len(str(count - 1)))
    )
