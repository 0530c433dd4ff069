"""One's designs: listed, begun, uploaded, removed."""

import re

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from projects.models import Draft
from tests.web.conftest import CLUB, design_of


def test_the_list_holds_ones_own_designs_only(
    club: Draft, as_alice: Client, as_bob: Client
) -> None:
    assert "/d/club4alice/" in as_alice.get("/designs/").content.decode()
    assert "/d/club4alice/" not in as_bob.get("/designs/").content.decode()


def test_a_design_is_begun_from_nothing(as_alice: Client) -> None:
    answer = as_alice.post("/designs/new/", {"name": "Bookings 🎾 <b>"})
    draft = Draft.objects.get()
    assert answer.url == f"/d/{draft.slug}/"
    assert design_of(draft).name == "Bookings 🎾 <b>"
    assert "<b>" not in as_alice.get("/designs/").content.decode()


def test_a_visitor_without_an_account_finds_what_they_made(
    as_charlie: Client, as_bob: Client
) -> None:
    page = as_charlie.get("/designs/").content.decode()
    assert 'action="/designs/new/"' in page
    assert 'action="/designs/upload/"' in page
    url = as_charlie.post("/designs/new/", {"name": "Bookings"}).url
    page = as_charlie.get("/designs/").content.decode()
    ends = Draft.objects.get().expires_at
    assert f'<a href="{url}">Bookings</a>' in page
    assert f"kept until {ends:%-d %B, %H:%M} UTC" in page
    assert "/remove/" not in page
    assert url not in as_bob.get("/designs/").content.decode()
    for place in ("/", "/gallery/"):
        assert 'href="/designs/' in as_charlie.get(place).content.decode()


def test_a_name_that_cannot_be_is_said(as_alice: Client) -> None:
    for name in ("", "   ", "x" * 300, "a\x07b"):
        answer = as_alice.post("/designs/new/", {"name": name})
        assert answer.status_code == 422, name
    assert not Draft.objects.exists()


def test_a_file_becomes_a_design(as_alice: Client) -> None:
    answer = as_alice.post(
        "/designs/upload/", {"file": SimpleUploadedFile("club.yaml", CLUB.read_bytes())}
    )
    draft = Draft.objects.get()
    assert answer.url == f"/d/{draft.slug}/"
    assert draft.revisions.get().note == "Upload club.yaml"


def test_a_file_with_mistakes_becomes_nothing(as_alice: Client) -> None:
    text = CLUB.read_text().replace("order: [at", "order: [ate")
    answer = as_alice.post(
        "/designs/upload/", {"file": SimpleUploadedFile("c.yaml", text.encode())}
    )
    assert answer.status_code == 422
    assert "Nothing was saved." in answer.content.decode()
    line = text.split("\n").index("    order: [ate descending]") + 1
    assert f"line {line}, " in answer.content.decode()
    for content in (b"\xff\xfe", b"", b"x" * 5_000_000):
        file = SimpleUploadedFile("c.yaml", content)
        assert as_alice.post("/designs/upload/", {"file": file}).status_code == 422
    assert not Draft.objects.exists()


def test_a_design_is_removed_by_its_owner_only(
    club: Draft, as_alice: Client, as_bob: Client
) -> None:
    assert as_bob.post("/designs/club4alice/remove/").status_code == 404
    assert as_alice.post("/designs/club4alice/remove/").url == "/designs/"
    assert not Draft.objects.exists()


def names(page: str) -> list[str]:
    return re.findall(r'</a> <a href="[^"]*">(.*?)</a></div></th>', page)


def test_designs_are_searched_and_sorted(as_alice: Client) -> None:
    for name in ("Orders of March", "Bookings", "March of time"):
        as_alice.post("/designs/new/", {"name": name})
    assert names(as_alice.get("/designs/").content.decode()) == [
        "March of time",
        "Bookings",
        "Orders of March",
    ]
    by_name = as_alice.get("/designs/?sort=name").content.decode()
    assert names(by_name) == ["Bookings", "March of time", "Orders of March"]
    assert names(as_alice.get("/designs/?q=MARCH+orders").content.decode()) == ["Orders of March"]
    nothing = as_alice.get("/designs/?q=hotel&sort=%3Cb%3E").content.decode()
    assert names(nothing) == [] and "No design name contains this" in nothing
    assert 'name="q" value="hotel"' in nothing


def test_a_design_is_duplicated_beside_itself(club: Draft, as_alice: Client) -> None:
    answer = as_alice.post("/designs/club4alice/duplicate/")
    copy = Draft.objects.exclude(pk=club.pk).get()
    assert answer.url == f"/d/{copy.slug}/"
    assert copy.project == club.project and copy.name == "Club (copy)"
    assert design_of(copy).entities == design_of(club).entities
    assert copy.position == 1


def test_a_sandbox_is_duplicated_as_a_sandbox(as_charlie: Client) -> None:
    as_charlie.post("/designs/new/", {"name": "Bookings"})
    first = Draft.objects.get()
    assert as_charlie.post(f"/designs/{first.slug}/duplicate/").status_code == 302
    copy = Draft.objects.exclude(pk=first.pk).get()
    assert copy.is_sandbox and copy.name == "Bookings (copy)"


def test_each_design_is_told_by_a_thumbnail_that_is_kept(club: Draft, as_alice: Client) -> None:
    page = as_alice.get("/designs/").content.decode()
    (address,) = re.findall(r'<img src="([^"]*)"', page)
    assert address == f"/d/club4alice/thumbnail.svg?r={club.position}"
    answer = as_alice.get(address)
    assert answer["Content-Type"].startswith("image/svg+xml")
    assert answer["Cache-Control"] == "private, max-age=86400"
    again = as_alice.get(address, headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304
    assert again["Cache-Control"] == "private, max-age=86400"
    # An address of no or another revision shows the newest, which is not kept.
    for other in ("", "?r=99"):
        unnamed = as_alice.get(f"/d/club4alice/thumbnail.svg{other}")
        assert (unnamed["Cache-Control"], unnamed.content) == ("private, no-cache", answer.content)
