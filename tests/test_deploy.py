"""The files that several machines run by: hardened, pinned, and agreeing with the settings."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings

from tests.conftest import is_missing

ROOT = Path(__file__).resolve().parent.parent
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
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


def test_the_proxy_takes_a_little_more_than_the_site() -> None:
    """So that it is the site that says what is too large, in words."""
    text = (ROOT / "deploy" / "nginx" / "base.conf").read_text()
    (size,) = re.findall(r"^client_max_body_size (\d+)m;", text, re.MULTILINE)
    assert settings.DATA_UPLOAD_MAX_MEMORY_SIZE < int(size) * 1024 * 1024 < 10 * 1024 * 1024


@pytest.mark.parametrize("https", ["0", "1"])
def test_the_proxy_can_read_its_settings(https: str, tmp_path: Path) -> None:
    nginx = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin")
    if nginx is None:
        is_missing("nginx is not installed")
    for source in (ROOT / "deploy" / "nginx").iterdir():
        text = source.read_text().replace("/tmp/", f"{tmp_path}/")
        text = text.replace("/certificates/", f"{tmp_path}/")
        (tmp_path / source.name).write_text(text)
    make = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=keywright.test"
    files = ["-keyout", f"{tmp_path}/privkey.pem", "-out", f"{tmp_path}/fullchain.pem"]
    subprocess.run(["openssl", *make.split(), *files], check=True, capture_output=True)
    command = [nginx, "-t", "-c", f"{tmp_path}/https-{https}.conf"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
