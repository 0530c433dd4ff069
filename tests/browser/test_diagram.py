"""The diagram as one works in it: by mouse, by keyboard alone, by finger, by two people at once."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from designer.core.edits import move_entity
from designer.core.outline import add_outline, read_outline
from projects import revisions
from projects.models import Draft
from tests.browser.axe import assert_accessible
from tests.browser.slow import slow
from tests.browser.test_together import SOON, Open
from tests.browser.test_together import enter as enter  # a fixture


@pytest.fixture
def diagram(enter: Open) -> Page:
    return enter("ana", "?show=diagram")


@pytest.fixture
def phone(diagram: Page, browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """The same diagram under a finger."""
    context = browser.new_context(
        base_url=live_server.url,
        viewport={"width": 390, "height": 844},
        has_touch=True,
        storage_state=diagram.context.storage_state(),
    )
    page = context.new_page()
    page.goto(diagram.url)
    yield page
    context.close()


def box(page: Page, name: str) -> Locator:
    return page.locator(f'.er-entity[data-name="{name}"]')


def middle(target: Locator) -> tuple[float, float]:
    found = target.bounding_box()
    assert found is not None
    return found["x"] + found["width"] / 2, found["y"] + found["height"] / 2


def drag(page: Page, target: Locator, right: float, down: float) -> None:
    x, y = middle(target)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right / 2, y + down / 2)
    page.mouse.move(x + right, y + down)
    page.mouse.up()


def kept() -> dict[str, tuple[int, int] | None]:
    design = revisions.latest(Draft.objects.get())
    return {entity.name: entity.drawn_at for entity in design.entities}


def saved(page: Page, note: str) -> None:
    expect(page.locator("#status")).to_contain_text(f"Saved: {note}")


def test_by_mouse(diagram: Page) -> None:
    drag(diagram, box(diagram, "Visit").locator(".er-name"), 120, 90)
    saved(diagram, "Move Visit in the diagram.")
    at = kept()["Visit"]
    assert at is not None
    assert kept()["Member"] is None
    expect(box(diagram, "Visit").locator(".er-box")).to_have_attribute("x", str(at[0]))
    expect(box(diagram, "Visit")).not_to_have_attribute("transform", re.compile("."))
    expect(diagram).to_have_url(re.compile("/d/club4all/.show=diagram$"))  # a drag is no click

    diagram.get_by_role("button", name="Undo").click()
    expect(diagram.locator("#status")).to_contain_text("Undone")
    assert kept()["Visit"] is None

    diagram.get_by_role("button", name="Entity", exact=True).click()
    diagram.get_by_label("Name of the new entity").fill("Locker: lockerId, size")
    diagram.keyboard.press("Enter")
    saved(diagram, "Add entity Locker.")
    expect(box(diagram, "Locker")).to_be_focused()

    box(diagram, "Locker").locator(".er-name").dblclick()
    diagram.get_by_label("New name of Locker").fill("Cabinet")
    diagram.keyboard.press("Enter")
    saved(diagram, "Rename entity Locker to Cabinet.")
    expect(box(diagram, "Cabinet")).to_be_focused()

    box(diagram, "Member").hover()
    dot = middle(box(diagram, "Member").locator(".er-dot"))
    diagram.mouse.move(*dot)
    diagram.mouse.down()
    diagram.mouse.move(dot[0] + 30, dot[1] + 30)
    expect(diagram.locator(".er-rubber")).to_have_count(1)
    diagram.mouse.move(*middle(box(diagram, "Cabinet")))
    diagram.mouse.up()
    expect(diagram.get_by_label("First entity", exact=True)).to_have_value("Member")
    expect(diagram.get_by_label("Second entity", exact=True)).to_have_value("Cabinet")
    diagram.get_by_role("button", name="Add the relationship").last.click()
    expect(diagram.locator(".er-edge")).to_have_count(2)
    assert_accessible(diagram)

    box(diagram, "Cabinet").locator(".er-attribute").first.click()
    expect(diagram.locator("#field-name")).to_have_value("Cabinet")


def test_a_name_that_is_refused_can_be_mended(diagram: Page) -> None:
    field = diagram.locator("#diagram-name input")
    box(diagram, "Visit").locator(".er-name").dblclick()
    field.fill("Member")
    diagram.keyboard.press("Enter")
    expect(diagram.get_by_role("alert")).to_contain_text("Member")
    expect(field).to_be_focused()
    expect(field).to_have_value("Member")
    expect(field).to_have_attribute("aria-invalid", "true")
    # Going elsewhere gives it up; so it is not refused again and again.
    box(diagram, "Member").locator(".er-box").hover()
    diagram.locator("#diagram-sheet").focus()
    expect(field).to_be_hidden()

    box(diagram, "Visit").locator(".er-name").dblclick()
    expect(field).to_have_value("Visit")
    expect(field).to_have_attribute("aria-invalid", "false")
    field.fill("Member")
    diagram.keyboard.press("Enter")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    field.press("End")
    field.press_sequentially("ship")
    diagram.keyboard.press("Enter")
    saved(diagram, "Rename entity Visit to Membership.")
    expect(field).to_be_hidden()


def test_a_box_that_is_moved_again_before_the_answer_stands_where_it_was_left(
    diagram: Page,
) -> None:
    name = box(diagram, "Visit").locator(".er-name")
    with slow(diagram):
        drag(diagram, name, 60, 40)
        drag(diagram, name, 60, 40)
        left = box(diagram, "Visit").bounding_box()
    expect(box(diagram, "Visit")).not_to_have_attribute("transform", re.compile("."))
    assert box(diagram, "Visit").bounding_box() == left
    assert kept()["Visit"] == (450, 90)


def test_by_keyboard_alone(diagram: Page) -> None:
    press = diagram.keyboard.press
    diagram.locator("#diagram-sheet").focus()
    press("Tab")
    expect(box(diagram, "Member")).to_be_focused()
    drawn = (
        box(diagram, "Member")
        .locator(".er-box")
        .evaluate("each => [each.x.baseVal.value, each.y.baseVal.value]")
    )
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Shift+ArrowDown"):
        press(key)
    saved(diagram, "Move Member in the diagram.")
    expect(box(diagram, "Member")).to_be_focused()
    at = kept()["Member"]
    assert at is not None
    assert (at[0] - drawn[0], at[1] - drawn[1]) == (16, 48)

    press("F2")
    expect(diagram.get_by_label("New name of Member")).to_be_focused()
    press("Escape")
    expect(box(diagram, "Member")).to_be_focused()
    press("F2")
    diagram.keyboard.type("Guest")
    press("Enter")
    saved(diagram, "Rename entity Member to Guest.")
    expect(box(diagram, "Guest")).to_be_focused()

    press("e")
    diagram.keyboard.type("Coach: coachId, name")
    press("Enter")
    expect(box(diagram, "Coach")).to_be_focused()
    press("r")
    expect(diagram.locator("#diagram-hint")).to_contain_text("A relationship of Coach")
    press("Escape")
    expect(diagram.locator("#diagram-hint")).to_have_text("")
    press("r")
    press("Shift+Tab")
    expect(box(diagram, "Visit")).to_be_focused()
    press("Enter")
    expect(diagram.get_by_label("First entity", exact=True)).to_have_value("Coach")
    expect(diagram.get_by_label("Second entity", exact=True)).to_have_value("Visit")
    expect(diagram.locator("#field-name")).to_be_focused()
    press("Escape")
    expect(diagram.locator("#lists")).to_be_visible()

    box(diagram, "Visit").focus()
    width = "document.querySelector('.er').getBoundingClientRect().width"
    before = diagram.evaluate(width)
    press("-")
    assert diagram.evaluate(width) < before
    press("0")
    sheet = diagram.locator("#diagram-sheet").evaluate("each => each.clientWidth")
    assert diagram.evaluate(width) <= sheet
    press("Enter")
    expect(diagram.locator("#field-name")).to_have_value("Visit")


def test_fit_shows_all_of_a_picture_that_is_very_wide(enter: Open) -> None:
    revisions.edit(
        Draft.objects.get(), lambda design: move_entity(design, "Member", 19_000, 0), "Move it"
    )
    page = enter("ana", "?show=diagram")
    page.get_by_role("button", name="Fit", exact=True).click()
    expect(page.locator("#status")).to_have_text("All of the diagram, 4 %")
    width = page.locator(".er").evaluate("each => each.getBoundingClientRect().width")
    assert width <= page.locator("#diagram-sheet").evaluate("each => each.clientWidth")
    page.locator("[data-diagram='in']").click()
    expect(page.locator("#status")).to_have_text("10 %")


def test_a_picture_opens_fitted(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("/d/shop/?show=diagram")
    over = page.locator("#diagram-sheet").evaluate(
        "each => [each.scrollWidth - each.clientWidth, each.scrollHeight - each.clientHeight]"
    )
    assert over == [0, 0]
    expect(box(page, "Stock").locator(".er-box")).to_be_in_viewport(ratio=1)
    expect(box(page, "Stock").locator(".er-attribute").first).to_be_visible()


def test_a_design_of_the_gallery_shows_its_picture_in_all_sizes(page: Page) -> None:
    page.goto("/gallery/shop/?show=diagram")
    width = "document.querySelector('.er').getBoundingClientRect().width"
    sheet = page.locator("#diagram-sheet")
    assert page.evaluate(width) <= sheet.evaluate("each => each.clientWidth")
    expect(box(page, "Stock").locator(".er-box")).to_have_css("fill", "rgb(255, 255, 255)")
    before = page.evaluate(width)
    page.locator("[data-diagram='in']").click()
    assert page.evaluate(width) > before


IN_THE_MIDDLE = """() => {
    const around = document.querySelector("#diagram-sheet").getBoundingClientRect();
    const { left, right, top, bottom } = document.querySelector("#diagram-sheet .er").getBoundingClientRect();
    const [before, after] = [left - around.left, around.right - right];
    const [above, below] = [top - around.top, around.bottom - bottom];
    return Math.max(before, above) > 20 && Math.abs(before - after) <= 2 && Math.abs(above - below) <= 2;
}"""
"""Whether as much is left on the left of the picture as on its right, and as much above as below."""
WITHIN = """(sheet, selector) => {
    const around = sheet.getBoundingClientRect();
    const { x, y, width } = document.querySelector(selector).getBoundingClientRect();
    return [x - around.x, y - around.y, width];
}"""
"""Where something stands in the sheet, and how wide it is, whatever the page is scrolled to."""


def test_a_fitted_picture_stands_in_the_middle(diagram: Page) -> None:
    """Larger or smaller, moved or not: and the name of a new entity is typed where one pointed."""
    sheet = diagram.locator("#diagram-sheet")
    diagram.get_by_role("button", name="Fit", exact=True).click()
    for _ in range(3):
        diagram.wait_for_function(IN_THE_MIDDLE)
        diagram.locator("[data-diagram='out']").click()
    diagram.mouse.move(*middle(sheet))
    diagram.keyboard.down("Control")
    for _ in range(3):
        diagram.mouse.wheel(0, 60)
        diagram.wait_for_timeout(40)
        diagram.wait_for_function(IN_THE_MIDDLE)
    diagram.keyboard.up("Control")
    expect(diagram.locator("#diagram-sheet.is-stretched")).to_have_count(0)
    visit = box(diagram, "Visit").locator(".er-box")
    diagram.get_by_role("button", name="Fit", exact=True).click()
    diagram.wait_for_function(IN_THE_MIDDLE)
    its = '#diagram-sheet .er-entity[data-name="Visit"] .er-box'
    x, y, _ = sheet.evaluate(WITHIN, its)
    drag(diagram, visit, 30, 0)
    saved(diagram, "Move Visit in the diagram.")
    assert sheet.evaluate(WITHIN, its)[:2] == pytest.approx((x + 30, y), abs=2)
    at = sheet.bounding_box()
    assert at is not None
    sheet.dblclick(position={"x": at["width"] / 2, "y": at["height"] - 30})
    expect(diagram.locator("#diagram-name")).to_be_visible()
    assert sheet.evaluate(WITHIN, "#diagram-name")[0] == pytest.approx(at["width"] / 2, abs=3)


def test_a_picture_stays_in_the_middle_of_a_window_that_is_resized(diagram: Page) -> None:
    """All of it, where all of it is shown; else what was in the middle."""
    for width in (1024, 390, 1440):
        diagram.set_viewport_size({"width": width, "height": 900})
        diagram.wait_for_function(IN_THE_MIDDLE)
    for _ in range(6):
        diagram.locator("[data-diagram='in']").click()
    middle_of = """sheet => {
        const { x, y } = document.querySelector("#diagram-sheet .er").getBoundingClientRect();
        const around = sheet.getBoundingClientRect();
        return [around.x + sheet.clientWidth / 2 - x, around.y + sheet.clientHeight / 2 - y];
    }"""
    sheet = diagram.locator("#diagram-sheet")
    before = sheet.evaluate(middle_of)
    for width in (1024, 1440):
        diagram.set_viewport_size({"width": width, "height": 900})
        diagram.wait_for_timeout(200)
        assert sheet.evaluate(middle_of) == pytest.approx(before, abs=3), width


def test_the_wheel_stretches_what_is_drawn_and_then_draws_it_anew(page: Page) -> None:
    """What the pointer is on stays under it, while the wheel turns and after it."""
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("/d/shop/?show=diagram")
    for _ in range(3):
        page.locator("[data-diagram='in']").click()
    picture, stock = page.locator(".er"), box(page, "Stock").locator(".er-box")
    drawn = "each => each.style.getPropertyValue('--diagram-width')"
    before = page.locator("#diagram-sheet").evaluate(drawn)
    stock.evaluate("each => each.scrollIntoView({ block: 'center', inline: 'center' })")
    at = middle(stock)
    page.mouse.move(*at)
    page.keyboard.down("Control")
    sizes = []
    for turn in (-60, -60, -60, 60, -60):
        page.mouse.wheel(0, turn)
        page.wait_for_timeout(40)
        sizes.append(picture.evaluate("each => each.getBoundingClientRect().width"))
        assert middle(stock) == pytest.approx(at, abs=2)
    page.keyboard.up("Control")
    assert sizes[0] < sizes[1] < sizes[2] > sizes[3] < sizes[4]
    frame = page.locator(".diagram-picture")
    expect(frame).not_to_have_attribute("style", re.compile("transform"))
    expect(page.locator("#diagram-sheet.is-stretched")).to_have_count(0)
    after = page.locator("#diagram-sheet").evaluate(drawn)
    # It is drawn in whole pixels, and what was stretched was too.
    assert float(after.removesuffix("px")) == pytest.approx(sizes[4], abs=2)
    assert after != before
    assert middle(stock) == pytest.approx(at, abs=2)
    # Each element that took it over would be restyled with each size.
    taken = "each => getComputedStyle(each).getPropertyValue('--diagram-width')"
    assert picture.evaluate(taken) == after
    assert stock.evaluate(taken) == ""


MEETING = """sheet => {
    const around = sheet.getBoundingClientRect();
    const of = (query) => [...sheet.querySelectorAll(query)].map(each =>
        ({ owner: each.closest(".er-entity").dataset.name, at: each.getBoundingClientRect() }));
    const names = of(".er-name").filter(({ at }) => at.width);
    const over = ({ at: one }, { at: other }) =>
        one.left < other.right && other.left < one.right && one.top + 2 < other.bottom && other.top + 2 < one.bottom;
    const beside = (name, one) => one.owner !== name.owner && one.at.left > name.at.left + 9 && over(name, one);
    return names.filter((name, at) => name.at.right > around.right || of(".er-box").some(one => beside(name, one))
        || names.slice(at + 1).some(other => over(name, other))).map(({ owner }) => owner);
}"""
"""Entities whose names run into others, or out of the sheet."""


def test_names_of_many_layers_keep_out_of_each_others_way(enter: Open) -> None:
    words = ("Organisation", "PaymentAllocation", "Task", "RegionalOfficeAndBranches")
    names = [f"{words[n % 4]}{n}" for n in range(24)]
    lines = [f"{name}: id{n} uuid, name" for n, name in enumerate(names)]
    lines += [f"Side{name}: side{n} uuid" for n, name in enumerate(names)]
    lines += [f"{one} 1-N {other}" for one, other in pairwise(names)]
    lines += [f"{name} 1-N Side{name}" for name in names]
    outline = read_outline("\n".join(lines))
    revisions.edit(Draft.objects.get(), lambda design: add_outline(design, outline), "Add them")
    page = enter("ana", "?show=diagram")
    sheet = page.locator("#diagram-sheet")
    for width in (1440, 1024, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.get_by_role("button", name="Fit", exact=True).click()
        expect(page.locator("#status")).to_contain_text("All of the diagram")
        assert sheet.evaluate(MEETING) == [], width
    first = box(page, names[0]).locator(".er-name")
    expect(first).to_have_text(re.compile("^Org.*…$"))
    while page.locator("#diagram-sheet.is-far").count():
        page.locator("[data-diagram='in']").click()
    expect(first).to_have_text(names[0])


def test_a_hundred_entities_are_found_and_their_names_read(enter: Open) -> None:
    """It opens on a box, though its corner is empty; and however small, names have letters one can read."""
    lines = [f"Thing{n}: thing{n}Id uuid, name, state NEW|OLD" for n in range(98)]
    lines += [f"Thing{n // 2} 1-N Thing{n}" for n in range(1, 98)]
    outline = read_outline("\n".join(lines))
    revisions.edit(Draft.objects.get(), lambda design: add_outline(design, outline), "Add them")
    page = enter("ana", "?show=diagram")
    expect(page.locator(".er-entity")).to_have_count(100)
    seen = """sheet => { const area = sheet.getBoundingClientRect();
        return [...sheet.querySelectorAll(".er-box")].filter(each => {
            const { left, right, top, bottom } = each.getBoundingClientRect();
            return left >= area.left && right <= area.right && top >= area.top && bottom <= area.bottom;
        }).length }"""
    sheet = page.locator("#diagram-sheet")
    assert sheet.evaluate(seen) > 0
    page.get_by_role("button", name="Fit", exact=True).click()
    expect(page.locator("#status")).to_contain_text("All of the diagram")
    assert sheet.evaluate(seen) == 100
    letters = box(page, "Thing97").locator(".er-name")
    drawn = letters.bounding_box()
    assert drawn is not None and drawn["height"] >= 9
    expect(box(page, "Thing97").locator(".er-attribute").first).to_be_hidden()
    drag(page, letters, 40, 30)
    saved(page, "Move Thing97 in the diagram.")


def test_by_finger(phone: Page) -> None:
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    name = box(phone, "Member").locator(".er-name")
    name.scroll_into_view_if_needed()
    x, y = middle(name)
    touch = phone.context.new_cdp_session(phone)
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        ("touchMove", [{"x": x + 20, "y": y + 20}]),
        ("touchMove", [{"x": x + 60, "y": y + 40}]),
        ("touchEnd", []),
    ):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    saved(phone, "Move Member in the diagram.")
    assert kept()["Member"] is not None

    # What is tapped at once after a finger was lifted may count as part of that gesture, and does nothing.
    draw = phone.get_by_role("button", name="Relationship", exact=True)
    for _ in range(5):
        phone.wait_for_timeout(1000)
        if draw.get_attribute("aria-pressed") != "true":
            draw.tap()
    expect(phone.locator("#diagram-hint")).to_contain_text("pick")
    box(phone, "Member").tap()
    expect(phone.locator("#diagram-hint")).to_contain_text("A relationship of Member")
    box(phone, "Visit").tap()
    expect(phone.get_by_label("Second entity", exact=True)).to_have_value("Visit")
    assert_accessible(phone)


def test_two_see_each_others_boxes(enter: Open) -> None:
    anas, bobs = enter("ana", "?show=diagram"), enter("bob", "?show=diagram")
    drag(anas, box(anas, "Visit").locator(".er-name"), 40, 120)
    saved(anas, "Move Visit in the diagram.")
    at = kept()["Visit"]
    assert at is not None
    expect(box(bobs, "Visit").locator(".er-box")).to_have_attribute("y", str(at[1]), timeout=SOON)
    drag(bobs, box(bobs, "Member").locator(".er-name"), 0, 150)
    saved(bobs, "Move Member in the diagram.")
    assert kept()["Visit"] == at
    expect(box(anas, "Member").locator(".er-box")).to_have_attribute(
        "y", str((kept()["Member"] or (0, 0))[1]), timeout=SOON
    )


@pytest.mark.parametrize("kind", ["SVG", "PNG"])
def test_the_picture_is_a_file(kind: str, diagram: Page) -> None:
    role = "link" if kind == "SVG" else "button"
    with diagram.expect_download() as found:
        diagram.get_by_role(role, name=kind, exact=True).click()  # type: ignore[arg-type]
    assert found.value.suggested_filename == f"club.{kind.lower()}"
    content = Path(found.value.path()).read_bytes()
    assert content.startswith(b"<svg" if kind == "SVG" else b"\x89PNG")
    assert len(content) > 2_000
