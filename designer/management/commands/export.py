"""Write a design's plan as a template or a document."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from designer.core.exporters import EXPORTERS, Options
from designer.core.messages import say
from designer.core.plan import ALL_STYLES
from designer.core.planner import plan
from designer.management.designs import add_design, add_style, design_of
from designer.management.refusing import CommandRefusedError
from projects.management.base import RefusingCommand


class Command(RefusingCommand):
    help = (
        "Write a design's plan as a template or a document. What the format cannot express is "
        "listed on standard error."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_design(parser)
        parser.add_argument("--to", choices=list(EXPORTERS), required=True, help="the format")
        add_style(parser)
        parser.add_argument(
            "--alarms",
            nargs="?",
            const="essential",
            default="",
            choices=["essential", "every"],
            help="in CloudFormation and Terraform: CloudWatch alarms for problems that users notice, or every alarm",
        )
        parser.add_argument(
            "--maximum",
            action="store_true",
            help="in CloudFormation and Terraform: limit each on-demand table and index to four times its stated peak",
        )
        parser.add_argument(
            "--no-appendix",
            action="store_false",
            dest="with_appendix",
            help="leave out the appendix of the PDF: all example items, every cost, alarms, checklist",
        )
        parser.add_argument(
            "--out", metavar="PATH", required=True, help="a file, or - for standard output"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        design = design_of(options["design"])
        planned = plan(design, options["style"])
        exporter = EXPORTERS[options["to"]]
        if options["alarms"] and not exporter.has_alarms:
            raise CommandRefusedError(say("export-without-alarms", target=exporter.label))
        if options["maximum"] and not exporter.is_template:
            raise CommandRefusedError(say("export-without-tables", target=exporter.label))
        if not options["with_appendix"] and not exporter.has_appendix:
            raise CommandRefusedError(say("export-without-appendix", target=exporter.label))
        others = [style for style in ALL_STYLES if exporter.compares and style != planned.style]
        beside = {style: plan(design, style, reasons="findings") for style in others}
        asked = Options(
            options["alarms"], beside, options["maximum"], with_appendix=options["with_appendix"]
        )
        export = exporter.export(design, planned, asked)
        content = export.content
        _write(options["out"], content.encode() if isinstance(content, str) else content)
        for left_out in export.left_out:
            self.stderr.write(f"Left out: {left_out}")
        errors = [finding for finding in planned.findings if finding.severity == "error"]
        if errors:
            found = [
                say("error-of-plan", place=each.where, problem=each.problem, solution=each.solution)
                for each in errors
            ]
            raise CommandRefusedError(say("lines", lines=(say("plan-has-errors"), *found)))


def _write(place: str, content: bytes) -> None:
    if place == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        Path(place).write_bytes(content)
    except OSError as error:
        said = say("output-unwritable", name=place, problem=str(error.strerror))
        raise CommandRefusedError(said) from None
