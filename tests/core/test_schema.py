"""The published JSON Schemas: fresh, valid, and of one mind with the documents."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from designer.core.design import gallery
from designer.core.design.load import load_plain, plain
from designer.core.errors import DesignError
from designer.core.plan import STYLES
from designer.core.plan.schemas import design_schema, plan_schema, text_of
from tests.planned import planned

PLAN_SCHEMA = plan_schema()
DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(
    ("name", "schema"),
    [("design", design_schema()), ("plan", plan_schema())],
    ids=["design", "plan"],
)
def test_a_published_schema_is_valid_and_fresh(name, schema):
    Draft202012Validator.check_schema(schema)
    assert (DOCS / f"{name}.schema.json").read_text() == text_of(schema), (
        "write it anew with manage.py design_schema, and with --plan for the plan"
    )


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_the_gallery_and_its_plans_follow_the_schemas(slug):
    design = gallery.load(slug)
    Draft202012Validator(design_schema()).validate(plain(design))
    for style in STYLES:
        Draft202012Validator(PLAN_SCHEMA).validate(planned(design, style).as_json())


@pytest.mark.parametrize(
    "change",
    [
        {"nam": "x"},
        {"keywright": 2},
        {"billing": "free"},
        {"entities": [{"name": "User"}]},
        {"entities": [{"name": "A B", "identifier": ["id"]}]},
        {"entities": [{"name": "User", "identifier": []}]},
        {"entities": [{"name": "User", "identifier": ["id"], "items": -1}]},
        {"patterns": [{"number": 1, "name": "x", "kind": "look", "returns": "User"}]},
        {
            "patterns": [
                {
                    "number": 1,
                    "name": "x",
                    "kind": "get",
                    "returns": "User",
                    "rate": {"average": -1},
                }
            ]
        },
        {
            "patterns": [
                {"number": 1, "name": "x", "kind": "get", "returns": "User", "entity": "User"}
            ]
        },
    ],
    ids=lambda change: json.dumps(change)[:60],
)
def test_the_schema_refuses_what_reading_refuses(change):
    data = {"keywright": 1, "name": "Shop"} | change
    assert not Draft202012Validator(design_schema()).is_valid(data)
    with pytest.raises(DesignError):
        load_plain(data)


def test_the_schema_asks_for_the_version():
    assert not Draft202012Validator(design_schema()).is_valid({"name": "Shop"})


def test_the_schema_explains_fields():
    attribute = design_schema()["$defs"]["Attribute"]["properties"]
    assert attribute["scale"]["description"] == "Digits after the decimal point."
    assert design_schema()["$defs"]["List"]["properties"]["keep"]["description"].startswith(
        "Conditions that can drop"
    )
