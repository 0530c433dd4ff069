"""Sparse indexes of a yes or no, or of a number, and the shares of true and false."""

import re
from typing import Any

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.design.meaning import meaning
from designer.core.design.write import dump
from designer.core.errors import DesignError
from designer.core.examples import examples
from designer.core.plan import Plan
from designer.core.planner import plan
from designer.core.sentences.assumptions import assumption
from designer.proof.prove import prove_on
from tests.proven import in_memory

TEXT = """
keywright: 1
name: Homes
entities:
  - name: Device
    identifier: [deviceId]
    items: 3000000
    attributes:
      - {name: deviceId, format: uuid}
      - {name: online, type: BOOL, mutable: true, shares: [0.95, 0.05]}
      - {name: seenAt, format: datetime, mutable: true}
      - {name: grade, type: N, values: [1, 2, 3], shares: [0.9, 0.09, 0.01], mutable: true}
      - {name: firmware, bytes: 9}
patterns:
  - {number: 1, name: Seen, kind: update, entity: Device, by: [deviceId], set: {seenAt: {param: now}},
     rate: {average: 2000}}
  - {number: 2, name: Goes offline, kind: update, entity: Device, by: [deviceId], set: {online: {value: false}},
     rate: {average: 5}}
  - {number: 3, name: Comes back, kind: update, entity: Device, by: [deviceId], set: {online: {value: true}},
     rate: {average: 5}}
  - {number: 4, name: Offline for long, kind: list, returns: Device,
     where: [{attribute: online, is: {value: false}}, {attribute: seenAt, below: {param: before}}],
     order: [seenAt ascending], limit: 20, rate: {average: 1}}
  - {number: 5, name: Worst, kind: list, returns: Device, where: [{attribute: grade, is: {value: 3}}],
     order: [firmware ascending], limit: 20, rate: {average: 9}}
  - {number: 6, name: Grade, kind: update, entity: Device, by: [deviceId], set: {grade: {param: grade}},
     rate: {average: 1}}
  - {number: 7, name: Install, kind: create, entity: Device, rate: {average: 1}}
"""


def devices(*changes: tuple[str, str]) -> Design:
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return load(text, name="homes")


def templates(made: Plan) -> list[str]:
    (table,) = made.tables
    (shape,) = (shape for shape in table.items if shape.entity == "Device")
    return [text for index in table.indexes for part in (*index.partition, *index.sort)
            if (text := shape.set.get(part.name))]  # fmt: skip


@pytest.mark.parametrize("style", ["single", "multi"])
def test_an_index_holds_only_the_items_with_a_flag_or_a_number(style: str) -> None:
    design = devices()
    made = plan(design, style)
    assert all(index.sparse for index in made.tables[0].indexes)
    found = " ".join(templates(made))
    assert '(online, "false")' in found
    assert '(grade, "3")' in found
    assert prove_on(in_memory(), design, made).passed


@pytest.mark.parametrize("style", ["single", "multi"])
def test_what_is_not_true_is_found_as_false(style: str) -> None:
    design = devices(
        ("{attribute: online, is: {value: false}}", "{attribute: online, not: {value: true}}")
    )
    made = plan(design, style)
    assert '(online, "false")' in " ".join(templates(made))
    assert made.cost.per_month == pytest.approx(plan(devices(), style).cost.per_month, rel=1e-4)
    assert prove_on(in_memory(), design, made).passed


def test_indexes_of_flags_and_numbers_are_called_after_them() -> None:
    names = {index.name for index in plan(devices(), "multi").tables[0].indexes}
    assert names == {"NotOnlineDevices", "Grade3Devices"}


def test_how_often_a_flag_is_true_is_assumed_where_it_matters() -> None:
    unstated = devices((", shares: [0.95, 0.05]", ""))
    made = plan(unstated, "multi")
    (flag,) = (one for one in made.assumed if one.what == "flag")
    assert (flag.where, flag.value) == ("entities.Device.attributes.online", 0.5)
    assert assumption(flag) == "Device.online is true in 50 % of the items that have it."
    assert flag.at_low is not None and flag.at_high is not None
    assert (
        flag.at_low.per_month > 2 * flag.at_high.per_month
    )  # 2,000 writes a second of what is offline
    assert not [one for one in plan(devices(), "multi").assumed if one.what == "flag"]
    seldom = re.sub(r"average: \d+", "average: 0.0001", TEXT).replace(", shares: [0.95, 0.05]", "")
    assert not [
        one
        for one in plan(load(seldom.replace("3000000", "3000"), name="homes"), "multi").assumed
        if one.what == "flag"
    ]


def test_the_shares_of_a_flag_are_part_of_the_design() -> None:
    design = devices()
    assert meaning(design) != meaning(devices((", shares: [0.95, 0.05]", "")))
    assert meaning(design) != meaning(devices(("[0.95, 0.05]", "[0.05, 0.95]")))
    assert load(dump(design), name="homes") == design


@pytest.mark.parametrize("shares", ["[1]", "[0.2, 0.3, 0.5]", "[0.2, 0.2]"])
def test_a_flag_has_two_shares(shares: str) -> None:
    with pytest.raises(DesignError, match="shares"):
        devices(("[0.95, 0.05]", shares))


def test_examples_have_rare_values_of_flags_too() -> None:
    values: list[Any] = [item["online"] for item in examples(devices())["Device"]]
    assert set(values) == {True, False}
    assert values.count(True) > values.count(False)
