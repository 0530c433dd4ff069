"""Designs know the ids of the parts that they had: so far, those in their revisions."""

from collections.abc import Iterator
from typing import Any

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def of_the_revisions(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    former_ids = apps.get_model("projects", "FormerId").objects
    revisions = apps.get_model("projects", "Revision").objects
    for draft, position in apps.get_model("projects", "Draft").objects.values_list(
        "pk", "position"
    ):
        ever: set[str] = set()
        now: set[str] = set()
        of_it = revisions.filter(draft=draft).values_list("number", "document")
        for number, document in of_it.iterator(chunk_size=50):
            found = set(_ids(document))
            ever |= found
            if number == position:
                now = found
        former_ids.bulk_create(
            [former_ids.model(draft_id=draft, part=part) for part in sorted(ever - now)]
        )


def _ids(document: dict[str, Any]) -> Iterator[str]:
    for name in ("entities", "relationships", "patterns"):
        for part in document.get(name) or ():
            for each in (part, *(part.get("attributes") or () if name == "entities" else ())):
                if each.get("id"):
                    yield each["id"]


class Migration(migrations.Migration):
    dependencies = [("projects", "0017_letters_asked_by")]

    operations = [
        migrations.CreateModel(
            name="FormerId",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("part", models.CharField(max_length=40)),
                (
                    "draft",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="projects.draft",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("draft", "part"), name="one_former_id")
                ],
            },
        ),
        migrations.RunPython(of_the_revisions, migrations.RunPython.noop),
    ]
