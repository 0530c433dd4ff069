"""Keys and long texts: none stands in a key only to keep other items out, and its largest size counts."""

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES, Plan, Style
from tests.planned import planned
from tests.proven import in_memory, prove_on

DESIGN = """
keywright: 1
name: Opinions of meals
entities:
  - name: Opinion
    identifier: [mealId]
    items: 15000000
    attributes:
      - {name: mealId, format: ulid}
      - {name: kitchenId, format: uuid, distinct: 45000}
      - {name: text, SIZE, present: 0.3}
      - {name: givenAt, format: datetime}
patterns:
  - {number: 1, name: Give an opinion, kind: create, entity: Opinion, rate: {average: 0.4, peak: 4}}
  - number: 2
    name: Newest opinions in words
    kind: list
    returns: Opinion
    where:
      - {attribute: kitchenId, is: {param: kitchenId}}
      - {attribute: text, TEST}
    order: [givenAt descending]
    limit: 20
    rate: {average: 12, peak: 70}
"""


def made(style: Style, size: str, test: str = "exists: true") -> Plan:
    return planned(load(DESIGN.replace("SIZE", size).replace("TEST", test)), style)


def keys(plan: Plan) -> str:
    (table,) = plan.tables
    names = [key.name for index in table.indexes for key in (*index.partition, *index.sort)]
    return " ".join((*names, *table.items[0].set.values()))


@pytest.mark.parametrize("style", STYLES)
def test_a_long_text_keeps_no_items_out_of_an_index_but_a_short_one_does(style):
    assert "text" in keys(made(style, "bytes: 20, most_bytes: 40"))
    for size in ("bytes: 110, most_bytes: 2000", "bytes: 30, most_bytes: 2000", "bytes: 110"):
        assert "text" not in keys(made(style, size))
        design = load(DESIGN.replace("SIZE", size).replace("TEST", "exists: true"))
        assert prove_on(in_memory(), design, made(style, size)).passed


@pytest.mark.parametrize("style", STYLES)
def test_the_largest_size_of_a_key_counts(style):
    def said(size: str) -> list[str]:
        plan = made(style, size, "is: {param: text}")
        return [f.rule for f in plan.findings if f.rule == "key-too-long"]

    assert said("bytes: 300, most_bytes: 3000") == ["key-too-long"]
    assert said("bytes: 300, most_bytes: 900") == []
    assert said("bytes: 3000") == ["key-too-long"]
