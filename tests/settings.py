"""The site's settings, for tests: nothing is kept, and passwords are hashed fast."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

# One folder for each process, so that parallel workers and runs never meet.
_data_dir = tempfile.mkdtemp(prefix="keywright-tests-")
atexit.register(shutil.rmtree, _data_dir, ignore_errors=True)
os.environ["KEYWRIGHT_DATA_DIR"] = _data_dir

from designer.settings import *  # noqa: E402, F403
from designer.settings import DATABASES  # noqa: E402

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, not memory: the live server's threads then have connections of their own, as they do
    # in production.
    DATABASES["default"]["TEST"] = {"NAME": str(Path(_data_dir, "tests.sqlite3"))}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# Each client of a test makes the middleware anew, which would look through all static files.
WHITENOISE_AUTOREFRESH = True

# Work is done in the test's own thread, where it can be looked at; tests of the pool make their own.
POOL_PROCESSES = 0

# All tests come from one address.
VISITOR_PERCENT = 1_000_000
LATER_PERCENT = 100
