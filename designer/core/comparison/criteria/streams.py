"""Who hears of whose changes."""

from designer.core.comparison.criteria.base import Need, Sides
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Needs
from designer.core.plan import Upkeep
from designer.core.sentences.steps import kept_kinds

VIEWS = {
    "keys-only": "keys",
    "new": "new images",
    "old": "old images",
    "new-and-old": "new and old images",
}


class Streams(Need):
    """A stream tells of all that changes in its table; who wants to hear of one entity filters the others out."""

    slug = "streams"
    title = "Streams"
    by = "entities that would share a table but need different streams"
    better = "{fewer} entities that need different streams share a table"
    rank = 110
    fields = ("stream",)
    without = "No entity asks for a stream of its changes, and no plan needs one."
    nothing = "nobody needed a stream"
    otherwise = ("needed a stream of its changes", {"stream": "new-and-old"})

    def stated(self, design: Design, sides: Sides) -> dict[str, str]:
        """A plan that keeps copies or figures by a stream asks for one too."""
        followed: dict[str, list[Upkeep]] = {}
        for side in sides:
            for upkeep in side.plan.upkeep:
                followed.setdefault(side.plan.shape(upkeep.entity).entity, []).append(upkeep)
        return {
            name: words
            or (f"a stream for {kept_kinds(followed[name])}" if name in followed else "")
            for name, words in super().stated(design, sides).items()
        }

    def asked(self, design: Design, entity: Entity, needs: Needs) -> str:
        return f"a stream with {VIEWS[needs.stream]}" if needs.stream else ""

    def default(self, design: Design) -> str:
        return "no stream"
