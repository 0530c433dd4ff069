"""What the operations of a plan are written from: the models, the choice and its layout."""

from dataclasses import dataclass, replace

from designer.core.planner.layout.placement import Layout
from designer.core.planner.layout.placements import lay_out
from designer.core.planner.model.chosen import Choice
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.pricing.read_figures import repriced
from designer.core.planner.pricing.structures import keys_bytes
from designer.core.planner.solve.search import Search


@dataclass(frozen=True)
class Stated:
    """A design's models, and what is asked of them."""

    search: Search

    def model(self, entity: str) -> EntityModel:
        return self.search.models[entity]


@dataclass(frozen=True)
class Context(Stated):
    """What writing the operations of a plan needs."""

    choice: Choice
    layout: Layout


def context_of(search: Search, choice: Choice) -> Context:
    """A choice with its layout, by which every access is priced."""
    layout = lay_out(search, choice)
    return Context(search, _as_laid_out(search, choice, layout), layout)


def _as_laid_out(search: Search, choice: Choice, layout: Layout) -> Choice:
    """The choice with what its indexes hold after sharing, and every access priced by that."""
    entities = {}
    for name, chosen in choice.entities.items():
        model, projections = search.models[name], layout.projections[name]
        size = keys_bytes(model, chosen.base, projections)
        entity_reads = {part.id: part.entity_read for part in search.of_entity[name]}
        access = {
            at: repriced(
                model,
                chosen.base,
                used,
                entity_reads[at],
                projections.get(used.structure) if used.structure is not None else None,
                size,
            )
            for at, used in chosen.access.items()
        }
        entities[name] = replace(chosen, projections=projections, access=access)
    return replace(choice, entities=entities)
