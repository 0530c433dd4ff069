"""Approvals know whether they were the last that was needed: so far, by the rules that hold today."""

from collections import defaultdict

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def by_the_rules_of_today(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    rules = apps.get_model("projects", "ReviewRules").objects
    needed = dict(rules.values_list("project", "approvals"))
    verdicts = apps.get_model("projects", "Verdict").objects
    approvals = verdicts.filter(kind="approve").order_by("pk")
    approvers: dict[tuple[object, ...], set[int]] = defaultdict(set)
    complete = []
    for pk, voter, project, *about in approvals.values_list(
        "pk",
        "voter",
        "review__draft__project",
        "review__draft",
        "review__team",
        "revision__meaning",
    ):
        found = approvers[tuple(about)]
        found.add(voter)
        if len(found) >= needed.get(project, 1):
            complete.append(pk)
    verdicts.filter(pk__in=complete).update(completes=True)


class Migration(migrations.Migration):
    dependencies = [("projects", "0019_talked_at")]

    operations = [
        migrations.AddField(
            model_name="verdict",
            name="completes",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(by_the_rules_of_today, migrations.RunPython.noop),
    ]
