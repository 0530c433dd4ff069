"""Features of made-up designs that chance alone would seldom bring together: each adds what it needs, and its patterns.

`making` is the design as far as it is made: its entities and relationships can still get more, its patterns are kept.
"""

from collections.abc import Callable
from typing import Any


def counted_often(making: Any) -> None:
    """A counter in a large item."""
    entity = making.random.choice(making.entities)
    entity["attributes"].append({"name": "text", "bytes": 3000})
    entity["attributes"].append({"name": "hits", "type": "N", "digits": 9})
    name, where = entity["name"], making.by_identifier(entity)
    _add(making, 100, kind="update", entity=name, add={"hits": {"value": 1}})
    _add(making, 1, kind="update", entity=name, set={"text": {"param": "text"}})
    _add(making, 10, kind="get", returns=name, where=where)
    if making.chance(0.5):
        _add(making, 1, kind="get", returns=name, where=where, attributes=["hits"])


def with_large_text(making: Any) -> None:
    """A large attribute that most reads leave out."""
    entity = making.random.choice(making.entities)
    small = [one["name"] for one in entity["attributes"] if "derived" not in one][:5]
    entity["attributes"].append({"name": "body", "bytes": making.random.choice((5000, 30_000))})
    name, where = entity["name"], making.by_identifier(entity)
    making.add(kind="get", returns=name, where=where)
    _add(making, 50, kind="get", returns=name, where=where, attributes=small)
    given = making.names(entity, ("status", "label", "kind"))
    if given:
        where = [{"attribute": given[0], "is": {"param": given[0]}}]
        making.add(kind="list", returns=name, where=where, attributes=small, expects=20)
    if "title" in small:
        _add(making, 30, kind="update", entity=name, set={"title": {"param": "newTitle"}})
    making.add(kind="create", entity=name)
    making.add(kind="delete", entity=name)


def figures_kept(making: Any) -> None:
    """Figures over children, kept by what is written of the children."""
    if not making.relationships:
        return
    relationship = making.random.choice(making.relationships)
    child = making.child(relationship)
    parent = making.random.choice(making.parents(relationship))
    name, changed = child["name"], set()
    for _ in range(making.random.randint(1, 2)):
        form = making.random.choice(("count", "sum", "greatest", "least"))
        figure: dict = {"name": f"{form}Of{name}", "type": "N", "digits": 12}
        over = ("price", "rank") if form == "sum" else ("price", "rank", "placedAt", "title")
        targets = making.names(child, over)
        if figure["name"] in {one["name"] for one in parent["attributes"]} or (
            form != "count" and not targets
        ):
            continue
        if form == "count":
            figure["aggregate"] = f"count of {relationship['name']}"
        else:
            target = next(one for one in child["attributes"] if one["name"] == targets[0])
            like = {k: v for k, v in target.items() if k in ("type", "format", "digits", "scale")}
            figure = {"name": figure["name"], **like, "digits": 12} if form == "sum" else like
            figure |= {"name": f"{form}Of{name}"}
            figure["aggregate"] = f"{form} of {relationship['name']}.{targets[0]}"
            changed.add(targets[0])
        parent["attributes"].append(figure)
    references = {relationship["by"]} if isinstance(relationship.get("by"), str) else set()
    moved = sorted((changed | references) - set(child["identifier"]))
    making.add(kind="create", entity=name)
    if moved and making.chance(0.6):
        new = {one: {"param": f"new{one.capitalize()}"} for one in moved[:1]}
        making.add(kind="update", entity=name, set=new)
    if making.chance(0.5):
        making.add(kind="delete", entity=name)
    if making.chance(0.2):
        making.add(kind="create", entity=name, times={"average": 2, "most": 5})
    where = making.by_identifier(parent)
    making.add(kind="get", returns=parent["name"], where=where)
    given = making.names(parent, ("status", "label", "region"))
    if given:
        where = [{"attribute": given[0], "is": {"param": given[0]}}]
        making.add(kind="list", returns=parent["name"], where=where, **making.ordered(parent))


def by_time(making: Any) -> None:
    """What comes in fast, and is asked for by a span of time."""
    entity = making.random.choice(making.entities)
    if making.names(entity, ("placedAt", "period", "placedIn")):
        return
    form = making.random.choice(("hour", "date", "month"))
    entity["attributes"].append({"name": "placedAt", "format": "datetime"})
    entity["attributes"].append({"name": "placedIn", "derived": f"{form}(placedAt)"})
    entity["items"] = 3_000_000
    name = entity["name"]
    making.add(kind="create", entity=name, hottest=0.01)
    making.patterns[-1]["rate"] = {"average": 50, "peak": making.random.choice((60, 900, 4000))}
    for _ in range(making.random.randint(1, 2)):
        bounds = making.random.choice((("from", "to"), ("after", "below"), ("from", "below")))
        where = [{"attribute": "placedAt", **{one: {"param": one} for one in bounds}}]
        given = making.names(entity, ("status", "region"))
        if given and making.chance(0.5):
            where.append({"attribute": given[0], "is": {"param": given[0]}})
        kind = making.random.choice(("list", "list", "list", "count"))
        said = making.ordered(entity) if kind == "list" else {}
        if kind == "list" and making.chance(0.5):
            said["order"] = [f"placedAt {making.random.choice(('ascending', 'descending'))}"]
        expects = making.random.choice((10, 300))
        making.add(kind=kind, returns=name, where=where, expects=expects, **said)


def few_values(making: Any) -> None:
    """Patterns after the few values of an attribute, or after everything, of what is written a lot."""
    entity = making.random.choice(making.entities)
    name = entity["name"]
    if not making.names(entity, ("region",)):
        entity["attributes"].append({"name": "region", "distinct": 3, "busiest": 0.6})
    where = [{"attribute": "region", "is": {"param": "region"}}] if making.chance(0.7) else []
    making.add(kind="create", entity=name)
    making.patterns[-1]["rate"] = {"average": 200, "peak": making.random.choice((1500, 6000))}
    kind = making.random.choice(("list", "list", "count", "exists"))
    said = making.ordered(entity) if kind == "list" else {}
    making.add(kind=kind, returns=name, where=where, expects=20, **said)
    making.patterns[-1]["rate"] = {"average": 1, "peak": making.random.choice((5, 3000, 9000))}
    if making.chance(0.5):
        making.add(kind="update", entity=name, set={"region": {"param": "newRegion"}})
    if making.chance(0.5):
        making.add(kind="delete", entity=name)


def inside(making: Any) -> None:
    """A few children that are meaningless without their parent, and asked for with it."""
    of = [one for one in making.relationships if "many" not in one or one.get("average") == 2]
    of = [one for one in of if making.child(one) is not making.parents(one)[0]]
    if not of:
        return
    relationship = making.random.choice(of)
    relationship["identifying"] = True
    if "many" in relationship:
        relationship["most"] = making.random.choice((5, 20))
    parent, child = making.parents(relationship)[0], making.child(relationship)
    along = {"relationship": relationship["name"], **making.ordered(child)}
    along.pop("consistency", None)
    where = making.by_identifier(parent)
    making.add(kind="get", returns=parent["name"], where=where, **{"with": [along]})
    making.add(kind="create", entity=parent["name"])
    making.add(kind="create", entity=child["name"])
    making.add(kind="delete", entity=making.random.choice((parent, child))["name"])


def parent_tested(making: Any) -> None:
    """Children by what their parent is, which comes along."""
    of = [one for one in making.relationships if "through" not in one]
    if not of:
        return
    relationship = making.random.choice(of)
    parent, child = making.parents(relationship)[0], making.child(relationship)
    tested = making.names(parent, ("label", "status", "kind", "rank", "flag"))
    if not tested:
        return
    path = f"{relationship['name']}.{making.random.choice(tested)}"
    where = [{"attribute": path, "is": {"param": "ofParent"}}]
    given = making.names(child, ("status", "kind", "label", "region"))
    if given and making.chance(0.7):
        where.append({"attribute": given[0], "is": {"param": given[0]}})
    along = {"relationship": relationship["name"]}
    said = {"with": [along]} if making.chance(0.8) else {}
    making.add(kind="list", returns=child["name"], where=where, **said, **making.ordered(child))
    making.add(kind="create", entity=child["name"])
    making.add(kind="update", entity=parent["name"], **making.change(parent, [tested[0]]))


SCOPES = ("kind", "label", "region", "code", "status")


def unique_in_scopes(making: Any) -> list[dict]:
    """Give an entity an attribute that is unique within a scope; patterns that read, move and delete by both."""
    random, entity = making.beside, making.beside.choice(making.entities)
    own = [one["name"] for one in entity["attributes"] if "refers_to" in one]
    among = making.names(entity, SCOPES) + own
    scope = sorted(random.sample(among, min(len(among), random.choice((1, 1, 2)))))
    if not scope or set(entity["identifier"]) <= {*scope}:
        return []
    handle: dict = {"name": "handle", "bytes": 10, "unique_within": scope, "mutable": True}
    entity["attributes"].append(handle | random.choice(({}, {"present": 0.6})))
    by, name = [*scope, "handle"], entity["name"]
    where = [{"attribute": one, "is": {"param": one}} for one in by]
    moved = [n for n in scope if n in SCOPES and random.random() < 0.5]
    change = {"set": {one: {"param": f"new{one.capitalize()}"} for one in ("handle", *moved)}}
    asked = [
        {"kind": random.choice(("get", "exists")), "returns": name, "where": where},
        {"kind": "update", "entity": name, **change},
        {"kind": "update", "entity": name, "by": by, **change},
        {"kind": "delete", "entity": name, "by": by},
    ]
    return [{**one, "rate": {"average": 2}} for one in random.sample(asked, 3)]


def crossed(making: Any) -> list[dict]:
    """A list of what items with all values of a list have in common: their parent, or what else they store."""
    random, entity = making.beside, making.beside.choice(making.entities)
    referring = [one["name"] for one in entity["attributes"] if "refers_to" in one]
    among = (*SCOPES, "day")
    asked = making.names(entity, among)
    if not asked:
        return []
    name = random.choice(asked)
    common = referring or [one for one in making.names(entity, (*among, "title")) if one != name]
    if not common:
        return []
    same = random.sample(common, random.randint(1, min(2, len(common))))
    test = {"attribute": name, "all_of": {"param": f"every{name.capitalize()}", "count": 2}}
    others = [one for one in asked if one not in (name, *same)]
    where = [test]
    if others and random.random() < 0.5:
        given = random.choice(others)
        more = random.choice(("is", "any_of"))
        where.insert(random.randint(0, 1), {"attribute": given, more: {"param": f"the{given}"}})
    said: dict = {}
    if random.random() < 0.6:
        said["order"] = [f"{same[0]} {random.choice(('ascending', 'descending'))}"]
    if random.random() < 0.5:
        said["limit"] = random.choice((1, 3))
    along = [
        one["name"]
        for one in making.relationships
        if making.child(one) is entity
        and "through" not in one
        and making.parents(one)[0] is not entity
        and _refers_by(one) <= {*same}
    ]
    if along and random.random() < 0.5:
        said["with"] = [{"relationship": random.choice(along)}]
    list_ = {"kind": "list", "returns": entity["name"], "where": where, "attributes": same}
    return [{**list_, **said, "rate": {"average": 0.01, "peak": 0.02}}]


FEATURES: tuple[tuple[float, Callable[[Any], None]], ...] = (
    (0.1, counted_often),
    (0.1, with_large_text),
    (0.2, figures_kept),
    (0.15, by_time),
    (0.15, few_values),
    (0.15, inside),
    (0.15, parent_tested),
)
"""With which chance a design has a feature."""


def _add(making: Any, average: float, **pattern: Any) -> None:
    """A pattern that is asked so often a second."""
    making.patterns.append({**pattern, "rate": {"average": average}})


def _refers_by(relationship: dict) -> set[str]:
    """The attributes by which children refer to their parent."""
    by = relationship["by"]
    return {by} if isinstance(by, str) else {*by}
