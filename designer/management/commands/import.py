"""Write the design that a file in another format says, with a report of what was taken, guessed and dropped."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from designer.core.design.load import dump
from designer.core.errors import DesignError
from designer.core.importers import IMPORTERS, KINDS, MAX_BYTES, Imported, only, read
from designer.core.messages import say
from designer.management.designs import located
from designer.management.refusing import CommandRefusedError
from projects.management.base import RefusingCommand

_VARIANTS = sorted({slug for importer in IMPORTERS.values() for slug in importer.variants})


class Command(RefusingCommand):
    help = (
        "Make a design from a SQL schema. The report goes to standard error. If part of the file cannot be read, the "
        "command writes nothing."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a file, or - for standard input")
        parser.add_argument(
            "--out",
            metavar="DESIGN",
            required=True,
            help="a .yaml or .json file, or - for standard output",
        )
        parser.add_argument(
            "--format",
            choices=list(IMPORTERS),
            default="",
            help="the file's format; by default guessed",
        )
        parser.add_argument(
            "--dialect", choices=_VARIANTS, default="", help="the SQL dialect; by default guessed"
        )
        parser.add_argument(
            "--every-pattern", action="store_true", help="include doubtful access patterns"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        found = _read(options["file"], options["format"], options["dialect"])
        for kind in KINDS:
            for line in found.lines:
                if line.kind == kind:
                    self.stderr.write(f"{kind.capitalize()}: {line}")
        every = {each.number for each in found.proposals}
        taken = every if options["every_pattern"] else found.usual
        design = only(found.design, taken)
        because = {each.number: each.because for each in found.proposals}
        for pattern in found.design.patterns:
            if pattern.number not in taken:
                hint = because[pattern.number]
                self.stderr.write(f"Not taken without --every-pattern: {pattern.name} ({hint})")
        out = options["out"]
        content = dump(design, "json" if out.endswith(".json") else "yaml")
        if out == "-":
            sys.stdout.write(content)
            return
        try:
            Path(out).write_text(content, encoding="utf-8")
        except OSError as error:
            said = say("file-unwritable", name=out, problem=str(error.strerror))
            raise CommandRefusedError(said) from None


def _read(file: str, slug: str, variant: str) -> Imported:
    name = "standard input" if file == "-" else file
    try:
        if file == "-":
            content = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(file).open("rb") as opened:
                content = opened.read(MAX_BYTES + 1)
    except OSError as error:
        said = say("file-unreadable", name=name, problem=str(error.strerror))
        raise CommandRefusedError(said) from None
    try:
        return read(content, name, slug or ("sql" if variant else ""), variant)
    except DesignError as error:
        raise CommandRefusedError(located(error, name)) from None
