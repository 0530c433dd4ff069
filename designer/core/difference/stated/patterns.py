"""The access patterns of two designs."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.difference.base import About, Change, code, line
from designer.core.difference.fields import Told, Words, field_changes
from designer.core.difference.matching import paired
from designer.core.patterns import AnyPattern

WORDS: Words = {
    "kind": "the kind",
    "why": "the reason",
    "description": "the description",
    "rate.average": "the average rate a second",
    "rate.peak": "the peak rate a second",
    "hottest": "the share of its hottest key",
    "latency_ms": "the latency in milliseconds",
    "status": "the status",
    "considerations": "the considerations",
    "workflow": "the workflow",
    "at_most_requests": "the number of requests at the most",
    "returns": "what it returns",
    "where": "the conditions",
    "keep": "the conditions after reading",
    "with_": "the things that come along",
    "attributes": "the attributes that it needs",
    "order": "the order",
    "limit": "the number of items at the most",
    "consistency": "the consistency",
    "expects": "the number of items expected",
    "result": "the figure",
    "entity": "the entity",
    "by": "the attributes that identify the item",
    "given": "the attributes that the caller knows",
    "set": "what it sets",
    "remove": "the attributes that it removes",
    "add": "what it adds",
    "greatest": "what it raises",
    "if_": "the conditions on the item",
    "times": "how many items it writes",
    "each": "the parameter with a row for each item",
    "members": "the members",
    "because": "what it is answered by",
}


def changes(before: Design, after: Design) -> Iterator[Change]:
    """`before` has the names of `after` for what both have."""
    pairs = paired(before.patterns, after.patterns, "number")
    for at in pairs.gone:
        gone = before.patterns[at]
        sentence = f"Pattern {gone.number} ({gone.name}) is no longer asked."
        yield Change(_about(gone), "removed", sentence, before=line(gone), patterns=(gone.number,))
    for i, j in pairs.both:
        yield from _between(before.patterns[i], after.patterns[j])
    for at in pairs.come:
        come = after.patterns[at]
        sentence = f"Pattern {come.number} ({come.name}) is new."
        yield Change(_about(come), "added", sentence, after=line(come), patterns=(come.number,))


def _about(pattern: AnyPattern, by_id: bool = True) -> About:
    own = pattern.id if by_id and pattern.id else str(pattern.number)
    return About("pattern", own, f"{pattern.number} {pattern.name}")


def _between(old: AnyPattern, new: AnyPattern) -> Iterator[Change]:
    about, patterns = _about(new, new.id == old.id), (new.number,)
    if old.number != new.number:
        yield Change(
            about,
            "renamed",
            f"Pattern {old.number} ({new.name}) has number {new.number} now.",
            "number",
            str(old.number),
            str(new.number),
            patterns,
        )
    if old.name != new.name:
        sentence = f"Pattern {new.number} is called {code(new.name)} instead of {code(old.name)}."
        yield Change(about, "renamed", sentence, "name", old.name, new.name, patterns)
    told = Told(about, f"Pattern {new.number} ({new.name})", WORDS, patterns)
    yield from field_changes(told, old, new)
