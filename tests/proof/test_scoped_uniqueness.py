"""A value that is unique within a scope: taken in it, free in another, renamed and moved, on tables in memory."""

from pathlib import Path

import pytest

from designer.core import answers
from designer.core.answers import Refused, canonical
from designer.core.design.load import load
from designer.core.plan import STYLES, Plan
from designer.proof.cases import cases
from designer.proof.engine import Engine, engine
from designer.proof.prove import prove_on
from designer.proof.rows import rows
from tests.memory import Memory
from tests.planned import outlined
from tests.proof.test_runner import run_design

DESIGNS = Path(__file__).parents[1] / "designs"
PROJECTS = load((DESIGNS / "scoped_projects.yaml").read_text())
SEATS = load((DESIGNS / "scoped_seats.yaml").read_text())
CHANGING = (2, 3, 7, 8, 10, 12)
"""Patterns of PROJECTS that give a project a name or an account."""


def failed(design, made: Plan) -> set[int]:
    verdict = prove_on(Engine("memory", Memory()), design, made)
    return {one.pattern for one in verdict.patterns if one.status != "passed"}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("design", [PROJECTS, SEATS], ids=lambda one: one.name)
def test_writes_keep_values_unique_within_their_scopes(design, style):
    assert failed(design, outlined(design, style)) == set()


@pytest.mark.parametrize("style", STYLES)
def test_a_stranger_keeps_names_unique_from_the_documents(style):
    run_design(engine(), PROJECTS, style)


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("design", [PROJECTS, SEATS], ids=lambda one: one.name)
def test_rows_have_a_value_once_in_a_scope_and_again_in_another(design, small):
    again = 0
    for entity in design.entities:
        items = rows(design, small=small)[entity.name]
        assert items
        for unique in entity.uniques:
            having = [item for item in items if all(name in item for name in unique.names)]
            together = [canonical([item[name] for name in unique.names]) for item in having]
            assert len(set(together)) == len(together)
            again += len(having) - len({canonical(item[unique.attribute]) for item in having})
    assert again


@pytest.mark.parametrize("number", CHANGING)
def test_cases_try_a_value_of_the_scope_and_one_of_another_scope(number):
    state = rows(PROJECTS, small=True)
    names = {canonical(item["name"]) for item in state["Project"]}
    taken = elsewhere = 0
    for parameters in cases(PROJECTS, state, PROJECTS.pattern(number)):
        after = answers.apply(PROJECTS, state, PROJECTS.pattern(number), parameters)
        if isinstance(after, Refused):
            taken += after.because == "Project: name is already taken"
            continue
        for item in after["Project"]:
            is_new = not any(item is old for old in state["Project"])
            elsewhere += is_new and canonical(item["name"]) in names
    assert taken and elsewhere


def _changed(made: Plan, change) -> Plan:
    """The plan with every member that writes a guard as `change` has it; None leaves it out."""
    document = made.as_json()
    for operation in document["operations"]:
        for step in operation.get("steps", ()):
            members = step.get("members")
            if members:
                step["members"] = [
                    one for member in members if (one := change(dict(member))) is not None
                ]
    return Plan.model_validate(document)


def _writes_guard(member) -> bool:
    return (member.get("put") or member.get("delete") or "").endswith("NameGuard")


def _unconditional(member):
    if _writes_guard(member):
        member.pop("if", None)
    return member


def _never_deleted(member):
    return None if _writes_guard(member) and "delete" in member else member


def _by_name_alone(member):
    if _writes_guard(member):
        for part in ("key", "values"):
            if part in member:
                key = member[part]["PK"]
                member[part] = {
                    **member[part],
                    "PK": key[: key.index("{")] + key[key.rindex("{") :],
                }
    return member


@pytest.mark.parametrize(
    ("change", "caught"),
    [
        (_unconditional, {2, 3, 7, 8, 10, 12}),
        (_never_deleted, {3, 7, 8, 9, 10, 11, 13}),
        (_by_name_alone, {2, 3, 8, 10, 12}),
    ],
    ids=["no condition", "old guard stays", "no scope in the key"],
)
def test_a_plan_that_guards_wrongly_is_caught(change, caught):
    made = outlined(PROJECTS, "single")
    assert failed(PROJECTS, _changed(made, change)) >= caught
