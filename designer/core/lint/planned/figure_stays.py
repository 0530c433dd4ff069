"""A greatest or least that is kept, and whose children go, change or expire."""

from designer.core.lint.base import Topic


class FigureStays(Topic):
    id = "figure-stays"
    severity = "advice"
    title = "Outdated maximum or minimum"
    about = "attribute"
    what = (
        "An attribute holds the maximum or the minimum over a relationship's children, and an access pattern "
        "deletes children or changes the compared value, or the children have a time to live."
    )
    why = (
        "A write knows only the item that it changes. After the child with the maximum is deleted or changed, "
        "another read is needed to find the next maximum. The same is true of a minimum. The "
        "plan does not make that read, so the attribute keeps the old value."
    )
    source = (
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-gsi-aggregation.html"
    )
    cure = "If the value must be exact, use a sorted list of the children with a limit of 1."
