"""Writes of elements of lists and sets, how many of them there are, and what a list that grows is told."""

import pytest

from designer.core import answers
from designer.core.capacity.sizes import attribute_value_bytes, largest_bytes, largest_value_bytes
from designer.core.design.load import dump, load
from designer.core.errors import DesignError
from designer.core.grid.answer import request
from designer.core.lint import RULES
from designer.core.messages import Message
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.core.sentences.patterns import reads_as
from designer.proof.engine import Engine, engine
from designer.proof.prove import prove_on
from tests.memory import Memory
from tests.proof.test_runner import run_design

PLOTS = """
keywright: 1
name: Plots of a community garden
entities:
  - name: Plot
    identifier: [plotId]
    items: 3000
    attributes:
      - {name: plotId, bytes: 8}
      - {name: street, bytes: 14, distinct: 60, mutable: true}
      - {name: crops, type: SS, elements: {average: 4, most: 40}, mutable: true}
      - {name: diary, type: L, DIARY, mutable: true}
      - {name: visits, type: N, minimum: 0, maximum: 99999, mutable: true}
patterns:
  - {number: 1, name: Lay out, kind: create, entity: Plot, rate: {average: 0.1}}
  - number: 2
    name: Sow
    kind: update
    entity: Plot
    include: {crops: sown}
    append: {diary: notes}
    add: {visits: {value: 1}}
    rate: {average: 3}
  - {number: 3, name: Harvest, kind: update, entity: Plot, exclude: {crops: gone}, rate: {average: 1}}
  - number: 4
    name: Plots of a street
    kind: list
    returns: Plot
    where: [{attribute: street, is: {param: street}}]
    rate: {average: 5}
  - number: 5
    name: Move the sign
    kind: transaction
    members:
      - {update: Plot, set: {street: {param: newStreet}}, append: {diary: notes}}
    rate: {average: 0.1}
"""


def plots(diary: str = "elements: {average: 5, most: 60}") -> str:
    return PLOTS.replace("DIARY", diary)


DESIGN = load(plots())


def test_the_elements_come_and_go_in_the_answer():
    plot = {"plotId": "a", "street": "s", "crops": {"leek"}, "diary": ["dug"]}
    sow, harvest = DESIGN.pattern(2), DESIGN.pattern(3)

    def after(pattern, **parameters):
        return answers.apply(DESIGN, {"Plot": [plot]}, pattern, {"plotId": "a", **parameters})

    sown = after(sow, sown={"leek", "kale"}, notes=["sown", "wet"])["Plot"][0]
    assert (sown["crops"], sown["diary"]) == ({"leek", "kale"}, ["dug", "sown", "wet"])
    assert "crops" not in after(harvest, gone={"leek", "rye"})["Plot"][0]
    assert after(harvest, gone={"rye"})["Plot"][0]["crops"] == {"leek"}


@pytest.mark.parametrize("style", STYLES)
def test_it_is_one_update_without_a_read(style):
    operation = plan(DESIGN, style).operations_for(2)[0]
    assert [step.call for step in operation.steps] == ["UpdateItem"]
    (member,) = operation.steps[0].members
    assert (member.append, member.include) == ({"diary": "{notes}"}, {"crops": "{sown}"})


@pytest.mark.parametrize("style", STYLES)
def test_it_is_proven(style):
    verdict = prove_on(engine(), DESIGN, plan(DESIGN, style))
    assert [(p.name, p.difference) for p in verdict.patterns if p.status != "passed"] == []
    assert prove_on(Engine("memory", Memory()), DESIGN, plan(DESIGN, style)).passed


def test_another_runner_does_the_same():
    run_design(engine(), DESIGN, "single")


def test_the_sentence_says_what_happens():
    assert "adds the given elements (notes) to diary" in reads_as(DESIGN, DESIGN.pattern(2))
    assert "adds the given elements (sown) to crops" in reads_as(DESIGN, DESIGN.pattern(2))
    assert "removes the given elements (gone) from crops" in reads_as(DESIGN, DESIGN.pattern(3))
    assert load(dump(DESIGN)) == DESIGN


@pytest.mark.parametrize(
    ("was", "now", "why"),
    [
        ("diary: notes}", "street: notes}", "only a list (type L) can be appended to"),
        ("include: {crops", "include: {street", "only sets (type SS, NS or BS)"),
        ("exclude: {crops: gone}", "exclude: {crop: gone}", "no attribute `crop`"),
        ("kind: create", "append: {diary: d}, kind: create", "`append` has no place in a create"),
        ("gone}", "gone}, remove: [crops]", "changed twice"),
    ],
)
def test_what_has_no_elements_is_refused(was, now, why):
    with pytest.raises(DesignError) as refused:
        load(plots().replace(was, now, 1))
    assert why in str(refused.value)


# Sizes


def sized(diary: str):
    return load(plots(diary)).entity["Plot"].by_name["diary"]


@pytest.mark.parametrize(
    ("said", "average", "largest"),
    [
        ("elements: {average: 5, most: 60}", 120, 1440),
        ("bytes: 500, elements: {average: 5, most: 60}", 500, 6000),
        ("bytes: 500, most_bytes: 900, elements: {average: 5, most: 60}", 500, 900),
        ("bytes: 500", 500, 500),
    ],
)
def test_elements_and_largest_sizes_say_how_large_a_list_gets(said, average, largest):
    diary = sized(said)
    assert (attribute_value_bytes(diary), largest_value_bytes(diary)) == (average, largest)


def test_the_largest_item_has_all_attributes_at_their_largest():
    plot = DESIGN.entity["Plot"]
    names = sum(len(attribute.name) for attribute in plot.stored)
    assert largest_bytes(plot) == names + 8 + 14 + 40 * 20 + 60 * 24 + 3


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("bytes: 500, most_bytes: 100", "below `bytes`"),
        ("elements: {average: 9, most: 3}", "more on average"),
        ("type: M, elements: {average: 1, most: 3}", "belong to lists and sets"),
    ],
)
def test_sizes_that_contradict_each_other_are_refused(said, why):
    text = plots(said)
    text = text.replace("type: L, type: M", "type: M")
    with pytest.raises(DesignError) as refused:
        load(text)
    assert why in str(refused.value)


def found(rule: str, text: str) -> list[tuple[str, Message]]:
    design = load(text)
    plans = {"single": plan(design, "single")}
    return [(one.where, one.problem) for one in RULES[rule]().findings(design, plans)]


def test_an_item_that_may_grow_over_400_kb_is_found_before_it_does():
    ((where, problem),) = found("L101", plots("bytes: 2000, elements: {average: 5, most: 2000}"))
    assert where == "entities.Plot.attributes.diary"
    assert (problem.id, problem.values["attribute"]) == ("item-too-large", "diary")
    assert problem.values["value_bytes"] == pytest.approx(781 * 1024, rel=0.001)
    assert found("L101", plots()) == []


def test_a_list_that_grows_without_end_is_told_so_and_one_with_an_end_is_not():
    grows = found("L104", plots("bytes: 120"))
    assert grows[0][0] == "entities.Plot.attributes.diary"
    assert grows[0][1].id == "list-grows"
    assert found("L104", plots()) == []
    assert found("L104", plots("bytes: 120, most_bytes: 4000")) == []
    anew = plots("bytes: 120").replace("append: {diary: notes}", "set: {diary: {param: diary}}", 1)
    assert "list-may-grow" in [problem.id for _, problem in found("L104", anew)]


@pytest.mark.parametrize(
    "remedy", ["elements: {average: 5, most: 60}", "bytes: 120, most_bytes: 900"]
)
def test_what_the_finding_asks_for_mends_it(remedy):
    assert found("L104", plots("bytes: 120")) and not found("L104", plots(remedy))


def test_the_request_names_the_elements():
    made = plan(DESIGN, "single")
    said = str(request(made, made.operations_for(2)[0].steps[0]))
    assert "list_append(if_not_exists(#diary, :empty_list), :diary)" in said
    assert "ADD #visits :visits, #crops :crops" in said
    said = str(request(made, made.operations_for(3)[0].steps[0]))
    assert "DELETE #crops :crops" in said
