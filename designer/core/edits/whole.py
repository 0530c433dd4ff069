"""The design as a whole: a new one, its settings, and another in its place."""

from typing import Any

from designer.core.design.document import Design
from designer.core.edits.removing import heeding_gone
from designer.core.edits.replacing import checked, replaced


def new_design(name: str) -> Design:
    """A design without anything in it."""
    return Design(name=name)


def change_settings(design: Design, **fields: Any) -> Design:
    """Name, description, Region, billing and what else stands beside the entities and the
    patterns.
    """
    return checked(design, replaced(design, **fields))


def replace_design(design: Design, new: Design) -> Design:
    """Another design in place of this one; it must have no problem at all."""
    return checked(Design(name=new.name), heeding_gone(design, new))
