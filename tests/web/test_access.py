"""One table: every address, and what each kind of visitor gets there."""

from collections.abc import Iterator, Sequence
from copy import copy, deepcopy

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from designer.core.design.load import load
from designer.views.pin_lines import pin_key
from projects import api_tokens
from projects.models import Draft, Membership, Role, ShareLink
from projects.tokens import digest
from tests.web.conftest import CLUB as CLUB_DESIGN
from tests.web.conftest import client_of

ENTITY = {"key": "e-member"}
ATTRIBUTE = {"entity": "e-member", "key": "a-member-email"}
FINDING = {"rule": "K101", "about": "patterns.1"}
FIX = {"rule": "P102", "about": "entities.Member", "name": "add-create"}
TEAM = {"slug": "team4alice"}
MEMBER = {**TEAM, "number": 4711}
PROJECT = {"slug": "project4alice"}
NO_TOKEN = 401
OK, MOVED, DENIED, NO, METHOD = 200, 302, 403, 404, 405

VISITORS = (
    "anonymous",
    "stranger",
    "viewer",
    "reviewer",
    "editor",
    "owner",
    "link reader",
    "token",
)
"""A link reader has opened a link to the design, and a token is sent by a program: neither has an account."""
WITHOUT_ACCOUNT = ("anonymous", "link reader", "token")
Statuses = dict[str, int]


def everyone(status: int) -> Statuses:
    return dict.fromkeys(VISITORS, status)


def readers(status: int) -> Statuses:
    """Of the design's team; to others it does not exist."""
    members = ("viewer", "reviewer", "editor", "owner")
    return {**everyone(NO), **dict.fromkeys(members, status)}


def commenters(status: int) -> Statuses:
    return {**readers(status), "viewer": DENIED}


def editors(status: int) -> Statuses:
    return {**commenters(status), "reviewer": DENIED}


def managers(status: int) -> Statuses:
    return {**editors(status), "editor": DENIED}


def signed_in(statuses: Statuses) -> Statuses:
    """The same, but that visitors without an account are led to sign in."""
    return {**statuses, **dict.fromkeys(WITHOUT_ACCOUNT, MOVED)}


def programs(status: int) -> Statuses:
    """A session is no token."""
    return {**everyone(NO_TOKEN), "token": status}


# name, its arguments, method, and what each visitor gets.
PIN = pin_key(load(CLUB_DESIGN.read_text()).planner.pins[0])
OF_THE_CLUB = [
    ("workspace", {}, "get", readers(OK)),
    ("news", {}, "get", readers(OK)),
    ("undo", {}, "post", editors(MOVED)),
    ("redo", {}, "post", editors(MOVED)),
    ("keep", {}, "post", editors(MOVED)),
    ("settings", {}, "get", readers(OK)),
    ("settings", {}, "post", editors(422)),
    ("figures", {}, "get", editors(OK)),
    ("figures", {}, "post", editors(422)),
    ("entity-add", {}, "get", editors(OK)),
    ("entity-add", {}, "post", editors(422)),
    ("outline", {}, "get", editors(OK)),
    ("outline", {}, "post", editors(422)),
    ("entity", ENTITY, "get", readers(OK)),
    ("entity", ENTITY, "post", editors(422)),
    ("entity-remove", ENTITY, "post", editors(422)),
    ("diagram", {}, "get", readers(OK)),
    ("thumbnail", {}, "get", readers(OK)),
    ("diagram-add", {}, "post", editors(MOVED)),
    ("diagram-arrange", {}, "post", editors(MOVED)),
    ("diagram-move", ENTITY, "post", editors(MOVED)),
    ("diagram-rename", ENTITY, "post", editors(MOVED)),
    ("attributes-add", {"entity": "e-member"}, "get", editors(OK)),
    ("attributes-add", {"entity": "e-member"}, "post", editors(422)),
    ("attribute-add", {"entity": "e-member"}, "get", editors(OK)),
    ("attribute-add", {"entity": "e-member"}, "post", editors(422)),
    ("attribute", ATTRIBUTE, "get", readers(OK)),
    ("attribute", ATTRIBUTE, "post", editors(422)),
    ("attribute-remove", ATTRIBUTE, "post", editors(422)),
    ("example", {}, "post", editors(422)),
    ("relationship-add", {}, "get", editors(OK)),
    ("relationship-add", {}, "post", editors(422)),
    ("relationships-add", {}, "get", editors(OK)),
    ("relationships-add", {}, "post", editors(422)),
    ("relationship", {"key": "r-makes"}, "get", readers(OK)),
    ("relationship", {"key": "r-makes"}, "post", editors(422)),
    ("relationship-remove", {"key": "r-makes"}, "post", editors(422)),
    ("pattern-add", {}, "get", editors(OK)),
    ("pattern-add", {}, "post", editors(422)),
    ("patterns-add", {}, "get", editors(OK)),
    ("patterns-add", {}, "post", editors(422)),
    ("pattern", {"key": "p-1"}, "get", readers(OK)),
    ("pattern", {"key": "p-1"}, "post", editors(422)),
    ("pattern-remove", {"key": "p-1"}, "post", editors(MOVED)),
    ("plan-answer", {"page": "alternatives"}, "get", readers(OK)),
    ("alternatives", {}, "get", readers(OK)),
    ("comparison", {}, "get", readers(OK)),
    ("heat", {}, "get", readers(OK)),
    ("spread", {}, "get", readers(OK)),
    ("cost", {}, "get", readers(OK)),
    ("alternative-use", {"style": "single", "name": "cheapest"}, "post", editors(NO)),
    ("why", {"style": "single", "about": "key Visit"}, "get", readers(OK)),
    ("key", {"style": "single", "entity": "e-visit"}, "get", readers(OK)),
    ("decisions", {}, "get", readers(OK)),
    ("pins", {}, "get", readers(OK)),
    ("pin-add", {}, "get", editors(OK)),
    ("pin-add", {}, "post", editors(422)),
    ("pin-this", {"style": "single", "about": "key Member"}, "get", editors(OK)),
    ("pin-this", {"style": "single", "about": "key Member"}, "post", editors(422)),
    ("pin", {"key": PIN}, "get", readers(OK)),
    ("pin", {"key": PIN}, "post", editors(422)),
    ("pin-remove", {"key": "0123456789ab"}, "post", editors(409)),
    ("rule-ignore", {"rule": "K101"}, "get", editors(OK)),
    ("rule-ignore", {"rule": "K101"}, "post", editors(422)),
    ("finding-ignore", FINDING, "get", editors(OK)),
    ("finding-ignore", FINDING, "post", editors(422)),
    ("finding-fix", FIX, "get", editors(OK)),
    ("finding-fix", FIX, "post", editors(MOVED)),
    ("finding-heed", {}, "post", editors(409)),
    ("find-in", {}, "get", readers(OK)),
    ("text", {}, "get", readers(OK)),
    ("text", {}, "post", editors(422)),
    ("text-download", {"format": "yaml"}, "get", readers(OK)),
    ("names", {}, "get", readers(OK)),
    ("names-anew", {}, "post", editors(409)),
    ("prove", {}, "get", readers(OK)),
    ("prove-start", {"style": "single"}, "post", editors(MOVED)),
    ("prove-record", {"style": "single", "number": 1}, "get", readers(NO)),
    ("exports", {}, "get", readers(OK)),
    ("export", {"exporter": "terraform", "style": "single"}, "get", readers(OK)),
    ("migration", {}, "get", readers(OK)),
    # Nothing is called otherwise than it is deployed, so nothing is kept.
    ("migration-names", {}, "post", editors(302)),
    ("migration-text", {}, "get", readers(OK)),
    ("migration-template", {"step": 0, "exporter": "terraform"}, "get", readers(OK)),
    ("reviews", {}, "get", readers(OK)),
    ("reviews", {}, "post", commenters(MOVED)),
    ("review-rules", {}, "get", readers(OK)),
    ("review-rules", {}, "post", managers(422)),
    ("review", {"number": 1}, "get", readers(NO)),
    ("review-submit", {"number": 1}, "post", commenters(NO)),
    ("review-move", {"number": 1}, "post", commenters(NO)),
    ("review-close", {"number": 1}, "post", commenters(NO)),
    ("threads", {"on": "entity:e-visit"}, "get", readers(OK)),
    ("threads", {"on": "entity:e-visit"}, "post", commenters(422)),
    ("thread", {"number": 1}, "get", readers(NO)),
    ("thread-reply", {"number": 1}, "post", commenters(NO)),
    ("thread-resolve", {"number": 1}, "post", commenters(NO)),
    ("thread-reopen", {"number": 1}, "post", commenters(NO)),
    ("comment-preview", {}, "post", commenters(OK)),
    ("comment-discard", {"number": 1}, "post", commenters(NO)),
    ("history", {}, "get", readers(OK)),
    ("restore", {"number": 1}, "post", editors(MOVED)),
    ("difference", {}, "get", readers(OK)),
    ("revision", {"number": 1}, "get", readers(OK)),
    ("revision-name", {"number": 1}, "post", editors(422)),
    ("revision-text", {"number": 1, "format": "yaml"}, "get", readers(OK)),
    ("revision-diagram", {"number": 1}, "get", readers(OK)),
    ("revision-exports", {"number": 1}, "get", readers(OK)),
    (
        "revision-export",
        {"number": 1, "exporter": "terraform", "style": "single"},
        "get",
        readers(OK),
    ),
    ("sharing", {}, "get", readers(OK)),
    ("link-add", {}, "post", editors(422)),
    ("link-renew", {"number": 999_999}, "post", editors(NO)),
    ("link-revoke", {"number": 999_999}, "post", editors(NO)),
    ("token-add", {}, "post", editors(422)),
    ("token-revoke", {"number": 999_999}, "post", editors(NO)),
    ("design-duplicate", {}, "post", readers(MOVED)),
    ("design-remove", {}, "post", managers(MOVED)),
    ("design-move", {}, "post", editors(NO)),
    ("team", TEAM, "get", signed_in(readers(OK))),
    ("team", TEAM, "post", signed_in(managers(422))),
    ("team-remove", TEAM, "post", signed_in(managers(MOVED))),
    ("team-leave", TEAM, "post", signed_in({**readers(MOVED), "owner": 409})),
    ("member-role", MEMBER, "post", signed_in(managers(NO))),
    ("member-hand-over", MEMBER, "post", signed_in(managers(NO))),
    ("member-remove", MEMBER, "post", signed_in(managers(NO))),
    ("invite", TEAM, "post", signed_in(managers(422))),
    ("invite-by-link", TEAM, "post", signed_in(managers(422))),
    ("invitation-withdraw", MEMBER, "post", signed_in(managers(NO))),
    ("project-new", TEAM, "post", signed_in(editors(422))),
    ("project", PROJECT, "get", signed_in(readers(OK))),
    ("project", PROJECT, "post", signed_in(managers(422))),
    ("project-archive", PROJECT, "post", signed_in(managers(MOVED))),
    ("project-restore", PROJECT, "post", signed_in(managers(MOVED))),
    ("project-remove", PROJECT, "post", signed_in(managers(MOVED))),
    ("activity", PROJECT, "get", signed_in(readers(OK))),
    ("feed-begin", PROJECT, "post", signed_in(readers(OK))),
    ("feed-end", PROJECT, "post", signed_in(readers(MOVED))),
]
LINK = {"token": "a-link-that-everybody-was-sent"}
OVER = {"token": "a-link-that-was-revoked"}
PAGES_OF_A_LINK = (
    ("shared-workspace", {}),
    ("shared-news", {}),
    ("shared-diagram", {}),
    ("shared-findings", {}),
    ("shared-comparison", {}),
    ("shared-exports", {}),
    ("shared-export", {"exporter": "terraform", "style": "single"}),
)
OF_A_LINK = [
    *((name, {**LINK, **given}, "get", everyone(OK)) for name, given in PAGES_OF_A_LINK),
    *((name, {**OVER, **given}, "get", everyone(NO)) for name, given in PAGES_OF_A_LINK),
    ("shared-comments", LINK, "get", everyone(NO)),  # its readers don't comment
    ("shared-answer", {**LINK, "number": 1}, "post", everyone(NO)),
    ("shared-unlock", LINK, "post", everyone(NO)),
    ("shared-unlock", OVER, "post", everyone(NO)),
    ("shared-nothing", {**LINK, "rest": "x"}, "get", everyone(NO)),
]
CLUB = {"slug": "club4alice"}
DRAFT = {**CLUB, "at": "draft"}
OF_PROGRAMS = [
    ("api-designs", {}, "get", programs(OK)),
    ("api-design", CLUB, "get", programs(OK)),
    ("api-revision", DRAFT, "get", programs(OK)),
    ("api-document", DRAFT, "get", programs(OK)),
    ("api-plan", {**DRAFT, "style": "single"}, "get", programs(OK)),
    ("api-findings", {**DRAFT, "style": "single"}, "get", programs(OK)),
    (
        "api-template",
        {**DRAFT, "exporter": "terraform", "style": "single"},
        "get",
        programs(OK),
    ),
    ("api-nothing", {"rest": "x"}, "get", programs(NO)),
]
OF_EVERYONE = [
    ("landing", {}, "get", everyone(OK)),
    ("import", {}, "get", everyone(OK)),
    ("import", {}, "post", everyone(422)),
    ("import-make", {}, "post", everyone(422)),
    ("gallery", {}, "get", everyone(OK)),
    ("topics", {}, "get", everyone(OK)),
    ("topic", {"rule": "K101"}, "get", everyone(OK)),
    ("gallery-design", {"slug": "starter"}, "get", everyone(OK)),
    ("gallery-copy", {"slug": "starter"}, "post", everyone(MOVED)),
    ("sign-up", {}, "get", everyone(OK)),
    ("sign-in", {}, "get", everyone(OK)),
    ("sign-out", {}, "post", everyone(MOVED)),
    ("feed", {"token": "guessed"}, "get", everyone(NO)),
    ("notices", {}, "get", signed_in(everyone(OK))),
    ("notices", {}, "post", signed_in(everyone(422))),
    ("designs", {}, "get", everyone(OK)),
    ("waiting-seen", {}, "post", everyone(MOVED)),
    ("find", {}, "get", everyone(OK)),
    ("design-new", {}, "post", everyone(422)),
    ("design-upload", {}, "post", everyone(422)),
    ("sign-up-finish", {"token": "made-up"}, "get", everyone(NO)),
    ("password-forgotten", {}, "get", everyone(OK)),
    ("password-new", {"uidb64": "MQ", "token": "made-up"}, "get", everyone(NO)),
    ("profile", {}, "get", signed_in(everyone(OK))),
    ("profile", {}, "post", signed_in(everyone(422))),
    ("address", {}, "post", signed_in(everyone(422))),
    ("address-confirm", {"token": "made-up"}, "get", signed_in(everyone(NO))),
    ("password", {}, "post", signed_in(everyone(422))),
    ("single-sign-on", {}, "get", everyone(NO)),
    ("single-sign-on-back", {}, "get", everyone(NO)),
    ("sessions-end", {}, "post", everyone(MOVED)),
    ("session-end", {"number": 4711}, "post", everyone(MOVED)),
    ("account-remove", {}, "get", signed_in(everyone(OK))),
    ("account-data", {}, "get", signed_in(everyone(OK))),
    ("team-new", {}, "post", everyone(MOVED)),
    ("invitation", {"token": "guessed"}, "get", everyone(NO)),
    ("join", {}, "get", everyone(NO)),
    ("join-accept", {}, "post", signed_in(everyone(NO))),
]
Row = tuple[str, dict[str, object], str, Statuses]
ROWS: dict[str, list[Row]] = {
    "the club": [(name, {**CLUB, **given}, *rest) for name, given, *rest in OF_THE_CLUB],
    "a link": OF_A_LINK,
    "programs": OF_PROGRAMS,
    "everyone": OF_EVERYONE,
}
GROUPS = {
    f"{method} of {group}": found
    for group, rows in ROWS.items()
    for method in ("get", "post")
    if (found := [row for row in rows if row[2] == method])
}
"""Rows that one test goes through, with the same visitors: each answer is taken back."""


@pytest.fixture
def visitors(
    club: Draft, as_charlie: Client, as_bob: Client, as_alice: Client
) -> dict[str, Client]:
    """One of each kind, with what they visit with."""
    assert club.project is not None
    clients = {"anonymous": as_charlie, "stranger": as_bob, "owner": as_alice}
    for token in (LINK["token"], OVER["token"]):
        ShareLink.objects.create(draft=club, digest=digest(token))
    ShareLink.objects.filter(digest=digest(OVER["token"])).update(revoked_at=timezone.now())
    clients["link reader"] = Client()
    clients["link reader"].get(reverse("shared-workspace", kwargs=LINK))
    _, secret = api_tokens.make(club.project, club.project.team.home_of, draft=club)
    clients["token"] = Client(headers={"Authorization": f"Bearer {secret}"})
    for role in (Role.VIEWER, Role.REVIEWER, Role.EDITOR):
        member = User.objects.create(username=f"the-{role}")
        Membership.objects.create(team=club.project.team, user=member, role=role)
        clients[role] = client_of(member)
    return clients


def status(client: Client, method: str, url: str) -> int:
    """What a visitor gets there; neither the site nor the visitor keeps anything of it."""
    visitor = copy(client)
    visitor.cookies = deepcopy(client.cookies)
    with transaction.atomic():
        answer = getattr(visitor, method)(url)
        for close in answer._resource_closers:  # closing all of it would end the transaction
            close()
        transaction.set_rollback(True)
    found: int = answer.status_code
    return found


@pytest.mark.parametrize(
    "rows",
    [
        # Pages are asked for on PostgreSQL too, by `test_odd_requests.py`; who may see them is asked alike there.
        pytest.param(rows, id=name, marks=pytest.mark.pages if name.startswith("get") else ())
        for name, rows in GROUPS.items()
    ],
)
def test_each_visitor_gets_what_they_may(rows: Sequence[Row], visitors: dict[str, Client]) -> None:
    found, expected = {}, {}
    for name, given, method, statuses in rows:
        url = reverse(name, kwargs=given)
        expected[url] = statuses
        found[url] = {visitor: status(visitors[visitor], method, url) for visitor in VISITORS}
    assert found == expected


def test_what_writes_is_not_done_by_following_a_link(club: Draft, as_alice: Client) -> None:
    counted = (Draft.objects.count(), club.revisions.count())
    for name, given, *_ in (row for rows in ROWS.values() for row in rows if row[2] == "post"):
        url = reverse(name, kwargs=given)
        answer = as_alice.get(url)
        assert answer.status_code in (OK, METHOD), url
        assert (Draft.objects.count(), club.revisions.count()) == counted, url


def test_a_number_that_no_database_counts_is_not_there(visitors: dict[str, Client]) -> None:
    numbered = [
        row
        for rows in ROWS.values()
        for row in rows
        if any(isinstance(value, int) for value in row[1].values())
    ]
    for name, given, method, _ in numbered:
        beyond = {key: 10**25 if isinstance(value, int) else value for key, value in given.items()}
        url = reverse(name, kwargs=beyond)
        assert status(visitors["owner"], method, url) in (MOVED, NO), url


@pytest.mark.parametrize("slug", ["club4alice", "nobodys"])
def test_who_is_not_signed_in_may_do_so_and_come_back(
    slug: str, club: Draft, as_charlie: Client, as_bob: Client
) -> None:
    """Letters lead to a design; whether there is one is told to nobody."""
    path = f"/d/{slug}/reviews/?after=1"
    way = "/sign-in/?next=/d/" + slug + "/reviews/%3Fafter%3D1"
    answer = as_charlie.get(path)
    assert answer.status_code == NO
    assert way in answer.content.decode()
    assert way not in as_bob.get(path).content.decode()
    assert "next=" not in as_charlie.get("/nowhere/").content.decode()


@pytest.mark.pages  # no database has this design
@pytest.mark.parametrize(("name", "given", "method"), [row[:3] for row in OF_THE_CLUB])
def test_a_design_of_the_gallery_that_was_never_saved_has_every_address(
    name: str, given: dict[str, object], method: str, as_charlie: Client
) -> None:
    url = reverse(name, kwargs={"slug": "starter", **given})
    answer = getattr(as_charlie, method)(url, query_params={"since": "0"})
    assert answer.status_code < 500


@pytest.mark.django_db
def test_a_form_without_its_token_is_refused(club: Draft) -> None:
    answer = Client(enforce_csrf_checks=True).post("/gallery/starter/copy/")
    assert answer.status_code == 403
    assert "Nothing was changed" in answer.content.decode()


def test_every_address_is_in_the_table() -> None:
    known = {name for name, *_ in (*OF_THE_CLUB, *OF_A_LINK, *OF_PROGRAMS, *OF_EVERYONE)}
    assert set(_names(get_resolver().url_patterns)) == known


def _names(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _names(pattern.url_patterns)
        else:
            assert pattern.name is not None
            yield pattern.name
