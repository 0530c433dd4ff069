"""Designs opened, edited, undone and redone. Every write holds a lock on its draft."""

from collections.abc import Callable

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import transaction

from designer.core import gallery
from designer.core.design.document import Design
from designer.core.design.load import load_plain, plain
from designer.core.design.meaning import meaning
from designer.core.edits import identified
from projects.models import Draft, Revision
from projects.work import digest

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
    return load_plain(revision.document)


@transaction.atomic
def start(draft: Draft, design: Design, note: str, author: Person = None) -> Draft:
    """Save a new draft with its first revision."""
    draft.name = design.name
    draft.save()
    _append(draft, identified(design), note, author, parent=None)
    return draft


@transaction.atomic
def edit(draft: Draft, change: Change, note: Note, author: Person = None) -> Design:
    """Apply the change to the newest design and record it; nothing is recorded when it changes
    nothing.

    What the change raises goes through, with nothing written. `draft` is brought up to date.
    """
    _lock(draft)
    before = latest(draft)
    after = change(before)
    if after != before:
        said = note if isinstance(note, str) else note()
        _append(draft, after, said, author, parent=draft.position)
    return after


@transaction.atomic
def undo(draft: Draft) -> Revision | None:
    """Go back to the revision before; what was undone is kept for redo. None at the first
    revision.
    """
    _lock(draft)
    undone = current(draft)
    if undone.parent is None:
        return None
    draft.redo = [*draft.redo, undone.number]
    _move(draft, undone.parent)
    return undone


@transaction.atomic
def redo(draft: Draft) -> Revision | None:
    """Do again what was undone last. None when nothing is left to redo."""
    _lock(draft)
    if not draft.redo:
        return None
    *draft.redo, number = draft.redo
    _move(draft, number)
    return current(draft)


@transaction.atomic
def restore(draft: Draft, revision: Revision, author: Person = None) -> Revision:
    """The design of an older revision as a new one."""
    _lock(draft)
    design = design_of(revision)
    note = f"Go back to r{revision.number}"
    return _append(draft, design, note, author, parent=draft.position)


def _lock(draft: Draft) -> None:
    """Hold the draft's row to the end of the transaction, and read it as it is now.

    SQLite has no row locks; there the transaction itself is the only one that may write.
    """
    newest = Draft.objects.select_for_update().get(pk=draft.pk)
    for field in ("name", "position", "redo", "version"):
        setattr(draft, field, getattr(newest, field))


def _append(
    draft: Draft, design: Design, note: str, author: Person, parent: int | None
) -> Revision:
    last = draft.revisions.order_by("-number").first()
    revision = Revision.objects.create(
        draft=draft,
        number=last.number + 1 if last else 1,
        parent=parent,
        document=plain(design),
        meaning=meaning(design),
        digest=digest(design),
        note=note[:300],
        author_id=author.pk if author is not None and author.is_authenticated else None,
    )
    draft.name = design.name
    draft.redo = []
    _move(draft, revision.number)
    return revision


def _move(draft: Draft, number: int) -> None:
    draft.position = number
    draft.version += 1
    draft.name = current(draft).document["name"]
    draft.save(update_fields=["name", "position", "redo", "version", "updated_at"])
