"""Designs belong to projects of teams, and no more to one person each: what was a project is a draft now."""

from typing import Any

import django.db.models.deletion
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import projects.models

SLUG = models.CharField(default=projects.models.new_slug, max_length=40, unique=True)
ID = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


def give_everyone_a_team(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """A team of one for everybody who owns a design, with one project for all they own."""
    drafts: Any = apps.get_model("projects", "Draft")
    teams: Any = apps.get_model("projects", "Team")
    for draft in drafts.objects.exclude(owner=None).select_related("owner"):
        team, is_new = teams.objects.get_or_create(
            home_of=draft.owner, defaults={"name": f"{draft.owner.username}'s team"}
        )
        if is_new:
            team.memberships.create(user=draft.owner, role="owner")
        draft.project, _ = team.projects.get_or_create(name="Designs")
        draft.save(update_fields=["project"])
    if schema_editor.connection.vendor == "postgresql":
        # It alters no table of which a foreign key is still to be checked.
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def rename_the_index_of_slugs(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """PostgreSQL keeps an index's name when its table is renamed, and the new table needs that name."""
    if schema_editor.connection.vendor == "postgresql":
        names = [
            schema_editor._create_index_name(table, ["slug"], suffix="_like")  # type: ignore[attr-defined]
            for table in ("projects_project", "projects_draft")
        ]
        schema_editor.execute('ALTER INDEX IF EXISTS "{}" RENAME TO "{}"'.format(*names))


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("projects", "0003_proofs"),
    ]

    operations = [
        migrations.RemoveConstraint("revision", "one_revision_a_number"),
        migrations.RemoveIndex("proof", "newest_proof"),
        migrations.RenameModel("Project", "Draft"),
        migrations.RunPython(rename_the_index_of_slugs),
        migrations.RenameField("revision", "project", "draft"),
        migrations.RenameField("proof", "project", "draft"),
        migrations.AlterModelOptions("revision", {"ordering": ["draft", "number"]}),
        migrations.AddConstraint(
            "revision",
            models.UniqueConstraint(fields=("draft", "number"), name="one_revision_a_number"),
        ),
        migrations.AddIndex(
            "proof", models.Index(fields=["draft", "style", "-id"], name="newest_proof")
        ),
        migrations.CreateModel(
            name="Team",
            fields=[
                ("id", ID.clone()),
                ("slug", SLUG.clone()),
                ("name", models.CharField(max_length=200)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "home_of",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="home_team",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", ID.clone()),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("viewer", "Viewer"),
                            ("reviewer", "Reviewer"),
                            ("editor", "Editor"),
                            ("owner", "Owner"),
                        ],
                        max_length=20,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "team",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="projects.team",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("team", "user"), name="one_membership_a_person")
                ]
            },
        ),
        migrations.CreateModel(
            name="Project",
            fields=[
                ("id", ID.clone()),
                ("slug", SLUG.clone()),
                ("name", models.CharField(max_length=200)),
                ("archived_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "team",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="projects",
                        to="projects.team",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="draft",
            name="project",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="drafts",
                to="projects.project",
            ),
        ),
        migrations.RunPython(give_everyone_a_team),
        migrations.RemoveField(model_name="draft", name="owner"),
    ]
