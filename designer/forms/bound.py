"""The fields of a form with what stands in them, for the templates."""

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from designer.forms.fields import Choice, Choices, Field, Number, Raw, Ticks


@dataclass(frozen=True)
class Section:
    """Fields under one heading.

    Those of a folded section are shown on demand, or once they are filled in; those of an `aside`
    one on demand only.
    """

    title: str
    fields: tuple[Field, ...]
    folded: bool = False
    aside: bool = False


@dataclass
class Bound:
    """A field with what stands in it, for the templates."""

    field: Field
    html_name: str
    raw: Raw
    errors: list[str]
    rows: list["BoundRow"] = dataclasses.field(default_factory=list)
    fields: list["Bound"] = dataclasses.field(default_factory=list)
    assumed: str = ""
    """What is assumed while the field is blank, and what another value would change; empty where nothing is."""
    list_id: str = ""
    """The list of what it offers to whoever types; a choice that has one is typed, too."""
    listed: tuple[tuple[str, str], ...] = ()
    """That list, where no field before it draws it."""

    @property
    def widget(self) -> str:
        return self.field.widget

    @property
    def template(self) -> str:
        widget = "text" if self.list_id else self.widget
        return f"designer/partials/fields/_{widget}.html"

    @property
    def id(self) -> str:
        return f"field-{self.html_name}"

    @property
    def described_by(self) -> str:
        """Ids of the texts that go with it: its error, its hint, and what is assumed."""
        texts = {"error": self.errors, "hint": self.field.hint, "assumed": self.assumed}
        return " ".join(f"{self.id}-{name}" for name, text in texts.items() if text)

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        return self.field.offered(self.raw) if isinstance(self.field, Choice) else ()

    @property
    def groups(self) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
        return self.field.groups if isinstance(self.field, Ticks) else ()

    @property
    def unit(self) -> str:
        return self.field.unit if isinstance(self.field, Number) else ""

    @property
    def has_error(self) -> bool:
        return (
            bool(self.errors)
            or any(inner.has_error for inner in self.fields)
            or any(row.has_error for row in self.rows)
        )

    @property
    def is_filled(self) -> bool:
        return not self.field.is_blank(self.raw)

    @property
    def lines(self) -> list[str]:
        return self.field.lines(self.raw)


@dataclass
class BoundRow:
    """A row with its fields."""

    html_name: str
    title: str
    fields: list[Bound]
    errors: list[str]

    @property
    def has_error(self) -> bool:
        return bool(self.errors) or any(inner.has_error for inner in self.fields)


@dataclass
class BoundSection:
    section: Section
    fields: list[Bound]

    @property
    def title(self) -> str:
        return self.section.title

    @property
    def folded(self) -> bool:
        return self.section.folded or self.section.aside

    @property
    def filled(self) -> int:
        """How many of its fields say something."""
        return sum(each.is_filled for each in self.fields)

    @property
    def is_open(self) -> bool:
        has_error = any(each.has_error for each in self.fields)
        return has_error or (not self.section.aside and (not self.folded or self.filled > 0))


MOST_OPTIONS = 5_000
"""Where a form's choices come to more in all, the long ones are typed, with lists that they share; these end there."""
LONG = 20
"""Choices with more options than this are long."""


def offer(sections: Iterable[BoundSection]) -> None:
    """Give each field its list of suggestions; where options are very many, draw each list once, long choices' too.

    A transaction has a hundred steps, each with rows of attributes, and an entity five hundred attributes.
    """
    fields = [each for section in sections for bound in section.fields for each in _all(bound)]
    much = sum(_options(each) + len(each.field.suggestions) for each in fields) > MOST_OPTIONS
    ids: dict[int, str] = {}
    lists: dict[Choices, str] = {}
    left = MOST_OPTIONS
    for bound in fields:
        offered: tuple[Any, ...] = bound.field.suggestions
        if much and isinstance(bound.field, Choice) and _options(bound):
            offered = bound.field.choices
        if not offered:
            continue
        # Fields that offer the same hold one tuple more often than not, and a long one takes long to compare.
        if id(offered) not in ids or not much:
            options = tuple(_option(each) for each in offered if each[0])
            if options not in lists or not much:
                lists[options] = f"{bound.id}-list"
                bound.listed = options[:left]
                left -= len(bound.listed)
            ids[id(offered)] = lists[options]
        bound.list_id = ids[id(offered)]


def _all(bound: Bound) -> Iterator[Bound]:
    yield bound
    for inner in (*bound.fields, *(each for row in bound.rows for each in row.fields)):
        yield from _all(inner)


def _options(bound: Bound) -> int:
    """How many options a choice draws, where they are many."""
    count = len(bound.field.choices) if isinstance(bound.field, Choice) else 0
    return count if count > LONG else 0


def _option(offered: str | tuple[str, str]) -> tuple[str, str]:
    """A value, and what is said of it where that is something else."""
    value, label = (offered, offered) if isinstance(offered, str) else offered
    return value, "" if label == value else label
