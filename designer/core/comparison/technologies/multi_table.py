"""A table for each entity."""

from designer.core.comparison.technologies.base import OfStyle


class MultiTable(OfStyle):
    slug = "multi-table"
    label = "Multi table"
    place = 2
    style = "multi"
    when = "Entities differ in what they ask of a table or in who owns them, or what is asked still changes."
    takes = "The application joins what is stored apart, in several requests."
