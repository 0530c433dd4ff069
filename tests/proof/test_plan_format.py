"""docs/plan-format.md says everything: every field has its word there, and its example runs."""

from decimal import Decimal
from typing import get_args

import pytest
from pydantic import BaseModel

from designer.core import plan
from designer.core.plan import keys
from tests import expressions
from tests.proof.plans import DOCUMENTATION, plan_of, single

TEXT = DOCUMENTATION.read_text(encoding="utf-8")
MODELS = [
    model
    for model in vars(plan).values()
    if isinstance(model, type)
    and issubclass(model, BaseModel)
    and model not in (BaseModel, plan.Part)
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_field_is_explained(model):
    words = {field.alias or name for name, field in model.model_fields.items()}
    assert {word for word in words if f"`{word}`" not in TEXT and f"`{word}:" not in TEXT} == set()


def test_every_form_is_explained():
    assert {form for form in keys.FORMS if f"`{form}(" not in TEXT} == set()


@pytest.mark.parametrize(
    "words",
    [plan.Style, plan.Call, plan.Pages, plan.ResultKind, plan.KeyType],
)
def test_every_word_a_field_may_hold_is_explained(words):
    assert {word for word in get_args(words) if word not in TEXT} == set()


def test_the_example_is_a_plan():
    assert plan_of(single()).as_json()["tables"][0]["name"] == "example"


VALUES = {
    "text": "a b#c$",
    "plain": "abc",
    "empty": "",
    "number": Decimal("-12.50"),
    "zero": Decimal("0.00"),
    "large": Decimal("1E+3"),
    "flag": True,
    "bytes": b"\x00\xff",
    "time": "2026-05-03T10:15:00Z",
    "row.text": "é",
}


@pytest.mark.parametrize(
    ("template", "value"),
    [
        ("{number}", Decimal("-12.50")),
        ("N#{number}", "N#-12.5"),
        ("N#{zero}#{large}", "N#0#1000"),
        ("{text}", "a b#c$"),
        ("T#{text}#", "T#a$`b$cc$d#"),
        ("{flag}#{bytes}", "true#00ff"),
        ("{row.text}#", "é#"),
        ("{gone}", None),
        ("A#{gone}", None),
        ("{{{plain}}}", "{abc}"),
        ("{pad(6, 2, number)}", "-9987.49"),
        ("P#{pad(6, 2, zero)}#", "P#0000.00#"),
        ("{pad(4, 0, large)}", "1000"),
        ("{date(time)}", "2026-05-03"),
        ("{year(time)}#{month(time)}#{hour(time)}", "2026#2026-05#2026-05-03T10"),
        ('S#{only(plain, "abc", "x, (y)")}', "S#abc"),
        ('S#{only(plain, "x")}', None),
        ('S{when(plain, "abc")}#', "S#"),
        ("S{when(gone)}#", None),
        ('S#{absent(gone, "NO_GONE")}', "S#NO_GONE"),
        ("S{absent(gone)}#", "S#"),
        ("{absent(gone)}", ""),
        ('{absent(gone, "a b")}', "a$`b"),
        ('S#{absent(plain, "NO_PLAIN")}', None),
        ("{absent(plain)}", None),
        ("{shard(8, plain)}", "2"),
    ],
)
def test_templates_to_the_byte(template, value):
    """Ours and the stranger's reading of the page agree."""
    ours = keys.render(template, VALUES.get)
    assert ours == value
    assert type(ours) is type(value)
    assert expressions.render(template, VALUES.get) == value
