"""What the findings advise where conditions are tested after the reading: each advice is followed, and helps."""

import pytest

from designer.core.capacity.units import read_units
from designer.core.design import gallery
from designer.core.design.load import load
from designer.core.messages import said, say
from designer.core.patterns.base import Read
from designer.core.plan import STYLES, Finding, Plan, Style
from designer.core.planner.operations.reading_less import if_smaller, if_smaller_than_stated
from tests.planned import planned

TRAIL = """
keywright: 1
name: What was done in companies
entities:
  - name: Entry
    identifier: [companyId, entryId]
    items: 80000000
    attributes:
      - {name: companyId, format: ulid, distinct: 4000, busiest: 0.08}
      - {name: entryId, format: ulid}
      - {name: actor, format: email, distinct: 90000}
      - {name: action, values: [CREATE, CHANGE, ARCHIVE, DELETE, LOGIN, EXPORT]}
      - {name: at, format: datetime}
      - {name: what, bytes: 700}
patterns:
  - {number: 1, name: Note, kind: create, entity: Entry, rate: {average: 2}}
  - number: 2
    name: The trail
    kind: list
    returns: Entry
    where:
      - {attribute: companyId, is: {param: companyId}}
      - {attribute: at, from: {param: since}, below: {param: until}}
    keep:
      - {attribute: action, any_of: {param: actions, count: 2}, optional: true}
      - {attribute: actor, is: {param: actor}, optional: true}
    order: [at descending]
    limit: 100
    rate: {average: 2, peak: 10}
"""
ACTION = "      - {attribute: action, any_of: {param: actions, count: 2}, optional: true}\n"
ACTOR = "      - {attribute: actor, is: {param: actor}, optional: true}\n"
BOTH_MOVED = TRAIL.replace("    keep:\n" + ACTION + ACTOR, ACTION + ACTOR)
"""Both conditions are found by."""
OF_ACTIONS = """
  - number: 3
    name: The trail of actions
    kind: list
    returns: Entry
    where:
      - {attribute: companyId, is: {param: companyId}}
      - {attribute: at, from: {param: since}, below: {param: until}}
      - {attribute: action, any_of: {param: actions, count: 2}}
    order: [at descending]
    limit: 100
    rate: {average: 1, peak: 5}
planner:
  pins:
    - {pattern: 3, index: Actions}
    - entity: Entry
      index: Actions
      key: {partition: "COMPANY#{companyId}", sort: "{action}#{at}#{entryId}"}
"""


def made(text: str, style: Style) -> Plan:
    return planned(load(text), style)


def findings(plan: Plan) -> dict[str, Finding]:
    """Those about what is served, by their rule: there is one of each."""
    rules = ("not-served", "served-on-average")
    found = [finding for finding in plan.findings if finding.rule in rules]
    by_rule = {finding.rule: finding for finding in found}
    assert len(by_rule) == len(found)
    return by_rule


@pytest.mark.parametrize("style", STYLES)
def test_to_move_a_condition_to_where_a_key_serves_it_is_advised_and_helps(style):
    found = findings(made(TRAIL, style))
    assert (
        "when only actions and actor are given or when only actor is" in found["not-served"].message
    )
    assert "Move the condition on actor from" in found["not-served"].message
    assert "Move the condition on action from" in found["served-on-average"].remedy
    helped = findings(made(BOTH_MOVED, style))
    assert "not-served" not in helped


@pytest.mark.parametrize("style", STYLES)
def test_an_index_for_one_case_is_advised_to_a_pattern_of_its_own_and_helps(style):
    found = findings(made(BOTH_MOVED, style))["served-on-average"]
    assert "An index by companyId, action and “at” would" in found.remedy
    assert "Make this case an access pattern of its own" in found.remedy
    assert findings(made(BOTH_MOVED.replace(ACTION, "") + OF_ACTIONS[1:], style)) == {}


OF_TOPICS = "    keep:\n      - {attribute: topic, any_of: {value: [ORDER, PAYMENT]}}\n"
BY_TOPIC = """
planner:
  pins:
    - {pattern: 4, index: ByTopic}
    - {entity: Message, index: ByTopic, key: {partition: "{personId}#{topic}", sort: "{messageId}"}}
"""


@pytest.mark.parametrize("style", STYLES)
def test_an_index_that_costs_more_than_it_saves_is_to_be_pinned_after_the_move(style):
    """In the inbox of the gallery, the move alone changes nothing."""
    text = gallery.text("inbox")
    found = findings(made(text, style))["served-on-average"]
    assert found.remedy == (
        "Move the condition on topic from “Returned only if” to “Found by”. If the planner still considers "
        "an index by personId, topic and messageId too expensive, this finding will say how to pin it."
    )
    assert OF_TOPICS in text
    moved = text.replace(OF_TOPICS, OF_TOPICS.removeprefix("    keep:\n"))
    assert findings(made(moved, style)).keys() == {"served-on-average"}
    assert findings(made(moved + BY_TOPIC, style)) == {}


def test_a_pattern_of_which_no_case_is_served_is_named_without_cases():
    text = TRAIL.replace(ACTOR, "").replace("distinct: 90000", "distinct: 90000, mutable: true")
    text = text.replace(
        "{attribute: companyId, is: {param: companyId}}", "{attribute: actor, is: {param: who}}"
    )
    (finding,) = findings(made(f"{text}    consistency: strong\n", "multi")).values()
    assert finding.message.startswith("Pattern 2 is not served. A strongly consistent read")


CHART = """
keywright: 1
name: Charts of stays
entities:
  - name: Stay
    identifier: [stayId]
    items: 9000
    attributes: [{name: stayId, format: ulid}, {name: about, bytes: 300}]
  - name: Drug
    identifier: [stayId, drugId]
    items: 72000
    attributes: [{name: stayId, refers_to: Stay.stayId}, {name: drugId, format: ulid}]
  - name: Dose
    identifier: [stayId, doseId]
    items: 600000
    attributes:
      - {name: stayId, refers_to: Stay.stayId}
      - {name: doseId, format: ulid}
      - {name: note, bytes: 200}
relationships:
  - {name: drugs, one: Stay, many: Drug, by: stayId, identifying: true, average: 8, most: 220}
  - {name: doses, one: Stay, many: Dose, by: stayId, identifying: true, average: 67, most: 55000}
patterns:
  - number: 1
    name: The chart
    kind: list
    returns: [Drug, Dose]
    where: [{attribute: stayId, is: {param: stayId}}]
    rate: {average: 8}
  - number: 2
    name: A stay with its doses
    kind: get
    returns: Stay
    where: [{attribute: stayId, is: {param: stayId}}]
    with: [{relationship: doses}]
    rate: {average: 8}
  - {number: 3, name: Give, kind: create, entity: Dose, rate: {average: 1}}
  - {number: 4, name: Order, kind: create, entity: Drug, rate: {average: 0.1}}
"""


def test_one_query_for_several_entities_reads_their_largest_collections_at_the_worst():
    plan = made(CHART, "single")
    size = {item.shape: item.bytes for item in plan.tables[0].items}
    for number, most in ((1, {"Drug": 220, "Dose": 55000}), (2, {"Stay": 1, "Dose": 55000})):
        (operation,) = plan.operations_for(number)
        assert len(operation.steps) == 1
        assert operation.requests == 1
        assert operation.worst is not None
        assert operation.worst.read == sum(most.values())
        read = sum(size[shape] * many for shape, many in most.items())
        assert operation.worst.requests == -(-read // 2**20)
        assert operation.worst.units == pytest.approx(float(read_units(read)), rel=0.01)


@pytest.mark.parametrize(
    ("size", "helps"),
    [
        ("bytes: 12", "leaves out an index by topicId, then writtenAt and answer"),
        ("bytes: 900", "Test for equality"),
    ],
)
def test_an_index_of_what_has_an_attribute_is_advised_only_where_a_key_may_hold_it(size, helps):
    text = f"""
keywright: 1
name: Questions
entities:
  - name: Topic
    identifier: [topicId]
    items: 4000
    attributes: [{{name: topicId, format: uuid}}]
  - name: Question
    identifier: [questionId]
    items: 20000000
    attributes:
      - {{name: questionId, format: uuid}}
      - {{name: topicId, refers_to: Topic.topicId}}
      - {{name: writtenAt, format: datetime}}
      - {{name: answer, {size}, present: 0.4, mutable: true}}
      - {{name: likes, type: N, digits: 6, mutable: true}}
relationships:
  - {{name: about, one: Topic, many: Question, by: topicId, average: 5000, most: 900000}}
patterns:
  - number: 1
    name: Newest answered questions
    kind: list
    returns: Question
    where:
      - {{attribute: topicId, is: {{param: topicId}}}}
      - {{attribute: answer, exists: true}}
    order: [writtenAt descending]
    limit: 20
    rate: {{average: 0.05}}
  - {{number: 2, name: Ask, kind: create, entity: Question, rate: {{average: 40}}}}
  - number: 3
    name: Answer
    kind: update
    entity: Question
    set: {{answer: {{param: words}}}}
    rate: {{average: 900}}
  - number: 4
    name: All questions of a topic by time
    kind: list
    returns: Question
    where: [{{attribute: topicId, is: {{param: topicId}}}}]
    order: [writtenAt descending]
    limit: 20
    rate: {{average: 90}}
"""
    assert helps in findings(made(text, "multi"))["served-on-average"].remedy


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ("{attribute: companyId, is: {param: companyId}}", "by companyId:"),
        ("{attribute: at, from: {param: since}}", "by “at”:"),
        ("", "which supplies no value:"),
    ],
)
def test_a_read_that_is_not_served_is_told_by_what_it_asks_for(condition, why):
    text = TRAIL[: TRAIL.index("    where:\n")]
    text += f"    where: [{condition}]\n    keep: [{{attribute: what, contains: {{param: w}}, share: 0.001}}]\n"
    (reason, *_) = made(text, "multi").operations_for(2)[0].reasons
    assert why in said(reason)


def test_of_several_children_the_most_of_those_that_are_most_is_named():
    """An organisation has at most 60 departments and 20,000 employees, and one read returns them all."""
    design = gallery.load("organisation")
    read = design.pattern(6)
    assert isinstance(read, Read)
    along = [one.relationship for one in read.with_]
    found = if_smaller_than_stated(design, read, ["rows", *along])
    assert found == say("state-smaller-most", relationship="employs")
    assert if_smaller_than_stated(design, read, []) is None  # no part has too much
    assert if_smaller(design, read) is None
