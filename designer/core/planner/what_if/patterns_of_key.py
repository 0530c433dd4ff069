"""What a key that somebody asks about could serve: a verdict for each access pattern."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from designer.core.design.check_patterns.flaws import unknown
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.pins import key_text
from designer.core.errors import MisfitError
from designer.core.messages import Message, say, text
from designer.core.messages.reasoned import NOTHING
from designer.core.plan import Style
from designer.core.planner.candidates.chains import model_order
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead, PatternRead
from designer.core.planner.model.structures import Access, Structure
from designer.core.planner.operations.reading_less import reads_too_much
from designer.core.planner.pricing.access_paths import accesses
from designer.core.planner.pricing.asked_lists import lists_in_key
from designer.core.planner.pricing.key_matching import (
    must_be_sorted,
    why_not_sorted,
)
from designer.core.planner.rewrites.variants import requirements_of
from designer.core.planner.solve.choice import choose
from designer.core.planner.solve.search import Search


@dataclass(frozen=True)
class KeyAsked:
    """A key that somebody has in mind: attributes in order, or key templates."""

    entity: str
    partition: tuple[str, ...] | str
    sort: tuple[str, ...] | str = ()
    index: bool = False
    """As the key of an index; else as the table's own."""

    @property
    def in_words(self) -> bool:
        """Whether both parts name attributes, and say nothing of how the key is written."""
        return isinstance(self.partition, tuple) and isinstance(self.sort, tuple)


def structure_of_key(model: EntityModel, asked: KeyAsked) -> Structure:
    parts = asked.partition, asked.sort
    partition, sort = (key_attributes(model.entity, part) for part in parts)
    kind = "index" if asked.index else "base"
    if not asked.index and not asked.sort:
        # As with a pin of such a key, the identifier follows.
        sort = tuple(name for name in model.entity.identifier if name not in partition)
    only = _only(model.entity, parts)
    return Structure(model.name, kind, model_order(model, partition), sort, only)


def _only(
    entity: Entity, parts: Iterable[tuple[str, ...] | str]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Which values attributes must have for an item to have a key, as its templates say (`only`, `when`)."""
    texts = [key_text(entity, part) for part in parts if part and isinstance(part, str)]
    said = (limit for text in texts for limit in (*text.when, *text.only))
    return tuple(sorted({name: values for name, values in said if values}.items()))


def key_attributes(entity: Entity, part: tuple[str, ...] | str) -> tuple[str, ...]:
    return part if isinstance(part, tuple) else key_text(entity, part).attributes if part else ()


Verdict = Literal["efficient", "over-reads", "second read", "several requests", "no"]


@dataclass(frozen=True)
class AskedOfKey:
    """One pattern, asked of a key."""

    pattern: int
    given: tuple[str, ...] | None
    """Of a pattern with optional conditions: those given in this case."""
    part: str
    """`rows`, or the relationship that comes along."""
    verdict: Verdict
    reason: Message
    requests: float = 0.0
    read: float = 0.0
    """Items read, on average, each time."""
    returned: float = 0.0

    @property
    def because(self) -> str:
        """The reason in words."""
        return f"{text(self.reason)}."


def patterns_of_key(
    design: Design,
    style: Style,
    entity: str,
    partition: tuple[str, ...] | str,
    sort: tuple[str, ...] | str = (),
) -> tuple[AskedOfKey, ...]:
    """For each pattern about an entity, whether a key answers it: at once and exactly, with more reading, or not.

    The key is taken as the table's own where its attributes allow that, else as that of an index that holds what is
    needed. MisfitError or KeyError when the key names what is not there.
    """
    search, choice = choose(requirements_of(design, style, (entity,)), style)
    model = search.models[entity]
    for part in (partition, sort):
        for name in key_attributes(model.entity, part):
            if name not in model.entity.by_name:
                raise MisfitError(unknown("attribute", name, model.entity.by_name, entity))
    structure = structure_of_key(model, KeyAsked(entity, partition, sort, index=True))
    own = set(model.entity.identifier) <= set(structure.attributes) and not structure.only
    own = own and all(map(model.may_be_base_key, structure.attributes))
    if own:
        structure = replace(structure, kind="base")
    return asked_of_pattern(search, structure if own else choice.entities[entity].base, structure)


def asked_of_pattern(
    search: Search, base: Structure, structure: Structure
) -> tuple[AskedOfKey, ...]:
    """Each pattern about an entity, asked of one of its keys beside its base key."""
    return tuple(
        _asked(search.models[structure.entity], base, structure, pattern_read, entity_read)
        for pattern_read in search.requirements.pattern_reads
        for entity_read in pattern_read.entity_reads
        if entity_read.entity == structure.entity
    )


def _asked(
    model: EntityModel,
    base: Structure,
    structure: Structure,
    pattern_read: PatternRead,
    entity_read: EntityRead,
) -> AskedOfKey:
    entity_read = replace(entity_read, through=None, holding=None)
    found = AskedOfKey(pattern_read.number, pattern_read.given, entity_read.part, "no", NOTHING)
    ways = list(accesses(model, base, structure, entity_read, model.key_bytes(base)))
    if not ways and structure.is_index and not structure.only and not entity_read.strong:
        # The planner has no use for an index that could as well be sorted as asked; here its figures are wanted.
        whole = replace(structure, kind="base")
        ways = [
            way for way in accesses(model, whole, whole, entity_read, 0.0) if way.call == "query"
        ]
    if not ways:
        return replace(found, reason=why_unable(model, structure, entity_read))
    best = min(ways, key=lambda way: (way.requests, way.units, way.read))
    verdict, reason = _verdict(model, structure, entity_read, best)
    return replace(
        found,
        verdict=verdict,
        reason=reason,
        requests=best.requests,
        read=best.read,
        returned=entity_read.returned,
    )


def _verdict(
    model: EntityModel, structure: Structure, entity_read: EntityRead, way: Access
) -> tuple[Verdict, Message]:
    if way.call == "query then get":
        return "second read", say("key-finds-then-gets")
    entity_read = entity_read.ways[way.way]
    tested = list(way.left)
    if entity_read.range is not None and not way.ranged:
        tested.append(entity_read.range.attribute)
    tested += [condition.attribute for condition in entity_read.filters]
    if way.call == "get":
        if way.left:
            return "over-reads", say("one-item-dropped", attributes=tuple(way.left))
        return "efficient", say("gives-whole-key")
    does = []
    if tested:
        does.append(say("then-tests", attributes=tuple(dict.fromkeys(tested))))
    if not way.ordered:
        order = tuple(order.attribute for order in entity_read.order)
        does.append(say("then-sorts", attributes=order))
    if does:
        reads = say(
            "reads-to-return", read=way.read, does=tuple(does), returned=entity_read.returned
        )
        return "over-reads", reads
    if way.requests > 1:
        return "several requests", _several(model, entity_read, way)
    names = structure.plain.partition
    items = say("items-with-one", attributes=names) if names else say("any-items")
    return "efficient", say("range-holds-result", items=items)


def _several(model: EntityModel, entity_read: EntityRead, way: Access) -> Message:
    """How many requests a key takes, and for what each is."""
    asked, parts = 1.0, []
    for listed in lists_in_key(model, entity_read, way).values():
        asked *= listed.length
        parts.append(say("of-the-values", values=listed.length))
    if way.shards > 1:
        asked *= way.shards
        parts.append(say("of-the-shards", shards=way.shards))
    if way.period:
        asked = way.requests
        parts.append(say("of-the-periods", period=way.period))
    each = tuple(parts) or (say("a-page"),)
    with_pages = bool(parts) and way.requests > asked * 1.005
    kind = "several-requests-with-pages" if with_pages else "several-requests-by-key"
    return say(kind, requests=way.requests, each=each)


def why_unable(model: EntityModel, structure: Structure, entity_read: EntityRead) -> Message:
    """Why no access path of a structure answers an entity read."""
    missing = (
        [name for name in structure.plain.partition if name not in way.equals]
        for way in entity_read.ways
    )
    unknown = min(missing, key=len)
    if unknown:
        return say("partition-key-not-given", attributes=tuple(unknown))
    if structure.is_index and entity_read.strong:
        return say("index-is-not-strong")
    for name, values in structure.only:
        asked = entity_read.constant_values(name) if name in entity_read.equals else ()
        if not asked or not set(asked) <= set(values):
            return say("index-holds-only", attribute=name, values=values)
    absent = [
        n for n in structure.attributes if model.presence(n) < 1 and n not in entity_read.sure
    ]
    if absent:
        return say("index-leaves-out", attributes=tuple(absent))
    wanted = [o.attribute for o in entity_read.order if o.attribute not in entity_read.equals]
    if len({order.descending for order in entity_read.order}) > 1:
        return say("sorts-in-one-direction")
    rest = [name for name in structure.sort if name not in entity_read.equals]
    if wanted and rest[: len(wanted)] != wanted:
        reason = say("too-much-to-sort")
        if structure.is_index and must_be_sorted(model, structure, entity_read):
            reason = why_not_sorted(model, entity_read)
        return say("not-sorted-by", attributes=tuple(wanted), reason=reason)
    return say("query-would", does=reads_too_much(entity_read))
