"""Processes do not stop to search for garbage where there is none."""

import gc
import subprocess
import sys

import pytest

from designer.core.design import gallery
from designer.core.plan import Style
from designer.core.planner import plan

SAYS = "import gc; print(gc.get_threshold()[0] >= 10_000, gc.get_freeze_count() > 10_000)"


@pytest.mark.slow
@pytest.mark.parametrize(
    "load", ["import django; django.setup()", "import designer.preloaded"], ids=["site", "child"]
)
def test_what_is_loaded_is_not_searched_for_garbage(load: str) -> None:
    command = [sys.executable, "-c", f"{load}; {SAYS}"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said.split() == ["True", "True"]


@pytest.mark.slow
@pytest.mark.parametrize("style", ["single", "multi"])
def test_plan_leaves_nothing_to_search_for(style: Style) -> None:
    """What refers to itself stays in memory until it is searched for: some 3,500 objects of each plan did."""
    design = gallery.load("shop")
    plan(design, style, reasons="findings")
    gc.collect()
    gc.disable()
    try:
        plan(design, style, reasons="findings")
        assert gc.collect() < 300
    finally:
        gc.enable()
