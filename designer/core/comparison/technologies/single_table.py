"""One table for all."""

from designer.core.comparison.technologies.base import OfStyle


class SingleTable(OfStyle):
    slug = "single-table"
    label = "Single table"
    place = 1
    style = "single"
    when = "The access patterns are settled, and read several entities together."
    takes = "Keys that all entities share; one backup, one stream and one set of permissions for everything."
