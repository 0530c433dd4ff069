"""The form that sets a finding aside: where, and why."""

from collections.abc import Mapping

from django.http import QueryDict

from designer.core.design.document import Design, IgnoredFinding
from designer.core.edits import ignore_finding
from designer.forms.base import Form, Section
from designer.forms.fields import Area, Choice, Raw


class IgnoredForm(Form):
    key = "ignored"

    def __init__(
        self, design: Design, rule: str, where: str, data: QueryDict | None = None
    ) -> None:
        self.rule = rule
        self.where = where
        super().__init__(design, None, data)

    def sections(self, raw: Mapping[str, Raw]) -> tuple[Section, ...]:
        where = (("here", "here only"), ("everywhere", "everywhere in this design"))
        return (
            Section(
                "Set aside",
                (
                    Area(
                        name="because",
                        label="Why",
                        required=True,
                        hint="Whoever reviews the design reads it beside the finding.",
                    ),
                    *((Choice(name="about", label="Where", choices=where),) if self.where else ()),
                ),
            ),
        )

    @property
    def place(self) -> str:
        return f"ignored_findings[{len(self.design.ignored_findings)}]"

    @property
    def note(self) -> str:
        return f"Set aside {self.rule}"

    def apply(self, design: Design) -> Design:
        self.design = design
        values = self.changes()
        document = {
            "rule": self.rule,
            "about": self.where if values.pop("about", "") == "here" else None,
            "because": values["because"],
        }
        return ignore_finding(design, self.build(IgnoredFinding, document))
