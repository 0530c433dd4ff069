from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F, Max


def show_the_newest(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """A draft that an undo left at an older revision gets that one again, as its newest."""
    Draft = apps.get_model("projects", "Draft")
    Revision = apps.get_model("projects", "Revision")
    behind = Draft.objects.annotate(newest=Max("revisions__number")).exclude(position=F("newest"))
    for draft in behind.filter(position__gt=0):
        shown = Revision.objects.get(draft=draft, number=draft.position)
        Revision.objects.create(
            draft=draft,
            number=draft.newest + 1,
            parent=draft.newest,
            document=shown.document,
            meaning=shown.meaning,
            digest=shown.digest,
            note=f"Undo back to r{shown.number}",
            author_id=shown.author_id,
        )
        Draft.objects.filter(pk=draft.pk).update(position=draft.newest + 1)


class Migration(migrations.Migration):
    dependencies = [("projects", "0005_reviews")]

    operations = [
        migrations.RemoveField(model_name="draft", name="redo"),
        migrations.AddField(
            model_name="revision",
            name="redoes",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="revision",
            name="undoes",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.RunPython(show_the_newest, migrations.RunPython.noop),
    ]
