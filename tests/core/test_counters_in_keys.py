"""What is said of reads by a number that writes add to, where no key can have it: why, and what helps."""

import pytest

from designer.core.design.document import Design
from designer.core.plan import STYLES
from designer.core.planner import plan

SONG = {
    "name": "Song",
    "identifier": ["songId"],
    "items": 5_000_000,
    "attributes": [
        {"name": "songId", "format": "ulid"},
        {"name": "label", "bytes": 8, "distinct": 50},
        {"name": "plays", "type": "N", "format": "integer", "minimum": 0, "maximum": 10**9},
        {"name": "title", "bytes": 30},
        {"name": "text", "bytes": 900},
        {"name": "issuedAt", "format": "datetime"},
    ],
}
OF_LABEL = {"attribute": "label", "is": {"param": "label"}}
PLAYED = {"attribute": "plays", "is": {"param": "plays"}}
OFTEN = {"attribute": "plays", "from": {"param": "least"}, "share": 0.001}
RARE = [{"attribute": "text", "is": {"param": "text"}, "share": 0.0001}]
BOTH_DOWN = ["plays descending", "title descending"]
APART = ["plays descending", "title ascending"]
KEYS = ["strings", "multi-attribute"]


def asked(style, *where, order=(), keys="strings", keep=()):
    patterns = [
        {"name": "Songs", "kind": "list", "returns": "Song", "where": list(where), "keep": keep},
        {"name": "Issue", "kind": "create", "entity": "Song"},
        {"name": "Play", "kind": "update", "entity": "Song", "add": {"plays": {"param": "more"}}},
    ]
    patterns[0] |= {"order": list(order), "limit": 10}
    numbered = [{"number": n, "rate": {"average": 5}, **one} for n, one in enumerate(patterns, 1)]
    settings = {"composite_index_keys": keys}
    document = {"name": "Songs", "entities": [SONG], "planner": settings, "patterns": numbered}
    (operation,) = plan(Design.model_validate(document), style).operations_for(1)
    return operation


def why(*case, **said):
    found = asked(*case, **said)
    assert found.answer == "not served"
    return [reason.id for reason in found.reasons]


def is_served(*case, **said):
    return asked(*case, **said).answer != "not served"


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("where", [(OF_LABEL,), ()])
def test_a_number_that_sorts_with_others_is_to_sort_alone_or_with_keys_of_several(style, where):
    said = ["counter-in-composed-key", "let-number-sort-or-keys"]
    assert why(style, *where, order=BOTH_DOWN) == said
    assert is_served(style, *where, order=BOTH_DOWN, keys="multi-attribute")
    assert is_served(style, *where, order=BOTH_DOWN[:1])


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("keys", KEYS)
def test_keys_of_several_do_not_help_where_directions_differ(style, keys):
    said = ["counter-in-composed-key", "let-number-sort"]
    assert why(style, OF_LABEL, order=APART, keys=keys) == said
    assert is_served(style, OF_LABEL, order=APART[:1], keys=keys)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("keys", KEYS)
def test_no_number_is_to_sort_alone_where_a_range_of_it_is_sorted_by_another(style, keys):
    """A key with the number alone would be read as a whole, and sorted; it is no other with any other number."""
    assert why(style, OF_LABEL, OFTEN, order=["issuedAt descending"], keys=keys) == [
        "no-key-serves-sorted"
    ]
    assert is_served(style, OF_LABEL, OFTEN, order=["plays descending"], keys=keys)


@pytest.mark.parametrize("style", STYLES)
def test_a_number_that_is_a_key_already_is_no_reason(style):
    said = why(style, OF_LABEL, order=["plays descending"], keep=RARE)
    assert said == ["no-key-serves-sorted", "move-to-where"]
    assert is_served(style, OF_LABEL, *RARE, order=["plays descending"])


@pytest.mark.parametrize("keys", KEYS)
def test_a_shared_table_finds_nothing_by_such_a_number_alone(keys):
    assert why("single", PLAYED, keys=keys) == ["counter-in-composed-key"]
    assert is_served("multi", PLAYED, keys=keys)
