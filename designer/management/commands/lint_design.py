"""What is unwise about a design and its plans."""

import json
from argparse import ArgumentParser
from itertools import zip_longest
from typing import Any

from designer.core.evaluation.evaluate import evaluate
from designer.core.lint import set_aside
from designer.core.messages import say
from designer.core.plan import Finding
from designer.core.words import figures
from designer.management.designs import add_design, design_of
from designer.management.refusing import CommandRefusedError
from projects.management.base import RefusingCommand

SEVERITIES = ("error", "warning", "advice")
GRAVE = {"error": "findings-are-errors", "warning": "findings-are-grave", "advice": "findings-left"}
"""What is said of the findings that make the exit status 1, by the lowest severity that does."""


class Command(RefusingCommand):
    help = (
        "List the findings about a design and its plans in every style, the most severe first. The exit status is 1 "
        "if there are errors or warnings that the design does not ignore."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_design(parser)
        parser.add_argument(
            "--fail-on",
            choices=SEVERITIES,
            default="warning",
            help="the lowest severity that makes the exit status 1 (default: warning)",
        )
        parser.add_argument("--json", action="store_true", help="print the findings as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        design = design_of(options["design"])
        evaluation = evaluate(design)
        found = sorted(evaluation.findings, key=lambda f: SEVERITIES.index(f.severity))
        shown = [finding for finding in found if set_aside(design, finding) is None]
        if options["json"]:
            data = [finding.model_dump(mode="json") for finding in shown]
            self.stdout.write(json.dumps(data, ensure_ascii=False, indent=2))
        else:
            for finding, following in zip_longest(shown, shown[1:]):
                styles = ", ".join(evaluation.only_in(finding))
                self.stdout.write(
                    f"{finding.severity} {finding.rule} at {finding.where}"
                    f"{f' ({styles})' if styles else ''}: {finding.message}"
                )
                # Of other styles, the same finding has other figures and the same remedy.
                if finding.remedy and not _is_alike(finding, following):
                    self.stdout.write(f"  {finding.remedy}")
            aside = len(found) - len(shown)
            counted = figures.count(len(shown), "finding")
            self.stdout.write(f"{counted}; {aside} ignored" if aside else counted)
        grave = SEVERITIES[: SEVERITIES.index(options["fail_on"]) + 1]
        failing = [finding for finding in shown if finding.severity in grave]
        if failing:
            raise CommandRefusedError(
                say(GRAVE[options["fail_on"]], count=len(failing), of=len(shown))
            )


def _is_alike(finding: Finding, following: Finding | None) -> bool:
    """Whether the next finding is of the same rule, about the same place, and has the same remedy."""
    return following is not None and (finding.rule, finding.where, finding.remedy) == (
        following.rule,
        following.where,
        following.remedy,
    )
