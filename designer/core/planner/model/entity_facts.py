"""What is stated of one entity, and what follows from that whatever its keys are."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, wraps
from math import prod
from operator import attrgetter
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from designer.core.capacity.sizes import entity_bytes
from designer.core.design.attributes import KEY_TYPES, Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.pins import KeyText
from designer.core.dynamodb.limits import SMALL_COLLECTION_BYTES
from designer.core.dynamodb.prices import SECONDS_PER_MONTH, Prices, weighed_prices
from designer.core.plan import Expression
from designer.core.planner.model.absence import absence_of
from designer.core.planner.model.cardinality import may_be_together
from designer.core.planner.model.distinct import ITEMS, distinct_values
from designer.core.planner.model.largest import busiest_items, most_among, most_items, most_with
from designer.core.planner.model.later import set_later
from designer.core.planner.model.listing import Listing, OtherList, matching_each
from designer.core.planner.model.pins import EntityPins
from designer.core.planner.model.reads_and_writes import EntityRead, EntityWrite, Requirements
from designer.core.planner.model.shard_attributes import made
from designer.core.planner.model.shares import busiest_in_list, busiest_shares, presence
from designer.core.planner.model.structures import Guarded, Structure
from designer.core.planner.model.worth import stated_worth
from designer.core.rational import Fraction
from designer.core.words.lacking import lacking

Answer = TypeVar("Answer")
Asked = ParamSpec("Asked")
Model = TypeVar("Model", bound="EntityFacts")


def cached(
    method: Callable[Concatenate[Model, Asked], Answer],
) -> Callable[Concatenate[Model, Asked], Answer]:
    """What is asked of an entity's model, worked out once: neither the model nor what is asked changes.

    It is shared by models that differ in what the planner aims at, so it must not depend on that.
    """
    return _caching(method, "answers")


def charged(
    method: Callable[Concatenate[Model, Asked], Answer],
) -> Callable[Concatenate[Model, Asked], Answer]:
    """The same of what depends on what the planner aims at: the worth, and what a request counts for."""
    return _caching(method, "charges")


def _caching(
    method: Callable[Concatenate[Model, Asked], Answer], kept: Literal["answers", "charges"]
) -> Callable[Concatenate[Model, Asked], Answer]:
    answers_of = attrgetter(kept)

    @wraps(method)
    def caching(model: Model, /, *args: Asked.args, **named: Asked.kwargs) -> Answer:
        key = (method, args, *sorted(named.items())) if named else (method, args)
        answers = answers_of(model)
        try:
            found: Answer = answers[key]
        except KeyError:
            found = answers[key] = method(model, *args, **named)
        return found

    return caching


@dataclass(frozen=True, eq=False)
class EntityFacts:
    """An entity with what is stated of it, asked of it and written to it."""

    design: Design
    entity: Entity
    style: str
    """How its table is made: `single`, shared and with generic keys, or `multi`, its own."""
    requirements: Requirements
    answers: dict[object, Any] = field(default_factory=dict, repr=False)
    """What was worked out of the model and does not: models of the same facts may share it."""
    prices: Prices = field(init=False)
    a_request: Fraction = field(init=False)
    """What one request a second counts for in a month besides its cost: nothing but with the objective `requests`."""
    charges: dict[object, Any] = field(init=False, default_factory=dict, repr=False)
    """What was worked out of the model and depends on what the planner aims at."""

    def __post_init__(self) -> None:
        prices = weighed_prices(self.design.region, self.design.planner.objective)
        object.__setattr__(self, "prices", prices)
        object.__setattr__(self, "a_request", prices.request * SECONDS_PER_MONTH)

    @property
    def name(self) -> str:
        return self.entity.name

    @cached_property
    def worth(self) -> Fraction:
        """US dollars a month that one index has to save; 0 but with the objective `simplest`."""
        is_charged = self.design.planner.objective == "simplest"
        return stated_worth(self.design) if is_charged else Fraction(0)

    @cached_property
    def pins(self) -> EntityPins | None:
        """What is pinned of the entity."""
        return self.requirements.pins.get(self.name)

    def pinned_text(self, structure: Structure, part: tuple[str, ...]) -> KeyText | None:
        """The text that one part of a structure's key is pinned to."""
        return None if self.pins is None else self.pins.text(structure, part)

    @cached_property
    def is_edge(self) -> bool:
        """Whether the items stand between the two sides of an N:M relationship."""
        return any(one.through == self.name for one in self.design.relationships)

    def is_copy(self, structure: Structure) -> bool:
        """Whether a structure is the items once more, and not the edges under their other side."""
        return structure.kind == "copy" and not self.is_edge

    @cached_property
    def items(self) -> float:
        return float(self.entity.items or ITEMS)

    @cached_property
    def stated_bytes(self) -> float:
        """Average bytes of an item's attributes, as stated: the same in each style, and whatever keys there are."""
        return entity_bytes(self.entity)

    @cached_property
    def own_bytes(self) -> float:
        return self.stated_bytes + self._type_bytes

    @property
    def _type_bytes(self) -> int:
        """In a shared table each item says of which shape it is, by the name of it: about its entity's."""
        return len("Type") + len(self.name) if self.style == "single" else 0

    @cached_property
    def mutable(self) -> frozenset[str]:
        return self.requirements.mutable[self.name]

    @cached_property
    def writes(self) -> tuple[EntityWrite, ...]:
        return self.requirements.writes_of(self.name)

    @cached_property
    def uniques(self) -> tuple[Guarded, ...]:
        return tuple(unique.names for unique in self.entity.uniques)

    @cached_property
    def parents_first(self) -> dict[str, tuple[int, int]]:
        """A place for each entity, after those that its identifier refers to."""
        referred = self.design.referred
        parents = {
            entity.name: [
                referred[entity.name, part][0]
                for part in entity.identifier
                if (entity.name, part) in referred
            ]
            for entity in self.design.entities
        }

        def depth(name: str, below: tuple[str, ...]) -> int:
            above = [up for up in parents[name] if up in parents and up not in below]
            return 1 + max((depth(up, (*below, up)) for up in above), default=-1)

        return {name: (depth(name, (name,)), at) for at, name in enumerate(parents)}

    def attribute(self, name: str) -> Attribute:
        """An attribute of the entity, or one made up for a key."""
        return self.entity.by_name.get(name) or self._made(name)

    @cached
    def _made(self, name: str) -> Attribute:
        lacks = lacking(name)
        return made(name) if lacks is None else absence_of(self.entity.by_name[lacks])

    def may_be_base_key(self, name: str) -> bool:
        """Immutable, always there, and of a type that can be a key."""
        attribute = self.attribute(name)
        if attribute.source is not None:
            return self.may_be_base_key(attribute.source[1])
        kept = name not in self.mutable and attribute.present == 1
        return kept and attribute.type in KEY_TYPES

    def may_be_index_key(self, name: str) -> bool:
        """Of a type that can be a key."""
        return self.attribute(name).type in (*KEY_TYPES, "BOOL")

    @cached
    def is_time_or_kind(self, name: str) -> bool:
        """Whether an attribute says when an item was or of what kind it is, and not whose it is.

        A date says it where it refers to a day, and not where to a day of an owner.
        """
        attribute = self.attribute(name)
        if (self.name, name) in self.design.referred:
            above, its = self.design.origin(self.entity, attribute)
            if above.identifier == (its.name,):
                return False
        is_time = attribute.source is not None or attribute.format in ("date", "datetime", "epoch")
        return is_time or bool(attribute.values) or attribute.type == "BOOL"

    @cached
    def most_items(self, names: frozenset[str]) -> float | None:
        """Items that share their values of some attributes, at the most that is stated; None where nothing is."""
        return most_items(self.design, self.entity, names)

    def stays_small(self, names: Iterable[str]) -> bool:
        """Whether items that share their values of some attributes have at most 64 KB, however many come in."""
        most = self.most_items(frozenset(names))
        return most is not None and most * self.stated_bytes <= SMALL_COLLECTION_BYTES

    @cached_property
    def mates(self) -> tuple[str, ...]:
        """The entities of the entity's table, itself included."""
        every = (*self.requirements.tables, tuple(self.design.entity))
        return next(names for names in every if self.name in names)

    @cached
    def may_share_key(self, name: str) -> bool:
        """Whether an attribute may be a key of a shared table: DynamoDB then refuses it in any other type."""
        types = {
            attribute.type
            for entity in self.mates
            for attribute in self.design.entity[entity].stored
            if attribute.name == name
        }
        return types in ({"S"}, {"N"}, {"B"})

    def can_be_inverted(self, name: str) -> bool:
        """Whether an attribute can be written so that it sorts the other way round: it takes a fixed width."""
        return self.attribute(name).inverted(name) is not None

    def to_invert(self, entity_read: EntityRead) -> tuple[str, ...] | None:
        """What to write the other way round, so that one direction gives a read's order; None where nothing helps.

        A key is read forwards or backwards as a whole.
        """
        orders = [order for order in entity_read.order if order.attribute not in entity_read.equals]
        if len({order.descending for order in orders}) < 2:
            return ()
        for way in (not orders[0].descending, orders[0].descending):
            names = tuple(order.attribute for order in orders if order.descending == way)
            if all(map(self.can_be_inverted, names)):
                return names
        return None

    @cached_property
    def later(self) -> frozenset[str]:
        """The attributes that a new item lacks: stated so, or seen from the conditions of updates."""
        stated = {one.name for one in self.entity.attributes if one.later}
        seen = {name for name in set_later(self.writes) if self.presence(name) < 1}
        return frozenset(stated | seen)

    @cached_property
    def counters(self) -> frozenset[str]:
        """Numbers that some write adds to, which a composed key cannot follow."""
        kept = {one.figure.name for write in self.writes for one in write.keeps}
        return frozenset(name for write in self.writes for name in write.change.add) | kept

    @cached
    def distinct(self, name: str) -> float:
        """Different values of an attribute."""
        return distinct_values(self.design, self.entity, self.attribute(name))

    def stored_name(self, name: str) -> str:
        """An attribute, or for a derived one what it is worked out from."""
        source = self.attribute(name).source
        return source[1] if source else name

    def read_as(self, name: str) -> str:
        """What a plan calls an attribute that is tested or sorted by: a derived one by what it is worked out from."""
        return self.attribute(name).derived or name

    def presence(self, name: str) -> float:
        """Share of the items that have an attribute, or what it is worked out from."""
        attribute = self.attribute(name)
        if attribute.source is None or lacking(name) is not None:
            return attribute.present
        return self.attribute(attribute.source[1]).present

    @cached_property
    def ranged(self) -> frozenset[str]:
        """The attributes that some pattern reads ranges of."""
        return frozenset(
            way.range.attribute
            for pattern_read in self.requirements.pattern_reads
            for entity_read in pattern_read.entity_reads
            if entity_read.entity == self.name
            for way in entity_read.ways
            if way.range is not None
        )

    def matched_by(
        self, entity_read: EntityRead, names: tuple[str, ...], there: tuple[str, ...]
    ) -> float:
        """Items that have the values of some of an entity read's known attributes, and some of what must be `there`.

        As many as is stated of these; more where the read finds more than is stated of all: busy parents are asked
        for more often.
        """
        known = {name: value for name, value in entity_read.equals.items() if name in names}
        if len(known) == len(entity_read.equals) and len(there) == len(entity_read.exists):
            return entity_read.matched
        length, said = entity_read.list_length, entity_read.said
        listed = [one for one in entity_read.lists.values() if one.of in known]
        first, *others = listed or (OtherList("", (), (), length),)
        asked = Listing(known, first.of or None, first.always, first.length, said, tuple(others))
        few = matching_each(self.design, self.entity, asked) * presence(self.entity, there, said)
        stated = matching_each(self.design, self.entity, entity_read.listing(length))
        together = may_be_together(self.design, self.entity, entity_read.equals, said)
        stated = max(stated, together or 0.0)
        stated *= presence(self.entity, entity_read.exists, said)
        return max(
            few * max(1.0, entity_read.matched / stated if stated else 1.0), entity_read.matched
        )

    @cached
    def busier(
        self,
        entity_read: EntityRead,
        names: tuple[str, ...],
        there: tuple[str, ...],
        asked: tuple[str, ...],
    ) -> float:
        """How many times as many items as usual a query finds of the busiest values of some known attributes.

        `asked`: all that the query asks for by its key. A large organisation has more people of each status than
        usual; its teams have no more people than a team has at the most, and each of its folders has as many files
        as any. `there`: what all of them have of what must be there. What the team expects is an average over all that
        is asked, of which the busiest values have their share: they bring no more than that leaves room for.
        """
        shares = busiest_shares(self.entity, (n for n in names if n not in entity_read.constants))
        if not shares:
            return 1.0
        known = {name: entity_read.equals[name] for name in asked}
        said = entity_read.said_of_each
        most = busiest_items(self.design, self.entity, known, shares, said=said)
        usual = self.matched_by(entity_read, asked, there)
        if most is None or not usual:
            return 1.0
        times = most * presence(self.entity, there, said) / usual
        often = prod(self.shares_of_each(entity_read, shares).values())
        if entity_read.expected is not None and often:
            times = min(times, 1 / often)
        return max(1.0, times)

    def shares_of_each(
        self, entity_read: EntityRead, shares: Mapping[str, float]
    ) -> dict[str, float]:
        """How often a query asks for the busiest value of some attributes; of a list, how often for each of its values.

        It is in a list once, so in a long one it is a smaller part of it.
        """
        found = dict(shares)
        for name, listed in entity_read.lists.items():
            if name in shares:
                there = busiest_in_list(self.design, self.entity, name, listed.length)
                found[name] = there / listed.length
        return found

    @cached
    def largest(
        self,
        names: frozenset[str],
        constants: tuple[tuple[str, Expression], ...] = (),
        share: float = 1.0,
        said: tuple[tuple[str, float], ...] = (),
    ) -> float | None:
        """Items that share their values of some attributes: of the largest collection that is stated, or None.

        Where the busiest parent is stated, what else is given is as common under it as anywhere: of 810,000,000
        readings those of an hour. What is found by a part of what identifies a parent has all of the largest parent.
        Of `constants` it is known which value is asked: it may be a rare one. `share`: what else leaves of the items,
        which is as common under the largest parent, too, whether its most or its share is stated. Where the most is
        stated of more than has a busiest value, it counts: teams of a department, not only of a large organisation's
        average one.
        `said`: the shares of the items that conditions state of some of these attributes.
        """
        known = names & self.entity.by_name.keys()  # all shards together
        given = {**dict.fromkeys(sorted(known), ""), **dict(constants)}
        free = known - dict(constants).keys()
        stated = frozenset(busiest_shares(self.entity, free))
        most = most_with(self.design, self.entity, given, share, dict(said))
        bound, of_stated = self.most_items(names), self.most_items(stated)
        if bound is not None and (of_stated is None or bound < of_stated):
            return most
        found = [busiest_items(self.design, self.entity, given, free, share, dict(said))]
        if not constants:
            found.append(most_among(self.design, self.entity, known))
        largest = max((one for one in found if one is not None), default=None)
        return largest if largest is None or most is None else min(largest, most)

    def has_at_most(self, names: frozenset[str], constants: frozenset[str], items: float) -> bool:
        """Whether the design says that no more items share their values of some attributes, or how many at the most.

        That the busiest tenant is stated says nothing of the busiest customer of a tenant.
        """
        free = (names & self.entity.by_name.keys()) - constants
        most = self.most_items(names)
        is_stated = busiest_shares(self.entity, free).keys() == free
        return is_stated or (most is not None and most <= items)
