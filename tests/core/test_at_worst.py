"""What a read takes at the worst, and why it is served only on average."""

import pytest

from designer.core.comparison.compare import compared
from designer.core.comparison.totals import totals
from designer.core.cost.price import Price
from designer.core.design import gallery
from designer.core.design.load import load
from designer.core.errors import DesignError
from designer.core.plan import STYLES, Operation, Plan, Style
from designer.core.planner import plan
from designer.core.sentences.plans import summary
from tests.planned import OF_ALL_KINDS, planned

MAIL = """
keywright: 1
name: Mail
entities:
  - name: Person
    identifier: [personId]
    items: 40000
    attributes: [{name: personId, format: uuid}]
  - name: Letter
    identifier: [personId, letterId]
    items: 20000000
    attributes:
      - {name: personId, bytes: 20, refers_to: Person.personId}
      - {name: letterId, format: ulid}
      - {name: subject, format: text}
      - {name: text, bytes: 900}
relationships:
  - {name: gets, one: Person, many: Letter, by: personId, average: 500, most: 60000}
patterns:
  - {number: 1, name: Send, kind: create, entity: Letter, rate: {average: 10}}
  - number: 2
    name: Newest with a word
    kind: list
    returns: Letter
    where:
      - {attribute: personId, is: {param: personId}}
      - {attribute: subject, contains: {param: word}}
    order: [letterId descending]
    limit: 10
    rate: {average: 3}
"""


def changed(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def asked(text: str, style: str = "multi") -> tuple[Plan, Operation]:
    made = plan(load(text, name="mail"), style)
    (found,) = made.operations_for(2)
    return made, found


def on_average(made: Plan) -> list[str]:
    return [one.where for one in made.findings if one.rule == "served-on-average"]


@pytest.mark.parametrize("style", STYLES)
def test_a_filter_that_finds_nothing_reads_the_largest_collection(style):
    made, found = asked(MAIL, style)
    assert 1 < found.requests < 1.5  # some go on to a second page
    assert found.worst.read == 60_000
    assert found.worst.requests >= 60_000 * 900 / 1e6
    assert found.beyond == ("pages",)
    assert on_average(made) == ["patterns.2"]
    assert "1 of 2 served, in one request, and 1 more only on average" in summary(made, Price(0.0))


def test_the_comparison_does_not_count_it_as_served_in_one_request_either():
    made, found = asked(MAIL)
    assert found.answer == "in one request"
    label = "Access patterns served in one request"
    cells = {one.label: one.cells for one in totals(compared(load(MAIL), {"multi": made}))}
    assert cells[label] == ("1 of 2",)


@pytest.mark.parametrize("style", STYLES)
def test_without_a_filter_a_limit_ends_it_at_the_worst_too(style):
    text = changed(MAIL, ("      - {attribute: subject, contains: {param: word}}\n", ""))
    made, found = asked(text, style)
    assert found.worst is None
    assert on_average(made) == []


def test_a_collection_that_stays_within_a_few_pages_is_served():
    made, found = asked(changed(MAIL, ("most: 60000", "most: 2000")))
    assert found.worst.read == 2000
    assert found.beyond == ()
    assert on_average(made) == []


def test_a_list_without_a_limit_takes_at_the_worst_what_the_largest_has():
    text = changed(
        MAIL,
        ("      - {attribute: subject, contains: {param: word}}\n", ""),
        ("    limit: 10\n", ""),
    )
    made, found = asked(text)
    assert found.worst.read == 60_000
    assert found.worst.requests > 50
    assert found.beyond == ("largest",)  # all that it reads is wanted, and somebody waits for it
    _, of_a_job = asked(text.replace("rate: {average: 3}", "rate: {average: 0.0001}"))
    assert (of_a_job.worst, of_a_job.beyond) == (found.worst, ())
    assert on_average(made) == ["patterns.2"]


VANS = """
keywright: 1
name: Vans
entities:
  - name: Van
    identifier: [vanId]
    items: 80000
    attributes:
      - {name: vanId, format: uuid}
      - {name: depot, distinct: 120}
      - {name: place, bytes: 20, mutable: true}
      - {name: state, values: [READY, OUT], shares: [0.45, 0.55], mutable: true}
patterns:
  - {number: 1, name: Report a place, kind: update, entity: Van, set: {place: {param: place}}, rate: {average: 900}}
  - number: 2
    name: Ready ones of a depot
    kind: list
    returns: Van
    where: [{attribute: depot, is: {param: depot}}]
    keep: [{attribute: state, is: {value: READY}}]
    rate: {average: 0.05}
"""


@pytest.mark.parametrize(("distinct", "beyond"), [(120, ()), (4, ("largest",))])
def test_requests_that_need_not_wait_for_one_another_count_as_a_few_pages(distinct, beyond):
    """Of a hundred items each: seven for all vans of a depot, or 200 for a quarter of all there are."""
    wanted = ("is: {value: READY}", "any_of: {param: states, count: 1}, share: 0.45")
    _, found = asked(changed(VANS, ("distinct: 120", f"distinct: {distinct}"), wanted))
    query, got = found.steps
    assert (query.call, got.call) == ("Query", "BatchGetItem")
    assert found.worst.requests > found.requests + 3
    assert found.beyond == beyond


def test_of_the_busiest_parent_what_else_is_given_is_as_common_as_anywhere():
    """Half of all letters are one person's, and one in four is of each folder."""
    text = changed(
        MAIL,
        ("refers_to: Person.personId}", "refers_to: Person.personId, busiest: 0.5}"),
        ("most: 60000", "most: 10000000"),
        ("{name: subject, format: text}", "{name: folder, values: [A, B, C, D]}"),
        ("{attribute: subject, contains: {param: word}}", "{attribute: folder, is: {param: f}}"),
        ("    limit: 10\n", ""),
    )
    _, found = asked(text + "planner: {objective: cost}\n")
    assert found.worst.read == 20_000_000 * 0.5 / 4


SHELF = """
keywright: 1
name: Shelf
entities:
  - name: Book
    identifier: [bookId]
    items: 20000000
    attributes:
      - {name: bookId, format: ulid}
      - {name: title, format: text}
      - {name: cover, bytes: 150}
patterns:
  - {number: 1, name: Add, kind: create, entity: Book, rate: {average: 1}}
  - number: 2
    name: Search
    kind: list
    returns: Book
    where: [{attribute: title, contains: {param: word} SHARE}]
    order: [bookId descending]
    limit: 20
    rate: {average: 1}
    EXPECTS
"""


@pytest.mark.parametrize(
    ("share", "expects", "answer", "beyond"),
    [
        (", share: 0.0000005", "", "not served", ()),
        ("", "    expects: 10\n", "not served", ()),
        ("", "", "in one request", ("pages",)),
        (", share: 0.5", "", "in one request", ("pages",)),
    ],
)
@pytest.mark.parametrize("style", STYLES)
def test_no_search_through_everything_is_said_to_be_served(share, expects, answer, beyond, style):
    """Ten of twenty million books are no tenth of them, and take thousands of pages to find."""
    text = changed(SHELF, (" SHARE", share), ("    EXPECTS\n", expects))
    made, found = asked(text, style)
    assert found.answer == answer
    assert found.beyond == beyond
    assert "2 of 2 served" not in summary(made, Price(0.0))
    (finding,) = (one for one in made.findings if one.where == "patterns.2")
    assert "search service" in f"{finding.message} {finding.remedy}"


FOUND = """
  - name: Word
    identifier: [word, bookId]
    items: 60000000
    attributes: [{name: word, bytes: 8}, {name: bookId, refers_to: Book.bookId}]
"""


@pytest.mark.parametrize(
    ("folder", "beyond"),
    [("value: INBOX", ("largest",)), ("value: TRASH", ("pages",)), ("param: folder", ("pages",))],
)
def test_tests_that_keep_most_items_keep_most_of_the_largest_collection(folder, beyond):
    move = "set: {folder: {param: folder}}, rate: {average: 9}"
    text = changed(
        MAIL,
        ("name: subject, format: text", "name: folder, values: [INBOX, TRASH], shares: [0.9, 0.1]"),
        ("subject, contains: {param: word}", f"folder, is: {{{folder}}}"),
        ("    order: [letterId descending]\n    limit: 10\n    rate: {average: 3}\n", ""),
    )
    text += f"  - {{number: 3, name: Move, kind: update, entity: Letter, {move}}}\n"
    _, found = asked(text)
    assert found.worst.read == 60_000
    assert found.beyond == beyond


@pytest.mark.parametrize("expects", ["", "    expects: 10\n", "    expects: 900000\n"])
@pytest.mark.parametrize("style", STYLES)
def test_no_element_is_looked_for_through_millions_of_items(expects, style):
    """However many are expected; an item for each element serves it, as the plan says."""
    text = changed(
        SHELF,
        ("title, format: text", "words, type: SS, elements: {average: 3, most: 90}"),
        ("title, contains: {param: word} SHARE", "words, contains: {param: word}"),
        ("    order: [bookId descending]\n    limit: 20\n", ""),
        ("    EXPECTS\n", expects),
    )
    _, found = asked(text, style)
    assert found.answer == "not served"
    assert "Store an item for each element" in found.because
    helped = changed(
        text,
        ("patterns:\n", FOUND[1:] + "patterns:\n"),
        ("returns: Book", "returns: Word"),
        ("words, contains: {param: word}", "word, is: {param: word}"),
    )
    _, found = asked(helped, style)
    assert found.answer != "not served"
    assert found.beyond == (() if expects.endswith(" 10\n") else ("answer",))


BOARD = """
keywright: 1
name: Board
entities:
  - name: Result
    identifier: [board, player]
    items: 4000000
    attributes:
      - {name: board, distinct: 8}
      - {name: player, format: uuid}
      - {name: points, type: N, format: integer, digits: 6, mutable: true}
  - name: Span
    identifier: [board, span]
    items: 800
    attributes:
      - {name: board, distinct: 8}
      - {name: span, type: N, format: integer, digits: 3}
      - {name: results, type: N, format: integer, digits: 7, mutable: true}
patterns:
  - {number: 1, name: Play, kind: create, entity: Result, rate: {average: 20}}
  - number: 2
    name: Rank
    kind: count
    returns: Result
    where: [{attribute: board, is: {param: board}}, {attribute: points, after: {param: points}}]
    rate: {average: 5}
"""
FIGURES = [
    # what is asked instead of the rank, what the plan says of it, and what is asked then
    ("", "for each range of points", "list, returns: Span, result: {sum: results}"),
    ("list, result: {sum: points}", "that they add to", "list, returns: Span, limit: 1"),
]


@pytest.mark.parametrize(("kind", "helps", "instead"), FIGURES)
@pytest.mark.parametrize("style", STYLES)
def test_no_figure_is_worked_out_from_millions_of_items(kind, helps, instead, style):
    """A rank by count, a sum: the plan says how to store or ask it, and that is served."""
    ranged = ", {attribute: points, after: {param: points}}"
    text = BOARD if not kind else changed(BOARD, ("kind: count", f"kind: {kind}"), (ranged, ""))
    text = text.replace("kind: list, result", "kind: list\n    result")
    _, found = asked(text, style)
    assert found.answer == "not served"
    assert helps in found.because
    was = "kind: count" if not kind else "kind: list\n    result: {sum: points}"
    ask = instead.replace(", ", "\n    ")
    helped = changed(text, (was, f"kind: {ask}"), ("    returns: Result\n", ""))
    helped = helped.replace(ranged, ", {attribute: span, after: {param: span}}")
    _, found = asked(helped, style)
    assert (found.answer, found.beyond) == ("in one request", ())


def test_a_read_of_a_small_collection_is_served_however_little_it_keeps():
    few = changed(SHELF, ("items: 20000000", "items: 200"), ("    EXPECTS\n", ""))
    for share in (", share: 0.0005", ""):
        made, found = asked(changed(few, (" SHARE", share)))
        assert found.answer != "not served"
        assert found.beyond == ()
        assert "2 of 2 served" in summary(made, Price(0.0))


RANGES = """
keywright: 1
name: Tariffs
entities:
  - name: Tariff
    identifier: [zone, start]
    items: 900000
    attributes:
      - {name: zone, values: [A, B, C]}
      - {name: start, type: N, format: integer, digits: 10}
      - {name: end, type: N, format: integer, digits: 10}
      - {name: price, type: N, format: decimal, digits: 7}
patterns:
  - {number: 1, name: Set, kind: upsert, entity: Tariff, rate: {average: 0.1}}
  - number: 2
    name: The tariff of a weight
    kind: list
    returns: Tariff
    where:
      - {attribute: zone, is: {param: zone}}
      - {attribute: start, to: {param: weight}}
      - {attribute: end, after: {param: weight}}
    order: [start descending]
    limit: 1
    rate: {average: 50}
"""


@pytest.mark.parametrize("style", STYLES)
def test_the_nearest_start_runs_back_to_the_beginning_where_there_is_a_gap(style):
    made, found = asked(RANGES, style)
    assert found.requests == 1
    assert found.worst.read >= 300_000  # all tariffs of a zone
    assert found.worst.requests > 1000
    assert on_average(made) == ["patterns.2"]


def test_the_remedy_removes_the_finding():
    """A key that holds what was tested."""
    text = changed(
        MAIL,
        ("- {name: subject, format: text}", "- {name: subject, format: text, distinct: 300}"),
        ("subject, contains: {param: word}", "subject, is: {param: subject}"),
    )
    made, found = asked(text)
    assert found.beyond == ()
    assert found.worst.requests == 1  # for ten of the largest, as for the few of the average one
    assert on_average(made) == []


SHARED = """
keywright: 1
name: Sheets
entities:
  - name: Shelf
    identifier: [shelfId]
    items: 400000
    attributes: [{name: shelfId, format: uuid}]
  - name: Sheet
    identifier: [sheetId]
    items: 20000000
    attributes:
      - {name: sheetId, format: uuid}
      - {name: shelfId, refers_to: Shelf.shelfId}
      - {name: changedAt, format: datetime, mutable: true}
      - {name: binnedAt, format: datetime, present: 0.1, mutable: true}
      - {name: readers, type: SS, elements: {average: 3, most: 200}, mutable: true}
      - {name: body, bytes: 150}
relationships:
  - {name: holds, one: Shelf, many: Sheet, by: shelfId, average: 50, most: 60000}
patterns:
  - {number: 1, name: Add, kind: create, entity: Sheet, rate: {average: 2}}
  - number: 2
    name: Of a shelf
    kind: list
    returns: Sheet
    where:
      - {attribute: shelfId, is: {param: shelfId}}
    order: [changedAt descending]
    limit: 20
    rate: {average: 2}
  - {number: 3, name: Change, kind: update, entity: Sheet, set: {changedAt: {param: now}}, rate: {average: CHANGES}}
"""


def remedy(made: Plan) -> str:
    (found,) = (one for one in made.findings if one.rule == "served-on-average")
    return found.remedy


@pytest.mark.parametrize("style", STYLES)
def test_an_index_is_worth_having_where_a_read_would_be_served_on_average_only(style):
    """For a few dollars a month; where it costs more than that, the finding names the index."""
    made, found = asked(changed(SHARED, ("CHANGES", "1")), style)
    assert found.beyond == ()
    assert found.worst is None or found.worst.requests == 1
    made, found = asked(changed(SHARED, ("CHANGES", "900")), style)
    assert found.beyond == ("pages",)
    assert "leaves out an index by shelfId, then changedAt, which would" in remedy(made)
    assert "No other access pattern is served less well." in remedy(made)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("share", "beyond"), [(", share: 0.99", ()), (", share: 0.4", ("pages",)), ("", ("pages",))]
)
def test_pages_are_few_where_the_design_says_that_a_test_keeps_most(share, beyond, style):
    """However small they are: of ten thousand items of a shelf, none is skipped for long."""
    text = changed(
        SHARED,
        ("CHANGES", "1"),
        ("most: 60000", "most: 10000"),
        (
            "    order: [changedAt descending]",
            f"    keep: [{{attribute: changedAt, after: {{param: since}}{share}}}]\n"
            "    order: [sheetId descending]",
        ),
    )
    _, found = asked(text, style)
    assert found.steps[0].pages == "until"
    assert found.worst is not None and found.worst.requests > 100
    assert found.beyond == beyond


def test_the_remedy_names_the_items_that_an_index_would_have():
    text = changed(
        SHARED,
        ("CHANGES", "900"),
        (
            "      - {attribute: shelfId, is: {param: shelfId}}\n    order",
            "      - {attribute: shelfId, is: {param: shelfId}}\n"
            "      - {attribute: binnedAt, missing: true}\n    order",
        ),
    )
    made, _ = asked(text)
    assert "by shelfId, then changedAt and the absence of binnedAt, which would" in remedy(made)


def test_an_element_of_a_set_wants_an_item_of_its_own():
    text = changed(
        SHARED,
        ("CHANGES", "1"),
        ("shelfId, is: {param: shelfId}", "readers, contains: {param: who}"),
    )
    made, _ = asked(text)
    assert "Store an item for each element" in remedy(made)
    assert "part of a text" not in remedy(made)


def test_shards_of_a_collection_are_pages_of_it():
    """However few pages each of them has."""
    text = changed(
        SHARED,
        ("CHANGES", "1"),
        ("rate: {average: 2}}\n  - number: 2", "rate: {average: 2, peak: 6000}}\n  - number: 2"),
        ("average: 50, most: 60000", "average: 2000000, most: 20000000"),
        ("items: 400000", "items: 10"),
        (
            "      - {attribute: shelfId, is: {param: shelfId}}\n    order: [changedAt descending]\n    limit: 20",
            "      - {attribute: shelfId, is: {param: shelfId}}\n"
            "      - {attribute: readers, contains: {param: who}, share: 0.2}",
        ),
    )
    _, found = asked(text)
    assert found.answer == "not served" or found.beyond


@pytest.mark.parametrize(
    ("change", "is_helped"),
    [
        (("limit: 1", "limit: 1"), True),
        (("zone, is:", "zone, any_of:"), False),
        (("limit: 1", "limit: 2"), False),
        (("limit: 1", "keep: [{attribute: price, exists: true}]\n    limit: 1"), False),
    ],
)
def test_to_test_the_nearest_alone_is_advised_where_that_helps(change, is_helped):
    made, _ = asked(changed(RANGES, change))
    assert ("under “Then only if”" in remedy(made)) == is_helped


NIGHTS = """
keywright: 1
name: Hotel
entities:
  - name: Hotel
    identifier: [hotelId]
    items: 5000
    attributes: [{name: hotelId, format: ulid}]
  - name: Room
    identifier: [hotelId, roomNo]
    items: 500000
    attributes: [{name: hotelId, refers_to: Hotel.hotelId}, {name: roomNo, bytes: 4}]
  - name: Night
    identifier: [hotelId, date, roomNo]
    items: 180000000
    attributes:
      - {name: hotelId, refers_to: Hotel.hotelId}
      - {name: date, format: date, distinct: 400}
      - {name: roomNo, bytes: 4}
      - {name: state, values: [FREE, TAKEN]}
      - {name: notes, bytes: 400}
relationships:
  - {name: rooms, one: Hotel, many: Room, by: hotelId, identifying: true, average: 100, most: 1000}
  - {name: nights, one: Room, many: Night, by: [hotelId, roomNo], identifying: true, average: 360, most: 400}
patterns:
  - {number: 1, name: Open, kind: create, entity: Night, rate: {average: 7}}
  - number: 2
    name: Nights of a date
    kind: list
    returns: Night
    where:
      - {attribute: hotelId, is: {param: hotelId}}
      - {attribute: date, is: {param: date}}
    rate: {average: 20}
"""


@pytest.mark.parametrize("style", STYLES)
def test_what_the_rest_of_the_identifier_tells_apart_is_the_most_there_is(style):
    """Of a hotel and a date there is a night for each room, and no hotel has more than a thousand."""
    _, found = asked(NIGHTS, style)
    assert found.worst.read == 1000


@pytest.mark.parametrize("style", STYLES)
def test_a_write_of_many_says_what_it_takes_at_the_most(style):
    text = changed(
        NIGHTS,
        (
            "kind: create, entity: Night,",
            "kind: create, entity: Night, times: {average: 30, most: 500},",
        ),
        ("kind: list\n    returns: Night", "kind: delete\n    entity: Night"),
    )
    made = plan(load(text, name="hotel"), style)
    (opened,), (deleted,) = made.operations_for(1), made.operations_for(2)
    assert (opened.requests, opened.worst.requests) == (30, 500)
    assert deleted.worst.read == 1000
    assert deleted.worst.requests == pytest.approx(1 + 1000 / 25)


def test_what_alone_takes_more_than_a_partition_serves_is_served_on_average_only():
    text = changed(
        MAIL,
        ("      - {attribute: subject, contains: {param: word}}\n", ""),
        ("rate: {average: 3}", "rate: {average: 300, peak: 14000}\n    hottest: 0.5"),
    )
    made, found = asked(text)
    assert found.beyond == ("partition",)
    assert "patterns.2" in on_average(made)


PARCEL = """
keywright: 1
name: Parcels
entities:
  - name: Parcel
    identifier: [parcelId]
    items: 900000
    attributes:
      - {name: parcelId, format: uuid}
      - {name: depot, format: ulid, distinct: 50}
      - {name: seenAt, format: datetime, present: 0.95 LATER}
patterns:
  - {number: 1, name: Send, kind: create, entity: Parcel, rate: {average: 10}}
  - number: 2
    name: See
    kind: update
    entity: Parcel
    given: [depot]
    set: {seenAt: {param: at}}
    IF
    rate: {average: 10}
  - number: 3
    name: Seen at a depot
    kind: list
    returns: Parcel
    where: [{attribute: depot, is: {param: depot}}]
    order: [seenAt descending]
    limit: 20
    rate: {average: 30}
"""


@pytest.mark.parametrize(
    ("later", "condition", "written"),
    [
        ("", "", 0.95),
        (", later: true", "", 0),
        ("", "    if: [{attribute: seenAt, missing: true}]\n", 0),
        ("", "    if: [{attribute: seenAt, exists: true}]\n", 0.95),
    ],
)
@pytest.mark.parametrize("style", STYLES)
def test_a_new_item_is_priced_without_what_comes_later(later, condition, written, style):
    text = changed(PARCEL, (" LATER", later), ("    IF\n", condition))
    made = plan(load(text, name="parcels"), style)
    (create,) = made.operations_for(1)
    units = create.steps[0].expects.index_units
    assert sum(units.values()) == pytest.approx(written)
    (index,) = (one for table in made.tables for one in table.indexes)
    assert index.sparse


@pytest.mark.parametrize(
    ("first", "demanded", "seen", "written"),
    [
        # Seeing a parcel ends the state that a new one is in.
        ("kept: {value: YES}", "exists: true", "remove: [kept]", 0),
        ("kept: {value: YES}", "is: {value: YES}", "set: {kept: {value: NO}}", 0),
        ("kept: {value: YES}", "any_of: {value: [YES, PERHAPS]}", "set: {kept: {value: NO}}", 0),
        ("depot: {param: depot}", "missing: true", "set: {kept: {value: NO}}", 0),
        # The state stays, is another, or a new one may have another.
        ("kept: {value: YES}", "exists: true", "set: {kept: {value: NO}}", 0.95),
        ("kept: {value: YES}", "any_of: {value: [YES, NO]}", "set: {kept: {value: NO}}", 0.95),
        ("kept: {value: NO}", "is: {value: YES}", "set: {kept: {value: NO}}", 0.95),
        ("kept: {param: kept}", "is: {value: YES}", "set: {kept: {value: NO}}", 0.95),
        ("kept: {param: kept}", "missing: true", "set: {kept: {value: NO}}", 0.95),
        # The create sets it.
        ("kept: {value: YES}, seenAt: {param: at}", "exists: true", "remove: [kept]", 1),
    ],
)
def test_what_is_set_on_leaving_the_state_of_a_new_item_comes_later(first, demanded, seen, written):
    verb, what = seen[:-1].split(": ", 1)
    text = changed(
        PARCEL,
        (" LATER}", "}\n      - {name: kept, values: [YES, NO, PERHAPS], present: 0.5}"),
        ("entity: Parcel, rate", f"entity: Parcel, set: {{{first}}}, rate"),
        ("    IF\n", f"    if: [{{attribute: kept, {demanded}}}]\n"),
        (
            "    set: {seenAt: {param: at}}",
            f"    set: {{seenAt: {{param: at}}, {what[1:]}}}"
            if verb == "set"
            else f"    set: {{seenAt: {{param: at}}}}\n    remove: {what}]",
        ),
    )
    made = plan(load(text, name="parcels"), "multi")
    (create,) = made.operations_for(1)
    assert sum(create.steps[0].expects.index_units.values()) == pytest.approx(written)


KEPT = """{name: kept, values: [YES, NO], present: 0.05, mutable: true}"""


@pytest.mark.parametrize(
    ("more", "moved"),
    [
        ("", 1),
        # Another write leaves the same state, or has nothing to do with it.
        ("kind: update, entity: Parcel, if: [{attribute: kept, exists: true}], remove: [kept]", 1),
        ("kind: delete, entity: Parcel", 1),
        ("kind: update, entity: Parcel, set: {depot: {param: to}}", 1),
        # Another write brings a parcel back to that state, or sets what is new in this one.
        ("kind: update, entity: Parcel, set: {kept: {value: YES}}", 1.95),
        ("kind: update, entity: Parcel, given: [depot], set: {seenAt: {param: at}}", 1.95),
        ("kind: upsert, entity: Parcel", 1.95),
    ],
)
def test_what_comes_with_leaving_the_state_of_a_new_item_takes_one_write(more, moved):
    text = changed(
        PARCEL,
        (" LATER}", "}\n      - " + KEPT),
        ("entity: Parcel, rate", "entity: Parcel, set: {kept: {value: YES}}, rate"),
        ("    IF\n", "    if: [{attribute: kept, exists: true}]\n    remove: [kept]\n"),
    )
    if more:
        text += f"  - {{number: 4, name: More, {more}, rate: {{average: 0.1}}}}\n"
    made = plan(load(text, name="parcels"), "multi")
    (see,) = made.operations_for(2)
    assert sum(see.steps[0].expects.index_units.values()) == pytest.approx(moved)


@pytest.mark.parametrize(("key", "written"), [("parcelId", 1), ("seenAt", 1.9)])
@pytest.mark.parametrize("style", STYLES)
def test_a_put_over_an_item_moves_no_entry_that_its_identifier_alone_names(key, written, style):
    text = changed(
        PARCEL,
        (" LATER", ""),
        ("    IF\n", ""),
        ("kind: create, entity", "kind: upsert, entity"),
        ("where: [{attribute: depot, is: {param: depot}}]", "where: []"),
        ("order: [seenAt descending]", f"order: [{key} descending]"),
    )
    made = plan(load(text, name="parcels"), style)
    (put,) = made.operations_for(1)
    assert sum(put.steps[0].expects.index_units.values()) == pytest.approx(written)


def test_what_comes_later_is_missing_at_first():
    text = changed(PARCEL, ("present: 0.95 LATER", "later: true"), ("    IF\n", ""))
    with pytest.raises(DesignError, match="present"):
        load(text, name="parcels")


TAPES = """
keywright: 1
name: Tapes
entities:
  - name: Singer
    identifier: [singerId]
    items: 40
    attributes: [{name: singerId, format: ulid}]
  - name: Tape
    identifier: [tapeId]
    items: 4000000
    attributes:
      - {name: tapeId, format: ulid}
      - {name: singerId, refers_to: Singer.singerId}
      - {name: mood, values: [GLAD, SAD, WILD], mutable: true}
      - {name: notes, bytes: 300}
relationships:
  - {name: sings, one: Singer, many: Tape, by: singerId, average: 100000MOST}
patterns:
  - {number: 1, name: Add, kind: create, entity: Tape, rate: {average: 900}}
  - number: 2
    name: In a mood
    kind: list
    returns: Tape
    where:
      - {attribute: singerId, is: {param: singerId}}
    keep:
      - {attribute: mood, any_of: {param: moods}}
    order: [tapeId descending]
    limit: 20
    rate: {average: 2}
"""
SMALLER = "If no collection is as large as assumed, state the maximum in the relationship “sings”."


def test_the_largest_collection_is_asked_for_only_where_a_relationship_does_not_state_it():
    made, found = asked(changed(TAPES, ("MOST", "")))
    assert found.beyond == ("pages",)
    assert remedy(made).endswith(SMALLER)
    made, found = asked(changed(TAPES, ("MOST", ", most: 200000")))
    assert found.beyond == ("pages",)
    assert "smaller" not in remedy(made)
    relationship = "  - {name: sings, one: Singer, many: Tape, by: singerId, average: 100000MOST}\n"
    made, found = asked(changed(TAPES, (f"relationships:\n{relationship}", "")))
    assert found.beyond == ("pages",)
    assert "smaller" not in remedy(made)


DEVICES = """
keywright: 1
name: Devices
entities:
  - name: Device
    identifier: [deviceId]
    items: 60000
    attributes:
      - {name: deviceId, format: uuid}
      - {name: model, distinct: 40, busiest: 0.3}
      - {name: firmware, distinct: 25, busiest: 0.5, bytes: 8, mutable: true}
      - {name: seenAt, format: datetime, mutable: true}
patterns:
  - number: 1
    name: Devices with a firmware
    kind: list
    returns: Device
    where: [{attribute: model, is: {param: model}}, {attribute: firmware, is: {param: firmware}}]
    limit: 200
    rate: {average: 0.01}
  - {number: 2, name: See, kind: update, entity: Device, by: [deviceId], rate: {average: 1000},
     set: {seenAt: {param: now}}}
  - {number: 3, name: Install, kind: update, entity: Device, by: [deviceId], rate: {average: 0.05},
     set: {firmware: {param: firmware}}}
"""


@pytest.mark.parametrize("style", STYLES)
def test_of_keys_that_cost_about_the_same_one_drops_nothing_at_the_worst(style):
    (found,) = plan(load(DEVICES), style).operations_for(1)
    assert not found.steps[0].filter
    assert found.worst.read == 2 * 200  # entries of the index, and their items
    # 0.65 of those who ask for a model and a firmware find the limit, the others 22.
    assert found.steps[0].expects.read == pytest.approx(0.65 * 200 + 0.35 * 22.4, abs=0.1)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("states", ["{value: [SENT, READ, GONE]}", "{param: states, count: 3}"])
def test_the_values_of_a_list_together_find_no_more_than_their_collection_has(style, states):
    text = changed(
        MAIL,
        (
            "- {name: subject, format: text}",
            "- {name: state, values: [SENT, READ, GONE, OLD], shares: [0.3, 0.3, 0.3, 0.1]}",
        ),
        (
            "{attribute: subject, contains: {param: word}}",
            f"{{attribute: state, any_of: {states}}}",
        ),
        ("    order: [letterId descending]\n    limit: 10\n", ""),
        ("Newest with a word", "Of some states"),
    )
    _, found = asked(text, style)
    assert found.worst is not None
    # A person has 60,000 letters at the most, however many of them have each of these states.
    assert 50_000 <= found.worst.read <= 60_000


ROOMS = """
keywright: 1
name: Talk in rooms
entities:
  - name: Room
    identifier: [house, room]
    items: 90000
    attributes: [{name: house, format: uuid, distinct: 4000}, {name: room, format: ulid}]
  - name: Remark
    identifier: [remark]
    items: 27000000
    attributes:
      - {name: remark, format: ulid}
      - {name: house, refers_to: Room.house}
      - {name: room, refers_to: Room.room}
      - {name: words, bytes: 120}
relationships:
  - {name: hears, one: Room, many: Remark, by: [house, room], average: 300, most: 700000}
patterns:
  - {number: 1, name: Say, kind: create, entity: Remark, rate: {average: 20}}
  - number: 2
    name: What was said
    kind: list
    returns: Remark
    where: [{attribute: house, is: {param: house}}, {attribute: room, is: {param: room}}]
    rate: {average: 10}
"""


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("kind", ["list", "count"])
@pytest.mark.parametrize("left", ["", "house", "room"])
def test_a_key_of_a_part_of_what_identifies_a_parent_has_all_of_the_largest(style, kind, left):
    """Whether the plan's key has one part and tests the other, or nobody gives the other."""
    text = changed(ROOMS, ("kind: list", f"kind: {kind}"))
    if left:
        other = "house" if left == "room" else "room"
        both = "{attribute: house, is: {param: house}}, {attribute: room, is: {param: room}}"
        text = changed(text, (both, f"{{attribute: {other}, is: {{param: {other}}}}}"))
    made, found = asked(text, style)
    assert found.worst is not None
    assert found.worst.read == 700_000
    assert found.beyond
    assert on_average(made) == ["patterns.2"]


def test_no_more_is_read_than_the_design_says_of_the_part_itself():
    house = "{name: House, identifier: [house], items: 4000, attributes: [{name: house}]}"
    keeps = "{name: keeps, one: House, many: Remark, by: house, average: 6750, most: 650000}"
    text = changed(
        ROOMS,
        ("entities:\n", f"entities:\n  - {house}\n"),
        ("{name: house, format: uuid, distinct: 4000}", "{name: house, refers_to: House.house}"),
        ("patterns:\n", f"  - {keeps}\npatterns:\n"),
        (", {attribute: room, is: {param: room}}", ""),
    )
    _, found = asked(text)
    assert found.worst.read == 650_000


def test_of_a_part_of_a_parent_no_more_is_read_than_its_busiest_value_has():
    """A room may have 700,000 remarks, but no house more than one in fifty of 27,000,000."""
    text = changed(
        ROOMS,
        ("refers_to: Room.house", "refers_to: Room.house, busiest: 0.02"),
        (", {attribute: room, is: {param: room}}", ""),
    )
    _, found = asked(text)
    assert found.worst.read == 540_000


@pytest.mark.parametrize(
    ("keyed", "beyond"),
    [
        ('"{room}"', ("largest",)),
        ('"{house}"', ("pages",)),
        ('"{house}#{room}"', ("largest",)),
    ],
)
def test_who_gives_what_a_parent_alone_has_gives_its_other_parts(keyed, beyond):
    """All of a room is returned, whether its house is tested or not; a house has other rooms."""
    pins = f"""
planner:
  pins:
    - {{style: multi, entity: Remark, index: Said, key: {{partition: {keyed}, sort: "{{remark}}"}}}}
    - {{style: multi, pattern: 2, index: Said}}
"""
    made, found = asked(changed(ROOMS, ("distinct: 4000", "distinct: 60000")) + pins)
    assert found.steps[0].index == "Said"
    assert found.worst.read >= 700_000
    assert found.beyond == beyond
    if beyond == ("largest",):
        assert "a smaller maximum in the relationship “hears”" in remedy(made)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", ["organisation", *OF_ALL_KINDS])
def test_the_busiest_value_takes_no_more_than_the_worst(name: str, style: Style) -> None:
    for operation in planned(gallery.load(name), style).operations:
        for step in operation.steps:
            taken = step.expects
            most = taken.units if taken.worst is None else taken.worst.units
            assert (taken.busiest_units or 0) <= most


def test_the_worst_case_is_the_most_that_is_stated_of_a_part_of_a_large_parent() -> None:
    found = planned(gallery.load("organisation"), "multi")
    worst = {number: found.operations_for(number)[0].worst for number in (3, 4, 5)}
    assert {number: most and most.read for number, most in worst.items()} == {
        3: 80,
        4: 120,
        5: 2000,
    }


LOANS = """
keywright: 1
name: Loans
entities:
  - name: Branch
    identifier: [branch]
    items: 20
    attributes: [{name: branch, bytes: 5}]
  - name: Loan
    identifier: [loan]
    items: 2000000
    attributes:
      - {name: loan, format: ulid}
      - {name: branch, refers_to: Branch.branch}
      - {name: title, bytes: 30, distinct: 70000, busiest: BUSIEST}
      - {name: card, bytes: 300}
relationships:
  - {name: lends, one: Branch, many: Loan, by: branch, average: 100000, most: 300000}
patterns:
  - {number: 1, name: Lend, kind: create, entity: Loan, rate: {average: 1}}
  - number: 2
    name: Loans of a title
    kind: list
    returns: Loan
    where: [{attribute: title, is: {param: title}}, {attribute: branch, is: {param: branch}}]
    rate: {average: 5}
"""


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("busiest", "most"), [("0.01", 20_000), ("0.4", 300_000)])
def test_one_more_equality_finds_no_more_than_the_busiest_value_has(style, busiest, most):
    """All loans of a title may be of one branch, which has no more than 300,000."""
    _, found = asked(LOANS.replace("BUSIEST", busiest), style)
    assert not found.steps[0].filter
    assert found.worst.read == most


@pytest.mark.parametrize("style", STYLES)
def test_the_busiest_value_has_its_share_of_the_items_that_have_the_attribute(style):
    """Of 2,000,000 loans a quarter has a title, and two fifths of these the same."""
    text = changed(
        LOANS,
        ("busiest: BUSIEST", "busiest: 0.4, present: 0.25"),
        (", {attribute: branch, is: {param: branch}}", ""),
    )
    _, found = asked(text, style)
    (taken,) = (step.expects for step in found.steps)
    assert taken.read == pytest.approx(500_000 * (0.4 * 0.4 + 0.6 * 0.6 / 69_999), rel=0.001)
    assert taken.worst.read == 200_000
    assert taken.busiest_units == pytest.approx(taken.worst.units, rel=0.02)


@pytest.mark.parametrize(
    ("shares", "beyond"),
    [("0.01, 0.01, 0.98", ("pages",)), ("0.011, 0.009, 0.98", ())],
)
def test_half_is_not_most_however_exactly_it_is_worked_out(shares, beyond):
    """An index of letters that are new or kept has as many of both, in each folder."""
    folder = "{name: folder, values: [HOME, WORK, CLUB], shares: [0.6, 0.3, 0.1]}"
    state = f"{{name: state, values: [NEW, KEPT, GONE], shares: [{shares}], mutable: true}}"
    text = changed(
        MAIL,
        ("items: 20000000", "items: 2000000"),
        ("{name: subject, format: text}", f"{folder}\n      - {state}"),
        ("attribute: personId, is: {param: personId}", "attribute: folder, is: {param: folder}"),
        ("attribute: subject, contains: {param: word}", "attribute: state, is: {value: NEW}"),
    )
    partition = r'"{when(state, \"NEW\", \"KEPT\")}{folder}"'
    key = f'{{partition: {partition}, sort: "{{letterId}}"}}'
    text += f"""
planner:
  pins:
    - {{style: multi, entity: Letter, index: Kept, key: {key}}}
    - {{style: multi, pattern: 2, index: Kept}}
"""
    _, found = asked(text)
    assert found.steps[0].filter
    assert found.beyond == beyond
