"""What a pattern is expected to return, and what keys with some of its conditions read for that."""

from random import Random

import pytest

from designer.core.design.document import Design
from designer.core.lint import lint
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.pipeline import outlined
from designer.core.planner.workload.requirements import requirements
from tests.designs_generated import crossed, generated

METER = {
    "name": "Meter",
    "identifier": ["meterId"],
    "items": 15_000,
    "attributes": [{"name": "meterId", "format": "uuid"}],
}
READING = {
    "name": "Reading",
    "identifier": ["readingId"],
    "items": 30_000_000,
    "attributes": [
        {"name": "readingId", "format": "uuid"},
        {"name": "meterId", "refers_to": "Meter.meterId"},
        {"name": "readAt", "format": "datetime"},
        {"name": "quality", "values": ["GOOD", "BAD"], "shares": [0.99, 0.01]},
        {"name": "alarm", "bytes": 10, "present": 0.1},
        {"name": "value", "bytes": 200},
    ],
}
SENDS = {"name": "sends", "one": "Meter", "many": "Reading", "by": "meterId", "average": 2000}
OF_METER = {"attribute": "meterId", "is": {"param": "meterId"}}
IN_TIME = {"attribute": "readAt", "from": {"param": "since"}, "below": {"param": "until"}}
BAD = {"attribute": "quality", "is": {"value": "BAD"}}
GOOD = {"attribute": "quality", "is": {"value": "GOOD"}}
HALF = {**IN_TIME, "share": 0.5}
LARGE = {"attribute": "value", "from": {"param": "least"}}
LARGE_HALF = {**LARGE, "share": 0.5}
OF_ALARM = {"attribute": "alarm", "is": {"param": "alarm"}}
OF_QUALITIES = {"attribute": "quality", "any_of": {"param": "qualities"}}
WITH_ALARM = {"attribute": "alarm", "exists": True}
CREATE = {
    "number": 9,
    "name": "Send",
    "kind": "create",
    "entity": "Reading",
    "rate": {"average": 1},
}


def asking(*where, kind="list", returns="Reading", besides=(), **said):
    pattern = {
        "number": 1,
        "name": "Readings",
        "kind": kind,
        "returns": returns,
        "where": list(where),
        "rate": {"average": 4},
        **said,
    }
    return Design.model_validate(
        {
            "name": "Meters",
            "entities": [METER, READING],
            "relationships": [SENDS],
            "patterns": [
                pattern,
                CREATE,
                *(
                    {"number": number, "name": f"Also {number}", "rate": {"average": 4}, **one}
                    for number, one in enumerate(besides, 10)
                ),
            ],
        }
    )


def entity_reads(design):
    return [pattern_read.entity_reads[0] for pattern_read in requirements(design).pattern_reads]


def query(design):
    (step,) = plan(design, "multi").operations_for(1)[0].steps
    return step


def figures(entity_read):
    return entity_read.matched, entity_read.range_share, entity_read.returned


def test_a_range_of_which_few_rows_are_expected_is_read_by_a_key_that_has_it():
    """A key with the meter alone, which needs no index, would read all that the meter has sent."""
    judge = {"kind": "update", "entity": "Reading", "set": {"quality": {"param": "new"}}}
    judge["rate"] = {"average": 2}
    bad = {"kind": "list", "returns": "Reading", "where": [OF_METER, BAD]}
    made = plan(asking(OF_METER, IN_TIME, expects=12, besides=[judge, bad]), "multi")
    (step,) = made.operations_for(1)[0].steps
    assert [condition.attribute for condition in step.where] == ["meterId", "readAt"]
    assert (step.expects.read, step.expects.returned) == (12, 12)


def test_it_is_planned_as_with_the_share_that_follows_from_what_is_expected():
    expected = plan(asking(OF_METER, IN_TIME, expects=12), "multi")
    stated = plan(asking(OF_METER, {**IN_TIME, "share": 0.006}), "multi")
    assert expected.operations == stated.operations
    assert expected.tables == stated.tables


@pytest.mark.parametrize(
    ("where", "said", "found"),
    [
        ([OF_METER, IN_TIME], {}, (2000, 0.5, 1000)),
        ([OF_METER, IN_TIME], {"expects": 1500}, (2000, 0.75, 1500)),
        ([OF_METER, IN_TIME], {"expects": 0}, (2000, 0, 0)),
        # Who is asked for more than anybody has on average has more than that, of which the range leaves half.
        ([OF_METER, IN_TIME], {"expects": 2002}, (2004, 2002 / 2004, 2002)),
        ([OF_METER, IN_TIME], {"expects": 5000}, (8000, 0.625, 5000)),
        # A share that is stated, too, is that of the readings a busy meter has ...
        ([OF_METER, {**IN_TIME, "share": 0.1}], {"expects": 500}, (5000, 0.1, 500)),
        # ... and not where it is more than all conditions leave.
        ([OF_METER, {**IN_TIME, "share": 0.1}], {"expects": 50}, (2000, 0.025, 50)),
        # Where nothing is left to drop rows, what has all values is what is returned.
        ([OF_METER], {"expects": 12}, (12, 1, 12)),
        ([OF_METER, BAD], {"expects": 12}, (12, 1, 12)),
        ([OF_METER, WITH_ALARM], {"expects": 12}, (12, 1, 12)),
        # What is tested after the reading leaves what is expected, of all that there are.
        ([OF_METER], {"keep": [BAD], "expects": 12}, (2000, 1, 12)),
        ([OF_METER], {"keep": [BAD], "expects": 60}, (6000, 1, 60)),
        ([OF_METER, IN_TIME], {"keep": [BAD], "expects": 2}, (2000, 0.1, 2)),
        ([OF_METER, {**IN_TIME, "share": 0.4}], {"keep": [BAD], "expects": 2}, (2000, 0.4, 2)),
        # Two ranges, or a filter that nothing is stated of, leave what is expected before anybody has more for it ...
        ([OF_METER, IN_TIME, LARGE], {}, (2000, 0.5, 500)),
        ([OF_METER, IN_TIME, LARGE], {"expects": 12}, (2000, 0.012, 12)),
        ([OF_METER, IN_TIME, LARGE], {"expects": 1000}, (2000, 0.5, 1000)),
        ([OF_METER, IN_TIME, LARGE], {"expects": 1900}, (2000, 0.95, 1900)),
        ([OF_METER], {"keep": [LARGE], "expects": 1900}, (2000, 1, 1900)),
        ([OF_METER], {"keep": [OF_ALARM], "expects": 500}, (2000, 1, 500)),
        # ... and where their shares are stated, they may leave the same rows.
        ([OF_METER, HALF, LARGE_HALF], {"expects": 12}, (2000, 0.5, 12)),
        ([OF_METER, HALF, LARGE_HALF], {"expects": 1000}, (2000, 0.5, 1000)),
        ([OF_METER, HALF, LARGE_HALF], {"expects": 1500}, (3000, 0.5, 1500)),
        ([OF_METER, HALF], {"keep": [GOOD], "expects": 1000}, (2000, 0.5, 1000)),
        # A limit cuts what there is, or what is there is expected to be less for some.
        ([OF_METER], {"limit": 20, "expects": 20}, (2000, 1, 20)),
        ([OF_METER], {"limit": 20, "expects": 5}, (2000, 1, 5)),
        ([OF_METER, IN_TIME], {"limit": 20, "expects": 5}, (2000, 0.0025, 5)),
        ([OF_METER, IN_TIME], {"limit": 20, "expects": 20}, (2000, 0.5, 20)),
        ([OF_METER], {"kind": "exists", "expects": 20}, (2000, 1, 1)),
        # Somebody asks for an alarm that the meter had, unless it is expected that it mostly had none.
        ([OF_METER, OF_ALARM], {}, (1, 1, 1)),
        ([OF_METER, OF_ALARM, BAD], {}, (0.01, 1, 0.01)),
        ([OF_METER], {"keep": [OF_ALARM]}, (2000, 1, 1)),
        ([OF_METER], {"keep": [OF_ALARM, BAD]}, (2000, 1, 0.01)),
        ([OF_METER, OF_ALARM], {"expects": 0.25}, (0.25, 1, 0.25)),
        ([OF_METER, OF_ALARM], {"limit": 20, "expects": 0.25}, (0.25, 1, 0.25)),
        # At most one item has an identifier.
        ([{"attribute": "readingId", "is": {"param": "id"}}], {"expects": 7}, (1, 1, 1)),
    ],
)
def test_what_all_conditions_leave_is_as_expected_and_what_some_leave_as_stated(where, said, found):
    (entity_read,) = entity_reads(asking(*where, **said))
    assert figures(entity_read) == pytest.approx(found)


def test_a_key_without_one_of_the_values_reads_what_is_stated_of_the_others():
    design = asking(OF_METER, BAD, expects=12)
    (entity_read,) = entity_reads(design)
    model = EntityModel(design, design.entity["Reading"], "multi", requirements(design))
    assert model.matched_by(entity_read, ("meterId", "quality"), ()) == 12
    assert model.matched_by(entity_read, ("meterId",), ()) == 2000


def test_an_index_with_what_need_not_be_there_reads_what_is_stated_of_it():
    design = asking(OF_METER, WITH_ALARM, expects=12)
    (entity_read,) = entity_reads(design)
    model = EntityModel(design, design.entity["Reading"], "multi", requirements(design))
    assert model.matched_by(entity_read, ("meterId",), ("alarm",)) == 12
    assert model.matched_by(entity_read, ("meterId",), ()) == 2000


def test_as_many_are_read_in_order_as_the_limit_is_expected_to_leave():
    newest = asking(OF_METER, order=["readAt descending"], limit=20, expects=5)
    step = query(newest)
    assert (step.limit, step.expects.read, step.expects.returned) == (20, 5, 5)


def test_all_elements_of_a_list_together_find_what_is_expected():
    both = {**OF_QUALITIES, "any_of": {**OF_QUALITIES["any_of"], "count": 2}}
    design = asking(OF_METER, both, expects=30)
    (entity_read,) = entity_reads(design)
    assert (entity_read.list_length, entity_read.returned) == (2, pytest.approx(30))
    step = query(design)
    assert step.expects.returned == pytest.approx(30)
    assert step.expects.read >= step.expects.returned


@pytest.mark.parametrize("expects", [0, 2, 12, 300, 1999, 2001, 20_000])
@pytest.mark.parametrize(
    ("where", "said"),
    [
        ([HALF, LARGE_HALF], {}),
        ([{**IN_TIME, "share": 0.9}, LARGE], {}),
        ([], {"keep": [GOOD]}),
        ([], {"keep": [LARGE], "order": ["readAt descending"]}),
        ([], {"keep": [GOOD], "order": ["readAt descending"], "limit": 20}),
        ([HALF], {"keep": [GOOD, LARGE]}),
    ],
)
def test_what_a_key_answers_is_answered_however_many_rows_are_expected(where, said, expects):
    step = plan(asking(OF_METER, *where, **said), "multi").operations_for(1)[0].steps[0]
    assert step.expects.returned >= 20
    made = plan(asking(OF_METER, *where, **said, expects=expects), "multi")
    (operation,) = made.operations_for(1)
    assert operation.answer != "not served"
    for step in operation.steps:
        assert step.expects.returned <= step.expects.read


def test_a_read_that_drops_more_than_stated_is_told_of():
    design = asking(OF_METER, keep=[GOOD], expects=12)
    (told,) = [one for one in lint(design, {"multi": plan(design, "multi")}) if one.rule == "C102"]
    assert (told.problem.id, told.problem.values["pattern"]) == ("filter-drops-most", 1)


def test_a_list_of_identifiers_is_as_long_as_items_are_expected():
    ids = {"attribute": "readingId", "any_of": {"param": "ids"}}
    (entity_read,) = entity_reads(asking(ids, expects=8))
    assert (entity_read.list_length, entity_read.matched, entity_read.returned) == (8, 1, 8)


def test_a_list_is_cut_by_the_limit_as_a_whole():
    (entity_read,) = entity_reads(asking(OF_METER, OF_QUALITIES, limit=10))
    assert entity_read.returned == 10


def test_fewer_conditions_leave_no_less_than_all_of_them():
    design = asking(OF_METER, {**IN_TIME, "optional": True}, expects=12)
    in_time, all_of_them = entity_reads(design)
    assert (in_time.returned, all_of_them.returned) == (pytest.approx(12), 2000)


def test_what_several_entities_return_together_is_as_expected():
    design = asking(OF_METER, returns=["Meter", "Reading"], expects=12)
    (pattern_read,) = requirements(design).pattern_reads
    assert sum(entity_read.returned for entity_read in pattern_read.entity_reads) == pytest.approx(
        12
    )


def expecting(design, random):
    """A design whose reads all say how many rows they expect, few or many, and some of which ask for a list."""
    patterns = []
    for pattern in design.model_dump(mode="json", by_alias=True, exclude_unset=True)["patterns"]:
        if pattern["kind"] in ("list", "count", "exists") and random.random() < 0.8:
            pattern["expects"] = random.choice((0.2, 1, 3, 40, 700, 20_000))
            given = [one for one in pattern.get("where", ()) if "param" in one.get("is", {})]
            listed = any("any_of" in one for one in pattern.get("where", ()))
            if given and not listed and pattern["kind"] == "list" and random.random() < 0.3:
                one = random.choice(given)
                one["any_of"] = one.pop("is")
        patterns.append(pattern)
    document = design.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return Design.model_validate({**document, "patterns": patterns})


@pytest.mark.parametrize(
    ("of", "seed"), [*((generated, seed) for seed in range(12)), (crossed, 3), (crossed, 7)]
)
def test_no_step_of_a_plan_returns_more_than_it_reads(of, seed):
    design = expecting(of(Random(seed)), Random(seed))
    for style in STYLES:
        for operation in outlined(design, style).operations:
            for step in operation.steps:
                assert step.expects.returned <= step.expects.read * (1 + 1e-9) + 1e-6


GUEST = {
    "name": "Guest",
    "identifier": ["guestId"],
    "items": 120_000,
    "attributes": [{"name": "guestId", "format": "uuid"}],
}
MUSEUM = {
    "name": "Museum",
    "identifier": ["museumId"],
    "items": 300,
    "attributes": [{"name": "museumId", "bytes": 8}],
}
VISIT = {
    "name": "Visit",
    "identifier": ["visitId"],
    "items": 6_000_000,
    "attributes": [
        {"name": "visitId", "format": "ulid"},
        {"name": "guestId", "refers_to": "Guest.guestId"},
        {"name": "museumId", "refers_to": "Museum.museumId"},
        {"name": "withId", "refers_to": "Guest.guestId"},
        {"name": "report", "bytes": 260},
    ],
}
OF_GUEST = {"attribute": "guestId", "is": {"param": "guest"}}
OF_MUSEUM = {"attribute": "museumId", "is": {"param": "museum"}}
WITH_ANOTHER = {"attribute": "withId", "is": {"param": "another"}}


def visits(*where, guest=GUEST, **said):
    """A plan whose first pattern asks for visits by two references; a guest has 50 visits, a museum 20,000."""
    latest = {"kind": "list", "returns": "Visit", "order": ["visitId descending"]}
    patterns = [
        {"name": "By both", **latest, "where": list(where), "rate": {"average": 1}, **said},
        {"name": "Of a guest", **latest, "where": [OF_GUEST], "limit": 20, "rate": {"average": 9}},
        {"name": "Visit", "kind": "create", "entity": "Visit", "rate": {"average": 90}},
    ]
    numbered = [{"number": number, **one} for number, one in enumerate(patterns, 1)]
    entities = [guest, MUSEUM, VISIT]
    design = Design.model_validate({"name": "Visits", "entities": entities, "patterns": numbered})
    return plan(design, "multi")


def test_a_limit_does_not_hide_how_few_items_two_parents_have_together():
    """Of 50 visits of a guest 2 were to the museum, so all 50 are read to find 5; the same by chance."""
    random, made = Random(3), visits(OF_GUEST, OF_MUSEUM, limit=5, expects=2)
    (operation,) = made.operations_for(1)
    (step,) = operation.steps
    assert step.key is not None and step.expects.returned == pytest.approx(2)
    read = []
    for _ in range(400):
        there = sorted(random.sample(range(50), 2))
        at, found = 0, 0
        while at < 50 and found < 5:
            page = range(at, min(50, at + (step.limit or 50)))
            found += sum(one in page for one in there)
            at = page.stop
        read.append(at)
    assert step.expects.read == pytest.approx(sum(read) / len(read), rel=0.1)
    # 50 visits of 340 bytes and more, read at half price
    assert operation.read_units >= 50 * 340 / 4096 / 2


def test_two_parents_that_are_not_told_by_one_another_are_assumed_to_be_together():
    """All 50 visits of a guest may have been to one museum; or one of them, for which all 50 are read."""
    (one,) = visits(OF_GUEST, OF_MUSEUM, limit=5).assumed
    assert (one.what, one.of, one.value) == ("together", "guestId, museumId", 50)
    (use,) = one.used
    assert use.low.units > 2 > 1 > use.high.units
    assert visits(OF_GUEST, OF_MUSEUM, limit=5, expects=2).assumed == ()


def test_one_of_two_parents_of_one_kind_does_not_tell_the_other():
    (one,) = visits(OF_GUEST, WITH_ANOTHER, limit=5).assumed
    assert (one.what, one.of, one.value) == ("together", "guestId, withId", 50)


def test_a_parent_that_tells_the_other_leaves_nothing_to_assume():
    of_museum = {"name": "museumId", "refers_to": "Museum.museumId"}
    guest = {**GUEST, "attributes": [*GUEST["attributes"], of_museum]}
    assert visits(OF_GUEST, OF_MUSEUM, guest=guest, limit=5).assumed == ()
