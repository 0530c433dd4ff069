"""Plans with each item written a second time, priced beside the plan that is there."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from designer.core.design.document import Design
from designer.core.messages import Message, say
from designer.core.plan import Plan, Rejected
from designer.core.planner.candidates.copies import TWICE, copy_under, why_not_kept_twice
from designer.core.planner.explain.amounts import CENT, NO_BETTER, dearer
from designer.core.planner.explain.comparing import Difference, copies_of
from designer.core.planner.explain.key_words import described
from designer.core.planner.model.chosen import Choice
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.pins import Candidates
from designer.core.planner.model.structures import Structure
from designer.core.planner.pipeline import planned_for
from designer.core.planner.rewrites.simplest import planned_as
from designer.core.planner.rewrites.variants import requirements_for
from designer.core.planner.solve.search import Search


def priced_rival(other: Plan, made: Plan, chosen: Message) -> Rejected:
    """A plan as a rival of another. One that answers less is no other way to do it: it has a reason, and no price."""
    difference = Difference(other, made)
    if difference.lost:
        because = (
            operation.because.rstrip(".")
            for operation in other.operations
            if (operation.pattern, operation.given) in difference.lost
        )
        lost = say("differs", differences=tuple(difference.losses()))
        why = tuple(filter(None, dict.fromkeys(because)))
        reason = say("not-served-because", lost=lost, why=why) if why else lost
        return Rejected(chosen=chosen, reasons=(reason,))
    differences = difference.messages() or (
        dearer(made.cost.per_month, other.cost.per_month) if difference.usd > 0 else NO_BETTER,
    )
    return Rejected(
        chosen=chosen,
        reasons=(say("differs", differences=differences),),
        per_month=other.cost.per_month,
    )


def plan_with(design: Design, made: Plan, candidates: Mapping[str, Candidates]) -> Plan:
    """The plan with other candidates for an entity, whose items stay what they are in the plan that was made."""
    found = planned_as(design, made.style)
    return planned_for(found, requirements_for(found), candidates, reasons="findings")


def rivals_kept_twice(
    design: Design, made: Plan, search: Search, choice: Choice, number: int
) -> Iterator[Rejected]:
    """The plan with each item written a second time under the key of an index that answers a pattern.

    In one transaction, so both writes take twice the units; an index is written for half of that, but read eventually.
    """
    for structure, copied in copies_instead(search, choice, number):
        model, mine = search.models[structure.entity], choice.entities[structure.entity]
        indexes = dict.fromkeys((*(one for one in mine.projections if one != structure), copied))
        candidates = {model.name: Candidates(bases=(mine.base,), indexes=indexes)}
        key = replace(structure.plain, bare=False)
        twice = say("of-entity", entity=model.name, choice=say("stored-twice", key=described(key)))
        yield priced_copy(plan_with(design, made, candidates), made, twice, model)


def copies_instead(
    search: Search, choice: Choice, number: int
) -> Iterator[tuple[Structure, Structure]]:
    """The indexes that answer a pattern, each with the copies that could be in its place."""
    for (q, _), structure in _indexes_used(choice):
        if search.requirements.pattern_reads[q].number == number:
            model, key = search.models[structure.entity], structure.plain
            if key.partition and all(map(model.may_be_base_key, key.attributes)):
                yield structure, copy_under(model, key.partition, key.sort)


def priced_copy(other: Plan, made: Plan, chosen: Message, model: EntityModel) -> Rejected:
    """A plan with copies as a rival; where it is cheaper, with the reason that it is not taken."""
    found = priced_rival(other, made, chosen)
    saved = made.cost.per_month - (
        made.cost.per_month if found.per_month is None else found.per_month
    )
    more = copies_of(other) - copies_of(made)
    if saved < CENT or more <= 0:
        return found
    why = why_not_kept_twice(model)
    if why is None and saved < more * TWICE:
        why = say("copy-saves-under-a-dollar")
    elif why is None and model.design.planner.objective == "indexes":
        why = say("copy-counts-as-index")
    if why is None:
        return found
    (reason,) = found.reasons
    return found.model_copy(update={"reasons": (say("but", reason=reason, why=why),)})


def _indexes_used(choice: Choice) -> Iterator[tuple[tuple[int, int], Structure]]:
    """The global indexes that entity reads are answered from by themselves."""
    for entity in choice.entities.values():
        for part, access in entity.access.items():
            if access.structure is not None and access.structure.kind == "index":
                yield part, access.structure
