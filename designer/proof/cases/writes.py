"""What a write is asked: one case of each effect it has, and of each reason to refuse it."""

from typing import Any

from designer.core import answers
from designer.core.answers import (
    Facts,
    Item,
    Parameters,
    Refused,
    State,
    Value,
    canonical,
)
from designer.core.design.document import Design
from designer.core.patterns.base import Write
from designer.proof import ways
from designer.proof.cases.reads import aimed_at
from designer.proof.cases.writing import Writing

MOST_EFFECTS = 8
"""Effects of a write that are tried more than once, up to three times; each reason to refuse it twice."""
MOST_COLLECTIONS = 6
"""Cases of a write that deletes collections."""


def write_cases(design: Design, state: State, pattern: Write) -> tuple[Parameters, ...]:
    """The parameters that a write is run with: each effect and each refusal a few times."""
    if pattern.collection:
        facts = Facts(design, state)
        entity = pattern.changes[0].entity
        conditions = [(entity, condition) for condition in pattern.collection]
        return tuple(aimed_at(facts, (entity,), conditions, MOST_COLLECTIONS))
    facts = Facts(design, state)
    chosen: dict[Value, Parameters] = {}
    counts: dict[Any, int] = {}
    effects = 0
    for parameters in Writing(design, state, pattern).candidates():
        key = canonical(parameters)
        if key in chosen or _names_an_item_twice(design, pattern, parameters):
            continue
        outcome = answers.apply(design, state, pattern, parameters)
        if isinstance(outcome, Refused):
            kind: Any = outcome.because
            most = 0 if outcome.because.endswith("twice") else 2
        else:
            if _some_rows_refused(design, state, pattern, parameters):
                continue
            kind = _effect(design, state, outcome)
            effects += kind not in counts
            most = 3 if effects <= 1 else 2 if effects <= MOST_EFFECTS else 0
        if ways_met := ways.met(facts, pattern.changes, parameters):
            kind, most = (kind, ways_met), 2
        counts[kind] = counts.get(kind, 0) + 1
        if counts[kind] <= most:
            chosen[key] = parameters
    return tuple(chosen.values())


def _names_an_item_twice(design: Design, pattern: Write, parameters: Parameters) -> bool:
    """Whether two rows are about one item, which the engine takes for a mistake of the caller's."""
    for member in pattern.changes:
        if member.times is not None and member.verb != "check":
            names = member.by or design.entity[member.entity].identifier
            rows = [{**parameters, **row} for row in parameters[member.each or member.entity]]
            keys = {canonical([row.get(name) for name in names]) for row in rows}
            if len(keys) < len(rows):
                return True
    return False


def _effect(design: Design, before: State, after: State) -> Value:
    """What kind of change a write made: which attributes came and went, and which enum values."""

    def kind(name: str, item: Item) -> Value:
        known = design.entity[name].by_name
        return tuple((a, item[a] if known[a].values else "") for a in sorted(item))

    kinds = set()
    for name in after:
        old = {id(item) for item in before.get(name, ())}
        new = {id(item) for item in after[name]}
        gone = [item for item in before.get(name, ()) if id(item) not in new]
        come = [item for item in after[name] if id(item) not in old]
        for one in gone:
            kinds.add((name, "gone", kind(name, one)))
        for one in come:
            kinds.add((name, "come", kind(name, one)))
    return frozenset(kinds)


def _some_rows_refused(
    design: Design, state: State, pattern: Write, parameters: Parameters
) -> bool:
    """Whether only some rows of a single write go through, of which the order would decide."""
    if pattern.is_transaction:
        return False
    for member in pattern.changes:
        if member.times is not None:
            name = member.each or member.entity
            after = state
            for row in parameters[name]:
                one = {**parameters, name: [row]}
                outcome = answers.apply(design, after, pattern, one)
                if Refused in map(type, (outcome, answers.apply(design, state, pattern, one))):
                    return True
                assert not isinstance(outcome, Refused)
                after = outcome
    return False
