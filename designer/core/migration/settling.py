"""The later plan under the names that are in use: which tables and indexes stay, and what is made anew.

A table stays when its key and its local indexes do, and when neither the old reads nor the new ones are disturbed while
items of both plans lie in it. An index stays when it holds the same under the same key. Everything else is made beside
what is there, under a name that is free, so that the old plan answers until the new one does.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from designer.core.migration.base import Change, Deployed, ShapeChange, TableChange, Value
from designer.core.migration.fitting import Fit, fits_of, free_name
from designer.core.migration.lineage import Lineage
from designer.core.migration.meeting import templates
from designer.core.migration.renaming import Names, renamed, under_prefix
from designer.core.plan import Plan, Shape, Table
from designer.core.sentences.templates import template_text
from designer.core.words.english import joined


def settle(before: Deployed, after: Deployed) -> Change:
    """Put two plans beside each other, the later one under the names that are in use.

    In another Region no table is there yet, and no name in use.
    """
    stated, here = after.design.table_prefix, before.plan
    if before.design.region == after.design.region:
        after = _under_prefix(after, before.design.table_prefix)
    else:
        here = here.model_copy(update={"tables": ()})
    lineage = Lineage(before.design, after.design)
    fits = fits_of(lineage, here, after.plan)
    taken = {table.name for table in here.tables}
    identified_by = partial(_in_templates, after.design.table_prefix)
    names = {}
    for fit in fits:
        kept = fit.kept
        name = kept.name if kept is not None else free_name(fit.after.name, taken, identified_by)
        taken.add(name)
        names[fit.after.name] = Names(name, fit.indexes, fit.attributes) if kept else Names(name)
    plan = renamed(after.plan, names)
    plan = plan.model_copy(
        update={
            "tables": tuple(
                _with_local_indexes(fit.kept, table)
                for fit, table in zip(fits, plan.tables, strict=True)
            )
        }
    )
    deployed = Deployed(after.design, plan)
    tables = tuple(
        _changed(lineage, before.plan, plan, fit, table)
        for fit, table in zip(fits, plan.tables, strict=True)
    )
    stay = {fit.kept.name for fit in fits if fit.kept is not None}
    gone = tuple(table for table in before.plan.tables if table.name not in stay)
    called = (*_prefix_kept(after.design.table_prefix, stated), *_called(fits, names))
    return Change(before, deployed, after.plan, tables, gone, called)


def _under_prefix(deployed: Deployed, prefix: str) -> Deployed:
    """A plan as it is with another prefix of its design."""
    design, plan = deployed.design, deployed.plan
    return Deployed(
        design.model_copy(update={"table_prefix": prefix}), under_prefix(design, plan, prefix)
    )


def _with_local_indexes(old: Table | None, new: Table) -> Table:
    """A local index goes with its table alone: those that nothing needs stay in it."""
    if old is None:
        return new
    names = {index.name for index in new.indexes}
    stay = tuple(
        index.model_copy(update={"serves": ()})
        for index in old.indexes
        if index.kind == "local" and index.name not in names
    )
    return new.model_copy(update={"indexes": (*new.indexes, *stay)}) if stay else new


def _changed(lineage: Lineage, before: Plan, after: Plan, fit: Fit, table: Table) -> TableChange:
    old = fit.kept
    was = {} if old is None else {new.shape: earlier for earlier, new in fit.pairs}
    shapes = []
    for shape in table.items:
        if shape.inside is not None:
            continue
        origin, earlier = lineage.old_entity(shape.entity), was.get(shape.shape)
        change = ShapeChange(table.name, shape, earlier, origin)
        if earlier is not None:
            change = replace(
                change,
                sets=tuple(_values(lineage, before, after, earlier, shape)),
                leaves=tuple(_left(earlier, shape)),
            )
        shapes.append(change)
    because, planned = tuple(fit.because), fit.after.name
    if old is None:
        return TableChange(table, planned, None, because, tuple(shapes))
    leftovers = tuple(fit.leftovers())
    return TableChange(
        table, planned, old, because, tuple(shapes), leftovers, fit.indexes, fit.attributes
    )


def _left(was: Shape, is_: Shape) -> Iterator[str]:
    known = templates(is_).keys() | is_.holds.keys()
    yield from (name for name in (*templates(was), *was.holds) if name not in known)


def _values(lineage: Lineage, before: Plan, after: Plan, was: Shape, is_: Shape) -> Iterator[Value]:
    """The attributes that an item that stays lacks so far, and where each comes from."""
    there = templates(was).keys() | was.holds.keys()
    for name, said in is_.attributes.items():
        if name not in there:
            yield _value(lineage, before, is_, was, name, said.from_ is not None)
    for name in is_.holds:
        if name not in there:
            yield Value(name, f"the {is_.holds[name]} items that belong to it", "embedded")
        else:
            one, other = before.shape(was.holds[name]), after.shape(is_.holds[name])
            more = [each for each in other.attributes if each not in one.attributes]
            if more:
                yield Value(
                    name, f"with {joined(more)} of each {is_.holds[name]} in it", "embedded"
                )
    for name, template in is_.set.items():
        if name not in there:
            yield Value(name, template_text(template), "template")


def _value(
    lineage: Lineage, before: Plan, is_: Shape, was: Shape, name: str, is_copy: bool
) -> Value:
    if is_copy:
        source = is_.attributes[name].from_
        assert source is not None
        by = " and ".join(f"its {mine}" for _, mine in source.per)
        return Value(name, f"{source.attribute} of the {source.entity} that {by} names", "copied")
    attribute = lineage.after.entity[is_.entity].by_name.get(name)
    if attribute is not None and attribute.aggregate is not None:
        return Value(name, attribute.aggregate, "counted")
    old = lineage.old_attribute(is_.entity, name)
    if old is None:
        return Value(name, f"a value of type {is_.attributes[name].type}", "stated")
    if old in was.attributes:
        return Value(name, f"what {old} holds", "renamed")
    others = [
        s.shape
        for t in before.tables
        for s in t.items
        if s.entity == was.entity and old in s.attributes
    ]
    return Value(name, f"{old} of its {others[0] if others else 'other'} item", "elsewhere")


def _in_templates(prefix: str, name: str) -> str:
    """What templates may tell a table by: of two that are alike, one would be called otherwise when the other goes."""
    return re.sub(r"[^a-z0-9]", "", name.removeprefix(prefix).lower())


def _prefix_kept(was: str, stated: str) -> Iterator[str]:
    """Which prefix is in use, where the later design states another, and what to do about that one."""
    if was == stated:
        return
    kept = f"the prefix {was}" if was else "their names without a prefix"
    said = f"says {stated}" if stated else "has no prefix"
    yield (
        f"The tables keep {kept}, those that are new have it too, and the templates of all steps say so. The later "
        f"design {said}: set it back to {was or 'none'}, or what is exported from it would create every table again. "
        "To create separate tables beside these, deploy another stack with another prefix."
    )


def _called(fits: list[Fit], names: dict[str, Names]) -> Iterator[str]:
    """Where what is deployed has another name than in the plan."""
    for fit in fits:
        name = names[fit.after.name]
        if name.table != fit.after.name:
            yield f"Table {fit.after.name} of the plan is deployed as {name.table}."
        if fit.kept is None:
            continue
        for index, called in fit.indexes.items():
            if index != called:
                yield f"Index {index} on table {fit.after.name} is deployed as {called}."
        for attribute, called in fit.attributes.items():
            if attribute != called:
                yield f"Attribute {attribute} of table {fit.after.name} is deployed as {called}."
