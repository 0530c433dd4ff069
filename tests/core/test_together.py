"""What one request brings that would take two: both people of a message."""

import pytest

from designer.core.answer import requests
from designer.core.design.document import Design
from designer.core.planner import plan
from designer.core.sentences import served_by
from designer.proof.prove import prove


def messages(consistency: str = "eventual") -> Design:
    def of(name: str, by: str) -> dict:
        return {"name": name, "one": "Person", "many": "Message", "by": by, "average": 20}

    along = [{"relationship": "sent", "attributes": ["name"]}, {"relationship": "received"}]
    return Design.model_validate(
        {
            "name": "Messages",
            "entities": [
                {
                    "name": "Person",
                    "identifier": ["personId"],
                    "items": 1000,
                    "attributes": [
                        {"name": "personId", "format": "ulid"},
                        {"name": "name", "bytes": 20},
                        {"name": "town", "bytes": 10},
                    ],
                },
                {
                    "name": "Message",
                    "identifier": ["boxId", "messageId"],
                    "items": 20_000,
                    "attributes": [
                        {"name": "boxId", "format": "ulid"},
                        {"name": "messageId", "format": "ulid"},
                        {"name": "senderId", "format": "ulid", "refers_to": "Person.personId"},
                        {"name": "receiverId", "format": "ulid", "refers_to": "Person.personId"},
                    ],
                },
            ],
            "relationships": [of("sent", "senderId"), of("received", "receiverId")],
            "patterns": [
                {
                    "number": 1,
                    "name": "A message with its people",
                    "kind": "get",
                    "returns": "Message",
                    "where": [
                        {"attribute": "boxId", "is": {"param": "boxId"}},
                        {"attribute": "messageId", "is": {"param": "messageId"}},
                    ],
                    "with": along,
                    "consistency": consistency,
                    "rate": {"average": 1},
                },
                {
                    "number": 2,
                    "name": "A box with all its people",
                    "kind": "list",
                    "returns": "Message",
                    "where": [{"attribute": "boxId", "is": {"param": "boxId"}}],
                    "with": along,
                    "consistency": consistency,
                    "expects": 10,
                    "rate": {"average": 1},
                },
            ],
        }
    )


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize("consistency", ["eventual", "strong", "transactional"])
def test_two_references_to_one_entity_are_got_in_one_request(style, consistency):
    design = messages(consistency)
    made = plan(design, style)
    for number, people in ((1, 2), (2, 20)):
        (found,) = made.operations_for(number)
        first, second = found.steps
        assert second.call in ("BatchGetItem", "TransactGetItems")
        assert found.requests == 2
        assert second.expects.read == people
        assert second.expects.units == people * {"eventual": 0.5, "strong": 1}.get(consistency, 2)
        assert found.read_units == first.expects.units + second.expects.units
        assert [part.steps for part in found.result.parts[1:]] == [("s2",), ("s2",)]
    assert prove(design, made).passed


def test_the_request_and_the_sentence_name_both():
    made = plan(messages(), "multi")
    (found,) = made.operations_for(1)
    shown = list(requests(made, found))[1].text
    assert "s1.senderId" in shown
    assert "s1.receiverId" in shown
    assert "and personId = <s1.receiverId>" in served_by(made, found)
