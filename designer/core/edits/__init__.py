"""Every change that a person can make to a design: pure functions that give the changed design.

What is added has no id until `identified` gives it one.

A change is refused with a `DesignError` whose message is a sentence for the page. It is never
refused for what was already wrong before it.
"""

from designer.core.edits.alternatives import use_alternative
from designer.core.edits.attributes import add_attribute, change_attribute, remove_attribute
from designer.core.edits.drawing import arrange, move_entity
from designer.core.edits.entities import add_entity, change_entity, remove_entity
from designer.core.edits.examples import set_example
from designer.core.edits.figures import state_figures
from designer.core.edits.identities import identified
from designer.core.edits.ignored import heed_finding, ignore_finding
from designer.core.edits.merging import REST, Choice, Clash, ClashError, merged, seen_of
from designer.core.edits.names import followed, name_anew, with_names_kept
from designer.core.edits.patterns import add_pattern, change_pattern, next_number, remove_pattern
from designer.core.edits.pins import add_pin, add_pins, remove_pin, replace_pins
from designer.core.edits.relationships import (
    add_relationship,
    change_relationship,
    remove_relationship,
)
from designer.core.edits.whole import change_settings, new_design, replace_design

__all__ = [
    "REST",
    "Choice",
    "Clash",
    "ClashError",
    "add_attribute",
    "add_entity",
    "add_pattern",
    "add_pin",
    "add_pins",
    "add_relationship",
    "arrange",
    "change_attribute",
    "change_entity",
    "change_pattern",
    "change_relationship",
    "change_settings",
    "followed",
    "heed_finding",
    "identified",
    "ignore_finding",
    "merged",
    "move_entity",
    "name_anew",
    "new_design",
    "next_number",
    "remove_attribute",
    "remove_entity",
    "remove_pattern",
    "remove_pin",
    "remove_relationship",
    "replace_design",
    "replace_pins",
    "seen_of",
    "set_example",
    "state_figures",
    "use_alternative",
    "with_names_kept",
]
