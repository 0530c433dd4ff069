"""What two designs have recorded of names: a line for each style, as recording changes no plan."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.design.names import StyleNames
from designer.core.design.wording import ended
from designer.core.difference.base import About, Change, code
from designer.core.sentences import joined

STYLES = {
    "single": "the plan in one table",
    "multi": "the plan with a table per entity",
    "grouped": "the plan in grouped tables",
}


def changes(before: Design, after: Design) -> Iterator[Change]:
    about = About("planner", "names", "Names")
    if before.names.anew != after.names.anew:
        yield Change(about, "changed", "The names are begun anew.", "names.anew")
    for style, words in STYLES.items():
        was, now = before.names.of(style), after.names.of(style)
        said = [*_said("new", _known(now) - _known(was)), *_said("gone", _known(was) - _known(now))]
        if was != now:
            what = "; ".join(said) or "where things were and are"
            sentence = ended(f"The names that {words} keeps: {what}")
            yield Change(about, "changed", sentence, f"names.{style}", is_wording=True)


def _known(names: StyleNames) -> set[str]:
    """The indexes and the kinds of items that have names."""
    return {index.name for index in names.indexes} | set(names.items)


def _said(how: str, names: set[str]) -> Iterator[str]:
    listed = sorted(names)
    if listed:
        more = [f"{len(listed) - 5} more"] * (len(listed) > 5)
        yield f"{how} {'is' if len(listed) == 1 else 'are'} {joined([*map(code, listed[:5]), *more])}"
