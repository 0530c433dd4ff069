"""A model as lines of text: entities with their attributes, and how they belong together."""

from designer.core.outline.apply import add_attributes, add_outline
from designer.core.outline.attributes import Entry, read_attributes
from designer.core.outline.model import Outline, read_outline

__all__ = [
    "Entry",
    "Outline",
    "add_attributes",
    "add_outline",
    "read_attributes",
    "read_outline",
]
