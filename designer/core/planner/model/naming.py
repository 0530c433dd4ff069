"""How tables and indexes are called where nobody says otherwise."""

import re
from collections.abc import Collection
from itertools import chain, count

from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.shard_attributes import is_shard
from designer.core.planner.model.structures import Structure
from designer.core.planner.model.wording import FEW_VALUES, capital, plural
from designer.core.words.lacking import lacking


def free_name(wanted: str, taken: Collection[str]) -> str:
    """The name as wanted, or with the first number from 2 on with which nothing else has it."""
    names = chain([wanted], (f"{wanted}{number}" for number in count(2)))
    return next(name for name in names if name not in taken)


def table_name(prefix: str, name: str) -> str:
    full = re.sub(r"[^a-zA-Z0-9_.-]+", "-", f"{prefix}{name}").strip("-")[:255]
    return full if len(full) >= 3 else f"{full}-table"


def shared_name(prefix: str, design: str) -> str:
    """What the table of all entities is called: with a prefix, the design need not be named."""
    return table_name(prefix, "app" if prefix else design)


def natural_name(model: EntityModel, structure: Structure) -> str:
    limited = dict(structure.only)
    bare = [
        re.sub(r"(?<=[a-z0-9])_?[Ii]d$", "", n)
        for n in structure.partition
        if n not in limited and not is_shard(n)
    ]
    values = "".join(_one_of(model, name, of) for name, of in limited.items())
    lacks = [capital(one) for n in structure.attributes if (one := lacking(n)) is not None]
    without = f"Without{'And'.join(lacks)}" if lacks else ""
    name = f"{values}{plural(model.name)}{without}"
    if structure.kind == "local":  # the table's own partition key goes without saying
        bare = []
    by = bare or ([] if limited or lacks else list(structure.sort[:1]))
    return name + ("By" + "And".join(capital(part) for part in by) if by else "")


def _one_of(model: EntityModel, name: str, values: tuple[str, ...]) -> str:
    """What a sparse index's values make of its items: `NewOrOpen`; of many, the first few."""
    few = [*values[:FEW_VALUES], *["Other"] * (len(values) > FEW_VALUES)]
    if model.attribute(name).type == "N":
        return capital(name) + "Or".join(few)
    return "Or".join(_said(name, value) for value in few)


def _said(name: str, value: str) -> str:
    """What an attribute's value makes of an item, in its index's name: `Open`; of a `no` alone nobody knows to what."""
    word = value.lower()
    if word in ("yes", "true", "y", "1"):
        return capital(name)
    return f"Not{capital(name)}" if word in ("no", "false", "n", "0") else capital(word)
