"""Pins for made-up designs: keys, names, projections, indexes and tables decided by hand."""

from random import Random
from typing import Any

from designer.core.design.check import check
from designer.core.design.document import Design

TRIES = 6


def pins(random: Random, document: dict[str, Any]) -> list[dict[str, Any]]:
    """Up to three pins: of those that come to mind the first that a design may have together."""
    found: list[dict[str, Any]] = []
    several = random.randint(1, 3)
    for _ in range(TRIES):
        pin = random.choice(KINDS)(random, document)
        if random.random() < 0.4:
            pin["style"] = random.choice(("single", "multi"))
        planner = {**document["planner"], "pins": [*found, pin]}
        if not check(Design.model_validate({**document, "planner": planner})):
            found.append(pin)
        if len(found) == several:
            break
    return found


def own_key(random: Random, document: dict[str, Any]) -> dict[str, Any]:
    """An entity's key: its identifier cut anywhere, perhaps after another attribute."""
    entity = random.choice(document["entities"])
    names = list(entity["identifier"])
    if random.random() < 0.3:
        names.insert(random.randint(0, len(names)), random.choice(entity["attributes"])["name"])
    cut = random.randint(1, len(names))
    key = {"partition": _template(random, names[:cut], entity["name"])}
    key["sort"] = _template(random, names[cut:], f"{entity['name']}S")
    if random.random() < 0.3:
        del key[random.choice(("partition", "sort"))]
    return {"entity": entity["name"], "key": key}


def key_names(random: Random, document: dict[str, Any]) -> dict[str, Any]:
    """How the key's attributes are called."""
    entity = random.choice(document["entities"])
    return {"entity": entity["name"], "names": {"partition": "hashKey", "sort": "rangeKey"}}


def table_name(random: Random, document: dict[str, Any]) -> dict[str, Any]:
    """How an entity's table is called."""
    return {"entity": random.choice(document["entities"])["name"], "name": "own-table"}


def index_key(random: Random, document: dict[str, Any]) -> dict[str, Any]:
    """An index that is to be there."""
    entity = random.choice(document["entities"])
    names = [one["name"] for one in entity["attributes"]]
    partition = random.sample(names, min(len(names), random.randint(1, 2)))
    sort = [name for name in random.sample(names, min(len(names), 2)) if name not in partition]
    key = {"partition": _template(random, partition, "")}
    if sort:
        key["sort"] = f"{_template(random, sort, '')}#"
    pin = {"entity": entity["name"], "index": "Pinned", "key": key}
    if random.random() < 0.5:
        pin["projection"] = random.choice(("keys-only", "include", "all"))
    return pin


def of_pattern(random: Random, document: dict[str, Any]) -> dict[str, Any]:
    """Which index answers a pattern, what that holds, how it is called."""
    said = {
        "index": random.choice(("Pinned", "Answers")),
        "projection": random.choice(("keys-only", "include", "all")),
        "name": "Called",
    }
    field = random.choice(sorted(said))
    return {"pattern": random.choice(document["patterns"])["number"], field: said[field]}


def shared_table(random: Random, document: dict[str, Any]) -> dict[str, Any]:
    """Entities that share a table."""
    names = [entity["name"] for entity in document["entities"]]
    together = random.sample(names, min(2, len(names)))
    return {"table": together, "name": "together"}


KINDS = (own_key, own_key, index_key, of_pattern, of_pattern, key_names, table_name, shared_table)


def _template(random: Random, names: list[str], token: str) -> str:
    """A key's text: these attributes, perhaps after a constant."""
    values = "#".join(f"{{{name}}}" for name in names)
    if not values:
        return token or "A"
    return f"{token.upper() or 'BY'}#{values}" if random.random() < 0.7 else values
