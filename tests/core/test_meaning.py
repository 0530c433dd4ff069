"""Which changes of a design change what it means: each field once."""

import hashlib
from copy import deepcopy

import pytest

from designer.core.design.ids import with_ids
from designer.core.design.load import load_plain
from designer.core.design.meaning import canonical, meaning, ordered_meaning
from designer.core.errors import DesignError
from designer.core.patterns.document import Document

FULL = {
    "keywright": 1,
    "name": "Club",
    "description": "A club.",
    "context": {"domain": "sports", "business": "Small.", "scale": "Ten members."},
    "region": "eu-west-1",
    "billing": "provisioned",
    "table_prefix": "club-",
    "entities": [
        {
            "name": "Member",
            "id": "e-member",
            "description": "Somebody.",
            "prefix": "M",
            "identifier": ["clubId", "memberId"],
            "items": 1000,
            "growth_per_month": 10,
            "needs": {
                "team": "sports",
                "tenant": "clubId",
                "stream": "new",
                "recovery_days": 7,
                "table_class": "standard",
                "billing": "on-demand",
                "personal_data": True,
            },
            "drawn_at": [40, 80],
            "attributes": [
                {"name": "clubId"},
                {"name": "memberId"},
                {
                    "name": "points",
                    "id": "a-points",
                    "description": "Earned.",
                    "type": "N",
                    "format": "decimal",
                    "digits": 9,
                    "scale": 2,
                    "minimum": 1,
                    "maximum": 99.5,
                    "bytes": 5,
                    "distinct": 10,
                    "values": ["1", "2"],
                    "shares": [0.4, 0.6],
                    "busiest": 0.6,
                    "present": 0.5,
                    "later": True,
                    "mutable": True,
                    "unique": True,
                    "ttl": True,
                    "aggregate": "sum of visits.minutes",
                    "kept": "by-price",
                    "examples": [1, 2],
                },
                {"name": "joinedAt", "format": "datetime"},
                {
                    "name": "badges",
                    "type": "SS",
                    "most_bytes": 900,
                    "elements": {"average": 3, "most": 40},
                },
                {"name": "joinedOn", "derived": "date(joinedAt)"},
            ],
        },
        {
            "name": "Visit",
            "identifier": ["visitId"],
            "attributes": [
                {"name": "visitId"},
                {"name": "clubId", "refers_to": "Member.clubId"},
                {"name": "memberId", "refers_to": "Member.memberId"},
                {"name": "minutes", "type": "N", "unique_within": ["clubId", "memberId"]},
            ],
        },
    ],
    "relationships": [
        {
            "name": "visits",
            "id": "r-visits",
            "description": "Came.",
            "one": "Member",
            "many": "Visit",
            "by": ["clubId", "memberId"],
            "identifying": True,
            "average": 3,
            "most": 30,
        },
        {
            "name": "knows",
            "many": ["Member", "Entity"],
            "through": "Visit",
            "averages": [1, 2],
            "mosts": [3, 4],
        },
    ],
    "patterns": [
        {
            "number": 1,
            "id": "p-1",
            "name": "Members",
            "why": "A page.",
            "description": "Long.",
            "kind": "list",
            "returns": ["Member", "Visit"],
            "where": [
                {
                    "attribute": "clubId",
                    "is": {"param": "clubId"},
                    "optional": True,
                    "share": 0.1,
                },
                {"attribute": "memberId", "from": {"param": "a"}, "to": {"param": "b"}},
            ],
            "keep": [
                {"attribute": "points", "after": {"value": 1}, "below": {"value": 9}},
                {"attribute": "points", "exists": True},
                {"attribute": "points", "missing": True},
                {"attribute": "memberId", "any_of": {"param": "ids", "count": 4}},
                {"attribute": "memberId", "any_of": {"value": ["a", "b"]}},
                {"attribute": "memberId", "begins_with": {"value": "a"}},
                {"attribute": "memberId", "contains": {"value": "b"}},
                {"attribute": "memberId", "not": {"value": "c"}},
            ],
            "with": [
                {
                    "relationship": "visits",
                    "attributes": ["visitId", "minutes"],
                    "keep": [
                        {"attribute": "minutes", "exists": True},
                        {"attribute": "visitId", "is": {"value": "x"}},
                    ],
                    "order": ["minutes descending", "visitId ascending"],
                    "limit": 3,
                },
                {"relationship": "knows"},
            ],
            "attributes": ["memberId", "points"],
            "order": ["points descending", "memberId ascending"],
            "limit": 10,
            "consistency": "strong",
            "workflow": "visit",
            "rate": {"average": 1, "peak": 2},
            "hottest": 0.1,
            "expects": 5,
            "latency_ms": 10,
            "at_most_requests": 2,
            "status": "agreed",
            "considerations": "Cached.",
        },
        {
            "number": 30,
            "name": "Who stayed both",
            "kind": "list",
            "returns": "Visit",
            "where": [{"attribute": "minutes", "all_of": {"param": "both", "count": 2}}],
            "attributes": ["memberId"],
        },
        {
            "number": 2,
            "name": "Minutes",
            "kind": "list",
            "returns": "Visit",
            "result": {"sum": "minutes"},
        },
        {
            "number": 7,
            "name": "Longest",
            "kind": "list",
            "returns": "Visit",
            "result": {"greatest": "minutes"},
        },
        {
            "number": 8,
            "name": "Shortest",
            "kind": "list",
            "returns": "Visit",
            "result": {"least": "minutes"},
        },
        {
            "number": 3,
            "name": "Change",
            "kind": "update",
            "entity": "Member",
            "by": ["clubId", "memberId"],
            "given": ["joinedAt", "points"],
            "set": {"joinedAt": {"param": "newTime"}},
            "remove": ["points", "joinedAt"],
            "add": {
                "points": {"minus": "cost"},
                "minutes": {"param": "more"},
                "visits": {"value": 2},
            },
            "greatest": {"joinedAt": "latest"},
            "append": {"notes": "more"},
            "include": {"badges": "won"},
            "exclude": {"sports": "left"},
            "if": [
                {"attribute": "points", "exists": True},
                {"attribute": "joinedAt", "exists": True},
            ],
            "or": [
                [{"attribute": "joinedAt", "missing": True}],
                [{"attribute": "points", "missing": True}],
            ],
            "times": {"average": 2, "most": 5},
            "each": "rows",
        },
        {
            "number": 4,
            "name": "Together",
            "kind": "transaction",
            "members": [
                {"check": "Member", "exists": True},
                {"create": "Visit"},
                {"upsert": "Visit"},
                {"update": "Visit", "set": {"minutes": {"value": 1}}},
                {"delete": "Visit"},
            ],
        },
        {
            "number": 5,
            "name": "Search",
            "kind": "elsewhere",
            "returns": ["Member", "Visit"],
            "because": "geo",
        },
        {
            "number": 6,
            "name": "Forget",
            "kind": "delete",
            "entity": "Visit",
            "where": [
                {"attribute": "clubId", "is": {"param": "clubId"}},
                {"attribute": "memberId", "is": {"param": "memberId"}},
            ],
        },
        {
            "number": 9,
            "name": "The last visit, if it was long",
            "kind": "list",
            "returns": "Visit",
            "order": ["visitId descending"],
            "limit": 1,
            "then_keep": [
                {"attribute": "minutes", "from": {"value": 9}},
                {"attribute": "visitId", "not": {"value": "x"}},
            ],
        },
    ],
    "planner": {
        "objective": "indexes",
        "worth": 2,
        "tolerance": 0.1,
        "composite_index_keys": "multi-attribute",
        "key_names": {"single": "natural", "multi": "generic"},
        "lookups_before_writes": "gsi",
        "point_reads": "by-price",
        "items": "as-stated",
        "max_gsis": 5,
        "delimiter": "#",
        "work_limit": 5,
        "pins": [
            {
                "style": "single",
                "entity": "Member",
                "pattern": 1,
                "key": {"partition": "A#{clubId}", "sort": "A"},
                "names": {"partition": "PK", "sort": "SK"},
                "index": "GSI1",
                "projection": "all",
                "name": "x",
                "table": ["Member", "Visit"],
                "because": "Agreed.",
            },
            {"pattern": 2, "index": "ByMember"},
        ],
    },
    "ignored_findings": [
        {"rule": "P101", "about": "patterns.1", "because": "Known."},
        {"rule": "P102", "because": "Known."},
    ],
    "names": {
        "anew": 1,
        **{
            style: {
                "items": {"Member": {"partition": ["A"], "sort": ["B"]}},
                "indexes": [
                    {
                        "name": "GSI1",
                        "local": True,
                        "keys": {"partition": ["P"], "sort": ["S"]},
                        "holds": ["name"],
                        "of": {"Member": {"partition": ["A"], "sort": ["B"]}},
                        "was": {"Visit": {"partition": ["A"], "sort": ["B"]}},
                    }
                ],
            }
            for style in ("single", "multi", "grouped")
        },
    },
}
"""Every field of the format, each with a value that is not its default."""

SAME_MEANING = {
    "description",
    "entities.id",
    "entities.description",
    "entities.drawn_at",
    "entities.attributes.id",
    "entities.attributes.description",
    "entities.attributes.examples",
    "relationships.id",
    "relationships.description",
    "patterns.id",
    "patterns.description",
    "patterns.why",
    "patterns.considerations",
    "planner.pins.because",
    "ignored_findings",
    "ignored_findings.rule",
    "ignored_findings.about",
    "ignored_findings.because",
}
"""Fields that may change without changing the meaning. All others change it."""

ORDER_SAYS_NOTHING = {
    "entities",
    "entities.drawn_at",
    "entities.attributes",
    "entities.attributes.examples",
    "relationships",
    "patterns",
    "patterns.returns",
    "patterns.where",
    "patterns.keep",
    "patterns.then_keep",
    "patterns.with",
    "patterns.with.attributes",
    "patterns.with.keep",
    "patterns.attributes",
    "patterns.by",
    "patterns.given",
    "patterns.remove",
    "patterns.if",
    "patterns.or",
    "patterns.members",
    "planner.pins.table",
    "ignored_findings",
}
"""Lists that may be in any order. The order of all others belongs to the meaning."""

NO_OTHER_VALUE = {
    "keywright",
    "planner.delimiter",
    "patterns.keep.exists",
    "patterns.keep.missing",
    "patterns.with.keep.exists",
    "patterns.if.exists",
    "patterns.or.missing",
}
"""Fields that are there with one value or not at all; what they stand in is removed whole."""

OTHER_WORDS = {
    "on-demand": "provisioned",
    "provisioned": "on-demand",
    "eu-west-1": "eu-west-2",
    "new": "old",
    "standard": "infrequent-access",
    "N": "S",
    "S": "N",
    "datetime": "text",
    "decimal": "integer",
    "Member.clubId": "Member.memberId",
    "Member.memberId": "Member.clubId",
    "date(joinedAt)": "month(joinedAt)",
    "sum of visits.minutes": "count of visits",
    "strong": "transactional",
    "agreed": "declined",
    "list": "exists",
    "geo": "archive",
    "indexes": "cost",
    "multi-attribute": "strings",
    "natural": "generic",
    "generic": "natural",
    "gsi": "no-gsi",
    "single": "multi",
    "all": "include",
    "points descending": "points ascending",
    "minutes descending": "minutes ascending",
    "memberId ascending": "memberId descending",
}


def field(path):
    return ".".join(part for part in path if isinstance(part, str))


def paths(data, path=()):
    """Every place in the data, elements of lists included."""
    for key, value in enumerate(data) if isinstance(data, list) else data.items():
        yield (*path, key)
        if isinstance(value, (dict, list)):
            yield from paths(value, (*path, key))


def at(data, path):
    for part in path:
        data = data[part]
    return data


def other(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value / 2 if value < 1 else value + 1
    if isinstance(value, str):
        return OTHER_WORDS.get(value, value + "x")
    if isinstance(value, dict):
        return {key: other(inner) for key, inner in value.items()}
    return value[::-1]


def edited(path, edit, hashed=meaning):
    """The meaning of the design after an edit at one place; None when that is no design any
    more."""
    data = deepcopy(FULL)
    edit(at(data, path[:-1]), path[-1])
    try:
        return hashed(load_plain(data))
    except DesignError:
        return None


def remove(inside, key):
    del inside[key]


def replace(inside, key):
    inside[key] = other(inside[key])


RECORDED = ("names.single", "names.multi", "names.grouped")
"""What plans named, which is of one meaning whatever stands in it."""
FIELDS = sorted({name for path in paths(FULL) if not (name := field(path)).startswith(RECORDED)})


LISTS = [
    name
    for name in FIELDS
    if any(isinstance(at(FULL, p), list) and field(p) == name for p in paths(FULL))
]


@pytest.mark.parametrize("name", FIELDS)
def test_each_field_changed_once_moves_the_hash_or_not(name):
    before = meaning(load_plain(FULL))
    after = [
        edited(path, edit)
        for path in paths(FULL)
        if field(path) == name
        for edit in (remove, replace)
        if edit is remove or not isinstance(at(FULL, path), list)
    ]
    moved = {hash != before for hash in after if hash is not None}
    if name in NO_OTHER_VALUE:
        assert True not in moved or name not in SAME_MEANING
    else:
        assert moved == {name not in SAME_MEANING}


@pytest.mark.parametrize("name", LISTS)
def test_each_list_turned_round_moves_the_hash_or_not(name):
    assert turned_round(name, meaning) == {name not in ORDER_SAYS_NOTHING}


@pytest.mark.parametrize("name", LISTS)
def test_each_list_turned_round_moves_the_hash_that_keeps_the_order(name):
    is_told = name not in {*SAME_MEANING, "patterns"}  # which stand in the order of their numbers
    assert turned_round(name, ordered_meaning) == {is_told}


@pytest.mark.parametrize("name", sorted(SAME_MEANING))
def test_no_words_move_the_hash_that_keeps_the_order(name):
    before = ordered_meaning(load_plain(FULL))
    after = {
        edited(path, edit, ordered_meaning)
        for path in paths(FULL)
        if field(path) == name
        for edit in (remove, replace)
    }
    assert after - {None} == {before}


@pytest.mark.parametrize("name", RECORDED)
def test_what_plans_named_moves_no_hash(name):
    for hashed in (meaning, ordered_meaning):
        before = hashed(load_plain(FULL))
        said = [path for path in paths(FULL) if field(path).startswith(name)]
        assert {edited(path, remove, hashed) for path in said} - {None} == {before}


def turned_round(name, hashed):
    """Whether the hash moves when a list of this name is turned round."""
    before = hashed(load_plain(FULL))
    lists = [p for p in paths(FULL) if field(p) == name and isinstance(at(FULL, p), list)]
    turned = [edited(path, replace, hashed) for path in lists if len(at(FULL, path)) > 1]
    return {hash != before for hash in turned}


def test_the_full_design_uses_every_field_of_the_format():
    used = set()

    def note(part):
        if isinstance(part, Document):
            for name, info in type(part).model_fields.items():
                value = getattr(part, name)
                if info.is_required() or value != info.get_default(call_default_factory=True):
                    used.update((kind, name) for kind in type(part).__mro__)
                note(value)
        elif isinstance(part, (tuple, dict)):
            for inner in part.values() if isinstance(part, dict) else part:
                note(inner)

    def kinds(kind):
        return {kind}.union(*(kinds(inner) for inner in kind.__subclasses__()))

    note(load_plain(FULL))
    missing = [
        f"{kind.__name__}.{name}"
        for kind in kinds(Document)
        if kind.__module__.startswith(("designer.core.design.", "designer.core.patterns."))
        for name in vars(kind).get("__annotations__", {})
        if name in kind.model_fields and (kind, name) not in used
    ]
    allowed = {"Design.keywright", "PlannerSettings.delimiter"}
    assert {name for name in missing if not name.endswith(".kind")} <= allowed


def test_values_go_with_their_shares():
    turned = deepcopy(FULL)
    points = turned["entities"][0]["attributes"][2]
    points["values"].reverse()
    points["shares"].reverse()
    assert meaning(load_plain(turned)) == meaning(load_plain(FULL))


@pytest.mark.parametrize(
    ("one", "same"),
    [
        ({"tolerance": 1}, {"tolerance": 1.0}),
        ({"objective": "simplest"}, {}),
        ({"key_names": {"single": "generic"}}, {"key_names": {}}),
    ],
)
def test_two_ways_to_write_one_thing_mean_the_same(one, same):
    assert meaning(load_plain(FULL | {"planner": one})) == meaning(
        load_plain(FULL | {"planner": same})
    )


def test_one_name_means_the_same_as_a_list_of_one():
    turned = deepcopy(FULL)
    turned["patterns"][1]["returns"] = ["Visit"]
    turned["relationships"][0]["by"] = "clubId"
    again = deepcopy(turned)
    again["patterns"][1]["returns"] = "Visit"
    again["relationships"][0]["by"] = ["clubId"]
    assert meaning(load_plain(turned)) == meaning(load_plain(again))


def test_ids_that_are_made_do_not_change_the_meaning():
    design = load_plain(FULL)
    assert meaning(with_ids(design)) == meaning(design)


def test_the_hash_is_of_canonical_json():
    design = load_plain({"keywright": 1, "name": "Ü", "description": "x"})
    assert canonical(design) == '{"keywright":1,"name":"Ü"}'
    assert meaning(design) == f"sha256:{hashlib.sha256(canonical(design).encode()).hexdigest()}"
