"""No key of a plan, pinned to what lies next to it, makes the plan cheaper by what is worth talking about."""

import pytest

from designer.core.design.gallery import load
from designer.core.plan import STYLES
from tests.neighbours import cheaper

SMALL = ("accounts", "idempotency", "newest-orders", "premium-and-sale", "starter", "tags")
"""Designs of the gallery whose neighbours are planned in seconds; `python -m tests.neighbours FILE ...` takes any."""


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("slug", SMALL)
def test_no_neighbour_of_a_key_is_materially_cheaper(slug, style):
    assert cheaper(load(slug), style) == []
