"""DynamoDB Streams."""

from collections.abc import Iterable

from designer.core.comparison.coupling import coupling
from designer.core.comparison.criteria.base import Sides
from designer.core.comparison.side import Side
from designer.core.comparison.technologies.base import Technology
from designer.core.design.document import Design
from designer.core.plan import Upkeep
from designer.core.rational import Fraction
from designer.core.words import figures
from designer.core.words.english import a, joined, spoken


class Streams(Technology):
    slug = "streams"
    label = "Streams"
    place = 5
    when = "A change has consequences: copies and aggregates are updated, or other services are notified."
    takes = "You run a consumer. It acts a moment later, and may act more than once, so its work must be repeatable."

    def here(self, design: Design, sides: Sides) -> str:
        asked = [e.name for e in design.entities if e.needs is not None and e.needs.stream]
        said = (
            [f"{spoken(tuple(asked))} {'asks' if len(asked) == 1 else 'ask'} for one."]
            if asked
            else []
        )
        said += [
            f"{side.label}: a consumer updates {kept(side.plan.upkeep)} after {events(side.plan.upkeep)}."
            for side in sides
            if side.plan.upkeep
        ]
        return " ".join(said) or "No entity asks for a stream, and no plan needs one."

    def price(self, design: Design, sides: Sides) -> str:
        return " ".join(filter(None, map(_price, sides))) or "Nothing."


def kept(upkeep: Iterable[Upkeep]) -> str:
    """What the updates keep up to date, each once."""
    return spoken(tuple(dict.fromkeys(one.keeps for one in upkeep)))


def events(upkeep: Iterable[Upkeep]) -> str:
    """What sets off the updates, by entity: `a Tagging is created or removed, or its tag changes`."""
    by_entity: dict[str, list[Upkeep]] = {}
    for one in upkeep:
        by_entity.setdefault(one.entity, []).append(one)
    return "; or ".join(_event(entity, every) for entity, every in by_entity.items())


def _event(entity: str, every: list[Upkeep]) -> str:
    on = {happening for each in every if each.figures for happening in each.on}
    comes_or_goes = [
        word
        for happening, word in (("creation", "created"), ("removal", "removed"))
        if happening in on
    ]
    names = {name: None for each in every if "change" in each.on for name in each.watched}
    if not comes_or_goes:
        return f"{joined([f'{entity}.{name}' for name in names], 'or')} changes"
    moved = f", or its {joined(list(names), 'or')} changes" if names else ""
    return f"{a(entity)} is {' or '.join(comes_or_goes)}{moved}"


def _price(side: Side) -> str:
    said = []
    usd = sum((line.usd for line in side.bill.patterns if line.upkeep), Fraction(0))
    if side.plan.upkeep:
        said.append(f"{figures.money(float(usd))} a month for upkeep")
    along = [name for one in coupling(side) for name in one.streamed_along]
    if along:
        said.append(
            f"a stream that carries {figures.count(len(along), 'more entity', 'more entities')} than needed"
        )
    return f"{side.label}: {spoken(tuple(said))}." if said else ""
