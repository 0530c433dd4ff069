"""A list or set that writes make longer, of which nobody said how long it gets."""

from collections.abc import Iterator

from designer.core.capacity.sizes import entity_bytes
from designer.core.design.attributes import LISTS, Attribute
from designer.core.design.document import Design
from designer.core.dynamodb.limits import ITEM_BYTES
from designer.core.lint.base import Found, Plans, Rule, at_attribute, changes
from designer.core.messages import say


class ListGrows(Rule):
    id = "L104"
    severity = "warning"
    title = "Growing list without a limit"
    of_many = "lists grow without a limit"
    about = "attribute"
    what = (
        "A write extends or replaces a list or a set, but nothing states its largest size or its largest number of "
        "elements."
    )
    why = (
        "A growing list makes every write of its item more expensive, because DynamoDB charges for the whole "
        "item. A write that makes the item larger than 400 KB fails."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-use-s3-too.html"
    cure = (
        "Store the list's elements as items of their own, or state the largest number of elements or the largest "
        "size of the list."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for pattern, change in changes(design):
            entity = design.entity[change.entity]
            lengthened = {**change.append, **change.include}
            for name in (*lengthened, *(change.set if change.verb == "update" else ())):
                attribute = entity.by_name[name]
                if is_open(attribute):
                    yield Found(
                        at_attribute(entity.name, name),
                        say(
                            "list-grows" if name in lengthened else "list-may-grow",
                            pattern=pattern.number,
                            entity=entity.name,
                            attribute=name,
                            bytes=entity_bytes(entity),
                            most=ITEM_BYTES,
                        ),
                        say("store-elements-or-state-most", attribute=name),
                    )


def is_open(attribute: Attribute) -> bool:
    """Whether it is a list or set and nothing says how long it gets."""
    is_bounded = attribute.elements is not None or attribute.most_bytes is not None
    return attribute.type in LISTS and not is_bounded
