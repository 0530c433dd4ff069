"""What a table costs under one base key, whatever indexes there are."""

from collections.abc import Sequence

from designer.core.dynamodb.limits import ITEM_OVERHEAD_BYTES, READ_UNIT_BYTES, WRITE_UNIT_BYTES
from designer.core.patterns.base import Member
from tests.enumerator.model import Key, Model
from tests.enumerator.pieces import Piece, steps
from tests.enumerator.sizes import guard_bytes, key_bytes
from tests.enumerator.uses import made_of
from tests.enumerator.writes import hottest_written, larger, membership


class Table:
    """Writing and keeping an entity's items and their guards."""

    def __init__(self, model: Model, base: Key) -> None:
        self.model, self.base = model, base
        self.size = model.own_bytes + key_bytes(model, base)
        self.guard = self._has_guard()
        self.lost = sum(
            self._is_lost(change) and not self._is_found(change) for change, _, _ in model.writes
        )
        """Writes that nothing leads to their item."""
        self.once, self.doubled = self._table(False), self._table(True)

    def _table(self, copied: bool) -> Piece:
        """Writing and keeping the items and their guards, whatever indexes there are; twice as dear with copies."""
        model, prices = self.model, self.model.prices
        usd, written = 0.0, []
        for change, rate, _ in model.writes:
            month = rate * model.second
            guards = self._guards_written(change)
            doubled = 1 + (copied or guards is not None)
            usd += month * (guards or 0) * float(prices.write_unit)
            written.append((larger(model, change), month * doubled * float(prices.write_unit)))
            if self._is_lost(change):
                usd += month * float(prices.read_unit)
        kept = model.items * float(prices.byte_month)
        usd += kept * ITEM_OVERHEAD_BYTES
        for name in (*model.unique, *[""] * self.guard):
            present = model.entity.by_name[name].present if name else 1.0
            one = guard_bytes(model, self.base, name) + ITEM_OVERHEAD_BYTES
            usd += kept * present * one
        return Piece(0, usd, 0.0, 0, (), tuple(written), kept)

    def peak_written(self, copies: Sequence[Key], size: float, on: Key) -> float:
        """Write units a second on the table's busiest partition, by this key, when every pattern runs at its peak."""
        model = self.model
        twice = [model.own_bytes + key_bytes(model, copy) for copy in copies]
        peak = 0.0
        for change, _, most in model.writes:
            guards = self._guards_written(change)
            doubled = 1 + (bool(copies) or guards is not None)
            more = larger(model, change)
            units = doubled * steps(size + more, WRITE_UNIT_BYTES) + (guards or 0)
            units += sum(2 * steps(one + more, WRITE_UNIT_BYTES) for one in twice)
            peak += most * units * hottest_written(model, on, change)
        return peak

    def _guards_written(self, change: Member) -> float | None:
        """Write units of guards that come and go with a write, on average; None where it touches none."""
        model = self.model
        whole = change.verb in ("create", "delete")
        names = [
            name
            for name in model.unique
            if whole or change.verb == "upsert" or name in model.changed(change)
        ]
        names += [""] * (self.guard and whole)
        if not names:
            return None
        units = 0.0
        for name in names:
            found, left = membership(model, Key((name,) if name else (), ()), change)
            found, left = found * (change.verb != "create"), left * (change.verb != "delete")
            size = guard_bytes(model, self.base, name)
            units += 2 * steps(size, WRITE_UNIT_BYTES) * (found + left)
        return units

    def _is_lost(self, change: Member) -> bool:
        """Whether an update or delete does not say where its item lies."""
        return change.verb in ("update", "delete") and not (
            made_of(self.model, self.base) <= self.model.known(change)
        )

    def _is_found(self, change: Member) -> bool:
        known = self.model.known(change)
        by_identifier = self.guard and set(self.model.entity.identifier) <= known
        return by_identifier or any(name in known for name in self.model.unique)

    def _has_guard(self) -> bool:
        """Whether the identifier needs a guard item, to stay unique or to lead writes to the item (rules 1, 12)."""
        model = self.model
        identifier = set(model.entity.identifier)
        extra = set(self.base.attributes) - identifier
        if not extra:
            return False
        verbs = {change.verb for change, _, _ in model.writes}
        if verbs & {"create", "upsert"} and not model.generated:
            return True
        return any(
            change.verb in ("update", "delete")
            and not extra <= model.known(change)
            and (
                identifier <= model.known(change)
                or not any(name in model.known(change) for name in model.unique)
            )
            for change, _, _ in model.writes
        )

    def first_usd(self, writes: int, size: float) -> float:
        """Reading items before they are written, for what indexes need of them."""
        writes |= self.always_first
        usd = 0.0
        for at, (_, rate, _) in enumerate(self.model.writes):
            if writes >> at & 1:
                usd += rate * self.model.second * steps(size, READ_UNIT_BYTES)
        return usd * float(self.model.prices.read_unit)

    @property
    def always_first(self) -> int:
        """The writes that read first for the sake of a unique value's guard, unless the table's key holds the value."""
        found = 0
        for at, (change, _, _) in enumerate(self.model.writes):
            if change.verb == "create":
                continue
            whole = change.verb in ("upsert", "delete")
            uniques = [n for n in self.model.unique if whole or n in self.model.changed(change)]
            known = self.model.known(change) | set(self.base.attributes)
            unknown = any(n not in known for n in uniques)
            if unknown or (change.verb == "upsert" and uniques):
                found |= 1 << at
        return found
