"""Pages of threads: how many threads and comments one shows, and that each is on the page to which a link leads."""

import re
from urllib.parse import urldefrag

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from projects import guests, links, threads
from projects.models import Comment, Draft, GuestThread, Thread
from tests.web.conftest import thread_on
from tests.web.forms import HTMX

URL = "/d/club4alice/"
REVIEWS = f"{URL}reviews/"
PANEL = f"{URL}threads/design/"


def fill(draft: Draft, author: User | None, comments: list[int], guest: str = "") -> list[Thread]:
    """Threads on the design with so many comments each."""
    first = thread_on(draft)
    fields = {"draft": draft, "on": first.on, "label": first.label, "revision": first.revision}
    more = Thread.objects.bulk_create([Thread(**fields) for _ in comments[1:]])
    every = [first, *more]
    Comment.objects.bulk_create(
        Comment(
            thread=thread,
            body=f"Said {at}",
            author=author,
            guest_name=guest,
            sent_at=timezone.now(),
        )
        for thread, count in zip(every, comments, strict=True)
        for at in range(count)
    )
    return every


def drawn(page: str, what: str = "comment") -> list[int]:
    return [int(number) for number in re.findall(rf'id="{what}-(\d+)"', page)]


def get(client: Client, url: str, **headers: str) -> str:
    answer = client.get(urldefrag(url).url.replace("&amp;", "&"), follow=True, headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def following(client: Client, url: str) -> list[str]:
    """A page and those to which "Next" leads, one after another."""
    found = [get(client, url)]
    while onward := re.search(r'<a href="([^"]*)"[^>]*>Next</a>', found[-1]):
        found.append(get(client, onward[1]))
    return found


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three threads a page, and four comments of a thread at once."""
    monkeypatch.setattr(threads, "ON_A_PAGE", 3)
    monkeypatch.setattr(threads, "IN_A_THREAD", 4)


@pytest.mark.parametrize("url", [REVIEWS, PANEL])
def test_a_page_shows_25_threads_and_20_comments_of_each(
    url: str, club: Draft, alice: User, as_alice: Client
) -> None:
    every = fill(club, alice, [31, 20, *[1] * 25])
    page = get(as_alice, url)
    assert drawn(page, "thread") == [each.pk for each in every[:25]]
    assert len(drawn(page)) == 20 + 20 + 23
    assert page.count("Show 11 earlier comments") == 1
    assert page.count("earlier comment") == 1


@pytest.mark.parametrize("url", [REVIEWS, PANEL])
def test_next_leads_to_every_thread_once_without_script(
    few: None, url: str, club: Draft, alice: User, as_alice: Client
) -> None:
    every = fill(club, alice, [1] * 8)
    found = following(as_alice, url)
    assert [len(drawn(page, "thread")) for page in found] == [3, 3, 2]
    assert [number for page in found for number in drawn(page, "thread")] == [
        each.pk for each in every
    ]


def test_what_is_open_comes_first_and_each_part_of_the_list_keeps_its_title(
    few: None, club: Draft, alice: User, as_alice: Client
) -> None:
    every = fill(club, alice, [1] * 8)
    for thread in every[:3]:
        threads.resolve(thread, alice)
    Thread.objects.filter(pk=every[3].pk).update(on="entity:e-gone", label="Gone")
    ordered = [*every[4:], every[3], *every[:3]]
    found = following(as_alice, REVIEWS)
    assert [number for page in found for number in drawn(page, "thread")] == [
        each.pk for each in ordered
    ]
    assert ["Comments on removed parts" in page for page in found] == [False, True, False]
    assert ["<summary>3 resolved" in page for page in found] == [False, True, True]
    assert '<details class="resolved" open>' in found[2]
    assert not [page for page in found if "Every thread is resolved" in page]


@pytest.mark.parametrize("at", [0, 3, 9])
def test_the_link_to_a_comment_leads_to_a_page_that_shows_it(
    few: None, at: int, club: Draft, alice: User, as_alice: Client
) -> None:
    thread = fill(club, alice, [1, 1, 1, 1, 10])[-1]
    comment = thread.comments.all()[at]
    path = threads.path_to(comment)
    page = get(as_alice, path)
    assert urldefrag(path).fragment == f"comment-{comment.pk}"
    assert comment.pk in drawn(page)
    assert drawn(page, "thread") == [thread.pk - 1, thread.pk]
    assert (f"{9 - at} more)" in page) == (at < 6)
    assert thread.pk in drawn(get(as_alice, threads.path_of(thread)), "thread")


@pytest.mark.parametrize("headers", [HTMX, {}])
def test_earlier_comments_are_shown_step_by_step(
    few: None, headers: dict[str, str], club: Draft, alice: User, as_alice: Client
) -> None:
    (thread,) = fill(club, alice, [10])
    page, steps = get(as_alice, REVIEWS), []
    while True:
        steps.append(drawn(page))
        onward = re.search(r'href="([^"]*)"[^>]*>Show \d+ earlier', page)
        if onward is None:
            break
        page = get(as_alice, onward[1], **headers)
        assert drawn(page, "thread") == [thread.pk]
        assert ("<html" in page) == (not headers)
    every = [each.pk for each in thread.comments.all()]
    assert steps == [every[6:], every[2:6], every[:2]]
    newest = re.search(r'href="([^"]*)"[^>]*>Show the newest comments \(8 more\)', page)
    assert newest is not None
    assert drawn(get(as_alice, newest[1], **headers)) == every[6:]


def test_a_thread_on_a_later_page_is_answered_and_resolved_in_its_place(
    few: None, club: Draft, alice: User, as_alice: Client
) -> None:
    thread = fill(club, alice, [1, 1, 1, 1, 6])[-1]
    deeds = f"{URL}thread/{thread.pk}"
    answer = as_alice.post(f"{deeds}/reply/", {"body": "One more"}, headers=HTMX)
    every = [each.pk for each in thread.comments.all()]
    assert drawn(answer.content.decode()) == every[-4:]
    assert "resolved by alice" in as_alice.post(f"{deeds}/resolve/", headers=HTMX).content.decode()
    without = as_alice.post(f"{deeds}/reply/", {"body": "And more"}, follow=True)
    assert thread.pk in drawn(without.content.decode(), "thread")
    assert "And more" in without.content.decode()
    refused = as_alice.post(f"{deeds}/reply/", {"body": " "})
    assert refused.status_code == 422
    assert thread.pk in drawn(refused.content.decode(), "thread")


@pytest.mark.parametrize("headers", [HTMX, {}])
def test_who_begins_a_thread_sees_it_on_the_last_page(
    few: None, headers: dict[str, str], club: Draft, alice: User, as_alice: Client
) -> None:
    fill(club, alice, [1] * 5 + [1])
    answer = as_alice.post(PANEL, {"body": "New here"}, headers=headers, follow=True)
    newest = Thread.objects.latest("pk").pk
    assert drawn(answer.content.decode(), "thread") == [newest]
    if headers:
        # Where the page is when it fetches itself anew.
        assert answer.headers["HX-Replace-Url"] == f"{PANEL}?thread={newest}"


def test_a_thread_of_guests_says_so_when_its_first_comment_is_not_shown(
    few: None, club: Draft, alice: User, as_alice: Client
) -> None:
    (thread,) = fill(club, None, [1], guest="Grace")
    for at in range(5):
        thread.comments.create(body=f"{at}", author=alice, sent_at=timezone.now())
    page = get(as_alice, REVIEWS)
    assert "Grace" not in page
    assert "started through a link" in page


def test_an_address_that_names_no_page_or_thread_leads_to_a_page(
    few: None, club: Draft, alice: User, as_alice: Client
) -> None:
    every = fill(club, alice, [1] * 5)
    for query in ("page=0", "page=x", "thread=99999999", "comment=y", "thread="):
        assert drawn(get(as_alice, f"{PANEL}?{query}"), "thread"), query
    last = drawn(get(as_alice, f"{PANEL}?page=99"), "thread")
    assert last == [each.pk for each in every[3:]]


def test_nobody_is_led_to_a_comment_that_was_not_sent(
    few: None, club: Draft, alice: User, bob: User, as_alice: Client
) -> None:
    (thread,) = fill(club, alice, [6])
    mine = thread.comments.create(body="Of bob alone", author=bob)
    page = get(as_alice, threads.path_to(mine))
    assert "Of bob alone" not in page
    assert len(drawn(page)) == 4


def test_the_readers_of_a_link_find_every_thread_and_comment(
    few: None, club: Draft, alice: User, as_charlie: Client
) -> None:
    link, token = links.make(club, alice, may_comment=True)
    every = fill(club, None, [1, 1, 1, 1, 10], guest="Grace")
    GuestThread.objects.bulk_create(GuestThread(link=link, thread=each) for each in every)
    url = f"/s/{token}/comments/"
    first, second = following(as_charlie, url)
    numbers = [each.pk for each in every]
    assert (drawn(first, "thread"), drawn(second, "thread")) == (numbers[:3], numbers[3:])
    said = [each.pk for each in every[-1].comments.all()]
    assert drawn(second)[1:] == said[6:]
    onward = re.search(r'href="([^"]*)">Show 6 earlier', second)
    assert onward is not None
    assert drawn(get(as_charlie, onward[1]))[1:] == said[2:6]
    sent = {f"thread-{numbers[-1]}-name": "Kay", f"thread-{numbers[-1]}-body": "I wonder too."}
    answer = as_charlie.post(f"{url}{numbers[-1]}/", sent, follow=True)
    assert "I wonder too." in answer.content.decode()
    refused = as_charlie.post(f"{url}{numbers[-1]}/", {})
    assert refused.status_code == 422
    assert drawn(refused.content.decode(), "thread") == numbers[3:]
    assert guests.begun(link) == numbers
