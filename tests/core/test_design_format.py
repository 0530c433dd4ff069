"""The description of the format: its example is a design, and it leaves no field out."""

import re
from pathlib import Path
from typing import get_args

import pytest

from designer.core.design import attributes
from designer.core.design.load import dump, load, plain
from designer.core.design.meaning import LEFT_OUT
from designer.core.patterns import KINDS
from designer.core.patterns.document import Document
from designer.core.plan import STYLES
from designer.core.planner import plan

DOC = (Path(__file__).parents[2] / "docs" / "design-format.md").read_text()
EXAMPLE = re.search(r"```yaml\n(.*?)```", DOC, re.DOTALL)[1]
EXPLAINED = DOC.replace(EXAMPLE, "")


def kinds(kind=Document):
    return {kind}.union(*(kinds(inner) for inner in kind.__subclasses__()))


def fields():
    """Every field that a part of a design can have, as it is written."""
    return sorted(
        {
            (kind.__name__, info.alias or name)
            for kind in kinds()
            if kind.__module__.startswith(("designer.core.design.", "designer.core.patterns."))
            for name, info in kind.model_fields.items()
            if name in vars(kind).get("__annotations__", {})
        }
    )


@pytest.mark.slow
def test_the_example_is_a_design_that_can_be_planned():
    design = load(EXAMPLE, "docs/design-format.md")
    assert load(dump(design)) == design
    for style in STYLES:
        planned = plan(design, style)
        assert [o.pattern for o in planned.operations if o.answer == "not served"] == []


def test_the_example_has_every_kind_of_pattern():
    assert {pattern.kind for pattern in load(EXAMPLE).patterns} == set(KINDS)


@pytest.mark.parametrize(("part", "name"), fields(), ids=lambda text: text)
def test_every_field_is_explained(part, name):
    assert re.search(rf"`{name}`|`[^`\n]*\b{name}: [^`\n]*`", EXPLAINED), f"{part}.{name}"


IN_TABLES = ("Aggregate", "Amount", "Condition", "Member")
"""Parts with more fields than an example should have; tables show them."""


@pytest.mark.parametrize(
    ("part", "name"),
    [field for field in fields() if field[0] not in IN_TABLES],
    ids=lambda text: text,
)
def test_the_example_shows_every_field(part, name):
    assert re.search(rf"(^|[{{ ,-]){name}:( |$)", EXAMPLE, re.MULTILINE), f"{part}.{name}"


@pytest.mark.parametrize(
    "words", [attributes.AttributeType, attributes.AttributeFormat], ids=["types", "formats"]
)
def test_every_type_and_format_is_named(words):
    assert [word for word in get_args(words) if f"`{word}`" not in EXPLAINED] == []


def test_every_field_that_is_left_out_of_the_meaning_is_named_there():
    said = EXPLAINED.partition("## The meaning and its hash")[2]
    names = {name for left_out in LEFT_OUT.values() for name in left_out} - {"rule", "about"}
    assert [name for name in sorted(names) if f"`{name}`" not in said] == []


def test_fields_are_explained_in_the_order_in_which_they_are_written():
    written = list(plain(load(EXAMPLE)))
    table = EXPLAINED.partition("## The design")[2].partition("###")[0]
    rows = re.findall(r"^\| `(\w+)`(?:, `(\w+)`, `(\w+)`)?", table, re.MULTILINE)
    named = [name for row in rows for name in row if name]
    assert [name for name in named if name in written] == written
