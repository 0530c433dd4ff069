"""What a page shows of some plans of a design: their grids, and how each answers the pattern that is looked at."""

from dataclasses import dataclass

from designer.core.design.document import Design
from designer.core.examples import examples
from designer.core.grid import sheet
from designer.core.grid.answer import Answer, answer, operation_for
from designer.core.grid.shown import Sheet, Showing
from designer.core.plan import Plan


@dataclass(frozen=True)
class Look:
    """What is looked at; nothing of it need be there."""

    pattern: int | None = None
    case: str | None = None
    table: str | None = None
    index: str | None = None
    form: Showing = "samples"


@dataclass(frozen=True)
class Sheets:
    """A sheet of each plan, and the answers to the pattern, where there are any."""

    sheets: tuple[Sheet, ...]
    answers: tuple[Answer, ...]


def sheets(design: Design, plans: tuple[Plan, ...], look: Look) -> Sheets:
    """The sheets of these plans, in their order."""
    rows = examples(design)
    found, answers = [], []
    for plan in plans:
        chosen = None if look.pattern is None else operation_for(plan, look.pattern, look.case)
        one = sheet(design, plan, rows, chosen, look.table, look.index, look.form)
        found.append(one)
        if look.pattern is not None:
            answers.append(answer(design, plan, look.pattern, look.case, one.reading))
    return Sheets(tuple(found), tuple(each for each in answers if each is not None))
