"""A range of related items is in the key condition of what reads them, where a key has it."""

from decimal import Decimal

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES, Plan
from designer.core.planner import plan
from designer.core.planner.layout import sort_tokens
from designer.proof.execute import Outcome
from designer.proof.prove import prove_on
from tests.core.test_along import Rows, ran
from tests.proven import in_memory

pytestmark = pytest.mark.slow

TOWERS = """
keywright: 1
name: Towers
entities:
  - name: Tower
    identifier: [towerId]
    items: 1000
    attributes: [{name: towerId, bytes: 6}, {name: valley, bytes: 5, distinct: 50}, {name: bells, type: N, digits: 2}]
  - name: Ringing
    identifier: IDENTIFIER
    items: 800000
    attributes:
      - {name: towerId, refers_to: Tower.towerId}
      - {name: ringingId, bytes: 8}
      - {name: at, type: N, digits: 8}
      - {name: state, values: [PLANNED, DONE], shares: [0.25, 0.75]}
      - {name: note, bytes: 80}
relationships:
  - {name: hears, one: Tower, many: Ringing, by: towerId, IS average: 800, most: 9000}
patterns:
  - {number: 1, name: Towers with ringings, KIND, rate: {average: 50}, with: [{relationship: hears, ALONG}]}
"""
OF_TOWER = ("[towerId, at]", "identifying: true,")
OF_ITSELF = ("[ringingId]", "")
ONE = "kind: get, returns: Tower, where: [{attribute: towerId, is: {param: t}}]"
OF_VALLEY = "kind: list, returns: Tower, where: [{attribute: valley, is: {param: v}}]"
SINCE = "{attribute: at, from: {param: now}, share: 0.05}"
NEXT = f"keep: [{SINCE}], order: [at ascending], limit: 4"
BETWEEN = "keep: [{attribute: at, from: {param: a}, share: 0.5}, {attribute: at, below: {param: b}, share: 0.1}]"


def towers(along: str, kind: str = ONE, keyed: tuple[str, str] = OF_TOWER):
    text = TOWERS.replace("IDENTIFIER", keyed[0]).replace(" IS ", f" {keyed[1]} ")
    return load(text.replace("KIND", kind).replace("ALONG", along), name="towers")


def rung(many: int) -> Rows:
    """The ringings of one tower, at 0, 10, 20 and so on; every fourth is planned."""
    found: Rows = [("Tower", {"towerId": "t00001", "valley": "North", "bells": Decimal(3)})]
    for n in range(many):
        state = "DONE" if n % 4 else "PLANNED"
        one = {"towerId": "t00001", "ringingId": f"r{n:07}", "at": Decimal(10 * n), "state": state}
        found.append(("Ringing", {**one, "note": "n" * 80}))
    return found


def at_times(outcome: Outcome) -> list[int]:
    """When the ringings are that come with a tower."""
    return [row["at"] for _, row in outcome.answered.parts["hears"]]


def keyed_by_range(made: Plan) -> bool:
    """Whether the last Query asks for a tower, and for a range of its ringings."""
    query = next(step for step in made.operations_for(1)[0].steps[::-1] if step.call == "Query")
    last = query.where[-1]
    return bool(last.from_ or last.after or last.below or last.to or last.between)


@pytest.mark.parametrize("style", STYLES)
def test_the_next_few_related_items_are_all_that_is_read(style):
    made = plan(towers(NEXT), style)
    operation, outcome, took = ran(made, rung(800), {"t": "t00001", "now": Decimal(5005)})
    assert keyed_by_range(made)
    assert at_times(outcome) == [5010, 5020, 5030, 5040]
    # Half a unit for the tower, and half a one for four ringings: at the worst as well.
    assert (operation.requests, operation.read_units, took) == (2, 1.0, 1.0)
    assert operation.worst is None
    assert operation.answer == "in several requests"
    assert not any(index for table in made.tables for index in table.indexes)


@pytest.mark.parametrize("style", STYLES)
def test_a_closed_range_of_related_items_without_a_limit_reads_these_alone(style):
    made = plan(towers(BETWEEN), style)
    operation, outcome, took = ran(
        made, rung(800), {"t": "t00001", "a": Decimal(3000), "b": Decimal(3400)}
    )
    assert keyed_by_range(made)
    assert at_times(outcome) == [*range(3000, 3400, 10)]
    query = operation.steps[-1]
    assert query.expects.read == pytest.approx(0.5 * 0.1 * 800, rel=0.01)
    assert took == pytest.approx(operation.read_units, abs=0.5)


@pytest.mark.parametrize("style", STYLES)
def test_the_range_is_asked_for_each_of_several_rows(style):
    made = plan(towers(NEXT, OF_VALLEY), style)
    (operation,) = made.operations_for(1)
    assert keyed_by_range(made)
    # Twenty towers of a valley in an index, and four ringings of each.
    assert operation.read_units == pytest.approx(20 * 0.5 + 0.5)


@pytest.mark.parametrize("style", STYLES)
def test_an_index_may_have_the_range_of_related_items_with_what_must_be_equal(style):
    made = plan(
        towers(
            f"keep: [{SINCE}, {{attribute: state, is: {{value: PLANNED}}}}]"
            ", order: [at ascending], limit: 4",
            keyed=OF_ITSELF,
        ),
        style,
    )
    operation, outcome, took = ran(made, rung(800), {"t": "t00001", "now": Decimal(5005)})
    assert keyed_by_range(made)
    assert at_times(outcome) == [5040, 5080, 5120, 5160]
    assert took == pytest.approx(operation.read_units, abs=0.5)
    assert operation.read_units <= 2


@pytest.mark.parametrize("along", [NEXT, BETWEEN])
@pytest.mark.parametrize("style", STYLES)
def test_ranges_of_related_items_are_proven(style, along):
    verdict = prove_on(in_memory(), towers(along), plan(towers(along), style))
    assert [(p.name, p.difference) for p in verdict.patterns if p.status != "passed"] == []


@pytest.mark.parametrize("style", STYLES)
def test_where_related_items_have_a_limit_none_is_advised_for_what_their_test_reads(style):
    """Twenty towers of a valley with 3,000 ringings each, an eighth of which have the word."""
    many = TOWERS.replace("average: 800,", "average: 3000,").replace("800000", "3000000")
    word = "keep: [{attribute: note, contains: {param: w}, share: 0.12}]"

    def remedy(along):
        text = many.replace("IDENTIFIER", OF_TOWER[0]).replace(" IS ", f" {OF_TOWER[1]} ")
        made = plan(load(text.replace("KIND", OF_VALLEY).replace("ALONG", along)), style)
        (found,) = (one for one in made.findings if one.rule == "many-pages")
        return found

    found = remedy(f"{word}, order: [at ascending], limit: 300")
    assert found.solution.id == "list-related-marked"
    assert "imit" not in found.remedy
    # A limit for the rows says of what it is.
    assert "State a limit for the Towers" in remedy("order: [at ascending]").remedy


def steps_of(text: str, number: int) -> list[tuple[str, tuple[str, str] | None]]:
    """The calls of a pattern in one table for all, and between what their sort keys lie."""
    made = plan(load(text, name="towers"), "single")
    assert [p.status for p in prove_on(in_memory(), load(text), made).patterns] == ["passed"] * len(
        made.operations
    )
    (operation,) = made.operations_for(number)
    return [
        (step.call, next((w.between for w in step.where if w.attribute == "SK"), None))
        for step in operation.steps
    ]


@pytest.mark.parametrize(
    ("along", "ends"),
    [
        (f"keep: [{SINCE}]", ("#RINGING#{pad(8, 0, now)}", "A")),
        (f"keep: [{SINCE}], order: [at descending], limit: 50", ("#RINGING#{pad(8, 0, now)}", "A")),
        (f"keep: [{SINCE.replace('from', 'to')}]", ("A", "RINGING#{pad(8, 0, now)}$")),
    ],
)
def test_a_range_of_related_items_ends_the_query_that_reads_their_parent_too(along, ends):
    design = towers(along)
    made = plan(design, "single")
    now = Decimal(7600) if "from" in along else Decimal(390)
    operation, outcome, took = ran(made, rung(800), {"t": "t00001", "now": now})
    (query,) = operation.steps
    assert query.where[-1].between == ends
    assert len(at_times(outcome)) == 40
    # The tower, and 5 % of its 800 ringings of about 175 bytes: 7 KB.
    assert query.expects.read == pytest.approx(41)
    assert took == operation.read_units == 1.0
    verdict = prove_on(in_memory(), design, made)
    assert [(p.name, p.difference) for p in verdict.patterns if p.status != "passed"] == []


SINCE_TEXT = (
    TOWERS.replace("IDENTIFIER", OF_TOWER[0])
    .replace(" IS ", f" {OF_TOWER[1]} ")
    .replace("KIND", ONE)
    .replace("ALONG", f"keep: [{SINCE}]")
)
FEW = (
    f"  - {{number: 2, name: Few ringings, {ONE}, rate: {{average: 50}},"
    " with: [{relationship: hears, order: [at ORDER], limit: 4}]}\n"
)


def test_a_range_ends_no_shared_query_where_another_wants_the_items_in_another_place():
    """The first few come after their tower, for reading forwards; a range from some time on ends before it."""
    newest = SINCE_TEXT + FEW.replace("ORDER", "descending")
    assert steps_of(newest, 1) == [("Query", ("#RINGING#{pad(8, 0, now)}", "A"))]
    assert steps_of(newest, 2) == [("Query", None)]
    oldest = SINCE_TEXT + FEW.replace("ORDER", "ascending")
    assert steps_of(oldest, 2) == [("Query", None)]
    assert [call for call, _ in steps_of(oldest, 1)] == ["GetItem", "Query"]


@pytest.mark.parametrize(("start", "calls"), [("#R#", ["Query"]), ("R#", ["GetItem", "Query"])])
def test_a_range_ends_a_shared_query_where_pinned_sort_keys_start_so(start, calls):
    pins = f"""
planner:
  pins:
    - {{entity: Tower, key: {{partition: "TOWER#{{towerId}}", sort: A}}}}
    - {{entity: Ringing, key: {{partition: "TOWER#{{towerId}}", sort: "{start}{{at}}"}}}}
"""
    assert [call for call, _ in steps_of(SINCE_TEXT + pins, 1)] == calls


def test_where_no_order_lets_a_range_end_a_shared_query_it_reads_the_whole_collection(monkeypatch):
    monkeypatch.setattr(sort_tokens, "_bounded", lambda search, group, order: None)
    made = plan(towers(f"keep: [{SINCE}]"), "single")
    operation, outcome, took = ran(made, rung(800), {"t": "t00001", "now": Decimal(7600)})
    assert len(at_times(outcome)) == 40
    (query,) = operation.steps
    assert (len(query.where), query.expects.read) == (1, pytest.approx(801))
    assert took == pytest.approx(operation.read_units, abs=0.5)
