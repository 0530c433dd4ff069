"""How hot every table and index runs at peak, who makes it and what helps."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.http import HttpResponse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from designer.core.dynamodb.limits import PARTITION_READS, PARTITION_WRITES
from designer.core.heat.keys import KeyHeat, KeyLoad, StructureHeat, plan_heat
from designer.core.heat.picture import bars, reach
from designer.core.heat.remedies import Remedy, remedy
from designer.core.plan import Plan
from designer.core.rational import Fraction
from designer.core.words.english import spoken
from designer.views.requests import Request, place_of
from designer.views.results import derived, planned, styles_of
from designer.views.spread import query_of
from designer.views.workspace import Left, show
from projects import access, revisions


@require_safe
def heat(request: Request, slug: str) -> HttpResponse:
    draft = access.draft_for(request, slug)
    design = revisions.latest(draft)
    style = styles_of(place_of(request))[0]
    asked = planned(draft, design, style)
    plan = asked.found
    worked = None if plan is None else derived(draft, design, plan_heat, design, plan)
    found = None if worked is None else worked.found
    if found is None:
        plan = None
    unknown = [] if found is None else [design.pattern(number) for number in found.without_rate]
    return show(
        request,
        draft,
        design,
        Left(),
        page="designer/heat.html",
        with_grid=False,
        waiting="planning" in (asked.standing, worked.standing if worked is not None else None),
        stopped=asked.stopped or (worked.stopped if worked is not None else ""),
        plan=plan,
        style=style,
        heat=found,
        structures=[]
        if plan is None or found is None
        else list(_structures(plan, found.structures)),
        unknown=unknown,
        most_reads=PARTITION_READS,
        most_writes=PARTITION_WRITES,
    )


@dataclass(frozen=True)
class Shown:
    """What one cause puts on a key, as it is shown."""

    load: KeyLoad
    of_heat: float
    """Share of the hottest value's reads, or of its writes."""
    items: str = ""
    """Whose items: where one cause has several lines, which differ in that."""

    @property
    def pattern(self) -> int | None:
        return self.load.pattern

    @property
    def cause(self) -> str:
        return self.load.cause

    @property
    def is_direct(self) -> bool:
        return self.load.is_direct

    @property
    def what(self) -> str:
        return "writes" if self.load.writes else "reads"

    @property
    def units(self) -> float:
        """Units a second on the hottest value."""
        return float(self.load.hot_reads + self.load.hot_writes)

    @property
    def unit(self) -> str:
        """Of which kind the units are."""
        return self.what.removesuffix("s")

    @property
    def share(self) -> float:
        """Share of the requests on the hottest value."""
        return float(self.load.share)

    @property
    def heavier(self) -> float:
        return float(self.load.heavier)


@dataclass(frozen=True)
class HotKey:
    """A key as it is shown."""

    heat: KeyHeat
    picture: SafeString
    remedy: Remedy
    spread: str
    """The query that takes it to the key analyser."""
    loads: tuple[Shown, ...]
    """What brings the key nearest to a limit comes first."""

    @property
    def reads(self) -> float:
        return float(self.heat.reads)

    @property
    def writes(self) -> float:
        return float(self.heat.writes)

    @property
    def used(self) -> float:
        return float(self.heat.used)

    @property
    def pin_about(self) -> str:
        """What a pin of it is about; empty where nothing is to be done."""
        about = self.remedy.about
        return f"{about} {self.heat.entities[0]}" if about.startswith("index ") else about


@dataclass(frozen=True)
class Structure:
    """A table or an index with its keys, the hottest first."""

    id: str
    name: str
    table: str
    index: str | None
    keys: tuple[HotKey, ...]

    @property
    def hottest(self) -> HotKey:
        return self.keys[0]


def _structures(plan: Plan, found: tuple[StructureHeat, ...]) -> Iterator[Structure]:
    whole = reach(tuple(key for structure in found for key in structure.keys))
    for structure in found:
        place = f"heat-{structure.name}".replace(".", "_").replace("/", "-")
        keys = tuple(
            HotKey(key, mark_safe(bars(key, whole)), remedy(plan, key), query_of(key), _loads(key))
            for key in structure.keys
        )
        yield Structure(place, structure.name, structure.table, structure.index, keys)


def _loads(key: KeyHeat) -> tuple[Shown, ...]:
    def used(load: KeyLoad) -> Fraction:
        return load.hot_reads / PARTITION_READS + load.hot_writes / PARTITION_WRITES

    # A write of an item and of its copies under one key is one cause.
    causes: dict[tuple[tuple[int | None, str, bool, bool], Fraction, Fraction], list[KeyLoad]] = {}
    for load in key.loads:
        cause = (load.pattern, load.cause, load.is_direct, bool(load.writes))
        causes.setdefault((cause, load.share, load.heavier), []).append(load)
    lines = Counter(cause for cause, *_ in causes)
    shown = []
    for (cause, *_), loads in causes.items():
        reads, writes = sum(one.reads for one in loads), sum(one.writes for one in loads)
        load = replace(loads[0], reads=Fraction(reads), writes=Fraction(writes))
        shapes = tuple(dict.fromkeys(one.shape for one in loads))
        items = spoken(shapes) if lines[cause] > 1 else ""
        shown.append(Shown(load, float(key.share_of(load)), items))
    return tuple(sorted(shown, key=lambda one: -used(one.load)))
