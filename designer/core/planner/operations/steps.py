"""What one change becomes: the steps before it, and the members that write its item, the copies and the guards."""

from collections.abc import Iterable, Mapping
from typing import Any

from designer.core.messages import Message, say
from designer.core.plan import Expression, ItemCondition, Member, Sum, keys
from designer.core.planner.layout.key_templates import stored_template
from designer.core.planner.layout.placement import GuardPlacement, KeyPart, Placement
from designer.core.planner.model.reads_and_writes import MISSING, operand
from designer.core.planner.model.structures import Guarded
from designer.core.planner.model.values import amount_of, text_of
from designer.core.planner.operations.delete_collection import delete_collection
from designer.core.planner.operations.item_change import ItemChange, UnwritableError
from designer.core.planner.operations.item_tests import item_condition
from designer.core.planner.operations.related_items import (
    copied_values,
    figures_at_first,
    figures_kept,
    figures_over,
    read_of_parent,
    values_in_transaction,
)
from designer.core.planner.operations.written import Written
from designer.core.planner.pricing.guards import (
    guard_names,
    has_no_guard,
    known_for_guard,
)
from designer.core.planner.pricing.write_costs import unknown_parts
from designer.core.planner.workload.maintenance import UNKNOWN, references_of

OF_ELEMENTS = ("append", "include", "exclude")
"""What a plan calls what is done with the elements of lists and sets."""


class Changing(ItemChange):
    """The steps and members of one change of one entity's item."""

    def write(self) -> Written:
        if self.entity_write.deletes_collection:
            return delete_collection(self)
        impossible = self._impossible()
        if impossible is not None:
            return Written(impossible=impossible)
        try:
            getattr(self, f"_{self.change.verb}")()
        except UnwritableError as error:
            return Written(impossible=error.reason)
        return Written(self.steps, self.members, self.cost)

    def _impossible(self) -> Message | None:
        name = self.entity.name
        for copied in self.entity_write.refreshes:
            copies = tuple(sorted(copied.names))
            values = values_in_transaction(self, copied)
            if UNKNOWN in values.values():
                return say("copy-value-unknown", entity=name, attributes=copies)
            at = read_of_parent(self, copied)
            if at is not None and (at, 0) not in self.context.choice.entities[copied.parent].access:
                return say(
                    "copy-source-not-found",
                    entity=name,
                    attributes=copies,
                    parent=copied.parent,
                    names=tuple(theirs for theirs, _ in copied.per),
                )
        kept = figures_over(self)
        if kept and self.change.may_replace:
            aggregate = f"{kept[0].entity}.{kept[0].name}"
            return say("upsert-of-counted", aggregate=aggregate, entity=name)
        at = self._read_that_finds()
        if at is not None and (at, 0) not in self.choice.access:
            return say("no-index-finds-item", entity=name, identifier=self.entity.identifier)
        if self.cost.addressable:
            return None
        missing = sorted(self.model.made_of(self.choice.base) - self.entity_write.known)
        return say("key-not-given", entity=name, attributes=tuple(missing))

    # The verbs

    def _create(self) -> None:
        known = self._whole_item()
        self.after = known
        self._put(self.entity.name, self.base, known, (self._absent(self.base),))
        for copy in self.copies:
            self._put(copy.shape, copy, known, ())
        for guarded in self.guards_changed:
            self._put_guard(guarded, known)

    def _upsert(self) -> None:
        known = self._whole_item()
        unique = [guarded for guarded in self.guards if guarded]
        tests: list[ItemCondition] = []
        if unique:
            base = {name: known[name] for name in self.model.made_of(self.base.structure)}
            self._read_item(base, "go on")
            names = _of_all(unique)
            tests = [ItemCondition(attribute=name, same_as=self._old) for name in names]
        self._put(self.entity.name, self.base, known, tuple(tests), self._ways())
        for copy in self.copies:
            self._put(copy.shape, copy, known, ())
        for guarded in unique:
            self._swap_guard(guarded, known)

    def _update(self) -> None:
        self._find_item()
        for name, side in self.change.set.items():
            self.new[name] = operand(side)
        for name, param in self.change.greatest.items():
            self.new[name] = f"{{{param}}}"
        for name in self.change.remove:
            self.new[name] = MISSING
        unique = self.guards_changed
        needed = (name for one in unique for name in known_for_guard(self.entity_write, one))
        unknown = {name for name in needed if name not in self.entity_write.known}
        unknown |= self.entity_write.needs
        for index in self.indexes:
            unknown |= unknown_parts(
                self.model, self.choice.base, index.structure, self.entity_write
            )
        for copy in self.copies:
            unknown |= self.model.made_of(copy.structure) - set(self.now)
        for copied in self.entity_write.refreshes:
            unknown |= {
                n
                for n, value in references_of(self.entity_write, copied.per).items()
                if value is None
            }
        unknown -= set(self.now)
        tests: list[ItemCondition] = [self._present(self.base)]
        if unknown:
            self._read_item(self.now, "stop")
            tests += [
                ItemCondition(attribute=name, same_as=self._old)
                for name in sorted(unknown)
                if not self.model.attribute(name).derived
            ]
            self.now |= {name: f"{{{self._old}.{name}}}" for name in unknown}
        self.new |= copied_values(self, {**self.now, **self.new})
        self.before = dict(self.now)
        self.after = {n: v for n, v in {**self.now, **self.new}.items() if v != MISSING}
        tests += self._given_still_holds(unique)
        tests += self._conditions()
        for name, param in self.change.greatest.items():
            tests.append(ItemCondition(attribute=name, below_or_missing=f"{{{param}}}"))
        changes = {**self._changes(True), "any_": self._ways()}
        self._member("update", self.entity.name, self.base, self.now, tests, changes)
        for copy in self.copies:
            tests = [self._present(copy)]
            self._member("update", copy.shape, copy, self.now, tests, self._changes(False))
        for guarded in unique:
            if any(self.new.get(name) == MISSING for name in guarded):
                self._delete_guard(guarded, self.now)
            elif has_no_guard(self.entity_write, guarded):
                self._put_guard(guarded, self._names_of_guard(guarded, {**self.now, **self.new}))
            else:
                self._swap_guard(guarded, {**self.now, **self.new}, self.now)

    def _delete(self) -> None:
        self._find_item()
        changed = self.guards_changed
        unique = [guarded for guarded in changed if guarded]
        needed = (*_of_all(unique), *self.entity_write.needs)
        unknown = {name for name in needed if name not in self.now}
        for copy in self.copies:
            unknown |= self.model.made_of(copy.structure) - set(self.now)
        tests = [self._present(self.base), *self._conditions()]
        if unknown:
            self._read_item(self.now, "stop")
            tests += [ItemCondition(attribute=name, same_as=self._old) for name in sorted(unknown)]
            self.now |= {name: f"{{{self._old}.{name}}}" for name in unknown}
        self.before = dict(self.now)
        tests += self._given_still_holds(unique)
        ways = {"any_": self._ways()}
        self._member("delete", self.entity.name, self.base, self.now, tests, ways)
        for copy in self.copies:
            self._member("delete", copy.shape, copy, self.now, [])
        for guarded in changed:
            self._delete_guard(guarded, self.now)

    def _check(self) -> None:
        self._find_item(may_be_missing=self.change.exists is False)
        if self.change.exists is False:
            tests = [self._absent(self.base), *self._conditions()]
        else:
            # What the item was found by may have gone to another one since.
            there = [self._present(self.base), *self._given_still_holds([])]
            tests = [*there, *self._conditions()]
        ways = {"any_": self._ways()}
        self._member("check", self.entity.name, self.base, self.now, tests, ways)

    # Conditions

    def _given_still_holds(self, unique: Iterable[Guarded]) -> list[ItemCondition]:
        """What the caller says the item holds must be so, where a key or a guard is made from it."""
        used: set[str] = {*_of_all(unique), *self.entity_write.needs}
        for index in self.indexes:
            for part in index.parts:
                named = {*part.attributes, *(name for name, _ in part.when)}
                if part.native is None and named & self.entity_write.changed:
                    used |= named
        stated = [
            name
            for name in self.change.given
            if name in used and name not in self.entity.identifier
        ]
        by_unique = [name for name in self.change.by if name not in self.entity.identifier]
        return [
            ItemCondition(attribute=name, is_=self.now[name])
            for name in dict.fromkeys((*by_unique, *stated))
            if not self.model.attribute(name).derived
        ]

    def _conditions(self) -> list[ItemCondition]:
        return [item_condition(self.model, condition) for condition in self.change.required]

    def _ways(self) -> tuple[tuple[ItemCondition, ...], ...]:
        """Groups of conditions of which one must hold, where not all of `if` must: an upsert may find nothing."""
        ways = [
            tuple(item_condition(self.model, condition) for condition in way)
            for way in self.change.ways
        ]
        if self.change.may_replace and ways:
            ways.insert(0, (self._absent(self.base),))
        return tuple(ways) if len(ways) > 1 else ()

    @staticmethod
    def _absent(placement: Placement) -> ItemCondition:
        return ItemCondition(attribute=placement.parts[0].name, exists=False)

    @staticmethod
    def _present(placement: Placement) -> ItemCondition:
        return ItemCondition(attribute=placement.parts[0].name, exists=True)

    def _unless(self) -> tuple[str, str] | None:
        """Two values, and where they are the same the member is left out."""
        return None

    # Values

    def _whole_item(self) -> dict[str, Expression]:
        known: dict[str, Expression] = {}
        for attribute in self.entity.stored:
            if attribute.name in self.entity_write.left_out:
                continue
            side = self.change.set.get(attribute.name)
            known[attribute.name] = operand(side) if side is not None else f"{{{attribute.name}}}"
        if self.change.verb == "create":
            for figure in self.context.search.requirements.figures:
                if figure.entity == self.entity.name and figure.name not in self.change.set:
                    known.pop(figure.name, None)
            known = figures_at_first(self) | known
        elif self.entity_write.keeps:
            aggregate = self.entity_write.keeps[0].figure.name
            raise UnwritableError(
                say("replaces-aggregate", entity=self.entity.name, aggregate=aggregate)
            )
        copied = copied_values(self, known)
        gone = {name for name, value in copied.items() if value == MISSING}
        return {n: v for n, v in (known | copied).items() if n not in gone}

    def _key_values(
        self, parts: tuple[KeyPart, ...], known: dict[str, Expression]
    ) -> dict[str, Expression]:
        """The composed key attributes that a whole item carries."""
        values: dict[str, Expression] = {}
        for part in parts:
            if part.native is not None:
                continue
            template = stored_template(part, self.model, known.get)
            if template is not None:
                values[part.name] = template
        return values

    def _extra(self, known: dict[str, Expression]) -> dict[str, Expression]:
        extra = self.layout.extra.get(self.entity.name, {})
        return {
            name: known[lone]
            for name, template in extra.items()
            if (lone := keys.lone(template)) in known and lone
        }

    def _changes(self, indexed: bool) -> dict[str, Any]:
        """What an update sets, removes and adds, on the item and, if it is indexed, on its keys there."""
        values: dict[str, Expression] = {n: v for n, v in self.new.items() if v != MISSING}
        remove = [n for n, v in self.new.items() if v == MISSING]
        add: dict[str, Sum] = {}
        for name, amount in self.change.add.items():
            add[name] = amount_of(amount)
        figures = self._figures(self.now)
        add |= figures.pop("add")
        known = {n: v for n, v in {**self.now, **self.new}.items() if v != MISSING}
        for index in self.indexes if indexed else ():
            for part in index.parts:
                named = {*part.attributes, *(name for name, _ in part.when)}
                if part.native is not None or not named & self.entity_write.changed:
                    continue
                gone = self.model.becomes_absent(index.structure, named, self.entity_write)
                if gone and self.model.was_absent(index.structure, named, self.entity_write):
                    continue
                if self.model.stays_the_same(index.structure, named, self.entity_write):
                    continue
                template = None if gone else stored_template(part, self.model, known.get)
                if template is None:
                    remove.append(part.name)
                else:
                    values[part.name] = template
        for name, template in self.layout.extra.get(self.entity.name, {}).items():
            source = keys.lone(template)
            if source in self.new:
                if self.new[source] == MISSING:
                    remove.append(name)
                else:
                    values[name] = self.new[source]
        elements = {
            word: {name: f"{{{param}}}" for name, param in named.items()}
            for word, named in zip(OF_ELEMENTS, self.change.of_elements, strict=True)
        }
        removed = tuple(dict.fromkeys(remove))
        return {"set": values, "remove": removed, "add": add, **figures, **elements}

    def _figures(self, now: dict[str, Expression]) -> dict[str, Any]:
        """What is added to the item's figures, and what is the greatest or least of what is there and what comes."""
        return figures_kept(self, now)

    # Members

    def _put(
        self,
        shape: str,
        placement: Placement,
        known: dict[str, Expression],
        tests: tuple[ItemCondition, ...],
        ways: tuple[tuple[ItemCondition, ...], ...] = (),
    ) -> None:
        values = dict(known)
        places = [placement, *self.indexes] if placement is self.base else [placement]
        for place in places:
            values |= self._key_values(place.parts, known)
        values |= self._extra(known)
        if self.model.style == "single":
            values[self.layout.type_attribute] = shape
        self.members.append(
            Member(
                put=shape,
                table=placement.table,
                values=values,
                if_=tests,
                any_=ways,
                for_each=self.member_repeat,
                **self._figures(known),
            )
        )

    def _member(
        self,
        verb: str,
        shape: str,
        placement: Placement,
        known: dict[str, Expression],
        tests: list[ItemCondition],
        changes: dict[str, Any] | None = None,
    ) -> None:
        written: dict[str, Any] = {verb: shape, **(changes or {})}
        self.members.append(
            Member(
                **written,
                table=placement.table,
                key=self._key(placement, known),
                if_=tuple(dict.fromkeys(tests)),
                for_each=self.member_repeat,
                unless_same=self._unless(),
                joins=verb == "check" or self.entity_write.follows is not None,
            )
        )

    # Guards

    def _guard_names(self, guard: GuardPlacement) -> tuple[str, ...]:
        return guard_names(self.model, self.choice.base, guard.guarded)

    def _guard_values(
        self, guard: GuardPlacement, known: dict[str, Expression]
    ) -> dict[str, Expression]:
        values = {name: known[name] for name in self._guard_names(guard) if name in known}
        values |= self.guard_key(guard, known)
        if self.model.style == "single":
            values[self.layout.type_attribute] = guard.shape
        return values

    def _put_guard(
        self, guarded: Guarded, known: dict[str, Expression], unless: tuple[str, str] | None = None
    ) -> None:
        guard = self.guards[guarded]
        absent = ItemCondition(attribute=next(iter(guard.key)), exists=False)
        self.members.append(
            Member(
                put=guard.shape,
                table=guard.table,
                values=self._guard_values(guard, known),
                if_=(absent,),
                unless_same=unless,
                for_each=self.member_repeat,
            )
        )

    def _delete_guard(
        self, guarded: Guarded, known: dict[str, Expression], unless: tuple[str, str] | None = None
    ) -> None:
        guard = self.guards[guarded]
        self.members.append(
            Member(
                delete=guard.shape,
                table=guard.table,
                key=self.guard_key(guard, known),
                unless_same=unless,
                for_each=self.member_repeat,
            )
        )

    def _names_of_guard(
        self, guarded: Guarded, known: dict[str, Expression]
    ) -> dict[str, Expression]:
        """What is known of the item, with all that a guard carries."""
        others = self._guard_names(self.guards[guarded])
        return {name: self.now.get(name, f"{{{name}}}") for name in others} | known

    def _swap_guard(
        self,
        guarded: Guarded,
        after: dict[str, Expression],
        before: dict[str, Expression] | None = None,
    ) -> None:
        """The guard of the old values goes, that of the new ones comes, unless they are the same."""
        held = before or {}
        old = {name: held.get(name, f"{{{self._old}.{name}}}") for name in guarded}
        new = self._names_of_guard(guarded, after)
        same = (_text_together(old, guarded), _text_together(new, guarded))
        self._delete_guard(guarded, {**new, **old}, same)
        self._put_guard(guarded, new, same)


def _of_all(guards: Iterable[Guarded]) -> tuple[str, ...]:
    """The attributes that guards contain, each once."""
    return tuple(dict.fromkeys(name for guarded in guards for name in guarded))


def _text_together(values: Mapping[str, Expression], names: Guarded) -> str:
    """The values that a guard keeps, as one text that no other values make."""
    return "#".join(str(text_of(values[name])) for name in names)
