"""What a comparison says is lost, made anew or written again is just what a migration of the same two plans does."""

import re
from random import Random

import pytest

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.difference import Change, Side, plan_difference
from designer.core.edits import change_settings, identified, remove_pattern
from designer.core.migration import Deployed, Step, migrate
from designer.core.plan import ALL_STYLES, Plan, Style
from tests.designs_changed import changed
from tests.planned import outlined


def planned(design: Design, style: Style) -> Side:
    """A design with its plan; what is compared here are its tables, not the reasons for them."""
    return Side(design, outlined(design, style))


class Pair:
    """Two designs with their plans, what the comparison of them says and what the migration does."""

    def __init__(self, before: Side, after: Side) -> None:
        self.was, self.planned = before.plan, after.plan
        self.changes = plan_difference(before, after)
        self.migration = migrate(
            Deployed(before.design, before.plan), Deployed(after.design, after.plan)
        )
        self.anew = {
            each.about.id: made(each) for each in self.said("table", "changed") if made(each)
        }
        """Tables that take the place of another of their name, and what a migration calls each."""

    def said(self, kind: str, *what: str) -> list[Change]:
        """What is said of a kind of part; of what changed, only what does something to data."""
        return [
            each
            for each in self.changes
            if each.about.kind == kind
            and each.what in what
            and (each.at_stake or each.what != "changed")
        ]

    def done(self, kind: str) -> list[Step]:
        return [placed.step for placed in self.migration.steps if placed.step.kind == kind]

    def shapes(self, *verbs: str) -> set[str]:
        """The kinds of items that are put, updated or deleted, or of which attributes are removed."""
        return {
            backfill.shape
            for placed in self.migration.steps
            for backfill in placed.step.backfills
            if backfill.verb in verbs
        }

    def agree_on_tables(self) -> None:
        gone = {each.about.id for each in self.said("table", "removed")}
        come = {each.about.id for each in self.said("table", "added")}
        assert gone | self.anew.keys() == {step.table for step in self.done("drop-tables")}
        assert come | {*self.anew.values()} == {
            one.table.name for one in self.migration.change.made
        }

    def agree_on_indexes(self) -> None:
        others = self.said("index", "changed")
        gone = [each for each in self.said("index", "removed") if each.at_stake]
        dropped = {each.about.id for each in (*gone, *others)}
        assert dropped == {f"{step.table}/{step.index}" for step in self.done("drop-index")}
        come = {each.about.id for each in self.said("index", "added")}
        built = {each for each in come if table_of(each) not in self.anew}
        built |= {f"{table_of(each.about.id)}/{made(each)}" for each in others}
        assert built == {f"{step.table}/{step.index}" for step in self.done("create-index")}

    def agree_on_items(self) -> None:
        told = [each for each in self.said("items", "added", "changed") if each.at_stake]
        holders = _holders(self.planned)
        said = {holders.get(each.about.id, each.about.id) for each in told}
        copied = {
            shape.shape
            for name in self.anew.values()
            for shape in self.migration.change.after.plan.table(name).items
        }
        assert self.shapes("put", "update") <= said | copied
        assert said <= self.shapes("put", "update", "remove") | copied

        gone = {each.about.id for each in self.said("items", "removed")}
        moved = {each.about.id for each in told if each.field in ("key", "table", "inside")}
        assert self.shapes("delete") <= gone | moved
        with_tables = {
            shape.shape
            for step in self.done("drop-tables")
            for shape in self.was.table(step.table or "").items
        }
        assert gone <= self.shapes("delete") | with_tables | _holders(self.was).keys()

    def agree(self) -> None:
        self.agree_on_tables()
        self.agree_on_indexes()
        self.agree_on_items()


def made(change: Change) -> str:
    """The name that a migration gives to what takes the place of another; empty where nothing does."""
    found = re.search(r"migration (?:builds|creates) `([^`]+)`", change.at_stake)
    return found[1] if found else ""


def table_of(index: str) -> str:
    return index.partition("/")[0]


def _holders(of: Plan) -> dict[str, str]:
    """What lies in other items, and in which."""
    return {
        shape.shape: shape.inside.shape
        for table in of.tables
        for shape in table.items
        if shape.inside is not None
    }


@pytest.mark.parametrize(
    "seed", [pytest.param(n, marks=() if n < 24 else pytest.mark.slow) for n in range(40)]
)
def test_they_agree_whatever_a_team_changes(seed: int) -> None:
    before, style, after, _ = changed(Random(seed))
    Pair(planned(before, style), planned(after, style)).agree()


@pytest.mark.parametrize("style", ALL_STYLES)
@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_they_agree_when_a_pattern_comes_or_goes(slug: str, style: Style) -> None:
    design = identified(gallery.load(slug))
    less = remove_pattern(design, Random(slug).choice(design.patterns).number)
    with_it, without_it = planned(design, style), planned(less, style)
    Pair(with_it, without_it).agree()
    Pair(without_it, with_it).agree()


@pytest.mark.parametrize("style", ALL_STYLES)
def test_they_agree_on_another_region_and_another_prefix(style: Style) -> None:
    shop = identified(gallery.load("shop"))
    before = planned(shop, style)
    for settings in ({"region": "eu-west-1"}, {"table_prefix": "store-"}):
        Pair(before, planned(change_settings(shop, **settings), style)).agree()
