"""A small design in which no rule finds anything, and changes of it that make them find something."""

CLUB = """\
keywright: 1
name: Club
entities:
  - name: Member
    identifier: [clubId, memberId]
    items: 100000
    needs: {tenant: clubId}
    attributes:
      - {name: clubId, format: uuid}
      - {name: memberId, format: uuid}
      - {name: email, format: email, unique: true, mutable: true}
      - {name: level, values: [NEW, OLD], mutable: true}
      - {name: joinedAt, format: datetime}
  - name: Visit
    identifier: [clubId, memberId, at]
    items: 1000000
    attributes:
      - {name: clubId, bytes: 20, refers_to: Member.clubId}
      - {name: memberId, bytes: 20, refers_to: Member.memberId}
      - {name: at, format: datetime}
      - {name: minutes, type: N, format: integer, digits: 4}
relationships:
  - {name: visits, one: Member, many: Visit, by: [clubId, memberId], average: 10, most: 900}
patterns:
  - number: 1
    name: A member with visits
    kind: get
    returns: Member
    where: [{attribute: clubId, is: {param: clubId}}, {attribute: memberId, is: {param: memberId}}]
    with: [{relationship: visits, order: [at descending], limit: 9}]
    rate: {average: 9}
  - {number: 2, name: Join, kind: create, entity: Member, rate: {average: 1}}
  - {number: 3, name: Visit, kind: create, entity: Visit, rate: {average: 5}}
  - {number: 4, name: Change, kind: update, entity: Member, set: {email: {param: email}, level: {param: level}}, rate:
  {average: 1}}
"""


def changed(old, new):
    assert old in CLUB, old
    return CLUB.replace(old, new, 1)


def more(*patterns):
    return CLUB + "".join(
        f"  - {{number: {9 + at}, name: More, {pattern}}}\n" for at, pattern in enumerate(patterns)
    )


def more_attributes(*attributes):
    return changed(
        "      - {name: joinedAt, format: datetime}\n",
        "      - {name: joinedAt, format: datetime}\n"
        + "".join(f"      - {{{a}}}\n" for a in attributes),
    )


def more_entities(*entities):
    return changed(
        "relationships:\n",
        "".join(f"  - {{{entity}}}\n" for entity in entities) + "relationships:\n",
    )


RATE = "rate: {average: 1}"
BY_LEVEL = (
    f"kind: list, returns: Member, where: [{{attribute: level, is: {{param: level}}}}], {RATE}"
)
BY_CLUB = (
    f"kind: list, returns: Member, where: [{{attribute: clubId, is: {{param: clubId}}}}], {RATE}"
)
COUNTED_VISITS = more_attributes(
    "name: visits, type: N, digits: 6, aggregate: count of visits",
    "name: minutes, type: N, digits: 9, aggregate: sum of visits.minutes",
).replace(
    "digits: 4}\n",
    "digits: 4}\n      - {name: goesAt, type: N, format: epoch, ttl: true}\n",
)
"""Visits expire, and transactions count them."""
USAGE = (
    "name: Usage, identifier: [customerId, month, endpoint], items: 900000, attributes: ["
    "{{name: customerId, format: uuid, distinct: 5000, {}}}, {{name: month, bytes: 7, distinct: 12}}, "
    "{{name: endpoint, bytes: 30, distinct: 60}}]"
)
HALL = "name: Hall, identifier: [hallId], attributes: [{name: hallId}]"
CLAIM = (
    "name: Claim, identifier: [claimId], items: 1000, attributes: [{name: claimId, format: uuid}, "
    "{name: owner, format: uuid, mutable: true}, "
    "{name: until, type: N, format: epoch, ttl: true, mutable: true}]"
)
CLAIMS = (
    "  - {number: 9, name: Claim, kind: create, entity: Claim, rate: {average: 9}}\n"
    "  - {number: 10, name: Take over, kind: update, entity: Claim, "
    "set: {owner: {param: newOwner}, until: {param: newUntil}}, "
    "if: [{attribute: until, below: {param: now}}], rate: {average: 1}}\n"
)
"""A claim that is taken over once it has expired."""
LEASE = CLAIM.replace(
    "{name: owner,",
    "{name: state, values: [RUNS, DONE], mutable: true}, {name: busyUntil, type: N, format: epoch, mutable: true}, "
    "{name: owner,",
)
LEASES = (
    "  - {number: 9, name: Claim, kind: upsert, entity: Claim, set: {state: {value: RUNS}}, "
    "if: [{attribute: until, below: {param: now}}], rate: {average: 9}}\n"
    "  - {number: 10, name: Start again, kind: update, entity: Claim, "
    "set: {busyUntil: {param: newBusyUntil}, owner: {param: newOwner}}, "
    "if: [{attribute: state, is: {value: RUNS}}, {attribute: busyUntil, below: {param: now}}], rate: {average: 1}}\n"
    "  - {number: 11, name: Finish, kind: update, entity: Claim, set: {state: {value: DONE}}, rate: {average: 9}}\n"
)
"""A claim that is replaced once it has expired, and started again if nobody has finished it in time."""
GUEST = "name: Guest, identifier: [guestId], attributes: [{{name: guestId}}, {{{}}}]"
ROOMS = """
keywright: 1
name: Rooms
entities:
  - {name: Room, identifier: [roomId], items: 5000, attributes: [{name: roomId, format: uuid}]}
  - name: Note
    identifier: [noteId]
    items: 100000
    attributes: [{name: noteId, bytes: 26}, {name: roomId, refers_to: Room.roomId}, {name: body, bytes: 200}]
relationships:
  - {name: holds, one: Room, many: Note, by: roomId}
patterns:
  - {number: 1, name: Open, kind: create, entity: Room, rate: {average: 1}}
  - {number: 2, name: Notes, kind: list, returns: Note, where: [{attribute: roomId, is: {param: roomId}}],
     rate: {average: 9}}
  - {number: 3, name: Write, kind: create, entity: Note, rate: {average: 1}}
"""
"""Notes that are read by their room, and of whose identifiers nothing says that they are generated."""
