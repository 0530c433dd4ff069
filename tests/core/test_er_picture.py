"""The picture of entities and relationships."""

import re
from xml.etree import ElementTree

import pytest

from designer.core import gallery
from designer.core.design.document import Design
from designer.core.er_picture import sentences, svg

from .orders import ORDERS

SPACE = "{http://www.w3.org/2000/svg}"


def drawn(design: Design) -> ElementTree.Element:
    return ElementTree.fromstring(svg(design))


def boxes(design: Design) -> dict[str, tuple[float, float, float, float]]:
    """Each entity's box: left, top, right, bottom."""
    found = {}
    for group in drawn(design).iter(f"{SPACE}g"):
        box = group.find(f"{SPACE}rect[@class='er-box']")
        name = group.find(f"{SPACE}text[@class='er-name']")
        if box is not None and name is not None:
            x, y, width, height = (float(box.attrib[k]) for k in ("x", "y", "width", "height"))
            found[str(name.text)] = (x, y, x + width, y + height)
    return found


def of(*relationships: dict[str, object], entities: str = "ABC") -> Design:
    return Design.model_validate(
        {
            "name": "Letters",
            "entities": [
                {
                    "name": name,
                    "identifier": ["id"],
                    "attributes": [
                        {"name": "id"},
                        *({"name": f"to{x}", "refers_to": f"{x}.id"} for x in entities),
                    ],
                }
                for name in entities
            ],
            "relationships": list(relationships),
        }
    )


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_every_entity_is_drawn_once_and_no_two_overlap(slug: str) -> None:
    design = gallery.load(slug)
    found = boxes(design)
    assert set(found) == {entity.name for entity in design.entities}
    view = [float(n) for n in drawn(design).attrib["viewBox"].split()]
    places = list(found.values())
    for number, (left, top, right, bottom) in enumerate(places):
        assert left >= 0 and top >= 0 and right <= view[2] and bottom <= view[3]
        for other in places[number + 1 :]:
            apart = right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
            assert apart


def test_parents_stand_left_of_their_children() -> None:
    found = boxes(ORDERS)
    assert found["User"][2] < found["Order"][0]


def test_the_same_design_gives_the_same_picture() -> None:
    assert svg(gallery.load("shop")) == svg(gallery.load("shop"))


def test_circles_and_references_to_itself_are_drawn() -> None:
    circle = of(
        {"name": "ab", "one": "A", "many": "B", "by": "toA"},
        {"name": "ba", "one": "B", "many": "A", "by": "toB"},
        {"name": "cc", "one": "C", "many": "C", "by": "toC"},
    )
    assert set(boxes(circle)) == {"A", "B", "C"}
    names = [text.text for text in drawn(circle).iter(f"{SPACE}text")]
    assert {"ab", "ba", "cc"} <= set(names)


def test_a_line_that_passes_a_layer_keeps_clear_of_its_boxes() -> None:
    far = of(
        {"name": "ab", "one": "A", "many": "B", "by": "toA"},
        {"name": "bc", "one": "B", "many": "C", "by": "toB"},
        {"name": "ac", "one": "A", "many": "C", "by": "toA"},
    )
    _, top, _, bottom = boxes(far)["B"]
    [path] = [
        line.attrib["d"]
        for group in drawn(far).iter(f"{SPACE}g")
        for line in group.iter(f"{SPACE}path")
        if "h172" in line.attrib.get("d", "")
    ]
    [level] = re.findall(r"([-\d.]+)h172", path)
    assert not top < float(level) < bottom


def test_an_entity_leads_where_the_caller_says() -> None:
    linked = svg(ORDERS, lambda entity: f"/e/{entity.name}?a=1&b=2")
    assert linked.count("<a href=") == 2
    assert 'href="/e/User?a=1&amp;b=2"' in linked


def test_an_empty_design_has_an_empty_picture() -> None:
    assert boxes(Design(name="Empty")) == {}


def test_relationships_are_said_in_words_too() -> None:
    assert sentences(ORDERS) == ("User 1:N Order (places), 5 on average",)
    assert "Warehouse N:M Product, through Stock (keepsInStock)" in sentences(gallery.load("shop"))
    assert "User 1:N Order (places), 5 on average" in svg(ORDERS)
