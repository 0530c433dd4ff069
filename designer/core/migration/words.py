"""Lists as people say them."""

from collections.abc import Sequence


def joined(names: Sequence[str]) -> str:
    """Names in a sentence: `A`, `A and B`, `A, B and C`.

    >>> joined(["GSI1PK", "GSI1SK", "Type"])
    'GSI1PK, GSI1SK and Type'
    """
    return " and ".join([part for part in (", ".join(names[:-1]), *names[-1:]) if part])
