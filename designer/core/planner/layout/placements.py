"""Lay the chosen structures out as tables, indexes, key names and key templates."""

from collections.abc import Iterable
from dataclasses import replace

from designer.core.planner.layout.own_tables import lay_out_own
from designer.core.planner.layout.placement import Layout, Placement
from designer.core.planner.layout.shared_table import lay_out_shared, shared_table_name
from designer.core.planner.layout.tables import FreeNames
from designer.core.planner.model.chosen import Choice
from designer.core.planner.model.wording import capital
from designer.core.planner.solve.search import Search


def lay_out(search: Search, choice: Choice) -> Layout:
    """Place every structure."""
    layout = Layout(search.style, shared_queries=choice.shared_queries)
    own = {a.name for model in search.models.values() for a in model.entity.attributes}
    layout.type_attribute = next(
        n for n in ("Type", "EntityType", "ItemType", "KeywrightType") if n not in own
    )
    tables = FreeNames()
    for together in search.requirements.tables:
        part = _part_of(search, choice, together)
        if search.models[together[0]].style == "single":
            lay_out_shared(search, part, layout, tables(shared_table_name(search, together)))
        else:
            lay_out_own(search, part, layout, tables)
    # By the design's order, whoever shares a table.
    layout.bases = {name: layout.bases[name] for name in choice.entities}
    layout.projections = {name: layout.projections[name] for name in choice.entities}
    _name_shapes(layout, search.design.entity)
    _time_to_live(search, layout, own)
    return layout


def _name_shapes(layout: Layout, entities: Iterable[str]) -> None:
    """Call copies by their partition key, or by all their key where that is not enough; and no two shapes alike."""
    every = {key: p for key, p in layout.others.items() if p.structure.kind == "copy"}
    free = FreeNames((*entities, *(copy.called for copy in every.values())))
    copies = {key: copy for key, copy in every.items() if not copy.called}
    short = {key: _copy_name(p, p.structure.partition) for key, p in copies.items()}
    for key, copy in copies.items():
        twins = list(short.values()).count(short[key]) > 1
        wanted = _copy_name(copy, copy.structure.attributes) if twins else short[key]
        layout.others[key] = replace(copy, called=free(wanted))
    for named, guard in layout.guards.items():
        layout.guards[named] = replace(guard, shape=free(guard.shape))


def _copy_name(copy: Placement, names: tuple[str, ...]) -> str:
    return f"{copy.entity}By{''.join(map(capital, names))}"


def _part_of(search: Search, choice: Choice, together: tuple[str, ...]) -> Choice:
    """The choice for the entities of one table."""
    groups = tuple(
        group
        for group in choice.shared_queries
        if search.requirements.pattern_reads[group.pattern_read].entity_reads[group.parts[0]].entity
        in together
    )
    entities = {name: choice.entities[name] for name in together}
    return replace(choice, entities=entities, shared_queries=groups)


def _time_to_live(search: Search, layout: Layout, own: set[str]) -> None:
    by_table: dict[str, dict[str, str]] = {}
    for name, model in search.models.items():
        for attribute in model.entity.attributes:
            if attribute.ttl:
                for placement in layout.placements_of(name):
                    by_table.setdefault(placement.table, {})[name] = attribute.name
    for table, attributes in by_table.items():
        names = set(attributes.values())
        # Another entity's attribute of that name must not make its items expire.
        others = {
            a.name
            for name, placement in layout.bases.items()
            if placement.table == table and name not in attributes
            for a in search.models[name].entity.attributes
        }
        if len(names) == 1 and not names & others:
            layout.ttl[table] = names.pop()
            continue
        shared = FreeNames(own)("ttl")
        layout.ttl[table] = shared
        for name, source in attributes.items():
            layout.extra.setdefault(name, {})[shared] = f"{{{source}}}"
