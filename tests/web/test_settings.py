"""The settings of a design."""

from django.test import Client

from projects.models import Draft
from tests.web.conftest import design_of
from tests.web.forms import fields_of, send

URL = "/d/club4alice/settings/"
FORM = "settings-form"


def test_settings_are_saved_and_pins_stay(club: Draft, as_alice: Client) -> None:
    fields = {"name": "Tennis", "region": "eu-west-1", "objective": "indexes", "tolerance": "10"}
    answer = send(as_alice, URL, FORM, {**fields, "context-domain": "sports"})
    assert answer.status_code == 200
    design = design_of(club)
    assert (design.name, design.region) == ("Tennis", "eu-west-1")
    assert (design.planner.objective, design.planner.tolerance) == ("indexes", 0.1)
    assert len(design.planner.pins) == 2
    assert design.context is not None and design.context.domain == "sports"
    assert club.name == "Tennis"


def test_settings_are_saved_without_script(club: Draft, as_alice: Client) -> None:
    answer = send(as_alice, URL, FORM, {"key_names-single": "natural"}, htmx=False)
    assert (answer.status_code, answer.url) == (302, URL)
    assert design_of(club).planner.key_names.single == "natural"


def test_what_does_not_fit_is_said_and_nothing_is_saved(club: Draft, as_alice: Client) -> None:
    for name, typed in (
        ("name", ""),
        ("name", "x" * 300),
        ("region", "here"),
        ("table_prefix", "${x}"),
        ("tolerance", "500"),
        ("max_gsis", "21"),
    ):
        answer = send(as_alice, URL, FORM, {name: typed})
        assert answer.status_code == 422, name
        assert fields_of(answer, FORM)[name] == typed
        assert f'href="#field-{name}"' in answer.content.decode()
    assert club.revisions.count() == 1


def test_what_is_asked_in_percent_is_refused_in_percent(club: Draft, as_alice: Client) -> None:
    for typed in ("-5", "100.5", "99999999"):
        page = send(as_alice, URL, FORM, {"tolerance": typed}).content.decode()
        assert f"“{typed}” is out of range; write 0 to 100 %." in page
