"""The first page and the gallery: no account, no empty canvas, and no rows for those who only look."""

import re
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from designer.core.design import gallery
from designer.core.planner import plan
from designer.views.landing import DEMO
from projects import revisions
from projects.models import Draft
from tests.web.conftest import design_of
from tests.web.forms import fields_of, send, send_fields


def test_a_visitor_sees_the_shop_with_a_pattern_answered(as_charlie: Client) -> None:
    page = as_charlie.get("/").content.decode()
    assert "State your access patterns, and see" in page
    assert "Served by" in page
    assert page.count('aria-current="true"') >= 2


def test_a_pattern_that_is_not_there_leads_to_one_that_is(as_charlie: Client) -> None:
    for asked in ("99", "x", "²"):
        page = as_charlie.get("/", {"pattern": asked})
        assert page.status_code == 200
        assert "/d/tea-shop/patterns/p-2/?pattern=2" in page.content.decode()
    as_charlie.post("/d/tea-shop/patterns/p-2/remove/")
    sandbox = Draft.objects.get()
    assert f"/d/{sandbox.slug}/patterns/p-1/?pattern=1" in as_charlie.get("/").content.decode()
    revisions.edit(
        sandbox, lambda design: design.model_copy(update={"patterns": ()}), "Remove them all"
    )
    page = as_charlie.get("/")
    assert page.status_code == 200
    assert "Change this access pattern" not in page.content.decode()


def test_the_way_to_change_a_pattern_follows_the_pattern_shown(as_charlie: Client) -> None:
    shown = as_charlie.get("/?pattern=3", headers={"HX-Request": "true", "HX-Target": "results"})
    button = shown.content.decode().split('<span id="change-pattern" hx-swap-oob="true"')[1]
    assert button.index("/d/tea-shop/patterns/p-3/?pattern=3") < button.index("</span>")


def test_the_tour_is_offered_until_somebody_has_passed_it(as_charlie: Client) -> None:
    assert "data-tour-start" in as_charlie.get("/").content.decode()
    as_charlie.cookies["tour"] = "passed"
    page = as_charlie.get("/").content.decode()
    assert "data-tour-start" not in page
    assert 'id="tour"' in page
    assert 'href="/#tour"' in as_charlie.get("/find/").content.decode()


def test_looking_writes_nothing(as_charlie: Client) -> None:
    for url in ("/", "/?pattern=3&view=both", "/d/tea-shop/patterns/p-2/", "/gallery/tea-shop/"):
        assert as_charlie.get(url).status_code == 200
    url = "/d/tea-shop/patterns/p-2/"
    fields = {**fields_of(as_charlie.get(url), "pattern-form"), "intent": "preview", "limit": "3"}
    assert send_fields(as_charlie, url, fields).status_code == 200
    assert not Draft.objects.exists()
    assert not Session.objects.exists()


def test_the_first_change_makes_a_copy_for_a_day(as_charlie: Client) -> None:
    answer = send(as_charlie, "/d/tea-shop/patterns/p-2/", "pattern-form", {"limit": "3"})
    sandbox = Draft.objects.get()
    assert answer.headers["HX-Push-Url"] == f"/d/{sandbox.slug}/patterns/p-2/?pattern=2"
    assert design_of(sandbox).pattern(2).limit == 3
    left = sandbox.expires_at - timezone.now()
    assert timedelta(hours=23) < left <= timedelta(hours=24)
    assert gallery.load("tea-shop").pattern(2).limit == 20
    assert "your copy" in as_charlie.get("/").content.decode()
    assert as_charlie.get("/d/tea-shop/").url == f"/d/{sandbox.slug}/"


def test_a_visitor_may_start_afresh(as_charlie: Client) -> None:
    assert "Start over" not in as_charlie.get("/").content.decode()
    send(as_charlie, "/d/tea-shop/settings/", "settings-form", {"name": "Mine"})
    assert "Start over" in as_charlie.get("/").content.decode()
    fresh = as_charlie.post("/gallery/tea-shop/copy/").url
    assert as_charlie.get("/d/tea-shop/").url == fresh
    assert design_of(Draft.objects.get(slug=fresh.split("/")[2])).name == "Tea shop"


def test_a_refused_change_makes_no_copy(as_charlie: Client) -> None:
    answer = send(as_charlie, "/d/tea-shop/patterns/p-2/", "pattern-form", {"limit": "-3"})
    assert answer.status_code == 422
    assert not Draft.objects.exists()


def test_a_sandbox_is_open_to_its_visitor_only_and_ends(as_charlie: Client) -> None:
    send(as_charlie, "/d/tea-shop/settings/", "settings-form", {"name": "Mine"})
    sandbox = Draft.objects.get()
    assert Client().get(f"/d/{sandbox.slug}/").status_code == 404
    sandbox.expires_at = timezone.now() - timedelta(minutes=1)
    sandbox.save()
    assert as_charlie.get(f"/d/{sandbox.slug}/").status_code == 404
    assert "your copy" not in as_charlie.get("/").content.decode()


def test_old_sandboxes_are_cleared_and_nothing_else(
    club: Draft, as_charlie: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    send(as_charlie, "/d/tea-shop/settings/", "settings-form", {"name": "Old"})
    send(Client(), "/d/tea-shop/settings/", "settings-form", {"name": "New"})
    Draft.objects.filter(name="Old").update(expires_at=timezone.now())
    call_command("clear_sandboxes")
    assert sorted(Draft.objects.values_list("name", flat=True)) == ["Club", "New"]
    assert capsys.readouterr().out == "Removed 1 sandbox.\n"


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_every_design_of_the_gallery_opens(slug: str, as_charlie: Client) -> None:
    answer = as_charlie.get(f"/gallery/{slug}/")
    assert answer.status_code == 200
    assert "No plan for this design" not in answer.content.decode()
    assert "Make it yours" in answer.content.decode()


def test_the_gallery_lists_them_all(as_charlie: Client) -> None:
    page = as_charlie.get("/gallery/").content.decode()
    assert all(f"/gallery/{slug}/" in page for slug in gallery.SLUGS)
    assert as_charlie.get("/gallery/ghost/").status_code == 404
    assert as_charlie.post("/gallery/ghost/copy/").status_code == 404


def test_a_copy_belongs_to_who_is_signed_in(as_alice: Client, as_charlie: Client) -> None:
    url = as_alice.post("/gallery/starter/copy/").url
    assert Draft.objects.get(slug=url.split("/")[2]).project.team.home_of.username == "alice"
    url = as_charlie.post("/gallery/starter/copy/").url
    sandbox = Draft.objects.get(slug=url.split("/")[2])
    assert sandbox.is_sandbox
    assert as_alice.get(url).status_code == 404


def test_a_copy_shows_what_was_looked_at(as_charlie: Client) -> None:
    page = "http://testserver/gallery/starter/?pattern=2&view=multi&next=%2Fevil"
    url = as_charlie.post("/gallery/starter/copy/", headers={"Referer": page}).url
    assert re.fullmatch(r"/d/[^/?]+/\?view=multi&pattern=2", url)
    url = as_charlie.post("/gallery/starter/copy/", headers={"Referer": "http://["}).url
    assert re.fullmatch(r"/d/[^/?]+/", url)


def test_the_demo_has_twelve_patterns_and_more_tables_take_more_requests() -> None:
    design = gallery.load(DEMO)
    assert len(design.patterns) == 12
    requests = {
        style: sum(operation.requests for operation in plan(design, style).operations_for(3))
        for style in ("single", "multi")
    }
    assert requests == {"single": 1, "multi": 2}
