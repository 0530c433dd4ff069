"""Revisions know the hash that approvals are bound to: of what they mean and the order in which they state it."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from designer.core.design.load import load_plain
from designer.core.design.meaning import ordered_meaning


def of_every_document(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    revisions = apps.get_model("projects", "Revision").objects
    for pk in list(revisions.values_list("pk", flat=True)):
        one = revisions.filter(pk=pk)
        document = one.values_list("document", flat=True).get()
        one.update(ordered_meaning=ordered_meaning(load_plain(document)))


class Migration(migrations.Migration):
    dependencies = [("projects", "0023_moved_reviews")]

    operations = [
        migrations.AddField(
            model_name="revision",
            name="ordered_meaning",
            field=models.CharField(default="", max_length=80),
            preserve_default=False,
        ),
        migrations.RunPython(of_every_document, migrations.RunPython.noop),
    ]
