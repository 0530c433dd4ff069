"""Which access patterns mention which entity, attribute and relationship of a design."""

import re
from functools import cached_property

from designer.core.design.document import Design
from designer.core.edits.references import Renaming, renamed

MARK = "Mentioned9f3c"
"""Begins names that no design has: everything is given one, and the patterns then have those of what they mention."""


class Mentions:
    """The patterns of a design by what they mention."""

    def __init__(self, design: Design) -> None:
        self.design = design

    def entity(self, name: str) -> tuple[int, ...]:
        return self._numbers("entity", name)

    def attribute(self, entity: str, name: str) -> tuple[int, ...]:
        return self._numbers("attribute", entity, name)

    def relationship(self, name: str) -> tuple[int, ...]:
        return self._numbers("relationship", name)

    def _numbers(self, *part: str) -> tuple[int, ...]:
        return tuple(self._by_mark.get(self._marks.get(part, ""), ()))

    @cached_property
    def _marks(self) -> dict[tuple[str, ...], str]:
        parts: dict[tuple[str, ...], None] = {}
        for entity in self.design.entities:
            parts["entity", entity.name] = None
            parts |= {("attribute", entity.name, each.name): None for each in entity.attributes}
        parts |= {("relationship", each.name): None for each in self.design.relationships}
        return {part: f"{MARK}x{at}" for at, part in enumerate(parts)}

    @cached_property
    def _by_mark(self) -> dict[str, list[int]]:
        marked = renamed(
            Renaming(
                self.design,
                {part[1]: mark for part, mark in self._marks.items() if part[0] == "entity"},
                {
                    (part[1], part[2]): mark
                    for part, mark in self._marks.items()
                    if part[0] == "attribute"
                },
                {part[1]: mark for part, mark in self._marks.items() if part[0] == "relationship"},
            )
        )
        found: dict[str, list[int]] = {}
        for pattern in marked.patterns:
            for mark in set(re.findall(rf"{MARK}x\d+", pattern.model_dump_json())):
                found.setdefault(mark, []).append(pattern.number)
        return found
