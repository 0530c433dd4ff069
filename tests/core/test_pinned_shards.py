"""How many shards an index has where something of its entity, or of its table, is pinned."""

import re

import pytest

from designer.core.plan import STYLES, Plan, Style
from designer.core.planner import plan
from tests.core.test_planner import design, is_

EVENT = {
    "name": "Event",
    "identifier": ["eventId"],
    "items": 1_000_000,
    "attributes": [
        {"name": "eventId", "format": "uuid"},
        {"name": "kind", "distinct": 300, "busiest": 0.6, "mutable": True},
        {"name": "at", "format": "datetime"},
        {"name": "note", "bytes": 900},
    ],
}
OTHER = {
    "name": "Other",
    "identifier": ["otherId"],
    "items": 100,
    "attributes": [{"name": "otherId", "format": "uuid"}],
}
ASKED = [
    {"kind": "create", "entity": "Event", "rate": {"average": 1500, "peak": 3000}},
    {
        "kind": "list",
        "returns": "Event",
        "where": [is_("kind")],
        "order": ["at descending"],
        "attributes": ["eventId", "at"],
        "rate": {"average": 0.2},
    },
    {"kind": "create", "entity": "Other", "rate": {"average": 1}},
    {"kind": "get", "returns": "Other", "where": [is_("otherId")], "rate": {"average": 1}},
]


def shards(style: Style, *pins: dict) -> set[int]:
    """The numbers of shards in the keys of indexes, of 1,800 write units a second under the busiest key."""
    planner = {"pins": [{"because": "house rules", **pin} for pin in pins]}
    made: Plan = plan(design([EVENT, OTHER], ASKED, planner=planner), style)
    templates = [
        template for table in made.tables for item in table.items for template in item.set.values()
    ]
    return {int(n) for one in templates for n in re.findall(r"shard\((\d+),", one)}


@pytest.fixture(params=STYLES)
def style(request: pytest.FixtureRequest) -> Style:
    made: Style = request.param
    return made


def test_pinned_names_of_keys_leave_the_number_of_shards(style: Style) -> None:
    names = {"entity": "Event", "names": {"partition": "hash", "sort": "range"}}
    assert shards(style) == {3}
    assert shards(style, names) == {3}


def test_a_key_pinned_of_another_entity_leaves_the_number_of_shards() -> None:
    key = {"partition": "O#{otherId}", "sort": "A"}
    assert shards("single", {"style": "single", "entity": "Other", "key": key}) == {3}


def test_an_index_of_a_pattern_has_as_many_shards_as_it_takes(style: Style) -> None:
    assert shards(style, {"pattern": 2, "index": "ByKind"}) == {3}


def test_a_pinned_key_of_an_index_keeps_its_shards(style: Style) -> None:
    key = {"partition": "K#{kind}#{shard(7, eventId)}", "sort": "{at}"}
    pinned = {"entity": "Event", "index": "ByKind", "key": key}
    assert shards(style, pinned, {"pattern": 2, "index": "ByKind"}) == {7}
