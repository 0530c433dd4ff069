"""A plan with other names for its tables, indexes and the key attributes that it adds.

What is deployed keeps its name: DynamoDB renames neither tables nor indexes, and an attribute only by writing every
item. So a later plan gets the names that are in use.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from designer.core.design.document import Design
from designer.core.plan import Plan
from designer.core.planner.model.naming import shared_name, table_name


@dataclass
class Names:
    """New names of a table's parts, by those in the plan."""

    table: str
    indexes: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    """Of key attributes that the plan adds."""


def renamed(plan: Plan, names: Mapping[str, Names]) -> Plan:
    """The plan with other names. `names`: by table; what is not there stays."""
    document = plan.model_dump(mode="json", by_alias=True, exclude_unset=True)
    tables = {table.name: names.get(table.name, Names(table.name)) for table in plan.tables}
    for table in document.get("tables", ()):
        _rename_table(table, tables[table["name"]])
    for operation in (*document.get("operations", ()), *document.get("upkeep", ())):
        _rename_steps(operation, tables)
    for decision in document.get("decisions", ()):
        decision["about"] = _about(decision["about"], tables)
    return Plan.model_validate(document)


def _rename_table(table: dict[str, Any], names: Names) -> None:
    table["name"] = names.table
    new = names.attributes
    for part in table["key"].values():
        if part:
            part["name"] = new.get(part["name"], part["name"])
    for index in table.get("indexes", ()):
        index["name"] = names.indexes.get(index["name"], index["name"])
        for part in (*index["partition"], *index.get("sort", ())):
            part["name"] = new.get(part["name"], part["name"])
        listed = index["projection"].get("attributes")
        if listed:
            index["projection"]["attributes"] = [new.get(name, name) for name in listed]
    for shape in table.get("items", ()):
        if "set" in shape:
            shape["set"] = {new.get(name, name): said for name, said in shape["set"].items()}


def under_prefix(design: Design, plan: Plan, prefix: str) -> Plan:
    """The plan of a design with another prefix before its tables' names; a name that is pinned stays."""
    stated = design.table_prefix
    if stated == prefix:
        return plan
    pinned = {pin.name for pin in design.planner.pins}
    names = {table.name: table.name for table in plan.tables if table.name in pinned}
    for table in plan.tables:
        if table.name in pinned:
            continue
        new = table_name(prefix, table.name.removeprefix(stated))
        if plan.style == "single" and table.name == shared_name(stated, design.name):
            new = shared_name(prefix, design.name)
        names[table.name] = table.name if new in names.values() else new
    return renamed(plan, {old: Names(new) for old, new in names.items()})


_NAMED = re.compile(r"([A-Za-z_][\w-]*)\.([A-Za-z_][\w-]*)")


def _rename_steps(operation: dict[str, Any], tables: Mapping[str, Names]) -> None:
    if "table" in operation:
        operation["table"] = tables[operation["table"]].table
    read_from = {
        step["id"]: tables[step["table"]].attributes for step in operation.get("steps", ())
    }

    def text(said: Any) -> Any:
        """An expression: `{step.GSI1PK}` names an attribute of what the step read."""
        if isinstance(said, str):
            return re.sub(r"\{[^{}]*\}", lambda braces: _NAMED.sub(one, braces[0]), said)
        return [text(each) for each in said] if isinstance(said, list) else said

    def one(found: re.Match[str]) -> str:
        new = read_from.get(found[1], {})
        return f"{found[1]}.{new.get(found[2], found[2])}"

    def condition(said: dict[str, Any], new: Mapping[str, str]) -> dict[str, Any]:
        return {
            key: new.get(value, value)
            if key == "attribute"
            else value
            if key in ("same_as", "any_of")
            else text(value)
            for key, value in said.items()
        }

    def part(said: dict[str, Any], new: Mapping[str, str]) -> None:
        """A step, a member or an embedded item."""
        for name in (
            "key",
            "values",
            "set",
            "add",
            "greatest",
            "least",
            "append",
            "include",
            "exclude",
        ):
            if name in said:
                said[name] = {new.get(key, key): text(value) for key, value in said[name].items()}
        for name in ("where", "filter", "if"):
            if name in said:
                said[name] = [condition(each, new) for each in said[name]]
        if "any" in said:
            said["any"] = [[condition(each, new) for each in way] for way in said["any"]]
        if "also" in said:
            said["also"] = [
                {new.get(key, key): text(value) for key, value in each.items()}
                for each in said["also"]
            ]
        for name in ("remove", "project"):
            if said.get(name):
                said[name] = [new.get(each, each) for each in said[name]]
        if said.get("from_keys"):
            said["from_keys"] = {name: new.get(key, key) for name, key in said["from_keys"].items()}
        if said.get("unless_same"):
            said["unless_same"] = [text(each) for each in said["unless_same"]]

    for step in operation.get("steps", ()):
        names = tables[step["table"]]
        part(step, names.attributes)
        if step.get("index"):
            step["index"] = names.indexes.get(step["index"], step["index"])
        step["table"] = names.table
        units = step.get("expects", {}).get("index_units")
        if units:
            step["expects"]["index_units"] = {
                _place(place, tables): value for place, value in units.items()
            }
        for member in step.get("members", ()):
            own = tables[member["table"]]
            part(member, own.attributes)
            member["table"] = own.table


def _place(place: str, tables: Mapping[str, Names]) -> str:
    """`table/index` under the new names."""
    table, slash, index = place.partition("/")
    names = tables.get(table)
    return place if names is None else f"{names.table}{slash}{names.indexes.get(index, index)}"


def _about(about: str, tables: Mapping[str, Names]) -> str:
    """What a decision is about, where that is a table or an index."""
    kind, space, name = about.partition(" ")
    return f"{kind}{space}{_place(name, tables)}" if kind in ("table", "index") else about
