"""Who made links and tokens, and who took them back."""

from projects.models import Draft, Project, ProjectEvent
from projects.models.links import Opening
from projects.revisions import Person


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
        project.events.create(
            kind=kind,
            draft=draft,
            name=draft.name if draft is not None else "",
            other=str(opening),
            author_id=person.pk if person is not None else None,
        )
