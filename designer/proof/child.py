"""A proof in a process of its own, which tells its parent what comes of it."""

import signal
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from designer.core.design.document import Design
from designer.core.messages import say, text
from designer.core.plan import Plan, Style
from designer.core.planner import plan
from designer.processes import Limits, begin_child, limit
from designer.proof import engine
from designer.proof.prove import prove_on
from designer.proof.verdicts import PatternVerdict

Tell = Callable[[tuple[str, Any]], object]
"""Takes a kind and what is said: `engine` its name, `pattern` a verdict, and last `ended` what became of the whole."""


def prove_here(
    tell: Tell, endpoint: str | None, design: Design, style: Style, made: Plan | None
) -> None:
    """Prove a design's plan, which is made first where it is not given, in this process and without limits."""

    def keep(verdict: PatternVerdict) -> None:
        tell(("pattern", verdict.model_dump(mode="json")))

    try:
        chosen = engine.engine(endpoint)
    except engine.EngineError:
        traceback.print_exc()
        tell(("ended", {"passed": False, "problem": text(say("site-engine-silent"))}))
        return
    tell(("engine", chosen.name))
    made = made or plan(design, style, reasons="findings")
    verdict = prove_on(chosen, design, made, progress=keep, examples=True)
    tell(("ended", {"passed": verdict.passed, "problem": verdict.problem}))


class _EndedError(BaseException):
    """The parent, or the kernel at the limit of processor time, ends the proof: its tables are removed first."""


def prove_in_child(to_parent: Connection, limits: Limits, *what: Any) -> None:
    """The same in a child process with limits; what fails is told as `failed`."""
    begin_child()
    for signum in (signal.SIGTERM, signal.SIGXCPU):
        signal.signal(signum, _end)
    limit(limits)
    try:
        prove_here(to_parent.send, *what)
    except _EndedError as error:
        if error.args[0] == signal.SIGXCPU:
            problem = text(say("proof-out-of-time", seconds=limits.cpu_seconds))
            to_parent.send(("ended", {"passed": False, "problem": problem}))
    except MemoryError:
        problem = text(say("proof-out-of-memory"))
        to_parent.send(("ended", {"passed": False, "problem": problem}))
    except Exception:
        to_parent.send(("failed", traceback.format_exc()))


def _end(signum: int, frame: object) -> None:
    raise _EndedError(signum)
