"""Fetch the browser-side files that are not ours into static/vendor, or check that they are whole.

    python tools/vendor.py            fetch with npm what vendor.lock names, and write it
    python tools/vendor.py --check    compare the committed files with vendor.lock, without network

To take a newer version, change it in vendor.lock and run the first: a file whose hash differs is
refused and its new hash is printed, to be looked at and copied in.
"""

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "vendor.lock"
VENDOR = ROOT / "static" / "vendor"


def packages() -> list[dict[str, Any]]:
    packages: list[dict[str, Any]] = tomllib.loads(LOCK.read_text(encoding="utf-8"))["package"]
    return packages


def folder_of(package: dict[str, Any]) -> Path:
    """`@fontsource/ibm-plex-sans` 5.3.0 lies in static/vendor/ibm-plex-sans/5.3.0."""
    name, version = str(package["npm"]).rpartition("/")[2], str(package["version"])
    return VENDOR / name / version


def problems() -> Iterator[str]:
    """What differs between vendor.lock and the committed files, a sentence each."""
    expected = {
        folder_of(package) / Path(name).name: sha256
        for package in packages()
        for name, sha256 in package["files"].items()
    }
    present = {path for path in VENDOR.rglob("*") if path.is_file()}
    for path in sorted(expected.keys() | present):
        name = path.relative_to(ROOT)
        if path not in present:
            yield f"{name} is named in vendor.lock and missing; run `make vendor`."
        elif path not in expected:
            yield f"{name} is not named in vendor.lock; remove it or name it there."
        elif hashlib.sha256(path.read_bytes()).hexdigest() != expected[path]:
            yield f"{name} is not the file that vendor.lock describes; run `make vendor`."


def read_package(package: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """The named files of one npm package, each compared with its hash."""
    with tempfile.TemporaryDirectory() as folder:
        spec = f"{package['npm']}@{package['version']}"
        packed = subprocess.run(
            ["npm", "pack", "--silent", spec],
            cwd=folder,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        with tarfile.open(Path(folder, packed.stdout.strip())) as archive:
            for name, sha256 in package["files"].items():
                member = archive.extractfile(f"package/{name}")
                assert member is not None, f"{name} of {spec} is not a file"
                content = member.read()
                found = hashlib.sha256(content).hexdigest()
                if found != sha256:
                    raise SystemExit(f"{spec}: {name} has sha256 {found}, not {sha256}.")
                yield name, content


def fetch() -> None:
    """Write every file that vendor.lock names; a version no longer named there goes."""
    fetched = {
        folder_of(package) / Path(name).name: content
        for package in packages()
        for name, content in read_package(package)
    }
    shutil.rmtree(VENDOR, ignore_errors=True)
    for path, content in fetched.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    print(f"Wrote {len(fetched)} files to {VENDOR.relative_to(ROOT)}.")


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        found = list(problems())
        print(*found or ["The files in static/vendor are those of vendor.lock."], sep="\n")
        sys.exit(bool(found))
    fetch()
