"""What a proof shows of its requests is what it sent."""

import ast
import json
import shlex
from itertools import pairwise
from types import SimpleNamespace

import pytest

from designer.proof.engine import Engine
from designer.proof.exchanges import Sent
from designer.proof.prove import prove_on
from tests.memory import Memory
from tests.proof.plans import DESIGN, multi, plan_of, single
from tests.proof.test_prove import step

ARGUMENTS = {
    "TableName": "proof-1-shop",
    "KeyConditionExpression": "#n0 = :v0",
    "ScanIndexForward": False,
    "Limit": 20,
    "ExpressionAttributeNames": {"#n0": "PK"},
    "ExpressionAttributeValues": {
        ":v0": {"S": 'it\'s # "quoted" ' + "x" * 60},
        ":v1": {"B": b"\0a"},
    },
}
SENT = Sent("query", ARGUMENTS, {"Items": [{"PK": {"B": b"\0a"}}], "ResponseMetadata": {"a": 1}})


def test_the_code_sends_the_request_again():
    heard = {}
    client = SimpleNamespace(query=lambda **arguments: heard.update(arguments))
    exec(SENT.shown("none-").python, {"boto3": SimpleNamespace(client=lambda name: client)})
    assert heard == ARGUMENTS


def test_the_command_has_every_argument():
    words = shlex.split(SENT.shown("none-").cli.replace("\\\n", ""))
    assert words[:3] == ["aws", "dynamodb", "query"]
    assert "--no-scan-index-forward" in words
    said = dict(pairwise(words))
    assert said["--limit"] == "20"
    values = json.loads(said["--expression-attribute-values"])
    assert values == {":v0": ARGUMENTS["ExpressionAttributeValues"][":v0"], ":v1": {"B": "AGE="}}


def test_the_answer_is_shown_without_what_http_adds():
    shown = SENT.shown("none-")
    assert json.loads(shown.answer) == {"Items": [{"PK": {"B": "AGE="}}]}
    assert shown.call == "Query"


def test_tables_are_called_as_in_the_plan():
    shown = SENT.shown("proof-1-")
    assert "TableName='shop'" in shown.python and "--table-name shop " in shown.cli


def proven(document):
    made = plan_of(document)
    heard = []
    engine = Engine("memory", Memory())
    verdict = prove_on(engine, DESIGN, made, progress=heard.append, examples=True)
    assert sorted(each.pattern for each in heard) == [p.number for p in DESIGN.patterns]
    return {each.pattern: each for each in verdict.patterns}


@pytest.mark.parametrize("document", [single, multi])
def test_a_proof_keeps_a_case_of_each_kind_and_its_requests(document):
    found = proven(document())
    for each in found.values():
        assert each.status == "passed" and each.examples, each.name
        for example in each.examples:
            for exchange in example.exchanges:
                ast.parse(exchange.python)
                assert exchange.call in each.operation
    assert [one.came for one in found[4].examples][1].startswith("Refused, as expected: ")
    assert found[4].examples[0].came.startswith("Succeeded: ")
    assert found[4].refused > 0
    assert found[3].order == "as asked"
    assert found[3].items_expected == found[3].items_returned > 0


@pytest.mark.parametrize(("pattern", "order"), [(2, "wrong"), (3, "")])
def test_a_failed_pattern_keeps_the_case_that_failed(pattern, order):
    document = single()
    step(document, pattern)["forward"] = not step(document, pattern).get("forward", True)
    found = proven(document)[pattern]
    assert (found.status, found.order) == ("failed", order)
    assert found.examples[0].came == found.difference
    assert found.examples[0].exchanges[0].call == "Query"


def test_examples_are_kept_where_they_are_wanted():
    verdict = prove_on(Engine("memory", Memory()), DESIGN, plan_of(single()))
    assert not any(each.examples for each in verdict.patterns)
