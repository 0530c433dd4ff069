"""Prove a design's plan on a DynamoDB engine, or those of the whole gallery."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.messages import Message, say
from designer.core.plan import ALL_STYLES, STYLES, Style
from designer.core.planner import plan
from designer.management.designs import design_of
from designer.management.refusing import CommandRefusedError
from designer.proof.engine import Engine, EngineError, engine
from designer.proof.prove import prove_on
from designer.proof.verdicts import PatternVerdict, Verdict
from projects.management.base import RefusingCommand

DESIGN_HELP = "a YAML or JSON file, - for standard input, or gallery:SLUG; leave it out with --all"
WITHOUT = {"patterns": {"__all__": {"examples"}}}
"""What is kept for pages only."""
ROW = "{:>5}  {:<44.44}  {:<10}  {:>5}  {:>8}  {:>6}  {:>8}"


class Command(RefusingCommand):
    help = (
        "Run every operation of a plan on a DynamoDB engine with generated rows, and compare the "
        "results with the design. Without --endpoint the engine is moto, in the same process. Tables "
        "are created under the prefix keywright-proof- and deleted afterwards."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("design", metavar="DESIGN", nargs="?", help=DESIGN_HELP)
        parser.add_argument(
            "--style",
            choices=ALL_STYLES,
            help="one table for all, a table per entity, or a table per group; by default the first two",
        )
        parser.add_argument("--all", action="store_true", help="prove every design of the gallery")
        parser.add_argument(
            "--endpoint",
            metavar="URL",
            help="a DynamoDB at this address: DynamoDB Local, or AWS with your own credentials",
        )
        parser.add_argument(
            "--large", action="store_true", help="include collections of more than a page (1 MB)"
        )
        parser.add_argument("--json", action="store_true", help="print the verdict as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["all"] == (options["design"] is not None):
            raise CommandRefusedError(say("design-or-all"))
        designs = _gallery() if options["all"] else iter([design_of(options["design"])])
        styles: tuple[Style, ...] = (options["style"],) if options["style"] else STYLES
        try:
            chosen = engine(options["endpoint"])
        except EngineError as error:
            raise CommandRefusedError(error.reason) from None
        verdicts = [
            self.proven(chosen, design, style, options) for design in designs for style in styles
        ]
        if options["json"]:
            documents = [verdict.model_dump(mode="json", exclude=WITHOUT) for verdict in verdicts]
            alone = not options["all"] and options["style"] is not None
            said = json.dumps(documents[0] if alone else documents, indent=2, ensure_ascii=False)
            self.stdout.write(said)
        differing = [
            say("plan-of-style", design=each.design, style=each.style)
            for each in verdicts
            if each.units[1]
        ]
        failed = [_named(verdict) for verdict in verdicts if not verdict.passed]
        if failed:
            raise CommandRefusedError(say("not-proven", plans=tuple(failed)))
        if differing:
            raise CommandRefusedError(say("units-differ", plans=tuple(differing)))

    def proven(
        self, chosen: Engine, design: Design, style: Style, options: dict[str, Any]
    ) -> Verdict:
        made = plan(design, style)
        verdict = prove_on(chosen, design, made, large=options["large"], examples=True)
        if options["json"]:
            return verdict
        if options["all"]:
            self.stdout.write(_line(verdict))
            wanted = [one for one in verdict.patterns if one.status in ("failed", "not served")]
        else:
            self.stdout.write(f"{_line(verdict)}\n")
            self.stdout.write(
                ROW.format("", "pattern", "result", "cases", "requests", "read", "returned")
            )
            wanted = list(verdict.patterns)
        for pattern in wanted:
            self.stdout.write(_row(pattern))
        if not options["all"]:
            self.stdout.write("")
        return verdict


def _gallery() -> Iterator[Design]:
    return (gallery.load(slug) for slug in gallery.SLUGS)


def _named(verdict: Verdict) -> Message:
    """A design that is not proven: with the patterns that its plan does not serve."""
    plan = say("plan-of-style", design=verdict.design, style=verdict.style)
    numbers = tuple(verdict.unserved)
    return say("plan-not-serving", plan=plan, patterns=numbers) if numbers else plan


def _line(verdict: Verdict) -> str:
    cases = sum(pattern.cases for pattern in verdict.patterns)
    counts = ", ".join(f"{count} {status}" for status, count in verdict.count.items())
    result = "proven" if verdict.passed else "NOT PROVEN"
    said = (
        f"{verdict.design}, {verdict.style}: {result} on {verdict.engine}; {counts}; {cases} cases"
    )
    compared, differing = verdict.units
    if compared:
        agreed = f"{differing} differ" if differing else "all as predicted"
        said = f"{said}; units of {compared} requests, {agreed}"
    return f"{said}\n  {verdict.problem}" if verdict.problem else said


def _row(pattern: PatternVerdict) -> str:
    row = ROW.format(
        pattern.pattern,
        pattern.name,
        pattern.status,
        pattern.cases,
        pattern.requests,
        pattern.items_read,
        pattern.items_returned,
    )
    if pattern.status == "not served":
        return f"{row}\n       {pattern.difference}"
    if pattern.status != "failed":
        return row
    return (
        f"{row}\n       {pattern.failed} of {pattern.cases} failed; the first:"
        f"\n       asked with {pattern.parameters}\n       {pattern.difference}"
    )
