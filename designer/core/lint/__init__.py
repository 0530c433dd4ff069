"""What is said of a design: by rules about what works and is unwise (`rules/`), and by the planner (`planned/`).

One a file: its id, its severity, when it is said and why, what helps, and where that is a mere edit, the edit.
"""

from designer.core import registry
from designer.core.design.document import Design
from designer.core.design.settings import IgnoredFinding
from designer.core.lint import planned, rules
from designer.core.lint.base import Fix, Plans, Rule, Topic
from designer.core.messages import say
from designer.core.plan import Finding

RULES: dict[str, type[Rule]] = registry.load(rules, Rule, "id")  # type: ignore[type-abstract]
"""Every rule by its id."""
TOPICS: dict[str, type[Topic]] = {**RULES, **registry.load(planned, Topic, "id")}
"""Those, and what the planner finds by itself."""


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
                    problem=say(
                        "rule-failed", rule=rule.id, title=rule.title, error=type(error).__name__
                    ),
                    solution=say("tell-us"),
                )
            )
    return tuple(found)


def set_aside(design: Design, finding: Finding) -> IgnoredFinding | None:
    """What the team said to ignore a finding; None when it doesn't.

    `about` is the finding's place (`patterns.2`), a part of the design around it (`entities.User`), or in words
    (`pattern 2`); without it the rule is ignored everywhere.
    """
    if not design.ignored_findings:
        return None
    ends = [at for at, letter in enumerate(finding.where) if letter == "."]
    around = ("", finding.where, *(finding.where[:end] for end in ends))
    found = (design.ignored_at.get((finding.rule, place)) for place in around)
    first = min((each for each in found if each is not None), default=None, key=lambda e: e[0])
    return None if first is None else first[1]


def fixes(design: Design, plans: Plans, finding: Finding) -> tuple[Fix, ...]:
    """What one click can do about a finding of a design and its plans; a rule that failed has no place."""
    topic = TOPICS.get(finding.rule)
    return tuple(topic().fixes(design, plans, finding.where)) if topic and finding.where else ()
