"""The pins that a finding offers are tried: it says what else changes, and offers none that does not help."""

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.lint import fixes
from designer.core.lint.base import Fix
from designer.core.messages import Message
from designer.core.plan import STYLES, Finding, Plan, Style
from designer.core.planner import plan
from designer.core.planner.explain import pin_offers
from designer.core.planner.explain.comparing import Difference
from designer.core.planner.pipeline import outlined
from designer.core.words.figures import money_between
from tests.core.test_at_worst import SHARED, changed

SLOTS = """
keywright: 1
name: Slots of surgeries
entities:
  - name: Surgery
    identifier: [surgeryId]
    items: 3000
    attributes:
      - {name: surgeryId, format: uuid}
      - {name: doctor, bytes: 30}
  - name: Slot
    identifier: [surgeryId, slot]
    items: 1500000
    attributes:
      - {name: surgeryId, refers_to: Surgery.surgeryId}
      - {name: slot, bytes: 5}
      - {name: patient, format: uuid, present: 0.6, later: true, mutable: true}
      - {name: phase, values: [OPEN, KEPT, GONE], shares: [0.4, 0.01, 0.59], mutable: true}
      - {name: fee, type: N, format: decimal, digits: 6}
relationships:
  - {name: has, one: Surgery, many: Slot, by: surgeryId, identifying: true, average: 500, most: 20000}
patterns:
  - number: 1
    name: Open slots now
    kind: list
    returns: Slot
    where: [{attribute: surgeryId, is: {param: surgeryId}}, {attribute: phase, is: {value: OPEN}}]
    attributes: [slot, fee]
    consistency: strong
    rate: {average: 20, peak: 200}
    hottest: 0.3
  - number: 2
    name: The cheapest open slots
    kind: list
    returns: Slot
    where: [{attribute: surgeryId, is: {param: surgeryId}}, {attribute: phase, is: {value: OPEN}}]
    attributes: [slot, fee]
    order: [fee ascending]
    limit: 20
    rate: {average: 20, peak: 200}
  - number: 3
    name: Whether any is open
    kind: exists
    returns: Slot
    where: [{attribute: surgeryId, is: {param: surgeryId}}, {attribute: phase, is: {value: OPEN}}]
    rate: {average: 100, peak: 500}
  - number: 4
    name: Keep some
    kind: transaction
    members:
      - update: Slot
        times: {average: 2, most: 8}
        each: slots
        set: {phase: {value: KEPT}, patient: {param: who}}
        if: [{attribute: phase, is: {value: OPEN}}]
    rate: {average: 10, peak: 100}
  - number: 5
    name: Take them
    kind: transaction
    members:
      - update: Slot
        times: {average: 2, most: 8}
        each: slots
        set: {phase: {value: GONE}}
        if: [{attribute: phase, is: {value: KEPT}}, {attribute: patient, is: {param: who}}]
    rate: {average: 8, peak: 80}
  - {number: 6, name: Of a patient, kind: list, returns: Slot, where: [{attribute: patient, is: {param: who}}],
     rate: {average: 5, peak: 10}}
  - number: 8
    name: Four slots at once
    kind: batch_get
    returns: Slot
    where: [{attribute: surgeryId, is: {param: surgeryId}}, {attribute: slot, any_of: {param: slots, count: 4}}]
    consistency: transactional
    rate: {average: 5, peak: 10}
  - {number: 7, name: Put slots, kind: create, entity: Slot, set: {phase: {value: OPEN}},
     times: {average: 500, most: 20000}, rate: {average: 0.001, peak: 0.1}}
"""
SHEETS = changed(SHARED, ("CHANGES", "900"))
"""What the pin changes is the money alone."""


def offers(made: Plan) -> list[tuple[Finding, Message]]:
    """The pins that the plan's findings offer."""
    return [
        (finding, remedy)
        for finding in made.findings
        if finding.rule == "served-on-average"
        for remedy in finding.solution.values["remedies"]
        if isinstance(remedy, Message) and remedy.id == "pin-index"
    ]


def one_offer(text: str, style: Style) -> tuple[Design, Plan, Finding, Message, Fix]:
    """The only pin that is offered, and what one click does about it."""
    design = load(text)
    made = plan(design, style)
    ((finding, remedy),) = offers(made)
    (fix,) = fixes(design, {style: made}, finding)
    return design, made, finding, remedy, fix


def effect(remedy: Message) -> str:
    said = remedy.values["effect"]
    assert isinstance(said, Message)
    return said.id


@pytest.mark.slow
def test_a_pin_that_costs_another_pattern_says_so_and_is_looked_at_first():
    design, made, finding, remedy, fix = one_offer(SLOTS, "multi")
    assert finding.where == "patterns.3"
    assert effect(remedy) == "pin-serves-others-less"
    assert "and pattern 2 is served only on average." in finding.remedy
    assert "No other access pattern" not in finding.remedy
    assert fix.looks_first
    after = plan(fix.edit(design), "multi")
    assert [one.beyond for one in after.operations_for(3)] == [()]
    assert [one.beyond for one in made.operations_for(2)] == [()]
    assert [one.beyond for one in after.operations_for(2)] == [("pages",)]
    assert f"costs {money_between(Difference(after, made).usd)} a month more" in finding.remedy


def test_a_pin_says_what_it_serves_less_well_once_it_is_there():
    design, *_, fix = one_offer(SLOTS, "multi")
    said = [
        one.message for one in plan(fix.edit(design), "multi").findings if one.rule == "pin-costs"
    ]
    assert any("pattern 2 is served only on average" in one for one in said)
    assert any("pattern 3 is served better in the worst case" in one for one in said)


@pytest.mark.parametrize("style", STYLES)
def test_a_pin_that_costs_money_alone_says_how_much_and_takes_one_click(style):
    design, made, finding, remedy, fix = one_offer(SHEETS, style)
    assert effect(remedy) == "pin-spares-others"
    assert "No other access pattern is served less well." in finding.remedy
    assert not fix.looks_first
    after = plan(fix.edit(design), style)
    difference = Difference(after, made)
    assert f"costs {money_between(difference.usd)} a month more" in finding.remedy
    assert not difference.less and not difference.lost
    assert offers(after) == []


def test_a_plan_that_is_made_while_somebody_types_tries_no_pin():
    design = load(SLOTS)
    made = plan(design, "multi", reasons="findings")
    ((finding, remedy),) = offers(made)
    assert effect(remedy) == "pin-not-tried"
    assert "The pin can change how other access patterns are served." in finding.remedy
    (fix,) = fixes(design, {"multi": made}, finding)
    assert fix.looks_first


def test_a_pin_that_does_not_help_is_not_offered():
    design = load(SHEETS)
    made = outlined(design, "multi", reasons="findings")
    assert offers(made)
    tried = pin_offers.with_offers_tried(design, made, lambda _: made)
    assert offers(tried) == []
    said = [one for one in tried.findings if one.rule == "served-on-average"]
    assert [len(one.solution.values["remedies"]) for one in said] == [1]


@pytest.mark.slow
def test_so_many_pins_are_tried_and_none_of_a_large_design(monkeypatch):
    design = load(SLOTS)
    made = outlined(design, "single", reasons="findings")
    assert len(offers(made)) == 2
    asked: list[Design] = []

    def tried() -> list[str]:
        asked.clear()

        def planned(other: Design) -> Plan:
            asked.append(other)
            return outlined(other, "single", reasons="findings")

        found = pin_offers.with_offers_tried(design, made, planned)
        return [effect(remedy) for _, remedy in offers(found)]

    assert "pin-not-tried" not in tried()
    assert len(asked) == 2
    monkeypatch.setattr(pin_offers, "TRIES", 1)
    assert tried()[1] == "pin-not-tried"
    assert len(asked) == 1
    monkeypatch.setattr(pin_offers, "TRIES", 3)
    monkeypatch.setattr(pin_offers, "MOST_PARTS", 19)
    assert tried()[1] == "pin-not-tried"
    assert len(asked) == 1
    monkeypatch.setattr(pin_offers, "MOST_PARTS", 9)
    assert tried() == ["pin-not-tried"] * 2
    assert asked == []


SILENT = """
keywright: 1
name: Fleet
entities:
  - name: Device
    identifier: [deviceId]
    items: 20000
    attributes:
      - {name: deviceId, bytes: 16}
      - {name: model, bytes: 100}
      - {name: status, values: [ONLINE, OFFLINE, FAULT], shares: [0.95, 0.04, 0.01], mutable: true}
      - {name: lastSeen, format: datetime, mutable: true}
patterns:
  - number: 1
    name: Heartbeat
    kind: update
    entity: Device
    set: {lastSeen: {param: now}, status: {value: ONLINE}}
    rate: {average: 60}
  - number: 2
    name: Silent devices
    kind: list
    returns: Device
    where: [{attribute: lastSeen, below: {param: t}}, {attribute: status, is: {value: ONLINE}}]
    rate: {average: 0.02}
  - {number: 3, name: Install, kind: create, entity: Device, rate: {average: 0.001}}
"""


@pytest.mark.parametrize("style", STYLES)
def test_a_key_is_offered_that_serves_however_little_its_index_holds(style: Style) -> None:
    # An index by status serves it too, but only if it holds lastSeen, which a pin of its key does not make it do.
    design = load(SILENT, name="fleet")
    made = plan(design, style)
    (finding,) = (one for one in made.findings if one.rule == "served-on-average")
    (offer,) = finding.solution.values["remedies"]
    assert offer.id == "pin-index"
    pins = pin_offers.pins_offered(style, 2, offer)
    pinned = plan(design.with_planner(pins=pins), style)
    (operation,) = pinned.operations_for(2)
    assert not operation.beyond
    assert operation.requests <= 3
