"""Why not another choice: rejected candidates with their prices, and a key that somebody asks about."""

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from math import inf

from pydantic import ValidationError

from designer.core.design.document import Design
from designer.core.design.pins import DELIMITER, pin_flaws
from designer.core.design.settings import Pin, PinnedKey, PinnedNames
from designer.core.design.wording import shape_problems
from designer.core.messages import Message, key_parts, say, text
from designer.core.plan import Decision, Plan, Rejected, Style
from designer.core.planner.candidates.dominance import undominated
from designer.core.planner.candidates.keys import keeps_tenants_apart, reasons_for
from designer.core.planner.explain.amounts import CENT
from designer.core.planner.explain.comparing import Difference
from designer.core.planner.explain.key_words import described
from designer.core.planner.model.chosen import Choice
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.key_text import (
    own_text,
    shared_partition,
    shared_sort,
    sort_token,
    template_of,
)
from designer.core.planner.model.pins import Candidates
from designer.core.planner.model.reads_and_writes import PatternRead, Requirements
from designer.core.planner.model.structures import Structure
from designer.core.planner.pipeline import outlined, plan, planned_for
from designer.core.planner.pricing.access_paths import accesses
from designer.core.planner.rewrites.simplest import planned_as
from designer.core.planner.rewrites.variants import requirements_for, requirements_of
from designer.core.planner.solve.choice import choose
from designer.core.planner.solve.search import Search
from designer.core.planner.what_if.kept_twice import (
    copies_instead,
    plan_with,
    priced_copy,
    priced_rival,
    rivals_kept_twice,
)
from designer.core.planner.what_if.patterns_of_key import (
    KeyAsked,
    asked_of_pattern,
    key_attributes,
    structure_of_key,
    why_unable,
)
from designer.core.words.english import numbered, spoken

MOST_RIVALS = 8
"""Candidates that are priced for one answer."""


@dataclass(frozen=True)
class WhyNot:
    """Why a plan has one choice and not another."""

    about: str
    now: str
    """What was chosen."""
    per_month: float
    """US dollars a month of the whole plan."""
    rivals: tuple[Rejected, ...] = ()
    """The rejected choices, each with its reason and the price of the whole plan with it, cheapest first."""
    has: bool = False
    """Of a key asked for: whether the plan has it already."""
    listed: bool | None = None
    """Of a key asked for: whether it is among the planner's candidates."""
    listing: str = ""
    """Of a key asked for: whether or why not it was a candidate, and where what it would save comes from, or what of it
    a pin could not have.
    """
    forbidden: str = ""
    """Of a key asked for: what rules it out; empty when nothing does."""
    unpinned: bool = False
    """Whether the key is pinned, and what was not chosen is priced in place of the pinned one."""


def has_rivals(decision: Decision) -> bool:
    """Whether `why_not` prices other ways for what was decided: for a key, an index, or a whole copy of items."""
    kind, _, name = decision.about.partition(" ")
    of_attribute = kind == "copy" and "." in name
    return kind in ("key", "index", "copy") and not of_attribute


def why_not(design: Design, style: Style, about: str | KeyAsked) -> WhyNot:
    """Why a key, an index or an access path was chosen, or why a key is not in the plan.

    `about` is what a decision is about (`key Order`, `index shop/GSI1`, `copy OrderByUserId`), `pattern 7`, or a key
    asked for. KeyError when there is no such thing.
    """
    made = plan(design, style)
    if isinstance(about, KeyAsked):
        return _of_key_asked(design, made, about)
    kind, _, name = about.partition(" ")
    if kind == "pattern":
        return _of_pattern(design, made, int(name))
    decided = [decision for decision in made.decisions if decision.about == about]
    if not decided:
        raise KeyError(about)
    now = "; ".join(decision.choice for decision in decided)
    if kind == "key":
        free = _unpinned(design, style, name)
        rivals = list(_other_bases(design, free, made, name))
        return WhyNot(about, now, made.cost.per_month, _by_price(rivals), unpinned=free != design)
    rivals = list(_together(decided, made))
    if kind in ("together", "apart", "shards"):
        return WhyNot(about, now, made.cost.per_month, _by_price(rivals))
    search, choice = choose(requirements_of(design, style), style)
    of_several = {_entity_in(one) for one in decided if len(one.serves) > 1}
    anew: list[Rejected] = []
    for number in dict.fromkeys(n for decision in decided for n in decision.serves):
        anew += rivals_kept_twice(design, made, search, choice, number)
        for rival in _other_answers(design, made, search, choice, number):
            if of_several & _entities_in(rival):
                chosen = say("for-pattern", choice=rival.chosen, pattern=number)
                rival = rival.model_copy(update={"chosen": chosen})
            anew.append(rival)
    rivals = [one for one in rivals if not _is_cheaper_anew(one, anew)]
    return WhyNot(about, now, made.cost.per_month, _by_price(_each_once([*rivals, *anew])))


def _by_price(rivals: Iterable[Rejected]) -> tuple[Rejected, ...]:
    """The cheapest first, and last those without a price."""
    return tuple(sorted(rivals, key=lambda one: inf if one.per_month is None else one.per_month))


def _is_cheaper_anew(rival: Rejected, anew: list[Rejected]) -> bool:
    """Whether what is priced with the rest as it is costs less where the rest is chosen anew for it."""
    return rival.per_month is not None and any(
        one.chosen == rival.chosen and one.per_month is not None and one.per_month < rival.per_month
        for one in anew
    )


def _entity_in(one: Decision | Rejected) -> str:
    """Whose key a choice speaks of; empty where it names no entity."""
    is_of_one = one.chosen.id in ("key-of", "of-entity")
    return str(one.chosen.values["entity"]) if is_of_one else ""


def _entities_in(one: Rejected) -> set[str]:
    """The same, of one that may speak of several."""
    names = one.chosen.values.get("entities")
    if one.chosen.id == "of-entities" and isinstance(names, tuple):
        return {str(name) for name in names}
    return {_entity_in(one)} - {""}


def _each_once(rivals: Iterable[Rejected]) -> Iterator[Rejected]:
    """Rivals in their order, without those that were priced before in another way."""
    before: dict[Message, list[float]] = {}
    for rival in rivals:
        usd = rival.per_month
        prices = before.setdefault(rival.chosen, [])
        if all(abs(one - (usd or 0.0)) >= CENT for one in prices):
            yield rival
        prices.append(usd or 0.0)


def _together(decided: list[Decision], made: Plan) -> Iterator[Rejected]:
    """What was not chosen, each with its entities, and priced by the whole plan instead of its own part."""
    entities: dict[Rejected, list[str]] = {}
    for decision in decided:
        for rejected in decision.instead_of:
            usd = None
            if rejected.per_month is not None and decision.per_month is not None:
                usd = round(made.cost.per_month + rejected.per_month - decision.per_month, 4)
            other = rejected.model_copy(update={"per_month": usd})
            entity = _entity_in(decision)
            entities.setdefault(other, []).extend([entity] if entity else [])
    for rejected, names in entities.items():
        if names:
            of_one = say("of-entity", entity=names[0], choice=rejected.chosen)
            of_several = say("of-entities", entities=tuple(names), choice=rejected.chosen)
            of = of_one if len(names) == 1 else of_several
            rejected = rejected.model_copy(update={"chosen": of})
        yield rejected


def _other_bases(design: Design, free: Design, made: Plan, entity: str) -> Iterator[Rejected]:
    """The plan with each other base key of an entity, which is pinned in the one design and not in the other."""
    search, choice = choose(requirements_of(free, made.style), made.style)
    if free != design:
        _, choice = choose(requirements_of(design, made.style), made.style)
    chosen = choice.entities[entity].base
    # Those that the decision names have a price here, too.
    named = [base for base, _ in search.rivals(entity, choice)]
    bases = [base for base in dict.fromkeys((*named, *search.bases(entity))) if base != chosen]
    for base in bases[:MOST_RIVALS]:
        other = plan_with(free, made, {entity: Candidates(bases=(base,))})
        yield priced_rival(other, made, say("key-by", key=described(base)))


def _unpinned(design: Design, style: Style, entity: str) -> Design:
    """The design without what is pinned of an entity's own key, so that another one can be asked about."""
    pins = []
    for pin in design.planner.pins:
        of_key = pin.entity == entity and pin.index is None and pin.pattern is None
        if of_key and pin.style in (None, style):
            pin = pin.model_copy(update={"key": None, "names": None})
            if pin.name is None:
                continue
        pins.append(pin)
    return design.with_planner(pins=tuple(pins))


def _of_pattern(design: Design, made: Plan, number: int) -> WhyNot:
    operations = made.operations_for(number)
    if not operations:
        raise KeyError(f"pattern {number}")
    search, choice = choose(requirements_of(design, made.style), made.style)
    places = dict.fromkeys(
        f"index {step.index}" if step.index else f"table {step.table}"
        for operation in operations
        for step in operation.steps
        if step.table
    )
    now = spoken(tuple(places)) or operations[0].because
    rivals = (
        *rivals_kept_twice(design, made, search, choice, number),
        *_other_answers(design, made, search, choice, number),
    )
    return WhyNot(f"pattern {number}", now, made.cost.per_month, _by_price(_each_once(rivals)))


def _other_answers(
    design: Design, made: Plan, search: Search, choice: Choice, number: int
) -> Iterator[Rejected]:
    """The plan with a pattern answered from each index that could, and from the table.

    Not from copies in the place of an index, which `rivals_kept_twice` prices. Then those that answer some cases of
    optional conditions only: each with why it is none, and no price.
    """
    asked = [
        (at, q) for at, q in enumerate(search.requirements.pattern_reads) if q.number == number
    ]
    if not asked:
        return
    # Of a write's look-ups one; of a read's cases all.
    cases = dict(asked if asked[0][1].given is not None else asked[:1])
    entity = asked[0][1].entity_reads[0].entity
    model, bases = search.models[entity], search.bases(entity)
    able: list[Structure] = []
    partly: list[Rejected] = []
    instead = [copied.partition for _, copied in copies_instead(search, choice, number)]
    for structure in (*bases, *search.indexes(entity)):
        if model.is_copy(structure) and structure.partition in instead:
            continue
        unable = [
            pattern_read
            for pattern_read in cases.values()
            if not any(accesses(model, bases[0], structure, pattern_read.entity_reads[0], 0.0))
        ]
        if not unable:
            able.append(structure)
        elif len(unable) < len(cases):
            partly.append(_answering_some(model, structure, unable[0]))
    seen = {repr(_answered(made, number))}
    found = planned_as(design, made.style)
    for structure in able[: 2 * MOST_RIVALS]:
        required = _through(requirements_for(found), cases, structure)
        other = planned_for(found, required, reasons="findings")
        how = repr(_answered(other, number))
        # What only seemed to answer it has no place here.
        if how not in seen and number not in Difference(other, made).broken:
            together = _read_together(other, number, entity)
            yield priced_copy(other, made, _through_place(together, structure), model)
        seen.add(how)
    yield from partly[:MOST_RIVALS]


def _answering_some(
    model: EntityModel, structure: Structure, pattern_read: PatternRead
) -> Rejected:
    """A structure that answers some cases of a pattern's optional conditions, with why it does not answer another."""
    unserved = say("not-served-given", pattern=pattern_read.number, given=pattern_read.given or ())
    why = why_unable(model, structure, pattern_read.entity_reads[0])
    return Rejected(
        chosen=_through_place((model.name,), structure),
        reasons=(say("not-served-because", lost=unserved, why=(why,)),),
    )


def _read_together(made: Plan, number: int, entity: str) -> tuple[str, ...]:
    """The entities of which the requests that read one for a pattern return items, that one first."""
    found = {entity: None}
    for operation in made.operations_for(number):
        for step in operation.steps:
            names = [made.shape(shape).entity for shape in step.shapes]
            if entity in names:
                found |= dict.fromkeys(names)
    return tuple(found)


def _through_place(entities: tuple[str, ...], structure: Structure) -> Message:
    """A key as another way to answer: "Order: an index by userId". Of items read by one request all are named."""
    through = say("through", places=(described(structure),))
    if structure.kind == "base":  # What is found another way, and no other key of what there is.
        through = say("found-through", place=through)
    if len(entities) > 1:
        return say("of-entities", entities=entities, choice=through)
    return say("of-entity", entity=entities[0], choice=through)


def _answered(made: Plan, number: int) -> object:
    return [
        [(step.call, step.table, step.index, step.where, step.key) for step in operation.steps]
        for operation in made.operations_for(number)
    ]


def _through(required: Requirements, which: Container[int], structure: Structure) -> Requirements:
    """The same with some patterns, by their places, answered through one structure."""

    def asked(pattern_read: PatternRead) -> PatternRead:
        first, *others = pattern_read.entity_reads
        return replace(pattern_read, entity_reads=(replace(first, through=(structure,)), *others))

    pattern_reads = enumerate(required.pattern_reads)
    return replace(
        required, pattern_reads=tuple(asked(q) if at in which else q for at, q in pattern_reads)
    )


def _of_key_asked(design: Design, made: Plan, asked: KeyAsked) -> WhyNot:
    entity = design.entity[asked.entity]
    about = f"{'index ' if asked.index else ''}key {asked.entity}"
    decided = [d.choice for d in made.decisions if d.about == f"key {asked.entity}"]
    free = design if asked.index else _unpinned(design, made.style, entity.name)
    found = WhyNot(about, "; ".join(decided), made.cost.per_month, unpinned=free != design)
    search, choice = choose(requirements_of(free, made.style, (entity.name,)), made.style)
    if free != design:
        _, choice = choose(requirements_of(design, made.style, (entity.name,)), made.style)
    model, mine = search.models[entity.name], choice.entities[entity.name]
    parts = _templates(model, asked)
    try:
        key = PinnedKey.model_validate(parts)
    except ValidationError as error:
        said = (
            f"of the {path[0]} key {text(said)}" for path, said, _ in shape_problems(error, parts)
        )
        return replace(found, forbidden="; ".join(said), listed=False)
    with_pin = _with_key(free, made.style, model, asked, key)
    own = len(free.planner.pins)
    flaws = [text(flaw) for path, flaw in pin_flaws(with_pin) if path[2] == own]
    if flaws:
        return replace(found, forbidden="; ".join(flaws), listed=False)
    wanted = structure_of_key(model, asked)
    listed = _is_among(wanted, (search.indexes if asked.index else search.bases)(entity.name))
    if asked.in_words and _is_among(wanted, mine.projections if asked.index else (mine.base,)):
        return replace(found, has=True, listed=listed)
    other = _with_asked(free, made, model, asked)
    texts, there = (_key_texts(one, entity.name, asked.index) for one in (other, made))
    if texts <= there:
        return replace(found, has=True, listed=listed)
    rival = priced_rival(other, made, say("key-by", key=described(wanted)))
    listing = [_why_listed(search, mine.base, wanted)]
    where = f"planner.pins.{own + 1}"
    unlike = [f for f in other.findings if f.rule == "pin-not-obeyed" and f.where == where]
    if unlike:
        reasons = (finding.problem.values["reason"] for finding in unlike)
        listing += [text(say("pin-cannot-set-exactly", reason=reason)) for reason in reasons]
    elif rival.per_month is not None and rival.per_month <= made.cost.per_month - CENT:
        entity_reads = [part.entity_read for part in search.of_entity[model.name]]
        if reasons_for(model, entity_reads, wanted) is None:
            listing.append(_why_cheaper(free, made, model, asked))
        else:
            listing.append(
                "It is cheaper, but was not chosen: its partition key has few values, and the access patterns that "
                "it would serve also give attributes with more values. To choose it, pin it."
            )
    return replace(found, listed=listed, listing=" ".join(listing), rivals=(rival,))


def _with_asked(design: Design, made: Plan, model: EntityModel, asked: KeyAsked) -> Plan:
    """The plan with a key asked for: pinned, or one of a table in words as a candidate, which the planner writes."""
    if asked.in_words and not asked.index:
        given = {asked.entity: Candidates(bases=(structure_of_key(model, asked),))}
        return outlined(design, made.style, given, "findings")
    key = PinnedKey.model_validate(_templates(model, asked))
    with_pin = _with_key(design, made.style, model, asked, key)
    return outlined(with_pin, made.style, reasons="findings")


def _with_key(
    design: Design, style: Style, model: EntityModel, asked: KeyAsked, key: PinnedKey
) -> Design:
    """The design with a pin more: the key asked for. In words, a lone attribute in a table of its own is itself."""
    index = "AskedFor" if asked.index else None
    names = None
    if asked.in_words and asked.index and model.style == "multi":
        lone = (part[0] if len(part) == 1 else None for part in (asked.partition, asked.sort))
        names = PinnedNames(**dict(zip(("partition", "sort"), lone, strict=True)))
    pin = Pin(style=style, entity=asked.entity, index=index, key=key, names=names)
    return design.with_planner(pins=(*design.planner.pins, pin))


def _is_among(wanted: Structure, structures: Iterable[Structure]) -> bool:
    key = wanted.partition, wanted.sort, wanted.only
    return any((s.partition, s.sort, s.only) == key for s in structures)


def _why_listed(search: Search, base: Structure, wanted: Structure) -> str:
    """Whether a key was a candidate; where it was none, which one does the same, or what it lacks."""
    model = search.models[wanted.entity]
    entity_reads = [part.entity_read for part in search.of_entity[model.name]]
    structures = search.indexes(model.name) if wanted.is_index else search.bases(model.name)
    reasons = reasons_for(model, entity_reads, wanted)
    if reasons == () and wanted.kind != "local":
        return (
            "This key was not a candidate: its partition key has few values, and every access pattern that can use it "
            "also gives attributes with more values."
        )
    if _is_among(wanted, structures):
        return "This key was among the candidates."
    if model.entity.needs is not None and not keeps_tenants_apart(model, wanted, entity_reads):
        tenant = model.entity.needs.tenant
        return f"This key was not a candidate: its partition key lacks {tenant}, which keeps tenants apart."
    asked = asked_of_pattern(search, base if wanted.is_index else wanted, wanted)
    able = tuple(sorted({one.pattern for one in asked if one.verdict != "no"}))
    if not able:
        return "This key was not a candidate: no access pattern needs it."
    same = (s for s in structures if undominated(model, entity_reads, (s, wanted)) == (s,))
    better = next(same, None)
    if better is not None:
        return (
            f"This key was not a candidate, because the planner prefers a key {key_parts(described(better))}: that key "
            "serves the same access patterns, reads no more and is no longer."
        )
    need = "does not need" if len(able) == 1 else "do not need"
    return f"This key was not a candidate: {numbered(able).lower()} can use it, but {need} every part of it."


def _why_cheaper(design: Design, made: Plan, model: EntityModel, asked: KeyAsked) -> str:
    """Where it comes from that a key asked for would be cheaper than what was chosen."""
    if not asked.in_words and not structure_of_key(model, asked).only:
        partition, sort = (key_attributes(model.entity, p) for p in (asked.partition, asked.sort))
        in_words = KeyAsked(asked.entity, partition, sort, asked.index)
        usual = _with_asked(design, made, model, in_words).cost.per_month
        if usual > made.cost.per_month - CENT:
            return (
                f"With this key as the planner writes it, the whole plan would cost ${usual:,.2f} a month. The "
                f"saving comes from the text of the key."
            )
    return "It is cheaper than every candidate. To choose it, pin it."


def _key_texts(made: Plan, entity: str, of_indexes: bool) -> set[tuple[str, ...]]:
    """The texts of an entity's own key, or of its keys in indexes."""
    return {
        tuple(shape.set.get(part.name, f"{{{part.name}}}") for part in parts)
        for table in made.tables
        for shape in table.items
        if shape.shape == entity
        for parts in (
            [(*index.partition, *index.sort) for index in table.indexes]
            if of_indexes
            else [(table.key.partition, *([table.key.sort] if table.key.sort else []))]
        )
        if all(part.name in {*shape.set, *shape.attributes} for part in parts)
    }


def _templates(model: EntityModel, asked: KeyAsked) -> dict[str, str | None]:
    """The templates of a key asked for; of an index named in words as the planner writes them."""
    parts = {"partition": _template(asked.partition), "sort": _template(asked.sort)}
    names = {*asked.partition, *asked.sort} if asked.in_words else set()
    if not names:
        return parts
    if not asked.index or not names <= set(model.entity.by_name):
        # A delimiter ends what ranges are asked of.
        return {**parts, "sort": parts["sort"] and parts["sort"] + DELIMITER}
    wanted = structure_of_key(model, asked)
    if model.style == "single":
        token = sort_token(model, wanted)
        return {
            "partition": template_of(shared_partition(model, wanted)),
            "sort": template_of(shared_sort(model, wanted, token)),
        }
    own = {"partition": wanted.partition, "sort": wanted.sort}
    composed = {name: part for name, part in own.items() if len(part) > 1}
    return parts | {
        name: template_of(own_text(model, wanted, part)) for name, part in composed.items()
    }


def _template(part: tuple[str, ...] | str) -> str | None:
    if isinstance(part, str):
        return part or None
    return "#".join(f"{{{name}}}" for name in part) or None
