"""Words before the entity that say which of its items come first, and how many: `the last 10`, `the latest`."""

import re

from designer.core.outline.asked import ARTICLES, Asked
from designer.core.outline.tails import time_of

_NEWEST = frozenset(["last", "latest", "newest", "recent", "most recent"])
_OLDEST = frozenset(["first", "oldest", "earliest"])
_COUNT = re.compile(r"[1-9]\d{0,6}")


def take_foremost(asked: Asked, until: int) -> str:
    """Take such words from the first `until` words. Returned is the way of the order that they say; empty if none."""
    before = len(asked.tokens) - until
    count, way, is_first = _counted(asked, before), "", False
    for words in (2, 1):
        said = " ".join(asked.tokens[:words]).lower()
        fits = len(asked.tokens) - before >= words and not asked.named.value_of(
            asked.tokens[0], asked.of
        )
        if fits and said in _NEWEST | _OLDEST:
            way, is_first = "descending" if said in _NEWEST else "ascending", said == "first"
            asked.take(words)
            break
    if not way:
        return ""
    counted_after = _counted(asked, before)
    count = count or counted_after
    if count:
        asked.values["limit"] = count
    # The first 20 are those that any order has first.
    return "" if is_first and counted_after else way


def put_first(asked: Asked, way: str, is_many: bool) -> None:
    """Order the items by time. One that is the latest is the first of such a list."""
    asked.values["order"] = [f"{time_of(asked)} {way}"]
    if not is_many:
        asked.values.setdefault("limit", 1)
        if asked.kind == "get":
            asked.kind = "list"


def _counted(asked: Asked, before: int) -> int:
    asked.skip(ARTICLES)
    is_count = len(asked.tokens) > before and _COUNT.fullmatch(asked.tokens[0])
    if not is_count or asked.named.value_of(asked.tokens[0], asked.of):
        return 0
    count = int(asked.tokens[0])
    asked.take()
    return count
