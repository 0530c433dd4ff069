"""What an edit changes, in words of the design's text."""

import pytest

from designer.core.design.edited import Changed, changes
from designer.core.design.load import load
from designer.core.edits import add_pattern, remove_attribute, remove_entity
from designer.core.edits.replacing import replaced
from designer.core.lint.base import with_attribute, with_pattern
from designer.core.patterns import Create
from designer.core.patterns.base import Condition, Operand
from tests.core.clubs import more_entities

GHOST = "name: Ghost, identifier: [id], attributes: [{name: id}, {name: kind}]"
LEVEL = "entities.Member.attributes.level"
TO_OLD = Condition(attribute="level", is_=Operand(value="OLD"))
PIN = {"entity": "Member", "name": "people"}

CHANGED = [
    (lambda d: d, []),
    (lambda d: replaced(d, name="Clubs"), [Changed("", "name", "Club", "Clubs")]),
    (
        lambda d: with_attribute(d, "Member", "level", mutable=False, distinct=9),
        [Changed(LEVEL, "mutable", "true", ""), Changed(LEVEL, "distinct", "", "9")],
    ),
    (
        lambda d: with_pattern(d, 1, keep=(TO_OLD,)),
        [Changed("patterns.1", "keep", "", "[{attribute: level, is: {value: OLD}}]")],
    ),
    (
        lambda d: add_pattern(d, Create(number=1, name="Make", entity="Ghost")),
        [Changed("patterns.5", "", "", "{number: 5, name: Make, kind: create, entity: Ghost}")],
    ),
    (
        lambda d: remove_attribute(d, "Ghost", "kind"),
        [Changed("entities.Ghost.attributes.kind", "", "{name: kind}", "")],
    ),
    (
        lambda d: remove_entity(d, "Ghost"),
        [
            Changed(
                "entities.Ghost",
                "",
                "{name: Ghost, identifier: [id], attributes: [{name: id}, {name: kind}]}",
                "",
            )
        ],
    ),
    (
        lambda d: replaced(d, planner=replaced(d.planner, max_gsis=3, pins=(PIN,))),
        [
            Changed("planner", "max_gsis", "", "3"),
            Changed("planner.pins", "", "", "{entity: Member, name: people}"),
        ],
    ),
]


@pytest.mark.parametrize(("edit", "said"), CHANGED)
def test_what_changed_is_said_field_by_field(edit, said):
    design = load(more_entities(GHOST))
    assert list(changes(design, edit(design))) == said
