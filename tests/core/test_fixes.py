"""Fixes: each is offered where its finding is, removes it, and breaks no pattern."""

import re
from pathlib import Path

import pytest

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.lint import RULES, TOPICS, fixes, lint
from designer.core.lint.base import Fix, Plans
from designer.core.lint.keeping import kept_at_once
from designer.core.plan import STYLES, Finding
from designer.core.planner import plan
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests.core.clubs import (
    BY_LEVEL,
    CLAIM,
    CLAIMS,
    CLUB,
    COUNTED_VISITS,
    GUEST,
    HALL,
    LEASE,
    LEASES,
    RATE,
    ROOMS,
    changed,
    more,
    more_attributes,
    more_entities,
)
from tests.core.test_at_worst import RANGES, SHARED
from tests.memory import Memory

DESIGNS = Path(__file__).parents[1] / "designs"


def design_file(name):
    return (DESIGNS / f"{name}.yaml").read_text()


def planner(settings):
    return f"planner: {{{settings}}}\n"


def ours(text):
    """The club without tenants: a key by level alone is then as good as any."""
    return text.replace("    needs: {tenant: clubId}\n", "")


BY_MEMBER = "{attribute: clubId, is: {param: clubId}}, {attribute: memberId, is: {param: memberId}}"
LEVEL_ALONE = BY_LEVEL.replace("list,", "list, attributes: [clubId, memberId, level],")
BUSY = changed(
    "entity: Visit, rate: {average: 5}", "entity: Visit, hottest: 0.9, rate: {average: 900}"
)
TTL = more_attributes("name: leavesAt, type: N, format: epoch, ttl: true")
MINUTES = f"kind: list, returns: Visit, where: [{BY_MEMBER}, {{attribute: minutes, is: {{param: minutes}}}}], {RATE}"

GHOST = "name: Ghost, identifier: [id, at], attributes: [{name: id}, {name: at}]"
PINNED = CLUB + planner(
    "pins: [{style: single, entity: Visit, key: {partition: 'C#{clubId}', sort: 'V#{at}#{memberId}'}}]"
)
UNSHARDED = PINNED.replace(
    "entity: Visit, rate: {average: 5}", "entity: Visit, hottest: 0.9, rate: {average: 2000}"
)
STRONG = (
    "kind: list, consistency: strong, order: [minutes descending], limit: 5, returns: Visit, "
    f"where: [{BY_MEMBER}], {RATE}"
)
LOCAL = (
    CLUB.replace(
        "      - {name: minutes,", "      - {name: page, bytes: 3000}\n      - {name: minutes,"
    )
    .replace("average: 10, most: 900", "average: 100000, most: 1300000")
    .replace("items: 1000000", "items: 10000000000")
    .replace("{name: clubId, format: uuid}", "{name: clubId, bytes: 36, distinct: 200}")
    .replace("{name: memberId, format: uuid}", "{name: memberId, bytes: 36, distinct: 500}")
    + f"  - {{number: 9, name: More, {STRONG}}}\n"
    + f"  - {{number: 10, name: More, {STRONG.replace('minutes', 'at')}}}\n"
)
FILTERED = f"kind: list, returns: Member, keep: [{{attribute: level, is: {{value: OLD}}, share: 0.01}}], {RATE}"
DROPPED = (
    "kind: list, returns: Visit, where: [{attribute: clubId, is: {param: c}}], "
    "keep: [{attribute: minutes, is: {value: 3}, share: 0.01}], rate: {average: 1}"
)
SMALL = more(MINUTES) + planner(
    "pins: [{entity: Visit, index: ByMinutes, key: {partition: '{memberId}', sort: '{minutes}#{at}'}}, "
    "{pattern: 9, index: ByMinutes}]"
)
UNREAD = CLUB + planner(
    "pins: [{entity: Member, index: ByLevel, key: {partition: '{level}', sort: '{memberId}'}}]"
)
WIDE = more(LEVEL_ALONE) + planner("pins: [{pattern: 9, projection: all}]")
UNCHANGED = (
    changed("level: {param: level}}", "joinedAt: {param: joinedAt}}")
    + f"  - {{number: 9, name: More, {BY_LEVEL}}}\n"
)

SILENT = """
keywright: 1
name: Meters that fell silent
entities:
  - name: Meter
    identifier: [meterId]
    items: 1000000
    attributes:
      - {name: meterId, format: uuid}
      - {name: street, bytes: 24}
      - {name: seenAt, format: datetime, mutable: true}
patterns:
  - {number: 1, name: Install, kind: create, entity: Meter, rate: {average: 0.1}}
  - number: 2
    name: A meter
    kind: get
    returns: Meter
    where: [{attribute: meterId, is: {param: meterId}}]
    rate: {average: 10}
  - {number: 3, name: A meter reports, kind: update, entity: Meter, set: {seenAt: {param: now}}, rate: {average: 2000}}
  - number: 4
    name: Meters silent for an hour
    kind: list
    returns: Meter
    where: [{attribute: seenAt, below: {param: since}, share: 0.0001}]
    order: [seenAt ascending]
    rate: {average: 0.00028}
"""
SILENT_PINNED = SILENT + planner(
    "pins: [{style: multi, entity: Meter, index: Silent, key: {partition: '{shard(4, meterId)}', sort: '{seenAt}'}}, "
    "{style: multi, pattern: 4, index: Silent}]"
)

COUNTED = (
    "kind: count, returns: Visit, where: [{attribute: clubId, is: {param: clubId}}, "
    "{attribute: memberId, is: {param: memberId}}], rate: {average: 1}"
)
SUMMED = COUNTED.replace("kind: count", "kind: list, result: {sum: minutes}")


def busy(pattern: str) -> str:
    """Members with 5,000 visits each, and a pattern about these."""
    return more(pattern).replace("average: 10, most: 900", "average: 5000, most: 90000")


SAID = {
    # what the planner says: a design of which it says so
    "billed-on-demand": "billing: provisioned\n" + CLUB,
    "copy-dear": design_file("auctions") + planner("objective: requests"),
    "copy-lags": design_file("auctions"),
    "figure-counts-twice": design_file("forum"),
    "figure-lags": design_file("forum"),
    "figure-stays": design_file("forum"),
    "hot-partition": more(BY_LEVEL.replace("{average: 1}", "{average: 90000}")),
    "key-too-long": more_attributes("name: page, bytes: 3000")
    + "  - {number: 9, name: More, kind: list, returns: Member, "
    f"where: [{{attribute: page, is: {{param: p}}}}], {RATE}}}\n",
    "local-index-collection": LOCAL,
    "many-pages": busy(COUNTED.replace("count", "list")).replace("5000", "60000"),
    "needs-differ": changed(
        "identifier: [clubId, memberId, at]",
        "identifier: [clubId, memberId, at]\n    needs: {team: doors}",
    ),
    "no-prices": "region: xx-nowhere-1\n" + CLUB,
    "not-served": more(f"consistency: strong, {BY_LEVEL}"),
    "number-without-digits": more(MINUTES.replace(BY_MEMBER + ", ", "")).replace(", digits: 4", ""),
    "pin-breaks": more(BY_LEVEL)
    + planner(
        "pins: [{entity: Member, index: ByLevel, key: {partition: '{email}'}}, {pattern: 9, index: ByLevel}]"
    ),
    "pin-collides": more_entities(GHOST)
    + planner(
        "pins: [{style: single, entity: Member, key: {partition: 'X#{clubId}#{memberId}', sort: A}}, "
        "{style: single, entity: Ghost, key: {partition: 'X#{id}#{at}', sort: A}}]"
    ),
    "pin-costs": WIDE,
    "pin-not-obeyed": design_file("club"),
    "served-on-average": more(BY_LEVEL.replace("{average: 1}", "{average: 90000}")),
    "too-many-indexes": more(BY_LEVEL) + planner("max_gsis: 0"),
    "too-many-requests": changed("kind: get", "kind: get\n    at_most_requests: 1"),
}

LEFT_OUT = """
keywright: 1
name: Notes of a team
entities:
  - name: Note
    identifier: [noteId]
    items: 900000
    attributes:
      - {name: noteId, format: uuid}
      - {name: team, format: uuid, distinct: 3000, busiest: 0.15}
      - {name: heading, bytes: 20, mutable: true}
      - {name: sentAt, format: datetime, present: 0.6, later: true, mutable: true}
      - {name: text, bytes: 9000, mutable: true}
patterns:
  - {number: 1, name: Write, kind: create, entity: Note, rate: {average: 1}}
  - {number: 2, name: Rename, kind: update, entity: Note, set: {heading: {param: new}}, rate: {average: 0.5}}
  - number: 3
    name: Unsent ones of a team
    kind: list
    returns: Note
    where: [{attribute: team, is: {param: team}}, {attribute: sentAt, missing: true}]
    attributes: [noteId, heading]
    limit: 50
    rate: {average: 3}
  - number: 4
    name: Delete a team
    kind: delete
    entity: Note
    where: [{attribute: team, is: {param: team}}]
    rate: {average: 0.001}
  - {number: 5, name: Send, kind: update, entity: Note, set: {sentAt: {param: at}}, rate: {average: 0.6}}
"""
"""An index serves it already, with what is sent besides. A pin of the access pattern alone only renames that index."""
STEPS = """
keywright: 1
name: Steps
entities:
  - name: Step
    identifier: [stepId]
    items: 30000000
    attributes:
      - {name: stepId, format: ulid}
      - {name: line, bytes: 10, distinct: 12, busiest: 0.5}
      - {name: state, values: [NEW, BUSY, OVER, LOST], shares: [0.0005, 0.0005, 0.979, 0.02], mutable: true}
      - {name: dueAt, format: datetime}
      - {name: text, bytes: 900}
patterns:
  - {number: 1, name: Add, kind: create, entity: Step, set: {state: {value: NEW}}, rate: {average: 100, peak: 2000}}
  - number: 2
    name: End
    kind: update
    entity: Step
    set: {state: {value: OVER}}
    rate: {average: 100, peak: 2000}
  - number: 3
    name: Not over on a line
    kind: list
    returns: Step
    where: [{attribute: line, is: {param: line}}, {attribute: state, TEST}]
    order: [dueAt ascending]
    limit: 100
    rate: {average: 0.1}
  - number: 4
    name: All in a state
    kind: list
    returns: Step
    where: [{attribute: state, is: {param: state}}]
    order: [dueAt ascending]
    limit: 20
    rate: {average: 0.02}
"""
NOT_OVER = STEPS.replace("TEST", "not: {value: OVER}")
KEPT_OVER = (
    STEPS.replace(
        ", {attribute: state, TEST}]", "]\n    keep: [{attribute: state, not: {value: OVER}}]"
    )
    .replace("average: 100, peak: 2000", "average: 0.1")
    .replace("[0.0005, 0.0005, 0.979, 0.02]", "[0.2, 0.1, 0.6, 0.1]")
)


FIXED = [
    # rule, a design of which it is said, and the fix
    ("C101", ours(SAID["not-served"]), "eventual"),
    (
        "C102",
        changed("clubId, format: uuid", "clubId, format: uuid, distinct: 50")
        + f"  - {{number: 9, name: More, {DROPPED}}}\n",
        "by-key",
    ),
    ("C105", ours(more(FILTERED)), "by-key"),
    ("C106", busy(COUNTED), "keep"),
    ("C106", busy(SUMMED), "keep"),
    ("C106", busy(COUNTED).replace("average: 5000", "average: 60000"), "keep"),
    (
        "C107",
        more(f"kind: create, entity: Visit, times: {{average: 40, most: 200}}, {RATE}"),
        "upsert",
    ),
    ("I102", UNREAD, "unpin"),
    ("I103", WIDE, "project-less"),
    ("I104", SILENT, "scan"),
    ("I104", SILENT_PINNED, "scan"),
    ("I105", SMALL, "filter"),
    ("K107", UNSHARDED, "spread"),
    ("P102", more_entities(GHOST), "add-create"),
    ("P104", UNCHANGED, "never-changes"),
    ("P104", UNCHANGED, "add-change"),
    ("P105", changed("with: [", "attributes: [joinedAt, email]\n    with: ["), "leave-out"),
    ("P106", changed("with: [", "attributes: [email, level]\n    with: ["), "leave-out"),
    ("P108", more_entities(HALL, GUEST.format("name: hallId")), "refer"),
    ("P107", TTL, "ask-for-the-living"),
    ("P110", more_entities(CLAIM) + CLAIMS, "upsert-if-expired"),
    ("P111", ROOMS, "ulid"),
    ("P110", more_entities(LEASE) + LEASES, "upsert-if-stopped"),
    ("P112", COUNTED_VISITS, "by-stream"),
    ("figure-counts-twice", SAID["figure-counts-twice"], "at-once"),
    ("figure-lags", SAID["figure-lags"], "at-once"),
    ("hot-partition", UNSHARDED, "spread"),
    ("local-index-collection", LOCAL, "eventual"),
    ("pin-breaks", SAID["pin-breaks"], "unpin"),
    ("pin-costs", SAID["pin-costs"], "unpin"),
    ("pin-not-obeyed", SAID["pin-not-obeyed"], "unpin"),
    ("served-on-average", RANGES, "nearest"),
    ("served-on-average", KEPT_OVER, "others"),
    ("served-on-average", LEFT_OUT, "pin"),
    ("served-on-average", LEFT_OUT + planner("pins: [{pattern: 3, index: Unsent}]"), "pin"),
    ("served-on-average", NOT_OVER, "pin"),
    ("served-on-average", STEPS.replace("TEST", "any_of: {value: [NEW, LOST]}"), "pin"),
    ("served-on-average", SHARED.replace("CHANGES", "900"), "pin"),
    ("too-many-indexes", SAID["too-many-indexes"], "allow"),
    ("too-many-requests", SAID["too-many-requests"], "allow"),
]


def plans_of(design: Design) -> Plans:
    return {style: plan(design, style, reasons="findings") for style in STYLES}


def findings_of(design: Design, plans: Plans) -> list[Finding]:
    said = [finding for made in plans.values() for finding in made.findings]
    return list(dict.fromkeys((*said, *lint(design, plans))))


def unserved(plans: Plans) -> set[tuple[str, int]]:
    return {
        (style, operation.pattern)
        for style, made in plans.items()
        for operation in made.operations
        if operation.answer == "not served"
    }


def offered(design: Design, plans: Plans, rule: str, name: str) -> tuple[Finding, Fix]:
    """The first finding of a rule for which a fix is offered, and that fix."""
    for finding in findings_of(design, plans):
        if finding.rule == rule:
            for fix in fixes(design, plans, finding):
                if fix.name.startswith(name):
                    return finding, fix
    pytest.fail(
        f"{rule} offers no {name}: {[f for f in findings_of(design, plans) if f.rule == rule]}"
    )


@pytest.mark.parametrize(("rule", "text", "name"), FIXED, ids=[f"{c[0]} {c[2]}" for c in FIXED])
def test_a_fix_removes_its_finding_and_breaks_no_pattern(rule, text, name):
    design = load(text)
    plans = plans_of(design)
    finding, fix = offered(design, plans, rule, name)
    mended = fix.edit(design)
    after = plans_of(mended)
    said = findings_of(mended, after)
    assert (rule, finding.where) not in [(each.rule, each.where) for each in said]
    assert unserved(after) <= unserved(plans)
    known = {(each.rule, each.where) for each in findings_of(design, plans)}
    new = [each for each in said if (each.rule, each.where) not in known]
    # A pattern that a fix adds has no rate, which only the team knows, and what it serves may return many pages, which
    # the team asked for. A consumer of a stream may count twice. Nothing else gets worse by a fix.
    told = {"P101", "many-pages"} | ({"figure-counts-twice"} if name == "by-stream" else set())
    assert [each for each in new if each.severity != "advice" and each.rule not in told] == []
    for made in after.values():
        verdict = prove_on(Engine("memory", Memory()), mended, made)
        assert verdict.problem is None or not verdict.problem
        others = {"elsewhere"} if name == "scan" else set()  # a job that reads the whole table
        assert {one.status for one in verdict.patterns} <= {"passed", "not served"} | others


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("0.00028", "0.1"),  # somebody waits for it
        ("items: 1000000", "items: 9000000000"),  # a Scan each time costs more than the index
    ],
)
def test_no_scan_is_offered_where_it_does_not_help(was, now):
    design = load(SILENT.replace(was, now))
    plans = plans_of(design)
    said = [one for one in findings_of(design, plans) if one.rule == "I104"]
    assert {one.solution.id for one in said} == {"set-less-often-or-accept"}
    assert not any(fixes(design, plans, one) for one in said)


def test_a_scan_instead_of_an_index_is_priced_and_saves_what_its_changes_cost():
    design = load(SILENT)
    plans = plans_of(design)
    finding, fix = offered(design, plans, "I104", "scan")
    after = plans_of(fix.edit(design))
    assert finding.solution.id == "scan-instead-of-index"
    said = {one.solution.values["usd"] for one in findings_of(design, plans) if one.rule == "I104"}
    sizes = {made.tables[0].items[0].bytes for made in plans.values()}
    # 1,000,000 items, half a read unit for 4 KB, $0.125 for a million units, 0.00028 times a second for 30 days
    by_hand = {1e6 * size / 8192 * 0.125e-6 * 0.00028 * 2_592_000 for size in sizes}
    assert sorted(said) == pytest.approx(sorted(by_hand))
    assert 90 < min(sizes) < max(sizes) < 300
    for style, made in plans.items():
        assert made.cost.per_month - after[style].cost.per_month > 6000
        assert not any(table.indexes for table in after[style].tables)
        (job,) = after[style].operations_for(4)
        assert [reason.id for reason in job.reasons] == ["use-scan"]


@pytest.mark.parametrize(
    ("was", "now"),
    [("kind: list", "order: [at descending], limit: 50, kind: list"), ("90000", "6000")],
)
def test_a_limit_or_a_smaller_maximum_lets_it_be_served_at_the_worst(was, now):
    """Both remedies that the finding names. A count returns no items, and is told of an aggregate instead."""

    def told(text):
        design = load(text)
        plans = plans_of(design)
        found = findings_of(design, plans)
        beyond = {
            (one.pattern, why)
            for made in plans.values()
            for one in made.operations
            for why in one.beyond
        }
        remedies = {
            remedy.id
            for one in found
            if one.rule == "served-on-average"
            for remedy in one.solution.values["remedies"]
        }
        return remedies, beyond

    text = busy(COUNTED.replace("count", "list"))
    both = {"page-by-page-when-needed", "state-smaller-most"}
    assert told(text) == (both, {(9, "largest")})
    assert told(text.replace("kind: list", "kind: count")) == ({"store-figure"}, {(9, "pages")})
    assert told(text.replace(was, now)) == (set(), set())


def test_what_a_local_index_reads_strongly_is_not_spread():
    of_club = STRONG.replace(BY_MEMBER, "{attribute: clubId, is: {param: clubId}}")
    few = UNSHARDED.replace("clubId, format: uuid", "clubId, format: uuid, distinct: 50")
    free, pins = few.split("planner:")
    design = load(f"{free}  - {{number: 9, name: More, {of_club}}}\nplanner:{pins}")
    plans = {"single": plan(design, "single", reasons="findings")}
    assert "local" in {index.kind for index in plans["single"].tables[0].indexes}
    hot = [each for each in findings_of(design, plans) if each.rule == "hot-partition"]
    assert hot and not any(fixes(design, plans, each) for each in hot)


def test_a_figure_that_a_write_cannot_follow_is_left_to_the_stream():
    """The forum's posts are put whether they are there or not, and moved with their votes; who follows deletes many."""
    design = load(design_file("forum"))
    plans = {"multi": plan(design, "multi", reasons="findings")}
    said = [each for each in findings_of(design, plans) if each.rule == "figure-lags"]
    offered = {each.where for each in said if fixes(design, plans, each)}
    assert "entities.Board.attributes.boards" in offered
    blind = {"entities.Thread.attributes.posts", "entities.Person.attributes.follows"}
    assert blind <= {each.where for each in said} - offered


def test_every_fix_that_is_offered_is_tried():
    tried = {(rule, name) for rule, _, name in FIXED}
    assert tried == {(id_, name) for id_, topic in TOPICS.items() for name in topic.offers}


@pytest.mark.parametrize("rule", SAID)
def test_the_planner_says_what_is_explained_and_nothing_of_a_design_without_it(rule):
    quiet = [f.rule for made in plans_of(load(CLUB)).values() for f in made.findings]
    assert rule not in quiet
    assert rule in [f.rule for made in plans_of(load(SAID[rule])).values() for f in made.findings]


def test_what_a_merge_and_a_limit_leave_is_not_said_of_a_filter():
    """A busy line has a quarter of the steps: the rest of what is read, the limit leaves."""
    design = load(NOT_OVER)
    found = findings_of(design, plans_of(design))
    assert "C102" not in {one.rule for one in found}
    assert "served-on-average" in {one.rule for one in found}


def test_what_is_most_often_right_is_offered_first():
    design = load(UNCHANGED, name="club")
    plans = plans_of(design)
    (where,) = {one.where for one in findings_of(design, plans) if one.rule == "P104"}
    offered = [fix.name for fix in RULES["P104"]().fixes(design, plans, where)]
    assert offered == ["add-change", "never-changes"]


def test_all_that_the_planner_says_is_explained():
    source = Path(plan.__code__.co_filename).parent
    named = {
        rule
        for file in source.rglob("*.py")
        for rule in re.findall(r'rule="([^"]+)"', file.read_text())
    }
    assert named == set(TOPICS) - set(RULES) == set(SAID)


def test_the_button_of_an_aggregate_names_what_is_updated_and_when():
    [fix] = kept_at_once(gallery.load("tags"), "entities.Tag.attributes.articles")
    assert fix.label == "Update the aggregate in the transaction that writes the Tagging"
    assert not list(kept_at_once(gallery.load("inbox"), "entities.Person.attributes.unread"))
    [fix] = kept_at_once(gallery.load("running-totals"), "entities.Customer.attributes.totalSpent")
    assert fix.label == "Update the aggregates in the transaction that writes the Order"
