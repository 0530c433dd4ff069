"""What guard items weigh and cost, worked out by hand."""

from decimal import Decimal
from random import Random

import pytest

from designer.core.answers import number
from designer.core.capacity.sizes import item_bytes
from designer.core.design.document import Design
from designer.core.plan import STYLES
from designer.core.plan.keys import render
from designer.core.planner import plan
from designer.core.planner.explain.pins_broken import colliding
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.structures import Structure
from designer.core.planner.pipeline import outlined
from designer.core.planner.pricing.write_costs import needs_identifier_guard
from designer.core.planner.rewrites.variants import requirements_of
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests.core.priced import SECONDS, numbered
from tests.memory import Memory

MILLION_WRITES = Decimal("0.625")


def users(present: float = 1.0, patterns: tuple[dict, ...] = ()) -> Design:
    return Design.model_validate(
        {
            "name": "Users",
            "entities": [
                {
                    "name": "User",
                    "identifier": ["userId"],
                    "items": 1_000_000,
                    "attributes": [
                        {"name": "userId", "format": "ulid"},
                        {
                            "name": "email",
                            "bytes": 20,
                            "unique": True,
                            "mutable": True,
                            "present": present,
                        },
                        {"name": "name", "bytes": 10},
                    ],
                }
            ],
            "patterns": numbered(patterns),
        }
    )


GET = {
    "kind": "get",
    "returns": "User",
    "where": [{"attribute": "userId", "is": {"param": "userId"}}],
    "rate": {"average": 1},
}
BY_EMAIL = {
    "kind": "get",
    "returns": "User",
    "where": [{"attribute": "email", "is": {"param": "email"}}],
}
CREATE = {"kind": "create", "entity": "User", "rate": {"average": 10}}


@pytest.mark.parametrize("style", ["single", "multi"])
def test_a_guard_weighs_what_its_template_and_its_attributes_do(style):
    made = plan(users(patterns=(GET, CREATE)), style)
    (guard,) = [shape for table in made.tables for shape in table.items if shape.role == "guard"]
    user = {"userId": "u" * 26, "email": "e" * 20}
    stored = {name: user[name] for name in guard.attributes}
    stored |= {name: render(text, user.get) for name, text in guard.set.items()}
    assert item_bytes(stored) == guard.bytes


@pytest.mark.parametrize("style", ["single", "multi"])
def test_an_optional_value_has_a_guard_as_often_as_it_is_there(style):
    made = plan(users(0.25, (GET, CREATE)), style)
    (guard,) = [shape for table in made.tables for shape in table.items if shape.role == "guard"]
    assert guard.items == 250_000
    (create,) = made.operations_for(2)
    # The user in a transaction: 2 units. The guard, 2 units more for every fourth.
    assert create.write_units == 2.5
    monthly = Decimal("2.5") * 10 * SECONDS * MILLION_WRITES / 10**6
    assert number(create.usd_per_month) == monthly
    (decision,) = [one for one in made.decisions if one.about == "guard User.email"]
    # Half a unit for the guard and one for the doubling, and its bytes with 100 more, billed.
    kept = (guard.bytes + 100) * 250_000 * 0.25 / 10**9
    assert decision.per_month == pytest.approx(1.5 * 10 * SECONDS * 0.625e-6 + kept, abs=0.001)


@pytest.mark.parametrize("style", ["single", "multi"])
def test_removing_a_value_takes_its_guard_away_and_puts_none(style):
    remove = {"kind": "update", "entity": "User", "remove": ["email"], "rate": {"average": 1}}
    change = {
        "kind": "update",
        "entity": "User",
        "set": {"email": {"param": "email"}},
        "rate": {"average": 1},
    }
    made = plan(users(patterns=(GET, CREATE, remove, change)), style)
    removed, changed = (made.operations_for(number)[0] for number in (3, 4))
    assert removed.write_units == 4  # the user and the old guard
    assert changed.write_units == 6  # and the new one


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize(("asked", "through_guard"), [(1, True), (1000, False)])
def test_a_read_by_a_guarded_value_takes_the_guard_or_an_index_by_price(
    style, asked, through_guard
):
    """Each look-up through the guard takes half a unit more, each new user an index entry more."""
    made = plan(users(patterns=(GET, CREATE, {**BY_EMAIL, "rate": {"average": asked}})), style)
    (found,) = made.operations_for(3)
    assert (len(found.steps) == 2) == through_guard
    assert bool([i for table in made.tables for i in table.indexes]) != through_guard
    # 10 a second x 1 write unit and 1,000,000 entries, against the second read: half a unit.
    entry = 10 * SECONDS * 0.625e-6
    second = asked * 0.5 * SECONDS * 0.125e-6
    assert (second < entry) == through_guard


@pytest.mark.parametrize("style", STYLES)
def test_a_key_that_a_delete_looks_up_tells_it_the_unique_value_that_it_frees(style):
    document = users().model_dump(mode="json", by_alias=True, exclude_defaults=True)
    (user,) = document["entities"]
    user["attributes"][1].pop("mutable")
    team = {"name": "team", "format": "uuid", "distinct": 10_000}
    user["attributes"] += [team, {"name": "body", "bytes": 5500}]
    asked = {"kind": "list", "returns": "User", "rate": {"average": 5}}
    asked["where"] = [{"attribute": "team", "is": {"param": "team"}}]
    change = {"kind": "update", "entity": "User", "set": {"name": {"param": "name"}}}
    gone = {"kind": "delete", "entity": "User"}
    patterns = [asked, CREATE, {**change, "rate": {"average": 1}}, {**gone, "rate": {"average": 9}}]
    document["patterns"] = numbered(patterns)
    document["planner"] = {"items": "as-stated", "objective": "cost"}
    made = plan(Design.model_validate(document), style)
    look_up, written = made.operations_for(4)[0].steps
    assert look_up.shapes[0].endswith("Guard")
    assert {member.verb for member in written.members} == {"delete"}
    assert len(written.members) == 3


def nights(identifier: list[str], **statistics) -> Design:
    """Nights of a hotel's rooms that are asked for by their booking; the hotel's identifier is generated."""
    names = ("hotelId", "roomNo", "night", "bookingId")
    formats = {"hotelId": {"format": "uuid", **statistics}, "bookingId": {"format": "ulid"}}
    booked = {"attribute": "bookingId", "is": {"param": "bookingId"}}
    return Design.model_validate(
        {
            "name": "Nights",
            "entities": [
                {
                    "name": "Night",
                    "identifier": identifier,
                    "items": 5_000_000,
                    "attributes": [
                        {"name": name, "distinct": 2_500_000, **formats.get(name, {})}
                        for name in names
                    ],
                }
            ],
            "patterns": numbered(
                [
                    {
                        "kind": "list",
                        "returns": "Night",
                        "where": [booked],
                        "rate": {"average": 1000},
                    },
                    {"kind": "create", "entity": "Night", "rate": {"average": 0.1}},
                ]
            ),
        }
    )


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("identifier", "statistics", "guarded"),
    [
        (["hotelId", "roomNo", "night"], {}, True),  # a hotel has many rooms and nights
        (["roomNo", "night", "hotelId"], {"distinct": 1000}, True),  # too few for each night
        (["roomNo", "night", "hotelId"], {"distinct": None}, False),  # generated for each
        (["hotelId"], {"distinct": 1000}, False),
    ],
)
def test_only_what_is_generated_for_each_item_is_unique_without_a_guard(
    style, identifier, statistics, guarded
):
    design = nights(identifier, **statistics)
    model = EntityModel(design, design.entities[0], style, requirements_of(design, style))
    by_booking = Structure("Night", "base", ("bookingId",), tuple(identifier))
    assert needs_identifier_guard(model, by_booking) == guarded
    assert prove_on(Engine("memory", Memory()), design, plan(design, style)).passed


# No item has the key of another (rule 1)


def keys_of(design, style="single"):
    (table,) = plan(design, style).tables
    return {s.shape: tuple(s.set[part] for part in ("PK", "SK")) for s in table.items}


def named(by):
    return [{"attribute": name, "is": {"param": name}} for name in by]


def braced(names):
    return [f"{{{name}}}" for name in names]


def alike(
    unique: tuple[str, ...],
    identifier: tuple[str, ...] = ("userId",),
    patterns: tuple[dict, ...] = (),
    **kind: object,
) -> Design:
    """Users who are pinned to lie under a day, with attributes called so that keys would be alike."""
    attributes = [{"name": "day", "format": "date"}]
    attributes += [{"name": name, "bytes": 8, "unique": True} for name in unique]
    attributes += [{"name": name, **(kind or {"bytes": 8})} for name in identifier]
    of_day = {**STRONG, "kind": "list", "where": named(["day"])}
    key = {"partition": "DAY#{day}", "sort": "#".join(["USER", *braced(identifier)])}
    return Design.model_validate(
        {
            "name": "Users",
            "entities": [
                {"name": "User", "identifier": identifier, "items": 5000, "attributes": attributes}
            ],
            "patterns": numbered(({**CREATE, "rate": {"average": 0.01}}, of_day, *patterns)),
            "planner": {
                "objective": "cost",
                "pins": [{"style": "single", "entity": "User", "key": key}],
            },
        }
    )


STRONG = {"returns": "User", "consistency": "strong", "rate": {"average": 50}}
ALIKE = {
    "two": (("email", "emailId"), ("userId",)),
    "three": (("email", "email_id", "emailId", "email2"), ("userId",)),
    "identifier": (("id",), ("userId",)),
    "several": (("id",), ("userId", "line")),
}


@pytest.mark.parametrize("case", ALIKE)
def test_no_two_guards_have_one_key(case):
    unique, _ = ALIKE[case]
    design = alike(*ALIKE[case])
    made = plan(design, "single")
    assert sum(s.role == "guard" for s in made.tables[0].items) == len(unique) + 1
    assert [pair for table in made.tables for pair in colliding(table)] == []
    verdict = prove_on(Engine("memory", Memory()), design, made)
    assert (verdict.problem, verdict.passed) == ("", True)
    for guard in made.tables[0].items[1:]:
        told = {n: "x" * (10 if n == "day" else 8) for n in guard.attributes}
        told |= {name: render(text, told.get) for name, text in guard.set.items()}
        assert item_bytes(told) == guard.bytes


def test_guards_keep_their_plain_keys_where_these_cannot_be_alike():
    assert keys_of(alike(("id", "email"), ("userId", "line"))) == {
        "User": ("DAY#{day}", "USER#{userId}#{line}"),
        "UserIdGuard": ("USER#ID#{id}", "A"),
        "UserEmailGuard": ("USER#EMAIL#{email}", "A"),
        "UserGuard": ("USER#ID#{userId}#{line}", "A"),
    }


def with_a_copy(**kind) -> Design:
    """Users whom a strong read asks for by their identifier of two values."""
    identifier = ("userId", "line")
    get = {**STRONG, "kind": "get", "where": named(identifier)}
    return alike((), identifier, (get,), **kind)


def test_no_copy_has_the_key_of_a_guard():
    """The copy of the item ("ID", "7") would have the key of the guard of ("LINE", "7")."""
    made = plan(with_a_copy(bytes=8), "single")
    (table,) = made.tables
    found = {shape.shape: shape.set for shape in table.items}
    copy, guard = found["UserByUserIdLine"], found["UserGuard"]
    one, other = {"userId": "ID", "line": "7"}, {"userId": "LINE", "line": "7"}
    assert copy["PK"] == "USER#{userId}#LINE#{line}"
    assert render(copy["PK"], one.get) != render(guard["PK"], other.get)
    assert [f.message for f in made.findings if f.rule == "pin-collides"] == []


def test_a_padded_number_cannot_be_a_word():
    made = plan(with_a_copy(type="N", digits=9), "single")
    found = {shape.shape: shape.set["PK"] for shape in made.tables[0].items}
    assert found["UserByUserIdLine"] == "USER#{pad(9, 0, userId)}#LINE#{pad(9, 0, line)}"
    assert found["UserGuard"] == "USER#ID#{pad(9, 0, userId)}#{pad(9, 0, line)}"
    assert [f.message for f in made.findings if f.rule == "pin-collides"] == []


ATTRIBUTES = ("userId", "line", "lineId", "id", "email", "emailId", "user")


def like_named(random: Random) -> Design:
    """Entities whose tokens and attributes are called alike, with strong reads by anything, some under a pinned key."""
    entities, patterns, pins = [], [], []
    for name in ("User", "Line", "Id"):
        identifier = random.sample(ATTRIBUTES, random.choice((1, 2, 2)))
        attributes = [
            {"name": a, "bytes": 8, "unique": random.random() < 0.4 and [a] != identifier}
            for a in ATTRIBUTES
        ]
        attributes.append({"name": "day", "format": "date"})
        entities.append(
            {"name": name, "identifier": identifier, "items": 5000, "attributes": attributes}
        )
        patterns.append({"kind": "create", "entity": name, "rate": {"average": 0.01}})
        asked = [identifier, *(random.sample(ATTRIBUTES, random.choice((1, 2))) for _ in range(2))]
        patterns += [
            {**STRONG, "kind": "list", "returns": name, "where": named(by)} for by in asked
        ]
        if random.random() < 0.5:
            key = {"partition": "DAY#{day}", "sort": "#".join([name.upper(), *braced(identifier)])}
            pins.append({"style": "single", "entity": name, "key": key})
    document = {"name": "Alike", "entities": entities, "patterns": numbered(tuple(patterns))}
    return Design.model_validate({**document, "planner": {"pins": pins}})


def test_no_two_items_of_one_table_can_have_one_key():
    made = [outlined(like_named(Random(seed)), "single") for seed in range(40)]
    assert [pair for each in made for table in each.tables for pair in colliding(table)] == []
    roles = [shape.role for each in made for table in each.tables for shape in table.items]
    assert min(roles.count("copy"), roles.count("guard")) > 40


IDENTIFIED = {
    "User": "userId",
    "UserByTeamId": "thing",
    "UserTeamGuard": "thing",
}


@pytest.mark.parametrize("style", STYLES)
def test_no_two_shapes_have_one_name(style):
    """An entity may be called what a copy or a guard would be."""
    design = Design.model_validate(
        {
            "name": "Names",
            "planner": {"objective": "cost"},
            "entities": [
                {
                    "name": "User",
                    "identifier": ["userId"],
                    "attributes": [
                        {"name": "userId"},
                        {"name": "email", "unique": True},
                        {"name": "teamId"},
                        {"name": "team", "unique": True},
                    ],
                },
                *(
                    {"name": name, "identifier": ["thing"], "attributes": [{"name": "thing"}]}
                    for name in IDENTIFIED
                    if name != "User"
                ),
            ],
            "patterns": numbered(
                (
                    {
                        "kind": "list",
                        "returns": "User",
                        "where": [{"attribute": "teamId", "is": {"param": "teamId"}}],
                        "consistency": "strong",
                    },
                    *(
                        {"kind": "get", "returns": name, "where": named([identifier])}
                        for name, identifier in IDENTIFIED.items()
                    ),
                    *({"kind": "create", "entity": name} for name in IDENTIFIED),
                )
            ),
        }
    )
    made = plan(design, style)
    names = [shape.shape for table in made.tables for shape in table.items]
    assert {"UserByTeamId2", "UserTeamGuard2", "UserEmailGuard"} <= {*names}
    assert len(names) == len({*names})
    verdict = prove_on(Engine("memory", Memory()), design, made)
    assert verdict.passed, [p for p in verdict.patterns if p.status != "passed"] or verdict.problem
