"""What templates say in words: which patterns a table or an index serves, and what its keys hold.

Design names, pattern names and descriptions are free text. As a comment each is one line without
control characters, which no format takes for more than a comment.
"""

import textwrap
from collections.abc import Iterable, Iterator

from designer.core.design.document import Design
from designer.core.exporters.quoting import flat
from designer.core.plan import Index, Plan, Shape, Table
from designer.core.report.standing import Standing
from designer.core.sentences.steps import COPIES, shape_name
from designer.core.words.english import when_given

STYLE_WORDS = {
    "single": "single-table style",
    "multi": "multi-table style",
    "grouped": "grouped style",
}


def wrapped(notes: Iterable[str], indent: int = 0) -> Iterator[str]:
    """Notes as lines of comments, without the sign; what is listed goes on two spaces further in."""
    width = max(60, 98 - indent)
    for note in notes:
        lead = note[: len(note) - len(note.lstrip(" "))]
        yield from textwrap.wrap(
            flat(note),
            width,
            initial_indent=lead,
            subsequent_indent=f"{lead}  " if lead else "",
            break_long_words=False,
            break_on_hyphens=False,
        )


def about(design: Design, plan: Plan, standing: Standing | None) -> tuple[str, ...]:
    """What a template is: the heading of the file. What it says last may change while the template does not."""
    heading = f"DynamoDB tables of {design.name}, {STYLE_WORDS[plan.style]}."
    made = f"Made by Keywright (planner {plan.planner}) from the design {plan.design.meaning}."
    stands = standing.sentence if standing is not None else ""
    return tuple(flat(note) for note in (heading, design.description, made, stands) if note.strip())


def about_table(design: Design, plan: Plan, table: Table) -> tuple[str, ...]:
    """A table's key templates, the patterns that it serves itself, and its reason."""
    keys = [table.key.partition.name, *([table.key.sort.name] if table.key.sort else [])]
    copies = [shape.shape for shape in table.items if shape.role == "copy"]
    reasons = {f"table {table.name}": "", **{f"copy {name}": f"{name}: " for name in copies}}
    return (
        f"Table {table.name}.",
        *([COPIES] if copies else []),
        *_about(design, plan, table, keys, table.serves, reasons),
    )


def about_index(design: Design, plan: Plan, table: Table, index: Index) -> tuple[str, ...]:
    """An index's key templates, the patterns that it serves, and its reason."""
    keys = [key.name for key in (*index.partition, *index.sort)]
    sparse = " Items without its keys are not in it." if index.sparse else ""
    return (
        f"Index {index.name}.{sparse}",
        *_about(design, plan, table, keys, index.serves, {f"index {table.name}/{index.name}": ""}),
    )


def not_in_the_tables(design: Design, plan: Plan) -> Iterator[str]:
    """The patterns that the plan's tables do not answer, each with its reason."""
    names = {pattern.number: pattern.name for pattern in design.patterns}
    answers = {
        "elsewhere": "served by another service, so nothing is created for it",
        "not served": "not served by these tables",
    }
    for operation in plan.operations:
        if operation.answer in answers:
            number = operation.pattern
            case = ""
            if operation.given is not None:
                case = f", {when_given(operation.given)},"
            said = f'Pattern {number} "{names.get(number, "")}"{case}'
            because = f" {operation.because.rstrip('.')}." if operation.because else ""
            yield flat(f"{said} is {answers[operation.answer]}.{because}")


def _about(
    design: Design,
    plan: Plan,
    table: Table,
    keys: list[str],
    serves: tuple[int, ...],
    leads: dict[str, str],
) -> Iterator[str]:
    """`leads` has what is to be justified, as decisions name it, each with how its reason begins."""
    names = {pattern.number: pattern.name for pattern in design.patterns}
    yield from _listed("Keys:", _templates(table.items, keys))
    yield from _listed("Serves:", (f"{number} {names.get(number, '')}" for number in serves))
    decided = [one for one in plan.decisions if one.about in leads]
    said = (
        f"{leads[one.about]}{one.because}"
        for one in decided
        if not any(one.about == other.about and one.says_less_than(other) for other in decided)
    )
    yield from _listed("Why:", dict.fromkeys(said))


def _listed(heading: str, lines: Iterable[str]) -> Iterator[str]:
    listed = [f"  {line}" for line in lines if line.strip()]
    return iter([heading, *listed] if listed else [])


def _templates(shapes: tuple[Shape, ...], keys: list[str]) -> Iterator[str]:
    """For each kind of item that has all of these keys, the template of each."""
    for shape in shapes:
        own = {name: f"{{{name}}}" for name in shape.attributes}
        templates = {**own, **shape.set}
        if all(key in templates for key in keys):
            yield f"{shape_name(shape)}: {', '.join(f'{key} = {templates[key]}' for key in keys)}"
