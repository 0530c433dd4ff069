"""What is stated, what is missing and what to do next, as the left column shows it."""

from dataclasses import dataclass

from designer.core.design.document import Design
from designer.core.evaluation.evaluate import Evaluation
from designer.core.evaluation.guidance import Gap, Proven, Step, guide
from designer.core.plan import Style
from designer.views.addresses import Urls
from projects import proofs
from projects.models import Draft

MOST_GAPS = 4
"""So many are listed of a step; of the rest their number is said."""


@dataclass(frozen=True)
class GapLine:
    """Something that is missing, with the address where it is stated."""

    words: str
    url: str
    is_form: bool
    """It is stated in the left column."""
    is_finding: bool
    """The words state a problem, and not what to do."""


@dataclass(frozen=True)
class StepLine:
    """A step as it is shown."""

    step: Step
    gaps: tuple[GapLine, ...]

    @property
    def more(self) -> int:
        """Gaps that are not listed."""
        return len(self.step.gaps) - len(self.gaps)


@dataclass(frozen=True)
class Guided:
    """The steps, and the first thing to do."""

    lines: tuple[StepLine, ...]
    done: int
    next: GapLine | None
    style: Style | None
    """Whose plan the later steps are judged by; None while there is none."""
    is_running: bool
    """A proof is under way."""


def guided(draft: Draft, design: Design, evaluation: Evaluation | None, urls: Urls) -> Guided:
    """The seven steps of a design. `evaluation`: of this very design, in the styles that are looked at; None while it
    is being planned. Of several styles the first counts, so that side by side the steps are those of it alone.
    """
    style = None if evaluation is None else next(iter(evaluation.plans), None)
    if evaluation is not None and style is not None and len(evaluation.plans) > 1:
        evaluation = evaluation.of_one(style)
    found = guide(design, evaluation, _proven(draft, design))

    def line(gap: Gap) -> GapLine:
        return GapLine(gap.words, urls.of(gap.where), gap.where != "proof", gap.is_finding)

    lines = [StepLine(step, tuple(map(line, step.gaps[:MOST_GAPS]))) for step in found.steps]
    first = None if found.next is None else line(found.next[1])
    return Guided(tuple(lines), found.done, first, style, found.is_running)


def _proven(draft: Draft, design: Design) -> dict[Style, Proven]:
    return {shown.style: _standing(shown) for shown in proofs.shown(draft, design)}


def _standing(shown: proofs.Shown) -> Proven:
    if shown.is_live and not shown.is_stale:
        return "running"
    if shown.proof is None:
        return "never"
    if shown.is_stale:
        return "stale"
    return "passed" if shown.proof.passed else "failed"
