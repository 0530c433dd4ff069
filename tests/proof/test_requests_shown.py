"""The requests that pages show are those that a proof sends."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from designer.core.design import gallery
from designer.core.grid.answer import requests
from designer.core.plan import STYLES, Plan
from designer.core.planner.pipeline import outlined
from designer.proof import patterns
from designer.proof.execute import execute
from designer.proof.prove import prove_on
from designer.proof.values import from_wire
from tests.proven import in_memory

pytestmark = pytest.mark.slow
EXPRESSIONS = (
    "KeyConditionExpression",
    "FilterExpression",
    "ConditionExpression",
    "UpdateExpression",
    "ProjectionExpression",
)
VALUE = re.compile(r":\w+")


def flat(parameters: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is done to each item, by its verb; of a read, the parameters themselves."""
    if "TransactItems" in parameters:
        for entry in parameters["TransactItems"]:
            yield from entry.items()
    elif "RequestItems" in parameters:
        for entries in parameters["RequestItems"].values():
            if isinstance(entries, dict):
                yield "Keys", {**entries, "Key": entries["Keys"][0]}
                continue
            for entry in entries:
                yield from entry.items()
    else:
        yield "", parameters


def said_by(parameters: dict[str, Any]) -> tuple[Any, ...]:
    """The expressions of a request with its attributes' own names, and what else it says, but for values."""
    names = parameters.get("ExpressionAttributeNames", {})
    found = []
    for field in EXPRESSIONS:
        text = re.sub(r"#\w+", lambda name: names[name[0]], parameters.get(field, ""))
        text = re.sub(r"IN \([^)]*\)", "IN ()", VALUE.sub(":", text))
        text = re.sub(r"\((\w+ IN \(\))\)", r"\1", text)  # a long list is several tests
        clauses = re.split(r" AND |, (?![^(]*\))|\b(?=SET|REMOVE|ADD|DELETE)| (?=REMOVE|ADD)", text)
        found.append(sorted(filter(None, map(str.strip, clauses))))
    also = [parameters.get(field) for field in ("IndexName", "Limit", "Select")]
    falsy = [parameters.get("ConsistentRead", False), parameters.get("ScanIndexForward", True)]
    return (found, also, falsy, sorted(parameters.get("Key", ())))


def values_used(parameters: dict[str, Any]) -> set[str]:
    return {value for field in EXPRESSIONS for value in VALUE.findall(parameters.get(field, ""))}


def fits(shown: Any, ran: Any) -> bool:
    """Whether a value is one that was shown: `ORDER#<orderId>`, or the constant itself."""
    if not isinstance(shown, str):
        return isinstance(shown, dict) or bool(shown == ran)
    if re.search(r"(count|greatest|least) of | [+-] ", shown):
        return True
    parts = re.split(r"(<[^<>]*>)", shown)
    pattern = "".join(".*" if part.startswith("<") else re.escape(part) for part in parts)
    return re.fullmatch(pattern, str(ran), re.DOTALL) is not None


Sent = dict[tuple[int, tuple[str, ...] | None, str], list[dict[str, Any]]]


def sent_by(slug: str, made: Plan, monkeypatch: pytest.MonkeyPatch) -> Sent:
    """What the proof of a plan sends, by operation and step."""
    found: Sent = defaultdict(list)

    def noting(tables, operation, parameters, sent=None, client=None):
        own = []
        outcome = execute(tables, operation, parameters, own, client)
        for call, one in zip(outcome.calls, own, strict=True):
            found[operation.pattern, operation.given, call.step].append(one.arguments)
        return outcome

    monkeypatch.setattr(patterns, "execute", noting)
    assert prove_on(in_memory(), gallery.load(slug), made).passed
    return found


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "slug",
    [
        "accounts",
        "order-lines",
        "order-states",
        "premium-and-sale",
        "running-totals",
        "user-preferences",
    ],
)
def test_what_is_sent_is_shown(slug, style, monkeypatch):
    made = outlined(gallery.load(slug), style)
    sent = sent_by(slug, made, monkeypatch)
    compared = 0
    for operation in made.operations:
        for step in operation.steps:
            ids = f"request-{style}-{operation.pattern}-{step.id}"
            texts = [
                request.text for request in requests(made, operation) if request.id.startswith(ids)
            ]
            shown = [each for text in texts for each in flat(json.loads(text))]
            for _, parameters in shown:
                given = parameters.get("ExpressionAttributeValues", {})
                assert values_used(parameters) == set(given)
            for arguments in sent.get((operation.pattern, operation.given, step.id), ()):
                for verb, ran in flat(arguments):
                    like = [one for of, one in shown if of == verb and said_by(one) == said_by(ran)]
                    assert like, (operation.pattern, ran)
                    item = {name: from_wire(value) for name, value in ran.get("Item", {}).items()}
                    assert any(
                        item.keys() <= one.get("Item", {}).keys()
                        and all(fits(one["Item"][name], value) for name, value in item.items())
                        for one in like
                    ), (operation.pattern, item)
                    compared += 1
    assert compared > 20
