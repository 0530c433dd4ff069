"""What a deployment does to the tables: small changes, each from the tables before to those after."""

from collections.abc import Callable, Iterable
from typing import Any

from designer.core.migration.base import Tables
from designer.core.plan import Index, Shape, Table

Deploy = Callable[[Tables], Tables]


def add_tables(tables: Iterable[Table]) -> Deploy:
    """Make tables."""
    new = {table.name: table for table in tables}
    return lambda before: {**before, **new}


def drop_tables(names: Iterable[str]) -> Deploy:
    """Take tables out."""
    gone = set(names)
    return lambda before: {name: table for name, table in before.items() if name not in gone}


def change(name: str, **fields: Any) -> Deploy:
    """Give a table other settings."""
    return lambda before: {**before, name: before[name].model_copy(update=fields)}


def add_index(name: str, index: Index) -> Deploy:
    """Make an index."""

    def deploy(before: Tables) -> Tables:
        table = before[name]
        return change(name, indexes=(*table.indexes, index))(before)

    return deploy


def drop_index(name: str, index: str) -> Deploy:
    """Remove an index."""

    def deploy(before: Tables) -> Tables:
        stay = tuple(one for one in before[name].indexes if one.name != index)
        return change(name, indexes=stay)(before)

    return deploy


def both(old: Iterable[Shape], new: Iterable[Shape]) -> tuple[Shape, ...]:
    """The kinds of items of two plans together, each as it holds what both say."""
    was = {shape.shape: shape for shape in old}
    found = []
    for shape in new:
        earlier = was.pop(shape.shape, None)
        if earlier is not None:
            fields = {
                name: {**getattr(earlier, name), **getattr(shape, name)}
                for name in ("set", "attributes", "holds")
            }
            shape = shape.model_copy(update=fields)
        found.append(shape)
    return (*found, *was.values())
