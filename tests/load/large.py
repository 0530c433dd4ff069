"""A design whose plans take a worker some seconds."""

import json


def large(name: str, of: int = 100) -> str:
    """`of` entities, with six access patterns each."""
    names = [f"a{at}" for at in range(6)]
    attributes = [{"name": "id"}, *({"name": each, "distinct": 20} for each in names)]
    entities = [
        {"name": f"E{at}", "identifier": ["id"], "items": 1000, "attributes": attributes}
        for at in range(of)
    ]
    patterns = [
        {"number": at + 1, "name": f"List {at}", "kind": "list", "returns": f"E{at % of}",
         "where": [{"attribute": names[at % 6], "is": {"param": "p"}}], "rate": {"average": 1.0}}
        for at in range(6 * of)
    ]  # fmt: skip
    return json.dumps({"keywright": 1, "name": name, "entities": entities, "patterns": patterns})
