"""Invitations made, sent, opened, accepted and withdrawn."""

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django_tasks import task

from designer.core.messages import say
from projects import mail, quotas, tokens
from projects.models import Invitation, Membership, Role, Team
from projects.teams import RefusedError

MOST_A_DAY = 50
"""Letters that one person's invitations may send in a day: this site sends nobody's advertisements."""


def open_ones(team: Team) -> QuerySet[Invitation]:
    """What can still be accepted, the newest first."""
    live = team.invitations.filter(ended_at=None, expires_at__gt=timezone.now())
    return live.select_related("invited_by").order_by("-pk")


@transaction.atomic
def by_letter(team: Team, email: str, role: Role, by: AbstractBaseUser, site: str) -> Invitation:
    """Invite one person by e-mail; an older letter to them is void. `site` is the address of the site's first page.

    RefusedError when there are too many, of one person in a day or to one address in an hour. The worker writes the
    letter and makes its secret, which is therefore nowhere but in the letter.
    """
    if mail.asked_by(by) >= MOST_A_DAY:
        raise RefusedError(say("invited-enough-today", most=MOST_A_DAY))
    _room_for_another(team)
    if not mail.note(email, by):
        raise RefusedError(say("address-invited-too-often"))
    open_ones(team).filter(email__iexact=email).update(ended_at=timezone.now())
    made = Invitation.objects.create(team=team, email=email, role=role, invited_by_id=by.pk)
    send.enqueue(made.pk, site)
    return made


def by_link(team: Team, role: Role, by: AbstractBaseUser) -> str:
    """The secret of a new link; it is not told again. RefusedError when too many invitations are open."""
    _room_for_another(team)
    token = tokens.new()
    Invitation.objects.create(
        team=team, role=role, invited_by_id=by.pk, digest=tokens.digest(token)
    )
    return token


def _room_for_another(team: Team) -> None:
    most = quotas.OPEN_INVITATIONS
    if open_ones(team).count() >= most:
        raise RefusedError(say("invitations-at-limit", most=most))


@task(queue_name=mail.QUEUE)
def send(number: int, site: str) -> None:
    """Write the letter of an invitation, unless it was withdrawn meanwhile."""
    found = Invitation.objects.select_related("team", "invited_by").filter(pk=number).first()
    if found is None or not found.is_open:
        return
    token = tokens.new()
    found.digest = tokens.digest(token)
    found.save(update_fields=["digest"])
    mail.send(found.email, "invitation", {"invitation": found, "token": token, "site": site})
    found.sent_at = timezone.now()
    found.save(update_fields=["sent_at"])


def opened(digest: str) -> Invitation | None:
    """The invitation whose secret has this digest, while it can be accepted."""
    return _open(digest=digest)


def numbered(number: int | None) -> Invitation | None:
    """The invitation of this number, while it can be accepted."""
    return _open(pk=number)


def _open(**which: object) -> Invitation | None:
    found = Invitation.objects.select_related("team", "invited_by").filter(**which).first()
    return found if found is not None and found.is_open else None


@transaction.atomic
def accept(invitation: Invitation, person: AbstractBaseUser) -> Membership:
    """Let somebody into the team. Who is in it already stays what they are. RefusedError when it is void by now;
    another one, of `projects.refused`, when as many are in the team as may be.
    """
    Team.objects.select_for_update().get(pk=invitation.team_id)
    invitation.refresh_from_db()
    if not invitation.is_open:
        raise RefusedError(say("invitation-void"))
    if not invitation.team.memberships.filter(user=person.pk).exists():
        quotas.room_for_a_member(invitation.team)
    membership, is_new = Membership.objects.get_or_create(
        team=invitation.team, user_id=person.pk, defaults={"role": invitation.role}
    )
    if is_new:
        invitation.used += 1
        if invitation.email:
            invitation.ended_at = timezone.now()
        invitation.save(update_fields=["used", "ended_at"])
    return membership


def withdraw(invitation: Invitation) -> None:
    invitation.ended_at = timezone.now()
    invitation.save(update_fields=["ended_at"])
