"""All that follows from a design: its plans, in every style or some, and the findings."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from designer.core.cost.price import Price, prices
from designer.core.design.document import Design
from designer.core.lint import lint
from designer.core.plan import ALL_STYLES, Finding, Plan, Style, each_once
from designer.core.planner import plan


@dataclass(frozen=True)
class Evaluation:
    """A design with what was worked out from it."""

    design: Design
    plans: Mapping[Style, Plan]
    findings: tuple[Finding, ...]
    """Of these plans and of the lint rules, each once, those that the team ignores included (`lint.set_aside`)."""
    prices: Mapping[Style, Price]

    def only_in(self, finding: Finding) -> tuple[Style, ...]:
        """The styles whose plans have a finding; none when all have it, or it is about the design."""
        styles = tuple(
            style
            for style in self.plans
            if any(each.words == finding.words for each in self._at[style].get(finding.where, ()))
        )
        return styles if len(styles) < len(self.plans) else ()

    @cached_property
    def _at(self) -> Mapping[Style, Mapping[str, list[Finding]]]:
        """What each plan finds, by its place: there may be thousands of each."""
        found: dict[Style, dict[str, list[Finding]]] = {}
        for style, made in self.plans.items():
            places = found.setdefault(style, {})
            for each in made.findings:
                places.setdefault(each.where, []).append(each)
        return found

    def of_one(self, style: Style) -> "Evaluation":
        """What follows in one of its styles."""
        plans = {style: self.plans[style]}
        findings = findings_of(self.design, plans)
        return Evaluation(self.design, plans, findings, {style: self.prices[style]})


def evaluate(design: Design, plans: Mapping[Style, Plan] | None = None) -> Evaluation:
    """Work out everything; only of these plans, where they are given."""
    plans = plans_of(design) if plans is None else plans
    return Evaluation(design, plans, *judged(design, plans))


def judged(
    design: Design, plans: Mapping[Style, Plan]
) -> tuple[tuple[Finding, ...], Mapping[Style, Price]]:
    """What these plans and the lint rules find, each once, and what the plans cost."""
    return findings_of(design, plans), prices(design, plans.values())


def findings_of(design: Design, plans: Mapping[Style, Plan]) -> tuple[Finding, ...]:
    """What these plans and the lint rules find, each once."""
    found = [finding for plan_ in plans.values() for finding in plan_.findings]
    return each_once((*found, *lint(design, plans)))


def plans_of(design: Design) -> dict[Style, Plan]:
    """The plans of a design in every style."""
    return {style: plan(design, style) for style in ALL_STYLES}
