"""Run one of them: `python -m tests.load flood --site FOLDER`."""

import argparse
from pathlib import Path

from tests.load import classroom, compose, flood, hosts, servers

KINDS = {
    "class": classroom.main,
    "compose": compose.main,
    "flood": flood.main,
    "hosts": hosts.main,
    "servers": servers.main,
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--site", type=Path, default=Path(), help="a checkout; this one without it")
    parser.add_argument(
        "--once", action="store_true", help="of the flood: each sends its requests once"
    )
    given = parser.parse_args()
    if given.kind == "flood" and given.once:
        flood.main(given.site.resolve(), rounds=1)
    else:
        KINDS[given.kind](given.site.resolve())
