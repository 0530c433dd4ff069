"""The picture of entities and relationships."""

import re
from collections.abc import Sequence
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from designer.core.anchors.base import part_digest
from designer.core.design import gallery
from designer.core.design.bounds import ENTITIES
from designer.core.design.document import Design
from designer.core.design.entities import Relationship
from designer.core.design.meaning import ordered_meaning
from designer.core.edits import arrange, change_entity, identified, merged, move_entity
from designer.core.edits.replacing import replaced
from designer.core.er_picture import Dress, asked_by, redrawn, sentences, svg
from designer.core.er_picture.boxes import Box, Edge
from designer.core.er_picture.layers import PASSED, lay_out
from designer.core.er_picture.layout import laid_out
from designer.core.er_picture.lines import routes
from designer.core.er_picture.names import Name, names
from designer.core.errors import DesignError

from .orders import ORDERS

SPACE = "{http://www.w3.org/2000/svg}"


def drawn(design: Design) -> ElementTree.Element:
    return ElementTree.fromstring(svg(design))


def boxes(design: Design) -> dict[str, tuple[float, float, float, float]]:
    """Each entity's box: left, top, right, bottom."""
    found = {}
    for group in drawn(design).iter():
        box = group.find(f"{SPACE}rect[@class='er-box']")
        name = group.find(f"{SPACE}text[@class='er-name']")
        if box is not None and name is not None:
            x, y, width, height = (float(box.attrib[k]) for k in ("x", "y", "width", "height"))
            found[str(name.text)] = (x, y, x + width, y + height)
    return found


def of(*relationships: dict[str, object], entities: Sequence[str] = "ABC") -> Design:
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
        for group in drawn(far).findall(f"{SPACE}g")
        for line in group.iter(f"{SPACE}path")
        if "h172" in line.attrib.get("d", "")
    ]
    [level] = re.findall(r"([-\d.]+)h172", path)
    assert not top < float(level) < bottom


def test_an_entity_leads_where_the_caller_says() -> None:
    linked = svg(ORDERS, Dress(lambda entity: {"href": f"/e/{entity.name}?a=1&b=2"}))
    assert linked.count("<a ") == 2
    assert 'href="/e/User?a=1&amp;b=2"' in linked


def test_an_empty_design_has_an_empty_picture() -> None:
    assert boxes(Design(name="Empty")) == {}


def test_relationships_are_said_in_words_too() -> None:
    assert sentences(ORDERS) == ("User 1:N Order (places), 5 on average",)
    stocked = "Warehouse N:M Product, through Stock (keepsInStock)"
    each = "7,500 for each Warehouse and 3 for each Product on average"
    at_most = "20,000 for each Warehouse and 8 for each Product at most"
    assert f"{stocked}, {each}, {at_most}" in sentences(gallery.load("shop"))
    assert "User 1:N Order (places), 5 on average" in svg(ORDERS)


def moved(design: Design, **places: tuple[int, int]) -> Design:
    for name, (x, y) in places.items():
        design = move_entity(design, name, x, y)
    return design


def test_a_box_stands_where_it_was_put_and_the_others_make_room() -> None:
    shop = gallery.load("shop")
    before = boxes(shop)
    after = boxes(moved(shop, Order=(640, 30)))
    assert after["Order"][:2] == (640, 30)
    assert after["User"] == before["User"]
    for name, (left, top, right, bottom) in after.items():
        for other in (place for each, place in after.items() if each != name):
            apart = right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
            assert apart, name


def test_boxes_in_each_others_way_are_held_against_each_other_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Kept places may pile up so that every box has to pass every kept one."""
    read_bottom = Box.bottom.fget
    assert read_bottom is not None
    asked: list[str] = []

    def counted(box: Box) -> float:
        asked.append(box.name)
        return read_bottom(box)

    monkeypatch.setattr(Box, "bottom", property(counted))
    entities = [
        {"name": f"E{number}", "attributes": [{"name": "id"}], "identifier": ["id"]}
        for number in range(100)
    ]
    design = Design.model_validate({"name": "A pile", "entities": entities})
    pile = moved(design, **{f"E{50 + number}": (10, 60 * number) for number in range(50)})
    boxes = list(laid_out(pile).boxes.values())
    free = [box for box in boxes if not box.is_kept]
    assert len(free) == 50
    for box in free:
        for other in boxes:
            assert box is other or not (
                box.x < other.right
                and other.x < box.right
                and box.y < read_bottom(other)
                and other.y < read_bottom(box)
            )
    assert len(asked) < len(boxes) ** 2


def test_boxes_that_were_put_upon_each_other_stay_there() -> None:
    after = boxes(moved(gallery.load("shop"), Order=(500, 500), User=(510, 510)))
    assert (after["Order"][:2], after["User"][:2]) == ((500, 500), (510, 510))


def test_what_is_put_left_of_everything_is_in_the_picture() -> None:
    design = moved(ORDERS, Order=(-500, -90))
    left, top, width, height = (float(n) for n in drawn(design).attrib["viewBox"].split())
    box = boxes(design)["Order"]
    assert left < box[0] and top < box[1]
    assert box[2] < left + width and box[3] < top + height
    assert left + width > boxes(design)["User"][2]


@pytest.mark.parametrize(
    ("at", "ends"),
    [
        ((400, 0), ("right", "left")),
        ((-400, 0), ("left", "right")),
        ((20, 400), ("bottom", "top")),
        ((20, -400), ("top", "bottom")),
    ],
)
def test_a_line_meets_the_sides_that_face_each_other(
    at: tuple[int, int], ends: tuple[str, str]
) -> None:
    design = moved(ORDERS, User=(0, 0), Order=at)
    [path] = [each.attrib["d"] for each in drawn(design).iter() if each.get("class") == "er-line"]
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", path)]
    found = boxes(design)
    for (x, y), side, name in zip(
        (numbers[:2], numbers[-2:]), ends, ("User", "Order"), strict=True
    ):
        left, top, right, bottom = found[name]
        met = {"left": x == left, "right": x == right, "top": y == top, "bottom": y == bottom}
        assert met[side]
        assert left <= x <= right and top <= y <= bottom


def test_places_are_no_part_of_what_a_design_means() -> None:
    design = moved(ORDERS, Order=(640, 30))
    assert ordered_meaning(design) == ordered_meaning(ORDERS)
    assert part_digest(design.entity["Order"]) == part_digest(ORDERS.entity["Order"])


def test_what_two_people_move_is_all_kept() -> None:
    base = identified(ORDERS)
    mine, theirs = moved(base, Order=(640, 30)), moved(base, User=(16, 300))
    both = merged(base, mine, theirs)
    assert (both.entity["Order"].drawn_at, both.entity["User"].drawn_at) == ((640, 30), (16, 300))
    renamed = change_entity(theirs, "User", replaced(theirs.entity["User"], name="Buyer"))
    assert merged(base, mine, renamed).entity["Buyer"].drawn_at == (16, 300)


def test_a_place_goes_to_whole_pixels_within_bounds() -> None:
    assert moved(ORDERS, Order=(10**9, -(10**9))).entity["Order"].drawn_at == (20_000, -20_000)
    assert move_entity(ORDERS, "Order", 3.6, -0.2).entity["Order"].drawn_at == (4, 0)
    with pytest.raises(DesignError, match="Ghost is no longer in this design"):
        move_entity(ORDERS, "Ghost", 0, 0)


def test_arranging_leaves_every_box_to_itself() -> None:
    assert arrange(moved(ORDERS, Order=(640, 30))) == ORDERS
    with pytest.raises(DesignError, match="No box was moved"):
        arrange(ORDERS)


def test_a_box_says_its_keys_its_references_and_its_patterns() -> None:
    texts = [title.text for title in drawn(ORDERS).iter(f"{SPACE}title") if " " in str(title.text)]
    assert {"userId identifies", "userId refers to User.userId"} <= set(texts)
    shop = gallery.load("shop")
    said = [text.text for text in drawn(shop).iter() if text.get("class") == "er-asked"]
    counts = [
        sum(entity.name in asked_by(shop, pattern) for pattern in shop.patterns)
        for entity in shop.entities
    ]
    assert [int(str(text).split()[0]) for text in said] == counts
    assert asked_by(shop, shop.pattern(3)) == {"Order", "OrderItem"}


def test_marked_entities_are_marked() -> None:
    groups = ElementTree.fromstring(svg(ORDERS, Dress(marked=frozenset({"Order"}))))
    marked = [g.get("data-name") for g in groups.iter() if "is-asked" in g.get("class", "")]
    assert marked == ["Order"]


def test_a_picture_by_itself_has_a_white_ground() -> None:
    ground = ElementTree.fromstring(svg(ORDERS, Dress(paper=True))).find(f"{SPACE}rect")
    assert ground is not None and ground.attrib["fill"] == "#ffffff"


def test_a_long_chain_under_one_entity_is_laid_out_and_its_longest_lines_go_straight() -> None:
    """As many entities as a design may have, the last first, each of which refers to the first."""
    last = ENTITIES.most - 1
    boxes = {f"E{number}": Box(f"E{number}", height=60) for number in range(last, -1, -1)}
    to_first = of({"name": "holds", "one": "A", "many": "B", "by": "toA"}).relationships[0]
    edges = [Edge(to_first, f"E{number}", f"E{number + 1}") for number in range(last)]
    edges += [Edge(to_first, "E0", f"E{number}") for number in range(2, last + 1)]
    lay_out(boxes, edges)
    assert [boxes[f"E{number}"].layer for number in range(last + 1)] == list(range(last + 1))
    passed = [len(edge.through) for edge in edges]
    assert 0.9 * PASSED < sum(passed) <= PASSED
    assert passed[last] == 1 and passed[-1] == 0


def test_in_a_circle_the_first_seen_goes_right_of_all_others() -> None:
    boxes = {name: Box(name, height=60) for name in "ABCD"}
    to_first = of({"name": "holds", "one": "A", "many": "B", "by": "toA"}).relationships[0]
    lay_out(boxes, [Edge(to_first, one, many) for one, many in ("AB", "BC", "CA", "CD")])
    assert {name: box.layer for name, box in boxes.items()} == {"A": 2, "B": 0, "C": 1, "D": 2}


def many(names: str = "A", attributes: int = 30) -> Design:
    """Entities with more attributes than a box has rows."""
    return Design.model_validate(
        {
            "name": "Many",
            "entities": [
                {
                    "name": name,
                    "identifier": ["id"],
                    "attributes": [
                        {"name": "id"},
                        *({"name": f"a{number}"} for number in range(1, attributes)),
                    ],
                }
                for name in names
            ],
        }
    )


def test_a_box_has_all_attributes_where_they_are_asked_for() -> None:
    short = svg(many())
    assert ">a5<" not in short and "and 25 more" in short
    whole = svg(many(), Dress(whole=True))
    assert all(f">a{number}<" in whole for number in range(1, 30))
    assert "more<" not in whole


def test_moved_boxes_stay_apart_when_they_show_all_attributes() -> None:
    design = moved(many("ABC"), A=(10, 10), B=(40, 180), C=(600, 190))
    short, whole = laid_out(design).boxes, laid_out(design, whole=True).boxes
    assert short["A"].bottom < short["B"].y
    assert whole["A"].bottom < whole["B"].y
    assert (whole["A"].y, whole["C"].y) == (10, 190)


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_no_line_no_box_and_no_other_name_meets_a_name(slug: str, whole: bool) -> None:
    layout = laid_out(gallery.load(slug), whole)
    ways = routes(layout.boxes, layout.edges)
    placed = [name for name in names(layout.edges, ways, layout.boxes) if name.text]
    for number, name in enumerate(placed):
        box = (name.left, name.top, name.right, name.bottom)
        met = [way.path for way in ways if any(_inside(box, at) for at in _walked(way.points))]
        met += [each.name for each in layout.boxes.values() if _overlap(box, _sides(each))]
        met += [each.text for each in placed[:number] if _overlap(box, _sides(each))]
        assert not met, name


Sides = tuple[float, float, float, float]


def _sides(each: Box | Name) -> Sides:
    left, top = (each.x, each.y) if isinstance(each, Box) else (each.left, each.top)
    return left, top, each.right, each.bottom


def _overlap(one: Sides, other: Sides) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _walked(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Points on a line, a pixel apart or closer."""
    found = []
    for (x, y), (to_x, to_y) in pairwise(points):
        steps = int(max(abs(to_x - x), abs(to_y - y))) + 1
        found += [
            (x + (to_x - x) * at / steps, y + (to_y - y) * at / steps) for at in range(steps + 1)
        ]
    return found


def _inside(box: Sides, point: tuple[float, float]) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def test_two_lines_of_a_relationship_between_many_and_many_have_one_name() -> None:
    """From Warehouse and from Product to the same side of Stock."""
    ways = [
        group
        for group in drawn(gallery.load("shop")).iter()
        if group.get("class") == "er-edge"
        and (group.findtext(f"{SPACE}title") or "").startswith("keepsInStock: ")
    ]
    assert len(ways) == 2
    named = [group for group in ways if group.findtext(f"{SPACE}text") == "keepsInStock"]
    assert len(named) == 1
    parts = [each.get("class") for each in named[0]]
    assert parts.index("er-ground") == parts.index("er-word") - 1


def test_a_name_without_room_between_the_boxes_is_cut_and_said_in_full_to_whoever_points() -> None:
    name = "ordersThatCustomersHavePlacedOnline"
    group = next(
        each
        for each in drawn(of({"name": name, "one": "A", "many": "B", "by": "aId"})).iter()
        if each.get("class") == "er-edge"
    )
    assert group.findtext(f"{SPACE}text") == "ordersThatCustomersHave…"
    assert group.findtext(f"{SPACE}title") == f"{name}: A 1:N B"


def _chain(length: int) -> Design:
    return of(
        *(
            {"name": f"r{at}", "one": f"E{at}", "many": f"E{at + 1}", "by": f"toE{at}"}
            for at in range(length - 1)
        ),
        entities=[f"E{at}" for at in range(length)],
    )


def test_a_deep_model_is_folded_into_rows_and_reads_to_and_fro() -> None:
    layout = laid_out(_chain(24))
    places = [layout.boxes[f"E{at}"] for at in range(24)]
    rows = [[box for box in places if box.band == band] for band in range(places[-1].band + 1)]
    assert len(rows) > 2
    for number, row in enumerate(rows):
        lefts = [box.x for box in row]
        assert lefts == sorted(lefts, reverse=bool(number % 2))
    for row, after in pairwise(rows):
        assert row[-1].x == after[0].x
        assert max(box.bottom for box in row) < min(box.y for box in after)
    # One strip of 24 would be shown at 13 %.
    assert min(1_000 / (layout.right - layout.left), 640 / (layout.bottom - layout.top)) > 0.45


def test_a_line_into_the_next_row_turns_beside_the_boxes() -> None:
    layout = laid_out(_chain(24))
    turning = [
        (edge, way)
        for edge, way in zip(layout.edges, routes(layout.boxes, layout.edges), strict=True)
        if layout.boxes[edge.parent].band != layout.boxes[edge.child].band
    ]
    assert len(turning) > 1
    for edge, way in turning:
        assert way.start.out == way.end.out == (layout.boxes[edge.parent].way, 0)
        assert way.start.x == way.end.x


def test_a_model_that_is_readable_in_one_row_stays_in_one() -> None:
    assert {box.band for box in laid_out(_chain(3)).boxes.values()} == {0}
    assert {box.band for box in laid_out(gallery.load("shop")).boxes.values()} == {0}


def test_a_line_over_several_rows_passes_no_box() -> None:
    chain = _chain(24)
    far = chain.model_copy(
        update={
            "relationships": (
                *chain.relationships,
                Relationship.model_validate(
                    {"name": "far", "one": "E1", "many": "E20", "by": "toE1"}
                ),
            )
        }
    )
    layout = laid_out(far)
    edge = next(each for each in layout.edges if each.relationship.name == "far")
    assert [box.layer for box in edge.through] == list(range(2, 20))
    for place in edge.through:
        beside = [b for b in layout.boxes.values() if b.x == place.x and b.band == place.band]
        assert all(place.bottom <= box.y or box.bottom <= place.y for box in beside)


@pytest.mark.parametrize("slug", gallery.SLUGS[:3])
def test_what_is_redrawn_is_as_the_whole_picture_has_it(slug: str) -> None:
    """The parts that differ and no others, and all lines in the order in which they are drawn."""
    before = gallery.load(slug)
    after = move_entity(before, before.entities[-1].name, 900, 40)
    parts, whole = ElementTree.fromstring(redrawn(before, after)), drawn(after)
    assert parts.attrib["viewBox"] == whole.attrib["viewBox"]
    lines = [each.attrib["data-line"] for each in whole if "data-line" in each.attrib]
    assert parts.attrib["data-lines"].split() == lines
    was = [ElementTree.tostring(each) for each in drawn(before)]
    now = [ElementTree.tostring(each) for each in whole if each.tag == f"{SPACE}g"]
    assert [ElementTree.tostring(each) for each in parts] == [
        each for each in now if each not in was
    ]
    assert 0 < len(parts) < len(now)
