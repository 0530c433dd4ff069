"""A table for each group of entities."""

from designer.core.comparison.technologies.base import OfStyle


class GroupedTables(OfStyle):
    slug = "grouped-tables"
    label = "Grouped tables"
    place = 3
    style = "grouped"
    when = "Some entities belong together, and others do not."
    takes = "Within a group, the same as a single table. Between groups, several requests."
