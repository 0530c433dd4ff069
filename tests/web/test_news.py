"""What happens in a design while its pages are open: edits of others, and who is there."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from projects import presence, reviews, threads
from projects.models import Draft, Membership, Presence, Role, Thread
from projects.threads import Writer
from tests.web.conftest import design_of
from tests.web.forms import fields_of, send, send_fields
from tests.web.test_standing import word

URL = "/d/club4alice/"
PATTERN = f"{URL}patterns/p-1/"
ON_VISIT = f"{URL}threads/entity:e-visit/"
NEWS = {"HX-Request": "true", "HX-Trigger": "news"}


@pytest.fixture
def both(club: Draft, bob: User) -> Draft:
    """The club, which Bob edits too."""
    assert club.project is not None
    Membership.objects.create(team=club.project.team, user=bob, role=Role.EDITOR)
    return club


def ask(client: Client, page: str, since: int | str, who: str = "", talked: str = "") -> Any:
    """What an open page asks every few seconds."""
    asked = {"since": str(since), "who": who, "talked": talked}
    headers = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{page}"}
    return client.get(f"{URL}rev", asked, headers=headers)


def test_nothing_is_answered_while_nothing_is_new(both: Draft, as_bob: Client) -> None:
    who = ask(as_bob, URL, both.version).content.decode().partition('data-who="')[2][:12]
    answer = ask(as_bob, URL, both.version, who)
    assert (answer.status_code, answer.content) == (204, b"")


def test_a_page_hears_of_an_edit_until_it_has_fetched_itself(
    both: Draft, as_alice: Client, as_bob: Client
) -> None:
    send(as_alice, PATTERN, "pattern-form", {"limit": "6"})
    for _ in range(2):
        answer = ask(as_bob, URL, both.version)
        assert (answer.status_code, answer.content) == (200, b"")
        assert answer.headers["HX-Reswap"] == "none"
        told = json.loads(answer.headers["HX-Trigger"])
        assert "alice: Change pattern 1: At most" in told["design-changed"]["said"]
    page = as_bob.get(URL, headers={**NEWS, "HX-Target": "statement"}).content.decode()
    assert f'data-since="{both.version + 1}"' in page
    assert "alice: Change pattern 1" in page


def test_there_is_no_news_of_a_design_of_the_gallery(as_charlie: Client) -> None:
    assert as_charlie.get("/d/starter/rev").status_code == 204


def known(page: HttpResponse) -> dict[str, str]:
    """What a page says that it knows."""
    said = dict(re.findall(r'data-(since|talked|who)="(.*?)"', page.content.decode()))
    assert len(said) == 3
    return said


def told(answer: HttpResponse) -> dict[str, Any]:
    assert (answer.status_code, answer.content) == (200, b"")
    found: dict[str, Any] = json.loads(answer.headers["HX-Trigger"])["design-changed"]
    return found


def test_a_page_hears_of_a_comment_once(both: Draft, as_alice: Client, as_bob: Client) -> None:
    opened = known(as_alice.get(URL))
    as_bob.post(ON_VISIT, {"body": "Too many?"})
    for _ in range(2):
        said = told(ask(as_alice, URL, **opened))
        thread = Thread.objects.get().pk
        where = {"url": ON_VISIT, "thread": f"thread-{thread}"}
        assert said["comment"] == {"said": "bob commented on Entity Visit.", **where}
        assert said["said"] == ""
    since = {"Keywright-Since": opened["since"]}
    again = as_alice.get(URL, headers={**NEWS, "HX-Target": "statement", **since})
    assert "1 open thread on" in again.content.decode()
    assert "In another window" not in again.content.decode()
    assert 'id="status"' not in again.content.decode()
    assert ask(as_alice, URL, **known(again)).status_code == 204
    # Whoever wrote it sees it in other windows, and is told nothing.
    assert told(ask(as_bob, URL, **opened))["comment"] is None
    guest = Writer(guest_name="Gus")
    threads.reply(Thread.objects.get(), "Not at all", guest)
    said = told(ask(as_bob, URL, **known(again)))
    assert said["comment"]["said"] == "Gus (guest) commented on Entity Visit."


def test_what_is_collected_is_heard_when_it_is_sent(
    both: Draft, alice: User, as_alice: Client, as_bob: Client
) -> None:
    reviews.ask(both, alice)
    opened = known(as_alice.get(URL))
    as_bob.post(ON_VISIT, {"body": "Too many?", "how": "collect"})
    assert "HX-Trigger" not in ask(as_alice, URL, **opened).headers
    as_bob.post(f"{URL}reviews/1/submit/", {"kind": "comment", "head": "1"})
    said = told(ask(as_alice, URL, **opened))
    assert said["comment"]["said"] == "bob commented on Entity Visit."


def test_a_page_hears_that_something_was_settled(
    both: Draft, bob: User, as_alice: Client, as_bob: Client
) -> None:
    as_bob.post(ON_VISIT, {"body": "Too many?"})
    thread = f"{URL}thread/{Thread.objects.get().pk}"
    deeds = (f"{thread}/resolve/", f"{thread}/reopen/", f"{URL}reviews/", f"{URL}reviews/1/move/")
    for deed in (*deeds, f"{URL}reviews/1/close/"):
        word(both, deed, bob)  # so that there is something to move a review to
        opened = known(as_alice.get(URL))
        assert as_bob.post(deed).status_code == 302, deed
        assert told(ask(as_alice, URL, **opened))["comment"] is None, deed


def test_who_settles_a_thread_sees_at_once_how_many_are_open(both: Draft, as_bob: Client) -> None:
    as_bob.post(ON_VISIT, {"body": "Too many?"})
    url = f"{URL}thread/{Thread.objects.get().pk}/resolve/"
    answer = as_bob.post(url, headers={"HX-Request": "true"})
    assert "talked" in json.loads(answer.headers["HX-Trigger-After-Settle"])


def test_asking_for_news_costs_the_same_however_much_was_said(
    both: Draft, as_alice: Client, as_bob: Client, django_assert_num_queries: Any
) -> None:
    ask(as_alice, URL, **known(as_alice.get(URL)))
    opened = known(as_alice.get(URL))
    with CaptureQueriesContext(connection) as before:
        assert ask(as_alice, URL, **opened).status_code == 204
    cost = len(before)
    for _ in range(5):
        as_bob.post(ON_VISIT, {"body": "Too many?"})
    opened = known(as_alice.get(URL))
    with django_assert_num_queries(cost) as after:
        assert ask(as_alice, URL, **opened).status_code == 204
    assert "comment" not in str(after.captured_queries)


def test_a_page_with_what_was_refused_stays_as_it_is(both: Draft, as_alice: Client) -> None:
    refused = as_alice.post(f"{URL}text/", {"text": "keywright: 1"})
    assert refused.status_code == 422
    assert f'hx-get="{URL}rev"' not in refused.content.decode()
    assert f'hx-get="{URL}rev"' in as_alice.get(f"{URL}text/").content.decode()


def test_ones_own_edit_elsewhere_is_called_so(both: Draft, as_alice: Client) -> None:
    send(as_alice, PATTERN, "pattern-form", {"limit": "6"})
    answer = ask(as_alice, URL, both.version)
    assert "In another window: Change pattern 1" in answer.headers["HX-Trigger"]


def test_the_answer_alone_comes_with_the_header(
    both: Draft, as_alice: Client, as_bob: Client
) -> None:
    send(as_alice, PATTERN, "pattern-form", {"limit": "6"})
    page = as_bob.get(PATTERN, headers={**NEWS, "HX-Target": "results"}).content.decode()
    assert 'id="bar"' in page
    assert 'id="grids"' in page
    assert 'id="pattern-form"' not in page


def test_who_is_here_and_what_they_edit(
    both: Draft, alice: User, as_alice: Client, as_bob: Client
) -> None:
    User.objects.filter(pk=alice.pk).update(first_name="Alice", last_name="Meyer")
    places = {
        URL: "Alice Meyer is here",
        f"{URL}entities/e-visit/": "Alice Meyer is editing Visit",
        f"{URL}entities/e-visit/attributes/a-visit-at/?view=multi": "is editing Visit.at",
        f"{URL}relationships/r-makes/": "is editing makes",
        PATTERN: "is editing pattern 1",
        f"{URL}patterns/add/": "is editing a new access pattern",
        f"{URL}entities/e-gone/": "is editing an entity",
        f"{URL}text/": "is editing the text",
        f"{URL}heat/": "Alice Meyer is here",
        "/nowhere/": "Alice Meyer is here",
    }
    for page, words in places.items():
        ask(as_alice, page, both.version)
        seen = ask(as_bob, URL, both.version).content.decode()
        assert words in seen, page
        assert ">AM<" in seen
        assert "bob" not in seen
    assert "Alice Meyer is here" in as_bob.get(f"{URL}history/").content.decode()


def test_who_went_away_is_not_here_any_more(both: Draft, as_alice: Client, as_bob: Client) -> None:
    ask(as_alice, URL, both.version)
    Presence.objects.update(seen_at=timezone.now() - timedelta(seconds=31))
    assert "alice is here" not in ask(as_bob, URL, both.version).content.decode()


def test_who_stays_is_written_down_now_and_then_only(both: Draft, alice: User) -> None:
    presence.others(both, alice, "settings")
    first = Presence.objects.get().seen_at
    presence.others(both, alice, "settings")
    assert Presence.objects.get().seen_at == first
    presence.others(both, alice, "text")
    assert Presence.objects.get().seen_at > first
    Presence.objects.update(seen_at=timezone.now() - timedelta(seconds=11))
    presence.others(both, alice, "text")
    assert Presence.objects.get().seen_at > timezone.now() - timedelta(seconds=5)


def test_a_visitor_of_a_sandbox_is_written_down_nowhere(as_charlie: Client) -> None:
    send(as_charlie, "/d/starter/settings/", "settings-form", {"name": "Mine"})
    draft = Draft.objects.get()
    answer = as_charlie.get(f"/d/{draft.slug}/rev?since={draft.version}")
    assert answer.status_code == 200
    assert not Presence.objects.exists()


def test_a_reader_edits_nothing(both: Draft, as_alice: Client, as_bob: Client, bob: User) -> None:
    Membership.objects.filter(user=bob).update(role=Role.VIEWER)
    ask(as_bob, PATTERN, both.version)
    assert "bob is here" in ask(as_alice, URL, both.version).content.decode()


def test_a_page_whose_part_is_gone_shows_the_statement_instead(
    both: Draft, as_alice: Client, as_bob: Client
) -> None:
    as_alice.post(f"{URL}patterns/p-1/remove/")
    assert as_bob.get(PATTERN).status_code == 404
    answer = as_bob.get(PATTERN, headers={**NEWS, "HX-Target": "statement"})
    assert answer.status_code == 409
    assert answer.headers["HX-Push-Url"] == URL
    assert "no longer in the design" in answer.content.decode()


def test_what_was_typed_about_something_gone_is_shown(
    both: Draft, as_alice: Client, as_bob: Client
) -> None:
    long = "Whoever stands at the door reads the newest visits, and lets them in or not."
    typed = {**fields_of(as_bob.get(PATTERN), "pattern-form"), "why": long, "limit": "7"}
    as_alice.post(f"{URL}patterns/p-1/remove/")
    send(as_alice, f"{URL}settings/", "settings-form", {"name": "Tennis"})
    answer = send_fields(as_bob, PATTERN, typed)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "alice removed it in r2 (Remove pattern 1" in page
    assert f"<dt>Reason</dt><dd>{long}</dd>" in page
    assert "<dd>7 items</dd>" in page
    assert len(design_of(both).patterns) == 4


def test_undo_is_offered_on_pages_without_a_statement_as_a_plain_form(
    both: Draft, as_alice: Client
) -> None:
    undo = 'hx-post="/d/club4alice/undo/"'
    assert undo in as_alice.get(URL).content.decode()
    assert undo not in as_alice.get(f"{URL}history/").content.decode()
