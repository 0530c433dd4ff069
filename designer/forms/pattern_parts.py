"""Parts of the form of an access pattern: related items, what a write changes, and the steps of a transaction."""

from collections.abc import Iterable, Mapping
from typing import Any

from designer.core.patterns import base
from designer.forms.conditions import (
    changes,
    conditions,
    order,
    read_changes,
    relationships_of,
    show_changes,
)
from designer.forms.fields import Choice, Field, Group, Names, Number, Raw, Rows
from designer.forms.known import Attributes, Known

WRITTEN_WHOLE = tuple(verb for verb, does in base.VERBS.items() if does.writes_whole)
VERBS = (
    ("create", "Create"),
    ("update", "Change"),
    ("upsert", "Create or replace"),
    ("delete", "Delete"),
    ("check", "Check"),
)


def along(known: Known, entities: list[str]) -> Rows:
    """What comes along: rows of relationships, each with conditions and an order of its own."""
    design = known.design
    relationships = relationships_of(design, entities)
    asked = [name for name in entities if name]
    per = f"per {asked[0]}" if len(asked) == 1 else "per item"

    def fields(row: Mapping[str, Raw]) -> tuple[Field, ...]:
        relationship = design.relationship.get(str(row.get("relationship") or ""))
        there: list[str] = []
        if relationship is not None:
            sides = (relationship.child, relationship.parent)
            there = [sides[relationship.child in entities and relationship.parent not in entities]]
        attributes = known.of(*there)
        return (
            Choice(
                name="relationship",
                label="By relationship",
                choices=relationships,
                redraws=True,
            ),
            order(attributes),
            Number(name="limit", label="At most", unit=per),
            Names(
                name="only",
                label="Attributes needed",
                hint="If empty, all. " + choose_from(attributes.own),
            ),
            conditions(attributes, name="keep", label="Returned only if"),
        )

    return Rows(
        name="with",
        label="With each item",
        hint="Children or the parent, read together where a key allows it.",
        fields=fields,
        key="relationship",
        row_label="Relationship",
        add_label="Add related items",
        show_row=lambda row: {**row, "only": row.get("attributes")},
        read_row=lambda row: {{"only": "attributes"}.get(key, key): row[key] for key in row},
    )


def change_fields(attributes: Attributes, entity: str, verb: str) -> tuple[Field, ...]:
    """What a write of one entity asks; also the later fields of a member of a transaction."""
    own = attributes.own
    return (
        Names(
            name="by",
            label="Identified by",
            hint="If empty, the identifier is used. A unique attribute also works, with its scope if it has one.",
            suggestions=own,
        ),
        Names(
            name="given",
            label="Known attributes",
            hint="Attributes of the current item that the caller knows. They may save a read.",
            suggestions=own,
        ),
        changes(attributes, whole=verb in WRITTEN_WHOLE),
        conditions(attributes, name="if", label="Only if", hint=_refused(verb)),
        Rows(
            name="or",
            label="Or if",
            hint="Other conditions that may hold instead of those above.",
            fields=lambda row: (conditions(attributes, name="if", label="All of these hold"),),
            key="if",
            row_label="Alternative",
            add_label="Add an alternative",
            show_row=lambda way: {"if": way},
            read_row=lambda row: row.get("if", ()),
        ),
        Group(
            name="times",
            label="Several at once",
            fields=(
                Number(name="average", label="On average", unit="items"),
                Number(name="most", label="At most", unit="items"),
            ),
        ),
        Field(
            name="each",
            label="Rows given as",
            placeholder=entity,
            hint="The parameter that holds a row of values for each item.",
        ),
    )


def _refused(verb: str) -> str:
    return (
        "An existing item is replaced only if these hold."
        if verb == "upsert"
        else "Otherwise, the write is refused."
    )


def members(known: Known) -> Rows:
    """The parts of a transaction."""

    def fields(row: Mapping[str, Raw]) -> tuple[Field, ...]:
        verb, entity = str(row.get("verb") or "create"), str(row.get("entity") or "")
        return (
            Choice(name="verb", label="Action", choices=VERBS, redraws=True),
            Choice(name="entity", label="Which entity", choices=known.entities, redraws=True),
            Choice(
                name="exists",
                label="The item must",
                choices=(("", "meet the conditions"), ("yes", "exist"), ("no", "not exist")),
            ),
            *change_fields(known.of(entity), entity, verb),
        )

    def show(member: Mapping[str, Any]) -> dict[str, Any]:
        verb = next((verb for verb, _ in VERBS if verb in member), "create")
        exists = {True: "yes", False: "no", None: ""}[member.get("exists")]
        return {
            **member,
            "verb": verb,
            "entity": member.get(verb),
            "exists": exists,
            "changes": show_changes(member),
        }

    def read(row: dict[str, Any]) -> dict[str, Any]:
        verb, exists = row.pop("verb"), row.pop("exists", None)
        member = {verb: row.pop("entity"), **read_changes(row.pop("changes", None)), **row}
        if "or" in member:
            member["or"] = filled(member["or"])
        if verb == "check":
            member["exists"] = {"yes": True, "no": False}.get(exists)
            if member["exists"] is None and not member.get("if"):
                member["exists"] = True
        return {key: value for key, value in member.items() if value is not None}

    return Rows(
        name="members",
        label="All or nothing",
        fields=fields,
        key="entity",
        row_label="Step",
        add_label="Add a step",
        show_row=show,
        read_row=read,
    )


def filled(ways: Iterable[Any] | None) -> tuple[Any, ...] | None:
    """The ways that say anything."""
    return tuple(way for way in ways or () if way) or None


TOLD = 100
"""Names in a hint."""


def choose_from(names: tuple[str, ...]) -> str:
    if not names:
        return ""
    more = (f"and {len(names) - TOLD:,} more",) if len(names) > TOLD else ()
    return f"Choose from {', '.join((*names[:TOLD], *more))}."
