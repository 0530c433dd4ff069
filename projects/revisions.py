"""Designs opened, edited, undone and redone. Every write holds a lock on its project."""

from collections.abc import Callable

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import transaction

from designer.core import gallery
from designer.core.design.document import Design
from designer.core.design.load import load_plain, plain
from designer.core.design.meaning import meaning
from designer.core.edits import identified
from projects.models import Project, Revision
from projects.work import digest

Person = AbstractBaseUser | AnonymousUser | None
Change = Callable[[Design], Design]
Note = str | Callable[[], str]
"""What was done, or how to say it once it is done."""


def latest(project: Project) -> Design:
    """The design as it stands; of the gallery's when the project was never saved."""
    if not project.is_saved:
        return identified(gallery.load(project.template))
    return design_of(current(project))


def current(project: Project) -> Revision:
    return Revision.objects.get(project=project, number=project.position)


def design_of(revision: Revision) -> Design:
    return load_plain(revision.document)


@transaction.atomic
def start(project: Project, design: Design, note: str, author: Person = None) -> Project:
    """Save a new project with its first revision."""
    project.name = design.name
    project.save()
    _append(project, identified(design), note, author, parent=None)
    return project


@transaction.atomic
def edit(project: Project, change: Change, note: Note, author: Person = None) -> Design:
    """Apply the change to the newest design and record it; nothing is recorded when it changes
    nothing.

    What the change raises goes through, with nothing written. `project` is brought up to date.
    """
    _lock(project)
    before = latest(project)
    after = change(before)
    if after != before:
        said = note if isinstance(note, str) else note()
        _append(project, after, said, author, parent=project.position)
    return after


@transaction.atomic
def undo(project: Project) -> Revision | None:
    """Go back to the revision before; what was undone is kept for redo. None at the first
    revision.
    """
    _lock(project)
    undone = current(project)
    if undone.parent is None:
        return None
    project.redo = [*project.redo, undone.number]
    _move(project, undone.parent)
    return undone


@transaction.atomic
def redo(project: Project) -> Revision | None:
    """Do again what was undone last. None when nothing is left to redo."""
    _lock(project)
    if not project.redo:
        return None
    *project.redo, number = project.redo
    _move(project, number)
    return current(project)


@transaction.atomic
def restore(project: Project, revision: Revision, author: Person = None) -> Revision:
    """The design of an older revision as a new one."""
    _lock(project)
    design = design_of(revision)
    note = f"Go back to r{revision.number}"
    return _append(project, design, note, author, parent=project.position)


def _lock(project: Project) -> None:
    """Hold the project's row to the end of the transaction, and read it as it is now.

    SQLite has no row locks; there the transaction itself is the only one that may write.
    """
    newest = Project.objects.select_for_update().get(pk=project.pk)
    for field in ("name", "position", "redo", "version"):
        setattr(project, field, getattr(newest, field))


def _append(
    project: Project, design: Design, note: str, author: Person, parent: int | None
) -> Revision:
    last = project.revisions.order_by("-number").first()
    revision = Revision.objects.create(
        project=project,
        number=last.number + 1 if last else 1,
        parent=parent,
        document=plain(design),
        meaning=meaning(design),
        digest=digest(design),
        note=note[:300],
        author_id=author.pk if author is not None and author.is_authenticated else None,
    )
    project.name = design.name
    project.redo = []
    _move(project, revision.number)
    return revision


def _move(project: Project, number: int) -> None:
    project.position = number
    project.version += 1
    project.name = current(project).document["name"]
    project.save(update_fields=["name", "position", "redo", "version", "updated_at"])
