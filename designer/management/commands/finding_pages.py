"""The pages of `docs/findings/`, written anew from the rules."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from designer.core.lint.pages import pages
from designer.core.messages import say, text


class Command(BaseCommand):
    help = "Write a page for each finding, and a list of them, into a folder. Remove pages of former findings."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="docs/findings, in the repository")

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        folder.mkdir(parents=True, exist_ok=True)
        made = pages()
        for name, page in made.items():
            (folder / name).write_text(page, "utf-8")
        gone = [file for file in folder.glob("*.md") if file.name not in made]
        for file in gone:
            file.unlink()
        written = say(
            "finding-pages-written", count=len(made), folder=str(folder), removed=len(gone)
        )
        self.stdout.write(text(written))
