"""A schema is read, shown with its report, and becomes a design only when it is asked for."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from designer.core.importers import IMPORTERS, MAX_BYTES
from projects import pool, work
from projects.models import Draft
from tests.web.conftest import design_of

SQL = """CREATE TABLE guests (id uuid PRIMARY KEY, email varchar(60) UNIQUE, <b> int);
CREATE TABLE bookings (id uuid PRIMARY KEY, guest_id uuid REFERENCES guests, price decimal(8,2));
CREATE INDEX by_price ON bookings (price);""".replace("<b>", '"<b>"')


def send(client: Client, text: str = SQL, **more: object) -> HttpResponse:
    return client.post("/import/", {"text": text, **more})


def document_in(answer: HttpResponse) -> str:
    return str(answer.context["document"])


def test_nothing_is_saved_before_it_is_asked_for(as_charlie: Client) -> None:
    answer = send(as_charlie)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "Get a guest by email" in page
    assert "A Guest has many Bookings, by guest_id." in page
    assert "<b>" not in page
    assert not Draft.objects.exists()


def test_a_refusal_speaks_of_the_text_that_was_pasted_and_of_no_file(as_charlie: Client) -> None:
    page = send(as_charlie, "SELECT 1;").content.decode()
    assert "The pasted text creates no table that can be read." in page
    assert "schema.sql creates" not in page
    file = SimpleUploadedFile("Pasted schema.sql", b"SELECT 1;")
    page = as_charlie.post("/import/", {"file": file}).content.decode()
    assert "Pasted schema.sql creates no table" in page


def test_the_usual_patterns_are_ticked_and_the_doubtful_not(as_charlie: Client) -> None:
    answer = send(as_charlie)
    doubtful = [c.pattern.name for c in answer.context["choices"] if not c.proposal.is_usual]
    assert doubtful == ["List bookings in a range of price"]
    boxes = re.findall(r'name="pattern" value="\d+"( checked)?', answer.content.decode())
    legends = re.findall(r"<legend>(.*?)</legend>", answer.content.decode())
    assert legends == ["Guest", "Booking"]
    assert boxes.count("") == 1 and len(boxes) == len(answer.context["choices"])


def test_what_is_ticked_becomes_a_sandbox_of_a_visitor(as_charlie: Client) -> None:
    document = document_in(send(as_charlie))
    answer = as_charlie.post("/import/make/", {"design": document, "pattern": ["1", "2", "x"]})
    draft = Draft.objects.get()
    assert answer.url == f"/d/{draft.slug}/"
    assert draft.is_sandbox
    assert [p.number for p in design_of(draft).patterns] == [1, 2]
    assert [e.name for e in design_of(draft).entities] == ["Guest", "Booking"]


def test_a_member_makes_it_in_a_project(club: Draft, as_alice: Client, as_bob: Client) -> None:
    assert 'value="project4alice"' in as_alice.get("/projects/project4alice/").content.decode()
    document = document_in(send(as_alice, project="project4alice"))
    into = {"design": document, "project": "project4alice"}
    assert as_bob.post("/import/make/", into).status_code == 404
    as_alice.post("/import/make/", into)
    assert Draft.objects.exclude(pk=club.pk).get().project == club.project


def test_a_file_is_read_and_gives_its_name(as_charlie: Client) -> None:
    answer = as_charlie.post("/import/", {"file": SimpleUploadedFile("my_hotel.sql", SQL.encode())})
    assert answer.context["design"].name == "My hotel"


def test_what_was_typed_stays_when_it_cannot_be_read(as_charlie: Client) -> None:
    answer = send(as_charlie, "CREATE TABLE a (x text DEFAULT 'oh", variant="mysql")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "never ends" in page and "CREATE TABLE a (x text DEFAULT" in page
    assert '<option value="mysql" selected>' in page
    assert send(as_charlie, "").status_code == 422
    made = as_charlie.post("/import/make/", {"design": "keywright: 1\nnom: x"})
    assert made.status_code == 422
    assert not Draft.objects.exists()


def test_a_file_that_is_too_large_is_refused(as_charlie: Client) -> None:
    large = SimpleUploadedFile("big.sql", b" " * (MAX_BYTES + 1))
    answer = as_charlie.post("/import/", {"file": large})
    assert answer.status_code == 422
    assert "larger than 20 MB" in answer.content.decode()
    assert "Choose the file again" in answer.content.decode()


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (pool.BusyError(), 503, "Send yours again"),
        (work.FailedError("cpu", 20), 422, "more time or memory"),
    ],
)
def test_limits_are_said(
    error: Exception, status: int, said: str, as_charlie: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(*_: object) -> None:
        raise error

    monkeypatch.setattr(work, "derive", ended)
    answer = send(as_charlie)
    assert answer.status_code == status
    assert said in answer.content.decode()
    assert "CREATE TABLE guests" in answer.content.decode()


def test_the_first_page_takes_a_schema(as_charlie: Client) -> None:
    assert 'action="/import/"' in as_charlie.get("/").content.decode()
    assert 'action="/import/"' in as_charlie.get("/designs/").content.decode()


def test_every_dialect_can_be_chosen(as_charlie: Client) -> None:
    page = as_charlie.get("/import/").content.decode()
    for slug, label in IMPORTERS["sql"].variants.items():
        assert f'<option value="{slug}">{label}</option>' in page
