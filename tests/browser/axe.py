"""What axe finds on a page."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def assert_accessible(page: Page) -> None:
    """Hold a page, once it has loaded, against axe's rules."""
    page.wait_for_load_state()
    # A link that was just clicked may still be on its way: the old page is then no page any more.
    page.wait_for_function("document.documentElement && document.readyState === 'complete'")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
