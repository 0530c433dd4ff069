"""From a relational schema to a design: entities with their attributes, how they belong together, and what to ask."""

import re
from typing import Any

from designer.core.design.bounds import RELATIONSHIPS
from designer.core.design.check import flaws
from designer.core.design.load import load_plain
from designer.core.design.text import place
from designer.core.errors import DesignError, Problem
from designer.core.importers.attributes import AVERAGE_MOST, attribute_of
from designer.core.importers.base import Imported, Line, Proposal
from designer.core.importers.leaving import note_left_out
from designer.core.importers.model import Edge, Model, Thing
from designer.core.importers.naming import attribute_name, entity_name, free
from designer.core.importers.proposing import proposed
from designer.core.importers.relational import Column, Key, Relational, Table, Type
from designer.core.importers.together import keep_together
from designer.core.importers.tooling import leave_out_tooling
from designer.core.messages import say
from designer.core.words.spoken import plural, words

MOST_PARTS = 6
"""Attributes of an identifier, as the design has them."""
_TEXT_MOST = 4000
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_KEY_TYPES = ("S", "N", "B")


def imported(relational: Relational, name: str) -> Imported:
    """The design of a schema, with everything that it hints at. DesignError if no design can be made from it."""
    leave_out_tooling(relational)
    model = Model(lines=list(relational.lines))
    for table in relational.tables.values():
        _name(model, table)
    for thing in model.things:
        _identify(model, thing)
        _describe(model, thing)
    for thing in model.things:
        _refer(model, relational, thing)
    if len(model.edges) > 2 * RELATIONSHIPS.most:  # two make one between many and many
        reason = say("import-many-keys", count=len(model.edges), most=RELATIONSHIPS.most)
        raise DesignError("too-large", reason)
    _without_circles(model)
    for thing in model.things:
        _relate(model, thing)
    patterns, proposals = proposed(model)
    _what_is_missing(model)
    note_left_out(model)
    return _checked(model, name, patterns, proposals)


# Names and identifiers ----------------------------------------------------------------------------


def _name(model: Model, table: Table) -> None:
    wanted = entity_name(table.name)
    if wanted.casefold() in model.taken and table.schema:
        wanted = entity_name(f"{table.schema}_{table.name}")
    thing = Thing(table, free(wanted, model.taken, "Table"))
    if wanted and thing.name != wanted:
        said = say("entity-renamed", wanted=wanted, name=thing.name)
        model.guessed(said, table.full_name, table.line)
    taken: set[str] = set()
    for key, column in table.columns.items():
        cleaned = attribute_name(column.name)
        thing.named[key] = free(cleaned, taken, "attribute")
        if thing.named[key] != column.name:
            said = say("attribute-renamed", name=thing.named[key])
            model.guessed(said, f"{table.full_name}.{column.name}", column.line)
    model.things.append(thing)
    model.by_table[table.full_name.lower()] = thing


def _identify(model: Model, thing: Thing) -> None:
    """What identifies an item: the primary key, else what is unique and always there, else an id that is made up."""
    table = thing.table
    candidates = [table.primary] if table.primary else []
    candidates += [key for key in table.uniques if _always_there(table, key)]
    usable = [key for key in candidates if _may_identify(table, key)]
    if usable:
        thing.identifier = usable[0].columns
        if usable[0] is not table.primary:
            said = say("identified-by-unique", identifier=thing.identifier)
            model.guessed(said, table.full_name, table.line)
        return
    made = free("id", set(table.columns), "id")
    table.columns = {made: Column(made, Type("uuid", "uuid"), table.line, False), **table.columns}
    thing.named[made] = free(made, {name.casefold() for name in thing.named.values()}, "id")
    thing.identifier = (made,)
    said = say("identified-by-new-id", name=thing.named[made])
    model.guessed(said, table.full_name, table.line)


def _always_there(table: Table, key: Key) -> bool:
    return all(name in table.columns and not table.columns[name].nullable for name in key.columns)


def _may_identify(table: Table, key: Key) -> bool:
    known = all(name in table.columns for name in key.columns)
    return known and 0 < len(set(key.columns)) == len(key.columns) <= MOST_PARTS


def _describe(model: Model, thing: Thing) -> None:
    table = thing.table
    for key, column in table.columns.items():
        about = f"{table.full_name}.{column.name}"
        if column.type.family == "search" and key not in thing.identifier:
            model.lines.append(Line("dropped", say("search-vector"), about, column.line))
            continue
        attribute, said = attribute_of(column, thing.named[key])
        if key in thing.identifier and attribute["type"] not in _KEY_TYPES:
            attribute = {"name": thing.named[key], "type": "S"}
            said = say("identifier-as-text", entity=thing.name)
        if said is not None:
            model.guessed(said, about, column.line)
        if column.comment:
            attribute["description"] = _clean(column.comment)
        thing.attributes[key] = attribute
    _note_uniques(model, thing)
    _note_change(thing)


def _note_uniques(model: Model, thing: Thing) -> None:
    together: dict[frozenset[str], Key] = {}
    for unique in [*thing.table.uniques, *_whole(thing.table.primary)]:
        if len(unique.columns) == 1 and unique.columns[0] in thing.attributes:
            attribute = thing.attributes[unique.columns[0]]
            if unique.columns != thing.identifier and not attribute.get("unique"):
                said = say("unique-alone", entity=thing.name, attribute=attribute["name"])
                model.taken_line(said, unique.name or thing.table.full_name, unique.line)
            attribute["unique"] = True
        elif len(unique.columns) > 1:
            together.setdefault(frozenset(unique.columns), unique)
    for unique in together.values():
        keep_together(model, thing, unique)


def _whole(key: Key | None) -> list[Key]:
    return [key] if key is not None else []


_ONCE = re.compile(
    r"^(created|inserted|registered|signed_?up|placed|ordered|posted|sent|occurred)", re.IGNORECASE
)


def _note_change(thing: Thing) -> None:
    fixed = {*thing.identifier, *(name for each in thing.table.foreign for name in each.columns)}
    for key, attribute in thing.attributes.items():
        if key in thing.identifier and thing.identifier == (key,):
            attribute.pop("unique", None)
        if key not in fixed and not _ONCE.match(key):
            attribute["mutable"] = True


# How they belong together -------------------------------------------------------------------------


def _refer(model: Model, relational: Relational, thing: Thing) -> None:
    """Each foreign key as references of attributes."""
    for foreign in thing.table.foreign:
        about = foreign.name or f"{thing.table.full_name}.{', '.join(foreign.columns)}"
        to = relational.find(foreign.to)
        other = model.by_table.get(to.full_name.lower()) if to is not None else None
        if other is None:
            said = say("refers-to-absent", table=foreign.to)
            model.lines.append(Line("dropped", said, about, foreign.line))
            continue
        target = foreign.target or other.identifier
        known = all(name in thing.attributes for name in foreign.columns)
        there = all(name in other.attributes for name in target)
        if not known or not there or len(target) != len(foreign.columns):
            said = say("reference-mismatched")
            model.lines.append(Line("dropped", said, about, foreign.line))
            continue
        pairs = dict(zip(target, foreign.columns, strict=True))
        _same_types(model, thing, other, pairs, about, foreign.line)
        model.edges.append(Edge(thing, other, pairs, foreign, about))
        if foreign.rules:
            said = say("reference-rules", rules=foreign.rules)
            model.lines.append(Line("dropped", said, about, foreign.line))


def _same_types(
    model: Model, thing: Thing, other: Thing, pairs: dict[str, str], about: str, line: int
) -> None:
    """A reference has the type of what it refers to."""
    for theirs, mine in pairs.items():
        one, another = thing.attributes[mine], other.attributes[theirs]
        for field in ("type", "format", "digits", "scale", "bytes"):
            if field == "type" and one["type"] != another["type"]:
                said = say("type-of-reference", attribute=one["name"])
                model.guessed(said, about, line)
            one.pop(field, None)
            if field in another:
                one[field] = another[field]


def _without_circles(model: Model) -> None:
    """References whose attributes lead back to themselves say nothing: the last of a circle is left out."""
    refers: dict[tuple[str, str], tuple[str, str]] = {}
    for edge in list(model.edges):
        new = {
            (edge.child.name, mine): (edge.parent.name, theirs)
            for theirs, mine in edge.pairs.items()
        }
        if any(_leads_back(refers, at, to) for at, to in new.items()):
            said = say("reference-circle", entity=edge.parent.name)
            model.lines.append(Line("dropped", said, edge.about, edge.foreign.line))
            model.edges.remove(edge)
            continue
        for at, to in new.items():
            if at not in refers:
                refers[at] = to
                attribute = edge.child.attributes[at[1]]
                target = edge.parent.attributes[to[1]]["name"]
                attribute["refers_to"] = f"{edge.parent.name}.{target}"


def _leads_back(
    refers: dict[tuple[str, str], tuple[str, str]], start: tuple[str, str], to: tuple[str, str]
) -> bool:
    at: tuple[str, str] | None = to
    for _ in range(len(refers) + 1):
        if at is None or at == start:
            break
        at = refers.get(at)
    return at == start


def _relate(model: Model, thing: Thing) -> None:
    edges = [edge for edge in model.edges if edge.child is thing]
    ends = [edge for edge in edges if edge.is_by_identifier]
    if _is_junction(thing, ends):
        _many_to_many(model, thing, ends)
        return
    for edge in edges:
        if edge.is_by_identifier:
            _one_to(model, edge)
        else:
            said = say("reference-to-unique", entity=edge.parent.name)
            model.guessed(said, edge.about, edge.foreign.line)


def _is_junction(thing: Thing, ends: list[Edge]) -> bool:
    """Whether its identifier is the identifiers of two others, side by side."""
    if len(ends) != 2 or any(edge.child is edge.parent for edge in ends):
        return False
    held = [name for edge in ends for name in edge.pairs.values()]
    return sorted(held) == sorted(thing.identifier)


def _many_to_many(model: Model, thing: Thing, ends: list[Edge]) -> None:
    one, other = (edge.parent.name for edge in ends)
    by = [
        thing.attributes[edge.pairs[key]]["name"] for edge in ends for key in edge.parent.identifier
    ]
    name = _relationship_name(model, one, other)
    model.relationships.append(
        {"name": name, "many": [one, other], "through": thing.name, "by": by}
    )
    thing.joins = tuple(ends)
    said = say("has-many-to-many", one=one, other=other, through=thing.name)
    model.taken_line(said, thing.table.full_name, thing.table.line)


def _one_to(model: Model, edge: Edge) -> None:
    mine = [edge.pairs[key] for key in edge.parent.identifier]
    names = [edge.child.attributes[key]["name"] for key in mine]
    alone = len(mine) == 1 and edge.child.attributes[mine[0]].get("unique")
    is_one = alone or sorted(mine) == sorted(edge.child.identifier)
    name = _relationship_name(
        model, edge.parent.name, edge.child.name, "" if is_one else "many", names
    )
    made: dict[str, Any] = {"name": name, "by": names[0] if len(names) == 1 else names}
    if is_one and edge.child is not edge.parent:
        made["one"] = [edge.parent.name, edge.child.name]
        said = say("has-one", parent=edge.parent.name, child=edge.child.name)
    else:
        made |= {"one": edge.parent.name, "many": edge.child.name}
        if set(mine) < set(edge.child.identifier) and not _is_above(model, edge.child, edge.parent):
            made["identifying"] = True
            model.above.setdefault(edge.child.name, set()).add(edge.parent.name)
        said = say("has-many", parent=edge.parent.name, child=edge.child.name, by=tuple(names))
    edge.is_one = is_one
    model.relationships.append(made)
    model.taken_line(said, edge.about, edge.foreign.line)


def _is_above(model: Model, child: Thing, parent: Thing) -> bool:
    """Whether the child identifies the parent already, by way of others too."""
    reached, ways = {parent.name}, [parent.name]
    for name in ways:
        new = [each for each in model.above.get(name, ()) if each not in reached]
        reached.update(new)
        ways += new
    return child.name in reached


def _relationship_name(
    model: Model, one: str, other: str, many: str = "many", by: list[str] | None = None
) -> str:
    """`customerRentals`; where that is taken, with the attributes: `customerRentalsByPayer`."""
    ending = words(other) or [other]
    said = [*ending[:-1], plural(ending[-1]) if many else ending[-1]]
    name = f"{one[:1].lower()}{one[1:28]}{''.join(word.capitalize() for word in said)[:28]}"
    if name.casefold() in model.named and by:
        name = (name + "By" + "".join(word.capitalize() for word in words(" ".join(by))))[:60]
    return free(name, model.named, "belongs")


# The design ---------------------------------------------------------------------------------------


def _what_is_missing(model: Model) -> None:
    uncounted = [thing.name for thing in model.things if thing.table.rows is None]
    for thing in model.things:
        table = thing.table
        said = say(
            "entity-taken",
            entity=thing.name,
            identifier=tuple(thing.attributes[key]["name"] for key in thing.identifier),
            attributes=tuple(attribute["name"] for attribute in thing.attributes.values()),
        )
        model.taken_line(said, table.full_name, table.line)
        if table.rows is not None:
            said = say("rows-counted", count=table.rows)
            model.taken_line(said, table.full_name, table.line)
        empty = [
            c.name
            for k, c in table.columns.items()
            if c.nullable and k in thing.attributes and k not in thing.identifier
        ]
        if empty:
            said = say("nulls-missing", columns=tuple(empty))
            model.missing(said, table.full_name, table.line)
    if uncounted:
        model.missing(say("items-missing", entities=tuple(uncounted)))
    if model.relationships:
        model.missing(say("children-missing"))
    model.missing(say("rates-missing"))
    model.guessed(say("all-mutable"))
    model.guessed(say("half-of-length", most=AVERAGE_MOST))


def _checked(
    model: Model, name: str, patterns: list[dict[str, Any]], proposals: list[Proposal]
) -> Imported:
    entities = [_entity(thing) for thing in model.things]
    plain = {
        "keywright": 1,
        "name": name,
        "entities": entities,
        "relationships": model.relationships,
    }
    design = load_plain({**plain, "patterns": patterns}, "The design")
    found = flaws(design)
    wrong = {
        design.patterns[int(path[1])].number
        for path, _ in found
        if path[0] == "patterns" and len(path) > 1
    }
    for path, reason in found:
        if path[0] == "patterns" and len(path) > 1:
            about = design.patterns[int(path[1])].name
            said = say("pattern-not-proposed", problem=reason)
            model.lines.append(Line("dropped", said, about))
    if wrong:
        design = design.model_copy(
            update={"patterns": tuple(p for p in design.patterns if p.number not in wrong)}
        )
        proposals = [each for each in proposals if each.number not in wrong]
        found = flaws(design)
    if found:
        problems = tuple(Problem(place(path, plain), reason) for path, reason in found)
        raise DesignError("does-not-fit", say("no-design-of-schema"), problems)
    return Imported(design, tuple(sorted(model.lines, key=_in_order)), tuple(proposals))


def _in_order(line: Line) -> tuple[bool, int]:
    return line.line is not None, line.line or 0


def _entity(thing: Thing) -> dict[str, Any]:
    made: dict[str, Any] = {
        "name": thing.name,
        "identifier": [thing.attributes[key]["name"] for key in thing.identifier],
        "attributes": list(thing.attributes.values()),
    }
    if thing.table.comment:
        made["description"] = _clean(thing.table.comment)
    if thing.table.rows is not None:
        made["items"] = thing.table.rows
    return made


def _clean(text: str) -> str:
    return _CONTROL.sub(" ", text)[:_TEXT_MOST]
