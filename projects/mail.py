"""Letters that the site sends. Tasks of the queue `mail` send them, so that no page waits for a mail server, and
none takes longer when there is somebody to write to.
"""

import logging
from datetime import timedelta
from typing import Any

from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.utils import timezone

from projects import tokens
from projects.models import Letter

log = logging.getLogger(__name__)

QUEUE = "mail"
MOST_AN_HOUR = 5
"""Letters to one address that whoever knows it can ask for."""


def send(to: str, letter: str, context: dict[str, Any]) -> None:
    """Send templates/mail/LETTER.txt, whose first line is the subject, as plain text.

    To be called in a task of the queue `mail`. OSError and SMTPException when the mail server does not take it.
    """
    text = render_to_string(f"mail/{letter}.txt", context)
    subject, _, body = text.partition("\n")
    EmailMessage(" ".join(subject.split()), body.strip() + "\n", to=[to]).send()


def send_to_whom_it_may_concern(to: str, letter: str, context: dict[str, Any]) -> None:
    """The same for a letter that anybody can ask for; too many to one address are not sent."""
    now = timezone.now()
    Letter.objects.filter(asked_at__lt=now - timedelta(hours=1)).delete()
    address = tokens.digest(to.lower())
    if Letter.objects.filter(address=address).count() >= MOST_AN_HOUR:
        log.warning("Too many letters (%s) were asked for to one address", letter)
        return
    Letter.objects.create(address=address)
    send(to, letter, context)
