"""How many requests a read takes in all, asked for the rows of another read."""

from math import ceil

from designer.core.dynamodb.limits import BATCH_GET_ITEMS
from designer.core.planner.model.score import exact
from designer.core.planner.model.structures import Access
from designer.core.rational import Fraction


def requests_in_all(access: Access, times: float) -> Fraction:
    """Requests that it takes for so many rows. What is got by its key goes out a hundred at a time for all of them."""
    if times == 1:
        return exact(access.requests)
    if access.call == "get" and times > 1:
        return Fraction(ceil(times / BATCH_GET_ITEMS))
    if access.then is None:
        return exact(access.requests) * exact(times)
    requests, items, _, _ = access.then
    return exact(access.requests - requests) * exact(times) + got_in_all(requests, items, times)


def got_in_all(requests: float, items: float, times: float) -> Fraction:
    """Requests of second trips that get so many items each. The application has all of their keys by then."""
    if times <= 1:
        return exact(requests) * exact(times)
    return Fraction(max(1, ceil(round(items * times / BATCH_GET_ITEMS, 6))))
