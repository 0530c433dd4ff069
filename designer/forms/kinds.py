"""What an attribute is, in one choice: DynamoDB's type and the design format's `format`."""

from collections.abc import Mapping
from typing import Any

from designer.forms.fields import Choices

KINDS: Choices = (
    ("S", "text"),
    ("S:ulid", "ULID"),
    ("S:uuid", "UUID"),
    ("S:ksuid", "KSUID"),
    ("S:email", "e-mail address"),
    ("S:enum", "one of a few values"),
    ("S:text", "long text"),
    ("S:url", "web address"),
    ("S:date", "date"),
    ("S:datetime", "date and time"),
    ("S:json", "JSON as text"),
    ("N", "number"),
    ("N:integer", "whole number"),
    ("N:decimal", "decimal number"),
    ("N:epoch", "time in seconds since 1970"),
    ("N:version", "version number"),
    ("BOOL", "true or false"),
    ("B", "bytes"),
    ("SS", "string set"),
    ("NS", "number set"),
    ("BS", "binary set"),
    ("L", "list"),
    ("M", "map"),
    ("NULL", "null"),
)
"""Type and format in one choice: `S:email`."""


def show_kind(document: Mapping[str, Any]) -> str:
    format = document.get("format")
    return f"{document.get('type', 'S')}{f':{format}' if format else ''}"


def read_kind(kind: str) -> dict[str, Any]:
    type, _, format = kind.partition(":")
    return {"type": type, "format": format or None}
