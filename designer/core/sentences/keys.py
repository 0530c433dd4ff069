"""What the keys of a table and its indexes contain, and why, in words that pages show beside an item."""

from collections.abc import Iterator

from designer.core.examples.stored_items import index_key_names
from designer.core.plan import Shape, Table
from designer.core.plan.keys import PERIODS, Form, Part, is_condition, lone, parse, written
from designer.core.sentences.templates import EACH
from designer.core.words.english import joined

Said = dict[tuple[str, str], str]
"""By shape and attribute. Code stands between backticks."""


def key_words(table: Table) -> Said:
    """What is said of every key attribute of every shape that has it, the table's own first."""
    said: dict[tuple[str, str], list[str]] = {}
    for index in (None, *(each.name for each in table.indexes)):
        partition, sort = index_key_names(table, index)
        where = "" if index is None else f"Key of {index}. "
        out = "stored" if index is None else "in the index"
        for shape in table.items:
            for name in partition:
                if _has(shape, name):
                    words = where + _partition(table, shape, index, name, out)
                    said.setdefault((shape.shape, name), []).append(words)
            for name in sort:
                if _has(shape, name):
                    words = where + _sort(table, shape, partition, name, out)
                    said.setdefault((shape.shape, name), []).append(words)
    return {about: " ".join(words) for about, words in said.items()}


def called(shape: Shape) -> str:
    """What a row of this shape is called: `Order`, `PostViews`. Templates and reasons call it so, too."""
    return shape.entity if shape.role in ("entity", "edge") else shape.shape


def _has(shape: Shape, name: str) -> bool:
    return name in shape.set or name in shape.attributes


def _partition(table: Table, shape: Shape, index: str | None, name: str, out: str) -> str:
    template = shape.set.get(name)
    is_alone = index is None and _is_one_each(table, shape)
    if template is None or lone(template):
        value = f"The value of {_source(shape, name)}"
        if is_alone:
            return f"{value}, which no two {called(shape)} items share."
        return f"{value}. Items with the same value form one collection."
    of = _spread(template)
    if not of:
        together = "The same text for all of these items, so one Query reads them in order."
    elif is_alone:
        together = f"Each {called(shape)} has a collection of its own, which one Query reads."
    else:
        together = f"Items with the same {joined(of)} form one collection, which one Query reads."
    return " ".join((f"`{shown(template)}`.", together, *_forms(template, out)))


def _is_one_each(table: Table, shape: Shape) -> bool:
    """Whether no two items of this shape share a partition key value of the table: their sort key does not differ."""
    sort = table.key.sort
    if sort is None:
        return True
    template = shape.set.get(sort.name)
    return template is not None and not written(template)


def _spread(template: str) -> list[str]:
    names = [
        "shard"
        if isinstance(part, Form) and part.form == "shard"
        else EACH.get(part.name, part.name)
        for part in parse(template)
        if not isinstance(part, str) and not is_condition(part) and part.name in written(template)
    ]
    return list(dict.fromkeys(names))


def _sort(table: Table, shape: Shape, partition: tuple[str, ...], name: str, out: str) -> str:
    template = shape.set.get(name)
    if template is None or lone(template):
        return f"The value of {_source(shape, name)}, by which the items are sorted."
    by = [EACH.get(each, each) for each in written(template)]
    if by:
        order = f"Sorted by {', then '.join(by)}."
    elif partition == index_key_names(table, None)[0]:
        order = f"The same for every {called(shape)}, so each collection has at most one such item."
    else:
        order = f"The same for every {called(shape)}."
    beside = _beside(table, shape, partition, name)
    return " ".join((f"`{shown(template)}`.", order, *_forms(template, out), *beside))


def _beside(table: Table, shape: Shape, partition: tuple[str, ...], name: str) -> Iterator[str]:
    """How items of this shape stand to the others that lie with them."""
    mine = _begins(shape.set[name])
    where = [shape.set.get(each) for each in partition]
    others = {
        _begins(other.set[name]): called(other)
        for other in table.items
        if other.shape != shape.shape
        and other.set.get(name)
        and [other.set.get(each) for each in partition] == where
    }
    others.pop("", None)
    others.pop(mine, None)
    if not mine or not others:
        return
    apart = joined([f"{entity} (`{begin}`)" for begin, entity in sorted(others.items())])
    keys = "the key" if len(others) == 1 else "the keys"
    if not written(shape.set[name]):
        differ = "differs" if len(others) == 1 else "differ"
        is_alone = partition == index_key_names(table, None)[0]
        mine_alone = f"the {called(shape)} item" if is_alone else f"{called(shape)} items"
        yield f"{keys.capitalize()} of {apart} {differ}, so a Query can read {mine_alone} and no others."
    elif not any(begin.startswith(mine) for begin in others):
        yield (
            f"The key begins with `{mine}`, unlike {keys} of {apart}, so a Query can read {called(shape)} items and no "
            f"others."
        )
    head = next((begin for begin in others if begin[0].isalpha() and begin[-1] != "#"), None)
    if mine.startswith("#") and head is not None:
        first = others[head]
        yield (
            f"`#` sorts before every letter, so {called(shape)} items come before the {first} (`{head}`). A Query that "
            f"reads backwards from the {first} returns it first, then {called(shape)} items in reverse order."
        )


def _begins(template: str) -> str:
    """The constant text that a key begins with."""
    first = next((part for part in parse(template) if not is_condition(part)), "")
    return first if isinstance(first, str) else ""


def _source(shape: Shape, name: str) -> str:
    template = shape.set.get(name)
    return (lone(template) if template else None) or name


def shown(template: str) -> str:
    """A template as people read it, without the conditions under which it is written.

    >>> shown('{when(status, "FREE")}ROOM#{pad(4, 0, floor)}')
    'ROOM#<floor>'
    """
    return "".join(_shown(part) for part in parse(template) if not is_condition(part))


def _shown(part: Part) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Form) and part.form == "absent":
        return "".join(part.texts)
    if isinstance(part, Form) and part.form == "shard":
        return f"<shard of {part.name}>"
    return f"<{EACH.get(part.name, part.name)}>"


def _forms(template: str, out: str) -> Iterator[str]:
    """What becomes of values that are not written as they are, and when none is."""
    for part in parse(template):
        if isinstance(part, Form):
            yield from _form(part, EACH.get(part.name, part.name), out)


def _form(part: Form, name: str, out: str) -> Iterator[str]:
    listed = joined([f"`{text}`" for text in part.texts], "or")
    if part.form == "pad":
        yield f"{name} is padded with zeros, so that it sorts as a number."
    elif part.form == "inverse":
        yield f"{name} is inverted, so that the greatest comes first."
    elif part.form == "shard":
        yield f"The shard, a number derived from {name}, has {part.numbers[0]} values."
    elif part.form in ("when", "only"):
        has = f"{name} is {listed}" if listed else f"the item has {name}"
        yield f"Present only while {has}; otherwise, the item is not {out}."
    elif part.form == "absent":
        yield f"Present only while the item has no {name}; otherwise, the item is not {out}."
    elif part.form in PERIODS:
        yield f"Only the {part.form} of {name}."
