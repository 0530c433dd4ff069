"""What a request leaves out or removes, because a value is missing or a condition on it does not hold."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from designer.core.plan import Expression, ItemCondition, Member, Operation, Plan, Step, Sum
from designer.core.plan.keys import Form, parse
from designer.core.sentences.templates import condition_text, template_text, value_name
from designer.core.words.english import joined


@dataclass(frozen=True)
class Absences:
    """The requests of an operation, with the values that may be missing when they are sent."""

    optional: frozenset[str]
    """Names of values that may be missing, as templates have them: `detail`, `old.dueAt`."""
    given: frozenset[str]
    """Names of parameters that are never missing."""

    @classmethod
    def of(cls, plan: Plan, operation: Operation) -> "Absences":
        """Those of an operation: its optional parameters, and what items that it reads first may lack."""
        every = [one for each in operation.parameters for one in (each, *each.fields)]
        read = {
            f"{step.id}.{name}"
            for step in operation.steps
            for shape in step.shapes
            for name, stored in plan.shape(shape).attributes.items()
            if stored.optional
        }
        optional = {one.name for one in every if one.optional}
        return cls(frozenset(optional | read), frozenset(one.name for one in every) - optional)

    def notes(self, plan: Plan, step: Step) -> Iterator[str]:
        """Under which conditions values and items are written: `GSI1PK only if status is PAID, otherwise removed`."""
        found: dict[tuple[str, str], dict[str, None]] = {}
        moved: dict[tuple[str, str], dict[str, dict[str, None]]] = {}
        for member in step.members:
            for name, said, end in self._conditional(plan, member):
                found.setdefault((said, end), {})[name] = None
            if member.unless_same is not None:
                verbs = moved.setdefault(member.unless_same, {})
                verbs.setdefault(member.shape, {})[member.verb] = None
        for (said, end), entries in found.items():
            yield f"{joined(list(entries))} only if {said}{end}"
        for texts, shapes in moved.items():
            what = joined([f"{joined(list(verbs))} {shape}" for shape, verbs in shapes.items()])
            yield f"{what} only if {' and '.join(map(template_text, texts))} differ"
        if unread := self._maybe_unread(step):
            yield f"if {joined(unread)} {_was(unread)} present when read"

    def without(self, step: Step) -> tuple[Step, str] | None:
        """The request where all that may be missing is missing, and what is told of it.

        None where the request stays as it is, but for what is left out of new items.
        """
        unread = self._maybe_unread(step)
        removed = {
            name: None
            for member in step.members
            for of in (member, *member.inside)
            for name, value in of.set.items()
            if self._is_missing(value)
        }
        if not unread and not removed:
            return None
        members = [self._lacking(one) for one in step.members if not self._is_left_out(one)]
        said = [f"with {joined(list(removed))} removed"] if removed else []
        said += [f"if {joined(unread)} {_was(unread)} missing when read"] if unread else []
        other = step.model_copy(update={"members": tuple(members)})
        return other, f"the same {joined(said)}"

    def _conditional(self, plan: Plan, member: Member) -> Iterator[tuple[str, str, str]]:
        """What may not be written: its name, the condition, and what follows if it does not hold."""
        key = plan.table(member.table).key
        parts = {key.partition.name, *([key.sort.name] if key.sort else [])}
        for value in member.key.values():
            if said := self._only_if(value):
                yield f"{member.verb} {member.shape}", said, ""
        for of in (member, *member.inside):
            for name, value in of.values.items():
                if said := self._only_if(value):
                    is_key = of is member and name in parts
                    is_own = said == f"{name} is given"
                    yield f"put {member.shape}" if is_key else name, "given" if is_own else said, ""
            for name, value in of.set.items():
                if said := self._only_if(value):
                    yield name, said, ", otherwise removed"

    def _only_if(self, value: Expression) -> str:
        """The condition under which a value is there: `status is PAID`, `detail is given`."""
        if not isinstance(value, str):
            return ""
        said: dict[str, None] = {}
        for part in parse(value):
            if isinstance(part, str):
                continue
            text = condition_text(part) if isinstance(part, Form) else None
            is_whether_there = text is None or (isinstance(part, Form) and _is_when(part))
            if is_whether_there and part.name in self.optional and "." not in part.name:
                text = f"{value_name(part)} is given"
            elif is_whether_there and part.name in self.optional:
                text = f"{value_name(part)} is present"
            elif is_whether_there and part.name in self.given:
                text = None
            said |= {text: None} if text is not None else {}
        return joined(list(said))

    def _is_missing(self, value: Expression) -> bool:
        """Whether a value is missing where all that may be missing is, and no other condition holds."""
        for part in parse(value) if isinstance(value, str) else ():
            if isinstance(part, str):
                continue
            if isinstance(part, Form) and part.form == "absent":
                if part.name not in self.optional:
                    return True
                continue
            is_test = isinstance(part, Form) and part.form in ("only", "when") and part.texts
            if is_test or part.name in self.optional:
                return True
        return False

    def _is_left_out(self, member: Member) -> bool:
        return any(self._is_missing(value) for value in member.key.values())

    def _maybe_unread(self, step: Step) -> list[str]:
        """The attributes that an earlier step may have found missing, and that must be as they were."""
        found: dict[str, None] = {}
        for member in step.members:
            there = {one.attribute for one in member.if_ if _demands(one)}
            tests = (*member.if_, *(one for way in member.any_ for one in way))
            found |= {
                one.attribute: None
                for one in tests
                if self._is_unread(one) and one.attribute not in there
            }
        return list(found)

    def _is_unread(self, test: ItemCondition) -> bool:
        return test.same_as is not None and f"{test.same_as}.{test.attribute}" in self.optional

    def _lacking(self, member: Member) -> Member:
        """A member where all that may be missing is missing."""
        inside = [
            one.model_copy(update=self._entries(one.values, one.set, one.remove))
            for one in member.inside
        ]
        return member.model_copy(
            update={
                **self._entries(member.values, member.set, member.remove),
                "inside": tuple(inside),
                "if_": tuple(map(self._tested, member.if_)),
                "any_": tuple(tuple(map(self._tested, way)) for way in member.any_),
                "greatest": self._listed(member.greatest),
                "least": self._listed(member.least),
                "add": {name: left[0] for name, left in self._listed(_alone(member.add)).items()},
            }
        )

    def _entries(
        self,
        values: Mapping[str, Expression],
        set_: Mapping[str, Expression],
        remove: tuple[str, ...],
    ) -> dict[str, object]:
        gone = [name for name, value in set_.items() if self._is_missing(value)]
        return {
            "values": {n: value for n, value in values.items() if not self._is_missing(value)},
            "set": {name: value for name, value in set_.items() if name not in gone},
            "remove": tuple(dict.fromkeys((*remove, *gone))),
        }

    def _listed(self, lists: Mapping[str, tuple[Sum, ...]]) -> dict[str, tuple[Sum, ...]]:
        """Numbers and sums without those that are missing."""
        found: dict[str, tuple[Sum, ...]] = {}
        for name, values in lists.items():
            left: list[Sum] = []
            for one in values:
                if isinstance(one, tuple):
                    known = tuple(each for each in one if not self._is_missing(each))
                    left += [known] if known else []
                elif not self._is_missing(one):
                    left.append(one)
            if left:
                found[name] = tuple(left)
        return found

    def _tested(self, test: ItemCondition) -> ItemCondition:
        if not self._is_unread(test):
            return test
        return test.model_copy(update={"same_as": None, "exists": False})


def _alone(added: Mapping[str, Sum]) -> dict[str, tuple[Sum, ...]]:
    return {name: (value,) for name, value in added.items()}


def _demands(test: ItemCondition) -> bool:
    """Whether a condition holds only of an item that has the attribute, whatever an earlier step read of it."""
    said = test.model_dump(exclude_none=True, exclude={"attribute", "shape", "same_as"})
    return not said.keys() <= {"not_", "below_or_missing", "above_or_missing", "exists"} or bool(
        test.exists
    )


def _was(attributes: list[str]) -> str:
    return "was" if len(attributes) == 1 else "were"


def _is_when(part: Form) -> bool:
    """Whether a form only asks whether there is a value."""
    return part.form == "when" and not part.texts
