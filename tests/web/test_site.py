"""What every answer of the site carries, and how its database is opened."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core import checks as django_checks
from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory

from designer import checks
from designer.middleware import security_headers

ROOT = Path(__file__).resolve().parents[2]


def directives(policy: str) -> dict[str, list[str]]:
    return {name: sources for name, *sources in (part.split() for part in policy.split(";"))}


@pytest.mark.django_db
def test_every_page_forbids_inline_and_foreign_code(client: Client) -> None:
    policy = directives(client.get("/no-such-page/").headers["Content-Security-Policy"])
    assert policy["default-src"] == ["'none'"]
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == ["'self'"]
    assert policy["frame-ancestors"] == policy["base-uri"] == ["'none'"]


@pytest.mark.django_db
def test_every_page_carries_the_lesser_headers(client: Client) -> None:
    headers = client.get("/no-such-page/").headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Frame-Options"] == "DENY"


def test_a_fragment_is_not_cached_as_its_page() -> None:
    page = security_headers(lambda request: HttpResponse("<p>"))(RequestFactory().get("/"))
    file = security_headers(lambda request: HttpResponse("", content_type="text/csv"))
    assert page.headers["Vary"] == "HX-Request"
    assert "Vary" not in file(RequestFactory().get("/")).headers


def test_a_page_stays_out_of_shared_caches_and_a_static_file_may_lie_there() -> None:
    page = security_headers(lambda request: HttpResponse("<p>"))(RequestFactory().get("/"))
    assert page.headers["Cache-Control"] == "private, no-cache"
    own = HttpResponse("", headers={"Cache-Control": "public, max-age=60"})
    answer = security_headers(lambda request: own)(RequestFactory().get("/"))
    assert answer.headers["Cache-Control"] == "public, max-age=60"


HEADS = ("/", "/gallery/", "/gallery/shop/", "/d/shop/", "/d/shop/patterns/p-2/", "/d/shop/text/",
         "/d/shop/text/design.yaml", "/d/shop/exports/", "/d/shop/history/", "/sign-in/", "/designs/")  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize("url", HEADS)
def test_a_page_may_be_asked_for_its_headers_alone(url: str, client: Client) -> None:
    head, page = client.head(url), client.get(url)
    assert head.status_code == page.status_code < 400
    assert head.headers["Content-Type"] == page.headers["Content-Type"]
    assert head.content == b""


def test_a_view_may_send_a_policy_of_its_own() -> None:
    own = HttpResponse(headers={"Content-Security-Policy": "sandbox"})
    answer = security_headers(lambda request: own)(RequestFactory().get("/"))
    assert answer.headers["Content-Security-Policy"] == "sandbox"


@pytest.mark.django_db
def test_sqlite_is_opened_in_write_ahead_mode() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("another database")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA journal_mode")
        assert cursor.fetchone() == ("wal",)
        cursor.execute("PRAGMA synchronous")
        assert cursor.fetchone() == (1,)


@pytest.mark.postgres
@pytest.mark.django_db
def test_postgresql_is_what_the_tests_run_on() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT version()")
        assert re.match(r"PostgreSQL \d+", cursor.fetchone()[0])


def settings_with(data_dir: Path, expression: str, **variables: str) -> str:
    """An expression over the settings that a new process reads with these variables set."""
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    ran = subprocess.run(
        [sys.executable, "-c", f"from designer import settings as s; print(({expression}))"],
        cwd=ROOT,
        env={**environment, "KEYWRIGHT_DATA_DIR": str(data_dir), **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.stdout.strip() or ran.stderr.strip()


def test_the_secret_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    first, again = (settings_with(tmp_path, "s.SECRET_KEY") for _ in range(2))
    assert first == again
    assert len(first) >= 50
    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret-key"]


def test_a_given_secret_is_not_written_down(tmp_path: Path) -> None:
    assert settings_with(tmp_path, "s.SECRET_KEY", KEYWRIGHT_SECRET_KEY="given") == "given"
    assert list(tmp_path.iterdir()) == []


def test_defaults_are_safe(tmp_path: Path) -> None:
    assert settings_with(tmp_path, "s.DEBUG, s.ALLOWED_HOSTS") == (
        "(False, ['localhost', '127.0.0.1', '[::1]'])"
    )


@pytest.mark.parametrize(
    ("url", "key", "value"),
    [
        ("postgres://ana:p%40ss@db:5433/kw", "PASSWORD", "p@ss"),
        ("postgres://ana:p%40ss@db:5433/kw", "PORT", "5433"),
        (
            "postgresql://ana@db/kw?sslmode=require",
            "OPTIONS",
            "{'connect_timeout': '5', 'sslmode': 'require'}",
        ),
        ("postgres://db/kw?connect_timeout=2", "OPTIONS", "{'connect_timeout': '2'}"),
        ("postgres://db/kw", "DISABLE_SERVER_SIDE_CURSORS", "True"),
        ("sqlite:////data/kw.sqlite3", "NAME", "/data/kw.sqlite3"),
    ],
)
def test_the_database_is_the_one_named(tmp_path: Path, url: str, key: str, value: str) -> None:
    found = settings_with(tmp_path, f"s.DATABASES['default'][{key!r}]", DATABASE_URL=url)
    assert found == value


def test_an_unknown_kind_of_database_is_refused(tmp_path: Path) -> None:
    said = settings_with(tmp_path, "s.DATABASES", DATABASE_URL="mysql://db/kw")
    assert "DATABASE_URL starts with 'mysql'; write sqlite:///PATH or postgres://" in said


def test_a_flag_that_is_neither_yes_nor_no_is_refused(tmp_path: Path) -> None:
    assert "KEYWRIGHT_DEBUG is 'maybe'; write 1 or 0." in settings_with(
        tmp_path, "s.DEBUG", KEYWRIGHT_DEBUG="maybe"
    )


@pytest.mark.parametrize(
    ("url", "secret", "count"),
    [("postgres://db/kw", "", 1), ("postgres://db/kw", "given", 0), ("sqlite:///x", "", 0)],
)
def test_hosts_that_share_a_database_are_told_to_share_the_secret(
    url: str, secret: str, count: int, tmp_path: Path
) -> None:
    found = settings_with(
        tmp_path,
        "__import__('django').setup(), "
        "[each.id for each in __import__('designer.checks').checks.shared_secret()]",
        DATABASE_URL=url,
        KEYWRIGHT_SECRET_KEY=secret,
        DJANGO_SETTINGS_MODULE="designer.settings",
    )
    assert found == f"(None, {['keywright.W001'] * count})"


@pytest.mark.parametrize(
    ("https", "url", "count"), [(True, "", 1), (True, "https://kw.example", 0), (False, "", 0)]
)
def test_a_public_site_is_told_to_say_where_it_is(
    https: bool, url: str, count: int, settings: Any
) -> None:
    settings.HTTPS, settings.SITE_URL = https, url
    assert [each.id for each in checks.known_address()] == ["keywright.W002"] * count
    registered = django_checks.registry.registry.get_checks(include_deployment_checks=True)
    assert checks.known_address in registered


@pytest.mark.slow
@pytest.mark.pages  # in a process that opens no database
def test_static_files_name_only_files_that_are_there(tmp_path: Path) -> None:
    """Collecting follows every url() of every stylesheet, as a container's build does."""
    collected = tmp_path / "collected"
    ran = subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"],
        cwd=ROOT,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "designer.settings",
            "KEYWRIGHT_DATA_DIR": str(tmp_path / "data"),
            "KEYWRIGHT_STATIC_ROOT": str(collected),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (collected / "staticfiles.json").exists()
