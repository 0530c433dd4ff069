"""From the heat of a design to one of its keys on partitions."""

import re

from playwright.sync_api import Page, expect


def test_a_hot_key_is_taken_to_the_partitions_and_spread(page: Page) -> None:
    page.goto("/d/leaderboards/heat/")
    hot = page.get_by_role("link", name=re.compile("Simulate its traffic.*SCORE#SEASON"))
    hot.click()
    expect(page.get_by_label("Key", exact=True)).to_have_value("SCORE#SEASON#{season}")
    expect(page.get_by_label("Hot value's share (%)")).to_have_value("70")
    expect(page.get_by_label("Zipf exponent")).to_be_hidden()
    page.get_by_label("Traffic").select_option("zipf")
    expect(page.get_by_label("Zipf exponent")).to_be_visible()
    page.get_by_label("Shards to compare").fill("1")
    page.get_by_role("button", name="Simulate").click()
    page.get_by_role("link", name=re.compile("^Shards to compare")).click()
    expect(page.get_by_label("Shards to compare")).to_be_focused()
    page.get_by_label("Shards to compare").fill("20")
    page.get_by_role("button", name="Simulate").click()
    expect(page.get_by_role("heading", name="With 20 shards")).to_be_visible()
    expect(page.get_by_text("Within the limits:")).to_have_count(1)
