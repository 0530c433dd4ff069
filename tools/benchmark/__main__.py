"""Compare our plans with the published designs of a folder: `python -m tools.benchmark`."""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from designer.core.errors import DesignError
from designer.core.messages import text
from designer.management.designs import located
from designer.proof.engine import Engine, EngineError, engine
from designer.proof.prove import prove_on
from tools.benchmark import tables
from tools.benchmark.cases import Case, read, slugs
from tools.benchmark.published import read_keys
from tools.benchmark.report import Comparison, compare, mixes

FOLDER = Path(__file__).parents[2] / "tests" / "published"


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.benchmark",
        description="Plan each case of a folder in both styles and under its published keys, at the same prices. "
        "Print the tables of the report, or put them into a page.",
    )
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
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Raises SystemExit with a sentence if a case or an engine is not there."""
    options = arguments().parse_args(given)
    folder: Path = options.folder
    wanted = options.case or slugs(folder)
    if not wanted:
        sys.exit(f"There is no case in {folder}.")
    try:
        engines = [engine(url) for url in (None, *options.endpoint)]
    except EngineError as error:
        sys.exit(str(error))
    compared: list[Comparison] = []
    proven: dict[str, str] = {}
    mixed: list[str] = []
    for slug in wanted:
        case = case_of(folder, slug)
        compared.append(compare(case, read_keys(folder, slug)))
        if options.prove:
            proven[slug] = proven_on(engines, case, compared[-1])
        if case.mixes is not None:
            mixed.append(tables.mixes_table(mixes(case, time.process_time)))
        print(f"{slug}: {tables.verdict(compared[-1])}", file=sys.stderr)
    found = {
        "cases": tables.cases_table(compared, proven),
        "fewest": tables.fewest_table(compared),
        "mixes": "\n\n".join(mixed),
        "misses": tables.misses_list(compared),
        "repairs": tables.repairs_list(compared),
    }
    if options.into is None:
        print("\n\n".join(text for text in found.values() if text))
        return
    page = options.into.read_text("utf-8")
    for name, written in found.items():
        page = tables.put(page, name, written)
    options.into.write_text(page, "utf-8")


def case_of(folder: Path, slug: str) -> Case:
    try:
        return read(folder, slug)
    except KeyError:
        sys.exit(f"There is no case {slug} in {folder}.")
    except DesignError as error:
        sys.exit(text(located(error, slug)))


def proven_on(engines: Sequence[Engine], case: Case, comparison: Comparison) -> str:
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
                    print(f"  {verdict.engine}, {ours.style}: {what}", file=sys.stderr)
    return tables.engines_proven(held)


if __name__ == "__main__":
    main()
