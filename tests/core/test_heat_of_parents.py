"""The heat of a parent whose key comes with a child counts how the children refer to it: against figures by hand."""

from fractions import Fraction
from random import Random

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.heat.keys import KeyLoad, plan_heat
from designer.core.heat.remedies import sharded
from designer.core.plan import STYLES, Plan, Style
from designer.core.planner import plan
from tests.core.test_heat import _agree

DEPOTS = """
keywright: 1
name: Depots
entities:
  - name: Depot
    identifier: [depotId]
    items: 60
    attributes:
      - {name: depotId, bytes: 4}
      - {name: town, bytes: 20}
      - {name: region, bytes: 8, distinct: 12}
      - {name: parcels, type: N, format: integer, digits: 12}
  - name: Parcel
    identifier: [parcelId]
    items: 5000000
    attributes:
      - {name: parcelId, format: uuid}
      - {name: depotId, refers_to: Depot.depotId, busiest: 0.25}
      - {name: sender, bytes: 12, distinct: 100000}
      - {name: at, format: datetime}
relationships:
  - {name: of, one: Depot, many: Parcel, by: depotId}
patterns:
"""
TAKEN_IN = """
  - number: 1
    name: Take in
    kind: transaction
    members: [{create: Parcel}, {update: Depot, add: {parcels: {value: 1}}}]
    rate: {average: 100, peak: %d}
"""
CREATED = "  - {number: 1, name: Take in, kind: create, entity: Parcel, rate: {average: 100, peak: 1000}}\n"
COUNTED = DEPOTS.replace("name: parcels, type", "name: parcels, aggregate: count of of, type")
KEPT_BY_STREAM = COUNTED.replace("count of of,", "count of of, kept: by-stream,")


def _loads(design: Design, made: Plan, entity: str) -> list[KeyLoad]:
    """What lies on the keys of an entity's own items, as the page says; it agrees with the planner."""
    keys = plan_heat(design, made).keys
    return [load for key in keys if entity in key.entities for load in key.loads if load.share]


def _planned(text: str, style: Style) -> tuple[Design, Plan]:
    design = load(text, name="depots")
    made = plan(design, style)
    _agree(design, made, style)
    return design, made


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("text", "each"),
    [
        (DEPOTS + TAKEN_IN % 1000, 2),
        (COUNTED + CREATED, 2),
        (KEPT_BY_STREAM + CREATED, 1),
    ],
    ids=["member of the transaction", "aggregate", "aggregate by a stream"],
)
def test_what_children_bring_to_their_parent_falls_on_the_busiest_of_these(
    text: str, each: int, style: Style
) -> None:
    # A quarter of 1,000 parcels a second is of one depot, which each changes: by a transaction at two units, by a
    # stream's consumer at one.
    design, made = _planned(text, style)
    writes = [load for load in _loads(design, made, "Depot") if load.shape == "Depot"]
    assert sum(load.hot_writes for load in writes) == 250 * each


@pytest.mark.parametrize("style", STYLES)
def test_a_reference_to_few_parents_is_as_hot_as_one_of_these(style: Style) -> None:
    text = (DEPOTS + TAKEN_IN % 1000).replace("busiest: 0.25", "distinct: 5")
    design, made = _planned(text, style)
    (load_,) = (one for one in _loads(design, made, "Depot") if one.shape == "Depot")
    assert load_.hot_writes == 1000 * 2 * Fraction(1, 5)


@pytest.mark.parametrize("style", STYLES)
def test_a_parent_of_hot_children_has_counters(style: Style) -> None:
    # 4,000 a second, a quarter on one depot, two units each: 2,000 on one item, and 800 in each of 3 shards.
    design, made = _planned(DEPOTS + TAKEN_IN % 4000, style)
    (decision,) = (one for one in made.decisions if one.about.startswith("shards "))
    assert decision.about == "shards Depot.parcels"
    assert all(key.level != "hot" for key in plan_heat(design, made).keys)
    alike = load(
        (DEPOTS + TAKEN_IN % 4000).replace("rate:", "hottest: 0.25\n    rate:"), name="depots"
    )
    assert plan(alike, style).cost == made.cost


@pytest.mark.parametrize("style", STYLES)
def test_an_item_heats_each_key_that_it_has(style: Style) -> None:
    # All depots of a region lie under one key of the index, the busiest depot among them, so no shard cools it.
    regional = """
  - number: 2
    name: Depots of a region
    kind: list
    returns: Depot
    where: [{attribute: region, is: {param: region}}]
    order: [parcels descending]
    limit: 10
    rate: {average: 500}
"""
    text = (DEPOTS + TAKEN_IN % 1000 + regional).replace("items: 60", "items: 6000")
    design, made = _planned(text, style)
    found = [
        (key, one)
        for key in plan_heat(design, made).keys
        if key.index is not None and "region" in key.key
        for one in key.loads
        if one.pattern == 1
    ]
    assert found
    for key, one in found:
        assert one.of_one
        assert one.share == Fraction(1, 4)
        assert sharded(key) is None or one.hot_writes <= 800


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("rows", [1, 2, 8])
def test_parents_of_rows_are_read_as_often_as_the_busiest_is_among_them(
    rows: int, style: Style
) -> None:
    # Each depot of the rows is got once, however many of the rows are its own.
    listed = f"""
  - number: 1
    name: Newest of a sender
    kind: list
    returns: Parcel
    where: [{{attribute: sender, is: {{param: sender}}}}]
    order: [at descending]
    limit: {rows}
    with: [{{relationship: of}}]
    rate: {{average: 100}}
"""
    design, made = _planned(DEPOTS + listed, style)
    (on_depots,) = (one for one in _loads(design, made, "Depot") if one.shape == "Depot")
    random, asked = Random(22), 20_000
    got = 0
    for _ in range(asked):
        got += any(random.random() < 0.25 for _ in range(rows))
    # Half a unit each time, 100 times a second.
    assert float(on_depots.hot_reads) == pytest.approx(50 * got / asked, rel=0.03)


@pytest.mark.parametrize("style", STYLES)
def test_what_one_parameter_asks_for_is_as_hot_for_each_that_it_finds(style: Style) -> None:
    whole = """
  - number: 1
    name: A depot and its newest
    kind: get
    returns: Depot
    where: [{attribute: depotId, is: {param: depot}}]
    with: [{relationship: of, order: [at descending], limit: 5}]
    rate: {average: 100}
"""
    design, made = _planned(DEPOTS + whole, style)
    assert {load.share for load in _loads(design, made, "Depot")} == {Fraction(1, 4)}


def test_what_is_created_anew_each_time_is_not_hot_for_what_refers_to_it() -> None:
    text = """
  - number: 1
    name: Open
    kind: transaction
    members: [{create: Depot}, {create: Parcel}]
    rate: {average: 100, peak: 600}
"""
    design, made = _planned(DEPOTS + text, "multi")
    (on_depots,) = _loads(design, made, "Depot")
    assert float(on_depots.share) == pytest.approx(1 / 60)


BOARDS = """
keywright: 1
name: Boards
entities:
  - name: Board
    identifier: [boardId]
    items: 5000
    attributes:
      - {name: boardId, bytes: 8}
      - {name: title, bytes: 30}
  - name: Score
    identifier: [boardId, place]
    items: 25000
    attributes:
      - {name: boardId, refers_to: Board.boardId, busiest: 0.1}
      - {name: place, type: N, format: integer, digits: 2}
      - {name: points, type: N, format: integer, digits: 6}
relationships:
  - {name: scores, one: Board, many: Score, by: boardId, average: 5, most: 10, identifying: true}
patterns:
  - number: 1
    name: A board
    kind: get
    returns: Board
    where: [{attribute: boardId, is: {param: board}}]
    with: [{relationship: scores}]
    rate: {average: 3000}
  - number: 2
    name: Points
    kind: update
    entity: Score
    set: {points: {param: points}}
    rate: {average: 300, peak: %d}
"""
BESIDE = """
  - number: 3
    name: Title and points
    kind: transaction
    members: [{update: Board, set: {title: {param: title}}}, {update: Score, set: {points: {param: points}}}]
    rate: {average: 3, peak: 500}
  - number: 4
    name: Scores
    kind: list
    returns: Score
    where: [{attribute: boardId, is: {param: board}}]
    rate: {average: 100}
"""


@pytest.mark.parametrize("style", STYLES)
def test_children_lie_in_their_parent_while_the_busiest_of_these_bears_their_writes(
    style: Style,
) -> None:
    # A tenth of the writes is of the scores of one board, at one unit each, and shards cannot cool its item.
    inside = load(BOARDS % 9000, name="boards")
    made = plan(inside, style)
    _agree(inside, made, style)
    (key,) = plan_heat(inside, made).keys
    assert key.entities == ("Board",)
    assert (key.writes, key.reads) == (900, 150)
    apart = load(BOARDS % 11000, name="boards")
    found = plan_heat(apart, plan(apart, style)).keys
    assert {name for key in found for name in key.entities} == {"Board", "Score"}
    assert all(key.level != "hot" for key in found)


@pytest.mark.parametrize("style", STYLES)
def test_a_parent_with_its_children_is_as_hot_as_they_say_whatever_asks_for_them(
    style: Style,
) -> None:
    # A tenth of 9,000 writes, of 500 of both, which are one item, and of 3,000 and 100 reads at half a unit.
    design = load(BOARDS % 9000 + BESIDE, name="boards")
    made = plan(design, style)
    _agree(design, made, style)
    (key,) = plan_heat(design, made).keys
    assert (key.writes, key.reads) == (950, 155)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("text", [DEPOTS, COUNTED], ids=["member", "aggregate"])
def test_one_transaction_writes_the_busiest_parent_once(text: str, style: Style) -> None:
    # Eight depots, each another one, at two units: the busiest is one of them at the most.
    lots = """
  - number: 1
    name: Take in a lot
    kind: transaction
    members:
      - {create: Parcel, times: {average: 8, most: 9}, each: lot}
      - {update: Depot, set: {town: {param: town}}, times: {average: 8, most: 9}, each: lot}
    rate: {average: 100}
"""
    design, made = _planned(text + lots, style)
    on_depots = [one for one in _loads(design, made, "Depot") if one.shape == "Depot"]
    assert float(sum(one.hot_writes for one in on_depots)) == pytest.approx(200)


@pytest.mark.parametrize("style", STYLES)
def test_transactions_of_their_own_write_the_busiest_parent_each(style: Style) -> None:
    # Eight parcels a time, each counted in a transaction of its own: a quarter of 800, at two units.
    lot = CREATED.replace("rate:", "times: {average: 8, most: 9}, rate:").replace("1000", "100")
    design, made = _planned(COUNTED + lot, style)
    on_depots = [one for one in _loads(design, made, "Depot") if one.shape == "Depot"]
    assert sum(one.hot_writes for one in on_depots) == 400


@pytest.mark.parametrize("style", STYLES)
def test_what_is_created_beside_a_child_lies_in_shards_as_soon_as_the_child_is_hot(
    style: Style,
) -> None:
    # A note and a parcel get one depot by one parameter. 4,000 notes a second, at two units: of 60 depots each takes
    # 133, but a quarter of them are 2,000, more than one partition serves. What is remembered must not hide that.
    noted = """
  - number: 1
    name: Take in
    kind: transaction
    members: [{create: Parcel}, {create: Note}]
    rate: {average: 100, peak: 4000}
  - number: 2
    name: Notes of a depot
    kind: list
    returns: Note
    where: [{attribute: depotId, is: {param: depot}}]
    rate: {average: 1}
"""
    note = """
  - name: Note
    identifier: [noteId]
    items: 900
    attributes:
      - {name: noteId, format: uuid}
      - {name: depotId, refers_to: Depot.depotId}
relationships:"""
    text = DEPOTS.replace("\nrelationships:", note) + noted
    for share, shards in ("0.01", 1), ("0.25", 3), ("0.01", 1):
        design, made = _planned(text.replace("0.25", share), style)
        keys = [key for key in plan_heat(design, made).keys if "depotId" in key.key]
        found = {key.shards for key in keys for load in key.loads if load.shape == "Note"}
        assert found == {shards}
        assert all(key.level != "hot" for key in keys)
