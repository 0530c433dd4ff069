"""Designs opened and edited. Every write holds a lock on its draft."""

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from threading import Lock, RLock
from typing import Any
from weakref import WeakValueDictionary

from cachetools import LRUCache
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import transaction
from django.db.models import QuerySet

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.design.ids import ids
from designer.core.design.load import load_plain, plain
from designer.core.design.meaning import meaning, ordered_meaning
from designer.core.edits import identified
from designer.core.errors import DesignError
from designer.core.messages import say
from projects import quotas, recording, typed
from projects.deriving import AS_OBJECTS
from projects.hashes import digest
from projects.models import Draft, FormerId, Revision, Right
from projects.refused import RefusedError, bounds_counted

log = logging.getLogger(__name__)

Person = AbstractBaseUser | AnonymousUser | None
Change = Callable[[Design], Design]
Note = str | Callable[[], str]
"""What was done, or how to say it once it is done."""


def latest(draft: Draft) -> Design:
    """The design as it stands; of the gallery's when the draft was never saved."""
    if not draft.is_saved:
        return identified(gallery.load(draft.template))
    return design_of(current(draft))


def current(draft: Draft) -> Revision:
    return Revision.objects.get(draft=draft, number=draft.position)


def design_of(revision: Revision) -> Design:
    """The design of a revision, which never changes: designs read of late are kept, of each process."""
    if not revision.bytes:  # an old one, whose size nobody noted
        return _stored(revision)
    key = (revision.draft_id, revision.number, revision.created_at)
    with _lock:
        known = _read.get(key)
    if known is None:
        known = _stored(revision), revision.bytes * AS_OBJECTS
        with _lock:
            if known[1] <= _read.maxsize:
                _read[key] = known
    return known[0]


def _stored(revision: Revision) -> Design:
    """What was accepted once opens in every later version. One that does not open here was saved by a later version, on
    another host: while the hosts are upgraded, people see it there.
    """
    try:
        return load_plain(revision.document)
    except DesignError as error:
        log.error("A design cannot be read (%s): it is of a newer version, or damaged", error.code)
        raise RefusedError("", say("design-is-newer"), UPGRADED_IN) from error


UPGRADED_IN = 5
"""Seconds after which a page asks whether another host answers."""
_read: LRUCache[tuple[int, int, datetime], tuple[Design, int]] = LRUCache(
    8 * 1024 * 1024, getsizeof=lambda known: known[1]
)
"""Designs of revisions, and how much memory each takes."""
_lock = Lock()


def opened(draft: Draft, number: str) -> Design | None:
    """The design that a page showed, by the number that its form sends; None when that says none."""
    asked = typed.number(number)
    if not draft.is_saved or asked is None:
        return None
    found = draft.revisions.filter(number=asked).first()
    return design_of(found) if found is not None else None


def as_of(draft: Draft, revision: Revision) -> Draft:
    """The draft as it was then, to be looked at only."""
    seen = copy(draft)
    seen.seen_at = revision.number
    seen.rights = draft.rights & {Right.READ}
    return seen


@dataclass(frozen=True)
class Written:
    """A design as a revision keeps it."""

    design: Design
    """With an id on every part."""
    document: Any
    bytes: int
    """As SQLite keeps it: a letter that is not in ASCII takes six, or twelve."""
    meaning: str
    ordered_meaning: str
    digest: str


@dataclass(frozen=True)
class Edited:
    """An edit, worked out before its transaction begins: on SQLite nobody else can write until that ends."""

    position: int
    """The newest revision that was edited; 0 where a design of the gallery was."""
    before: Design
    after: Written | None
    """None where the edit changes nothing."""

    def is_of(self, draft: Draft) -> bool:
        """Whether a draft that is held is still as it was, or is an untouched copy of the gallery's design."""
        if self.position:
            return draft.position == self.position
        return draft.position == 1 and latest(draft) == self.before


def written(design: Design) -> Written:
    """What a revision keeps of a design where every part has an id."""
    document = plain(design)
    return Written(
        design,
        document,
        len(json.dumps(document)),
        meaning(design),
        ordered_meaning(design),
        digest(design),
    )


def start(draft: Draft, design: Design, note: str, author: Person = None) -> Draft:
    """Save a new draft with its first revision."""
    first = written(identified(design))
    with transaction.atomic():
        draft.name = design.name
        draft.save()
        append(draft, first, note, author, before=None)
    return draft


def edit(
    draft: Draft, change: Change, note: Note, author: Person = None, ready: Edited | None = None
) -> Design:
    """Apply the change to the newest design and record it; nothing is recorded when it changes
    nothing. What it added gets ids that no other part of this design ever had, and what the plans
    of the newest design named goes along with it.

    What the change raises goes through, with nothing written. The change is applied before anybody is kept from
    writing, or was in `ready`; and once more where somebody else was faster. `draft` is brought up to date.
    """
    # Whoever brings one holds the database already, for which another one may wait in its turn.
    with turn(draft) if ready is None else nullcontext():
        if ready is None:
            read(draft)
            ready = edited(draft, change)
        with transaction.atomic():
            hold(draft)
            if not ready.is_of(draft):
                ready = edited(draft, change)
            if ready.after is None:
                return ready.before
            said = note if isinstance(note, str) else note()
            append(draft, ready.after, said, author, before=ready.before)
        return ready.after.design


def turn(draft: Draft) -> Any:
    """Edits of one design follow one another in a process, so that what one works out is seldom out of date."""
    with _lock:
        return _turns.setdefault(draft.pk, RLock())


_turns: WeakValueDictionary[int, Any] = WeakValueDictionary()
"""The lock of each design that is being edited."""


def edited(draft: Draft, change: Change) -> Edited:
    """What comes of the change, with nothing written; raises what the change raises."""
    before = latest(draft)
    with bounds_counted():
        changed = newly_identified(draft, before, change(before))
    after = recording.with_planned_names(draft, before, changed)
    return Edited(draft.position, before, written(after) if after != before else None)


def newly_identified(draft: Draft, before: Design, after: Design) -> Design:
    """What comes after the newest design, with an id for each new part that no other part of the draft ever had."""
    if not draft.is_saved:
        return identified(after, ids(before))
    former = FormerId.objects.filter(draft=draft).values_list("part", flat=True)
    return identified(after, chain(ids(before), former))


def restore(draft: Draft, revision: Revision, author: Person = None) -> Revision:
    """The design of an older revision as a new one."""
    again = written(design_of(revision))
    with transaction.atomic():
        hold(draft)
        note = f"Go back to r{revision.number}"
        return append(draft, again, note, author, before=latest(draft))


Said = Callable[[str], Any]
"""What is said at a key."""


def last_changed(
    draft: Draft, keys: Iterable[str], said: Callable[[Revision], Said], since: int
) -> dict[str, Revision]:
    """For each key the newest revision after `since` that changed what is said there, where one did. Each revision is
    read once for all keys, and one after another: a hundred large ones at once would fill the memory.
    """
    later = draft.revisions.filter(number__gte=since).order_by("-number")
    found: dict[str, Revision] = {}
    newer: Revision | None = None
    its = dict.fromkeys(keys)
    for each in one_by_one(later[:LOOKED_AT]):
        if not its:
            break
        says = said(each)
        earlier = {key: says(key) for key in its}
        if newer is not None:
            found |= {key: newer for key in its if its[key] != earlier[key]}
        newer, its = each, {key: value for key, value in earlier.items() if key not in found}
    return found


LOOKED_AT = 100
"""Revisions among which the one that changed something is looked for."""
LOOKED_THROUGH = 2_000_000
"""Bytes of their documents: what is older is not looked at."""
USUAL_BYTES = 20_000
"""Of the document of a revision that does not say it: one of an earlier version."""


def one_by_one(some: QuerySet[Revision]) -> Iterator[Revision]:
    """Revisions with their authors, each read once it is looked at, as far as their documents are not too long to look
    through for a page. What is pruned meanwhile is left out.

    One query would bring all documents at once from PostgreSQL: through PgBouncer there are no cursors on its side.
    """
    left = LOOKED_THROUGH
    for pk, size in list(some.values_list("pk", "bytes")):
        left -= size or USUAL_BYTES
        if left < 0:
            return
        yield from Revision.objects.select_related("author").filter(pk=pk)


def hold(draft: Draft) -> None:
    """Hold the draft's row to the end of the transaction, and read it as it is now.

    SQLite has no row locks; there the transaction itself is the only one that may write.
    """
    read(draft, Draft.objects.select_for_update())


def read(draft: Draft, drafts: QuerySet[Draft] | None = None) -> None:
    """Read the draft's row as it is now."""
    newest = (Draft.objects if drafts is None else drafts).get(pk=draft.pk)
    for field in ("name", "project_id", "position", "version", "bytes"):
        setattr(draft, field, getattr(newest, field))


def append(
    draft: Draft,
    after: Written,
    note: str,
    author: Person,
    *,
    before: Design | None,
    undoes: int | None = None,
    redoes: int | None = None,
) -> Revision:
    """The next revision of a draft that is held; `before` is the newest design so far."""
    quotas.room_to_save(after.bytes)
    gone = sorted(ids(before) - ids(after.design)) if before is not None else ()
    FormerId.objects.bulk_create(
        [FormerId(draft=draft, part=part) for part in gone], ignore_conflicts=True
    )
    revision = Revision.objects.create(
        draft=draft,
        number=draft.position + 1,
        parent=draft.position or None,
        document=after.document,
        bytes=after.bytes,
        meaning=after.meaning,
        ordered_meaning=after.ordered_meaning,
        digest=after.digest,
        note=note[:300],
        author_id=author.pk if author is not None else None,
        undoes=undoes,
        redoes=redoes,
    )
    draft.name = after.design.name
    draft.position = revision.number
    draft.version += 1
    draft.bytes += after.bytes
    draft.save(update_fields=["name", "position", "version", "bytes", "updated_at"])
    quotas.prune(draft)
    return revision


def said_in(revision: Revision) -> Said:
    """What stands at the places in a revision's document, as `Clash.key` has them: names, and the ids of parts."""
    by_id: dict[int, dict[Any, Any]] = {}

    def said(key: str) -> Any:
        here = revision.document
        for step in key.split("."):
            if isinstance(here, list):
                if id(here) not in by_id:
                    by_id[id(here)] = {part.get("id"): part for part in reversed(here)}
                here = by_id[id(here)].get(step)
            else:
                here = here.get(step) if isinstance(here, dict) else None
        return here

    return said
