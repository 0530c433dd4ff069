"""Entities that share a table and ask different things of it."""

from designer.core.lint.base import Topic


class NeedsDiffer(Topic):
    id = "needs-differ"
    severity = "advice"
    title = "Different needs in one table"
    about = "entity"
    what = (
        "Entities share a table, but their needs differ: team, tenant, stream, recovery, table class or capacity "
        "mode. In the single-table style, only team and capacity mode are compared."
    )
    why = "A table has one backup setting, one table class, one capacity mode and one resource policy."
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-general-nosql-design.html"
    cure = (
        "Compare the plan with the multi-table style, in which each entity has a table of its own, or remove the "
        "pin that keeps the entities in one table."
    )
