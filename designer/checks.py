"""What `manage.py check --deploy` says of Keywright's own settings."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Warning


def shared_secret(**asked: Any) -> list[CheckMessage]:
    """Hosts that share a database have to share the secret, too."""
    is_shared = settings.DATABASES["default"]["ENGINE"].endswith("postgresql")
    if not is_shared or settings.IS_SECRET_GIVEN:
        return []
    return [
        Warning(
            "The database is PostgreSQL, and the secret lies in this host's data folder.",
            hint="Set KEYWRIGHT_SECRET_KEY, the same on every host: otherwise what one signs the others refuse.",
            id="keywright.W001",
        )
    ]
