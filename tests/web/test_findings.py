"""Ignored findings with a reason, and brought back; and the pages about all of them."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import Client

from designer import forms
from designer.core.design.document import Design
from designer.core.design.edited import Changed
from designer.core.design.load import load
from designer.core.design.settings import IgnoredFinding
from designer.core.evaluation.evaluate import Evaluation, findings_of
from designer.core.lint import TOPICS, set_aside
from designer.core.lint.in_short import in_short, places_of, rows_of
from designer.core.plan import Finding
from designer.views import finding_fixes
from designer.views import finding_lines as finding_lines_module
from designer.views.finding_lines import (
    FIELDS,
    FindingLine,
    finding_lines,
    grouped,
    in_words,
)
from projects import revisions, teams
from projects.models import Draft
from tests.core.test_pin_offers import SLOTS
from tests.web.conftest import design_of
from tests.web.forms import HTMX, send

URL = "/d/club4alice/findings/"
FORM = "ignored-form"


def test_a_finding_is_set_aside_here_and_undone(club: Draft, as_alice: Client) -> None:
    page = as_alice.get("/d/club4alice/").content.decode()
    url = page.split(f'href="{URL}')[1].split('"')[0]
    rule, about = url.removesuffix("/ignore/").split("/")
    answer = send(as_alice, f"{URL}{url}", FORM, {"because": "Measured <twice>."})
    assert answer.status_code == 200
    ignored = IgnoredFinding(rule=rule, about=about, because="Measured <twice>.")
    assert ignored in design_of(club).ignored_findings
    assert f"Saved: Ignore {rule}." in answer.content.decode()
    assert "Measured &lt;twice&gt;." in answer.content.decode()
    as_alice.post("/d/club4alice/undo/")
    assert ignored not in design_of(club).ignored_findings


def test_a_rule_is_set_aside_everywhere_without_script(club: Draft, as_alice: Client) -> None:
    url = f"{URL}K101/patterns.1/ignore/"
    fields = {"because": "Known.", "about": "everywhere"}
    assert send(as_alice, url, FORM, fields, htmx=False).status_code == 302
    fields = {"because": "Known since May."}
    send(as_alice, f"{URL}K101/ignore/", FORM, fields)
    mine = [each for each in design_of(club).ignored_findings if each.rule == "K101"]
    assert mine == [IgnoredFinding(rule="K101", because="Known since May.")]


def test_without_a_reason_nothing_is_set_aside(club: Draft, as_alice: Client) -> None:
    before = design_of(club)
    answer = send(as_alice, f"{URL}K101/patterns.1/ignore/", FORM, {"because": " "})
    assert answer.status_code == 422
    assert 'href="#field-because"' in answer.content.decode()
    assert design_of(club) == before


def test_a_finding_is_brought_back_once(club: Draft, as_alice: Client) -> None:
    send(as_alice, f"{URL}K101/patterns.1/ignore/", FORM, {"because": "Known."})
    sent = {"rule": "K101", "about": "patterns.1"}
    answer = as_alice.post(f"{URL}heed/", sent, headers=HTMX)
    assert answer.status_code == 200
    assert "K101" not in [each.rule for each in design_of(club).ignored_findings]
    assert as_alice.post(f"{URL}heed/", sent, headers=HTMX).status_code == 409


@pytest.mark.parametrize(
    ("ghosts", "said"),
    [
        (2, "2 entities are never read Ghost0 and Ghost1"),
        (6, "6 entities are never read Ghost0, Ghost1, Ghost2, Ghost3 …"),
    ],
)
def test_what_one_rule_finds_at_several_places_is_one_line(
    ghosts: int, said: str, club: Draft, as_alice: Client
) -> None:
    lines = {"lines": "\n".join(f"Ghost{number}: id, seen date" for number in range(ghosts))}
    send(as_alice, "/d/club4alice/model/", "outline-form", lines)
    page = as_alice.get("/d/club4alice/").content.decode()
    group = page.split('<details id="findings-of-P103">')[1].split("</details>")[0]
    summary = " ".join(re.sub("<[^>]*>", " ", group.split("</summary>")[0]).split())
    assert summary == f"Warning {said}"
    assert all(f"No access pattern reads Ghost{number} items." in group for number in range(ghosts))


def test_the_header_counts_what_weighs_most_and_not_every_place(
    club: Draft, as_alice: Client
) -> None:
    lines = {"lines": "\n".join(f"Ghost{number}: id, seen date" for number in range(6))}
    send(as_alice, "/d/club4alice/model/", "outline-form", lines)
    page = as_alice.get("/d/club4alice/").content.decode()
    link = page.split('class="findings-link"')[1].split("</a>")[0]
    listed = page.split('id="findings-title"')[1].split("</section>")[0]
    # Folded, what one rule finds at six places is one row.
    folded = re.sub(r"<details.*?</details>", "Row", listed, flags=re.S)
    rows = {
        word: len(re.findall(f'<li class="finding[^"]* is-{word}"', folded))
        for word in ("error", "warning", "advice")
    }
    said = re.search(r"Findings: ([^<]*)<", link)
    assert said is not None
    assert rows["warning"] > 1
    assert f"{rows['warning']} warnings" in said[1]
    assert re.search(r", in \d+ places$", said[1])
    assert re.findall(r'class="count">(\d+)<', link) == [
        str(rows[word]) for word in ("error", "warning") if rows[word]
    ]
    assert said[1] in page.split('id="findings-title"')[1].split("</h2>")[0]


def line(where: str, rule: str = "P101") -> FindingLine:
    found = Finding(rule=rule, severity="warning", where=where, message="Said.", remedy="")
    return FindingLine(found, in_words(where), "", None, ())


def test_a_row_of_many_places_says_how_many_and_names_each_once() -> None:
    places = ("patterns.1", "patterns.2", "patterns.1", "patterns.4")
    (many,) = grouped([line(where) for where in places])
    assert many.places == ["patterns 1", "2", "4"]
    assert many.places_in_short == "patterns 1, 2 and 4"
    found = [each.finding for each in many.lines]
    assert (rows_of(found), places_of(found)) == ({"warning": 1}, many.count)
    assert in_short({"error": 1, "advice": 2}, 3) == "1 error and 2 pieces of advice"
    (once,) = grouped([line("relationships.has", "hot-partition")] * 3)
    assert once.title == "Hot partition key, 3 findings"
    assert once.places == ["relationship “has”"]
    (twice,) = grouped([line(where, "hot-partition") for where in places[:3]])
    assert twice.title == "Hot partition key, in 2 places"


def test_a_rule_that_finds_things_of_different_weight_is_one_row_of_the_gravest() -> None:
    grave, light = line("patterns.1"), line("patterns.2")
    light = replace(light, finding=light.finding.model_copy(update={"severity": "advice"}))
    assert rows_of([light.finding, grave.finding]) == {"warning": 1}


def test_every_sentence_of_many_places_goes_on_from_a_number() -> None:
    said = [topic.of_many for topic in TOPICS.values() if topic.of_many]
    assert "access patterns have no rate" in said
    assert [words for words in said if words[0].isupper() or words.endswith(".")] == []


# Fixes

UNPIN = f"{URL}pin-not-obeyed/planner.pins.2/fix/unpin/?view=multi"
"""Pin 2 of the club is of the multi-table style, and is not followed there."""


def test_a_fix_shows_what_it_changes_before_it_is_made(club: Draft, as_alice: Client) -> None:
    before = design_of(club)
    page = as_alice.get(UNPIN).content.decode()
    assert "<del" in page and "VisitsOfMember" in page.split("<del")[1].split("</del>")[0]
    assert "Not changed yet." in page
    assert design_of(club) == before


def test_a_fix_calls_the_fields_that_it_changes_as_the_forms_do() -> None:
    filled = {"changed": [("pattern 1", FIELDS["keep"], Changed("patterns.1", "keep", "", "[]"))]}
    page = render_to_string("designer/partials/_changed.html", filled)
    assert "<dt>pattern 1, Returned only if</dt>" in page
    of_forms = {
        match[1]
        for path in Path(forms.__file__).parent.glob("*.py")
        for match in re.finditer(r'label="([^"]+)"', path.read_text())
    }
    assert set(FIELDS.values()) <= of_forms


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_fix_is_an_edit_that_is_recorded_and_undone(
    club: Draft, as_alice: Client, headers: dict[str, str]
) -> None:
    before = design_of(club)
    assert len(before.planner.pins) == 2
    answer = as_alice.post(UNPIN, headers=headers)
    assert answer.status_code == (200 if headers else 302)
    assert design_of(club).planner.pins == before.planner.pins[:1]
    history = as_alice.get("/d/club4alice/history/").content.decode()
    assert "Remove pin 2: Pattern 1 (pin-not-obeyed)" in history
    if headers:
        said = answer.content.decode()
        assert "VisitsOfMember" in said.split("<del")[1].split("</del>")[0]
        assert 'hx-post="/d/club4alice/undo/"' in said.split('class="form-end"')[1]
    as_alice.post("/d/club4alice/undo/")
    assert design_of(club) == before


def test_a_preview_that_is_fetched_again_changes_nothing(club: Draft, as_alice: Client) -> None:
    before = design_of(club)
    answer = as_alice.post(UNPIN, {"intent": "preview"}, headers={**HTMX, "HX-Target": "results"})
    assert answer.status_code == 200
    assert "Not changed yet." in answer.content.decode()
    assert design_of(club) == before


def test_a_fix_of_a_finding_that_is_gone_is_refused(club: Draft, as_alice: Client) -> None:
    as_alice.post(UNPIN, headers=HTMX)
    before = design_of(club)
    answer = as_alice.post(UNPIN, headers=HTMX)
    assert answer.status_code == 409
    assert "no longer exists" in answer.content.decode()
    assert design_of(club) == before


def test_a_finding_stands_with_its_fix_where_it_is_about(club: Draft, as_alice: Client) -> None:
    page = as_alice.get("/d/club4alice/pins/?view=multi").content.decode()
    here = page.split('id="findings-here"')[1].split("</ul>")[0]
    assert "Pin 2 is not followed" in here
    finding = as_alice.get("/d/club4alice/?view=multi").content.decode()
    there = finding.split("Go to pin 2")[0].rpartition('href="')[2].split('"')[0]
    page = as_alice.get(f"{there.partition('?')[0]}?view=multi").content.decode()
    assert "<h2>Pin 2</h2>" in page
    assert "Pin 2 is not followed" in page.split('id="findings-here"')[1].split("</ul>")[0]
    assert UNPIN.split("?")[0] in here
    settings = as_alice.get("/d/club4alice/settings/?view=multi").content.decode()
    assert "Pin 2" not in settings.split('id="findings-here"')[1].split("</div>")[0]


def test_a_pin_that_may_cost_other_patterns_is_looked_at_before_it_is_made(
    alice: User, as_alice: Client
) -> None:
    """The plan of the page is made while somebody types, so nothing is tried for it; the plan with the pin shows it."""
    draft = Draft(slug="slots4alice", project=teams.home(alice))
    revisions.start(draft, load(SLOTS), "Start", alice)
    url = "/d/slots4alice/findings/served-on-average/patterns.3/fix/pin/"
    page = as_alice.get("/d/slots4alice/?view=multi").content.decode()
    finding = page.split("<p>Pattern 3 is served only on average.")[1].split("</li>")[0]
    assert "Pin an index that serves it" in finding
    assert f'href="{url}?view=multi"' in finding
    assert f'action="{url}' not in finding
    page = as_alice.get(f"{url}?view=multi").content.decode()
    assert "Not changed yet." in page
    assert "pattern 2 is served only on average" in page
    assert f'action="{url}?view=multi"' in page
    assert design_of(draft).planner.pins == ()


# Why


def test_every_finding_is_explained_on_a_page(as_charlie: Client) -> None:
    listed = as_charlie.get("/findings/").content.decode()
    for id_ in TOPICS:
        assert f'href="/findings/{id_}/"' in listed
    page = as_charlie.get("/findings/C101/").content.decode()
    assert "Strongly consistent read from an index" in page
    assert f'href="{TOPICS["C101"].source}"' in page
    assert as_charlie.get("/findings/C999/").status_code == 404


def test_a_finding_leads_to_its_page(club: Draft, as_alice: Client) -> None:
    page = as_alice.get("/d/club4alice/").content.decode()
    line = page.split('id="findings"')[1].split("</li>")[0]
    assert 'href="/findings/' in line


def test_the_pages_of_findings_say_access_pattern_alone(client: Client) -> None:
    pages = ["/findings/", *(f"/findings/{rule}/" for rule in TOPICS)]
    for path in pages:
        page = client.get(path).content.decode()
        said = re.sub(r"<[^>]+>", " ", page[page.index("<title>") :])
        assert not re.search(r"\b[Qq]uestions?\b", said), path


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("planner.max_gsis", "Index limit"),
        ("planner.pins", "Pins"),
        ("planner.pins.2", "pin 2"),
        ("patterns.3", "pattern 3"),
        ("entities.User.attributes.email", "User.email"),
    ],
)
def test_a_place_is_called_as_people_call_it(where: str, words: str) -> None:
    assert in_words(where) == words


# Thousands of findings ----------------------------------------------------------------------------


def unused(entities: int, attributes: int) -> Design:
    """A design of which hardly an attribute is used, so that a rule finds each."""
    names = ["id", *(f"a{at}" for at in range(attributes))]
    every = [
        {"name": f"E{at}", "identifier": ["id"], "attributes": [{"name": name} for name in names]}
        for at in range(entities)
    ]
    get = {"returns": "E0", "where": [{"attribute": "id", "is": {"param": "id"}}]}
    pattern = {"number": 1, "name": "Get it", "kind": "get", **get}
    return load(
        json.dumps({"keywright": 1, "name": "Unused", "entities": every, "patterns": [pattern]})
    )


def test_a_page_looks_for_the_fixes_of_so_many_findings_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    design = unused(3, 6)
    evaluation = Evaluation(design, {}, findings_of(design, {}), {})
    looked: list[Finding] = []
    found = finding_fixes.fixes
    monkeypatch.setattr(
        finding_fixes, "fixes", lambda *given: (looked.append(given[-1]), found(*given))[1]
    )
    lines, _ = finding_lines(design, evaluation, None)
    of_attributes = [line for line in lines if line.finding.rule == "P106"]
    assert len(of_attributes) == 12 and all(line.fixes for line in of_attributes)

    looked.clear()
    monkeypatch.setattr(finding_fixes, "LOOKS", 5 * 22 + 3)
    lines, _ = finding_lines(design, evaluation, None)
    fixable = [line for line in lines if line.finding in looked]
    assert len(looked) == 5
    assert [line for line in lines if line.fixes] == fixable[: len(looked)]

    looked.clear()
    monkeypatch.setattr(finding_fixes, "LOOKS", 1)
    finding_lines(design, evaluation, None)
    assert len(looked) == 1


def test_a_row_unfolds_to_so_many_findings_and_says_how_many_more_there_are(
    club: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "/d/club4alice/"
    assert "more.</p>" not in as_alice.get(url).content.decode()
    (most,) = {
        max(map(len, (group.lines for group in as_alice.get(url).context["finding_groups"])))
    }
    assert most > 1
    monkeypatch.setattr(finding_lines_module, "MOST_LINES", 1)
    assert f"And {most - 1} more.</p>" in as_alice.get(url).content.decode()


class Counted(tuple[Any, ...]):
    """What counts how often it is gone through."""

    times = 0

    def __iter__(self) -> Iterator[Any]:
        type(self).times += 1
        return super().__iter__()


def test_no_finding_is_looked_for_among_all_others() -> None:
    found = [Finding(rule="K101", severity="warning", where=f"patterns.{at}") for at in range(30)]
    other = found[0].model_copy(update={"severity": "error"})
    plans = {
        "single": SimpleNamespace(findings=Counted(found[:20])),
        "multi": SimpleNamespace(findings=Counted((other, *found[1:]))),
    }
    evaluation = Evaluation(None, plans, tuple(found), {})  # type: ignore[arg-type]
    assert [evaluation.only_in(each) for each in found] == [
        ("single",), *[()] * 19, *[("multi",)] * 10
    ]  # fmt: skip
    assert Counted.times == 2


def test_the_first_that_covers_a_finding_says_why_it_is_ignored(club: Draft) -> None:
    said = [
        IgnoredFinding(rule="P106", about="entities.Visit.attributes", because="1"),
        IgnoredFinding(rule="P106", about="entities.Visit", because="2"),
        IgnoredFinding(rule="P106", about="entities.Vis", because="3"),
        IgnoredFinding(rule="P106", about="pattern 2", because="4"),
        IgnoredFinding(rule="P107", because="5"),
        IgnoredFinding(rule="P106", about="pattern 2", because="6"),
        IgnoredFinding(rule="P107", about="entities.Visit", because="7"),
    ]
    design = design_of(club).model_copy(update={"ignored_findings": tuple(said)})

    def why(rule: str, where: str) -> str:
        finding = Finding(rule=rule, severity="advice", where=where)
        found = set_aside(design, finding)
        return found.because if found is not None else ""

    assert why("P106", "entities.Visit.attributes.at") == "1"
    assert why("P106", "entities.Visit") == "2"
    assert why("P106", "entities.Visits") == ""
    assert why("P106", "patterns.2") == "4"
    assert why("P106", "patterns.21") == ""
    assert why("P107", "entities.Visit") == "5"
    assert why("P107", "") == "5"
    assert why("P106", "") == ""
