"""What is done in the server's own database, beside it: `python -m tests.editors.inside people 8`, or `recorded`."""

import json
import os
import sys
from pathlib import Path
from typing import Any

CLUB = Path(__file__).parents[1] / "designs" / "club.yaml"
SLUG = "together"


def people(count: int) -> list[dict[str, str]]:
    """A team of editors with a design, and a session for each."""
    from django.contrib.auth.models import User
    from django.test import Client

    from designer.core.design.load import load
    from projects import revisions, teams
    from projects.models import Draft, Membership, Role

    owner = User.objects.create(username="owner")
    project = teams.home(owner)
    revisions.start(Draft(slug=SLUG, project=project), load(CLUB.read_text()), "Start", owner)
    found = []
    for number in range(count):
        person = User.objects.create(username=f"editor{number}")
        Membership.objects.create(team=project.team, user=person, role=Role.EDITOR)
        client = Client()
        client.force_login(person)
        found.append({"name": person.username, "session": str(client.session.session_key)})
    return found


def recorded() -> list[dict[str, Any]]:
    """Every revision, the oldest first."""
    from projects.models import Draft

    draft = Draft.objects.get(slug=SLUG)
    rows = draft.revisions.order_by("number").values(
        "number", "parent", "document", "undoes", "author__username"
    )
    assert draft.position == draft.revisions.count(), "the newest revision is the one shown"
    return list(rows)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "designer.settings")
    import django

    django.setup()
    said = recorded() if sys.argv[1] == "recorded" else people(int(sys.argv[2]))
    json.dump(said, sys.stdout)
