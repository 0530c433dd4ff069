"""A whole model as lines: `Hotel: hotelId, name, city`, then `Hotel 1-N Room`."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile

from designer.core.design.attributes import Attribute
from designer.core.design.bounds import ATTRIBUTES_IN_ALL
from designer.core.design.entities import Entity, Relationship
from designer.core.errors import Problem
from designer.core.messages import Message, say
from designer.core.outline.attributes import Entry, parts_of, read_attributes
from designer.core.words.english import plural
from designer.core.words.spoken import one_word, spoken

MOST_LINES = 2000
MOST_CHARACTERS = 200_000

ENTITY = re.compile(r"([A-Za-z][A-Za-z0-9_]{0,63})\s*(?::(.*))?")
BETWEEN = re.compile(
    r"(?:an? |the |one |each |every )?([A-Za-z][A-Za-z0-9_]{0,63})\s+"
    r"(1\s?[-:]\s?1|1\s?[-:]\s?[NM*]|[NM*]\s?[-:]\s?1|[NM*]\s?[-:]\s?[NM*]"
    r"|has many|has one|has an?|has several|has|belongs to(?: an?)?|have many|have)\s+"
    r"([A-Za-z][A-Za-z0-9_]{0,63})(.*)",
    re.IGNORECASE,
)
SPACED = re.compile(r"([A-Za-z]\w*(?: +\w+){1,3})\s*:")
"""A name of several words, which begins an entity's line."""
PART = re.compile(
    r"(?i:line|position|seq|index)|.+(?:_(?i:no|nr|num|number|id|seq)|No|Nr|Num|Number|Id|Seq)"
)
"""Names of what counts or identifies within something: `copyNo`, `line`, `seat_number`."""
REST = re.compile(
    r"(?:,?\s*(by|through|as)\s+([A-Za-z_][\w-]*(?:\s*(?:\+|and)\s*[A-Za-z_][\w-]*)*))", re.I
)


@dataclass(frozen=True)
class Outlined:
    """An entity of an outline. `identifier_guessed`: nothing marks what identifies it."""

    name: str
    line: int
    entries: tuple[Entry, ...]
    identifier: tuple[str, ...]
    identifier_guessed: bool

    @property
    def entity(self) -> Entity:
        return Entity(
            name=self.name,
            identifier=self.identifier,
            attributes=tuple(each.attribute for each in self.entries),
        )


@dataclass
class Outline:
    """What lines of text say. Relationships name entities of the lines, or of the design that they are added to."""

    entities: list[Outlined] = field(default_factory=list)
    relationships: list[tuple[int, Relationship]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


@dataclass
class _Block:
    name: str
    line: int
    text: str


def read_outline(text: str, entities: Iterable[Entity] = ()) -> Outline:
    """The model that lines of text say; each line that says nothing is a problem with its number.

    `entities`: those that are there already; lines may name them, and what refers to them is of the same kind.

    An entity is a line `Name: attributes`, and further attributes may stand indented below it. A relationship is a line
    such as `Hotel 1-N Room`, `Hotel has many Rooms` or `Guest N-M Room through Booking`. A line after # is a remark.
    """
    outline = Outline()
    lines = text[: MOST_CHARACTERS + 1].replace("\r", "").split("\n")
    if len(text) > MOST_CHARACTERS or len(lines) > MOST_LINES:
        outline.problems.append(
            Problem("", say("outline-too-long", lines=MOST_LINES, characters=MOST_CHARACTERS))
        )
        return outline
    blocks: list[_Block] = []
    between: list[tuple[int, re.Match[str]]] = []
    there = tuple(entities)
    for number, said in enumerate(_with_names_of_one_word(lines, there), 1):
        if not said.strip():
            if blocks:
                blocks[-1].text += "\n"
            continue
        relationship = BETWEEN.fullmatch(said.strip())
        entity = ENTITY.fullmatch(said.strip())
        if relationship is not None:
            between.append((number, relationship))
        elif said[0] in " \t" and blocks:
            gap = number - blocks[-1].line - blocks[-1].text.count("\n")
            blocks[-1].text += "\n" * gap + said.strip()
        elif entity is not None:
            blocks.append(_Block(entity[1], number, (entity[2] or "").strip()))
        else:
            outline.problems.append(
                Problem(
                    "",
                    say("outline-line", line=said.strip()[:40]),
                    number,
                )
            )
    listed = sum(1 for block in blocks for _ in parts_of(block.text))
    for _, excess in ATTRIBUTES_IN_ALL.flaw((), listed):
        # No design has so many: reading them first would take long, and who else is named is not known without.
        outline.problems.append(Problem("", say("sentence", problem=excess)))
        return outline
    _entities(outline, blocks, there)
    called = (*(each.name for each in there), *(each.name for each in outline.entities))
    names = {name.lower(): name for name in called}
    parts = {each.name: each.identifier for each in there}
    parts |= {each.name: each.identifier for each in outline.entities if each.name not in parts}
    _relationships(outline, between, names, parts)
    outline.problems.sort(key=lambda each: each.line or 0)
    return outline


def _with_names_of_one_word(lines: list[str], there: tuple[Entity, ...]) -> Iterator[str]:
    """The lines without remarks, and with each entity that is written in several words in one: GuestBooking."""
    plain = [line.split("#", 1)[0].rstrip().rstrip(".") for line in lines]
    names = {spoken(each.name): each.name for each in there}
    for found in filter(None, map(SPACED.match, plain)):
        names[" ".join(found[1].lower().split())] = one_word(found[1], capital=True)
    for line in plain:
        before, colon, after = line.partition(":")
        # What stands indented, and after a colon, are attributes.
        is_named = before[:1] not in (" ", "\t")
        yield f"{_in_one_word(before, names) if is_named else before}{colon}{after}"


def _in_one_word(text: str, names: dict[str, str]) -> str:
    """The text with `names`, which are written in several words, in one; of several, `Guest Bookings`, too."""
    tokens = re.findall(r"\w+|\W+", text)
    made, at = "", 0
    while at < len(tokens):
        for count in (7, 5, 3):
            said = " ".join("".join(tokens[at : at + count]).lower().split())
            many = next((end for end in ("", "s", "es") if said.removesuffix(end) in names), None)
            if many is not None and said.endswith(many) and len(said.split()) * 2 == count + 1:
                made += names[said.removesuffix(many)] + many
                at += count
                break
        else:
            made += tokens[at]
            at += 1
    return made


def _entities(outline: Outline, blocks: list[_Block], there: tuple[Entity, ...]) -> None:
    known: dict[str, int] = {}
    read: list[tuple[_Block, list[Entry]]] = []
    for block in blocks:
        if block.name.lower() in known:
            before = known[block.name.lower()]
            outline.problems.append(
                Problem("", say("outline-twice", entity=block.name, line=before), block.line)
            )
            continue
        known[block.name.lower()] = block.line
        entries, problems = read_attributes(block.text, block.line)
        outline.problems += problems
        read.append((block, entries))
    identifies = {
        entity.identifier[0]: entity.by_name[entity.identifier[0]]
        for entity in there
        if len(entity.identifier) == 1
    }
    for block, entries in read:
        own = next((e for e in entries if e.attribute.name == _own(block.name, entries)), None)
        marked = [each for each in entries if each.identifies]
        if own is None and len(marked) == 1:
            own = marked[0]
        if own is not None:
            identifies[own.attribute.name] = own.attribute
    leads = _leads([entries for _, entries in read])
    for block, entries in read:
        outline.entities.append(_outlined(block, entries, identifies, leads))


def _leads(read: list[list[Entry]]) -> dict[str, list[Entry]]:
    """What begins a list of attributes, with the list that it identifies by itself.

    Of several lists that it begins that is the first whose next attribute is no part of an identifier: where a Book has
    an isbn and a title, a Copy of an isbn and a copyNo needs both.
    """
    leads: dict[str, list[Entry]] = {}
    for entries in sorted(filter(None, read), key=_has_parts):
        leads.setdefault(entries[0].attribute.name, entries)
    return leads


def _has_parts(entries: list[Entry]) -> bool:
    return len(entries) > 1 and PART.fullmatch(entries[1].attribute.name) is not None


def _outlined(
    block: _Block,
    entries: list[Entry],
    identifies: dict[str, Attribute],
    leads: dict[str, list[Entry]],
) -> Outlined:
    identifier, guessed = _identifier(block.name, entries, identifies, leads)
    if not entries:
        entries = read_attributes(identifier[0])[0]
    like = tuple(
        replace(each, attribute=_like(each.attribute, identifies)) if each.guessed else each
        for each in entries
    )
    return Outlined(block.name, block.line, like, identifier, guessed)


def _like(attribute: Attribute, identifies: dict[str, Attribute]) -> Attribute:
    """The attribute with the kind of the identifier that it is called as."""
    target = identifies.get(attribute.name, attribute)
    return attribute.model_copy(update={"type": target.type, "format": target.format})


def _own(entity: str, entries: list[Entry]) -> str | None:
    """The attribute that identifies an entity of that name by itself: `hotelId` of Hotel, or `id`."""
    wanted = {"id", f"{entity}id".lower(), f"{entity}_id".lower()}
    return next((e.attribute.name for e in entries if e.attribute.name.lower() in wanted), None)


def _identifier(
    entity: str,
    entries: list[Entry],
    identifies: dict[str, Attribute],
    leads: dict[str, list[Entry]],
) -> tuple[tuple[str, ...], bool]:
    """What identifies an entity, and whether that is a guess.

    What is marked does. Else the attribute called as its identifier; else what leads the list, up to the first that
    identifies no other entity: (hotelId, roomNo). Where that begins another list too, what counts within it follows:
    (isbn, copyNo). An identifier of its own where nothing is listed.
    """
    marked = tuple(each.attribute.name for each in entries if each.identifies)
    if marked:
        return marked[:6], False
    own = _own(entity, entries)
    if own is not None:
        return (own,), True
    names = [each.attribute.name for each in entries][:6]
    if names and names[0] not in identifies and leads[names[0]] is not entries:
        return (names[0], *takewhile(PART.fullmatch, names[1:])), True
    for at, name in enumerate(names, 1):
        if name not in identifies:
            # What leads two others joins them: a Review of a guestId and a hotelId needs no third.
            return tuple(names[: at - 1 if at > 2 else at]), True
    return tuple(names) or (f"{entity[:1].lower()}{entity[1:]}Id",), True


def _relationships(
    outline: Outline,
    between: list[tuple[int, re.Match[str]]],
    names: dict[str, str],
    parts: dict[str, tuple[str, ...]],
) -> None:
    """`names`: the entities by their names in small letters; `parts`: the attributes that identify each."""
    for number, found in between:
        first, how, second = found[1], found[2].lower().replace(" ", ""), found[3]
        ends = [_entity_called(each, names) for each in (first, second)]
        if how.startswith(("n", "m", "*")) and how.endswith("1"):
            ends.reverse()
        if how.startswith("belongsto"):
            ends.reverse()
        # With single spaces: a form that may begin with many would be tried from each of them.
        after = " ".join(found[4].split())
        rest = {word.lower(): said for word, said in REST.findall(after)}
        if REST.sub("", after).strip(" ,"):
            outline.problems.append(
                Problem(
                    "",
                    say("outline-after-relationship", words=found[4].strip()[:40]),
                    number,
                )
            )
            continue
        unknown = next((each for each in ends if each.lower() not in names), None)
        if unknown is not None:
            outline.problems.append(Problem("", _unknown(unknown, names), number))
            continue
        is_many = how[0] in "nm*" and how[-1] in "nm*" and "has" not in how
        if is_many and "through" not in rest:
            outline.problems.append(
                Problem(
                    "",
                    say("outline-pairs", one=ends[0], other=ends[1]),
                    number,
                )
            )
            continue
        is_one = how in ("1-1", "1:1", "hasone", "hasa", "hasan")
        made = _relationship(ends, is_one, is_many, rest, names)
        if made.references and not is_many and len(made.references) != len(parts[made.parent]):
            said = say(
                "outline-too-few-attributes", parent=made.parent, identifier=parts[made.parent]
            )
            outline.problems.append(Problem("", said, number))
            continue
        outline.relationships.append((number, made))


def _relationship(
    ends: list[str], is_one: bool, is_many: bool, rest: dict[str, str], names: dict[str, str]
) -> Relationship:
    by = tuple(word for word in re.split(r"\s*(?:\+|\band\b)\s*", rest.get("by", "")) if word)
    through = _entity_called(rest["through"], names) if "through" in rest else None
    child = through or ends[1]
    called = child if is_one else plural(child)
    return Relationship(
        name=rest.get("as") or f"{called[:1].lower()}{called[1:]}",
        one=(ends[0], ends[1]) if is_one else None if is_many else ends[0],
        many=(ends[0], ends[1]) if is_many else None if is_one else ends[1],
        through=through if is_many else None,
        by=by[0] if len(by) == 1 else by or None,
    )


def _unknown(name: str, names: dict[str, str]) -> Message:
    listed = list(names.values())
    if not listed:
        return say("outline-no-such-entity", name=name)
    return say(
        "outline-other-entities" if len(listed) <= 8 else "outline-more-entities",
        name=name,
        known=tuple(listed[:8]),
    )


def _entity_called(name: str, names: dict[str, str]) -> str:
    """The entity that a line means: by its name, in any case, or by its plural."""
    for each in (name, *singulars(name)):
        if each.lower() in names:
            return names[each.lower()]
    return name


def singulars(name: str) -> list[str]:
    """What a plural may be the plural of."""
    found = []
    if name.endswith("ies"):
        found.append(f"{name[:-3]}y")
    if name.endswith("es"):
        found.append(name[:-2])
    if name.endswith("s"):
        found.append(name[:-1])
    return found
