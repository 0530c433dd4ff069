"""A read that a rewritten design has besides those that were stated, for the sake of one of them."""

from designer.core.patterns import BatchGet


class AddedRead(BatchGet):
    """Asks for items beside those that a stated pattern asks for, each time that one is asked."""

    stands_for: int
    """The number of that pattern, by which explanations speak of it."""
