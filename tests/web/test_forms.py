"""Every part of every design of the gallery goes through its form and comes back the same."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string

from designer.core.design import gallery
from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.design.load import load, load_plain, plain
from designer.core.edits import identified
from designer.core.patterns import KINDS
from designer.core.patterns.base import Write
from designer.core.sentences.attribute_types import KINDS as TYPES
from designer.forms.attributes import AttributeForm
from designer.forms.base import Form
from designer.forms.entities import EntityForm
from designer.forms.patterns import PatternForm
from designer.forms.relationships import RelationshipForm
from designer.forms.settings import SettingsForm


def sent(form: Form) -> QueryDict:
    """What a browser sends of a form that nobody touched."""
    data = QueryDict(mutable=True)
    for name, text in _flat(form.raw):
        data[name] = text
    for name, text in form.kept:
        data[name] = text
    return data


def _flat(raw: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in raw.items():
        if isinstance(value, str):
            yield f"{prefix}{name}", value
        elif isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}-")
        else:
            for index, row in enumerate(value):
                yield from _flat(row, f"{prefix}{name}-{index}-")


WIDE: dict[str, Any] = {
    "keywright": 1,
    "name": "Wide",
    "entities": [
        {
            "name": "Thing",
            "identifier": ["id"],
            "attributes": [
                {"name": "id"},
                *({"name": f"a{at:03}", "mutable": True} for at in range(499)),
            ],
        }
    ],
}


def transaction(steps: int) -> Design:
    """An entity of 500 attributes, of which a transaction writes three in each of so many steps."""
    changes = {f"a{at:03}": {"param": f"p{at}"} for at in range(3)}
    members = [
        {
            "update": "Thing",
            "each": f"rows{at}",
            "times": {"average": 1, "most": 1},
            "set": changes,
            "if": [{"attribute": "a400", "is": {"param": "was"}}],
        }
        for at in range(steps)
    ]
    pattern = {"number": 1, "name": "Write", "kind": "transaction", "members": members}
    return identified(load_plain({**WIDE, "patterns": [pattern]}))


def shown(form: Form) -> str:
    return render_to_string(
        "designer/partials/_form.html", {"form": form, "may_edit": True, "form_url": "/"}
    )


def test_many_long_choices_draw_their_options_once_and_are_typed() -> None:
    few, many = (shown(PatternForm(made, made.patterns[0])) for made in map(transaction, (1, 100)))
    name = 'name="members-0-changes-0-attribute"'
    assert re.search(rf"<select[^>]*{name}", few) and few.count('value="a123"') == 6
    typed = re.search(rf'<input[^>]*{name} value="a000"[^>]*list="([^"]+)"', many)
    assert typed and many.count(f'<datalist id="{typed[1]}">') == 1
    assert many.count('value="a123"') == 1, "one list for what finds, tests and changes"
    assert len(many) < 3_500_000
    assert many.count("<option") < 7_500


def test_a_form_with_typed_choices_is_saved_and_redraws_as_any_other() -> None:
    design = transaction(100)
    form = PatternForm(design, design.patterns[0])
    data = sent(form)
    assert PatternForm(design, form.subject, data).apply(design) == design
    data["members-0-changes-0-attribute"] = "a007"
    changed = PatternForm(design, form.subject, data).apply(design).patterns[0]
    assert isinstance(changed, Write)
    assert [*changed.changes[0].set] == ["a007", "a001", "a002"]
    fresh = PatternForm(design, None, data)
    assert re.search(r'<input[^>]*name="members-0-entity"[^>]*', shown(fresh)) is None
    assert 'hx-vals=\'{"intent":"redraw"}\'' in shown(fresh)


def test_a_form_offers_only_some_attributes_of_very_many_parents() -> None:
    (thing,) = WIDE["entities"]
    ends = {"one": "Thing", "many": "Part", "by": "thing", "average": 1}
    one = {"attribute": "r59.a498", "is": {"value": "x"}}
    design = load_plain(
        {
            **WIDE,
            "entities": [
                thing,
                {
                    "name": "Part",
                    "identifier": ["part"],
                    "attributes": [{"name": "part"}, {"name": "thing"}],
                },
            ],
            "relationships": [{"name": f"r{at}", **ends} for at in range(60)],
            "patterns": [
                {
                    "number": 1,
                    "name": "Find",
                    "kind": "list",
                    "returns": "Part",
                    "where": [one] * 3,
                }
            ],
        }
    )
    design = identified(design)
    form = PatternForm(design, design.patterns[0])
    page = shown(form)
    assert 'value="r0.a000"' in page and page.count("<option") < 5_200
    assert page.count('value="r59.a498"') == 3, "what is chosen stays, offered or not"
    assert PatternForm(design, form.subject, sent(form)).apply(design) == design


def forms(design: Design, data: dict[int, QueryDict] | None = None) -> Iterator[Form]:
    def of(part: object) -> QueryDict | None:
        return None if data is None else data[id(part)]

    for entity in design.entities:
        yield EntityForm(design, entity, of(entity))
        for attribute in entity.attributes:
            yield AttributeForm(design, entity, attribute, of(attribute))
    for relationship in design.relationships:
        yield RelationshipForm(design, relationship, of(relationship))
    for pattern in design.patterns:
        yield PatternForm(design, pattern, of(pattern))
    yield SettingsForm(design, design, of(design))


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_a_form_that_nobody_touched_changes_nothing(slug: str) -> None:
    design = identified(gallery.load(slug))
    data = {id(form.subject): sent(form) for form in forms(design)}
    for form in forms(design, data):
        assert form.apply(design) == design, form.note


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_every_pattern_can_be_said_in_its_form(slug: str) -> None:
    design = identified(gallery.load(slug))
    for pattern in design.patterns:
        again = PatternForm(design, None, sent(PatternForm(design, pattern)))
        built = again._pattern(again.changes())
        assert plain(built) | {"number": pattern.number, "id": pattern.id} == plain(pattern)


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_every_entity_attribute_and_relationship_can_be_said_in_its_form(slug: str) -> None:
    design = identified(gallery.load(slug))
    for form in forms(design):
        if isinstance(form, PatternForm | SettingsForm):
            continue
        values = {
            name: field.value(form.raw[name]) for name, field in form.fields(form.raw).items()
        }
        shown = form.document(form.subject)
        for name, value in values.items():
            assert (
                value == _frozen(shown.get(name))
                or (not value and not shown.get(name))
                or (name in ("kind", "cardinality"))
            ), (form.note, name)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, (list, tuple)) else value


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_form_with_the_fields_of_its_document(kind: str) -> None:
    design = identified(gallery.load("shop"))
    form = PatternForm(design, None, None, kind=kind)
    asked = set(form.fields(form.raw)) | {
        "number",
        "id",
        "attributes",
        "set",
        "add",
        "greatest",
        "append",
        "include",
        "exclude",
        "remove",
    }
    assert {field.alias or name for name, field in KINDS[kind].model_fields.items()} <= asked


def test_what_a_form_does_not_show_is_kept() -> None:
    design = identified(gallery.load("shop"))
    user = design.entity["User"]
    assert {*Entity.model_fields} - {"attributes", "drawn_at", "id"} == {
        *EntityForm(design, user).raw
    }
    form = AttributeForm(design, user)
    shown = {name for kind, _ in TYPES for name in form.fields({"kind": kind})}
    assert {*Attribute.model_fields} - shown == {"id", "type", "format"}
    places = design.relationship["places"]
    assert {*Relationship.model_fields} - {*RelationshipForm(design, places).raw} == {
        "id", "one", "many", "through", "averages", "mosts",
    }  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_no_field_hides_a_property_of_the_forms_element(kind: str) -> None:
    hidden = {"action", "attributes", "children", "elements", "id", "method", "parentNode"}
    form = PatternForm(identified(gallery.load("shop")), None, None, kind=kind)
    assert not hidden & set(form.fields(form.raw))


def test_a_scope_is_stated_and_taken_back_in_the_form_of_its_attribute() -> None:
    path = Path(__file__).parents[1] / "designs" / "scoped_seats.yaml"
    design = identified(load(path.read_text()))

    def written(design: Design, **changes: str) -> Design:
        seat = design.entity["Seat"]
        data = sent(AttributeForm(design, seat, seat.by_name["code"])).copy()
        for name, value in changes.items():
            data.pop(name, None)
            if value:
                data[name] = value
        return AttributeForm(design, seat, seat.by_name["code"], data).apply(design)

    after = written(design, unique="", unique_within="hallId, row")
    assert after.entity["Seat"].by_name["code"].unique_within == ("hallId", "row")
    assert written(after, unique="on", unique_within="") == design
