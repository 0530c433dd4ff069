"""What happens in a project: the page with its filters, and the feed with a secret in its address."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from projects import activity, events, links, naming, reviews, revisions, teams
from projects.models import (
    ApiToken,
    Draft,
    Membership,
    Project,
    ProjectEvent,
    Role,
    ShareLink,
    Thread,
)
from tests.web.conftest import client_of, thread_on
from tests.web.test_standing import join, mean, word

Colleague = Callable[..., Client]
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
        "bob commented on the design",
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
    assert "alice made 4 edits to Club, the last of them r4" in page(as_alice, project)


def test_what_becomes_of_revisions_threads_and_reviews_is_listed(
    project: Project, busy: Draft, alice: User, bob: User, as_alice: Client
) -> None:
    naming.name(busy, 2, "agreed", "As we said", bob)
    review = busy.reviews.get()
    mean(busy, "eu-west-2", alice)
    reviews.move(review, bob)
    reviews.close(review, alice)
    shown = page(as_alice, project)
    assert "bob gave the name agreed to r2 in Club" in shown
    assert "As we said" in shown
    assert f"bob moved review 1 to r{busy.position} in Club" in shown
    assert "alice closed review 1 in Club" in shown


def test_who_resolved_a_thread_and_who_reopened_it_is_listed_and_no_deed_in_vain(
    project: Project, busy: Draft, as_alice: Client, as_bob: Client
) -> None:
    thread = f"/d/{busy.slug}/thread/{Thread.objects.get().pk}"
    for client, deed in (
        (as_bob, "resolve"),
        (as_alice, "resolve"),
        (as_alice, "reopen"),
        (as_bob, "reopen"),
        (as_bob, "resolve"),
    ):
        client.post(f"{thread}/{deed}/")
    shown = page(as_alice, project, "?show=comments")
    settled = re.findall(r"(\w+ \w+) the thread on the design in Club", shown)
    assert settled == ["bob resolved", "alice reopened", "bob resolved"]
    assert "reopened" not in page(as_alice, project, "?show=edits")


def test_who_resolved_a_thread_before_that_was_kept_is_listed(
    project: Project, busy: Draft, bob: User, as_alice: Client
) -> None:
    thread_on(busy)
    Thread.objects.filter(comments__isnull=False).update(
        resolved_by=bob, resolved_at=timezone.now()
    )
    assert "bob resolved" not in page(as_alice, project)
    import_module("projects.migrations.0021_events").of_resolved_threads(apps, None)
    assert page(as_alice, project).count("bob resolved the thread on the design in Club") == 1


def test_who_archived_a_project_and_who_restored_it_is_listed(
    project: Project, club: Draft, as_alice: Client, colleague: Colleague
) -> None:
    as_cid = colleague("owner", "cid")
    for client, deed in (
        (as_alice, "restore"),
        (as_alice, "archive"),
        (as_cid, "archive"),
        (as_cid, "restore"),
    ):
        client.post(f"/projects/{project.slug}/{deed}/")
    shown = page(as_alice, project, "?show=project")
    assert re.findall(r"\w+ \w+ the project", shown) == [
        "cid restored the project",
        "alice archived the project",
    ]
    assert "archived the project" not in page(as_alice, project, "?show=comments")


def test_who_moved_a_design_is_listed_in_both_projects(
    project: Project, club: Draft, alice: User, as_alice: Client
) -> None:
    second = Project.objects.create(team=project.team, name="Second")
    for place in (second, second):
        as_alice.post(f"/designs/{club.slug}/move/", {"project": place.slug})
    revisions.edit(club, lambda d: d.model_copy(update={"name": "Society"}), "Rename", alice)
    assert moves(as_alice, project) == ["alice moved Club to Second"]
    assert moves(as_alice, second) == ["alice moved Club here from Designs"]
    shown = as_alice.get(f"/projects/{project.slug}/activity/").content.decode()
    assert '<a href="/d/club4alice/">Club</a> to Second' in shown


def test_a_move_tells_no_team_of_the_others_projects(
    project: Project, club: Draft, alice: User, bob: User, as_alice: Client, as_bob: Client
) -> None:
    theirs = teams.home(bob)
    theirs.team.memberships.create(user=alice, role=Role.EDITOR)
    as_alice.post(f"/designs/{club.slug}/move/", {"project": theirs.slug})
    assert moves(as_alice, project) == ["alice moved Club to another team"]
    assert moves(as_bob, theirs) == ["alice moved Club here from another team"]
    shown = as_alice.get(f"/projects/{project.slug}/activity/").content.decode()
    assert "/d/club4alice/" not in shown
    links = [link.get("href") for link in feed_in(as_alice, project).iter(f"{ATOM}link")]
    assert set(links[2:]) == {f"http://testserver/projects/{project.slug}/activity/"}


def test_a_move_is_listed_though_the_design_is_removed(
    project: Project, club: Draft, as_alice: Client
) -> None:
    second = Project.objects.create(team=project.team, name="Second")
    as_alice.post(f"/designs/{club.slug}/move/", {"project": second.slug})
    as_alice.post(f"/designs/{club.slug}/remove/")
    assert moves(as_alice, project) == ["alice moved Club to Second"]


def test_who_made_and_revoked_links_and_tokens_is_listed(
    project: Project, club: Draft, as_alice: Client, colleague: Colleague
) -> None:
    as_cid = colleague("editor", "cid")
    share = f"/d/{club.slug}/share/"
    link = {"shows": "live", "sections": ["tables"], "name": "Auditors", "password": "blue kettle"}
    as_cid.post(f"{share}links/add/", link)
    made = ShareLink.objects.get()
    as_cid.post(f"{share}links/{made.pk}/renew/")
    as_alice.post(f"{share}links/{made.pk}/revoke/")
    as_alice.post(f"{share}tokens/add/", {"opens": "design", "name": "Nightly"})
    as_alice.post(f"{share}tokens/{ApiToken.objects.get().pk}/revoke/")
    as_alice.post(f"{share}tokens/add/", {"opens": "project", "name": "Deploy"})
    titles = told(feed_in(as_alice, project), "title")
    assert titles[:-1] == [
        "Designs: alice created a token for the project (Deploy)",
        "Designs: alice revoked a token for Club (Nightly)",
        "Designs: alice created a token for Club (Nightly)",
        "Designs: alice revoked a link to Club (Auditors)",
        "Designs: cid changed the address of a link to Club (Auditors)",
        "Designs: cid created a link to Club (Auditors)",
    ]
    shown = page(as_cid, project, "?show=project")
    assert "created a link to Club (Auditors)" in shown and "blue kettle" not in shown


def test_a_link_to_what_belongs_to_nobody_is_made_and_not_listed(as_charlie: Client) -> None:
    link = {"shows": "live", "sections": ["tables"]}
    as_charlie.post("/d/starter/share/links/add/", link)
    made = ShareLink.objects.get()
    as_charlie.post(f"/d/starter/share/links/{made.pk}/revoke/")
    assert not ProjectEvent.objects.exists()


def test_however_often_links_are_made_it_is_known_who_archived_the_project(
    club: Draft, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "KEPT", 3)
    project = club.project
    assert project is not None
    teams.archive(project, alice)
    for number in range(5):
        links.revoke(links.make(club, alice, name=f"Link {number}")[0], alice)
    kept = project.events.order_by("pk").values_list("kind", "other")
    made, revoked = ProjectEvent.Kind.LINK_MADE, ProjectEvent.Kind.LINK_REVOKED
    links_kept = [(kind, f"Link {number}") for number in (2, 3, 4) for kind in (made, revoked)]
    assert list(kept) == [(ProjectEvent.Kind.ARCHIVED, ""), *links_kept]


def moves(client: Client, project: Project) -> list[str]:
    return re.findall(r"\w+ moved [^<]*?(?= <)", page(client, project, "?show=project"))


def test_a_link_is_called_what_it_opens(project: Project, busy: Draft, as_alice: Client) -> None:
    naming.name(busy, 2, "agreed")
    shown = as_alice.get(f"/projects/{project.slug}/activity/").content.decode()
    links = dict(re.findall(r'<a href="/d/club4alice/([^"]*)">([^<]*)</a>', shown))
    said = Thread.objects.get().comments.get(sent_at__isnull=False).pk
    assert links == {
        "": "Club",
        "r/1/": "r1",
        "r/2/": "r2",
        "r/3/": "r3",
        "reviews/1/": "review 1",
        f"threads/design/?comment={said}#comment-{said}": "the design",
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


def feed_in(client: Client, project: Project) -> ET.Element:
    return ET.fromstring(Client().get(feed_of(client, project)).content)


def told(feed: ET.Element, field: str) -> list[str | None]:
    """A field of every entry."""
    return [entry.findtext(f"{ATOM}{field}") for entry in feed.iter(f"{ATOM}entry")]


def test_a_feed_that_ended_tells_its_address_no_further(db: None) -> None:
    answer = Client().get("/feeds/guessed.atom")
    assert answer.status_code == 404
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["X-Robots-Tag"] == "noindex"


def test_a_feed_reader_needs_no_session(project: Project, busy: Draft, as_alice: Client) -> None:
    answer = Client().get(feed_of(as_alice, project))
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("application/atom+xml")
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["X-Robots-Tag"] == "noindex"
    feed = ET.fromstring(answer.content)
    assert told(feed, "title") == [
        "Club: alice created r3",
        "Club: bob requested changes to r2, in review 1",
        "Club: bob commented on the design",
        "Club: alice asked for review 1",
        "Club: alice created r2",
        "Club: alice created r1",
    ]
    ids = told(feed, "id")
    assert len(set(ids)) == len(ids)
    links = [link.get("href") for link in feed.iter(f"{ATOM}link")]
    assert "http://testserver/d/club4alice/reviews/1/" in links


def test_the_feed_tells_what_becomes_of_the_project(
    project: Project, club: Draft, as_alice: Client
) -> None:
    second = Project.objects.create(team=project.team, name="Second")
    as_alice.post(f"/designs/{club.slug}/move/", {"project": second.slug})
    as_alice.post(f"/projects/{second.slug}/archive/")
    feed = feed_in(as_alice, second)
    assert told(feed, "title") == [
        "Second: alice archived the project",
        "Second: alice moved Club here from Designs",
        "Club: alice created r1",
    ]


def test_what_is_written_stays_text_in_the_feed(
    project: Project, busy: Draft, as_alice: Client
) -> None:
    feed = feed_in(as_alice, project)
    summaries = {each.text: each.get("type") for each in feed.iter(f"{ATOM}summary")}
    assert summaries["Why so &lt;many&gt;?"] == "html"


def test_no_character_breaks_the_feed(project: Project, club: Draft, as_alice: Client) -> None:
    project.name = "De\x01signs"
    project.save()
    thread = thread_on(club, "The de\x0bsign")
    thread.comments.create(body="a\x08b\ufffec", guest_name="Gra\x1bce", sent_at=timezone.now())
    feed = feed_in(as_alice, project)
    entry = next(feed.iter(f"{ATOM}entry"))
    assert feed.findtext(f"{ATOM}title") == "Designs - Keywright"
    assert entry.findtext(f"{ATOM}title") == "Club: Grace (guest) commented on the design"
    assert entry.findtext(f"{ATOM}author/{ATOM}name") == "Grace (guest)"
    assert entry.findtext(f"{ATOM}summary") == "abc"


def test_a_guest_is_called_one(project: Project, club: Draft, as_alice: Client) -> None:
    thread = thread_on(club)
    thread.comments.create(body="Why?", guest_name="alice", sent_at=timezone.now())
    assert "alice (guest) commented on the design" in page(as_alice, project)


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
