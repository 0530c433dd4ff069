"""What is wrong with the shape of a document, in plain words with a remedy."""

import difflib
import types
from collections.abc import Collection, Iterable
from itertools import islice
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from designer.core.design import entities
from designer.core.design.document import Design
from designer.core.design.text import MAX_PROBLEMS, Path, shorten
from designer.core.errors import MisfitError
from designer.core.messages import Message, say
from designer.core.patterns import KINDS, document


def or_nearest(problem: Message, word: str, known: Iterable[str]) -> Message:
    """A problem, and what may have been meant by a word that is close to a known one."""
    close = close_to(word, known)
    if close is None:
        return problem
    return say("with-remedy", problem=problem, remedy=say("did-you-mean", name=close))


def close_to(word: str, known: Iterable[str]) -> str | None:
    """The known word that is closest to one that may be misspelt; None if none is close."""
    choices = list(islice(known, 2000))
    close = difflib.get_close_matches(word, choices, 1, 0.6)
    if not close:
        lower = {choice.lower(): choice for choice in choices}
        close = [lower[found] for found in difflib.get_close_matches(word.lower(), lower, 1, 0.6)]
    return next(iter(close), None)


def keys_of(model: type[BaseModel]) -> dict[str, Any]:
    """The keys a part may have in the text, with the type of each."""
    return {field.alias or name: field.annotation for name, field in model.model_fields.items()}


def _regex(annotated: Any) -> str:
    """The regular expression an annotated text must match."""
    for extra in annotated.__metadata__:
        for holder in (extra, *getattr(extra, "metadata", ())):
            pattern = getattr(holder, "pattern", None)
            if isinstance(pattern, str):
                return pattern
    raise AssertionError(f"{annotated} has no pattern")


_EXPECTED = {
    _regex(document.Name): say("name-form"),
    _regex(document.AttributeName): say("attribute-name-form"),
    _regex(document.AttributePath): say("attribute-path-form"),
    _regex(document.Line): say("line-form"),
    _regex(document.Text): say("text-form"),
    _regex(document.Id): say("id-form"),
    _regex(entities.Prefix): say("prefix-form"),
}
_EXPECTED_FOR_KEY = {
    "refers_to": say("reference-form"),
    "derived": say("derived-form"),
    "aggregate": say("aggregate-form"),
    "region": say("region-form"),
    "table_prefix": say("table-prefix-form"),
}
_EXAMPLES = {
    "identifier": "identifier: [orderId]",
    "number": "number: 1",
    "kind": "kind: list",
    "returns": "returns: Order",
    "entity": "entity: Order",
    "members": "members: [{create: Order}]",
    "relationship": "relationship: places",
    "attribute": "attribute: userId",
    "average": "average: 3",
    "most": "most: 30",
    "because": "because: analytics",
}


def reason_of(error: Exception) -> Message:
    """Why a part refuses its values."""
    return error.reason if isinstance(error, MisfitError) else say("text", text=str(error))


def shape_problems(error: ValidationError, data: Any) -> list[tuple[Path, Message, bool]]:
    """What is wrong in the data of a design, once for each place.

    Each is (where, message, whether the key itself is wrong).
    """
    found: dict[Path, list[ErrorDetails]] = {}
    for details in error.errors(include_url=False):
        found.setdefault(_path(details["loc"], data), []).append(details)
    around = {path[:length] for path in found for length in range(len(path))}
    problems = []
    for path, at_place in islice(found.items(), 2 * MAX_PROBLEMS):
        if path in around:
            # Of one name or a list of names, the list was meant; what is wrong is its element.
            hidden = ("string_type", "tuple_type", "too_short")
            at_place = [d for d in at_place if d["type"] not in hidden]
        if at_place:
            details = at_place[0] if len(at_place) == 1 else _of_choices(at_place)
            problems.append(
                (path, _said(details, path, data), details["type"] == "extra_forbidden")
            )
    return problems


def _path(loc: tuple[int | str, ...], data: Any) -> Path:
    """The place in the data: without the names of choices that the validator puts between."""
    path: list[int | str] = []
    here = data
    for at, part in enumerate(loc):
        last = at == len(loc) - 1
        if len(path) == 2 and path[0] == "patterns" and at == 2 and part in KINDS:
            continue
        if isinstance(here, dict):
            if part == "[key]":
                continue
            if part in here or last:
                path.append(part)
                here = here.get(part)
        elif isinstance(here, tuple) and isinstance(part, int):
            path.append(part)
            here = here[part] if part < len(here) else None
    return tuple(path)


def _of_choices(choices: list[ErrorDetails]) -> ErrorDetails:
    """The complaint that says most, where a value fits none of several types."""
    kinds = {details["type"] for details in choices}
    if {"string_type", "tuple_type"} <= kinds:
        return {**choices[0], "type": "name_or_names"}
    if {"bool_type", "string_type"} <= kinds:
        return {**choices[0], "type": "scalar"}
    if {"int_type", "float_type"} <= kinds:
        return {**choices[0], "type": "float_type"}
    return next((d for d in choices if not d["type"].endswith("_type")), choices[0])


_PLAIN = {
    "string_type": say("write-text"),
    "bool_type": say("write-true-or-false"),
    "int_type": say("write-whole-number"),
    "int_from_float": say("write-whole-number"),
    "float_type": say("write-number"),
    "finite_number": say("write-finite-number"),
    "tuple_type": say("write-list"),
    "dict_type": say("write-fields"),
    "model_type": say("write-fields"),
    "model_attributes_type": say("write-fields"),
    "scalar": say("write-scalar"),
    "name_or_names": say("write-names"),
    "string_unicode": say("write-whole-character"),
}


def _said(details: ErrorDetails, path: Path, data: Any) -> Message:
    kind, value, context = details["type"], details["input"], details.get("ctx", {})
    key = path[-1] if path else ""
    shown = shorten(value)
    if kind == "extra_forbidden":
        no_field = say("no-such-field", name=shorten(key))
        return _instead(no_field, str(key), _keys_at(path[:-1], data))
    if kind == "missing":
        if isinstance(key, int):
            return say("list-lacks-element", element=key + 1)
        if key in _EXAMPLES:
            return say("field-missing-for-example", name=key, example=_EXAMPLES[key])
        return say("field-missing", name=key)
    if kind == "union_tag_not_found":
        return _choose(say("kind-missing"), KINDS)
    if kind == "union_tag_invalid":
        word = str(context["tag"])
        return _instead(say("no-such-kind", name=shorten(word)), word, KINDS)
    if kind == "literal_error":
        if value is False and _literals(details) == ["True"]:
            opposite = {"missing": "exists", "exists": "missing"}.get(str(key))
            if opposite is not None:
                return say("only-true-or-opposite", name=key, opposite=opposite)
            return say("only-true", name=key)
        return _instead(say("not-known-here", value=shown), str(value), _literals(details))
    if value is None and kind in _PLAIN:
        if key in _EXAMPLES:
            return say("nothing-written-for-example", example=_EXAMPLES[str(key)])
        return say("nothing-written", remedy=_PLAIN[kind])
    if kind == "string_pattern_mismatch":
        expected = _EXPECTED_FOR_KEY.get(str(key)) or _EXPECTED.get(str(context["pattern"]))
        said = say("text-empty") if value == "" else say("does-not-fit", value=shown)
        if len(str(value)) > 60:
            said = say("long-and-does-not-fit", value=shown, length=len(str(value)))
        return say("with-remedy", problem=said, remedy=expected or say("see-the-format"))
    if kind == "string_too_short":
        return say("text-empty-or-left-out")
    if kind == "string_too_long":
        return say("text-too-long", length=len(value), most=context["max_length"])
    if kind == "too_short":
        return say("list-too-short", least=context["min_length"])
    if kind == "too_long":
        return say("list-too-long", most=context["max_length"])
    if kind in _LIMITS:
        name, id = _LIMITS[kind]
        return say("out-of-range", value=shown, remedy=say(id, limit=context[name]))
    if kind == "value_error":
        return reason_of(context["error"])
    if kind in _PLAIN:
        return say("with-remedy", problem=say("does-not-fit", value=shown), remedy=_PLAIN[kind])
    return say("does-not-fit-because", value=shown, problem=details["msg"])


_LIMITS = {
    "greater_than_equal": ("ge", "at-least"),
    "greater_than": ("gt", "more-than"),
    "less_than_equal": ("le", "at-most"),
    "less_than": ("lt", "less-than"),
}


def _instead(problem: Message, word: str, known: Collection[str]) -> Message:
    """A problem with a word, and the known one that is close to it, or else all of them."""
    near = or_nearest(problem, word, known)
    return _choose(problem, known) if near is problem else near


def _choose(problem: Message, known: Collection[str]) -> Message:
    return say("with-remedy", problem=problem, remedy=say("choose-from", names=tuple(known)))


def _literals(details: ErrorDetails) -> list[str]:
    said = str(details.get("ctx", {}).get("expected", ""))
    return [word.strip("'") for word in said.replace(" or ", ", ").split(", ")]


def _keys_at(path: Path, data: Any) -> dict[str, Any]:
    """The keys that the part at a path may have."""
    model: type[BaseModel] | None = Design
    kind: Any = None
    here = data
    for part in path:
        if isinstance(part, str):
            kind = keys_of(model)[part] if model is not None and part in keys_of(model) else None
            here = here.get(part) if isinstance(here, dict) else None
        else:
            here = here[part] if isinstance(here, tuple) and part < len(here) else None
        models = _models(kind)
        if len(models) > 1 and isinstance(here, dict):
            models = [m for m in models if m is KINDS.get(str(here.get("kind")))]
        model = models[0] if len(models) == 1 else None
    return keys_of(model) if model is not None else {}


def _models(annotation: Any) -> list[type[BaseModel]]:
    """The parts of a document that a type can hold."""
    if get_origin(annotation) is Annotated:
        return _models(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType, tuple):
        return [model for inner in get_args(annotation) for model in _models(inner)]
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return []
