"""Which part of one design is which part of another."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from designer.core.design.document import Design


class Known(Protocol):
    """A part with an id that survives renaming."""

    @property
    def id(self) -> str | None: ...


Part = TypeVar("Part", bound=Known)


@dataclass(frozen=True)
class Pairs:
    """Places in two lists that hold the same part."""

    both: tuple[tuple[int, int], ...]
    """In the order of the second list."""
    gone: tuple[int, ...]
    come: tuple[int, ...]


def paired(before: Iterable[Part], after: Iterable[Part], named: str = "name") -> Pairs:
    """Parts of one id are the same. Of the others those of one name are: what was made anew is there again."""
    old, new = list(before), list(after)
    both: dict[int, int] = {}
    taken: set[int] = set()
    for known_by in ("id", named):
        there: dict[object, int] = {}
        for at, part in enumerate(old):
            if at not in taken:
                there.setdefault(getattr(part, known_by), at)
        for at, part in enumerate(new):
            value = getattr(part, known_by)
            if at not in both and value is not None and value in there:
                both[at] = there.pop(value)
                taken.add(both[at])
    return Pairs(
        tuple((both[at], at) for at in sorted(both)),
        tuple(at for at in range(len(old)) if at not in taken),
        tuple(at for at in range(len(new)) if at not in both),
    )


@dataclass(frozen=True)
class Names:
    """What parts of one design are called in another, for those that have another name there."""

    entities: Mapping[str, str] = field(default_factory=dict)
    attributes: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """By entity and attribute, as they are called in the first."""
    relationships: Mapping[str, str] = field(default_factory=dict)
    patterns: Mapping[int, int] = field(default_factory=dict)
    """Numbers."""

    def __bool__(self) -> bool:
        return bool(self.entities or self.attributes or self.relationships)

    def entity(self, name: str) -> str:
        return self.entities.get(name, name)

    def attribute(self, entity: str, name: str) -> str:
        return self.attributes.get((entity, name), name)

    def pattern(self, number: int) -> int:
        return self.patterns.get(number, number)


def names(before: Design, after: Design) -> Names:
    """How the second design calls what the first one has."""
    entities: dict[str, str] = {}
    attributes: dict[tuple[str, str], str] = {}
    for i, j in paired(before.entities, after.entities).both:
        old, new = before.entities[i], after.entities[j]
        entities[old.name] = new.name
        for k, m in paired(old.attributes, new.attributes).both:
            attributes[old.name, old.attributes[k].name] = new.attributes[m].name
    relationships = {
        before.relationships[i].name: after.relationships[j].name
        for i, j in paired(before.relationships, after.relationships).both
    }
    patterns = {
        before.patterns[i].number: after.patterns[j].number
        for i, j in paired(before.patterns, after.patterns, "number").both
    }
    return Names(
        {old: new for old, new in entities.items() if old != new},
        {old: new for old, new in attributes.items() if old[1] != new},
        {old: new for old, new in relationships.items() if old != new},
        {old: new for old, new in patterns.items() if old != new},
    )
