"""Letters that the site sends. Tasks of the queue `mail` send them, so that no page waits for a mail server."""

from typing import Any

from django.core.mail import EmailMessage
from django.template.loader import render_to_string

QUEUE = "mail"


def send(to: str, letter: str, context: dict[str, Any]) -> None:
    """Send templates/mail/LETTER.txt, whose first line is the subject, as plain text.

    To be called in a task of the queue `mail`. OSError and SMTPException when the mail server does not take it.
    """
    text = render_to_string(f"mail/{letter}.txt", context)
    subject, _, body = text.partition("\n")
    EmailMessage(" ".join(subject.split()), body.strip() + "\n", to=[to]).send()
