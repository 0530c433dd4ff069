"""The plans beside the plan, what was not chosen, and what a key is good for."""

from random import Random

import pytest

from designer.core.design import gallery
from designer.core.design.load import load
from designer.core.design.pins import MisfitError
from designer.core.edits import use_alternative
from designer.core.messages import say, text
from designer.core.plan import ALL_STYLES, STYLES
from designer.core.plan.pinning import pin_of
from designer.core.planner import KeyAsked, alternatives, patterns_of_key, plan, why_not
from designer.core.planner.explain.comparing import Difference
from designer.core.planner.explain.pin_prices import PinEffect
from designer.core.planner.pipeline import outlined
from designer.core.planner.what_if.alternatives import (
    FIGURES,
    LABELS,
    LOOK_UPS,
    OBJECTIVES,
    per_second,
)
from designer.proof.prove import prove
from tests.core.test_pins import OF_USER, pinned
from tests.core.test_planner import CREATE, GET, ORDER, design, is_, listing
from tests.designs_small import joined, small
from tests.messages import reasons_of, said_in

SMALL = design([ORDER], [OF_USER, CREATE, GET], planner={"objective": "cost"})
WIDE = {
    "entity": "Order",
    "index": "ByUser",
    "key": {"partition": "{userId}", "sort": "{placedAt}"},
    "projection": "all",
}


def test_no_plan_is_shown_twice():
    found = alternatives(SMALL)
    assert [(one.style, one.name) for one in found] == [("single", "as set"), ("multi", "as set")]
    assert "cheapest" in found[0].also
    assert "grouped style" in found[1].also


def test_the_plan_without_pins_stands_beside_the_pinned_one():
    found = [one for one in alternatives(pinned(WIDE)) if one.style == "multi"]
    assert [one.name for one in found] == ["as set", "without pins"]
    with_pin, free = found
    # 10 orders a second: 4 + 4 units of 1 KB with the pin, 4 + 1 without it; and 2,592,000 seconds.
    assert with_pin.plan.cost.writes_per_month == pytest.approx(10 * 8 * 2.592 * 0.625)
    assert free.plan.cost.writes_per_month == pytest.approx(10 * 5 * 2.592 * 0.625)
    less = round(with_pin.per_month, 2) - round(free.per_month, 2)
    assert free.differs == f"Costs ${less:,.0f} a month less."
    assert (with_pin.indexes, free.indexes) == (1, 1)
    assert dict(free.requests) == {1: 1, 2: 1, 3: 1}


@pytest.mark.slow
def test_each_style_says_what_it_is_best_at():
    found = alternatives(gallery.load("shop"))
    best = {
        name: [one.style for one in found if name in one.best]
        for name in ("cheapest", "fewest indexes")
    }
    assert all(best.values())
    # Shop asks for one request where several tables take more.
    assert any(one.warnings for one in found if one.style != "single")
    cheapest = min(one.per_month for one in found if not one.warnings)
    assert [one.per_month for one in found if "cheapest" in one.best] == [cheapest]


def test_what_costs_the_same_to_the_cent_is_as_cheap():
    """An alternative is not called cheapest beside one of which is said that it costs the same."""
    found = alternatives(gallery.load("merchant-orders"))
    prices = {one.per_month for one in found if not one.warnings}
    as_cheap = {one.per_month for one in found if "cheapest" in one.best}
    assert as_cheap == {usd for usd in prices if usd < min(prices) + 0.005}
    assert len(as_cheap) == 2


def test_what_runs_hot_is_not_called_cheapest_and_says_so():
    newest = listing(order=["placedAt descending"], limit=20, rate={"average": 1})
    created = {**CREATE, "rate": {"average": 10, "peak": 2000}}
    one_partition = {
        "entity": "Order",
        "index": "Newest",
        "key": {"partition": "NEWEST", "sort": "{placedAt}"},
    }
    made = pinned(one_partition, patterns=[newest, created, GET])
    as_set, *_, free = (one for one in alternatives(made) if one.style == "multi")
    assert (as_set.name, free.name) == ("as set", "without pins")
    assert as_set.per_month < free.per_month
    assert [words[:8] for words in as_set.warnings] == ["At peak,"]
    assert (as_set.best, free.warnings) == ((), ())
    assert "cheapest" not in as_set.also
    assert "cheapest" in free.best


COPIED = """
keywright: 1
name: Papers
entities:
  - name: Paper
    identifier: [bookId, paperKey]
    items: 150000
    attributes:
      - {name: bookId, bytes: 10, distinct: 3000}
      - {name: paperKey, bytes: 20, distinct: 150000}
      - {name: abstract, bytes: 300, mutable: true}
      - {name: author, bytes: 10, distinct: 800, mutable: true}
  - name: Edition
    identifier: [bookId, paperKey, language]
    items: 450000
    attributes:
      - {name: bookId, refers_to: Paper.bookId}
      - {name: paperKey, refers_to: Paper.paperKey}
      - {name: language, values: [de, en, fr]}
      - {name: state, values: [drawn, done], shares: [0.4, 0.6], mutable: true}
      - {name: content, bytes: 600, mutable: true}
relationships:
  - name: said
    one: Paper
    many: Edition
    by: [bookId, paperKey]
    identifying: true
    average: 3
    most: 3
patterns:
  - number: 1
    name: Editions in a language
    kind: list
    returns: Edition
    where: [{attribute: bookId, is: {param: bookId}}, {attribute: language, is: {param: language}}]
    rate: {average: 400, peak: 1500}
  - number: 2
    name: A paper with its editions
    kind: get
    returns: Paper
    where: [{attribute: bookId, is: {param: bookId}}, {attribute: paperKey, is: {param: paperKey}}]
    with: [{relationship: said}]
    rate: {average: 5}
  - number: 3
    name: Papers of an author
    kind: list
    returns: Paper
    where: [{attribute: author, is: {param: author}}]
    attributes: [bookId, paperKey]
    rate: {average: 0.5}
  - number: 4
    name: One edition
    kind: get
    returns: Edition
    where:
      - {attribute: bookId, is: {param: bookId}}
      - {attribute: paperKey, is: {param: paperKey}}
      - {attribute: language, is: {param: language}}
    consistency: strong
    rate: {average: 10}
"""


def test_fewest_indexes_leave_out_one_that_entities_share_for_little():
    made = aiming(load(COPIED, name="papers"), "cost")
    cheapest, fewest = plan(made, "single"), plan(aiming(made, "indexes"), "single")
    assert [len(one.tables[0].indexes) for one in (cheapest, fewest)] == [2, 1]
    assert fewest.cost.per_month == pytest.approx(cheapest.cost.per_month, rel=0.01)


@pytest.mark.parametrize(
    "slug",
    ["event-log", pytest.param("sensor-readings", marks=pytest.mark.slow), "merchant-orders"],
)
def test_an_alternative_is_better_at_what_it_is_called(slug):
    found = alternatives(gallery.load(slug))
    assert len(found) > 1
    for one in found:
        as_set = next(each for each in found if each.style == one.style)
        if one is not as_set and one.name in FIGURES:
            assert FIGURES[one.name](one) < FIGURES[one.name](as_set)


def test_what_is_cheaper_by_less_than_a_dollar_is_no_alternative_and_not_called_cheapest():
    made = gallery.load("enrolment")
    as_set = plan(made, "single")
    assert 0 < as_set.cost.per_month - plan(aiming(made, "cost"), "single").cost.per_month < 1
    found = [one for one in alternatives(made) if one.style == "single"]
    assert "cheapest" not in {name for one in found for name in (one.name, *one.also)}


def test_fewest_requests_may_cost_more():
    seldom = {
        "kind": "list",
        "returns": "Order",
        "where": [is_("userId")],
        "order": ["placedAt descending"],
        "limit": 3,
        "rate": {"average": 0.01},
    }
    made = design([ORDER], [seldom, {**CREATE, "rate": {"average": 100}}, GET])
    found = {one.name: one for one in alternatives(made) if one.style == "multi"}
    assert found["as set"].requests[1] == 2
    assert found["fewest requests"].requests[1] == 1
    assert found["fewest requests"].per_month > found["as set"].per_month
    assert "pattern 1 takes 1 request instead of 2" in found["fewest requests"].differs


def test_fewest_requests_are_those_of_all_patterns_together():
    # Asked of several users, no plan takes one request: a narrow index takes two for each, one that holds all one.
    several = {
        "kind": "list",
        "returns": "Order",
        "where": [{"attribute": "userId", "any_of": {"param": "users"}}],
        "rate": {"average": 0.01},
    }
    made = design([ORDER], [several, {**CREATE, "rate": {"average": 100}}, GET])
    as_set, few = (
        next(one for one in alternatives(made) if one.style == "multi" and name in one.name)
        for name in ("as set", "fewest requests")
    )
    assert few.requests[1] < as_set.requests[1]
    assert few.requests_per_second < as_set.requests_per_second
    assert few.per_month > as_set.per_month
    assert "fewest requests" in few.best
    assert few.plan.cost.bound <= as_set.per_month, "no bill is below the bound"


def aiming(made, objective):
    planner = made.planner.model_copy(update={"objective": objective})
    return made.model_copy(update={"planner": planner})


@pytest.mark.slow
@pytest.mark.parametrize("of", [small, joined])
def test_no_other_aim_takes_fewer_requests(of):
    for seed in range(6):
        for style in STYLES:
            made = of(Random(seed))
            plans = {aim: outlined(aiming(made, aim), style) for aim in OBJECTIVES.values()}
            weighed = {
                aim: per_second(made, one) * 2_592_000 / 10 + one.cost.per_month
                for aim, one in plans.items()
            }
            # Of entities that share an index, half a cent a month is left to slots.
            assert weighed["requests"] <= min(weighed.values()) + 0.01, (seed, style)


def test_what_look_ups_would_save_is_offered_with_its_price_and_not_taken():
    """A strong list leads the key with the user; a seldom get and update by the identifier need an index or a guard."""
    strong = listing(is_("userId"), consistency="strong")
    seldom = {"rate": {"average": 0.5}}
    send = {"kind": "update", "entity": "Order", "set": {"status": {"param": "new"}}, **seldom}
    patterns = [strong, {**CREATE, "rate": {"average": 100}}, {**GET, **seldom}, send]
    made = design([ORDER], patterns)
    found = {one.name: one for one in alternatives(made) if one.style == "multi"}
    as_set, offered = found["as set"], found[LOOK_UPS]
    assert as_set.requests[3] == 1
    assert (offered.requests[3], offered.requests[4]) == (2, 2)
    saved = as_set.per_month - offered.per_month
    assert saved > 100
    assert f"Costs ${saved:,.0f} a month less" in offered.differs
    taken = use_alternative(made, offered)
    assert plan(taken, "multi").tables == offered.plan.tables
    assert LOOK_UPS not in {one.name for one in alternatives(taken)}


@pytest.mark.proof
@pytest.mark.parametrize("style", ALL_STYLES)
@pytest.mark.parametrize("form", ["uuid", "text"])
def test_an_item_that_is_read_in_two_requests_is_the_right_one(style, form):
    """With a generated identifier through an index; with another through the guard that keeps it unique."""
    named = {"name": "orderId", "format": form, "bytes": 20}
    order = {**ORDER, "attributes": [named, *ORDER["attributes"][1:]]}
    strong = listing(is_("userId"), consistency="strong")
    seldom = {"rate": {"average": 0.5}}
    patterns = [strong, {**CREATE, "rate": {"average": 100}}, {**GET, **seldom}]
    made_of = design([order], patterns, planner={"point_reads": "by-price"})
    made = plan(made_of, style)
    (first, _) = made.operations_for(3)[0].steps
    assert (first.index is None) == (form == "text")
    verdict = prove(made_of, made)
    assert verdict.passed, verdict.problem or [p for p in verdict.patterns if p.status != "passed"]


def test_alternatives_are_plans_like_any_other():
    for one in alternatives(SMALL):
        assert one.plan == plan(SMALL, one.style)


# What a pin costs


def test_a_pin_is_priced_against_the_plan_without_it():
    made, free = plan(pinned(WIDE), "multi"), plan(SMALL, "multi")
    (decision,) = [d for d in made.decisions if d.about == "pin 1"]
    assert decision.per_month == made.cost.per_month
    assert [rejected.per_month for rejected in decision.instead_of] == [free.cost.per_month]
    # Writes: 3 units more at 10 a second. Reads: ten whole orders are 8 steps of 4 KB, and were one.
    more = 10 * 3 * 2.592 * 0.625 + 5 * (8 - 1) * 0.5 * 2.592 * 0.125
    storage = made.cost.storage_per_month - free.cost.storage_per_month
    written = round(made.cost.per_month, 2) - round(free.cost.per_month, 2)
    assert written == pytest.approx(more + storage, abs=0.01)
    (finding,) = [f for f in made.findings if f.rule == "pin-costs"]
    (costs,) = finding.problem.values["differences"]
    assert finding.problem == say("pin-effect-on-plan", pins=(1,), differences=(costs,))
    assert (costs.id, round(costs.values["usd"], 2)) == (
        "costs-more",
        pytest.approx(written, abs=0.011),
    )
    assert finding.where == "planner.pins.1"


def test_a_pin_is_not_blamed_for_what_runs_hot_without_it():
    counter = {
        "kind": "update",
        "entity": "Order",
        "set": {"note": {"param": "note"}},
        "hottest": 1,
        "rate": {"average": 10, "peak": 2000},
    }
    made = plan(pinned(WIDE, patterns=[OF_USER, CREATE, GET, counter]), "multi")
    assert "hot-partition" in {finding.rule for finding in made.findings}
    (decision,) = [d for d in made.decisions if d.about == "pin 1"]
    assert "has-warning" not in reasons_of(decision)


def test_what_a_pin_changes_is_a_sentence_whatever_it_is():
    one = plan(SMALL, "multi")
    slower = one.model_copy(
        update={
            "operations": tuple(
                made.model_copy(update={"requests": 2.0}) if made.pattern == 1 else made
                for made in one.operations
            )
        }
    )
    said = text(PinEffect((1,), Difference(slower, one)).message)
    assert said == "With pin 1, pattern 1 takes 2 requests instead of 1."
    same = text(PinEffect((1,), Difference(one, one)).message)
    assert same == "With pin 1, the plan costs the same."


def test_a_pin_that_takes_a_pattern_its_answer_is_an_error():
    strong = listing(is_("userId"), consistency="strong", rate={"average": 1})
    pins = (WIDE, {"pattern": 1, "index": "ByUser"})
    made = plan(pinned(*pins, patterns=[strong, CREATE, GET]), "multi")
    (finding,) = [f for f in made.findings if f.rule == "pin-breaks"]
    assert finding.where == "planner.pins.2"
    assert said_in(finding.problem)["not-served"] == {"patterns": (1,)}
    (broken,) = [f for f in made.findings if f.rule == "not-served"]
    assert (
        "It is pinned to an index that cannot serve it, because a strongly consistent read"
        in broken.message
    )
    assert "pin-not-obeyed" not in {f.rule for f in made.findings}


@pytest.mark.parametrize("style", STYLES)
def test_a_pin_that_takes_one_case_of_a_pattern_its_answer_is_an_error(style):
    key = {"partition": "{userId}#{status}", "sort": "{placedAt}#"}
    pins = (
        {"entity": "Order", "index": "ByStatus", "key": key},
        {"pattern": 1, "index": "ByStatus"},
    )
    made = plan(pinned(*pins, patterns=[OF_STATUS, CREATE, GET]), style)
    found = {f.where: f for f in made.findings if f.rule == "pin-breaks"}
    finding = found["planner.pins.2"]
    assert said_in(finding.problem)["not-served-given"] == {"pattern": 1, "given": ()}


MEMBER = {
    "name": "Member",
    "identifier": ["roomId", "personId"],
    "items": 1_000_000,
    "attributes": [
        {"name": "roomId", "format": "uuid", "distinct": 100_000},
        {"name": "personId", "format": "uuid", "distinct": 200_000},
        {"name": "note", "bytes": 500, "mutable": True},
    ],
}
OF_MEMBERS = [
    {
        "kind": "list",
        "returns": "Member",
        "where": [is_(name)],
        "rate": {"average": 10},
    }
    for name in ("roomId", "personId")
]
NOTED = {"kind": "update", "entity": "Member", "set": {"note": {"param": "note"}}}
NOTED["rate"] = {"average": 50}


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("style", STYLES)
def test_what_is_pinned_of_an_index_has_the_pattern_read_one(style, number):
    pins = ({"pattern": number, "projection": "all"},)
    made = plan(design([MEMBER], [*OF_MEMBERS, NOTED], planner={"pins": pins}), style)
    (operation,) = made.operations_for(number)
    (step,) = operation.steps
    indexes = {index.name: index for table in made.tables for index in table.indexes}
    assert indexes[step.index].projection.type == "ALL"
    assert "pin-not-obeyed" not in {finding.rule for finding in made.findings}


WARD = {
    "name": "Ward",
    "identifier": ["wardId"],
    "items": 800,
    "attributes": [
        {"name": "wardId", "bytes": 6},
        {"name": "hospital", "bytes": 5, "distinct": 60},
        {"name": "phone", "bytes": 12, "mutable": True},
    ],
}
OPTIONAL = {"present": 0.05, "mutable": True}
PATIENT = {
    "name": "Patient",
    "identifier": ["patientId"],
    "items": 400_000,
    "attributes": [
        {"name": "patientId", "format": "uuid"},
        {"name": "name", "bytes": 20, "mutable": True},
        {"name": "wardId", "bytes": 6, "refers_to": "Ward.wardId", **OPTIONAL},
        {"name": "bed", "bytes": 4, **OPTIONAL},
    ],
}
LIES = {"name": "lies", "one": "Ward", "many": "Patient", "by": "wardId", "average": 25, "most": 60}
WITH_PATIENTS = {
    "kind": "get",
    "returns": "Ward",
    "where": [is_("wardId")],
    "with": [
        {
            "relationship": "lies",
            "attributes": ["name", "bed"],
            # No key has the first few in this order, so they are not read along with the ward.
            "order": ["bed ascending", "name descending"],
            "limit": 5,
        }
    ],
    "rate": {"average": 5},
}
OF_WARDS = [
    WITH_PATIENTS,
    {**listing(is_("wardId"), order=["bed ascending"], rate={"average": 6}), "returns": "Patient"},
    {**listing(is_("hospital"), rate={"average": 2}), "returns": "Ward"},
]


@pytest.mark.parametrize(
    ("projection", "reason"),
    [
        ("all", None),
        ("include", None),
        ("keys-only", "served-in-one-request"),
    ],
)
def test_what_is_pinned_for_a_pattern_is_of_the_index_that_finds_what_it_returns(
    projection, reason
):
    mine = {"pattern": 1, "projection": projection}
    pins = (mine,)
    if reason is None:
        # Else both would share an index.
        pins = ({**mine, "index": "WardsById"}, {"pattern": 2, "index": "PatientsByWard"})
    planner = {"objective": "cost", "pins": pins}
    asked = design([WARD, PATIENT], OF_WARDS, relationships=[LIES], planner=planner)
    made = plan(asked, "single")
    first, along = made.operations_for(1)[0].steps
    held = {index.name: index.projection.type for table in made.tables for index in table.indexes}
    assert held[along.index] == "INCLUDE"
    said = [finding.problem for finding in made.findings if finding.rule == "pin-not-obeyed"]
    if reason is None:
        assert (along.index, first.index) == ("PatientsByWard", "WardsById")
        assert (held[first.index].lower(), said) == (projection, [])
    else:
        assert said == [say("pin-not-obeyed", pin=1, reason=say(reason, pattern=1))]


@pytest.mark.parametrize("style", STYLES)
def test_one_index_has_one_of_the_names_that_are_pinned_for_it(style):
    pins = ({"pattern": 1, "index": "One"}, {"pattern": 2, "index": "Two"})
    asked = [OF_USER, {**OF_USER, "limit": 3}, CREATE, GET]
    made = plan(design([ORDER], asked, planner={"pins": pins}), style)
    (index,) = (index for table in made.tables for index in table.indexes)
    other = {"One": 2, "Two": 1}[index.name]
    said = [f.problem for f in made.findings if f.rule == "pin-not-obeyed"]
    reads = say("reads-other-index", pattern=other, indexes=(index.name,))
    assert said == [say("pin-not-obeyed", pin=other, reason=reads)]


@pytest.mark.parametrize("style", ALL_STYLES)
@pytest.mark.parametrize("field", ["index", "name"])
def test_only_the_index_that_answers_a_pattern_has_the_name_pinned_for_it(field, style):
    many = {**ORDER, "items": 1_000_000_000}
    newest, largest = (
        listing(is_("userId"), order=[f"{name} descending"], limit=5, rate={"average": 100})
        for name in ("placedAt", "total")
    )
    asked = [newest, largest, OF_USER, CREATE, GET, *OF_MEMBERS, NOTED]
    pins = ({"pattern": 3, field: "Mine"},)
    made_of = design([many, MEMBER], asked, planner={"pins": pins})
    made = plan(made_of, style)
    names = [o.steps[0].index for number in (1, 2, 3) for o in made.operations_for(number)]
    assert names[0] != names[1]
    assert names[2] == "Mine"
    assert "pin-not-obeyed" not in {finding.rule for finding in made.findings}
    verdict = prove(made_of, made)
    assert {pattern.status for pattern in verdict.patterns} == {"passed"}


def test_an_index_is_pinned_by_its_key_or_what_it_answers():
    pins = ({"entity": "Order", "index": "OrdersByUser", "projection": "all"},)
    made = plan(design([ORDER], [OF_USER, CREATE, GET], planner={"pins": pins}), "multi")
    (finding,) = [f for f in made.findings if f.rule == "pin-not-obeyed"]
    assert finding.problem.values["reason"] == say("no-key-pinned")
    assert made.tables == plan(SMALL, "multi").tables


def test_a_list_that_is_pinned_for_a_pattern_keeps_other_kinds_of_items_out():
    parcel = {
        **MEMBER,
        "name": "Parcel",
        "identifier": ["parcelId"],
        "attributes": [
            {"name": "parcelId", "format": "uuid"},
            {"name": "depotId", "format": "uuid", "distinct": 100_000},
            {"name": "label", "bytes": 40},
        ],
    }
    of_depot = {"kind": "list", "returns": "Parcel", "where": [is_("depotId")]}
    seldom_noted = {**NOTED, "rate": {"average": 0.001}}
    asked = [{**of_depot, "rate": {"average": 10}}, *OF_MEMBERS, seldom_noted]
    pins = ({"pattern": 1, "projection": "include"},)
    made = plan(design([MEMBER, parcel], asked, planner={"pins": pins}), "single")
    (operation,) = made.operations_for(1)
    held = {index.name: index.projection.type for table in made.tables for index in table.indexes}
    assert held[operation.steps[0].index] == "INCLUDE"
    assert "pin-not-obeyed" not in {finding.rule for finding in made.findings}


@pytest.mark.parametrize("style", STYLES)
def test_what_no_index_can_do_changes_nothing(style):
    sure = {
        "kind": "exists",
        "returns": "Member",
        "where": [is_("roomId"), is_("personId")],
        "consistency": "strong",
        "rate": {"average": 10},
    }
    asked = [*OF_MEMBERS, NOTED, sure]
    free = plan(design([MEMBER], asked), style)
    pins = ({"pattern": 4, "projection": "all"},)
    made = plan(design([MEMBER], asked, planner={"pins": pins}), style)
    assert (made.tables, made.operations, made.cost) == (free.tables, free.operations, free.cost)
    said = [f.message for f in made.findings if f.rule.startswith("pin")]
    assert said == ["Pin 1 is not followed: pattern 4 reads no index."]


def test_a_stored_pin_that_cannot_be_obeyed_is_said_and_left_out():
    pin = {"entity": "Order", "key": {"partition": "S#{status}", "sort": "{orderId}"}}
    made = plan(design([ORDER], [OF_USER, CREATE, GET], planner={"pins": [pin]}), "multi")
    (finding,) = [f for f in made.findings if f.rule == "pin-not-obeyed"]
    assert "status can change" in finding.message
    assert made.tables == plan(SMALL, "multi").tables


def test_keys_that_two_items_may_share_are_found():
    user = {
        "name": "User",
        "identifier": ["userId"],
        "items": 10,
        "attributes": [{"name": "userId"}],
    }
    pins = [
        {"entity": "Order", "key": {"partition": "X#{orderId}", "sort": "A"}},
        {"entity": "User", "key": {"partition": "X#{userId}", "sort": "A"}},
    ]
    made = plan(design([ORDER, user], [CREATE, GET], planner={"pins": pins}), "single")
    (finding,) = [f for f in made.findings if f.rule == "pin-collides"]
    (table,) = (table.name for table in made.tables)
    assert finding.problem == say("pin-collides", table=table, earlier="Order", later="User")


# Why not


def test_a_key_is_compared_with_the_others():
    found = why_not(SMALL, "multi", "key Order")
    assert found.now == "orderId = {orderId}"
    prices = {rival.choice: rival.per_month for rival in found.rivals}
    assert min(prices.values()) >= found.per_month == plan(SMALL, "multi").cost.per_month
    assert "by userId, then placedAt and orderId" in prices


def test_keys_that_were_not_chosen_are_the_first_rivals_at_the_same_prices():
    places = ("country", "state", "city")
    asked = [
        {
            "number": at,
            "name": f"Stores of a {places[at - 1]}",
            "kind": "list",
            "returns": "Store",
            "where": [{"attribute": n, "is": {"param": n}} for n in places[:at]],
            "rate": {"average": 1},
        }
        for at in range(1, len(places) + 1)
    ]
    store = {"name": "Store", "identifier": ["number"], "items": 30_000}
    store["attributes"] = [{"name": "number", "format": "uuid"}]
    store["attributes"] += [{"name": n, "distinct": 10 ** (at + 1)} for at, n in enumerate(places)]
    opened = {"number": 9, "name": "Open", "kind": "create", "entity": "Store"}
    patterns = [*asked, {**opened, "rate": {"average": 1}}]
    made = design([store], patterns)
    (decision,) = [one for one in plan(made, "multi").decisions if one.about == "key Store"]
    rivals = why_not(made, "multi", "key Store").rivals
    prices = {one.choice: (one.per_month, one.because) for one in rivals}
    assert list(prices.values()) == sorted(prices.values(), key=lambda price: price[0])
    assert len(decision.instead_of) == 3
    for other in decision.instead_of:
        price, because = prices[other.choice]
        assert price == other.per_month and because.startswith(other.because)


def test_a_key_that_is_too_long_is_refused_in_words():
    long = KeyAsked("Order", "A" * 200 + "#{userId}", "{placedAt}", index=True)
    said = "of the partition key the text has 209 characters; at most 200 are allowed"
    assert why_not(SMALL, "multi", long).forbidden == said


def test_an_index_is_compared_with_doing_without_it():
    found = why_not(SMALL, "multi", "index Orders/OrdersByUser")
    (other,) = [one for one in found.rivals if one.choice == "Order: an index by userId"]
    assert "no-better" in reasons_of(other)
    assert all(
        rival.per_month is None or rival.per_month >= found.per_month for rival in found.rivals
    )


def test_an_answer_for_several_entities_names_them_all():
    """One alone would have that key already."""
    found = why_not(gallery.load("organisation"), "single", "index staff-app/GSI1")
    (table,) = [one for one in found.rivals if "a table key" in one.choice]
    said = "Organisation, Department, Team and Employee: found through a table key by organisationId, for pattern 6"
    assert table.choice == said


def test_a_pattern_is_compared_with_its_other_answers():
    found = why_not(SMALL, "multi", "pattern 1")
    assert found.now == "index OrdersByUser"
    assert found.rivals
    assert all(rival.choice.startswith("Order: ") for rival in found.rivals)


def test_what_would_be_cheaper_and_run_hot_is_said_to():
    newest = listing(order=["placedAt descending"], limit=20, rate={"average": 1})
    created = {**CREATE, "rate": {"average": 10, "peak": 2000}}
    found = why_not(design([ORDER], [newest, created]), "multi", "pattern 1")
    hot = [rival for rival in found.rivals if rival.per_month < found.per_month]
    assert hot
    warned = [reasons_of(one)["has-warning"]["warning"] for one in hot]
    assert {warning.id for warning in warned} == {"hot-partition"}


OF_STATUS = {
    **listing(
        is_("userId"),
        {**is_("status"), "optional": True},
        order=["placedAt descending"],
        limit=10,
        rate={"average": 5},
    )
}


def test_what_answers_some_cases_of_a_pattern_has_a_reason_and_no_price():
    found = why_not(design([ORDER], [OF_STATUS, CREATE, GET]), "multi", "pattern 1")
    of_some = {one.choice: one for one in found.rivals if "not-served-given" in reasons_of(one)}
    assert of_some["Order: an index by userId and status, then placedAt"].because == (
        "pattern 1 is not served when no optional parameter is given. status is not given, and a Query needs the whole "
        "partition key"
    )
    sorted_by = of_some["Order: an index by userId, then status and placedAt"].because
    assert (
        "when no optional parameter is given. The key is not sorted by placedAt, and the largest number"
        in sorted_by
    )
    assert {one.per_month for one in of_some.values()} == {None}
    assert [one for one in found.rivals if one.per_month is not None]


def test_what_would_leave_a_pattern_without_an_answer_is_not_offered_for_it():
    by_owner = {**OF_USER, "rate": {"average": 1}}
    strong = {**GET, "consistency": "strong", "rate": {"average": 10}}
    found = why_not(design([ORDER], [strong, by_owner]), "single", "pattern 1")
    keys = [key for one in found.rivals for key in said_in(one.chosen)["through"]["places"]]
    assert not [key for key in keys if key.kind == "local"]
    assert all(one.per_month >= found.per_month for one in found.rivals)


@pytest.mark.parametrize("style", STYLES)
def test_a_key_with_which_a_pattern_has_no_answer_has_no_price(style):
    many = {**ORDER, "items": 50_000_000}
    of_open = listing(is_("userId"), {"attribute": "status", "is": {"value": "OPEN"}})
    strong = {**of_open, "consistency": "strong", "rate": {"average": 10}}
    made = design([many], [strong, GET, CREATE])
    for about in ("key Order", KeyAsked("Order", "O#{orderId}")):
        (rival,) = why_not(made, style, about).rivals
        assert (rival.choice, rival.per_month) == ("by orderId", None)
        assert rival.because.startswith(
            "pattern 1 is not served. A strongly consistent read needs the"
        )
    (decision,) = [one for one in plan(made, style).decisions if one.about == "key Order"]
    (rejected,) = decision.instead_of
    assert (reasons_of(rejected), rejected.per_month) == ({"does-not-serve-all": {}}, None)


def test_an_index_is_compared_with_keeping_each_item_twice():
    found = why_not(SMALL, "multi", "index Orders/OrdersByUser")
    twice = "Order: each item stored twice, the second time by userId, then placedAt"
    (rival,) = [rival for rival in found.rivals if rival.choice == twice]
    # 10 orders a second: 2 x (4 + 4) units in a transaction instead of 4 + 1; reads and bytes are more, too.
    more = 10 * (16 - 5) * 2.592 * 0.625
    assert more < rival.per_month - found.per_month < 1.05 * more
    assert reasons_of(rival)["fewer-indexes"] == {"count": 1}


def test_a_key_that_changes_is_no_key_to_keep_an_item_under():
    by_status = listing(is_("status"), order=["placedAt descending"], limit=3, rate={"average": 1})
    made = design([ORDER], [by_status, CREATE, GET])
    assert not [r for r in why_not(made, "multi", "pattern 1").rivals if "twice" in r.choice]


def test_a_key_somebody_has_in_mind_is_priced():
    found = why_not(SMALL, "multi", KeyAsked("Order", ("userId",), ("placedAt", "orderId")))
    assert (found.listed, found.forbidden) == (True, "")
    (rival,) = found.rivals
    assert rival.choice == "by userId, then placedAt and orderId"
    assert rival.per_month > found.per_month
    written = why_not(SMALL, "multi", KeyAsked("Order", "U#{userId}", "{total}#{orderId}"))
    assert written.listed is False
    assert written.rivals[0].per_month > found.per_month


@pytest.mark.parametrize("style", ALL_STYLES)
def test_a_key_without_a_sort_key_is_completed_as_a_pin_of_it_is(style):
    partition = "USER#{userId}" if style == "single" else "{userId}"
    by_hand = pinned({"style": style, "entity": "Order", "key": {"partition": partition}})
    usd = plan(by_hand, style).cost.per_month
    for asked in (("userId",), partition):
        found = why_not(SMALL, style, KeyAsked("Order", asked))
        (rival,) = found.rivals
        assert (rival.choice, rival.per_month) == ("by userId, then orderId", usd)
    assert why_not(by_hand, style, KeyAsked("Order", ("userId",))).has


@pytest.mark.parametrize("style", ALL_STYLES)
def test_the_key_that_the_plan_has_is_no_rival_of_itself(style):
    pin = pin_of(plan(SMALL, style), "key Order")
    for key in ((("orderId",), ()), (pin.key.partition, pin.key.sort or "")):
        found = why_not(SMALL, style, KeyAsked("Order", *key))
        assert (found.has, found.rivals) == (True, ())
    assert not why_not(SMALL, style, KeyAsked("Order", "X#{orderId}", pin.key.sort or "")).has


def test_a_key_is_asked_about_in_place_of_the_pinned_one():
    pin = {"entity": "Order", "key": {"partition": "O#{orderId}", "sort": "A"}, "name": "Deals"}
    by_hand = pinned(pin)
    for asked in (
        KeyAsked("Order", ("userId",), ("placedAt", "orderId")),
        KeyAsked("Order", "U#{userId}", "{placedAt}#{orderId}"),
    ):
        found, free = (why_not(design, "multi", asked) for design in (by_hand, SMALL))
        assert (found.forbidden, found.unpinned, free.unpinned) == ("", True, False)
        assert found.rivals[0].per_month == free.rivals[0].per_month
    assert why_not(by_hand, "multi", KeyAsked("Order", "O#{orderId}", "A")).has
    others = why_not(by_hand, "multi", "key Order")
    assert others.unpinned
    assert "by userId, then placedAt and orderId" in {one.choice for one in others.rivals}


def test_rivals_that_differ_in_the_items_they_hold_are_told_apart():
    waiting = listing(is_("userId"), {"attribute": "status", "is": {"value": "OPEN"}})
    asked = {**waiting, "rate": {"average": 5}}
    rivals = why_not(design([ORDER], [asked, CREATE, GET]), "multi", "pattern 1").rivals
    choices = [rival.choice for rival in rivals]
    assert len(set(choices)) == len(choices)
    assert any("only where status is OPEN" in choice for choice in choices)


def test_the_index_that_the_plan_has_is_no_rival_of_itself():
    pin = pin_of(plan(SMALL, "single"), "index Test/GSI1 Order")
    asked = KeyAsked("Order", pin.key.partition, pin.key.sort, index=True)
    assert why_not(SMALL, "single", asked).has
    assert not why_not(SMALL, "single", KeyAsked("Order", ("status",), (), index=True)).has


@pytest.mark.parametrize("style", ALL_STYLES)
def test_a_key_in_words_may_end_with_what_is_asked_by_range(style):
    by_day = {**ORDER, "identifier": ["userId", "placedAt"]}
    since = {"attribute": "placedAt", "from": {"param": "since"}, "below": {"param": "until"}}
    asked = listing(is_("userId"), since, rate={"average": 1})
    other = {"attribute": "status", "is": {"param": "status"}}
    made = design([by_day], [asked, listing(other, rate={"average": 1}, number=2), CREATE])
    found = why_not(made, style, KeyAsked("Order", ("userId",), ("placedAt",)))
    assert found.forbidden == "" and (found.has or found.rivals)


def test_a_key_that_a_rule_forbids_says_which():
    found = why_not(SMALL, "single", KeyAsked("Order", ("status",), ("orderId",)))
    assert "cannot" in found.forbidden
    assert found.rivals == ()


@pytest.mark.parametrize("about", ["key Nobody", "index a/b", "pattern 99"])
def test_what_is_not_there_is_asked_in_vain(about):
    with pytest.raises(KeyError):
        why_not(SMALL, "multi", about)


# What a key is good for

ASKED = [
    listing(is_("userId"), order=["placedAt descending"], limit=10),
    listing(is_("userId"), is_("status"), limit=10),
    listing(is_("status")),
    GET,
    listing({"attribute": "status", "is": {"value": "OPEN"}}, is_("userId"), consistency="strong"),
    CREATE,
]


def verdicts(partition, sort=()):
    found = patterns_of_key(design([ORDER], ASKED), "multi", "Order", partition, sort)
    return {asked.pattern: asked.verdict for asked in found}


def reason(pattern, partition, sort=()):
    found = patterns_of_key(design([ORDER], ASKED), "multi", "Order", partition, sort)
    return next(asked.reason for asked in found if asked.pattern == pattern)


def test_a_key_says_which_patterns_it_answers():
    by_user = {1: "efficient", 2: "over-reads", 3: "no", 4: "no", 5: "no"}
    assert verdicts(("userId",), ("placedAt",)) == by_user
    assert verdicts(("userId",), ("placedAt", "orderId")) == {**by_user, 5: "over-reads"}
    assert verdicts(("orderId",)) == {1: "no", 2: "no", 3: "no", 4: "efficient", 5: "no"}
    assert verdicts("S#{status}", "{placedAt}")[3] == "several requests"


def test_a_key_says_why_it_does_not_answer():
    not_given = say("partition-key-not-given", attributes=("userId",))
    assert reason(3, ("userId",)) == not_given
    assert reason(5, ("userId",), ("placedAt",)) == say("index-is-not-strong")
    over_read = reason(2, ("userId",), ("placedAt",))
    assert over_read.id == "reads-to-return"
    assert over_read.values["read"] == 10
    assert over_read.values["does"] == (say("then-tests", attributes=("status",)),)
    assert reason(4, ("orderId",)) == say("gives-whole-key")


@pytest.mark.parametrize(
    ("partition", "sort"),
    [
        ("USER#{userId}", 'ORDER#{only(status, "OPEN")}#{placedAt}'),
        ('{when(status, "OPEN")}USER#{userId}', 'ORDER#{only(status, "OPEN")}#{placedAt}'),
        ('{when(status, "OPEN")}USER#{userId}', "ORDER#{placedAt}"),
    ],
)
def test_a_key_of_some_items_answers_what_asks_for_these(partition, sort):
    of_open = listing(is_("userId"), {"attribute": "status", "is": {"value": "OPEN"}})
    made = design([ORDER], [*ASKED[:3], {**of_open, "number": 6}, CREATE])
    found = {one.pattern: one for one in patterns_of_key(made, "single", "Order", partition, sort)}
    verdicts = {number: one.verdict for number, one in found.items()}
    assert verdicts == {1: "no", 2: "no", 3: "no", 6: "efficient"}
    assert found[1].reason == say("index-holds-only", attribute="status", values=("OPEN",))
    assert found[1].because == (
        "The index holds only items whose status is OPEN, and the result may include others."
    )
    assert found[6].read == found[6].returned


def test_what_fills_several_pages_is_not_one_request():
    assert text(reason(3, ("status",), ("placedAt",))).endswith(" requests: one for each page")


def test_a_key_asked_for_each_value_of_a_list_says_so():
    of_both = {"attribute": "userId", "any_of": {"param": "users", "count": 2}}
    made = design([ORDER], [listing(of_both), GET, CREATE])
    [asked, _] = patterns_of_key(made, "multi", "Order", ("userId",), ("placedAt",))
    assert asked.verdict == "several requests"
    assert asked.because == "It takes 2 requests: one for each of the 2 values."


def test_over_reading_is_counted():
    found = patterns_of_key(
        design([ORDER], ASKED), "multi", "Order", ("userId",), ("placedAt", "orderId")
    )
    # A million orders of 100,000 users are ten each; one in a hundred is open.
    (asked,) = [one for one in found if one.pattern == 5]
    assert (asked.read, asked.returned) == (10, pytest.approx(0.1))


def test_a_key_of_what_is_not_there_is_refused():
    with pytest.raises(MisfitError):
        patterns_of_key(SMALL, "multi", "Order", ("nothing",))
    with pytest.raises(KeyError):
        patterns_of_key(SMALL, "multi", "Nobody", ("orderId",))


@pytest.mark.parametrize("style", ALL_STYLES)
def test_what_a_plans_own_key_answers_in_one_request_is_called_efficient(style):
    made = gallery.load("newest-orders")
    asked = patterns_of_key(made, style, "Order", ("customerId",), ("orderId",))
    assert {one.verdict for one in asked} == {"efficient"}


@pytest.mark.parametrize("slug", ["premium-and-sale", "tags"])
def test_each_alternative_and_what_else_it_is_has_a_label(slug):
    for one in alternatives(gallery.load(slug)):
        names = (one.name, *(name for name in one.also if not name.endswith(" style")))
        assert all(LABELS[name] for name in names), one.name
