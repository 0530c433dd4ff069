"""A design with provisioned capacity, whose plan is priced on demand."""

from designer.core.lint.base import Topic


class BilledOnDemand(Topic):
    id = "billed-on-demand"
    severity = "advice"
    title = "Plan uses on-demand prices"
    about = "settings"
    what = "The design states provisioned capacity, but the plan's own figures are for on-demand capacity."
    why = (
        "The planner chooses a plan by the cost of each request. The cost of provisioned capacity depends on how "
        "the traffic of all tables varies over the day."
    )
    source = "https://aws.amazon.com/dynamodb/pricing/provisioned/"
    cure = (
        "Read the plan's figures as on-demand costs. The Cost page shows the bill for provisioned capacity, and when "
        "that is cheaper."
    )
