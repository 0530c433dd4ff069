"""What the worker sends, and the links in it."""

import re

from django.core import mail
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.http import HttpResponse


def sent() -> list[EmailMessage]:
    """Let the worker do what waits for it; every letter until now."""
    call_command("worker", batch=True)
    return mail.outbox


def link_in(letter: EmailMessage) -> str:
    """The path of the last address in a letter."""
    return re.findall(r"http://testserver(/\S+)", letter.body)[-1]


def main_of(answer: HttpResponse) -> str:
    """What stands on a page between its header and its end."""
    return answer.content.decode().split("<main")[1].split("</main>")[0]
