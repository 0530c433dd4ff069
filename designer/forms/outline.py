"""Forms that read lists and lines of text: a whole model, and the attributes of an entity."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.load import plain
from designer.core.edits.entities import same_entity
from designer.core.errors import DesignError, Problem
from designer.core.messages import Message, say
from designer.core.outline import (
    Entry,
    Outline,
    add_attributes,
    add_outline,
    read_attributes,
    read_outline,
)
from designer.core.sentences.attribute_types import kind_in_words
from designer.core.words.english import joined
from designer.forms.base import Form, InvalidError, in_its_line
from designer.forms.bound import Section
from designer.forms.fields import Area, Field, FieldError, Raw
from designer.forms.once import Once

EXAMPLE = "name, city, stars 1-5, price 2 decimals, createdAt datetime"
WORDS = (
    "Names, separated by commas. After a name you can write a type (uuid, date, integer), a range (1-5),"
    " values (FREE|HELD), a largest size (up to 500 bytes), “unique”, or “changes” (its value can change)."
)


@dataclass(frozen=True)
class AttributeList(Area):
    """Attributes in words; their values are what the document holds of each."""

    def raw(self, value: Any) -> Raw:
        return ""

    def value(self, raw: Raw) -> Any:
        entries, problems = read_attributes(raw)
        if problems:
            raise FieldError(say("problems-of-lines", problems=tuple(map(said, problems))))
        return tuple(plain(each.attribute) for each in entries) or None


def said(problem: Problem) -> Message:
    """A problem with its line, where it is not the first."""
    return problem.reason if problem.line == 1 else in_its_line(problem)


@dataclass(frozen=True)
class UnderstoodLine:
    """One attribute as it was read: its name, its kind in words, and whether that is a guess."""

    name: str
    kind: str
    guessed: bool
    identifies: bool = False


@dataclass(frozen=True)
class Understood:
    """What was read of one entity. `name`: empty where the list belongs to the form's entity."""

    name: str
    lines: tuple[UnderstoodLine, ...]
    guessed: bool = False
    """What identifies it is a guess."""
    meanings: tuple[tuple[str, str], ...] = ()
    """Sentences with what each means, where it was a list of sentences."""


def understood_lines(
    entries: tuple[Entry, ...] | list[Entry], identifier: tuple[str, ...] = ()
) -> tuple[UnderstoodLine, ...]:
    return tuple(
        UnderstoodLine(
            each.attribute.name,
            kind_in_words(each.attribute),
            each.guessed,
            each.attribute.name in identifier,
        )
        for each in entries
    )


def outline_of(lines: str, design: Design) -> Outline:
    return read_outline(lines, design.entities)


class OutlineForm(Form):
    """A model as lines of text, added to a design."""

    key = "outline"
    previews_faults = True

    def sections(self, raw: Mapping[str, Raw]) -> tuple[Section, ...]:
        lines = Area(
            name="lines",
            label="Entities and relationships",
            placeholder="Hotel: hotelId uuid, name, city, stars 1-5\n"
            "Room: hotelId, roomNo, kind SINGLE|DOUBLE\nHotel 1-N Room",
            hint="A line for each entity with its attributes, and one for each relationship: Hotel 1-N Room,"
            " Guest N-M Hotel through Stay. After an attribute you can write uuid, date, integer, 1-5, FREE|HELD,"
            " up to 500 bytes, “unique”, “key” (part of the identifier) or “changes” (its value can change).",
            required=True,
        )
        return (Section("Model", (lines,)),)

    @property
    def note(self) -> str:
        outline = self._read(str(self.raw["lines"]), self.design)
        names = [each.name for each in outline.entities if each.name not in self.design.entity]
        added = [
            f"{each.name}.{entry.attribute.name}"
            for each in outline.entities
            if (known := self.design.entity.get(each.name)) is not None
            for entry in each.entries
            if entry.attribute.name not in known.by_name
        ]
        parts = names if len(names) <= 3 else [f"{len(names)} entities"]
        parts += added if len(added) <= 3 else [f"{len(added)} attributes"]
        count = len(outline.relationships)
        if count:
            parts = [*parts, f"{count} relationships" if count > 1 else "a relationship"]
        return f"Add {joined(parts or [each.name for each in outline.entities])}"

    def apply(self, design: Design) -> Design:
        self.design = design
        lines = str(self.changes()["lines"])
        try:
            return add_outline(design, self._read(lines, design))
        except DesignError as error:
            self.fail_all(("lines",), map(in_its_line, error.problems))
            raise InvalidError from error

    @cached_property
    def _read(self) -> Once[Outline]:
        return Once(outline_of)

    @property
    def understood(self) -> tuple[Understood, ...]:
        outline = self._read(str(self.raw["lines"]), self.design)
        return tuple(
            Understood(
                each.name,
                understood_lines(each.entries, each.identifier),
                each.identifier_guessed,
            )
            for each in outline.entities
        )


class AttributesForm(Form):
    """Several attributes of an entity, in one list."""

    key = "attributes"

    def __init__(self, design: Design, entity: Entity, *given: Any, **start: Raw) -> None:
        self.entity = entity
        super().__init__(design, *given, **start)

    def sections(self, raw: Mapping[str, Raw]) -> tuple[Section, ...]:
        return (Section("Attributes", (attribute_list(required=True),)),)

    @property
    def note(self) -> str:
        names = [f"{self.entity.name}.{each.attribute.name}" for each in self._entries()]
        if len(names) <= 3:
            return f"Add {'attribute' if len(names) == 1 else 'attributes'} {joined(names)}"
        return f"Add {len(names)} attributes to {self.entity.name}"

    def apply(self, design: Design) -> Design:
        self.entity = same_entity(design, self.entity)
        self.design = design
        self.changes()
        return add_attributes(design, self.entity.name, self._entries())

    def _entries(self) -> list[Entry]:
        return read_attributes(str(self.raw["listed"]))[0]

    @property
    def understood(self) -> tuple[Understood, ...]:
        return understood_list(self.raw)


def attribute_list(required: bool = False) -> Field:
    # A form whose field is called "attributes" hides its own attributes from every script that reads them.
    return AttributeList(
        name="listed", label="Attributes", placeholder=EXAMPLE, hint=WORDS, required=required
    )


def understood_list(raw: Mapping[str, Raw]) -> tuple[Understood, ...]:
    """What was read of the list in a form of one entity; nothing where it is empty."""
    lines = understood_lines(read_attributes(str(raw.get("listed") or ""))[0])
    return (Understood("", lines),) if lines else ()
