"""Designs made up at random: small, valid, and of every kind that the format can say."""

from random import Random

from designer.core.design.document import Design
from tests import designs_features, designs_pinned

NAMES = ("User", "Order", "Line", "Note")

ATTRIBUTES = {
    "title": {"bytes": 20},
    "placedAt": {"format": "datetime"},
    "day": {"format": "date"},
    "price": {"type": "N", "format": "decimal", "digits": 8, "scale": 2},
    "rank": {"type": "N", "format": "integer", "digits": 5},
    "status": {"values": ["OPEN", "PAID", "GONE"], "shares": [0.1, 0.2, 0.7]},
    "kind": {"values": ["A", "AB", "B"]},
    "label": {"bytes": 12, "distinct": 400},
    "email": {"format": "email"},
    "flag": {"type": "BOOL"},
    "tags": {"type": "SS"},
    "code": {"type": "B", "bytes": 6, "distinct": 5000},
    "region": {"distinct": 3, "busiest": 0.6},
    "lines": {"type": "L", "bytes": 30},
    "forgetAt": {"type": "N", "format": "epoch", "digits": 10, "ttl": True},
}
SORTABLE = ("title", "placedAt", "day", "price", "rank", "code")
GIVEN = ("status", "kind", "label", "day", "period", "flag", "code", "region")
FEW = 200
"""Items of an entity that may be listed whole."""
MANY = 3_000_000
"""Items of an entity of which a large part, asked for often, would take thousands of shards."""
SELDOM = {"average": 0.01, "peak": 0.02}
REFERRING = ("type", "format", "bytes", "digits")
"""What an attribute that refers to another has in common with it."""

SETTINGS = (
    (0.15, "objective", ("indexes",)),
    (0.15, "tolerance", (0, 0.5)),
    (0.15, "composite_index_keys", ("multi-attribute",)),
    (0.1, "items", ("as-stated",)),
    (0.1, "key_names", ({"single": "natural"}, {"multi": "generic"})),
    (0.03, "max_gsis", (0, 1, 2)),
)
"""With which chance a design has a setting, and of which values."""


def generated(random: Random) -> Design:
    """A design; the same for the same source of chance."""
    return Design.model_validate(_Making(random).document())


def crossed(random: Random) -> Design:
    """The same with a list of what items with all values have in common, where an entity allows one."""
    return Design.model_validate(_Making(random, is_crossing=True).document())


class _Making:
    def __init__(self, random: Random, is_crossing: bool = False) -> None:
        self.random, self.is_crossing = random, is_crossing
        self.beside = Random(str(random.getstate()))
        """For what was added to these designs later, so that the others stay as they were."""
        self.entities: list[dict] = []
        self.relationships: list[dict] = []
        self.patterns: list[dict] = []
        self.busy = self.chance(0.3)
        """Whether there is more to write than one partition takes."""

    def chance(self, of: float) -> bool:
        return self.random.random() < of

    def document(self) -> dict:
        for name in NAMES[: self.random.randint(1, 4)]:
            self.add_entity(name)
        for entity in self.entities:
            self.add_reads(entity)
            self.add_writes(entity)
        for relationship in self.relationships:
            self.add_reads_of(relationship)
        self.random.shuffle(self.patterns)
        several = self.random.randint(2, 9)
        kept, self.patterns = self.patterns[:several], []
        for likely, feature in designs_features.FEATURES:
            if self.chance(likely):
                feature(self)
        kept += self.patterns
        for pattern in kept:
            if "rate" in pattern and self.is_of_many(pattern.get("returns", ())):
                pattern["rate"] = SELDOM
            if pattern["kind"] in ("list", "count") and self.beside.random() < 0.2:
                self.ask_by_more(pattern)
        if self.beside.random() < 0.2:
            kept += self.asked_by_part_of_time()
        if self.beside.random() < 0.2:
            kept += designs_features.unique_in_scopes(self)
        for pattern in kept:
            if self.beside.random() < 0.4:
                self.test_within_limit(pattern)
        if self.is_crossing:
            kept += designs_features.crossed(self)
        document = {
            "name": "Generated",
            "entities": self.entities,
            "relationships": self.relationships,
            "patterns": [
                {"number": number, "name": f"Pattern {number}", **pattern}
                for number, pattern in enumerate(kept, 1)
            ],
            "planner": {
                setting: self.random.choice(values)
                for likely, setting, values in SETTINGS
                if self.chance(likely)
            },
        }
        if self.chance(0.25):
            document["planner"]["pins"] = designs_pinned.pins(self.random, document)
        return document

    def is_of_many(self, returns: str | list[str]) -> bool:
        """Whether a pattern is asked of an entity with so many items."""
        asked = [returns] if isinstance(returns, str) else returns
        return any(self.entity(name)["items"] == MANY for name in asked)

    # Entities

    def add_entity(self, name: str) -> None:
        own = f"{name.lower()}Id"
        attributes = [{"name": own, **self.identity()}]
        identifier = [own]
        parents = [parent for parent in self.entities if len(parent["identifier"]) <= 2]
        if parents and self.chance(0.8):
            parent = self.random.choice(parents)
            references = self.refer(name, parent, attributes)
            if self.relationships[-1].get("many") is None and self.chance(0.4):
                attributes[:] = attributes[1:]
                identifier = references
            elif self.chance(0.5):
                identifier = [*references, own]
        elif len(self.entities) >= 2 and self.chance(0.6):
            identifier = self.make_edge(name, attributes) or identifier
        has_line = any(one["name"] == "line" for one in attributes)
        if identifier == [own] and self.beside.random() < 0.1 and not has_line:
            # The generated part belongs to several items: an order's lines.
            attributes[0]["distinct"] = 2_000
            attributes.append({"name": "line", "type": "N", "format": "integer", "digits": 4})
            identifier = [own, "line"]
        for attribute in self.random.sample(sorted(ATTRIBUTES), self.random.randint(2, 7)):
            attributes.append(self.attribute(attribute))
        known = {one["name"] for one in attributes}
        if "placedAt" in known and self.chance(0.5):
            form = self.random.choice(("date", "hour", "month"))
            attributes.append({"name": "period", "derived": f"{form}(placedAt)"})
        if identifier == [own] and self.chance(0.2):
            kept = {k: v for k, v in attributes[0].items() if k != "name"}
            attributes.append(
                {"name": "above", "refers_to": f"{name}.{own}", "present": 0.8, **kept}
            )
            self.relationships.append(
                {"name": f"under{name}", "one": name, "many": name, "by": "above", "average": 3}
            )
        singles = [parent for parent in self.entities if len(parent["identifier"]) == 1]
        if singles and identifier == [own] and self.chance(0.25):
            self.refer_again(name, self.random.choice(singles), attributes)
        self.entities.append(
            {
                "name": name,
                "identifier": identifier,
                "items": self.random.choice((FEW, 50_000, MANY)),
                "attributes": attributes,
            }
        )

    def identity(self) -> dict:
        return self.random.choice(
            (
                {"format": "uuid"},
                {"format": "ulid"},
                {"bytes": 8},
                {"type": "N", "format": "integer", "digits": 9},
            )
        )

    def attribute(self, name: str) -> dict:
        attribute = {"name": name, **ATTRIBUTES[name]}
        if name == "email" and self.chance(0.7):
            attribute["unique"] = True
        if self.chance(0.3):
            attribute["present"] = 0.4
        if self.chance(0.5):
            attribute["mutable"] = True
        return attribute

    def refer(self, name: str, parent: dict, attributes: list[dict]) -> list[str]:
        """Add a child's reference to a parent, and the relationship; the names of the reference."""
        taken = {attribute["name"] for attribute in attributes}
        names = []
        for target in parent["identifier"]:
            known = next(one for one in parent["attributes"] if one["name"] == target)
            names.append(target)
            if target not in taken:
                kept = {k: v for k, v in known.items() if k in REFERRING}
                attributes.append(
                    {"name": target, "refers_to": f"{parent['name']}.{target}", **kept}
                )
        relationship = {
            "name": f"has{name}From{parent['name']}",
            "by": names if len(names) > 1 else names[0],
            "identifying": self.chance(0.3),
        }
        if self.chance(0.15):
            relationship["one"] = [parent["name"], name]
        else:
            few = {"average": 2, "most": 5}
            many = {"average": self.random.choice((2, 30)), "most": self.random.choice((40, 3000))}
            how_many = self.random.choice((few, many, many, {"average": 50}))
            relationship |= {"one": parent["name"], "many": name, **how_many}
        self.relationships.append(relationship)
        return names

    def refer_again(self, name: str, parent: dict, attributes: list[dict]) -> None:
        """A second reference to a parent: one that can be missing, and may come to lead elsewhere."""
        target = parent["identifier"][0]
        known = next(one for one in parent["attributes"] if one["name"] == target)
        kept = {k: v for k, v in known.items() if k in REFERRING}
        refers_to = f"{parent['name']}.{target}"
        attributes.append({"name": "second", "refers_to": refers_to, "present": 0.8, **kept})
        of = {"one": parent["name"], "many": name, "by": "second", "average": 4}
        self.relationships.append({"name": f"also{name}", **of})

    def make_edge(self, name: str, attributes: list[dict]) -> list[str] | None:
        """Make the entity the edge of N:M between the first two, where their identifiers allow it."""
        sides = self.entities[:2]
        names = [side["attributes"][0]["name"] for side in sides]
        if [side["identifier"] for side in sides] != [[name] for name in dict.fromkeys(names)]:
            return None
        attributes.clear()
        for side in sides:
            target = side["identifier"][0]
            known = side["attributes"][0]
            kept = {k: v for k, v in known.items() if k in REFERRING}
            attributes.append({"name": target, "refers_to": f"{side['name']}.{target}", **kept})
        self.relationships.append(
            {
                "name": f"joinedBy{name}",
                "many": [side["name"] for side in sides],
                "through": name,
                "averages": [5, 12],
                "mosts": [60, 400],
            }
        )
        return [side["identifier"][0] for side in sides]

    # Patterns

    def add(self, **pattern) -> None:
        if self.chance(0.7):
            pattern["rate"] = {"average": self.random.choice((0.5, 20)), "peak": 40}
            if self.busy and "returns" not in pattern:
                pattern["rate"]["peak"] = self.random.choice((900, 4000))
            if self.busy and self.chance(0.2):
                pattern["hottest"] = 0.4
        self.patterns.append(pattern)

    def names(self, entity: dict, among: tuple[str, ...]) -> list[str]:
        return [one["name"] for one in entity["attributes"] if one["name"] in among]

    def by_identifier(self, entity: dict) -> list[dict]:
        return [{"attribute": name, "is": {"param": name}} for name in entity["identifier"]]

    def by_reference(self, relationship: dict, parent: dict) -> list[dict]:
        """A parent's children: they refer to it by its own names, or by one name of another meaning."""
        by = relationship.get("by")
        names = [by] if by in ("above", "second") else parent["identifier"]
        return [{"attribute": name, "is": {"param": name}} for name in names]

    def ordered(self, entity: dict) -> dict:
        """Perhaps an order, perhaps a limit."""
        sortable = self.sortable(entity)
        said: dict = {}
        if sortable and self.chance(0.7):
            chosen = self.random.sample(sortable, self.random.randint(1, min(2, len(sortable))))
            way = self.random.choice(("ascending", "descending"))
            said["order"] = [f"{name} {way}" for name in chosen]
        if self.chance(0.5):
            said["limit"] = self.random.choice((1, 3, 10))
        if self.chance(0.3):
            said["consistency"] = self.random.choice(
                ("strong", "strong", "strong", "transactional")
            )
        return said

    def sortable(self, entity: dict) -> list[str]:
        """What items are sorted by: also the figures that are kept of their children."""
        figures = [one["name"] for one in entity["attributes"] if "aggregate" in one]
        return self.names(entity, SORTABLE) + figures

    def range(self, entity: dict) -> dict | None:
        sortable = self.names(entity, SORTABLE)
        if not sortable:
            return None
        name = self.random.choice(sortable)
        bounds = self.random.choice(
            (("from", "to"), ("from", "below"), ("after", "to"), ("after",), ("from",), ("below",))
        )
        if name == "title" and self.chance(0.5):
            bounds = ("begins_with",)
        if name == "day" and self.chance(0.3):
            return {"attribute": name, "begins_with": {"param": "dayBegin"}}
        return {
            "attribute": name,
            **{
                bound: {"param": f"{name}{bound.capitalize().replace('_', '')}"} for bound in bounds
            },
        }

    def tests(self, entity: dict) -> list[dict]:
        """Conditions that can be applied after reading."""
        choices = []
        for name in self.names(entity, ("flag",)):
            choices.append({"attribute": name, "is": {"value": True}})
        for name in self.names(entity, ("tags",)):
            choices.append({"attribute": name, "contains": {"param": "tag"}})
        for name in self.names(entity, ("kind",)):
            choices.append({"attribute": name, "not": {"param": "notKind"}})
            choices.append({"attribute": name, "any_of": {"param": "kinds"}})
        for name in self.names(entity, ("rank",)):
            choices.append({"attribute": name, "from": {"value": 0}})
            choices.append({"attribute": name, "exists": True})
            choices.append({"attribute": name, "missing": True})
        return choices

    def filtered(self, entity: dict) -> list[dict]:
        """Perhaps a condition that is applied after reading."""
        choices = self.tests(entity)
        return (
            [{**self.random.choice(choices), "share": 0.5}] if choices and self.chance(0.3) else []
        )

    def test_within_limit(self, pattern: dict) -> None:
        """Test the items within the limit, of a list that has one in an order: also by what a key may hold."""
        has_both = pattern["kind"] == "list" and {"order", "limit"} <= pattern.keys()
        if not has_both or "result" in pattern or not isinstance(pattern["returns"], str):
            return
        entity = self.entity(pattern["returns"])
        choices = self.tests(entity)
        for name in self.names(entity, SORTABLE):
            choices.append({"attribute": name, "from": {"param": f"then{name.capitalize()}"}})
        if choices:
            count = min(len(choices), self.beside.choice((1, 1, 2)))
            pattern["then_keep"] = self.beside.sample(choices, count)

    def ask_by_more(self, pattern: dict) -> None:
        """Add ranges and lists, of which a key serves one each, before or behind the conditions that are there."""
        if not isinstance(pattern["returns"], str):
            return
        entity, where = self.entity(pattern["returns"]), list(pattern.get("where", ()))
        sortable, given = self.names(entity, SORTABLE), self.names(entity, GIVEN)
        for _ in range(self.beside.randint(1, 3)):
            asked = {one["attribute"] for one in (*where, *pattern.get("keep", ()))}
            is_range = self.beside.random() < 0.6
            names = [name for name in (sortable if is_range else given) if name not in asked]
            if names:
                name = self.beside.choice(names)
                test = self.beside.choice(("from", "to", "after")) if is_range else "any_of"
                side = {"param": f"{name}{test.capitalize().replace('_', '')}"}
                where.insert(self.beside.randint(0, len(where)), {"attribute": name, test: side})
        pattern["where"] = where

    def asked_by_part_of_time(self) -> list[dict]:
        """A pattern after what is derived of a time, in a condition of any kind, and perhaps in that order."""
        of = [entity for entity in self.entities if self.names(entity, ("period",))]
        if not of:
            return []
        entity = self.beside.choice(of)
        tests = ("from", "to", "after", "below", "begins_with", "any_of", "not", "is", "exists")
        test = self.beside.choice(tests)
        side = (
            True if test == "exists" else {"param": f"period{test.capitalize().replace('_', '')}"}
        )
        where, keep = [], []
        self.beside.choice((where, where, keep)).append({"attribute": "period", test: side})
        given = [name for name in self.names(entity, GIVEN) if name != "period"]
        if given and self.beside.random() < 0.6:
            name = self.beside.choice(given)
            where.append({"attribute": name, "is": {"param": name}})
        said: dict = {}
        if self.beside.random() < 0.5:
            more = self.names(entity, SORTABLE)[:1]
            ways = (self.beside.choice(("ascending", "descending")) for _ in range(2))
            said["order"] = [f"{n} {w}" for n, w in zip(("period", *more), ways, strict=False)]
        if self.beside.random() < 0.4:
            said["limit"] = self.beside.choice((1, 3))
        asked = {"kind": "list", "returns": entity["name"], "where": where, "keep": keep}
        return [{**asked, **said, "rate": SELDOM}]

    def add_reads(self, entity: dict) -> None:
        name = entity["name"]
        self.add(kind="get", returns=name, where=self.by_identifier(entity))
        if len(entity["identifier"]) == 1:
            own = entity["identifier"][0]
            several = [{"attribute": own, "any_of": {"param": "ids"}}]
            self.add(kind="batch_get", returns=name, where=several, expects=3)
        for unique in (one for one in entity["attributes"] if one.get("unique")):
            where = [{"attribute": unique["name"], "is": {"param": unique["name"]}}]
            self.add(kind=self.random.choice(("get", "exists")), returns=name, where=where)
        given = self.names(entity, GIVEN)
        if given:
            chosen = self.random.sample(given, self.random.randint(1, min(2, len(given))))
            where = [{"attribute": one, "is": {"param": one}} for one in chosen]
            if self.chance(0.15):
                where[0] = {"attribute": chosen[0], "any_of": {"param": "several"}}
            if len(chosen) == 2 and self.chance(0.4):
                where[1]["optional"] = True
            if (
                (bounds := self.range(entity))
                and bounds["attribute"] not in chosen
                and self.chance(0.6)
            ):
                where.append(bounds)
            self.add(
                kind="list",
                returns=name,
                where=where,
                keep=self.filtered(entity),
                **self.ordered(entity),
            )
        if entity["items"] == FEW and self.chance(0.5):
            self.add(kind="list", returns=name, **self.ordered(entity))
        constant = self.names(entity, ("status",))
        if constant and self.chance(0.5):
            where = [{"attribute": "status", "is": {"value": "OPEN"}}]
            self.add(kind="list", returns=name, where=where, **self.ordered(entity))

    def add_reads_of(self, relationship: dict) -> None:
        child = self.child(relationship)
        for parent in self.parents(relationship):
            side = parent["name"]
            where = self.by_reference(relationship, parent)
            self.add(
                kind="list",
                returns=child["name"],
                where=[*where, *filter(None, [self.range(child) if self.chance(0.5) else None])],
                keep=self.filtered(child),
                **self.ordered(child),
            )
            along = {"relationship": relationship["name"], **self.ordered(child)}
            along.pop("consistency", None)
            one = self.by_identifier(parent)
            self.add(kind="get", returns=side, where=one, **{"with": [along]})
            figure = self.random.choice(("count", "exists"))
            self.add(kind=figure, returns=child["name"], where=where)
            numbers = self.names(child, ("price", "rank"))
            if numbers:
                of = {self.random.choice(("sum", "greatest", "least")): numbers[0]}
                self.add(kind="list", returns=child["name"], where=where, result=of)
            if "one" in relationship and self.chance(0.3):
                self.add_reads_up(relationship["name"], child, parent)
            if "one" in relationship and where == one and parent is not child and self.chance(0.4):
                self.add(kind="list", returns=[side, child["name"]], where=where)

    def entity(self, name: str) -> dict:
        return next(one for one in self.entities if one["name"] == name)

    def child(self, relationship: dict) -> dict:
        ends = (relationship[end] for end in ("through", "many", "one") if end in relationship)
        last = next(ends)
        return self.entity(last if isinstance(last, str) else last[1])

    def parents(self, relationship: dict) -> list[dict]:
        """The one side, or both sides of N:M."""
        one = relationship.get("one")
        if one is None:
            return [self.entity(side) for side in relationship["many"]]
        return [self.entity(one if isinstance(one, str) else one[0])]

    def add_reads_up(self, relationship: str, child: dict, parent: dict) -> None:
        """Reads that follow a relationship towards one."""
        along = [{"relationship": relationship}]
        if parent is not child:
            by = self.by_identifier(child)
            self.add(kind="get", returns=child["name"], where=by, **{"with": along})
        labels = self.names(parent, ("label", "status"))
        if labels:
            path = f"{relationship}.{labels[0]}"
            where = [{"attribute": path, "is": {"param": labels[0]}}]
            said = {"with": along} if self.chance(0.5) else self.ordered(child)
            self.add(kind="list", returns=child["name"], where=where, **said)

    def add_writes(self, entity: dict) -> None:
        name = entity["name"]
        self.add(kind=self.random.choice(("create", "create", "upsert")), entity=name)
        self.add(kind="delete", entity=name)
        fixed = set(entity["identifier"]) | {
            one["name"]
            for one in entity["attributes"]
            if (one.get("refers_to") and one["name"] != "second")
            or one.get("derived")
            or one.get("aggregate")
        }
        mutable = [one["name"] for one in entity["attributes"] if one["name"] not in fixed]
        for _ in range(2):
            if mutable:
                changed = self.random.sample(mutable, self.random.randint(1, min(2, len(mutable))))
                self.add(kind="update", entity=name, **self.change(entity, changed))
        parents = [
            one
            for one in self.relationships
            if "one" in one and one.get("many") == name != one["one"] and one["by"] != "second"
        ]
        if parents:
            check = {"check": parents[0]["one"], "exists": True}
            self.add(kind="transaction", members=[check, {"create": name}])
            if mutable:
                update = {"update": name, **self.change(entity, mutable[:1])}
                self.add(kind="transaction", members=[check, update])
        if parents and self.chance(0.4):
            by = parents[0]["by"]
            names = [by] if isinstance(by, str) else by
            where = [{"attribute": one, "is": {"param": one}} for one in names]
            self.add(kind="delete", entity=name, where=where)
        unique = [one["name"] for one in entity["attributes"] if one.get("unique")]
        if unique and mutable and self.chance(0.5):
            changed = [one for one in mutable if one != unique[0]][:1]
            if changed:
                self.add(kind="update", entity=name, by=unique, **self.change(entity, changed))
        if self.chance(0.3):
            several = {"average": 2, "most": 10}
            kind = self.random.choice(("create", "delete"))
            self.add(kind=kind, entity=name, times=several)
            self.add(kind="transaction", members=[{"delete": name, "times": several}])

    def change(self, entity: dict, changed: list[str]) -> dict:
        said: dict = {"set": {}}
        if self.chance(0.3):
            known = [
                one["name"]
                for one in entity["attributes"]
                if "derived" not in one and not one.get("unique")
            ]
            known = [name for name in known if name not in {*entity["identifier"], *changed}]
            said["given"] = self.random.sample(known, min(2, len(known)))
        for name in changed:
            known = next(one for one in entity["attributes"] if one["name"] == name)
            if "present" in known and self.chance(0.3):
                said.setdefault("remove", []).append(name)
            elif name == "rank" and self.chance(0.5):
                said["add"] = {"rank": {"value": 1}}
            elif name == "price" and self.chance(0.3):
                said["greatest"] = {"price": "price"}
            else:
                said["set"][name] = {"param": name}
        if "status" in changed and "status" in said["set"] and self.chance(0.4):
            said["if"] = [{"attribute": "status", "is": {"value": "OPEN"}}]
        return {key: value for key, value in said.items() if value}
