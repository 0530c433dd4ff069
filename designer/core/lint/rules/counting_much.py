"""A count or a sum that reads many items each time it is asked for."""

from collections.abc import Iterator
from typing import NamedTuple

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Relationship
from designer.core.edits.attributes import add_attribute
from designer.core.edits.patterns import change_pattern
from designer.core.lint.base import Fix, Found, Plans, Rule, at_pattern, changes, number_at, reads
from designer.core.messages import Message, say
from designer.core.patterns import Get
from designer.core.patterns.base import Condition, Pattern, Read

MANY_UNITS = 20
"""Read units each time, from which one that is kept pays: with eventual consistency 160 KB of items."""


class CountingMuch(Rule):
    id = "C106"
    severity = "advice"
    title = "Expensive aggregate"
    about = "pattern"
    what = (
        f"A count, a sum, a maximum or a minimum takes {MANY_UNITS} or more read units each time, because it "
        "reads all items that it covers. If the read would take more than a few pages, the access pattern is not "
        "served. Access patterns "
        "that run no more than about once an hour are exempt."
    )
    why = (
        "DynamoDB charges for every item that a count reads, page by page. An aggregate in the parent, which "
        "the writes of the children keep up to date, needs one read of one item."
    )
    source = (
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.html#Query.Count"
    )
    cure = (
        "Store the result in the parent, as an aggregate such as the number of a customer's orders, and read the "
        "parent."
    )
    offers = {
        "keep": (
            "Gives the parent an attribute that holds the count or the sum, which the writes of the children "
            "keep up to date. The access pattern then reads the parent. Existing parents need an initial "
            "count or sum."
        ),
    }

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for read in filter(_is_figure, reads(design)):
            if read.rate is not None and read.rate.is_of_a_job:
                continue
            made = [one for p in plans.values() for one in p.operations_for(read.number)]
            units = max((one.read_units for one in made), default=0)
            problem = None
            if units >= MANY_UNITS:
                problem = say("reads-much-for-number", pattern=read.number, units=units)
            elif any(one.answer == "not served" for one in made) and _kept_with(design, read):
                problem = say("reads-too-much-for-number", pattern=read.number)
            if problem is not None:
                yield Found(at_pattern(read.number), problem, _remedy(design, read))

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        read = design.pattern(number_at(where))
        kept = _kept_with(design, read) if isinstance(read, Read) else None
        if kept is not None and not _only_later(design, kept):
            figure, parent = kept.aggregate, kept.parent
            yield Fix(
                "keep", f"Store the {figure} in each {parent}", lambda d: _keeping(d, read.number)
            )


class _Kept(NamedTuple):
    """A figure that a parent can hold, and how that parent is named."""

    parent: str
    aggregate: str
    relationship: Relationship
    where: tuple[Condition, ...]


def _is_figure(read: Read) -> bool:
    return read.answer_kind == "count" or read.aggregate is not None


def _remedy(design: Design, read: Read) -> Message:
    kept = _kept_with(design, read)
    if kept is None:
        return say("store-number-in-item")
    id = "store-number-by-stream" if _only_later(design, kept) else "store-number-in-parent"
    return say(id, parent=kept.parent, aggregate=kept.aggregate)


def _only_later(design: Design, kept: _Kept) -> bool:
    """Whether some write of the children does not know what it counts, or they expire, so that only a stream's
    consumer can follow."""
    child = kept.relationship.child
    return design.entity[child].expires or any(
        change.entity == child and (change.may_replace or pattern.collection)
        for pattern, change in changes(design)
    )


def _kept_with(design: Design, read: Read) -> _Kept | None:
    """The parent whose children are all that is counted; None where something else decides what is."""
    figure = _figure(read)
    if figure is None or len(read.entities) != 1 or read.keep:
        return None
    given = {c.attribute: c for c in read.where if c.is_ is not None and c.is_.param is not None}
    if len(given) != len(read.where) or any(condition.optional for condition in read.where):
        return None
    for relationship in design.of_child.get(read.entities[0], ()):
        parent, pairs = design.sides(relationship)[0]
        if pairs and {own for own, _ in pairs} == given.keys():
            where = tuple(Condition(attribute=up, is_=given[own].is_) for own, up in pairs)
            form, _, target = figure.partition(" of ")
            over = f"{relationship.name}.{target}" if target else relationship.name
            return _Kept(parent, f"{form} of {over}", relationship, where)
    return None


def _figure(read: Read) -> str | None:
    """`count`, or `sum of total`. The greatest and the least that are kept never go back, so they are not offered."""
    if read.answer_kind == "count":
        return "count"
    if read.aggregate is not None and read.aggregate.sum is not None:
        return f"sum of {read.aggregate.sum}"
    return None


def _keeping(design: Design, at: int) -> Design:
    """The design whose parent holds the figure, and whose pattern gets the parent for it."""
    read = design.pattern(at)
    assert isinstance(read, Read)
    kept = _kept_with(design, read)
    if kept is None:
        return design
    entity = design.entity[kept.parent]
    there = next((a.name for a in entity.attributes if a.aggregate == kept.aggregate), None)
    name = there or _free_name(kept, frozenset(entity.by_name))
    if there is None:
        held = Attribute(name=name, type="N", digits=15, aggregate=kept.aggregate)
        design = add_attribute(design, kept.parent, held)
    same = {field: getattr(read, field) for field in Pattern.model_fields if field != "kind"}
    asked = Get(
        **same,
        returns=kept.parent,
        where=kept.where,
        attributes=(name,),
        consistency=read.consistency,
    )
    return change_pattern(design, at, asked)


def _free_name(kept: _Kept, taken: frozenset[str]) -> str:
    form, _, over = kept.aggregate.partition(" of ")
    target = over.partition(".")[2]
    stem = f"{kept.relationship.name}{form.capitalize()}"
    stem = f"{stem}Of{target[:1].upper()}{target[1:]}" if target else stem
    names = (stem, *(f"{stem}{other}" for other in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)
