"""Entities and relationships as a Mermaid diagram, which GitHub, GitLab and many editors draw out of Markdown.

Syntax: https://mermaid.js.org/syntax/entityRelationshipDiagram.html
"""

from collections.abc import Iterator

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.words.english import joined

_TYPES = {
    "S": "string", "N": "number", "B": "binary", "BOOL": "boolean", "NULL": "null", "L": "list", "M": "map",
    "SS": "string_set", "NS": "number_set", "BS": "binary_set",
}  # fmt: skip
_ENDS = {"1:N": "o{", "N:M": "o{", "1:1": "o|"}
"""How a line ends at the child: any number of them, or one at the most."""


def er_diagram(design: Design) -> str:
    """The diagram as text, every entity with its attributes; empty for a design without entities.

    A line is solid where the child cannot exist without its parent. Names are quoted, as some are words of Mermaid's.
    """
    if not design.entities:
        return ""
    lines = ["erDiagram"]
    for relationship in design.relationships:
        lines += (f"  {line}" for line in _related(relationship))
    for entity in design.entities:
        lines.append(f'  "{entity.name}" {{')
        lines += (f"    {_attribute(design, entity, each)}" for each in entity.attributes)
        lines.append("  }")
    return "\n".join(lines)


def _related(relationship: Relationship) -> Iterator[str]:
    line = "--" if relationship.identifying else ".."
    end = _ENDS[relationship.cardinality]
    # An entity that is on both sides of N:M is joined to its edge twice.
    for parent in relationship.parents:
        yield f'"{parent}" ||{line}{end} "{relationship.child}" : "{relationship.name}"'


def _attribute(design: Design, entity: Entity, attribute: Attribute) -> str:
    """Type, name, and what it is a key of: PK identifies, FK refers to another entity, UK is unique.

    A scope is a comment: Mermaid knows no keys of several attributes.
    """
    is_foreign = (entity.name, attribute.name) in design.referred
    keys = (
        ("PK", attribute.name in entity.identifier),
        ("FK", is_foreign),
        ("UK", attribute.unique and attribute.name not in entity.identifier),
    )
    said = ", ".join(key for key, holds in keys if holds)
    form = attribute.format or _TYPES[attribute.type]
    scope = f' "unique within {joined(attribute.unique_within)}"' if attribute.unique_within else ""
    return f"{form} {attribute.name}{f' {said}' if said else ''}{scope}"
