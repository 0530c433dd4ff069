"""Accounts: who may have one, their e-mail addresses, and forgotten passwords.

`User.email` is always a confirmed address. One that is not confirmed stands in the signed link of a letter only.
"""

from dataclasses import asdict, dataclass
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.contrib.contenttypes.models import ContentType
from django.core import signing
from django.db import transaction
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django_tasks import task

from designer.core.messages import say
from projects import mail
from projects.teams import RefusedError

LINK_LIFE = timedelta(days=1)
"""How long the link of a letter works."""


@dataclass(frozen=True)
class Beginning:
    """An account that somebody began to make, as the link of their letter says it."""

    email: str
    keep: str = ""
    """The sandbox that is to be kept."""
    next: str = ""
    """Where they came from."""
    invitation: int | None = None
    """The number of the invitation that they opened, if any."""

    def sign(self) -> str:
        return signing.dumps(asdict(self), salt="keywright.sign-up")


def is_allowed(email: str) -> bool:
    """Whether accounts here may have this address."""
    domains = settings.SIGN_UP_DOMAINS
    return not domains or email.rpartition("@")[2].lower() in domains


def owner_of(email: str) -> User | None:
    """Whose address this is: somebody with an open account before somebody whose account is closed (inactive), which
    keeps its address, so that it does not come back as another one.
    """
    found = User.objects.filter(email__iexact=email).order_by("-is_active", "pk")
    return found.first() if email else None


def hold_addresses() -> None:
    """Let nobody else give an account an address until the transaction ends: of two at once, the second one sees what
    the first one did. No constraint on Django's own table of users could do that.
    """
    ContentType.objects.select_for_update().get(app_label="auth", model="user")


def begun(token: str) -> Beginning | None:
    """What the link of a letter says; None when it is not ours, too old, or used."""
    try:
        said = signing.loads(token, salt="keywright.sign-up", max_age=LINK_LIFE)
    except signing.BadSignature:
        return None
    beginning = Beginning(**said)
    return beginning if is_allowed(beginning.email) and not owner_of(beginning.email) else None


@task(queue_name=mail.QUEUE)
def write_to_begin(
    email: str, keep: str, next: str, site: str, invitation: int | None = None
) -> None:
    """Send the link that makes an account; to who has one, that they have it; nothing where it is closed."""
    owner = owner_of(email)
    if owner is not None and not owner.is_active:
        return
    token = Beginning(email, keep, next, invitation).sign()
    letter = "sign_up" if owner is None else "sign_up_again"
    context = {"token": token, "owner": owner, "site": site}
    mail.send_to_whom_it_may_concern(email, letter, context)


@task(queue_name=mail.QUEUE)
def write_to_confirm(number: int, email: str, site: str) -> None:
    """Send the link that makes an address that of an account."""
    user = User.objects.filter(pk=number).first()
    if user is None:
        return
    token = signing.dumps([user.pk, email, user.email], salt="keywright.email")
    context = {"user": user, "token": token, "site": site}
    mail.send_to_whom_it_may_concern(email, "confirm", context)


def confirmed(token: str, user: User) -> str:
    """The address that the link of a letter confirms for this account; nothing when it is not ours, too old, used,
    or another account's.
    """
    try:
        number, email, before = signing.loads(token, salt="keywright.email", max_age=LINK_LIFE)
    except signing.BadSignature:
        return ""
    return str(email) if (number, before) == (user.pk, user.email) else ""


@transaction.atomic
def take_address(user: User, email: str) -> None:
    """Make a confirmed address the account's. RefusedError when another account has it."""
    hold_addresses()
    other = owner_of(email)
    if other is not None and other.pk != user.pk:
        raise RefusedError(say("address-taken"))
    if user.email:
        write_of_change.enqueue(user.email, user.get_username(), email)
    user.email = email
    user.save(update_fields=["email"])


@task(queue_name=mail.QUEUE)
def write_of_change(before: str, name: str, now: str) -> None:
    """Tell an address that it is its account's no more."""
    mail.send(before, "changed", {"name": name, "now": now})


@task(queue_name=mail.QUEUE)
def write_to_reset(email: str, site: str) -> None:
    """Send the link that sets a new password to whoever has this address, if anybody has.

    It goes to the address of the account, letter by letter, not to the one that was typed.
    """
    owner = owner_of(email)
    if owner is None or not owner.is_active or not owner.has_usable_password():
        return
    number = urlsafe_base64_encode(force_bytes(owner.pk))
    token = default_token_generator.make_token(owner)
    context = {"user": owner, "number": number, "token": token, "site": site}
    mail.send_to_whom_it_may_concern(owner.email, "reset", context)
