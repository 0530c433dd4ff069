"""The seven steps: what each calls stated and missing, and what comes next."""

from typing import Any

import pytest

from designer.core.design import gallery, unstated
from designer.core.design.document import Design
from designer.core.design.entities import Relationship
from designer.core.design.load import load_plain
from designer.core.evaluation.evaluate import evaluate
from designer.core.evaluation.guidance import STEPS, Guide, Step, guide, subject_of
from designer.core.lint import RULES
from designer.core.plan import Finding, Style
from designer.core.planner import plan

EMPTY = Design.model_validate({"name": "Nothing"})
TITLES = (
    "Entities",
    "Relationships",
    "Access patterns",
    "Keys",
    "Indexes",
    "Items",
    "Validate and test",
)


def _pattern(number: int, kind: str, **more: Any) -> dict[str, Any]:
    rate = {"average": 1, "peak": 2}
    return {"number": number, "name": f"Pattern {number}", "kind": kind, "rate": rate, **more}


def _is(name: str) -> dict[str, Any]:
    return {"attribute": name, "is": {"param": name}}


WRITER = {
    "name": "Writer",
    "identifier": ["writerId"],
    "items": 100,
    "attributes": [{"name": "writerId", "format": "uuid"}],
}
NOTE = {
    "name": "Note",
    "identifier": ["noteId"],
    "items": 1000,
    "attributes": [
        {"name": "noteId", "format": "uuid"},
        {"name": "writerId", "refers_to": "Writer.writerId"},
        {"name": "text", "bytes": 90},
    ],
}
WRITES = {
    "name": "writes",
    "one": "Writer",
    "many": "Note",
    "by": "writerId",
    "average": 10,
    "most": 90,
}
PATTERNS = [
    _pattern(1, "get", returns="Note", where=[_is("noteId")]),
    _pattern(2, "list", returns="Note", where=[_is("writerId")]),
    _pattern(3, "create", entity="Note"),
    _pattern(4, "create", entity="Writer"),
    _pattern(5, "get", returns="Writer", where=[_is("writerId")]),
]


def stated(**changes: Any) -> Design:
    """A design that says everything, or otherwise."""
    document: dict[str, Any] = {
        "name": "Notes",
        "context": {"domain": "notes", "business": "None may be lost.", "scale": "small"},
        "entities": [WRITER, NOTE],
        "relationships": [WRITES],
        "patterns": PATTERNS,
    }
    return Design.model_validate({**document, **changes})


def guided(design: Design, styles: tuple[Style, ...] = ("single",), **proven: Any) -> Guide:
    return guide(design, evaluate(design, {style: plan(design, style) for style in styles}), proven)


def step(found: Guide, slug: str) -> Step:
    return next(each for each in found.steps if each.slug == slug)


def gaps(found: Guide, slug: str) -> list[tuple[str, str]]:
    return [(gap.words, gap.where) for gap in step(found, slug).gaps]


def test_there_are_seven_steps_in_the_order_of_the_work() -> None:
    assert tuple(each.title for each in guide(EMPTY, None).steps) == TITLES
    assert len(STEPS) == 7


def test_an_empty_design_begins_with_entities_and_judges_nothing_else() -> None:
    found = guided(EMPTY)
    assert [each.state for each in found.steps] == ["missing", *["ahead"] * 6]
    assert found.next is not None
    assert found.next[1].where == "entities"
    assert found.done == 0


def test_a_design_that_says_all_and_is_proven_has_no_next() -> None:
    found = guided(stated(), single="passed")
    assert [each.stated for each in found.steps[:5]] == [
        "2 entities",
        "1 relationship",
        "5 access patterns",
        "1 table",
        "1 index",
    ]
    assert found.steps[5].stated.startswith("the largest is Note, ")
    assert found.steps[6].stated == "proven"
    assert [each.state for each in found.steps] == ["done"] * 7
    assert (found.done, found.next) == (7, None)


def test_what_there_is_and_what_is_asked_comes_before_figures() -> None:
    uncounted = [{**WRITER, "items": None}, {**NOTE, "items": None}]
    loose = {name: each for name, each in WRITES.items() if name not in ("average", "most")}
    for changes, where in (
        ({"relationships": [], "patterns": []}, "entities.Note.attributes.writerId"),
        ({"relationships": [loose], "patterns": []}, "patterns"),
        ({"relationships": [loose]}, "entities.Writer"),
    ):
        found = guided(stated(entities=uncounted, **changes))
        assert found.next is not None
        assert found.next[1].where == where


def test_entities_say_how_many_and_what_for() -> None:
    uncounted = [{**WRITER, "items": None}, {**NOTE, "items": None}]
    found = guided(stated(entities=uncounted, context={"domain": "notes"}))
    assert gaps(found, "entities") == [
        ("State how many Writer items there are.", "entities.Writer"),
        ("State how many Note items there are.", "entities.Note"),
        ("State the purpose of the design: business and scale.", "context"),
    ]


def test_references_and_numbers_belong_to_relationships() -> None:
    words = "Note.writerId refers to Writer: state how they are related."
    where = "entities.Note.attributes.writerId"
    assert gaps(guided(stated(relationships=[])), "relationships") == [(words, where)]
    vague = {**WRITES, "most": None}
    assert gaps(guided(stated(relationships=[vague])), "relationships") == [
        (
            "State how many Notes each Writer has at most, in the relationship “writes”.",
            "relationships.writes",
        )
    ]
    ((said, _),) = gaps(guided(stated(relationships=[{**vague, "average": None}])), "relationships")
    assert said == (
        "State how many Notes each Writer has on average and at most, in the relationship “writes”."
    )


def test_of_a_pair_each_side_asks_for_its_own_number() -> None:
    pairs = gallery.load("shop").relationship["keepsInStock"]
    both = pairs.model_copy(update={"mosts": None})
    shop = gallery.load("shop")
    vague = shop.model_copy(
        update={"relationships": tuple(both if one == pairs else one for one in shop.relationships)}
    )
    assert (
        "State how many Products each Warehouse, and how many Warehouses each Product, has at most, in the "
        "relationship “keepsInStock”."
    ) in [said for said, _ in gaps(guided(vague), "relationships")]


def test_one_entity_has_nothing_to_relate_and_two_do() -> None:
    alone = stated(entities=[WRITER], relationships=[], patterns=[])
    assert step(guided(alone), "relationships").stated == "one entity, nothing to relate"
    loose = {**NOTE, "attributes": [{"name": "noteId"}]}
    both = stated(entities=[WRITER, loose], relationships=[], patterns=[])
    assert gaps(guided(both), "relationships") == [
        ("State how the entities are related.", "relationships")
    ]
    done = step(guided(gallery.load("premium-and-sale")), "relationships")
    assert (done.state, done.stated) == ("done", "none: no entity refers to another")


def test_a_pair_needs_no_numbers() -> None:
    pair = {"name": "keeps", "one": ["Writer", "Note"], "by": "writerId"}
    assert step(guided(stated(relationships=[pair])), "relationships").state == "done"


def test_patterns_come_after_entities_and_have_rates() -> None:
    silent = guided(stated(patterns=[]))
    assert gaps(silent, "patterns") == [("List what the application reads and writes.", "patterns")]
    assert [each.state for each in silent.steps[3:]] == ["ahead"] * 4
    first, second, *others = PATTERNS
    patterns = [{**first, "rate": None}, {**second, "rate": {"average": 1}}, *others]
    assert gaps(guided(stated(patterns=patterns)), "patterns") == [
        ("State how often pattern 1 runs.", "patterns.1"),
        ("State how often pattern 2 runs at its peak.", "patterns.2"),
    ]


def test_figures_that_many_parts_lack_are_asked_for_in_one_place() -> None:
    patterns = [{**each, "rate": None} for each in PATTERNS[:3]]
    patterns += [{**each, "rate": {"average": 1}} for each in PATTERNS[3:]]
    found = gaps(guided(stated(patterns=patterns)), "patterns")
    assert found == [
        ("State the rates of 3 access patterns.", "figures"),
        ("State how often pattern 4 runs at its peak.", "patterns.4"),
        ("State how often pattern 5 runs at its peak.", "patterns.5"),
    ]
    tags = [
        {"name": f"Tag{at}", "identifier": ["tagId"], "attributes": [{"name": "tagId"}]}
        for at in range(3)
    ]
    uncounted = gaps(guided(stated(entities=[WRITER, NOTE, *tags])), "entities")
    assert uncounted == [("State how many items there are of each of 3 entities.", "figures")]


def test_a_read_without_its_write_is_missing_until_it_is_set_aside() -> None:
    patterns = [each for each in PATTERNS if each["number"] != 4]
    ((_, where),) = gaps(guided(stated(patterns=patterns)), "patterns")
    assert where == "entities.Writer"
    aside = [{"rule": "P102", "because": "Another team writes them."}]
    declined = guided(stated(patterns=patterns, ignored_findings=aside))
    assert step(declined, "patterns").state == "done"


def test_what_runs_hot_belongs_to_the_keys() -> None:
    storm = {**PATTERNS[0], "rate": {"average": 1e8, "peak": 1e8}}
    found = guided(stated(patterns=[storm, *PATTERNS[1:]]))
    assert any("At peak, the busiest value" in words for words, _ in gaps(found, "keys"))
    assert step(found, "indexes").state == "done"


def test_while_it_is_planned_only_what_is_stated_is_judged() -> None:
    found = guide(stated(), None, {"single": "passed"})
    assert [each.state for each in found.steps] == [*["done"] * 3, *["ahead"] * 4]
    assert found.next is None


@pytest.mark.parametrize(
    ("standing", "state", "begins"),
    [
        ("passed", "done", ""),
        ("never", "missing", "Run every access pattern on an engine"),
        ("stale", "missing", "Run every access pattern again"),
        ("failed", "missing", "The last proof did not pass"),
        ("running", "ahead", ""),
    ],
)
def test_the_last_step_is_the_proof(standing: str, state: str, begins: str) -> None:
    last = step(guided(stated(), single=standing), "test")
    assert last.state == state
    assert "".join(gap.words for gap in last.gaps).startswith(begins)
    assert {gap.where for gap in last.gaps} <= {"proof"}


def test_what_is_being_proven_is_not_done_yet() -> None:
    found = guided(stated(), single="running")
    assert (found.done, found.next, found.is_running) == (6, None, True)
    assert not guided(stated(), single="passed").is_running


def test_each_style_that_is_looked_at_is_proven() -> None:
    styles: tuple[Style, ...] = ("single", "multi")
    half = step(guided(stated(), styles, single="passed"), "test")
    assert (half.state, half.stated) == ("missing", "")
    assert step(guided(stated(), styles, single="passed", multi="passed"), "test").state == "done"


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_belongs_to_a_step(rule: str) -> None:
    finding = Finding(rule=rule, severity="error", where="", message="")
    assert subject_of(finding) in {"patterns", "keys", "indexes", "items"}


def test_findings_of_the_planner_belong_to_steps_by_their_names() -> None:
    def subject(rule: str) -> str:
        return subject_of(Finding(rule=rule, severity="warning", where="", message=""))

    assert subject("hot-partition") == subject("pin-not-obeyed") == "keys"
    assert subject("too-many-indexes") == "indexes"
    assert subject("figure-counts-twice") == subject("copy-lags") == "items"
    assert subject("no-prices") == "test"


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_designs_of_the_gallery_state_their_entities_and_patterns(slug: str) -> None:
    found = guided(gallery.load(slug))
    assert step(found, "entities").state == "done"
    assert step(found, "patterns").stated
    assert found.next is not None  # nobody has proven it


def test_references_are_followed_up_without_going_through_all_relationships_for_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entities = [
        {
            "name": f"E{at}",
            "identifier": ["id"],
            "attributes": [
                {"name": "id"},
                {"name": "up", "refers_to": f"E{at + 1}.id"},
                {"name": "top", "refers_to": "E39.id"},
                {"name": "down", "refers_to": f"E{max(at - 1, 0)}.id"},
            ],
        }
        for at in range(39)
    ]
    entities.append({"name": "E39", "identifier": ["id"], "attributes": [{"name": "id"}]})
    ups = [
        {"name": f"r{at}", "one": f"E{at + 1}", "many": f"E{at}", "by": "up"} for at in range(39)
    ]
    design = load_plain(
        {"keywright": 1, "name": "Up", "entities": entities, "relationships": ups, "patterns": []}
    )
    asked = 0
    child = Relationship.child.fget
    assert child is not None

    def counted(one: Relationship) -> str:
        nonlocal asked
        asked += 1
        return str(child(one))

    monkeypatch.setattr(Relationship, "child", property(counted))
    downs = tuple((f"E{at}", "down", f"E{at - 1}") for at in range(1, 39))
    assert unstated.references(design) == downs
    assert asked <= 2 * len(ups)
