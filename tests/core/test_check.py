"""What makes a design impossible to plan is said with its place and a remedy; what is only unwise
is not."""

import time
from importlib import resources

import pytest

from designer.core.design.check import check
from designer.core.design.load import load, read_design
from designer.core.errors import DesignError
from designer.core.messages import say

CLUB = """\
keywright: 1
name: Club
entities:
  - name: Member
    identifier: [memberId]
    needs: {tenant: clubId}
    attributes:
      - {name: memberId, format: uuid}
      - {name: clubId}
      - {name: email, unique: true, mutable: true}
      - {name: points, type: N, format: integer, mutable: true}
      - {name: level, values: [NEW, OLD], mutable: true, present: 0.5}
      - {name: active, type: BOOL, mutable: true}
      - {name: tags, type: SS, mutable: true}
      - {name: joinedAt, format: datetime}
      - {name: joinedOn, derived: date(joinedAt)}
      - {name: visits, type: N, aggregate: count of visits}
      - {name: leavesAt, type: N, format: epoch, ttl: true, present: 0.1}
  - name: Visit
    identifier: [memberId, at]
    attributes:
      - {name: memberId, refers_to: Member.memberId}
      - {name: at, format: datetime}
      - {name: courseId, refers_to: Course.courseId}
      - {name: minutes, type: N, format: integer}
  - name: Course
    identifier: [courseId]
    attributes:
      - {name: courseId, format: ulid}
      - {name: title}
      - {name: parentId, refers_to: Course.courseId, present: 0.5}
  - name: Booking
    identifier: [memberId, courseId]
    attributes:
      - {name: memberId, refers_to: Member.memberId}
      - {name: courseId, refers_to: Course.courseId}
relationships:
  - {name: visits, one: Member, many: Visit, by: memberId, identifying: true, average: 9, most: 99}
  - {name: under, one: Course, many: Course, by: parentId}
  - {name: booked, many: [Member, Course], through: Booking, averages: [2, 20], mosts: [9, 99]}
patterns:
  - number: 1
    name: A member
    kind: get
    returns: Member
    where: [{attribute: memberId, is: {param: memberId}}]
    with:
      - {relationship: visits, keep: [{attribute: minutes, above: 1}], order: [at descending], limit: 3}
  - number: 2
    name: Some members
    kind: batch_get
    returns: Member
    where: [{attribute: memberId, any_of: {param: memberIds}}]
  - number: 3
    name: Visits of members of a club
    kind: list
    returns: Visit
    where:
      - {attribute: visits.clubId, is: {param: clubId}}
      - {attribute: at, from: {param: since}, optional: true}
    keep: [{attribute: minutes, after: {value: 5}}]
    order: [at descending]
    attributes: [memberId, at]
  - number: 4
    name: Change a member
    kind: update
    entity: Member
    given: [level]
    set: {email: {param: email}, level: {value: OLD}}
    add: {points: {value: 1}}
    if: [{attribute: active, is: {value: true}}]
  - number: 5
    name: Visit
    kind: transaction
    members:
      - {check: Member, exists: true}
      - {create: Visit, times: {average: 2, most: 10}}
      - {update: Course, times: {average: 2, most: 10}, each: Visit, set: {title: {param: title}}}
  - number: 6
    name: Minutes
    kind: list
    returns: Visit
    where: [{attribute: memberId, is: {param: memberId}}]
    result: {sum: minutes}
  - number: 7
    name: Forget visits
    kind: delete
    entity: Visit
    where: [{attribute: memberId, is: {param: memberId}}]
  - number: 8
    name: Member by e-mail
    kind: get
    returns: Member
    where: [{attribute: email, is: {param: email}}]
planner:
  pins: [{style: single, entity: Member, key: {partition: "MEMBER#{memberId}", sort: A}}]
""".replace("above: 1", "after: {param: least}")


def changed(old, new):
    assert CLUB.count(old) >= 1, old
    return CLUB.replace(old, new, 1)


def more(pattern):
    return CLUB.replace("planner:\n", f"  - {{number: 9, name: More, {pattern}}}\nplanner:\n")


def test_a_design_that_hangs_together_has_no_problems():
    assert check(load(CLUB)) == ()


@pytest.mark.parametrize(
    "file",
    sorted(
        (f for f in resources.files("designer.gallery").iterdir() if f.name.endswith(".yaml")),
        key=lambda file: file.name,
    ),
    ids=lambda file: file.name,
)
def test_the_gallery_has_no_problems(file):
    assert check(read_design(file.read_bytes())) == ()


CASES = [
    # Names
    (
        changed("- name: Course", "- name: VISIT"),
        "entities[2].name (VISIT)",
        "already an entity `VISIT`",
    ),
    (
        changed("- name: Course", "- name: Course\n    prefix: VISIT"),
        "entities[2].prefix (Course)",
        "another `prefix`",
    ),
    (
        changed("{name: clubId}", "{name: memberId}"),
        "entities[0].attributes[1].name (Member.memberId)",
        "already has",
    ),
    (
        changed("name: under", "name: Visits"),
        "relationships[1].name (Visits)",
        "already a relationship",
    ),
    (
        changed("number: 2", "number: 1"),
        "patterns[1].number (pattern 1)",
        "already an access pattern 1",
    ),
    (
        changed("name: clubId}", "name: clubId, id: x}").replace(
            "{name: title}", "{name: title, id: x}"
        ),
        "entities[2].attributes[1].id (Course.title)",
        "the id `x` is taken",
    ),
    # Identifiers
    (
        changed("identifier: [courseId]", "identifier: [corseId]"),
        "entities[2].identifier[0] (Course)",
        "did you mean `courseId`",
    ),
    (
        changed("identifier: [courseId]", "identifier: [courseId, courseId]"),
        "entities[2].identifier[1] (Course)",
        "twice",
    ),
    (
        changed("courseId, format: ulid", "courseId, type: BOOL"),
        "entities[2].identifier[0] (Course)",
        "S, N or B",
    ),
    (
        changed("courseId, format: ulid", "courseId, present: 0.9"),
        "entities[2].identifier[0] (Course)",
        "always present",
    ),
    (
        changed("identifier: [memberId]", "identifier: [joinedOn]"),
        "entities[0].identifier[0] (Member)",
        "derived",
    ),
    (
        changed("identifier: [memberId]", "identifier: [visits]"),
        "entities[0].identifier[0] (Member)",
        "is an aggregate",
    ),
    # Attributes
    (
        changed("tenant: clubId", "tenant: club"),
        "entities[0].needs.tenant (Member)",
        "did you mean `clubId`",
    ),
    (
        changed("name: points, type: N", "name: points, type: N, ttl: true"),
        "entities[0] (Member)",
        "several time-to-live attributes (`points`, `leavesAt`)",
    ),
    (
        changed("refers_to: Course.courseId}", "refers_to: Curse.courseId}"),
        "entities[1].attributes[2].refers_to (Visit.courseId)",
        "did you mean `Course`",
    ),
    (
        changed("refers_to: Course.courseId}", "refers_to: Course.id}"),
        "entities[1].attributes[2].refers_to (Visit.courseId)",
        "Course has no attribute `id`",
    ),
    (
        changed("refers_to: Course.courseId}", "refers_to: Course.courseId, type: N}"),
        "entities[1].attributes[2].refers_to (Visit.courseId)",
        "one type",
    ),
    (
        changed("date(joinedAt)", "date(joinedAtt)"),
        "entities[0].attributes[8].derived (Member.joinedOn)",
        "did you mean `joinedAt`",
    ),
    (
        changed("date(joinedAt)", "date(joinedOn)"),
        "entities[0].attributes[8].derived (Member.joinedOn)",
        "derived itself",
    ),
    (
        changed("date(joinedAt)", "date(points)"),
        "entities[0].attributes[8].derived (Member.joinedOn)",
        "no time as text",
    ),
    (
        changed("date(joinedAt)}", "date(joinedAt), type: N}"),
        "entities[0].attributes[8].type (Member.joinedOn)",
        "make it type S",
    ),
    (
        changed("date(joinedAt)}", "date(joinedAt), unique: true}"),
        "entities[0].attributes[8].derived (Member.joinedOn)",
        "not stored",
    ),
    (
        changed("joinedAt, format: datetime", "joinedAt, format: date").replace(
            "date(joinedAt)", "hour(joinedAt)"
        ),
        "entities[0].attributes[8].derived (Member.joinedOn)",
        "without an hour",
    ),
    (
        changed("count of visits", "count of visit"),
        "entities[0].attributes[9].aggregate (Member.visits)",
        "did you mean `visits`",
    ),
    (
        changed("aggregate: count of visits", "kept: by-stream"),
        "entities[0].attributes[9].kept (Member.visits)",
        "`visits` is not an aggregate",
    ),
    (
        changed("count of visits", "count of visits.minutes"),
        "entities[0].attributes[9].aggregate (Member.visits)",
        "needs no attribute",
    ),
    (
        changed("count of visits", "sum of visits"),
        "entities[0].attributes[9].aggregate (Member.visits)",
        "state the attribute",
    ),
    (
        changed("count of visits", "sum of visits.at"),
        "entities[0].attributes[9].aggregate (Member.visits)",
        "numbers",
    ),
    (
        changed("count of visits", "sum of visits.hours"),
        "entities[0].attributes[9].aggregate (Member.visits)",
        "no attribute `hours`",
    ),
    (
        changed("count of visits", "count of under"),
        "entities[0].attributes[9].aggregate (Member.visits)",
        "not on the one side",
    ),
    (
        changed("visits, type: N", "visits"),
        "entities[0].attributes[9].type (Member.visits)",
        "make it type N",
    ),
    (
        changed("tags, type: SS", "tags, type: SS, values: [a]"),
        "entities[0].attributes[6].values (Member.tags)",
        "no list of values",
    ),
    (
        changed("points, type: N", "points, type: N, values: [a]"),
        "entities[0].attributes[3].values[0] (Member.points)",
        "not a number",
    ),
    (
        changed("name: email,", "name: email, examples: [5],"),
        "entities[0].attributes[2].examples[0] (Member.email)",
        "put it in quotes",
    ),
    (
        changed("name: points,", "name: points, examples: [1, x],"),
        "entities[0].attributes[3].examples[1] (Member.points)",
        "not a number",
    ),
    (
        changed("name: active,", "name: active, examples: [x],"),
        "entities[0].attributes[5].examples[0] (Member.active)",
        "neither true nor false",
    ),
    (
        changed("name: level,", "name: level, examples: [NWE],"),
        "entities[0].attributes[4].examples[0] (Member.level)",
        "did you mean `NEW`",
    ),
    # Relationships
    (
        changed("one: Member, many: Visit", "one: Membr, many: Visit"),
        "relationships[0].one (visits)",
        "did you mean `Member`",
    ),
    (
        changed("many: [Member, Course]", "many: [Member, Coarse]"),
        "relationships[2].many[1] (booked)",
        "did you mean `Course`",
    ),
    (
        changed("through: Booking", "through: Bookings"),
        "relationships[2].through (booked)",
        "did you mean `Booking`",
    ),
    (
        changed("by: parentId", "by: parent"),
        "relationships[1].by (under)",
        "did you mean `parentId`",
    ),
    (
        changed("one: Course, many: Course, by: parentId", "one: Booking, many: Course"),
        "relationships[1] (under)",
        "no attribute of Course refers to Booking",
    ),
    (changed("by: memberId, id", "by: minutes, id"), "relationships[0] (visits)", "one type"),
    (
        changed("average: 9,", "average: 100,"),
        "relationships[0] (visits)",
        "average is above the maximum",
    ),
    (
        changed("mosts: [9, 99]", "mosts: [1, 99]"),
        "relationships[2] (booked)",
        "average is above the maximum",
    ),
    (
        changed("averages: [2, 20], mosts: [9, 99]", "average: 2"),
        "relationships[2].average (booked)",
        "averages: [a, b]",
    ),
    (
        changed("average: 9, most: 99", "averages: [1, 2]"),
        "relationships[0].averages (visits)",
        "N:M only",
    ),
    # Circles
    (
        changed("by: parentId", "by: parentId, identifying: true"),
        "relationships[1].identifying (under)",
        "Course → Course",
    ),
    (
        changed("courseId, format: ulid", "courseId, refers_to: Booking.courseId"),
        "entities[2].attributes[0].refers_to (Course.courseId)",
        "in a circle",
    ),
    # Reads
    (more("kind: list, returns: Nobody"), "patterns[8].returns (pattern 9)", "no entity `Nobody`"),
    (more("kind: list, returns: [Member, Member]"), "patterns[8].returns[1] (pattern 9)", "twice"),
    (
        more("kind: elsewhere, because: geo, returns: Membr"),
        "patterns[8].returns (pattern 9)",
        "did you mean `Member`",
    ),
    (
        more("kind: list, returns: Member, where: [{attribute: emial, is: {param: email}}]"),
        "patterns[8].where[0].attribute (pattern 9)",
        "did you mean `email`",
    ),
    (
        more(
            "kind: list, returns: [Member, Visit], where: [{attribute: email, is: {param: email}}]"
        ),
        "patterns[8].where[0].attribute (pattern 9)",
        "Visit has no attribute",
    ),
    (
        more("kind: list, returns: [Member, Course], keep: [{attribute: title, exists: true}]"),
        "patterns[8].keep[0].attribute (pattern 9)",
        "Member has no attribute",
    ),
    (
        more("kind: list, returns: Visit, where: [{attribute: visit.clubId, is: {param: x}}]"),
        "patterns[8].where[0].attribute (pattern 9)",
        "did you mean `visits`",
    ),
    (
        more("kind: list, returns: Visit, where: [{attribute: visits.club, is: {param: x}}]"),
        "patterns[8].where[0].attribute (pattern 9)",
        "did you mean `clubId`",
    ),
    (
        more("kind: list, returns: Member, where: [{attribute: visits.at, is: {param: x}}]"),
        "patterns[8].where[0].attribute (pattern 9)",
        "towards one",
    ),
    (
        more("kind: list, returns: Booking, where: [{attribute: booked.email, is: {param: x}}]"),
        "patterns[8].where[0].attribute (pattern 9)",
        "towards one",
    ),
    (
        more("kind: list, returns: Member, where: [{attribute: active, from: {param: x}}]"),
        "patterns[8].where[0].attribute (pattern 9)",
        "no order",
    ),
    (
        more("kind: list, returns: Member, where: [{attribute: points, begins_with: {param: x}}]"),
        "patterns[8].where[0].begins_with (pattern 9)",
        "only text",
    ),
    (
        more("kind: list, returns: Member, keep: [{attribute: points, contains: {param: x}}]"),
        "patterns[8].keep[0].contains (pattern 9)",
        "contain something",
    ),
    (
        more("kind: list, returns: Member, where: [{attribute: level, is: {value: ODL}}]"),
        "patterns[8].where[0].is.value (pattern 9)",
        "did you mean `OLD`",
    ),
    (
        more("kind: list, returns: Member, where: [{attribute: points, is: {value: x}}]"),
        "patterns[8].where[0].is.value (pattern 9)",
        "not a number",
    ),
    (
        more("kind: list, returns: Member, where: [{attribute: email, begins_with: {value: 5}}]"),
        "patterns[8].where[0].begins_with.value (pattern 9)",
        "text",
    ),
    (
        more(
            "kind: list, returns: Member, where: [{attribute: email, is: {param: "
            "x}}, {attribute: points, is: {param: x}}]"
        ),
        "patterns[8].where[1].is.param (pattern 9)",
        "of type S (email) and of type N (points)",
    ),
    (
        more(
            "kind: list, returns: Member, where: [{attribute: email, is: {param: "
            "x}}], keep: [{attribute: clubId, any_of: {param: x}}]"
        ),
        "patterns[8].keep[0].any_of.param (pattern 9)",
        "a list in one place",
    ),
    (
        more(
            "kind: list, returns: Member, where: [{attribute: email, is: {param: x}, "
            "optional: true}, {attribute: clubId, is: {param: x}}]"
        ),
        "patterns[8].where[1] (pattern 9)",
        "optional in another condition",
    ),
    (
        more(
            "kind: list, returns: Member, where: [{attribute: active, is: {value: "
            "true}, optional: true}]"
        ),
        "patterns[8].where[0].optional (pattern 9)",
        "remove `optional`",
    ),
    (
        more("kind: list, returns: Member, order: [point descending]"),
        "patterns[8].order[0] (pattern 9)",
        "did you mean `points`",
    ),
    (
        more("kind: list, returns: Member, order: [active descending]"),
        "patterns[8].order[0] (pattern 9)",
        "no order",
    ),
    (
        more("kind: list, returns: Member, order: [email descending, email ascending]"),
        "patterns[8].order[1] (pattern 9)",
        "twice",
    ),
    (
        more("kind: list, returns: Member, attributes: [mail]"),
        "patterns[8].attributes[0] (pattern 9)",
        "did you mean `email`",
    ),
    (
        more("kind: list, returns: Member, attributes: [joinedOn]"),
        "patterns[8].attributes[0] (pattern 9)",
        "not stored",
    ),
    (
        more("kind: list, returns: Member, with: [{relationship: visit}]"),
        "patterns[8].with[0].relationship (pattern 9)",
        "did you mean `visits`",
    ),
    (
        more("kind: list, returns: Member, with: [{relationship: under}]"),
        "patterns[8].with[0].relationship (pattern 9)",
        "of what is returned",
    ),
    (
        more("kind: list, returns: Booking, with: [{relationship: booked}]"),
        "patterns[8].with[0].relationship (pattern 9)",
        "one of them",
    ),
    (
        more("kind: list, returns: Member, with: [{relationship: visits}, {relationship: visits}]"),
        "patterns[8].with[1].relationship (pattern 9)",
        "twice",
    ),
    (
        more("kind: list, returns: Member, with: [{relationship: visits, attributes: [hours]}]"),
        "patterns[8].with[0].attributes[0] (pattern 9)",
        "Visit has no attribute",
    ),
    (
        more(
            "kind: list, returns: Member, with: [{relationship: visits, order: [hours ascending]}]"
        ),
        "patterns[8].with[0].order[0] (pattern 9)",
        "Visit has no attribute",
    ),
    (
        more(
            "kind: list, returns: Member, with: [{relationship: visits, keep: "
            "[{attribute: hours, exists: true}]}]"
        ),
        "patterns[8].with[0].keep[0].attribute (pattern 9)",
        "Visit has no attribute",
    ),
    (
        more("kind: count, returns: Member, with: [{relationship: visits}]"),
        "patterns[8].with (pattern 9)",
        "cannot include related items",
    ),
    (
        more("kind: list, returns: Visit, result: {sum: hours}"),
        "patterns[8].result.sum (pattern 9)",
        "no attribute `hours`",
    ),
    (
        more("kind: list, returns: Visit, result: {sum: at}"),
        "patterns[8].result.sum (pattern 9)",
        "needs numbers",
    ),
    (
        more("kind: list, returns: Visit, result: {sum: minutes}, attributes: [at]"),
        "patterns[8].attributes (pattern 9)",
        "remove `attributes`",
    ),
    (
        more("kind: get, returns: Member, where: [{attribute: clubId, is: {param: x}}]"),
        "patterns[8].where (pattern 9)",
        "found by exact values of `memberId`, or of `email` (which is unique); otherwise ask for a list",
    ),
    (
        more("kind: get, returns: Visit, where: [{attribute: memberId, is: {param: x}}]"),
        "patterns[8].where (pattern 9)",
        "found by exact values of `memberId` and `at`; otherwise ask for a list, or state that the given",
    ),
    (
        more(
            "kind: get, returns: Visit, where: [{attribute: memberId, is: {param: "
            "x}}, {attribute: at, from: {param: y}}]"
        ),
        "patterns[8].where (pattern 9)",
        "or state that the given values are unique",
    ),
    (
        more("kind: get, returns: [Member, Visit], where: [{attribute: memberId, is: {param: x}}]"),
        "patterns[8].returns (pattern 9)",
        "one entity",
    ),
    (
        more("kind: batch_get, returns: Member, where: [{attribute: memberId, is: {param: x}}]"),
        "patterns[8].where (pattern 9)",
        "with several values for one of them; otherwise ask for a list",
    ),
    (
        more("kind: batch_get, returns: Member, where: [{attribute: clubId, any_of: {param: x}}]"),
        "patterns[8].where (pattern 9)",
        "with several values for one of them; otherwise ask for a list",
    ),
    # Writes
    (
        more("kind: create, entity: Membre"),
        "patterns[8].entity (pattern 9)",
        "did you mean `Member`",
    ),
    (
        more("kind: create, entity: Member, add: {points: {value: 1}}"),
        "patterns[8].add (pattern 9)",
        "no place in a create",
    ),
    (
        more("kind: create, entity: Member, if: [{attribute: points, missing: true}]"),
        "patterns[8].if (pattern 9)",
        "no place in a create",
    ),
    (
        more("kind: create, entity: Member, set: {joinedOn: {value: x}}"),
        "patterns[8].set.joinedOn (pattern 9)",
        "derived",
    ),
    (
        more("kind: create, entity: Member, set: {points: {param: email}}"),
        "patterns[8] (pattern 9)",
        "of type N (Member.points) and of type S (Member.email)",
    ),
    (more("kind: create, entity: Member, each: rows"), "patterns[8].each (pattern 9)", "`times`"),
    (
        more("kind: create, entity: Member, set: {level: {value: MID}}"),
        "patterns[8].set.level.value (pattern 9)",
        "not one of the values",
    ),
    (more("kind: update, entity: Member"), "patterns[8] (pattern 9)", "changes nothing"),
    (
        more("kind: update, entity: Member, set: {memberId: {param: other}}"),
        "patterns[8].set.memberId (pattern 9)",
        "never changes",
    ),
    (
        more("kind: update, entity: Member, remove: [memberId]"),
        "patterns[8].remove[0] (pattern 9)",
        "never changes",
    ),
    (
        more("kind: update, entity: Member, set: {joinedOn: {param: day}}"),
        "patterns[8].set.joinedOn (pattern 9)",
        "derived",
    ),
    (
        more("kind: update, entity: Member, set: {emial: {param: email}}"),
        "patterns[8].set.emial (pattern 9)",
        "did you mean `email`",
    ),
    (
        more("kind: update, entity: Member, set: {points: {value: x}}"),
        "patterns[8].set.points.value (pattern 9)",
        "not a number",
    ),
    (
        more("kind: update, entity: Member, add: {email: {value: 1}}"),
        "patterns[8].add.email (pattern 9)",
        "only numbers",
    ),
    (
        more("kind: update, entity: Member, greatest: {active: active}"),
        "patterns[8].greatest.active (pattern 9)",
        "numbers and text",
    ),
    (
        more("kind: update, entity: Member, set: {level: {param: level}}, remove: [level]"),
        "patterns[8].remove[0] (pattern 9)",
        "changed twice",
    ),
    (
        more("kind: update, entity: Member, given: [level], set: {level: {param: level}}"),
        "patterns[8].set.level (pattern 9)",
        "name the new one `newLevel`",
    ),
    (
        more("kind: update, entity: Member, by: [email], set: {email: {param: email}}"),
        "patterns[8].set.email (pattern 9)",
        "name the new one `newEmail`",
    ),
    (
        more(
            "kind: update, entity: Member, set: {level: {param: x}}, if: "
            "[{attribute: level, is: {param: x}}]"
        ),
        "patterns[8].if[0].is.param (pattern 9)",
        "the old one here",
    ),
    (
        more(
            "kind: update, entity: Member, set: {level: {param: x}}, if: "
            "[{attribute: points, is: {param: x}}]"
        ),
        "patterns[8].if[0].is.param (pattern 9)",
        "of type S",
    ),
    (
        more(
            "kind: update, entity: Member, set: {level: {param: x}}, if: "
            "[{attribute: joinedOn, is: {param: y}}]"
        ),
        "patterns[8].if[0].attribute (pattern 9)",
        "derived",
    ),
    (
        more(
            "kind: update, entity: Member, set: {level: {param: x}}, if: "
            "[{attribute: points, is: {param: y}, optional: true}]"
        ),
        "patterns[8].if[0].optional (pattern 9)",
        "no optional conditions",
    ),
    (
        more(
            "kind: update, entity: Visit, set: {minutes: {param: x}}, if: "
            "[{attribute: visits.points, is: {param: y}}]"
        ),
        "patterns[8].if[0].attribute (pattern 9)",
        "the item itself",
    ),
    (
        more("kind: update, entity: Member, by: [clubId], set: {level: {param: x}}"),
        "patterns[8].by (pattern 9)",
        "identified by `memberId`, or by what is unique: `email`",
    ),
    (
        more("kind: update, entity: Member, by: [id], set: {level: {param: x}}"),
        "patterns[8].by (pattern 9)",
        "no attribute `id`",
    ),
    (
        more("kind: update, entity: Member, given: [memberId], set: {level: {param: x}}"),
        "patterns[8].given[0] (pattern 9)",
        "identifies the item already",
    ),
    (
        more("kind: update, entity: Member, given: [joinedOn], set: {level: {param: x}}"),
        "patterns[8].given[0] (pattern 9)",
        "derived",
    ),
    (
        more("kind: delete, entity: Member, set: {level: {param: x}}"),
        "patterns[8].set (pattern 9)",
        "no place in a delete",
    ),
    (
        more(
            "kind: delete, entity: Visit, by: [memberId, at], where: [{attribute: "
            "memberId, is: {param: x}}]"
        ),
        "patterns[8].by (pattern 9)",
        "deletes every item",
    ),
    (
        more("kind: delete, entity: Visit, where: [{attribute: member, is: {param: x}}]"),
        "patterns[8].where[0].attribute (pattern 9)",
        "did you mean `memberId`",
    ),
    (
        more(
            "kind: delete, entity: Visit, where: [{attribute: at, from: {param: x}, "
            "optional: true}]"
        ),
        "patterns[8].where[0].optional (pattern 9)",
        "no optional conditions",
    ),
    (
        more("kind: update, entity: Member, given: [level, level], set: {points: {value: 1}}"),
        "patterns[8].given (pattern 9)",
        "names an attribute twice",
    ),
    # Transactions
    (
        more("kind: transaction, members: [{create: Membr}]"),
        "patterns[8].members[0].create (pattern 9)",
        "did you mean `Member`",
    ),
    (
        more(
            "kind: transaction, members: [{check: Member, exists: true, set: {level: {param: x}}}]"
        ),
        "patterns[8].members[0].set (pattern 9)",
        "no place in a check",
    ),
    (
        more(
            "kind: transaction, members: [{check: Member, exists: true}, {update: "
            "Member, add: {points: {value: 1}}}]"
        ),
        "patterns[8].members[1] (pattern 9)",
        "the same Member as member 1",
    ),
    (
        more("kind: transaction, members: [{create: Visit, times: {average: 9, most: 101}}]"),
        "patterns[8].members (pattern 9)",
        "up to 101 items",
    ),
    (
        more(
            "kind: transaction, members: [{create: Visit, times: {average: 1, most: "
            "50}}, {create: Course, times: {average: 1, most: 51}}]"
        ),
        "patterns[8].members (pattern 9)",
        "up to 101 items",
    ),
    (
        more(
            "kind: transaction, members: [{create: Visit, times: {average: 2, most: "
            "10}}, {create: Course, times: {average: 2, most: 9}, each: Visit}]"
        ),
        "patterns[8].members[1].times (pattern 9)",
        "make them equal",
    ),
    (
        more(
            "kind: transaction, members: [{create: Course}, {create: Visit, times: "
            "{average: 2, most: 10}, each: title}]"
        ),
        "patterns[8].members[1].each (pattern 9)",
        "already a parameter",
    ),
    (
        more(
            "kind: transaction, members: [{create: Course}, {update: Member, add: "
            "{points: {param: title}}}]"
        ),
        "patterns[8].members[1].add.points (pattern 9)",
        "of type S (Course.title) and of type N (Member.points)",
    ),
    (
        more(
            "kind: transaction, members: [{create: Visit, times: {average: 2, most: "
            "9}}, {update: Member, each: Visit, times: {average: 2, most: 9}, add: "
            "{points: {param: at}}}]"
        ),
        "patterns[8].members[1].add.points (pattern 9)",
        "of type S (Visit.at) and of type N (Member.points)",
    ),
    # Pins
    (
        changed("entity: Member, key", "entity: Membr, key"),
        "planner.pins[0].entity",
        "did you mean `Member`",
    ),
    (
        changed("MEMBER#{memberId}", "MEMBER#{id}"),
        "planner.pins[0].key.partition",
        "no attribute `id`",
    ),
    (
        changed("pins: [{", "pins: [{pattern: 99, index: ByX}, {"),
        "planner.pins[0].pattern",
        "no access pattern 99",
    ),
    (changed("pins: [{", "pins: [{entity: Member}, {"), "planner.pins[0]", "the pin is empty"),
    (
        changed("pins: [{", "pins: [{table: [Member, Visits]}, {"),
        "planner.pins[0].table[1]",
        "did you mean `Visit`",
    ),
]


@pytest.mark.parametrize(("text", "place", "said"), CASES, ids=[said for _, _, said in CASES])
def test_what_does_not_hang_together_is_said_in_its_place(text, place, said):
    found = check(read_design(text))
    assert place in [problem.place for problem in found]
    assert any(said in problem.message for problem in found if problem.place == place)


@pytest.mark.parametrize(
    "text",
    [
        more(
            "kind: get, returns: Member, where: [{attribute: email, is: {param: email}}, "
            "{attribute: level, is: {value: OLD}}]"
        ),
        more(
            "kind: batch_get, returns: Visit, where: [{attribute: memberId, is: {param: "
            "memberId}}, {attribute: at, any_of: {param: times}}]"
        ),
        more(
            "kind: list, returns: Course, with: [{relationship: under, order: [title "
            "ascending]}]"
        ),
        more(
            "kind: list, returns: Course, where: [{attribute: under.title, begins_with: "
            "{value: A}}]"
        ),
        more("kind: list, returns: Member, with: [{relationship: booked}]"),
        more("kind: list, returns: Visit, with: [{relationship: visits, attributes: [email]}]"),
        more(
            "kind: list, returns: [Member, Visit], where: [{attribute: memberId, is: "
            "{param: x}}], attributes: [email, at]"
        ),
        more(
            "kind: list, returns: Member, keep: [{attribute: tags, contains: {param: "
            "tag}}, {attribute: joinedOn, is: {param: day}}]"
        ),
        more("kind: update, entity: Member, by: [email], set: {email: {param: newEmail}}"),
        more(
            "kind: update, entity: Member, greatest: {points: points}, if: [{attribute: "
            "level, not: {value: OLD}}]"
        ),
        more("kind: transaction, members: [{create: Visit, times: {average: 2, most: 100}}]"),
        more(
            "kind: transaction, members: [{update: Member, add: {points: {minus: "
            "points}}}, {create: Visit}]"
        ),
    ],
    ids=range(12),
)  # fmt: skip
def test_what_hangs_together_is_accepted(text):
    assert check(load(text)) == ()


def test_a_circle_of_identifying_parents_is_shown():
    text = changed(
        "by: parentId",
        (
            "by: parentId}\n  - {name: back, one: Visit, many: Member, by: [memberId, "
            "joinedAt], identifying: true"
        ),
    )
    [problem] = check(read_design(text))
    assert problem.reason == say("parents-in-circle", circle=("Visit", "Member", "Visit"))
    assert "identifying parents form a circle: Visit → Member → Visit; " in str(problem)


def test_reading_a_text_says_the_lines_of_what_does_not_hang_together():
    with pytest.raises(DesignError) as refused:
        load(
            changed(
                "[{attribute: email, is: {param: email}}]",
                "[{attribute: emial, is: {param: email}}]",
            ),
            "club.yaml",
        )
    # The misspelt attribute, and with it the lookup by something unique.
    lines = CLUB.splitlines()
    for problem in refused.value.problems:
        assert lines[problem.line - 1].lstrip().startswith("where: [{attribute: email,")
    assert refused.value.message.startswith("club.yaml has 2 problems")
    assert refused.value.code == "does-not-fit"


def test_at_most_fifty_problems_are_said():
    bad = ", ".join(["nothing ascending"] * 80)
    with pytest.raises(DesignError, match="has more than 50 problems") as refused:
        load(more(f"kind: list, returns: Member, order: [{bad}]"))
    assert len(refused.value.problems) == 50


def test_what_a_part_refuses_is_a_message_too():
    with pytest.raises(DesignError) as refused:
        load(more("kind: list, returns: Member, order: [sideways]"))
    [problem] = refused.value.problems
    assert problem.reason == say("no-order", line="'sideways'")
    assert problem.message.startswith(
        "'sideways' is not an order; write an attribute and `ascending`"
    )


def test_more_parts_than_any_design_needs_are_refused_before_they_are_looked_at():
    entities = "".join(f"  - {{name: E{n}, identifier: [id]}}\n" for n in range(501))
    [problem] = check(read_design(f"keywright: 1\nname: Large\nentities:\n{entities}"))
    assert problem.place == "entities"
    assert problem.reason == say("most-entities", most=500, count=501)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "entities: [" + "x, " * 90_000 + "]",
        "entities: [" + "{name: E, identifier: [id]}, " * 15_000 + "]",
        "patterns: [" + "{number: 1, name: x, kind: list, returns: X}, " * 9_000 + "]",
        "entities:\n  - {name: E, identifier: [id], attributes: ["
        + ", ".join(f"{{name: a{n}}}" for n in range(400))
        + "]}\npatterns:\n"
        + "  - {number: 1, name: x, kind: update, entity: E, remove: ["
        + "b, " * 90_000
        + "]}",
        "entities: [{name: E, identifier: [id], attributes: [{name: id}]}]\npatterns:\n"
        + "  - {number: 1, name: x, kind: list, returns: ["
        + "E, " * 90_000
        + "]}",
        "x" * 900_000 + ": 1",
        "entities: [{name: " + "x" * 900_000 + "}]",
    ],
    ids=["scalars", "entities", "patterns", "attributes", "returns", "a long key", "a long name"],
)
def test_much_that_is_wrong_is_refused_soon(text):
    started = time.perf_counter()
    with pytest.raises(DesignError) as refused:
        load(f"keywright: 1\nname: Large\n{text}\n")
    assert 0 < len(refused.value.problems) <= 50
    assert max(len(str(problem)) for problem in refused.value.problems) < 400
    assert time.perf_counter() - started < 20
