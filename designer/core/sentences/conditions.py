"""Conditions of access patterns in words: what the items are of, what is given of them, and what must hold."""

import re
from collections.abc import Mapping, Sequence

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.patterns.base import Condition, Operand
from designer.core.plan.keys import plain_text
from designer.core.words import figures
from designer.core.words.english import joined

TIMES = frozenset({"date", "datetime", "epoch", "ulid", "ksuid"})
"""Formats that sort by time."""
CLAUSES = ("whose ", "that have ")
"""How a condition begins that is a clause; the others are phrases."""


def conditions_text(
    design: Design, entity: Entity | None, conditions: tuple[Condition, ...]
) -> str:
    """What conditions say after the items' name: ` of one Branch whose state is LATE`.

    Clauses stand last, so that "and" joins like with like.
    """
    said = _said(design, entity, conditions)
    clauses = [words for words in said if words.startswith(CLAUSES)]
    phrases = [words for words in said if not words.startswith(CLAUSES)]
    both = [joined(words) for words in (_by_last(phrases), clauses) if words]
    is_short = len(phrases) == 1 and phrases[0].startswith(("of one ", "by "))
    runs_on = len(clauses) == 1 and (is_short or clauses[0].startswith("that have "))
    return f" {(' ' if runs_on else ', ').join(both)}" if both else ""


def _by_last(phrases: list[str]) -> list[str]:
    """What the items are of, what is given of them and what they are found by, each as one phrase:
    `of one Project by number`, `with a given day and a given place`.
    """
    of, given, by = (_of_one_word(phrases, word) for word in ("of one ", "with a given ", "by "))
    others = [words for words in phrases if words not in (*of, *given, *by)]
    first = " ".join((*_as_one(of, "of "), *_as_one(given, "with "), *_as_one(by, "by ")))
    return [first, *others] if first else others


def _of_one_word(phrases: list[str], word: str) -> list[str]:
    return [words for words in phrases if words.startswith(word)]


def _as_one(phrases: list[str], word: str) -> list[str]:
    """Phrases of one preposition as a single one: `of one User and another User`."""
    after = [words.removeprefix(word) for words in phrases]
    for place, words in enumerate(after):
        if words in after[:place]:
            after[place] = words.replace("one ", "another ", 1)
    return [word + joined(after)] if after else []


def condition_text(design: Design, entity: Entity | None, condition: Condition) -> str:
    """A condition on an entity's items: `of one User`, `whose status is PAID`, `with a given day (optional)`."""
    return _said(design, entity, (condition,))[0]


def _said(
    design: Design, entity: Entity | None, conditions: tuple[Condition, ...]
) -> Sequence[str]:
    """What conditions say together: those that only together name another item say so once."""
    named = _named(design, entity, conditions)
    said: dict[object, str] = {}
    excluded: dict[str, list[str]] = {}
    for place, condition in enumerate(conditions):
        words = _condition(design, entity, condition, named)
        if condition.not_ is not None and not condition.optional:
            values = excluded.setdefault(condition.attribute, [])
            values.append(operand_text(condition.not_))
            words = words.removesuffix(values[-1]) + joined(values, "or")
            said[condition.attribute] = words
        elif words:
            said[place] = f"{words} (optional)" if condition.optional else words
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
    design: Design, entity: Entity | None, condition: Condition, named: Mapping[str, str]
) -> str:
    """What a condition says; nothing where another says it already. `named`: as of `_named`."""
    *path, name = condition.attribute.split(".")
    attribute = entity.by_name.get(name) if entity and not path else None
    called = _called(design, entity, path, name)
    owner = _owner(called, name)
    whose = f"{owner}'s {name}" if owner and "(" not in owner else called
    if condition.is_ is not None and condition.is_.param is not None:
        of = named.get(condition.attribute)
        if of is not None:
            return of and f"of one {of}"
        is_unique = attribute is not None and (attribute.unique or attribute.unique_within)
        if entity is not None and (name in entity.identifier or is_unique):
            return f"by {called}"
        if owner:
            return f"whose {owner} has a given {name}"
        return f"with a given {called}"
    if condition.is_ is not None:
        return f"whose {whose} is {operand_text(condition.is_)}"
    if condition.listed is not None:
        count = condition.listed.count
        of = "" if count is None else f" of {figures.number(count)}"
        fixed = list(map(plain_text, condition.listed.value or ()))
        if condition.all_of is not None:
            return (
                f"for each {called} of {joined(fixed)}"
                if fixed
                else f"for every {called} in a given list{of}"
            )
        if fixed:
            return f"whose {whose} is {joined(fixed, 'or')}"
        return f"whose {whose} is in a given list{of}"
    if condition.exists:
        return f"whose {owner} has {name}" if owner else f"that have {called}"
    if condition.missing:
        return f"whose {owner} has no {name}" if owner else f"without {called}"
    if condition.not_ is not None:
        return f"whose {whose} is not {operand_text(condition.not_)}"
    if condition.begins_with is not None:
        return f"whose {whose} begins with {operand_text(condition.begins_with)}"
    if condition.contains is not None:
        return f"whose {whose} contains {operand_text(condition.contains)}"
    time = attribute is not None and attribute.format in TIMES
    words = {
        "from_": "on or after" if time else "at least",
        "after": "after" if time else "above",
        "to": "on or before" if time else "at most",
        "below": "before" if time else "below",
    }
    bounds = [
        f"{word} {_bound(attribute, operand)}"
        for field, word in words.items()
        if (operand := getattr(condition, field)) is not None
    ]
    are = "are" if attribute is not None and attribute.type == "N" and _is_plural(name) else "is"
    return f"whose {whose} {are} {joined(bounds)}"


def _is_plural(name: str) -> bool:
    """Whether a number's name reads as a plural: `points`, but not `status` or `access`."""
    return name.endswith("s") and not name.endswith(("ss", "us", "is"))


def _called(design: Design, entity: Entity | None, path: list[str], name: str) -> str:
    """An attribute, of another item by relationships towards one: `email of the Member`.

    Where two of the relationships lead to such an item, with the one that is meant: `email of the User (sells)`.
    """
    called = name
    for step in path:
        relationship = design.relationship.get(step)
        if entity is None or relationship is None:
            return ".".join((*path, name))
        parent = relationship.parent
        sides = [
            each.parent
            for each in design.relationships
            if each.child == entity.name and each.cardinality != "N:M"
        ]
        of = f"{parent} ({step})" if sides.count(parent) > 1 else parent
        called = f"{name} of the {of}{called.removeprefix(name)}"
        entity = design.entity.get(parent)
    return called


def _owner(called: str, name: str) -> str:
    """The item whose attribute is called so: `Member`, `User's Region` for two steps; empty for the item itself."""
    if not called.startswith(f"{name} of the "):
        return ""
    steps = called.removeprefix(f"{name} of the ").split(" of the ")
    return " of the ".join(steps) if "(" in called else "'s ".join(reversed(steps))


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
        return operand_text(operand)
    return f"a given {noun}" if param == noun else f"a given {noun} ({param})"


def as_clauses(design: Design, entity: Entity | None, conditions: tuple[Condition, ...]) -> str:
    """Conditions that must hold together, as clauses: `status is PAID and total is at least 100`."""
    said: Sequence[str] = _said(design, entity, conditions)
    said = [re.sub(r"^whose ", "", text) for text in said]
    said = [re.sub(r"^with a given (.+)$", r"\1 is as given", text) for text in said]
    said = [re.sub(r"^of one (.+)$", r"its \1 is the given one", text) for text in said]
    said = [re.sub(r"^that have (.+)$", r"\1 is present", text) for text in said]
    said = [re.sub(r"^without (.+)$", r"\1 is missing", text) for text in said]
    return joined(said)
