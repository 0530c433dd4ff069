"""The diagram so small that it has no words: where boxes stand, how they are joined, in colours for both grounds."""

from xml.etree import ElementTree

from designer.core.design import gallery
from designer.core.edits import move_entity, new_design
from designer.core.er_picture import thumbnail
from designer.core.er_picture.layout import laid_out

SVG = "{http://www.w3.org/2000/svg}"


def test_it_has_a_box_for_each_entity_and_a_line_for_each_relationship_and_no_words() -> None:
    design = gallery.load("shop")
    drawn = ElementTree.fromstring(thumbnail(design))
    assert len(drawn.findall(f"{SVG}rect")) == 2 * len(design.entities)
    assert len(drawn.findall(f".//{SVG}path")) == len(laid_out(design).edges)
    assert not "".join(drawn.itertext()).strip()
    assert drawn.find(f".//{SVG}text") is None


def test_all_of_it_is_seen_wherever_a_box_was_put() -> None:
    design = move_entity(gallery.load("starter"), "Task", -900, 700)
    drawn = ElementTree.fromstring(thumbnail(design))
    left, top, width, height = map(float, drawn.attrib["viewBox"].split())
    for box in drawn.findall(f"{SVG}rect"):
        x, y, across, down = (float(box.attrib[name]) for name in ("x", "y", "width", "height"))
        assert left <= x and x + across <= left + width
        assert top <= y and y + down <= top + height


def test_a_design_of_nothing_has_an_empty_one() -> None:
    drawn = ElementTree.fromstring(thumbnail(new_design("Bookings")))
    assert drawn.findall(f"{SVG}rect") == []
