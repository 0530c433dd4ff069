"""A list or set inside an item, of which nobody said how large it gets."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Found, Plans, Rule, at_attribute
from designer.core.lint.rules.list_grows import is_open


class ListWithoutBound(Rule):
    id = "L102"
    severity = "advice"
    title = "List without a bound"
    about = "attribute"
    what = "An attribute is a list or a set, and its size is not stated."
    why = (
        "A list that grows inside an item makes every write of the item more expensive. All attributes together may "
        "have 400 KB."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-use-s3-too.html"
    cure = "State its `bytes` or `elements`. If it grows without end, make its elements items of their own."

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for entity in design.entities:
            for attribute in entity.stored:
                if is_open(attribute) and attribute.bytes is None:
                    yield Found(
                        at_attribute(entity.name, attribute.name),
                        f"Nothing says how large {entity.name}.{attribute.name} gets.",
                        "State its `bytes` or `elements`; if it has no end, make its elements items of their own.",
                    )
