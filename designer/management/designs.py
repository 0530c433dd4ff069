"""The DESIGN and --style arguments that the commands share."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.design.text import MAX_BYTES
from designer.core.design.wording import close_to
from designer.core.errors import DesignError, Problem
from designer.core.messages import Message, say
from designer.core.plan import ALL_STYLES
from designer.management.refusing import CommandRefusedError


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
        said = say("design-file-unreadable", name=name, problem=str(error.strerror))
        raise CommandRefusedError(said) from None
    try:
        return load(text, name)
    except DesignError as error:
        raise CommandRefusedError(located(error, name)) from None


def located(error: DesignError, name: str) -> Message:
    """An error with a line for each problem: `shop.yaml:12: entities[0].name (User): ...`."""
    if not error.problems:
        return error.reason
    return say("lines", lines=tuple(_located(problem, name) for problem in error.problems))


def _located(problem: Problem, name: str) -> Message:
    at = f"{name}:{problem.line}:{problem.column}" if problem.line is not None else name
    place = f"{at}: {problem.place}" if problem.place else at
    return say("problem-of-file", place=place, problem=problem.reason)


def _from_gallery(slug: str) -> Design:
    if slug not in gallery.SLUGS:
        close = close_to(slug, gallery.SLUGS)
        if close:
            raise CommandRefusedError(say("not-in-gallery-but", slug=slug, close=close))
        raise CommandRefusedError(say("not-in-gallery", slug=slug))
    return gallery.load(slug)
