"""Two states of one part, field by field."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import NoneType
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel

from designer.core.design.meaning import left_out, unordered
from designer.core.difference.base import About, Change, line, quoted
from designer.core.patterns.document import Share
from designer.core.words.english import ended, joined

Word = str | tuple[str, str]
"""What a field is called ("number of items"); of a flag, what is said when it holds and when it does not."""
Words = Mapping[str, Word]
"""By the path of the field: `items`, `needs.stream`."""
Stake = Callable[[Any, Any], str]
"""From what was and what is, what that does to data; empty where nothing."""
Says = Callable[[Any], str]
"""A value as it stands in a sentence."""


@dataclass(frozen=True)
class Wording:
    """How the changes of one part are described."""

    about: About
    subject: str
    """Begins its sentences: "Order", "Pattern 3 (A user's orders)"."""
    words: Words
    patterns: tuple[int, ...] = ()
    stakes: Mapping[str, Stake] | None = None
    """For fields that do something to data."""
    says: tuple[Says, Says] = (quoted, quoted)
    """How its values are said, as it was and as it is."""
    units: Mapping[str, str] | None = None
    """What follows the number of a field: `a second`. It is said once in a sentence."""


def field_changes(wording: Wording, before: BaseModel, after: BaseModel) -> Iterator[Change]:
    """What of a part is not what it was; its id, its name and the parts within it left out."""
    if before == after:
        return
    was, now = _values(before), _values(after)
    shares = shares_of(type(after))
    for path in dict.fromkeys((*was, *now)):
        if path in ("id", "name") or path not in wording.words:
            continue
        old, new = was.get(path), now.get(path)
        if old == new:
            continue
        said = replace(wording, says=(_per_cent, _per_cent)) if path in shares else wording
        change = _change(said, path, old, new)
        name = path.partition(".")[0]
        is_reordered = isinstance(old, tuple) and isinstance(new, tuple) and _same(old, new)
        is_wording = name in left_out(type(after)) or (
            is_reordered and name in unordered(type(after))
        )
        stake = (wording.stakes or {}).get(path)
        yield replace(
            change, is_wording=is_wording, at_stake=stake(old, new) if stake is not None else ""
        )


def paths(kind: type[BaseModel]) -> Iterator[str]:
    """The fields of a kind of part, those of parts within it as `needs.stream`."""
    for name, inner in _fields(kind).items():
        if inner is None:
            yield name
        else:
            yield from (f"{name}.{path}" for path in paths(inner))


@cache
def shares_of(kind: type[BaseModel]) -> frozenset[str]:
    """The fields of a kind of part that hold shares, which are said in per cent."""
    hints = get_type_hints(kind, include_extras=True)
    return frozenset(name for name in kind.model_fields if _is_share(hints[name]))


def _is_share(hint: Any) -> bool:
    """Whether a type is that of shares: of one, of several or of one that may be absent."""
    return hint == Share or any(_is_share(inner) for inner in get_args(hint))


def _per_cent(value: Any) -> str:
    """A share, or several, with all digits that were stated."""
    if isinstance(value, tuple):
        return joined([_per_cent(each) for each in value])
    return "nothing" if value is None else f"{quoted(round(value * 100, 10))} %"


NESTED = ("Needs", "Rate", "Context", "KeyNames")
"""Parts within a part whose fields are described one by one; others are described as a whole."""


@cache
def _fields(kind: type[BaseModel]) -> dict[str, type[BaseModel] | None]:
    """The fields of a kind of part, each with the kind of part within it whose fields are described one by one."""
    return {name: _inner(field.annotation) for name, field in kind.model_fields.items()}


def _inner(annotation: Any) -> type[BaseModel] | None:
    for kind in (annotation, *get_args(annotation)):
        if isinstance(kind, type) and issubclass(kind, BaseModel) and kind.__name__ in NESTED:
            return kind
    return None


def _values(part: BaseModel) -> dict[str, Any]:
    """By path; where a part within it is missing, the defaults of that."""
    found: dict[str, Any] = {}
    for name, inner in _fields(type(part)).items():
        value = getattr(part, name)
        if inner is None:
            found[name] = value
        elif value is None:
            for path in paths(inner):
                default = inner.model_fields[path].get_default(call_default_factory=True)
                found[f"{name}.{path}"] = (
                    default if not inner.model_fields[path].is_required() else None
                )
        else:
            found |= {f"{name}.{path}": each for path, each in _values(value).items()}
    return found


def _change(wording: Wording, path: str, old: Any, new: Any) -> Change:
    return Change(
        wording.about,
        "changed",
        ended(f"{wording.subject}{_said(wording, path, old, new)}"),
        path,
        line(old),
        line(new),
        wording.patterns,
    )


def _said(wording: Wording, path: str, old: Any, new: Any) -> str:
    """What follows the subject of the sentence."""
    word = wording.words[path]
    if isinstance(word, tuple):
        return f" {word[0 if new else 1]}"
    was, now = _both(wording, old, new)
    units = wording.units or {}
    unit = f" {units[path]}" if path in units else ""
    if _is_nothing(old):
        return f": {word} {_are(word)} now {now}{unit}; nothing was stated before"
    if _is_nothing(new):
        return f": {word} {_are(word)} no longer stated; it was {was}{unit} before"
    if (
        isinstance(old, str)
        and isinstance(new, str)
        and ("\n" in old + new or len(old + new) > 200)
    ):
        return f": {word} {_are(word)} worded differently"
    is_by_place = wording.says[0] is _per_cent  # the second share is that of the second value
    if isinstance(old, tuple) and isinstance(new, tuple) and not is_by_place:
        return _listed(wording, word, old, new)
    return f": {word} {_are(word)} {now}{unit} instead of {was}"


def _listed(wording: Wording, word: str, old: tuple[Any, ...], new: tuple[Any, ...]) -> str:
    gone = tuple(each for each in old if each not in new)
    come = tuple(each for each in new if each not in old)
    is_one = _are(word) == "is"
    was, now = _both(wording, gone, come)
    if gone and come:
        return f": {word} now {'has' if is_one else 'have'} {now} instead of {was}"
    if come:
        return f": {word} now {'includes' if is_one else 'include'} {now}"
    if gone:
        return f": {word} no longer {'includes' if is_one else 'include'} {was}"
    was, now = _both(wording, old, new)
    return f": {word} {_are(word)} in another order, {now} instead of {was}"


def _both(wording: Wording, old: Any, new: Any) -> tuple[str, str]:
    """Two values as they stand in a sentence; as the document has them where words cannot tell them apart."""
    was, now = (says(value) for says, value in zip(wording.says, (old, new), strict=True))
    return (was, now) if was != now else (quoted(old), quoted(new))


_BEHIND = re.compile(r" (?:of|that|after|in|at|on|with|by|behind) ")


def _are(word: str) -> str:
    """`are` for what is several: "the conditions after reading", but not "the number of items".

    >>> _are("the days of recovery"), _are("the status"), _are("what its stream tells")
    ('are', 'is', 'is')
    """
    head = _BEHIND.split(word)[0]
    is_one = head.startswith(("what ", "how ")) or head.endswith(("ss", "us"))
    return "is" if is_one or not head.endswith("s") else "are"


def _is_nothing(value: Any) -> bool:
    return isinstance(value, NoneType) or value in ("", ()) or value == {}


def _same(old: tuple[Any, ...], new: tuple[Any, ...]) -> bool:
    """Whether both hold the same, in whatever order."""
    return len(old) == len(new) and all(old.count(each) == new.count(each) for each in old)
