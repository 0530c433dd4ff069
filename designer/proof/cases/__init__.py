"""What each pattern is asked: combinations of given values that occur, and some that do not."""

from designer.core.answers import Parameters, State
from designer.core.design.document import Design
from designer.core.patterns.base import Read, Write
from designer.proof.cases.reads import read_cases
from designer.proof.cases.writes import write_cases


def cases(design: Design, state: State, pattern: Read | Write) -> tuple[Parameters, ...]:
    """The parameters a pattern is run with; the same for the same design."""
    if isinstance(pattern, Read):
        return read_cases(design, state, pattern)
    return write_cases(design, state, pattern)
