"""One table: every address, and what each kind of visitor gets there."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from projects.models import Draft

ENTITY = {"key": "e-member"}
ATTRIBUTE = {"entity": "e-member", "key": "a-member-email"}
FINDING = {"rule": "K101", "about": "patterns.1"}
FIX = {"rule": "P102", "about": "entities.Member", "name": "add-create"}
OK, MOVED, NO, METHOD = 200, 302, 404, 405

# name, its arguments, method, then what Alice, Bob and Charlie get.
OF_THE_CLUB = [
    ("workspace", {}, "get", OK, NO, NO),
    ("news", {}, "get", OK, NO, NO),
    ("undo", {}, "post", MOVED, NO, NO),
    ("redo", {}, "post", MOVED, NO, NO),
    ("keep", {}, "post", MOVED, NO, NO),
    ("settings", {}, "get", OK, NO, NO),
    ("settings", {}, "post", 422, NO, NO),
    ("entity-add", {}, "get", OK, NO, NO),
    ("entity-add", {}, "post", 422, NO, NO),
    ("entity", ENTITY, "get", OK, NO, NO),
    ("entity", ENTITY, "post", 422, NO, NO),
    ("entity-remove", ENTITY, "post", 422, NO, NO),
    ("attribute-add", {"entity": "e-member"}, "get", OK, NO, NO),
    ("attribute-add", {"entity": "e-member"}, "post", 422, NO, NO),
    ("attribute", ATTRIBUTE, "get", OK, NO, NO),
    ("attribute", ATTRIBUTE, "post", 422, NO, NO),
    ("attribute-remove", ATTRIBUTE, "post", 422, NO, NO),
    ("relationship-add", {}, "get", OK, NO, NO),
    ("relationship-add", {}, "post", 422, NO, NO),
    ("relationship", {"key": "r-makes"}, "get", OK, NO, NO),
    ("relationship", {"key": "r-makes"}, "post", 422, NO, NO),
    ("relationship-remove", {"key": "r-makes"}, "post", 422, NO, NO),
    ("pattern-add", {}, "get", OK, NO, NO),
    ("pattern-add", {}, "post", 422, NO, NO),
    ("pattern", {"key": "p-1"}, "get", OK, NO, NO),
    ("pattern", {"key": "p-1"}, "post", 422, NO, NO),
    ("pattern-remove", {"key": "p-1"}, "post", MOVED, NO, NO),
    ("alternatives", {}, "get", OK, NO, NO),
    ("comparison", {}, "get", OK, NO, NO),
    ("heat", {}, "get", OK, NO, NO),
    ("spread", {}, "get", OK, NO, NO),
    ("cost", {}, "get", OK, NO, NO),
    ("alternative-use", {"style": "single", "name": "cheapest"}, "post", NO, NO, NO),
    ("why", {"style": "single", "about": "key Visit"}, "get", OK, NO, NO),
    ("key", {"style": "single", "entity": "e-visit"}, "get", OK, NO, NO),
    ("decisions", {}, "get", OK, NO, NO),
    ("pins", {}, "get", OK, NO, NO),
    ("pin-add", {}, "get", OK, NO, NO),
    ("pin-add", {}, "post", 422, NO, NO),
    ("pin-this", {"style": "single", "about": "key Visit"}, "get", OK, NO, NO),
    ("pin-this", {"style": "single", "about": "key Visit"}, "post", 422, NO, NO),
    ("pin-remove", {"key": "0123456789ab"}, "post", 409, NO, NO),
    ("rule-ignore", {"rule": "K101"}, "get", OK, NO, NO),
    ("rule-ignore", {"rule": "K101"}, "post", 422, NO, NO),
    ("finding-ignore", FINDING, "get", OK, NO, NO),
    ("finding-ignore", FINDING, "post", 422, NO, NO),
    ("finding-fix", FIX, "get", OK, NO, NO),
    ("finding-fix", FIX, "post", MOVED, NO, NO),
    ("finding-heed", {}, "post", 409, NO, NO),
    ("text", {}, "get", OK, NO, NO),
    ("text", {}, "post", 422, NO, NO),
    ("text-download", {"format": "yaml"}, "get", OK, NO, NO),
    ("prove", {}, "get", OK, NO, NO),
    ("prove-start", {"style": "single"}, "post", MOVED, NO, NO),
    ("prove-record", {"style": "single", "number": 1}, "get", NO, NO, NO),
    ("exports", {}, "get", OK, NO, NO),
    ("export", {"exporter": "terraform", "style": "single"}, "get", OK, NO, NO),
    ("history", {}, "get", OK, NO, NO),
    ("restore", {"number": 1}, "post", MOVED, NO, NO),
    ("design-remove", {}, "post", MOVED, NO, MOVED),
]
OF_EVERYONE = [
    ("landing", {}, "get", OK, OK, OK),
    ("gallery", {}, "get", OK, OK, OK),
    ("topics", {}, "get", OK, OK, OK),
    ("topic", {"rule": "K101"}, "get", OK, OK, OK),
    ("gallery-design", {"slug": "starter"}, "get", OK, OK, OK),
    ("gallery-copy", {"slug": "starter"}, "post", MOVED, MOVED, MOVED),
    ("sign-up", {}, "get", OK, OK, OK),
    ("sign-in", {}, "get", OK, OK, OK),
    ("sign-out", {}, "post", MOVED, MOVED, MOVED),
    ("designs", {}, "get", OK, OK, OK),
    ("design-new", {}, "post", 422, 422, 422),
    ("design-upload", {}, "post", 422, 422, 422),
]
ROWS = [(name, {"slug": "club4alice", **given}, *rest) for name, given, *rest in OF_THE_CLUB]


@pytest.mark.parametrize(("name", "given", "method", "owner", "stranger", "visitor"), ROWS)
def test_only_its_owner_may_open_a_design(
    name: str,
    given: dict[str, object],
    method: str,
    owner: int,
    stranger: int,
    visitor: int,
    club: Draft,
    as_alice: Client,
    as_bob: Client,
    as_charlie: Client,
) -> None:
    url = reverse(name, kwargs=given)
    assert getattr(as_charlie, method)(url).status_code == visitor
    assert getattr(as_bob, method)(url).status_code == stranger
    assert Draft.objects.filter(pk=club.pk).exists()
    assert getattr(as_alice, method)(url).status_code == owner


@pytest.mark.parametrize(("name", "given", "method", "owner", "stranger", "visitor"), OF_EVERYONE)
def test_pages_of_everyone(
    name: str,
    given: dict[str, object],
    method: str,
    owner: int,
    stranger: int,
    visitor: int,
    as_alice: Client,
    as_bob: Client,
    as_charlie: Client,
) -> None:
    url = reverse(name, kwargs=given)
    assert getattr(as_charlie, method)(url).status_code == visitor
    assert getattr(as_bob, method)(url).status_code == stranger
    assert getattr(as_alice, method)(url).status_code == owner


@pytest.mark.parametrize(
    ("name", "given", "method"), [row[:3] for row in (*ROWS, *OF_EVERYONE) if row[2] == "post"]
)
def test_what_writes_is_not_done_by_following_a_link(
    name: str, given: dict[str, object], method: str, club: Draft, as_alice: Client
) -> None:
    before = (Draft.objects.count(), club.revisions.count())
    answer = as_alice.get(reverse(name, kwargs=given))
    assert answer.status_code in (OK, METHOD)
    assert (Draft.objects.count(), club.revisions.count()) == before


@pytest.mark.django_db
def test_a_form_without_its_token_is_refused(club: Draft) -> None:
    answer = Client(enforce_csrf_checks=True).post("/gallery/starter/copy/")
    assert answer.status_code == 403
    assert "nothing was changed" in answer.content.decode()


def test_every_address_is_in_the_table() -> None:
    known = {name for name, *_ in (*OF_THE_CLUB, *OF_EVERYONE)}
    assert set(_names(get_resolver().url_patterns)) == known


def _names(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _names(pattern.url_patterns)
        else:
            assert pattern.name is not None
            yield pattern.name
