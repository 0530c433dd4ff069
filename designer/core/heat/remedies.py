"""What keeps a key cool, or would: with its price where the plan has one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from designer.core.dynamodb.limits import PARTITION_READS, PARTITION_WRITES, SHARD_WRITES
from designer.core.heat.keys import KeyHeat
from designer.core.messages import KeyWords, Message
from designer.core.plan import Decision, Plan, Rejected
from designer.core.words import figures
from designer.core.words.english import joined

HOT = frozenset({"overloads-partition", "would-overload-partition"})
"""The messages that say of a choice that it would be hot."""


@dataclass(frozen=True)
class Other:
    """Another key that was priced, and what it costs more (less, below zero) a month than the one chosen."""

    choice: str
    because: str
    more_per_month: float


@dataclass(frozen=True)
class Remedy:
    """What is done, or is to be done, about the heat of a key."""

    kind: Literal["nothing", "spread", "watch", "act"]
    """`spread`: shards keep it cool already. `watch`: above four fifths of a limit. `act`: it throttles."""
    words: tuple[str, ...]
    more_per_month: float | None = None
    """For `spread`: what that costs more a month than the key in one piece; None where the plan does not say."""
    about: str = ""
    """The decision that can be asked for more: `key Order`, `index shop/GSI1`."""
    others: tuple[Other, ...] = ()


def remedy(plan: Plan, key: KeyHeat) -> Remedy:
    """What there is to do about a key of a plan."""
    decisions = list(_decisions(plan, key))
    about = decisions[0].about if decisions else ""
    if key.level == "hot":
        without = (
            Other("the plan without the pin", other.because, more)
            for pin in _pins(plan, key)
            for other in pin.instead_of
            if (more := _difference(pin, other)) is not None
        )
        others = (*without, *_others(decisions))
        return Remedy("act", tuple(_advice(plan, key)), about=about, others=others)
    if key.shards > 1:
        return Remedy("spread", (_spread(key),), _spread_costs(decisions), about)
    if key.level == "warm":
        words = (
            f"A little more traffic than stated would need {key.needs_shards} shards."
            if key.needs_shards > 1
            else "The key has less than a fifth of the limit to spare."
        )
        return Remedy("watch", (words,), about=about)
    return Remedy("nothing", ())


def _advice(plan: Plan, key: KeyHeat) -> Iterator[str]:
    """What would cool it: no longer pinning it, shards, a key for each entity; and what the plan itself advises."""
    if _pins(plan, key):
        yield "This key is pinned. Without the pin the plan has another."
    over = sharded(key)
    if over is not None:
        yield (
            f"Spread it over {key.needs_shards} shards by {key.spread_by}: pin `{over}` as its partition key. "
            f"A read then queries all {key.needs_shards}."
        )
    wheres = {f"entities.{load.shape}" for load in key.loads}
    hot = [f for f in plan.findings if f.rule == "hot-partition" and f.where in wheres]
    if not hot and len(key.entities) > 1:
        yield (
            f"{figures.number(len(key.entities))} entities share this key, and only their total traffic is too much. "
            f"Pin a separate key for the busiest one."
        )
    yield from dict.fromkeys(finding.remedy for finding in hot if finding.remedy)


def sharded(key: KeyHeat) -> str | None:
    """The partition key to pin so that its writes are spread over as many shards as they need; None where that is
    none of it: reads that end at a limit ask every shard for as much, and one item cannot be spread.
    """
    if (
        key.spread_by is None
        or key.shards > 1
        or len(key.templates) > 1
        or not key.is_bound_by_writes
        or sum(load.hot_writes for load in key.loads if load.of_one) > SHARD_WRITES
    ):
        return None
    plain = _TEXT.sub(r"{\1}", key.templates[0])
    return f"{plain}#SHARD#{{shard({key.needs_shards}, {key.spread_by})}}"


_TEXT = re.compile(r"\{text\((\w+)\)\}")
"""What the planner adds to a pinned template by itself."""


def _pins(plan: Plan, key: KeyHeat) -> list[Decision]:
    """The pins of a table's key, as decisions that have the price of the plan without them."""
    pins = (one for one in plan.decisions if one.about.startswith("pin ") and key.index is None)
    return [
        pin
        for pin in pins
        if any(
            one.id == "pinned-key" and one.values["entity"] in key.entities
            for one in pin.chosen.parts()
        )
    ]


def _spread(key: KeyHeat) -> str:
    reads, writes = float(key.reads * key.shards), float(key.writes * key.shards)
    units = {"write": (writes, PARTITION_WRITES), "read": (reads, PARTITION_READS)}
    over = {kind: taken for kind, (taken, most) in units.items() if taken > most}
    taken = over or {kind: taken for kind, (taken, _) in units.items() if round(taken)}
    said = f"Spread over {key.shards} shards."
    if not taken:
        return said
    each = joined([f"{amount:,.0f} {kind}" for kind, amount in taken.items()])
    more = ", more than a partition serves" if over else ""
    return f"{said} Without shards, its hottest value would take {each} units a second{more}."


def _decisions(plan: Plan, key: KeyHeat) -> Iterator[Decision]:
    """What was decided of a key: that of the entity which heats it most comes first."""
    heat = dict.fromkeys(key.entities, 0.0)
    for load in key.loads:
        if load.shape in heat:
            heat[load.shape] += float(load.hot_reads) / 3 + float(load.hot_writes)
    for entity in sorted(heat, key=lambda name: -heat[name]):
        about = f"key {entity}" if key.index is None else f"index {key.table}/{key.index}"
        for decision in plan.decisions:
            names_it = key.index is None or decision.chosen.values.get("entity") == entity
            if decision.about == about and names_it:
                yield decision


def _spread_costs(decisions: list[Decision]) -> float | None:
    for decision in decisions:
        for other in decision.instead_of:
            less = _difference(decision, other)
            if other.chosen.id == "not-spread" and less is not None:
                return -less
    return None


def _others(decisions: list[Decision]) -> tuple[Other, ...]:
    """Other keys that were priced, and are not said to run hot themselves."""
    found = []
    for decision in decisions:
        for other in decision.instead_of:
            more = _difference(decision, other)
            is_hot = any(one.id in HOT for reason in other.reasons for one in reason.parts())
            if more is not None and _is_key(other.chosen) and not is_hot:
                found.append(Other(other.choice, other.because, more))
    return tuple(found)


def _is_key(chosen: Message) -> bool:
    """Whether another key was priced, or another index."""
    if chosen.id != "through":
        return chosen.id == "key-by-in-short"
    match chosen.values["places"]:
        case (KeyWords(kind="index"), *_):
            return True
    return False


def _difference(decision: Decision, other: Rejected) -> float | None:
    if decision.per_month is None or other.per_month is None:
        return None
    return other.per_month - decision.per_month
