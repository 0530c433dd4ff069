"""The range of a number says how many digits keys pad it to, and its values are numbers."""

import pytest

from designer.core.design.attributes import Attribute
from designer.core.design.load import dump, load
from designer.core.design.meaning import meaning
from designer.core.errors import DesignError
from designer.core.examples import examples
from designer.core.messages import say
from designer.core.plan import STYLES, Constant
from designer.core.planner import plan
from designer.core.planner.model.distinct import distinct_values
from designer.core.planner.model.shares import share_asked
from designer.proof import samples
from designer.proof.engine import engine
from designer.proof.prove import prove_on

REVIEWS = """
keywright: 1
name: Recipes and what cooks think of them
entities:
  - name: Rating
    identifier: [recipeId, cookId]
    items: 400000
    attributes:
      - {name: recipeId, bytes: 12, distinct: 9000}
      - {name: cookId, format: ulid}
      - {name: stars, type: N, RANGE}
      - {name: minutes, type: N, values: VALUES, shares: [0.5, 0.3, 0.2]}
      - {name: at, format: datetime}
patterns:
  - {number: 1, name: Rate, kind: create, entity: Rating, rate: {average: 3}}
  - number: 2
    name: The best of a recipe first, the newest of these
    kind: list
    returns: Rating
    where: [{attribute: recipeId, is: {param: recipeId}}]
    order: [stars descending, at descending]
    limit: 10
    rate: {average: 20}
  - number: 3
    name: Of one number of stars, the newest first
    kind: list
    returns: Rating
    where:
      - {attribute: recipeId, is: {param: recipeId}}
      - {attribute: stars, is: {param: stars}}
    order: [at descending]
    limit: 10
    rate: {average: 20}
"""


def text(range_: str = "minimum: 1, maximum: 5", values: str = "[15, 30, 60]") -> str:
    return REVIEWS.replace("RANGE", range_).replace("VALUES", values)


def rules(made) -> set[str]:
    return {finding.rule for finding in made.findings}


def test_smallest_and_greatest_give_the_digits_of_keys():
    made = plan(load(text()), "single")
    assert "pad(1, 0, stars)" in made.model_dump_json()
    assert "number-without-digits" not in rules(made)
    longer = plan(load(text("minimum: 1, maximum: 500")), "single")
    assert "pad(3, 0, stars)" in longer.model_dump_json()


def test_without_both_a_finding_says_what_to_fill_in():
    for said in ("format: integer", "maximum: 5"):
        made = plan(load(text(said)), "single")
        assert "pad(38, 0, stars)" in made.model_dump_json()
        (found,) = [f for f in made.findings if f.rule == "number-without-digits"]
        assert found.where == "entities.Rating.attributes.stars"
        assert found.solution == say("state-range-or-digits", attribute="stars")


@pytest.mark.parametrize(
    ("said", "padding"),
    [
        ({"minimum": 1, "maximum": 5}, (1, 0)),
        ({"minimum": -40, "maximum": 85}, (2, 0)),
        ({"minimum": 0, "maximum": 9.75}, (3, 2)),
        ({"minimum": 0, "maximum": 1000, "format": "decimal"}, (6, 2)),
        ({"minimum": 0, "maximum": 1000, "scale": 3}, (7, 3)),
        ({"minimum": 0, "maximum": 1000, "digits": 9}, (9, 0)),
        ({"minimum": 0}, (38, 0)),
        ({"format": "epoch"}, (10, 0)),
        ({"format": "epoch", "digits": 13}, (13, 0)),
    ],
)
def test_digits_are_those_that_the_range_needs(said, padding):
    assert Attribute(name="a", type="N", **said).padding == padding


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("minimum: 6, maximum: 5", "swap them"),
        ("minimum: 1, maximum: 500, digits: 2", "need 3 digits"),
        ("minimum: 2, maximum: 5, examples: [1]", "below the minimum of `stars`, 2"),
        ("minimum: 1, maximum: 5, values: [1, 6]", "above the maximum of `stars`, 5"),
    ],
)
def test_a_range_that_contradicts_the_rest_is_refused(said, why):
    with pytest.raises(DesignError) as refused:
        load(text(said))
    assert why in str(refused.value)


def test_texts_have_no_range():
    with pytest.raises(DesignError, match="belong to numbers"):
        load(text().replace("cookId, format: ulid", "cookId, minimum: 1"))


def test_a_range_bounds_how_many_values_there_are():
    rating = load(text()).entity["Rating"]
    assert distinct_values(load(text()), rating, rating.by_name["stars"]) == 5


def test_values_of_numbers_are_numbers_and_quotes_say_the_same():
    bare, quoted = load(text()), load(text(values='["15", "30", "60"]'))
    assert bare == quoted
    assert meaning(bare) == meaning(quoted)
    assert "values: [15, 30, 60]" in dump(quoted)
    assert load(dump(quoted)) == quoted
    assert load(dump(bare, "json")) == bare
    assert 'values: ["007", 8]' in dump(
        load(text(values='["007", 8]').replace("0.5, 0.3, 0.2", "0.5, 0.5"))
    )


def test_the_share_of_a_number_among_values_is_the_stated_one():
    design = load(text())
    rating = design.entity["Rating"]
    minutes = rating.by_name["minutes"]
    assert share_asked(design, rating, minutes, Constant(value=60)) == 0.2


def test_numbers_among_the_values_of_a_text_are_refused():
    with pytest.raises(DesignError, match="goes in quotes"):
        load(text().replace("type: N, values", "values"))


def test_examples_and_rows_to_prove_with_keep_to_the_range():
    design = load(text("minimum: 2, maximum: 4"))
    stars = design.entity["Rating"].by_name["stars"]
    assert {item["stars"] for item in examples(design)["Rating"]} <= {2, 3, 4}
    assert sorted(samples.distinct(stars)) == [2, 3, 4]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("range_", ["minimum: 1, maximum: 5", "minimum: -2, maximum: 7.5"])
def test_plans_with_ranges_are_proven(style, range_):
    design = load(text(range_))
    verdict = prove_on(engine(), design, plan(design, style))
    assert [(p.name, p.difference) for p in verdict.patterns if p.status != "passed"] == []
    assert verdict.passed
