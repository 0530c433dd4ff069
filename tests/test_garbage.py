"""Processes do not stop to search for garbage where there is none."""

import subprocess
import sys

import pytest

SAYS = "import gc; print(gc.get_threshold()[0] >= 50_000, gc.get_freeze_count() > 10_000)"


@pytest.mark.slow
@pytest.mark.parametrize(
    "load", ["import django; django.setup()", "import designer.preloaded"], ids=["site", "child"]
)
def test_what_is_loaded_is_not_searched_for_garbage(load: str) -> None:
    command = [sys.executable, "-c", f"{load}; {SAYS}"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said.split() == ["True", "True"]
