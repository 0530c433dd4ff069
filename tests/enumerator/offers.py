"""Every way to answer some reads at once under one base key, with its price."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, product

from designer.core.dynamodb.limits import (
    ITEM_OVERHEAD_BYTES,
    PARTITION_READS,
    PARTITION_WRITES,
    READ_UNIT_BYTES,
    WRITE_UNIT_BYTES,
)
from tests.enumerator.legal import gives_no_more, is_crowded, may_have
from tests.enumerator.model import Asked, Key
from tests.enumerator.pages import of_longer, steps_read
from tests.enumerator.pieces import HOT, Piece, heat_of, shards_for, steps, too_many, undominated
from tests.enumerator.sizes import (
    density,
    fuller_bytes,
    key_bytes,
    listed_bytes,
    longer_bytes,
    spelled,
    stated_bytes,
)
from tests.enumerator.table import Table
from tests.enumerator.uses import (
    Use,
    is_exact,
    is_got_exactly,
    keeps_together,
    may_go_twice,
    spread_by,
    use_of,
    uses_of,
)
from tests.enumerator.writes import entries_written, hottest_written, larger, reads_first

CROWDED = 0.05
"""US dollars a month that a key of few values has to save where every read that it answers gives more."""
TWICE = 1.0
"""US dollars a month that copies of the items have to save where no strong read asks for them."""
LISTED = 0.05
"""US dollars a month that a list of all an item has must save for each that reads whole items."""
LONGEST = 19
"""Names in a list, beside that of the type."""
ALONE, TABLE, INDEX = "alone", "table", "index"
"""How the pattern about two entities finds one of them: by itself, or in a collection of the table or an index."""


class Offers:
    """The pieces that reads can be put together from."""

    def __init__(
        self,
        table: Table,
        index_uses: Sequence[tuple[Key, list[list[Use]]]],
        way: str,
    ) -> None:
        model, base = table.model, table.base
        self.model, self.base, self.size = model, base, table.size
        self.way = way
        self.joint = -1 if way == ALONE else len(model.reads) - 1
        """The read that is answered together with another entity's."""
        self.index_uses = [one for one in index_uses if may_have(model, base, one[0], self.size)]
        self.may_be_hot = self._may_be_hot()
        self.pieces = self._pieces()

    def _pieces(self) -> list[Piece]:
        found = []
        for at, asked in enumerate(self.model.reads):
            if at != self.joint:
                found += self._on_table(at, asked)
        keys = [self._key(key) for key, _ in self.index_uses]
        for (key, uses), figures in zip(self.index_uses, keys, strict=True):
            able = [at for at, mine in enumerate(uses) if mine and self._may(at, key)]
            for size in range(1, len(able) + 1):
                for group in combinations(able, size):
                    if key.kind != "local" or any(self._is_reason(at, key) for at in group):
                        for each in product(*(self._uses(at, uses[at]) for at in group)):
                            chosen = dict(zip(group, each, strict=True))
                            offered = self._on_index(key, figures, group, chosen)
                            found += (self._with_reason(group, piece) for piece in offered)
        by_group: dict[int, list[Piece]] = {}
        for piece in found:
            by_group.setdefault(piece.reads, []).append(piece)
        return [p for pieces in by_group.values() for p in undominated(pieces, self.size)]

    def _uses(self, at: int, uses: list[Use]) -> list[Use]:
        """Those that a read may be put together from: two entities are not read together with a second read."""
        return [use for use in uses if not (use.late and at == self.joint)]

    def _with_reason(self, group: tuple[int, ...], piece: Piece) -> Piece:
        """A piece, which costs more by copies, or a key of few values, that all its reads could do without."""
        assert piece.key is not None
        if any(self._is_reason(at, piece.key) for at in group):
            return piece
        swollen = piece.swollen
        return replace(
            piece,
            usd=piece.usd + (TWICE if piece.key.kind == "copy" else CROWDED),
            swollen=swollen
            and (lambda more: (self._with_reason(group, one) for one in swollen(more))),
        )

    def _is_reason(self, at: int, key: Key) -> bool:
        """Whether a read is one for which a key may be there: whatever else it answers, it answers one of them."""
        model, asked = self.model, self.model.reads[at]
        if key.kind == "local":  # a strong read that the table does not answer with GetItem
            return asked.strong and not any(use.get for use in uses_of(model, asked, self.base))
        if key.kind == "copy" and not asked.strong:
            return False  # an index is there without anybody writing it
        return at == self.joint or not is_crowded(model, key) or gives_no_more(model, asked, key)

    def _may_be_hot(self) -> bool:
        """Whether all reads together could be more than the busiest partition of the table serves."""
        model, units = self.model, 0.0
        for at, asked in enumerate(model.reads):
            for use in uses_of(model, asked, self.base):
                most = 2 * heat_of(use.heavy, self.size) + 2
                units += asked.peak * asked.factor * use.shards * use.times * most
            if may_go_twice(model, asked):
                most = 2 * steps(self.size, READ_UNIT_BYTES) + 2
                many = max(model.rows(way) for way in asked.ways)
                got = (use.left * use.times for _, mine in self.index_uses for use in mine[at])
                many = max(many, max(got, default=0.0))
                units += asked.peak * asked.factor * (many + 1) * most
        shares = [model.hottest(self.base, asked.constants) for asked in model.reads]
        return units * max(shares, default=0) > PARTITION_READS

    def _may(self, at: int, key: Key) -> bool:
        """Whether an index may answer a read, as far as that is answered together with another entity's."""
        model = self.model
        if at != self.joint:
            return True
        return (
            self.way == INDEX
            and key.kind == "index"
            and keeps_together(model, model.reads[at], key)
        )

    def _on_table(self, at: int, asked: Asked) -> Iterator[Piece]:
        model = self.model
        unit = asked.rate * model.second * asked.factor * float(model.prices.read_unit)
        for use in uses_of(model, asked, self.base):
            if use.get or is_exact(use, model.stated_bytes):
                peak = asked.peak * asked.factor * use.shards * use.times * self.may_be_hot
                peak *= model.hottest(self.base, asked.constants) * model.once(self.base, asked)
                longer = longer_bytes(model, self.base, asked, use.tests, None)
                each = use.each
                if not use.get:
                    each = of_longer(each, 1 + longer / self.size)
                read = ((each, unit * use.shards * use.times),)
                yield Piece(
                    1 << at, 0.0, items_read=read, of_table=True, peak=peak, heavy=use.heavy
                )
        if asked.kind in ("get", "exists") and not set(model.entity.identifier) <= set(
            asked.equals
        ):
            for name in model.unique:
                if name in asked.equals:
                    left = len(asked.equals) > 1 or asked.filters or asked.exists
                    item = ((1.0, unit),) if left or asked.kind != "exists" else ()
                    yield Piece(1 << at, unit, items_read=item)

    def _key(self, key: Key) -> tuple[float, float, int]:
        """(share of the items in it, bytes it adds to an item on average, writes that read first)."""
        model = self.model
        first = 0
        for at, (change, _, _) in enumerate(model.writes):
            first |= reads_first(model, self.base, key, change) << at
        share = density(model, key)
        return share, share * key_bytes(model, key) * (key.kind != "copy"), first

    def _on_index(
        self,
        key: Key,
        figures: tuple[float, float, int],
        group: tuple[int, ...],
        uses: Mapping[int, Use],
    ) -> Iterator[Piece]:
        """An index for some reads, each of them with a second read or without."""
        model = self.model
        if key.kind == "copy":
            yield from self._on_copy(key, figures[2], group, uses)
            return
        asked = [model.reads[at] for at in group]
        ways = [
            (True,)
            if uses[at].late
            else (False, True)
            if at != self.joint and may_go_twice(model, one)
            else (False,)
            for at, one in zip(group, asked, strict=True)
        ]
        for twice in product(*ways):
            for listed in (False, True):
                yield from self._priced(key, figures, group, uses, twice, listed)

    def _names(
        self,
        group: tuple[int, ...],
        uses: Mapping[int, Use],
        twice: Sequence[bool],
        spelled: frozenset[str],
    ) -> frozenset[str] | None:
        """What an index must hold besides keys, for reads that get the items themselves or not; None for all."""
        names: frozenset[str] | None = frozenset()
        for at, again in zip(group, twice, strict=True):
            use, one = uses[at], self.model.reads[at]
            if names is None or (one.needs is None and not again):
                names = None
            else:
                names |= use.tests
                if again and use.merged:
                    names |= use.sorts
                if not again and one.needs is not None:
                    names |= use.sorts | (one.needs if at == self.joint else one.needs - spelled)
                if at == self.joint:
                    names |= set(one.order)
        return names

    def _on_copy(
        self, key: Key, first: int, group: tuple[int, ...], uses: Mapping[int, Use]
    ) -> Iterator[Piece]:
        """The items a second time in the table, written in a transaction, for some reads."""
        model, prices = self.model, self.model.prices
        size = model.own_bytes + key_bytes(model, key)
        usd = sum(
            2 * rate * model.second * steps(size + larger(model, change), WRITE_UNIT_BYTES)
            for change, rate, _ in model.writes
        ) * float(prices.write_unit)
        usd += model.items * float(prices.byte_month) * (size + ITEM_OVERHEAD_BYTES)
        heats, reads = [], 0
        for at in group:
            use, asked = uses[at], model.reads[at]
            if not (use.get or is_exact(use, model.stated_bytes)):
                return
            units = asked.factor * use.times * steps_read(use.each, size)
            heat = asked.factor * use.times * heat_of(use.heavy, size)
            heat *= model.hottest(key, asked.constants) * model.once(key, asked)
            heats.append(asked.peak * heat)
            usd += asked.rate * model.second * units * float(prices.read_unit)
            reads |= 1 << at
        yield Piece(reads, usd + HOT * too_many(heats), first=first, key=key)

    def _priced(
        self,
        key: Key,
        figures: tuple[float, float, int],
        group: tuple[int, ...],
        uses: Mapping[int, Use],
        twice: Sequence[bool],
        listed: bool,
        more: float = 0.0,
    ) -> Iterator[Piece]:
        """An index that holds what its reads need; also over shards, where one partition would run hot.

        `listed`: by a list of all that an item has, where they need all. `more`: bytes of other indexes' keys, which
        are in it when it holds everything.
        """
        model, prices = self.model, self.model.prices
        told = spelled(model, self.base, key)
        names = self._names(group, uses, twice, told)
        if names is None and any(twice) and not listed:
            return  # what holds everything needs no second read
        if listed:
            if names is not None or not self._may_list(group):
                return
            names = frozenset(one.name for one in model.entity.stored) - told
            for at in group:
                names |= uses[at].tests | uses[at].sorts
        density, key_bytes, first = figures
        fuller = fuller_bytes(model, key) if names is None else 0.0
        entry = (
            self.size + key_bytes + more + fuller
            if names is None
            else listed_bytes(model, self.base, key, names)
        )
        stated = stated_bytes(model, self.base, key, names)
        usd, items_read, reads, heats, whole = 0.0, [], 0, [], 0.0
        got: tuple[float, ...] = ()
        for at, again in zip(group, twice, strict=True):
            use, asked = uses[at], model.reads[at]
            tests = self._names((at,), uses, (True,), told)
            least = None if tests is None else stated_bytes(model, self.base, key, tests)
            if not is_exact(use, stated, least) or (again and use.unmerged):
                return
            if not is_got_exactly(use, model.stated_bytes):
                return
            reads |= 1 << at
            if at == self.joint:
                continue  # it is priced with the other entity's part
            longer = longer_bytes(model, key, asked, use.tests, names)
            asks = use.shards * use.times
            unit = asked.rate * model.second * asked.factor * float(prices.read_unit) * asks
            units = steps_read(use.each, entry + longer)
            then = round(use.left * use.times, 6) if again else 0.0
            heats.append(asked.peak * asked.factor * (asks * heat_of(use.heavy, entry + longer)))
            heats[-1] *= model.hottest(key, asked.constants) * model.once(key, asked)
            is_reason = asked.limit is None and not self._is_got(asked, asks * units)
            whole += heats[-1] * is_reason
            if names is None:
                items_read.append((of_longer(use.each, 1 + longer / entry), unit))
            else:
                usd += unit * units + LISTED * (asked.needs is None and not again)
            if again:
                items_read.append((1.0, unit / asks * then))
                got += (asked.peak * asked.factor * then,) * self.may_be_hot
        month = model.second * float(prices.write_unit)
        written = [
            (entries, rate * month, peak * hottest_written(model, key, change))
            for change, rate, peak in model.writes
            for entries in entries_written(model, key, names, change)
        ]
        kept = density * model.items * float(prices.byte_month)
        peak = sum(
            count * most * steps(entry + longer, WRITE_UNIT_BYTES)
            for (longer, count), _, most in written
        )
        hot = too_many(heats) + (peak > PARTITION_WRITES)
        count = shards_for(peak, whole, key.shards)
        if count > key.shards and (hot or key.shards > 1):
            yield from self._spread(key, count, group, uses, twice, listed, more)
            if key.shards > 1:
                return
        usd += HOT * hot + kept * ITEM_OVERHEAD_BYTES
        joined = entry * (self.joint in group)
        one = Piece(
            reads,
            usd,
            key_bytes,
            first,
            tuple(items_read),
            got=got,
            key=key,
            names=names,
            fuller=fuller,
            joined=joined,
        )
        if names is None:
            swollen = None
            if key.shards > 1:
                alone = replace(key, shards=1)
                used = self._by_other(uses, alone)
                swollen = partial(self._priced, alone, self._key(alone), group, used, twice, listed)
            entries = tuple((longer, count * dollars) for (longer, count), dollars, _ in written)
            yield replace(one, items_written=entries, bytes_kept=kept, swollen=swollen)
            return
        usd += kept * entry
        for (longer, count), dollars, _ in written:
            usd += count * dollars * steps(entry + longer, WRITE_UNIT_BYTES)
        yield replace(one, usd=usd)

    def _may_list(self, group: tuple[int, ...]) -> bool:
        """Whether an index may list all that an item has: none of its reads takes whole items of two entities."""
        whole = self.joint in group and self.model.reads[self.joint].needs is None
        return not whole and len(self.model.entity.stored) <= LONGEST

    def _is_got(self, asked: Asked, units: float) -> bool:
        """Whether the table gives the item itself for no more: no reason, then, to have an index over more shards.

        (What is read of each shard is rounded up, so that one shard more may cost less.)
        """
        got = steps(self.size, READ_UNIT_BYTES)
        return got <= units and any(use.get for use in uses_of(self.model, asked, self.base))

    def _by_other(self, uses: Mapping[int, Use], key: Key) -> dict[int, Use]:
        """How a key over another number of shards serves the same range and list of each read."""
        found = {at: use_of(self.model, use.asked, key, use.late) for at, use in uses.items()}
        return {at: use for at, use in found.items() if use is not None}

    def _spread(
        self,
        key: Key,
        count: int,
        group: tuple[int, ...],
        uses: Mapping[int, Use],
        twice: Sequence[bool],
        listed: bool,
        more: float,
    ) -> Iterator[Piece]:
        """An index over so many shards."""
        if count > 1 and key.kind == "index" and spread_by(self.model, key) is not None:
            spread = replace(key, shards=count)
            uses = self._by_other(uses, spread)
            yield from self._priced(spread, self._key(spread), group, uses, twice, listed, more)
