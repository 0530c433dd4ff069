"""Published keys are priced by the planner's own rules, and compared with what it chooses itself."""

from dataclasses import replace
from fractions import Fraction
from itertools import count

import pytest

from designer.core.design.check import check
from designer.core.design.document import Design
from designer.core.patterns.figures import Rate
from designer.core.planner import plan
from tests.core.test_planner import is_
from tools.benchmark import tables
from tools.benchmark.__main__ import main
from tools.benchmark.apart import apart
from tools.benchmark.cases import Case, Mixes
from tools.benchmark.published import Published, priced
from tools.benchmark.report import compare, figures, mixes

NOTES = """\
keywright: 1
name: Notes
entities:
  - name: Note
    identifier: [noteId]
    items: 1000
    attributes:
      - {name: noteId, format: uuid}
      - {name: text, bytes: 90}
patterns:
  - {number: 1, name: Write, kind: create, entity: Note, rate: {average: 1}}
  - number: 2
    name: Read
    kind: get
    returns: Note
    where: [{attribute: noteId, is: {param: noteId}}]
    rate: {average: 5}
"""


def rate(average: float) -> dict:
    return {"rate": {"average": average}}


ORDERS = Design.model_validate(
    {
        "name": "Orders",
        "entities": [
            {
                "name": "Order",
                "identifier": ["orderId"],
                "items": 100_000,
                "attributes": [
                    {"name": "orderId", "format": "uuid"},
                    {"name": "userId", "bytes": 12, "distinct": 10_000},
                    {"name": "status", "distinct": 200, "mutable": True},
                    {"name": "note", "bytes": 400},
                ],
            }
        ],
        "patterns": [
            {
                "number": 1,
                "name": "An order",
                "kind": "get",
                "returns": "Order",
                "where": [is_("orderId")],
                **rate(10),
            },
            {
                "number": 2,
                "name": "A user's orders",
                "kind": "list",
                "returns": "Order",
                "where": [is_("userId")],
                "attributes": ["orderId"],
                **rate(10),
            },
            {
                "number": 3,
                "name": "Orders by words",
                "kind": "elsewhere",
                "returns": "Order",
                "because": "full-text search",
            },
            {"number": 1001, "name": "Place", "kind": "create", "entity": "Order", **rate(5)},
        ],
    }
)


def published(entity: dict, **more: object) -> Published:
    return Published.model_validate({"style": "multi", "entities": {"Order": entity}, **more})


LEAN = {"key": "orderId", "indexes": {"ByUser": {"key": "userId", "holds": "keys-only"}}}


def test_a_key_is_written_as_partition_and_sort():
    entity = published(
        {"key": "userId + status | orderId, note", "copies": ["all | orderId"]}
    ).entities["Order"]
    assert (entity.key.partition, entity.key.sort) == (("userId", "status"), ("orderId", "note"))
    assert (entity.copies[0].partition, entity.copies[0].sort) == ((), ("orderId",))


@pytest.mark.parametrize("style", ["single", "multi"])
def test_published_keys_are_all_there_is_whether_they_are_needed_or_not(style):
    keys = published(
        {
            "key": "orderId",
            "indexes": {
                "ByUser": {"key": "userId | orderId"},
                "ByStatus": {"key": "status", "holds": ["note"]},
            },
        },
        style=style,
    )
    (table,) = priced(ORDERS, keys).plan.tables
    held = {index.projection.type: set(index.projection.attributes) for index in table.indexes}
    assert held.pop("ALL") == set()
    assert "note" in held.pop("INCLUDE")
    assert not held


def test_what_published_keys_cannot_answer_is_not_served():
    made = priced(ORDERS, published({"key": "orderId"})).plan
    assert [o.pattern for o in made.operations if o.answer == "not served"] == [2]
    assert figures(ORDERS, made).served == 1


def test_the_keys_that_the_planner_chooses_cost_the_same_when_they_are_published():
    ours = plan(ORDERS, "multi")
    assert priced(ORDERS, published(LEAN)).plan.cost.per_month == ours.cost.per_month


def test_an_index_that_holds_more_costs_more():
    lean = priced(ORDERS, published(LEAN)).plan.cost.per_month
    whole = {"key": "orderId", "indexes": {"ByUser": {"key": "userId"}}}
    assert priced(ORDERS, published(whole)).plan.cost.per_month > lean


def busy(**entity: object) -> Design:
    """Orders that are all listed ten times a second."""
    listed = {"number": 4, "name": "All", "kind": "list", "returns": "Order", **rate(10)}
    asked = [pattern.model_dump(by_alias=True) for pattern in ORDERS.patterns]
    order = {**ORDERS.entities[0].model_dump(), **entity}
    return Design.model_validate(
        {"name": "Orders", "entities": [order], "patterns": [*asked, listed]}
    )


def all_orders(**index: object) -> Published:
    by_user = LEAN["indexes"]["ByUser"]
    every = {"key": "all | orderId", **index}
    return published({"key": "orderId", "indexes": {"ByUser": by_user, "All": every}})


def test_a_published_index_is_asked_in_each_of_its_shards():
    few, many = (priced(busy(items=100), all_orders(shards=n)).plan for n in (2, 9))
    assert [step.for_each.numbers for step in many.operations_for(4)[0].steps] == [9]
    assert few.cost.reads_per_month < many.cost.reads_per_month
    assert priced(busy(items=100), all_orders(shards=2)).repairs == ()


def test_a_published_key_that_runs_hot_is_spread_as_ours_is():
    theirs, ours = priced(busy(), all_orders()), plan(busy(), "multi")
    assert theirs.plan.cost.per_month >= ours.cost.per_month
    assert not [f for f in theirs.plan.findings if f.rule == "hot-partition"]
    (said,) = theirs.repairs
    assert said.startswith("The index of Order by one key for all took 5 write and ")
    (step,) = theirs.plan.operations_for(4)[0].steps
    assert step.where[0].equals == "ORDER#{each.number}"
    assert said.endswith(f"spread over {step.for_each.numbers} shards.")


def test_a_hot_key_stays_as_it_is_where_shards_would_not_help():
    """The newest few of all are read from every shard."""
    design = busy(items=100)
    newest = design.pattern(4).model_copy(update={"limit": 50, "rate": Rate(average=10_000)})
    design = design.model_copy(update={"patterns": (*design.patterns[:-1], newest)})
    theirs = priced(design, all_orders())
    assert theirs.repairs == ()
    assert [f.rule for f in theirs.plan.findings if f.rule == "hot-partition"] == ["hot-partition"]


def test_structures_are_indexes_copies_and_what_lies_apart():
    keys = Published.model_validate(
        {
            "style": "single",
            "entities": {
                "Order": {"key": "orderId", "indexes": {"GSI1": {"key": "userId"}}},
                "Line": {
                    "key": "orderId | line",
                    "indexes": {"GSI1": {"key": "productId"}, "GSI2": {"key": "line"}},
                    "copies": ["line | orderId"],
                    "apart": {"Counts": {"key": "orderId", "attributes": ["count"]}},
                },
            },
        }
    )
    assert keys.structures == 4


def counted(**more: object) -> Design:
    """Orders that carry a figure which is counted up."""
    orders = ORDERS.entities[0]
    figure = {"name": "views", "type": "N", "format": "integer", "digits": 9, "mutable": True}
    whole = orders.model_validate(
        {**orders.model_dump(), "attributes": (*orders.model_dump()["attributes"], figure)}
    )
    count = {
        "number": 4,
        "name": "Count a view",
        "kind": "update",
        "entity": "Order",
        "add": {"views": {"value": 1}},
        **rate(2),
        **more,
    }
    views = {
        "number": 5,
        "name": "How often it was seen",
        "kind": "get",
        "returns": "Order",
        "where": [is_("orderId")],
        "attributes": ["views"],
        **rate(3),
    }
    asked = [pattern.model_dump(by_alias=True) for pattern in ORDERS.patterns]
    return Design.model_validate(
        {"name": "Orders", "entities": [whole.model_dump()], "patterns": [*asked, count, views]}
    )


def test_what_lies_apart_is_read_with_the_rest_where_both_are_asked_for():
    design = apart(counted(), "Order", "Views", ("views",))
    assert check(design) == ()
    assert [a.name for a in design.entity["Views"].attributes] == ["orderId", "views"]
    assert "views" not in design.entity["Order"].by_name
    whole, counting, figure = (design.pattern(number) for number in (1, 4, 5))
    assert (whole.returns, whole.with_[0].attributes) == ("Order", ("orderId", "views"))
    assert (counting.entity, figure.returns) == ("Views", "Views")
    assert design.pattern(2) == counted().pattern(2)
    (part,) = [p for p in design.patterns if p.kind == "create" and p.entity == "Views"]
    assert part.rate == design.pattern(1001).rate


def test_a_write_of_more_than_what_lies_apart_is_not_taken_apart():
    with pytest.raises(ValueError, match="pattern 4"):
        apart(counted(set={"status": {"value": "SEEN"}}), "Order", "Views", ("views",))


def test_published_items_that_lie_apart_are_priced_as_items():
    keys = {"key": "orderId", "indexes": {"ByUser": {"key": "userId", "holds": "keys-only"}}}
    views = {"Views": {"key": "orderId", "attributes": ["views"]}}
    together = priced(counted(), published(keys)).plan
    split = priced(counted(), published({**keys, "apart": views})).plan
    assert {s.entity for t in split.tables for s in t.items} == {"Order", "Views"}
    # Each order has one more item to write.
    assert split.cost.writes_per_month > together.cost.writes_per_month


def test_ours_match_what_is_no_cheaper_and_has_no_fewer_structures():
    compared = compare(Case("orders", ORDERS), published(LEAN))
    assert compared.matching == compared.cheaper
    assert compared.published.usd == compared.cheaper.usd
    assert (compared.cheaper.served, compared.cheaper.elsewhere, compared.cheaper.asked) == (
        2,
        1,
        3,
    )
    assert tables.verdict(compared) == "tables, the simplest: the same cost"


def test_what_has_more_structures_is_missed():
    """The published design here serves less than it is asked, which compare does not ask about."""
    compared = compare(Case("orders", ORDERS), published({"key": "orderId"}, reason="It lacks 2."))
    assert compared.matching is None
    assert tables.verdict(compared) == "missed"
    assert tables.misses_list([compared]) == "- orders: It lacks 2."


def test_a_row_says_what_was_proven():
    compared = compare(Case("orders", ORDERS), published(LEAN))
    usd = f"${float(compared.published.usd):,.2f}"
    single, multi = (tables._cost(ours) for ours in compared.ours)
    assert tables.case_row(compared, {"orders": "moto 5.2"}) == (
        f"| orders | 3 | 1 | {usd} | 2, 1 elsewhere | 2 | 1 | {single} | 2, 1 elsewhere | 2 | 1 | {multi} "
        "| moto 5.2 | tables, the simplest: the same cost |"
    )
    assert "moto" not in tables.case_row(compared, {})


def test_an_engine_is_named_with_the_styles_it_proved_where_it_is_not_all():
    both, one, none = (
        {"single": True, "multi": True},
        {"single": True, "multi": False},
        {"single": False, "multi": False},
    )
    assert tables.engines_proven({"A": both, "B": one, "C": none}) == "A, B (one table)"


def test_the_dearer_style_matches_where_the_cheaper_has_more_structures():
    compared = compare(Case("orders", ORDERS), published(LEAN))
    single, multi = compared.ours
    ours = (
        replace(single, usd=compared.published.usd),
        replace(multi, usd=Fraction(1), structures=2),
    )
    fewest = replace(ours[1], within=0.5)
    compared = replace(compared, ours=ours, fewest=(fewest,))
    assert (compared.cheaper, compared.matching) == ours[::-1]
    assert not compared.matches_in_cheaper_style
    usd = tables._usd(compared.published.usd)
    assert tables.misses_list([compared]) == (
        f"- orders, in the cheaper style: tables cost $1.00 with 2 structures, and the published design costs {usd} "
        "with 1. Plans with tables need at least 2 structures to cost no more than that. A plan with one table matches."
    )
    matched = replace(compared, fewest=(replace(fewest, structures=1),))
    assert matched.matches_in_cheaper_style


def test_fewer_structures_are_planned_for_at_the_published_cost():
    """Two of our indexes are worth less than what one of them alone may cost."""
    compared = compare(Case("orders", ORDERS), published(LEAN))
    fewest = replace(compared.ours[1], within=0.125)
    dearer = replace(fewest, usd=fewest.usd * 2, lowest=fewest.usd * 2)
    ours = tuple(replace(one, structures=2) for one in compared.ours)
    compared = replace(compared, ours=ours, fewest=(dearer, fewest))
    assert compared.matching == fewest
    assert tables.verdict(compared) == "tables, fewest indexes within 12.5%: the same cost"
    usd, twice = tables._usd(fewest.usd), tables._usd(dearer.usd)
    assert tables.fewest_table([compared]).splitlines()[2:] == [
        f"| orders | tables | 12.5% | 1 of 1 | {twice} of {usd} | no |",
        f"| orders | tables | 12.5% | 1 of 1 | {usd} of {usd} | yes |",
    ]


def test_a_mix_weighs_what_runs_in_its_interactions():
    weights = {"calm": {"Look": 3, "Buy": 1}, "busy": {"Buy": 2}}
    runs = {1: {"Look": 1, "Buy": 2}, 2: {"Look": 1}, 3: {}, 1001: {"Buy": 1}}
    case = Case("orders", ORDERS, Mixes(interactions=100, weights=weights, runs=runs))
    assert case.mixes is not None
    assert case.mixes.rates("calm") == {1: 125.0, 2: 75.0, 3: 0.0, 1001: 25.0}
    ticks = count()
    found = list(mixes(case, lambda: float(next(ticks))))
    assert [(mix.name, mix.figures.style, mix.seconds) for mix in found] == [
        ("calm", "single", 1.0),
        ("calm", "multi", 1.0),
        ("busy", "single", 1.0),
        ("busy", "multi", 1.0),
    ]
    assert found[3].figures.usd != found[1].figures.usd > Fraction(0)


def test_a_table_is_put_between_its_marks():
    page = "Before.\n<!-- cases -->\nold\n<!-- end of cases -->\nAfter."
    put = tables.put(page, "cases", r"| \1 |")
    assert put == "Before.\n<!-- cases -->\n\n| \\1 |\n\n<!-- end of cases -->\nAfter."
    assert tables.put(put, "cases", r"| \1 |") == put
    with pytest.raises(ValueError, match="no place for mixes"):
        tables.put(page, "mixes", "")


@pytest.fixture
def folder(tmp_path):
    """A folder with one case, whose published design is what we would plan."""
    (tmp_path / "notes.yaml").write_text(NOTES)
    (tmp_path / "notes.keys.yaml").write_text("style: multi\nentities: {Note: {key: noteId}}\n")
    return tmp_path


def test_the_command_compares_and_proves_the_cases_of_a_folder(folder, capsys):
    main([str(folder), "--prove"])
    printed = capsys.readouterr()
    row = next(line for line in printed.out.splitlines() if line.startswith("| notes |"))
    assert row.endswith("| moto 5.2 (emulator) | one table, the simplest: the same cost |")
    assert printed.err == "notes: one table, the simplest: the same cost\n"


def test_the_command_puts_its_tables_into_a_page(folder, capsys):
    places = ("cases", "fewest", "mixes", "misses", "repairs")
    page = folder / "page.md"
    page.write_text("".join(f"<!-- {name} --><!-- end of {name} -->\n" for name in places))
    main([str(folder), "--into", str(page)])
    assert capsys.readouterr().out == ""
    assert "| notes | 2 | 0 |" in page.read_text()


def test_the_command_refuses_what_is_not_there(folder, tmp_path):
    with pytest.raises(SystemExit, match="There is no case letters"):
        main([str(folder), "--case", "letters"])
    with pytest.raises(SystemExit, match="There is no case in"):
        main([str(tmp_path / "nowhere")])
