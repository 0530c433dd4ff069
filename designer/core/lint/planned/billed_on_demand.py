"""A design with provisioned capacity, whose plan is priced on demand."""

from designer.core.lint.base import Topic


class BilledOnDemand(Topic):
    id = "billed-on-demand"
    severity = "advice"
    title = "Plan priced on demand"
    about = "settings"
    what = "The design asks for provisioned capacity, and the plan's own figures are those of capacity on demand."
    why = (
        "A plan is chosen by what each request costs. The cost of provisioned capacity depends on how the traffic "
        "of all tables varies over the day."
    )
    source = "https://aws.amazon.com/dynamodb/pricing/provisioned/"
    cure = (
        "Read the plan's figures as what the requests would cost on demand. The page Cost shows the bill for "
        "provisioned capacity, and when it is cheaper."
    )
