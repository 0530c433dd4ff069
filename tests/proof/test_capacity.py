"""The units that our rules predict for each request are those that DynamoDB Local reports, in each table and index.

Three things it counts in its own way: a Query that finds nothing and a key of a batch that is not there cost nothing
there, and a transaction's writes cost twice what they do on AWS, equal ones of them once; so each of them is sent
again as a write of its own. All else is as it is billed.
"""

from random import Random

import pytest

from designer.core.design import gallery
from designer.core.plan import STYLES
from designer.proof import capacity
from designer.proof.engine import Engine, engine
from designer.proof.prove import prove_on
from tests.designs_generated import generated
from tests.memory import Memory
from tests.planned import outlined
from tests.proof.plans import DESIGN, multi, plan_of, single


@pytest.mark.parametrize("document", [single, multi])
def test_units_worked_out_by_hand(document):
    verdict = prove_on(Engine("memory", Memory()), DESIGN, plan_of(document()), examples=True)
    found = {each.pattern: each for each in verdict.patterns}
    # Twelve e-mail addresses are looked up, each half a unit, and the ten users who are there.
    assert (found[1].cases, found[1].read_units_by_rule) == (12, 12 * 0.5 + 10 * 0.5)
    # Four ranges, each well under 4 KB.
    assert (found[3].cases, found[3].read_units_by_rule) == (4, 4 * 0.5)
    # Three orders become paid: one unit for the item, and two for the index, whose key moves.
    assert (found[7].cases - found[7].refused, found[7].write_units_by_rule) == (3, 3 * (1 + 2))


def proven(design, style, address, **options):
    made = outlined(design, style)
    verdict = prove_on(engine(address), design, made, examples=True, **options)
    assert verdict.passed, verdict.problem
    return verdict


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_the_gallery_is_proven_and_uses_what_the_rules_say(slug, style, dynamodb_local):
    verdict = proven(gallery.load(slug), style, dynamodb_local)
    assert set(verdict.count) <= {"passed", "elsewhere"}
    compared, differing = verdict.units
    assert compared > 0 and differing == 0
    several = [one for one in verdict.patterns if "TransactWriteItems" in one.operation]
    assert all(one.requests_differing == 0 for one in several)
    if slug == "shop":
        # The writes of a transaction are compared one by one: each went through at least once, with two or more.
        assert several and all(one.requests_compared >= 2 for one in several)


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", range(4))
def test_generated_designs_use_what_the_rules_say(seed, style, dynamodb_local):
    assert proven(generated(Random(seed)), style, dynamodb_local).units[1] == 0


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
def test_pages_of_a_megabyte_use_what_the_rules_say(style, dynamodb_local):
    compared, differing = proven(gallery.load("shop"), style, dynamodb_local, large=True).units
    assert compared > 300 and differing == 0


@pytest.mark.engine_local
@pytest.mark.parametrize("rule", ["read_units", "write_units", "index_write_units"])
def test_a_wrong_rule_is_found(rule, dynamodb_local, monkeypatch):
    right = getattr(capacity, rule)
    monkeypatch.setattr(capacity, rule, lambda *given, **named: right(*given, **named) * 2)
    assert proven(gallery.load("merchant-orders"), "single", dynamodb_local).units[1] > 0


@pytest.mark.engine_local
def test_what_dynamodb_local_counts_in_its_own_way(dynamodb_local):
    client = engine(dynamodb_local).client
    name = "counting"
    key = [{"AttributeName": "id", "KeyType": "HASH"}]
    types = [{"AttributeName": "id", "AttributeType": "S"}]
    made = {"KeySchema": key, "AttributeDefinitions": types, "BillingMode": "PAY_PER_REQUEST"}
    client.create_table(TableName=name, **made)
    reported = {"ReturnConsumedCapacity": "TOTAL"}
    try:
        range_ = {
            "KeyConditionExpression": "#n0 = :v0",
            "ExpressionAttributeNames": {"#n0": "id"},
            "ExpressionAttributeValues": {":v0": {"S": "a"}},
        }
        nothing = client.query(TableName=name, **range_, **reported)
        assert nothing["ConsumedCapacity"]["CapacityUnits"] == 0  # AWS: the minimum, 0.5
        keys = {name: {"Keys": [{"id": {"S": "a"}}]}}
        missing = client.batch_get_item(RequestItems=keys, **reported)
        assert missing["ConsumedCapacity"][0]["CapacityUnits"] == 0  # AWS: the minimum, 0.5
        for ids, aws in (("a", 2), ("bc", 2 * 2)):
            items = [{"Put": {"TableName": name, "Item": {"id": {"S": i}}}} for i in ids]
            said = client.transact_write_items(TransactItems=items, **reported)
            assert said["ConsumedCapacity"][0]["CapacityUnits"] == 4, aws
        for ids, aws in (
            ("ab", 4),
            ("xy", 4),
        ):  # but a transaction's reads as AWS does, found or not
            reads = [{"Get": {"TableName": name, "Key": {"id": {"S": i}}}} for i in ids]
            said = client.transact_get_items(TransactItems=reads, **reported)
            assert said["ConsumedCapacity"][0]["CapacityUnits"] == aws
    finally:
        client.delete_table(TableName=name)
