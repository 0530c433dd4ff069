"""The lint rules: each explains itself, fires where it should and nowhere else."""

import pytest

from designer.core.design import gallery
from designer.core.design.load import load
from designer.core.evaluation.evaluate import evaluate
from designer.core.lint import RULES, TOPICS, fixes, lint, set_aside
from designer.core.lint.base import Rule, gathered
from designer.core.messages import say, text
from designer.core.plan import (
    STYLES,
    Finding,
    Index,
    ItemCondition,
    KeyAttribute,
    Projection,
    Shape,
)
from designer.core.planner import plan
from tests.core.clubs import (
    BY_CLUB,
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
    USAGE,
    changed,
    more,
    more_attributes,
    more_entities,
)
from tests.planned import planned


def plans_of(design):
    return {style: planned(design, style) for style in STYLES}


def found(rule, text, change=None):
    """What one rule finds in a design and its plans, which `change` may alter first."""
    design = load(text)
    plans = plans_of(design)
    if change is not None:
        plans = {style: change(plans[style]) for style in plans}
    return list(RULES[rule]().findings(design, plans))


def with_index(**details):
    """A change of a plan: the first table gets an index more."""

    def change(before):
        table = before.tables[0]
        index = Index(
            name="Extra",
            partition=(KeyAttribute(name="level", type="S"),),
            projection=Projection(type="ALL"),
        ).model_copy(update=details)
        tables = (table.model_copy(update={"indexes": (*table.indexes, index)}), *before.tables[1:])
        return before.model_copy(update={"tables": tables})

    return change


def with_indexes(count):
    def change(before):
        for number in range(count):
            before = with_index(name=f"Extra{number}")(before)
        return before

    return change


def reading_index(**details):
    """A change of a plan: pattern 1 reads index Extra of the first table, which is there for it."""

    def change(before):
        before = with_index()(before)
        operations = []
        for operation in before.operations:
            if operation.pattern == 1:
                step = operation.steps[0].model_copy(
                    update={
                        "call": "Query",
                        "table": before.tables[0].name,
                        "index": "Extra",
                        "key": {},
                    }
                    | details
                )
                operation = operation.model_copy(update={"steps": (step,)})
            operations.append(operation)
        return before.model_copy(update={"operations": tuple(operations)})

    return change


def without_guards(before):
    tables = [
        table.model_copy(update={"items": tuple(s for s in table.items if s.role != "guard")})
        for table in before.tables
    ]
    return before.model_copy(update={"tables": tuple(tables)})


def filtering(**expects):
    def change(before):
        operations = []
        for operation in before.operations:
            steps = tuple(
                s.model_copy(
                    update={
                        "filter": (ItemCondition(attribute="minutes", is_="{minutes}"),),
                        "expects": s.expects.model_copy(update=expects),
                    }
                )
                if s.call == "Query"
                else s
                for s in operation.steps
            )
            operations.append(operation.model_copy(update={"steps": steps}))
        return before.model_copy(update={"operations": tuple(operations)})

    return change


STRONG = changed("kind: get", "kind: get\n    consistency: strong")

NEVER_CHANGED = CLUB.replace(", level: {param: level}}", "}").replace(
    "values: [NEW, OLD], mutable: true", "values: [NEW, OLD]"
)
NO_STATE = more(BY_LEVEL).replace(CLUB, NEVER_CHANGED)
"""The club where a level is a kind, as no write changes it."""
OLD = "{attribute: level, is: {value: OLD}}"
DROPPING = changed("clubId, format: uuid", "clubId, format: uuid, distinct: 50") + (
    "  - {number: 9, name: More, kind: list, returns: Visit, where: [{attribute: clubId, is: {param: c}}], "
    f"keep: [{{attribute: minutes, is: {{value: 3}}, share: 0.01}}], {RATE}}}\n"
)
WITH_VISITS = changed("clubId, format: uuid", "clubId, format: uuid, distinct: 500") + (
    "  - {number: 9, name: More, kind: list, returns: Member, where: [{attribute: clubId, is: {param: c}}], limit: 20, "
    f"with: [{{relationship: visits, order: [at descending], limit: 3}}], {RATE}}}\n"
)
BUSY_LEVEL = changed("rate:\n  {average: 1}", "rate:\n  {average: 100}") + (
    f"  - {{number: 9, name: More, {BY_LEVEL}}}\n"
)
MINUTES = (
    "kind: list, returns: Visit, where: [{attribute: clubId, is: {param: c}}, "
    "{attribute: memberId, is: {param: m}}, {attribute: minutes, is: {param: x}}], rate: {average: 0.01}"
)
BY_MINUTES = (
    "planner: {pins: [{pattern: 9, index: ByMinutes}, {entity: Visit, index: ByMinutes, "
    "key: {partition: '{memberId}', sort: '{minutes}#{at}'}}]}\n"
)
HEAVY = changed(
    "entity: Visit, rate: {average: 5}",
    "entity: Visit, hottest: 0.9, rate: {average: 5, peak: 700}",
).replace("clubId, format: uuid", "clubId, format: uuid, distinct: 500")

JOINING = (
    "  - {{number: 9, name: All join, kind: transaction, rate: {{average: 1}}, "
    "members: [{{create: Member, times: {{average: 2, most: {most}}}}}]}}\n"
)
BY_TOWN = (
    "  - {number: 9, name: By town, kind: list, returns: Member, "
    f"where: [{{attribute: town, is: {{param: town}}}}], {RATE}}}\n"
)

TAGGED = (
    f"  - {{number: 9, name: Tag, kind: update, entity: Member, include: {{tags: new}}, {RATE}}}\n"
)

COUNTED = (
    "kind: count, returns: Visit, where: [{attribute: clubId, is: {param: clubId}}, "
    "{attribute: memberId, is: {param: memberId}}], rate: {average: 1}"
)
BUSY = more(COUNTED).replace("average: 10, most: 900", "average: 5000, most: 90000")

LEAVING = more_attributes(
    "name: leftAt, format: datetime, present: 0.1",
    "name: leavesAt, type: N, format: epoch, ttl: true, present: 0.1",
).replace("with: [", "keep: [{attribute: leftAt, missing: true}]\n    with: [") + (
    "  - {number: 9, name: Leave, kind: update, entity: Member, set: {SETS}, "
    "if: [{attribute: leftAt, missing: true}], rate: {average: 1}}\n"
)
"""A member who leaves gets the time of that and the time to live together, and is not shown any more."""

NEWEST = (
    changed("entity: Visit, rate: {average: 5}", "entity: Visit, rate: {average: 4000, peak: 9000}")
    + "  - {number: 9, name: Newest, kind: list, returns: Visit, order: [at descending], limit: 300, "
    "keep: [{attribute: minutes, after: {value: 3}, share: SHARE}], rate: {average: 1}}\n"
)
"""The newest of all visits, which are spread over shards: of each shard as many are read as are wanted in all."""

LEFT = more_attributes("name: leftAt, format: datetime, present: 0.1, mutable: true") + (
    f"  - {{number: 9, name: More, kind: list, returns: Member, order: [leftAt descending], limit: 5, {RATE}}}\n"
)
TITLES = more_entities(
    "name: Book, identifier: [bookId], items: 400, attributes: [{name: bookId, format: uuid}, "
    "{name: title, bytes: 20}, {name: text, bytes: 4000}]"
) + (
    "  - {number: 9, name: Titles, kind: list, returns: Book, order: [title ascending], attributes: [title], "
    f"{RATE}}}\n"
    "  - {number: 10, name: New, kind: create, entity: Book, rate: {average: 1}}\n"
    f"  - {{number: 11, name: Read, kind: get, returns: Book, where: [{{attribute: bookId, is: {{param: b}}}}], "
    f"{RATE}}}\n"
)
"""An index of all books by their title, which leaves out their text."""

FIRES = [
    (
        "C106",
        BUSY,
        None,
        "patterns.9",
        "109 read units each time",
    ),
    (
        "C106",
        BUSY.replace("average: 5000", "average: 60000"),
        None,
        "patterns.9",
        "so it is not served",
    ),
    # rule, design, change of its plans, where it is, what it says
    ("C101", STRONG, reading_index(), "patterns.1", "needs a strongly consistent read"),
    (
        "C102",
        CLUB,
        filtering(read=1000.0, returned=50.0, bytes=1e6),
        "patterns.1",
        "drops 95 % of it",
    ),
    (
        "C101",
        more(f"consistency: strong, {BY_LEVEL}"),
        None,
        "patterns.9",
        "needs a strongly consistent read",
    ),
    ("C102", DROPPING, None, "patterns.9", "would drop more than 90 %"),
    (
        "C102",
        NEWEST.replace("limit: 300", "limit: 5").replace("SHARE", "0.05"),
        None,
        "patterns.9",
        "drops 95 % of it",
    ),
    ("C103", more(f"kind: list, returns: Member, {RATE}"), None, "patterns.9", "reads all Member"),
    ("C104", WITH_VISITS, None, "patterns.9", "for each row that it finds: 20 requests on average"),
    (
        "C107",
        more(f"kind: create, entity: Visit, times: {{average: 40, most: 200}}, {RATE}"),
        None,
        "patterns.9",
        "40 requests on average",
    ),
    (
        "C105",
        more(f"kind: list, returns: Member, keep: [{OLD}], {RATE}"),
        None,
        "patterns.9",
        "then filters them by level",
    ),
    ("I101", CLUB, with_indexes(15), "planner.max_gsis", "15 of at most 20"),
    ("I102", CLUB, with_index(), "planner.pins", "No access pattern reads index Extra"),
    (
        "I103",
        CLUB,
        reading_index(project=("email",)),
        "patterns.1",
        "holds joinedAt",
    ),
    (
        "I104",
        BUSY_LEVEL,
        None,
        "entities.Member.attributes.level",
        "$324.00 a month in index MembersByLevel on Members",
    ),
    ("I105", more(MINUTES) + BY_MINUTES, None, "patterns.9", "16.9 KB on average"),
    (
        "K101",
        more_attributes("name: kind, values: [A, B, C, D], shares: [0.01, 0.33, 0.33, 0.33]")
        + "  - {number: 9, name: Rare, kind: list, returns: Member, where: [{attribute: kind, is: {value: A}}], "
        "order: [joinedAt descending], limit: 20, rate: {average: 1}}\n",
        None,
        "entities.Member.attributes.kind",
        "the partition key of Member items is kind. The index holds only items whose kind is A, so the key has 1 value",
    ),
    (
        "K101",
        changed("clubId, format: uuid", "clubId, format: uuid, distinct: 12")
        + "  - {number: 9, name: More, "
        + BY_CLUB
        + "}\n",
        None,
        "entities.Member.attributes.clubId",
        "12 values",
    ),
    (
        "K101",
        NO_STATE,
        None,
        "entities.Member.attributes.level",
        "2 values",
    ),
    (
        "K102",
        more(f"kind: list, returns: Member, order: [joinedAt descending], limit: 5, {RATE}"),
        None,
        "entities.Member",
        "All Member items",
    ),
    (
        "K102",
        LEFT,
        None,
        "entities.Member",
        "share one partition key value",
    ),
    (
        "K103",
        more(BY_LEVEL),
        None,
        "entities.Member.attributes.level",
        "the partition key of Member items is level",
    ),
    (
        "K103",
        more(BY_LEVEL).replace("values: [NEW, OLD], mutable: true", "values: [NEW, OLD]"),
        None,
        "entities.Member.attributes.level",
        "the partition key of Member items is level",
    ),
    (
        "K104",
        changed(", most: 900", ""),
        None,
        "relationships.visits",
        "how many Visit items one Member",
    ),
    (
        "K105",
        changed("needs: {tenant: clubId}", "needs: {tenant: email}"),
        None,
        "entities.Member",
        "does not contain email",
    ),
    (
        "K106",
        CLUB,
        without_guards,
        "entities.Member.attributes.email",
        "in the single-table and multi-table styles",
    ),
    ("K107", HEAVY, None, "entities.Visit", "630 write units a second in table Club"),
    (
        "L101",
        more_attributes("name: page, bytes: 300000"),
        None,
        "entities.Member",
        "293 KB on average",
    ),
    (
        "L102",
        more_attributes("name: tags, type: SS"),
        None,
        "entities.Member.attributes.tags",
        "how large Member.tags gets",
    ),
    (
        "L104",
        more_attributes("name: tags, type: SS, bytes: 40") + TAGGED,
        None,
        "entities.Member.attributes.tags",
        "Pattern 9 extends Member.tags",
    ),
    (
        "L104",
        more_attributes("name: tags, type: L, bytes: 102400")
        + TAGGED.replace("include: {tags: new}", "set: {tags: {param: new}}"),
        None,
        "entities.Member.attributes.tags",
        "may extend Member.tags, which has no stated limit. Each such write is charged for the whole item, which is "
        "100 KB on average. At 400 KB it fails.",
    ),
    (
        "L103",
        more_attributes("name: page, bytes: 50000") + JOINING.format(most=45),
        None,
        "patterns.9",
        "of pattern 9 may take 2.16 MB",
    ),
    (
        "L105",
        changed(
            "entity: Visit, rate: {average: 5}", "entity: Visit, rate: {average: 5, peak: 5000}"
        ),
        None,
        "billing",
        "serves 4,000 write units a second",
    ),
    (
        "L105",
        changed(
            "entity: Visit, rate: {average: 5}", "entity: Visit, rate: {average: 5, peak: 50000}"
        ),
        None,
        "billing",
        "quota of a table is 40,000 write units a second",
    ),
    (
        "N101",
        changed("items: 1000000\n", "items: 1000000000\n").replace(
            "minutes", "minutesOnThePremises"
        ),
        None,
        "entities.Visit.attributes.minutesOnThePremises",
        "minutesOnThePremises takes 4 GB",
    ),
    (
        "P101",
        changed("entity: Visit, rate: {average: 5}", "entity: Visit"),
        None,
        "patterns.3",
        "Pattern 3 (Visit) has no rate",
    ),
    (
        "P102",
        more_entities("name: Ghost, identifier: [id], attributes: [{name: id}]"),
        None,
        "entities.Ghost",
        "creates Ghost",
    ),
    (
        "P103",
        more_entities("name: Ghost, identifier: [id], attributes: [{name: id}]"),
        None,
        "entities.Ghost",
        "reads Ghost",
    ),
    (
        "P104",
        changed("level: {param: level}}", "joinedAt: {param: joinedAt}}")
        + "  - {number: 9, name: More, "
        + BY_LEVEL
        + "}\n",
        None,
        "patterns.9",
        "Pattern 9 queries or sorts by Member.level",
    ),
    (
        "P104",
        changed("level: {param: level}}", "joinedAt: {param: joinedAt}}")
        + "  - {number: 9, name: More, kind: list, returns: Member, where: [{attribute: memberId, is: {param: "
        + "memberId}}], keep: [{attribute: level, is: {param: level}}]}\n",
        None,
        "patterns.9",
        "Pattern 9 tests Member.level",
    ),
    (
        "P105",
        changed("with: [", "attributes: [joinedAt, email]\n    with: ["),
        None,
        "patterns.4",
        "Pattern 4 changes Member.level",
    ),
    (
        "P106",
        changed("with: [", "attributes: [email, level]\n    with: ["),
        None,
        "entities.Member.attributes.joinedAt",
        "Member.joinedAt",
    ),
    (
        "P107",
        more_attributes("name: leavesAt, type: N, format: epoch, ttl: true, present: 0.1"),
        None,
        "patterns.1",
        "Pattern 1 may return expired Member items",
    ),
    (
        "P108",
        more_entities(HALL, GUEST.format("name: hallId")),
        None,
        "entities.Guest.attributes.hallId",
        "Guest.hallId",
    ),
    (
        "P109",
        more_attributes("name: town") + BY_TOWN,
        None,
        "entities.Member.attributes.town",
        "how many values Member.town has",
    ),
    (
        "P110",
        more_entities(CLAIM) + CLAIMS,
        None,
        "patterns.10",
        "Pattern 9 creates Claim items, and pattern 10 replaces an item whose “until” has passed.",
    ),
    (
        "P113",
        more_entities(USAGE.format("busiest: 0.3")),
        None,
        "entities.Usage.attributes.customerId",
        "is stated to be on 270,000 items, but the identifier has room for 720 items",
    ),
    (
        "P111",
        ROOMS,
        None,
        "entities.Note.attributes.noteId",
        "Note items are read by their Room, but cannot be in its partition",
    ),
    (
        "P110",
        more_entities(LEASE) + LEASES,
        None,
        "patterns.10",
        "Pattern 9 writes Claim items that do not exist or have expired, and pattern 10 restarts an item whose "
        "busyUntil has passed.",
    ),
    (
        "P112",
        COUNTED_VISITS,
        None,
        "entities.Member.attributes.minutes",
        "When one expires, DynamoDB deletes it without a transaction, and Member.minutes keeps what it added.",
    ),
]

QUIET = [
    ("C106", more(COUNTED), None),
    ("C101", more(f"consistency: strong, {BY_LEVEL}, status: declined"), None),
    # A merge drops most, and not the filter.
    ("C102", NEWEST.replace("SHARE", "0.98"), None),
    ("C102", DROPPING.replace("share: 0.01", "share: 0.2"), None),
    ("C102", DROPPING.replace("returns: Visit,", "returns: Visit, consistency: strong,"), None),
    ("C103", more(f"kind: list, returns: Member, limit: 9, {RATE}"), None),
    ("C103", more(f"kind: list, returns: Member, {RATE}").replace("100000", "1000"), None),
    ("C104", CLUB, None),
    (
        "C107",
        more(f"kind: upsert, entity: Visit, times: {{average: 40, most: 200}}, {RATE}"),
        None,
    ),
    ("C107", more(f"kind: create, entity: Visit, times: {{average: 4, most: 200}}, {RATE}"), None),
    ("C104", WITH_VISITS.replace("limit: 20", "limit: 4"), None),
    (
        "C105",
        more(
            f"kind: list, returns: Member, keep: [{{attribute: level, not: {{value: OLD}}}}], {RATE}"
        ),
        None,
    ),
    ("C105", DROPPING, None),
    (
        "C105",
        more(
            f"kind: list, returns: Member, order: [joinedAt descending], limit: 9, keep: [{OLD}], {RATE}"
        ),
        None,
    ),
    ("I104", BUSY_LEVEL.replace("average: 100}", "average: 2}"), None),
    (
        "I104",
        BUSY_LEVEL.replace("is: {param: level}", "is: {value: OLD}")
        .replace("values: [NEW, OLD]", "values: [NEW, OLD], shares: [0.98, 0.02]")
        .replace("average: 100}", "average: 3000}"),
        None,
    ),
    ("I104", BUSY_LEVEL.replace("values: [NEW, OLD]", "values: [OLD], present: 0.2"), None),
    ("I104", BUSY_LEVEL.replace(BY_LEVEL, BY_LEVEL.replace("average: 1}", "average: 2}")), None),
    ("I105", more(MINUTES), None),
    ("I105", more(MINUTES.replace("0.01", "9000")) + BY_MINUTES, None),
    ("K107", HEAVY.replace("peak: 700", "peak: 500"), None),
    ("K107", HEAVY.replace("peak: 700", "peak: 1700"), None),
    ("C101", STRONG, None),
    ("C101", CLUB, reading_index()),
    ("C102", CLUB, filtering(read=1000.0, returned=200.0, bytes=1e6)),
    ("C102", CLUB, filtering(read=1000.0, returned=50.0, bytes=6e4)),
    ("I101", CLUB, with_indexes(14)),
    ("I102", CLUB, reading_index()),
    ("I103", CLUB, reading_index()),
    (
        "I103",
        CLUB,
        reading_index(
            project=("clubId", "memberId", "email", "level", "joinedAt", "at", "minutes")
        ),
    ),
    ("K101", more(BY_CLUB), None),
    (
        "K101",
        changed("clubId, format: uuid", "clubId, format: uuid, distinct: 500")
        + "  - {number: 9, name: More, "
        + BY_CLUB
        + "}\n",
        None,
    ),
    ("K101", more(BY_LEVEL), None),
    ("K102", more(BY_LEVEL), None),
    (
        "K102",
        more(f"kind: list, returns: Member, {RATE}").replace("items: 100000\n", "items: 100\n"),
        None,
    ),
    # Few have what the index asks for, or it holds little of each.
    ("K102", LEFT.replace("present: 0.1", "present: 0.001"), None),
    ("K102", TITLES, None),
    ("K103", more(BY_CLUB), None),
    ("K103", NO_STATE, None),
    ("K104", CLUB, None),
    ("K105", CLUB, None),
    ("K106", CLUB, None),
    ("L101", more_attributes("name: page, bytes: 3000"), None),
    ("L102", more_attributes("name: tags, type: SS, bytes: 60"), None),
    ("L103", more_attributes("name: page, bytes: 50000") + JOINING.format(most=20), None),
    (
        "L105",
        changed(
            "entity: Visit, rate: {average: 5}", "entity: Visit, rate: {average: 5, peak: 3000}"
        ),
        None,
    ),
    (
        "L105",
        changed(
            "entity: Visit, rate: {average: 5}", "entity: Visit, rate: {average: 5, peak: 3990.3}"
        ),
        None,
    ),
    (
        "L105",
        changed(
            "entity: Visit, rate: {average: 5}", "entity: Visit, rate: {average: 5, peak: 5000}"
        ).replace("keywright: 1\n", "keywright: 1\nbilling: provisioned\n"),
        None,
    ),
    (
        "L104",
        more_attributes("name: tags, type: SS, elements: {average: 2, most: 9}") + TAGGED,
        None,
    ),
    ("N101", changed("minutes", "minutesOnThePremises"), None),
    ("N101", changed("items: 1000000\n", "items: 1000000000\n"), None),
    ("P101", changed("entity: Visit, rate: {average: 5}", "entity: Visit, status: declined"), None),
    ("P101", more("kind: elsewhere, returns: Member, because: geo"), None),
    ("P102", CLUB, None),
    ("P103", CLUB, None),
    (
        "P103",
        more_entities("name: Ghost, identifier: [id], attributes: [{name: id}]")
        + "  - {number: 9, name: More, kind: elsewhere, returns: Ghost, because: geo}\n",
        None,
    ),
    (
        "P103",
        more_entities("name: Ghost, identifier: [id], attributes: [{name: id}, {name: version}]")
        + "  - {number: 9, name: More, kind: transaction, members: [{update: Ghost, set: {version: {param: new}}, if: "
        "[{attribute: version, is: {param: seen}}]}, {create: Visit}]}\n",
        None,
    ),
    ("P104", more(BY_LEVEL), None),
    ("P105", CLUB, None),
    (
        "P105",
        changed("with: [", "attributes: [joinedAt, email]\n    with: [")
        + "  - {number: 9, name: More, "
        + BY_LEVEL
        + "}\n",
        None,
    ),
    ("P106", CLUB, None),
    (  # what no two items may share is checked by every create
        "P106",
        more_attributes(
            "name: cardNumber, bytes: 12, unique: true",
            "name: hall, bytes: 6",
            "name: locker, bytes: 4, unique_within: [hall]",
        ).replace("with: [", "attributes: [email, level, joinedAt]\n    with: ["),
        None,
    ),
    (
        "P107",
        more_attributes("name: leavesAt, type: N, format: epoch, ttl: true, present: 0.1").replace(
            "with: [", "keep: [{attribute: leavesAt, after: {param: now}}]\n    with: ["
        ),
        None,
    ),
    ("P107", LEAVING.replace("SETS", "leftAt: {param: leftAt}, leavesAt: {param: leavesAt}"), None),
    ("P108", more_entities(HALL, GUEST.format("name: hallId, refers_to: Hall.hallId")), None),
    ("P108", more_entities(HALL, GUEST.format("name: hallId, type: N")), None),
    ("P109", more_attributes("name: town, distinct: 40") + BY_TOWN, None),
    ("P109", more_attributes("name: town, format: datetime") + BY_TOWN, None),
    ("P109", more_attributes("name: town"), None),
    (  # it is told apart by more than that it has expired
        "P110",
        more_entities(CLAIM)
        + CLAIMS.replace(
            "below: {param: now}}]", "below: {param: now}}, {attribute: owner, is: {param: was}}]"
        ),
        None,
    ),
    ("P110", more_entities(CLAIM) + CLAIMS.replace(", until: {param: newUntil}", ""), None),
    ("P112", COUNTED_VISITS.replace(", ttl: true", ""), None),
    (
        "P112",
        COUNTED_VISITS.replace("of visits}", "of visits, kept: by-stream}").replace(
            "sum of visits.minutes", "greatest of visits.minutes"
        ),
        None,
    ),
    ("P111", ROOMS.replace("noteId, bytes: 26", "noteId, format: uuid"), None),
    ("P113", more_entities(USAGE.format("busiest: 0.0008")), None),
    ("P111", ROOMS.replace("kind: create, entity: Note", "kind: upsert, entity: Note"), None),
    (  # the identifier alone finds an item
        "P111",
        ROOMS + "  - {number: 4, name: Drop, kind: delete, entity: Note, rate: {average: 1}}\n",
        None,
    ),
    ("P110", more_entities(CLAIM) + CLAIMS.replace("below:", "after:"), None),
    # The item may be finished, and is not as it was begun; or it goes on as it is.
    (
        "P110",
        more_entities(LEASE) + LEASES.replace("is: {value: RUNS}}, {", "is: {value: DONE}}, {"),
        None,
    ),
    ("P110", more_entities(LEASE) + LEASES.replace("busyUntil: {param: newBusyUntil}, ", ""), None),
    (
        "P110",
        more_entities(LEASE)
        + LEASES.replace("kind: upsert", "kind: create").replace(
            "if: [{attribute: until, below: {param: now}}], ", ""
        ),
        None,
    ),
    (
        "P110",
        more_entities(CLAIM.replace("uuid, mutable", "uuid, unique: true, mutable")) + CLAIMS,
        None,
    ),
]


@pytest.mark.parametrize(
    ("rule", "text", "change", "where", "said"), FIRES, ids=[case[0] for case in FIRES]
)
def test_a_rule_finds_what_it_is_for(rule, text, change, where, said):
    findings = found(rule, text, change)
    assert {place_of(finding.where) for finding in findings} == {RULES[rule].about}
    assert where in [finding.where for finding in findings]
    assert any(said in finding.message for finding in findings if finding.where == where), findings
    assert all(finding.remedy for finding in findings)


@pytest.mark.parametrize(("rule", "text", "change"), QUIET, ids=[case[0] for case in QUIET])
def test_a_rule_finds_nothing_else(rule, text, change):
    assert found(rule, text, change) == []


def test_requests_for_each_value_are_not_for_related_items():
    """Six tags that a reader follows are six queries, however their items are stored."""
    design = gallery.load("tags")
    found = RULES["C104"]().findings(design, plans_of(design))
    assert {(one.where, one.solution.id) for one in found} == {("patterns.3", "give-fewer-values")}


def test_a_table_of_several_styles_is_named_once_for_a_request_per_row():
    design = load(WITH_VISITS)
    plans = plans_of(design)
    plans["grouped"] = plans["multi"].model_copy(update={"style": "grouped"})
    (said,) = RULES["C104"]().findings(design, plans)
    assert (
        "to Club (single-table style) and Visits (multi-table and grouped styles) for"
        in said.message
    )


def test_what_is_sorted_by_a_changing_time_can_only_be_set_less_often():
    """The latest changes of a drive: no other attribute gives that order, and all files are needed."""
    design = gallery.load("folder-tree")
    sorting = list(RULES["I104"]().findings(design, plans_of(design)))
    assert {one.solution for one in sorting} == {
        say("set-less-often-or-accept", patterns=(4,), attributes=("Node.changedAt",))
    }
    # Fifteen saves a second move an entry: two write units each.
    assert {round(one.problem.values["usd"], 6) for one in sorting} == {
        round(15 * 2 * 2.592 * 0.625, 6)
    }
    by_level = found("I104", BUSY_LEVEL)
    assert {one.solution.id for one in by_level} == {"query-steadier-or-narrow"}


def test_every_rule_has_a_case_that_fires_and_one_that_does_not():
    assert {case[0] for case in FIRES} == set(RULES) == {case[0] for case in QUIET}


def place_of(where):
    """What part of a design a finding leads to."""
    root, _, rest = where.partition(".")
    kinds = {"patterns": "pattern", "relationships": "relationship", "planner": "settings"}
    if root == "entities":
        return "attribute" if ".attributes." in rest else "entity"
    return "pins" if where.startswith("planner.pins") else kinds.get(root, "settings")


@pytest.mark.parametrize("topic", TOPICS.values(), ids=lambda topic: topic.id)
def test_a_topic_explains_itself(topic):
    assert topic.severity in ("error", "warning", "advice")
    assert topic.title and not topic.title.endswith(".")
    for words in (topic.what, topic.why, topic.cure, *topic.offers.values()):
        assert words[0].isupper() and words.endswith((".", "`.")), words
    assert topic.source.startswith(("https://docs.aws.amazon.com/", "https://aws.amazon.com/"))


def test_ids_of_rules_begin_with_the_letter_of_their_subject():
    assert all(id_[0] in "PKICLN" and id_[1:].isdigit() for id_ in RULES)


def test_an_index_that_the_upkeep_of_copies_reads_serves_something():
    design = gallery.load("order-lines")
    plans = plans_of(design)
    reading = {step.index for one in plans["multi"].upkeep for step in one.steps} - {None}
    asked = {step.index for one in plans["multi"].operations for step in one.steps}
    assert reading - asked, "nothing but the upkeep reads it"
    assert list(RULES["I102"]().findings(design, plans)) == []


def test_what_a_figure_is_made_of_is_used():
    minutes = more_attributes(
        "name: minutesInAll, type: N, digits: 9, aggregate: sum of visits.minutes"
    )
    text = minutes.replace(
        "with: [{relationship: visits", "with: [{relationship: visits, attributes: [at]"
    )
    assert "entities.Visit.attributes.minutes" not in [f.where for f in found("P106", text)]
    without = text.replace(", aggregate: sum of visits.minutes", "")
    assert "entities.Visit.attributes.minutes" in [f.where for f in found("P106", without)]


@pytest.mark.parametrize(
    "sets",
    [
        "leavesAt: {param: leavesAt}",
        "leftAt: {param: leftAt}, leavesAt: {param: leavesAt}}, rate: {average: 1}}\n"
        "  - {number: 10, name: Back, kind: update, entity: Member, remove: [leftAt], set: {level: {value: OLD}",
    ],
)
def test_an_expired_item_may_lack_what_does_not_come_and_go_with_its_end(sets):
    assert "patterns.1" in [
        finding.where for finding in found("P107", LEAVING.replace("SETS", sets))
    ]


def offered(rule, text):
    """The first finding of a rule, and the names of the fixes that are offered for it."""
    design = load(text)
    plans = plans_of(design)
    said = next(each for each in lint(design, plans) if each.rule == rule)
    return said, [fix.name for fix in fixes(design, plans, said)]


def test_a_fix_drops_no_items_that_never_end_and_none_that_are_expected():
    ttl = "name: leavesAt, type: N, format: epoch, ttl: true"
    assert offered("P107", more_attributes(ttl))[1] == ["ask-for-the-living"]
    said, names = offered("P107", more_attributes(f"{ttl}, present: 0.1"))
    assert (names, said.solution) == ([], say("let-caller-check-ttl", attribute="leavesAt"))
    expecting = more_attributes(ttl).replace("kind: get", "kind: get\n    expects: 1")
    assert offered("P107", expecting)[1] == []


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_findings_lead_to_parts_of_the_design(slug):
    design = gallery.load(slug)
    for finding in lint(design, plans_of(design)):
        kind, _, rest = finding.where.partition(".")
        if kind == "patterns":
            design.pattern(int(rest))
        elif kind == "entities":
            name, _, attribute = rest.partition(".attributes.")
            assert not attribute or attribute in design.entity[name].by_name
        elif kind == "relationships":
            assert rest in design.relationship
        else:
            assert finding.where in ("planner.pins", "planner.max_gsis", "billing")


def test_an_evaluation_holds_what_the_rules_find_with_what_is_set_aside():
    text = changed("entity: Visit, rate: {average: 5}", "entity: Visit")
    design = load(text + "ignored_findings: [{rule: P101, because: Measured later.}]\n")
    assert "P101" in {finding.rule for finding in evaluate(design).findings}


def test_lint_says_each_thing_once():
    design = load(more(BY_LEVEL))
    findings = lint(design, plans_of(design))
    assert len(findings) == len(set(findings))


def test_a_rule_that_fails_is_a_finding_and_the_others_still_look(monkeypatch):
    class Broken(Rule):
        id, severity, title = "X999", "error", "Broken"
        why = source = "none"

        def check(self, design, plans):
            raise ZeroDivisionError

    monkeypatch.setitem(RULES, "X999", Broken)
    design = load(changed("entity: Visit, rate: {average: 5}", "entity: Visit"))
    findings = lint(design, plans_of(design))
    assert {"X999", "P101"} <= {finding.rule for finding in findings}
    (failed,) = (finding for finding in findings if finding.rule == "X999")
    assert failed.problem == say(
        "rule-failed", rule="X999", title="Broken", error="ZeroDivisionError"
    )


@pytest.mark.parametrize(
    ("about", "is_aside"),
    [
        ("about: patterns.3, ", True),
        ("about: pattern 3, ", True),
        ("", True),
        ("about: patterns.33, ", False),
        ("about: patterns, ", True),
        ("about: pattern 4, ", False),
    ],
)
def test_a_finding_is_set_aside_with_its_reason(about, is_aside):
    text = changed("entity: Visit, rate: {average: 5}", "entity: Visit")
    text += f"ignored_findings: [{{rule: P101, {about}because: Measured later.}}]\n"
    design = load(text)
    [finding] = found("P101", text)
    ignored = set_aside(design, finding)
    assert (ignored and ignored.because) == ("Measured later." if is_aside else None)


def test_guards_and_copies_are_not_taken_for_the_entity():
    guard = Shape(
        shape="EmailGuard",
        entity="Member",
        role="guard",
        set={"PK": "EMAIL#{email}"},
        guards=("email",),
    )

    def change(before):
        table = before.tables[0]
        tables = (table.model_copy(update={"items": (*table.items, guard)}), *before.tables[1:])
        return before.model_copy(update={"tables": tables})

    assert found("K105", CLUB, change) == []


def test_a_finding_of_some_plans_is_said_once_and_names_their_styles():
    club = load(CLUB)
    found = Finding(rule="x", severity="advice", where="", message="Said twice.")
    made = plan(club, "multi")
    has = made.model_copy(update={"findings": (found,)})
    evaluation = evaluate(club, {"single": made, "multi": has, "grouped": has})
    assert evaluation.findings.count(found) == 1
    assert evaluation.only_in(found) == ("multi", "grouped")
    assert evaluate(club, {"multi": has, "grouped": has}).only_in(found) == ()


def test_what_the_planner_finds_of_a_pattern_is_said_of_a_pattern():
    club = load(CLUB)
    said = Finding(
        rule="x",
        severity="advice",
        where="patterns.1",
        message="Pattern 1 asks.",
        remedy="Drop it.",
    )
    made = plan(club, "multi")
    has = made.model_copy(update={"findings": (said,)})
    evaluation = evaluate(club, {"single": made, "multi": has})
    (found,) = (each for each in evaluation.findings if each.rule == "x")
    assert found.message == "Pattern 1 asks."
    assert evaluation.only_in(found) == ("multi",)


BY_MENTOR = (
    more_attributes("name: mentorId, format: uuid, present: 0.1, distinct: 900")
    + "  - {number: 9, name: Of a mentor, kind: list, returns: Member, where: "
    + f"[{{attribute: mentorId, is: {{param: mentorId}}}}], {RATE}}}\n"
)


def all_under_one(made):
    """A plan whose members lie under one key in its index by mentor, which then sorts by the mentor."""
    keys = {"GSI1PK": "{when(mentorId)}MEMBER", "GSI1SK": "MENTOR#{mentorId}#{clubId}#{memberId}"}
    shapes = [
        shape.model_copy(update={"set": {**shape.set, **keys}}) if "GSI1PK" in shape.set else shape
        for shape in made.tables[0].items
    ]
    tables = (made.tables[0].model_copy(update={"items": tuple(shapes)}), *made.tables[1:])
    return made.model_copy(update={"tables": tables})


def test_what_all_patterns_of_one_partition_give_is_named():
    (said,) = found("K102", BY_MENTOR, all_under_one)
    assert say("index-of", index="GSI1", table="Club") in said.problem.parts()
    assert said.solution == say("partition-by-given", attributes=("mentorId",), entity="Member")
    assert not found("K102", BY_MENTOR)
    newest = f"kind: list, returns: Member, order: [mentorId descending], limit: 5, {RATE}"
    both = f"{BY_MENTOR}  - {{number: 10, name: Newest, {newest}}}\n"
    (said,) = found("K102", both)
    assert said.solution == say("query-by-differing-value", entity="Member")


def test_peaks_that_differ_between_styles_name_their_style():
    busy = changed(
        "entity: Visit, rate: {average: 5}", "entity: Visit, rate: {average: 5, peak: 5000}"
    )
    again = "kind: create, entity: Visit, rate: {average: 1, peak: 50}"
    club = load(f"{busy}  - {{number: 9, name: Visit again, {again}}}\n")
    multi = plan(club, "multi")
    fewer = tuple(one for one in multi.operations if one.pattern != 9)
    grouped = multi.model_copy(update={"style": "grouped", "operations": fewer})

    def said(**plans):
        return [one.problem.values["place"] for one in lint(club, plans) if one.rule == "L105"]

    table = say("table", table="Visits")
    assert said(multi=multi, grouped=grouped) == [
        say("place-in-style", place=table, style=style) for style in ("multi", "grouped")
    ]
    assert said(multi=multi) == [table]


def test_tables_of_one_name_in_two_styles_are_told_apart():
    places = [
        ("status", say("index-of", index="GSI1", table="app"), "single"),
        ("status", say("index-of", index="ByStatus", table="Orders"), "multi"),
        ("status", say("index-of", index="GSI1", table="Orders"), "grouped"),
        ("kind", say("table", table="Orders"), "multi"),
        ("kind", say("table", table="Orders"), "grouped"),
    ]
    found = {thing: [text(one) for one in where] for thing, where in gathered(places).items()}
    assert found == {
        "status": [
            "index GSI1 on app",
            "index ByStatus on Orders (multi-table style)",
            "index GSI1 on Orders (grouped style)",
        ],
        "kind": ["table Orders"],
    }
