"""Large documents are read and written by a child process; small ones where they are."""

import pickle

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from designer.core.design.load import dump
from designer.processes import Limits
from projects import documents, pool, work
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

    def run(self, share: Share, limits: Limits, packed: bytes) -> bytes:
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
    monkeypatch.setattr(work, "SMALL", 0)
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
    assert "The text took more time or memory to read than one document gets." in page
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
