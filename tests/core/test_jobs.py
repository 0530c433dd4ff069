"""Nobody waits for a job, so its pages do not matter; somebody waits for what runs more often."""

import pytest

from designer.core.cost.price import Price
from designer.core.design.load import load
from designer.core.lint import lint
from designer.core.plan import STYLES, Operation, Plan
from designer.core.planner import plan
from designer.core.sentences.plans import summary
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests.memory import Memory

BOARD = """
keywright: 1
name: Board
entities:
  - name: Result
    identifier: [resultId]
    items: 4000000
    attributes:
      - {name: resultId, format: ulid}
      - {name: board, distinct: 8}
      - {name: bonus, type: N, format: integer, digits: 5}
      - {name: player, bytes: 200}
patterns:
  - {number: 1, name: Play, kind: create, entity: Result, rate: {average: 20}}
  - number: 2
    name: All of a board
    kind: KIND
    returns: Result
    where: [{attribute: board, is: {param: board}}]
    rate: RATE
"""
NIGHTLY = "{average: 0.0000116}"
HOURLY = "{average: 0.00028}"
BY_MANY = "{average: 0.00028, peak: 1}"
OFTEN = "{average: 1}"


def asked(kind: str, rate: str, style: str = "multi") -> tuple[Plan, Operation]:
    made = plan(load(BOARD.replace("KIND", kind).replace("RATE", rate), name="board"), style)
    (found,) = made.operations_for(2)
    return made, found


def said(made: Plan) -> list[str]:
    return [one.rule for one in made.findings if one.where == "patterns.2"]


@pytest.mark.parametrize("rate", [NIGHTLY, HOURLY])
@pytest.mark.parametrize("style", STYLES)
def test_a_job_counts_in_pages(rate: str, style: str) -> None:
    """Half a million results, with what they take, and nothing to say against it."""
    made, found = asked("count", rate, style)
    assert found.answer == "in several requests"
    assert found.requests > 20
    assert found.beyond == ()
    assert found.usd_per_month is not None and 0 < found.usd_per_month < 2
    assert said(made) == []
    assert "2 of 2 served" in summary(made, Price(0.0))


@pytest.mark.parametrize("rate", [BY_MANY, OFTEN])
@pytest.mark.parametrize("style", STYLES)
def test_nobody_waits_for_a_count_of_many_pages(rate: str, style: str) -> None:
    """Whether seldom or often: at their peak, many ask."""
    made, found = asked("count", rate, style)
    assert found.answer == "not served"
    assert said(made) == ["not-served"]


def test_a_count_by_a_job_is_not_called_expensive() -> None:
    for rate, rules in ((NIGHTLY, set()), ("{average: 1}\n    expects: 20000", {"C106"})):
        text = BOARD.replace("items: 4000000", "items: 80000").replace("KIND", "count")
        design = load(text.replace("RATE", rate), name="board")
        found = lint(design, {"multi": plan(design, "multi")})
        assert {one.rule for one in found if one.rule == "C106"} == rules


@pytest.mark.parametrize("style", STYLES)
def test_a_list_of_many_pages_is_said_to_be_one(style: str) -> None:
    """Its caller gets all that it asked for, in hundreds of requests."""
    made, found = asked("list", OFTEN, style)
    assert found.requests > 100
    assert found.beyond == ("answer",)
    assert said(made) == ["many-pages"]
    assert "1 of 2 served, in one request, and 1 more only in many pages" in summary(
        made, Price(0.0)
    )


@pytest.mark.parametrize(
    ("kind", "rate"), [("list\n    limit: 50", OFTEN), ("list", HOURLY)], ids=["limit", "job"]
)
@pytest.mark.parametrize("style", STYLES)
def test_each_remedy_removes_the_finding(kind: str, rate: str, style: str) -> None:
    made, found = asked(kind, rate, style)
    assert found.answer != "not served"
    assert found.beyond == ()
    assert said(made) == []
    assert "2 of 2 served" in summary(made, Price(0.0))


def test_no_plan_for_hundreds_of_thousands_of_dollars_is_served_for_one_call_a_second() -> None:
    text = BOARD.replace("4000000", "2000000000").replace("KIND", "list").replace("RATE", OFTEN)
    made = plan(load(text, name="board"), "multi")
    assert made.cost.per_month > 200_000
    assert "1 of 2 served" in summary(made, Price(0.0))


@pytest.mark.parametrize("kind", ["count", "list"])
def test_a_job_is_answered_as_its_plan_says(kind: str) -> None:
    text = BOARD.replace("KIND", kind).replace("RATE", NIGHTLY)
    design = load(text, name="board")
    made = plan(design, "multi")
    verdict = prove_on(Engine("memory", Memory()), design, made)
    assert {one.status for one in verdict.patterns} == {"passed"}


@pytest.mark.parametrize("style", STYLES)
def test_what_is_kept_of_many_pages_makes_no_second_read_by_itself(style: str) -> None:
    """A second read for half the items would cost more than reading the others with them."""
    tested = (
        "{attribute: board, is: {param: board}}, {attribute: bonus, not: {value: 3}, share: SHARE}"
    )
    text = BOARD.replace("{attribute: board, is: {param: board}}", tested)
    text = text.replace("distinct: 8}", "distinct: 200}").replace("bytes: 200", "bytes: 300")
    text += """  - number: 3
    name: One
    kind: get
    returns: Result
    where: [{attribute: resultId, is: {param: resultId}}]
    rate: {average: 20}
"""
    found = {}
    for share in ("0.3", "0.45", "0.6"):
        said_so = text.replace("SHARE", share).replace("KIND", "list").replace("RATE", OFTEN)
        made = plan(load(said_so, name="board"), style)
        (found[share],) = made.operations_for(2)
        assert [step.call for step in found[share].steps] == ["Query"]
    assert len({operation.read_units for operation in found.values()}) == 1


LARGE = """
keywright: 1
name: Large
entities:
  - name: Box
    identifier: [boxId]
    items: 1000
    attributes:
      - {name: boxId, format: ulid}
  - name: File
    identifier: [fileId]
    items: 100000
    attributes:
      - {name: boxId, refers_to: Box.boxId}
      - {name: fileId, format: ulid}
      - {name: body, bytes: 50000}
relationships:
  - {name: holds, one: Box, many: File, by: boxId, average: 100}
patterns:
  - {number: 1, name: Put, kind: create, entity: File, rate: {average: 1}}
  - {number: 2, name: Large, ASKED, rate: {average: 0.1}}
"""
FILES = "returns: File, where: [{attribute: boxId, is: {param: boxId}}"
NAMED = "returns: File, where: [{attribute: fileId, any_of: {param: ids, count: COUNT}}]"
BOX = "kind: get, returns: Box, where: [{attribute: boxId, is: {param: boxId}}], with: [{relationship: holds"


@pytest.mark.parametrize(
    ("large", "small", "remedy"),
    [
        (f"kind: list, {FILES}]", f"kind: list, {FILES}], limit: 20", "page-by-page"),
        (
            f"kind: list, {FILES}], limit: 80",
            f"kind: list, {FILES}], limit: 20",
            "smaller-page-by-page",
        ),
        (
            f"kind: batch_get, {NAMED}".replace("COUNT", "90"),
            f"kind: batch_get, {NAMED}".replace("COUNT", "20"),
            "fewer-identifiers",
        ),
        (
            f"kind: list, {NAMED}".replace("COUNT", "90"),
            f"kind: list, {NAMED}".replace("COUNT", "20"),
            "fewer-identifiers",
        ),
        (f"{BOX}}}]", f"{BOX}, limit: 20}}]", "limit-related-or-job"),
    ],
    ids=["list", "limited", "batch", "named", "children"],
)
@pytest.mark.parametrize("style", STYLES)
def test_what_is_said_to_help_against_many_pages_does(
    large: str, small: str, remedy: str, style: str
) -> None:
    made = plan(load(LARGE.replace("ASKED", large), name="large"), style)
    (finding,) = (one for one in made.findings if one.rule == "many-pages")
    assert (finding.where, finding.solution.id) == ("patterns.2", remedy)
    less = plan(load(LARGE.replace("ASKED", small), name="large"), style)
    assert [one.rule for one in less.findings if one.where == "patterns.2"] == []


@pytest.mark.parametrize("limit", ["", ", limit: 20"], ids=["all", "limit"])
@pytest.mark.parametrize("style", STYLES)
def test_a_limit_does_not_help_where_all_that_is_named_is_got_at_one_moment(
    limit: str, style: str
) -> None:
    named = f"kind: batch_get, {NAMED}{limit}, consistency: transactional".replace("COUNT", "70")
    made = plan(load(LARGE.replace("ASKED", named), name="large"), style)
    (finding,) = (one for one in made.findings if one.where == "patterns.2")
    assert finding.solution.id == "fewer-identifiers"
