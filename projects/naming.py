"""Revisions that people gave a name: what they agreed on, shipped, or want to find again."""

from django.db import transaction

from designer.core.errors import DesignError
from designer.core.messages import say
from projects.models import Draft, Revision, RevisionName
from projects.revisions import Person, hold


@transaction.atomic
def name(
    draft: Draft, number: int, called: str, message: str = "", author: Person = None
) -> RevisionName:
    """Give a revision a name, for ever. DesignError when it has one, or another has this one."""
    hold(draft)
    revision = draft.revisions.filter(number=number).defer("document").first()
    if revision is None:
        raise DesignError("gone", say("no-such-revision"))
    known = RevisionName.objects.filter(revision=revision).first()
    if known is not None:
        raise DesignError(
            "named-already", say("revision-called-so", number=number, name=known.name)
        )
    taken = draft.names.filter(name__iexact=called).select_related("revision").first()
    if taken is not None:
        of = taken.revision.number
        raise DesignError("name-taken", say("name-of-revision", number=of, name=taken.name))
    return RevisionName.objects.create(
        draft=draft,
        revision=revision,
        name=called,
        message=message,
        author_id=author.pk if author is not None else None,
    )


def label(revision: Revision) -> str:
    """How a revision is offered among others: by its name, or else by what was done; both read with it."""
    named = getattr(revision, "named", None)
    return f"r{revision.number}, {named}" if named else f"r{revision.number}: {revision.note}"


def last_named(draft: Draft, before: int) -> Revision | None:
    """The newest revision with a name of those before a number."""
    named = draft.revisions.filter(named__isnull=False, number__lt=before)
    return named.select_related("named").order_by("-number").first()
