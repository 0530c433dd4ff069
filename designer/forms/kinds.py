"""What an attribute is, in one choice: DynamoDB's type and the design format's `format`."""

from collections.abc import Mapping
from typing import Any


def show_kind(document: Mapping[str, Any]) -> str:
    format = document.get("format")
    return f"{document.get('type', 'S')}{f':{format}' if format else ''}"


def read_kind(kind: str) -> dict[str, Any]:
    type, _, format = kind.partition(":")
    return {"type": type, "format": format or None}
