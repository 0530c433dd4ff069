"""What a criterion between the styles is, and what those about needs share."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from designer.core.comparison.side import Side
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Needs
from designer.core.plan import Style
from designer.core.planner.model.wording import sentence
from designer.core.rational import Fraction
from designer.core.words.english import numbered, spoken

Scores = Mapping[Style, Fraction]
Sides = tuple[Side, ...]
MOST_NAMED = 6
"""Patterns that are named where there are many."""


@dataclass(frozen=True)
class Supposition:
    """The design as it would be if something else were stated."""

    words: str
    """`pattern 3 were asked 40 times a second`: what follows "if"."""
    design: Design


@dataclass(frozen=True)
class Answer:
    """What a design says on a criterion, and for which styles that speaks."""

    says: str
    """Sentences."""
    scores: Scores = field(default_factory=dict)
    """How ill each style does; the smaller the better. Empty where it is no matter of the style."""
    margin: Fraction = Fraction(0)
    """A score no more than this share above the best is as good,"""
    least: Fraction = Fraction(0)
    """and so is one that is less than this above it."""
    because: str = ""
    """What of the criterion speaks, where it is about several things: `hot keys`."""
    better: str = ""
    """What is then true of a style that it favours: `fewer keys are hot`."""
    is_stated: bool = True
    """False where the design does not say what the criterion asks for."""

    @property
    def favours(self) -> tuple[Style, ...]:
        """The styles that it speaks for; none where it tells none apart."""
        kept = self.best_of(tuple(self.scores))
        return kept if len(kept) < len(self.scores) else ()

    def best_of(self, styles: tuple[Style, ...]) -> tuple[Style, ...]:
        """Of some styles the best by this criterion."""
        if not self.scores or not styles:
            return styles
        best = min(self.scores[style] for style in styles)
        within = best * (1 + self.margin)
        return tuple(
            style
            for style in styles
            if self.scores[style] <= within or self.scores[style] - best < self.least
        )


class Criterion(ABC):
    """A criterion between the styles, as far as a design decides it."""

    slug: ClassVar[str]
    title: ClassVar[str]
    by: ClassVar[str] = ""
    """What follows "ruled out because of", where that is not the title."""
    chosen: ClassVar[str] = ""
    """Of a criterion that only decides where no other does: what is chosen by it."""
    better: ClassVar[str] = ""
    """What is true of a style that it favours: `the cost is lower`, `{fewer} entities share a table`; `fewer` is "no"
    where its score is 0."""
    rank: ClassVar[int]
    """The smaller, the sooner it decides."""
    objective: ClassVar[str] = ""
    """The planner's objective that makes it decide before what things cost."""

    @abstractmethod
    def answer(self, design: Design, sides: Sides) -> Answer:
        """What the design says, from what is stated and from its plans."""

    def suppositions(self, design: Design, sides: Sides) -> Iterator[Supposition]:
        """What may be tried: would the recommendation be another if this were stated otherwise?"""
        yield from ()


class Need(Criterion):
    """Something that entities ask of their table. Two that ask otherwise are better apart: a table has one of it."""

    fields: ClassVar[tuple[str, ...]]
    """Of `Needs`."""
    without: ClassVar[str]
    """What is said where no entity states it."""
    nothing: ClassVar[str]
    """That none asked it, as what follows "if"."""
    otherwise: ClassVar[tuple[str, Mapping[str, object]]]
    """What an entity might ask: in words after its name, and as needs."""

    @abstractmethod
    def asked(self, design: Design, entity: Entity, needs: Needs) -> str:
        """What an entity states, in words; empty for nothing."""

    @abstractmethod
    def default(self, design: Design) -> str:
        """What an entity has that states nothing, where others do."""

    def stated(self, design: Design, sides: Sides) -> dict[str, str]:
        """What each entity asks, in words; empty for nothing."""
        return {one.name: self.asked(design, one, one.needs or Needs()) for one in design.entities}

    def answer(self, design: Design, sides: Sides) -> Answer:
        stated = self.stated(design, sides)
        if not any(stated.values()):
            return Answer(self.without, is_stated=False)
        default = self.default(design)
        asked = {name: words or default for name, words in stated.items()}
        by: dict[str, list[str]] = {}
        for name, words in asked.items():
            by.setdefault(words, []).append(name)
        says = [
            f"{'all others' if words == default and len(names) > 2 else spoken(tuple(names))}: {words}"
            for words, names in sorted(by.items(), key=lambda one: one[0] == default)
        ]
        differing = {side.style: list(_differing(asked, side)) for side in sides}
        scores = {style: Fraction(sum(map(len, groups))) for style, groups in differing.items()}
        return Answer(f"{sentence('; '.join(says))}. {_share(sides, differing)}", scores)

    def suppositions(self, design: Design, sides: Sides) -> Iterator[Supposition]:
        """That none asked for it, where some table is shared by those that differ; else that the largest did."""
        if any(self.answer(design, sides).scores.values()):
            nothing = {name: Needs.model_fields[name].default for name in self.fields}
            yield Supposition(self.nothing, _asking(design, design.entity, nothing))
            return
        shared = [group for side in sides for group in side.sharing]
        if shared:
            fullest = max(shared, key=len)
            largest = max(fullest, key=lambda name: design.entity[name].items or 0)
            words, needs = self.otherwise
            yield Supposition(f"{largest} {words}", _asking(design, (largest,), needs))


def _differing(asked: Mapping[str, str], side: Side) -> Iterator[tuple[str, ...]]:
    """The entities of each table whose entities do not ask alike."""
    for entities in side.together.values():
        if len({asked[name] for name in entities}) > 1:
            yield entities


def _share(sides: Sides, differing: Mapping[Style, list[tuple[str, ...]]]) -> str:
    alike: dict[str, list[Side]] = {}
    for side in sides:
        if found := differing[side.style]:
            alike.setdefault(_sharing(tuple(map(len, found))), []).append(side)
    said = [
        f"in {'every style' if of == [*sides] else _in_words(of)}, {sharing}"
        for sharing, of in alike.items()
    ]
    return (
        f"{sentence('; '.join(said))}."
        if said
        else "No table is shared by entities whose needs differ."
    )


def _in_words(sides: Sequence[Side]) -> str:
    """`the single-table style`, `the single-table and grouped styles`"""
    if len(sides) == 1:
        return sides[0].words
    words = [side.words.removeprefix("the ").removesuffix(" style") for side in sides]
    return f"the {spoken(tuple(words))} styles"


def _sharing(sizes: tuple[int, ...]) -> str:
    several = "a table" if len(sizes) == 1 else "tables"
    return f"{spoken(tuple(map(str, sizes)))} entities whose needs differ share {several}"


def _asking(design: Design, names: Iterable[str], needs: Mapping[str, object]) -> Design:
    """The design with some entities asking otherwise."""
    changed = {
        name: (design.entity[name].needs or Needs()).model_copy(update=needs) for name in names
    }
    entities = tuple(
        entity.model_copy(update={"needs": changed.get(entity.name, entity.needs)})
        for entity in design.entities
    )
    return design.model_copy(update={"entities": entities})


def by_style(sides: Sides, words: Mapping[Style, str]) -> str:
    """`single table 4, multi table 7`: what differs from style to style."""
    return ", ".join(f"{side.label.lower()} {words[side.style]}" for side in sides)


def listed(numbers: Iterable[int]) -> str:
    """Access patterns in a sentence, by their numbers; of many the first.

    >>> listed((3, 4)), listed(range(1, 12))
    ('patterns 3 and 4', '11 access patterns (1, 2, 3, 4, 5, 6 and 5 others)')
    >>> listed(range(1, 8))
    'patterns 1, 2, 3, 4, 5, 6 and 7'
    """
    found = tuple(numbers)
    others = len(found) - MOST_NAMED
    if others > 1:  # A single one takes no more words with its number.
        named = ", ".join(map(str, found[:MOST_NAMED]))
        return f"{len(found)} access patterns ({named} and {others} others)"
    return numbered(found).lower()
