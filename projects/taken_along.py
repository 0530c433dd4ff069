"""What the site knows of somebody, as one file to take along."""

import json
import re
import zipfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import IO, Any

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.auth.models import User
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model

from designer.core.design.load import dump
from projects import models as kept
from projects import revisions
from projects.models import Draft, Membership, Notices, SignedIn

MOST_DESIGNS = 500
"""Designs whose documents are in it, the last changed first; the others are named only."""
MOST_YAML = 500_000
"""Bytes of documents, as they are kept, that become YAML, which takes a second; those after them are JSON."""
MOST_BYTES = 20_000_000
"""Bytes of documents in it; those after them are named only."""
MOST_ROWS = 20_000
"""Rows of each list, the newest first."""


@dataclass(frozen=True)
class Listed:
    """Rows of which somebody is the author, or whatever the field says."""

    name: str
    model: type[Model]
    by: str
    at: str
    """The field that says when."""
    fields: tuple[str, ...]
    of: str = ""
    """The way to the design, project or team that it belongs to, whose name only those learn who are in the team."""


LISTS = (
    Listed("changes", kept.Revision, "author", "created_at", ("number", "note"), "draft"),
    Listed(
        "names-of-revisions",
        kept.RevisionName,
        "author",
        "created_at",
        ("revision__number", "name", "message"),
        "draft",
    ),
    Listed(
        "comments",
        kept.Comment,
        "author",
        "created_at",
        ("thread__label", "body", "sent_at"),
        "thread__draft",
    ),
    Listed("threads-resolved", kept.Thread, "resolved_by", "resolved_at", ("label",), "draft"),
    Listed(
        "threads-resolved-and-reopened",
        kept.ThreadEvent,
        "author",
        "created_at",
        ("kind", "thread__label"),
        "thread__draft",
    ),
    Listed(
        "reviews-asked-for", kept.Review, "asked_by", "asked_at", ("number", "message"), "draft"
    ),
    Listed("reviews-closed", kept.Review, "closed_by", "closed_at", ("number",), "draft"),
    Listed(
        "reviews-moved",
        kept.ReviewMove,
        "author",
        "created_at",
        ("review__number", "head__number"),
        "review__draft",
    ),
    Listed(
        "verdicts",
        kept.Verdict,
        "author",
        "created_at",
        ("review__number", "kind", "body"),
        "review__draft",
    ),
    Listed(
        "links",
        kept.ShareLink,
        "made_by",
        "made_at",
        ("name", "expires_at", "revoked_at", "used", "used_at"),
        "draft",
    ),
    Listed(
        "tokens",
        kept.ApiToken,
        "made_by",
        "made_at",
        ("name", "expires_at", "revoked_at", "used", "used_at"),
        "project",
    ),
    Listed(
        "projects-and-links",
        kept.ProjectEvent,
        "author",
        "created_at",
        ("kind", "name", "other"),
        "project",
    ),
    Listed(
        "waiting-for-me",
        kept.Waiting,
        "user",
        "at",
        ("why", "thread__label", "review__number"),
        "draft",
    ),
    Listed(
        "waiting-for-others",
        kept.Waiting,
        "by",
        "at",
        ("why", "thread__label", "review__number"),
        "draft",
    ),
    Listed("feeds", kept.FeedKey, "user", "made_at", (), "project"),
    Listed(
        "invitations",
        kept.Invitation,
        "invited_by",
        "created_at",
        ("email", "role", "used", "ended_at"),
        "team",
    ),
    Listed("invitations-by-letter", kept.Letter, "asked_by", "asked_at", ()),
    Listed("seen-at-designs", kept.Presence, "user", "seen_at", ("place",), "draft"),
)
"""What somebody did. Nothing of it opens anything."""


def write(person: User, file: IO[bytes]) -> None:
    """A ZIP with JSON of who they are and what they did, and the designs of their teams as YAML. Nothing in it opens
    anything: no password, no token, no key.
    """
    teams = Membership.objects.filter(user=person).select_related("team")
    mine = set(teams.values_list("team", flat=True))
    designs = Draft.objects.filter(project__team__in=mine)
    designs = designs.select_related("project__team").order_by("-updated_at")
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:

        def add(name: str, rows: object) -> None:
            packed.writestr(f"{name}.json", _json(rows))

        add("account", _account(person))
        add("teams", list(teams.values("team__name", "role", "created_at")))
        add("sign-ins", _sign_ins(person))
        for each in LISTS:
            add(each.name, list(_rows(person, mine, each)))
        add("designs", list(designs.values("name", "slug", "project__name", "updated_at")))
        written = 0
        for draft in designs[:MOST_DESIGNS]:
            revision = revisions.current(draft)
            # Revisions of an earlier version do not say how long they are.
            written += revision.bytes or len(json.dumps(revision.document))
            if written > MOST_BYTES:
                break
            if written <= MOST_YAML:
                packed.writestr(f"{_name(draft)}.yaml", dump(revisions.design_of(revision), "yaml"))
            else:
                add(_name(draft), revision.document)


def _json(rows: object) -> str:
    """JSON, a row on a line. Without indents it is written ten times as fast."""
    if not isinstance(rows, list):
        return json.dumps(rows, cls=DjangoJSONEncoder, ensure_ascii=False)
    return "[\n" + ",\n".join(map(_json, rows)) + "\n]"


def _account(person: User) -> dict[str, Any]:
    wanted = Notices.objects.filter(user=person).values_list("wanted", flat=True).first()
    return {
        "username": person.username,
        "name": person.get_full_name(),
        "email": person.email,
        "joined": person.date_joined,
        "last_sign_in": person.last_login,
        "single_sign_on": list(person.identities.values("issuer", "subject", "created_at")),
        "told_by_email": wanted or Notices.Wanted.ALL,
    }


def _sign_ins(person: User) -> dict[str, Any]:
    """Where they are signed in, when they signed in, and when somebody tried to by their name."""
    browsers = SignedIn.objects.filter(user=person).order_by("-seen_at")
    found: dict[str, Any] = {"browsers": list(browsers.values("browser", "begun_at", "seen_at"))}
    for name, log, more in (
        ("log", AccessLog, "logout_time"),
        ("wrong_passwords", AccessAttempt, "failures_since_start"),
        ("failures", AccessFailureLog, "locked_out"),
    ):
        rows = log.objects.filter(username=person.get_username()).order_by("-attempt_time")
        values = rows.values("attempt_time", "ip_address", "user_agent", more)
        found[name] = list(values[:MOST_ROWS])
    return found


def _rows(person: User, mine: Collection[int], each: Listed) -> Iterator[dict[str, Any]]:
    found = each.model._default_manager.filter(**{each.by: person.pk}).order_by(f"-{each.at}")
    name, team = f"{each.of}__name", f"{each.of}__project__team"
    if each.of in ("project", "team"):
        team = "project__team" if each.of == "project" else "team"
    of = (name, team) if each.of else ()
    for row in found.values(*each.fields, each.at, *of)[:MOST_ROWS]:
        # What a team that they left calls it now is not theirs to know.
        if each.of and row.pop(team) not in mine:
            row[name] = None
        yield row


def _name(draft: Draft) -> str:
    words = "-".join(re.findall(r"[a-z0-9]+", draft.name.lower()))[:60] or "design"
    return f"designs/{words}-{draft.slug}"
