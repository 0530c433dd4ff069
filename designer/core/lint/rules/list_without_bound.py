"""A list or set inside an item, of which nobody said how large it gets."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Found, Plans, Rule, at_attribute
from designer.core.lint.rules.list_grows import is_open
from designer.core.messages import say


class ListWithoutBound(Rule):
    id = "L102"
    severity = "advice"
    title = "List of unknown size"
    of_many = "lists have no stated size"
    about = "attribute"
    what = "An attribute is a list or a set, but its size is not stated."
    why = (
        "A growing list makes every write of its item more expensive. All attributes of an item together can "
        "take at most 400 KB."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-use-s3-too.html"
    cure = (
        "State its average size or its number of elements. If it grows without limit, store its elements as items of "
        "their own."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for entity in design.entities:
            for attribute in entity.stored:
                if is_open(attribute) and attribute.bytes is None:
                    yield Found(
                        at_attribute(entity.name, attribute.name),
                        say("list-without-bound", entity=entity.name, attribute=attribute.name),
                        say("state-bytes-or-elements"),
                    )
