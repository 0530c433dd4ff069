"""A key whose traffic nobody said to be even is listed as assumed, where it would be hot if it were uneven."""

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.heat.keys import plan_heat
from designer.core.plan import STYLES, Assumed
from designer.core.planner.pipeline import plan
from designer.core.report import checklist
from designer.core.report.facts import Facts
from designer.core.sentences.assumptions import SAID, assumption, effects

TEXT = """
keywright: 1
name: Clubs
entities:
  - name: Club
    identifier: [clubId]
    items: 2000
    attributes: [{name: clubId, format: ulid}]
  - name: Member
    identifier: [clubId, memberId]
    items: 400000
    attributes:
      - {name: clubId, refers_to: Club.clubId}
      - {name: memberId, format: uuid}
      - {name: nickname, bytes: 30}
patterns:
  - {number: 1, name: Members of a club, kind: list, returns: Member,
     where: [{attribute: clubId, is: {param: clubId}}], rate: {average: 20, peak: 200}}
  - {number: 2, name: Join, kind: create, entity: Member, rate: {average: 1, peak: 5}}
"""
CLUB = "refers_to: Club.clubId"


def made(**changes: str) -> Design:
    text = TEXT
    for old, new in changes.items():
        text = text.replace({"club": CLUB, "peak": "average: 20, peak: 200"}[old], new)
    return load(text, name="clubs")


def listed(design: Design, style: str) -> list[Assumed]:
    return [one for one in plan(design, style).assumed if one.what == "busiest"]


@pytest.mark.parametrize("style", STYLES)
def test_an_uneven_key_that_would_be_hot_is_assumed_to_be_even(style):
    design = made()
    (one,) = listed(design, style)
    assert (one.where, one.of) == ("entities.Member.attributes.clubId", "Member.clubId")
    assert (one.value, one.low, one.high) == (1 / 2000, 1 / 2000, 0.1)
    assert one.at_low is not None and one.at_high is not None
    assert not one.at_low.exceeds and one.at_high.exceeds
    assert one.usd_per_month > 10
    assert [use.pattern for use in one.used] == [1]
    assert "Member.clubId" in assumption(one) and "10 %" in effects(one)[0] and SAID[one.what]
    # Stated so, the key is indeed hot, or spread over shards.
    hottest = plan_heat(design, plan(design, style)).hottest
    assert hottest is not None and hottest.level == "cool"
    uneven = made(club=f"{CLUB}, busiest: 0.1")
    found = plan_heat(uneven, plan(uneven, style)).hottest
    assert found is not None and (found.level == "hot" or found.shards > 1)


@pytest.mark.parametrize(
    "changes",
    [
        {"club": f"{CLUB}, busiest: 0.0005"},
        {"peak": "average: 0.001, peak: 0.01"},
    ],
    ids=["stated", "seldom asked"],
)
def test_nothing_is_assumed_of_a_key_that_is_stated_or_would_stay_cool(changes):
    assert listed(made(**changes), "single") == []


def test_the_checklist_says_what_the_heat_rests_on():
    design = made()
    line = checklist.heat_known(Facts(design, plan(design, "multi")))
    assert line.holds and "Member.clubId" in line.evidence
