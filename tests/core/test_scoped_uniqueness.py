"""What is unique within a scope: how it is stated, what it costs, and what is said of it."""

from decimal import Decimal
from pathlib import Path

import pytest

from designer.core.answers import number
from designer.core.capacity.sizes import item_bytes
from designer.core.design.check import check
from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.design.write import dump
from designer.core.edits import change_attribute, remove_attribute
from designer.core.edits.replacing import replaced
from designer.core.er_picture.mermaid import er_diagram
from designer.core.errors import DesignError
from designer.core.lint import lint
from designer.core.outline import add_outline, read_outline
from designer.core.plan import STYLES
from designer.core.plan.keys import render
from designer.core.planner import plan
from designer.core.proposing.patterns import usual
from designer.core.report.stated import attribute_facts
from designer.core.sentences.patterns import reads_as
from tests.core.priced import SECONDS, shapes
from tests.messages import reasons_of

PROJECTS = load((Path(__file__).parents[1] / "designs" / "scoped_projects.yaml").read_text())
WRITE = Decimal("0.625e-6")


def stated(*attributes: dict, identifier: tuple[str, ...] = ("userId",)) -> Design:
    entity = {"name": "User", "identifier": identifier, "attributes": attributes}
    return Design.model_validate({"name": "Users", "entities": [entity]})


USER_ID = {"name": "userId", "format": "ulid"}
TENANT_ID = {"name": "tenantId"}
EMAIL = {"name": "email", "unique_within": ["tenantId"]}


def test_a_scope_is_read_and_written_as_it_stands():
    text = dump(PROJECTS)
    assert "unique_within: [accountId]" in text
    assert load(text) == PROJECTS
    assert not check(PROJECTS)


def test_a_uniqueness_names_its_scope_first():
    (unique,) = PROJECTS.entity["Project"].uniques
    assert unique.names == ("accountId", "name")
    assert PROJECTS.entity["Project"].names_one({"name", "accountId", "note"})
    assert not PROJECTS.entity["Project"].names_one({"name"})


@pytest.mark.parametrize(
    ("attributes", "identifier", "place", "said"),
    [
        (
            ({**EMAIL, "unique_within": ["tenant"]},),
            ("userId",),
            "unique_within[0]",
            "did you mean `tenantId`",
        ),
        (
            ({**EMAIL, "unique_within": ["email"]},),
            ("userId",),
            "unique_within[0]",
            "cannot be its own scope",
        ),
        (
            ({**EMAIL, "unique_within": ["tenantId", "tenantId"]},),
            ("userId",),
            "unique_within[1]",
            "name it once",
        ),
        (({**EMAIL, "unique": True},), ("userId",), "unique_within", "remove `unique` or"),
        (({**EMAIL, "type": "SS"},), ("userId",), "unique_within", "has type S, N or B"),
        (
            (EMAIL,),
            ("tenantId", "email"),
            "unique_within",
            "already identifies one User",
        ),
        (
            (
                {"name": "at", "format": "datetime"},
                {"name": "on", "derived": "date(at)"},
                {**EMAIL, "unique_within": ["on"]},
            ),
            ("userId",),
            "unique_within[0]",
            "name an attribute that is stored",
        ),
        (
            ({"name": "tags", "type": "SS"}, {**EMAIL, "unique_within": ["tags"]}),
            ("userId",),
            "unique_within[0]",
            "a scope is of type S, N or B",
        ),
    ],
)
def test_a_scope_that_cannot_be_is_refused_with_a_remedy(attributes, identifier, place, said):
    found = check(stated(USER_ID, TENANT_ID, *attributes, identifier=identifier))
    assert any(f".{place} (User." in one.place and said in one.message for one in found), found


def test_a_number_that_a_write_adds_to_is_in_no_scope():
    hits = {"name": "hits", "type": "N", "digits": 9}
    design = stated(USER_ID, hits, {**EMAIL, "unique_within": ["hits"]})
    adds = {
        "number": 1,
        "name": "Hit",
        "kind": "update",
        "entity": "User",
        "add": {"hits": {"value": 1}},
    }
    document = design.model_dump(mode="json", exclude_defaults=True)
    (problem,) = check(Design.model_validate({**document, "patterns": [adds]}))
    assert "a write adds to `hits`" in problem.message
    assert not check(design)


@pytest.mark.parametrize("style", STYLES)
def test_the_guard_has_the_scope_in_its_key(style):
    made = plan(PROJECTS, style)
    guard = shapes(made)["ProjectNameGuard"]
    assert guard.guards == ("accountId", "name")
    (key,) = (text for name, text in guard.set.items() if "{" in text)
    assert key == {
        "single": "PROJECT#ACCOUNT#{accountId}#NAME#{name}",
        "multi": "{accountId}#{name}",
    }[style]  # fmt: skip
    project = {"accountId": "a" * 26, "name": "n" * 20, "projectId": "p" * 26}
    stored = {name: project[name] for name in guard.attributes}
    stored |= {name: render(text, project.get) for name, text in guard.set.items()}
    assert item_bytes(stored) == guard.bytes


@pytest.mark.parametrize("style", STYLES)
def test_a_new_name_and_a_new_scope_take_the_item_and_both_guards(style):
    """The item, the old guard and the new one, 2 units each in a transaction; 2 for the index by account."""
    made = plan(PROJECTS, style)
    for pattern in (3, 7, 8):
        (operation,) = made.operations_for(pattern)
        assert operation.write_units == 8
        rate = Decimal(str(PROJECTS.pattern(pattern).rate.average))
        read = Decimal("0.125e-6") * SECONDS * rate
        monthly = 8 * rate * SECONDS * WRITE + read
        assert number(operation.usd_per_month) == pytest.approx(monthly, abs=Decimal("0.0001"))
        members = operation.steps[-1].members
        old, new = members[1:]
        assert (old.delete, new.put) == ("ProjectNameGuard", "ProjectNameGuard")
        assert new.if_[0].exists is False
        assert old.unless_same == new.unless_same
        # The scope and the name that were read still hold, or the transaction is refused.
        assert {one.attribute for one in members[0].if_ if one.same_as} == {"accountId", "name"}


def test_a_read_by_a_name_in_its_scope_reads_one_item_at_the_worst_too():
    (operation,) = plan(PROJECTS, "single").operations_for(5)
    assert operation.worst is None
    assert operation.steps[0].expects.read == 1


def test_a_read_by_a_name_in_its_scope_may_go_through_the_guard():
    patterns = [one for one in PROJECTS.patterns if one.number in (2, 5, 6)]
    patterns[1] = patterns[1].model_copy(update={"rate": patterns[0].rate})
    made = plan(PROJECTS.model_copy(update={"patterns": tuple(patterns)}), "multi")
    (operation,) = made.operations_for(5)
    assert [step.shapes for step in operation.steps] == [("ProjectNameGuard",), ("Project",)]
    assert {one.attribute for one in operation.result.parts[0].keep} == {"accountId", "name"}


def test_what_a_person_reads_names_the_scope():
    project = PROJECTS.entity["Project"]
    assert "unique within accountId" in attribute_facts(project, project.by_name["name"])
    assert 'name "unique within accountId"' in er_diagram(PROJECTS)
    assert "by name" in reads_as(PROJECTS, PROJECTS.pattern(5))
    for number_, which in ((2, "same"), (3, "same"), (7, "new")):
        said = reads_as(PROJECTS, PROJECTS.pattern(number_))
        assert f"another Project with the {which} accountId already has its name" in said
    made = plan(PROJECTS, "single")
    (decision,) = [one for one in made.decisions if one.about.startswith("guard")]
    said = {"scope": ("accountId",), "attribute": "name"}
    assert reasons_of(decision)["guard-keeps-unique-in-scope"] == said


def test_words_state_a_scope():
    design = add_outline(
        Design(name="Users"),
        read_outline("User: userId uuid key, tenantId, email unique within tenantId, desk\n"),
    )
    assert design.entity["User"].by_name["email"].unique_within == ("tenantId",)
    design = add_outline(
        Design(name="Seats"),
        read_outline(
            "Seat: seatId uuid key, hallId, row 1-9, place 1-9 unique within hallId+row\n"
        ),
    )
    assert design.entity["Seat"].by_name["place"].unique_within == ("hallId", "row")


def test_a_renamed_scope_is_followed_and_a_removed_one_is_forgotten():
    account = PROJECTS.entity["Project"].by_name["accountId"]
    after = change_attribute(PROJECTS, "Project", "accountId", replaced(account, name="ownerId"))
    assert after.entity["Project"].by_name["name"].unique_within == ("ownerId",)
    design = stated(USER_ID, TENANT_ID, {**EMAIL, "refers_to": "User.userId"})
    with pytest.raises(DesignError, match=r"the scope of User\.email"):
        remove_attribute(design, "User", "tenantId")
    email = (
        remove_attribute(design, "User", "tenantId", and_users=True).entity["User"].by_name["email"]
    )
    assert (email.unique_within, email.refers_to) == ((), "User.userId")


def test_a_get_by_the_scope_and_the_value_is_proposed():
    design = stated(USER_ID, TENANT_ID, EMAIL)
    assert "User get tenantId email" in {one.key for one in usual(design)}


def test_nothing_is_found_wrong_with_a_guarded_scope():
    plans = {style: plan(PROJECTS, style) for style in STYLES}
    found = {one.rule for one in lint(PROJECTS, plans)}
    assert found.isdisjoint({"K106", "P109"})
