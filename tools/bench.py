"""Time what should stay fast: `make bench`, or `python -m tools.bench WORD` for some of it.

Every function `bench_...` in tests/bench/*.py makes its preparations and returns what is to be timed, a callable
without arguments. It is called once unmeasured, then 40 times, or until two seconds have passed if that is later, but
at most 200 times, and after six seconds no more than 5 times. Beside the time on the clock stands the median of the
processor time of this process: on a busy machine it says more. Its docstring's first line is printed, and may state the
aim. A database of its own is there, as in tests.

Every function `seen_...` there looks at a site of its own in a browser, and yields what it saw, with milliseconds.

Every function `once_...` there is run once, and yields a line for each thing that is not as it should be.
"""

import importlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median, quantiles
from typing import Any

TESTS = Path(__file__).resolve().parent.parent / "tests"

Action = Callable[[], object]


def benches(kind: str) -> Iterator[Callable[[], Any]]:
    for path in sorted((TESTS / "bench").glob("*.py")):
        module = importlib.import_module(f"tests.bench.{path.stem}")
        for name, bench in vars(module).items():
            if name.startswith(f"{kind}_") and bench.__module__ == module.__name__:
                yield bench


def timed(action: Action) -> tuple[list[float], list[float]]:
    """Milliseconds of each call, on the clock and of the processor."""
    action()
    times: list[float] = []
    busy: list[float] = []
    began = time.perf_counter()
    while len(times) < _enough(time.perf_counter() - began):
        start, used = time.perf_counter(), time.process_time()
        action()
        times.append((time.perf_counter() - start) * 1000)
        busy.append((time.process_time() - used) * 1000)
    return times, busy


def _enough(seconds: float) -> int:
    """Calls after which no more are made, once so much time has passed: a 95th percentile of a few says little."""
    return 200 if seconds < 2 else 40 if seconds < 6 else 5


def _print(name: str, times: list[float], busy: list[float] | None = None) -> None:
    numbers: list[float] = []
    if times:
        p95 = quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else times[0]
        numbers = [min(times), median(times), p95, max(times)]
    columns = [*(f"{n:9.1f}" for n in numbers), *(["        -"] * (4 - len(numbers)))]
    used = f"{median(busy):9.1f}" if busy else "        -"
    print(f"{name:<40}", *columns, used, f" {len(times)}", flush=True)


def run(word: str) -> None:
    print(f"{'milliseconds':<40} {'min':>9} {'median':>9} {'p95':>9} {'max':>9} {'cpu':>9}  calls")
    print("load average", *(f"{load:.1f}" for load in os.getloadavg()))
    for bench in benches("bench"):
        name = bench.__name__.removeprefix("bench_").replace("_", " ")
        if word in name:
            _print(name, *timed(bench()))
            if bench.__doc__:
                print(f"  {bench.__doc__.splitlines()[0]}")
    for look in benches("seen"):
        if word in look.__name__.removeprefix("seen_").replace("_", " "):
            for what, times in look():
                _print(what, times)
            if look.__doc__:
                print(f"  {look.__doc__.splitlines()[0]}")
    for check in benches("once"):
        name = check.__name__.removeprefix("once_").replace("_", " ")
        if word in name:
            start, said = time.perf_counter(), 0
            for line in check():
                said += 1
                print(f"  {line}", flush=True)
            print(f"{name}: {said} in {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django
    from django.template import Template
    from django.test.utils import get_runner, setup_test_environment

    django.setup()
    from django.conf import settings

    rendered = Template._render  # type: ignore[attr-defined]
    setup_test_environment()
    # What the test client notes of each template is no work of the server.
    Template._render = rendered  # type: ignore[attr-defined]
    runner = get_runner(settings)(verbosity=0, interactive=False)
    databases = runner.setup_databases()
    try:
        run(" ".join(sys.argv[1:]))
    finally:
        runner.teardown_databases(databases)
