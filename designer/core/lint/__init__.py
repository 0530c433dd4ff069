"""Rules about designs that work and are unwise: one rule, one file in `rules/`."""

from designer.core import registry
from designer.core.design.document import Design, IgnoredFinding
from designer.core.lint import rules
from designer.core.lint.base import Plans, Rule
from designer.core.plan import Finding

RULES: dict[str, type[Rule]] = registry.load(rules, Rule, "id")  # type: ignore[type-abstract]
"""Every rule by its id."""


def lint(design: Design, plans: Plans) -> tuple[Finding, ...]:
    """What the rules find, those set aside included (see `set_aside`). A rule that fails is a finding itself."""
    found: list[Finding] = []
    for rule in RULES.values():
        try:
            found += rule().findings(design, plans)
        except Exception as error:
            found.append(
                Finding(
                    rule=rule.id,
                    severity="warning",
                    where="",
                    message=f"Rule {rule.id} ({rule.title}) could not look at this design: {type(error).__name__}.",
                    remedy="Please tell us; the other rules are not affected.",
                )
            )
    return tuple(found)


def set_aside(design: Design, finding: Finding) -> IgnoredFinding | None:
    """What the team said to ignore a finding; None when it doesn't.

    `about` is the finding's place (`patterns.2`), a part of the design around it (`entities.User`), or in words
    (`pattern 2`); without it the rule is ignored everywhere.
    """
    for ignored in design.ignored_findings:
        about = (ignored.about or "").replace("pattern ", "patterns.")
        around = not about or finding.where == about or finding.where.startswith(f"{about}.")
        if ignored.rule == finding.rule and around:
            return ignored
    return None
