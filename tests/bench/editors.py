"""How fast many people edit one design at once. With `tools/with_postgres.sh make bench ONLY=editors` on PostgreSQL."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.editors.editing import Editor, work_together
from tests.editors.replay import faults, figures
from tests.editors.site import site

SECONDS = float(os.environ.get("SECONDS", "60"))


def once_fifty_editors_of_one_design() -> Iterator[str]:
    """Fifty people edit one design for a minute: how fast, and then every edit that was lost or comes from nobody."""
    with tempfile.TemporaryDirectory() as folder, site(Path(folder)) as served:
        people = served.inside("people", "50")
        editors = [Editor(served.url, **each, seed=seed) for seed, each in enumerate(people)]
        work_together(editors, SECONDS)
        yield figures(editors, SECONDS)
        yield from faults(editors, served.inside("recorded"))
