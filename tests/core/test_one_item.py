"""A transaction takes each item once: members that may turn out to be about one item say so."""

from decimal import Decimal
from itertools import combinations
from random import Random

import pytest

from designer.core import answers
from designer.core.answers import Refused
from designer.core.design.document import Design
from designer.core.examples import examples
from designer.core.examples.simulate import run
from designer.core.examples.stored_items import stored_items
from designer.core.grid.answer import requests
from designer.core.plan import STYLES, Member, of_one_item
from designer.core.planner import plan
from designer.core.planner.pipeline import outlined
from designer.core.sentences.steps import step_sentence
from tests.designs_generated import generated

FIGURES = {
    "sent": "sum of sends.amount",
    "received": "sum of receives.amount",
    "largest": "greatest of sends.amount",
    "smallest": "least of receives.amount",
}
ACCOUNT = {
    "name": "Account",
    "identifier": ["accountId"],
    "items": 1000,
    "attributes": [
        {"name": "accountId", "format": "uuid"},
        {"name": "branch", "bytes": 12},
        {"name": "email", "format": "email", "unique": True, "present": 0.5},
        {"name": "state", "values": ["OPEN", "SHUT"]},
        *(
            {"name": name, "type": "N", "digits": 9, "aggregate": figure}
            for name, figure in FIGURES.items()
        ),
    ],
}
TRANSFER = {
    "name": "Transfer",
    "identifier": ["transferId"],
    "items": 10_000,
    "attributes": [
        {"name": "transferId", "format": "uuid"},
        {"name": "sender", "format": "uuid", "refers_to": "Account.accountId"},
        {"name": "receiver", "format": "uuid", "refers_to": "Account.accountId", "present": 0.9},
        {"name": "amount", "type": "N", "digits": 5},
    ],
}
SOME = {"average": 2, "most": 5}
IS_OPEN = [{"attribute": "state", "is": {"value": "OPEN"}}]
OTHER = {"sender": {"param": "newSender"}}
BOTH = {**OTHER, "receiver": {"param": "newReceiver"}}
MORE = {"update": "Transfer", "set": {"amount": {"param": "newAmount"}}}


def together(*members):
    return {"kind": "transaction", "members": list(members)}


PATTERNS = (
    {"kind": "create", "entity": "Transfer"},
    {"kind": "delete", "entity": "Transfer"},
    {"kind": "update", "entity": "Transfer", "set": MORE["set"]},
    {"kind": "update", "entity": "Transfer", "set": OTHER},
    {"kind": "update", "entity": "Transfer", "set": BOTH},
    {"kind": "create", "entity": "Transfer", "times": SOME},
    together({"check": "Account", "exists": True}, MORE),
    together({"check": "Account", "exists": True}, {"update": "Transfer", "set": OTHER}),
    together({"check": "Account", "if": IS_OPEN}, {"create": "Transfer"}),
    together({"check": "Account", "if": IS_OPEN}, {"delete": "Transfer"}),
    together({"check": "Account", "if": IS_OPEN, "by": ["email"]}, {"delete": "Transfer"}),
    together({"check": "Account", "if": IS_OPEN, "times": SOME}, {"create": "Transfer"}),
    together({"check": "Account", "exists": False}, {"delete": "Transfer"}),
    together({"update": "Account", "set": {"state": {"param": "state"}}}, {"delete": "Transfer"}),
    together({"update": "Account", "set": {"email": {"param": "new"}}}, {"delete": "Transfer"}),
    together({"delete": "Account"}, {"delete": "Transfer"}),
    together({"create": "Transfer", "times": SOME}),
    together({"delete": "Transfer", "times": SOME}),
)


def bank(*patterns, **account):
    """Transfers, which refer to an account twice, and patterns whose members may be about one account."""
    relationships = [
        {"name": name, "one": "Account", "many": "Transfer", "by": by, "average": 10}
        for name, by in (("sends", "sender"), ("receives", "receiver"))
    ]
    numbered = [
        {"number": number, "name": f"Pattern {number}", "rate": {"average": 1}, **pattern}
        for number, pattern in enumerate(patterns, 1)
    ]
    return Design.model_validate(
        {
            "name": "Bank",
            "entities": [{**ACCOUNT, **account}, TRANSFER],
            "relationships": relationships,
            "patterns": numbered,
        }
    )


def members(pattern, style="multi"):
    return plan(bank(pattern), style).operations_for(1)[0].steps[-1].members


def state(sender, receiver):
    accounts = tuple({"accountId": name, "state": "OPEN"} for name in "ab")
    transfer = {"transferId": "t", "sender": sender, "receiver": receiver, "amount": Decimal(5)}
    return {"Account": accounts, "Transfer": (transfer,)}


def applied(pattern, parameters, sender="a", receiver="a"):
    design = bank(pattern)
    return answers.apply(design, state(sender, receiver), design.patterns[0], parameters)


def test_two_references_may_lead_to_one_account():
    _, sender, receiver = members({"kind": "delete", "entity": "Transfer"})
    assert (sender.joins, receiver.joins) == (True, True)
    assert {*sender.add, *receiver.add} == {"sent", "received"}
    assert sender.key != receiver.key


def test_both_figures_of_one_account_follow():
    after = applied({"kind": "delete", "entity": "Transfer"}, {"transferId": "t"})
    (first, second) = after["Account"]
    assert (first["sent"], first["received"]) == (-5, -5)
    assert "sent" not in second


def test_a_check_joins_what_keeps_the_figure_unless_it_is_by_the_same_name():
    check = {"check": "Account", "exists": True}
    apart, *_ = members(together(check, MORE))
    assert (apart.verb, apart.joins) == ("check", True)
    named = {**OTHER, "receiver": {"param": "accountId"}}
    made = members(together(check, {"update": "Transfer", "set": named}))
    assert "check" not in {one.verb for one in made}


def test_the_conditions_of_a_check_hold_for_the_account_that_is_also_counted():
    pattern = together({"check": "Account", "if": IS_OPEN}, {"delete": "Transfer"})
    given = {"accountId": "a", "transferId": "t"}
    assert not isinstance(applied(pattern, given), Refused)
    (check, *_) = members(pattern)
    assert [test.attribute for test in check.if_] == ["accountId", "state"]


@pytest.mark.parametrize("verb", ["create", "upsert"])
def test_an_account_that_the_transaction_makes_is_not_written_besides(verb):
    """Whether it is the sender's is not known, and it would have to be there and not be there."""
    found = plan(bank(together({verb: "Account"}, {"delete": "Transfer"})), "multi")
    assert found.operations_for(1)[0].answer == "not served"


def test_nothing_joins_where_names_tell_all_items_apart():
    create = {"create": "Transfer", "set": {"sender": {"param": "accountId"}}}
    one = [entity for entity in bank(together(create)).relationships if entity.name == "sends"]
    design = bank(together({"check": "Account", "exists": True}, create))
    alone = design.model_copy(update={"relationships": tuple(one)})
    for style in STYLES:
        step = plan(alone, style).operations_for(1)[0].steps[-1]
        assert not any(member.joins for member in step.members)


def test_the_leader_of_one_item_is_what_changes_it():
    def member(verb, joins):
        return Member.model_validate({verb: "Account", "table": "t", "joins": joins})

    check, update, other = member("check", True), member("update", True), member("delete", False)
    about = [(check, 1, "check"), (update, 1, "update"), (check, 2, "alone")]
    assert of_one_item(about) == [("update", "check"), ("alone",)]
    assert of_one_item([*about, (other, 1, "other")])[0] == ("other", "check", "update")
    assert of_one_item([(other, 1, "one"), (other, 1, "two")]) == [("one",), ("two",)]


def test_a_reader_is_told():
    made = plan(bank(PATTERNS[9]), "multi")
    operation = made.operations_for(1)[0]
    assert "in one write with other changes to that item" in step_sentence(
        made, operation.steps[-1]
    )
    *_, written, without_receiver = requests(made, operation)
    assert "each Account once" in written.note
    assert without_receiver.note == "the same if receiver was missing when read"


def test_the_grid_lights_an_account_once():
    design = bank(together({"check": "Account", "exists": True}, {"delete": "Transfer"}))
    made = plan(design, "multi")
    shown = examples(design)
    tables = {table.name: stored_items(design, made, shown, table) for table in made.tables}
    transfer = shown["Transfer"][0]
    given = {"transferId": transfer["transferId"], "accountId": transfer["sender"]}
    trace = run(design, made, tables, made.operations_for(1)[0], given)
    (account,) = [
        one for one in tables["Accounts"] if one.values["accountId"] == given["accountId"]
    ]
    touched = [one.verb for one in trace.touched if one.item == account.id]
    assert touched == ["update"]


def test_no_made_up_design_has_a_transaction_that_may_take_an_item_twice():
    """Items of different shapes never are one; others are told apart, join, or are left out where they are the same."""
    joined = 0
    for seed in range(73, 98):
        design = generated(Random(seed))
        for style in STYLES:
            for operation in outlined(design, style).operations:
                for step in operation.steps:
                    if step.call == "TransactWriteItems":
                        joined += any(member.joins for member in step.members)
                        assert list(unguarded(step)) == [], f"design {seed}, {style}"
    assert joined


def unguarded(step):
    for one, other in combinations(step.members, 2):
        alike = (one.table, one.shape) == (other.table, other.shape)
        moves = one.unless_same is not None and one.unless_same == other.unless_same
        if alike and not (one.joins or other.joins or moves):
            yield one, other


RENAMED = {"transferId": {"param": "newTransferId"}}


def renaming(**account):
    """A transfer that goes on under another identifier."""
    pattern = together({"delete": "Transfer"}, {"create": "Transfer", "set": RENAMED})
    return bank(pattern, **account)


@pytest.mark.parametrize("style", STYLES)
def test_two_items_of_one_entity_that_parameters_tell_apart_are_written_together(style):
    made = plan(renaming(), style)
    (operation,) = made.operations_for(1)
    assert operation.answer != "not served"
    own = [one for one in operation.steps[-1].members if one.shape == "Transfer"]
    assert [one.verb for one in own] == ["delete", "put"]
    assert not any(one.joins for one in own)


def test_an_item_that_is_renamed_to_its_own_name_is_refused():
    design = renaming()
    given = {"transferId": "t", "newTransferId": "u", "sender": "a", "amount": Decimal(5)}
    moved = answers.apply(design, state("a", "a"), design.patterns[0], given)
    assert [one["transferId"] for one in moved["Transfer"]] == ["u"]
    same = answers.apply(
        design, state("a", "a"), design.patterns[0], {**given, "newTransferId": "t"}
    )
    assert isinstance(same, Refused)


def test_two_items_of_one_entity_are_not_written_together_where_their_guards_may_be_one():
    pattern = together(
        {"delete": "Account"},
        {"create": "Account", "set": {"accountId": {"param": "newAccountId"}}},
    )
    alone = [one for one in ACCOUNT["attributes"] if "aggregate" not in one]
    for unique, answer in ((True, "not served"), (False, "in one request")):
        attributes = [{**one, "unique": unique} if one["name"] == "email" else one for one in alone]
        made = plan(bank(pattern, attributes=attributes), "multi")
        assert made.operations_for(1)[0].answer == answer
