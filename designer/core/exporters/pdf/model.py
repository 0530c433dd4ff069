"""The chapter on the entities: their picture, the relationships in words, and their attributes."""

from collections.abc import Iterator

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.er_picture import Dress, svg
from designer.core.er_picture import sentences as relationship_sentences
from designer.core.exporters.pdf.html import Html, tag
from designer.core.exporters.pdf.parts import APART, chip, sized, table_of
from designer.core.report.stated import attribute_text
from designer.core.words import figures


def entities(design: Design) -> Iterator[Html]:
    said = [tag("li", text) for text in relationship_sentences(design)]
    yield tag(
        "div",
        tag("div", Html(svg(design, Dress(whole=True))), class_="picture"),
        tag("ul", said, class_="relationships") if said else None,
        class_="beside",
    )
    yield tag("h2", "Attributes")
    rows = [_entity_row(entity, number) for number, entity in enumerate(design.entities)]
    yield table_of(
        ("Entity", "Attributes", "Items"),
        [tag("tbody", rows)],
        sized("attributes", len(rows)),
        (16, 74, 10),
    )


def _entity_row(entity: Entity, number: int) -> Html:
    """An entity with its attributes one after the other: most have little to say, and a row each would fill pages."""
    items = figures.number(entity.items) if entity.items is not None else ""
    return tag(
        "tr",
        tag("th", entity.name, scope="row", class_=f"strong {chip(number)}"),
        tag("td", [_attribute(entity, each) for each in entity.attributes]),
        tag("td", items, class_="number"),
    )


def _attribute(entity: Entity, attribute: Attribute) -> Iterator[Html | str]:
    kind = attribute.type + (f" {attribute.format}" if attribute.format else "")
    said = attribute_text(entity, attribute, kind)
    yield tag("code", attribute.name)
    yield f"\u00a0{said}{APART}"
