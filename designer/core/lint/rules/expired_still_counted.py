"""A count or a sum over items that expire, kept in their transactions."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.design.kept import Figure, kept_figures
from designer.core.lint.base import Fix, Found, Plans, Rule, at_attribute
from designer.core.lint.keeping import kept_by_stream
from designer.core.messages import say


class ExpiredStillCounted(Rule):
    id = "P112"
    severity = "warning"
    title = "Expired items still counted"
    about = "attribute"
    what = (
        "A count or a sum over a relationship's children is updated in the transactions that write them, and the "
        "children have a time to live."
    )
    why = (
        "DynamoDB deletes expired items by itself, without a transaction of the application. The count or sum keeps "
        "what they added. Only the table's stream reports these deletions."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-streams.html"
    cure = (
        "Let a stream consumer update the aggregate: set “Updated” in the attribute's form to “a moment later”. Or let "
        "an access pattern delete the items instead of a time to live."
    )
    offers = {
        "by-stream": (
            "Lets a stream consumer update the aggregates over that relationship's children, a moment later."
        ),
    }

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for figure in _counting_expired(design):
            yield Found(
                at_attribute(figure.entity, figure.name),
                say(
                    "expired-still-counted",
                    attribute=f"{figure.entity}.{figure.name}",
                    child=figure.child,
                ),
                say("keep-aggregate-by-stream"),
            )

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        places = (at_attribute(one.entity, one.name) for one in _counting_expired(design))
        if where in places:
            yield Fix(
                "by-stream",
                "Let a stream consumer update the aggregate",
                lambda now: kept_by_stream(now, where),
                looks_first=True,
            )


def _counting_expired(design: Design) -> Iterator[Figure]:
    for figure in kept_figures(design):
        is_at_once = figure.is_added and figure.kept == "at-once"
        if is_at_once and design.entity[figure.child].expires:
            yield figure
