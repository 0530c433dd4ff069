"""Whether a pattern is served does not depend on how keys are written: both styles say the same of the same facts."""

from collections.abc import Mapping

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES, Plan
from tests.planned import planned

pytestmark = pytest.mark.slow

CLOUDY = """
keywright: 1
name: Skies over stations
entities:
  - name: Station
    identifier: [stationId]
    items: 500
    attributes:
      - {name: stationId, format: uuid}
  - name: Sky
    identifier: [stationId, seenAt]
    items: 90000000
    attributes:
      - {name: stationId, refers_to: Station.stationId}
      - {name: seenAt, format: datetime}
      - {name: remark, bytes: BYTES}
relationships:
  - {name: sees, one: Station, many: Sky, by: stationId, identifying: true, average: AVERAGE, most: MOST}
patterns:
  - number: 1
    name: Skies with a word in the remark
    kind: KIND
    returns: Sky
    where: [{attribute: stationId, is: {param: stationId}}]
    KEEP
    rate: {average: 4, peak: 9}
  - {number: 2, name: Note a sky, kind: create, entity: Sky, rate: {average: 3, peak: 9}}
"""
ALL = {"BYTES": "20", "AVERAGE": "300", "MOST": "400", "KIND": "list"}
WORD = "keep: [{attribute: remark, contains: {param: word}, share: SHARE}]"
FIRST = "order: [seenAt descending]\n    limit: 25"


def skies(**said: str) -> str:
    text = CLOUDY
    for name, value in {**ALL, **said}.items():
        text = text.replace(name, value)
    return text


BY_ACCOUNT = """
keywright: 1
name: Parcels of senders
entities:
  - name: Sender
    identifier: [senderId]
    items: 3000
    attributes:
      - {name: senderId, format: uuid}
  - name: Parcel
    identifier: [parcelId]
    items: 6000000
    attributes:
      - {name: parcelId, format: ulid}
      - {name: senderId, refers_to: Sender.senderId}
      - {name: phase, values: [NEW, SENT, LOST, DONE], shares: [0.005, DONE_NOT, 0.005, DONE_IS], mutable: true}
      - {name: postedAt, format: datetime}
      - {name: contents, bytes: 350}
relationships:
  - {name: sends, one: Sender, many: Parcel, by: senderId, average: 2000, most: 90000}
patterns:
  - number: 1
    name: Newest parcels that are not there yet
    kind: list
    returns: Parcel
    where: [{attribute: senderId, is: {param: senderId}}]
    keep: [{attribute: phase, not: {value: DONE}}]
    order: [postedAt descending]
    limit: 25
    rate: {average: 30, peak: 80}
  - {number: 2, name: Send, kind: create, entity: Parcel, set: {phase: {value: NEW}}, rate: {average: 5, peak: 20}}
  - {number: 3, name: Bring, kind: update, entity: Parcel, set: {phase: {value: DONE}}, rate: {average: 5, peak: 20}}
"""


def parcels(done: float) -> str:
    rest = f"{0.99 - done:.4f}"
    return BY_ACCOUNT.replace("DONE_NOT", rest).replace("DONE_IS", f"{done:.4f}")


BY_REMARK = """
  - number: 3
    name: Skies with a remark
    kind: list
    returns: Sky
    where: [{attribute: remark, is: {param: remark}}]
    attributes: [seenAt]
    limit: 10
    rate: {average: 50, peak: 90}
"""


def verdict(plan: Plan) -> tuple[bool, tuple[str, ...]]:
    """Whether the first pattern is served at all, and what it takes too much of."""
    (asked,) = (one for one in plan.operations if one.pattern == 1)
    return asked.answer != "not served", asked.beyond


def verdicts(text: str) -> dict[str, tuple[bool, tuple[str, ...]]]:
    return {style: verdict(planned(load(text), style)) for style in STYLES}


BORDERS: Mapping[str, tuple[str, ...]] = {
    # A twentieth passes, so 500 items are read until there are 25: of 64 KB at 131 bytes each.
    "read until the limit": tuple(
        skies(
            BYTES=str(size),
            AVERAGE="60000",
            MOST="60000",
            KEEP=f"{WORD.replace('SHARE', '0.05')}\n    {FIRST}",
        )
        for size in range(10, 90, 8)
    ),
    "a twentieth of all": tuple(
        skies(
            BYTES=str(size), AVERAGE="500", MOST="500", KEEP=WORD.replace("SHARE", "0.05")
        )
        for size in range(10, 90, 8)
    ),
    "counted": tuple(
        skies(
            BYTES=str(size),
            AVERAGE="30000",
            MOST="30000",
            KIND="count",
            KEEP=WORD.replace("SHARE", "0.4"),
        )
        for size in range(4, 60, 6)
    ),
    "pages of the largest": tuple(
        skies(BYTES="20", MOST=str(most), KEEP=WORD.replace("SHARE", "0.3"))
        for most in range(15000, 36000, 1500)
    ),
    "more than a hundred pages": tuple(
        skies(MOST=str(most), KEEP=f"{WORD.replace('SHARE', '0.3')}\n    {FIRST}")
        for most in range(2400, 9000, 400)
    ),
    "a large answer": tuple(
        skies(BYTES="20", AVERAGE=str(many), MOST=str(many), KEEP="")
        for many in range(15000, 36000, 1500)
    ),
    "with its parent": tuple(
        skies(BYTES="20", AVERAGE=str(many), MOST=str(many), KEEP="")
        .replace("kind: list\n    returns: Sky", "kind: get\n    returns: Station")
        .replace("    rate: {average: 4", "    with: [{relationship: sees}]\n    rate: {average: 4")
        for many in range(15000, 36000, 1500)
    ),
    "through an index": tuple(
        parcels(share / 1000) for share in range(930, 982, 4)
    ),
}  # fmt: skip


@pytest.mark.parametrize("border", BORDERS)
def test_both_styles_judge_a_pattern_alike_on_each_side_of_a_border(border):
    found = [verdicts(text) for text in BORDERS[border]]
    unlike = {at: one for at, one in enumerate(found) if len(set(one.values())) > 1}
    assert not unlike
    assert len({one["multi"] for one in found}) > 1, f"no border in {found}"


def test_the_keys_of_another_index_on_the_items_change_no_verdict():
    for text in BORDERS["pages of the largest"]:
        more = text + BY_REMARK.lstrip("\n")
        keys = [planned(load(one), "single").tables[0].indexes for one in (more, text)]
        assert len(keys[0]) > len(keys[1])
        assert verdicts(more) == verdicts(text)
