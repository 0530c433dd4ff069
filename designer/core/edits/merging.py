"""Two changes of one design brought together: part by part, and field by field.

Parts are known by their ids, so a renaming on one side is followed on the other. Where both sides changed one field
to different values, somebody is asked.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeVar

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.design.load import load_plain
from designer.core.design.write import inline, plain
from designer.core.edits.names import names_of_both
from designer.core.edits.references import Renaming, renamed
from designer.core.edits.removing import heeding_gone
from designer.core.edits.replacing import checked, replaced
from designer.core.errors import DesignError
from designer.core.messages import say
from designer.core.patterns import AnyPattern

Parts = dict[str, Any]
"""Values by their names, or elements of a list by what they are known by."""
Key = tuple[str, ...]
"""What is called by a name: `("entities", "e-user", "attributes", "a-user-email")`."""

Part = TypeVar("Part", Entity, Attribute, Relationship)

_LISTS = ("entities", "relationships", "patterns")
_NOT_THERE: Any = object()


@dataclass(frozen=True)
class Clash:
    """A field, or a whole part, that both sides changed."""

    key: str
    """Its place by ids: `patterns.p-2.limit`."""
    label: str
    """Its place as people call it: `pattern 2, limit`."""
    mine: str
    """As a line of the design's text; empty where it is not there."""
    theirs: str

    @property
    def seen(self) -> str:
        """What a choice between the two is about."""
        return self.theirs


class Choice(NamedTuple):
    """What somebody decided about a clash: whose value to take, and what theirs was when they decided."""

    takes: Literal["mine", "theirs"]
    seen: str


REST = "rest"
"""The key of a choice for all clashes that have no choice of their own. It is about what `seen_of` makes of them."""


def seen_of(clashes: Iterable[Clash]) -> str:
    """A hash of what several clashes are about."""
    return hashlib.sha256(repr([(each.key, each.seen) for each in clashes]).encode()).hexdigest()


class ClashError(DesignError):
    """Both sides changed the same, and nobody has decided yet."""

    def __init__(self, clashes: tuple[Clash, ...]) -> None:
        places = tuple(clash.label for clash in clashes)
        super().__init__("changed-by-others", say("changed-by-others", places=places))
        self.clashes = clashes


def merged(
    base: Design, mine: Design, theirs: Design, choices: Mapping[str, Choice] | None = None
) -> Design:
    """`theirs` with what `mine` changed in `base`. What came with `mine` may have no id yet.

    ClashError where both changed the same and `choices`, by the keys of clashes or `REST`, do not say whose to take;
    another DesignError when what comes out does not hang together.
    """
    mine = _known(base, mine)
    if base == theirs:
        return mine
    sides = _Sides(choices or {})
    together = _together(sides, base, mine, theirs)
    rest = sides.choices.get(REST)
    if sides.clashes and rest is not None and rest.seen == seen_of(sides.clashes):
        chosen = {each.key: Choice(rest.takes, each.seen) for each in sides.clashes}
        sides = _Sides({**sides.choices, **chosen})
        together = _together(sides, base, mine, theirs)
    if sides.clashes:
        raise ClashError(tuple(sides.clashes))
    after = load_plain(together, name="What comes of both")
    return checked(theirs, heeding_gone(base, after))


def _together(sides: "_Sides", base: Design, mine: Design, theirs: Design) -> Parts:
    mine = _numbered_apart(base, mine, theirs)
    return sides.fields("", *map(plain, sides.called_alike(base, mine, theirs)))


@dataclass
class _Sides:
    """What was decided, and what is not decided yet. Where it is not, theirs stands meanwhile."""

    choices: Mapping[str, Choice]
    clashes: list[Clash] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)
    renamed: set[str] = field(default_factory=set)
    """Parts with another name on one side that are gone on the other."""

    def called_alike(self, base: Design, mine: Design, theirs: Design) -> tuple[Design, ...]:
        """The three with the names that things have in the end, wherever they are mentioned."""
        sides = (base, mine, theirs)
        named = [_names(design) for design in sides]
        final = {}
        for key in dict.fromkeys(key for names in named for key in names):
            was, ours, others = (names.get(key) for names in named)
            if ours is None or others is None:
                final[key] = ours or others or was or ""
                if was is not None and was != final[key]:
                    self.renamed.add(".".join(key))
            else:
                path = ".".join((*key, "name"))
                final[key] = self.value(path, f"{others}, name", was, ours, others)
        return tuple(
            _called(design, names, final) for design, names in zip(sides, named, strict=True)
        )

    def fields(self, part: str, was: Parts, mine: Parts, theirs: Parts) -> Parts:
        """The fields of a part, of the planner's settings, or of the design itself."""
        found = {}
        for name in dict.fromkeys((*theirs, *mine)):
            path = f"{part}.{name}".removeprefix(".")
            value = self.field(part, name, path, *_three(name, was, mine, theirs))
            if value is not _NOT_THERE:
                found[name] = value
        return found

    def field(self, part: str, name: str, path: str, was: Any, mine: Any, theirs: Any) -> Any:
        sides = (was, mine, theirs)
        is_entity = part.startswith("entities.")
        if (not part and name in _LISTS) or (is_entity and name == "attributes"):
            return self.parts(path, *map(_by_id, sides))
        if mine in (was, theirs):
            return theirs
        if theirs == was:
            return mine
        if name == "ignored_findings":
            return self.parts(path, *map(_by_rule, sides))
        if name == "names" and not part:
            return names_of_both(*(_there(each) or {} for each in sides)) or _NOT_THERE
        if name == "pins":
            return _elements(*(each or [] for each in map(_there, sides)))
        if name == "planner":
            return self.fields(path, *(each or {} for each in map(_there, sides)))
        label = f"{self.labels.get(part, 'settings')}, {name}"
        if all(each is None or isinstance(each, dict) for each in map(_there, sides)):
            return self.keys(path, label, *(each or {} for each in map(_there, sides)))
        return self.value(path, label, was, mine, theirs)

    def keys(self, path: str, label: str, was: Parts, mine: Parts, theirs: Parts) -> Any:
        """An object such as a rate, key by key; nothing once it says nothing."""
        found = {}
        for name in dict.fromkeys((*theirs, *mine)):
            three = _three(name, was, mine, theirs)
            found[name] = self.value(f"{path}.{name}", f"{label}: {name}", *three)
        left = {name: value for name, value in found.items() if value is not _NOT_THERE}
        return left or _NOT_THERE

    def parts(self, path: str, was: Parts, mine: Parts, theirs: Parts) -> list[Any]:
        """The elements of a list that are known by something."""
        found = {}
        for known_by in dict.fromkeys((*theirs, *mine)):
            key = f"{path}.{known_by}"
            before, ours, others = _three(known_by, was, mine, theirs)
            self.labels[key] = self.label(path, _there(others) or ours)
            if _there(ours) and _there(others):
                found[known_by] = self.fields(key, _there(before) or {}, ours, others)
            else:
                before = None if key in self.renamed else before
                found[known_by] = self.value(key, self.labels[key], before, ours, others)
        return [found[name] for name in _order(was, mine, theirs) if _there(found[name])]

    def value(self, key: str, label: str, was: Any, mine: Any, theirs: Any) -> Any:
        """One value of three."""
        if mine in (was, theirs):
            return theirs
        if theirs == was:
            return mine
        clash = Clash(key, label, _text(mine), _text(theirs))
        choice = self.choices.get(key)
        if choice is not None and choice.seen == clash.theirs:
            return mine if choice.takes == "mine" else theirs
        self.clashes.append(clash)
        return theirs

    def label(self, path: str, part: Parts) -> str:
        """A part as people call it."""
        if path == "patterns":
            return f"pattern {part['number']}"
        if path == "relationships":
            return f"relationship “{part['name']}”"
        if path == "ignored_findings":
            return f"finding {part['rule']}"
        owner = self.labels.get(path.removesuffix(".attributes"))
        return f"{owner}.{part['name']}" if owner else str(part["name"])


def _three(name: str, *sides: Parts) -> tuple[Any, ...]:
    return tuple(side.get(name, _NOT_THERE) for side in sides)


def _there(value: Any) -> Any:
    return None if value is _NOT_THERE else value


def _by_id(parts: Any) -> Parts:
    """Parts by their ids; new ones, which have none yet, by their places."""
    return {part.get("id") or f"new {at}": part for at, part in enumerate(_there(parts) or ())}


def _by_rule(ignored: Any) -> Parts:
    return {f"{each['rule']} {each.get('about')}": each for each in _there(ignored) or ()}


def _elements(was: list[Any], mine: list[Any], theirs: list[Any]) -> list[Any]:
    """Elements that are known by what they say: without those that went, with those that came."""
    kept = [each for each in theirs if each in mine or each not in was]
    return [*kept, *(each for each in mine if each not in was and each not in theirs)]


def _order(was: Parts, mine: Parts, theirs: Parts) -> list[str]:
    """The order of their list, or of mine where I moved something; what is new stands after what it stood after."""
    kept = [name for name in was if name in mine]
    is_moved = kept != [name for name in mine if name in was]
    first, second = (mine, theirs) if is_moved else (theirs, mine)
    order, at = list(first), 0
    for name in second:
        if name not in first:
            order.insert(at, name)
        at = order.index(name) + 1
    return order


def _text(value: Any) -> str:
    value = _there(value)
    if isinstance(value, dict):
        value = {name: inner for name, inner in value.items() if name != "id"}
    return "" if value is None else value if isinstance(value, str) else inline(value)


# Names and numbers, which parts are mentioned by.


def _names(design: Design) -> dict[Key, str]:
    """Everything that is mentioned by its name, and that name."""
    found: dict[Key, str] = {}
    for entity in design.entities:
        found["entities", str(entity.id)] = entity.name
        for attribute in entity.attributes:
            found["entities", str(entity.id), "attributes", str(attribute.id)] = attribute.name
    for relationship in design.relationships:
        found["relationships", str(relationship.id)] = relationship.name
    return {key: name for key, name in found.items() if "None" not in key}


def _called(design: Design, names: Mapping[Key, str], final: Mapping[Key, str]) -> Design:
    """The design with other names, followed wherever they are mentioned."""
    other = {key: final[key] for key, name in names.items() if name != final[key]}
    if not other:
        return design
    return renamed(
        Renaming(
            design,
            {names[key]: new for key, new in other.items() if key[0] == "entities" and not key[2:]},
            {(names[key[:2]], names[key]): new for key, new in other.items() if key[2:]},
            {names[key]: new for key, new in other.items() if key[0] == "relationships"},
        )
    )


def _known(base: Design, mine: Design) -> Design:
    """Parts that were written without an id are those of their name or number."""

    numbered = {each.number: each for each in base.patterns}
    entities = []
    for entity in mine.entities:
        before = base.entity.get(entity.name)
        attributes = before.by_name if before is not None else {}
        own = tuple(_like(each, attributes) for each in entity.attributes)
        entities.append(_like(replaced(entity, attributes=own), base.entity))
    return replaced(
        mine,
        entities=tuple(entities),
        relationships=tuple(_like(each, base.relationship) for each in mine.relationships),
        patterns=tuple(_known_pattern(each, numbered) for each in mine.patterns),
    )


def _like(part: Part, before: Mapping[str, Part]) -> Part:
    same = before.get(part.name)
    return part if part.id or same is None else replaced(part, id=same.id)


def _known_pattern(pattern: AnyPattern, before: Mapping[int, AnyPattern]) -> AnyPattern:
    same = before.get(pattern.number)
    return pattern if pattern.id or same is None else replaced(pattern, id=same.id)


def _numbered_apart(base: Design, mine: Design, theirs: Design) -> Design:
    """A pattern that came or was changed on my side, and has the number of one that came on theirs, gets the next one;
    and another id where they share that too.
    """
    before = {each.id: each for each in base.patterns}
    taken = {each.number: each for each in theirs.patterns if each.id not in before}
    free = max((each.number for side in (mine, theirs) for each in side.patterns), default=0) + 1
    numbers: dict[int, int] = {}
    for each in mine.patterns:
        if before.get(each.id) != each and taken.get(each.number, each) != each:
            numbers[each.number] = free + len(numbers)
    if not numbers:
        return mine
    shared = {each.id for each in taken.values()}
    patterns = tuple(
        replaced(each, number=numbers[each.number], id=None if each.id in shared else each.id)
        if each.number in numbers
        else each
        for each in mine.patterns
    )
    pins = tuple(
        replaced(pin, pattern=numbers[pin.pattern]) if pin.pattern in numbers else pin
        for pin in mine.planner.pins
    )
    about = {f"patterns.{old}": f"patterns.{new}" for old, new in numbers.items()}
    ignored = tuple(
        replaced(each, about=about[each.place]) if each.place in about else each
        for each in mine.ignored_findings
    )
    planner = replaced(mine.planner, pins=pins)
    return replaced(mine, patterns=patterns, planner=planner, ignored_findings=ignored)
