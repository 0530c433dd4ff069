"""A design with its plan and what sections ask of both, each worked out once."""

from functools import cached_property

from designer.core.cost.account import Account
from designer.core.cost.bill import Bill
from designer.core.cost.options import Changes, as_planned
from designer.core.design import unstated
from designer.core.design.document import Design
from designer.core.heat.keys import PlanHeat, plan_heat
from designer.core.lint import lint, set_aside
from designer.core.monitoring import Alarm, alarms
from designer.core.plan import Finding, Operation, Plan, each_once


class Facts:
    """All figures are those that the pages show."""

    def __init__(self, design: Design, plan: Plan) -> None:
        self.design = design
        self.plan = plan

    @cached_property
    def account(self) -> Account:
        return Account(self.design, self.plan)

    @cached_property
    def bill(self) -> Bill:
        """As it stands when the cost page is opened."""
        return self.account.bill(as_planned(self.design), Changes())

    @cached_property
    def heat(self) -> PlanHeat:
        return plan_heat(self.design, self.plan)

    @cached_property
    def alarms(self) -> tuple[Alarm, ...]:
        return alarms(self.design, self.plan)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What the team has not set aside."""
        return tuple(f for f in self.every_finding if set_aside(self.design, f) is None)

    @cached_property
    def every_finding(self) -> tuple[Finding, ...]:
        found = (*self.plan.findings, *lint(self.design, {self.plan.style: self.plan}))
        return each_once(found)

    def found(self, *rules: str) -> tuple[Finding, ...]:
        """The findings of some rules that the team has not set aside."""
        return tuple(finding for finding in self.findings if finding.rule in rules)

    @property
    def no_rates(self) -> str:
        """Why there are no figures of requests: no rate is stated, or only for what is not served."""
        if unstated.lacks_rates(self.design):
            return "No access pattern has a rate."
        return "No access pattern that is served has a rate."

    def answered(self, answer: str) -> tuple[Operation, ...]:
        """The operations with an answer: `elsewhere`, `not served`."""
        return tuple(one for one in self.plan.operations if one.answer == answer)
