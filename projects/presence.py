"""Who is at a design, as they told by asking for its news. Only the design's team ever learns it."""

from datetime import timedelta

from django.utils import timezone

from projects.models import Draft, Presence
from projects.revisions import Person

HERE = timedelta(seconds=30)
"""Who asked within this time is here."""
AGAIN = timedelta(seconds=10)
"""Who stays where they were is written down no more often than this: those who edit share the database's one writer."""


def others(draft: Draft, person: Person, place: str | None = None) -> list[Presence]:
    """Those of the team who are here beside the person. With a place, it is written down that the person is there."""
    if draft.project_id is None or person is None or not person.is_authenticated:
        return []
    now = timezone.now()
    here = list(
        Presence.objects.filter(draft=draft, seen_at__gt=now - HERE)
        .select_related("user")
        .order_by("user__username")
    )
    mine = next((each for each in here if each.user_id == person.pk), None)
    is_told = mine is not None and mine.place == place and mine.seen_at > now - AGAIN
    if place is not None and not is_told:
        Presence.objects.update_or_create(
            draft=draft, user_id=person.pk, defaults={"place": place, "seen_at": now}
        )
    return [each for each in here if each.user_id != person.pk]
