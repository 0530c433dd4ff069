"""A Region whose prices are not known."""

from designer.core.lint.base import Topic


class NoPrices(Topic):
    id = "no-prices"
    severity = "advice"
    title = "No prices for the Region"
    about = "settings"
    what = "Keywright has no prices for the design's Region, so it uses the prices of us-east-1."
    why = (
        "The planner compares plans by cost, and prices differ between Regions. Most prices differ by a common "
        "factor, but some do not."
    )
    source = "https://aws.amazon.com/dynamodb/pricing/on-demand/"
    cure = "Compare the figures with the price list of the Region, or plan for a Region with similar prices."
