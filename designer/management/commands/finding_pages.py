"""The pages of `docs/findings/`, written anew from the rules."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from designer.core.lint.pages import pages


class Command(BaseCommand):
    help = "Write a page for each finding, and a list of them, into a folder. Remove pages of former findings."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="docs/findings, in the repository")

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        folder.mkdir(parents=True, exist_ok=True)
        made = pages()
        for name, text in made.items():
            (folder / name).write_text(text, "utf-8")
        gone = [file for file in folder.glob("*.md") if file.name not in made]
        for file in gone:
            file.unlink()
        self.stdout.write(f"{len(made)} pages written to {folder}; {len(gone)} removed.")
