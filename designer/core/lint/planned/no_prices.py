"""A Region whose prices are not known."""

from designer.core.lint.base import Topic


class NoPrices(Topic):
    id = "no-prices"
    severity = "advice"
    title = "Region without prices"
    about = "settings"
    what = (
        "The design's Region is not in the table of prices, so its figures are those of us-east-1."
    )
    why = (
        "Plans are compared by what they cost, and prices differ between Regions: most by a common factor, some "
        "not."
    )
    source = "https://aws.amazon.com/dynamodb/pricing/on-demand/"
    cure = "Compare the figures with the price list of the Region, or plan for a Region near it."
