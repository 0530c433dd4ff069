"""A row of a grid: style, table, and the example item. It is the same row in the table and in each of its indexes."""

from designer.core.anchors.base import Found, PlannedAnchor, Scene, digest, of_style
from designer.core.grid import grid_id
from designer.core.grid.build import key_texts
from designer.core.plan import Plan, Style, Table


class OfRow(PlannedAnchor):
    kind = "row"

    def called(self, table: str, rest: str, style: Style) -> str:
        return f"Row {rest} of {table} {of_style(style)}"

    def find_in(self, scene: Scene, plan: Plan, table: Table, rest: str) -> Found | None:
        item = scene.items(plan, table).get(rest)
        if item is None:
            return None
        return Found(
            self.called(table.name, ", ".join(key_texts(table, item)), plan.style),
            digest(item.values),
            state={"view": plan.style, "table": table.name},
            element=f"{grid_id(plan.style, table.name, None)}-{rest}",
        )
