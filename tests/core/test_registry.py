"""Plugins are found by the folder they lie in."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from designer.core import registry
from designer.core.exporters import EXPORTERS
from designer.core.exporters.base import Exporter


class Plugin:
    slug: str


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package `plugged`, empty."""
    path = tmp_path / "plugged"
    path.mkdir()
    (path / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    yield path
    for name in [name for name in sys.modules if name.partition(".")[0] == "plugged"]:
        del sys.modules[name]


def plugin(slug: str) -> str:
    return (
        "from tests.core.test_registry import Plugin\n"
        f"class {slug.title()}(Plugin):\n    slug = {slug!r}\n"
    )


def test_a_file_in_the_folder_is_enough(folder: Path) -> None:
    (folder / "second.py").write_text(plugin("zebra"))
    (folder / "first.py").write_text(plugin("ant") + plugin("bee"))
    found = registry.load("plugged", Plugin, "slug")
    assert {slug: found[slug].__name__ for slug in found} == {
        "ant": "Ant",
        "bee": "Bee",
        "zebra": "Zebra",
    }
    assert list(found) == ["ant", "bee", "zebra"]


def test_what_is_imported_or_has_no_key_of_its_own_does_not_count(folder: Path) -> None:
    (folder / "ant.py").write_text(plugin("ant") + "class Nameless(Ant):\n    pass\n")
    (folder / "other.py").write_text("from plugged.ant import Ant\n")
    assert list(registry.load("plugged", Plugin, "slug")) == ["ant"]


def test_two_plugins_of_one_key_are_refused(folder: Path) -> None:
    (folder / "ant.py").write_text(plugin("ant"))
    (folder / "other.py").write_text(plugin("ant"))
    with pytest.raises(ValueError, match=r"plugged\.other: the slug 'ant' is taken already"):
        registry.load("plugged", Plugin, "slug")


def test_every_exporter_has_a_label_and_stands_under_its_slug() -> None:
    for slug, exporter in EXPORTERS.items():
        assert isinstance(exporter, Exporter)
        assert (exporter.slug, bool(exporter.label)) == (slug, True)
    labels = [exporter.label for exporter in EXPORTERS.values()]
    assert len(set(labels)) == len(labels)
