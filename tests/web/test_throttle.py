"""How often one network may send something, and how much visitors may keep."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from axes.models import AccessLog
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone
from limits import RateLimitItemPerMinute
from pytest_django import DjangoAssertNumQueries

from projects import chores, links, proofs, quotas, revisions, throttle, turned_away
from projects.budget import AT_ONCE, Budget
from projects.models import Draft, Proof, Throttled
from projects.proxies import address_of
from projects.shares import SITE, Share
from projects.turned_away import FORM, is_turned_away
from tests.web.forms import HTMX, fields_of, send
from tests.web.test_standing import word

SETTINGS = "/d/shop/settings/"
STARTER = "/d/starter/settings/"


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    throttle.forget()
    quotas.forget()
    yield
    throttle.forget()
    quotas.forget()


@pytest.fixture
def three(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three are the most in a minute."""
    monkeypatch.setattr(throttle, "SENT", RateLimitItemPerMinute(3, namespace="sent"))


def preview(client: Client, name: str = "Mine", **headers: str) -> int:
    sent = {"name": name, "intent": "preview"}
    return client.post(SETTINGS, sent, headers={**HTMX, **headers}).status_code


@pytest.mark.usefixtures("three")
def test_one_network_sends_so_much_and_no_more(as_charlie: Client) -> None:
    for _ in range(3):
        assert as_charlie.post(SETTINGS, {"intent": "preview"}).status_code != 429
    refused = Client().post(
        SETTINGS, {"name": "What I typed", "was-name": "Before", "password1": "S3cr3t-w0rd"}
    )
    assert refused.status_code == 429
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    shown = refused.content.decode()
    assert "Too many changes came from your network. Try again in" in shown
    assert "What I typed" in shown and "S3cr3t-w0rd" not in shown and "Before" not in shown
    said = as_charlie.post(SETTINGS, {"name": "x"}, headers=HTMX)
    assert said.status_code == 429
    assert said.headers["Content-Type"].startswith("text/plain")
    assert said.content.decode().startswith("Too many changes came from your network.")
    assert as_charlie.get("/d/shop/").status_code == 200  # reading goes on
    elsewhere = Client(REMOTE_ADDR="203.0.113.7")
    assert elsewhere.post(SETTINGS, {"intent": "preview"}).status_code != 429


@pytest.mark.usefixtures("three")
def test_a_network_of_ipv6_is_one_however_many_addresses_it_has(db: None) -> None:
    for number in range(3):
        client = Client(REMOTE_ADDR=f"2001:db8:1:2::{number}")
        assert client.post(SETTINGS, {"intent": "preview"}).status_code != 429
    neighbour = Client(REMOTE_ADDR="2001:db8:1:2:ffff::1")
    assert neighbour.post(SETTINGS, {"intent": "preview"}).status_code == 429
    assert (
        Client(REMOTE_ADDR="2001:db8:1:3::1").post(SETTINGS, {"intent": "preview"}).status_code
        != 429
    )


@pytest.mark.usefixtures("three")
def test_an_ipv4_address_that_is_written_as_ipv6_is_one_of_its_own(db: None) -> None:
    def status(address: str) -> int:
        return Client(REMOTE_ADDR=address).post(SETTINGS, {"intent": "preview"}).status_code

    for _ in range(3):
        status("203.0.113.7")
    assert status("::ffff:203.0.113.7") == 429
    assert status("::ffff:203.0.113.8") != 429


@pytest.mark.usefixtures("three", "club")
def test_who_is_signed_in_edits_as_they_like(as_alice: Client) -> None:
    for _ in range(5):
        assert as_alice.post("/d/club4alice/settings/", {"intent": "preview"}).status_code != 429


@pytest.mark.usefixtures("three")
def test_a_flood_is_refused_without_writing(as_charlie: Client) -> None:
    for _ in range(4):
        as_charlie.post(SETTINGS, {"intent": "preview"})
    Throttled.objects.update(count=7)
    as_charlie.post(SETTINGS, {"intent": "preview"})
    assert Throttled.objects.get().count == 7
    throttle.forget()  # another process asks the database
    assert as_charlie.post(SETTINGS, {"intent": "preview"}).status_code == 429
    Throttled.objects.update(ends_at=timezone.now())
    throttle.forget()
    assert as_charlie.post(SETTINGS, {"intent": "preview"}).status_code != 429


def test_passwords_of_many_names_are_tried_from_one_network(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = RateLimitItemPerMinute(4, 10, namespace="sign-in")
    monkeypatch.setitem(throttle.BY_VIEW, "sign-in", few)
    answers = [
        Client().post("/sign-in/", {"username": f"u{at}", "password": "x"}).status_code
        for at in range(5)
    ]
    assert answers == [200, 200, 200, 200, 429] or answers[-1] == 429
    assert 429 not in answers[:4]


@pytest.mark.parametrize(
    ("view", "sent"),
    [
        ("sign-up", {"username": "dora", "password1": "123", "password2": "124"}),
        ("password-forgotten", {"email": "dora@example.com"}),
    ],
)
def test_accounts_and_letters_are_asked_for_from_one_network(
    view: str, sent: dict[str, str], db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = RateLimitItemPerMinute(2, namespace="sign-up")
    assert throttle.BY_VIEW[view] is throttle.SIGN_UPS
    monkeypatch.setitem(throttle.BY_VIEW, view, few)

    def status(address: str) -> int:
        return Client(REMOTE_ADDR=address).post(reverse(view), sent).status_code

    assert [status("198.51.100.7") == 429 for _ in range(4)] == [False, False, True, True]
    assert status("203.0.113.9") != 429


def test_right_passwords_are_not_counted(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    few = RateLimitItemPerMinute(2, 10, namespace="sign-in")
    monkeypatch.setitem(throttle.BY_VIEW, "sign-in", few)
    monkeypatch.setattr(throttle, "SIGN_INS", few)
    for at in range(5):
        User.objects.create_user(f"pupil{at}", password="blue kettle")
        right = {"username": f"pupil{at}", "password": "blue kettle"}
        assert Client().post("/sign-in/", right).status_code == 302
    wrong = {"username": "pupil1", "password": "red kettle"}
    assert [Client().post("/sign-in/", wrong).status_code == 429 for _ in range(3)] == [
        False,
        False,
        True,
    ]


def test_who_signs_in_pays_for_it_and_not_their_network(
    db: None, spent: Budget, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = User.objects.create_user("ana", password="blue kettle")
    sent = {"username": "ana", "password": "blue kettle"}
    assert Client().post("/sign-in/", sent).status_code == 302
    assert set(spent._left) == {f"person:{ana.pk}"}


def test_wrong_passwords_of_a_link_lock_out_who_tried_them_alone(
    club: Draft, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, token = links.make(club, alice, password="blue kettle")
    url = f"/s/{token}/password/"
    guesser, reader = Client(REMOTE_ADDR="203.0.113.7"), Client(REMOTE_ADDR="203.0.113.8")
    for _ in range(links.TRIES.amount):
        assert guesser.post(url, {"password": "red kettle"}).status_code == 422
    assert guesser.post(url, {"password": "blue kettle"}).status_code == 429
    assert reader.post(url, {"password": "blue kettle"}).status_code == 302


# What visitors keep -------------------------------------------------------------------------------


def make_own(client: Client, slug: str = "shop", name: str = "Mine") -> int:
    answer = client.post(f"/d/{slug}/settings/", {"name": name}, headers=HTMX)
    return answer.status_code


def test_a_visitor_has_so_many_designs_and_no_more(as_charlie: Client, settings: object) -> None:
    settings.SANDBOXES = 2  # type: ignore[attr-defined]
    for slug in ("shop", "starter"):
        send(as_charlie, f"/d/{slug}/settings/", "settings-form", {"name": "Mine"})
    refused = as_charlie.post("/d/sessions/settings/", {"name": "The third"})
    assert refused.status_code == 429
    shown = refused.content.decode()
    assert "You have 2 designs here without an account" in shown and "The third" in shown
    assert Draft.objects.count() == 2
    send(as_charlie, "/d/shop/settings/", "settings-form", {"name": "Still mine"})


def test_all_visitors_together_have_so_much_room(as_charlie: Client, settings: object) -> None:
    send(as_charlie, SETTINGS, "settings-form", {"name": "Mine"})
    assert Draft.objects.get().bytes > 1000
    settings.ALL_SANDBOXES_MB = 0  # type: ignore[attr-defined]
    quotas.taken.cache_clear()
    refused = Client().post(SETTINGS, {"name": "Other"})
    assert refused.status_code == 429 and refused.headers["Retry-After"] == "3600"
    assert "use all the space that this site has for them" in refused.content.decode()


def test_designs_do_not_grow_where_visitors_have_no_more_room(
    as_charlie: Client, settings: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        send(as_charlie, STARTER, "settings-form", {"name": f"Mine {number}"})
    settings.ALL_SANDBOXES_MB = 0  # type: ignore[attr-defined]
    monkeypatch.setattr(quotas, "TIGHT", 1000)
    draft = Draft.objects.get()
    quotas.taken.cache_clear()
    send(as_charlie, STARTER, "settings-form", {"name": "It goes on"})
    assert [each.number for each in draft.revisions.all()] == [1, 7]
    form = fields_of(as_charlie.get(STARTER), "settings-form")
    larger = {**form, "description": "words " * 600}
    refused = as_charlie.post(STARTER, larger)
    assert refused.status_code == 429
    shown = refused.content.decode()
    assert "much larger than it was at first" in shown.replace("&#x27;", "'") and "words" in shown
    draft.refresh_from_db()
    assert (draft.position, draft.name) == (7, "It goes on")


def test_one_network_makes_so_many_in_an_hour(
    as_charlie: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = RateLimitItemPerMinute(1, namespace="sandbox")
    monkeypatch.setattr(quotas, "MADE", few)
    send(as_charlie, SETTINGS, "settings-form", {"name": "Mine"})
    assert "Too many copies of designs" in Client().post(SETTINGS, {"name": "x"}).content.decode()


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/gallery/starter/copy/", {}),
        ("/designs/new/", {"name": "Mine"}),
        (SETTINGS, {"name": "Mine"}),
        ("/d/shop/share/links/add/", {"sections": ["tables"]}),
    ],
)
def test_a_copy_that_is_refused_leaves_no_session(
    path: str, fields: dict[str, object], db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "MADE", RateLimitItemPerMinute(1, namespace="sandbox"))
    assert Client().post("/designs/new/", {"name": "Mine"}).status_code == 302
    assert Session.objects.count() == 1
    visitor = Client()
    for _ in range(3):
        assert visitor.post(path, fields).status_code == 429
        assert Client().post(path, fields).status_code == 429
    assert Session.objects.count() == 1 and not visitor.cookies.get("sessionid")


def test_an_edit_that_is_wrong_leaves_no_session(db: None) -> None:
    assert Client().post(SETTINGS, {"name": ""}).status_code == 422
    assert Client().post("/d/shop/text/", {"text": "x"}).status_code == 422
    assert not Session.objects.exists()


def test_a_sandbox_forgets_its_oldest_revisions(
    as_charlie: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(as_charlie, SETTINGS, "settings-form", {"name": "Mine"})
    draft = Draft.objects.get()
    kept = draft.revisions.get(number=2)
    links.make(draft, None, revision=kept)
    proofs.start(draft, "single")
    waiting = Proof.objects.get().revision
    monkeypatch.setattr(quotas, "MOST_REVISIONS", 8)
    for number in range(8):
        send(as_charlie, SETTINGS, "settings-form", {"name": f"Mine {number}"})
    draft.refresh_from_db()
    numbers = set(draft.revisions.values_list("number", flat=True))
    assert len(numbers) <= 8
    assert {1, 2, waiting, draft.position} <= numbers
    assert draft.bytes == sum(draft.revisions.values_list("bytes", flat=True))
    for path in ("", "history/", "changes/", "migration/"):
        assert as_charlie.get(f"/d/shop/{path}", follow=True).status_code in (200, 404), path
    while (answer := as_charlie.post("/d/shop/undo/", headers=HTMX)).status_code == 200:
        draft.refresh_from_db()
        if draft.position > 40:
            break
    assert answer.status_code in (200, 204, 409)


def test_a_design_of_a_team_forgets_nothing(
    club: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "MOST_REVISIONS", 2)
    for number in range(4):
        send(as_alice, "/d/club4alice/settings/", "settings-form", {"name": f"Club {number}"})
    assert club.revisions.count() == 5


def test_what_is_over_is_removed_by_the_worker(as_charlie: Client, alice: User) -> None:
    send(as_charlie, SETTINGS, "settings-form", {"name": "Old"})
    long_ago = timezone.now() - timedelta(days=40)
    Draft.objects.update(expires_at=timezone.now())
    Throttled.objects.update(ends_at=timezone.now())
    for at in (long_ago, timezone.now()):
        row = AccessLog.objects.create(username="alice", ip_address="203.0.113.7")
        AccessLog.objects.filter(pk=row.pk).update(attempt_time=at)
    chores.run()
    assert not Draft.objects.exists()
    assert not Throttled.objects.exists()
    assert AccessLog.objects.count() == 1


# Addresses in letters -----------------------------------------------------------------------------


def test_links_lead_to_where_the_site_says_that_it_is(settings: object) -> None:
    ask = RequestFactory().get("/x/", SERVER_PORT="8000", headers={"Host": "localhost:6666"})
    assert address_of(ask, "/join/") == "http://localhost:8000/join/"
    right = RequestFactory().get("/x/", SERVER_PORT="8000", headers={"Host": "localhost:8000"})
    assert address_of(right) == "http://localhost:8000/"
    settings.HTTPS = True  # type: ignore[attr-defined]
    assert address_of(ask, "/join/") == "http://localhost/join/"
    settings.SITE_URL = "https://keywright.example.com"  # type: ignore[attr-defined]
    assert address_of(ask, "/join/") == "https://keywright.example.com/join/"


def test_the_first_revision_is_counted(club: Draft) -> None:
    assert club.bytes == revisions.current(club).bytes > 500


def test_letters_of_all_alphabets_are_counted_as_they_are_kept(club: Draft, alice: User) -> None:
    word(club, "日本語 " * 300, alice)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT length(CAST(document AS text)) FROM projects_revision WHERE id = %s",
            [revisions.current(club).pk],
        )
        (kept,) = cursor.fetchone()
    assert revisions.current(club).bytes >= kept > 1000


# Processors ---------------------------------------------------------------------------------------


def test_a_share_takes_what_it_has_and_gets_it_back_with_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr("projects.budget.time.monotonic", lambda: now)
    visitor = Share("visitor:1", is_member=False)
    member = Share("person:1", is_member=True)
    mine = Budget(comes_back=0.25)
    assert mine.left(visitor) == AT_ONCE and mine.left(member) == 4 * AT_ONCE
    mine.take(visitor, AT_ONCE + 1)
    assert mine.left(visitor) == -1 and mine.left(member) == 4 * AT_ONCE
    assert mine.wait(visitor) == 4
    now += 8
    assert mine.left(visitor) == 1
    mine.take(visitor, 1000)
    assert mine.wait(visitor) <= 40  # nobody is out for long
    now += 10_000
    assert mine.left(visitor) == AT_ONCE


@pytest.mark.parametrize("others", [0, 1, 3])
def test_a_visitor_pays_once_whoever_else_is_there(
    as_charlie: Client, monkeypatch: pytest.MonkeyPatch, others: int
) -> None:
    """One person at work is no crowd."""
    took: list[tuple[str, float]] = []
    clock = iter(range(100))
    monkeypatch.setattr("projects.throttle.time.thread_time", lambda: float(next(clock)))
    monkeypatch.setattr(
        throttle.budget, "take", lambda share, seconds: took.append((share.key, seconds))
    )
    with ExitStack() as beside:
        for at in range(others):
            other = Share(f"person:{at}", is_member=True)
            beside.enter_context(throttle.answering.entered(other, 1))
        assert as_charlie.get("/gallery/").status_code == 200
    ((share, seconds),) = took
    assert share.startswith("visitor:") and seconds == 1


@pytest.mark.parametrize(("price", "rests"), [(1, []), (4, [pytest.approx(0.3)])])
def test_a_request_of_a_crowd_pays_more_and_keeps_its_place_a_while(
    as_charlie: Client, monkeypatch: pytest.MonkeyPatch, price: int, rests: list[float]
) -> None:
    clock, slept = iter(range(100)), []
    other = Share("person:1", is_member=True)

    def sleep(seconds: float) -> None:
        assert throttle.answering._inside.total() == 1
        assert not throttle.answering.has_others(other), "it holds up nobody else"
        slept.append(seconds)

    monkeypatch.setattr("projects.throttle.time.thread_time", lambda: next(clock) / 10)
    monkeypatch.setattr("projects.gate.time.sleep", sleep)
    monkeypatch.setattr(throttle, "price", lambda share: price)
    took: list[float] = []
    monkeypatch.setattr(throttle.budget, "take", lambda share, seconds: took.append(seconds))
    assert as_charlie.get("/gallery/").status_code == 200
    assert took == [pytest.approx(0.1 * price)]
    assert slept == rests
    assert not throttle.answering._inside and not throttle.answering._resting


def test_a_member_pays_once_beside_others(
    as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    took: list[float] = []
    clock = iter(range(100))
    monkeypatch.setattr("projects.throttle.time.thread_time", lambda: float(next(clock)))
    monkeypatch.setattr(throttle.budget, "take", lambda share, seconds: took.append(seconds))
    with throttle.answering.entered(Share("visitor:1", is_member=False), 1):
        assert as_alice.get("/gallery/").status_code == 200
    assert took == [1.0]


def test_who_took_too_much_waits_while_others_go_on(
    as_charlie: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent = Budget(comes_back=0.25)
    monkeypatch.setattr(throttle, "budget", spent)
    assert as_charlie.get("/gallery/").status_code == 200
    here = next(iter(spent._left))
    spent.take(Share(here, is_member=False), 2 * AT_ONCE)
    refused = as_charlie.get("/gallery/")
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 1
    page = refused.content.decode()
    assert "Too many requests from your network" in page
    assert f'http-equiv="refresh" content="{int(refused.headers["Retry-After"]) + 1}"' in page
    program = as_charlie.get("/api/v1/designs/")
    assert program.status_code == 429
    assert program.headers["Content-Type"] == "application/problem+json"
    assert Client(REMOTE_ADDR="203.0.113.7").get("/gallery/").status_code == 200


@pytest.fixture
def spent(monkeypatch: pytest.MonkeyPatch) -> Budget:
    """What shares have left, the same everywhere."""
    mine = Budget(comes_back=0.25)
    for user in (throttle, turned_away):
        monkeypatch.setattr(user, "budget", mine)
    return mine


def take(spent: Budget, client: Client, seconds: float) -> None:
    """Let the network of a client have taken so much."""
    assert client.get("/gallery/").status_code == 200
    spent.take(Share(next(iter(spent._left)), is_member=False), AT_ONCE + seconds)


def test_a_flood_is_turned_away_before_anything_is_asked_about_it(
    as_charlie: Client, spent: Budget, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    assert as_charlie.session.session_key  # one in which nobody is signed in
    take(spent, as_charlie, 1)
    with django_assert_num_queries(0):
        typed = urlencode({"name": "What I typed", "csrfmiddlewaretoken": "x1y2"})
        refused = as_charlie.post(SETTINGS, typed, FORM)
    assert refused.status_code == 429
    shown = refused.content.decode()
    assert "What I typed" in shown and "x1y2" not in shown and "http-equiv" not in shown
    spent.take(Share(next(iter(spent._left)), is_member=False), 2 * AT_ONCE)
    with django_assert_num_queries(0):
        briefly = as_charlie.post(SETTINGS, typed, FORM)
    assert "Go back" in briefly.content.decode() and "What I typed" not in briefly.content.decode()


def test_the_server_knows_from_the_headers_who_is_turned_away(
    as_charlie: Client, as_alice: Client, spent: Budget, settings: object
) -> None:
    signed_out = {"COOKIE": f"a=b; sessionid={as_charlie.session.session_key}"}
    assert not is_turned_away(signed_out, "127.0.0.1")
    take(spent, as_charlie, 1)
    assert is_turned_away(signed_out, "127.0.0.1")
    assert is_turned_away({}, "127.0.0.1")
    assert not is_turned_away({}, "203.0.113.7")
    # Nobody knows yet whose session it is, and that of a member is never turned away.
    assert not is_turned_away({"COOKIE": "sessionid=unknown"}, "127.0.0.1")
    settings.HTTPS = True
    assert is_turned_away({"X_FORWARDED_FOR": "203.0.113.7, 127.0.0.1"}, "203.0.113.9")
    assert not is_turned_away({"X_FORWARDED_FOR": "203.0.113.7"}, "127.0.0.1")


def test_a_member_is_not_turned_away_for_what_their_network_does(
    as_charlie: Client, as_alice: Client, spent: Budget
) -> None:
    take(spent, as_charlie, 1)
    assert as_charlie.get("/gallery/").status_code == 429
    assert as_alice.get("/gallery/").status_code == 200
    as_charlie.force_login(User.objects.get(username="alice"))
    assert as_charlie.get("/gallery/").status_code == 200


def test_what_the_site_works_out_for_itself_is_never_refused() -> None:
    """A worker that was long at one plan goes on with the next at once."""
    mine = Budget(comes_back=0.0)
    mine.take(SITE, 100)
    assert mine.left(SITE) > 0
