"""What every test may ask for: the two engines, and the rules for tests that need something."""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from django.conf import settings
from playwright.sync_api import Playwright

from designer.core.design import gallery
from designer.garbage import search_seldom
from tests.chromium import launch_arguments
from tests.dynamodb_local import running

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = Path(__file__).parent / "golden"
FOLDERS = {"browser": Path(__file__).parent / "browser", "proof": Path(__file__).parent / "proof"}
"""Folders whose tests all have a marker of that name."""
INNER = {"shop", "sensor-readings", "social-network"}
"""Of tests for every design of the gallery, those for these stay in the inner loop; for all others they are slow."""
PAGES = frozenset(
    {
        "test_alternatives.py",
        "test_assumed_in_forms.py",
        "test_attributes.py",
        "test_comparison.py",
        "test_cost.py",
        "test_decisions.py",
        "test_diagram.py",
        "test_difference.py",
        "test_entities.py",
        "test_example_rows.py",
        "test_exports.py",
        "test_figures.py",
        "test_figures_agree.py",
        "test_findings.py",
        "test_forms.py",
        "test_guidance.py",
        "test_heat.py",
        "test_landing.py",
        "test_look.py",
        "test_migration.py",
        "test_outline.py",
        "test_palette.py",
        "test_patterns.py",
        "test_pdf.py",
        "test_pins.py",
        "test_plan_tabs.py",
        "test_prose.py",
        "test_readers.py",
        "test_recorded_names.py",
        "test_relationships.py",
        "test_settings.py",
        "test_spread.py",
        "test_text.py",
        "test_tolerance.py",
        "test_two_windows.py",
        "test_undoing.py",
        "test_why.py",
        "test_workload.py",
    }
)
"""Files of tests/web about what pages show and forms take, and what follows from one edit after another: they keep a
design as all others do, so that they need not run on PostgreSQL as well. Editors at once do, in `test_editors.py`."""
APART = frozenset({"test_backups.py", "test_pool.py", "test_private.py"})
"""Files of tests/web that ask no database, or an SQLite of their own: they do the same wherever others keep theirs."""
SLOW = Path(__file__).parent / "slow.txt"
"""What `make slow` found to take long, a test or a whole file in each line: all of it is marked slow."""
LONG = 1.0
"""Seconds that all cases of a test may take together in the inner loop."""
LONG_FILE = 3.0
"""Seconds that all tests of a file may take together; a file that takes longer is slow as a whole."""
took: Counter[str] = Counter()
"""Seconds of each test in this run, of all its cases together."""


def is_missing(what: str) -> NoReturn:
    """Skip a test that can't run here; `make test`, which installs everything, fails instead."""
    if os.environ.get("KEYWRIGHT_REQUIRE_ENGINES") == "1":
        pytest.fail(what)
    pytest.skip(what)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write what tests compare in tests/golden/"
    )
    parser.addoption(
        "--update-slow", action="store_true", help=f"write {SLOW.name} from how long tests take"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    slow = set() if config.getoption("--update-slow") else set(SLOW.read_text("utf-8").split())
    on_postgres = settings.DATABASES["default"]["ENGINE"].endswith("postgresql")
    for item in items:
        for marker, folder in FOLDERS.items():
            if folder in item.path.parents:
                item.add_marker(marker)
        slug = item.callspec.params.get("slug") if hasattr(item, "callspec") else None
        if (slug in gallery.SLUGS and slug not in INNER) or {
            _name(item.nodeid),
            _file(item.nodeid),
        } & slow:
            item.add_marker("slow")
        if item.path.parent.name == "web" and item.path.name in PAGES | APART:
            item.add_marker("pages")
        if item.get_closest_marker("postgres") and not on_postgres:
            item.add_marker(pytest.mark.skip(reason="DATABASE_URL names no PostgreSQL"))


def pytest_collection_finish() -> None:
    """As the site's processes do; thousands of collected tests would be searched over and over, too."""
    search_seldom()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when != "setup":  # The first of a worker makes the database for all others.
        took[_name(report.nodeid)] += report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    is_worker = hasattr(session.config, "workerinput")
    if session.config.getoption("--update-slow") and not is_worker:
        SLOW.write_text("".join(f"{name}\n" for name in sorted(_long())), "utf-8")


def _long() -> Iterator[str]:
    """The files that take long, and the tests that do in all others."""
    of_files: Counter[str] = Counter()
    for name, seconds in took.items():
        of_files[_file(name)] += seconds
    yield from (file for file, seconds in of_files.items() if seconds >= LONG_FILE)
    for name, seconds in took.items():
        if seconds >= LONG and of_files[_file(name)] < LONG_FILE:
            yield name


def _name(nodeid: str) -> str:
    """A test's name without the case."""
    return nodeid.partition("[")[0]


def _file(nodeid: str) -> str:
    """The path of a test's file, below the root."""
    return nodeid.partition("::")[0]


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with the file of this name in tests/golden/."""

    def same(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
        if not path.exists():
            pytest.fail(f"no {name}; run pytest --update-golden and read what it wrote")
        assert text == path.read_bytes().decode()

    return same


@pytest.fixture(scope="session")
def dynamodb_local() -> Iterator[str]:
    """The address of a DynamoDB Local of this worker's own."""
    try:
        with running() as address:
            yield address
    except LookupError as error:
        is_missing(str(error))


@pytest.fixture(scope="session")
def moto_server() -> Iterator[str]:
    """The address of a moto server of this worker's own."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture(scope="session")
def browser_type_launch_args(
    playwright: Playwright, browser_type_launch_args: dict[str, Any]
) -> dict[str, Any]:
    try:
        return {**browser_type_launch_args, **launch_arguments(playwright)}
    except LookupError as error:
        is_missing(str(error))
