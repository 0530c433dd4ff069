"""The bound of a plan's cost: no other plan of the same design costs less, whatever is aimed at or pinned."""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from fractions import Fraction
from itertools import cycle
from pathlib import Path
from random import Random

import pytest

from designer.core.design import gallery
from designer.core.design.check import check
from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.heat.keys import plan_heat
from designer.core.plan import STYLES, Plan, Style
from designer.core.planner.model.chosen import Choice
from designer.core.planner.model.score import Score
from designer.core.planner.model.structures import Projections
from designer.core.planner.pipeline import outlined
from designer.core.planner.rewrites.variants import requirements_of
from designer.core.planner.solve import candidate_lists
from designer.core.planner.solve import index_selection as indexes
from designer.core.planner.solve.choice import choose
from designer.core.planner.solve.index_problem import IndexProblem
from designer.core.planner.solve.index_program import IndexProgram
from designer.core.planner.solve.weights import SCALE
from tests import designs_pinned
from tests.designs_generated import generated

DESIGNS = Path(__file__).parents[1] / "designs"
PUBLISHED = DESIGNS.parent / "published"
FEW, MANY = (29, 59, 118), 8
"""Designs of the fast test, each of which some programs once priced too high, and how many the slow test takes."""
SETS = 3
"""Sets of structures that each program is asked for, of up to `TOGETHER` structures."""
TOGETHER = 4
PROJECTIONS = ("keys-only", "all")
NEXT_TO_NOTHING = 1e-4
"""US dollars a month that lie between two sums of rounded figures."""

BOOKINGS = """
keywright: 1
name: Bookings
entities:
  - name: Booking
    identifier: [bookingId]
    items: 20000000
    attributes:
      - {name: bookingId, format: ulid}
      - {name: guestId, format: uuid, distinct: 2000000}
      - {name: hotelId, format: uuid, distinct: 5000}
      - {name: arrival, format: date, distinct: 1500}
      - {name: state, values: [HELD, CONFIRMED, STAYED], shares: [0.005, 0.045, 0.95], mutable: true}
      - {name: remarks, bytes: 200, mutable: true}
patterns:
  - number: 1
    name: A guest's bookings
    kind: list
    returns: Booking
    where: [{attribute: guestId, is: {param: guestId}}]
    order: [arrival descending]
    limit: 10
    rate: {average: 25, peak: 80}
  - number: 2
    name: Arrivals of a hotel on a day
    kind: list
    returns: Booking
    where:
      - {attribute: hotelId, is: {param: hotelId}}
      - {attribute: arrival, is: {param: day}}
      - {attribute: state, is: {value: CONFIRMED}}
    expects: 4
    rate: {average: 3, peak: 20}
  - number: 3
    name: Confirm
    kind: update
    entity: Booking
    by: [bookingId]
    set: {state: {value: CONFIRMED}}
    rate: {average: 4, peak: 15}
  - number: 4
    name: Booking
    kind: get
    returns: Booking
    where: [{attribute: bookingId, is: {param: bookingId}}]
    rate: {average: 30, peak: 90}
planner:
  pins:
    - entity: Booking
      index: Arrivals
      key: {partition: "HOTEL#{hotelId}#{arrival}", sort: "{state}#{bookingId}"}
"""


def with_planner(design: Design, **settings: object) -> Design:
    """A design with other settings of the planner."""
    document = design.model_dump(mode="json", exclude_none=True)
    return Design.model_validate({**document, "planner": {**document["planner"], **settings}})


def pins_of(design: Design) -> list[dict]:
    return [pin.model_dump(mode="json", exclude_none=True) for pin in design.planner.pins]


def made_up(seed: int) -> Design:
    """A design made up at random; every other has one more pin, of an index."""
    random = Random(seed)
    design = generated(random)
    pin = designs_pinned.index_key(random, design.model_dump(mode="json", exclude_none=True))
    pinned = with_planner(design, pins=[*pins_of(design), pin])
    return design if seed % 2 or check(pinned) else pinned


AIMS: dict[str, dict[str, object]] = {
    "cost": {"objective": "cost"},
    "requests": {"objective": "requests"},
    "indexes": {"objective": "indexes", "tolerance": 0.1},
}
"""Other aims, with what the planner is told."""


def more_pinned(design: Design) -> Iterator[tuple[str, Design]]:
    """The design with more decided by hand.

    Each pin of the design is tried with both projections, each pattern with one of them, by turns.
    """
    pins = pins_of(design)
    # All attributes by name are not among the candidates: such a list leaves out the keys of other indexes.
    for projection in PROJECTIONS:
        for at, pin in enumerate(pins):
            if "index" in pin and "key" in pin and "projection" not in pin:
                more = [*pins[:at], {**pin, "projection": projection}, *pins[at + 1 :]]
                yield f"{pin['index']} holds {projection}", with_planner(design, pins=more)
    for pattern, projection in zip(design.patterns, cycle(PROJECTIONS), strict=False):
        pin = {"pattern": pattern.number, "projection": projection}
        more = with_planner(design, pins=[*pins, pin])
        if not check(more):
            yield f"the index of {pattern.number} holds {projection}", more


def below(design: Design, style: Style, pinned: bool = True) -> list[str]:
    """The other plans of a design that cost less than the bound that a plan of it states, and serve as much.

    Both are bills. With or without plans of which more is pinned, which state no bound for the design.
    """
    stating = {"as set": outlined(design, style)}
    stating |= {aim: outlined(with_planner(design, **has), style) for aim, has in AIMS.items()}
    rivals = dict(stating)
    if pinned:
        rivals |= {what: outlined(other, style) for what, other in more_pinned(design)}
    return [
        f"{design.name} {style}, {what}: {rival.cost.per_month} below {made.cost.bound} of {aim}"
        for aim, made in stating.items()
        for what, rival in rivals.items()
        if served(design, rival) <= served(design, made)
        if rival.cost.per_month < made.cost.bound - NEXT_TO_NOTHING
    ]


def chosen_for(design: Design, style: Style) -> Choice:
    return choose(requirements_of(design, style), style)[1]


def served(design: Design, made: Plan) -> tuple[object, ...]:
    """What comes before money: what is not served, keys above their limits, and requests that nothing rates.

    The plans have no findings, which would name the keys.
    """
    unserved = sum(one.answer == "not served" for one in made.operations)
    hot = sum(key.level == "hot" for key in plan_heat(design, made).keys)
    unrated = (one.requests for one in made.operations if design.pattern(one.pattern).rate is None)
    return unserved, hot, round(sum(unrated), 6)


SHOWN = [*sorted(PUBLISHED.glob("*.yaml")), *sorted(DESIGNS.glob("*.yaml"))]
SHOWN = [one for one in SHOWN if len(one.suffixes) == 1 and one.stem != "electrodb-library"]


def test_no_plan_is_cheaper_than_a_bound_that_is_stated() -> None:
    files = [one for one in SHOWN if one.stem in ("usual_deals", "simplest_opinions")]
    designs = [*(load(one.read_text()) for one in files), gallery.load("order-lines")]
    assert [line for one in designs for style in STYLES for line in below(one, style, False)] == []


def test_no_pin_more_comes_below_a_bound_that_is_stated() -> None:
    designs = [load(BOOKINGS), gallery.load("premium-and-sale"), made_up(FEW[0])]
    assert [line for one in designs for style in STYLES for line in below(one, style)] == []


@pytest.mark.slow
@pytest.mark.parametrize("file", SHOWN, ids=lambda file: file.stem)
def test_no_plan_is_cheaper_than_a_bound_that_is_stated_of_a_published_design(file: Path) -> None:
    design = load(file.read_text())
    assert [line for style in STYLES for line in below(design, style, False)] == []


@pytest.mark.slow
@pytest.mark.parametrize("of", [*gallery.SLUGS, *range(0, MANY, 10)])
def test_no_pin_more_comes_below_a_bound_that_is_stated_of_many_designs(of: str | int) -> None:
    """Of a design of the gallery, or of ten made-up ones."""
    designs = (
        [gallery.load(of)] if isinstance(of, str) else map(made_up, range(of, min(of + 10, MANY)))
    )
    assert [line for one in designs for style in STYLES for line in below(one, style)] == []


class Checked(IndexProgram):
    """A program that is asked, once it stands, what some sets of structures cost."""

    too_dear: list[str]

    def __init__(self, whole: IndexProblem, zero: Score) -> None:
        super().__init__(whole, zero)
        random = Random(len(self.opened))
        places = list(self.opened)
        most = min(TOGETHER, len(places), TOGETHER if whole.most is None else whole.most)
        for _ in range(SETS if most else 0):
            some = random.sample(places, random.randint(1, most))
            self.ask({**whole.forced, **dict(some)})

    def ask(self, held: Projections) -> None:
        """Note where the program has some structures, and the reads through them, for more than they cost."""
        program = deepcopy(self.program)
        for place, column in self.opened.items():
            is_there = float(place in held.items())
            program.row([(column, 1.0)], least=is_there, most=is_there)
        solution = program.solve(self.whole.nodes)
        if solution is None and self.whole.most is not None:
            return  # the structures are more than they may be
        score = self.whole.total(held)[0]
        if solution is None and score.violated:
            return  # some of them answer nothing that is a reason for them
        cost = self.weigh(score) - self.fixed
        if solution is None or solution.bound > cost + max(SCALE * 1e-6, abs(cost) * 1e-8):
            asked = {structure.label: projection for structure, projection in held.items()}
            self.too_dear.append(f"{self.whole.base.label}: {asked}")


def too_dear(monkeypatch: pytest.MonkeyPatch, designs: Iterable[Design]) -> list[str]:
    """The sets of structures that programs have for more than they cost, so that their bound would be false."""
    monkeypatch.setattr(Checked, "too_dear", found := [], raising=False)
    monkeypatch.setattr(indexes, "IndexProgram", Checked)
    for design in designs:
        for style in STYLES:
            candidate_lists.CACHED.clear()  # what was chosen before makes no program
            chosen_for(design, style)
    return found


def test_a_program_has_no_structures_for_more_than_they_cost(monkeypatch) -> None:
    designs = (load(BOOKINGS), *map(made_up, FEW))
    assert too_dear(monkeypatch, designs) == []


@pytest.mark.slow
def test_a_program_has_no_structures_for_more_than_they_cost_in_many_designs(monkeypatch) -> None:
    assert too_dear(monkeypatch, map(made_up, range(MANY))) == []


def exact(design: Design) -> Design:
    """A design for which the lowest cost is asked, and no less."""
    planner = design.planner.model_copy(update={"objective": "cost"})
    return design.model_copy(update={"planner": planner})


def test_a_program_ends_within_a_millionth_and_says_so() -> None:
    whole = choose(requirements_of(exact(generated(Random(30))), "single"), "single")[1]
    assert whole.bound <= whole.score.price <= whole.bound * Fraction(1_000_001, 1_000_000)
