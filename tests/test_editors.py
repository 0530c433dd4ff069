"""Editors at once on a real server: what was acknowledged is there, whatever happens to the server."""

import time
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.editors.editing import Editor, work_together
from tests.editors.replay import faults
from tests.editors.site import Site, site

pytestmark = pytest.mark.slow

EDITORS, SECONDS = 8, 5.0


def editors_of(served: Site) -> list[Editor]:
    people = served.inside("people", str(EDITORS))
    return [Editor(served.url, **person, seed=seed) for seed, person in enumerate(people)]


def acknowledged(editors: list[Editor]) -> int:
    return sum(done.number is not None for each in editors for done in each.done)


def test_a_server_that_is_killed_loses_no_edit_that_it_acknowledged(tmp_path: Path) -> None:
    """The design is what its edits make one after another: before, meanwhile and after."""
    with site(tmp_path) as served:
        editors = editors_of(served)
        stop = Event()
        working = Thread(target=work_together, args=[editors, 24 * SECONDS, stop])
        working.start()
        # On a busy machine the first edits take their time.
        while acknowledged(editors) < EDITORS and working.is_alive():
            time.sleep(0.1)
        before = acknowledged(editors)
        served.kill()
        time.sleep(0.5)
        served.start()
        time.sleep(2 * SECONDS)
        stop.set()
        working.join()
        work_together(editors, SECONDS)
        assert list(faults(editors, served.inside("recorded"))) == []
        assert 0 < before < acknowledged(editors)
        assert any(done.status == 0 for each in editors for done in each.done)
