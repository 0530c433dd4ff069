"""The cost page, tried with other rates."""

import re

from playwright.sync_api import Page, expect


def test_what_if_answers_while_one_types(page: Page) -> None:
    page.goto("/d/shop/cost/")
    expect(page.locator("#bill")).to_be_visible(timeout=180_000)
    page.get_by_text("What if", exact=True).click()
    rate = page.get_by_label("Pattern 1, times a second", exact=True)
    rate.fill("900")
    expect(page.locator(".bill-total")).to_contain_text("more than with the stated figures")
    expect(rate).to_be_focused()
    expect(page).to_have_url(re.compile(r"rate-1=900"))
    page.get_by_label("Capacity", exact=True).select_option("autoscaled")
    expect(page.locator("#bill")).to_contain_text("Read capacity")
    page.get_by_role("link", name="Multi table").click()
    expect(page.get_by_label("Capacity", exact=True)).to_have_value("autoscaled")
    page.wait_for_load_state()
    page.get_by_text("Estimate a rate").click()
    page.get_by_label("Times a day").fill("200000")
    page.get_by_label("Busiest hour's share (%)").fill("12")
    expect(page.locator("#estimate")).to_have_text("2.31 a second on average, 6.67 at peak.")


def test_labels_of_the_form_take_one_line_at_1024_pixels(page: Page) -> None:
    page.set_viewport_size({"width": 1024, "height": 800})
    page.goto("/d/shop/cost/")
    labels = page.locator("#cost-form > .form label[for]")
    expect(labels.first).to_be_visible()
    for label in labels.all():
        assert label.evaluate("each => each.getBoundingClientRect().height") < 30, (
            label.inner_text()
        )
