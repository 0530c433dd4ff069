"""Undo and redo: each takes back what the same person did last, whatever others did since.

Nothing is ever removed: what an edit changed is turned back in the newest design, and that is a revision too. Where
somebody else changed the same since, it is asked whose value shall stand.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.db.models import QuerySet

from designer.core.design.document import Design
from designer.core.edits import Choice, Clash, ClashError, merged
from designer.core.errors import DesignError
from projects import revisions
from projects.models import Draft, Revision
from projects.revisions import Person

LOOKED_AT = 200
"""Revisions of somebody among which their last edit is looked for."""
TAKES = ("undoes", "redoes", "is_left")
Settled = Callable[[Mapping[str, Choice] | None], Design]
"""What comes of an undo by what was chosen where both sides changed the same. DesignError as from `merged`."""


@dataclass(frozen=True)
class Steps:
    """What somebody can take back, and what they can do again."""

    undo: Revision | None = None
    redo: Revision | None = None
    undoes: str = ""
    """The edit that the undo takes back, in words."""
    redoes: str = ""
    """The edit that the redo does again, in words: what was done first, not its undo."""


@dataclass(frozen=True)
class Taken:
    """An edit that was undone or done again."""

    edit: Revision
    is_left: bool = False
    """Nothing came of it: what it changed stays as it is."""


class OverlappingError(DesignError):
    """An edit cannot be taken back by itself, because of what was done since."""

    def __init__(self, revision: Revision, error: DesignError, settled: Settled) -> None:
        super().__init__(error.code, error.reason, error.problems)
        self.revision = revision
        """What was to be taken back."""
        self.clashes = error.clashes if isinstance(error, ClashError) else ()
        self._settled = settled

    def taking(self, mine: Clash | None = None) -> Design | None:
        """What would come of it with their side of every clash, or my side of one; None where that does not hang
        together.
        """
        choices = {
            each.key: Choice("mine" if each == mine else "theirs", each.seen)
            for each in self.clashes
        }
        try:
            return self._settled(choices)
        except DesignError:
            return None


def steps(draft: Draft, person: Person) -> Steps:
    """The next ones of a person, without the documents."""
    if not draft.is_saved:
        return Steps()
    known = ("draft", "number", "parent", "note", *TAKES)
    listed = _own(draft, person).order_by("-number").only(*known)
    mine = list(listed[:LOOKED_AT])
    gone = undone(mine)
    left = [each for each in mine if each.number not in gone]
    edits = (each for each in left if each.undoes is None and each.parent is not None)
    redo = None
    for each in left:
        if each.undoes is not None and each.is_left:
            continue
        if each.undoes is not None:
            redo = each
        if each.redoes is None:
            break
    undo = next((each for each in edits if not each.is_left), None)
    return Steps(undo, redo, _edit(mine, undo), _edit(mine, redo))


def _edit(mine: Iterable[Revision], step: Revision | None) -> str:
    """What was done in the edit that a revision did again or took back, or in its own; of those at hand."""
    known = {each.number: each for each in mine}
    while step is not None and (of := known.get(step.undoes or step.redoes or 0)) is not None:
        step = of
    return step.note if step is not None else ""


def undone(some: Iterable[Revision]) -> set[int]:
    """The numbers of those among some revisions, the newest first, that later ones of them took back."""
    found: set[int] = set()
    for each in some:
        taken = each.undoes or each.redoes
        if taken is not None and each.number not in found:
            found.add(taken)
    return found


def undo(
    draft: Draft,
    person: Person,
    number: int | None = None,
    choices: Mapping[str, Choice] | None = None,
) -> Taken | None:
    """Take back the person's last edit; the edit, or None when there is none left.

    OverlappingError, with nothing done, when `choices` leave open whose value shall stand, or what comes of it does not
    hang together. With a number, only that revision is taken back: None when it is not their last edit any more. Where
    nothing comes of it, there is no new revision, and the next undo goes past it.
    """
    return _step(draft, person, number, choices, is_undo=True)


def redo(
    draft: Draft,
    person: Person,
    number: int | None = None,
    choices: Mapping[str, Choice] | None = None,
) -> Taken | None:
    """Do again what the person took back last; like `undo`."""
    return _step(draft, person, number, choices, is_undo=False)


def _step(
    draft: Draft,
    person: Person,
    number: int | None,
    choices: Mapping[str, Choice] | None,
    *,
    is_undo: bool,
) -> Taken | None:
    turn = partial(_turned, draft, person, number, choices, is_undo=is_undo)
    with revisions.turn(draft):
        revisions.read(draft)
        turned = turn()
        with transaction.atomic():
            revisions.hold(draft)
            if turned is None or not turned.is_of(draft):
                turned = turn()
            return None if turned is None else _recorded(draft, person, turned, is_undo=is_undo)


def _recorded(draft: Draft, person: Person, turned: "_Turned", *, is_undo: bool) -> Taken:
    taken, first = turned.taken, _first(draft, turned.taken)
    if turned.after is None:
        draft.revisions.filter(pk=taken.pk).update(is_left=True)
        return Taken(first, is_left=True)
    revisions.append(
        draft,
        turned.after,
        f"{'Undo' if is_undo else 'Redo'} r{first.number}: {first.note}",
        person,
        before=turned.before,
        undoes=taken.number if is_undo else None,
        redoes=None if is_undo else taken.number,
    )
    return Taken(first)


@dataclass(frozen=True)
class _Turned(revisions.Edited):
    """The newest design without what a revision changed; `after` is None where nothing comes of that."""

    taken: Revision


def _turned(
    draft: Draft,
    person: Person,
    number: int | None,
    choices: Mapping[str, Choice] | None,
    *,
    is_undo: bool,
) -> _Turned | None:
    """None where there is nothing to take back, or another revision than asked for."""
    found = steps(draft, person)
    taken = found.undo if is_undo else found.redo
    if taken is None or number not in (None, taken.number):
        return None
    newest = revisions.latest(draft)
    settled = _settled(draft, taken, newest)
    try:
        after = settled(choices)
    except DesignError as error:
        raise OverlappingError(taken, error, settled) from error
    if after == newest:
        return _Turned(draft.position, newest, None, taken)
    kept = revisions.written(revisions.newly_identified(draft, newest, after))
    return _Turned(draft.position, newest, kept, taken)


def _settled(draft: Draft, taken: Revision, newest: Design) -> Settled:
    """How to make the newest design without what a revision changed."""
    assert taken.parent is not None
    after, before = (
        revisions.design_of(draft.revisions.get(number=number))
        for number in (taken.number, taken.parent)
    )
    return partial(merged, after, before, newest)


def _first(draft: Draft, revision: Revision) -> Revision:
    """The edit that was undone, redone and undone again."""
    while (of := revision.undoes or revision.redoes) is not None:
        earlier = draft.revisions.defer("document").filter(number=of).first()
        if earlier is None:  # of a sandbox that had too many
            return revision
        revision = earlier
    return revision


def _own(draft: Draft, person: Person) -> QuerySet[Revision]:
    """What the person did. A sandbox is one visitor's, signed in or not."""
    if draft.is_sandbox:
        return draft.revisions.all()
    assert person is not None
    return draft.revisions.filter(author_id=person.pk or 0)
