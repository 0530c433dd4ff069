"""Entities that share a table and ask different things of it."""

from designer.core.lint.base import Topic


class NeedsDiffer(Topic):
    id = "needs-differ"
    severity = "advice"
    title = "Entities of one table with different needs"
    about = "entity"
    what = (
        "Entities share a table, and their `needs` differ: team, tenant, stream, recovery, table class, capacity "
        "mode or personal data. In the single-table style only team and capacity mode are meant."
    )
    why = "A table has one of each: one backup, one class, one capacity mode, one set of permissions to start from."
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-general-nosql-design.html"
    cure = (
        "Compare with the multi-table style, where each entity has a table of its own, or remove the pin that holds"
        " them together."
    )
