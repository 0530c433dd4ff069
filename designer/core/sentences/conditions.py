"""Conditions of access patterns in words: what the items are of, what is given of them, and what must hold."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.patterns.base import Condition, Operand
from designer.core.plan.keys import plain_text
from designer.core.words import figures
from designer.core.words.english import joined
from designer.core.words.english import named as quoted

TIMES = frozenset({"date", "datetime", "epoch", "ulid", "ksuid"})
"""Formats that sort by time."""
STARTS = {
    "of": "of one ",
    "given": "with a given ",
    "by": "by ",
    "without": "without ",
    "each": "",
    "whose": "whose ",
    "have": "that have ",
    "has": "that has ",
}
"""How each kind of phrase begins."""
CLAUSES = ("whose", "have")
"""The kinds that have a verb."""
ONE = ("one", "the one")
"""What takes up a single item again."""
CONDITIONS = {
    "without": "{} is missing",
    "whose": "{}",
    "have": "{} is present",
}
"""What each kind says as a condition by itself, unless a value is given; the others say the same as behind an item's
name.
"""
NOTHING_SET: Mapping[str, str] = {}
BRACKETED = re.compile(r"a given \w+ \([^()]+\)$")
"""A given value whose parameter already stands in brackets, at the end: two pairs in a row read badly."""


@dataclass(frozen=True)
class _Phrase:
    """What a condition says behind the name of an item."""

    kind: str
    words: str
    """What stands after its start."""
    optional: bool = False
    attribute: str = ""
    param: str = ""
    """Of a given value."""

    @property
    def text(self) -> str:
        return STARTS[self.kind] + self._marked(self.words)

    def condition(self, becomes: Mapping[str, str]) -> str:
        """`becomes`: the parameters of the values that the same write sets, by attribute: another given value."""
        if self.kind in ("of", "given"):
            its = "its " if self.kind == "of" or self.attribute in becomes else ""
            now = "current " if self.attribute in becomes else ""
            is_other = becomes.get(self.attribute, self.param) != self.param
            one = f"a given one ({self.param})" if is_other else "the given one"
            return self._marked(f"{its}{now}{self.words} is {one}")
        return self._marked(CONDITIONS.get(self.kind, STARTS[self.kind] + "{}").format(self.words))

    def _marked(self, words: str) -> str:
        if not self.optional:
            return words
        if not BRACKETED.search(words):
            return f"{words} (optional)"
        both = "both " if words.count("a given ") > 1 else ""
        return f"{words[:-1]}, {both}optional)"


def conditions_text(
    design: Design,
    entity: Entity | None,
    conditions: tuple[Condition, ...],
    those: str = "those",
    of_several: bool = False,
) -> str:
    """What conditions say after the items' name: ` of one Branch, those whose state is LATE`.

    Clauses stand last, so that "and" joins like with like. `those`: how they take the items up again, as the branch
    would be meant otherwise; empty where the items' name says it already. `of_several`: several items are
    wanted, or a figure of them, and "by" would read as sorted or summed up by each value.
    """
    said = _said(design, entity, conditions)
    clauses = [one for one in said if one.kind in CLAUSES]
    phrases = [one for one in said if one.kind not in CLAUSES]
    if clauses or of_several:
        # "Notes by userId that have" says it of the attribute.
        phrases = [replace(one, kind="given") if one.kind == "by" else one for one in phrases]
    are_of_another = any(one.kind == "of" for one in phrases)
    more: list[str] = []
    if are_of_another:
        # "Nodes of one Drive with a given folder" would say it of the drive.
        if any(one.kind == "by" for one in phrases):
            phrases = [replace(one, kind="by") if one.kind == "given" else one for one in phrases]
        given = [one.text for one in phrases if one.kind == "given"]
        phrases = [one for one in phrases if one.kind != "given"]
        more = [_as_one("given", given)] if given else []
        if not those:
            more = [words.replace("with", "that have", 1) for words in more]
    is_one = those in ONE
    of_them = [
        replace(one, kind="has") if is_one and one.kind == "have" else one for one in clauses
    ]
    said_of_them = joined([*more, *(one.text for one in of_them)])
    if said_of_them and are_of_another and those:
        said_of_them = f"{those} {said_of_them}"
    parts = [words for words in (joined(_by_last(phrases)), said_of_them) if words]
    runs_on = len(clauses) == 1 and clauses[0].kind == "have" and not are_of_another
    runs_on = runs_on or not those
    return f" {(' ' if runs_on else ', ').join(parts)}" if parts else ""


def _by_last(phrases: list[_Phrase]) -> list[str]:
    """What the items are of, what is given of them and what they are found by, each as one phrase:
    `of one Project by number`, `with a given day and a given place`.
    """
    joint = [_as_one(kind, [one.text for one in phrases if one.kind == kind]) for kind in JOINT]
    others = [one.text for one in phrases if one.kind not in JOINT]
    first = " ".join(words for words in joint if words)
    return [first, *others] if first else others


JOINT = {"of": "of ", "given": "with ", "by": "by "}
"""The kinds of which several are said as one, in this order, and their prepositions."""


def _as_one(kind: str, texts: list[str]) -> str:
    """Phrases of one preposition as a single one: `of one User and one Team`, `between one User and another`; empty for
    none.
    """
    after = [text[len(JOINT[kind]) :] for text in texts]
    if kind == "of" and len(after) == 2 and after[0] == after[1] and "(" not in after[0]:
        return f"between {after[0]} and another"
    for place, words in enumerate(after):
        if words in after[:place]:
            after[place] = words.replace("one ", "another ", 1)
    return JOINT[kind] + joined(after) if after else ""


def condition_text(design: Design, entity: Entity | None, condition: Condition) -> str:
    """A condition on an entity's items: `of one User`, `whose status is PAID`, `with a given day (optional)`."""
    return _said(design, entity, (condition,))[0].text


def _said(
    design: Design, entity: Entity | None, conditions: tuple[Condition, ...]
) -> Sequence[_Phrase]:
    """What conditions say together: those that only together name another item say so once."""
    named = _named(design, entity, conditions)
    said: dict[object, _Phrase] = {}
    excluded: dict[str, list[str]] = {}
    for place, condition in enumerate(conditions):
        values: list[str] = []
        key: object = place
        if condition.not_ is not None:
            if not condition.optional:
                key = condition.attribute
                values = excluded.setdefault(condition.attribute, values)
            values.append(operand_text(condition.not_))
        phrase = _condition(design, entity, condition, named, joined(values, "or"))
        if phrase is not None:
            param = condition.is_.param if condition.is_ is not None else None
            said[key] = replace(
                phrase,
                optional=condition.optional,
                attribute=condition.attribute,
                param=param or "",
            )
    return list(said.values())


def _named(
    design: Design, entity: Entity | None, conditions: tuple[Condition, ...]
) -> dict[str, str]:
    """The attributes whose given values name an item of another entity, and that entity: the first of them that the
    conditions have, the others with nothing.

    The identifier names the item itself, even where all of it refers to another.
    """
    if entity is None:
        return {}
    given = [each for each in conditions if each.is_ is not None and each.is_.param is not None]
    surely = [each.attribute for each in given if not each.optional]
    named: dict[str, str] = {}
    # The more it takes to name an item, the more of the others goes without saying: a room's hotel.
    for held in sorted(design.held[entity.name], key=lambda held: -len(held.parts)):
        for names in (surely, *([each.attribute] for each in given if each.optional)):
            parts = [next((name for name in names if name in part), None) for part in held.parts]
            found = [name for name in names if name in parts]
            is_itself = set(found) == set(entity.identifier)
            if None in parts or is_itself or all(name in named for name in found):
                continue
            first, *others = (name for name in found if name not in named)
            named |= {first: held.of, **dict.fromkeys(others, "")}
    for name in (each.attribute for each in given):
        of, theirs = design.referred.get((entity.name, name), ("", ""))
        if of and design.entity[of].by_name[theirs].unique and (name,) != entity.identifier:
            named.setdefault(name, of)
    return named


def _condition(
    design: Design,
    entity: Entity | None,
    condition: Condition,
    named: Mapping[str, str],
    excluded: str,
) -> _Phrase | None:
    """What a condition says; nothing where another says it already. `named`: as of `_named`; `excluded`: the values
    that the attribute may not have.
    """
    *path, name = condition.attribute.split(".")
    attribute = entity.by_name.get(name) if entity and not path else None
    called, whose, owner = _called(design, entity, path, name)
    if condition.is_ is not None and condition.is_.param is not None:
        of = named.get(condition.attribute)
        if of is not None:
            return _Phrase("of", of) if of else None
        is_unique = attribute is not None and (attribute.unique or attribute.unique_within)
        if entity is not None and (name in entity.identifier or is_unique):
            return _Phrase("by", called)
        if owner:
            return _Phrase("whose", f"{owner} has a given {quoted(name)}")
        return _Phrase("given", called)
    if condition.listed is not None:
        count = condition.listed.count
        of = "" if count is None else f" of {figures.number(count)}"
        fixed = list(map(plain_text, condition.listed.value or ()))
        if condition.all_of is not None:
            each = f"each {called} of {joined(fixed)}"
            return _Phrase(
                "each", f"for {each}" if fixed else f"for every {called} in a given list{of}"
            )
        if fixed:
            return _Phrase("whose", f"{whose} is {joined(fixed, 'or')}")
        return _Phrase("whose", f"{whose} is in a given list{of}")
    if condition.exists:
        return _Phrase("whose", f"{owner} has {quoted(name)}") if owner else _Phrase("have", called)
    if condition.missing:
        return (
            _Phrase("whose", f"{owner} has no {quoted(name)}")
            if owner
            else _Phrase("without", called)
        )
    return _Phrase("whose", f"{whose} {_compared(condition, name, attribute, excluded)}")


def _compared(condition: Condition, name: str, attribute: Attribute | None, excluded: str) -> str:
    """What a value is compared with: `is PAID`, `begins with a given start`, `are at least 100`.

    A date is on or after another, a time at or after it.
    """
    if condition.is_ is not None:
        return f"is {operand_text(condition.is_)}"
    if condition.not_ is not None:
        return f"is not {excluded}"
    if condition.begins_with is not None:
        return f"begins with {operand_text(condition.begins_with)}"
    if condition.contains is not None:
        return f"contains {operand_text(condition.contains)}"
    time = attribute is not None and attribute.format in TIMES
    at = "on" if attribute is not None and attribute.format == "date" else "at"
    words = {
        "from_": f"{at} or after" if time else "at least",
        "after": "after" if time else "above",
        "to": f"{at} or before" if time else "at most",
        "below": "before" if time else "below",
    }
    bounds = [
        f"{word} {_bound(attribute, operand)}"
        for field, word in words.items()
        if (operand := getattr(condition, field)) is not None
    ]
    are = "are" if attribute is not None and attribute.type == "N" and _is_plural(name) else "is"
    return f"{are} {joined(bounds)}"


def _is_plural(name: str) -> bool:
    """Whether a number's name reads as a plural: `points`, but not `status` or `access`."""
    return name.endswith("s") and not name.endswith(("ss", "us", "is"))


def _called(
    design: Design, entity: Entity | None, path: list[str], name: str
) -> tuple[str, str, str]:
    """An attribute, of another item by relationships towards one: (`email of the Member`, `Member's email`, `Member`).

    Where two of the relationships lead to such an item, with the one that is meant: `email of the User (sells)`. Of the
    item itself the last is empty.
    """
    owners: list[str] = []
    is_plain = True
    for step in path:
        relationship = design.relationship.get(step)
        if entity is None or relationship is None:
            called = ".".join((*path, name))
            return called, called, ""
        parent = relationship.parent
        sides = [
            each.parent
            for each in design.relationships
            if each.child == entity.name and each.cardinality != "N:M"
        ]
        is_meant = sides.count(parent) > 1
        is_plain &= not is_meant
        owners.append(f"{parent} ({step})" if is_meant else parent)
        entity = design.entity.get(parent)
    name = quoted(name)
    called = " of the ".join((name, *reversed(owners)))
    if not owners:
        return called, called, ""
    if not is_plain:
        return called, called, " of the ".join(reversed(owners))
    owner = "'s ".join(owners)
    return called, f"{owner}'s {name}", owner


def operand_text(operand: Operand) -> str:
    """The other side of a condition: `a given day`, or the constant."""
    return f"a given {operand.param}" if operand.param else plain_text(operand.value)


def _bound(attribute: Attribute | None, operand: Operand) -> str:
    """The other side of a comparison: `a given time (since)`, as a parameter's name alone may be no noun."""
    param = operand.param
    if attribute is None or param is None or param == attribute.name:
        return operand_text(operand)
    if attribute.format in ("datetime", "epoch"):
        noun = "time"
    elif attribute.format == "date":
        noun = "date"
    elif attribute.type == "N":
        noun = "number"
    else:
        noun = "value"
    return f"a given {noun}" if param == noun else f"a given {noun} ({param})"


def as_clauses(
    design: Design,
    entity: Entity | None,
    conditions: tuple[Condition, ...],
    becomes: Mapping[str, str] = NOTHING_SET,
) -> str:
    """Conditions that must hold together, as clauses: `status is PAID and total is at least 100`.

    `becomes`: the parameters of what the write sets, by attribute.
    """
    return joined([one.condition(becomes) for one in _said(design, entity, conditions)])
