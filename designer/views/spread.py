"""The key analyser: how traffic on a key spreads over partitions, without and with a suffix. Nothing is saved."""

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.http import HttpResponse, QueryDict
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from designer.core.design.document import Design
from designer.core.heat import spread_picture
from designer.core.heat.from_design import SHARDS, VALUES, compared
from designer.core.heat.keys import KeyHeat, plan_heat
from designer.core.heat.spread import PartitionLoad, Spread, spread
from designer.core.heat.traffic import MOST_KEYS, Traffic
from designer.forms.spread import SpreadForm, initial
from designer.views.requests import Request, place_of
from designer.views.results import derived, planned, styles_of
from designer.views.workspace import Left, show
from projects import access, revisions
from projects.models import Draft

MOST_ROWS = 12
"""Partitions that are listed, the hottest first."""
FLAGS = ("is_strong", "reads_ask_all")


@require_safe
def analyser(request: Request, slug: str) -> HttpResponse:
    draft = access.draft_for(request, slug)
    design = revisions.latest(draft)
    style = styles_of(place_of(request))[0]
    plan = planned(draft, design, style).found
    heat = None if plan is None else derived(draft, design, plan_heat, design, plan).found
    keys = [] if heat is None else [key for key in heat.keys if key.used]
    form = _form(request.GET, max(keys, key=lambda key: key.used, default=None))
    sides: list[Side] = []
    if form.is_valid():
        sides = _sides(draft, design, form)
    return show(
        request,
        draft,
        design,
        Left(),
        page="designer/spread.html",
        status=200 if form.is_valid() else 422,
        with_grid=False,
        form=form,
        more_values=_more_values(form, keys),
        most_values=VALUES,
        most_keys=MOST_KEYS,
        style=style,
        sides=sides,
        keys=[(key, query_of(key)) for key in keys],
    )


def _more_values(form: SpreadForm, keys: list[KeyHeat]) -> float | None:
    """How many values the key has in the design, where they are filled in as fewer; else None."""
    for key in keys:
        filled = compared(key)
        typed = form["key"].value(), str(form["values"].value())
        if typed == (filled.key, str(filled.values)) and round(key.values) > filled.values:
            return key.values
    return None


def query_of(key: KeyHeat) -> str:
    """The analyser's query for a key of a design."""
    said = initial(compared(key))
    return urlencode({name: value for name, value in said.items() if value not in (None, False)})


def _form(typed: QueryDict, hottest: KeyHeat | None) -> SpreadForm:
    """What was typed; what was not, as it is of the design's hottest key, or of an example."""
    example = replace(Traffic("ORDER#{orderId}", reads=4000, writes=2500), shards=SHARDS)
    known = initial(example if hottest is None or "key" in typed else compared(hottest))
    said = {name: "" if value is None else value for name, value in known.items()}
    if "key" in typed:
        said = {name: value for name, value in said.items() if name not in FLAGS}
    return SpreadForm(
        {**said, **{name: typed[name] for name in said | dict.fromkeys(FLAGS) if name in typed}}
    )


@dataclass(frozen=True)
class Side:
    """What came of the traffic, as it is shown."""

    title: str
    found: Spread
    first: SafeString
    last: SafeString
    minutes: SafeString

    @property
    def hottest(self) -> tuple[PartitionLoad, ...]:
        return tuple(sorted(self.found.last, key=lambda load: -load.used)[:MOST_ROWS])

    @property
    def others(self) -> int:
        return max(0, len(self.found.last) - MOST_ROWS)


def _sides(draft: Draft, design: Design, form: SpreadForm) -> list[Side]:
    shards: int = form.cleaned_data["shards"]
    asked = [
        derived(draft, design, spread, traffic).found
        for traffic in (form.traffic(), form.traffic(shards))
    ]
    both = [each for each in asked if each is not None]
    if len(both) < len(asked):
        return []
    whole = spread_picture.reach(*(found.first for found in both), *(found.last for found in both))
    titles = "Without shards", f"With {shards} shards"
    return [
        Side(
            title,
            found,
            mark_safe(spread_picture.partitions(found.first, whole)),
            mark_safe(spread_picture.partitions(found.last, whole)),
            mark_safe(spread_picture.minutes(found.moments)),
        )
        for title, found in zip(titles, both, strict=True)
    ]
