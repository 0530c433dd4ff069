"""Forms that take sentences, one on each line, and what is proposed, with boxes to tick."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Generic, TypeVar

from django.http import QueryDict

from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.edits import add_relationship, next_number
from designer.core.edits.replacing import checked, in_one_go
from designer.core.errors import DesignError, MisfitError, Problem
from designer.core.messages import Message, say
from designer.core.outline import Named, Outline, add_asked, add_outline, read_pattern
from designer.core.patterns import KINDS
from designer.core.proposing import Hinted, Parts, Usual, hinted, usual
from designer.core.proposing.patterns import MOST as MOST_USUAL
from designer.core.proposing.patterns import direct_parents
from designer.core.proposing.relationships import MOST as MOST_HINTED
from designer.core.sentences.patterns import reads_as
from designer.core.words.english import a, joined, plural
from designer.forms.base import Form, InvalidError, in_its_line
from designer.forms.bound import Section
from designer.forms.fields import NOT_YET, Area, Choice, Choices, Field, Number, Raw, Ticks
from designer.forms.known import choices_of
from designer.forms.once import Once
from designer.forms.outline import Understood, outline_of

MOST = 100
"""Access patterns that are added at once."""


_Read = tuple[tuple[tuple[int, Parts], ...], tuple[Message, ...]]
"""The pattern of each sentence with its line (0 if it was picked), and why others mean none."""

Proposed = TypeVar("Proposed")


class SentenceForm(Form, Generic[Proposed]):
    """Sentences, and what a design suggests beside them. A form asks for that with each of its fields and faults."""

    previews_faults = True
    understands_first = True
    _known: tuple[Design, tuple[Proposed, ...]] | None = None

    def propose(self, design: Design) -> tuple[Proposed, ...]:
        raise NotImplementedError

    def proposed(self, design: Design) -> tuple[Proposed, ...]:
        """What the design suggests, worked out once for each."""
        if self._known is None or self._known[0] is not design:
            self._known = design, self.propose(design)
        return self._known[1]


class PatternsForm(SentenceForm[Usual]):
    """Access patterns: sentences, those picked from parts, and the usual ones of each entity."""

    key = "patterns"

    def propose(self, design: Design) -> tuple[Usual, ...]:
        return usual(design)

    def sections(self, raw: Mapping[str, Raw]) -> tuple[Section, ...]:
        lines = Area(
            name="lines",
            label="In sentences",
            placeholder=_example(self.design),
            hint="Begin with List, Get, Count, Sum, Create, Update, Delete, Check or Search. Then “of a"
            " Guest”, “by city”, “that are FREE”, “before checkIn”, and after a comma “newest first”, “A to Z”,"
            " “sorted by price”, “20 at a time”, “5 a second”.",
        )
        ticks = Ticks(
            name="usual",
            label="Common access patterns",
            groups=_grouped(self.proposed(self.design)),
            hint=self._hint,
        )
        return (
            Section("In sentences", (lines,)),
            Section("Build a sentence", self._parts(raw), aside=True),
            Section("Common access patterns", (ticks,)),
        )

    @property
    def _hint(self) -> str:
        if not self.design.entities:
            return "Add an entity first: then its usual access patterns appear here."
        said = "Tick as many as you like. Those already in the design are left out."
        if len(self.proposed(self.design)) < MOST_USUAL:
            return said
        return f"{said} These are the first {MOST_USUAL:,}. Add some to see more."

    def _parts(self, raw: Mapping[str, Raw]) -> tuple[Field, ...]:
        entity = self.design.entity.get(str(raw.get("part_entity")))
        verb = str(raw.get("part_verb") or "")
        fields: list[Field] = [
            Choice(name="part_verb", label="What it does", choices=VERBS, redraws=True),
            Choice(
                name="part_entity",
                label="Which entity",
                choices=choices_of(each.name for each in self.design.entities),
                redraws=True,
            ),
        ]
        if entity is not None and verb in READS:
            found = Choice(
                name="part_found",
                label="Found by",
                choices=_found(self.design, entity),
                redraws=True,
            )
            fields.append(found)
        if entity is not None and verb == "List":
            order = Choice(name="part_order", label="Sorted", choices=_orders(entity), redraws=True)
            fields += [order, Number(name="part_limit", label="At a time", unit="items")]
        return tuple(fields)

    def _decode(self, data: QueryDict) -> None:
        super()._decode(data)
        if "lines" in data.getlist("add-row") and self.picked:
            self.raw["lines"] = "\n".join(filter(None, (str(self.raw["lines"]), self.picked)))
            for name, field in self.fields({}).items():
                if name.startswith("part_"):
                    self.raw[name] = field.raw(None)

    @property
    def picked(self) -> str:
        """The sentence that the picked parts make; empty where they make none yet."""
        said = {name: str(self.raw.get(f"part_{name}") or "") for name in PARTS}
        if not said["verb"] or said["entity"] not in self.design.entity:
            return ""
        many = said["verb"] in ("List", "Count")
        what = plural(said["entity"]) if many else a(said["entity"])
        first = " ".join(filter(None, (said["verb"], what, said["found"])))
        limit = f"{said['limit']} at a time" if said["limit"] else ""
        return ", ".join(filter(None, (first, said["order"], limit)))

    @property
    def note(self) -> str:
        names = [str(each["name"]) for _, each in self._read(self.design)[0]]
        if len(names) == 1:
            return f"Add pattern {next_number(self.design)}: {names[0]}"
        return f"Add {len(names)} access patterns"

    def apply(self, design: Design) -> Design:
        self.design = design
        self.changes()
        patterns, problems = self._read(design)
        self.fail_all(("lines",), problems)
        if not patterns and not problems:
            self.fail(("lines",), NOT_YET)
        after, refused = design, list[Message]()
        with in_one_go(design, len(patterns)):
            for said, pattern in patterns:
                try:
                    after = add_asked(after, pattern)
                except DesignError as error:
                    reason = error.reason
                    refused.append(_at(said, reason) if said is not None else reason)
        self.fail_all(("lines",), refused)
        if self.errors:
            raise InvalidError
        return checked(design, after)

    def _read(self, design: Design) -> tuple[list[tuple[int | None, Parts]], list[Message]]:
        """Each pattern with its line (0 if it was picked, None if it was proposed), and why a sentence means none."""
        said, problems = self._said(str(self.raw["lines"]), self.picked, design)
        found: list[tuple[int | None, Parts]] = [*said]
        ticked = set(self.raw.get("usual") or ())
        found += [(None, each.pattern) for each in self.proposed(design) if each.key in ticked]
        if len(found) > MOST:
            return [], [say("patterns-at-once", most=MOST)]
        return found, list(problems)

    @cached_property
    def _said(self) -> Once[_Read]:
        return Once(_read)

    @cached_property
    def _meant(self) -> Once[tuple[Understood, ...]]:
        return Once(_meant)

    @property
    def understood(self) -> tuple[Understood, ...]:
        return self._meant(
            self._said(str(self.raw["lines"]), self.picked, self.design), self.design
        )


def _read(lines: str, picked: str, design: Design) -> _Read:
    """What the sentences say, those of too many that come first."""
    sentences = [*enumerate(lines.split("\n"), 1), *([(0, picked)] if picked else [])]
    sentences = [each for each in sentences if each[1].strip()]
    if len(sentences) > MOST:
        return (), (say("patterns-at-once", most=MOST),)
    named = Named(design)
    found: list[tuple[int, Parts]] = []
    problems: list[Message] = []
    for number, sentence in sentences:
        try:
            found.append((number, read_pattern(sentence, design, named)))
        except MisfitError as error:
            problems.append(_at(number, error.reason))
    return tuple(found), tuple(problems)


def _meant(read: _Read, design: Design) -> tuple[Understood, ...]:
    meanings = tuple(
        (
            str(each["name"]),
            reads_as(design, KINDS[each["kind"]].model_validate({"number": 1, **each})),
        )
        for _, each in read[0]
    )
    return (Understood("", (), meanings=meanings),) if meanings else ()


def _at(line: int, problem: Message) -> Message:
    """A problem with the line that it is in; 0: with what was picked."""
    if line:
        return say("in-line", line=line, problem=problem)
    return say("in-what-is-picked", problem=problem)


PARTS = ("verb", "entity", "found", "order", "limit")
VERBS: Choices = (
    ("", "choose"),
    *((each, each) for each in ("List", "Get", "Count", "Create", "Update", "Delete")),
)
READS = ("List", "Get", "Count")


def _found(design: Design, entity: Entity) -> Choices:
    parents = [f"of {a(held.of)}" for held in direct_parents(design, entity)]
    own = [f"by {each.name}" for each in entity.stored if each.type in ("S", "N")]
    return (("", "anything"), *choices(dict.fromkeys((*parents, *own))))


def _orders(entity: Entity) -> Choices:
    own = [each.name for each in entity.stored if each.type in ("S", "N")]
    said = [f"sorted by {name}{way}" for name in own for way in ("", " descending")]
    return (("", "in any order"), *choices(("newest first", "oldest first", *said)))


def choices(words: Iterable[str]) -> Choices:
    return tuple((word, word) for word in words)


def _grouped(proposed: Sequence[Usual]) -> tuple[tuple[str, Choices], ...]:
    groups: dict[str, list[tuple[str, str]]] = {}
    for each in proposed:
        groups.setdefault(each.entity, []).append((each.key, each.name))
    return tuple((name, tuple(group)) for name, group in groups.items())


def _example(design: Design) -> str:
    """Sentences of the design's own entities, where it has some that belong together."""
    for entity in design.entities:
        for held in direct_parents(design, entity):
            return f"List {plural(entity.name)} of {a(held.of)}, 20 at a time"
    return "List Bookings of a Guest, newest first, 20 at a time"


def _said_of(hints: int) -> str:
    if not hints:
        return "There are no suggestions: no further attribute has the same name as an entity's identifier."
    if hints < MOST_HINTED:
        return ""
    return f"These are the first {hints}. Add some to see more."


def _of_relationships(problem: Problem) -> Problem:
    """The same where only relationships are asked for."""
    if problem.reason.id != "outline-line":
        return problem
    return replace(problem, reason=say("relationship-line", **problem.reason.values))


class RelationshipsForm(SentenceForm[Hinted]):
    """Relationships: sentences, and those that attributes hint at."""

    key = "relationships"

    def propose(self, design: Design) -> tuple[Hinted, ...]:
        return hinted(design)

    def sections(self, raw: Mapping[str, Raw]) -> tuple[Section, ...]:
        lines = Area(
            name="lines",
            label="In sentences",
            placeholder="A Hotel has many Rooms, by hotelId",
            hint="“has many”, “has one” or “belongs to”; “Guest N-M Hotel through Stay” for many on both sides."
            " “by” names the attributes that hold the reference; missing ones are created.",
        )
        hints = tuple((each.key, each.sentence) for each in self.proposed(self.design))
        ticks = Ticks(
            name="hinted",
            label="Suggested by attributes",
            groups=(("", hints),) if hints else (),
            hint=_said_of(len(hints)),
        )
        return (Section("In sentences", (lines,)), Section("Proposed", (ticks,)))

    @property
    def note(self) -> str:
        count = len(self._outline(self.design).relationships) + len(self._ticked(self.design))
        return f"Add {count} relationships" if count > 1 else "Add a relationship"

    def apply(self, design: Design) -> Design:
        self.design = design
        self.changes()
        outline, ticked = self._outline(design), self._ticked(design)
        if not (outline.relationships or outline.entities or outline.problems or ticked):
            self.fail(("lines",), NOT_YET)
        try:
            after = add_outline(design, outline)
        except DesignError as error:
            self.fail_all(("lines",), map(in_its_line, map(_of_relationships, error.problems)))
        if self.errors:
            raise InvalidError
        before = after
        with in_one_go(before, len(ticked)):
            for each in ticked:
                after = add_relationship(after, each.relationship(after))
        return checked(before, after)

    def _outline(self, design: Design) -> Outline:
        return self._read(str(self.raw["lines"]), design)

    @cached_property
    def _read(self) -> Once[Outline]:
        return Once(outline_of)

    def _ticked(self, design: Design) -> list[Hinted]:
        ticked = set(self.raw.get("hinted") or ())
        return [each for each in self.proposed(design) if each.key in ticked]

    @property
    def understood(self) -> tuple[Understood, ...]:
        meanings = tuple(
            _meaning(self.design, each) for _, each in self._outline(self.design).relationships
        )
        return (Understood("", (), meanings=meanings),) if meanings else ()


def _meaning(design: Design, relationship: Relationship) -> tuple[str, str]:
    """A relationship in words, and which attributes join the two, those that are made among them."""
    child, parent = relationship.child, relationship.parent
    called = f"called {relationship.name}"
    if isinstance(relationship.many, tuple):
        first, second = relationship.many
        return f"{plural(first)} and {plural(second)}", f"{called}, joined by {child}"
    by = relationship.references or design.entity[parent].identifier
    known = design.entity[child].by_name if child in design.entity else {}
    said = joined([name if name in known else f"{name} (new)" for name in by])
    has = f"one {child}" if relationship.cardinality == "1:1" else f"many {plural(child)}"
    return f"{_capital(a(parent))} has {has}", f"{called}, by {said}"


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
