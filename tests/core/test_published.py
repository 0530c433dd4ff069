"""Published designs as documents: what their cases ask is all there, and is planned."""

from functools import cache
from pathlib import Path

import pytest

from designer.core.capacity.sizes import entity_bytes
from designer.core.design.check import check
from designer.core.design.load import dump
from designer.core.patterns.base import Write
from designer.core.plan import STYLES
from designer.core.planner.solve.candidate_lists import CACHED
from designer.core.planner.solve.joint_program import JointProgram
from tools.benchmark import cases, tables
from tools.benchmark.published import priced, read_keys
from tools.benchmark.report import compare

FOLDER = Path(__file__).parents[1] / "published"
ADDED = 1000
"""Patterns with higher numbers are not the case's: they write what the case reads and does not write."""
PATTERNS = {
    "aws-complaint-management": (7, 7),
    "aws-gaming-player-profile": (6, 4),
    "aws-invoices-bills": (3, 3),
    "aws-modernizer-shop": (46, 27),
    "aws-online-shop": (16, 16),
    "aws-recurring-payments": (8, 5),
    "aws-server-log-sharding": (3, 2),
    "aws-social-network": (7, 7),
    "awslabs-gaming-leaderboard": (12, 9),
    "awslabs-package-delivery": (29, 18),
    "awslabs-user-registration": (3, 1),
    "ddbbook-ecommerce": (5, 3),
    "debrie-starbucks-hierarchy": (5, 5),
    "electrodb-library": (17, 17),
    "nose-rubis-expert": (18, 13),
    "trek10-northwind": (9, 9),
}
"""For each case its patterns, and the reads among them, as they were published."""
MEASURED = {"aws-modernizer-shop", "nose-rubis-expert"}
"""Cases that state how often their patterns run."""

every_case = pytest.mark.parametrize("slug", PATTERNS)
every_style = pytest.mark.parametrize("style", STYLES)


@cache
def case(slug):
    return cases.read(FOLDER, slug)


def writes(design):
    """Each change of each write, with its rate."""
    for pattern in design.patterns:
        for change in pattern.changes if isinstance(pattern, Write) else ():
            yield change, pattern.rate.average


def test_the_folder_holds_these_cases_and_no_other():
    assert cases.slugs(FOLDER) == tuple(sorted(PATTERNS))
    with pytest.raises(KeyError):
        cases.read(FOLDER, "../designs/club")


@every_case
def test_it_hangs_together_and_is_written_as_we_write(slug):
    design = case(slug).design
    assert check(design) == ()
    assert dump(design, "yaml") == (FOLDER / f"{slug}.yaml").read_text("utf-8")


@every_case
def test_it_has_all_patterns_of_the_case(slug):
    asked = [pattern for pattern in case(slug).design.patterns if pattern.number <= ADDED]
    assert (len(asked), sum(pattern.is_read for pattern in asked)) == PATTERNS[slug]


@every_case
def test_everything_comes_into_being_and_what_can_change_does(slug):
    design = case(slug).design
    created: dict[str, float] = {}
    changed: dict[tuple[str, str], float] = {}
    for change, rate in writes(design):
        if change.verb in ("create", "upsert"):
            created[change.entity] = created.get(change.entity, 0.0) + rate
        elif change.verb == "update":
            for name in {*change.set, *change.add, *change.remove}:
                key = (change.entity, name)
                changed[key] = changed.get(key, 0.0) + rate
    mutable = {(e.name, a.name) for e in design.entities for a in e.attributes if a.mutable}
    # The benchmark's categories and regions are there from the beginning.
    given = {"Category", "Region"} if slug == "nose-rubis-expert" else set()
    assert set(created) == set(design.entity) - given
    assert set(changed) == mutable
    if slug not in MEASURED:
        assert set(created.values()) == {1}
        stated = {key for key, rate in changed.items() if rate != 0.1}
        # Two of the case's own patterns move a shipment to a state.
        assert stated <= {("Shipment", "status")}


@every_case
def test_what_a_case_does_not_say_is_the_same_in_all(slug):
    design = case(slug).design
    for entity in design.entities:
        stated = slug in {"nose-rubis-expert"} or (slug, entity.name) in {
            ("aws-server-log-sharding", "LogRecord"),
            ("debrie-starbucks-hierarchy", "Store"),
            ("aws-modernizer-shop", "Category"),
        }
        assert stated or entity.items == 100_000
        filled = any(a.bytes and a.bytes > 40 for a in entity.attributes)
        assert entity_bytes(entity) == pytest.approx(500, abs=1) or not filled or stated
    if slug not in MEASURED:
        reads = [pattern for pattern in design.patterns if pattern.is_read]
        assert {pattern.rate.average for pattern in reads} == {10}


def test_each_mix_weighs_what_it_is_published_with():
    mixes = case("nose-rubis-expert").mixes
    sums = {mix: round(sum(weights.values()), 2) for mix, weights in mixes.weights.items()}
    assert sums == {
        "browsing": 73.42,
        "bidding": 69.13,
        "write_medium": 131.14,
        "write_heavy": 751.24,
    }


def test_the_auctions_are_written_with_the_rates_of_bidding():
    auctions = case("nose-rubis-expert")
    assert auctions.mixed("bidding") == auctions.design
    # Each interaction that offers an item offers one: 0.53 of 69.13, of a thousand a second.
    assert auctions.design.pattern(14).rate.average == pytest.approx(1000 * 0.53 / 69.13, abs=1e-3)
    assert auctions.mixed("browsing").pattern(14).rate.average == 0
    with pytest.raises(KeyError):
        auctions.mixed("buying")
    with pytest.raises(KeyError):
        case("trek10-northwind").mixed("bidding")


SMALL = (
    "aws-gaming-player-profile",
    "aws-invoices-bills",
    "awslabs-user-registration",
    "ddbbook-ecommerce",
)

some_small = pytest.mark.parametrize(
    "slug", [pytest.param(s, marks=() if s in SMALL else pytest.mark.slow) for s in PATTERNS]
)


@cache
def compared(slug):
    return compare(case(slug), read_keys(FOLDER, slug))


@every_style
@some_small
def test_all_patterns_are_served_without_reading_whole_tables(slug, style):
    (made,) = (ours.plan for ours in compared(slug).ours if ours.style == style)
    unserved = {o.pattern for o in made.operations if o.answer == "not served"}
    assert unserved == set()
    assert not [finding for finding in made.findings if finding.severity == "error"]
    for operation in made.operations:
        for step in operation.steps:
            if step.call == "Query":
                assert step.where[0].attribute and step.where[0].equals is not None


RUNS_HOT = {"electrodb-library": {"entities.Book"}}
"""All copies of a title lie under one key, and there are ten titles: a Query for one takes 1,672 units."""


@some_small
def test_the_published_keys_serve_everything_once_they_are_repaired(slug):
    published = read_keys(FOLDER, slug)
    made = compared(slug).published.plan
    unserved = {o.pattern for o in made.operations if o.answer == "not served"}
    assert unserved == set()
    hot = {finding.where for finding in made.findings if finding.rule == "hot-partition"}
    assert hot == RUNS_HOT.get(slug, set())
    guards = {(s.entity, *s.guards) for t in made.tables for s in t.items if s.role == "guard"}
    named = {
        (name, attribute)
        for name, entity in published.entities.items()
        for attribute in entity.guards
    }
    assert guards == named


def test_lengths_of_items_that_are_read_together_take_few_programs(monkeypatch):
    """Five entities share Queries under the published keys, and each other length of their items reads another step."""
    solved = []
    solve = JointProgram.solve
    monkeypatch.setattr(JointProgram, "solve", lambda self: solved.append(1) or solve(self))
    CACHED.clear()
    shop = "aws-online-shop"
    made = priced(case(shop).design, read_keys(FOLDER, shop)).plan
    assert made.cost.bound == made.cost.per_month
    assert 0 < len(solved) < 100


REPORT = Path(__file__).parents[2] / "docs" / "published-designs.md"


def row(slug):
    """The cells of a case in the report's first table."""
    lines = REPORT.read_text("utf-8").splitlines()
    return cells(next(line for line in lines if line.startswith(f"| {slug} | ")))


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def usd(cell):
    return float(cell.split()[0].strip("$").replace(",", ""))


@some_small
def test_the_report_claims_what_holds(slug):
    """`python -m tools.benchmark --prove --into docs/published-designs.md` writes the report anew."""
    found = compared(slug)
    claimed, holds = row(slug), cells(tables.case_row(found, {}))
    for title, was, now in zip(row("Case"), claimed, holds, strict=True):
        if title.endswith("Cost"):
            assert usd(was) == pytest.approx(usd(now), rel=0.01)
        elif title != "Proven on":
            assert (title, was) == (title, now)
    assert found.cheaper.is_whole
    # Both conditions hold for one and the same plan, or the report says why not.
    assert (found.matching is None) == bool(found.reason)
