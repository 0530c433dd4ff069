"""The form of an entity: what it is called, what identifies it, how many there are."""

from collections.abc import Mapping
from typing import Any

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.load import plain
from designer.core.edits import add_entity, change_entity
from designer.core.edits.entities import same_entity
from designer.core.outline.guesses import guessed_kind
from designer.core.plan import Assumed
from designer.core.sentences.attribute_types import KINDS
from designer.core.words.spoken import one_word
from designer.forms.base import Form
from designer.forms.bound import Section
from designer.forms.fields import Area, Called, Choice, Field, Flag, Group, Names, Number, Raw, Rows
from designer.forms.kinds import read_kind
from designer.forms.known import choices_of
from designer.forms.outline import Understood, attribute_list, understood_list


class EntityForm(Form):
    key = "entity"
    renames = {"attributes": "listed"}

    def sections(self, raw: Mapping[str, Raw]) -> tuple[Section, ...]:
        own = () if self.subject is None else tuple(self.subject.by_name)
        name = Called(
            name="name", label="Name", placeholder="Customer", required=True, capital=True
        )
        items = Number(name="items", label="Number of items")
        growth = Number(name="growth_per_month", label="New per month", unit="items")
        identifier = Names(
            name="identifier",
            label="Identified by",
            placeholder=", ".join(own[:1]) or "customerId",
            hint="One attribute, or several separated by commas.",
            suggestions=own,
            required=True,
        )
        more = (
            Field(
                name="prefix",
                label="Key prefix",
                placeholder=str(raw.get("name") or "CUSTOMER").upper()[:40],
            ),
            Area(name="description", label="Description"),
            _needs(own),
        )
        if self.subject is not None:
            return (
                Section("Entity", (name, identifier, items, growth)),
                Section("More", more, aside=True),
            )
        return (
            Section("Entity", (name, self._parts(raw), items)),
            Section("Its other attributes", (attribute_list(),)),
            Section("More", (growth, *more), aside=True),
        )

    def _parts(self, raw: Mapping[str, Raw]) -> Rows:
        """What identifies a new entity: an attribute, or several, each of a kind of its own."""
        name = one_word(str(raw.get("name") or "customer"), capital=True)

        def fields(row: Mapping[str, Raw]) -> tuple[Field, ...]:
            return (
                Called(
                    name="part",
                    label="Identified by",
                    placeholder=_own(name),
                    suggestions=tuple(_identifying(self.design)),
                ),
                Choice(name="kind", label="Type", choices=(("", "guessed from its name"), *KINDS)),
            )

        return Rows(
            name="identifier",
            label="Identifier",
            fields=fields,
            key="part",
            row_label="Part",
            add_label="Add a part",
            enter_adds=True,
        )

    def show(self, subject: Any) -> dict[str, Raw]:
        shown = super().show(subject)
        if subject is None:
            rows = self._parts({})
            shown["identifier"] = [rows.blank()]
        return shown

    def assumed_at(self) -> dict[str, Assumed]:
        found = self._assumed_of(f"entities.{'' if self.subject is None else self.subject.name}")
        return {"items": found[0]} if found else {}

    @property
    def place(self) -> str:
        names = [entity.name for entity in self.design.entities]
        return f"entities[{len(names) if self.subject is None else names.index(self.subject.name)}]"

    @property
    def name(self) -> str:
        """The entity's name as it is saved."""
        return one_word(str(self.raw["name"]), capital=True)

    @property
    def note(self) -> str:
        name = self.name
        if self.subject is None:
            return f"Add entity {name}"
        if name != self.subject.name:
            return f"Rename entity {self.subject.name} to {name}"
        return f"Change entity {name}: {self.difference}"

    def apply(self, design: Design) -> Design:
        newest = None if self.subject is None else same_entity(design, self.subject)
        self.design = design
        if newest is None:
            return add_entity(design, self.build(Entity, self._new(self.changes())))
        self.merged(newest)
        self.subject = newest
        document = {**plain(newest), **self.changes()}
        return change_entity(design, newest.name, self.build(Entity, document))

    @property
    def understood(self) -> tuple[Understood, ...]:
        """What was read of the attributes of a new entity."""
        return understood_list(self.raw) if self.subject is None else ()

    def _new(self, values: dict[str, Any]) -> dict[str, Any]:
        """A new entity has the attributes that identify it, each of its kind, and those that were listed."""
        name = str(values["name"])
        listed = values.pop("listed", None) or ()
        known = {each["name"]: each for each in listed}
        parts = values.get("identifier") or ({"part": _own(name), "kind": self._first_kind},)
        values["identifier"] = tuple(each["part"] for each in parts)
        values["attributes"] = (
            *(
                {"name": each["part"], **self._kind(each["part"], each.get("kind"))}
                for each in parts
                if each["part"] not in known
            ),
            *listed,
        )
        return values

    @property
    def _first_kind(self) -> str:
        rows = self.raw["identifier"]
        return str(rows[0]["kind"]) if rows else ""

    def _kind(self, name: str, kind: str | None) -> dict[str, Any]:
        """The kind that was chosen, else that of the identifier of the same name, else what the name says."""
        if kind:
            return read_kind(kind)
        if name in _identifying(self.design):
            own = _identifying(self.design)[name]
            return {"type": own.type, "format": own.format}
        type, format = guessed_kind(name)
        return {"type": type, "format": format}


def _own(name: str) -> str:
    """The identifier that is made for an entity: `customerId`."""
    return f"{name[:1].lower()}{name[1:]}Id"


def _identifying(design: Design) -> dict[str, Attribute]:
    """The attributes that identify other entities."""
    return {
        name: entity.by_name[name]
        for entity in design.entities
        for name in entity.identifier
        if name in entity.by_name
    }


def _needs(own: tuple[str, ...]) -> Group:
    return Group(
        name="needs",
        label="Table needs",
        fields=(
            Field(name="team", label="Team"),
            Choice(name="tenant", label="Tenant attribute", choices=choices_of(own)),
            Choice(
                name="stream",
                label="DynamoDB stream",
                choices=(
                    ("", "none"),
                    ("keys-only", "keys only"),
                    ("new", "new image"),
                    ("old", "old image"),
                    ("new-and-old", "new and old images"),
                ),
            ),
            Number(name="recovery_days", label="Point-in-time recovery", unit="days"),
            Choice(
                name="table_class",
                label="Table class",
                choices=(
                    ("", "not stated (standard)"),
                    ("standard", "standard"),
                    ("infrequent-access", "infrequent access (Standard-IA)"),
                ),
            ),
            Choice(
                name="billing",
                label="Capacity mode",
                choices=(
                    ("", "as set for the design"),
                    ("on-demand", "on demand"),
                    ("provisioned", "provisioned"),
                ),
            ),
            Flag(name="personal_data", label="Holds personal data"),
        ),
    )
