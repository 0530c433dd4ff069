"""The styles side by side: figures worked by hand, what each criterion says, and what is recommended and why."""

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from designer.core.comparison.apart import costs_more
from designer.core.comparison.compare import Comparison, compared
from designer.core.comparison.coupling import coupling
from designer.core.comparison.criteria import CRITERIA, in_order
from designer.core.comparison.criteria.served import _failing
from designer.core.comparison.fares import Fare, consistency_of
from designer.core.comparison.technologies.base import _beside
from designer.core.comparison.technologies.streams import events
from designer.core.comparison.totals import totals
from designer.core.comparison.turning import turning
from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.plan import ALL_STYLES, STYLES, Finding, Operation, Plan, Step, Style, Upkeep
from designer.core.planner import plan
from designer.core.sentences.plans import unshared
from tests.core.priced import READ, SECONDS, numbered, rated
from tests.planned import planned

BOARD = {
    "name": "Board",
    "identifier": ["boardId"],
    "items": 1000,
    "attributes": [
        {"name": "boardId", "format": "uuid"},
        {"name": "title", "bytes": 20, "mutable": True},
    ],
}
CARD = {
    "name": "Card",
    "identifier": ["boardId", "number"],
    "items": 20_000,
    "attributes": [
        {"name": "boardId", "format": "uuid", "refers_to": "Board.boardId"},
        {"name": "number", "type": "N", "digits": 4},
        {"name": "text", "bytes": 60, "mutable": True},
    ],
}
HAS = {
    "name": "has",
    "one": "Board",
    "many": "Card",
    "by": "boardId",
    "identifying": True,
    "average": 20,
}
BY_ID = [{"attribute": "boardId", "is": {"param": "boardId"}}]
OPEN = rated(
    100, 400, kind="get", returns="Board", where=BY_ID, **{"with": [{"relationship": "has"}]}
)
CREATE = rated(0.1, kind="create", entity="Card")
BEGIN = rated(0.1, kind="create", entity="Board")


def boards(*patterns: dict, needs: dict | None = None, **more: object) -> Design:
    """Boards with their cards, each in an item of its own; `needs` are those of a card."""
    card = CARD if needs is None else {**CARD, "needs": needs}
    return Design.model_validate(
        {
            "name": "Boards",
            "entities": [BOARD, card],
            "relationships": [HAS],
            "patterns": numbered(patterns),
            **more,
            "planner": {"items": "as-stated", **more.get("planner", {})},  # type: ignore[dict-item]
        }
    )


def comparison(design: Design, styles: tuple[Style, ...] = STYLES) -> Comparison:
    return compared(design, {style: planned(design, style) for style in styles})


def fares(found: Comparison, number: int) -> tuple[Fare, ...]:
    return next(row.fares for row in found.rows if row.pattern.number == number)


def answers(found: Comparison) -> dict[str, str]:
    return {one.criterion.slug: one.answer.says for one in found.recommendation.answered}


def deciding(found: Comparison) -> list[str]:
    return [one.criterion.slug for one in found.recommendation.reasons]


def test_what_is_read_together_takes_one_request_where_it_lies_together() -> None:
    # A board and its 20 cards of about 130 bytes are less than 4 KB: half a unit, eventually consistent, in one Query;
    # apart they are half a unit each.
    single, multi = fares(comparison(boards(OPEN, CREATE, BEGIN)), 1)
    assert (single.requests, multi.requests) == (1, 2)
    assert (single.read, multi.read) == (21, 21)
    assert (single.read_units, multi.read_units) == (Fraction(1, 2), 1)
    assert float(single.usd or 0) == pytest.approx(100 * 0.5 * SECONDS * READ)
    assert float(multi.usd or 0) == pytest.approx(100 * SECONDS * READ)
    assert (single.verdict, multi.verdict) == ("good", "more requests")
    assert (single.more_requests, multi.more_requests) == (0, 1)
    assert (single.consistency, multi.consistency) == ("eventual", "eventual")
    # 400 a second at peak; one board in a thousand has a thousandth of them.
    assert single.heat is not None and single.heat.used == Fraction(400, 1000) / 2 / 3000


@pytest.mark.parametrize("slug", ["shop", "merchant-orders", "running-totals"])
def test_every_column_adds_up_to_its_bill(slug: str) -> None:
    found = comparison(gallery.load(slug), ALL_STYLES)
    for at, side in enumerate(found.sides):
        paid = sum((row.fares[at].usd or Fraction(0) for row in found.rows), Fraction(0))
        assert paid and paid + found.besides(side.style) == side.usd
        stored = sum((line.usd_storage for line in side.bill.structures), Fraction(0))
        upkeep = sum((line.usd for line in side.bill.patterns if line.upkeep), Fraction(0))
        charges = sum((one.usd for one in side.bill.charges), Fraction(0))
        assert found.besides(side.style) == stored + upkeep + charges


def test_what_lies_together_is_restored_together_and_told_of_together() -> None:
    found = comparison(boards(OPEN, CREATE, BEGIN, needs={"stream": "new", "personal_data": True}))
    (whole,) = coupling(found.sides[0])
    assert whole.entities == ("Board", "Card") and whole.is_shared and whole.share == 1
    assert (whole.streamed_for, whole.streamed_along) == (("Card",), ("Board",))
    assert (whole.personal, whole.beside_personal) == (("Card",), ("Board",))
    said = {one.slug: price for one, _, price in found.technologies}
    assert "also reports changes to 1 other entity" in said["single-table"], said
    apart = coupling(found.sides[1])
    assert [one.entities for one in apart] == [("Board",), ("Card",)]
    assert not any(one.streamed_along or one.beside_personal for one in apart)
    assert sum(one.share for one in apart) == 1


def test_a_stream_that_a_plan_needs_is_nobody_else_s() -> None:
    # A product's name is copied to the lines of orders, so somebody follows the products.
    whole, *apart = (
        one
        for side in comparison(gallery.load("order-lines")).sides
        for one in coupling(side)
        if one.has_stream
    )
    assert whole.streamed_for == ("Product",) and "Product" not in whole.streamed_along
    assert whole.streamed_along
    assert [one.streamed_along for one in apart] == [()]
    found = comparison(gallery.load("order-lines")).recommendation
    (streams,) = (one for one in found.answered if one.criterion.slug == "streams")
    assert streams.answer.is_stated and streams.answer.favours == ("multi",)
    assert "Product: a stream for copies; all others: no stream" in streams.answer.says


def test_what_lies_inside_another_s_item_shares_its_table() -> None:
    found = comparison(gallery.load("user-preferences"))
    assert [side.sharing for side in found.sides] == [(("User", "Preferences"),)] * 2


def test_what_is_not_stated_is_said_to_be_so() -> None:
    found = comparison(boards(OPEN, CREATE, BEGIN)).recommendation
    assert {one.criterion.slug for one in found.not_stated} == {
        "teams", "scaling", "backups", "streams", "permissions",
        "latency", "workflows", "settled", "unforeseen",
    }  # fmt: skip
    assert not any(one.answer.favours for one in found.not_stated)


def test_without_rates_nothing_is_said_of_cost() -> None:
    opened, created, begun = ({**one, "rate": None} for one in (OPEN, CREATE, BEGIN))
    found = comparison(boards(opened, created, begun))
    assert "cost" in {one.criterion.slug for one in found.recommendation.not_stated}
    assert fares(found, 1)[0].usd is None
    assert answers(found)["requests"].startswith("Requests to run each access pattern once")
    assert found.recommendation.style == "single" and deciding(found) == ["related"]


def test_the_cheaper_style_is_recommended_and_what_speaks_against_it_is_named() -> None:
    found = comparison(boards(OPEN, CREATE, BEGIN)).recommendation
    assert found.style == "single"
    assert [one.criterion.slug for one in found.reasons] == ["cost"]
    assert found.reasons[0].ruled_out == "The multi-table style is ruled out because of cost."
    (against,) = found.against
    assert against.criterion.slug == "apart"
    assert against.favoured == ("In the multi-table style, no entities share a table.")
    assert found.reasons[0].leaves_out == ("multi",)


def test_what_rules_a_style_out_favours_one_that_is_left_and_is_no_argument_against_it() -> None:
    found = comparison(gallery.load("running-totals"), ALL_STYLES).recommendation
    assert found.style == "grouped"
    (apart,) = (one for one in found.answered if one.criterion.slug == "apart")
    assert (apart.leaves_out, apart.favours) == (("single",), ("grouped",))
    assert apart.answer.favours == ("multi",)  # which the cost ruled out
    assert apart not in found.against


def test_sharing_tables_is_no_fault_but_decides_where_nothing_else_does() -> None:
    design = gallery.load("event-log")
    found = comparison(design, ALL_STYLES).recommendation
    assert found.reasons[-1].ruled_out == (
        "No other criterion decides between the remaining styles, so one in which the fewest entities share a "
        "table is preferred. The single-table and grouped styles are ruled out."
    )


def test_a_difference_within_the_tolerance_is_none() -> None:
    # Half the requests, but hardly any of the money: 100,000 creations a second are paid for either way.
    busy = rated(10_000, kind="create", entity="Card")
    assert deciding(comparison(boards(OPEN, busy, BEGIN))) == ["related"]
    exact = boards(OPEN, busy, BEGIN, planner={"tolerance": 0})
    assert deciding(comparison(exact)) == ["cost"]


def test_a_difference_under_a_dollar_is_none() -> None:
    found = comparison(gallery.load("appointments"), ALL_STYLES)
    single, multi, _ = (float(side.usd) for side in found.sides)
    assert 1.05 * multi < single < multi + 1
    assert "cost" not in deciding(found)
    assert not costs_more(Fraction("15.99"), Fraction(15), Fraction(0))
    assert costs_more(Fraction(16), Fraction(15), Fraction(0))
    assert not costs_more(Fraction(102), Fraction(100), Fraction("0.05"))


def test_what_the_planner_aims_at_decides_before_what_things_cost() -> None:
    aiming = boards(OPEN, CREATE, BEGIN, planner={"objective": "requests"})
    assert deciding(comparison(aiming)) == ["requests"]
    # Two alike that need an index of their own each may lie in one where they share a table.
    shared = gallery.load("overloaded-index")
    assert "indexes" not in deciding(comparison(shared))
    settings = shared.planner.model_copy(update={"objective": "indexes"})
    few = comparison(shared.model_copy(update={"planner": settings}))
    assert (few.recommendation.style, deciding(few)) == ("single", ["indexes"])
    ranked = [one.slug for one in in_order(aiming)]
    assert ranked.index("requests") == ranked.index("cost") - 1
    assert [one.slug for one in in_order(boards(OPEN))] == [one.slug for one in CRITERIA]


@pytest.mark.parametrize(
    ("needs", "slug"),
    [
        ({"team": "reading"}, "teams"),
        ({"billing": "provisioned"}, "scaling"),
        ({"table_class": "infrequent-access"}, "scaling"),
    ],
)
def test_entities_that_ask_what_one_table_cannot_have_lie_apart_whatever_that_costs(
    needs: dict, slug: str
) -> None:
    found = comparison(boards(OPEN, CREATE, BEGIN, needs=needs))
    assert (found.recommendation.style, deciding(found)) == ("multi", [slug])
    assert {one.criterion.slug for one in found.recommendation.against} == {
        "cost", "related", "requests",
    }  # fmt: skip
    assert "2 entities whose needs differ share a table" in answers(found)[slug]


@pytest.mark.parametrize(
    ("needs", "slug"),
    [
        ({"stream": "new"}, "streams"),
        ({"personal_data": True}, "permissions"),
        ({"recovery_days": 0}, "backups"),
    ],
)
def test_what_one_table_can_have_for_both_decides_only_where_the_figures_do_not(
    needs: dict, slug: str
) -> None:
    assert comparison(boards(OPEN, needs=needs)).recommendation.style == "single"
    alone = rated(100, kind="get", returns="Board", where=BY_ID)
    found = comparison(boards(alone, CREATE, BEGIN, needs=needs))
    assert (found.recommendation.style, deciding(found)) == ("multi", [slug])


def test_what_a_need_is_by_default_differs_from_nothing() -> None:
    stated = {"recovery_days": 35, "billing": "on-demand", "table_class": "standard"}
    found = comparison(boards(OPEN, CREATE, BEGIN, needs=stated)).recommendation
    for slug in ("backups", "scaling"):
        (one,) = (one for one in found.answered if one.criterion.slug == slug)
        assert one.answer.is_stated and one.answer.favours == ()


def test_one_tenant_under_two_names_is_one() -> None:
    held = {"name": "of", "format": "uuid", "refers_to": "Board.boardId"}
    document = boards(OPEN, needs={"tenant": "of"}).model_dump(mode="json", by_alias=True)
    document["entities"][1]["attributes"].append(held)
    document["entities"][0]["needs"] = {"tenant": "boardId"}
    found = comparison(Design.model_validate(document))
    assert "Board and Card: kept apart by tenant (Board.boardId)" in answers(found)["permissions"]


def test_what_is_not_answered_as_asked_decides_first() -> None:
    limited = {**OPEN, "rate": {"average": 0.001}, "at_most_requests": 1}
    found = comparison(boards(limited, CREATE, BEGIN))
    assert (found.recommendation.style, deciding(found)) == ("single", ["served"])
    assert (
        found.recommendation.reasons[0].ruled_out
        == "The multi-table style is ruled out because of a limit that would be exceeded."
    )
    assert (
        "In the multi-table style, pattern 1 takes 2 requests, but its limit is 1"
        in answers(found)["served"]
    )


@pytest.mark.parametrize(
    ("failings", "more"),
    [
        (("Pattern 3 is slow.",), ""),
        (("Pattern 3 is slow.", "x"), " There is 1 more such problem."),
        (("Pattern 3 is slow.", "x", "y"), " There are 2 more such problems."),
    ],
)
def test_the_other_failings_are_counted_in_a_sentence_of_their_own(
    failings: tuple[str, ...], more: str
) -> None:
    side: Any = SimpleNamespace(words="the multi-table style", unserved=(), failings=failings)
    assert _failing((side,)) == [f"In the multi-table style, pattern 3 is slow.{more}"]


def test_one_refusal_weighs_more_than_any_warnings() -> None:
    design = boards({**OPEN, "at_most_requests": 1}, CREATE, BEGIN)
    single, multi = (plan(design, style) for style in STYLES)
    warned = Finding(rule="hot-partition", severity="warning", where="", message="Hot.")
    multi = multi.model_copy(update={"findings": (*multi.findings, warned, warned)})
    assert compared(design, {"single": single, "multi": multi}).recommendation.style == "single"
    first, *others = single.operations
    refused = first.model_copy(update={"answer": "not served", "steps": (), "requests": 0.0})
    single = single.model_copy(update={"operations": (refused, *others)})
    found = compared(design, {"single": single, "multi": multi})
    assert found.recommendation.style == "multi"
    said = "The single-table style is ruled out because of an access pattern that is not served."
    assert found.recommendation.reasons[0].ruled_out == said
    assert answers(found)["served"].startswith(
        "In the single-table style, pattern 1 is not served. In the multi-table style"
    )
    assert [one.verdict for one in fares(found, 1)] == ["not served", "good"]


def test_what_no_style_serves_is_said_once() -> None:
    design = boards(OPEN, CREATE, BEGIN)
    unserved = {"answer": "not served", "steps": (), "requests": 0.0}

    def refused(style: Style) -> Plan:
        made = plan(design, style)
        first, *others = made.operations
        return made.model_copy(update={"operations": (first.model_copy(update=unserved), *others)})

    found = compared(design, {style: refused(style) for style in STYLES})
    assert answers(found)["served"] == "In every style, pattern 1 is not served."


def test_of_several_cases_the_longest_counts() -> None:
    design = boards(OPEN, CREATE, BEGIN)
    made = plan(design, "single")
    first, *others = made.operations
    step = first.steps[0].model_copy(
        update={"expects": first.steps[0].expects.model_copy(update={"read": 7.0})}
    )
    longer = first.model_copy(
        update={"answer": "in several requests", "requests": 3.0, "steps": (step,)}
    )
    made = made.model_copy(update={"operations": (longer, first, *others)})
    found = compared(design, {"single": made, "multi": plan(design, "multi")})
    assert (fares(found, 1)[0].requests, fares(found, 1)[0].read) == (3, 7)
    in_one = next(one.cells for one in totals(found) if one.label.endswith("in one request"))
    assert in_one == ("2 of 3", "2 of 3")


def test_what_no_criterion_tells_apart_is_as_good() -> None:
    found = comparison(gallery.load("starter"), ALL_STYLES).recommendation
    assert (found.style, found.as_good) == ("single", ("grouped",))
    assert found.verdict == "Best for this design: Single table and Grouped tables"
    assert found.in_short == "Single table and Grouped tables fit best"
    assert found.undecided == "No criterion favours one of them over the other."
    three = replace(found, as_good=("multi", "grouped"))
    assert three.undecided == "No criterion favours one of them over another."
    assert replace(found, as_good=()).undecided == ""


def test_bills_that_differ_too_little_to_count_are_not_called_equal() -> None:
    found = comparison(boards(OPEN)).recommendation
    at = next(i for i, one in enumerate(found.answered) if one.criterion.slug == "cost")
    cost = found.answered[at]

    def priced(single: str, multi: str) -> str:
        scores = {"single": Fraction(single), "multi": Fraction(multi)}
        answer = replace(cost.answer, scores=scores)
        answered = (*found.answered[:at], replace(cost, answer=answer), *found.answered[at + 1 :])
        return replace(found, answered=answered).why_equal

    none = "No criterion tells the styles apart"
    assert priced("17.55", "16.76") == (
        f"{none}: the bills differ by at most $0.79 a month, too little to count."
    )
    assert priced("6.334", "6.331") == f"{none}."
    assert found.counted == (
        "Bills count as equal if they differ by less than $1.00 a month or by no more than 5 %."
    )
    unpriced = (*found.answered[:at], *found.answered[at + 1 :])
    said = replace(found, answered=unpriced)
    assert (said.counted, said.why_equal) == ("", f"{none}.")


def test_styles_that_all_are_as_good_are_said_to_be() -> None:
    found = replace(comparison(gallery.load("starter"), ALL_STYLES).recommendation, answered=())
    assert found.verdict == "Both styles are equally good for this design"
    tied = replace(found, as_good=("multi", "grouped"))
    assert tied.is_tie
    assert tied.verdict == "All styles are equally good for this design"
    assert tied.in_short == "all styles fit equally well"


def test_open_patterns_speak_for_few_shared_keys_and_agreed_ones_for_nothing() -> None:
    agreed = comparison(boards({**OPEN, "status": "agreed"})).recommendation
    (settled,) = (one for one in agreed.answered if one.criterion.slug == "settled")
    assert settled.answer.is_stated and settled.answer.favours == ()
    mixed = comparison(boards({**OPEN, "status": "agreed"}, CREATE)).recommendation
    (settled,) = (one for one in mixed.answered if one.criterion.slug == "settled")
    assert settled.answer.favours == ("multi",)
    assert "1 of 2 access patterns agreed, 1 open" in settled.answer.says


def test_latency_and_workflows_count_the_requests_of_their_patterns() -> None:
    wished = {**OPEN, "latency_ms": 20, "workflow": "opening"}
    said = answers(comparison(boards(wished, {**CREATE, "workflow": "opening"}, BEGIN)))
    assert "Requests per run: single table 1, multi table 2" in said["latency"]
    assert "states a maximum latency, 20 ms" in said["latency"]
    assert said["workflows"] == (
        "Requests of opening (2 access patterns): single table 2, multi table 3."
    )
    alone = answers(comparison(boards({**OPEN, "workflow": "opening"}, CREATE)))
    assert "Requests of opening (1 access pattern): " in alone["workflows"]


def test_verdicts_say_what_is_wrong() -> None:
    found = comparison(gallery.load("leaderboards"))
    verdicts = {row.pattern.number: [one.verdict for one in row.fares] for row in found.rows}
    assert verdicts[1] == ["hot", "hot"]
    # It is hot in every style, so that decides nothing, and is said all the same.
    assert deciding(found) == ["cost"] and found.still == (
        "The busiest value of `<season>` in arena-Scores/ScoresBySeason takes 140 %"
        " of what a partition serves.",
    )
    assert "good" in {verdict for row in verdicts.values() for verdict in row}
    sought = {"kind": "elsewhere", "returns": "Board", "because": "full-text search"}
    found = comparison(boards(sought, OPEN))
    assert {one.verdict for one in fares(found, 1)} == {"elsewhere"}
    (total,) = (
        one for one in totals(found) if one.label == "Access patterns served in one request"
    )
    assert {cell.partition(" of ")[2] for cell in total.cells} == {"1"}
    assert total.note == "1 more is served without keys."
    assert "pattern 1 (full-text search)" in answers(found)["unforeseen"]
    shop = {row.pattern.number: row for row in comparison(gallery.load("shop")).rows}
    # The page of a category reads less where its index holds products alone.
    assert [one.verdict for one in shop[6].fares] == ["costlier", "good"]
    assert shop[6].differs and not shop[1].differs
    settings = gallery.load("shop").planner.model_copy(update={"tolerance": 1.0})
    tolerant = comparison(gallery.load("shop").model_copy(update={"planner": settings}))
    assert [one.verdict for one in fares(tolerant, 6)] == ["good", "good"]


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([("GetItem", True)], "strong"),
        ([("Query", False), ("BatchGetItem", False)], "eventual"),
        ([("Query", False), ("BatchGetItem", True)], "partly strong"),
        ([("TransactGetItems", False)], "snapshot"),
        ([("GetItem", True), ("TransactWriteItems", False)], "transaction"),
        ([("GetItem", True), ("UpdateItem", False)], "single item"),
        ([("BatchWriteItem", False)], "each item by itself"),
        ([("PutItem", False), ("PutItem", False)], "each item by itself"),
    ],
)
def test_what_an_answer_can_be_relied_on_for(steps: list, expected: str) -> None:
    made = tuple(
        Step(id=str(at), call=call, table="t", consistent=consistent)
        for at, (call, consistent) in enumerate(steps)
    )
    operation = Operation(pattern=1, answer="in one request", steps=made)
    assert consistency_of(operation) == expected


def test_styles_differ_by_what_their_prices_as_written_do() -> None:
    one, other = comparison(boards(OPEN)).sides[:2]
    assert _beside(one, replace(one)) == f"The same plan as in {one.words}."

    def side(usd: str, words: str) -> Any:
        price = Fraction(usd)
        return SimpleNamespace(
            usd=price, per_second=22.5, words=words, is_same_plan=lambda other: False
        )

    dear, cheap = side("4.004", one.words), side("3.836", other.words)
    assert _beside(dear, cheap) == f"$0.16 a month more than {other.words}."
    assert _beside(cheap, dear) == f"$0.16 a month less than {one.words}."
    # Figures that read alike are the same; others are about the same, where no cent lies between them.
    alike, apart = side("3.8364", one.words), side("3.836", one.words)
    cheap.per_second, alike.per_second, apart.per_second = 22.549, 22.548, 22.551
    assert _beside(alike, cheap) == f"The same cost and requests as {other.words}."
    assert _beside(apart, cheap) == f"About the same cost and requests as {other.words}."


def test_one_item_of_several_entities_is_no_transaction() -> None:
    found = answers(comparison(gallery.load("user-preferences"), ALL_STYLES))
    assert found["transactions"].endswith("in each style as one item, so without a transaction.")
    assert "in every style, 2 entities" in found["permissions"].lower()
    found = answers(comparison(gallery.load("newest-orders"), ALL_STYLES))
    assert found["transactions"].startswith("Pattern 7 is a transaction that involves")
    assert "In the single-table and grouped styles, 2 entities whose" in found["permissions"]


def test_technologies_are_answered_from_the_design() -> None:
    found = comparison(boards(OPEN, CREATE, BEGIN, needs={"stream": "new"}))
    said = {one.slug: (here, price) for one, here, price in found.technologies}
    assert said["grouped-tables"] == ("Not compared here.", "")
    assert "16.20 a month less" in said["single-table"][0]
    assert "100 fewer requests a second than the multi-table style" in said["single-table"][0]
    assert said["multi-table"][1] == "2 tables; no two entities share one."
    assert said["indexes"] == (
        "Single table: none is needed. Multi table: none is needed.",
        "Nothing.",
    )
    assert said["streams"][0] == "Card asks for one."
    assert said["streams"][1].startswith("Single table: a stream that carries 1 more entity")


@pytest.mark.parametrize(
    ("every", "words"),
    [
        (
            [
                {"on": ("creation", "change"), "watch": ("tag",), "figures": ("Tag.count",)},
                {"on": ("change", "removal"), "watch": ("tag",), "figures": ("Tag.count",)},
            ],
            "a Tagging is created or removed, or its tag changes",
        ),
        (
            [{"on": ("creation",), "watch": ("tag",), "figures": ("Tag.count",)}],
            "a Tagging is created",
        ),
        (
            [{"attributes": {"name": "name", "email": "email"}}, {"entity": "Order", "watch": ("state",)}],
            "Tagging.name or Tagging.email changes; or Order.state changes",
        ),
    ],
)  # fmt: skip
def test_what_sets_off_updates_is_said_once_for_each_entity(every: list, words: str) -> None:
    upkeep = [
        Upkeep.model_validate({"after": "", "table": "t", "entity": "Tagging", **one})
        for one in every
    ]
    assert events(upkeep) == words


def test_what_would_change_the_recommendation_is_tried() -> None:
    stated = boards(OPEN, CREATE, BEGIN)
    now = frozenset(comparison(stated, ALL_STYLES).recommendation.best)
    found = turning(stated)
    by_words = {turn.words: turn for turn in found.changes}
    assert {"Card belonged to a team of its own", "Card were stored in Standard-IA"} <= set(
        by_words
    )
    assert all(turn.best != now for turn in found.changes)
    assert all(turn.best == now for turn in found.stays)
    tried = by_words["Card belonged to a team of its own"]
    then = comparison(boards(OPEN, CREATE, BEGIN, needs={"team": "a"}), ALL_STYLES).recommendation
    better = "no entities of different teams share a table"
    assert (tried.style, tried.because) == (then.style, better)
    assert {
        "every access pattern ran ten times as often", "there were already as many items as are expected in a year"
    } <= {turn.words for turn in found.stays}  # fmt: skip
    freed = turning(boards(OPEN, CREATE, BEGIN, needs={"team": "reading"}))
    (turn,) = (turn for turn in freed.changes if turn.words == "no entity had a team of its own")
    assert (turn.style, turn.because) == ("single", "the cost is lower")


def test_of_styles_that_are_then_equally_good_all_are_named() -> None:
    found = turning(gallery.load("accounts"))
    rare = next(turn for turn in found.changes if turn.words.endswith("a tenth as often"))
    assert (rare.verdict, rare.is_tie, len(rare.best)) == ("all styles equally good", True, 3)
    assert rare.because == "the number of requests no longer decides"


def test_of_a_large_design_less_is_tried_and_that_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stated = boards(OPEN, CREATE, BEGIN)
    whole = turning(stated)
    tried = [turn.words for turn in (*whole.changes, *whole.stays)]
    assert whole.not_tried == 0
    monkeypatch.setattr("designer.core.comparison.turning.MOST_TRIED", 4 * (2 + 3))
    some = turning(stated)
    assert len(some.changes) + len(some.stays) == 4
    assert some.not_tried == len(tried) - 4
    words = {turn.words for turn in (*some.changes, *some.stays)}
    assert words <= set(tried)
    # One of each criterion, before a second of any.
    assert "every access pattern ran ten times as often" in words
    assert "every access pattern ran a tenth as often" not in words


def test_a_rate_is_tried_where_two_styles_change_places() -> None:
    """Creating a card costs a unit more beside its board where that is read through an index: at some rate the styles
    change places, and there it is planned anew.
    """
    found = turning(gallery.load("leaderboards"))
    words = [turn for turn in found.changes if "times a second on average instead of" in turn.words]
    assert [turn.words.split(" ran ")[0] for turn in words] == [
        "pattern 1",
        "pattern 4",
    ]
    assert {turn.style for turn in words} == {"grouped"}


def test_no_more_is_tried_than_a_design_can_state() -> None:
    busy = rated(9e8, 1e9, kind="create", entity="Card")
    design = boards(OPEN, busy, BEGIN)
    many = tuple(one.model_copy(update={"items": 10**15}) for one in design.entities)
    tried = turning(design.model_copy(update={"entities": many}))
    assert "every access pattern ran ten times as often" in {
        turn.words for turn in (*tried.changes, *tried.stays)
    }


def test_more_requests_than_stated_would_change_it_for_the_shop() -> None:
    found = turning(gallery.load("shop"))
    (freed,) = (turn for turn in found.changes if "were allowed more requests" in turn.words)
    assert freed.words == "patterns 3, 12 and 13 were allowed more requests than stated"
    assert (freed.style, freed.because) == ("multi", "the cost is lower")


def test_a_design_without_patterns_is_compared_too() -> None:
    for design in (boards(), Design(name="Empty")):
        found = comparison(design, ALL_STYLES)
        assert found.rows == () and found.technologies and found.coupling
        assert found.recommendation.answered[0].answer.is_stated is False
        assert turning(design).changes == () or design.entities


def test_a_design_of_one_entity_is_not_said_to_share_nothing() -> None:
    design = gallery.load("accounts")
    assert unshared(planned(design, "single")) == "1 table, for one entity."
    assert unshared(planned(design, "multi")) == "3 tables; no two entities share one."
