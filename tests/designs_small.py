"""Small designs made up at random, for which every key can be tried: one entity, or two that one pattern joins."""

from random import Random

from designer.core.design.document import Design
from designer.core.patterns import BatchGet
from designer.core.patterns.base import Read

POOL = {
    "owner": {"bytes": 12, "distinct": 2000},
    "status": {"values": ["OPEN", "PAID", "GONE"], "shares": [0.1, 0.2, 0.7]},
    "kind": {"values": ["A", "BB"], "shares": [0.5, 0.5]},
    "placedAt": {"format": "datetime"},
    "rank": {"type": "N", "digits": 6, "distinct": 500},
    "price": {"type": "N", "digits": 8, "scale": 2, "distinct": 1000},
    "label": {"bytes": 20, "distinct": 100},
    "email": {"format": "email", "unique": True},
}
SORTABLE = ("placedAt", "rank", "price", "label")
LISTED = ("owner", "status", "kind", "rank", "label")


def small(random: Random) -> Design:
    """A design of one entity: up to 4 reads over 5 attributes, up to 3 writes. The same for the same chance."""
    return Design.model_validate(_Making(random).document())


def hot(random: Random) -> Design:
    """The same with writes that at their peak may be more than one partition takes."""
    made = _Making(random).document()
    for pattern in made["patterns"]:
        if pattern["kind"] in ("create", "update"):
            pattern["rate"]["peak"] = random.choice((900, 1500, 6000))
    return Design.model_validate(made)


def strict(random: Random) -> Design:
    """The same where many lists are read strongly, most of them of one owner."""
    made = _Making(random).document()
    has_owner = any(one["name"] == "owner" for one in made["entities"][0]["attributes"])
    for pattern in made["patterns"]:
        if pattern["kind"] == "list" and random.random() < 0.7:
            pattern["consistency"] = "strong"
            given = {where["attribute"] for where in pattern["where"]}
            if has_owner and "owner" not in given and random.random() < 0.7:
                pattern["where"] = [{"attribute": "owner", "is": {"param": "owner"}}]
                pattern.pop("keep", None)
    return Design.model_validate(made)


def busy(random: Random) -> Design:
    """The same where all lists are read whole, strongly, and at their peak more often than one partition may serve."""
    made = _Making(random).document()
    for pattern in made["patterns"]:
        if pattern["kind"] == "list":
            pattern["consistency"] = "strong"
            pattern.pop("limit", None)
            pattern.pop("order", None)
            average, peak = random.choice((5, 20)), random.choice((20, 40, 80, 160, 320))
            pattern["rate"] = {"average": average, "peak": peak}
    made["entities"][0]["items"] = random.choice((400, 20_000))
    return Design.model_validate(made)


def nearest(random: Random) -> Design:
    """The same where lists with an order and a limit test what is within it, by what a key may hold, too."""
    made = _Making(random).document()
    own = made["entities"][0]["attributes"]
    for pattern in made["patterns"]:
        if pattern["kind"] == "list" and {"order", "limit"} <= pattern.keys():
            names = random.sample([one["name"] for one in own], random.choice((1, 1, 2)))
            asked = ({"attribute": one, "is": {"param": f"then{one}"}} for one in names)
            pattern["then_keep"] = list(asked)
    return Design.model_validate(made)


def ranged(random: Random) -> Design:
    """The same where most lists are asked by several ranges, or by several lists of values."""
    made = _Making(random).document()
    own = {one["name"]: one for one in made["entities"][0]["attributes"]}
    for pattern in made["patterns"]:
        if pattern["kind"] in ("list", "count"):
            where, order = pattern["where"], [one.split()[0] for one in pattern.get("order", ())]
            for _ in range(random.choice((0, 1, 2, 2, 3))):
                asked = {one["attribute"] for one in (*where, *pattern.get("keep", ()))}
                ranges = [name for name in SORTABLE if name in own and name not in asked]
                lists = [name for name in LISTED if name in own and name not in {*asked, *order}]
                if ranges and (not lists or random.random() < 0.6):
                    name = random.choice(ranges)
                    one = {"attribute": name, "to": {"param": f"most{name.capitalize()}"}}
                elif lists:
                    name = random.choice(lists)
                    one = {"attribute": name, "any_of": {"param": f"some{name.capitalize()}"}}
                else:
                    break
                if random.random() < 0.6:
                    one["share"] = random.choice((0.002, 0.03, 0.3, 0.95))
                where.insert(random.randint(0, len(where)), one)
    return Design.model_validate(made)


def fixed(random: Random) -> Design:
    """The same where most lists ask for items in any of two states, which are always the same."""
    making = _Making(random)
    made = making.document()
    while "status" not in {one["name"] for one in made["entities"][0]["attributes"]}:
        made = making.document()
    own = made["entities"][0]["attributes"]
    for one in own:
        if one["name"] == "status":
            one["shares"] = [0.05, 0.05, 0.9]
    listed = {"attribute": "status", "any_of": {"value": ["OPEN", "PAID"]}}
    for pattern in made["patterns"]:
        asked = {one["attribute"] for one in (*pattern.get("where", ()), *pattern.get("keep", ()))}
        if pattern["kind"] in ("list", "count") and "status" not in asked:
            pattern["where"] += [listed] * (random.random() < 0.8)
    return Design.model_validate(made)


def crossed(random: Random) -> Design:
    """The same where most lists ask for what items with all values of a list have in common."""
    made = _Making(random).document()
    own = [one["name"] for one in made["entities"][0]["attributes"] if one["name"] in POOL]
    for pattern in made["patterns"]:
        asked = {one["attribute"] for one in (*pattern.get("where", ()), *pattern.get("keep", ()))}
        names = [name for name in LISTED if name in own and name not in asked]
        if pattern["kind"] == "list" and names and random.random() < 0.8:
            name = random.choice(names)
            same = random.sample([one for one in own if one != name], random.choice((1, 1, 2)))
            every = {"param": f"every{name.capitalize()}", "count": random.choice((2, 3))}
            pattern["where"].insert(
                random.randint(0, len(pattern["where"])), {"attribute": name, "all_of": every}
            )
            pattern["attributes"] = same
            order = [one for one in pattern.pop("order", ()) if one.split()[0] in same]
            pattern |= {"order": order} if order else {}
    return Design.model_validate(made)


def picked(random: Random) -> Design:
    """The same where items have an owner in their identifier, and most lists name some of one owner's items."""
    made = _Making(random).document()
    entity = made["entities"][0]
    own = [one for one in entity["attributes"] if one["name"] not in ("owner", "id")]
    owners = min(random.choice((50, 2000, 100_000)), entity["items"])
    # No two items of an owner have the same.
    apart = max(random.choice((20, 4000)), 2 * entity["items"] // owners)
    owner = {"name": "owner", "bytes": 12, "distinct": owners}
    part = {"name": "id", "bytes": 8, "distinct": apart}
    entity |= {"identifier": ["owner", "id"], "attributes": [owner, part, *own]}
    for pattern in made["patterns"]:
        if pattern.get("set", {}).pop("owner", None) and not pattern["set"]:
            pattern["set"] = {own[0]["name"]: {"param": "new"}}
        given = {"attribute": "owner", "is": {"param": "owner"}}
        if pattern["kind"] in ("list", "count", "exists") and random.random() < 0.8:
            some = {"param": "ids", "count": random.choice((2, 8))}
            pattern["where"] = [given, {"attribute": "id", "any_of": some}]
            pattern["kind"] = random.choice(("list", "exists", "count"))
            if pattern["kind"] != "list":
                for field in ("order", "limit", "attributes"):
                    pattern.pop(field, None)
        elif pattern["kind"] == "get" and "returns" in pattern:
            pattern["where"] = [given, {"attribute": "id", "is": {"param": "id"}}]
    return Design.model_validate(made)


def named(random: Random) -> Design:
    """The same where these items are got by their identifiers."""
    made = picked(random)
    fields = ("number", "name", "returns", "where", "attributes", "consistency", "rate")
    found = (
        BatchGet.model_validate({field: getattr(one, field) for field in fields})
        if isinstance(one, Read) and any(test.any_of is not None for test in one.where)
        else one
        for one in made.patterns
    )
    return made.model_copy(update={"patterns": tuple(found)})


def joined(random: Random) -> Design:
    """A design of a parent and its children, with one read of both, and up to 2 reads and 2 writes of either."""
    return Design.model_validate(_Making(random).joined())


class _Making:
    def __init__(self, random: Random) -> None:
        self.random = random

    def chance(self, of: float) -> bool:
        return self.random.random() < of

    def document(self) -> dict:
        entity = self.entity("Thing")
        reads = [self.get("Thing", ["id"])] if self.chance(0.7) else []
        while len(reads) < self.random.randint(1, 4):
            reads.append(self.read(entity))
        writes = [self.write(entity) for _ in range(self.random.randint(0, 3))]
        return self.design([entity], [*reads, *writes])

    def joined(self) -> dict:
        """The entities share no name, so that lists of a shared index are paid for by one of them alone."""
        names = self.random.sample(sorted(set(POOL) - {"owner"}), 5)
        average = self.random.choice((3, 10, 60))
        form = self.random.choice(({"format": "uuid"}, {"bytes": 8}))
        parent, child = self.entity("Owner", names[:2]), self.entity("Thing", names[2:])
        parent["attributes"][0] = {"name": "ownerId", **form}
        parent["identifier"] = ["ownerId"]
        parent["attributes"] = [
            {**one, "name": "note"} if one["name"] == "body" else one
            for one in parent["attributes"]
        ]
        parent["items"] = self.random.choice((400, 20_000))
        child["items"] = parent["items"] * average
        child["attributes"].insert(1, {"name": "ownedBy", "refers_to": "Owner.ownerId", **form})
        if self.chance(0.5):
            child["identifier"] = ["ownedBy", "id"]
        sortable = [name for name in names[2:] if name in SORTABLE]
        along: dict = {"relationship": "owns"}
        if sortable and self.chance(0.6):
            way = self.random.choice(("ascending", "descending"))
            along["order"] = [f"{self.random.choice(sortable)} {way}"]
            if self.chance(0.7):
                along["limit"] = self.random.choice((1, 10, 50))
        if self.chance(0.4):
            along["attributes"] = self.random.sample(["id", *names[2:]], 2)
        both = {**self.get("Owner", ["ownerId"]), "with": [along]}
        reads = [
            self.read(self.random.choice((parent, child))) for _ in range(self.random.randint(0, 2))
        ]
        writes = [
            self.write(self.random.choice((parent, child)))
            for _ in range(self.random.randint(0, 2))
        ]
        owns = {
            "name": "owns",
            "one": "Owner",
            "many": "Thing",
            "by": "ownedBy",
            "average": average,
        }
        # So many at the most that they cannot lie in their parent's item.
        relationships = [{**owns, "most": 3000}]
        return self.design([parent, child], [both, *reads, *writes], relationships=relationships)

    def design(self, entities: list[dict], patterns: list[dict], **more: object) -> dict:
        return {
            "name": "Small",
            "entities": entities,
            "patterns": [
                {"number": at, "name": f"Pattern {at}", "rate": self.rate(), **pattern}
                for at, pattern in enumerate(patterns, 1)
            ],
            "planner": {"tolerance": 0},
            **more,
        }

    def rate(self) -> dict:
        return {"average": self.random.choice((0.01, 0.5, 5, 20))}

    def entity(self, name: str, among: list[str] | None = None) -> dict:
        made = self.random.choice(({"format": "uuid"}, {"format": "ulid"}, {"bytes": 8}))
        attributes = [{"name": "id", **made}]
        for chosen in among or self.random.sample(sorted(POOL), 4):
            attribute = {"name": chosen, **POOL[chosen]}
            if self.chance(0.2):
                attribute["present"] = 0.4
            attributes.append(attribute)
        body = self.random.choice((0, 200, 700, 980, 2500, 6000))
        if body:
            attributes.append({"name": "body", "bytes": body})
        return {
            "name": name,
            "identifier": ["id"],
            "items": self.random.choice((400, 20_000, 1_000_000)),
            "attributes": attributes,
        }

    # Reads

    def get(self, entity: str, by: list[str]) -> dict:
        where = [{"attribute": name, "is": {"param": name}} for name in by]
        return {"kind": "get", "returns": entity, "where": where, **self.consistency()}

    def consistency(self) -> dict:
        return {"consistency": "strong"} if self.chance(0.15) else {}

    def asked(self, entity: dict) -> list[dict]:
        return [a for a in entity["attributes"] if a["name"] in POOL]

    def read(self, entity: dict) -> dict:
        own = self.asked(entity)
        if "email" in {a["name"] for a in own} and self.chance(0.3):
            one = self.get(entity["name"], ["email"])
            return {**one, "kind": self.random.choice(("get", "exists"))}
        common = [a for a in own if not a.get("unique")]
        given = self.random.sample(common, min(self.random.choice((0, 1, 1, 1, 2, 2)), len(common)))
        where = []
        for attribute in given:
            constant = "values" in attribute and self.chance(0.5)
            side = (
                {"value": self.random.choice(attribute["values"])}
                if constant
                else {"param": attribute["name"]}
            )
            where.append({"attribute": attribute["name"], "is": side})
        free = [a["name"] for a in own if a not in given and a["name"] in SORTABLE]
        pattern: dict = {"kind": "list", "returns": entity["name"]}
        if free and self.chance(0.3):
            ranged = self.random.choice(free)
            bound = {"from": {"param": "least"}}
            if self.chance(0.5):
                bound["share"] = self.random.choice((0.02, 0.2))
            where.append({"attribute": ranged, **bound})
        rare = [a["name"] for a in own if "present" in a and a not in given]
        if rare and self.chance(0.3) and not any(w["attribute"] == rare[0] for w in where):
            where.append({"attribute": rare[0], "exists": True})
        kept = [a["name"] for a in own if a not in given and "values" in a]
        if kept and self.chance(0.2):
            pattern["keep"] = [{"attribute": kept[0], "is": {"param": "kept"}, "share": 0.3}]
        pattern["where"] = where
        if self.chance(0.15):
            return {**pattern, "kind": self.random.choice(("count", "exists"))}
        if free and self.chance(0.5):
            way = self.random.choice(("ascending", "descending"))
            names = self.random.sample(free, self.random.randint(1, min(2, len(free))))
            pattern["order"] = [f"{name} {way}" for name in names]
        if self.chance(0.8):
            pattern["limit"] = self.random.choice((1, 10, 50))
        if self.chance(0.6):
            names = [a["name"] for a in entity["attributes"]]
            pattern["attributes"] = self.random.sample(names, self.random.randint(1, 3))
        return pattern

    # Writes

    def write(self, entity: dict) -> dict:
        kind = self.random.choice(("create", "create", "update", "update", "update", "delete"))
        if kind != "update":
            return {"kind": kind, "entity": entity["name"]}
        fixed = ("id", "ownerId", "ownedBy")
        names = [a["name"] for a in entity["attributes"] if a["name"] not in fixed]
        changed = self.random.sample(names, self.random.randint(1, 2))
        said: dict = {"kind": kind, "entity": entity["name"], "set": {}}
        for name in changed:
            known = next(a for a in entity["attributes"] if a["name"] == name)
            if "present" in known and self.chance(0.3):
                said["remove"] = [name]
            elif "values" in known and self.chance(0.5):
                said["set"][name] = {"value": self.random.choice(known["values"])}
            else:
                said["set"][name] = {"param": f"new{name.capitalize()}"}
        others = [name for name in names if name not in (*changed, "body", "note")]
        if others and self.chance(0.4):
            said["given"] = self.random.sample(others, self.random.randint(1, len(others)))
        return said
