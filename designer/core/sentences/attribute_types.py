"""What an attribute is, in words: DynamoDB's type and the design format's `format` in one."""

from designer.core.design.attributes import Attribute

KINDS: tuple[tuple[str, str], ...] = (
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
_WORDS = dict(KINDS)


def kind_in_words(attribute: Attribute) -> str:
    """What an attribute is: `whole number`."""
    of_format = f"{attribute.type}:{attribute.format}" if attribute.format else attribute.type
    return _WORDS.get(of_format, attribute.type)
