"""Tables that are new, or take the place of one that cannot be changed.

A table's primary key and its local indexes are fixed when it is made; both are replacements in CloudFormation
(https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html), and one with
a name of its own cannot be replaced under that name.
"""

from designer.core.migration import deploying
from designer.core.migration.base import Caution, Change, Kind, Phase, Step
from designer.core.words.english import clause, joined

SOURCE = "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html"


class CreateTables(Kind):
    slug = "create-tables"

    def steps(self, change: Change) -> tuple[Step, ...]:
        if not change.made:
            return ()
        names = [made.table.name for made in change.made]
        them, their = ("it", "its") if len(names) == 1 else ("them", "their")
        does = [
            f"Deploy {them} with all {their} indexes: a new table can be created with all of them at once."
        ]
        does += [
            f"{made.table.name} replaces {made.planned}, because "
            f"{' '.join((f'{clause(made.because[0])}.', *made.because[1:]))}"
            for made in change.made
            if made.because
        ]
        cautions = (
            [
                Caution(
                    "note",
                    "CloudFormation creates tables in parallel, but DynamoDB limits how many tables with "
                    "indexes are created at once. If a stack has many, let them depend on each other.",
                )
            ]
            if sum(bool(made.table.indexes) for made in change.made) > 1
            else []
        )
        return (
            Step(
                self.slug,
                Phase.DEPLOY,
                f"Create {'table' if len(names) == 1 else 'tables'} {joined(names)}",
                tuple(does),
                tuple(cautions),
                sources=(SOURCE,),
                table=names[0] if len(names) == 1 else None,
                deploys=deploying.add_tables(made.table for made in change.made),
            ),
        )
