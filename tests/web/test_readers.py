"""Who may read a design and not change it: reviewers, viewers, and everybody while its project is archived."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from designer.core.design import gallery
from designer.core.design.load import dump
from designer.core.design.settings import Context
from designer.core.edits import replace_design
from designer.forms.conditions import conditions
from designer.forms.known import Attributes
from projects import revisions
from projects.models import Draft
from tests.web.conftest import design_of
from tests.web.forms import fields_of, send_fields

Colleague = Callable[..., Client]
HERE = "/d/club4alice/"
PANELS = (
    "entities/e-member/",
    "entities/e-member/attributes/a-member-email/",
    "relationships/r-makes/",
    "patterns/p-1/",
    "settings/",
    "text/",
)
ADDING = (
    "entities/add/",
    "entities/e-member/attributes/add/",
    "relationships/add/",
    "patterns/add/",
    "pins/add/",
    "pins/add/single/key%20Member/",
    "findings/K101/ignore/",
    "findings/P102/entities.Member/fix/add-create/",
)
FIELD = re.compile(r"<(?:input|select|button)\b(?![^>]*hidden)[^>]*>|<textarea\b(?![^>]*readonly)")


def main_of(answer: object) -> str:
    """What stands in the page itself, between its header and its footer."""
    page = answer.content.decode()
    return page[page.index("<main") : page.index("</main>")]


def archive(club: Draft) -> None:
    assert club.project is not None
    club.project.archived_at = timezone.now()
    club.project.save()


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("who", ["viewer", "reviewer", "archived"])
def test_a_panel_is_read_without_a_field_or_a_button(
    who: str, panel: str, club: Draft, as_alice: Client, colleague: Colleague
) -> None:
    if who == "archived":
        archive(club)
        client, why = as_alice, "restore it to change its designs"
    else:
        client, why = colleague(who), f"You can read this design as a {who}."
    page = main_of(client.get(f"{HERE}{panel}"))
    # The statement's own tools are the dialog of the picture and what a pattern's answer copies.
    left = page.partition('id="results"')[0]
    assert [each for each in FIELD.findall(left) if "data-opens" not in each] == []
    assert why in left


def test_a_reader_finds_the_panels_in_the_lists(club: Draft, colleague: Colleague) -> None:
    as_viewer = colleague("viewer")
    lists = main_of(as_viewer.get(HERE)).partition('id="results"')[0]
    links = re.findall(r'<a [^>]*href="/d/club4alice/(\w+/[\w-]+/)[?"].*?</a>', lists, re.S)
    assert {"entities/e-member/", "relationships/r-makes/", "patterns/p-1/"} <= set(links)
    assert "Read pattern 1" in lists
    assert "Change pattern 1" not in lists
    # What was stated once has no panels: they say what is stated now.
    lists = main_of(as_viewer.get(f"{HERE}r/1/")).partition('id="results"')[0]
    assert "Member" in lists
    assert not re.search(r'href="/d/club4alice/(entities|relationships|patterns)/', lists)


@pytest.mark.parametrize("panel", PANELS)
def test_an_editor_has_its_fields(panel: str, club: Draft, colleague: Colleague) -> None:
    page = main_of(colleague("editor").get(f"{HERE}{panel}"))
    assert FIELD.search(page)
    assert "You read this design" not in page


def test_a_panel_says_what_its_form_says(club: Draft, colleague: Colleague) -> None:
    as_viewer = colleague("viewer")

    def said(panel: str) -> dict[str, list[str]]:
        left = main_of(as_viewer.get(f"{HERE}{panel}")).partition('id="results"')[0]
        every = re.findall(r"<dt>([^<]*)</dt>((?:<dd>.*?</dd>)+)</div>", left, re.S)
        return {label: re.findall(r"<dd>(.*?)</dd>", lines, re.S) for label, lines in every}

    assert said("entities/e-member/")["Name"] == ["Member"]
    assert said("entities/e-member/attributes/a-member-email/") == {
        "Name": ["email"],
        "Type": ["e-mail address"],
        "Unique": ["yes"],
        "Updated": ["in the same transaction"],
    }
    pattern = said("patterns/p-1/")
    assert pattern["Type"] == ["List"]
    assert pattern["Found by"] == [
        "memberId is given as memberId",
        "at is at least given as since",
    ]
    assert pattern["Sorted by"] == ["at largest or newest first"]
    assert "At most" not in pattern  # nothing is stated
    assert said("settings/")["Capacity mode"] == ["on demand"]


def test_fields_that_are_one_value_together_are_read_one_by_one(
    colleague: Colleague, club: Draft
) -> None:
    context = Context(domain="sports", scale="40 clubs")
    new = design_of(club).model_copy(update={"context": context})
    revisions.edit(club, lambda design: replace_design(design, new), "Say what it is for", None)
    page = main_of(colleague("viewer").get(f"{HERE}settings/"))
    assert "<dt>Context</dt><dd>Domain: sports</dd><dd>Scale: 40 clubs</dd>" in page


def test_a_condition_is_read_with_all_that_it_says() -> None:
    design = gallery.load("shop")
    where = (
        {"attribute": "placedAt", "from": {"param": "first"}, "to": {"param": "last"}},
        {"attribute": "status", "is": {"value": "open"}, "optional": True},
        {"attribute": "total", "exists": True, "share": 0.1},
    )
    rows = conditions(Attributes(design, ("Order",)), name="where", label="Found by")
    assert rows.lines(rows.raw(where)) == [
        "placedAt is from … to given as first given as last",
        "status is always open, Optional",
        "total is present, Items that meet it: 10 %",
    ]


@pytest.mark.parametrize("path", ADDING)
def test_what_adds_something_is_not_open_to_readers(
    path: str, club: Draft, colleague: Colleague
) -> None:
    assert colleague("editor").get(f"{HERE}{path}").status_code == 200
    answer = colleague("reviewer").get(f"{HERE}{path}")
    assert answer.status_code == 403
    assert "Your role in this team does not allow that." in answer.content.decode()


def test_an_entity_offers_readers_nothing_to_add_pin_or_remove(
    club: Draft, colleague: Colleague
) -> None:
    path = f"{HERE}entities/e-member/"
    offered = ("pins/add/", 'class="quick-add"', "/remove/")
    pages = [colleague(role).get(path).content.decode() for role in ("editor", "reviewer")]
    assert [[each in page for each in offered] for page in pages] == [[True] * 3, [False] * 3]


def test_what_was_not_saved_is_said_in_a_sentence(club: Draft, as_alice: Client) -> None:
    path = f"{HERE}entities/e-member/"
    fields = fields_of(as_alice.get(path), "entity-form") | {"name": "Guest"}
    archive(club)
    answer = send_fields(as_alice, path, fields)
    assert answer.status_code == 403
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content == b"This project is archived. An owner of its team can restore it."
    page = send_fields(as_alice, path, fields, htmx=False)
    assert "<h1>Not allowed</h1><p>This project is archived." in page.content.decode()
    assert "Guest" not in design_of(club).entity


def test_a_text_that_was_not_applied_is_shown_again(club: Draft, as_alice: Client) -> None:
    typed = dump(design_of(club), "yaml").replace("Club", "Rowing club")
    archive(club)
    answer = as_alice.post(f"{HERE}text/", {"text": typed, "was-revision": "1"})
    assert answer.status_code == 403
    page = main_of(answer)
    assert "<strong>Nothing was changed.</strong> This project is archived." in page
    assert "Rowing club" in page.partition("<textarea")[2]
    assert design_of(club).name == "Club"


@pytest.mark.parametrize(
    "path", ["", "settings/", "text/", "history/", "cost/", "reviews/", "r/1/"]
)
def test_every_page_of_an_archived_design_says_so(path: str, club: Draft, as_alice: Client) -> None:
    def header() -> str:
        return as_alice.get(f"{HERE}{path}").content.decode().partition("<main")[0]

    assert "Archived" not in header()
    archive(club)
    assert re.search(r'href="/projects/project4alice/">.* Archived</a>', header())


def test_the_header_says_who_reads_only(club: Draft, colleague: Colleague) -> None:
    pages = [colleague(role).get(HERE).content.decode() for role in ("editor", "viewer")]
    assert ["Read only" in page for page in pages] == [False, True]


def test_a_design_of_the_gallery_has_its_fields(as_charlie: Client) -> None:
    for panel in ("patterns/p-1/", "settings/", "text/", "patterns/add/"):
        page = main_of(as_charlie.get(f"/d/shop/{panel}"))
        assert FIELD.search(page.partition('id="results"')[0])
        assert "Read only" not in page
