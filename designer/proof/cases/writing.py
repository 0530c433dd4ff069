"""Parameters of a write, chosen for items that are there."""

from collections import ChainMap
from collections.abc import Callable, Collection, Iterator, Mapping
from decimal import Decimal
from typing import Any

from designer.core.answers import Facts, Item, Parameters, State, Value, canonical, sort_key
from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.kept import kept_figures
from designer.core.patterns.base import Member, Write
from designer.proof import samples, scopes, ways
from designer.proof.rows import references


class _Part:
    """One member of a write, while its parameters are being chosen."""

    def __init__(self, member: Member, target: Item | None, given: dict[str, Value]) -> None:
        self.member = member
        self.target = target
        self.given = given
        """The parameters of this member alone."""


class Writing:
    """Chooses parameters for a write: for items that are there, with one thing wrong at a time."""

    def __init__(self, design: Design, state: State, pattern: Write) -> None:
        self.design = design
        self.state = state
        self.pattern = pattern
        self.facts = Facts(design, state)
        self.figures = kept_figures(design)
        self.fresh = 0

    def candidates(self) -> Iterator[Parameters]:
        members = self.pattern.changes
        for turn in range(8):
            several = any(member.times is not None for member in members)
            for rows in (2, 1, 3) if several else (1,):
                yield self.parameters(turn, rows, None)
            for at, member in enumerate(members):
                for twist in self.twists(member):
                    yield self.parameters(turn, 2, (at, twist))
        for turn in range(8, 24):
            yield self.parameters(turn, 1, None)

    def parameters(self, turn: int, rows: int, twisted: tuple[int, str] | None) -> dict[str, Value]:
        """One choice of parameters: for the items of that turn, with a twist in one member."""
        shared: dict[str, Value] = {}

        # What is there first, so that what is new can refer to it and share its values.
        def turn_of(one: tuple[int, Member]) -> int:
            if twisted is not None and twisted[0] == one[0]:
                return 0
            return 2 if one[1].writes_whole else 1

        members = sorted(enumerate(self.pattern.changes), key=turn_of)
        alone = [(at, member) for at, member in members if member.times is None]
        names = {name for _, member in alone for name in self.named(member)}
        if twisted is not None and twisted[1] == "there":
            self.share_identity(self.pattern.changes[twisted[0]], turn, names, shared)
        for at, member in alone:
            twist = twisted[1] if twisted is not None and twisted[0] == at else None
            self.fill(member, turn, 0, twist, shared, {})
        lists: dict[str, list[dict[str, Value]]] = {}
        for at, member in members:
            if member.times is None:
                continue
            name = member.each or member.entity
            table = lists.setdefault(name, [{} for _ in range(min(rows, member.times.most))])
            for i, row in enumerate(table):
                twist = (
                    twisted[1]
                    if twisted is not None and twisted[0] == at and i == len(table) - 1
                    else None
                )
                self.fill(member, turn + i, i, twist, row, shared)
                for shared_name in names & row.keys():
                    del row[shared_name]
        return {**shared, **lists}

    def named(self, member: Member) -> set[str]:
        """The names of a member's parameters."""
        entity = self.design.entity[member.entity]
        operands = [*member.set.values(), *(o for c in member.conditions for o in c.operands)]
        names = {operand.param for operand in operands if operand.param is not None}
        names |= {amount.param or amount.minus or "" for amount in member.add.values()}
        for named in (member.greatest, *member.of_elements):
            names |= set(named.values())
        if member.writes_whole:
            kept = self.kept(member)
            return names | {a.name for a in entity.stored if a.name not in {*member.set, *kept}}
        return names | {*(member.by or entity.identifier), *member.given}

    def kept(self, member: Member) -> set[str]:
        """What no caller gives: the figures of a new item over its children."""
        if member.verb != "create":
            return set()
        return {f.name for f in self.figures if f.entity == member.entity}

    def share_identity(
        self, member: Member, turn: int, names: Collection[str], shared: dict[str, Value]
    ) -> None:
        """For one of several rows: what it shares with the rest is that of an item that is there.

        All of it where its identifier is generated: that occurs again only when the same request does.
        """
        items = self.state.get(member.entity, ())[::-1]
        if member.times is not None and items:
            item = items[turn % len(items)]
            entity = self.design.entity[member.entity]
            again = member.verb == "create" and self.design.is_generated(entity)
            same = item if again else member.by or entity.identifier
            shared |= {name: item[name] for name in same if name in names and name in item}

    def twists(self, member: Member) -> Iterator[str]:
        if member.verb == "create":
            yield "there"
        if not member.writes_whole:
            yield "there" if member.exists is False else "absent"
        if member.may_replace:
            yield "there"
        entity = self.design.entity[member.entity]
        if member.verb in ("create", "upsert", "update"):
            yield from scopes.twists(entity)
        if member.verb in ("update", "upsert"):
            yield "same"
        if member.writes_whole:
            yield "least"
            yield "most"
        if member.conditions or member.greatest:
            yield from ("below", "above", "unmet")
        yield from ways.twists(member)

    def fill(
        self,
        member: Member,
        turn: int,
        row: int,
        twist: str | None,
        given: dict[str, Value],
        shared: Mapping[str, Value],
    ) -> None:
        """Give a member's parameters, without touching those that are given already."""
        known: ChainMap[str, Value] = ChainMap(given, dict(shared))

        def give(name: str, value: Value) -> None:
            if value is not None and name not in known:
                given[name] = value

        target = self.target(member, turn, twist, known)
        if member.writes_whole:
            self.give_new(member, turn, twist, target, known, give)
        else:
            entity = self.design.entity[member.entity]
            by = member.by or entity.identifier
            own = [name for name in by if name not in known]
            # In turn one part of its identity is wrong, at best one that is its own, or all of it.
            others = [o for o in self.pattern.changes if o is not member]
            alone = [name for name in own if not any(name in self.named(o) for o in others)]
            wrong = () if twist != "absent" else own if turn % 2 else (alone or own)[-1:]
            for name in (*by, *member.given):
                value = (target or {}).get(name)
                if name in wrong or value is None:
                    # Of nobody's there may be children.
                    known_to = samples.nobodys if turn % 4 == 1 else samples.unknown
                    value = known_to(entity.by_name[name])
                give(name, value)
        self.give_changes(member, turn, twist, target, known, give)

    def target(
        self, member: Member, turn: int, twist: str | None, known: Mapping[str, Value]
    ) -> Item | None:
        """The item that a member is about; for a create one that is there already."""
        entity = self.design.entity[member.entity]
        named = member.by or entity.identifier
        items = [
            item
            for item in self.state.get(member.entity, ())
            if all(name in item for name in (*named, *member.given))
            and all(
                canonical(item.get(name)) == canonical(known[name])
                for name in (*named, *member.given)
                if name in known
            )
        ]
        if member.exists is False and twist != "there":
            return None
        if member.verb == "create" and self.design.is_generated(entity):
            items = [item for item in items if self.agrees(member, item, known)]
        way_wanted = ways.way_of(twist)
        if way_wanted is not None:
            items = ways.fitting(member, items, way_wanted, self.facts) or items
            return items[0] if items else None
        if twist == "unmet":
            failing = [
                item for item in items if member.ways and not self.facts.allows(member, item, known)
            ]
            items = failing or items
        elif member.ways:
            # In turn by each of the ways in which it may be written.
            way = member.ways[turn % len(member.ways)]
            meeting = [
                item
                for item in items
                if all(
                    self.facts.meets(member.entity, item, (condition,), known)
                    for condition in way
                    if all(name in known for name in condition.parameters)
                )
            ]
            items = meeting or items
        if twist == "there":  # The last refers to nothing: what it belongs to can still be made.
            items = items[::-1]
        return items[turn % len(items)] if items else None

    def agrees(self, member: Member, item: Item, known: Mapping[str, Value]) -> bool:
        """Whether creating an item again would give what is known: its generated identifier occurs only so."""
        given = {name: operand.param for name, operand in member.set.items()}
        return all(
            canonical(item.get(name)) == canonical(known[param])
            for name in self.design.entity[member.entity].by_name
            if (param := given.get(name, name)) is not None and param in known
        )

    def give_new(
        self,
        member: Member,
        turn: int,
        twist: str | None,
        target: Item | None,
        known: Mapping[str, Value],
        give: Callable[[str, Value], None],
    ) -> None:
        """The attributes of a new item: its identity new, its references to what is there."""
        entity = self.design.entity[member.entity]
        kept = self.kept(member) - set(member.set)
        self.fresh += 1
        params = {
            attribute.name: operand.param if operand is not None else attribute.name
            for attribute in entity.stored
            for operand in (member.set.get(attribute.name),)
        }
        chosen: dict[str, Value] = {
            name: known[param] for name, param in params.items() if param and param in known
        }
        if (twist == "there" or ways.way_of(twist) is not None) and target is not None:
            # Generated identifiers occur again only when the same request does.
            again = self.design.is_generated(entity)
            for name in target if again else entity.identifier:
                chosen.setdefault(name, target.get(name))
        replaced = target if member.may_replace else None
        others = [item for item in self.state.get(member.entity, ()) if item is not replaced]
        if twist == scopes.TAKEN:
            chosen |= scopes.like_another(entity, others, turn, chosen)
        for reference in references(self.design, entity):
            parents = [
                parent
                for parent in self.state.get(reference.parent, ())
                if all(
                    own not in chosen or canonical(chosen[own]) == canonical(parent.get(theirs))
                    for own, theirs in reference.pairs
                )
            ]
            for own, theirs in reference.pairs:
                if own not in chosen and parents:
                    chosen[own] = parents[turn % len(parents)].get(theirs)
        if twist == scopes.ELSEWHERE:
            chosen = {**scopes.as_elsewhere(entity, others, turn, chosen), **chosen}
        for attribute in entity.stored:
            name = attribute.name
            param = params[name]
            if param is None or attribute.type == "NULL" or name in kept:
                continue
            optional = attribute.present < 1 and name not in entity.identifier
            if optional and twist != "most" and (twist == "least" or (turn + len(name)) % 2):
                continue
            if name not in chosen:
                if name in entity.identifier:
                    chosen[name] = samples.nth(attribute, 200 + self.fresh)
                elif attribute.unique or attribute.unique_within:
                    chosen[name] = self.unique(entity.name, attribute, turn, twist, target)
                else:
                    worst = samples.worst(attribute) or (samples.nth(attribute, 300 + turn),)
                    chosen[name] = worst[(turn + len(name)) % len(worst)]
            give(param, chosen[name])

    def unique(
        self, entity: str, attribute: Attribute, turn: int, twist: str | None, target: Item | None
    ) -> Value:
        """A unique value: new, or with a twist another item's, or the item's own."""
        if twist == "same" and target is not None:
            return target.get(attribute.name)
        if twist == "taken":
            values = [
                item[attribute.name]
                for item in self.state.get(entity, ())
                if attribute.name in item and item is not target
            ]
            if values:
                return values[turn % len(values)]
        self.fresh += 1
        return samples.nth(attribute, 200 + self.fresh)

    def give_changes(
        self,
        member: Member,
        turn: int,
        twist: str | None,
        target: Item | None,
        known: Mapping[str, Value],
        give: Callable[[str, Value], None],
    ) -> None:
        entity = self.design.entity[member.entity]
        old = target or {}
        if member.verb == "update":
            parents = self.new_parents(member, turn, known)
            uniquely = self.wanted(member, turn, twist, old, parents)
            for name, operand in member.set.items():
                if operand.param is None:
                    continue
                attribute = entity.by_name[name]
                worst = samples.worst(attribute) or (samples.nth(attribute, 400 + turn),)
                value = worst[turn % len(worst)]
                if name in uniquely:
                    value = uniquely[name]
                elif attribute.unique or (attribute.unique_within and twist != scopes.TAKEN):
                    value = self.unique(member.entity, attribute, turn, twist, target)
                elif twist == "same" and name in old:
                    value = old[name]
                elif name in parents:
                    value = parents[name]
                give(operand.param, value)
        way = ways.way_of(twist)
        if way is not None and target is not None:
            ways.give(member, way, entity, target, self.beside, give)
        for condition in member.conditions:
            attribute = entity.by_name[condition.attribute]
            value = old.get(condition.attribute, samples.nth(attribute, turn))
            for name in condition.parameters:
                wanted = (
                    [value]
                    if condition.any_of is not None
                    else self.beside(attribute, value, twist)
                )
                give(name, wanted)
        for name, parameter in member.greatest.items():
            attribute = entity.by_name[name]
            give(parameter, self.beside(attribute, old.get(name, Decimal(turn)), twist or "above"))
        for named in (member.append, member.include):
            for name, parameter in named.items():
                worst = samples.worst(entity.by_name[name])
                give(parameter, worst[turn % len(worst)])
        for name, parameter in member.exclude.items():
            worst = samples.worst(entity.by_name[name])
            there = old.get(name) or worst[0]
            # Some of what is there, all of it, and what is not.
            give(parameter, (set(list(there)[:1]), there, worst[turn % len(worst)])[turn % 3])
        for amount in member.add.values():
            parameter = amount.param or amount.minus or ""
            if parameter:
                give(parameter, Decimal((1, 2, 0, 3)[turn % 4]))

    def wanted(
        self,
        member: Member,
        turn: int,
        twist: str | None,
        old: Item,
        parents: Mapping[str, Value],
    ) -> dict[str, Value]:
        """For an update, what a twist makes of values that are unique within a scope, and of their scopes."""
        entity = self.design.entity[member.entity]
        others = [item for item in self.state.get(member.entity, ()) if item is not old]
        given = {name for name, operand in member.set.items() if operand.param is not None}
        stays = {name: value for name, value in old.items() if name not in given}
        if twist == scopes.TAKEN:
            return scopes.like_another(entity, others, turn, stays)
        if twist == scopes.ELSEWHERE:
            stays |= {name: value for name, value in parents.items() if name in given}
            return scopes.as_elsewhere(entity, others, turn, stays)
        return {}

    def new_parents(
        self, member: Member, turn: int, known: Mapping[str, Value]
    ) -> dict[str, Value]:
        """For an update that points an item at another parent: one that is there."""
        found: dict[str, Value] = {}
        for reference in references(self.design, self.design.entity[member.entity]):
            parents = self.state.get(reference.parent, ())
            if parents:
                parent = parents[turn % len(parents)]
                for own, theirs in reference.pairs:
                    if own in member.set and own not in found:
                        found[own] = parent.get(theirs)
        return found

    def beside(self, attribute: Attribute, value: Value, twist: str | None) -> Value:
        """The value itself, or one a little below or above it."""
        if twist not in ("below", "above"):
            return value
        up = twist == "above"
        if isinstance(value, Decimal):
            least, greatest, _ = samples.bounds(attribute)
            return min(max(value + (1 if up else -1), least), greatest)
        values = sorted(
            {canonical(one): one for one in (value, *samples.worst(attribute))}.values(),
            key=_in_any_order,
        )
        at = next(i for i, one in enumerate(values) if canonical(one) == canonical(value))
        return values[(at + (1 if up else -1)) % len(values)]


def _in_any_order(value: Value) -> Any:
    return sort_key(value) if isinstance(value, (str, bytes)) else repr(value)
