"""Access patterns as people say them: `List Bookings of a Guest, newest first, 20 at a time`."""

from designer.core.design.document import Design
from designer.core.outline.asked import ARTICLES, OF, Asked, no_attribute, short
from designer.core.outline.clauses import take_clause
from designer.core.outline.naming import attribute_at, entity_at, value_of
from designer.core.outline.tails import parted, take_tail
from designer.core.patterns import KINDS
from designer.core.proposing import Parts
from designer.core.proposing.patterns import LONGEST_NAME, changing
from designer.core.words.english import a, joined

LONGEST = 300
"""Characters of one sentence."""

FIND = ("show", "find", "see", "fetch", "read", "view", "open", "get", "load", "look", "look up")
"""First words that ask for one item or several, as the entity after them is called."""
VERBS = {verb: name for name, kind in KINDS.items() for verb in kind.verbs}
VERBS |= dict.fromkeys(FIND, "find")


def read_pattern(sentence: str, design: Design) -> Parts:
    """The pattern that a sentence asks for, as a document has it without its number.

    ValueError with a finished sentence where it means none.
    """
    text = " ".join(sentence.split()).rstrip(".!?")
    if len(text) > LONGEST:
        raise ValueError(f"“{text[:30]}…” is too long for one access pattern.")
    main, tails = parted(text)
    asked = Asked(design, main.split())
    _verb(asked)
    _entity(asked)
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
    else:
        word = asked.tokens[0] if asked.tokens else ""
        raise ValueError(
            f"“{short(word)}” is not a verb that a sentence can begin with. Write List, Get, Count, Create, Update, "
            "Delete or Check, and then an entity."
        )
    if asked.kind == "exists":
        asked.skip(frozenset({"whether", "if", "that", "there", "is"}))


def _entity(asked: Asked) -> None:
    """The entity, with attributes before it in `Update the status of a Booking` and values in `List FREE Rooms`."""
    asked.skip(ARTICLES)
    before = len(asked.said)
    at = _first_entity(asked)
    found = entity_at(asked.tokens[at:], asked.design.entities)
    assert found is not None
    asked.entity = asked.design.entity[found.name]
    words = asked.tokens[:at]
    if asked.kind == "update" and any(word.lower() in ("of", "on", "for") for word in words):
        _attributes_before(asked)
        asked.skip(OF | ARTICLES)
    else:
        _values_before(asked)
    owns = asked.tokens[found.count - 1].endswith(("'s", "\u2019s", "s'"))
    asked.name_entity(found)
    if asked.kind == "update" and owns:
        asked.said[-1] += "'s"
        _attributes_before(asked)
    if asked.kind == "find":
        one = any(word.lower() in ("a", "an", "one") for word in asked.said[:before])
        asked.kind = "get" if one or not found.is_many else "list"


def _first_entity(asked: Asked) -> int:
    for at in range(len(asked.tokens)):
        if entity_at(asked.tokens[at:], asked.design.entities):
            return at
    if not asked.tokens:
        raise ValueError(f"Which entity? Write “{asked.said[-1]}” and an entity.")
    names = [each.name for each in asked.design.entities]
    known = f" It has {joined(names[:8])}{' and more' if len(names) > 8 else ''}." if names else ""
    raise ValueError(f"“{short(' '.join(asked.tokens))}” names no entity of this design.{known}")


def _attributes_before(asked: Asked) -> None:
    while asked.tokens:
        asked.skip(ARTICLES | frozenset({"and"}))
        found = attribute_at(asked.tokens, asked.of)
        if found is None:
            break
        asked.set.append(found.name)
        asked.take(found.count)
    if not asked.set:
        raise ValueError(no_attribute(asked))


def _values_before(asked: Asked) -> None:
    while entity_at(asked.tokens, asked.design.entities) is None:
        value = value_of(asked.tokens[0], asked.of)
        if value is None:
            raise ValueError(
                f"“{short(asked.tokens[0])}” before {asked.of.name} is not understood: no "
                f"attribute of {asked.of.name} has it among its stated values."
            )
        asked.where.append({"attribute": value[0], "is": {"value": value[1]}})
        asked.take()


def _made(asked: Asked, name: str) -> Parts:
    kind, entity = asked.kind, asked.of
    pattern: Parts = {"kind": kind, "name": name, **asked.values}
    if KINDS[kind].is_read:
        return {**pattern, "returns": entity.name, "where": _where(asked)}
    beside = [word for word in ("order", "limit", "with", "consistency") if word in asked.values]
    if beside:
        raise ValueError(f"A write has no {joined(beside, 'or')}.")
    pattern["entity"] = entity.name
    if kind == "delete" and asked.where:
        pattern["where"] = asked.where
    elif asked.where:
        names = [str(each["attribute"]) for each in asked.where if "is" in each]
        pattern |= {"by": names} if set(names) != set(entity.identifier) else {}
    if kind == "update":
        names = asked.set or list(changing(asked.design, entity))
        if not names:
            raise ValueError(
                f"{entity.name} has no attribute that changes. Say which: “Update the status "
                f"of {a(entity.name)}”."
            )
        pattern["set"] = {each: {"param": each} for each in names}
    return pattern


def _where(asked: Asked) -> list[Parts]:
    """What it is found by; one item without anything said by its identifier."""
    if asked.where or asked.kind not in ("get", "exists"):
        return asked.where
    return [{"attribute": each, "is": {"param": each}} for each in asked.of.identifier]
