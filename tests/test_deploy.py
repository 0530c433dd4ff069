"""The files that several machines run by: hardened, pinned, and agreeing with the settings."""

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest
import requests
import yaml
from django.conf import settings
from django.db import migrations
from django.db.models import NOT_PROVIDED
from requests.adapters import HTTPAdapter
from urllib3 import Retry

from designer.core import importers
from tests.conftest import is_missing
from tools import connections
from tools.serve import is_free

ROOT = Path(__file__).resolve().parent.parent
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
MB = 1024 * 1024
EXACT = re.compile(r"\d+\.\d+(\.\d+)?-[a-z-]+")


def test_there_is_a_service_for_the_site_and_each_queue() -> None:
    assert {*(f"worker-{queue}" for queue in settings.QUEUES), "web", "proxy"} <= set(SERVICES)
    assert SERVICES["web"]["deploy"]["replicas"] == 2


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_comes_back_may_do_little_and_takes_no_more_than_its_share(name: str) -> None:
    service = SERVICES[name]
    assert service["restart"] == ("no" if name == "migrate" else "unless-stopped")
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["mem_limit"]
    assert "healthcheck" in service or name == "web"  # whose image has one


@pytest.mark.parametrize("name", SERVICES)
def test_an_image_is_of_an_exact_version_and_does_not_run_as_root(name: str) -> None:
    service = SERVICES[name]
    if "build" in service:
        context = ROOT / service["build"]
        text = (context / "Dockerfile").read_text()
        (image,) = re.findall(r"^FROM (\S+)", text, re.MULTILINE)
        assert re.findall(r"^USER (\S+)", text, re.MULTILINE)[-1] != "root"
    else:
        image = service["image"]
        assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", service["user"])
    assert EXACT.fullmatch(image.partition(":")[2]), image


def test_only_the_proxy_can_be_reached_and_from_this_machine_alone() -> None:
    assert [name for name in SERVICES if "ports" in SERVICES[name]] == ["proxy"]
    assert all(":-127.0.0.1:" in port for port in SERVICES["proxy"]["ports"])


def read_by_the_site() -> set[str]:
    """The variables that its settings and its supervisor read."""
    found: set[str] = set()
    for path in (ROOT / "designer" / "settings.py", *(ROOT / "tools").glob("s*.py")):
        found |= set(re.findall(r'"(KEYWRIGHT_[A-Z_]+|DATABASE_URL)"', path.read_text()))
    return found


FIRST_VERSION = "0033_words_of_notices"
"""The last migration of the first version, which no other one runs beside."""
NOT_USED: frozenset[str] = frozenset()
"""Migrations that change or remove only what the version before does not use."""
ADDS = (
    migrations.AddIndex, migrations.CreateModel, migrations.RunPython, migrations.SeparateDatabaseAndState,
)  # fmt: skip


def breaks(name: str) -> list[str]:
    """What in a migration breaks the version before, whose processes still run when it was applied: they write no
    column that they do not know.
    """
    module = import_module(f"projects.migrations.{name}")
    found = []
    for each in module.Migration.operations:
        if isinstance(each, migrations.AddField):
            is_fine = each.field.null or each.field.db_default is not NOT_PROVIDED
        else:
            is_fine = isinstance(each, ADDS)
        if not is_fine:
            found.append(each.describe())
    return found


def test_a_version_runs_on_the_tables_of_the_next_one() -> None:
    names = sorted(each.stem for each in (ROOT / "projects" / "migrations").glob("0*.py"))
    later = [name for name in names if name > FIRST_VERSION and name not in NOT_USED]
    assert {name: breaks(name) for name in later if breaks(name)} == {}


def test_what_would_break_the_version_before_is_found() -> None:
    assert "Remove field owner from draft" in breaks("0004_teams")
    assert "Add field digest to revision" in breaks("0002_worked_out"), "it must have a value"
    assert breaks("0028_throttles") == []


INSIDE = {"KEYWRIGHT_SOCKET", "KEYWRIGHT_ADDRESS"}
"""What the supervisor tells gunicorn."""


def test_every_variable_is_documented() -> None:
    text = (ROOT / "docs" / "operations.md").read_text()
    assert sorted(name for name in read_by_the_site() - INSIDE if f"`{name}`" not in text) == []


def test_compose_passes_no_variable_that_the_site_does_not_read() -> None:
    given = {
        name
        for service in SERVICES.values()
        for name in service.get("environment", ())
        if name.startswith("KEYWRIGHT_")
    }
    assert given <= read_by_the_site()


FIXED = {
    # Set for what the containers are, or of the machine itself.
    "KEYWRIGHT_DATA_DIR", "KEYWRIGHT_METRICS_PORT", "KEYWRIGHT_STATIC_ROOT", "KEYWRIGHT_BEAT_FILE",
    "KEYWRIGHT_DEBUG",
}  # fmt: skip


def test_every_documented_setting_can_be_changed_in_the_file_beside_compose() -> None:
    text = (ROOT / "docs" / "operations.md").read_text()
    table = text.split("\n## Settings\n")[1].split("\n## ")[0]
    rows = (line.split("|")[1] for line in table.splitlines() if line.startswith("| `"))
    documented = {name for row in rows for name in re.findall(r"`(KEYWRIGHT_\w+)`", row)}
    assert len(documented) > 40
    passed = COMPOSE["x-site"]["environment"]
    wanted = documented - FIXED
    assert sorted(n for n in wanted if not str(passed.get(n)).startswith(f"${{{n}:")) == []
    of_the_site = [name for name in SERVICES if name in ("migrate", "web") or "worker" in name]
    assert all(wanted <= set(SERVICES[name]["environment"]) for name in of_the_site)


def test_a_setting_that_is_passed_empty_has_its_default() -> None:
    passed = COMPOSE["x-site"]["environment"]
    limits = [name for name, value in passed.items() if value == f"${{{name}:-}}"]
    program = (
        "import json; from designer import settings; "
        "print(json.dumps({k: v for k, v in vars(settings).items() if isinstance(v, int)}))"
    )
    found = []
    for given in ({}, dict.fromkeys(limits, "")):
        environment = {"PATH": os.environ["PATH"], "KEYWRIGHT_SECRET_KEY": "x" * 50, **given}
        command = [sys.executable, "-c", program]
        ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)
        found.append(ran.stdout)
    assert len(limits) > 20
    assert found[0] == found[1]


def test_the_proxy_takes_a_little_more_than_the_site() -> None:
    """So that it is the site that says what is too large, in words."""
    text = (ROOT / "deploy" / "nginx" / "base.conf").read_text()
    (size,) = re.findall(r"^client_max_body_size (\d+)m;", text, re.MULTILINE)
    assert settings.DATA_UPLOAD_MAX_MEMORY_SIZE < int(size) * MB < 10 * MB
    text = (ROOT / "deploy" / "nginx" / "site.conf").read_text()
    (schema,) = re.findall(r"client_max_body_size (\d+)m;", text)
    assert importers.MAX_BYTES + MB // 2 < int(schema) * MB < connections.BODY


def nginx() -> str:
    found = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin")
    return found or is_missing("nginx is not installed")


def settings_in(folder: Path, **instead: str) -> None:
    """The proxy's settings in a folder that holds all it writes and reads, with other texts in place of some."""
    for source in (ROOT / "deploy" / "nginx").iterdir():
        text = source.read_text().replace("/tmp/", f"{folder}/")
        text = text.replace("/certificates/", f"{folder}/")
        for what, by in instead.items():
            text = text.replace(PLACES[what], by)
        (folder / source.name).write_text(text)


PLACES = {
    "port": "listen 8080;",
    "web": "http://web:8000",
    "rate": "rate=30r/s",
    "burst": "burst=200",
}


@pytest.mark.parametrize("https", ["0", "1"])
def test_the_proxy_can_read_its_settings(https: str, tmp_path: Path) -> None:
    settings_in(tmp_path)
    make = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=keywright.test"
    files = ["-keyout", f"{tmp_path}/privkey.pem", "-out", f"{tmp_path}/fullchain.pem"]
    subprocess.run(["openssl", *make.split(), *files], check=True, capture_output=True)
    command = [nginx(), "-t", "-c", f"{tmp_path}/https-{https}.conf"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


class Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *said: object) -> None:
        pass


@contextmanager
def proxied(folder: Path, **instead: str) -> Iterator[tuple[requests.Session, str]]:
    """A client of the proxy, and its address."""
    port = next(filter(is_free, random.sample(range(20_000, 30_000), 50)))
    settings_in(folder, port=f"listen 127.0.0.1:{port};", **instead)
    command = [nginx(), "-c", f"{folder}/https-0.conf", "-g", "daemon off;"]
    until_it_is_there = Retry(connect=8, backoff_factor=0.1, respect_retry_after_header=False)
    with subprocess.Popen(command) as proxy, requests.Session() as session:
        session.mount("http://", HTTPAdapter(max_retries=until_it_is_there))
        try:
            yield session, f"http://127.0.0.1:{port}/"
        finally:
            proxy.terminate()


def test_the_proxy_refuses_a_flood_in_words(tmp_path: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as web:
        Thread(target=web.serve_forever, daemon=True).start()
        there = f"http://127.0.0.1:{web.server_port}"
        with proxied(tmp_path, web=there, rate="rate=1r/m", burst="burst=20") as (session, url):
            answers = [session.get(url, timeout=10) for _ in range(30)]
        web.shutdown()
    assert [each.status_code for each in answers] == [200] * 21 + [429] * 9
    refused = answers[21:]
    assert refused[0].headers["Retry-After"] == "5"
    assert refused[0].text.startswith("Too many requests from your network.")


def test_the_proxy_says_in_words_what_is_too_large(tmp_path: Path) -> None:
    with proxied(tmp_path) as (session, url):
        answer = session.post(f"{url}designs/upload/", data=b"x" * (8 * MB), timeout=20)
    assert answer.status_code == 413
    assert "A design may have up to 1 MB of text" in answer.text


class Ends(Answers):
    """A host that ends in the middle of each request."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.command)
        self.connection.close()

    def do_POST(self) -> None:
        self.do_GET()


def test_the_proxy_says_in_words_that_nobody_answers_and_sends_nothing_twice(
    tmp_path: Path,
) -> None:
    Ends.asked.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Ends) as web:
        web.handle_error = lambda *_: None  # type: ignore[method-assign]
        Thread(target=web.serve_forever, daemon=True).start()
        with proxied(tmp_path, web=f"http://127.0.0.1:{web.server_port}") as (session, url):
            answer = session.post(url, data=b"x", timeout=20)
        web.shutdown()
    assert Ends.asked == ["POST"]
    # By this status a page that is open knows that it may send a save again.
    assert answer.status_code == 502
    assert answer.text.startswith("The site does not answer just now. Go back: what you typed")
    assert answer.headers["Cache-Control"] == "no-store"
