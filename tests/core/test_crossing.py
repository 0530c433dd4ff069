"""Items that meet a condition together (`all_of`): what is found for each value is crossed in the application."""

import pytest

from designer.core.answers import answer
from designer.core.design.load import dump, load
from designer.core.errors import DesignError
from designer.core.examples import examples
from designer.core.examples.ask import ask
from designer.core.plan import STYLES, Crossing
from designer.core.planner import plan
from designer.core.sentences.patterns import reads_as
from designer.core.sentences.steps import served_by

TAGS = """
keywright: 1
name: Products by their tags
entities:
  - name: Product
    identifier: [productId]
    items: 100000
    attributes:
      - {name: productId, format: uuid}
      - {name: title, bytes: 60}
      - {name: maker, bytes: 12, distinct: 900}
  - name: Tagging
    identifier: [productId, tag]
    items: 400000
    attributes:
      - {name: productId, refers_to: Product.productId}
      - {name: tag, bytes: 12, distinct: 2000}
      - {name: since, format: date}
relationships:
  - {name: bears, one: Product, many: Tagging, by: productId, average: 4, most: 20}
patterns:
  - number: 1
    name: Products that bear all of the tags
    kind: list
    returns: Tagging
    where: [{attribute: tag, all_of: {param: tags, count: 2}}]
    attributes: [productId]
    with: [{relationship: bears, attributes: [title]}]
    order: [productId descending]
    limit: 20
    rate: {average: 10}
  - {number: 2, name: Tag it, kind: create, entity: Tagging, rate: {average: 1}}
  - {number: 3, name: Take the tag away, kind: delete, entity: Tagging, rate: {average: 1}}
  - {number: 4, name: Offer, kind: create, entity: Product, rate: {average: 1}}
"""
ALL_OF = "all_of: {param: tags, count: 2}"
PATTERN = "attributes: [productId]\n"


def asked(old: str = "", new: str = "", text: str = TAGS):
    assert old in text
    return load(text.replace(old, new, 1))


def of(design, tags, taggings, **given):
    """The answer of the first pattern: the values of its only attribute."""
    state = {"Tagging": taggings, "Product": [{"productId": "p", "title": "Pan"}]}
    rows = answer(design, state, design.pattern(1), {"tags": tags, **given}).rows
    assert all(set(row.item) == {"productId"} for group in rows.groups for row in group)
    return [row.item["productId"] for group in rows.groups for row in group]


def tagging(product, tag, since="2026-01-01"):
    return {"productId": product, "tag": tag, "since": since}


HAD = [
    tagging("one", "new"),
    tagging("both", "new"),
    tagging("both", "cheap"),
    tagging("other", "cheap"),
    tagging("three", "new"),
    tagging("three", "cheap", "2020-01-01"),
    tagging("three", "red"),
]


def test_an_answer_has_what_items_with_all_values_have_in_common_once():
    design = asked()
    assert of(design, ["new", "cheap"], HAD) == ["three", "both"]
    assert of(design, ["cheap", "new", "cheap"], HAD) == ["three", "both"]
    assert of(design, ["red", "new", "cheap"], HAD) == ["three"]
    assert of(design, ["new", "new"], HAD) == ["three", "one", "both"]
    assert of(design, ["new", "never"], HAD) == []
    assert of(design, [], HAD) == []


def test_the_same_value_twice_is_one_value():
    text = TAGS.replace("[productId, tag]", "[taggingId]")
    text = text.replace(
        "- {name: since,", "- {name: taggingId, format: uuid}\n      - {name: since,"
    )
    design = load(text)
    twice = [{**tagging("twice", "new"), "taggingId": number} for number in ("a", "b")]
    assert of(design, ["new", "cheap"], twice) == []
    assert of(design, ["new"], twice) == ["twice"]


def test_each_of_the_items_meets_the_other_conditions_and_has_what_is_returned():
    since = f"{{attribute: tag, {ALL_OF}}}, {{attribute: since, from: {{param: since}}}}"
    design = asked(f"{{attribute: tag, {ALL_OF}}}", since)
    assert of(design, ["new", "cheap"], HAD, since="2025-01-01") == ["both"]
    homeless = [{"tag": tag, "since": "2026-01-01"} for tag in ("new", "cheap")]
    assert of(design, ["new", "cheap"], homeless, since="2025-01-01") == []


def test_a_constant_list_is_crossed_too():
    design = asked(ALL_OF, "all_of: {value: [new, cheap]}")
    assert of(design, None, HAD) == ["three", "both"]
    assert load(dump(design)) == design
    operation = plan(design, "multi").operations_for(1)[0]
    assert operation.constants == {"tag_new_cheap": ("new", "cheap")}
    assert operation.result.parts[0].crossed.values == "tag_new_cheap"


@pytest.mark.parametrize("style", STYLES)
def test_each_value_is_read_whole_and_only_what_is_left_brings_its_parent(style):
    operation = plan(asked(), style).operations_for(1)[0]
    query, get = operation.steps
    crossing = Crossing(attribute="tag", values="tags", same=("productId",))
    assert (query.call, query.for_each.values, query.pages, query.limit) == (
        "Query",
        "tags",
        "all",
        None,
    )
    assert set(query.project) == {"productId", "tag"}
    assert (get.call, get.for_each.crossed, get.for_each.limit) == ("BatchGetItem", crossing, 20)
    rows = operation.result.parts[0]
    assert (rows.crossed, rows.order, rows.limit) == (crossing, ("productId descending",), 20)
    # Each tag has 200 items. A product has one of them by chance in 500 cases, so 0.4 have both.
    assert (query.expects.requests, query.expects.read) == (2, 400)
    assert (query.expects.returned, get.expects.read) == (pytest.approx(0.4), pytest.approx(0.4))


@pytest.mark.parametrize("style", STYLES)
def test_price_follows_the_number_of_values_and_what_is_expected_the_parents(style):
    two = plan(asked(), style).operations_for(1)[0]
    three = plan(asked("count: 2", "count: 3"), style).operations_for(1)[0]
    assert three.steps[0].expects.units == pytest.approx(two.steps[0].expects.units * 1.5)
    many = plan(asked(PATTERN, f"{PATTERN}    expects: 50\n"), style).operations_for(1)[0]
    assert many.steps[0].expects.read == two.steps[0].expects.read
    assert many.steps[1].expects.read == 20
    assert many.usd_per_month > two.usd_per_month


@pytest.mark.parametrize("style", STYLES)
def test_no_fewer_items_are_read_than_the_expected_rows_have(style):
    """A tag has 200 items by the other figures; 300 products that have both of two tags have 300 of each."""
    many = asked(PATTERN, f"{PATTERN}    expects: 300\n").model_dump(mode="json", by_alias=True)
    many["patterns"][0].pop("limit")
    query, get = plan(type(asked()).model_validate(many), style).operations_for(1)[0].steps
    assert (query.expects.read, query.expects.returned) == (600, 300)
    assert get.expects.read == 300


@pytest.mark.parametrize("style", STYLES)
def test_what_reads_more_than_a_few_pages_for_a_value_is_not_served_or_only_on_average(style):
    few = "distinct: 2000", "distinct: 4"
    made = plan(asked(*few, text=TAGS.replace("400000", "4000000")), style)
    (operation,) = made.operations_for(1)
    assert operation.answer == "not served"
    assert "more than 3 pages of 1 MB for each value" in operation.because
    assert "as served without keys" in operation.because
    busiest = "distinct: 2000", "distinct: 2000, busiest: 0.1"
    uneven = plan(asked(*busiest, text=TAGS.replace("400000", "800000")), style)
    assert uneven.operations_for(1)[0].beyond == ("pages",)
    (found,) = [one for one in uneven.findings if one.rule == "served-on-average"]
    assert found.solution.values["remedies"][0].id == "narrow-crossing"
    assert plan(asked(), style).operations_for(1)[0].beyond == ()


@pytest.mark.parametrize("style", STYLES)
def test_example_items_show_a_product_with_both_tags(style):
    design, made = asked(), plan(asked(), style)
    operation = made.operations_for(1)[0]
    trace = ask(design, made, examples(design), operation)
    assert len(set(trace.parameters["tags"])) == 2
    assert len(trace.read) > len(trace.returned) == 2


def test_it_reads_as_it_is_meant():
    design = asked()
    assert reads_as(design, design.pattern(1)).startswith(
        "The app lists the Products (productId) that have Taggings for every tag in a given list of 2, sorted by "
        "productId in descending order, 20 a page, each with its Product, 10 times a second on average"
    )
    fixed = asked(ALL_OF, "all_of: {value: [new, cheap]}")
    assert "that have Taggings for each tag of new and cheap" in reads_as(fixed, fixed.pattern(1))
    made = plan(design, "multi")
    said = served_by(made, made.operations_for(1)[0])
    assert (
        "for each of the first 20 rows found, reduced to one for each productId that is found for every value of tags"
        in said
    )
    both = asked("attributes: [productId]", "attributes: [productId, since]")
    assert (
        "reduced to one for each combination of productId and “since” that is found for every value of tags"
        in served_by(plan(both, "multi"), plan(both, "multi").operations_for(1)[0])
    )


FLAWS = {
    "without attributes": (PATTERN, "\n", "in common"),
    "with its own attribute": (PATTERN, "attributes: [productId, tag]\n", "in common"),
    "sorted by others": ("productId descending", "since descending", "sort by what is in"),
    "left out": ("count: 2}}", "count: 2}, optional: true}", "pattern of its own"),
    "with another condition": (
        "count: 2}}]",
        "count: 2}}, {attribute: tag, not: {value: red}}]",
        "another condition",
    ),
    "twice": (
        "count: 2}}]",
        "count: 2}}, {attribute: since, all_of: {param: days}}]",
        "state `all_of` once",
    ),
    "of a parent": ("{attribute: tag, all", "{attribute: bears.maker, all", "items store"),
    "counted": ("kind: list", "kind: count", "`where` of a list"),
    "kept": ("    limit: 20", f"    keep: [{{attribute: tag, {ALL_OF}}}]", "`where` of a list"),
    "in a write": (
        "kind: delete, entity: Tagging",
        "kind: delete, entity: Tagging, if: [{attribute: since, all_of: {param: days}}]",
        "`where` of a list",
    ),
    "with a parent that is not common": (PATTERN, "attributes: [since]\n", "does not lead to one"),
    "tested within the limit": (
        "    limit: 20",
        "    limit: 20\n    then_keep: [{attribute: productId, not: {value: x}}]",
        "not single items",
    ),
    "beside any_of": (ALL_OF, f"{ALL_OF}, any_of: {{param: tags}}", "exactly one test"),
}


@pytest.mark.parametrize("name", FLAWS)
def test_what_items_cannot_meet_together_is_refused(name):
    old, new, said = FLAWS[name]
    text = TAGS.replace("order: [productId descending]", "") if name.endswith("common") else TAGS
    with pytest.raises(DesignError, match=said):
        asked(old, new, text=text)
