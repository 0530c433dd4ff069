"""Hashes of designs and plans, each made once while its design is in use."""

import hashlib
import pickle
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel

from designer.core.design.document import Design

Found = TypeVar("Found")
Model = TypeVar("Model", bound=BaseModel)


def digest(design: Design) -> str:
    """The hash of all that stands in a design, the order of its lists included: it decides between plans that are
    equally good. Where boxes stand in the diagram is no part of it: whoever moves one waits for no plan."""
    return once(_digests, design, _digest)


def _digest(design: Design) -> str:
    without = {"entities": {"__all__": {"drawn_at"}}}
    return hashlib.sha256(design.model_dump_json(exclude=without).encode()).hexdigest()


Made = dict[int, tuple["weakref.ref[Any]", Found]]
_digests: Made[str] = {}
"""Of the designs that are in use: a request asks for the same one a dozen times."""
_packed: Made[bytes] = {}
"""Designs and plans as children get them: pages ask for what follows from the same ones again and again."""
_packed_hashes: Made[str] = {}


def once(known: Made[Found], of: Model, make: Callable[[Model], Found]) -> Found:
    """What follows from something that never changes, made once while it is in use."""
    at = id(of)
    seen = known.get(at)
    if seen is not None and seen[0]() is of:
        return seen[1]
    made = make(of)
    known[at] = weakref.ref(of, lambda _: known.pop(at, None)), made
    return made


def hash_of(of: object) -> str:
    return hashlib.sha256(pickle.dumps(of, pickle.HIGHEST_PROTOCOL)).hexdigest()


def packed(of: BaseModel) -> bytes:
    """A design or a plan pickled, once while it is in use."""
    return once(_packed, of, lambda model: pickle.dumps(model, pickle.HIGHEST_PROTOCOL))


def _hash_packed(of: BaseModel) -> str:
    return hashlib.sha256(packed(of)).hexdigest()


def standing_for(argument: object) -> object:
    """What stands for an argument in a key: for designs and plans, which are large, their hash."""
    if isinstance(argument, BaseModel):
        return once(_packed_hashes, argument, _hash_packed)
    if isinstance(argument, tuple):
        return tuple(map(standing_for, argument))
    if isinstance(argument, dict):
        return {name: standing_for(value) for name, value in argument.items()}
    return argument
