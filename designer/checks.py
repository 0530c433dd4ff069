"""What `manage.py check --deploy` says of Keywright's own settings."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Warning


def known_address(**asked: Any) -> list[CheckMessage]:
    """Letters must not lead where the sender of a request says that the site is."""
    if not settings.HTTPS or settings.SITE_URL:
        return []
    return [
        Warning(
            "Links in e-mails are made from the host name that each request asks for.",
            hint="Set KEYWRIGHT_SITE_URL to where people find the site, like https://keywright.example.com.",
            id="keywright.W002",
        )
    ]


def shared_secret(**asked: Any) -> list[CheckMessage]:
    """Hosts that share a database have to share the secret, too."""
    is_shared = settings.DATABASES["default"]["ENGINE"].endswith("postgresql")
    if not is_shared or settings.IS_SECRET_GIVEN:
        return []
    return [
        Warning(
            "The database is PostgreSQL, and the secret is in this host's data folder.",
            hint="Set the same KEYWRIGHT_SECRET_KEY on every host. Otherwise, hosts reject each other's "
            "signatures.",
            id="keywright.W001",
        )
    ]
