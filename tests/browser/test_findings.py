"""A finding mended with one click, where it stands."""

from playwright.sync_api import Page, expect


def test_a_finding_is_mended_where_it_stands_and_undone(page: Page) -> None:
    page.goto("/d/event-log/")
    line = page.locator("#findings .finding").filter(
        has_text="Pattern 1 may return expired Event items"
    )
    page.locator("#findings-of-P107 summary").click()
    line.get_by_role("button", name="Return only items").click()
    changed = page.locator("#statement .changed")
    expect(changed).to_contain_text("pattern 1, Returned only if")
    expect(changed.locator("ins")).to_contain_text("after: {param: now}")
    expect(line).to_have_count(0)
    page.locator("#statement").get_by_role("button", name="Undo").click()
    expect(line).to_have_count(1)


def test_what_a_fix_changes_is_seen_before_with_its_plan(page: Page) -> None:
    page.goto("/d/event-log/patterns/p-1/")
    here = page.locator("#findings-here .finding")
    expect(here).to_contain_text("may return expired Event items")
    here.get_by_role("link", name="What changes?").click()
    expect(page.locator("#preview-note")).to_contain_text("Not changed yet")
    page.get_by_role("button", name="Change it").click()
    expect(page.locator("#statement")).to_contain_text("Changed")
    expect(page.locator("#findings")).not_to_contain_text(
        "Pattern 1 may return expired Event items"
    )
