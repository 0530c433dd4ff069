"""The cheapest structures under one base key: every way to group the reads, but what is surely dearer."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf

from designer.core.dynamodb.limits import PARTITION_WRITES, READ_UNIT_BYTES
from tests.enumerator.model import Key, Model
from tests.enumerator.offers import ALONE, TABLE, Offers
from tests.enumerator.pieces import HOT, Piece, heat_of, steps, too_many
from tests.enumerator.table import Table
from tests.enumerator.uses import Use


@dataclass(frozen=True)
class Found:
    """A choice of keys for one entity."""

    unserved: int
    """Patterns that nothing serves."""
    cost: float
    """US dollars a month, and `HOT` for each partition that runs hot."""
    base: Key | None = None
    pieces: tuple[Piece, ...] = ()

    @property
    def figures(self) -> tuple[int, float]:
        return self.unserved, self.cost

    @property
    def usd(self) -> float:
        """US dollars a month."""
        return self.cost % HOT


class Under:
    """The cheapest indexes under one base key. `once`: no two with the same keys."""

    def __init__(
        self,
        model: Model,
        base: Key,
        index_uses: Sequence[tuple[Key, list[list[Use]]]],
        way: str = ALONE,
        once: bool = False,
    ) -> None:
        self.model, self.base, self.once = model, base, once
        self.table = Table(model, base)
        self.size = self.table.size
        offers = Offers(self.table, index_uses, way)
        self.pieces = offers.pieces
        everything = (1 << len(model.reads)) - 1
        if way == TABLE:
            everything &= ~(1 << offers.joint)
        self.lowest = self._lowest(everything)
        self.unserved = self.table.lost
        for bit in range(len(model.reads)):
            if everything >> bit & 1 and self.lowest[1 << bit] == inf:
                self.unserved += 1
                everything &= ~(1 << bit)
        self.everything = everything
        self.floor = (self.unserved, self.table.once.cost(self.size) + self.lowest[everything])

    def _lowest(self, everything: int) -> list[float]:
        """For each set of reads, what they cost at the least."""
        lowest = [0.0] + [inf] * everything
        costs = [(piece.reads, piece.cost(self.size + piece.key_bytes)) for piece in self.pieces]
        for reads in range(1, everything + 1):
            low = reads & -reads
            for group, cost in costs:
                if group & low and group & ~reads == 0:
                    lowest[reads] = min(lowest[reads], cost + lowest[reads & ~group])
        return lowest

    def cheapest(self, best: Found) -> Found:
        """The cheapest of all ways to group the reads, or `best` where none is cheaper."""

        def is_enough(least: float) -> bool:
            return (self.unserved, least) >= best.figures

        for usd, chosen, _ in self._choices(is_enough):
            found = Found(self.unserved, usd, self.base, chosen)
            best = min(best, found, key=lambda one: one.figures)
        return best

    def all(self, most: float) -> Iterator[tuple[int, float, float]]:
        """What every choice up to so much costs, and the bytes of an item where the joint read finds it."""
        for usd, chosen, size in self._choices(lambda least: least > most):
            found = {
                p.joined if p.names is not None else size + p.fuller for p in chosen if p.joined
            }
            (joined,) = found or {size}
            yield self.unserved, usd, joined

    def _choices(
        self, is_enough: Callable[[float], bool]
    ) -> Iterator[tuple[float, tuple[Piece, ...], float]]:
        """(US dollars a month, pieces, bytes of an item) of every way to group the reads but those that cost enough."""

        def descend(
            left: int, chosen: tuple[Piece, ...], size: float, first: int
        ) -> Iterator[tuple[float, tuple[Piece, ...], float]]:
            usd = self._usd(chosen, size, first)
            if is_enough(usd + self.lowest[left]):
                return
            if not left:
                chosen, size = self._counted_again(chosen, size)
                yield self._usd(chosen, size, first), chosen, size
                return
            low = left & -left
            for piece in self.pieces:
                if self.once and any(piece.has_keys_of(other) for other in chosen):
                    continue
                if piece.reads & low and piece.reads & ~left == 0:
                    yield from descend(
                        left & ~piece.reads,
                        (*chosen, piece),
                        size + piece.key_bytes,
                        first | piece.first,
                    )

        return descend(self.everything, (), self.size, 0)

    def _usd(self, chosen: tuple[Piece, ...], size: float, first: int) -> float:
        copied = any(piece.is_copy for piece in chosen)
        table = self.table.doubled if copied else self.table.once
        usd = table.cost(size) + self.table.first_usd(first, size)
        usd += sum(piece.cost(size) for piece in chosen)
        return usd + HOT * self._hot(chosen, size)

    def _hot(self, chosen: Iterable[Piece], size: float) -> int:
        """How much runs hot: reads of the table's busiest partition, and writes of the table and its copies."""
        model = self.model
        share = model.hottest(self.base)
        heats = []
        for piece in chosen:
            if piece.of_table:
                heats.append(piece.peak * heat_of(piece.heavy, size))
            heats += [got * steps(size, READ_UNIT_BYTES) * share for got in piece.got]
        copies = [piece.key for piece in chosen if piece.key is not None and piece.is_copy]
        return too_many(heats) + sum(
            self.table.peak_written(copies, size, key) > PARTITION_WRITES
            for key in (self.base, *copies)
        )

    def _counted_again(
        self, chosen: tuple[Piece, ...], size: float
    ) -> tuple[tuple[Piece, ...], float]:
        """The choice with the shards of whole items counted with the keys of all its indexes."""
        for piece in chosen:
            more = size - self.size - piece.key_bytes
            if piece.swollen is not None and more:
                now = min(piece.swollen(more), key=lambda one: one.cost(size), default=piece)
                chosen = tuple(now if one is piece else one for one in chosen)
                size += now.key_bytes - piece.key_bytes
        return chosen, size
