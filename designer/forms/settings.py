"""The form of what stands beside the entities and the patterns: name, Region, how the planner
chooses.
"""

from collections.abc import Mapping
from typing import Any

from designer.core.design.document import Design
from designer.core.design.load import plain
from designer.core.design.settings import Context, PlannerSettings
from designer.core.edits import change_settings
from designer.forms.base import Form
from designer.forms.bound import Section
from designer.forms.fields import Area, Choice, Field, Group, Number, Raw, percent

OF_PLANNER = (
    "objective",
    "worth",
    "tolerance",
    "composite_index_keys",
    "lookups_before_writes",
    "point_reads",
    "items",
    "key_names",
    "max_gsis",
)


class SettingsForm(Form):
    key = "settings"

    def document(self, subject: Any) -> dict[str, Any]:
        document = super().document(subject)
        return {**document, **document.get("planner", {})}

    def sections(self, raw: Mapping[str, Raw]) -> tuple[Section, ...]:
        names = (("generic", "generic: PK, GSI1SK"), ("natural", "natural: userId, placedAt"))
        return (
            Section(
                "Design",
                (
                    Field(name="name", label="Name", required=True),
                    Area(name="description", label="Description"),
                    Field(
                        name="region",
                        label="AWS Region",
                        suggestions=("us-east-1", "us-west-2", "eu-west-1", "eu-central-1"),
                        placeholder="us-east-1",
                    ),
                    Choice(
                        name="billing",
                        label="Capacity mode",
                        choices=(("on-demand", "on demand"), ("provisioned", "provisioned")),
                    ),
                    Field(name="table_prefix", label="Table name prefix", placeholder="shop-"),
                ),
            ),
            Section(
                "Purpose",
                (
                    Group(
                        name="context",
                        label="Context",
                        fields=(
                            Field(name="domain", label="Domain"),
                            Area(name="business", label="Business"),
                            Area(name="scale", label="Scale"),
                        ),
                    ),
                ),
                aside=True,
            ),
            Section(
                "How keys are chosen",
                (
                    Choice(
                        name="objective",
                        label="Objective",
                        hint="The simplest plan has an index, a copy or an extra request only if it saves enough.",
                        choices=(
                            ("simplest", "simplest, at about the lowest cost"),
                            ("cost", "lowest cost"),
                            ("indexes", "fewest indexes"),
                            ("requests", "fewest requests"),
                        ),
                    ),
                    Number(
                        name="worth",
                        label="Minimum saving",
                        unit="$ a month",
                        placeholder="depends on the design's cost",
                        hint="The simplest plan adds an index only if the index saves at least this amount.",
                    ),
                    percent(
                        name="tolerance",
                        label="Extra cost allowed",
                        placeholder="5",
                        hint="With “fewest indexes”, how much more the plan may cost than the cheapest one.",
                    ),
                    Choice(
                        name="composite_index_keys",
                        label="Composed index keys",
                        choices=(
                            ("strings", "one text"),
                            ("multi-attribute", "several attributes"),
                        ),
                    ),
                    Choice(
                        name="lookups_before_writes",
                        label="Where writes look up a key that they are not given",
                        choices=(
                            ("no-gsi", "in a guard item"),
                            ("gsi", "in an index, if that is cheaper"),
                        ),
                    ),
                    Choice(
                        name="point_reads",
                        label="A read of one item takes",
                        choices=(
                            ("one-request", "one request"),
                            ("by-price", "two requests, if that is cheaper"),
                        ),
                    ),
                    Choice(
                        name="items",
                        label="Embedding and splitting",
                        choices=(
                            ("by-price", "if cheaper"),
                            ("as-stated", "never"),
                        ),
                        hint="A small number of children can be embedded in their parent's item; some attributes can "
                        "have an item of their own.",
                    ),
                    Group(
                        name="key_names",
                        label="Key attribute names",
                        fields=(
                            Choice(name="single", label="Single table", choices=names),
                            Choice(name="multi", label="Multi table", choices=names[::-1]),
                        ),
                    ),
                    Number(
                        name="max_gsis", label="Indexes per table", unit="at most", placeholder="20"
                    ),
                ),
            ),
        )

    @property
    def note(self) -> str:
        name = str(self.raw["name"])
        if name != self.subject.name:
            return f"Rename the design to {name}"
        return f"Change the settings: {self.difference}"

    def apply(self, design: Design) -> Design:
        self.design = design
        self.merged(design)
        self.subject = design
        values = self.changes()
        planner = {name: values.pop(name) for name in OF_PLANNER if name in values}
        fields: dict[str, Any] = {}
        if planner:
            document = {**plain(design.planner), **planner}
            fields["planner"] = self.build(PlannerSettings, document)
        if "context" in values:
            context = values.pop("context")
            fields["context"] = context and self.build(Context, context)
        document = {key: value for key, value in values.items() if value is not None}
        valid = self.build(Design, {"name": design.name, **document})
        fields |= {key: getattr(valid, key) for key in values}
        return change_settings(design, **fields)
