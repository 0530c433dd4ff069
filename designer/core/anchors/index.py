"""An index of a plan: style, table and name. It changes with its keys, and with how items fill these."""

from designer.core.anchors.base import Found, PlannedAnchor, Scene, digest, of_style
from designer.core.examples.stored_items import index_key_names
from designer.core.grid import grid_id
from designer.core.plan import Plan, Style, Table


class OfIndex(PlannedAnchor):
    kind = "index"

    def called(self, table: str, rest: str, style: Style) -> str:
        return f"Index {rest} on {table} {of_style(style)}"

    def find_in(self, scene: Scene, plan: Plan, table: Table, rest: str) -> Found | None:
        index = next((each for each in table.indexes if each.name == rest), None)
        if index is None:
            return None
        stated = index.model_dump(mode="json", exclude={"serves"})
        return Found(
            self.called(table.name, rest, plan.style),
            digest([stated, templates(table, rest)]),
            state={"view": plan.style, "table": table.name, "index": rest},
            element=grid_id(plan.style, table.name, rest),
        )


def templates(table: Table, index: str | None) -> dict[str, list[str | None]]:
    """How each shape of item fills the keys of a table or an index."""
    partition, sort = index_key_names(table, index)
    return {
        shape.shape: [shape.set.get(name) for name in (*partition, *sort)] for shape in table.items
    }
