"""A key that is longer than DynamoDB allows."""

from designer.core.dynamodb.limits import PARTITION_KEY_BYTES, SORT_KEY_BYTES
from designer.core.lint.base import Topic


class KeyTooLong(Topic):
    id = "key-too-long"
    severity = "error"
    title = "Key too long"
    about = "entity"
    what = (
        f"A key value can be longer than the limit: {PARTITION_KEY_BYTES:,} bytes for a partition key, or "
        f"{SORT_KEY_BYTES:,} bytes for a sort key. The finding uses the largest size of each attribute, "
        "or the average size if no largest size is stated."
    )
    why = "DynamoDB rejects a write with a longer key."
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html"
    cure = "Query by a shorter value, such as a hash or the first part of the attribute."
