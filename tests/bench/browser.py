"""How soon a page answers a hand, in Chromium: the palette, the first result of one's own, the diagram."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import cos, sin
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page

from tools.site import chromium, site

Seen = tuple[str, list[float]]
"""What was looked at, and milliseconds."""

SQL = """CREATE TABLE guests (id uuid PRIMARY KEY, email varchar(60) UNIQUE NOT NULL, name varchar(80));
CREATE TABLE rooms (id int PRIMARY KEY, price numeric(8,2), state text CHECK (state IN ('FREE', 'TAKEN')));
CREATE TABLE bookings (id uuid PRIMARY KEY, guest_id uuid REFERENCES guests, room_id int REFERENCES rooms,
  created_at timestamptz);
"""
ENTITIES = 100
TIMES = 15
"""How often the palette is opened."""
STEPS = 90
"""Moves of the mouse, or turns of its wheel."""
HANDS = 3
"""How often each gesture is made."""
REST = 1500
"""Milliseconds after which a page is at rest."""
TOLD = 80
"""Milliseconds after which what a gesture began is done."""
SOUGHT = "sought"
"""The part of a gesture that is none: where it is to begin is found."""
PASSWORD = "blue kettle sings"

# From a key to what follows the frame that it leads to: its style, layout and paint are done by then.
WATCH_KEYS = """() => {
  window.opened = [];
  addEventListener("keydown", (event) => {
    if (event.key !== "k") return;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        const shown = document.querySelector("#palette:popover-open [role=option]:not([hidden])");
        if (shown) opened.push(performance.now() - event.timeStamp);
      };
      port2.postMessage(0);
    });
  }, true);
}"""
WATCH_FRAMES = """() => {
  window.frames = [];
  let before = performance.now();
  const next = (now) => {
    frames.push(now - before);
    before = now;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}"""
# A turn in each frame: the mouse of a driven browser turns its wheel less often, and the picture is drawn anew between.
TURN = """async (turns) => {
  const sheet = document.getElementById("diagram-sheet");
  const { left, top, width, height } = sheet.getBoundingClientRect();
  const place = { clientX: left + width / 2, clientY: top + height / 2, ctrlKey: true };
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise((done) => requestAnimationFrame(done));
    const deltaY = Math.floor(turn / 30) % 2 ? 12 : -12;
    sheet.dispatchEvent(new WheelEvent("wheel", { ...place, bubbles: true, cancelable: true, deltaY }));
  }
}"""
TRACED = "toplevel,disabled-by-default-devtools.timeline"


def seen_palette() -> Iterator[Seen]:
    """Ctrl+K until the list is painted, in the shop and in a design of 100 entities; the aim is 100 ms."""
    with _browser() as (address, browser):
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        for name, url in (("shop", f"{address}/d/shop/"), ("100 entities", _large(page, address))):
            page.goto(url)
            page.wait_for_timeout(REST)
            page.evaluate(WATCH_KEYS)
            for _ in range(TIMES):
                page.keyboard.press("Control+k")
                page.wait_for_timeout(300)
                page.keyboard.press("Escape")
                page.wait_for_timeout(100)
            opened = page.evaluate("opened")
            assert len(opened) == TIMES
            yield f"palette, {name}, first", opened[:1]
            yield f"palette, {name}", opened[1:]


def seen_first_result() -> Iterator[Seen]:
    """From / to the grid of a pasted SQL schema, without the time that a person takes; the aim is 60 s with it."""
    with _browser() as (address, browser):
        took: dict[str, list[float]] = {}
        for _ in range(3):
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            page = context.new_page()
            start = last = time.perf_counter()
            for step in _until_planned(page, address):
                now = time.perf_counter()
                took.setdefault(f"first result, {step}", []).append((now - last) * 1000)
                last = now
            took.setdefault("first result, all", []).append((last - start) * 1000)
            context.close()
        yield from took.items()


def _until_planned(page: Page, address: str) -> Iterator[str]:
    page.goto(address)
    yield "first page"
    page.get_by_label("Or paste the text").fill(SQL)
    page.get_by_role("button", name="Read the schema").click()
    page.get_by_role("button", name="Create the design").first.wait_for()
    yield "schema read"
    page.get_by_role("button", name="Create the design").first.click()
    page.locator(".grid td").first.wait_for()
    yield "grid"


def seen_diagram() -> Iterator[Seen]:
    """Frames of gestures on 100 entities, and processor time of the longest task; the aim is 17 ms."""
    with _browser() as (address, browser):
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(f"{_large(page, address)}?show=diagram")
        page.locator(".er-entity").nth(ENTITIES - 1).wait_for()
        page.evaluate(WATCH_FRAMES)
        for size in ("fitted", "legible"):
            for name, gesture in (("pan", _pan), ("zoom", _zoom), ("box", _drag)):
                page.locator("[data-diagram='fit']").click()
                while size == "legible" and page.evaluate("Keywright.diagramView.scale") < 0.75:
                    page.locator("[data-diagram='in']").click()
                page.wait_for_timeout(REST)
                yield from _made(page, f"{name}, {size}", gesture)


def _made(page: Page, name: str, gesture: Callable[[Page], Iterator[str]]) -> Iterator[Seen]:
    """A gesture, several times: for each of its parts the frames of all times, and the longest task of each."""
    frames: dict[str, list[float]] = {}
    longest: dict[str, list[float]] = {}
    for _ in range(HANDS):
        session = page.context.new_cdp_session(page)
        parts = gesture(page)
        going = True
        while going:
            page.evaluate("() => { frames.length = 0; }")
            tasks = _Tasks(page, session)
            part = next(parts, "")
            going = bool(part)
            page.wait_for_timeout(TOLD)
            found = tasks.milliseconds()
            if part not in ("", SOUGHT):
                what = f"{name}: {part}"
                frames.setdefault(what, []).extend(page.evaluate("frames.splice(0)"))
                longest.setdefault(what, []).append(max(found, default=0.0))
        session.detach()
        page.wait_for_timeout(REST)
    for what, times in frames.items():
        yield f"{what}, frames", times
        yield f"{what}, longest task", longest[what]


class _Tasks:
    """Processor time of the tasks of a page's main thread: on a busy machine it says more than the clock."""

    def __init__(self, page: Page, session: CDPSession) -> None:
        self._page, self._session = page, session
        self._events: list[dict[str, Any]] = []
        self._is_over = False
        session.on("Tracing.dataCollected", lambda told: self._events.extend(told["value"]))
        session.on("Tracing.tracingComplete", lambda _: setattr(self, "_is_over", True))
        session.send("Tracing.start", {"categories": TRACED, "transferMode": "ReportEvents"})

    def milliseconds(self) -> list[float]:
        self._session.send("Tracing.end")
        while not self._is_over:
            self._page.wait_for_timeout(20)
        main = {
            (event["pid"], event["tid"])
            for event in self._events
            if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
        }
        return [
            event["tdur"] / 1000
            for event in self._events
            if event["name"].endswith("RunTask")
            and (event["pid"], event["tid"]) in main
            and "tdur" in event
        ]


def _pan(page: Page) -> Iterator[str]:
    x, y = _ground(page)
    yield SOUGHT
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 8, y)
    yield "held"
    for step in range(STEPS):
        page.mouse.move(x + 100 * sin(step / 8), y + 60 * cos(step / 8))
    yield "moved"
    page.mouse.up()
    yield "dropped"


def _zoom(page: Page) -> Iterator[str]:
    page.evaluate(TURN, STEPS)
    yield "turned"
    page.wait_for_timeout(200)
    yield "still"


def _drag(page: Page) -> Iterator[str]:
    x, y = _box(page)
    page.wait_for_timeout(200)
    yield SOUGHT
    page.mouse.move(x, y)
    page.wait_for_timeout(200)
    yield "pointed at"
    page.mouse.down()
    page.mouse.move(x + 8, y)
    yield "held"
    for step in range(STEPS):
        page.mouse.move(x + 60 * sin(step / 8), y + 60 - 60 * cos(step / 8))
    yield "moved"
    page.mouse.up()
    page.wait_for_timeout(REST)
    yield "dropped"


def _ground(page: Page) -> tuple[float, float]:
    """A point of the sheet without anything on it, near its middle."""
    found = page.evaluate(
        """() => {
          const { left, top, width, height } = document.getElementById("diagram-sheet").getBoundingClientRect();
          for (let far = 0; far < Math.min(width, height) / 2; far += 3) for (let turn = 0; turn < 7; turn += 0.5) {
            const point = [left + width / 2 + far * Math.cos(turn), top + height / 2 + far * Math.sin(turn)];
            const hit = document.elementFromPoint(...point);
            if (hit?.closest("#diagram-sheet") && !hit.closest(".er-entity, .er-edge")) return point;
          }
        }"""
    )
    return found[0], found[1]


def _box(page: Page) -> tuple[float, float]:
    """The middle of a box, which is scrolled to the middle of the sheet."""
    found = page.evaluate(
        """() => {
          const box = document.querySelectorAll(".er-entity[data-move] .er-box")[50];
          box.scrollIntoView({ block: "center", inline: "center" });
          const { left, top, width, height } = box.getBoundingClientRect();
          return [left + width / 2, top + height / 2];
        }"""
    )
    return found[0], found[1]


@contextmanager
def _browser() -> Iterator[tuple[str, Browser]]:
    with site() as address, chromium() as browser:
        yield address, browser


def _large(page: Page, address: str) -> str:
    """The address of a design of many entities, which somebody typed as a model."""
    page.goto(f"{address}/sign-up/")
    page.get_by_label("Name").fill("ana")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat the password").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    page.locator("form", has_text="From scratch").get_by_label("Name").fill("Hundred")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Enter the whole model as text").click()
    lines = [
        f"Thing{at}: thing{at}Id uuid, name, state NEW|OLD, createdAt" for at in range(ENTITIES)
    ]
    lines += [f"Thing{at // 2} 1-N Thing{at}" for at in range(1, ENTITIES)]
    page.get_by_label("Entities and relationships").fill("\n".join(lines))
    page.get_by_role("button", name="Add all").last.click()
    page.locator("#entities li").nth(ENTITIES - 1).wait_for(timeout=60_000)
    return page.url.split("?")[0].removesuffix("outline/")
