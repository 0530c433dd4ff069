"""Large documents are read, written and compared by a child process; small ones where they are."""

import pickle
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from designer.core.design.load import dump
from designer.core.edits import change_settings
from designer.core.errors import DesignError
from designer.core.importers import tried
from designer.processes import Limits
from projects import documents, pool, reviews, revisions, work
from projects.models import Draft
from projects.shares import Share
from tests.web.conftest import CLUB, design_of

URL = "/d/club4alice/text/"
CLUB_TEXT = CLUB.read_text()
TENNIS = CLUB_TEXT.replace("name: Club", "name: Tennis")


class Child:
    """A child in this process: what it was asked to do, and what it is ended with."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.fails: Exception | None = None

    def run(self, share: Share, limits: Limits, packed: bytes, pace: pool.Pace | None) -> bytes:
        do, args = pickle.loads(packed)
        self.asked.append(do.__name__)
        if self.fails is not None:
            raise self.fails
        return pickle.dumps(do(*args))


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> Child:
    """Every document is large."""
    made = Child()
    work.forget()
    monkeypatch.setattr("django.conf.settings.POOL_PROCESSES", 1)
    monkeypatch.setattr("projects.pieces.SMALL", 0)
    monkeypatch.setattr(documents, "LARGE", 10)
    monkeypatch.setattr("projects.pool.pool", made)
    return made


def test_a_large_text_is_read_and_written_by_a_child(
    club: Draft, as_alice: Client, child: Child
) -> None:
    assert "name: Club" in as_alice.get(URL).content.decode()
    assert as_alice.get(f"{URL}design.json").status_code == 200
    assert child.asked == ["dump", "dump"]
    assert as_alice.post(URL, {"text": TENNIS}).status_code == 302
    assert design_of(club).name == "Tennis"
    assert child.asked[2:] == ["load"]


def test_a_large_file_is_read_by_a_child(club: Draft, as_alice: Client, child: Child) -> None:
    sent = {"file": SimpleUploadedFile("tennis.yaml", TENNIS.encode())}
    assert as_alice.post("/designs/upload/", sent).status_code == 302
    assert child.asked == ["load"]
    assert Draft.objects.get(name="Tennis")


def test_a_child_reads_a_schema_and_writes_its_design(
    as_alice: Client, child: Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = "CREATE TABLE seats (id int PRIMARY KEY);"
    page = as_alice.post("/import/", {"text": schema}).content.decode()
    assert "&quot;name&quot;: &quot;Seat&quot;" in page and child.asked == ["tried"]
    monkeypatch.setattr("designer.core.importers.LARGEST_DESIGN", 100)
    work.forget()
    refused = as_alice.post("/import/", {"text": schema})
    assert (refused.status_code, child.asked) == (422, ["tried", "tried"])
    assert "is larger than 1 MB" in refused.content.decode()
    assert isinstance(tried(schema.encode(), "seats.sql"), DesignError)


def test_a_small_document_is_sent_to_no_child(
    club: Draft, as_alice: Client, child: Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "LARGE", 64 * 1024)
    assert "name: Club" in as_alice.get(URL).content.decode()
    assert as_alice.post(URL, {"text": CLUB_TEXT}).status_code == 302
    assert child.asked == []


def test_what_is_wrong_in_a_large_text_is_said_with_its_line(
    club: Draft, as_alice: Client, child: Child
) -> None:
    text = CLUB_TEXT.replace("order: [at descending]", "order: [ate descending]")
    line = text.split("\n").index("    order: [ate descending]") + 1
    answer = as_alice.post(URL, {"text": text})
    assert (answer.status_code, child.asked[0]) == (422, "load")
    assert f'<a href="#line-{line}">Line {line}</a>' in answer.content.decode()


def test_a_text_that_takes_too_long_is_refused_and_stays_on_the_page(
    club: Draft, as_alice: Client, child: Child
) -> None:
    child.fails = pool.StoppedError("cpu", pool.FILE)
    answer = as_alice.post(URL, {"text": TENNIS})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "The text took more time or memory to read than one document may take." in page
    assert "name: Tennis" in page
    assert club.revisions.count() == 1


@pytest.mark.parametrize("why", [pool.BusyError(), pool.StoppedError("killed", pool.FILE)])
def test_where_no_child_is_free_nothing_typed_is_lost(
    why: Exception, club: Draft, as_alice: Client, child: Child
) -> None:
    child.fails = why
    answer = as_alice.post(URL, {"text": TENNIS})
    assert (answer.status_code, answer["Retry-After"]) == (429, "5")
    assert "name: Tennis" in answer.content.decode()
    answer = as_alice.get(URL)
    assert (answer.status_code, answer["Retry-After"]) == (429, "5")
    child.fails = None
    assert as_alice.post(URL, {"text": TENNIS}).status_code == 302


def test_a_document_is_the_same_whoever_writes_it(club: Draft, child: Child) -> None:
    design = design_of(club)
    for form in ("yaml", "json"):
        assert documents.write(design, form) == dump(design, form)
    assert documents.read(dump(design), "It") == design
    assert child.asked == ["dump", "dump", "load"]


@pytest.fixture
def changed(club: Draft, alice: User) -> Draft:
    """Alice changes the description and then the Region of the club's design, and asks for a review of both."""
    for change in (
        partial(change_settings, description="Of members."),
        partial(change_settings, region="eu-west-1"),
    ):
        revisions.edit(club, change, "Change settings", alice)
    first = club.revisions.get(number=1)
    reviews.ask(club, alice, base=first)
    return club


COMPARING = {
    "history/compare/?from=1&to=3": "difference",
    "history/": "each_in_short",
    "reviews/1/": "difference",
}
"""Pages that compare revisions, and what does it."""


@pytest.mark.parametrize(("page", "does"), COMPARING.items())
def test_large_revisions_are_compared_by_a_child(
    page: str, does: str, changed: Draft, as_alice: Client, child: Child
) -> None:
    assert "eu-west-1" in as_alice.get(f"/d/club4alice/{page}").content.decode()
    assert child.asked.count(does) == 1


@pytest.mark.parametrize(("page", "does"), COMPARING.items())
def test_small_revisions_are_compared_where_they_are(
    page: str,
    does: str,
    changed: Draft,
    as_alice: Client,
    child: Child,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(documents, "LARGE", 64 * 1024)
    assert "eu-west-1" in as_alice.get(f"/d/club4alice/{page}").content.decode()
    assert does not in child.asked


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (pool.BusyError(), ["Being compared …", "", "The site is busy. Reload the page"]),
        (
            pool.StoppedError("cpu", pool.QUICK),
            [
                "Comparing the two revisions took too long.",
                "",
                "Comparing the two revisions took too long.",
            ],
        ),
    ],
)
def test_pages_of_revisions_say_that_they_are_not_compared(
    why: Exception, said: list[str], changed: Draft, as_alice: Client, child: Child
) -> None:
    child.fails = why
    for page, words in zip(COMPARING, said, strict=True):
        answer = as_alice.get(f"/d/club4alice/{page}")
        assert answer.status_code == 200
        shown = answer.content.decode()
        assert words in shown and "The same in both." not in shown and "Nothing stated" not in shown
