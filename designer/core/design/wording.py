"""What is wrong with the shape of a document, in plain words with a remedy."""

import difflib
import types
from collections.abc import Iterable
from itertools import islice
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from designer.core.design import entities
from designer.core.design.document import Design
from designer.core.design.text import MAX_PROBLEMS, Path, shorten
from designer.core.patterns import KINDS, base


def nearest(word: str, known: Iterable[str]) -> str:
    """`; did you mean ...?` for a word that is close to a known one, else nothing."""
    close = close_to(word, known)
    return f"; did you mean `{close}`?" if close else ""


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
    _regex(base.Name): "a name is a letter, then up to 63 letters, digits or _",
    _regex(
        base.AttributeName
    ): "an attribute's name is a letter or _, then up to 126 letters, digits, _ or -",
    _regex(base.AttributePath): (
        "write an attribute, or a path such as `seller.regionId`: relationships, then an attribute"
    ),
    _regex(base.Line): "this is one line of text, without line breaks and control characters",
    _regex(base.Text): "this is text without control characters",
    _regex(base.Id): "an id is up to 40 letters, digits and hyphens",
    _regex(entities.Prefix): "a prefix is up to 40 letters, digits, _, . or -",
}
_EXPECTED_FOR_KEY = {
    "refers_to": "write an entity and its attribute: `refers_to: User.userId`",
    "derived": (
        "write `date(attribute)`, `hour(attribute)`, `month(attribute)` or `year(attribute)`"
    ),
    "aggregate": (
        "write `count of relationship`, or `sum of relationship.attribute`, also with "
        "`greatest` and `least`"
    ),
    "region": "write the code of an AWS Region, such as `eu-west-1`",
    "table_prefix": (
        "a table's name may hold letters, digits, _, . and -; the prefix is at most 60 of them"
    ),
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


def shape_problems(error: ValidationError, data: Any) -> list[tuple[Path, str, bool]]:
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
                (path, _words(details, path, data), details["type"] == "extra_forbidden")
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
    "string_type": "write text here; text that looks like a number or like true goes in quotes",
    "bool_type": "write true or false",
    "int_type": "write a whole number",
    "int_from_float": "write a whole number",
    "float_type": "write a number",
    "finite_number": "write a finite number",
    "tuple_type": "write a list: [one, another], or one element a line with `- ` before it",
    "dict_type": "write fields here: {field: value}",
    "model_type": "write fields here: {field: value}",
    "model_attributes_type": "write fields here: {field: value}",
    "scalar": "write text, a number, true or false",
    "name_or_names": "write a name, or a list of names",
    "string_unicode": "half a character stands here; remove it",
}


def _words(details: ErrorDetails, path: Path, data: Any) -> str:
    kind, value, context = details["type"], details["input"], details.get("ctx", {})
    key = path[-1] if path else ""
    shown = f"`{shorten(value)}`"
    if kind == "extra_forbidden":
        known = list(_keys_at(path[:-1], data))
        return f"there is no field `{shorten(key)}` here{nearest(str(key), known) or _list(known)}"
    if kind == "missing":
        if isinstance(key, int):
            return f"the list is too short; element {key + 1} is missing"
        example = f", for example `{_EXAMPLES[str(key)]}`" if key in _EXAMPLES else ""
        return f"the field `{key}` is missing; write it{example}"
    if kind == "union_tag_not_found":
        return f"the field `kind` is missing{_list(KINDS)}"
    if kind == "union_tag_invalid":
        word = str(context["tag"])
        return (
            f"there is no kind `{shorten(word)}` of access "
            f"pattern{nearest(word, KINDS) or _list(KINDS)}"
        )
    if kind == "literal_error":
        known = _literals(details)
        return f"{shown} is not known here{nearest(str(value), known) or _list(known)}"
    if value is None and kind in _PLAIN:
        if key in _EXAMPLES:
            return f"nothing is written here; write it, for example `{_EXAMPLES[str(key)]}`"
        return f"nothing is written here; {_PLAIN[kind]}, or leave the field out"
    if kind == "string_pattern_mismatch":
        expected = _EXPECTED_FOR_KEY.get(str(key)) or _EXPECTED.get(str(context["pattern"]))
        said = "the text is empty" if value == "" else f"{shown} does not fit"
        if len(str(value)) > 60:
            said = f"{shown} has {len(str(value))} characters and does not fit"
        return f"{said}; {expected or 'see the description of the format'}"
    if kind == "string_too_short":
        return "the text is empty; write something or leave the field out"
    if kind == "string_too_long":
        return (
            f"the text has {len(value):,} characters; at most {context['max_length']:,} are allowed"
        )
    if kind == "too_short":
        return f"the list is too short; name at least {context['min_length']}"
    if kind == "too_long":
        return f"the list is too long; it holds at most {context['max_length']}"
    limits = {
        "greater_than_equal": ("ge", "at least"),
        "greater_than": ("gt", "more than"),
        "less_than_equal": ("le", "at most"),
        "less_than": ("lt", "less than"),
    }
    if kind in limits:
        name, words = limits[kind]
        return f"{shown} is out of range; the number is {words} {_number(context[name])}"
    if kind == "value_error":
        return str(context["error"])
    if kind in _PLAIN:
        return f"{shown} does not fit; {_PLAIN[kind]}"
    return f"{shown} does not fit: {details['msg']}"


def _number(value: float) -> str:
    return f"{int(value):,}" if float(value).is_integer() else str(value)


def _list(known: Iterable[str]) -> str:
    return "; choose from " + ", ".join(f"`{word}`" for word in known)


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
