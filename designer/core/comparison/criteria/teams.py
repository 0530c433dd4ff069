"""Who owns what."""

from designer.core.comparison.criteria.base import Need
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Needs


class Teams(Need):
    """A table has one owner, who deploys it, pays for it and answers for it."""

    slug = "teams"
    title = "Teams and ownership"
    by = "tables that several teams share"
    better = "{fewer} entities of different teams share a table"
    rank = 20
    fields = ("team",)
    without = "No entity states which team owns it."
    nothing = "no entity had a team of its own"
    otherwise = ("belonged to a team of its own", {"team": "a team of its own"})

    def asked(self, design: Design, entity: Entity, needs: Needs) -> str:
        return f"team {needs.team}" if needs.team else ""

    def default(self, design: Design) -> str:
        return "no team stated"
