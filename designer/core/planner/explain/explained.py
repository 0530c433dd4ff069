"""Last pass: the plan with its findings, and the reasons for it."""

from typing import Literal

from designer.core.design.document import Design
from designer.core.plan import Plan
from designer.core.planner.explain.certificate import certificate
from designer.core.planner.explain.decisions import decisions
from designer.core.planner.explain.findings import findings
from designer.core.planner.operations.context import Context

Reasons = Literal["none", "findings", "all"]
"""What a plan says about itself: nothing, its findings, or its decisions and certificate, too."""


def explained(context: Context, made: Plan, stated: Design, reasons: Reasons = "all") -> Plan:
    """A plan with so much of the reasons for it. `stated`: the design as its team has it."""
    said: dict[str, object] = {}
    if reasons != "none":
        said["findings"] = findings(context, made.tables, made.operations, made.upkeep)
    if reasons == "all":
        said["decisions"] = decisions(context, made.upkeep, stated)
        said["certificate"] = certificate(context, made.tables)
    return made.model_copy(update=said)
