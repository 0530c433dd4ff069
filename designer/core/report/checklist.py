"""Checklists that nobody ticks: each line is worked out from the design and its plan, with the evidence.

A line is true, false, or not stated: then the design says nothing that it could be judged by. It is not applicable
where there need be nothing of the kind.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from designer.core.design import unstated
from designer.core.design.meaning import meaning
from designer.core.lint import set_aside
from designer.core.lint.in_short import in_short, places_of, rows_of
from designer.core.report.blocks import NOT_STATED, Section, Table, key_code, numbered
from designer.core.report.facts import Facts
from designer.core.sentences.plans import partly_served
from designer.core.words import figures
from designer.core.words.english import joined

UNMATCHED = ("P102", "P103", "P104", "P105")
"""Rules about a read without its write, and the reverse."""


@dataclass(frozen=True)
class Line:
    """One claim about a design."""

    claim: str
    holds: bool | None
    """None where the design does not say."""
    evidence: str
    applies: bool = True
    in_part: bool = False
    """It holds for some only of those that it is about, and need not for all."""

    @property
    def said(self) -> str:
        if not self.applies:
            return "not applicable"
        if self.in_part:
            return "in part"
        return {True: "yes", False: "no", None: NOT_STATED}[self.holds]


def section(facts: Facts, name: str, checks: Iterable[Callable[[Facts], Line]]) -> Section:
    """A checklist as a section of a document."""
    lines = [check(facts) for check in checks]
    rows = tuple((line.claim, line.said, line.evidence) for line in lines)
    return Section(name, "Checklist", (Table(("Claim", "Holds", "Evidence"), rows, (40, 10, 50)),))


# What the team states -----------------------------------------------------------------------------


def purpose(facts: Facts) -> Line:
    claim = "The design states what the application is for, what the business requires, and how large it is."
    missing = unstated.purpose(facts.design)
    if len(missing) == 3:
        return Line(claim, None, "Neither domain nor business nor scale is stated.")
    without = joined(list(missing))
    evidence = f"Not stated: {without}." if missing else "Domain, business and scale."
    return Line(claim, not missing, evidence)


def counts(facts: Facts) -> Line:
    claim = "Every entity states its number of items."
    without = list(unstated.counts(facts.design))
    return _all(claim, len(facts.design.entities), _missing(without), "entity", "entities")


def references(facts: Facts) -> Line:
    claim = "Every reference to another entity is stated as a relationship."
    attributes = (a for entity in facts.design.entities for a in entity.attributes)
    without = [f"{entity}.{name}" for entity, name, _ in unstated.references(facts.design)]
    number = sum(a.refers_to is not None for a in attributes)
    return _if_any(_all(claim, number, _missing(without), "reference"), number)


def fan_out(facts: Facts) -> Line:
    claim = "Every relationship says how many children a parent has, on average and at most."
    without = [f"“{name}”" for name in unstated.fan_out(facts.design)]
    to_many = [one for one in facts.design.relationships if one.cardinality != "1:1"]
    nouns = "relationship with a “many” side", "relationships with a “many” side"
    return _if_any(_all(claim, len(to_many), _missing(without), *nouns), len(to_many))


def rates(facts: Facts) -> Line:
    claim = "Every access pattern has an average and a peak rate."
    asked = unstated.asked(facts.design)
    without, no_peak = unstated.rates(facts.design), unstated.peaks(facts.design)
    if len(without) == len(asked):
        return Line(claim, None, "No access pattern has a rate.")
    said = [f"without a rate: {numbered(without)}"] if without else []
    said += [f"without a peak: {numbered(no_peak)}"] if no_peak else []
    # The next lines count all of them.
    of = " that DynamoDB serves" if len(asked) < len(facts.design.patterns) else ""
    every = f"The only one{of} has both." if len(asked) == 1 else f"All {len(asked)}{of} have both."
    evidence = f"{'; '.join(said)}." if said else every
    return Line(claim, not said, evidence[:1].upper() + evidence[1:])


def both_ways(facts: Facts) -> Line:
    """What the team set aside with a reason it has declined."""
    claim = (
        "Everything that is read is also written, and vice versa, or the team has ignored the finding that says "
        "otherwise."
    )
    if not facts.design.patterns:
        return Line(claim, None, "No access pattern is stated.")
    found = facts.found(*UNMATCHED)
    aside = [f for f in facts.every_finding if f.rule in UNMATCHED and f not in found]
    if found:
        return Line(claim, False, " ".join(finding.message for finding in found))
    reasons = [one.because for f in aside if (one := set_aside(facts.design, f)) is not None]
    declined = f" Declined: {'; '.join(dict.fromkeys(reasons))}." if aside else ""
    return Line(claim, True, f"No finding of this kind is open ({', '.join(UNMATCHED)}).{declined}")


def elsewhere(facts: Facts) -> Line:
    claim = "Access patterns that DynamoDB should not serve are marked, each with another way to serve it."
    marked = facts.answered("elsewhere")
    if not marked:
        return Line(
            claim, None, "No access pattern is marked, so it is unknown whether one should be."
        )
    without = [one.pattern for one in marked if not one.because]
    every = numbered(tuple(dict.fromkeys(one.pattern for one in marked)))
    if without:
        return Line(claim, False, f"Without another way: {numbered(tuple(without))}.")
    return Line(claim, True, f"{every[:1].upper()}{every[1:]}.")


def heat_known(facts: Facts) -> Line:
    claim = "The heat of every key can be estimated."
    hottest, unknown = facts.heat.hottest, facts.heat.without_rate
    served = {o.pattern for o in facts.plan.operations if o.steps}
    if hottest is None or served <= set(unknown):
        return Line(claim, None, facts.no_rates)
    if unknown:
        return Line(claim, False, f"Without a rate: {numbered(unknown)}.")
    used = figures.little_share(float(hottest.used))
    said = f"The hottest key takes {used} of what a partition serves."
    even = [one.of for one in facts.plan.assumed if one.what == "busiest"]
    if even:
        said += f" Assumed to be evenly common: the values of {joined(even)}."
    return Line(claim, True, said)


def considerations(facts: Facts) -> Line:
    claim = "Considerations of the team are written down."
    stated = tuple(p.number for p in facts.design.patterns if p.considerations)
    if not stated:
        return Line(claim, None, "No access pattern has considerations.")
    is_part = len(stated) < len(facts.design.patterns)
    return Line(claim, True, f"For {numbered(stated)}.", in_part=is_part)


def agreed(facts: Facts) -> Line:
    claim = "Every access pattern is agreed or declined."
    patterns = facts.design.patterns
    open_ = tuple(p.number for p in patterns if p.status == "open")
    if len(open_) == len(patterns):
        return Line(claim, None, "Every access pattern is open.")
    without = f"Open: {numbered(open_)}." if open_ else ""
    return _all(claim, len(patterns), without, "access pattern")


def recovery(facts: Facts) -> Line:
    claim = "The design states how far back data must be recoverable, and which data is personal."
    needs = {entity.name: entity.needs for entity in facts.design.entities}
    days = [n for n, need in needs.items() if need is not None and need.recovery_days is not None]
    personal = [name for name, need in needs.items() if need is not None and need.personal_data]
    if not days and not personal:
        return Line(claim, None, "No entity states this. Tables are recoverable for 35 days.")
    said = (
        f"Recovery: {joined(days) or NOT_STATED}. Personal data: {joined(personal) or NOT_STATED}."
    )
    return Line(claim, bool(days and personal), said)


REQUIREMENTS = (
    purpose,
    counts,
    references,
    fan_out,
    rates,
    both_ways,
    elsewhere,
    heat_known,
    considerations,
    agreed,
    recovery,
)
"""Of the requirements, in the order in which a team states them."""


# What follows -------------------------------------------------------------------------------------


def served(facts: Facts) -> Line:
    claim = "Every access pattern is served by a key or in another way."
    patterns = facts.design.patterns
    failed = [one.pattern for one in facts.answered("not served")]
    failed += [one.pattern for one in facts.answered("elsewhere") if not one.because]
    said = numbered(tuple(dict.fromkeys(failed)))
    without = f"Neither served nor given another way: {said}." if failed else ""
    found = _all(claim, len(patterns), without, "access pattern")
    if found.holds and (limited := partly_served(facts.plan)):
        return Line(claim, True, f"{found.evidence.rstrip('.')}; {limited}.")
    return found


def no_index_for_nothing(facts: Facts) -> Line:
    claim = "Every index is needed."
    indexes = [index for table in facts.plan.tables for index in table.indexes]
    if not indexes:
        return Line(claim, True, "There are no indexes.")
    idle = [index.name for index in indexes if not index.serves]
    if idle:
        return Line(claim, False, f"{joined(idle)} serves no access pattern.")
    kept = [
        decision
        for decision in facts.plan.decisions
        if decision.about.startswith("index ")
        and any(other.chosen.id == "no-index" for other in decision.instead_of)
    ]
    alone = sum(bool(table.indexes) for table in facts.plan.tables) == 1
    uses = [
        f"{index.name if alone else f'{table.name}/{index.name}'} serves {numbered(index.serves)}"
        for table in facts.plan.tables
        for index in table.indexes
    ]
    said = f"{'; '.join(uses)}."
    if kept:
        without = "each of them" if len(kept) == len(indexes) else f"{len(kept)} of them"
        said += f" The decisions say what would happen without {'it' if len(indexes) == 1 else without}."
    return Line(claim, True, said)


def justified(facts: Facts) -> Line:
    claim = "Every key and every index has a reason."
    decided = {decision.about for decision in facts.plan.decisions if decision.because}
    wanted: dict[str, str] = {}
    for table in facts.plan.tables:
        for index in table.indexes:
            wanted[f"index {table.name}/{index.name}"] = f"index {index.name}"
        for shape in table.items:
            if shape.role in ("entity", "edge"):
                wanted[f"key {shape.entity}"] = f"the key of {shape.entity}"
            elif shape.role == "copy":
                wanted[f"copy {shape.shape}"] = f"the copy {shape.shape}"
    without = [name for about, name in wanted.items() if about not in decided]
    if any(table.indexes for table in facts.plan.tables):
        if len(wanted) == 2 and not without:
            return Line(claim, True, "For the key and the index.")
        return _all(claim, len(wanted), _missing(without), "key or index", "keys and indexes")
    return _all(claim, len(wanted), _missing(without), "key")


def cool(facts: Facts) -> Line:
    claim = "No key takes more than a partition can serve."
    known = heat_known(facts)
    if known.holds is None:
        return Line(claim, None, known.evidence)
    hot = [key for key in facts.heat.keys if key.level == "hot"]
    if hot:
        keys = (f"{key_code(key.key)} of {key.name}" for key in hot)
        return Line(claim, False, f"{joined(list(keys))}.")
    return Line(claim, True if known.holds else None, known.evidence)


def billed(facts: Facts) -> Line:
    claim = "The bill includes every access pattern that these tables serve."
    without = facts.bill.without_patterns
    lines = facts.bill.patterns
    if not lines:
        return Line(claim, None, facts.no_rates)
    if without:
        return Line(claim, False, f"Without a rate: {numbered(without)}.")
    return Line(claim, True, f"{figures.money(float(facts.bill.usd))} a month.")


def weighed(facts: Facts) -> Line:
    claim = "Every decision gives its reason, and alternatives where there are any."
    decisions = facts.plan.decisions
    without = [decision.about for decision in decisions if not decision.because]
    if without or not decisions:
        return _all(claim, len(decisions), _missing(without), "decision")
    others = [other for decision in decisions for other in decision.instead_of]
    priced = sum(other.per_month is not None for other in others)
    alone = sum(not decision.instead_of for decision in decisions) if others else 0
    rest = (
        f"; {figures.count(alone, 'decision')} {'has' if alone == 1 else 'have'} none"
        if alone
        else ""
    )
    return Line(
        claim,
        True,
        f"{figures.count(len(decisions), 'decision')}, {figures.count(len(others), 'alternative')}"
        f"{_with_price(priced, len(others))}{rest}.",
    )


def _with_price(priced: int, of: int) -> str:
    if of < 2:
        return f", {'with' if priced else 'without'} a price" if of else ""
    which = "all" if priced == of else f"{priced or 'none'} of them"
    return f", {which} with a price"


def cheapest(facts: Facts) -> Line:
    claim = "No other plan made of these candidates is cheaper."
    cost = facts.plan.cost
    if cost.cheapest is not None and cost.gap:
        claim = (
            "Any cheaper plan made of these candidates would be less simple, and would save too little to be "
            "chosen."
        )
        saved = figures.money(cost.per_month - cost.bound)
        most = saved if saved == figures.LESS_THAN_A_CENT else f"at most {saved}"
        return Line(
            claim, True, f"It would save {most} a month ({figures.little_share(cost.gap)})."
        )
    return Line(claim, cost.gap == 0, f"Gap to the bound: {figures.little_share(cost.gap)}.")


def no_errors(facts: Facts) -> Line:
    claim = "No finding is an error."
    errors = [finding.message for finding in facts.findings if finding.severity == "error"]
    counted = in_short(rows_of(facts.findings), places_of(facts.findings))
    evidence = " ".join(errors) or (f"{counted}." if facts.findings else "No findings.")
    return Line(claim, not errors, evidence)


def of_this_design(facts: Facts) -> Line:
    claim = "The plan belongs to the current design."
    stated = facts.plan.design.meaning
    return Line(
        claim, stated == meaning(facts.design), f"The plan was made for the design hash {stated}."
    )


OF_THE_PLAN = (
    served,
    no_index_for_nothing,
    justified,
    cool,
    billed,
    weighed,
    cheapest,
    no_errors,
    of_this_design,
)
DATA_MODEL = (*OF_THE_PLAN, elsewhere)
"""Of the data model."""


def _missing(names: list[str]) -> str:
    return f"Missing for {joined(names)}." if names else ""


def _if_any(line: Line, number: int) -> Line:
    """The line about things that a design may well have none of."""
    return line if number else replace(line, applies=False)


def _all(claim: str, number: int, without: str, noun: str, nouns: str | None = None) -> Line:
    """A claim about all of a kind: not stated where there is none, false where `without` says for which."""
    nouns = nouns or f"{noun}s"
    if not number:
        return Line(claim, None, f"There are no {nouns}.")
    if without:
        return Line(claim, False, without)
    every = {1: f"the only {noun}", 2: f"both {nouns}"}.get(number, f"all {number} {nouns}")
    return Line(claim, True, f"For {every}.")
