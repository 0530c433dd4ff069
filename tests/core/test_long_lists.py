"""Lists in words as long as they may be, on designs as large as they may be: what is worked out for them is counted."""

import json
import time
from typing import Any

import pytest

from designer.core.design.document import Design
from designer.core.design.entities import Relationship
from designer.core.design.load import load
from designer.core.edits import attributes as edited_attributes
from designer.core.edits import relationships, replacing
from designer.core.errors import DesignError, MisfitError
from designer.core.outline import (
    Named,
    add_attributes,
    add_outline,
    apply,
    attributes,
    naming,
    read_attributes,
    read_outline,
    read_pattern,
    tails,
)


def large() -> Design:
    entities = [
        {
            "name": f"E{at:03d}",
            "identifier": ["id"],
            "attributes": [{"name": "id"}, {"name": "state", "values": ["FREE", "HELD"]}],
        }
        for at in range(500)
    ]
    return load(json.dumps({"keywright": 1, "name": "Large", "entities": entities}))


@pytest.mark.parametrize(
    "sentence",
    [f"List {'Z ' * 140}by a", f"Update {'Zz ' * 60} by a", f"List E001 by {'a ' * 120}"],
)
def test_the_names_of_a_design_are_looked_up_not_gone_through(
    monkeypatch: pytest.MonkeyPatch, sentence: str
) -> None:
    design, plurals, folded = large(), [], []
    plural, fold = naming.plural, naming._folded
    monkeypatch.setattr(naming, "plural", lambda word: plurals.append(word) or plural(word))
    monkeypatch.setattr(naming, "_folded", lambda text: folded.append(text) or fold(text))
    named = Named(design)
    before = 0
    for _ in range(3):
        with pytest.raises(MisfitError):
            read_pattern(sentence, design, named)
        before, last = len(folded), len(folded) - before
    assert len(plurals) == 500
    assert last <= 20 * len(sentence.split()), last


def test_a_long_outline_becomes_what_its_lines_become_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = add_outline(
        Design(name="Club"),
        read_outline("Member: memberId uuid, name\nClub: clubId uuid, name\nMember 1-N Club"),
    )
    text = (
        "Member: name, born date, city\nVisit: visitId uuid, clubId, at\nGuest: guestId\n"
        "Member 1-N Club\nMember 1-N Club by memberId\nMember 1-N Club\nClub 1-1 Visit\n"
        "Member 1-N Member by parentId\nMember N-M Club through Visit\nClub 1-N Guest by a+b\n"
        "Guest 1-N Visit as CLUBS\nMember N-M Member through Guest"
    )
    for said in (text, text + "\nmEMBER: x", "Club 1-N Visit\nVisit: visitId", "member: x, y"):
        assert _both(monkeypatch, first, said), said


def _both(monkeypatch: pytest.MonkeyPatch, design: Design, text: str) -> Any:
    made: list[Any] = []
    monkeypatch.setattr(replacing, "ONE_BY_ONE", 0)
    for way in (apply.added_at_once, apply._added):
        monkeypatch.setattr(apply, "added_at_once", way)
        try:
            made.append(add_outline(design, read_outline(text, design.entities)))
        except DesignError as error:
            made.append([(each.reason, each.line) for each in error.problems])
    assert made[0] == made[1]
    return made[0]


def test_a_line_of_a_long_outline_looks_at_its_own_entities(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    design, looked = large(), []
    replaced = relationships.replaced

    def counting(document: Any, **fields: Any) -> Any:
        looked.append(len(document.entities) if isinstance(document, Design) else 0)
        return replaced(document, **fields)

    monkeypatch.setattr(relationships, "replaced", counting)
    lines = [f"E{at % 500:03d} 1-N E{(7 * at + 1) % 500:03d} by p{at}" for at in range(900)]
    after = add_outline(design, read_outline("\n".join(lines), design.entities))
    assert len(after.relationships) == 900
    assert sum(looked) <= 2 * len(looked) <= 10 * 900


def test_each_of_several_attributes_looks_at_its_own_entity(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    design, looked = large(), []
    replaced = edited_attributes.replaced

    def counting(document: Any, **fields: Any) -> Any:
        looked.append(len(document.entities) if isinstance(document, Design) else 0)
        return replaced(document, **fields)

    monkeypatch.setattr(edited_attributes, "replaced", counting)
    entries = read_attributes(", ".join(f"a{at}" for at in range(400)))[0]
    after = add_attributes(design, "E007", entries)
    assert len(after.entity["E007"].attributes) == 402
    assert [each for each in after.entities if each.name != "E007"] == [
        each for each in design.entities if each.name != "E007"
    ]
    assert max(looked) == 1
    with pytest.raises(DesignError, match="has an attribute"):
        add_attributes(after, "E007", entries)


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("E000 1-N E001\n" * 1999, "at most 1,000 relationships, but this one has 1,999"),
        (
            "\n".join(f"Z{at}: id" for at in range(100)),
            "at most 500 entities, but this one has 600",
        ),
    ],
)
def test_more_than_a_design_may_have_is_refused_before_it_is_made(text: str, refused: str) -> None:
    design = large()
    with pytest.raises(DesignError, match=refused):
        add_outline(design, read_outline(text, design.entities))


def test_relationships_of_the_same_two_get_names_of_their_own() -> None:
    design = large()
    after = add_outline(design, read_outline("E000 1-N E001\n" * 1000, design.entities))
    assert len({each.name.casefold() for each in after.relationships}) == 1000


def test_more_attributes_than_a_design_may_have_are_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[str] = []
    entry = attributes._entry
    monkeypatch.setattr(attributes, "_entry", lambda text: read.append(text) or entry(text))
    text = (
        "\n".join(f"Z{at}: {', '.join(f'a{no}' for no in range(95))}" for at in range(300))
        + "\nZ1 1-N Z2"
    )
    said = [str(each) for each in read_outline(text).problems]
    assert len(said) == 1 and "at most 5,000 attributes in all, but this one has 28,500" in said[0]
    assert not read


def test_many_spaces_after_a_relationship_cost_no_more_than_other_letters() -> None:
    begun = time.process_time()
    for after in (f"{' ' * 40_000}!", f" by a{' ' * 40_000}!", f" by a{' ' * 40_000}and b"):
        read_outline(f"A: a\nB: b\nA 1-N B{after}")
    assert time.process_time() - begun < 2


def test_what_comes_along_is_looked_up_for_all_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"E{at:03d} 1-N E499 by p{at}" for at in range(400)]
    start = large()
    design = add_outline(start, read_outline("\n".join(lines), start.entities))
    looked: list[str] = []
    brings = Relationship.brings
    monkeypatch.setattr(
        Relationship, "brings", lambda each, name: looked.append(name) or brings(each, name)
    )
    named = Named(design)
    for at in range(100):
        read = read_pattern(f"List E{at:03d}{' with its E499' * 15}", design, named)
        name = design.relationships[at].name
        assert read["with"] == [{"relationship": name}] * 15
    assert len(looked) <= 400


def test_what_is_yes_or_no_is_the_first_attribute_called_so() -> None:
    design = add_outline(
        Design(name="Doors"),
        read_outline("Door: doorId, is_open boolean, open boolean, isShut boolean, shut 1-5"),
    )
    for said, name in (("open", "is_open"), ("SHUT", "isShut"), ("isshut", "isShut")):
        read = read_pattern(f"List Doors that are not {said}", design)
        assert read["where"] == [{"attribute": name, "is": {"value": False}}]


def test_no_more_ends_of_a_sentence_are_looked_for_than_somebody_writes() -> None:
    first, ends = tails.parted(f"List Doors {'5/s ' * 70}")
    assert len(ends) == tails.MOST_ENDS == 12
    assert first.endswith("5/s")
