"""A form over one part of a design: shown, sent, merged with what others changed meanwhile, and
read.

A form carries for each field the value it was rendered with. So it needs no revision number: what
nobody else changed is saved, what somebody else changed and this form did not is kept, and only
where both changed one field to different values are they asked.
"""

import dataclasses
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django.http import QueryDict
from pydantic import ValidationError

from designer.core.design.document import Design
from designer.core.design.load import plain
from designer.core.design.wording import shape_problems
from designer.core.errors import DesignError, Problem
from designer.core.frozen import frozen
from designer.core.messages import Message, say, text
from designer.core.patterns.document import Document
from designer.core.plan import Assumed
from designer.core.sentences.assumptions import assumption, effects
from designer.core.words import figures
from designer.forms.bound import Bound, BoundRow, BoundSection, Section, offer
from designer.forms.choices import choices_in
from designer.forms.fields import NOT_YET, Field, FieldError, Group, Lines, Number, Raw, Rows
from projects.typed import number

Place = tuple[str | int, ...]


class InvalidError(Exception):
    """What was sent cannot be saved; the form now says why."""


class ConflictError(Exception):
    """Another window changed a field that this one changed too; the form now shows both."""


@dataclass(frozen=True)
class Clash:
    """A field with two answers, in words: mine, and what it is now."""

    key: str
    """The name of the field: `limit`, within a group `rate-peak`."""
    label: str
    mine: str
    theirs: str
    seen: str
    """What it is now, told apart from all else that it could be."""
    chosen: str = ""
    """Whose shall stand, "mine" or "theirs"; empty while nobody has decided."""


class Form:
    """Fields over `subject`, a part of `design`; over a new part when there is none.

    A form says which fields there are (`sections`), what they say of a subject (`show`), and what
    edit follows (`apply`). `data` is what was sent.
    """

    key: ClassVar[str]
    """Also the id of its element: `entity-form`."""
    previews_faults: ClassVar[bool] = False
    """Whether the preview says why what is typed does not fit; else it stays as it was until that fits."""
    understands_first: ClassVar[bool] = False
    """Whether what was read stands below the first section; else below all of them."""
    awaited: ClassVar[tuple[Message, ...]] = (NOT_YET,)
    """What says only that something is missing yet."""
    renames: ClassVar[Mapping[str, str]] = {}
    """Keys of the document that a field of another name stands for."""
    assumed: tuple[Assumed, ...] = ()
    """What the plan on screen assumes. A blank field that would state one of them shows what it is."""

    def __init__(
        self, design: Design, subject: Any = None, data: QueryDict | None = None, **start: Raw
    ) -> None:
        self.design = design
        self.subject = subject
        self.data = data
        self.errors: dict[str, list[Message]] = {}
        """What is wrong with each field, by its name."""
        self.general: list[Message] = []
        """What is wrong with no field of its own."""
        self.clashes: list[Clash] = []
        self.carried: list[tuple[str, str]] = []
        """Hidden fields: what was filled in that is not asked for now, and may be again."""
        self.choices = choices_in(data) if data is not None else {}
        self.shown = self.show(subject)
        self.raw: dict[str, Raw] = {**self.shown, **start}
        self.was: dict[str, Raw] = dict(self.shown) if subject is not None else {}
        if data is not None:
            self._decode(data)

    # What each form says

    def sections(self, raw: Mapping[str, Raw]) -> tuple[Section, ...]:
        raise NotImplementedError

    def document(self, subject: Any) -> dict[str, Any]:
        """What the fields' values are taken from: the document's keys and values."""
        return {} if subject is None else plain(subject)

    def apply(self, design: Design) -> Design:
        """The edit that the form asks for. InvalidError, ConflictError or DesignError when it
        cannot be.
        """
        raise NotImplementedError

    def assumed_at(self) -> Mapping[str, Assumed]:
        """By the name of a field (`where-0-share`), which assumption it would replace."""
        return {}

    def _assumed_of(self, part: str) -> tuple[Assumed, ...]:
        """What is assumed of a part of the design, such as `entities.Order`; nothing of a new one."""
        if self.subject is None:
            return ()
        return tuple(one for one in self.assumed if one.where == part)

    @property
    def place(self) -> str:
        """Where in the document the subject stands: `patterns[3]`."""
        return ""

    @property
    def note(self) -> str:
        """What saving does, for the history: "Add entity Customer"."""
        raise NotImplementedError

    # Fields

    def fields(self, raw: Mapping[str, Raw]) -> dict[str, Field]:
        return {each.name: each for section in self.sections(raw) for each in section.fields}

    def show(self, subject: Any) -> dict[str, Raw]:
        document = self.document(subject)
        return {name: each.raw(document.get(name)) for name, each in self.fields(document).items()}

    def _decode(self, data: QueryDict) -> None:
        sent = {name: data[name] for name in data if "-" not in name}
        fields = self.fields({**self.raw, **sent})
        self.raw = {name: each.decode(data, name) for name, each in fields.items()}
        self.was = {
            name: _unpacked(str(data[f"was-{name}"]), self.raw[name])
            for name in fields
            if f"was-{name}" in data
        }
        self._add_and_remove_rows(data)

    def _add_and_remove_rows(self, data: QueryDict) -> None:
        for name in data.getlist("add-row"):
            rows = self._rows(name)
            if rows is not None:
                each, raw = rows
                raw.append(each.blank())
        for name in data.getlist("remove-row"):
            parent, _, index = name.rpartition("-")
            rows = self._rows(parent)
            at = number(index)
            if rows is not None and at is not None and at < len(rows[1]):
                del rows[1][at]

    def _rows(self, name: str) -> tuple[Rows, list[dict[str, Raw]]] | None:
        """The rows of a name such as `with-0-keep`, and what stands in them."""
        fields, raw = self.fields(self.raw), self.raw
        words = name.split("-")
        while words:
            each = fields.get(words.pop(0))
            if each is None:
                return None
            if isinstance(each, Rows):
                rows = raw[each.name]
                if not words:
                    return each, rows
                at = number(words.pop(0))
                if at is None or at >= len(rows):
                    return None
                raw = rows[at]
                fields = {inner.name: inner for inner in each.fields(raw)}
        return None

    # Reading

    def merged(self, newest: Any) -> dict[str, Raw]:
        """What the fields are to say, given what the newest subject says. ConflictError when
        both windows changed one, and it is not decided yet whose shall stand.
        """
        now = self.show(newest)
        fields = self.fields(self.raw)
        merged = {}
        for name, mine in self.raw.items():
            field, was, theirs = fields.get(name), self.was.get(name), now.get(name)
            merged[name] = mine if field is None else self._merged(field, was, mine, theirs)
        if not all(clash.chosen for clash in self.clashes):
            raise ConflictError
        self.was |= {name: now[name] for name in self.was if name in now}
        # Another window may have made it something else, with other fields.
        fields = self.fields(merged)
        self.raw = {
            name: merged[name] if name in merged else now.get(name, each.raw(None))
            for name, each in fields.items()
        }
        self.shown = now
        return self.raw

    def _merged(self, field: Field, was: Raw, mine: Raw, theirs: Raw) -> Raw:
        if was is None or theirs is None or theirs in (was, mine):
            return mine
        if mine == was:
            return theirs
        if isinstance(field, Group) and isinstance(was, dict):
            return {
                each.name: self._merged(
                    field.alone(each), was.get(each.name), mine[each.name], theirs.get(each.name)
                )
                for each in field.fields
            }
        return self.decided(field, mine, theirs)

    def decided(self, field: Field, mine: Raw, theirs: Raw) -> Raw:
        """Which of the two shall stand: what was chosen, seeing theirs as it is now. Until then it is a clash."""
        choice, seen = self.choices.get(field.name), _packed(theirs)
        chosen = choice.takes if choice is not None and choice.seen == seen else ""
        words = field.words(mine), field.words(theirs)
        self.clashes.append(Clash(field.name, field.label, *words, seen, chosen))
        return theirs if chosen == "theirs" else mine

    def stood(self, key: str) -> Raw:
        """What the form was rendered with at the key of a clash; None where it has no such field."""
        name, _, inner = key.partition("-")
        raw = self.was.get(name)
        return raw.get(inner) if inner and isinstance(raw, dict) else raw

    def changes(self) -> dict[str, Any]:
        """The values of the fields that differ from the newest subject's; None for what was
        emptied.
        """
        values: dict[str, Any] = {}
        for name, each in self.fields(self.raw).items():
            if self.subject is not None and self.raw[name] == self.shown.get(name):
                continue
            try:
                values[name] = each.value(self.raw[name])
            except FieldError as error:
                self.fail((name, *error.path), error.reason)
                continue
            if values[name] is None and each.required:
                self.fail((name,), NOT_YET)
        if self.errors:
            raise InvalidError
        return values

    @property
    def difference(self) -> str:
        """What the form changes, for the history: "At most 20 → 9; Found by"."""
        said = []
        for name, each in self.fields(self.raw).items():
            was, now = self.shown.get(name), self.raw[name]
            if now != was and not (was is None and each.is_blank(now)):
                said.append(each.changed(was, now))
        return "; ".join(filter(None, said))

    def build(self, model: type[Document], document: Mapping[str, Any], at: Place = ()) -> Any:
        """The part that a document says; `at`: where it stands in the form's. InvalidError when it says none."""
        data = {key: frozen(value) for key, value in document.items() if value is not None}
        try:
            return model.model_validate(data, strict=True, by_alias=True, by_name=False)
        except ValidationError as error:
            for path, reason, _ in shape_problems(error, data):
                self.fail((*at, *path), say("typed-problem", problem=reason))
            raise InvalidError from None

    def fail(self, place: Place, reason: Message) -> None:
        """Put an error at the field that a place in the document belongs to, or above all
        fields.
        """
        self.fail_all(place, (reason,))

    def fail_all(self, place: Place, reasons: Iterable[Message]) -> None:
        """Put several errors there: a list of lines may have thousands."""
        found = tuple(reasons)
        name = self._field_at(place) if found else None
        if name is not None:
            known = self.errors.get(name, [])
            self.errors[name] = list(dict.fromkeys((*known, *found)))
        elif found:
            self.general += found
            self.errors.setdefault("", [])

    def refuse(self, error: DesignError) -> None:
        """Show why an edit was refused, beside the fields where they can be told."""
        place = self.place
        for problem in error.problems:
            if problem.place.startswith(place):
                self.fail(_path(problem, place), say("typed-problem", problem=problem.reason))
        if not self.errors:
            self.fail((), error.reason)

    def _field_at(self, place: Place) -> str | None:
        fields, raw = self.fields(self.raw), self.raw
        found: str | None = None
        words = [self.renames.get(str(part), part) for part in place]
        while words:
            word = words.pop(0)
            each = fields.get(str(word))
            if each is None:
                break
            found = f"{found}-{word}" if found else str(word)
            if isinstance(each, Group):
                fields, raw = {inner.name: inner for inner in each.fields}, raw[each.name]
            elif isinstance(each, Rows) and words and isinstance(words[0], int):
                index = words.pop(0)
                filled = [at for at, row in enumerate(raw[each.name]) if row.get(each.key)]
                at = filled[int(index)] if int(index) < len(filled) else int(index)
                if at >= len(raw[each.name]):
                    break
                found, raw = f"{found}-{at}", raw[each.name][at]
                fields = {inner.name: inner for inner in each.fields(raw)}
            else:
                break
        return found

    # For the templates

    @property
    def understood(self) -> tuple[Any, ...]:
        """What was read of a list in words, shown beside it; nothing where the form has none."""
        return ()

    @property
    def is_new(self) -> bool:
        return self.subject is None

    @property
    def unsaved(self) -> str:
        """What is said beside a preview: that nothing is saved yet, and what saves it."""
        return "Not added yet." if self.is_new else "Saved when you leave the field."

    @property
    def kept(self) -> Iterator[tuple[str, str]]:
        """Hidden fields: the values that the form was rendered with."""
        for name in self.fields(self.raw):
            if name in self.was:
                yield f"was-{name}", _packed(self.was[name])

    @property
    def bound(self) -> list[BoundSection]:
        assumed = self.assumed_at() if self.assumed else {}
        sections = [
            BoundSection(
                section,
                [
                    self._bound(each, each.name, self.raw[each.name], assumed)
                    for each in section.fields
                ],
            )
            for section in self.sections(self.raw)
        ]
        offer(sections)
        return sections

    def _bound(
        self, each: Field, html_name: str, raw: Raw, assumed: Mapping[str, Assumed]
    ) -> Bound:
        bound = Bound(each, html_name, raw, self._faults_of(html_name))
        one = assumed.get(html_name)
        if one is not None and isinstance(each, Number) and not raw:
            value = each.raw(float(f"{one.value:.3g}"))
            bound.field = dataclasses.replace(each, placeholder=value)
            said = f"{each.label.strip()}: {figures.number(float(value))} {each.unit}".strip()
            bound.assumed = _assumed(f"{said}.", one)
        elif one is not None and isinstance(each, Lines) and not raw:
            bound.assumed = _assumed(assumption(one), one)
        if isinstance(each, Group):
            bound.fields = [
                self._bound(inner, f"{html_name}-{inner.name}", raw[inner.name], assumed)
                for inner in each.fields
            ]
        elif isinstance(each, Rows):
            bound.rows = [
                BoundRow(
                    f"{html_name}-{index}",
                    f"{each.row_label} {index + 1}",
                    [
                        self._bound(
                            inner, f"{html_name}-{index}-{inner.name}", row[inner.name], assumed
                        )
                        for inner in each.fields(row)
                    ],
                    self._faults_of(f"{html_name}-{index}"),
                )
                for index, row in enumerate(raw)
            ]
        return bound

    def _faults_of(self, html_name: str) -> list[str]:
        return [text(each) for each in self.errors.get(html_name, ())]

    @property
    def general_faults(self) -> list[str]:
        """What is wrong with no field of its own, in words."""
        return [text(each) for each in self.general]

    @property
    def faults(self) -> list[tuple[str, str]]:
        """Every error with its field's id and name, for the summary above the form."""
        return self._summary(lambda reason: True)

    def _summary(self, is_shown: Callable[[Message], bool]) -> list[tuple[str, str]]:
        labels: dict[str, str] = {}
        for section in self.bound if self.errors else ():
            for bound in section.fields:
                labels |= _labels(bound)
        return [
            (f"field-{name}", ": ".join(filter(None, (labels.get(name), text(reason)))))
            for name, reasons in self.errors.items()
            if name
            for reason in reasons
            if is_shown(reason)
        ]

    @property
    def typed(self) -> list[tuple[str, str]]:
        """What was filled in or changed since the form was shown: labels and texts."""
        return [
            (each.label, each.words(self.raw[name]))
            for name, each in self.fields(self.raw).items()
            if self.raw[name] != self.was.get(name, self.shown.get(name))
        ]

    @property
    def misfits(self) -> list[str]:
        """Why what is typed does not fit, without what is missing yet."""
        return [said for _, said in self._summary(lambda reason: reason not in self.awaited)]


def _assumed(said: str, one: Assumed) -> str:
    """What is assumed while a field is blank, with its effects."""
    start = f"Assumed, because nothing is stated. {said[:1].upper()}{said[1:]}"
    return " ".join((start, *effects(one)))


def _labels(bound: Bound, row: str = "") -> dict[str, str]:
    """What people call a field and those inside it, by their names: `Condition 2, Attribute`."""
    labels = {bound.html_name: ", ".join(filter(None, (row, bound.field.label)))}
    for inner in bound.fields:
        labels |= _labels(inner, row)
    for each in bound.rows:
        labels[each.html_name] = each.title
        for inner in each.fields:
            labels |= _labels(inner, each.title)
    return labels


def in_its_line(problem: Problem) -> Message:
    """A problem with its line."""
    if problem.line is None:
        return problem.reason
    return say("in-line", line=problem.line, problem=problem.reason)


def _path(problem: Problem, prefix: str) -> Place:
    """`patterns[3].where[0].attribute` without its prefix, as keys and indexes."""
    place, _, _ = problem.place.removeprefix(prefix).partition(" (")
    words = re.findall(r"[A-Za-z_]+|\d+", place)
    return tuple(int(word) if word.isdecimal() else word for word in words)


def _packed(raw: Raw) -> str:
    """What stands in a field, for a hidden field."""
    return raw if isinstance(raw, str) else json.dumps(raw)


def _unpacked(was: str, like: Raw) -> Raw:
    """What a field was rendered with, from its hidden field."""
    if isinstance(like, str):
        return was.replace("\r\n", "\n").strip()
    try:
        return json.loads(was)
    except json.JSONDecodeError:
        return None
