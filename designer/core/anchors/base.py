"""What an anchor is, and where its object is looked for."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from pydantic import BaseModel

from designer.core.design.document import Design
from designer.core.design.write import plain
from designer.core.examples import examples
from designer.core.examples.items import Examples
from designer.core.examples.stored_items import StoredItem, stored_items
from designer.core.grid.shown import STYLE_LABELS
from designer.core.plan import ALL_STYLES, Plan, Style, Table


@dataclass(frozen=True)
class Found:
    """An object as it is."""

    label: str
    """What people call it."""
    digest: str = ""
    """Changes with what it says; empty while its plan isn't known."""
    place: str = ""
    """Where the design states it, as in findings: `entities.Order`."""
    state: Mapping[str, str] = field(default_factory=dict)
    """How the workspace must show the grid that it stands in."""
    element: str = ""
    """Its element on that page."""


class Scene:
    """A design, and its plans as far as they are known: where objects are looked for."""

    def __init__(self, design: Design, plan_of: Callable[[Style], Plan | None]) -> None:
        self.design = design
        self._plan_of = plan_of
        self._plans: dict[Style, Plan | None] = {}
        self._items: dict[tuple[Style, str], dict[str, StoredItem]] = {}

    def plan(self, style: Style) -> Plan | None:
        if style not in self._plans:
            self._plans[style] = self._plan_of(style)
        return self._plans[style]

    def items(self, plan: Plan, table: Table) -> dict[str, StoredItem]:
        """The example items of a table by their ids."""
        known = (plan.style, table.name)
        if known not in self._items:
            found = stored_items(self.design, plan, self._examples, table)
            self._items[known] = {item.id: item for item in found}
        return self._items[known]

    @cached_property
    def _examples(self) -> Examples:
        return examples(self.design)


class Anchor:
    """A kind of object. To add one, write a module in this folder with a subclass."""

    kind: ClassVar[str]

    def find(self, scene: Scene, key: str) -> Found | None:
        """The object of a key; None when it isn't there."""
        raise NotImplementedError


class PlannedAnchor(Anchor):
    """A kind of object that stands in a plan: its key begins with the style and the table."""

    def find(self, scene: Scene, key: str) -> Found | None:
        style, _, rest = key.partition("/")
        if style not in ALL_STYLES:
            return None
        known = ALL_STYLES[ALL_STYLES.index(style)]
        name, _, rest = rest.partition("/")
        plan = scene.plan(known)
        if plan is None:
            return Found(self.called(name, rest, known))
        table = next((each for each in plan.tables if each.name == name), None)
        return None if table is None else self.find_in(scene, plan, table, rest)

    def called(self, table: str, rest: str, style: Style) -> str:
        """What people call an object of whose plan nothing is known."""
        raise NotImplementedError

    def find_in(self, scene: Scene, plan: Plan, table: Table, rest: str) -> Found | None:
        """The object in a table, by the rest of its key."""
        raise NotImplementedError


def of_style(style: Style) -> str:
    """Added to the name of what is in a plan: plans of several styles have tables of the same name."""
    return f"({STYLE_LABELS[style].lower()})"


def part_digest(part: BaseModel) -> str:
    """What a part of a design says, words included, but for its id and its place in the diagram."""
    without = ("id", "drawn_at")
    return digest({name: value for name, value in plain(part).items() if name not in without})


def digest(said: Any) -> str:
    text = json.dumps(said, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
