"""What the site knows of somebody, as one file to take along."""

import json
import re
import zipfile
from collections.abc import Iterator
from typing import IO, Any

from axes.models import AccessLog
from django.contrib.auth.models import User
from django.core.serializers.json import DjangoJSONEncoder

from designer.core.design.load import dump
from projects import revisions
from projects.models import Comment, Draft, Membership, Review, Revision, SignedIn, Verdict

MOST_DESIGNS = 500
"""Designs whose documents are in it, the last changed first; the others are named."""
MOST_ROWS = 20_000
"""Rows of each list, the newest first."""


def write(person: User, file: IO[bytes]) -> None:
    """A ZIP with JSON of who they are and what they did, and the designs of their teams as YAML. Nothing in it opens
    anything: no password, no token, no key.
    """
    teams = Membership.objects.filter(user=person).select_related("team")
    designs = Draft.objects.filter(project__team__in=teams.values("team"))
    designs = designs.select_related("project__team").order_by("-updated_at")
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:

        def add(name: str, rows: object) -> None:
            text = json.dumps(rows, cls=DjangoJSONEncoder, indent=2, ensure_ascii=False)
            packed.writestr(name, text)

        add("account.json", _account(person))
        add("teams.json", list(teams.values("team__name", "role", "created_at")))
        add("sign-ins.json", _sign_ins(person))
        add("comments.json", list(_comments(person)))
        add("reviews.json", _reviews(person))
        add("changes.json", list(_changes(person)))
        add("designs.json", list(designs.values("name", "slug", "project__name", "updated_at")))
        for draft in designs[:MOST_DESIGNS]:
            packed.writestr(_name(draft), dump(revisions.latest(draft), "yaml"))


def _account(person: User) -> dict[str, Any]:
    return {
        "username": person.username,
        "name": person.get_full_name(),
        "email": person.email,
        "joined": person.date_joined,
        "last_sign_in": person.last_login,
        "single_sign_on": list(person.identities.values_list("issuer", flat=True)),
    }


def _sign_ins(person: User) -> dict[str, Any]:
    log = AccessLog.objects.filter(username=person.get_username()).order_by("-attempt_time")
    browsers = SignedIn.objects.filter(user=person).order_by("-seen_at")
    return {
        "browsers": list(browsers.values("browser", "begun_at", "seen_at")),
        "log": list(
            log.values("attempt_time", "logout_time", "ip_address", "user_agent")[:MOST_ROWS]
        ),
    }


def _comments(person: User) -> Iterator[dict[str, Any]]:
    mine = Comment.objects.filter(author=person).order_by("-created_at")
    for each in mine.select_related("thread__draft")[:MOST_ROWS]:
        thread = each.thread
        yield {
            "design": thread.draft.name,
            "on": thread.label,
            "body": each.body,
            "at": each.created_at,
        }


def _reviews(person: User) -> dict[str, Any]:
    asked = Review.objects.filter(asked_by=person).order_by("-asked_at")
    given = Verdict.objects.filter(author=person).order_by("-created_at")
    return {
        "asked": list(asked.values("draft__name", "number", "message", "asked_at")[:MOST_ROWS]),
        "verdicts": list(
            given.values("review__draft__name", "review__number", "kind", "body", "created_at")[
                :MOST_ROWS
            ]
        ),
    }


def _changes(person: User) -> Iterator[Any]:
    mine = Revision.objects.filter(author=person).order_by("-created_at")
    yield from mine.values("draft__name", "number", "note", "created_at")[:MOST_ROWS]


def _name(draft: Draft) -> str:
    words = "-".join(re.findall(r"[a-z0-9]+", draft.name.lower()))[:60] or "design"
    return f"designs/{words}-{draft.slug}.yaml"
