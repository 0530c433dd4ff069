"""What two designs have recorded of names, in one line, as recording changes no plan."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.design.names import StyleNames
from designer.core.difference.base import About, Change, code
from designer.core.words.english import joined

STYLES = {
    "single": "the single-table plan",
    "multi": "the multi-table plan",
    "grouped": "the plan with grouped tables",
}
ABOUT = About("names", "names", "Names")
LISTED = 5
"""Names that are listed one by one."""


def changes(before: Design, after: Design) -> Iterator[Change]:
    was, now = before.names.anew, after.names.anew
    if was != now:
        begun = "All names are chosen again: the recorded ones are forgotten."
        back = "The names that were recorded earlier are back."
        yield Change(ABOUT, "changed", begun if was < now else back, "names.anew")
        return
    said = [
        f"{words} ({_said(before.names.of(style), after.names.of(style))})"
        for style, words in STYLES.items()
        if before.names.of(style) != after.names.of(style)
    ]
    if said:
        sentence = f"Names are recorded for {joined(said)}."
        yield Change(ABOUT, "changed", sentence, "names", is_wording=True)


def _said(before: StyleNames, after: StyleNames) -> str:
    was, now = _known(before), _known(after)
    parts = {"new": now - was, "gone": was - now}
    told = [f"{how}: {_listed(sorted(names))}" for how, names in parts.items() if names]
    return "; ".join(told) or "other places of the same things"


def _known(names: StyleNames) -> set[str]:
    """The indexes and the kinds of items that have names."""
    return {index.name for index in names.indexes} | set(names.items)


def _listed(names: list[str]) -> str:
    more = [f"{len(names) - LISTED} more"] * (len(names) > LISTED)
    return joined([*map(code, names[:LISTED]), *more])
