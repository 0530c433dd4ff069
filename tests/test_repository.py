"""The repository's own promises: locked requirements, whole vendored files, a core on its own."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import boto3
import pytest

from tools import vendor

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = sorted((ROOT / "requirements").glob("*.txt"))


def requirements_of(text: str) -> list[str]:
    """The requirements of a requirements file, each with its continuation lines joined."""
    lines = text.replace("\\\n", " ").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


@pytest.mark.parametrize("path", REQUIREMENTS, ids=lambda path: path.name)
def test_every_requirement_is_pinned_and_hashed(path: Path) -> None:
    requirements = requirements_of(path.read_text())
    assert requirements
    pinned = re.compile(r"[a-z0-9.-]+(\[[a-z0-9,-]+\])?==\S+ .*--hash=sha256:[0-9a-f]{64}")
    assert [line for line in requirements if not pinned.match(line)] == []


@pytest.mark.parametrize(
    "path", [*REQUIREMENTS, *REQUIREMENTS[0].parent.glob("*.in")], ids=lambda path: path.name
)
def test_requirements_name_no_index(path: Path) -> None:
    text = path.read_text()
    assert "://" not in text
    assert not re.search(r"^\s*(-i|-f|--(extra-)?index-url|--find-links)\b", text, re.MULTILINE)


def test_what_is_in_both_requirements_has_one_version() -> None:
    def versions(name: str) -> set[str]:
        text = (ROOT / "requirements" / name).read_text()
        return set(re.findall(r"^\S+==\S+", text, re.MULTILINE))

    base, dev = versions("base.txt"), versions("dev.txt")
    names = {line.partition("==")[0] for line in base} & {line.partition("==")[0] for line in dev}
    assert names
    assert {line for line in base ^ dev if line.partition("==")[0] in names} == set()


def test_vendored_files_are_those_of_the_lock() -> None:
    assert list(vendor.problems()) == []


def test_a_changed_and_a_missing_vendored_file_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = vendor.folder_of(vendor.packages()[0])
    monkeypatch.setattr(vendor, "ROOT", tmp_path)
    monkeypatch.setattr(vendor, "VENDOR", tmp_path)
    copy = vendor.folder_of(vendor.packages()[0])
    shutil.copytree(whole, copy)
    (copy / "LICENSE").write_bytes((whole / "LICENSE").read_bytes() + b"!")
    (copy / "htmx.min.js").unlink()
    (copy / "stray.js").touch()
    said = "\n".join(vendor.problems())
    folder = copy.relative_to(tmp_path)
    assert f"{folder}/LICENSE is not the file that vendor.lock describes" in said
    assert f"{folder}/htmx.min.js is named in vendor.lock and missing" in said
    assert f"{folder}/stray.js is not named in vendor.lock" in said


def printed_by(program: str) -> tuple[int, str, str]:
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return ran.returncode, ran.stdout, ran.stderr


def test_the_list_of_slow_tests_is_short_and_names_what_is_there() -> None:
    names = (ROOT / "tests" / "slow.txt").read_text("utf-8").split()
    assert names == sorted(set(names)) and len(names) <= 100
    files = {name for name in names if "::" not in name}
    assert [name for name in files if not (ROOT / name).is_file()] == []
    tests = [name.split("::") for name in names if "::" in name]
    assert [path for path, _ in tests if path in files] == []
    assert [
        name for path, name in tests if f"def {name}(" not in (ROOT / path).read_text("utf-8")
    ] == []


def test_the_core_wakes_neither_django_nor_an_engine() -> None:
    program = """if True:
        import importlib, pkgutil, sys
        import designer.core
        for module in pkgutil.walk_packages(designer.core.__path__, "designer.core."):
            importlib.import_module(module.name)
        print(sorted({"django", "boto3", "botocore", "moto"} & sys.modules.keys()))
    """
    assert printed_by(program) == (0, "[]\n", "")


def test_the_list_of_exports_does_not_wake_the_pdf_renderer() -> None:
    program = """if True:
        import sys
        from designer.core.exporters import EXPORTERS
        print("pdf" in EXPORTERS, "weasyprint" in sys.modules)
    """
    assert printed_by(program) == (0, "True False\n", "")


@pytest.mark.parametrize(
    "engine", ["moto_server", pytest.param("dynamodb_local", marks=pytest.mark.engine_local)]
)
def test_each_engine_answers(engine: str, request: pytest.FixtureRequest) -> None:
    client = boto3.client(
        "dynamodb",
        endpoint_url=request.getfixturevalue(engine),
        region_name="us-east-1",
        aws_access_key_id="nobody",
        aws_secret_access_key="nothing",
    )
    try:
        assert "TableNames" in client.list_tables()
    finally:
        client.close()
