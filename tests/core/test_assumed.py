"""What a plan assumes where the design states nothing, and what another value would change."""

import pytest

from designer.core.design.load import load
from designer.core.grid.answer import answer
from designer.core.plan import Assumed, Plan
from designer.core.planner import plan
from designer.core.report.assumed import _row
from designer.core.sentences.assumptions import assumption, effects, of_pattern

SEARCH = """
keywright: 1
name: Tickets
entities:
  - name: Ticket
    identifier: [ticketId]
    items: 2000000
    attributes:
      - {name: ticketId, format: ulid}
      - {name: subject, format: text, bytes: 24}
      - {name: price, type: N, format: decimal, digits: 8, scale: 2}
patterns:
  - {number: 1, name: Open, kind: create, entity: Ticket, rate: {average: 5}}
  - number: 2
    name: Search
    kind: list
    returns: Ticket
    where:
      - {attribute: subject, contains: {param: part}}
      - {attribute: price, from: {param: low}, to: {param: high}}
    order: [ticketId descending]
    limit: 20
    rate: {average: 1}
"""


def planned(text: str, style: str = "multi") -> Plan:
    return plan(load(text, name="tickets"), style)


def changed(*changes: tuple[str, str], text: str = SEARCH) -> str:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def test_a_share_that_nobody_stated_is_assumed_and_says_what_it_could_change():
    found = planned(SEARCH).assumed
    assert [(one.what, one.where, one.of, one.value) for one in found] == [
        ("share", "patterns.2", "price", 0.5),
        ("share", "patterns.2", "subject", 0.5),
    ]
    (use,) = found[0].used
    assert use.pattern == 2
    assert use.low.units > use.high.units  # few that fit are looked for in more
    assert found[0].usd_per_month > 0


def test_a_row_without_an_effect_says_that_there_is_none():
    found = planned(SEARCH).assumed[0]
    what, effect, worth = _row(found)
    assert (what, effect) == (assumption(found), " ".join(effects(found)))
    assert worth.endswith(" a month")
    (use,) = found.used
    idle = found.model_copy(
        update={"used": (use.model_copy(update={"high": use.low}),), "usd_per_month": 0}
    )
    assert _row(idle) == (what, "The same requests and units with both.", "none")


def test_what_is_stated_is_not_assumed():
    stated = changed(
        ("contains: {param: part}", "contains: {param: part}, share: 0.2"),
        ("to: {param: high}", "to: {param: high}, share: 0.3"),
    )
    assert planned(stated).assumed == ()
    assert planned(changed(("    limit: 20", "    limit: 20\n    expects: 20"))).assumed == ()


COURSE = """
keywright: 1
name: Courses
entities:
  - name: Course
    identifier: [courseId]
    COURSES
    attributes: [{name: courseId, format: uuid}, {name: title, bytes: 40}]
  - name: Lesson
    identifier: [courseId, lessonId]
    LESSONS
    attributes:
      - {name: courseId, format: uuid}
      - {name: lessonId, format: ulid}
      - {name: kind, format: text}
relationships:
  - {name: teaches, one: Course, many: Lesson, by: courseId, identifying: true AVERAGE}
patterns:
  - {number: 1, name: A course, kind: get,
     returns: Course,
     where: [{attribute: courseId, is: {param: c}}],
     with: [{relationship: teaches}],
     rate: {average: 1}}
  - {number: 2, name: Lessons, kind: list,
     returns: Lesson,
     where: [{attribute: courseId, is: {param: c}}],
     rate: {average: 1}}
"""


@pytest.mark.parametrize(
    ("courses", "lessons", "average", "expected"),
    [
        ("", "", "", [("children", "teaches"), ("items", "Course"), ("items", "Lesson")]),
        ("items: 100", "items: 700", "", []),  # seven each
        ("", "", ", average: 7", [("items", "Course"), ("items", "Lesson")]),
    ],
)
def test_children_follow_from_how_many_there_are_of_both(courses, lessons, average, expected):
    text = changed(
        ("    COURSES\n", f"    {courses}\n" if courses else ""),
        ("    LESSONS\n", f"    {lessons}\n" if lessons else ""),
        (" AVERAGE", average),
        text=COURSE,
    )
    made = planned(text)
    assert sorted((one.what, one.of) for one in made.assumed) == expected
    if "children" in {one.what for one in made.assumed}:
        (one,) = (one for one in made.assumed if one.what == "children")
        assert {use.pattern for use in one.used} == {1, 2}
        assert (one.value, one.low, one.high) == (10, 1, 100)


def test_a_part_of_an_identifier_has_the_values_that_tell_the_rest_apart():
    text = """
keywright: 1
name: Rooms
entities:
  - name: Hotel
    identifier: [hotelId]
    items: 50
    attributes: [{name: hotelId, format: uuid}]
  - name: Night
    identifier: [hotelId, night]
    items: 36500
    attributes:
      - {name: hotelId, refers_to: Hotel.hotelId}
      - {name: night, format: text}
      - {name: free, type: N}
patterns:
  - {number: 1, name: A night, kind: list,
     returns: Night,
     where: [{attribute: night, is: {param: night}}],
     rate: {average: 1}}
"""
    made = planned(text)
    assert made.assumed == ()
    (step,) = made.operations[0].steps
    assert step.expects.returned == 50  # 36,500 are 730 nights of 50 hotels


def test_what_is_referred_to_alone_is_assumed_to_tell_items_apart_by_itself():
    text = """
keywright: 1
name: Adverts
entities:
  - name: Campaign
    identifier: [firmId, campaignId]
    items: 80000
    attributes: [{name: firmId, bytes: 12, distinct: 4000}, {name: campaignId, bytes: 12}]
  - name: Advert
    identifier: [advertId]
    items: 240000
    attributes:
      - {name: advertId, bytes: 12}
      - {name: campaignId, refers_to: Campaign.campaignId}
patterns:
  - {number: 1, name: Adverts of a campaign, kind: list,
     returns: Advert,
     where: [{attribute: campaignId, is: {param: campaignId}}],
     rate: {average: 1}}
"""
    made = planned(text)
    (step,) = made.operations[0].steps
    assert (
        step.expects.returned == 3
    )  # not the 12,000 of 20 values that would do beside 4,000 firms
    (values,) = [one for one in made.assumed if one.what == "values"]
    assert (values.of, values.value, values.high) == ("Campaign.campaignId", 80_000, 80_000)


def test_the_values_of_an_attribute_are_assumed_once_for_all_who_ask_by_it():
    more = """
  - {number: 3, name: By subject, kind: list,
     returns: Ticket,
     where: [{attribute: subject, is: {param: subject}}],
     rate: {average: 1}}
  - {number: 4, name: Count, kind: count,
     returns: Ticket,
     where: [{attribute: subject, is: {param: subject}}],
     rate: {average: 1}}
"""
    made = planned(SEARCH + more.strip("\n") + "\n")
    (one,) = (one for one in made.assumed if one.what == "values")
    assert (one.where, one.of) == ("entities.Ticket.attributes.subject", "Ticket.subject")
    assert [use.pattern for use in one.used] == [3, 4]
    assert one in of_pattern(made, 3)


def test_assumptions_are_said_in_words_with_their_effect():
    found = planned(SEARCH).assumed[0]
    assert assumption(found) == "The condition on price in pattern 2 keeps 50 % of the items."
    (said,) = effects(found)
    assert said.startswith("With a value of 1 %, pattern 2 takes ")
    assert "; with 90 %, it takes " in said
    (use,) = found.used
    (said,) = effects(
        found.model_copy(update={"used": (use.model_copy(update={"given": ("before",)}),)})
    )
    assert said.startswith("When only “before” is given: with a value of 1 %, pattern 2 takes ")


def test_the_answer_of_a_pattern_names_what_its_figures_assume():
    design = load(SEARCH, name="tickets")
    made = plan(design, "multi")
    told = answer(design, made, 2)
    assert [one.split(" keeps ")[0] for one in told.assumed] == [
        "The condition on price in pattern 2",
        "The condition on subject in pattern 2",
    ]
    assert "read units at worst" in {figure.label for figure in told.figures}
    assert answer(design, made, 1).assumed == ()


@pytest.mark.parametrize(
    ("given", "length"),
    [("param: parts", 3.0), ("param: parts, count: 6", None), ("value: [rent, food]", None)],
)
def test_the_length_of_a_list_is_assumed_where_it_is_not_stated(given: str, length: float | None):
    text = changed(("contains: {param: part}", f"any_of: {{{given}}}"))
    found = [one.value for one in planned(text).assumed if one.what == "list"]
    assert found == ([] if length is None else [length])


STATES = ("subject, format: text", "subject, values: [NEW, OPEN, SHUT], shares: [0.1, 0.2, 0.7]")


def test_no_list_is_assumed_to_have_more_values_than_there_are():
    text = changed(STATES, ("contains: {param: part}", "any_of: {param: states}"))
    (one,) = (one for one in planned(text).assumed if one.what == "list")
    assert (one.low, one.value, one.high) == (1, 2, 3)


def test_the_values_that_remain_are_no_list_of_the_caller():
    text = changed(STATES, ("contains: {param: part}", "not: {value: SHUT}"))
    assert [one for one in planned(text).assumed if one.what == "list"] == []


@pytest.mark.parametrize("style", ["single", "multi"])
def test_what_is_expected_does_not_say_how_many_values_a_list_has(style):
    """All of them together find so many items; each is a request."""
    text = changed(
        ("subject, format: text", "subject, format: text, distinct: 100000"),
        ("contains: {param: part}", "any_of: {param: subjects}"),
        ("      - {attribute: price, from: {param: low}, to: {param: high}}\n", ""),
        ("    order: [ticketId descending]\n    limit: 20", "    expects: 60"),
    )
    (one,) = planned(text, style).assumed
    assert (one.what, one.of, one.value) == ("list", "subject", 3)
    (use,) = one.used
    assert (use.low.requests, use.high.requests) == (1, 30)
    assert use.low.units <= use.high.units <= 30  # no more items, in more requests


OWNED = """
keywright: 1
name: Tasks
entities:
  - name: Task
    identifier: [taskId]
    items: 5000000
    attributes:
      - {name: taskId, format: ulid}
      - {name: ownerId, format: uuid STATED}
      - {name: text, bytes: 90}
patterns:
  - {number: 1, name: Add, kind: create, entity: Task, rate: {average: 5}}
  - {number: 2, name: Of an owner, kind: list, returns: Task,
     where: [{attribute: ownerId, is: {param: ownerId}}], rate: {average: 50}}
"""


def test_the_identifier_of_something_else_is_on_more_than_one_item():
    """Nobody said how many owners there are: that each has one task would make any list look free."""
    made = planned(changed((" STATED", ""), text=OWNED))
    (one,) = made.assumed
    assert (one.what, one.of, one.value) == ("values", "Task.ownerId", 500_000)
    assert (one.low, one.high) == (50_000, 5_000_000)
    (operation,) = made.operations_for(2)
    assert operation.steps[0].expects.returned == 10
    assert planned(changed((" STATED", ", distinct: 40000"), text=OWNED)).assumed == ()


BERTHS = """
keywright: 1
name: Berths
entities:
  - name: Berth
    identifier: [harbour, place]
    items: 20000
    attributes: [{name: harbour}, {name: place}]
  - name: Stay
    identifier: [stayId]
    items: 400000
    attributes: [{name: stayId, format: uuid}, {name: harbour}, {name: place}]
relationships:
  - {name: takes, one: Berth, many: Stay, by: [harbour, place], average: 20}
patterns:
  - number: 1
    name: Stays at places of a name
    kind: list
    returns: Stay
    where: [{attribute: place, is: {param: place}}]
    rate: {average: 5}
"""


def test_what_refers_to_something_is_assumed_to_have_the_values_that_are_assumed_there():
    made = planned(BERTHS)
    (place,) = (one for one in made.assumed if one.of == "Berth.place")
    assert place.value == 2000
    (read,) = made.operations
    assert read.steps[0].expects.read == 400_000 / 2000
    stated = changed(
        (
            "{name: harbour}, {name: place}]\n  - name",
            "{name: harbour}, {name: place, distinct: 2000}]\n  - name",
        ),
        text=BERTHS,
    )
    (same,) = planned(stated).operations
    assert same.steps[0].expects == read.steps[0].expects


def test_the_plan_as_it_is_keeps_its_pages_whatever_share_passes():
    """Its pages hold so many tickets, and one in a hundred that passes is looked for in as many pages as that takes."""
    made = planned(
        changed(("      - {attribute: price, from: {param: low}, to: {param: high}}\n", ""))
    )
    (one,) = made.assumed
    (use,) = one.used
    (step,) = made.operations_for(2)[0].steps
    assert (one.value, one.low, step.limit) == (0.5, 0.01, 45)
    assert use.low.requests == pytest.approx(20 / 0.01 / step.limit, abs=1)


HALLS = """
keywright: 1
name: Halls
entities:
  - name: Chair
    identifier: [chairId]
    ITEMS
    attributes:
      - {name: chairId, bytes: 8}
      - {name: hall, bytes: 8 HALLS}
      - {name: colour, bytes: 6}
      - {name: text, bytes: 900}
patterns:
  - {number: 1, name: Add, kind: create, entity: Chair, rate: {average: 900}}
  - number: 2
    name: In a hall
    kind: count
    returns: Chair
    where: [{attribute: hall, is: {param: hall}} COLOUR]
    rate: {average: 1}
"""


def in_halls(items: str = "", halls: str = "", colour: str = "") -> dict[str, Assumed]:
    text = changed(("ITEMS", items), (" HALLS", halls), (" COLOUR", colour), text=HALLS)
    return {one.of: one for one in planned(text).assumed}


def units(one: Assumed) -> tuple[float, float]:
    (use,) = one.used
    return use.low.units, use.high.units


def test_how_many_items_there_are_is_assumed_of_what_is_found_by_a_value():
    """Of 100 halls; where nobody says how many halls there are, there are more of them with more chairs."""
    chairs = in_halls(halls=", distinct: 20")["Chair"]
    assert (chairs.value, chairs.low, chairs.high) == (1000, 100, 10000)
    few, many = units(chairs)
    assert few < many
    assert in_halls()["Chair"].used == ()


def test_values_that_a_filter_tests_change_nothing_of_what_is_read():
    found = in_halls("items: 4000", ", distinct: 20", ", {attribute: colour, is: {param: colour}}")
    few, many = units(found["Chair.colour"])
    assert few == many


def test_numbers_of_things_are_assumed_between_whole_numbers():
    halls = in_halls("items: 167")["Chair.hall"]
    assert (halls.value, halls.low, halls.high) == (16.7, 2, 167)
