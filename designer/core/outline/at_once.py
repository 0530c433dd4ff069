"""A long outline added to a design: each line looks at the parts that it names, not at the whole design."""

from designer.core.design.bounds import ATTRIBUTES_IN_ALL, ENTITIES, RELATIONSHIPS
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.edits import add_attribute, add_entity
from designer.core.edits.relationships import child_joined
from designer.core.edits.replacing import replaced
from designer.core.errors import DesignError, Problem
from designer.core.messages import Message, say
from designer.core.outline.model import Outline, Outlined
from designer.core.proposing import free_name


def added_at_once(design: Design, outline: Outline, problems: list[Problem]) -> Design:
    """The design with the outline, not checked. `problems`: those of a line are put there."""
    excess = _excess(design, outline)
    if excess is not None:
        if not problems:
            problems.append(Problem("", say("sentence", problem=excess)))
        return design
    growing = _Growing(design)
    for outlined in outline.entities:
        try:
            growing.add_entity(outlined)
        except DesignError as error:
            problems.append(Problem("", error.reason, outlined.line))
    for line, relationship in outline.relationships:
        try:
            growing.add_relationship(relationship)
        except DesignError as error:
            problems.append(Problem("", error.reason, line))
    return growing.design


def _excess(design: Design, outline: Outline) -> Message | None:
    """Why the design would be too large, as its check says it: known before anything is made."""
    new = [each for each in outline.entities if each.name not in design.entity]
    attributes = sum(len(each.attributes) for each in design.entities)
    for each in outline.entities:
        there = design.entity[each.name].by_name if each.name in design.entity else {}
        attributes += sum(entry.attribute.name not in there for entry in each.entries)
    flaws = (
        *ENTITIES.flaw((), len(design.entities) + len(new)),
        *RELATIONSHIPS.flaw((), len(design.relationships) + len(outline.relationships)),
        *ATTRIBUTES_IN_ALL.flaw((), attributes),
    )
    return flaws[0][1] if flaws else None


def emptied(design: Design, *entities: Entity) -> Design:
    """The design with these entities alone: what is edited in it takes no longer in a large one."""
    others = {"relationships": (), "patterns": (), "ignored_findings": ()}
    return design.model_copy(update={"entities": entities, **others})


class _Growing:
    """A design while lines are added to it."""

    def __init__(self, design: Design) -> None:
        self._before = design
        self._bare = emptied(design)
        self._entities = dict(design.entity)
        self._called = {name.lower(): name for name in self._entities}
        self._relationships = list(design.relationships)
        self._names = set(design.relationship)
        self._folded = {name.casefold() for name in self._names}

    @property
    def design(self) -> Design:
        entities = tuple(self._entities.values())
        relationships = tuple(self._relationships)
        return replaced(self._before, entities=entities, relationships=relationships)

    def add_entity(self, outlined: Outlined) -> None:
        name = outlined.name
        if name not in self._before.entity:
            small = add_entity(self._of(self._called.get(name.lower(), name)), outlined.entity)
        else:
            small, known = self._of(name), self._entities[name].by_name
            for entry in outlined.entries:
                if entry.attribute.name not in known:
                    small = add_attribute(small, name, entry.attribute)
        self._entities[name] = small.entity[name]
        self._called[name.lower()] = name

    def add_relationship(self, relationship: Relationship) -> None:
        made = replaced(relationship, id=None)
        if made.name in self._names:
            one = made.cardinality == "1:1"
            name = free_name(self._folded, made.parent, made.child, is_one=one)
            made = replaced(made, name=name)
        child = child_joined(self._of(made.child, *made.parents), made)
        if child is not None:
            self._entities[child.name] = child
        self._relationships.append(made)
        self._names.add(made.name)
        self._folded.add(made.name.casefold())

    def _of(self, *names: str) -> Design:
        """A design of these entities alone, as far as they are there."""
        there = (self._entities.get(name) for name in dict.fromkeys(names))
        return self._bare.model_copy(update={"entities": tuple(filter(None, there))})
