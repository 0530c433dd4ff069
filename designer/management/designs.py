"""The DESIGN and --style arguments that the commands share."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import CommandError

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.design.text import MAX_BYTES
from designer.core.design.wording import close_to
from designer.core.errors import DesignError
from designer.core.plan import ALL_STYLES


def add_design(parser: ArgumentParser) -> None:
    """The argument DESIGN."""
    parser.add_argument(
        "design",
        metavar="DESIGN",
        help="a YAML or JSON file, - for standard input, or gallery:SLUG (see the command gallery)",
    )


def add_style(parser: ArgumentParser) -> None:
    """The option --style."""
    parser.add_argument(
        "--style",
        choices=ALL_STYLES,
        required=True,
        help="one table for all, one for each entity, or one for each group of entities that belong together",
    )


def design_of(source: str) -> Design:
    """The design that DESIGN names; CommandError with file, line, place and remedy when it cannot
    be read."""
    if source.startswith("gallery:"):
        return _from_gallery(source.removeprefix("gallery:"))
    name = "standard input" if source == "-" else source
    try:
        # A byte more than a design may have is enough to see that it is too large.
        if source == "-":
            text = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(source).open("rb") as file:
                text = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise CommandError(
            f"{name} cannot be read: {error.strerror}. Name a file, - for standard input, or "
            "gallery:SLUG."
        ) from None
    try:
        return load(text, name)
    except DesignError as error:
        raise CommandError(said(error, name)) from None


def said(error: DesignError, name: str) -> str:
    """An error with a line for each problem: `shop.yaml:12: entities[0].name (User): ...`."""
    if not error.problems:
        return error.message
    lines = []
    for problem in error.problems:
        at = f"{name}:{problem.line}:{problem.column}" if problem.line is not None else name
        lines.append(
            f"{at}: {problem.place}: {problem.message}"
            if problem.place
            else f"{at}: {problem.message}"
        )
    return "\n".join(lines)


def _from_gallery(slug: str) -> Design:
    if slug not in gallery.SLUGS:
        close = close_to(slug, gallery.SLUGS)
        meant = f"; did you mean `{close}`?" if close else "."
        raise CommandError(
            f"There is no design `{slug}` in the gallery{meant} The command gallery lists them."
        )
    return gallery.load(slug)
