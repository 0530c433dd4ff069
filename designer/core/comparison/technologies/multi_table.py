"""A table for each entity."""

from designer.core.comparison.technologies.base import OfStyle


class MultiTable(OfStyle):
    slug = "multi-table"
    label = "Multi table"
    place = 2
    style = "multi"
    when = "Entities have different needs or owners, or access patterns still change."
    takes = "The application joins data from several tables, in several requests."
