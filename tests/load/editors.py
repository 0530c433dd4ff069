"""Fifty editors of one design for a minute."""

import json
import subprocess
import sys
from pathlib import Path

from tests.editors.editing import Editor, work_together
from tests.editors.replay import faults, figures
from tests.load.served import served

EDITORS, SECONDS = 50, 60.0


def main(root: Path) -> None:
    with served(root) as site:

        def inside(*arguments: str) -> object:
            ran = subprocess.run(
                [sys.executable, "-m", "tests.editors.inside", *arguments],
                cwd=root,
                env=site.environment,
                check=True,
                capture_output=True,
            )
            return json.loads(ran.stdout)

        people = inside("people", str(EDITORS))
        assert isinstance(people, list)
        editors = [Editor(site.url, **person, seed=seed) for seed, person in enumerate(people)]
        work_together(editors, SECONDS)
        print(figures(editors, SECONDS))
        recorded = inside("recorded")
        assert isinstance(recorded, list)
        print("faults:", list(faults(editors, recorded)) or "none")
        print(f"memory of all processes: {site.memory_mb():.0f} MB")
