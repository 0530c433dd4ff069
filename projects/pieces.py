"""What can be worked out from a design: a kind of work, and a piece of it that somebody asks for."""

import hashlib
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter

from designer.core.design.document import Design
from projects import pool
from projects.shares import Share

SMALL = 300
"""Entities and patterns together, for each of its plans, of a design that is small: about a second."""

Found = TypeVar("Found")


@dataclass(frozen=True)
class Work(Generic[Found]):
    """One kind of thing to work out from a design, as a worker knows it by its name."""

    name: str
    version: str
    """Another version does not look at what was kept of the one before."""
    do: Callable[..., Found]
    """A function of a module of the core: of a design, and the arguments of what is asked."""
    kind: TypeAdapter[Found]
    """What a result is: how it becomes text and comes back."""
    plans: int = 1
    """How many plans it takes, roughly."""

    def __post_init__(self) -> None:
        KINDS[self.name] = self

    def of(self, *args: str) -> "Piece[Found]":
        return Piece(self, args)


KINDS: dict[str, Work[Any]] = {}
"""Every kind of work by its name."""


@dataclass(frozen=True)
class Piece(Generic[Found]):
    """A kind of work with its arguments: the plan of the style "single"."""

    work: Work[Found]
    args: tuple[str, ...]

    def key(self, digest: str) -> str:
        """What its result is kept under, of the design of this digest. What was typed may be long, so it is hashed."""
        said = hashlib.sha256(repr(self.args).encode()).hexdigest()[:16]
        return f"{self.work.name} {self.work.version} {said}:{digest}"

    def is_small(self, design: Design) -> bool:
        """Whether it should take no longer than somebody waits for it. Each pin is priced against a plan without it."""
        plans = self.work.plans * (1 + len(design.planner.pins))
        return (len(design.entities) + len(design.patterns)) * plans <= SMALL

    def do(self, design: Design) -> Found:
        return self.work.do(design, *self.args)

    def write(self, found: Found) -> bytes:
        return zlib.compress(self.work.kind.dump_json(found))

    def read(self, result: bytes) -> Found:
        return self.work.kind.validate_json(zlib.decompress(result))


@dataclass(eq=False)
class FailedError(Exception):
    """There is no result, and asking again gives none."""

    reason: pool.Reason | None = None
    """The limit at which it was ended; None where it failed, which is our mistake, and logged."""
    seconds: int = 0
    """The processor time that it had."""


@dataclass(frozen=True)
class Asker:
    """For whom something is worked out."""

    share: Share
    about: str
    """What it is about: of a draft, of one look at it. Waiting work is overtaken by newer work about the same."""
