"""What axe finds on a page."""

from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

AT_REST = """() =>
  !document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling, [aria-busy="true"]')
  && document.getAnimations().every(
    (animation) => animation.effect.getComputedTiming().endTime === Infinity)
"""
"""True in a page that waits for nothing and in which nothing moves that comes to an end."""


def assert_accessible(page: Page, but: str | None = None) -> None:
    """Hold a page, once it has loaded, against axe's rules. `but`: the selector of what other pages show as well."""
    page.wait_for_load_state()
    # A link that was just clicked may still be on its way: the old page is then no page any more.
    page.wait_for_function("document.documentElement && document.readyState === 'complete'")
    found = _at_rest(page, but)
    if found.violations_count:
        found = _at_rest(page, but)  # A preview may have begun while axe looked.
    assert found.violations_count == 0, found.generate_report()


def _at_rest(page: Page, but: str | None) -> AxeResults:
    # What is dimmed while it is fetched, or still fading in, has a contrast of its own for that moment.
    page.wait_for_function(AT_REST)
    return Axe().run(page, {"exclude": [[but]]} if but else None)
