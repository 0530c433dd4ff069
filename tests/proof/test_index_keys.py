"""Index keys of several attributes, numbers as keys, local indexes and copies do what the design says."""

import pytest

from designer.core.design.document import Design
from designer.core.plan import STYLES, Plan
from designer.proof.engine import engine
from designer.proof.prove import prove_on
from designer.proof.refusals import mistyped, refused
from designer.proof.tables import description
from tests.core import test_directions as directions
from tests.core import test_index_keys as cases
from tests.core.test_planner import design, is_
from tests.planned import outlined
from tests.proof.test_runner import run_design

EVERY_ORDER = [
    cases.BY_RANK,
    {**cases.BY_RANK, "order": ["rank descending", "dueAt descending"]},
    {
        **cases.BY_RANK,
        "where": [
            is_("teamId"),
            is_("site"),
            {"attribute": "rank", "from": {"param": "least"}, "below": {"param": "most"}},
        ],
        "order": ["rank descending"],
    },
    {
        **cases.BY_RANK,
        "where": [
            is_("teamId"),
            is_("site"),
            is_("rank"),
            {"attribute": "dueAt", "after": {"param": "since"}},
        ],
        "order": ["dueAt ascending"],
    },
    cases.SET_RANK,
    {**cases.SET_RANK, "set": {}, "add": {"rank": {"param": "more"}}},
    {**cases.SET_RANK, "set": {}, "remove": ["rank"]},
    cases.GET,
    cases.CREATE,
    {"kind": "delete", "entity": "Task", "rate": {"average": 1}},
]
OPTIONAL = {
    **cases.TASK,
    "attributes": [
        {**one, "present": 0.5} if one["name"] == "rank" else one
        for one in cases.TASK["attributes"]
    ],
}
SEVERAL = design([OPTIONAL], EVERY_ORDER, planner=cases.ATTRIBUTES)
OTHER_WAY = {
    **directions.TASK,
    "attributes": [
        {**one, "present": 0.5} if one["name"] in ("rank", "state") else one
        for one in directions.TASK["attributes"]
    ],
}
LEVEL, LEVEL_ASKED = cases.leveled("points")
NATIVE = {
    "numbers": design(
        [cases.SCORE, LEVEL],
        [
            cases.BOARD,
            cases.WIN,
            *LEVEL_ASKED,
            {
                **cases.BOARD,
                "where": [
                    is_("gameId"),
                    {"attribute": "points", "after": {"param": "low"}, "to": {"param": "high"}},
                ],
            },
            {"kind": "create", "entity": "Score", "rate": {"average": 1}},
            {"kind": "delete", "entity": "Score", "rate": {"average": 1}},
        ],
    ),
    "local": design(
        [cases.MAIL],
        [
            cases.LARGEST,
            cases.NEWEST,
            cases.ARRIVE,
            {"kind": "delete", "entity": "Mail", "rate": {"average": 1}},
        ],
    ),
    "directions": design(
        [OTHER_WAY],
        [
            directions.listed("rank ascending", "dueAt descending"),
            directions.listed("rank descending", "dueAt ascending"),
            directions.listed("title ascending", "cost descending"),
            directions.listed("dueAt descending", "state ascending"),
            directions.listed(
                "cost descending",
                where=(
                    is_("title"),
                    {"attribute": "cost", "from": {"param": "low"}, "below": {"param": "high"}},
                ),
            ),
            directions.listed(
                "cost ascending",
                where=(is_("title"), {"attribute": "cost", "after": {"param": "low"}}),
            ),
            *directions.OTHERS,
        ],
    ),
    "copies": design([cases.DOC], [cases.OWNED, cases.GET_DOC, *cases.DOC_WRITES]),
}


def proven(chosen, said: Design, style) -> Plan:
    made = outlined(said, style)
    verdict = prove_on(chosen, said, made)
    wrong = [(p.name, p.difference, p.parameters) for p in verdict.patterns if p.status != "passed"]
    assert (verdict.problem, wrong) == ("", [])
    return made


@pytest.mark.parametrize("style", STYLES)
def test_keys_of_several_attributes_are_proven(style):
    made = proven(engine(), SEVERAL, style)
    sorts = [len(index.sort) for table in made.tables for index in table.indexes]
    assert max(sorts) > 1


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", NATIVE)
def test_numbers_local_indexes_and_copies_are_proven(name, style):
    proven(engine(), NATIVE[name], style)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("said", [SEVERAL, *NATIVE.values()], ids=["several", *NATIVE])
def test_a_stranger_runs_them_from_the_documents(said, style):
    run_design(engine(), said, style)


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", NATIVE)
def test_numbers_local_indexes_and_copies_are_proven_on_dynamodb_local(name, style, dynamodb_local):
    proven(engine(dynamodb_local), NATIVE[name], style)


@pytest.mark.engine_local
def test_an_engine_without_keys_of_several_attributes_is_refused_in_words(dynamodb_local):
    chosen = engine(dynamodb_local)
    verdict = prove_on(chosen, SEVERAL, outlined(SEVERAL, "multi"))
    assert not verdict.passed
    assert {one.status for one in verdict.patterns} == {"not run"}
    assert verdict.problem.startswith(
        "This engine does not support index keys of several attributes, which "
    )


# What emulators accept, and DynamoDB does not


def described() -> dict:
    (table,) = outlined(SEVERAL, "multi").tables
    made = description(table, "tasks")
    assert refused(made) == []
    return made


def keyed(*pairs: str) -> dict:
    """The table with an index of these keys, each `name HASH` or `name RANGE`."""
    schema = [
        {"AttributeName": name, "KeyType": kind} for name, kind in (pair.split() for pair in pairs)
    ]
    made = described()
    projection = {"ProjectionType": "KEYS_ONLY"}
    made["GlobalSecondaryIndexes"] = [
        {"IndexName": "ByThese", "KeySchema": schema, "Projection": projection}
    ]
    names = dict.fromkeys([key["AttributeName"] for key in [*made["KeySchema"], *schema]])
    made["AttributeDefinitions"] = [{"AttributeName": name, "AttributeType": "S"} for name in names]
    return made


def test_four_attributes_on_each_side_are_the_most():
    four = [*(f"a{n} HASH" for n in range(4)), *(f"b{n} RANGE" for n in range(4))]
    assert refused(keyed(*four)) == []
    (said,) = refused(keyed("z HASH", *four))
    assert said.startswith("The key of ByThese has 5 HASH and 4 RANGE attributes")
    (said,) = refused(keyed(*four, "z RANGE"))
    assert said.startswith("The key of ByThese has 4 HASH and 5 RANGE attributes")


def test_partition_attributes_come_before_sort_attributes():
    (said,) = refused(keyed("a HASH", "b RANGE", "c HASH"))
    assert said == "In the key of ByThese a RANGE attribute stands before a HASH attribute."


def test_a_key_needs_a_partition_attribute_and_names_none_twice():
    assert refused(keyed("a RANGE")) != []
    (said,) = refused(keyed("a HASH", "a RANGE"))
    assert said == "The key of ByThese names an attribute twice."


def test_key_attributes_are_defined_each_once_with_a_type_that_keys_can_have():
    made = described()
    made["AttributeDefinitions"].append({"AttributeName": "spare", "AttributeType": "S"})
    assert refused(made) == ["The attributes defined must be those of the keys, each once."]
    made = described()
    made["AttributeDefinitions"][0]["AttributeType"] = "BOOL"
    (said,) = refused(made)
    assert said.endswith("is of type BOOL, and keys are of type S, N or B.")


def test_a_local_index_has_its_tables_partition_key_and_another_sort_key():
    (table,) = outlined(NATIVE["local"], "multi").tables
    made = description(table, "mails")
    assert refused(made) == []
    made["LocalSecondaryIndexes"][0]["KeySchema"][0]["AttributeName"] = "size"
    made["LocalSecondaryIndexes"][0]["KeySchema"][1]["AttributeName"] = "boxId"
    (said,) = refused(made)
    assert said.startswith("The local index MailsBySize must have its table's HASH attribute")


def test_a_number_in_a_key_of_texts_is_refused():
    (table,) = outlined(SEVERAL, "multi").tables
    assert mistyped(table) == []
    (index,) = (one for one in table.indexes if any(part.name == "rank" for part in one.sort))
    text = tuple(
        part.model_copy(update={"type": "S"}) if part.name == "rank" else part
        for part in index.sort
    )
    wrong = table.model_copy(update={"indexes": (index.model_copy(update={"sort": text}),)})
    assert mistyped(wrong) == ["Task stores rank as N, and it is a key of type S."]


def test_a_plan_that_dynamodb_would_refuse_is_not_tried():
    made = outlined(SEVERAL, "multi")
    (table,) = made.tables
    (first, *_) = table.indexes
    wide = first.model_copy(update={"partition": (*first.partition, *first.sort) * 3})
    wrong = made.model_copy(update={"tables": (table.model_copy(update={"indexes": (wide,)}),)})
    verdict = prove_on(engine(), SEVERAL, wrong)
    assert verdict.problem.startswith(f"DynamoDB would refuse table {table.name}: ")
