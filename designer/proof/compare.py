"""How what an engine answered differs from what was expected, in words."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from designer.core.answers import (
    Along,
    Answer,
    Answered,
    Item,
    Row,
    Rows,
    Value,
    canonical,
    equal,
    number,
)


@dataclass(frozen=True)
class Difference:
    """How an answer differs from what was expected."""

    part: str
    missing: tuple[str, ...] = ()
    unexpected: tuple[str, ...] = ()
    order: str = ""

    @property
    def is_order(self) -> bool:
        """Whether the right rows came in a wrong order."""
        return bool(self.order) and self.part != "result"

    def __str__(self) -> str:
        said = []
        if self.missing:
            said.append(f"missing: {_several(self.missing)}")
        if self.unexpected:
            said.append(f"unexpected: {_several(self.unexpected)}")
        if self.order:
            said.append(self.order)
        return f"{self.part}: {'; '.join(said)}"


def _several(texts: tuple[str, ...]) -> str:
    more = f" and {len(texts) - 3} more" if len(texts) > 3 else ""
    return ", ".join(texts[:3]) + more


def compare(expected: Answer, actual: Answered) -> Difference | None:
    """How an answer differs from the expected one; None when it does not."""
    if expected.rows is None:
        if equal(number(expected.value), number(actual.value)):
            return None
        return Difference(
            "result", order=f"expected {show(expected.value)}, got {show(actual.value)}"
        )
    difference, matched = _compare_rows("rows", expected.rows, actual.parts.get("rows", ()))
    if difference is not None:
        return difference
    for name in dict.fromkeys(name for row in matched for name in row.along):
        difference = _compare_along(name, matched, actual.parts.get(name, ()))
        if difference is not None:
            return difference
    return None


def _compare_along(
    name: str, rows: Sequence[Row], actual: Sequence[tuple[str, Item]]
) -> Difference | None:
    left = list(actual)
    used: set[int] = set()
    for row in rows:
        along = row.along[name]
        own = [
            i
            for i, (entity, item) in enumerate(left)
            if (along.towards_one or i not in used)
            and _belongs(entity, item, along, len(rows) == 1)
        ]
        mine = [left[i] for i in own]
        if along.towards_one:
            mine = list(
                {(entity, canonical(item)): (entity, item) for entity, item in mine}.values()
            )
        difference, _ = _compare_rows(f"{name} of {show(row.item)}", along.rows, mine)
        if difference is not None:
            return difference
        used.update(own)
    stray = tuple(show(item) for i, (_, item) in enumerate(left) if i not in used)
    return Difference(name, unexpected=stray) if stray else None


def _belongs(entity: str, item: Item, along: Along, alone: bool) -> bool:
    """To a row that stands alone an item belongs even without carrying the reference."""
    return entity in along.joins and all(
        equal(item[name], value) if name in item else alone for name, value in along.joins[entity]
    )


def _compare_rows(
    part: str, expected: Rows, actual: Sequence[tuple[str, Item]]
) -> tuple[Difference | None, list[Row]]:
    """The difference of one part, and the expected row that each actual one is."""
    matched = []
    at = 0
    for group, least, most in expected.within_limit():
        pool = _Pool(group, expected.attributes)
        found = actual[at : at + most]
        for entity, item in found:
            row = pool.take(entity, item)
            if row is None:
                return _difference(part, expected, actual), []
            matched.append(row)
        if len(found) < least:
            return _difference(part, expected, actual), []
        at += len(found)
    if len(actual) != at:
        return _difference(part, expected, actual), []
    return None, matched


class _Pool:
    """Expected rows, from which each actual row takes the one it is."""

    def __init__(self, rows: Sequence[Row], attributes: tuple[str, ...] | None) -> None:
        self.attributes = attributes
        self.rows: dict[Value, list[Row]] = defaultdict(list)
        for row in rows:
            self.rows[self._key(row.entity, row.item)].append(row)

    def _key(self, entity: str, item: Item) -> Value:
        if self.attributes is None:
            return (entity, canonical(item))
        return (entity, canonical({name: item.get(name) for name in self.attributes}))

    def take(self, entity: str, item: Item) -> Row | None:
        rows = self.rows.get(self._key(entity, item), [])
        for i, row in enumerate(rows):
            if all(equal(row.item.get(name), value) for name, value in item.items()):
                return rows.pop(i)
        return None

    @property
    def left(self) -> list[Row]:
        return [row for rows in self.rows.values() for row in rows]


def _difference(part: str, expected: Rows, actual: Sequence[tuple[str, Item]]) -> Difference:
    """Which rows are missing or too many; where none is, the first in the wrong place."""
    certain: list[Row] = []
    cut: tuple[Row, ...] = ()
    few = many = 0
    for group, least, most in expected.within_limit():
        if least == len(group):
            certain += group
        elif most:
            cut, few, many = group, least, most
    must, may = _Pool(certain, expected.attributes), _Pool(cut, expected.attributes)
    unexpected = []
    for entity, item in actual:
        if must.take(entity, item) is None and may.take(entity, item) is None:
            unexpected.append(show(item))
    missing = [show(row.item) for row in must.left]
    taken = len(cut) - len(may.left)
    if taken < few:
        missing.append(f"{few - taken} of {len(may.left)} like {show(may.left[0].item)}")
    if taken > many:
        unexpected.append(f"{taken - many} beyond the limit of {expected.limit}")
    order = ""
    if not missing and not unexpected:
        order = _first_out_of_order(expected, actual)
    return Difference(part, tuple(missing), tuple(unexpected), order)


def _first_out_of_order(expected: Rows, actual: Sequence[tuple[str, Item]]) -> str:
    at = 0
    for group, _, most in expected.within_limit():
        pool = _Pool(group, expected.attributes)
        for place, (entity, item) in enumerate(actual[at : at + most], start=at + 1):
            if pool.take(entity, item) is None:
                return f"row {place} is {show(item)} where {show(group[0].item)} was expected"
        at += most
    return f"{len(actual)} rows where {expected.count} were expected"


def show(value: Value, most: int = 200) -> str:
    """A value in short, for people."""
    text = _show(value)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _show(value: Value) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name}: {_show(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(_show(inner) for inner in value)) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_show(inner) for inner in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, (str, bytes)) else str(value)
