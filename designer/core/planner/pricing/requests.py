"""How many requests a read takes in all, asked for the rows of another read."""

from math import ceil

from designer.core.dynamodb.limits import BATCH_GET_BYTES, BATCH_GET_ITEMS
from designer.core.planner.model.score import exact
from designer.core.planner.model.structures import Access
from designer.core.rational import Fraction


def batches(items: float, size: float) -> int:
    """Requests of BatchGetItem that get so many items, which have so many bytes together: one at least.

    What a request had no room for, another one asks for again.
    """
    fit = BATCH_GET_ITEMS
    if items > 0 and size > 0:
        fit = min(fit, max(1, int(round(BATCH_GET_BYTES * items / size, 6))))
    return max(1, ceil(round(items / fit, 6)))


def requests_in_all(access: Access, times: float) -> Fraction:
    """Requests that it takes for so many rows. What is got by its key goes out in batches for all of them."""
    if times == 1:
        return exact(access.requests)
    if access.call == "get" and times > 1:
        return Fraction(batches(access.read * times, access.bytes * times))
    if access.then is None:
        return exact(access.requests) * exact(times)
    requests, items, size, _ = access.then
    return exact(access.requests - requests) * exact(times) + got_in_all(
        requests, items, size, times
    )


def got_in_all(requests: float, items: float, size: float, times: float) -> Fraction:
    """Requests of second reads that get so many items each, of so many bytes together.

    The application has the keys of all of them by then.
    """
    if times <= 1:
        return exact(requests) * exact(times)
    return Fraction(batches(items * times, size * times))
