"""A proof passes what is right, and finds what is wrong: each planted error by name."""

import pytest

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.messages import say
from designer.core.plan import ALL_STYLES, STYLES
from designer.proof import prove
from designer.proof.cases import cases
from designer.proof.engine import Engine, engine
from designer.proof.prove import prove_on
from designer.proof.rows import rows
from tests.memory import Memory
from tests.planned import OF_ALL_KINDS, outlined
from tests.proof.plans import DESIGN, multi, plan_of, single

QUICK = {"starter", "newest-orders", "accounts"}


@pytest.mark.parametrize("document", [single, multi])
def test_plans_written_by_hand_pass(document):
    verdict = prove(DESIGN, plan_of(document()))
    assert failures(verdict) == []
    assert verdict.passed
    assert verdict.engine == "moto 5.2 (emulator)"


@pytest.mark.engine_local
@pytest.mark.parametrize("document", [single, multi])
def test_plans_written_by_hand_pass_on_dynamodb_local(document, dynamodb_local):
    verdict = prove(DESIGN, plan_of(document()), dynamodb_local)
    assert failures(verdict) == []
    assert verdict.engine == "DynamoDB Local"


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "slug",
    [
        pytest.param(s, marks=() if s in QUICK else pytest.mark.slow)
        for s in sorted({*QUICK, *OF_ALL_KINDS})
    ],
)
def test_the_gallery_is_proven(slug, style):
    """On DynamoDB Local all of it is proven where the units of its requests are compared."""
    all_served_and_proven(engine(), slug, style)


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
def test_collections_of_more_than_a_page_are_read_whole(style, dynamodb_local):
    """The shop's are read where its units are compared."""
    all_served_and_proven(engine(dynamodb_local), "courses", style, large=True)


def all_served_and_proven(chosen, slug, style, large=False):
    design = gallery.load(slug)
    verdict = prove_on(chosen, design, outlined(design, style), large=large)
    assert failures(verdict) == []
    assert set(verdict.count) <= {"passed", "elsewhere"}
    assert verdict.passed


def failures(verdict):
    said = [verdict.problem] if verdict.problem else []
    return said + [f"{p.name}: {p.difference}" for p in verdict.patterns if p.status == "failed"]


# Planted errors


def step(document, pattern, at=0):
    return operation(document, pattern)["steps"][at]


def operation(document, pattern):
    return next(one for one in document["operations"] if one["pattern"] == pattern)


def a_key_that_two_items_share(document):
    document["tables"][0]["items"][2]["set"]["SK"] = "#ORDER#{status}"


def the_wrong_direction(document):
    step(document, 3)["forward"] = True


def the_wrong_projection(document):
    index = document["tables"][0]["indexes"][0]
    index["projection"] = {"type": "INCLUDE", "attributes": ["userId", "orderId", "status"]}


def numbers_that_are_not_padded(document):
    for shape in document["tables"][0]["items"][2:]:
        shape["set"]["GSI1SK"] = "{total}#{orderId}"
    step(document, 6)["members"][1]["values"]["GSI1SK"] = "{total}#{orderId}"


def no_guard_on_create(document):
    del step(document, 4)["members"][1]


def a_guard_that_is_not_taken_away(document):
    del step(document, 5, 1)["members"][1]


def a_guard_put_without_condition(document):
    del step(document, 4)["members"][1]["if"]


def an_index_key_left_as_it_was(document):
    del step(document, 7)["members"][0]["set"]["GSI1PK"]


def a_condition_left_out(document):
    del step(document, 7)["members"][0]["if"][1]


def a_partial_item(document):
    del step(document, 7)["members"][0]["if"]


def no_check_of_the_parent(document):
    del step(document, 6)["members"][0]


def one_row_of_several(document):
    step(document, 6)["members"][1].pop("for_each")


def a_range_that_ends_too_early(document):
    step(document, 2)["where"][1]["between"] = ["#ORDER#", "#ORDER$"]


def too_few_rows(document):
    operation(document, 3)["result"]["parts"][0]["limit"] = 2


def too_many_rows(document):
    operation(document, 3)["result"]["parts"][0]["limit"] = 4
    step(document, 3)["limit"] = 4


PLANTED = [
    (a_key_that_two_items_share, None, "two items have the key"),
    (the_wrong_direction, 3, "rows: "),
    (the_wrong_projection, 3, "rows: missing"),
    (numbers_that_are_not_padded, 3, "rows: "),
    (no_guard_on_create, 4, "lacks {email:"),
    (a_guard_put_without_condition, 4, "should have been refused: User: email is already taken"),
    (a_guard_that_is_not_taken_away, 5, "has the unexpected item"),
    (an_index_key_left_as_it_was, 7, "GSI1PK is 'STATUS#OPEN' instead of 'STATUS#PAID'"),
    (a_condition_left_out, 7, "should have been refused: Order: the condition on status"),
    (a_partial_item, 7, "should have been refused: Order"),
    (no_check_of_the_parent, 6, "should have been refused: User does not exist"),
    (one_row_of_several, 6, ""),
    (a_range_that_ends_too_early, 2, "rows: missing"),
    (too_few_rows, 3, "rows: missing"),
    (too_many_rows, 3, "unexpected: "),
]


@pytest.mark.parametrize(
    ("plant", "pattern", "said"), PLANTED, ids=lambda one: getattr(one, "__name__", "")
)
def test_a_planted_error_is_found(plant, pattern, said):
    document = single()
    plant(document)
    verdict = prove(DESIGN, plan_of(document), patterns=[pattern] if pattern else None)
    assert not verdict.passed
    if pattern is None:
        assert said in verdict.problem
        return
    found = {one.pattern: one for one in verdict.patterns if one.status == "failed"}
    assert said in found[pattern].difference
    assert found[pattern].parameters


def test_what_is_not_served_is_no_pass():
    document = multi()
    document["operations"][2] = {"pattern": 3, "answer": "not served", "because": "planted"}
    verdict = prove(DESIGN, plan_of(document), patterns=[1, 3])
    assert [one.status for one in verdict.patterns] == ["passed", "not served"]
    assert [one.difference for one in verdict.patterns] == ["", "planted"]
    assert (verdict.passed, verdict.held, verdict.unserved) == (False, True, (3,))


def test_a_pattern_that_is_served_in_some_cases_only_is_no_pass():
    optional = {"attribute": "status", "is": {"param": "status"}, "optional": True}
    by_user = {"attribute": "userId", "is": {"param": "userId"}}
    asked = {"kind": "list", "returns": "Order", "where": [by_user, optional]}
    design = DESIGN.model_validate(
        {**DESIGN.model_dump(), "patterns": [{"number": 1, "name": "Orders", **asked}]}
    )
    made = outlined(design, "multi")
    few = tuple(
        one.model_copy(
            update={"answer": "not served", "steps": (), "reasons": (say("text", text="Planted."),)}
        )
        if one.given == ()
        else one
        for one in made.operations
    )
    verdict = prove(design, made.model_copy(update={"operations": few}))
    (pattern,) = verdict.patterns
    assert (pattern.status, verdict.passed) == ("not served", False)
    said = "It is not served when no optional parameter is given. Planted."
    assert pattern.difference == said


def test_the_engine_s_objection_is_a_failure_with_its_message():
    document = multi()
    document["operations"][2]["steps"][0]["index"] = "NoSuchIndex"
    verdict = prove(DESIGN, plan_of(document), patterns=[3])
    (pattern,) = verdict.patterns
    assert pattern.status == "failed"
    assert "NoSuchIndex" in pattern.difference


def test_a_verdict_is_the_same_twice():
    twice = [prove(DESIGN, plan_of(multi()), patterns=[2, 5]) for _ in range(2)]
    assert twice[0] == twice[1]


@pytest.mark.parametrize("style", ALL_STYLES)
def test_a_generated_identifier_occurs_again_only_under_its_own_parent(style):
    child = {"name": "ownerId", "format": "uuid", "refers_to": "Owner.ownerId"}
    design = Design.model_validate(
        {
            "name": "Owned",
            "entities": [
                {
                    "name": "Owner",
                    "identifier": ["ownerId"],
                    "attributes": [{"name": "ownerId", "format": "uuid"}],
                },
                {
                    "name": "Item",
                    "identifier": ["itemId"],
                    "attributes": [{"name": "itemId", "format": "uuid"}, child],
                },
            ],
            "relationships": [{"name": "has", "one": "Owner", "many": "Item", "by": "ownerId"}],
            "patterns": [
                {
                    "number": 1,
                    "name": "Items",
                    "kind": "list",
                    "returns": "Item",
                    "where": [{"attribute": "ownerId", "is": {"param": "ownerId"}}],
                    "consistency": "strong",
                },
                {
                    "number": 2,
                    "name": "Start",
                    "kind": "transaction",
                    "members": [
                        {"create": "Owner"},
                        {"create": "Item", "times": {"average": 3, "most": 9}, "each": "items"},
                    ],
                },
            ],
        }
    )
    state = rows(design)
    owners = {item["itemId"]: item["ownerId"] for item in state["Item"]}
    again = [
        asked["ownerId"] == owners[row["itemId"]]
        for asked in cases(design, state, design.pattern(2))
        for row in asked["items"]
        if row["itemId"] in owners
    ]
    assert again and all(again)
    assert prove_on(Engine("memory", Memory()), design, outlined(design, style)).passed
