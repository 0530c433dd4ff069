"""What is kept of a project: who archived and moved what, who made links and tokens, and who took them back."""

from typing import Any

from projects.models import Draft, Project, ProjectEvent
from projects.models.links import Opening
from projects.revisions import Person

KEPT = 1000
"""Of each kind in a project, the newest: however often somebody makes a link and revokes it, it is still known who
moved a design.
"""


def keep(project: Project, kind: ProjectEvent.Kind, person: Person, **more: Any) -> None:
    """Keep what somebody did to a project, or to what is in it."""
    alike = ProjectEvent.objects.filter(project=project, kind=kind)
    for first in alike.order_by("-pk").values_list("pk", flat=True)[KEPT - 1 : KEPT]:
        alike.filter(pk__lte=first).delete()
    author = person.pk if person is not None else None
    ProjectEvent.objects.create(project=project, kind=kind, author_id=author, **more)


def note(
    kind: ProjectEvent.Kind,
    opening: Opening,
    project: Project | None,
    draft: Draft | None,
    person: Person,
) -> None:
    """Keep what somebody did to what opens this design, or every design of the project; of a design that belongs to
    nobody nothing is kept.
    """
    if project is not None:
        name = draft.name if draft is not None else ""
        keep(project, kind, person, draft=draft, name=name, other=str(opening))
