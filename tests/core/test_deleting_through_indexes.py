"""What is deleted with its collection may be found through an index (rule 12), which leaves the key to other reads."""

import pytest

from designer.core.grid.answer import requests
from designer.core.plan import Plan
from designer.core.planner import plan
from designer.core.sentences.steps import served_by
from designer.proof.engine import Engine
from designer.proof.execute import execute
from designer.proof.prove import prove_on
from designer.proof.tables import Tables
from tests.core.test_planner import design, is_, listing, operation
from tests.expressions import wire
from tests.memory import Memory
from tests.messages import reasons_of
from tests.runner import Runner

SESSION = {
    "name": "Session",
    "identifier": ["token"],
    "items": 5_000_000,
    "attributes": [
        {"name": "token", "format": "uuid"},
        {"name": "userId", "format": "uuid", "distinct": 1_000_000},
        {"name": "device", "bytes": 20},
        {"name": "seenAt", "format": "datetime", "mutable": True},
    ],
}
GET = {
    "kind": "get",
    "returns": "Session",
    "where": [is_("token")],
    "rate": {"average": 1000},
}
SIGN_IN = {"kind": "create", "entity": "Session", "rate": {"average": 50}}
SEEN = {
    "kind": "update",
    "entity": "Session",
    "set": {"seenAt": {"param": "now"}},
    "rate": {"average": 200},
}
OF_USER = {**listing(is_("userId"), rate={"average": 5}), "returns": "Session"}
LOG_OUT = {
    "kind": "delete",
    "entity": "Session",
    "where": [is_("userId")],
    "rate": {"average": 0.01},
}
DEVICE = {
    "name": "Device",
    "identifier": ["deviceId"],
    "items": 100_000,
    "attributes": [
        {"name": "deviceId", "format": "uuid"},
        {"name": "homeId", "format": "uuid", "distinct": 10_000, "mutable": True},
        {"name": "imei", "bytes": 15, "unique": True, "mutable": True},
    ],
}
MOVE = {
    "kind": "update",
    "entity": "Device",
    "set": {"homeId": {"param": "newHome"}, "imei": {"param": "newImei"}},
    "rate": {"average": 1},
}
EMPTY_HOME = {
    "kind": "delete",
    "entity": "Device",
    "where": [is_("homeId")],
    "rate": {"average": 0.1},
}


@pytest.fixture(params=["single", "multi"])
def style(request):
    return request.param


@pytest.fixture
def sessions():
    return design([SESSION], [SIGN_IN, GET, SEEN, OF_USER, LOG_OUT])


@pytest.fixture
def devices():
    """Items whose collection changes, and whose unique values have guards."""
    made = {"kind": "create", "entity": "Device", "rate": {"average": 1}}
    return design([DEVICE], [made, MOVE, EMPTY_HOME])


def proven(of, made):
    verdict = prove_on(Engine("memory", Memory()), of, made)
    return [verdict.problem] * bool(verdict.problem) + [
        one.difference for one in verdict.patterns if one.status != "passed"
    ]


def test_deleting_a_collection_leaves_the_table_the_key_of_its_point_reads(sessions, style):
    made = plan(sessions, style)
    (read,) = operation(made, 2).steps
    assert (read.call, read.consistent) == ("GetItem", False)
    assert not [shape for table in made.tables for shape in table.items if shape.role == "guard"]
    deleting = operation(made, 5)
    found, written = deleting.steps
    assert deleting.until_none
    assert (found.call, found.index is None, found.consistent) == ("Query", False, False)
    assert (written.call, written.for_each.rows) == ("DeleteItem", found.id)
    (member,) = written.members
    assert [(test.attribute, test.is_) for test in member.if_[1:]] == [("userId", "{userId}")]
    assert member.if_[0].exists


def test_the_last_query_that_finds_nothing_is_paid_for(sessions, style):
    found, written = operation(plan(sessions, style), 5).steps
    assert found.expects.requests == 2
    assert found.expects.units == 1
    assert written.expects.requests == 5


def test_the_decision_says_how_items_are_deleted_through_the_index(sessions, style):
    (decision,) = [one for one in plan(sessions, style).decisions if one.about.startswith("index ")]
    assert 5 in decision.serves
    assert reasons_of(decision)["deletes-through-index"]["patterns"] == (5,)


def test_requests_and_sentence_say_that_it_is_done_again(sessions, style):
    made = plan(sessions, style)
    deleting = operation(made, 5)
    assert "repeated until nothing is found" in served_by(made, deleting)
    found, written = requests(made, deleting)
    assert found.note == "page by page"
    assert "then all requests again until nothing is found" in written.note


def test_where_the_table_lists_the_collection_it_is_read_strongly_and_deleted_at_once(style):
    made = plan(design([SESSION], [SIGN_IN, {**OF_USER, "consistency": "strong"}, LOG_OUT]), style)
    deleting = operation(made, 3)
    found, written = deleting.steps
    assert not deleting.until_none
    assert (found.index, found.consistent) == (None, True)
    assert written.call == "BatchWriteItem"
    assert not written.members[0].if_


def test_items_whose_collection_changes_are_deleted_with_their_guards(devices, style):
    made = plan(devices, style)
    deleting = operation(made, 3)
    _, written = deleting.steps
    assert deleting.until_none
    assert written.call == "TransactWriteItems"
    item, guard = written.members
    assert [test.attribute for test in item.if_[1:]] == ["homeId", "imei"]
    assert "imei" in str(guard.key)
    assert proven(devices, made) == []


def test_only_what_belongs_to_the_collection_is_deleted(sessions, style):
    assert proven(sessions, plan(sessions, style)) == []


def test_a_plan_that_trusts_the_index_fails_its_proof(sessions, style):
    """An item that has moved since is deleted with a collection that it has left."""
    wrong = plan(sessions, style).model_dump(mode="json", by_alias=True)
    (deleting,) = [one for one in wrong["operations"] if one["pattern"] == 5]
    deleting["steps"][-1]["members"][0]["if"] = []
    (said,) = proven(sessions, Plan.model_validate(wrong))
    assert said.startswith("while the index lags behind")


class Late(Memory):
    """Tables of which every index names an item of somebody else in its first answer."""

    stale = None

    def query(self, **request):
        answer = super().query(**request)
        if self.stale is None or "IndexName" not in request:
            return answer
        entry, self.stale = self.stale, None
        many = answer["Count"] + 1
        return {**answer, "Items": [*answer["Items"], entry], "Count": many, "ScannedCount": many}


def test_a_stranger_deletes_a_collection_and_nothing_that_has_left_it(sessions, style):
    made = plan(sessions, style)
    client = Late()
    runner = Runner(client, made.as_json())
    runner.create_tables()
    tokens = {name: f"{number:032x}" for number, name in enumerate(("mine", "too", "moved"))}
    for name, token in tokens.items():
        whose = "other" if name == "moved" else "me"
        session = {"token": token, "userId": whose, "device": "d", "seenAt": "2026-01-01T00:00:00Z"}
        runner.put("Session", session)
    (table,) = made.tables
    (_, stored), *_ = runner.items("Session", {**session, "token": tokens["moved"]}, {})
    client.stale = wire({**stored, "userId": "me"})
    assert runner.run(5, {"userId": "me"}) is True
    left = client.scan(TableName=table.name)["Items"]
    assert [item["token"]["S"] for item in left] == [tokens["moved"]]


FOLLOWING = {
    "name": "Following",
    "identifier": ["personId", "followedId"],
    "items": 1_000_000,
    "attributes": [
        {"name": "personId", "format": "uuid", "refers_to": "Person.personId"},
        {"name": "followedId", "format": "uuid", "refers_to": "Person.personId"},
        {"name": "since", "format": "datetime"},
    ],
}
PERSON = {
    "name": "Person",
    "identifier": ["personId"],
    "items": 100_000,
    "attributes": [{"name": "personId", "format": "uuid"}, {"name": "email", "bytes": 20}],
}


def test_edges_are_deleted_through_their_other_side(style):
    follows = {
        "name": "follows",
        "many": ["Person", "Person"],
        "through": "Following",
        "averages": [10, 10],
    }
    of = {**listing(is_("personId"), order=["since descending"]), "returns": "Following"}
    strong = {**of, "consistency": "strong"}
    followed = {**listing(is_("followedId")), "returns": "Following"}
    gone = {"kind": "delete", "entity": "Following", "where": [is_("followedId")]}
    make = {"kind": "create", "entity": "Following", "rate": {"average": 5}}
    for reads in (
        [of, followed],
        [strong, followed],
        [strong, {**followed, "consistency": "strong"}],
    ):
        made_of = design([PERSON, FOLLOWING], [make, *reads, gone], relationships=[follows])
        made = plan(made_of, style)
        assert proven(made_of, made) == []


class Forgetful(Memory):
    """Tables whose index still names what is gone, in several answers."""

    def __init__(self, times):
        super().__init__()
        self.times, self.before = times, None

    def query(self, **request):
        answer = super().query(**request)
        if "IndexName" not in request or self.times == 0:
            return answer
        self.times -= 1
        self.before = self.before or answer
        return self.before


def test_an_index_that_is_behind_for_long_is_asked_until_it_has_nothing(sessions, style):
    made = plan(sessions, style)
    item = {"token": "0" * 32, "userId": "me", "device": "d", "seenAt": "2026-01-01T00:00:00Z"}
    client = Forgetful(times=4)
    runner = Runner(client, made.as_json())
    runner.create_tables()
    runner.put("Session", item)
    outcome = execute(Tables(client, made, ""), operation(made, 5), {"userId": "me"})
    assert not outcome.refused
    assert client.scan(TableName=made.tables[0].name)["Items"] == []
    assert [call.call for call in outcome.calls].count("Query") == 5
