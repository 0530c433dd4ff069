"""How good plans are: against every key there is, and by running them, on thousands of designs made up at random."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from multiprocessing import get_context

from designer.proof.engine import engine
from tests import dynamodb_local
from tests.core.test_optimal import differences
from tests.designs_small import hot, joined, ranged, strict
from tests.proven import wrongs

PROVEN, COMPARED, SMALL = 10_000, 550, 2_000
"""Designs run in memory, of these also on DynamoDB Local, and small ones for which every key is formed.

One in forty has index keys of several attributes, which DynamoDB Local does not know: 500 and more are compared.
"""


def once_prove_10000_generated_designs() -> Iterator[str]:
    """In memory, 500 of them on DynamoDB Local too: wrong items, wrong order, collisions, refusals; none expected."""
    with dynamodb_local.running() as address:
        yield from _by_all(partial(_wrongs, address), range(PROVEN))


def _wrongs(address: str, seed: int) -> list[str]:
    try:
        return wrongs(seed, engine(address).client if seed < COMPARED else None)
    except Exception as error:  # the other designs are run all the same
        return [f"design {seed}: {error!r}"]


def once_compare_2000_small_designs_with_every_key() -> Iterator[str]:
    """In both styles: plans that cost another sum than the cheapest keys; none expected."""
    yield from _by_all(differences, range(SMALL))


def once_compare_2000_designs_of_two_entities_with_every_key() -> Iterator[str]:
    """The same where one pattern joins two entities; none expected."""
    yield from _by_all(partial(differences, of=joined), range(SMALL))


def once_compare_2000_designs_of_hot_writes_with_every_key() -> Iterator[str]:
    """The same where writes at their peak may be more than one partition takes."""
    yield from _by_all(partial(differences, of=hot), range(SMALL))


def once_compare_2000_designs_of_strong_reads_with_every_key() -> Iterator[str]:
    """The same where many lists are read strongly, from local indexes and copies.

    Few expected. No candidate is a table key that holds what a copy is asked by, which may save some percent.
    """
    yield from _by_all(partial(differences, of=strict), range(SMALL))


def once_compare_2000_designs_of_several_ranges_with_every_key() -> Iterator[str]:
    """The same where a key may serve one of several ranges, and of several lists.

    Few expected. A constant that ends a key behind what only keeps items out may save a byte of each.
    """
    yield from _by_all(partial(differences, of=ranged), range(SMALL))


def _by_all(asked: Callable[[int], list[str]], seeds: range) -> Iterator[str]:
    """What is said of each design, by as many processes as there are processors."""
    with get_context("spawn").Pool(maxtasksperchild=200) as pool:
        yield from chain.from_iterable(pool.imap(asked, seeds, chunksize=10))
