"""The form that sets a finding aside: where, and why."""

from collections.abc import Mapping

from django.http import QueryDict

from designer.core.design.document import Design
from designer.core.design.settings import IgnoredFinding
from designer.core.edits import ignore_finding
from designer.forms.base import ConflictError, Form
from designer.forms.bound import Section
from designer.forms.fields import Area, Choice, Raw


class IgnoredForm(Form):
    key = "ignored"

    def __init__(
        self, design: Design, rule: str, where: str, data: QueryDict | None = None
    ) -> None:
        self.rule = rule
        self.where = where
        super().__init__(design, None, data)
        if data is None:
            self.was = {"because": self._reason(design)}

    def _reason(self, design: Design) -> str:
        """What it was set aside for already, here or everywhere."""
        places = (None, self.where)
        same = (
            each.because
            for each in design.ignored_findings
            if each.rule == self.rule and each.about in places
        )
        return next(same, "")

    def sections(self, raw: Mapping[str, Raw]) -> tuple[Section, ...]:
        where = (("here", "here only"), ("everywhere", "everywhere in this design"))
        return (
            Section(
                "Ignore",
                (
                    Area(
                        name="because",
                        label="Why",
                        required=True,
                        hint="Reviewers see it beside the finding.",
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
        return f"Ignore {self.rule}"

    def apply(self, design: Design) -> Design:
        self.design = design
        mine, was, theirs = self.raw["because"], self.was.get("because"), self._reason(design)
        if was is not None and theirs not in (was, mine):
            because = self.fields(self.raw)["because"]
            self.raw["because"] = self.decided(because, mine, theirs)
            if not self.clashes[0].chosen:
                raise ConflictError
            self.was["because"] = theirs
        values = self.changes()
        document = {
            "rule": self.rule,
            "about": self.where if values.pop("about", "") == "here" else None,
            "because": values["because"],
        }
        return ignore_finding(design, self.build(IgnoredFinding, document))
