"""Findings set aside with a reason, and brought back."""

from django.test import Client

from designer.core.design.document import IgnoredFinding
from projects.models import Project
from tests.web.conftest import design_of
from tests.web.forms import HTMX, send

URL = "/d/club4alice/findings/"
FORM = "ignored-form"


def test_a_finding_is_set_aside_here_and_undone(club: Project, as_alice: Client) -> None:
    page = as_alice.get("/d/club4alice/").content.decode()
    url = page.split(f'href="{URL}')[1].split('"')[0]
    rule, about = url.removesuffix("/ignore/").split("/")
    answer = send(as_alice, f"{URL}{url}", FORM, {"because": "Measured <twice>."})
    assert answer.status_code == 200
    ignored = IgnoredFinding(rule=rule, about=about, because="Measured <twice>.")
    assert ignored in design_of(club).ignored_findings
    assert f"Saved: Set aside {rule}." in answer.content.decode()
    assert "Measured &lt;twice&gt;." in answer.content.decode()
    as_alice.post("/d/club4alice/undo/")
    assert ignored not in design_of(club).ignored_findings


def test_a_rule_is_set_aside_everywhere_without_script(club: Project, as_alice: Client) -> None:
    url = f"{URL}K101/patterns.1/ignore/"
    fields = {"because": "Known.", "about": "everywhere"}
    assert send(as_alice, url, FORM, fields, htmx=False).status_code == 302
    fields = {"because": "Known since May."}
    send(as_alice, f"{URL}K101/ignore/", FORM, fields)
    mine = [each for each in design_of(club).ignored_findings if each.rule == "K101"]
    assert mine == [IgnoredFinding(rule="K101", because="Known since May.")]


def test_without_a_reason_nothing_is_set_aside(club: Project, as_alice: Client) -> None:
    before = design_of(club)
    answer = send(as_alice, f"{URL}K101/patterns.1/ignore/", FORM, {"because": " "})
    assert answer.status_code == 422
    assert 'href="#field-because"' in answer.content.decode()
    assert design_of(club) == before


def test_a_finding_is_brought_back_once(club: Project, as_alice: Client) -> None:
    send(as_alice, f"{URL}K101/patterns.1/ignore/", FORM, {"because": "Known."})
    sent = {"rule": "K101", "about": "patterns.1"}
    answer = as_alice.post(f"{URL}heed/", sent, headers=HTMX)
    assert answer.status_code == 200
    assert "K101" not in [each.rule for each in design_of(club).ignored_findings]
    assert as_alice.post(f"{URL}heed/", sent, headers=HTMX).status_code == 409
