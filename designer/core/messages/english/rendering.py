"""From messages to English."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from string import Formatter
from typing import Any

from designer.core.messages.message import KeyWords, Message
from designer.core.words import figures
from designer.core.words.english import (
    a,
    ended,
    joined,
    limited,
    named,
    numbered,
    plural,
    spoken,
    when_given,
)
from designer.core.words.spoken import article_of, several


def text(message: Message) -> str:
    """A message in words. KeyError if there are no words for it, or one of its values is missing."""
    return _WORDS.vformat(templates()[message.id], (), message.values)


@cache
def templates() -> Mapping[str, str]:
    """The templates of all subjects, by the ids of their messages."""
    found: dict[str, str] = {}
    package = __name__.rpartition(".")[0]
    for subject in iter_modules(import_module(package).__path__):
        words = getattr(import_module(f"{package}.{subject.name}"), "TEMPLATES", {})
        assert found.keys().isdisjoint(words), f"{subject.name}: an id is used twice"
        found |= words
    return found


HALF, NEARLY_ALL = 50, 99.95
"""Percent of a whole: below half there is only so much, and from the second on three digits would say 100."""


MARKED = "marked"
"""The form of what stands between marks of its own. No template names it."""


class _Words(Formatter):
    """Fills in templates: each value in its form."""

    def parse(self, template: Any) -> Iterator[tuple[str, str | None, str | None, str | None]]:
        for before, field, form, conversion in super().parse(template):
            # A name that the template marks needs no quotes besides.
            is_marked = form == "" and before.endswith(("`", "“"))
            yield before, field, MARKED if is_marked else form, conversion

    def format_field(self, value: Any, form: str) -> str:
        if form == MARKED:
            return value if isinstance(value, str) else said(value)
        if "|" in form:
            one, several = form.split("|")
            return one if _is_one(value) else several
        if form in FORMS:
            return FORMS[form](value)
        return format(value, form)


def _is_one(value: Any) -> bool:
    if isinstance(value, tuple):
        return len(value) == 1
    return value == 1 if isinstance(value, int | float) else True


def said(value: Any) -> str:
    """A value as it stands in a sentence; of several, a list: "a, b and c"."""
    if isinstance(value, Message):
        return text(value)
    if isinstance(value, KeyWords):
        return place(value)
    if not isinstance(value, tuple):
        return named(str(value))
    several = tuple(map(said, value))
    if len(several) > 1 and any(isinstance(each, KeyWords) for each in value):
        return ", as well as ".join(several)  # An "and" would read like those of the keys.
    return spoken(several)


def place(key: KeyWords) -> str:
    """Where a key leads: "an index by userId, then placedAt"."""
    return f"{_PLACES[key.kind]} {key_parts(key)}"


_PLACES = {
    "base": "a table key",
    "index": "an index",
    "local": "a local index",
    "copy": "a copy",
}


def key_parts(key: KeyWords) -> str:
    """The parts of a key, and what is special about it: "by userId over 13 shards, then placedAt, with it inverted"."""
    inverse = f", with {spoken(key.inverse)} inverted" if key.inverse else ""
    own = ", as separate attributes" if key.own else ""
    bare = ", without the identifier" if key.bare else ""
    return _in_short(key) + inverse + own + bare + limited(key.only)


def _in_short(key: KeyWords) -> str:
    if not key.partition:
        order = f", sorted by {spoken(key.sort)}" if key.sort else ""
        return f"with the same partition key value for all its items{_shards(key)}{order}"
    # "By a and b" would read like "by a, then b".
    together = " together in the partition key" if len(key.partition) > 1 and not key.sort else ""
    return f"by {spoken(key.partition)}{together}{_shards(key)}{_then(key)}"


def _shards(key: KeyWords) -> str:
    if key.shards == 1:
        return ""
    return f" over {key.shards} shards" if key.shards else " over shards"


def _then(key: KeyWords) -> str:
    return f", then {spoken(key.sort)}" if key.sort else ""


def _pins(numbers: tuple[int, ...]) -> str:
    return f"pin{'' if len(numbers) == 1 else 's'} {spoken(tuple(map(str, numbers)))}"


def _one(names: tuple[str, ...]) -> str:
    """What there is only one of: `one team`; of several, `one of each`."""
    if len(names) > 1:
        return "one of each"
    return "one " + names[0].replace("recovery days", "number of recovery days")


def _percent(percent: float) -> str:
    """How much of a whole, at the beginning of a sentence: `Only 0.5 %`, `80 %`, `Nearly 100 %`."""
    if percent >= NEARLY_ALL:
        return "Nearly 100 %"
    return f"{'Only ' if percent < HALF else ''}{percent:.3g} %"


def _both(patterns: tuple[Message, ...]) -> str:
    """The patterns that are said just before, once more: `both`, of more `two of them`."""
    numbers = patterns[0].values["patterns"] if len(patterns) == 1 else ()
    return "both" if isinstance(numbers, tuple) and len(numbers) == 2 else "two of them"


def _templates(pairs: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{name} = {template}" for name, template in pairs)


def _start(value: Any) -> str:
    """A value that starts a sentence. Names keep their first letter."""
    is_names = isinstance(value, tuple) and any(isinstance(each, str) for each in value)
    return said(value) if is_names else _begun(value, said(value))


def _typed(value: Any) -> str:
    """A problem with something that was typed, as a sentence beside its field."""
    return ended(_begun(value, re.sub(r"`([^`]*)`", r"“\1”", said(value).strip())))


def _begun(value: Any, words: str) -> str:
    """Words as a sentence begins: with a capital, unless the message begins with a name, which has its own letters."""
    is_name = isinstance(value, Message) and _begins_with_name(value)
    return words if is_name else words[:1].upper() + words[1:]


def _begins_with_name(value: Any) -> bool:
    if isinstance(value, Message):
        before, field, form, _ = next(iter(Formatter().parse(templates()[value.id])))
        is_bare = not before and field in value.values and form in ("", "joined", "commas")
        return is_bare and _begins_with_name(value.values[field or ""])
    first = value[0] if isinstance(value, tuple) and value else value
    return isinstance(first, str) and " " not in first


_STYLES = {"single": "single-table", "multi": "multi-table", "grouped": "grouped"}
"""Before the word style."""

_WRITTEN_OUT = 10**18
"""Larger counts are not written out."""

FORMS: Mapping[str, Callable[[Any], str]] = {
    "": said,
    "a": a,
    "plural": plural,
    "A": lambda name: f"{article_of(name).capitalize()} {name}",
    "several": lambda value: joined(
        tuple(map(several, value if isinstance(value, tuple) else (value,)))
    ),
    "start": _start,
    "Pattern": numbered,
    "pattern": lambda numbers: numbered(numbers).lower(),
    "pin": _pins,
    "both": _both,
    "one": _one,
    "given": when_given,
    "exact": lambda n: f"{int(n):,}" if float(n).is_integer() else str(n),
    "counted": lambda n: f"{n:,.0f}" if n <= _WRITTEN_OUT else "far more",
    "share": figures.share,
    "percent": _percent,
    "number": figures.number,
    "money": figures.money,
    "dearer": figures.money_between,
    "size": figures.size,
    "binary": figures.binary_size,
    "quoted": lambda values: ", ".join(f"`{each}`" for each in values),
    "each": lambda values: joined([f"`{each}`" for each in values]),
    "alternatives": lambda values: ", or ".join(map(said, values)),
    "arrows": " → ".join,
    "either": lambda values: " or ".join(f"`{each}`" for each in values),
    "joined": lambda values: joined(tuple(map(said, values))),
    "or": lambda values: joined(tuple(map(said, values)), "or"),
    "commas": lambda values: ", ".join(map(said, values)),
    "and": lambda values: " and ".join(map(said, values)),
    "sentences": lambda values: ". ".join(map(said, values)),
    "semicolons": lambda values: "; ".join(map(said, values)),
    "lines": lambda values: "\n".join(said(each).strip() for each in values),
    "text": lambda values: " ".join(map(said, values)),
    "sentence": lambda value: _start(value).rstrip("."),
    "typed": _typed,
    "plain": lambda value: said(value).replace("`", "").rstrip("."),
    "ended": lambda value: ended(said(value)),
    "unended": lambda value: said(value).rstrip("."),
    "key": key_parts,
    "short": _in_short,
    "style": lambda style: _STYLES[style],
    "templates": _templates,
}
"""How a value is written: lists of patterns and pins by number, keys, templates of keys, amounts."""

_WORDS = _Words()
