"""A pattern that creates many items in one request each, where batches might do."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.edits.patterns import change_pattern, pattern_of
from designer.core.lint.base import Fix, Found, Plans, Rule, at_pattern, number_at, steps
from designer.core.messages import say
from designer.core.patterns import Create, Upsert

MANY = 5
"""Items, on average, from which batches take clearly fewer requests."""


class NewItemsOneByOne(Rule):
    id = "C107"
    severity = "advice"
    title = "One request per new item"
    about = "pattern"
    what = f"An access pattern creates {MANY} or more items on average, and sends one PutItem request for each."
    why = (
        "A create must not replace an existing item. A condition prevents that, and BatchWriteItem takes no "
        "conditions. An upsert needs none, so one request can write up to 25 items. The write units stay the same."
    )
    source = (
        "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html"
    )
    cure = (
        "Make it an upsert, if existing items may be overwritten. That is safe if the same call always writes the "
        "same items, such as the entries of one post in the feeds of its readers: a repeated call then changes nothing."
    )
    offers = {
        "upsert": "Writes the items whether they exist or not, up to 25 in one request.",
    }

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        found = {
            number: step.expects.requests
            for _, number, step in steps(plans)
            if step.call == "PutItem" and step.expects.requests >= MANY
        }
        for number, requests in sorted(found.items()):
            if isinstance(design.pattern(number), Create):
                yield Found(
                    at_pattern(number),
                    say("new-items-one-by-one", pattern=number, requests=requests),
                    say("upsert-in-batches"),
                )

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        number = number_at(where)
        yield Fix(
            "upsert", "Write them whether they exist or not", lambda now: _upserted(now, number)
        )


def _upserted(design: Design, number: int) -> Design:
    """The design with an upsert in the place of a create."""
    pattern = pattern_of(design, number)
    stated = {name: getattr(pattern, name) for name in Create.model_fields if name != "kind"}
    return change_pattern(design, number, Upsert(**stated))
