"""What follows the entity in a sentence: whose it is, what it is found by, what comes along."""

import re
from collections.abc import Callable

from designer.core.design.attributes import Attribute
from designer.core.errors import MisfitError
from designer.core.messages import say
from designer.core.outline.asked import ARTICLES, BY, IS, OF, Asked, no_attribute, short
from designer.core.proposing import Parts
from designer.core.proposing.patterns import direct_parents, ways_to

_ALONG = ARTICLES | {"with", "including", "together", "and", "his", "her"}
_RANGE = re.compile(
    r"(?:in|within|by) an? (?:range|interval|time) ?of|between|(?:in|within|by) an? range"
)
_RANGE_WORDS = frozenset(
    ["in", "within", "by", "between", "a", "an", "range", "interval", "of", "two", "dates", "time"]
)
_WHICH = frozenset(["that", "which", "who"])
_BEGIN_RANGES = frozenset(["between", "since", "after", "before", "until"])
_VALUE_WORDS = frozenset(["a", "two", "date", "dates", "values", "day", "time"])
_BEGIN_CLAUSES = BY | OF | {"named", "since", "after", "before", "until", "to"}


def take_clause(asked: Asked) -> None:
    word = asked.tokens[0].lower()
    rest = asked.tokens[1:]
    while rest and rest[0].lower() in ARTICLES | OF | {"to"}:
        rest = rest[1:]
    if word == "and" and asked.kind == "update":
        raise MisfitError(say("one-change-a-sentence"))
    if word == "and" and asked.tokens[1:] and asked.tokens[1].lower() in _BEGIN_RANGES:
        asked.take()
        word = asked.tokens[0].lower()
    if word in _WHICH:
        _state(asked)
    elif word in ("exists", "exist") and asked.kind == "exists":
        asked.take()
    elif word in ("in", "between", "within", "by") and _is_range(asked):
        _range(asked)
    elif word in OF and asked.named.entity_at(rest):
        _parent(asked)
    elif word in ("with", "including", "together") and _along(asked):
        return
    elif word in _BEGIN_CLAUSES or asked.named.attribute_at(asked.tokens, asked.of):
        _conditions(asked)
    else:
        raise MisfitError(say("clause-unknown", words=short(" ".join(asked.tokens))))


def _state(asked: Asked) -> None:
    """`that are FREE`: a value of an attribute that is not named, or one that is yes or no."""
    asked.take()
    if asked.tokens and asked.tokens[0].lower() in ("have", "has"):
        asked.take()
        return
    if asked.tokens and asked.tokens[0].lower() in ("are", "is"):
        asked.take()
    word = asked.tokens[0] if asked.tokens else ""
    value = asked.named.value_of(word, asked.of)
    if value is None:
        asked.where.append(_yes_or_no(asked))
        return
    asked.take()
    attribute, values = value[0], [value[1]]
    while len(asked.tokens) > 1 and asked.tokens[0].lower() == "or":
        another = asked.named.value_of(asked.tokens[1], asked.of)
        if another is None or another[0] != attribute:
            break
        values.append(another[1])
        asked.take(2)
    is_one = len(values) == 1
    asked.where.append(
        {"attribute": attribute, "is": {"value": values[0]}}
        if is_one
        else {"attribute": attribute, "any_of": {"value": values}}
    )


def _yes_or_no(asked: Asked) -> Parts:
    is_not = bool(asked.tokens) and asked.tokens[0].lower() == "not"
    word = "".join(asked.tokens[is_not : is_not + 1])
    name = asked.named.flag_of(word, asked.of) if word else None
    if name is not None:
        asked.take(1 + is_not)
        return {"attribute": name, "is": {"value": not is_not}}
    known = tuple(value for each in asked.of.attributes for value in each.values or ())
    what, entity = short(" ".join(asked.tokens)), asked.of.name
    if not known:
        raise MisfitError(say("state-without-values", words=what, entity=entity))
    raise MisfitError(say("state-unknown", words=what, entity=entity, known=known[:12]))


def _parent(asked: Asked) -> None:
    asked.skip(OF | frozenset({"to"}) | ARTICLES)
    found = asked.named.entity_at(asked.tokens)
    assert found is not None
    asked.name_entity(found)
    ways = [held for held in asked.design.held.get(asked.of.name, ()) if held.of == found.name]
    near = [held for held in ways if held in direct_parents(asked.design, asked.of)]
    names = [by for held in near or ways for by in ways_to(held)] or _further_up(asked, found.name)
    if len(names) > 1:
        names = _said_way(asked, names)
    if not names:
        child, parent = asked.of.name, found.name
        between = _between(asked, parent)
        if between is not None:
            raise MisfitError(say("meets-in-another", child=child, parent=parent, between=between))
        known = tuple(dict.fromkeys(held.of for held in asked.design.held.get(child, ())))
        if known:
            raise MisfitError(say("belongs-to-others", child=child, parent=parent, known=known))
        raise MisfitError(say("belongs-to-nothing", child=child, parent=parent))
    if asked.kind == "get":
        asked.kind = "list"
    asked.where += [
        {"attribute": each, "is": {"param": each.rpartition(".")[2]}} for each in names[0]
    ]


def _between(asked: Asked, parent: str) -> str | None:
    """A third entity that has one of each: `Enrolment` of Student and Course."""
    name, design = asked.of.name, asked.design
    for relationship in design.relationships:
        between = relationship.child
        if relationship.parent != name or relationship.brings(between) != name:
            continue
        if any(held.of == parent for held in design.held.get(between, ())):
            return between
    return None


def _further_up(asked: Asked, parent: str) -> list[tuple[str, ...]]:
    """The ways to an entity by one relationship and what its parent holds: `payments.guestId`."""
    return [
        tuple(f"{relationship.name}.{name}" for name in by)
        for relationship in asked.design.of_child.get(asked.of.name, ())
        if relationship.cardinality != "N:M"
        for held in asked.design.held.get(relationship.parent, ())
        if held.of == parent
        for by in ways_to(held)
    ]


def _said_way(asked: Asked, ways: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Of several ways to belong to a parent the one whose attributes are named next."""
    if asked.tokens and asked.tokens[0].lower() in ("by", "as"):
        found = asked.named.attribute_at(asked.tokens[1:], asked.of)
        for way in ways:
            if found is not None and found.name in way:
                asked.take(1 + found.count)
                return [way]
    said = tuple(say("by-attribute", attribute=way[0]) for way in ways)
    raise MisfitError(
        say("refers-in-several-ways", entity=asked.of.name, count=len(ways), ways=said)
    )


def _along(asked: Asked) -> bool:
    """What comes along: `with its Rooms`; False where the words name attributes instead."""
    rest = list(asked.tokens)
    while rest and rest[0].lower() in _ALONG:
        rest.pop(0)
    found = asked.named.entity_at(rest)
    if found is None or asked.named.attribute_at(rest, asked.of):
        return False
    brought = asked.named.along(asked.of, found.name)
    if brought is None:
        said = say("no-relationship-between", entity=asked.of.name, other=found.name)
        raise MisfitError(said)
    asked.values.setdefault("with", []).append({"relationship": brought})
    asked.take(len(asked.tokens) - len(rest))
    asked.name_entity(found)
    return True


def _is_range(asked: Asked) -> bool:
    text = " ".join(asked.tokens[:4]).lower()
    return bool(_RANGE.match(text))


def _range(asked: Asked) -> None:
    asked.skip(_RANGE_WORDS)
    _bounded(asked, ("from", "to"))


def _conditions(asked: Asked) -> None:
    """Attributes and what each must be, with `and` between them."""
    word = asked.tokens[0].lower()
    if word in ("since", "after", "before", "until"):
        asked.take()
        _bounded(asked, (_BOUND_BY[word],))
        return
    asked.skip(BY | OF | ARTICLES | frozenset({"named", "given", "certain", "to"}))
    if value := asked.named.value_of(asked.tokens[0], asked.of) if asked.tokens else None:
        asked.where.append({"attribute": value[0], "is": {"value": value[1]}})
        asked.take()
        return
    found = asked.named.attribute_at(asked.tokens, asked.of)
    if found is None:
        raise no_attribute(asked)
    asked.take(found.count)
    attribute = asked.of.by_name[found.name]
    bound = _bound(asked)
    if bound:
        asked.where.append({"attribute": attribute.name, **bound})
        return
    asked.where.append({"attribute": attribute.name, "is": _operand(asked, attribute)})


_BOUND_BY = {"since": "from", "after": "after", "before": "below", "until": "to"}
"""What a word bounds a time by: neither `before` nor `after` includes the time that is given."""
_BOUNDS: tuple[tuple[tuple[str, ...], Callable[[str], Parts]], ...] = (
    (("is", "missing"), lambda name: {"missing": True}),
    (("is", "not", "set"), lambda name: {"missing": True}),
    (("is", "set"), lambda name: {"exists": True}),
    (("at", "least"), lambda name: {"from": {"param": "least"}}),
    (("at", "most"), lambda name: {"to": {"param": "most"}}),
    (("since",), lambda name: {"from": {"param": "since"}}),
    (("after",), lambda name: {"after": {"param": "since"}}),
    (("until",), lambda name: {"to": {"param": "until"}}),
    (("before",), lambda name: {"below": {"param": "until"}}),
    (("begins", "with"), lambda name: {"begins_with": {"param": name}}),
    (("starting", "with"), lambda name: {"begins_with": {"param": name}}),
    (("in", "a", "range"), lambda name: {"from": {"param": "least"}, "to": {"param": "most"}}),
    (("between",), lambda name: {"from": {"param": "least"}, "to": {"param": "most"}}),
)


def _bound(asked: Asked) -> Parts | None:
    said = tuple(word.lower() for word in asked.tokens[:3])
    name = asked.said[-1]
    for words, made in _BOUNDS:
        if said[: len(words)] == words:
            asked.take(len(words))
            asked.skip(_VALUE_WORDS)
            return made(name)
    return None


def _bounded(asked: Asked, ways: tuple[str, ...]) -> None:
    asked.skip(ARTICLES)
    found = asked.named.attribute_at(asked.tokens, asked.of)
    if found is None:
        raise no_attribute(asked)
    asked.take(found.count)
    operands = {way: {"param": "since" if way in ("from", "after") else "until"} for way in ways}
    asked.where.append({"attribute": found.name, **operands})


def _operand(asked: Asked, attribute: Attribute) -> Parts:
    """The value that the words after an attribute name; a parameter called as the attribute where they name none."""
    said_is = bool(asked.tokens) and asked.tokens[0].lower() in IS
    word = asked.tokens[1 if said_is else 0] if len(asked.tokens) > said_is else ""
    for value in attribute.values or ():
        if word.lower() == value.lower():
            asked.take(1 + said_is)
            return {"value": value}
    if not said_is or not word:
        return {"param": attribute.name}
    asked.take(2)
    if attribute.type == "BOOL" and word.lower() in ("true", "false"):
        return {"value": word.lower() == "true"}
    if attribute.type == "N" and re.fullmatch(r"-?\d{1,30}(\.\d{1,9})?", word):
        return {"value": float(word) if "." in word else int(word)}
    if word.lower() in ("given", "something"):
        return {"param": attribute.name}
    return {"value": word.strip("\"'“”")}
