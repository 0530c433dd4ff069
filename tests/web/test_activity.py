"""What happens in a project: the page with its filters, and the feed with a secret in its address."""

import re
import xml.etree.ElementTree as ET
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from projects import activity, naming, reviews, threads
from projects.models import Draft, Membership, Project, Role, Thread
from tests.web.conftest import client_of, thread_on
from tests.web.test_standing import join, mean, word

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def project(club: Draft) -> Project:
    assert club.project is not None
    return club.project


@pytest.fixture
def busy(club: Draft, alice: User, bob: User) -> Draft:
    """Edits, a review, a comment that was sent and one that was not, and a verdict."""
    join(club, bob, Role.REVIEWER)
    word(club, "In other words", alice)
    review = reviews.ask(club, alice, "Please look")
    thread = thread_on(club)
    thread.comments.create(body="Why so <many>?", author=bob, sent_at=timezone.now())
    thread.comments.create(body="Not sent", author=alice)
    reviews.submit(review, bob, "changes", "Not yet.")
    mean(club, "eu-west-1", alice)
    return club


def page(client: Client, project: Project, query: str = "") -> str:
    answer = client.get(f"/projects/{project.slug}/activity/{query}")
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"</?(strong|span|a)\b[^>]*>", "", answer.content.decode()))


def test_all_that_happened_is_listed_newest_first(
    project: Project, busy: Draft, as_alice: Client
) -> None:
    shown = page(as_alice, project)
    said = [
        "Move to eu-west-1",
        "bob requested changes to r2",
        "bob commented on The design",
        "alice asked for review 1",
        "Word it",
    ]
    places = [shown.index(words) for words in said]
    assert places == sorted(places)
    assert "Why so &lt;many&gt;?" in shown
    assert "Not sent" not in shown


@pytest.mark.parametrize(
    ("kind", "there", "missing"),
    [
        ("edits", "Move to eu-west-1", "Why so"),
        ("comments", "Why so", "Not yet."),
        ("approvals", "Not yet.", "Move to eu-west-1"),
    ],
)
def test_one_kind_is_shown_alone(
    kind: str, there: str, missing: str, project: Project, busy: Draft, as_alice: Client
) -> None:
    shown = page(as_alice, project, f"?show={kind}")
    assert there in shown
    assert missing not in shown


def test_edits_made_one_after_the_other_are_one_line(
    project: Project, club: Draft, alice: User, as_alice: Client
) -> None:
    for text in ("a", "b", "c"):
        word(club, text, alice)
    assert "alice made 4 edits, the last of them r4" in page(as_alice, project)


def test_what_becomes_of_revisions_threads_and_reviews_is_listed(
    project: Project, busy: Draft, alice: User, bob: User, as_alice: Client
) -> None:
    naming.name(busy, 2, "agreed", "As we said", bob)
    threads.resolve(Thread.objects.get(), bob)
    review = busy.reviews.get()
    reviews.close(review, alice)
    shown = page(as_alice, project)
    assert "bob gave the name agreed to r2 in Club" in shown
    assert "As we said" in shown
    assert "bob resolved the thread on The design in Club" in shown
    assert "alice closed review 1 in Club" in shown
    threads.reopen(Thread.objects.get())
    assert "bob resolved" not in page(as_alice, project)


def test_a_link_is_called_what_it_opens(project: Project, busy: Draft, as_alice: Client) -> None:
    naming.name(busy, 2, "agreed")
    shown = as_alice.get(f"/projects/{project.slug}/activity/").content.decode()
    links = dict(re.findall(r'<a href="/d/club4alice/([^"]*)">([^<]*)</a>', shown))
    assert links == {
        "": "Club",
        "r/1/": "r1",
        "r/2/": "r2",
        "r/3/": "r3",
        "reviews/1/": "review 1",
        f"threads/design/#thread-{Thread.objects.get().pk}": "The design",
    }


def test_there_is_an_older_page_that_repeats_and_loses_nothing(
    project: Project, club: Draft, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        word(club, str(number), alice)
    whole = [each.id for each in activity.happened(project)]
    monkeypatch.setattr(activity, "MOST", 3)
    first = activity.happened(project)
    assert len(first) == 3
    rest = activity.happened(project, before=first[-1].at)
    again = activity.happened(project, before=rest[-1].at)
    assert [each.id for each in (*first, *rest, *again)] == whole


def test_an_address_that_says_nonsense_is_not_found(project: Project, as_alice: Client) -> None:
    for query in (
        "?show=gossip",
        "?before=yesterday",
        "?before=2026-13-45T00:00",
        "?before=2026-01-01T00:00",
    ):
        assert as_alice.get(f"/projects/{project.slug}/activity/{query}").status_code == 404


def feed_of(client: Client, project: Project) -> str:
    shown = client.post(f"/projects/{project.slug}/activity/feed/").content.decode()
    found = re.search(r'value="http://testserver(/feeds/[^"]+\.atom)"', shown)
    assert found
    return found[1]


def test_a_feed_reader_needs_no_session(project: Project, busy: Draft, as_alice: Client) -> None:
    answer = Client().get(feed_of(as_alice, project))
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("application/atom+xml")
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["X-Robots-Tag"] == "noindex"
    feed = ET.fromstring(answer.content)
    titles = [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")]
    assert titles == [
        "Club: alice made r3",
        "Club: bob requested changes to r2, in review 1",
        "Club: bob commented on The design",
        "Club: alice asked for review 1",
        "Club: alice made r2",
        "Club: alice made r1",
    ]
    ids = [entry.findtext(f"{ATOM}id") for entry in feed.iter(f"{ATOM}entry")]
    assert len(set(ids)) == len(ids)
    links = [link.get("href") for link in feed.iter(f"{ATOM}link")]
    assert "http://testserver/d/club4alice/reviews/1/" in links


def test_what_is_written_stays_text_in_the_feed(
    project: Project, busy: Draft, as_alice: Client
) -> None:
    feed = ET.fromstring(Client().get(feed_of(as_alice, project)).content)
    summaries = {each.text: each.get("type") for each in feed.iter(f"{ATOM}summary")}
    assert summaries["Why so &lt;many&gt;?"] == "html"


def test_no_character_breaks_the_feed(project: Project, club: Draft, as_alice: Client) -> None:
    project.name = "De\x01signs"
    project.save()
    thread = thread_on(club, "The\x0b\ndesign")
    thread.comments.create(body="a\x08b\ufffec", guest_name="Gra\x1bce", sent_at=timezone.now())
    feed = ET.fromstring(Client().get(feed_of(as_alice, project)).content)
    entry = next(feed.iter(f"{ATOM}entry"))
    assert feed.findtext(f"{ATOM}title") == "Designs - Keywright"
    assert entry.findtext(f"{ATOM}title") == "Club: Grace (guest) commented on The design"
    assert entry.findtext(f"{ATOM}author/{ATOM}name") == "Grace (guest)"
    assert entry.findtext(f"{ATOM}summary") == "abc"


def test_a_guest_is_called_one(project: Project, club: Draft, as_alice: Client) -> None:
    thread = thread_on(club)
    thread.comments.create(body="Why?", guest_name="alice", sent_at=timezone.now())
    assert "alice (guest) commented on The design" in page(as_alice, project)


def test_a_feed_that_has_not_changed_is_not_sent_again(
    project: Project, busy: Draft, alice: User, as_alice: Client
) -> None:
    url = feed_of(as_alice, project)
    etag = Client().get(url)["ETag"]
    assert Client().get(url, headers={"If-None-Match": etag}).status_code == 304
    word(busy, "Anew", alice)
    assert Client().get(url, headers={"If-None-Match": etag}).status_code == 200


def test_an_address_ends_with_a_new_one_when_asked_and_with_the_membership(
    project: Project, club: Draft, bob: User, as_alice: Client
) -> None:
    first = feed_of(as_alice, project)
    second = feed_of(as_alice, project)
    assert Client().get(first).status_code == 404
    assert Client().get(second).status_code == 200
    as_alice.post(f"/projects/{project.slug}/activity/feed/end/")
    assert Client().get(second).status_code == 404
    as_member = client_of(join(club, bob, Role.VIEWER))
    theirs = feed_of(as_member, project)
    assert Client().get(theirs).status_code == 200
    Membership.objects.filter(user=bob).delete()
    assert Client().get(theirs).status_code == 404


def test_the_secret_is_not_kept(project: Project, as_alice: Client) -> None:
    token = feed_of(as_alice, project).removeprefix("/feeds/").removesuffix(".atom")
    assert len(token) >= 43
    assert project.feed_keys.get().digest != token
    assert timezone.now() - project.feed_keys.get().made_at < timedelta(minutes=1)
