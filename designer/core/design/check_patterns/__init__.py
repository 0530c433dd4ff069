"""Whether access patterns can be asked of the entities they name."""

from collections.abc import Iterator

from designer.core.design.check_patterns.flaws import unknown
from designer.core.design.check_patterns.reads import read_flaws
from designer.core.design.check_patterns.transactions import transaction_flaws
from designer.core.design.check_patterns.writes import single_write_flaws
from designer.core.design.document import Design
from designer.core.design.text import Flaw
from designer.core.patterns.base import Pattern, Read, SingleWrite, Write
from designer.core.patterns.elsewhere import Elsewhere


def pattern_flaws(design: Design, pattern: Pattern) -> Iterator[Flaw]:
    """What is wrong with one pattern, with paths inside it."""
    if isinstance(pattern, Elsewhere):
        named = pattern.returns if isinstance(pattern.returns, tuple) else (pattern.returns,)
        for name in named:
            if name not in design.entity:
                yield ("returns",), unknown("entity", name, design.entity)
    elif isinstance(pattern, Read):
        yield from read_flaws(design, pattern)
    elif isinstance(pattern, SingleWrite):
        yield from single_write_flaws(design, pattern)
    elif isinstance(pattern, Write):
        yield from transaction_flaws(design, pattern.changes)
