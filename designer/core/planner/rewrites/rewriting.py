"""What the variants share: rewritten patterns, and how often an entity is read and written."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.kept import kept_figures
from designer.core.design.pins import key_text
from designer.core.messages import Message, say
from designer.core.messages.reasoned import NOTHING
from designer.core.patterns import Create, Delete, Update
from designer.core.patterns.base import Change, Member, Pattern, Read, Write
from designer.core.plan import Decision, Finding, Operation, Rejected, Style
from designer.core.planner.model.pins import obeyed
from designer.core.planner.model.score import Score, money
from designer.core.planner.model.worth import REWRITE, stated_worth
from designer.core.rational import Fraction


class NotApplicableError(Exception):
    """A pattern uses an entity in a way that needs its items as stated; `reason` says which way."""

    def __init__(self, reason: Message = NOTHING) -> None:
        super().__init__(reason.id)
        self.reason = reason


def common(pattern: Pattern) -> dict[str, Any]:
    """What a pattern says that every kind can say."""
    return {name: getattr(pattern, name) for name in Pattern.model_fields if name != "kind"}


def said(change: Change) -> dict[str, Any]:
    """What a change does, without to what."""
    return {name: getattr(change, name) for name in Change.model_fields}


def alone(pattern: Write, change: Member) -> Write:
    """A write of one change, no check, as a pattern of its own kind."""
    kinds: dict[str, Any] = {"create": Create, "update": Update, "delete": Delete}
    made: Write = kinds[change.verb](**common(pattern), entity=change.entity, **said(change))
    return made


def asking(design: Design, entity: str) -> tuple[int, ...]:
    """The numbers of the patterns that read an entity's items, alone or as related items, or write them."""
    return tuple(
        pattern.number
        for pattern in design.patterns
        if (isinstance(pattern, Write) and any(c.entity == entity for c in pattern.changes))
        or (
            isinstance(pattern, Read)
            and (
                entity in pattern.entities
                or any(design.relationship[a.relationship].child == entity for a in pattern.with_)
            )
        )
    )


def per_second(pattern: Write, change: Member) -> float:
    """How many items a change writes in a second; 0 where nobody says how often the pattern runs."""
    average = pattern.rate.average if pattern.rate else 0.0
    return average * (change.times.average if change.times else 1)


def may_be_several(design: Design, entity: Entity) -> bool:
    """Whether each of an entity's items may lie in several: no edge, and nobody follows its stream."""
    needs = entity.needs
    return (
        not any(entity.name == r.through for r in design.relationships)
        and not (needs is not None and (needs.stream or needs.tenant))
        and not any(figure.child == entity.name for figure in kept_figures(design))
    )


def returned(
    design: Design, pattern: Read, whole: Entity, moved: Collection[str]
) -> tuple[str, ...]:
    """Of some attributes of an entity's items, those that a read returns of the items that it finds.

    NotApplicableError where it asks for one of them in another way, which takes the whole item.
    """
    moved = set(moved)
    for along in pattern.with_:
        brought = design.relationship[along.relationship].brings(pattern.entities[0])
        tested = {c.attribute for c in along.keep} | {o.attribute for o in along.orders}
        asked = None if along.attributes is None else {*along.attributes, *tested}
        if whole.name == brought and (asked is None or asked & moved):
            raise NotApplicableError(say("returns-with-another-entity"))
    if whole.name not in pattern.entities:
        return ()
    tested = {c.attribute for c in pattern.conditions}
    tested |= {o.attribute for o in pattern.orders}
    if tested & moved:
        raise NotApplicableError(say("finds-or-sorts-by-it"))
    is_figure = pattern.aggregate is not None
    wanted = tuple(a.name for a in whole.attributes if a.name in moved & asked_of(pattern, whole))
    if wanted and pattern.crossing is not None:
        raise NotApplicableError(say("finds-all-of-list-by-it"))
    if wanted and (is_figure or len(pattern.entities) > 1):
        raise NotApplicableError(
            say("computes-aggregate-from-it" if is_figure else "reads-several-entities")
        )
    # One transaction may get by their keys what lies in several items; it has no Query, and tests nothing in between.
    given = {c.attribute for c in pattern.where}
    is_named = pattern.lists_identifiers and given == set(whole.identifier) and not pattern.keep
    if wanted and pattern.consistency == "transactional" and not is_named:
        raise NotApplicableError(say("reads-in-transaction"))
    return wanted


def asked_of(pattern: Read, whole: Entity) -> set[str]:
    """The attributes of an entity that a read returns, or works a figure out from."""
    if pattern.aggregate is not None:
        return {pattern.aggregate.of}
    if not pattern.returns_items:
        return set()
    return set(whole.by_name if pattern.attributes is None else pattern.attributes)


def unshareable(design: Design, style: Style, whole: Entity) -> Iterator[Message]:
    """What pins say of an entity's own key that no table of several kinds of items can obey."""
    for _, pin in obeyed(design, style):
        if pin.entity != whole.name or pin.index is not None:
            continue
        names = {pin.names.partition, pin.names.sort} if pin.names is not None else set()
        own = sorted(name for name in names if name in whole.by_name)
        if own and style != "single":
            yield say("pinned-to-name", names=tuple(own))
        sort = pin.key.sort if pin.key is not None else None
        if sort is not None and not key_text(whole, sort).token:
            yield say("pinned-sort-key-begins-with-value", template=sort)


def renamed(finding: Finding, part: str, whole: str) -> Finding:
    """A finding about the entity that stands for a part of another one's items, as one about that one."""
    where = f"entities.{part}"
    if finding.where != where and not finding.where.startswith(f"{where}."):
        return finding
    return finding.model_copy(
        update={"where": finding.where.replace(where, f"entities.{whole}", 1)}
    )


def too_many_requests(
    design: Design, operations: Iterable[Operation], of: Collection[int] | None = None
) -> Iterator[Finding]:
    """Patterns that take more requests than the team allows, on average or at the worst: the case with the most of
    them. `of`: their numbers; all if absent."""
    cases: dict[int, list[Operation]] = {}
    for one in operations:
        limit = design.pattern(one.pattern).at_most_requests
        if limit is not None and one.answer != "not served" and (of is None or one.pattern in of):
            cases.setdefault(one.pattern, []).append(one)
    for number, every in cases.items():
        limit = design.pattern(number).at_most_requests or 0
        worst = max(every, key=lambda one: (one.requests > limit, one.requests_at_worst))
        usual, most = worst.requests, worst.requests_at_worst
        if most <= limit:
            continue
        values = {"pattern": number, "requests": usual, "limit": limit}
        if most == usual:
            problem = say("too-many-requests", **values)
        elif usual > limit:
            problem = say("too-many-requests-and-worst", **values, most=most)
        else:
            problem = say("too-many-requests-at-worst", **values, most=most)
        yield Finding(
            rule="too-many-requests",
            severity="warning" if usual > limit else "advice",
            where=f"patterns.{number}",
            problem=problem,
            solution=say("allow-more-requests"),
        )


def rewrite_charge(design: Design) -> Fraction:
    """What storing items in another way than stated has to save, in US dollars a month."""
    is_charged = design.planner.objective == "simplest"
    return REWRITE * stated_worth(design) if is_charged else Fraction(0)


def cheaper(before: Score, after: Score) -> bool:
    """Whether a choice costs less than the one before, and is no worse by what comes before costs."""
    return after < before and after.price < before.price


@dataclass(frozen=True)
class Tried:
    """What came of a variant: the exact cost of the search without and with it."""

    kept: bool
    before: Fraction
    """US dollars a month, of the patterns that it may change."""
    after: Fraction
    blocking_pin: Message | None = None
    """What a pin says that the variant, cheaper though it is, can't obey."""

    def decided(
        self,
        about: str,
        choices: tuple[Message, Message],
        serves: tuple[int, ...],
        reasons: tuple[Message, ...],
        worse: Message | None = None,
    ) -> Decision:
        """The decision. `choices`: as stated, and varied. `worse`: why the other one is, if not by its price."""
        choice, other = (choices[at] for at in (self.kept, not self.kept))
        price, instead = self._prices
        if worse is None and self.blocking_pin is not None:
            worse = say("costs-less-but-pinned", pin=self.blocking_pin)
        elif worse is None:
            # What costs less is not taken where that is too little for what it makes less simple.
            worse = say("costs-more-anyhow" if instead > price else "about-the-same-cost")
        return Decision(
            about=about,
            chosen=choice,
            serves=serves,
            reasons=reasons,
            per_month=price,
            instead_of=(Rejected(chosen=other, reasons=(worse,), per_month=instead),),
        )

    @property
    def _prices(self) -> tuple[float, float]:
        """US dollars a month of what was chosen, and of the other."""
        prices = (money(self.before), money(self.after))
        return prices[self.kept], prices[not self.kept]
