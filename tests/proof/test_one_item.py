"""Plans whose transactions may be about one item twice: it is taken once, by whoever runs them."""

from random import Random

import pytest

from designer.core.design.document import Design
from designer.core.design.kept import kept_figures
from designer.core.patterns import Transaction
from designer.core.patterns.base import Member
from designer.core.plan import ALL_STYLES, STYLES
from designer.proof.engine import Engine, engine
from designer.proof.prove import prove_on
from tests.core.test_one_item import PATTERNS, bank
from tests.designs_generated import generated
from tests.memory import Memory
from tests.planned import outlined
from tests.proof.test_runner import run_design

BANK = bank(*PATTERNS)
BRANCHES = bank(
    *PATTERNS,
    {
        "kind": "list",
        "returns": "Account",
        "where": [{"attribute": "branch", "is": {"param": "branch"}}],
        "consistency": "strong",
        "rate": {"average": 500},
    },
    identifier=["accountId"],
)
"""Accounts lie with those of their branch, and a guard finds each."""


def folders(*patterns):
    """A folder lies in a folder, and counts what lies in it."""
    attributes = [
        {"name": "folderId", "bytes": 8},
        {"name": "inside", "bytes": 8, "present": 0.8, "refers_to": "Folder.folderId"},
        {"name": "folders", "type": "N", "digits": 6, "aggregate": "count of holds"},
    ]
    folder = {"name": "Folder", "identifier": ["folderId"], "attributes": attributes}
    return Design.model_validate(
        {
            "name": "Folders",
            "entities": [folder],
            "relationships": [{"name": "holds", "one": "Folder", "many": "Folder", "by": "inside"}],
            "patterns": [
                {"number": number, "name": f"Pattern {number}", "rate": {"average": 1}, **pattern}
                for number, pattern in enumerate(patterns, 1)
            ],
        }
    )


FOLDERS = folders(
    {"kind": "create", "entity": "Folder"},
    {"kind": "delete", "entity": "Folder"},
    {"kind": "update", "entity": "Folder", "set": {"inside": {"param": "into"}}},
    {"kind": "update", "entity": "Folder", "remove": ["inside"]},
    {
        "kind": "transaction",
        "members": [{"create": "Folder", "times": {"average": 2, "most": 5}}],
    },
)
DESIGNS = {"bank": BANK, "branches": BRANCHES, "folders": FOLDERS}


def in_memory():
    return Engine("memory", Memory())


def statuses(chosen, design, made):
    return {one.pattern: one.status for one in prove_on(chosen, design, made).patterns}


def all_passed(design):
    return {pattern.number: "passed" for pattern in design.patterns}


@pytest.mark.parametrize("style", ALL_STYLES)
@pytest.mark.parametrize("name", DESIGNS)
def test_an_item_in_two_roles_is_written_once(name, style):
    design = DESIGNS[name]
    assert statuses(in_memory(), design, outlined(design, style)) == all_passed(design)


@pytest.mark.parametrize("name", DESIGNS)
def test_an_item_in_two_roles_is_written_once_on_moto(name):
    design = DESIGNS[name]
    assert statuses(engine(), design, outlined(design, "multi")) == all_passed(design)


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", DESIGNS)
def test_an_item_in_two_roles_is_written_once_on_dynamodb_local(name, style, dynamodb_local):
    design, chosen = DESIGNS[name], engine(dynamodb_local)
    assert statuses(chosen, design, outlined(design, style)) == all_passed(design)


@pytest.mark.engine_local
@pytest.mark.parametrize(
    ("name", "style"), [("bank", "single"), ("branches", "multi"), ("folders", "multi")]
)
def test_a_stranger_writes_it_once_on_dynamodb_local(name, style, dynamodb_local):
    run_design(engine(dynamodb_local), DESIGNS[name], style)


@pytest.mark.parametrize(("name", "style"), [*zip(DESIGNS, ALL_STYLES, strict=True)])
def test_a_stranger_writes_it_once_from_the_documents(name, style):
    run_design(in_memory(), DESIGNS[name], style)


def with_checks(design):
    """The design with a check of its parent beside each write of a child whose figures are kept."""
    patterns = list(design.patterns)
    for figure in kept_figures(design):
        for write in [one for one in design.patterns if one.kind in ("update", "delete")]:
            if write.entity == figure.child and not (write.times or getattr(write, "where", ())):
                said = write.model_dump(by_alias=True, exclude={"number", "name", "kind", "entity"})
                names = {name for name in said if name in Member.model_fields}
                child = {write.kind: write.entity, **{name: said[name] for name in names}}
                patterns.append(
                    Transaction(
                        number=len(patterns) + 1,
                        name=f"Checked {len(patterns)}",
                        members=({"check": figure.entity, "exists": True}, child),
                    )
                )
    return design.model_copy(update={"patterns": tuple(patterns)})


def test_made_up_designs_check_the_parents_whose_figures_they_keep():
    joined = 0
    for seed in range(100):
        design = with_checks(generated(Random(seed)))
        if not kept_figures(design):
            continue
        for style in STYLES:
            made = outlined(design, style)
            joined += any(
                member.joins
                for operation in made.operations
                for step in operation.steps
                for member in step.members
            )
            verdict = prove_on(in_memory(), design, made)
            failed = [one for one in verdict.patterns if one.status not in ("passed", "not served")]
            assert (verdict.problem, failed) == ("", []), f"design {seed}, {style}"
    assert joined > 5


def without_joining(made):
    def own(step):
        apart = (member.model_copy(update={"joins": False}) for member in step.members)
        return step.model_copy(update={"members": tuple(apart)})

    return made.model_copy(
        update={
            "operations": tuple(
                operation.model_copy(update={"steps": tuple(map(own, operation.steps))})
                for operation in made.operations
            )
        }
    )


def test_an_engine_refuses_what_does_not_join():
    """What it takes to be right: else each of these refuses what the pattern means."""
    found = statuses(engine(), BANK, without_joining(outlined(BANK, "multi")))
    assert {number for number, status in found.items() if status == "failed"} >= {2, 3, 5, 7, 10}
