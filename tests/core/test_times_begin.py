"""An hour, a day, a month or a year that is asked for is how a time begins: a key sorted by the time answers it."""

import pytest

from designer.core.design.document import Design
from designer.core.examples import examples
from designer.core.examples.simulate import run
from designer.core.examples.stored_items import stored_items
from designer.core.plan import STYLES, Style
from designer.core.planner import patterns_of_key, plan
from tests.core.test_planner import design, indexes, is_, operation

VISIT = {
    "name": "Visit",
    "identifier": ["visitId"],
    "items": 1_000_000,
    "attributes": [
        {"name": "visitId", "format": "uuid"},
        {"name": "meterId", "bytes": 10, "distinct": 1000},
        {"name": "state", "values": ["OPEN", "DONE"]},
        {"name": "at", "format": "datetime"},
        {"name": "day", "derived": "date(at)", "distinct": 500},
        {"name": "month", "derived": "month(at)", "distinct": 16},
        {"name": "note", "bytes": 60},
    ],
}


@pytest.fixture(params=STYLES)
def style(request) -> Style:
    return request.param


METER = is_("meterId")
CREATE = {"kind": "create", "entity": "Visit", "rate": {"average": 20}}
GET = {"kind": "get", "returns": "Visit", "where": [is_("visitId")], "rate": {"average": 1}}


def visits(*where: dict, **more: object) -> dict:
    rate = {"average": 5}
    return {"kind": "list", "returns": "Visit", "where": list(where), "rate": rate, **more}


def begins(name: str, distinct: int) -> dict:
    return {"attribute": "at", "begins_with": {"param": name}, "share": 1 / distinct}


NEWEST = visits(METER, order=["at descending"], limit=10)
OF_DAY = visits(METER, is_("day"))
OF_MONTH = visits(METER, is_("month"))


def asked(*patterns: dict, of: dict = VISIT, **more: object) -> Design:
    return design([of], [CREATE, GET, *patterns], **more)


def key_of(index) -> tuple[list[str], list[str]]:
    return [part.name for part in index.partition], [part.name for part in index.sort]


def changed(name: str, **fields: object) -> dict:
    attributes = [{**one, **fields} if one["name"] == name else one for one in VISIT["attributes"]]
    return {**VISIT, "attributes": attributes}


def last_condition(made, number: int):
    """What a pattern's last request asks of the end of its key."""
    return operation(made, number).steps[0].where[-1]


def test_one_index_answers_the_newest_a_day_and_a_month():
    made = plan(asked(NEWEST, OF_DAY, OF_MONTH), "multi")
    (index,) = indexes(made)
    assert key_of(index) == (["meterId"], ["at"])
    assert index.serves == (3, 4, 5)
    assert last_condition(made, 4).begins_with == "{day}"
    assert last_condition(made, 5).begins_with == "{month}"
    assert made.tables[0].items[0].set == {}
    # A thousand visits of a meter on 500 days are two of a day.
    assert operation(made, 4).steps[0].expects.read == 2
    assert operation(made, 5).steps[0].expects.read == 1000 / 16


def test_a_day_costs_what_the_beginning_of_its_time_does(style):
    by_day = plan(asked(NEWEST, OF_DAY, OF_MONTH), style)
    said = visits(METER, begins("day", 500)), visits(METER, begins("month", 16))
    by_beginning = plan(asked(NEWEST, *said), style)
    assert by_day.cost == by_beginning.cost
    assert [len(indexes(made)) for made in (by_day, by_beginning)] == [1, 1]
    assert last_condition(by_day, 4) == last_condition(by_beginning, 4)


def test_the_certificate_does_not_keep_apart_what_one_key_answers():
    made = plan(asked(NEWEST, OF_DAY, OF_MONTH), "multi")
    assert made.certificate.indexes_at_least == 1
    assert not {3, 4} <= set(made.certificate.patterns)
    other = visits(METER, order=["note ascending"], limit=10)
    apart = plan(asked(NEWEST, OF_DAY, other), "multi")
    assert set(apart.certificate.patterns) >= {2, 5}


def test_a_key_sorted_by_a_time_answers_its_days_and_months_exactly():
    found = patterns_of_key(
        asked(NEWEST, OF_DAY, OF_MONTH), "multi", "Visit", ("meterId",), ("at",)
    )
    assert {one.pattern: one.verdict for one in found if one.pattern > 2} == dict.fromkeys(
        (3, 4, 5), "efficient"
    )


def test_the_beginning_of_a_time_ends_that_of_a_composed_key(style):
    """Visits of a state are too many of a meter to be dropped when one day is wanted."""
    of_state = visits(METER, is_("state"), order=["at descending"], limit=10)
    of_day = visits(METER, is_("state"), is_("day"))
    made = plan(asked(of_state, of_day), style)
    assert len(indexes(made)) == 1
    assert last_condition(made, 4).begins_with.endswith(("#{day}", "{day}"))


def test_a_time_stays_in_order_behind_its_beginning():
    made = plan(
        asked(visits(METER, is_("month"), order=["at descending"], limit=5), NEWEST), "multi"
    )
    (step,) = operation(made, 3).steps
    assert (step.forward, step.limit) == (False, 5)
    assert operation(made, 3).result.parts[0].order == ()


def test_the_tables_own_key_takes_a_beginning_for_a_strong_read(style):
    of = {**VISIT, "identifier": ["meterId", "at"], "attributes": VISIT["attributes"][1:]}
    strong = visits(METER, is_("day"), consistency="strong")
    made = plan(design([of], [CREATE, strong]), style)
    assert indexes(made) == []
    (step,) = operation(made, 2).steps
    assert step.consistent
    assert step.where[-1].begins_with


def test_several_days_are_asked_one_by_one():
    days = visits(METER, {"attribute": "day", "any_of": {"param": "days"}}, expects=3)
    made = plan(asked(NEWEST, days), "multi")
    (index,) = indexes(made)
    assert key_of(index) == (["meterId"], ["at"])
    (step,) = operation(made, 4).steps
    assert step.for_each.values == "days"
    assert step.where[-1].begins_with == "{days}"
    assert operation(made, 4).requests == 3


def test_of_several_beginnings_the_longest_is_taken_and_the_others_are_tested():
    made = plan(asked(NEWEST, visits(METER, is_("month"), is_("day"))), "multi")
    assert last_condition(made, 4).begins_with == "{day}"
    (kept,) = operation(made, 4).result.parts[0].keep
    assert (kept.attribute, kept.is_) == ("month(at)", "{month}")


@pytest.mark.parametrize(("share", "is_taken"), [(0.5, False), (0.0001, True)])
def test_of_a_range_and_a_beginning_the_key_takes_what_keeps_less(share, is_taken):
    since = {"attribute": "at", "from": {"param": "since"}, "share": share}
    made = plan(asked(NEWEST, visits(METER, is_("day"), since)), "multi")
    assert len(indexes(made)) == 1
    last = last_condition(made, 4)
    assert (last.from_ is not None, last.begins_with is not None) == (is_taken, not is_taken)
    (kept,) = operation(made, 4).result.parts[0].keep
    assert kept.attribute == ("date(at)" if is_taken else "at")


def test_an_index_holds_only_items_with_the_time_and_these_are_all_that_have_a_day():
    made = plan(asked(NEWEST, OF_DAY, of=changed("at", present=0.3)), "multi")
    (index,) = indexes(made)
    assert index.sparse
    assert last_condition(made, 4).begins_with == "{day}"


def test_text_that_is_written_in_no_stated_way_does_not_begin_with_its_day():
    """`2026-05` is all of one value and how another begins."""
    made = plan(asked(NEWEST, OF_DAY, of=changed("at", format=None)), "multi")
    assert {index.sort[0].name for index in indexes(made)} == {"at", "day"}
    assert last_condition(made, 4).equals == "{text(day)}"


def test_a_time_that_is_written_the_other_way_round_has_no_known_beginning():
    mixed = visits(METER, order=["at descending", "note ascending"], limit=10)
    made = plan(asked(mixed, OF_DAY), "multi")
    (inverse,) = [index for index in indexes(made) if 3 in index.serves]
    assert "inverse" in "".join(key_of(inverse)[1])
    assert 4 not in inverse.serves


def test_the_example_rows_of_a_day_are_found(style):
    times = ["2026-05-03T23:59:59Z", "2026-05-04T00:00:00Z", "2026-05-04T10:30:00Z"]
    attributes = [
        {**one, **({"examples": times} if one["name"] == "at" else {})}
        | ({"examples": ["m1", "m1", "m1"]} if one["name"] == "meterId" else {})
        for one in VISIT["attributes"]
    ]
    stated = asked(NEWEST, OF_DAY, of={**VISIT, "attributes": attributes})
    made, rows = plan(stated, style), examples(stated)
    tables = {table.name: stored_items(stated, made, rows, table) for table in made.tables}
    trace = run(stated, made, tables, operation(made, 4), {"meterId": "m1", "day": "2026-05-04"})
    assert trace.read == trace.returned == ("Visit-2", "Visit-3")
