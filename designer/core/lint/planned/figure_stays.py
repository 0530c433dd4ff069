"""A greatest or least that is kept, and whose children go or change."""

from designer.core.lint.base import Topic


class FigureStays(Topic):
    id = "figure-stays"
    severity = "advice"
    title = "Greatest or least that never goes back"
    about = "attribute"
    what = (
        "An attribute keeps the greatest or the least of a relationship's children, and an access pattern deletes them "
        "or changes what is compared."
    )
    why = (
        "A write knows the item that it changes. Which one comes next after the greatest goes, only a read of all "
        "can tell."
    )
    source = (
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-gsi-aggregation.html"
    )
    cure = "Where it must be of those that are there, ask for a list of one child, sorted, with a limit of 1."
