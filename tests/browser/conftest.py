"""A browser on the live site. Whatever it says on its console is an error of ours."""

import os
import re
from collections.abc import Iterator
from typing import Any, cast

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright.pytest_playwright import CreateContextCallback

from tests.planner import Going

# Playwright runs an event loop in this thread, and the tests ask the database from it.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

PATIENCE = 20_000
"""Milliseconds that a page may take where much else is done at once. How fast a machine is must decide no test."""
expect.set_options(timeout=PATIENCE)


@pytest.fixture
def new_context(new_context: CreateContextCallback) -> Iterator[CreateContextCallback]:
    """Browsers of several people: what any of them says on its console fails the test."""
    said: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        # A refused form answers 4xx, and the browser notes it; the page says it better.
        if message.type == "error" and not re.search(
            "status of 4|Status Error Code 4(09|29)", message.text
        ):
            said.append(message.text)

    def made(**options: Any) -> BrowserContext:
        context = new_context(**options)
        context.set_default_timeout(PATIENCE)
        context.on("console", hear)
        context.on("weberror", lambda error: said.append(str(error.error)))
        return context

    yield cast(CreateContextCallback, made)
    assert said == []


@pytest.fixture
def context(new_context: CreateContextCallback, live_server: LiveServer) -> BrowserContext:
    return new_context(base_url=live_server.url)


@pytest.fixture
def landing(page: Page) -> Page:
    page.goto("/")
    return page


@pytest.fixture
def at_work(live_server: LiveServer) -> Iterator[None]:
    """A worker does what takes longer than a page waits."""
    going = Going()
    going.start()
    yield
    going.stop()
