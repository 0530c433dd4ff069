"""Reviews know whose design they are of: so far, that of the team that has the design."""

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import OuterRef, Subquery


def of_todays_team(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    teams = apps.get_model("projects", "Team").objects.filter(projects__drafts=OuterRef("draft"))
    apps.get_model("projects", "Review").objects.update(team=Subquery(teams.values("pk")[:1]))


class Migration(migrations.Migration):
    dependencies = [("projects", "0015_identities")]

    operations = [
        migrations.AddField(
            model_name="review",
            name="team",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="projects.team",
            ),
        ),
        migrations.RunPython(of_todays_team, migrations.RunPython.noop),
    ]
