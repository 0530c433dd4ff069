"""Compare our plans with the published designs of a folder."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from designer.core.benchmark import tables
from designer.core.benchmark.cases import Case, read, slugs
from designer.core.benchmark.published import read_keys
from designer.core.benchmark.report import Comparison, compare, mixes
from designer.core.errors import DesignError
from designer.management.designs import said
from designer.proof.engine import Engine, EngineError, engine
from designer.proof.prove import prove_on

FOLDER = Path(settings.BASE_DIR) / "tests" / "published"


class Command(BaseCommand):
    help = (
        "Plan each case of a folder in both styles and under its published keys, at the same prices. "
        "Print the tables of the report, or put them into a page."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "folder",
            metavar="FOLDER",
            nargs="?",
            type=Path,
            default=FOLDER,
            help="the folder of the cases",
        )
        parser.add_argument(
            "--case", metavar="SLUG", action="append", help="only this case; may be repeated"
        )
        parser.add_argument("--prove", action="store_true", help="also prove our plans, on moto")
        parser.add_argument(
            "--endpoint",
            metavar="URL",
            action="append",
            default=[],
            help="with --prove: also on a DynamoDB at this address; may be repeated",
        )
        parser.add_argument(
            "--into", metavar="PAGE", type=Path, help="a page with marks where the tables go"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        wanted = options["case"] or slugs(folder)
        if not wanted:
            raise CommandError(f"There is no case in {folder}.")
        try:
            engines = [engine(url) for url in (None, *options["endpoint"])]
        except EngineError as error:
            raise CommandError(str(error)) from None
        compared: list[Comparison] = []
        proven: dict[str, str] = {}
        mixed: list[str] = []
        for slug in wanted:
            case = self._case(folder, slug)
            compared.append(compare(case, read_keys(folder, slug)))
            if options["prove"]:
                proven[slug] = self._proven(case, compared[-1], engines)
            if case.mixes is not None:
                mixed.append(tables.mixes_table(mixes(case, time.process_time)))
            self.stderr.write(f"{slug}: {tables.verdict(compared[-1])}")
        found = {
            "cases": tables.cases_table(compared, proven),
            "fewest": tables.fewest_table(compared),
            "mixes": "\n\n".join(mixed),
            "misses": tables.misses_list(compared),
            "repairs": tables.repairs_list(compared),
        }
        if options["into"] is None:
            self.stdout.write("\n\n".join(text for text in found.values() if text))
            return
        page = options["into"].read_text("utf-8")
        for name, text in found.items():
            page = tables.put(page, name, text)
        options["into"].write_text(page, "utf-8")

    def _case(self, folder: Path, slug: str) -> Case:
        try:
            return read(folder, slug)
        except KeyError:
            raise CommandError(f"There is no case {slug} in {folder}.") from None
        except DesignError as error:
            raise CommandError(said(error, slug)) from None

    def _proven(self, case: Case, comparison: Comparison, engines: list[Engine]) -> str:
        """The engines on which all our plans held, and those on which all of one style did."""
        held: dict[str, dict[str, bool]] = {}
        for chosen in engines:
            styles = held.setdefault(chosen.name, {})
            for ours in (*comparison.ours, *comparison.fewest):
                verdict = prove_on(chosen, case.design, ours.plan)
                # Some cases ask what no plan within the rules serves, and say so.
                styles[ours.style] = styles.get(ours.style, True) and verdict.held
                failed = [p.name for p in verdict.patterns if p.status == "failed"]
                for what in (verdict.problem, *failed):
                    if what:
                        self.stderr.write(f"  {verdict.engine}, {ours.style}: {what}")
        return tables.engines_told(held)
