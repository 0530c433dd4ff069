"""What plans named, kept from when somebody saw a plan until their next edit writes it into the design.

A plan is made beside the request and is a function of the document alone. So nobody's looking changes a design, and an
edit takes along what the plan of the design before it named, as far as that plan was ever seen.

How items write their keys in their table is taken along by every edit. Indexes are only once somebody relies on the
plan: it was exported, named or given to review. While a design grows, an index for each step of it would else be left.
"""

import json
import logging
import zlib
from datetime import timedelta

from django.db import DatabaseError, transaction
from django.db.models import Q
from django.utils import timezone
from pydantic import ValidationError

from designer.core.design.document import Design
from designer.core.design.load import plain
from designer.core.design.names import Names, StyleNames
from designer.core.design.text import MAX_BYTES
from designer.core.edits import followed
from designer.core.plan import ALL_STYLES, Plan, Style
from designer.core.plan.recording import with_names
from designer.core.planner import VERSION
from projects import quotas
from projects.hashes import digest
from projects.models import Draft, PlannedNames, Review, Revision

log = logging.getLogger(__name__)

FRESH = timedelta(days=1)
"""Until then what was kept is not written again."""


def keep(design: Design, plan: Plan) -> None:
    """Keep what a plan of this design named. Where that fails, the plan is shown all the same."""
    key = _key(plan.style, digest(design))
    since = timezone.now() - FRESH
    fresh = PlannedNames.objects.filter(pk=key, planner=VERSION, made_at__gt=since)
    if fresh.exists():
        return
    try:
        names = with_names(design.names, plan).of(plan.style)
        row = PlannedNames(key=key, planner=VERSION, names=_packed(names))
        with transaction.atomic():
            PlannedNames.objects.bulk_create(
                [row],
                update_conflicts=True,
                unique_fields=["key"],
                update_fields=["planner", "names", "made_at"],
            )
    except DatabaseError:
        log.exception("The names of a plan were not kept")


def use(draft: Draft) -> None:
    """Somebody took along a plan of what is looked at, so its indexes may be deployed from now on."""
    if draft.is_saved:
        seen = Revision.objects.filter(draft=draft, number=draft.seen_at or draft.position)
        seen.filter(is_used=False).update(is_used=True)


def with_planned_names(draft: Draft, before: Design, after: Design) -> Design:
    """A changed design with what the plans of the design before it named; as it is where the
    change is one of names, or none.

    A large document goes without where they would make it too large to be applied as a text, or to be a sandbox.
    """
    if after == before or after.names != followed(before.names, before, after):
        return after
    names = followed(_planned(draft, before), before, after)
    if names == after.names:
        return after
    found = after.model_copy(update={"names": names})
    most = quotas.TIGHT if draft.project_id is None else MAX_BYTES // 2
    return found if _fits(found, most) else after


def _planned(draft: Draft, design: Design) -> Names:
    """The names of the newest design of a draft with those of its plans that were seen."""
    of = digest(design)
    is_used = _is_used(draft, of)
    keys = {_key(style, of): style for style in ALL_STYLES}
    found: dict[str, StyleNames] = {}
    for row in PlannedNames.objects.filter(pk__in=keys):
        try:
            named = StyleNames.model_validate_json(zlib.decompress(bytes(row.names)))
        except ValidationError:  # what is longer than a document may have it
            continue
        style = keys[row.key]
        if not is_used:
            named = named.model_copy(update={"indexes": design.names.of(style).indexes})
        found[style] = named
    return design.names.model_copy(update=found) if found else design.names


def _is_used(draft: Draft, digest: str) -> bool:
    """Whether a document was taken along, was named or was given to review, as any revision of its draft."""
    if not draft.is_saved:
        return False
    same = Revision.objects.filter(draft=draft, digest=digest)
    reviewed = Q(pk__in=Review.objects.filter(draft=draft).values("head"))
    return same.filter(Q(is_used=True) | Q(named__isnull=False) | reviewed).exists()


def _key(style: Style, digest: str) -> str:
    return f"{style}:{digest}"


def _packed(names: StyleNames) -> bytes:
    return zlib.compress(names.model_dump_json().encode())


def _fits(design: Design, most: int) -> bool:
    """Whether a document has at most so many characters.

    With all its defaults and without spaces it is written many times faster, and more than half as long.
    """
    return 2 * len(design.model_dump_json()) <= most or (
        len(json.dumps(plain(design), ensure_ascii=False)) <= most
    )
