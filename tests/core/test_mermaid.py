"""Entities and relationships as a Mermaid diagram."""

import re

import pytest

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.er_picture.mermaid import er_diagram
from designer.core.outline import add_outline, read_outline

HOTEL = """
Hotel: hotelId uuid, name
Room: hotelId, roomNo, floor number
Guest: guestId uuid, email unique
Hotel 1-N Room
"""
LINE = re.compile(
    r'erDiagram|  "\w+" \|\|(--|\.\.)o[{|] "\w+" : "\w+"|  "\w+" \{|  \}'
    r"|    [a-z][a-z_]* [A-Za-z_][\w-]*( (PK|FK|UK)(, (PK|FK|UK))*)?"
    r'( "[^"]+")?'
)


def test_keys_references_and_unique_attributes_are_marked() -> None:
    drawn = er_diagram(add_outline(Design(name="Hotel"), read_outline(HOTEL))).splitlines()
    assert drawn[0] == "erDiagram"
    assert any(re.fullmatch(r'  "Hotel" \|\|(--|\.\.)o\{ "Room" : "\w+"', line) for line in drawn)
    room = drawn[drawn.index('  "Room" {') :]
    assert "    uuid hotelId PK, FK" in room or "    string hotelId PK, FK" in room
    assert "    email email UK" in drawn


def test_without_entities_nothing_is_drawn() -> None:
    assert er_diagram(Design(name="Empty")) == ""


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_every_line_of_every_design_of_the_gallery_is_one_that_mermaid_knows(slug: str) -> None:
    design = gallery.load(slug)
    lines = er_diagram(design).splitlines()
    assert [line for line in lines if not LINE.fullmatch(line)] == []
    assert lines.count("  }") == len(design.entities)
