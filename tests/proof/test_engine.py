"""Engines are named, reached or not, and keep no table of ours."""

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from designer.core.messages import say
from designer.management.refusing import CommandRefusedError
from designer.proof.engine import PREFIX, EngineError, engine
from designer.proof.prove import prove_on
from tests.proof.plans import DESIGN, multi, plan_of


def names(client):
    return client.list_tables()["TableNames"]


def test_moto_is_there_without_an_address_and_is_named():
    assert engine().name == engine("").name == "moto 5.2 (emulator)"


def test_a_moto_at_an_address_is_named_too(moto_server):
    assert engine(moto_server).name == "moto 5.2 (emulator)"


@pytest.mark.engine_local
def test_dynamodb_local_is_named(dynamodb_local):
    assert engine(dynamodb_local).name == "DynamoDB Local"


@pytest.mark.parametrize("address", ["http://127.0.0.1:9", "nonsense", "http://"])
def test_an_address_where_nothing_answers_is_said(address):
    with pytest.raises(EngineError) as error:
        engine(address)
    assert error.value.reason.id == "no-engine-answers"
    assert error.value.reason.values["endpoint"] == address


def test_only_its_own_tables_are_deleted(moto_server):
    chosen = engine(moto_server)
    for name in ("users", f"{PREFIX}of-somebody-else"):
        chosen.client.create_table(
            TableName=name,
            KeySchema=[{"AttributeName": "a", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "a", "AttributeType": "S"}],
            BillingMode="PAY_PER_REQUEST",
        )
    prove_on(chosen, DESIGN, plan_of(multi()), patterns=[1])
    assert sorted(names(chosen.client)) == [f"{PREFIX}of-somebody-else", "users"]


def test_tables_are_deleted_after_a_failure_too():
    document = multi()
    document["tables"][2]["indexes"][0]["sort"] = [{"name": "total", "type": "X"}]
    chosen = engine()
    plan = plan_of(multi()).model_copy(
        update={"tables": (*plan_of(multi()).tables[:2], plan_of(multi()).tables[0])}
    )
    verdict = prove_on(chosen, DESIGN, plan)
    assert verdict.problem
    assert {pattern.status for pattern in verdict.patterns} == {"not run"}
    assert not verdict.passed
    assert names(chosen.client) == []


def test_the_command_proves_and_says_so(capsys):
    call_command("prove", "gallery:starter", "--style", "single")
    said = capsys.readouterr().out
    assert "Starter, single: proven on moto 5.2 (emulator)" in said
    assert "A project with its tasks" in said


@pytest.mark.parametrize(
    ("arguments", "id"),
    [
        ([], "design-or-all"),
        (["gallery:starter", "--all"], "design-or-all"),
        (["gallery:nothing"], "not-in-gallery"),
        (["gallery:starter", "--endpoint", "http://127.0.0.1:9"], "no-engine-answers"),
    ],
)
def test_the_command_says_what_is_wrong(arguments, id):
    with pytest.raises(CommandRefusedError) as error:
        call_command("prove", *arguments)
    assert error.value.reason.id == id


def test_the_command_fails_when_a_pattern_does(monkeypatch, capsys):
    monkeypatch.setattr("designer.management.commands.prove.plan", lambda *_: planted())
    monkeypatch.setattr("designer.management.commands.prove.design_of", lambda _: DESIGN)
    with pytest.raises(CommandRefusedError) as error:
        call_command("prove", "anything", "--style", "multi")
    assert error.value.reason == say(
        "not-proven", plans=(say("plan-of-style", design="Example", style="multi"),)
    )
    said = capsys.readouterr().out
    assert "NOT PROVEN" in said
    assert "asked with {status: 'OPEN'}" in said


@pytest.mark.parametrize("arguments", [["anything"], ["--all"]])
def test_the_command_names_what_is_not_served_and_fails(monkeypatch, capsys, arguments):
    made = plan_of(multi())
    unserved = {
        "answer": "not served",
        "steps": (),
        "reasons": (say("text", text="No key has what it asks."),),
    }
    operations = tuple(
        one.model_copy(update=unserved) if one.pattern in (3, 4) else one for one in made.operations
    )
    made = made.model_copy(update={"operations": operations})
    monkeypatch.setattr("designer.management.commands.prove.plan", lambda *_: made)
    monkeypatch.setattr("designer.management.commands.prove.design_of", lambda _: DESIGN)
    monkeypatch.setattr("designer.management.commands.prove._gallery", lambda: iter([DESIGN]))
    refused = r"Not proven: Example \(multi\), which does not serve patterns 3 and 4\."
    with pytest.raises(CommandError, match=refused):
        call_command("prove", *arguments, "--style", "multi")
    said = capsys.readouterr().out
    assert "NOT PROVEN" in said and "2 not served" in said
    for number in (3, 4):
        lines = said.splitlines()
        at = next(at for at, line in enumerate(lines) if line.split()[:1] == [str(number)])
        assert DESIGN.pattern(number).name[:44] in lines[at]
        assert lines[at + 1].strip() == "No key has what it asks."


def planted():
    document = multi()
    document["operations"][2]["steps"][0]["forward"] = True
    return plan_of(document)
