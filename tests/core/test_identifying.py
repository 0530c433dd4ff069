"""Items named by a unique attribute where nobody asks by their generated identifier, and where they are not."""

import pytest

from designer.core.design.document import Design
from designer.core.lint import lint
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.core.planner.what_if.why_not import why_not
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests.core.priced import SECONDS, numbered
from tests.memory import Memory
from tests.messages import reasons_of

HANDLE = {"name": "handle", "bytes": 12, "unique": True}
BY_HANDLE = {"attribute": "handle", "is": {"param": "handle"}}
PROFILE = {"kind": "get", "returns": "User", "where": [BY_HANDLE], "rate": {"average": 100}}
REGISTER = {"kind": "create", "entity": "User", "rate": {"average": 10}}
RENAME = {
    "kind": "update",
    "entity": "User",
    "by": ["handle"],
    "set": {"name": {"param": "newName"}},
    "rate": {"average": 25},
}


def users(*more, handle=(), identifier=(), others=(), attributes=(), **settings) -> Design:
    """People with a handle, who are asked for and renamed by it."""
    named = [{"name": "userId", "format": "ulid", **dict(identifier)}, {**HANDLE, **dict(handle)}]
    attributes = [*named, {"name": "name", "bytes": 20, "mutable": True}, *attributes]
    user = {"name": "User", "identifier": ["userId"], "items": 10**6, "attributes": attributes}
    return Design.model_validate(
        {
            "name": "Users",
            "entities": [user, *others],
            "patterns": numbered([PROFILE, REGISTER, RENAME, *more]),
            **settings,
        }
    )


def roles(made):
    return [shape.role for table in made.tables for shape in table.items]


@pytest.mark.parametrize("style", STYLES)
def test_a_handle_that_all_ask_by_is_the_key_and_its_own_guard(style):
    design = users()
    made = plan(design, style)
    (table,) = made.tables
    (shape,) = table.items
    key = shape.set.get("PK", "{handle}") if style == "single" else table.key.partition.name
    assert "handle" in key and "userId" not in key
    assert shape.role == "entity" and "userId" in shape.attributes
    # Ten new items, 25 changes and 100 strong or eventual reads a second of one unit each; and 0.1 GB.
    month = (10 + 25) * 0.625 * SECONDS / 1e6 + 100 * 0.5 * 0.125 * SECONDS / 1e6
    assert made.cost.per_month == pytest.approx(month, abs=0.06)
    verdict = prove_on(Engine("memory", Memory()), design, made)
    assert verdict.passed, verdict


@pytest.mark.parametrize("style", STYLES)
def test_the_decision_says_both_prices(style):
    made = plan(users(), style)
    (decision,) = [one for one in made.decisions if one.about == "identifier User"]
    assert decision.choice == "handle"
    (other,) = decision.instead_of
    # A guard: both writes of a new item twice, and a change reads it first.
    assert other.choice == "userId" and other.per_month > decision.per_month * 1.5
    (key,) = [one for one in made.decisions if one.about == "key User"]
    assert reasons_of(key)["identifier-is-key"]["named_by"] == ("handle",)
    found = why_not(users(), style, "identifier User")
    assert [rival.choice for rival in found.rivals] == ["userId"]


BY_ID = {"attribute": "userId", "is": {"param": "userId"}}
PICTURE = {
    "name": "Picture",
    "identifier": ["pictureId"],
    "attributes": [
        {"name": "pictureId", "format": "ulid"},
        {"name": "userId", "refers_to": "User.userId"},
    ],
}


@pytest.mark.parametrize(
    "design",
    [
        users({"kind": "get", "returns": "User", "where": [BY_ID]}),
        users({"kind": "delete", "entity": "User"}),
        users({"kind": "upsert", "entity": "User"}),
        users(
            {
                "kind": "update",
                "entity": "User",
                "by": ["handle"],
                "given": ["userId"],
                "set": {"name": {"param": "newName"}},
            }
        ),
        users(others=[PICTURE]),
        users(handle={"mutable": True}.items()),
        users(handle={"present": 0.9}.items()),
        users(
            {
                "kind": "update",
                "entity": "User",
                "by": ["handle"],
                "set": {"handle": {"param": "to"}},
            }
        ),
        users(identifier={"format": "text"}.items()),
        users(planner={"items": "as-stated"}),
        users(planner={"pins": [{"entity": "User", "key": {"partition": "{userId}"}}]}),
    ],
    ids=[
        "read by it",
        "deleted by it",
        "upserted",
        "given",
        "referred to",
        "changes",
        "missing",
        "changed",
        "not generated",
        "as stated",
        "pinned",
    ],
)
def test_the_identifier_names_items_where_it_must(design):
    assert "guard" in roles(plan(design, "multi"))


def test_a_pinned_handle_is_obeyed_to_the_letter():
    design = users(planner={"pins": [{"entity": "User", "key": {"partition": "{handle}"}}]})
    made = plan(design, "multi")
    assert (made.tables[0].key.partition.name, made.tables[0].key.sort) == ("handle", None)
    assert not [one for one in made.findings if one.rule == "pin-not-obeyed"]


def test_an_email_that_changes_keeps_its_guard_beside_the_handle():
    email = {"name": "email", "bytes": 20, "unique": True, "mutable": True}
    design = users(attributes=[email])
    made = plan(design, "multi")
    assert sorted(roles(made)) == ["entity", "guard"]
    assert prove_on(Engine("memory", Memory()), design, made).passed


@pytest.mark.parametrize("style", STYLES)
def test_no_finding_misses_a_guard_where_the_key_is_one(style):
    design = users()
    found = lint(design, {style: plan(design, style)})
    assert not [one for one in found if one.rule == "K106"]
