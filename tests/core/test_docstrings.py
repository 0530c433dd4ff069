"""Examples in docstrings say what is so."""

import doctest
import importlib
import pkgutil

import designer.core


def test_examples_in_docstrings_are_true() -> None:
    names = [info.name for info in pkgutil.walk_packages(designer.core.__path__, "designer.core.")]
    attempted = 0
    for name in names:
        result = doctest.testmod(importlib.import_module(name))
        assert result.failed == 0, name
        attempted += result.attempted
    assert attempted > 10
