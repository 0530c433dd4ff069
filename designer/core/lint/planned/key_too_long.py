"""A key that is longer than DynamoDB allows."""

from designer.core.limits import PARTITION_KEY_BYTES, SORT_KEY_BYTES
from designer.core.lint.base import Topic


class KeyTooLong(Topic):
    id = "key-too-long"
    severity = "error"
    title = "Key longer than allowed"
    about = "entity"
    what = (
        f"The value of a key is on average longer than the {PARTITION_KEY_BYTES:,} bytes of a partition key or the "
        f"{SORT_KEY_BYTES:,} bytes of a sort key."
    )
    why = "A write with a longer key is refused."
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html"
    cure = "Query by something shorter, such as a hash of it or its first part."
