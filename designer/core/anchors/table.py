"""A table of a plan: style and name. It changes with its key, and with how items fill it."""

from designer.core.anchors.base import Found, PlannedAnchor, Scene, digest, of_style
from designer.core.anchors.index import templates
from designer.core.grid import grid_id
from designer.core.plan import Plan, Style, Table


class OfTable(PlannedAnchor):
    kind = "table"

    def called(self, table: str, rest: str, style: Style) -> str:
        return f"Table {table} {of_style(style)}"

    def find_in(self, scene: Scene, plan: Plan, table: Table, rest: str) -> Found | None:
        if rest:
            return None
        return Found(
            self.called(table.name, rest, plan.style),
            digest([table.key.model_dump(mode="json"), templates(table, None)]),
            state={"view": plan.style, "table": table.name},
            element=grid_id(plan.style, table.name, None),
        )
