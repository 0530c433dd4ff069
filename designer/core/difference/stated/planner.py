"""How two designs let the planner choose; the pins apart."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.difference.base import About, Change
from designer.core.difference.fields import Wording, Words, field_changes

WORDS: Words = {
    "objective": "the objective",
    "worth": "what an index has to save",
    "tolerance": "the tolerance",
    "composite_index_keys": "the kind of composite index keys",
    "key_names.single": "the kind of key names in a single table",
    "key_names.multi": "the kind of key names in several tables",
    "lookups_before_writes": "how writes find their item",
    "point_reads": "how one item is read",
    "items": "how items are split",
    "max_gsis": "the maximum number of global indexes",
    "delimiter": "the delimiter",
    "work_limit": "the limit of work",
}


def changes(before: Design, after: Design) -> Iterator[Change]:
    wording = Wording(About("planner", "", "Planner"), "The planner", WORDS)
    yield from field_changes(wording, before.planner, after.planner)
