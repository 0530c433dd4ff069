"""The access patterns of two designs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.matching import paired
from designer.core.difference.base import About, Change, code, line, phrase, quoted
from designer.core.difference.fields import Says, Wording, Words, field_changes
from designer.core.patterns import AnyPattern
from designer.core.patterns.base import Condition, Member, Operand, Pattern, Read, SingleWrite, With
from designer.core.patterns.figures import Aggregate, Amount, Times
from designer.core.plan.keys import plain_text
from designer.core.sentences.conditions import condition_text, operand_text
from designer.core.sentences.patterns import along_text, member_text
from designer.core.words import figures
from designer.core.words.english import ended, joined

WORDS: Words = {
    "kind": "the kind",
    "why": "the reason",
    "description": "the description",
    "rate.average": "the average rate",
    "rate.peak": "the peak rate",
    "hottest": "the share of its hottest key value",
    "latency_ms": "the latency in milliseconds",
    "status": "the status",
    "considerations": "the considerations",
    "workflow": "the workflow",
    "at_most_requests": "the maximum number of requests",
    "returns": "what it returns",
    "where": "the conditions",
    "keep": "the conditions after reading",
    "with_": "the related items that it includes",
    "attributes": "the attributes that it needs",
    "order": "the order",
    "limit": "the maximum number of items",
    "then_keep": "the conditions on the items within the limit",
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
    "append": "what it appends to lists",
    "include": "what it adds to sets",
    "exclude": "what it removes from sets",
    "if_": "the conditions on the item",
    "or_": "the conditions that may hold instead",
    "times": "how many items it writes",
    "each": "the parameter with a row for each item",
    "members": "the members",
    "because": "what answers it instead",
}
UNITS = {"rate.average": "a second", "rate.peak": "a second"}


def changes(before: Design, after: Design) -> Iterator[Change]:
    """`before` has the names of `after` for what both have."""
    pairs = paired(before.patterns, after.patterns, "number")
    for at in pairs.gone:
        gone = before.patterns[at]
        sentence = f"Pattern {gone.number} ({gone.name}) was removed."
        yield Change(_about(gone), "removed", sentence, before=line(gone), patterns=(gone.number,))
    for i, j in pairs.both:
        old, new = before.patterns[i], after.patterns[j]
        yield from _between(old, new, (_Words(before, old), _Words(after, new)))
    for at in pairs.come:
        come = after.patterns[at]
        sentence = f"Pattern {come.number} ({come.name}) is new."
        yield Change(_about(come), "added", sentence, after=line(come), patterns=(come.number,))


def _about(pattern: AnyPattern, by_id: bool = True) -> About:
    own = pattern.id if by_id and pattern.id else str(pattern.number)
    return About("pattern", own, f"{pattern.number} {pattern.name}")


def _between(old: AnyPattern, new: AnyPattern, says: tuple[Says, Says]) -> Iterator[Change]:
    if old == new:
        return
    about, patterns = _about(new, new.id == old.id), (new.number,)
    if old.number != new.number:
        yield Change(
            about,
            "renamed",
            f"Pattern {old.number} ({new.name}) now has number {new.number}.",
            "number",
            str(old.number),
            str(new.number),
            patterns,
        )
    if old.name != new.name:
        called = f"Pattern {new.number} is called {code(new.name)} instead of {code(old.name)}"
        yield Change(about, "renamed", ended(called), "name", old.name, new.name, patterns)
    wording = Wording(
        about, f"Pattern {new.number} ({new.name})", WORDS, patterns, says=says, units=UNITS
    )
    yield from field_changes(wording, old, new)


@dataclass(frozen=True)
class _Words:
    """The values of a pattern's fields as its own sentence says them; what it says of nothing as the document does."""

    design: Design
    pattern: Pattern

    def __call__(self, value: Any) -> str:
        if isinstance(value, tuple):
            return joined([self(each) for each in value]) or "nothing"
        words = self._of(value)
        return phrase(words) if words else quoted(value)

    def _of(self, value: Any) -> str:
        if isinstance(value, Condition):
            share = (
                f" ({figures.share(value.share)} of the items)" if value.share is not None else ""
            )
            return condition_text(self.design, self._entity, value) + share
        if isinstance(value, With) and isinstance(self.pattern, Read):
            only = f" (only {joined(list(value.attributes))})" if value.attributes else ""
            return along_text(self.design, self.pattern, value) + only
        if isinstance(value, Member):
            return member_text(self.design, value)
        if isinstance(value, Aggregate):
            return next(f"the {name} of {of}" for name, of in value if of)
        if isinstance(value, Times):
            return f"{figures.number(value.average)}, at most {value.most:,}"
        if isinstance(value, dict):
            return joined([_setting(name, each) for name, each in value.items()])
        return ""

    @property
    def _entity(self) -> Entity | None:
        pattern = self.pattern
        if isinstance(pattern, Read):
            return self.design.entity.get(pattern.entities[0])
        return self.design.entity.get(pattern.entity) if isinstance(pattern, SingleWrite) else None


def _setting(name: str, to: Operand | Amount | str) -> str:
    """What a write does with an attribute: sets it, adds to it, or raises it to a parameter."""
    if isinstance(to, Operand):
        return f"{name} to {operand_text(to)}"
    if isinstance(to, Amount):
        amount = f"-{to.minus}" if to.minus else to.param or plain_text(to.value)
        return f"{amount} to {name}"
    return f"{name} to a given {to}"
