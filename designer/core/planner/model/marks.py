"""What a key may hold only to keep out the items without it."""

from designer.core.capacity.sizes import largest_value_bytes
from designer.core.design.attributes import Attribute

MARK_BYTES = 64
"""Bytes of the longest value that a key holds only to keep out the items without it.

A longer one is mostly text that people write, which may outgrow a sort key: DynamoDB would refuse to write the item.
"""


def is_too_long(attribute: Attribute) -> bool:
    """Whether a key does not hold an attribute only to keep out the items without it."""
    return largest_value_bytes(attribute) > MARK_BYTES
