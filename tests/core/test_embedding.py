"""Children inside their parent's item: when, at what price, and that every read and write still is right."""

import pytest

from designer.core.design.document import Design
from designer.core.planner import plan
from designer.proof.prove import prove_on
from tests.core.priced import READ, SECONDS, STORED, WRITE, numbered, rated, shapes
from tests.messages import reasons_of
from tests.planned import outlined
from tests.proven import in_memory

ORDER = {
    "name": "Order",
    "identifier": ["orderId"],
    "items": 100_000,
    "attributes": [
        {"name": "orderId", "format": "ulid"},
        {"name": "state", "values": ["OPEN", "PAID"], "mutable": True},
        {"name": "lines", "type": "N", "format": "integer", "digits": 3, "present": 0.5},
    ],
}
LINE = {
    "name": "Line",
    "identifier": ["orderId", "number"],
    "items": 400_000,
    "attributes": [
        {"name": "orderId", "format": "ulid", "refers_to": "Order.orderId"},
        {"name": "number", "type": "N", "format": "integer", "digits": 4},
        {"name": "product", "bytes": 12},
        {"name": "note", "bytes": 20, "present": 0.5},
        {"name": "pieces", "type": "N", "format": "integer", "digits": 4},
        {"name": "price", "type": "N", "format": "decimal", "digits": 8, "scale": 2},
        {"name": "addedAt", "format": "datetime"},
        {"name": "day", "derived": "date(addedAt)"},
    ],
}
HAS = {
    "name": "has",
    "one": "Order",
    "many": "Line",
    "identifying": True,
    "average": 4,
    "most": 20,
}
OF_ORDER = [{"attribute": "orderId", "is": {"param": "orderId"}}]
ONE_LINE = [*OF_ORDER, {"attribute": "number", "is": {"param": "number"}}]


def orders(*patterns: dict, has: dict = HAS, line: dict = LINE, order: dict = ORDER) -> Design:
    return Design.model_validate(
        {
            "name": "Orders",
            "entities": [order, line],
            "relationships": [has],
            "patterns": numbered(patterns),
        }
    )


WHOLE = rated(
    10, kind="get", returns="Order", where=OF_ORDER, **{"with": [{"relationship": "has"}]}
)
PLACE = rated(
    1,
    kind="transaction",
    members=[{"create": "Order"}, {"create": "Line", "times": {"average": 4, "most": 20}}],
)

EVERYTHING = (
    WHOLE,
    PLACE,
    rated(
        1,
        kind="get",
        returns="Order",
        where=OF_ORDER,
        **{
            "with": [
                {
                    "relationship": "has",
                    "attributes": ["number", "product"],
                    "order": ["addedAt descending"],
                    "limit": 3,
                    "keep": [{"attribute": "pieces", "from": {"param": "least"}}],
                }
            ]
        },
    ),
    rated(
        1, kind="list", returns="Order", where=[{"attribute": "state", "is": {"param": "state"}}]
    ),
    rated(
        1,
        kind="list",
        returns="Order",
        where=[{"attribute": "state", "is": {"value": "OPEN"}}],
        **{"with": [{"relationship": "has"}]},
    ),
    rated(1, kind="list", returns="Line", where=OF_ORDER, order=["number ascending"]),
    rated(
        1,
        kind="list",
        returns="Line",
        where=[
            *OF_ORDER,
            {"attribute": "number", "from": {"param": "first"}, "to": {"param": "last"}},
        ],
        keep=[{"attribute": "note", "exists": True}],
        limit=2,
    ),
    rated(
        1,
        kind="list",
        returns="Line",
        where=OF_ORDER,
        order=["addedAt descending"],
        limit=2,
        then_keep=[{"attribute": "pieces", "from": {"param": "least"}}],
    ),
    rated(1, kind="get", returns="Line", where=ONE_LINE, **{"with": [{"relationship": "has"}]}),
    rated(1, kind="count", returns="Line", where=OF_ORDER),
    rated(1, kind="exists", returns="Line", where=ONE_LINE),
    rated(1, kind="list", returns="Line", where=OF_ORDER, result={"sum": "price"}),
    rated(
        1,
        kind="batch_get",
        returns="Line",
        where=[*OF_ORDER, {"attribute": "number", "any_of": {"param": "numbers"}}],
    ),
    rated(0.1, kind="create", entity="Line", set={"pieces": {"value": 1}}),
    rated(0.1, kind="create", entity="Line", times={"average": 2, "most": 5}, each="lines"),
    rated(0.1, kind="upsert", entity="Line"),
    rated(
        0.1,
        kind="update",
        entity="Line",
        set={"product": {"param": "product"}},
        remove=["note"],
        add={"pieces": {"param": "more"}},
        **{"if": [{"attribute": "price", "below": {"param": "limit"}}]},
    ),
    rated(0.1, kind="update", entity="Line", greatest={"price": "bid"}),
    rated(0.1, kind="update", entity="Line", add={"pieces": {"minus": "fewer"}}),
    rated(0.1, kind="delete", entity="Line"),
    rated(0.1, kind="create", entity="Order"),
    rated(0.1, kind="update", entity="Order", set={"state": {"value": "PAID"}}),
    rated(0.1, kind="delete", entity="Order"),
    rated(
        0.1,
        kind="transaction",
        members=[
            {"check": "Order", "if": [{"attribute": "state", "is": {"value": "OPEN"}}]},
            {"create": "Line"},
        ],
    ),
    rated(
        0.1,
        kind="transaction",
        members=[
            {"update": "Order", "add": {"lines": {"value": 1}}},
            {"create": "Line", "times": {"average": 2, "most": 5}},
        ],
    ),
    rated(
        0.1,
        kind="transaction",
        members=[{"update": "Order", "set": {"state": {"value": "PAID"}}}, {"delete": "Line"}],
    ),
    rated(
        0.1,
        kind="transaction",
        members=[
            {"check": "Line", "if": [{"attribute": "pieces", "after": {"value": 0}}]},
            {"update": "Order", "set": {"state": {"value": "PAID"}}},
        ],
    ),
    rated(0.1, kind="transaction", members=[{"delete": "Order"}, {"delete": "Line"}]),
)


@pytest.fixture(params=["single", "multi", "grouped"])
def style(request):
    return request.param


def test_lines_read_with_their_order_lie_in_it(style):
    made = plan(orders(WHOLE, PLACE), style)
    line = shapes(made)["Line"]
    assert (line.role, line.inside.shape, line.inside.attribute) == ("embedded", "Order", "lines_")
    assert line.inside.at == "{text(number)}"
    read, place = made.operations
    assert [step.call for step in read.steps] == ["GetItem"]
    assert [step.call for step in place.steps] == ["PutItem"]
    (member,) = place.steps[0].members
    assert [(inner.put, inner.at, inner.for_each.values) for inner in member.inside] == [
        ("Line", "{text(number)}", "Line")
    ]
    # An order with four lines is under 1 KB: half a unit a read, one a write, instead of a transaction of five items.
    assert (read.read_units, place.write_units) == (0.5, 1)
    billed = (shapes(made)["Order"].bytes + 100) * 100_000
    expected = SECONDS * (10 * 0.5 * READ + 1 * WRITE) + billed * STORED
    assert made.cost.per_month == pytest.approx(expected, abs=0.001)


def test_what_one_child_takes_is_counted_as_dynamodb_does(style):
    """Name 2 + 1, map 3, and for each attribute its name, its value and 1."""
    line = shapes(plan(orders(WHOLE, PLACE), style))["Line"]
    number, product, note, pieces, price, added = 6 + 3, 7 + 12, (4 + 20) / 2, 6 + 3, 5 + 5, 7 + 20
    own = number + product + note + pieces + price + added + 5.5
    assert line.bytes == pytest.approx(own + 3 + 3 + 1)


def test_the_decision_says_how_often_both_are_needed_and_both_prices(style):
    alone = rated(2.5, kind="list", returns="Line", where=OF_ORDER)
    made = plan(orders(WHOLE, PLACE, alone), style)
    (decision,) = [one for one in made.decisions if one.about == "together Order Line"]
    assert reasons_of(decision)["read-with-children"]["share"] == pytest.approx(0.8)
    assert decision.choice == "inside Order, in lines_"
    (apart,) = decision.instead_of
    assert apart.per_month > decision.per_month
    assert set(decision.serves) == {1, 2, 3}


def test_busy_lines_of_a_large_order_stay_apart(style):
    """Each change of a line would be charged by the whole order."""
    line = {
        **LINE,
        "attributes": [*LINE["attributes"], {"name": "text", "bytes": 900}],
    }
    change = rated(50, kind="update", entity="Line", set={"pieces": {"param": "pieces"}})
    made = plan(orders(WHOLE, PLACE, change, line=line), style)
    assert shapes(made)["Line"].role == "entity"
    (decision,) = [one for one in made.decisions if one.about == "together Order Line"]
    assert decision.choice == "an item of its own"


@pytest.mark.parametrize(
    "apart",
    [
        {"has": {**HAS, "most": None}},
        {"has": {**HAS, "most": 2000}},
        {"has": {**HAS, "identifying": False}},
        {"line": {**LINE, "attributes": [*LINE["attributes"], {"name": "code", "unique": True}]}},
        {"line": {**LINE, "needs": {"stream": "new"}}},
    ],
    ids=["unbounded", "too many", "not identifying", "unique", "needs a stream"],
)
def test_what_may_not_lie_in_its_parent_stays_apart(style, apart):
    assert shapes(plan(orders(WHOLE, PLACE, **apart), style))["Line"].role == "entity"


@pytest.mark.parametrize(
    "asked",
    [
        rated(
            1,
            kind="list",
            returns="Line",
            where=[{"attribute": "product", "is": {"param": "product"}}],
        ),
        rated(1, kind="delete", entity="Line", where=OF_ORDER),
        rated(1, kind="upsert", entity="Order"),
        rated(
            1,
            kind="transaction",
            members=[{"create": "Line", "times": {"average": 2, "most": 9}}],
        ),
    ],
    ids=["by another attribute", "all deleted at once", "parent put whole", "rows of any parent"],
)
def test_a_pattern_that_needs_the_child_apart_keeps_it_apart(style, asked):
    assert shapes(plan(orders(WHOLE, PLACE, asked), style))["Line"].role == "entity"


def test_without_rates_things_stay_as_they_are_stated(style):
    unrated = [{k: v for k, v in p.items() if k != "rate"} for p in (WHOLE, PLACE)]
    made = plan(orders(*unrated), style)
    assert shapes(made)["Line"].role == "entity"
    assert not [one for one in made.decisions if one.about.startswith("together")]


@pytest.mark.proof
def test_every_read_and_write_of_an_embedded_child_is_right(style):
    design = orders(*EVERYTHING)
    made = outlined(design, style)
    assert shapes(made)["Line"].role == "embedded"
    verdict = prove_on(in_memory(), design, made)
    assert verdict.passed, [p for p in verdict.patterns if p.status != "passed"] or verdict.problem


@pytest.mark.proof
def test_a_write_of_one_embedded_child_is_right_beside_another(style):
    def renamed(part: object) -> object:
        if isinstance(part, dict):
            return {key: renamed(value) for key, value in part.items()}
        if isinstance(part, (list, tuple)):
            return [renamed(each) for each in part]
        return (
            part.replace("Order", "Trip").replace("Line", "Leg") if isinstance(part, str) else part
        )

    has = {**HAS, "name": "hasLeg", "one": "Trip", "many": "Leg"}
    asked = [WHOLE, PLACE, rated(1, kind="create", entity="Line", given=["orderId"])]
    theirs = renamed([{**WHOLE, "with": [{"relationship": "hasLeg"}]}, *asked[1:]])
    design = Design.model_validate(
        {
            "name": "Both",
            "entities": [ORDER, LINE, renamed(ORDER), renamed(LINE)],
            "relationships": [HAS, has],
            "patterns": numbered([*asked, *theirs]),
        }
    )
    made = outlined(design, style)
    assert {shapes(made)[name].role for name in ("Line", "Leg")} == {"embedded"}
    verdict = prove_on(in_memory(), design, made)
    assert verdict.passed, [p for p in verdict.patterns if p.status != "passed"] or verdict.problem


@pytest.mark.proof
def test_every_copy_of_the_parent_holds_its_children(style):
    by_customer = [{"attribute": "customerId", "is": {"param": "customerId"}}]
    design = orders(
        *EVERYTHING,
        {**WHOLE, "consistency": "strong"},
        rated(
            10,
            kind="list",
            returns="Order",
            where=by_customer,
            consistency="strong",
            **{"with": [{"relationship": "has"}]},
        ),
        order={**ORDER, "attributes": [*ORDER["attributes"], {"name": "customerId", "bytes": 8}]},
    )
    made = outlined(design, style)
    of_orders = {n: s for n, s in shapes(made).items() if s.entity == "Order" and s.holds}
    assert [shape.role for shape in of_orders.values()] == ["entity", "copy"]
    assert [s.shape for t in made.tables for s in t.items if s.inside] == ["Line"]
    for operation in made.operations:
        members = [m for step in operation.steps for m in step.members if m.shape in of_orders]
        assert all(
            m.inside == members[0].inside for m in members
        )  # what happens in one happens in all
    verdict = prove_on(in_memory(), design, made)
    assert verdict.passed, [p for p in verdict.patterns if p.status != "passed"] or verdict.problem


def preferences(*patterns: dict) -> Design:
    return Design.model_validate(
        {
            "name": "Users",
            "entities": [
                {
                    "name": "User",
                    "identifier": ["userId"],
                    "items": 10_000,
                    "attributes": [
                        {"name": "userId", "format": "ulid"},
                        {"name": "email", "format": "email", "unique": True, "mutable": True},
                        {"name": "about", "bytes": 300},
                    ],
                },
                {
                    "name": "Preferences",
                    "identifier": ["userId"],
                    "items": 8_000,
                    "attributes": [
                        {"name": "userId", "format": "ulid", "refers_to": "User.userId"},
                        {"name": "theme", "values": ["DARK", "LIGHT"], "mutable": True},
                        {"name": "size", "type": "N", "digits": 3, "present": 0.3},
                    ],
                },
            ],
            "relationships": [
                {"name": "prefers", "one": ["User", "Preferences"], "identifying": True}
            ],
            "patterns": numbered(patterns),
        }
    )


OF_USER = [{"attribute": "userId", "is": {"param": "userId"}}]


@pytest.mark.proof
def test_a_partner_lies_in_an_attribute_of_its_own(style):
    design = preferences(
        rated(
            20, kind="get", returns="User", where=OF_USER, **{"with": [{"relationship": "prefers"}]}
        ),
        rated(
            1,
            kind="get",
            returns="User",
            where=[{"attribute": "email", "is": {"param": "email"}}],
            **{"with": [{"relationship": "prefers"}]},
        ),
        rated(1, kind="get", returns="Preferences", where=OF_USER),
        rated(0.1, kind="create", entity="User"),
        rated(0.1, kind="create", entity="Preferences"),
        rated(0.1, kind="upsert", entity="Preferences"),
        rated(0.1, kind="update", entity="Preferences", set={"theme": {"param": "theme"}}),
        rated(0.1, kind="update", entity="User", set={"email": {"param": "email"}}),
        rated(0.1, kind="delete", entity="Preferences"),
        rated(0.1, kind="delete", entity="User"),
        rated(0.1, kind="transaction", members=[{"create": "User"}, {"create": "Preferences"}]),
    )
    made = outlined(design, style)
    inside = shapes(made)["Preferences"].inside
    assert (inside.shape, inside.attribute, inside.at) == ("User", "preferences", None)
    verdict = prove_on(in_memory(), design, made)
    assert verdict.passed, [p for p in verdict.patterns if p.status != "passed"] or verdict.problem
