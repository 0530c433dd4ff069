"""What both sides of a clash say, in the words of the form that shows it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from designer.core import edits
from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.design.ids import identified
from designer.core.patterns.base import Pattern
from designer.forms.attributes import AttributeForm
from designer.forms.base import Clash, Form
from designer.forms.entities import EntityForm
from designer.forms.fields import Field, Group, Raw
from designer.forms.patterns import PatternForm
from designer.forms.relationships import RelationshipForm
from designer.forms.settings import SettingsForm


def in_words(clash: edits.Clash, mine: Design | None, theirs: Design | None) -> Clash:
    """The clash as it is asked about, given what would come of either side; None where that does not hang together.

    What no form shows is said as the document has it.
    """
    said = Clash(clash.key, clash.label, clash.mine, clash.theirs, clash.seen)
    part, _, field = clash.label.partition(", ")
    if not field:
        before, now = clash.mine and "as it was before", clash.theirs and "as it is now"
        return replace(said, mine=before, theirs=now)
    one, other = (_form(design, clash.key) if design else None for design in (mine, theirs))
    if one is None or other is None:
        return said
    answers = list(_differing(other.fields(other.raw).values(), one.raw, other.raw))
    if not answers:
        return said
    labels, ours, others = map("; ".join, zip(*answers, strict=True))
    return replace(said, label=f"{part}: {labels}", mine=ours, theirs=others)


def _form(design: Design, key: str) -> Form | None:
    """The form with the field of a key; None for a whole part, and for what has no form."""
    root, *steps = key.split(".")
    parts = {part.id: part for _, part in identified(design)}
    match root, [parts[step] for step in steps[:-1] if step in parts]:
        case "entities", [Entity() as entity]:
            return EntityForm(design, entity)
        case "entities", [Entity() as entity, Attribute() as attribute]:
            return AttributeForm(design, entity, attribute)
        case "relationships", [Relationship() as relationship]:
            return RelationshipForm(design, relationship)
        case "patterns", [Pattern() as pattern]:
            return PatternForm(design, pattern)
        case "entities" | "relationships" | "patterns" | "ignored_findings", _:
            return None
    return SettingsForm(design, design)


def _differing(fields: Iterable[Field], mine: Raw, theirs: Raw) -> Iterator[tuple[str, str, str]]:
    """The fields that say something else on either side: the label of each, and what it says."""
    for each in fields:
        if each.name not in mine or mine[each.name] == theirs[each.name]:
            continue
        ours, others = mine[each.name], theirs[each.name]
        if isinstance(each, Group):
            for inner in each.fields:
                its, other = ours[inner.name], others[inner.name]
                if its != other:
                    yield each.alone(inner).label, inner.words(its), inner.words(other)
        else:
            yield each.label, each.words(ours), each.words(others)
