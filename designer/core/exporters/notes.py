"""What templates say in words: which patterns a table or an index serves, and what its keys hold.

Design names, pattern names and descriptions are free text. As a comment each is one line without
control characters, which no format takes for more than a comment.
"""

import textwrap
from collections.abc import Iterable, Iterator

from designer.core.design.document import Design
from designer.core.exporters.quoting import flat
from designer.core.plan import Index, Plan, Shape, Table

STYLE_WORDS = {"single": "single-table style", "multi": "multi-table style"}


def wrapped(notes: Iterable[str], indent: int = 0) -> Iterator[str]:
    """Notes as lines of comments, without the sign; a long note goes on two spaces further in."""
    width = max(60, 98 - indent)
    for note in notes:
        lead = note[: len(note) - len(note.lstrip())]
        yield from textwrap.wrap(
            flat(note),
            width,
            initial_indent=lead,
            subsequent_indent=f"{lead}  ",
            break_long_words=False,
            break_on_hyphens=False,
        )


def about(design: Design, plan: Plan) -> tuple[str, ...]:
    """What a template is: the heading of the file."""
    heading = f"DynamoDB tables of {design.name}, {STYLE_WORDS[plan.style]}."
    made = f"Made by Keywright (planner {plan.planner}) from the design {plan.design.meaning}."
    return tuple(flat(note) for note in (heading, design.description, made) if note.strip())


def about_table(design: Design, plan: Plan, table: Table) -> tuple[str, ...]:
    """A table's patterns, what its items' keys are made of, and why it is there."""
    keys = [table.key.partition.name, *([table.key.sort.name] if table.key.sort else [])]
    return (
        f"Table {table.name}. {_serves(design, table.serves, 'Its key serves')}",
        *_keys(table.items, keys),
        *_because(plan, f"table {table.name}"),
    )


def about_index(design: Design, plan: Plan, table: Table, index: Index) -> tuple[str, ...]:
    """An index's patterns, what its keys are made of, and why it is there."""
    keys = [key.name for key in (*index.partition, *index.sort)]
    sparse = "Sparse: items without its keys are not in it." if index.sparse else ""
    return (
        f"Index {index.name}. {_serves(design, index.serves, 'Serves')} {sparse}".strip(),
        *_keys(table.items, keys),
        *_because(plan, f"index {table.name}/{index.name}"),
    )


def not_in_the_tables(design: Design, plan: Plan) -> Iterator[str]:
    """The patterns that the plan's tables do not answer, each with its reason."""
    for operation in plan.operations:
        if operation.answer in ("elsewhere", "not served"):
            name = _pattern(design, operation.pattern)
            yield flat(f"Pattern {name} is {_ANSWERS[operation.answer]}. {operation.because}")


_ANSWERS = {
    "elsewhere": "answered elsewhere: nothing is created for it",
    "not served": "not served by these tables",
}


def _pattern(design: Design, number: int) -> str:
    names = {pattern.number: pattern.name for pattern in design.patterns}
    return f'{number} "{names[number]}"' if number in names else str(number)


def _serves(design: Design, numbers: tuple[int, ...], verb: str) -> str:
    if not numbers:
        return ""
    return f"{verb} {', '.join(_pattern(design, number) for number in numbers)}."


def _keys(shapes: tuple[Shape, ...], keys: list[str]) -> Iterator[str]:
    """For each kind of item that has all of these keys, the template of each."""
    for shape in shapes:
        own = {name: f"{{{name}}}" for name in shape.attributes}
        templates = {**own, **shape.set}
        if all(key in templates for key in keys):
            yield f"  {shape.shape}: {', '.join(f'{key} = {templates[key]}' for key in keys)}"


def _because(plan: Plan, what: str) -> Iterator[str]:
    for decision in plan.decisions:
        if decision.about == what and decision.because:
            yield f"Why: {decision.because}"
