"""Tables that a program keeps beside the application's own, such as the migrations that ran: no part of its model."""

from designer.core.importers.base import Line
from designer.core.importers.relational import Relational
from designer.core.messages import say

KEPT_BY = {
    "schema_migrations": "Rails, Ecto or golang-migrate",
    "ar_internal_metadata": "Rails",
    "django_migrations": "Django",
    "alembic_version": "Alembic",
    "flyway_schema_history": "Flyway",
    "databasechangelog": "Liquibase",
    "databasechangeloglock": "Liquibase",
    "goose_db_version": "goose",
    "knex_migrations": "Knex",
    "knex_migrations_lock": "Knex",
    "sequelizemeta": "Sequelize",
    "_prisma_migrations": "Prisma",
    "__efmigrationshistory": "Entity Framework",
    "doctrine_migration_versions": "Doctrine",
    "phinxlog": "Phinx",
    "__drizzle_migrations": "Drizzle",
}
"""By the name of a table in small letters, whose it is."""


def leave_out_tooling(relational: Relational) -> None:
    """Take such tables out, with a line each; those that others refer to stay, and all where nothing else is there."""
    wanted = {each.to.lower() for table in relational.tables.values() for each in table.foreign}
    found = {
        key: table
        for key, table in relational.tables.items()
        if table.name.lower() in KEPT_BY and not wanted & {table.name.lower(), key}
    }
    if len(found) == len(relational.tables):
        return
    for key, table in found.items():
        said = say("schema-tooling", tool=KEPT_BY[table.name.lower()])
        relational.lines.append(Line("dropped", said, table.full_name, table.line))
        del relational.tables[key]
