"""The design document as text: applied whole, or not at all with its errors at their lines."""

import time

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from designer.core.design import gallery
from designer.core.design.load import dump
from projects.models import Draft
from tests.web.conftest import CLUB, design_of
from tests.web.forms import send

URL = "/d/club4alice/text/"
PATTERN = "/d/club4alice/patterns/p-1/"


def test_the_text_is_the_whole_design(club: Draft, as_alice: Client) -> None:
    page = as_alice.get(URL).content.decode()
    assert "name: A member&#x27;s visits" in page


def test_a_changed_text_is_applied(club: Draft, as_alice: Client) -> None:
    text = CLUB.read_text().replace("name: Club", "name: Tennis")
    answer = as_alice.post(URL, {"text": text.replace("\n", "\r\n")})
    assert (answer.status_code, answer.url) == (302, f"{URL}?applied=alone")
    assert design_of(club).name == "Tennis"
    assert club.revisions.last().note == "Apply the text"


def test_another_design_may_take_its_place(club: Draft, as_alice: Client) -> None:
    as_alice.post(URL, {"text": gallery.text("starter")})
    assert design_of(club).name == gallery.load("starter").name


CLUB_TEXT = CLUB.read_text()
BAD = {
    "a negative rate": (
        CLUB_TEXT.replace("    kind: get\n", "    kind: get\n    rate: {average: -1}\n"),
        "at least 0",
    ),
    "an unknown attribute": (CLUB_TEXT.replace("order: [at", "order: [ate"), "ate"),
    "two entities of one name": (CLUB_TEXT.replace("name: Visit\n", "name: Member\n"), "already"),
    "a name of 300 characters": (CLUB_TEXT.replace("name: Visit\n", f"name: {'x' * 300}\n"), ""),
    "an empty identifier": (CLUB_TEXT.replace("[memberId, at]", "[]"), "identifier"),
    "duplicate keys": (CLUB_TEXT.replace("name: Club", "name: Club\nname: Two"), "name"),
    "markup in a name": (CLUB_TEXT.replace("name: Visit\n", "name: <img src=x>\n"), ""),
    "a bomb": ("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", ""),
    "no YAML": ("keywright: [1", ""),
    "nothing": ("", "empty"),
    "half a character": (
        "keywright: 1\nname: \ud83d\n".encode("utf-16", "surrogatepass").hex(),
        "",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_wrong_is_said_with_its_line_and_nothing_is_saved(
    case: str, club: Draft, as_alice: Client
) -> None:
    text, said = BAD[case]
    answer = as_alice.post(URL, {"text": text})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Nothing was changed." in page
    assert said in page
    assert "<img src=x>" not in page
    assert club.revisions.count() == 1


def test_an_error_links_to_its_line(club: Draft, as_alice: Client) -> None:
    text = CLUB_TEXT.replace("order: [at descending]", "order: [ate descending]")
    line = text.split("\n").index("    order: [ate descending]") + 1
    page = as_alice.post(URL, {"text": text}).content.decode()
    assert f'<a href="#line-{line}">Line {line}</a>' in page
    assert f'<li id="line-{line}" value="{line}" class="is-wrong">' in page
    assert "order: [ate descending]" in page


def test_five_megabytes_are_refused_at_once(club: Draft, as_alice: Client) -> None:
    start = time.perf_counter()
    answer = as_alice.post(URL, {"text": "a: b\n" * 1_000_000})
    assert answer.status_code == 422
    assert time.perf_counter() - start < 5
    file = SimpleUploadedFile("big.yaml", b"a: b\n" * 1_000_000)
    assert as_alice.post(URL, {"file": file}).status_code == 422


def test_a_text_goes_together_with_what_others_did_since(club: Draft, as_alice: Client) -> None:
    text = as_alice.get(f"{URL}design.yaml").content.decode()
    send(as_alice, PATTERN, "pattern-form", {"limit": "6"})
    sent = {"text": text.replace("name: Club", "name: One"), "was-revision": "1"}
    answer = as_alice.post(URL, sent, follow=True)
    assert "It includes what others changed since it was opened." in answer.content.decode()
    design = design_of(club)
    assert (design.name, design.pattern(1).limit) == ("One", 6)


def test_a_text_that_says_other_than_others_did_is_asked_about(
    club: Draft, as_alice: Client
) -> None:
    text = as_alice.get(f"{URL}design.yaml").content.decode()
    send(as_alice, f"{URL[:-5]}settings/", "settings-form", {"name": "Theirs"})
    sent = {"text": text.replace("name: Club", "name: Mine"), "was-revision": "1"}
    answer = as_alice.post(URL, sent)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "You changed it in r2 (Rename the design to Theirs)" in page
    assert "As in this text: <strong>Mine</strong>" in page
    assert "name: Mine" in page
    assert 'name="was-revision" value="1"' in page
    assert design_of(club).name == "Theirs"
    chosen = {**sent, "resolve-name": "mine", "seen-name": "Theirs"}
    assert as_alice.post(URL, chosen).status_code == 302
    assert design_of(club).name == "Mine"


@pytest.mark.parametrize("count", [1, 5])
def test_who_changed_many_parts_is_looked_up_at_once(
    count: int, club: Draft, as_alice: Client
) -> None:
    design = design_of(club)

    def renamed(word: str) -> str:
        patterns = [
            each.model_copy(update={"name": f"{word} {at}"}) if at < count else each
            for at, each in enumerate(design.patterns)
        ]
        return dump(design.model_copy(update={"patterns": tuple(patterns)}))

    as_alice.post(URL, {"text": renamed("Theirs")})
    with CaptureQueriesContext(connection) as asked:
        answer = as_alice.post(URL, {"text": renamed("Mine"), "was-revision": "1"})
    page = answer.content.decode()
    assert (answer.status_code, page.count("You changed it in r2")) == (409, count)
    documents = [each for each in asked if '"document"' in each["sql"] and "SELECT" in each["sql"]]
    assert len(documents) == 6


def test_a_wrong_text_stays_one_from_before_another_edit(club: Draft, as_alice: Client) -> None:
    as_alice.post(URL, {"text": CLUB_TEXT.replace("Club", "One")})
    answer = as_alice.post(URL, {"text": "keywright: [1", "was-revision": "1"})
    assert 'name="was-revision" value="1"' in answer.content.decode()


def test_parts_of_a_text_without_ids_stay_what_they_were(club: Draft, as_alice: Client) -> None:
    send(as_alice, "/d/club4alice/entities/e-visit/", "entity-form", {"name": "Stay"})
    text = CLUB_TEXT.replace("Visit", "Stay")
    assert as_alice.post(URL, {"text": text, "was-revision": "2"}).status_code == 302
    assert design_of(club).entity["Stay"].id == "e-visit"


def test_a_visitors_first_text_makes_a_copy(as_charlie: Client) -> None:
    text = gallery.text("starter") + "\n"
    sent = {"text": text.replace("name: ", "name: My ", 1), "was-revision": "1"}
    assert as_charlie.post("/d/starter/text/", sent).status_code == 302
    assert design_of(Draft.objects.get()).name.startswith("My ")


def test_a_file_is_applied_like_a_text(club: Draft, as_alice: Client) -> None:
    file = SimpleUploadedFile("club.yaml", CLUB_TEXT.replace("Club", "Öl").encode())
    assert as_alice.post(URL, {"file": file}).status_code == 302
    assert design_of(club).name == "Öl"
    binary = SimpleUploadedFile("club.yaml", b"\xff\xfe\x00")
    assert as_alice.post(URL, {"file": binary}).status_code == 422


@pytest.mark.parametrize("format", ["yaml", "json"])
def test_a_download_is_the_document(format: str, club: Draft, as_alice: Client) -> None:
    answer = as_alice.get(f"{URL}design.{format}")
    assert answer.content.decode() == dump(design_of(club), format)
    assert f'filename="design.{format}"' in answer.headers["Content-Disposition"]
    assert as_alice.get(f"{URL}design.xml").status_code == 404
