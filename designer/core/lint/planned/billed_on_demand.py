"""A design with provisioned capacity, whose plan is priced on demand."""

from designer.core.lint.base import Topic


class BilledOnDemand(Topic):
    id = "billed-on-demand"
    severity = "advice"
    title = "Plan priced on demand"
    about = "settings"
    what = "The design asks for provisioned capacity, and the plan's own figures are those of capacity on demand."
    why = (
        "A plan is chosen by what each request costs. What provisioned capacity costs hangs on how the traffic "
        "moves over the day, of all tables together."
    )
    source = "https://aws.amazon.com/dynamodb/pricing/provisioned/"
    cure = (
        "Read the plan's figures as what the requests would cost on demand. The page Cost makes out the bill of "
        "provisioned capacity, and shows from where on it is cheaper."
    )
