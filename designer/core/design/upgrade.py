"""Documents of older formats become today's: a revision lives for ever and must always open."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from designer.core.design.document import FORMAT
from designer.core.design.text import refuse
from designer.core.errors import DesignError, Problem
from designer.core.messages import Message, say

Step = Callable[[dict[str, Any]], dict[str, Any]]

STEPS: Mapping[int, Step] = {}
"""For each older format, the function that makes it the next: `{1: from_1_to_2}`.

A step gets plain data of its own to change and leaves the version number to `upgrade`. Format 1 is
the first, so there is none yet."""


def upgrade(
    data: dict[str, Any],
    name: str = "design",
    steps: Mapping[int, Step] = STEPS,
    newest: int = FORMAT,
) -> dict[str, Any]:
    """The document in the newest format.

    DesignError when its version is missing, unknown, or newer than ours.
    """
    version = data.get("keywright")
    if version is None:
        raise _refusal(name, say("format-missing", newest=newest))
    if type(version) is not int or version < 1:
        raise _refusal(name, say("format-not-a-number", newest=newest))
    if version > newest:
        raise _refusal(
            name,
            say("format-too-new", version=version, newest=newest),
            "newer-format",
        )
    while version < newest:
        data = {**steps[version](deepcopy(data)), "keywright": version + 1}
        version += 1
    return data


def _refusal(name: str, reason: Message, code: str = "no-format") -> DesignError:
    return refuse(code, name, [Problem("keywright", reason)])
