"""A list or set that writes make longer, of which nobody said how long it gets."""

from collections.abc import Iterator

from designer.core.design.document import LISTS, Attribute, Design
from designer.core.lint.base import Found, Plans, Rule, at_attribute, changes


class ListGrows(Rule):
    id = "L104"
    severity = "warning"
    title = "List that grows"
    about = "attribute"
    what = (
        "A write makes a list or a set longer, or writes it anew, and neither `elements` nor `most_bytes` says "
        "where it ends."
    )
    why = (
        "A list that grows inside an item makes every write of the item more expensive, as DynamoDB charges for the "
        "whole item. A write that makes the item larger than 400 KB fails."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-use-s3-too.html"
    cure = (
        "Make its elements items of their own, or state how many there are at the most (`elements`) or how large it "
        "gets (`most_bytes`)."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for pattern, change in changes(design):
            entity = design.entity[change.entity]
            lengthened = {**change.append, **change.include}
            for name in (*lengthened, *(change.set if change.verb == "update" else ())):
                attribute = entity.by_name[name]
                if is_open(attribute):
                    does = "makes" if name in lengthened else "may make"
                    yield Found(
                        at_attribute(entity.name, name),
                        f"Pattern {pattern.number} {does} {entity.name}.{name} longer, and nothing says where it ends.",
                        f"Make the elements of {name} items of their own, or state how many there are at the most.",
                    )


def is_open(attribute: Attribute) -> bool:
    """Whether it is a list or set and nothing says how long it gets."""
    is_bounded = attribute.elements is not None or attribute.most_bytes is not None
    return attribute.type in LISTS and not is_bounded
