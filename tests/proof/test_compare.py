"""The difference between an answer and what was expected, in words."""

import pytest

from designer.core.answers import Along, Answer, Answered, Row, Rows
from designer.proof.compare import compare


def rows(*groups, limit=None, attributes=None):
    return Answer(
        rows=Rows(
            tuple(tuple(Row("E", {"id": i, "at": at}) for i in ids) for at, ids in groups),
            limit,
            attributes,
        )
    )


def answered(*items):
    return Answered(parts={"rows": [("E", item) for item in items]})


def item(i, at):
    return {"id": i, "at": at}


EXPECTED = rows(("1", "ab"), ("2", "c"))


@pytest.mark.parametrize("ids", ["abc", "bac"])
def test_ties_come_in_any_order(ids):
    items = [item(i, "2" if i == "c" else "1") for i in ids]
    assert compare(EXPECTED, answered(*items)) is None


@pytest.mark.parametrize("ids", ["ab", "ac", "cb"])
def test_a_limit_may_cut_anywhere_inside_a_tie(ids):
    expected = rows(("1", "abc"), limit=2)
    assert compare(expected, answered(*(item(i, "1") for i in ids))) is None


@pytest.mark.parametrize(
    ("limit", "ids", "is_right"),
    [
        (1, "", True),  # c was cut away to, or b was, of which only b passes
        (1, "b", True),
        (1, "c", False),
        (2, "", False),  # only one of the two can be c
        (2, "b", True),
        (2, "bd", True),
        (2, "bde", False),
        (4, "bd", True),
        (4, "b", False),
        (5, "bde", True),
        (5, "bd", False),
    ],
)
def test_what_is_tested_after_a_limit_counts_within_it(limit, ids, is_right):
    """Of three that tie, all but c pass; e comes later. The answer also depends on where the limit cuts."""
    tied = tuple(Row("E", item(i, "1"), passes=i != "c") for i in "bcd")
    groups = (tied, (Row("E", item("f", "2"), passes=False),), (Row("E", item("e", "3")),))
    given = answered(*(item(i, "3" if i == "e" else "1") for i in ids))
    difference = compare(Answer(rows=Rows(groups, limit)), given)
    assert (difference is None) == is_right
    assert is_right or difference.missing or difference.unexpected


def test_what_is_missing_too_many_and_out_of_order_is_named():
    missing = compare(EXPECTED, answered(item("a", "1"), item("c", "2")))
    assert "missing: {id: 'b', at: '1'}" in str(missing)
    too_many = compare(EXPECTED, answered(*(item(i, "1") for i in "abd"), item("c", "2")))
    assert "unexpected: {id: 'd', at: '1'}" in str(too_many)
    order = compare(EXPECTED, answered(item("c", "2"), item("a", "1"), item("b", "1")))
    assert str(order) == "rows: row 1 is {id: 'c', at: '2'} where {id: 'a', at: '1'} was expected"
    beyond = compare(rows(("1", "abc"), limit=2), answered(*(item(i, "1") for i in "abc")))
    assert "1 beyond the limit of 2" in str(beyond)
    short = compare(rows(("1", "abc"), limit=2), answered(item("a", "1")))
    assert "missing: 1 of 2 like" in str(short)


def test_a_row_answered_twice_is_one_too_many():
    twice = compare(EXPECTED, answered(item("a", "1"), item("a", "1"), item("c", "2")))
    assert twice.missing == ("{id: 'b', at: '1'}",)
    assert twice.unexpected == ("{id: 'a', at: '1'}",)


def test_named_attributes_are_the_least_and_others_must_be_right():
    expected = rows(("1", "a"), attributes=("id",))
    assert compare(expected, answered({"id": "a"})) is None
    assert compare(expected, answered(item("a", "1"))) is None
    assert compare(expected, answered(item("a", "wrong"))) is not None


def test_the_whole_item_is_asked_for_when_no_attributes_are_named():
    assert compare(rows(("1", "a")), answered({"id": "a"})) is not None


def along(name, *ids, towards_one=False):
    children = Rows((tuple(Row("C", {"id": i, "of": name}) for i in ids),))
    return Row("E", {"id": name}, {"has": Along(children, {"C": (("of", name),)}, towards_one)})


def test_what_comes_along_belongs_to_its_row():
    expected = Answer(rows=Rows(((along("a", "1"), along("b", "2")),)))
    parents = [("E", {"id": "a"}), ("E", {"id": "b"})]
    right = [("C", {"id": "1", "of": "a"}), ("C", {"id": "2", "of": "b"})]
    assert compare(expected, Answered({"rows": parents, "has": right})) is None
    missing = compare(expected, Answered({"rows": parents, "has": right[:1]}))
    assert str(missing) == "has of {id: 'b'}: missing: {id: '2', of: 'b'}"
    stray = compare(expected, Answered({"rows": parents, "has": [*right, ("C", {"of": "z"})]}))
    assert str(stray) == "has: unexpected: {of: 'z'}"


def test_figures_differ_by_value_and_type():
    assert compare(Answer(value=True), Answered(value=True)) is None
    assert str(compare(Answer(value=True), Answered(value=1))) == ("result: expected true, got 1")
