"""A busiest value that is stated to have more items than the identifier can tell apart."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Found, Plans, Rule, at_attribute
from designer.core.messages import say
from designer.core.planner.model.shares import busiest_shares
from designer.core.planner.model.told_apart import most_told_apart


class BusiestBeyondIdentifier(Rule):
    id = "P113"
    severity = "warning"
    title = "Busiest value contradicts identifier"
    about = "attribute"
    what = (
        "The most common value of an identifier attribute is stated to be on more items than the other attributes of "
        "the identifier have values for."
    )
    why = (
        "An identifier is unique, so a value can be on as many items as the rest of the identifier has different "
        "values, and on no more. Keywright counts with the lower number, so figures of the busiest value may be too "
        "low."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.CoreComponents.html"
    cure = (
        "State a smaller share of the busiest value, or more values of the other attributes. If only the traffic "
        "concentrates on the value, state that share in the access patterns instead (`hottest`)."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for entity in design.entities:
            for name, share in busiest_shares(entity, entity.identifier).items():
                most = most_told_apart(design, entity, (name,))
                stated = share * (entity.items or 0)
                if most is not None and stated > most * (1 + 1e-9):
                    yield Found(
                        at_attribute(entity.name, name),
                        say(
                            "busiest-beyond-identifier",
                            entity=entity.name,
                            attribute=name,
                            stated=stated,
                            most=most,
                        ),
                        say("state-smaller-busiest", attribute=name),
                    )
