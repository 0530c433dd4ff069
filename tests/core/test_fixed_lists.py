"""A list of values that is always the same: one pattern each where a key has them, a test where it has not."""

import re

import pytest
import yaml

from designer.core.design.load import dump, load
from designer.core.errors import DesignError
from designer.core.examples import examples
from designer.core.examples.simulate import run
from designer.core.examples.stored_items import stored_items
from designer.core.grid.answer import requests
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.core.sentences.patterns import reads_as
from designer.core.sentences.steps import served_by
from designer.proof.engine import Engine, engine
from designer.proof.prove import prove_on
from tests.memory import Memory
from tests.proof.test_runner import run_design

pytestmark = pytest.mark.slow

REPAIRS = """
keywright: 1
name: Bicycles that a workshop repairs
entities:
  - name: Repair
    identifier: [repairId]
    items: 500000
    attributes:
      - {name: repairId, format: ulid}
      - {name: workshop, bytes: 6, distinct: 50}
      - {name: state, values: [NEW, WAITING, DONE, PAID], shares: [0.01, 0.02, 0.07, 0.9], mutable: true}
      - {name: grade, type: N, minimum: 1, maximum: 4, mutable: true}
patterns:
  - {number: 1, name: Take in, kind: create, entity: Repair, rate: {average: 2}}
  - number: 2
    name: What a workshop has to do
    kind: list
    returns: Repair
    where:
      - {attribute: workshop, is: {param: workshop}}
      - {attribute: state, any_of: {value: [NEW, WAITING]}}
    rate: {average: 20}
  - number: 3
    name: The hard ones of a workshop's in one state
    kind: list
    returns: Repair
    where: [{attribute: workshop, is: {param: workshop}}, {attribute: state, is: {param: state}}]
    keep: [{attribute: grade, any_of: {value: [3, 4]}}]
    rate: {average: 2}
  - number: 4
    name: Finish
    kind: update
    entity: Repair
    set: {state: {value: DONE}}
    if: [{attribute: state, any_of: {value: [NEW, WAITING]}}]
    rate: {average: 2}
"""
DESIGN = load(REPAIRS)


def asked(style="single", number=2):
    return plan(DESIGN, style).operations_for(number)[0]


@pytest.mark.parametrize("style", STYLES)
def test_each_value_is_asked_for_and_the_caller_gives_none(style):
    operation = asked(style)
    assert operation.constants == {"state_NEW_WAITING": ("NEW", "WAITING")}
    assert [parameter.name for parameter in operation.parameters] == ["workshop"]
    assert (operation.requests, operation.steps[0].call) == (2, "Query")
    # Three in a hundred of a workshop's 10,000.
    assert operation.steps[0].expects.returned == pytest.approx(300)


@pytest.mark.parametrize("style", STYLES)
def test_it_is_proven(style):
    made = plan(DESIGN, style)
    verdict = prove_on(engine(), DESIGN, made)
    assert [(p.name, p.difference) for p in verdict.patterns if p.status != "passed"] == []
    assert prove_on(Engine("memory", Memory()), DESIGN, made).passed
    run_design(engine(), DESIGN, style)


def test_the_grid_shows_what_it_reads():
    design = load(REPAIRS.replace("[NEW, WAITING]", "[DONE, PAID]"))
    made, rows = plan(design, "single"), examples(design)
    tables = {table.name: stored_items(design, made, rows, table) for table in made.tables}
    (operation,) = made.operations_for(2)
    found = [
        row
        for workshop in {item["workshop"] for item in rows["Repair"]}
        for row in run(design, made, tables, operation, {"workshop": workshop}).returned
    ]
    assert len(found) == sum(item["state"] in ("DONE", "PAID") for item in rows["Repair"]) > 0


def test_sentences_and_texts_say_the_values():
    assert "whose state is NEW or WAITING" in reads_as(DESIGN, DESIGN.pattern(2))
    assert "if state is NEW or WAITING" in reads_as(DESIGN, DESIGN.pattern(4))
    assert load(dump(DESIGN)) == DESIGN
    assert list(requests(plan(DESIGN, "single"), asked()))


@pytest.mark.parametrize(
    ("was", "now", "why"),
    [
        ("[NEW, WAITING]", "[NEW, WATING]", "did you mean `WAITING`"),
        ("[3, 4]", "[3, 5]", "above the maximum of `grade`"),
        ("[3, 4]", "[]", "too short"),
        ("{value: [3, 4]}", "{value: [3, 4], count: 2}", "a fixed list needs no `count`"),
        ("{value: [3, 4]}", "{value: [3, 4], param: grades}", "exactly one"),
    ],
)
def test_values_that_cannot_be_are_refused(was, now, why):
    with pytest.raises(DesignError) as refused:
        load(REPAIRS.replace(was, now, 1))
    assert why in str(refused.value)


EXCLUDED = """
keywright: 1
name: Tickets of a help desk
entities:
  - name: Ticket
    identifier: [ticketId]
    items: 1000000
    attributes:
      - {name: ticketId, format: ulid}
      - {name: queue, bytes: 8, distinct: 200}
      - {name: openedAt, format: datetime}
      - {name: state, values: [NEW, OPEN, CLOSED], shares: [0.01, 0.04, 0.95], mutable: true}
patterns:
  - {number: 1, name: Open, kind: create, entity: Ticket, rate: {average: 1}}
  - {number: 2, name: Close, kind: update, entity: Ticket, set: {state: {value: CLOSED}}, rate: {average: 1}}
  - number: 3
    name: Not closed in a queue
    kind: list
    returns: Ticket
    where: [{attribute: queue, is: {param: queue}}, {attribute: state, not: {value: CLOSED}}]
    order: [openedAt ascending]
    limit: 20
    rate: {average: 1}
"""


BY_STATE = """  - number: 4
    name: In one state in a queue
    kind: list
    returns: Ticket
    where: [{attribute: queue, is: {param: queue}}, {attribute: state, is: {param: state}}]
    order: [openedAt ascending]
    limit: 20
    rate: {average: 1}
"""


def test_what_excludes_a_value_asks_for_each_of_those_that_remain():
    """Of a queue 95 % is closed, which a filter would read and drop; and each state is asked for by itself."""
    made = plan(load(EXCLUDED + BY_STATE), "single")
    (found,) = made.operations_for(3)
    (lists,) = found.constants.values()
    assert lists == ("NEW", "OPEN")
    said = served_by(made, found)
    assert "<NEW or OPEN>" in said
    assert not any(name in said for name in found.constants)
    first = found.steps[0]
    assert first.for_each.values in found.constants
    assert first.index is not None
    assert not [one for one in first.filter if one.not_ is not None]
    assert found.requests == 2


def test_what_excludes_a_value_asks_an_index_of_those_that_remain():
    """Nothing asks for one of them by itself, so they lie together."""
    (found,) = plan(load(EXCLUDED), "single").operations_for(3)
    (step,) = found.steps
    assert (found.requests, step.for_each, step.filter) == (1, None, ())
    assert step.expects.read == step.expects.returned == 20


@pytest.mark.parametrize("style", STYLES)
def test_what_a_filter_would_drop_is_served_by_the_values_that_remain(style):
    """All of a queue that is not closed: of 5,000 tickets 250, which no filter may find (rule 3)."""
    whole = EXCLUDED.replace("    order: [openedAt ascending]\n    limit: 20\n", "")
    (found,) = plan(load(whole), style).operations_for(3)
    assert found.answer == "in one request"
    assert found.steps[0].expects.read == pytest.approx(250)


def test_several_ways_to_read_do_not_multiply_what_is_read_at_the_worst():
    """As the same pattern has it that lists the values that remain: each is read to the limit."""
    listed = EXCLUDED.replace("not: {value: CLOSED}", "any_of: {value: [NEW, OPEN]}")
    (found,), (same,) = (
        plan(load(text), "single").operations_for(3) for text in (EXCLUDED, listed)
    )
    assert found.worst == same.worst


@pytest.mark.parametrize("style", STYLES)
def test_what_excludes_a_value_brings_what_it_should(style):
    design = load(EXCLUDED)
    verdict = prove_on(Engine("memory", Memory()), design, plan(design, style))
    assert verdict.passed, [one.difference for one in verdict.patterns]
    run_design(engine(), design, style)


@pytest.mark.parametrize(
    "state",
    [
        "{name: state, values: [NEW, OPEN, CLOSED], shares: [0.01, 0.04, 0.95], present: 0.99, mutable: true}",
        "{name: state, distinct: 3, mutable: true}",
    ],
)
def test_where_values_are_not_known_or_may_be_missing_what_excludes_one_is_tested(state):
    """An item without the attribute is one of those that are asked for."""
    stated = "{name: state, values: [NEW, OPEN, CLOSED], shares: [0.01, 0.04, 0.95], mutable: true}"
    made = plan(load(EXCLUDED.replace(stated, state)), "single")
    (found,) = made.operations_for(3)
    assert not found.constants


def test_what_excludes_little_is_read_whole_and_tested():
    rare = EXCLUDED.replace("[0.01, 0.04, 0.95]", "[0.48, 0.51, 0.01]")
    rare = rare.replace("    order: [openedAt ascending]\n    limit: 20\n", "")
    (found,) = plan(load(rare), "single").operations_for(3)
    assert found.steps[0].for_each is None
    assert not found.constants


TICKETS = """
keywright: 1
name: Tickets that wait in queues
entities:
  - name: Ticket
    identifier: [ticketId]
    items: 1000000
    attributes:
      - {name: ticketId, format: ulid}
      - {name: queue, bytes: 8, distinct: 200}
      - {name: state, values: [NEW, OPEN, CLOSED], shares: [0.01, 0.04, 0.95], mutable: true}
      - {name: urgency, type: N, values: [1, 2, 3, 10], shares: [0.5, 0.4, 0.06, 0.04], mutable: true}
      - {name: openedAt, format: datetime}
patterns:
  - {number: 1, name: Write a ticket, kind: create, entity: Ticket, rate: {average: 4}}
  - number: 2
    name: What waits in a queue
    kind: list
    returns: Ticket
    where: [{attribute: queue, is: {param: queue}}, {attribute: state, any_of: {value: [NEW, OPEN]}}]
    rate: {average: 1}
  - number: 3
    name: What is open in a queue
    kind: list
    returns: Ticket
    where: [{attribute: queue, is: {param: queue}}, {attribute: state, is: {value: OPEN}}]
    rate: {average: 1}
  - {number: 4, name: Move on, kind: update, entity: Ticket, set: {state: {param: state}}, rate: {average: 0.1}}
  - number: 5
    name: Urgent ones of a queue, newest first
    kind: list
    returns: Ticket
    where: [{attribute: queue, is: {param: queue}}, {attribute: urgency, any_of: {value: [3, 10]}}]
    order: [openedAt descending]
    limit: 20
    rate: {average: 1}
"""


@pytest.fixture(params=STYLES)
def tickets(request):
    return plan(load(TICKETS), request.param)


def limits(made):
    """Each sparse index, by its reads, with the values to which its keys are limited, and whether they show these."""
    written = {
        name: text for table in made.tables for one in table.items for name, text in one.set.items()
    }
    return {
        index.serves: {
            found
            for part in (*index.partition, *index.sort)
            for found in re.findall(r"(only|when)\((\w+), ([^)]*)\)", written.get(part.name, ""))
        }
        for table in made.tables
        for index in table.indexes
    }


def test_an_index_holds_only_items_with_a_value_of_the_list(tickets):
    assert limits(tickets) == {
        (2, 3): {("only", "state", '"NEW", "OPEN"')},
        (5,): {("when", "urgency", '"3", "10"')},
    }


def test_one_query_brings_the_items_of_all_values_that_an_index_holds(tickets):
    """Its key has the state for pattern 3, but the index has no others than are asked for."""
    for number in (2, 5):
        operation = tickets.operations_for(number)[0]
        sentence = served_by(tickets, operation)
        assert "NEW" not in sentence
        assert "only if" not in sentence
        assert (operation.requests, operation.steps[0].filter) == (1, ())
    (one,) = tickets.operations_for(3)[0].steps
    assert "OPEN" in served_by(tickets, tickets.operations_for(3)[0])
    assert one.expects.read == pytest.approx(200)  # 4 % of a million in one of 200 queues
    (both,) = tickets.operations_for(2)[0].steps
    assert both.expects.read == pytest.approx(250)
    verdict = prove_on(Engine("memory", Memory()), load(TICKETS), tickets)
    assert {one.status for one in verdict.patterns} == {"passed"}


@pytest.mark.parametrize(
    "asked",
    [
        "{attribute: state, any_of: {value: [NEW, OPEN]}}]\n    order: [openedAt descending]\n    limit: 9",
        "{attribute: state, any_of: {value: [NEW, OPEN]}}, {attribute: openedAt, from: {param: since}, share: 0.02}]",
    ],
)
def test_an_order_or_a_range_after_the_values_asks_for_each(asked):
    """The pinned key goes on after the state, which splits what is asked for."""
    text = TICKETS.replace("{attribute: state, any_of: {value: [NEW, OPEN]}}]", asked)
    text = (
        text[: text.index("  - number: 3")]
        + "planner:\n  pins:\n    - {pattern: 2, index: Waiting}\n"
    )
    text += (
        "    - {entity: Ticket, index: Waiting, key: {partition: '{queue}', "
        'sort: \'{only(state, "NEW", "OPEN")}#{openedAt}\'}}\n'
    )
    (step,) = plan(load(text), "multi").operations_for(2)[0].steps
    assert step.for_each is not None
    assert step.expects.requests == 2


def test_it_is_named_after_the_values():
    made = plan(load(TICKETS), "multi")
    names = {index.name for table in made.tables for index in table.indexes}
    assert names == {"NewOrOpenTicketsByQueue", "Urgency3Or10TicketsByQueue"}


def test_of_many_values_a_name_says_a_few():
    states = ["NEW", "OPEN", "HELD", "LATE", "LOST", "CLOSED"]
    values = f"[{', '.join(states)}], shares: [0.01, 0.01, 0.01, 0.01, 0.01, 0.95]"
    text = TICKETS.replace("[NEW, OPEN, CLOSED], shares: [0.01, 0.04, 0.95]", values)
    text = text.replace("[NEW, OPEN]", f"[{', '.join(states[:5])}]")
    made = plan(load(text), "multi")
    names = {index.name for table in made.tables for index in table.indexes}
    assert "NewOrOpenOrHeldOrOtherTicketsByQueue" in names


def test_an_index_of_few_values_answers_no_list_with_another_or_one_that_a_caller_gives():
    for listed in ({"value": ["NEW", "CLOSED"]}, {"param": "states", "count": 2}):
        where = [{"attribute": "queue", "is": {"param": "queue"}}]
        where += [{"attribute": "state", "any_of": listed}]
        asked = {"number": 6, "name": "Others", "kind": "list", "returns": "Ticket", "where": where}
        stated = yaml.safe_load(TICKETS)
        stated["patterns"].append({**asked, "rate": {"average": 1}})
        design = load(yaml.safe_dump(stated))
        for made in (plan(design, "multi"), plan(design, "single")):
            for serves, values in limits(made).items():
                assert 6 not in serves or not values
