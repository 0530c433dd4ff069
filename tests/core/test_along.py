"""What comes along is asked for with the rows that are returned, as the plan says and as stored rows show."""

from decimal import Decimal
from random import Random
from typing import Any

import pytest

from designer.core.design import gallery
from designer.core.design.load import load
from designer.core.plan import STYLES, Operation, Plan
from designer.core.planner import plan
from designer.core.sentences.steps import served_by
from designer.proof.execute import Outcome, execute
from designer.proof.tables import Tables
from designer.proof.values import item_to_wire
from tests.memory import Memory
from tests.runner import Runner

Rows = list[tuple[str, dict[str, Any]]]

OFFERS = """
keywright: 1
name: Offers
entities:
  - name: Seller
    identifier: [sellerId]
    items: 5000
    attributes: [{name: sellerId, bytes: 8}, {name: about, bytes: 5000}]
  - name: Offer
    identifier: [article, offerId]
    items: 500000
    attributes:
      - {name: article, bytes: 8, distinct: 5000}
      - {name: offerId, bytes: 8}
      - {name: sellerId, refers_to: Seller.sellerId}
      - {name: price, type: N, format: decimal, digits: 8, mutable: true}
      - {name: state, values: [NEW, USED], shares: [0.5, 0.5], mutable: true}
relationships:
  - {name: sells, one: Seller, many: Offer, by: sellerId, average: 100, most: 5000}
patterns:
  - {number: 1, name: Offers of an article with sellers, kind: list, returns: Offer, rate: {average: 10},
     where: [{attribute: article, is: {param: article}}], ASKED, with: [{relationship: sells}]}
  - {number: 2, name: Set price, kind: update, entity: Offer, set: {price: {param: newPrice}}, rate: {average: 200}}
  - {number: 3, name: Set state, kind: update, entity: Offer, set: {state: {param: newState}}, rate: {average: 200}}
"""
CHEAPEST = "order: [price ascending], limit: 5"
CHEAPEST_NEW = f"{CHEAPEST}, keep: [{{attribute: state, is: {{value: NEW}}}}]"
FIRST_NEW = "order: [offerId ascending], limit: 5, keep: [{attribute: state, is: {value: NEW}}]"


def offers(many: int) -> Rows:
    """Of one article, each by a seller of its own; every other one is new."""
    found: Rows = [("Seller", {"sellerId": f"s{n:07}", "about": "x" * 5000}) for n in range(many)]
    for n in range(many):
        state = ("NEW", "USED")[n % 2]
        offer = {"article": "article1", "offerId": f"o{n:07}", "sellerId": f"s{n:07}"}
        found.append(("Offer", {**offer, "price": Decimal(1000 - n), "state": state}))
    return found


def ran(made: Plan, rows: Rows, params: dict[str, Any]) -> tuple[Operation, Outcome, float]:
    """The first access pattern over stored rows: what it answers, and the units that it takes."""
    client = Memory()
    runner = Runner(client, made.as_json())
    runner.create_tables()
    stored: dict[str, list[Any]] = {}
    for entity, row in rows:
        for table, item in runner.items(entity, row, {}):
            stored.setdefault(table, []).append(item_to_wire(item))
    for table, items in stored.items():
        client.fill(table, items)
    operation = made.operations_for(1)[0]
    client.units = 0.0
    outcome = execute(Tables(client, made, ""), operation, params)  # type: ignore[arg-type]
    return operation, outcome, client.units


@pytest.mark.parametrize("asked", [CHEAPEST, CHEAPEST_NEW, FIRST_NEW])
@pytest.mark.parametrize("style", STYLES)
def test_what_the_application_drops_of_the_rows_brings_nothing_along(style, asked):
    made = plan(load(OFFERS.replace("ASKED", asked)), style)
    operation, outcome, took = ran(made, offers(100), {"article": "article1"})
    sellers = operation.steps[-1]
    assert sellers.call == "BatchGetItem"
    got = sum(call.returned for call in outcome.calls if call.step == sellers.id)
    rows, along = outcome.answered.parts["rows"], outcome.answered.parts["sells"]
    assert len(rows) == len(along) == got == 5
    assert got == pytest.approx(sellers.expects.read, rel=0.01)
    assert took == pytest.approx(operation.read_units, rel=0.1)


POSTS = """
keywright: 1
name: Posts
entities:
  - name: Author
    identifier: [authorId]
    items: 50000
    attributes: [{name: authorId, bytes: 8}, {name: nick, bytes: 12, mutable: true}]
  - name: Post
    identifier: [postId]
    items: 30000000
    attributes:
      - {name: postId, bytes: 8}
      - {name: authorId, refers_to: Author.authorId}
      - {name: lang, bytes: 2, distinct: 20, busiest: 0.5}
      - {name: at, format: datetime}
      - {name: text, bytes: 300}
relationships:
  - {name: wrote, one: Author, many: Post, by: authorId, average: 600}
patterns:
  - {number: 1, name: Newest posts of a language with authors, kind: list, returns: Post, rate: {average: 50},
     where: [{attribute: lang, is: {param: lang}}], order: [at descending], limit: 20, with: [{relationship: wrote}]}
  - {number: 2, name: Post, kind: create, entity: Post, rate: {average: 2000, peak: 5000}}
"""


@pytest.mark.parametrize("style", STYLES)
def test_of_rows_of_several_shards_only_the_first_of_all_bring_something_along(style):
    made = plan(load(POSTS), style)
    rows: Rows = [("Author", {"authorId": f"a{n:07}", "nick": "n" * 12}) for n in range(200)]
    for n in range(200):
        post = {"postId": f"p{n:07}", "authorId": f"a{n:07}", "lang": "en", "text": "t" * 300}
        rows.append(("Post", {**post, "at": f"2026-01-02T03:{n // 60:02}:{n % 60:02}Z"}))
    operation, outcome, took = ran(made, rows, {"lang": "en"})
    assert operation.steps[0].for_each is not None
    assert operation.steps[0].for_each.numbers
    assert len(outcome.answered.parts["wrote"]) == 20
    assert sum(one.returned for one in outcome.calls if one.step == operation.steps[1].id) == 20
    assert took == pytest.approx(operation.read_units, rel=0.1)


HALLS = """
keywright: 1
name: Halls
entities:
  - name: Hall
    identifier: [hallId]
    items: 2000
    attributes:
      - {name: hallId, bytes: 8}
      - {name: town, bytes: 8, distinct: 100}
      - {name: seats, type: N, format: integer, digits: 4, mutable: true}
  - name: Room
    identifier: [hallId, roomId]
    attributes:
      - {name: hallId, refers_to: Hall.hallId}
      - {name: roomId, bytes: 8}
      - {name: seats, type: N, format: integer, digits: 4, mutable: true}
relationships:
  - {name: rooms, one: Hall, many: Room, by: hallId, average: 30}
patterns:
  - {number: 1, name: Halls with rooms, kind: list, returns: Hall, rate: {average: 0.1},
     where: [{attribute: town, is: {param: town}}], order: [seats descending], limit: 5,
     with: [{relationship: rooms, order: [seats descending], limit: 5}]}
  - {number: 2, name: Seats, kind: update, entity: Hall, set: {seats: {param: new}}, rate: {average: 900}}
  - {number: 3, name: Seats of a room, kind: update, entity: Room, set: {seats: {param: new}}, rate: {average: 900}}
"""


def test_what_comes_along_in_the_order_of_the_rows_is_said_to_be_cut_too():
    made = plan(load(HALLS), "multi")
    operation = made.operations_for(1)[0]
    *_, rows, rooms = operation.steps
    assert (rows.call, rooms.call, rooms.pages) == ("BatchGetItem", "Query", "all")
    assert rooms.for_each is not None
    assert (rooms.for_each.order, rooms.for_each.limit) == (("seats descending",), 5)
    said = served_by(made, operation)
    assert said.count("cut to 5") == 2


CLUBS = """
keywright: 1
name: Clubs
entities:
  - name: Person
    identifier: [personId]
    items: PEOPLE
    attributes: [{name: personId, bytes: 8}, {name: name, bytes: 20, mutable: true}]
  - name: Club
    identifier: [clubId]
    items: 20000
    attributes: [{name: clubId, bytes: 8}]
  - name: Member
    identifier: [clubId, memberId]
    items: 1000000
    attributes:
      - {name: clubId, refers_to: Club.clubId}
      - {name: memberId, bytes: 8}
      - {name: personId, refers_to: Person.personId}
      - {name: broughtBy, refers_to: Person.personId}
relationships:
  - {name: has, one: Club, many: Member, by: clubId, average: 50, STATED}
  - {name: is, one: Person, many: Member, by: personId}
  - {name: brought, one: Person, many: Member, by: broughtBy}
patterns:
  - {number: 1, name: Members with people, kind: list, returns: Member, rate: {average: 20},
     where: [{attribute: clubId, is: {param: clubId}}], with: [{relationship: is}]}
  - {number: 2, name: Rename, kind: update, entity: Person, set: {name: {param: newName}}, rate: {average: 20}}
"""


OF_A_BUSY_CLUB = "{name: clubId, refers_to: Club.clubId, busiest: 0.011}"


def club(members: int, people: int) -> Rows:
    found: Rows = [("Person", {"personId": f"p{n:07}", "name": "n" * 20}) for n in range(people)]
    for n in range(members):
        member = {"clubId": "club0001", "memberId": f"m{n:07}", "broughtBy": f"p{n % people:07}"}
        found.append(("Member", {**member, "personId": f"p{-n % people:07}"}))
    return found


def at_worst(operation: Operation) -> tuple[float, float]:
    assert operation.worst is not None
    return operation.worst.requests, operation.worst.units


@pytest.mark.slow
@pytest.mark.parametrize("stated", ["most", "busiest"])
@pytest.mark.parametrize("style", STYLES)
def test_the_parents_of_all_rows_of_the_largest_collection_are_got_at_the_worst(style, stated):
    text = CLUBS.replace("STATED", "most: 11000")
    if stated == "busiest":
        text = CLUBS.replace(", STATED", "")
        text = text.replace("{name: clubId, refers_to: Club.clubId}", OF_A_BUSY_CLUB)
    made = plan(load(text.replace("PEOPLE", "1000000")), style)
    operation, outcome, took = ran(made, club(11000, 11000), {"clubId": "club0001"})
    requests, units = at_worst(operation)
    assert len(outcome.calls) == pytest.approx(requests, abs=1)
    assert took == pytest.approx(units, rel=0.01)
    assert operation.beyond == ("largest",)


@pytest.mark.parametrize("style", STYLES)
def test_no_more_parents_are_got_at_the_worst_than_there_are(style):
    made = plan(load(CLUBS.replace("STATED", "most: 2000").replace("PEOPLE", "300")), style)
    operation, outcome, took = ran(made, club(2000, 300), {"clubId": "club0001"})
    requests, units = at_worst(operation)
    assert operation.steps[1].expects.worst.read == 300
    assert len(outcome.calls) == pytest.approx(requests, abs=1)
    assert took == pytest.approx(units, rel=0.01)
    assert operation.beyond == ()


def test_two_parents_of_each_row_are_got_as_one_at_the_worst_too():
    text = CLUBS.replace("STATED", "most: 500").replace("PEOPLE", "1000000")
    text = text.replace("{relationship: is}", "{relationship: is}, {relationship: brought}")
    operation, outcome, _ = ran(plan(load(text), "multi"), club(500, 500), {"clubId": "club0001"})
    _, got = operation.steps
    assert got.also
    assert (got.expects.worst.requests, got.expects.worst.read) == (10, 1000)
    found = len([one for one in outcome.calls if one.step == got.id])
    assert found == 5  # the same person is got once, but nobody says that they are the same


BOARDS = """
keywright: 1
name: Boards
entities:
  - name: Board
    identifier: [boardId]
    items: 100000
    attributes:
      - {name: boardId, bytes: 8}
      - {name: title, bytes: 40}
      - {name: owner, bytes: 8, distinct: 20000, busiest: 0.003}
  - name: Card
    identifier: [boardId, cardId]
    items: 2000000
    attributes:
      - {name: boardId, refers_to: Board.boardId}
      - {name: cardId, bytes: 8}
      - {name: text, bytes: 300}
relationships:
  - {name: shows, one: Board, many: Card, by: boardId, identifying: true, average: 20, most: 900000}
patterns:
  - {number: 1, name: Boards of an owner with cards, kind: list, returns: Board, rate: {average: 10},
     where: [{attribute: owner, is: {param: owner}}], with: [{relationship: shows, ASKED}]}
  - {number: 2, name: Add card, kind: create, entity: Card, rate: {average: 4}}
  - {number: 3, name: Board in full, kind: get, returns: Board, rate: {average: 10},
     where: [{attribute: boardId, is: {param: boardId}}], with: [{relationship: shows}]}
"""


@pytest.mark.parametrize("style", STYLES)
def test_each_row_of_the_largest_collection_is_asked_for_its_children_at_the_worst(style):
    made = plan(load(BOARDS.replace("ASKED", "order: [cardId descending], limit: 1")), style)
    rows: Rows = []
    for n in range(300):
        board = f"b{n:07}"
        rows.append(("Board", {"boardId": board, "title": "t" * 40, "owner": "owner001"}))
        rows.append(("Card", {"boardId": board, "cardId": "c0000001", "text": "t" * 300}))
    operation, outcome, took = ran(made, rows, {"owner": "owner001"})
    requests, units = at_worst(operation)
    assert requests == len(outcome.calls) == 301
    assert took == pytest.approx(units, rel=0.01)
    assert operation.beyond == ("largest",)


@pytest.mark.parametrize("style", STYLES)
def test_rows_have_together_no_more_children_at_the_worst_than_there_are(style):
    operation = plan(load(BOARDS.replace(", ASKED", "")), style).operations_for(1)[0]
    cards = operation.steps[-1].expects.worst
    assert cards.read == 2_000_000  # two boards have nearly half of all cards each, the others few
    pages = 2_000_000 * 330 / 1e6
    assert pages < cards.requests < 2 * pages + 300
    assert cards.units < 2_000_000 * 400 / 4096 / 2 + 300


DEVICES = """
keywright: 1
name: Devices
entities:
  - name: Device
    identifier: [deviceId]
    items: 1000000
    attributes:
      - {name: deviceId, bytes: 12}
      - {name: site, bytes: 8, distinct: 50000, busiest: 0.001}
      - {name: seenAt, format: datetime, mutable: true}
      - {name: config, bytes: 1200, mutable: true}
patterns:
  - {number: 1, name: Devices of a site, kind: list, returns: Device, rate: {average: 20},
     where: [{attribute: site, is: {param: site}}]}
  - {number: 2, name: Heartbeat, kind: update, entity: Device, set: {seenAt: {param: now}}, rate: {average: 800}}
  - {number: 3, name: Add, kind: create, entity: Device, rate: {average: 0.01}}
"""


@pytest.mark.parametrize("style", STYLES)
def test_the_rest_of_split_items_is_got_for_the_largest_collection_at_the_worst(style):
    made = plan(load(DEVICES), style)
    device = {"site": "site0001", "seenAt": "2026-01-02T00:00:00Z", "config": "c" * 1200}
    rows: Rows = [("Device", {"deviceId": f"d{n:011}", **device}) for n in range(1000)]
    operation, outcome, took = ran(made, rows, {"site": "site0001"})
    requests, units = at_worst(operation)
    assert requests == len(outcome.calls) == 12
    assert took == pytest.approx(units, rel=0.01)


@pytest.mark.parametrize("style", STYLES)
def test_the_parents_that_a_write_reads_are_those_of_the_rows_that_it_is_given(style):
    made = plan(gallery.load("order-lines"), style)
    steps = [step for one in made.operations for step in one.steps if step.id == "parent_of2"]
    assert steps
    assert [(one.call, one.expects.worst) for one in steps] == [("BatchGetItem", None)]


TRIPS = """
keywright: 1
name: Trips
entities:
  - name: Harbour
    identifier: [port]
    items: 400
    attributes: [{name: port, bytes: 5}, {name: rules, bytes: 3000}]
  - name: Boat
    identifier: [port, berth]
    items: 16000
    attributes:
      - {name: port, refers_to: Harbour.port}
      - {name: berth, bytes: 4, distinct: 40}
      - {name: papers, bytes: 5000}
  - name: Trip
    identifier: [port, berth, leftAt]
    items: 3200000
    attributes:
      - {name: port, refers_to: Boat.port}
      - {name: berth, refers_to: Boat.berth}
      - {name: leftAt, format: datetime}
      - {name: crew, bytes: 60}
relationships:
  - {name: moors, one: Harbour, many: Boat, by: port, identifying: true, average: 40, most: 90}
  - {name: sails, one: Boat, many: Trip, by: [port, berth], identifying: true, average: 200, most: 900}
patterns:
  - ASKED
  - {number: 2, name: Sail, kind: create, entity: Trip, rate: {average: 5}}
"""
OF_PORT = "where: [{attribute: port, is: {param: p}}"
TRIPS_OF_A_BOAT = f"""{{number: 1, name: Last trips of a boat with the boat, kind: list, returns: Trip,
    {OF_PORT}, {{attribute: berth, is: {{param: b}}}}], order: [leftAt descending], limit: 20,
    with: [{{relationship: sails}}], rate: {{average: 9}}}}"""
TRIPS_OF_BOATS = TRIPS_OF_A_BOAT.replace("is: {param: b}", "any_of: {param: bs, count: 2}")
BOATS_WITH_PORT = f"""{{number: 1, name: Some boats of a harbour with it, kind: batch_get, returns: Boat,
    {OF_PORT}, {{attribute: berth, any_of: {{param: bs, count: 6}}}}], with: [{{relationship: moors}}],
    rate: {{average: 9}}}}"""


@pytest.mark.parametrize(
    ("asked", "given", "parents"),
    [
        (TRIPS_OF_A_BOAT, {"b": "b001"}, 1),
        (TRIPS_OF_BOATS, {"bs": ["b001", "b003"]}, 2),
        (BOATS_WITH_PORT, {"bs": [f"b{n:03}" for n in range(6)]}, 1),
    ],
)
def test_parents_that_the_caller_names_are_read_once(asked, given, parents):
    made = plan(load(TRIPS.replace("ASKED", asked)), "multi")
    rows: Rows = [("Harbour", {"port": "port1", "rules": "r" * 3000})]
    for n in range(40):
        boat = {"port": "port1", "berth": f"b{n:03}"}
        rows.append(("Boat", {**boat, "papers": "p" * 5000}))
        for at in range(200 if n < 6 else 0):
            left = f"2026-01-{1 + at % 28:02}T{at // 28:02}:00:00Z"
            rows.append(("Trip", {**boat, "leftAt": left, "crew": "c" * 60}))
    operation, outcome, took = ran(made, rows, {"p": "port1", **given})
    last = operation.steps[-1]
    assert last.expects.read == parents
    assert last.expects.worst is None
    assert sum(call.returned for call in outcome.calls if call.step == last.id) == parents
    assert took == pytest.approx(operation.read_units, rel=0.1)


NEWEST_OF_PORT = f"""{{number: 1, name: Trips of a harbour with their boats, kind: list, returns: Trip,
    {OF_PORT}], order: [leftAt descending], limit: 200, with: [{{relationship: sails}}], rate: {{average: 9}}}}"""
FEW_OF_PORT = NEWEST_OF_PORT.replace("limit: 200", "limit: 20")
BY_BERTH = FEW_OF_PORT.replace("order: [", "order: [berth ascending, ")
LEFT_AT_ONCE = NEWEST_OF_PORT.replace(
    "order: [leftAt descending], limit: 200", "expects: 30"
).replace("}],", "}, {attribute: leftAt, is: {param: t}}],", 1)


@pytest.mark.parametrize(
    ("asked", "parents", "most"),
    [
        (NEWEST_OF_PORT, 39.7, 90),  # nearly all of 40, of 90 at the most
        (FEW_OF_PORT, 15.9, 20),  # 40 * (1 - (39 / 40) ** 20)
        (BY_BERTH, 1.1, 20),
        (LEFT_AT_ONCE, 30, 90),  # each trip of another boat
    ],
)
def test_rows_have_as_many_parents_as_lie_in_the_part_that_the_caller_names(asked, parents, most):
    made = plan(load(TRIPS.replace("ASKED", asked)), "multi")
    chance, got = Random(5), []
    for port in (f"port{n}" for n in range(8)):
        rows: Rows = []
        for n in range(40):
            boat = {"port": port, "berth": f"b{n:03}"}
            rows.append(("Boat", {**boat, "papers": "p" * 5000}))
            minutes = chance.sample(range(28 * 1440), 60)
            days = [(1 + at // 1440, at // 60 % 24, at % 60) for at in minutes]
            left = [f"2026-01-{day:02}T{hour:02}:{minute:02}:00Z" for day, hour, minute in days]
            left += ["2025-12-01T00:00:00Z"] * (n < 30)
            rows += [("Trip", {**boat, "leftAt": at, "crew": "c" * 60}) for at in left]
        given = {"p": port, "t": "2025-12-01T00:00:00Z"}
        operation, outcome, _ = ran(made, rows, given)
        boats = operation.steps[-1]
        got.append(sum(call.returned for call in outcome.calls if call.step == boats.id))
    assert boats.expects.read == pytest.approx(parents, abs=0.1)
    assert boats.expects.read == pytest.approx(sum(got) / len(got), rel=0.1)
    assert max(got) <= (boats.expects.worst or boats.expects).read == most


def test_rows_have_no_more_parents_on_average_than_there_are():
    made = plan(load(CLUBS.replace("STATED", "most: 60").replace("PEOPLE", "7")), "multi")
    operation, _, took = ran(made, club(50, 7), {"clubId": "club0001"})
    assert operation.steps[1].expects.read == pytest.approx(7, abs=0.01)
    assert took == pytest.approx(operation.read_units, rel=0.1)


def test_what_is_done_with_rows_does_not_seem_to_be_done_with_their_parent():
    sorted_trips = TRIPS_OF_A_BOAT.replace("leftAt descending", "crew ascending")
    sorted_trips = sorted_trips.replace(" limit: 20,", "").replace("average: 9", "average: 0.01")
    made = plan(load(TRIPS.replace("ASKED", sorted_trips)), "multi")
    said = served_by(made, made.operations_for(1)[0])
    assert "berth = <b>; the rows are sorted by crew in the application" in said


LENT = """
keywright: 1
name: Instruments
entities:
  - name: Case
    identifier: [caseNo]
    items: 900
    attributes: [{name: caseNo, bytes: 6}, {name: padding, bytes: 700, most_bytes: 5000}]
  - name: Player
    identifier: [playerId]
    items: 4000
    attributes: [{name: playerId, bytes: 8}, {name: name, bytes: 30}]
  - name: Horn
    identifier: [caseNo, hornNo]
    items: 90000
    attributes:
      - {name: caseNo, refers_to: Case.caseNo}
      - {name: hornNo, bytes: 6}
      - {name: playerId, refers_to: Player.playerId, mutable: true}
      - {name: maker, bytes: 8, distinct: 3000}
      - {name: builtOn, format: date}
      - {name: story, bytes: 2500}
relationships:
  - {name: lies, one: Case, many: Horn, by: caseNo, identifying: true, average: 100, most: 300}
  - {name: plays, one: Player, many: Horn, by: playerId, average: 22, most: 80}
patterns:
  - {number: 1, name: Oldest of a maker, kind: list, returns: Horn, rate: {average: 3},
     where: [{attribute: maker, is: {param: m}}], order: [builtOn ascending], limit: 8, with: [ALONG]}
  - {number: 2, name: Add, kind: create, entity: Horn, rate: {average: 40}}
  - {number: 3, name: Lend, kind: update, entity: Horn, set: {playerId: {param: to}}, rate: {average: 40}}
"""


@pytest.mark.parametrize("style", STYLES)
def test_parents_that_the_keys_of_an_index_name_come_in_the_request_of_the_rows(style):
    """Of the twenty horns the oldest eight, from eight cases: sixteen items are one batch."""
    made = plan(load(LENT.replace("ALONG", "{relationship: lies}")), style)
    rows: Rows = [("Case", {"caseNo": f"c{n:05}", "padding": "p" * 700}) for n in range(20)]
    for n in range(20):
        horn = {"caseNo": f"c{n:05}", "hornNo": f"h{n:05}", "playerId": "p0000001"}
        told = {"maker": "maker001", "builtOn": f"19{99 - n}-01-01", "story": "s" * 2500}
        rows.append(("Horn", {**horn, **told}))
    operation, outcome, took = ran(made, rows, {"m": "maker001"})
    query, horns, cases = operation.steps
    assert (query.call, horns.call, cases.goes_with) == ("Query", "BatchGetItem", horns.id)
    assert (horns.expects.requests, cases.expects.requests, operation.requests) == (1, 0, 2)
    assert operation.worst is None or operation.worst.requests == 2
    assert len(outcome.calls) == 2
    assert [len(outcome.answered.parts[name]) for name in ("rows", "lies")] == [8, 8]
    assert [row[1]["caseNo"] for row in outcome.answered.parts["lies"]] == [
        row[1]["caseNo"] for row in outcome.answered.parts["rows"]
    ]
    assert took == pytest.approx(operation.read_units, rel=0.1)
    assert "in the same request those of" in served_by(made, operation)


@pytest.mark.parametrize("style", STYLES)
def test_a_key_over_shards_may_be_of_the_items_that_are_got(style):
    """A pin spreads the horns of a case over three shards."""
    pin = 'planner: {pins: [{entity: Horn, key: {partition: "{caseNo}#{shard(3, hornNo)}", sort: "{hornNo}"}}]}'
    text = LENT.replace("patterns:", f"{pin}\npatterns:").replace("ALONG", "{relationship: lies}")
    made = plan(load(text), style)
    query, *got = made.operations_for(1)[0].steps
    assert [(step.call, step.goes_with) for step in got] == [
        ("BatchGetItem", None),
        ("BatchGetItem", "s2"),
    ]
    assert [*query.from_keys] == ["caseNo"]
    assert made.operations_for(1)[0].requests == 2


@pytest.mark.parametrize("style", STYLES)
def test_parents_that_may_change_are_got_by_what_the_item_says_and_not_the_index(style):
    made = plan(load(LENT.replace("ALONG", "{relationship: plays}")), style)
    *_, horns, players = made.operations_for(1)[0].steps
    assert players.goes_with is None
    assert players.for_each is not None and players.for_each.rows == horns.id


def test_a_batch_of_rows_and_parents_that_is_too_long_takes_further_requests():
    """Sixty horns with their cases are 120 items."""
    text = LENT.replace("limit: 8", "limit: 60").replace("distinct: 3000", "distinct: 300")
    made = plan(load(text.replace("ALONG", "{relationship: lies}")), "multi")
    _, horns, cases = made.operations_for(1)[0].steps
    assert cases.goes_with == horns.id
    assert (horns.expects.requests, cases.expects.requests) == (1, 1)


LOANS = """
keywright: 1
name: Loans
entities:
  - name: Book
    identifier: [isbn]
    items: 30000
    attributes: [{name: isbn, bytes: 13}, {name: blurb, bytes: 900, mutable: true}]
  - name: Reader
    identifier: [cardNo]
    items: 20000
    attributes: [{name: cardNo, bytes: 8}, {name: notes, bytes: 300, mutable: true}]
  - name: Loan
    identifier: [branch, loanNo]
    items: 400000
    attributes:
      - {name: branch, bytes: 6, distinct: 10000}
      - {name: loanNo, bytes: 9}
      - {name: isbn, refers_to: Book.isbn, mutable: true}
      - {name: cardNo, refers_to: Reader.cardNo, mutable: true}
relationships:
  - {name: lent, one: Book, many: Loan, by: isbn}
  - {name: reads, one: Reader, many: Loan, by: cardNo}
patterns:
  - {number: 1, name: Loans of a branch, kind: list, returns: Loan, rate: {average: 5},
     where: [{attribute: branch, is: {param: b}}], with: [{relationship: lent}, {relationship: reads}], ASKED}
  - {number: 2, name: Note, kind: update, entity: Reader, set: {notes: {param: notes}}, rate: {average: 50}}
  - {number: 3, name: Describe, kind: update, entity: Book, set: {blurb: {param: blurb}}, rate: {average: 50}}
"""


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("loans", "requests"), [(40, 1), (60, 2), (150, 3)])
def test_several_parents_of_each_row_come_in_one_request(style, loans, requests):
    made = plan(load(LOANS.replace("ASKED", f"expects: {loans}")), style)
    rows: Rows = []
    for n in range(loans):
        rows.append(("Book", {"isbn": f"9780000{n:06}", "blurb": "b" * 900}))
        rows.append(("Reader", {"cardNo": f"c{n:07}", "notes": "n" * 300}))
        loan = {"branch": "branch", "loanNo": f"l{n:08}"}
        rows.append(("Loan", {**loan, "isbn": f"9780000{n:06}", "cardNo": f"c{n:07}"}))
    operation, outcome, took = ran(made, rows, {"b": "branch"})
    _, books, readers = operation.steps
    assert (books.call, readers.goes_with) == ("BatchGetItem", books.id)
    assert "in the same request" in served_by(made, operation)
    called = {id(call) for call in outcome.calls}
    assert len(called) == operation.requests == 1 + requests
    assert len(outcome.answered.parts["lent"]) == len(outcome.answered.parts["reads"]) == loans
    assert took == pytest.approx(operation.read_units, rel=0.02)


OF_BRANCHES = LOANS.replace(
    "  - name: Loan\n",
    """  - name: Branch
    identifier: [branch]
    items: 10000
    attributes: [{name: branch, bytes: 6}, {name: hours, bytes: 200, mutable: true}]
  - name: Loan\n""",
)
OF_BRANCHES = OF_BRANCHES.replace(
    "relationships:\n",
    "relationships:\n  - {name: lends, one: Branch, many: Loan, by: branch, average: 40, most: 90}\n",
)
OF_BRANCHES += """
  - {number: 4, name: Open, kind: update, entity: Branch, set: {hours: {param: hours}}, rate: {average: 500}}
"""


@pytest.mark.parametrize(
    "along",
    ["{relationship: lends}, {relationship: lent}", "{relationship: lent}, {relationship: lends}"],
)
@pytest.mark.parametrize("loans", [0, 40])
def test_a_parent_that_the_caller_names_comes_with_those_that_the_rows_name(loans, along):
    both = "{relationship: lent}, {relationship: reads}"
    made = plan(load(OF_BRANCHES.replace(both, along).replace(", ASKED", "")), "multi")
    rows: Rows = [("Branch", {"branch": "branch", "hours": "h" * 200})]
    for n in range(loans):
        rows.append(("Book", {"isbn": f"9780000{n:06}", "blurb": "b" * 900}))
        loan = {"branch": "branch", "loanNo": f"l{n:08}", "cardNo": "c0000001"}
        rows.append(("Loan", {**loan, "isbn": f"9780000{n:06}"}))
    operation, outcome, _ = ran(made, rows, {"b": "branch"})
    _, books, branch = operation.steps
    assert (books.table, branch.table) == ("Books", "Branches")
    assert branch.goes_with == books.id
    assert operation.requests == len({id(call) for call in outcome.calls}) == 2
    assert len(outcome.answered.parts["lent"]) == loans
    assert len(outcome.answered.parts["lends"]) == bool(loans)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("kept", ["state, is: {value: LOST}", "price, missing: true"])
def test_rows_of_which_none_is_there_have_a_plan_with_what_comes_along(kept, style):
    """No offer is lost yet, and each has a price."""
    text = OFFERS.replace(
        "[NEW, USED], shares: [0.5, 0.5]", "[NEW, USED, LOST], shares: [0.5, 0.5, 0]"
    )
    made = plan(load(text.replace("ASKED", f"keep: [{{attribute: {kept}}}]")), style)
    (found,) = made.operations_for(1)
    assert found.answer == "in several requests"
    assert found.steps[-1].expects.read == 0


TICKETS = """
keywright: 1
name: Tickets
entities:
  - name: Show
    identifier: [house, evening]
    items: 30000
    attributes:
      - {name: house, bytes: 7}
      - {name: evening, bytes: 10}
      - {name: sold, type: N, digits: 4, mutable: true}
      - {name: cast, bytes: 1200}
  - name: Ticket
    identifier: [house, evening, chair]
    items: 9000000
    attributes:
      - {name: house, bytes: 7}
      - {name: evening, bytes: 10}
      - {name: chair, bytes: 4}
      - {name: holder, bytes: 9, distinct: 1500000}
      - {name: terms, bytes: 1800, mutable: true}
relationships:
  - {name: admits, one: Show, many: Ticket, by: [house, evening], identifying: true, average: 300, most: 900}
patterns:
  - {number: 1, name: Tickets of a holder, kind: list, returns: Ticket, with: [{relationship: admits}],
     where: [{attribute: holder, is: {param: h}}], ORDER, rate: {average: 3}}
  - {number: 2, name: Tickets of a show, kind: list, returns: Ticket, rate: {average: 2},
     where: [{attribute: house, is: {param: house}}, {attribute: evening, is: {param: evening}}]}
  - {number: 3, name: Shows of a house, kind: list, returns: Show, rate: {average: 2},
     where: [{attribute: house, is: {param: house}}], order: [evening ascending], limit: 20}
  - {number: 4, name: Sell, kind: update, entity: Show, add: {sold: {value: 1}}, rate: {average: 60}}
  - {number: 5, name: Reword, kind: update, entity: Ticket, set: {terms: {param: terms}}, rate: {average: 90}}
"""


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "order", ["limit: 9", "order: [evening descending], limit: 9", "order: [chair ascending]"]
)
def test_parents_whose_keys_are_in_those_of_the_index_come_with_the_rows(order, style):
    """The entry names the ticket, whose key has that of its show: as an attribute, or in a text."""
    made = plan(load(TICKETS.replace("ORDER", order)), style)
    rows: Rows = []
    for n in range(6):
        show = {"house": f"house{n % 3:02}", "evening": f"2027-05-{n % 3 + 10}"}
        if n < 3:
            rows.append(("Show", {**show, "sold": 4, "cast": "c" * 1200}))
        ticket = {**show, "chair": f"r{n:03}", "holder": "holder001", "terms": "t" * 1800}
        rows.append(("Ticket", ticket))
    operation, outcome, _ = ran(made, rows, {"h": "holder001"})
    query, tickets, shows = operation.steps
    assert (query.index is not None, tickets.call, shows.goes_with) == (True, "BatchGetItem", "s2")
    assert operation.requests == len({id(call) for call in outcome.calls}) == 2
    assert len(outcome.answered.parts["rows"]) == 6
    found = {(row["house"], row["evening"]) for _, row in outcome.answered.parts["admits"]}
    assert found == {(f"house{n:02}", f"2027-05-{n + 10}") for n in range(3)}


def test_the_application_reads_a_parents_key_from_the_text_of_a_key():
    made = plan(load(TICKETS.replace("ORDER", "limit: 9")), "multi")
    (operation,) = made.operations_for(1)
    assert operation.steps[0].from_keys == {"house": "house_chair"}
    assert "house read from the text of house_chair" in served_by(made, operation)
