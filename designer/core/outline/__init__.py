"""A model as lines of text: entities with their attributes, and how they belong together."""

from designer.core.outline.apply import add_asked, add_attributes, add_outline
from designer.core.outline.asking import read_pattern
from designer.core.outline.attributes import Entry, read_attributes
from designer.core.outline.model import Outline, read_outline
from designer.core.outline.naming import Named

__all__ = [
    "Entry",
    "Named",
    "Outline",
    "add_asked",
    "add_attributes",
    "add_outline",
    "read_attributes",
    "read_outline",
    "read_pattern",
]
