"""The units that our rules predict for each request are those that DynamoDB Local reports.

Three things it counts in its own way: a Query that finds nothing and a key of a batch that is not there cost nothing
there, and of a transaction's items it counts equal ones once, at twice the rate of the largest.
"""

from importlib import import_module
from random import Random

import pytest

from designer.core import gallery
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.proof import capacity
from designer.proof.engine import Engine, engine
from designer.proof.prove import prove_on
from tests.designs_generated import generated
from tests.memory import Memory
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


class Compared(capacity.Capacity):
    """Compares each request by itself with what the engine reported."""

    compared: list
    differences: list

    def used(self, sent, after=None):
        for one in sent:
            if "Error" not in one.answer and not self.is_counted_otherwise(one):
                ours = super().used([one], after)
                said = one.answer["ConsumedCapacity"]
                said = sum(
                    each["CapacityUnits"] for each in (said if isinstance(said, list) else [said])
                )
                self.compared.append(one.method)
                if ours.read + ours.write != said:
                    self.differences.append((one.method, one.arguments, ours, said))
        return super().used(sent, after)

    def is_counted_otherwise(self, one):
        if one.method == "query":
            return one.answer["ScannedCount"] == 0
        if one.method == "batch_get_item":
            wanted = sum(len(each["Keys"]) for each in one.arguments["RequestItems"].values())
            return sum(map(len, one.answer["Responses"].values())) < wanted
        return one.method.startswith("transact")


@pytest.fixture
def comparing(monkeypatch):
    monkeypatch.setattr(Compared, "compared", [], raising=False)
    monkeypatch.setattr(Compared, "differences", [], raising=False)
    # The package has a function of the module's name.
    monkeypatch.setattr(import_module("designer.proof.prove"), "Capacity", Compared)
    return Compared


def proven(design, style, address):
    verdict = prove_on(engine(address), design, plan(design, style), examples=True)
    assert verdict.passed, verdict.problem


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_the_gallery_uses_what_the_rules_say(slug, style, comparing, dynamodb_local):
    proven(gallery.load(slug), style, dynamodb_local)
    assert comparing.differences == []
    assert comparing.compared


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", range(6))
def test_generated_designs_use_what_the_rules_say(seed, style, comparing, dynamodb_local):
    proven(generated(Random(seed)), style, dynamodb_local)
    assert comparing.differences == []


@pytest.mark.engine_local
@pytest.mark.parametrize("rule", ["read_units", "write_units", "index_write_units"])
def test_a_wrong_rule_is_found(rule, comparing, dynamodb_local, monkeypatch):
    right = getattr(capacity, rule)
    monkeypatch.setattr(capacity, rule, lambda *given, **named: right(*given, **named) * 2)
    proven(gallery.load("shop"), "single", dynamodb_local)
    assert comparing.differences
