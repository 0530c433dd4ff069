"""How long the proof of the shop takes, with what a page shows of it: every pattern, on each engine, style by style."""

import atexit
from collections.abc import Callable
from contextlib import ExitStack

from designer.core.design import gallery
from designer.core.plan import Style
from designer.core.planner import plan
from designer.proof.engine import Engine, engine
from designer.proof.prove import prove_on
from tests.dynamodb_local import running


def bench_prove_the_shop_on_moto_single() -> Callable[[], object]:
    """Aim: 3 s."""
    return _proven(engine(), "single")


def bench_prove_the_shop_on_moto_multi() -> Callable[[], object]:
    """Aim: 3 s."""
    return _proven(engine(), "multi")


def bench_prove_the_shop_on_dynamodb_local_single() -> Callable[[], object]:
    """Aim: 5 s."""
    return _proven(_dynamodb_local(), "single")


def bench_prove_the_shop_on_dynamodb_local_multi() -> Callable[[], object]:
    """Aim: 5 s."""
    return _proven(_dynamodb_local(), "multi")


def _proven(chosen: Engine, style: Style) -> Callable[[], object]:
    design = gallery.load("shop")
    made = plan(design, style)

    def proven() -> object:
        verdict = prove_on(chosen, design, made, examples=True)
        assert verdict.passed
        assert not verdict.units[1]
        return verdict

    return proven


def _dynamodb_local() -> Engine:
    """One that runs until all is timed."""
    until_the_end = ExitStack()
    atexit.register(until_the_end.close)
    return engine(until_the_end.enter_context(running()))
