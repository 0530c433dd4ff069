"""A collection that may grow for ever."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.keys import written
from designer.core.lint.base import Found, Plans, Rule, at_relationship, entity_of, keyed


class UnboundedCollection(Rule):
    id = "K104"
    severity = "advice"
    title = "Item collection without a bound"
    about = "relationship"
    what = (
        "Children are stored under a key with their parent's identifier, and `most` of the "
        "relationship is not stated."
    )
    why = (
        "Children that share their parent's partition key make one collection. Nothing states how large the largest "
        "one gets, so Keywright cannot check whether it fits a page and stays within a partition's limits."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html"
    cure = "State `most`: how many children one parent has at the most."

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
                        f"Nothing says how many {relationship.child} items one {parent} has at the most.",
                        f"State `most` on {relationship.name}.",
                    )
