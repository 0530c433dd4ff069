"""Whether a read may come upon items that are not its own: by what its key condition and their keys begin with.

A template's literal beginning tells: no value contains the delimiter, so what begins with `USER#` never begins with
`ORDER#`. Where the beginnings do not tell, the answer is yes.
"""

from collections.abc import Iterator, Mapping, Sequence

from designer.core.plan import (
    READS,
    Constant,
    Expression,
    Index,
    KeyCondition,
    Operation,
    Plan,
    Shape,
    Step,
    Table,
    keys,
)

_LAST = "\U0010ffff"


def reads_of(plan: Plan, table: str, index: str | None) -> Iterator[tuple[Operation, Step]]:
    """The reading steps of a plan's operations on a table itself, or on one of its indexes."""
    for operation in plan.operations:
        for step in operation.steps:
            if step.call in READS and (step.table, step.index) == (table, index):
                yield operation, step


def templates(shape: Shape) -> dict[str, str]:
    """What each attribute of a shape's items holds, as a template."""
    return {name: f"{{{name}}}" for name in shape.attributes} | shape.set


def entry(shape: Shape, index: Index) -> tuple[str, ...] | None:
    """The templates of an index's key for a shape; None where its items are not in the index."""
    known = templates(shape)
    found = [known.get(part.name) for part in (*index.partition, *index.sort)]
    return None if None in found else tuple(one for one in found if one is not None)


def disturbs(plan: Plan, table: Table, index: str | None, step: Step, shape: Shape) -> bool:
    """Whether items of a shape that the plan does not know there could change what a read answers.

    The caller tells shapes by the type attribute and passes over what it did not ask for. That fails where the
    items are of a kind that it does ask for, where there is no such attribute, where the engine only counts, and where
    a page has a limit.
    """
    if not _meets(table, index, step, shape):
        return False
    marked = plan.type_attribute is not None and plan.type_attribute in shape.set
    bounded = step.limit is not None and step.pages == "one"
    return not marked or shape.shape in step.shapes or step.count or bounded


def collide(one: Mapping[str, str], other: Mapping[str, str], table: Table) -> bool:
    """Whether items with these templates could have one primary key."""
    names = [part.name for part in (table.key.partition, table.key.sort) if part is not None]
    return all(name in one and name in other for name in names) and all(
        _equal_to(one[name], other[name]) for name in names
    )


def _meets(table: Table, index: str | None, step: Step, shape: Shape) -> bool:
    known = templates(shape)
    if index is not None:
        named = next(each for each in table.indexes if each.name == index)
        if entry(shape, named) is None:
            return False
    if step.call == "Query":
        return all(
            _within(condition, known[condition.attribute])
            for condition in step.where
            if condition.attribute in known
        )
    return any(
        all(_equal_to(_text(said), known.get(name, "")) for name, said in key.items())
        for key in (step.key, *step.also)
    )


def _text(said: Expression) -> str:
    """An expression as a template."""
    if isinstance(said, Constant):
        return keys.write((said.value if isinstance(said.value, str) else "",))
    return said


def _lead(template: str) -> tuple[str, bool]:
    """The literal beginning of a template, and whether that is all of it."""
    parts: Sequence[keys.Part] = [
        part
        for part in keys.parse(template)
        if isinstance(part, str) or not (isinstance(part, keys.Form) and part.form == "when")
    ]
    first = parts[0] if parts else ""
    return (first, len(parts) <= 1) if isinstance(first, str) else ("", False)


def _equal_to(one: str, other: str) -> bool:
    """Whether two templates could give one text."""
    (lead, whole), (begins, ends) = _lead(one), _lead(other)
    if whole and ends:
        return lead == begins
    if whole:
        return lead.startswith(begins)
    if ends:
        return begins.startswith(lead)
    return lead.startswith(begins) or begins.startswith(lead)


def _within(condition: KeyCondition, template: str) -> bool:
    """Whether a key of this template could meet a key condition."""
    if condition.equals is not None:
        return _equal_to(_text(condition.equals), template)
    lead, whole = _lead(template)
    highest = lead if whole else lead + _LAST
    if condition.begins_with is not None:
        prefix, _ = _lead(_text(condition.begins_with))
        return highest.startswith(prefix) or (not whole and prefix.startswith(lead))
    low, high = condition.between or (None, None)
    low = low or condition.from_ or condition.after
    high = high or condition.to or condition.below
    if low is not None and highest < _lead(_text(low))[0]:
        return False
    if high is None:
        return True
    above, complete = _lead(_text(high))
    return lead <= (above if complete else above + _LAST)
