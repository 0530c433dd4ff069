"""Lists in words as long as they may be, on designs as large as they may be: what is worked out for them is counted."""

import json

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.errors import MisfitError
from designer.core.outline import Named, naming, read_pattern


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
    named = Named(design.entities)
    before = 0
    for _ in range(3):
        with pytest.raises(MisfitError):
            read_pattern(sentence, design, named)
        before, last = len(folded), len(folded) - before
    assert len(plurals) == 500
    assert last <= 20 * len(sentence.split()), last
