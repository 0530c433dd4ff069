"""Letters that the site sends. Tasks of the queue `mail` send them, so that no page waits for a mail server, and
none takes longer when there is somebody to write to.
"""

import logging
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.utils import timezone

from designer import metrics
from projects import tokens
from projects.models import Letter

log = logging.getLogger(__name__)

QUEUE = "mail"
MOST_AN_HOUR = 5
"""Letters to one address that whoever knows it can ask for, and invitations to it."""
KEPT = timedelta(days=1)
"""How long it is known that a letter was asked for."""


def send(to: str, letter: str, context: dict[str, Any]) -> None:
    """Send templates/mail/LETTER.txt, whose first line is the subject, as plain text.

    To be called in a task of the queue `mail`. OSError and SMTPException when the mail server does not take it.
    """
    text = render_to_string(f"mail/{letter}.txt", context)
    subject, _, body = text.partition("\n")
    try:
        EmailMessage(" ".join(subject.split()), body.strip() + "\n", to=[to]).send()
    except Exception:
        metrics.mailed("failed")
        raise
    metrics.mailed("sent")


def send_to_whom_it_may_concern(to: str, letter: str, context: dict[str, Any]) -> None:
    """The same for a letter that anybody can ask for; too many to one address are not sent."""
    if note(to):
        send(to, letter, context)
    else:
        log.warning("Too many e-mails (%s) to one address were requested", letter)


def note(to: str, by: AbstractBaseUser | None = None) -> bool:
    """Keep in mind that a letter to this address is asked for. False when there were too many in this hour.

    What members ask for is counted apart: it must not tell them whether an address gets letters as an account's.
    """
    now = timezone.now()
    Letter.objects.filter(asked_at__lt=now - KEPT).delete()
    address = tokens.digest(to.lower())
    alike = Letter.objects.filter(address=address, asked_by__isnull=by is None)
    if alike.filter(asked_at__gt=now - timedelta(hours=1)).count() >= MOST_AN_HOUR:
        return False
    Letter.objects.create(address=address, asked_by_id=by.pk if by is not None else None)
    return True


def asked_by(person: AbstractBaseUser) -> int:
    """How many letters somebody asked for in a day, whatever became of the teams that they are of."""
    return Letter.objects.filter(asked_by=person.pk, asked_at__gt=timezone.now() - KEPT).count()
