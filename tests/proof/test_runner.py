"""The plan document is enough: a program that shares nothing with ours runs every operation."""

import secrets
from itertools import islice

import pytest
import yaml

from designer.core import answers
from designer.core.answers import Answered, Refused
from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.design.kept import kept_figures
from designer.core.patterns.base import Read, Write
from designer.core.plan import STYLES
from designer.proof.cases import cases
from designer.proof.compare import compare
from designer.proof.engine import PREFIX, engine
from designer.proof.prove import prove
from designer.proof.rows import rows
from designer.proof.tables import without_orphans
from tests.core.test_counters import EVERYTHING as COUNTED
from tests.core.test_counters import TITLED
from tests.core.test_counters import videos as counted
from tests.core.test_embedding import EVERYTHING, orders
from tests.core.test_nearest import BLOCKS
from tests.core.test_parts_of_times import OWN, ROOM, TESTS, day
from tests.core.test_parts_of_times import visits as visits_of
from tests.core.test_scale import newest_of_large
from tests.core.test_second_reads import OF_A_SHOP, shops
from tests.core.test_splitting import EVERYTHING as SPLIT
from tests.core.test_splitting import videos
from tests.expressions import unwire, wire
from tests.planned import OF_ALL_KINDS, outlined
from tests.proven import in_memory
from tests.runner import Runner

QUICK = {"starter", "newest-orders"}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "slug",
    [pytest.param(s, marks=() if s in QUICK else pytest.mark.slow) for s in gallery.SLUGS],
)
def test_a_stranger_runs_the_gallery_from_the_documents(slug, style):
    run_all(in_memory(), slug, style)


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("slug", OF_ALL_KINDS)
def test_a_stranger_runs_the_gallery_on_dynamodb_local(slug, style, dynamodb_local):
    run_all(engine(dynamodb_local), slug, style)


@pytest.mark.slow
def test_some_designs_of_the_gallery_have_all_that_others_have():
    """Those for which an engine that takes its time is asked."""
    every, some = (
        {
            each
            for slug in slugs
            for style in STYLES
            for each in kinds(outlined(gallery.load(slug), style))
        }
        for slugs in (gallery.SLUGS, OF_ALL_KINDS)
    )
    assert len(every) > 100
    assert every - some == set()


def kinds(made):
    """What items, indexes and requests of a plan are, with what is stated of each."""
    parts = [(shape.role, shape) for table in made.tables for shape in table.items]
    parts += [(index.projection.type, index) for table in made.tables for index in table.indexes]
    steps = [step for one in (*made.operations, *made.upkeep) for step in one.steps]
    parts += [(step.call, step) for step in steps]
    parts += [(member.verb, member) for step in steps for member in step.members]
    return {(kind, name) for kind, part in parts for name in part.model_dump(exclude_defaults=True)}


def run_all(chosen, slug, style):
    run_design(chosen, gallery.load(slug), style)


def run_design(chosen, design, style):
    made = outlined(design, style)
    document = made.as_json()
    runner = Runner(chosen.client, document, f"{PREFIX}{secrets.token_hex(4)}-")
    runner.create_tables()
    try:
        reads = [pattern for pattern in design.patterns if isinstance(pattern, Read)]
        writes = [pattern for pattern in design.patterns if isinstance(pattern, Write)]
        answered = {one["pattern"] for one in document["operations"] if one.get("steps")}
        assert answered == {pattern.number for pattern in (*reads, *writes)}
        state = without_orphans(made, rows(design))
        load(runner, {}, state)
        for pattern in reads:
            for parameters in some(cases(design, state, pattern)):
                check_read(runner, design, state, pattern, parameters)
        few = without_orphans(made, rows(design, small=True))
        together = [
            {one["entity"], other["entity"]}
            for table in document["tables"]
            for one in table["items"]
            for other in runner.within(one)
        ]
        for pattern in writes:
            concerned = {change.entity for change in pattern.changes} | joined(document)
            concerned |= {figure.entity for figure in kept_figures(design)}
            concerned |= {name for pair in together if pair & concerned for name in pair}
            before, state = state, {name: few[name] for name in few if name in concerned}
            load(runner, before, state)
            for parameters in some(cases(design, few, pattern)):
                after = applied(runner, design, state, pattern, parameters)
                if isinstance(after, Refused) or not lost(made, state, after):
                    check_write(runner, design, state, pattern, parameters)
    finally:
        runner.delete_tables()


def applied(runner, design, state, pattern, parameters):
    """What a write must leave once the consumers of the plan's streams are done."""
    later = {name for one in runner.plan.get("upkeep", ()) for name in one.get("figures", ())}
    return answers.apply(design, state, pattern, parameters, later)


def joined(document):
    """The entities that copies are made of or kept on: whatever is written, they may change."""
    shapes = [shape for table in document["tables"] for shape in table.get("items", ())]
    return {
        name
        for shape in shapes
        for said in shape.get("attributes", {}).values()
        if "from" in said
        for name in (shape["entity"], said["from"]["entity"])
    }


def lost(made, before, after):
    """Whether there would be more embedded items without a parent than before."""

    def orphans(state):
        kept = without_orphans(made, state)
        return sum(len(items) - len(kept[name]) for name, items in state.items())

    entities = [s.entity for t in made.tables for s in t.items if s.inside is not None]
    more = any(len(after.get(name, ())) > len(before.get(name, ())) for name in entities)
    return more and orphans(after) > 0


def some(every):
    """The first cases, and a few of the rest."""
    return [*every[:3], *islice(every, 3, None, 5)]


def check_read(runner, design, state, pattern, parameters):
    expected = answers.answer(design, state, pattern, parameters)
    given = runner.run(pattern.number, parameters)
    actual = Answered(parts=given) if isinstance(given, dict) else Answered(value=given)
    difference = compare(expected, actual)
    assert difference is None, (pattern.name, parameters, str(difference))


def check_write(runner, design, state, pattern, parameters):
    expected = applied(runner, design, state, pattern, parameters)
    refused = isinstance(expected, Refused)
    done = runner.run(pattern.number, parameters)
    assert done is not refused, (pattern.name, parameters, expected if refused else "refused")
    after = stored(runner, state if refused else expected)
    before = stored(runner, state)
    runner.keep_up(before, lambda table: scan(runner, table))
    touched = [name for name in runner.tables if before[name] or after[name]]
    held = {name: scan(runner, name) for name in touched}
    found = {name: counted_up(runner, name, held[name]) for name in touched}
    assert found == {name: after[name] for name in touched}, (pattern.name, parameters)
    replace(runner, held, before)


def key(runner, table, item):
    return tuple(item[name] for name in runner.key_names(table))


def stored(runner, state):
    """What each table must hold, by primary key."""
    tables = {name: {} for name in runner.tables}
    for entity, items in state.items():
        for item in items:
            for table, made in runner.items(entity, item, state):
                tables[table][key(runner, table, made)] = made
    return tables


def load(runner, before, after):
    replace(runner, stored(runner, before), stored(runner, after))


def replace(runner, before, after):
    for table in before:
        puts = [
            {"PutRequest": {"Item": wire(item)}}
            for at, item in after[table].items()
            if before[table].get(at) != item
        ]
        deletes = [
            {"DeleteRequest": {"Key": wire({n: i[n] for n in runner.key_names(table)})}}
            for at, i in before[table].items()
            if at not in after[table]
        ]
        requests = [*puts, *deletes]
        for at in range(0, len(requests), 25):
            batch = {runner.prefix + table: requests[at : at + 25]}
            assert not runner.client.batch_write_item(RequestItems=batch)["UnprocessedItems"]


def counted_up(runner, table, items):
    """A table's items as if each had all that was added to it, and its counters nothing."""
    shapes = {shape["shape"]: shape for shape in runner.tables[table]["items"]}
    items = {at: dict(item) for at, item in items.items()}
    for item in items.values():
        counter = shapes.get(item.get(runner.marker), {})
        for name in counter.get("counts", ()):
            if name in item:
                same = [n for n in counter["attributes"] if n not in counter["counts"]]
                own = next(
                    one
                    for one in items.values()
                    if one[runner.marker] == counter["entity"]
                    and all(one[n] == item[n] for n in same)
                )
                own[name] = own.get(name, 0) + item.pop(name)
    return items


def scan(runner, table):
    items, start = [], {}
    while start is not None:
        page = runner.client.scan(TableName=runner.prefix + table, **start)
        items += map(unwire, page["Items"])
        last = page.get("LastEvaluatedKey")
        start = {"ExclusiveStartKey": last} if last else None
    return {key(runner, table, item): item for item in items}


@pytest.mark.parametrize("style", STYLES)
def test_a_stranger_reads_and_writes_what_is_embedded(style):
    run_design(in_memory(), orders(*EVERYTHING), style)


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
def test_what_is_embedded_is_right_on_dynamodb_local(style, dynamodb_local):
    design = orders(*EVERYTHING)
    run_design(engine(dynamodb_local), design, style)
    assert prove(design, outlined(design, style), dynamodb_local).passed


@pytest.mark.parametrize("style", STYLES)
def test_a_stranger_reads_and_writes_what_is_split(style):
    run_design(in_memory(), videos(*SPLIT), style)


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
def test_what_is_split_is_right_on_dynamodb_local(style, dynamodb_local):
    design = videos(*SPLIT)
    run_design(engine(dynamodb_local), design, style)
    assert prove(design, outlined(design, style), dynamodb_local).passed


@pytest.mark.parametrize("style", STYLES)
def test_a_stranger_gets_the_first_few_of_several_shards(style):
    run_design(in_memory(), newest_of_large(limit=2), style)


@pytest.mark.parametrize("style", STYLES)
def test_a_stranger_gets_the_first_few_of_a_list_of_values(style):
    design = shops(OF_A_SHOP, 4000)
    run_design(in_memory(), design, style)
    assert prove(design, outlined(design, style)).passed


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
def test_the_first_few_of_several_shards_are_right_on_dynamodb_local(style, dynamodb_local):
    design = newest_of_large(limit=2)
    run_design(engine(dynamodb_local), design, style)
    assert prove(design, outlined(design, style), dynamodb_local).passed


def nearest():
    """One Query that filters, and lists whose first few the caller tests: of a page, of several Queries, sorted."""
    document = yaml.safe_load(BLOCKS)
    pattern = document["patterns"][1]
    several = [{"attribute": "net", "any_of": {"param": "nets"}}, pattern["where"][1]]
    last = {"where": pattern["where"][:1], "order": ["end descending", "start ascending"]}
    more = ({"limit": 3}, {"where": several}, {**last, "limit": 2})
    document["patterns"] += [
        {**pattern, **said, "number": number} for number, said in enumerate(more, 3)
    ]
    return Design.model_validate(document)


@pytest.mark.parametrize("style", STYLES)
def test_a_stranger_tests_the_nearest(style):
    run_design(in_memory(), nearest(), style)


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
def test_the_nearest_is_right_on_dynamodb_local(style, dynamodb_local):
    run_design(engine(dynamodb_local), nearest(), style)
    assert prove(nearest(), outlined(nearest(), style), dynamodb_local).passed


PARTS_OF_TIMES = visits_of(
    *({"where": [ROOM], "keep": [test], "order": ["day descending"]} for test in TESTS),
    {"returns": ["Visit", "Bill"], "where": [OWN], "keep": [day("to")]},
    {"where": [OWN], "result": {"greatest": "day"}},
)


@pytest.mark.parametrize("style", STYLES)
def test_a_stranger_asks_for_parts_of_times(style):
    run_design(in_memory(), PARTS_OF_TIMES, style)


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
def test_parts_of_times_are_right_on_dynamodb_local(style, dynamodb_local):
    run_design(engine(dynamodb_local), PARTS_OF_TIMES, style)
    assert prove(PARTS_OF_TIMES, outlined(PARTS_OF_TIMES, style), dynamodb_local).passed


@pytest.mark.parametrize("style", STYLES)
def test_a_stranger_reads_and_writes_counters(style):
    run_design(in_memory(), with_counters(), style)


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
def test_counters_are_right_on_dynamodb_local(style, dynamodb_local):
    design = with_counters()
    run_design(engine(dynamodb_local), design, style)
    assert prove(design, outlined(design, style), dynamodb_local).passed


def with_counters():
    return counted(*COUNTED, video=TITLED)
