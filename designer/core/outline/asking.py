"""Access patterns as people say them: `List Bookings of a Guest, newest first, 20 at a time`."""

import re

from designer.core.design.document import Design
from designer.core.errors import MisfitError
from designer.core.messages import say
from designer.core.outline.asked import ARTICLES, OF, Asked, no_attribute, short
from designer.core.outline.clauses import take_clause
from designer.core.outline.foremost import put_first, take_foremost
from designer.core.outline.naming import Named
from designer.core.outline.tails import parted, take_tail
from designer.core.patterns import KINDS
from designer.core.proposing import Parts
from designer.core.proposing.patterns import LONGEST_NAME, changing

LONGEST = 300
"""Characters of one sentence."""
MOST_NAMED = 8
"""Entities that are named at the most where a sentence names none."""

FIND = ("show", "find", "see", "fetch", "read", "view", "open", "get", "load", "look", "look up")
"""First words that ask for one item or several, as the entity after them is called."""
VERBS = {verb: name for name, kind in KINDS.items() for verb in kind.verbs}
VERBS |= dict.fromkeys(FIND, "find") | {"search": "search", "search for": "search"}
FIGURES = {
    "sum": "sum",
    "add up": "sum",
    "greatest": "greatest",
    "highest": "greatest",
    "largest": "greatest",
    "least": "least",
    "lowest": "least",
    "smallest": "least",
}
"""First words that ask for a number worked out from an attribute of items."""
AVERAGES = ("average", "mean")
BY_WORDS = re.compile(r"(?:(?:by|for|with) (?:words?|keywords?|text|full[- ]text))?", re.IGNORECASE)


def read_pattern(sentence: str, design: Design, named: Named | None = None) -> Parts:
    """The pattern that a sentence asks for, as a document has it without its number. `named`: what words may name in
    the design, for whoever reads several.

    MisfitError where it means none.
    """
    text = " ".join(sentence.split()).rstrip(".!?")
    if len(text) > LONGEST:
        raise MisfitError(say("sentence-too-long", start=text[:30]))
    main, tails = parted(text)
    asked = Asked(design, main.split(), named or Named(design))
    _verb(asked)
    _entity(asked)
    if asked.searches and BY_WORDS.fullmatch(" ".join(asked.tokens)):
        asked.kind = "elsewhere"
        asked.take(len(asked.tokens))
    while asked.tokens:
        take_clause(asked)
    name = [" ".join(asked.said)]
    for tail in tails:
        shown = take_tail(asked, tail)
        name += [shown] if shown else []
    made = ", ".join(name)
    return _made(asked, (made[:1].upper() + made[1:])[:LONGEST_NAME])


def _verb(asked: Asked) -> None:
    for length in (2, 1):
        asked.kind = VERBS.get(" ".join(asked.tokens[:length]).lower(), "")
        if asked.kind:
            asked.take(length)
            break
        asked.figure = FIGURES.get(" ".join(asked.tokens[:length]).lower(), "")
        if asked.figure:
            asked.kind = "list"
            asked.take(length)
            break
    else:
        word = asked.tokens[0] if asked.tokens else ""
        if word.lower() in AVERAGES:
            raise MisfitError(say("sentence-asks-average", word=word))
        raise MisfitError(say("sentence-without-verb", word=short(word)))
    if asked.kind == "search":
        asked.kind, asked.searches = "list", True
    if asked.kind == "exists":
        asked.skip(frozenset({"whether", "if", "that", "there", "is"}))


def _entity(asked: Asked) -> None:
    """The entity, with attributes before it in `Update the status of a Booking` and values in `List FREE Rooms`."""
    asked.skip(ARTICLES)
    before = len(asked.said)
    at = _first_entity(asked)
    found = asked.named.entity_at(asked.tokens[at:])
    assert found is not None
    asked.entity = asked.design.entity[found.name]
    rest = len(asked.tokens) - at
    way = "" if asked.figure else take_foremost(asked, at)
    words = asked.tokens[: len(asked.tokens) - rest]
    if (asked.kind == "update" or asked.figure) and any(
        word.lower() in ("of", "on", "for") for word in words
    ):
        _attributes_before(asked)
        asked.skip(OF | ARTICLES)
    else:
        _values_before(asked)
    owns = asked.tokens[found.count - 1].endswith(("'s", "\u2019s", "s'"))
    asked.name_entity(found)
    if way:
        put_first(asked, way, found.is_many)
    if asked.kind == "update" and owns:
        asked.said[-1] += "'s"
        _attributes_before(asked)
    if asked.kind == "find":
        one = any(word.lower() in ("a", "an", "one") for word in asked.said[:before])
        asked.kind = "get" if one or not found.is_many else "list"
    if asked.figure and len(asked.set) != 1:
        raise MisfitError(say("number-without-attribute", verb=asked.said[0], entity=asked.of.name))


def _first_entity(asked: Asked) -> int:
    for at in range(len(asked.tokens)):
        if asked.named.entity_at(asked.tokens[at:]):
            return at
    if not asked.tokens:
        raise MisfitError(say("sentence-without-entity", verb=asked.said[-1]))
    words = short(" ".join(asked.tokens))
    names = tuple(each.name for each in asked.design.entities)
    if not names:
        raise MisfitError(say("sentence-names-no-entity", words=words))
    if len(names) > MOST_NAMED:
        known = names[:MOST_NAMED]
        raise MisfitError(say("sentence-names-none-of-more", words=words, known=known))
    raise MisfitError(say("sentence-names-none-of", words=words, known=names))


def _attributes_before(asked: Asked) -> None:
    while asked.tokens:
        asked.skip(ARTICLES | frozenset({"and"}))
        found = asked.named.attribute_at(asked.tokens, asked.of)
        if found is None:
            break
        asked.set.append(found.name)
        asked.take(found.count)
    if not asked.set:
        raise no_attribute(asked)


def _values_before(asked: Asked) -> None:
    while asked.named.entity_at(asked.tokens) is None:
        value = asked.named.value_of(asked.tokens[0], asked.of)
        if value is None:
            word = short(asked.tokens[0])
            raise MisfitError(say("value-before-unknown", word=word, entity=asked.of.name))
        asked.where.append({"attribute": value[0], "is": {"value": value[1]}})
        asked.take()


def _made(asked: Asked, name: str) -> Parts:
    kind, entity = asked.kind, asked.of
    pattern: Parts = {"kind": kind, "name": name, **asked.values}
    if kind == "elsewhere":
        _must_be_plain(asked, "search-has-no")
        return {**pattern, "returns": entity.name, "because": "full-text search"}
    if asked.searches:
        _must_be_exact(asked)
    if asked.figure:
        _must_be_plain(asked, "number-has-no")
        pattern["result"] = {asked.figure: asked.set[0]}
    if KINDS[kind].is_read:
        return {**pattern, "returns": entity.name, "where": _where(asked)}
    _must_be_plain(asked, "write-has-no", "consistency")
    pattern["entity"] = entity.name
    if kind == "delete" and asked.where:
        pattern["where"] = asked.where
    elif asked.where:
        names = [str(each["attribute"]) for each in asked.where if "is" in each]
        pattern |= {"by": names} if set(names) != set(entity.identifier) else {}
    if kind == "update":
        names = asked.set or list(changing(asked.design, entity))
        if not names:
            raise MisfitError(say("entity-never-changes", entity=entity.name))
        pattern["set"] = {each: {"param": each} for each in names}
    return pattern


def _must_be_plain(asked: Asked, otherwise: str, *more: str) -> None:
    """`otherwise`: the message that names what such a pattern cannot have."""
    beside = [word for word in ("order", "limit", "with", *more) if word in asked.values]
    if beside:
        raise MisfitError(say(otherwise, parts=tuple(beside)))


def _must_be_exact(asked: Asked) -> None:
    """Who searches by a text may mean a part of it, which no key finds."""
    entity = asked.of
    for condition in asked.where:
        name = str(condition["attribute"])
        attribute = entity.by_name.get(name)
        if attribute is None or attribute.values or attribute.type != "S":
            continue
        if attribute.format in (None, "text") and condition.get("is") == {"param": name}:
            raise MisfitError(say("search-within-text", entity=entity.name, attribute=name))


def _where(asked: Asked) -> list[Parts]:
    """What it is found by; one item without anything said by its identifier."""
    if asked.where or asked.kind not in ("get", "exists"):
        return asked.where
    return [{"attribute": each, "is": {"param": each}} for each in asked.of.identifier]
