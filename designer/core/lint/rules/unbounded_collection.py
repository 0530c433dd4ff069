"""A collection that may grow for ever."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Found, Plans, Rule, at_relationship, entity_of, keyed
from designer.core.messages import say
from designer.core.plan.keys import written


class UnboundedCollection(Rule):
    id = "K104"
    severity = "advice"
    title = "Unbounded item collection"
    of_many = "relationships have item collections without a stated limit"
    about = "relationship"
    what = "The key of the children contains their parent's identifier, and the relationship states no maximum."
    why = (
        "Children that share their parent's partition key form one collection. The design does not state how "
        "large a collection can get, so Keywright cannot check that it fits in one page of 1 MB and stays within the "
        "limits of a partition."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html"
    cure = "State the largest number of children that one parent can have."

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        collected = {
            (entity.name, frozenset(written(template)))
            for _, _, _, shape, template in keyed(plans)
            if (entity := entity_of(design, shape)) is not None
        }
        for relationship in design.relationships:
            if (
                relationship.most is not None
                or relationship.mosts is not None
                or relationship.cardinality == "1:1"
            ):
                continue
            for parent, pairs in design.sides(relationship):
                joined = frozenset(name for name, _ in pairs)
                if joined and (relationship.child, joined) in collected:
                    yield Found(
                        at_relationship(relationship.name),
                        say("unbounded-collection", child=relationship.child, parent=parent),
                        say("state-most", relationship=relationship.name),
                    )
