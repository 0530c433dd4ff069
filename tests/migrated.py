"""A migration carried out, step by step as it says, on tables in memory: by a program that shares nothing with it.

The application goes on meanwhile: items are changed, made and deleted before, while and after everything is copied.
After each step every pattern that is valid then is asked, and must be answered exactly.
"""

from decimal import Decimal
from itertools import islice
from typing import Any

from botocore.exceptions import ClientError

from designer.core import answers
from designer.core.answers import Answered
from designer.core.design.document import Design
from designer.core.migration import Deployed, Migration, Phase, Stage, migrate
from designer.core.patterns.base import Read
from designer.core.plan import Plan
from designer.proof.cases import cases
from designer.proof.compare import compare
from designer.proof.rows import rows
from designer.proof.tables import without_orphans
from tests.expressions import render, unwire, wire
from tests.memory import Memory
from tests.runner import Runner

State = dict[str, tuple[dict[str, Any], ...]]
Contents = dict[str, dict[tuple[Any, ...], dict[str, Any]]]


class Told(Runner):
    """A runner that also says of each item it makes which shape it is."""

    def made(self, entity, item, state):
        """The items of an entity's item: table, shape and stored item."""
        for name, table in self.tables.items():
            for shape in table.get("items", ()):
                if shape["entity"] == entity and "inside" not in shape:
                    for number in range(shape.get("shards", 1)):
                        found = self.one(name, shape, item, state, number)
                        if found is not None:
                            yield name, shape["shape"], found

    def one(self, table, shape, item, state, number):
        made = {
            one: self.value(said, one, item, state)
            for one, said in shape.get("attributes", {}).items()
            if one not in shape.get("counts", ())
        }
        made |= self.held(shape, item, state)
        known = {**item, **made, "each.number": Decimal(number)}
        made |= {one: render(said, known.get) for one, said in shape.get("set", {}).items()}
        made = {name: value for name, value in made.items() if value is not None}
        return made if all(name in made for name in self.key_names(table)) else None

    def contents(self, state) -> Contents:
        """What the tables hold of a state, by table and key."""
        return {
            table: {key: item for key, (_, item) in items.items()}
            for table, items in self.shaped(state).items()
        }

    def shaped(self, state):
        """The same with each item's shape."""
        found: dict[str, dict[Any, tuple[str, Any]]] = {table: {} for table in self.tables}
        for entity, items in state.items():
            for item in items:
                for table, shape, made in self.made(entity, item, state):
                    found[table][self.key_of(table, made)] = (shape, made)
        return found

    def key_of(self, table, item):
        return tuple(item[name] for name in self.key_names(table))


STATED: dict[str, Any] = {
    "S": "stated",
    "N": Decimal(7),
    "BOOL": True,
    "L": ["stated"],
    "M": {"a": "stated"},
    "SS": {"stated"},
    "B": b"stated",
}


def lifted(before: Design, after: Design, state: State, renames=None) -> State:
    """A state of the earlier design as the later one has it."""
    renames = renames or {}
    found = {}
    for entity in after.entities:
        names = renames.get(entity.name, {})
        old = names.get("", entity.name)
        if old not in before.entity:
            continue
        known = before.entity[old].by_name
        items = []
        for item in state.get(old, ()):
            new = {
                a.name: item[names.get(a.name, a.name)]
                for a in entity.stored
                if names.get(a.name, a.name) in item
            }
            for attribute in entity.stored:
                name = names.get(attribute.name, attribute.name)
                if name not in known and attribute.aggregate is None:
                    new[attribute.name] = STATED[attribute.type]
            items.append(new)
        found[entity.name] = tuple(items)
    for entity in after.entities:
        for attribute in entity.attributes:
            if attribute.aggregate and attribute.name not in before.entity[entity.name].by_name:
                assert attribute.aggregate.startswith("count of ")
                relationship = after.relationship[attribute.aggregate.removeprefix("count of ")]
                pairs = after.references(relationship, entity.name)
                for item in found[entity.name]:
                    item[attribute.name] = Decimal(
                        sum(
                            all(child.get(m) == item.get(t) for m, t in pairs)
                            for child in found[relationship.child]
                        )
                    )
    return found


CONDITIONS = ("ConditionalCheckFailedException", "TransactionCanceledException")


class Carried:
    """A migration under way."""

    def __init__(self, before: Deployed, after: Deployed, renames=None):
        self.migration: Migration = migrate(before, after)
        self.before, self.planned = before, after
        self.after = self.migration.change.after
        self.renames = renames
        self.client = Memory()
        self.old, self.new = (Told(self.client, _document(d.plan)) for d in (before, self.after))
        self.old_reader = Runner(self.client, _with_shapes(before.plan, self.after.plan))
        self.new_reader = Runner(self.client, _with_shapes(self.after.plan, before.plan))
        self.state = self._first_state()
        self.later: State = {}
        """Items of entities that are new."""
        self.writes: str = "old"
        self.left: Contents = {}
        self.away: dict[str, list[dict[str, Any]]] = {}
        """Deleted items, some of which come back later."""
        self.asked = 0
        """Patterns asked so far, with their cases."""
        self.settled = 0
        """Items that went, as another has their value."""
        self.overtaken = 0
        """Copies that came too late for a newer write."""
        self.regions: dict[str, str] = {}
        """Where each table is. Tables of two Regions need names of their own here."""
        self._deploy(before)
        self._write({}, self._all(self.state))

    # The application

    def _first_state(self) -> State:
        state = {name: tuple(map(dict, items)) for name, items in rows(self.before.design).items()}
        state = without_orphans(self.before.plan, state)
        return dict(without_orphans(self.after.plan, self._lift(state)) and state)

    def _lift(self, state) -> State:
        return lifted(self.before.design, self.after.design, state, self.renames)

    def _all(self, state) -> Contents:
        """What must lie in the tables, as it is written now."""
        if self.writes == "old":
            return self.old.contents(state)
        new = self.new.contents({**self._lift(state), **self.later})
        if self.writes == "new":
            return new
        found = {table: dict(items) for table, items in self.old.contents(state).items()}
        holds = {
            name
            for table in self.after.plan.tables
            for shape in table.items
            for name in shape.holds
        }
        for table, items in new.items():
            there = found.setdefault(table, {})
            for key, item in items.items():
                for name in item.keys() & there.get(key, {}).keys() - holds:
                    assert item[name] == there[key][name], (table, key, name)
                there[key] = {**there.get(key, {}), **item}
        return found

    def go_on(self) -> None:
        """What the application does meanwhile, written as it writes at this stage: some items change, and where nothing
        depends on them one goes, or comes back.
        """
        was = self._all(self.state)
        found = dict(self.state)
        for name, items in self.state.items():
            if len(items) < 5:
                continue
            first, second, *rest = items
            later = self.later_name(name)
            free = _free(self.before.design, name) & _free(self.after.design, later)
            changed = {**second} | {n: first[n] for n in free & first.keys() & second.keys()}
            # The order tells who was changed last: the next time it is another's turn.
            found[name] = (*rest, changed, first)
            if not _is_leaf(self.before.design, name) or not _is_leaf(self.after.design, later):
                continue
            away = self.away.setdefault(name, [])
            away.append(rest.pop(0))
            back = [away.pop(0)] if len(away) > 2 else []
            found[name] = (*rest, changed, first, *back)
        self.state = found
        self._write(was, self._all(self.state))

    def later_name(self, entity: str) -> str:
        """What an entity is called in the later design."""
        names = ((new, said.get("")) for new, said in (self.renames or {}).items())
        return next((new for new, old in names if old == entity), entity)

    def _write(self, was: Contents, now: Contents) -> None:
        for table in {*was, *now}:
            before, after = was.get(table, {}), now.get(table, {})
            for key in {**before, **after}:
                if before.get(key) == after.get(key):
                    continue
                names = self._key_names(table)
                if key not in after:
                    self.client.delete_item(
                        TableName=table, Key=wire(dict(zip(names, key, strict=True)))
                    )
                    continue
                # What it does not know of an item stays.
                gone = before.get(key, {}).keys() - after[key].keys()
                stored = self._stored(table).get(key, {})
                kept = {n: v for n, v in stored.items() if n not in gone}
                self.client.put_item(TableName=table, Item=wire({**kept, **after[key]}))

    def _key_names(self, table):
        return list(self.client.table(table).key.names)

    def _stored(self, table) -> dict[tuple[Any, ...], dict[str, Any]]:
        names = self._key_names(table)
        items = map(unwire, self.client.scan(TableName=table)["Items"])
        return {tuple(item[name] for name in names): item for item in items}

    # Deployments

    def _deploy(self, stage: Stage | Deployed) -> None:
        """Have just the tables and indexes of a plan in its Region, with the items that are there."""
        fresh, region = Memory(), stage.design.region
        Runner(fresh, _document(stage.plan)).create_tables()
        elsewhere = {n: t for n, t in self.client.tables.items() if self.regions[n] != region}
        assert not elsewhere.keys() & fresh.tables.keys()
        self.regions |= dict.fromkeys(fresh.tables, region)
        for name, table in fresh.tables.items():
            if name in self.client.tables:
                was = self.client.tables[name]
                assert was.key == table.key
                for item in was.items.values():
                    table.check(item)
                table.items.update(was.items)
        self.client.tables = {**elsewhere, **fresh.tables}

    # The steps

    def run(self, check: bool = True) -> "Carried":
        valid = "old"
        if check:
            self.ask(valid)
        for placed in self.migration.steps:
            step = placed.step
            if placed.stage is not None:
                self._deploy(placed.stage)
            elif step.kind == "drop-tables":
                del self.client.tables[step.table]
            if step.kind == "find-duplicates":
                self._settle_duplicates()
            if step.kind == "write-both":
                self.writes = "both"
                self.go_on()
            if step.kind == "switch-reads":
                valid = "both"
            if step.kind == "switch-writes":
                self._switch_writes()
                valid = "new"
            if step.phase is Phase.CLEAN_UP and valid == "both":
                valid = "new"
            for backfill in step.backfills:
                carry_out = getattr(self, f"_{backfill.verb}")
                if step.phase is Phase.BACKFILL:
                    stale = self.state
                    self.go_on()
                    late = carry_out(backfill, stale)
                    self.overtaken += len(late)
                    # What had changed since it was read is read again, and nothing else.
                    carry_out(backfill, self.state, late)
                else:
                    carry_out(backfill)
            if step.backfills and step.phase is Phase.BACKFILL:
                self.go_on()
            if check:
                self.ask(valid)
        return self

    def _settle_duplicates(self) -> None:
        """Of items with one value that is to be unique the first stays."""
        was, found = self._all(self.state), dict(self.state)
        for entity in self.after.design.entities:
            for unique in entity.uniques:
                items = reversed(found.get(entity.name, ()))
                kept = {tuple(item.get(name) for name in unique.names): item for item in items}
                self.settled += len(found.get(entity.name, ())) - len(kept)
                found[entity.name] = tuple(kept.values())
        self.state = found
        self._write(was, self._all(self.state))

    def _switch_writes(self) -> None:
        self.left = self.old.shaped(self.state)
        was = self._all(self.state)
        self.writes = "new"
        brand_new = {
            name: items
            for name, items in rows(self.after.design).items()
            if name not in self._lift(self.state)
        }
        now = self.new.contents({**self._lift(self.state), **brand_new})
        kept = {
            t: {k: i for k, i in items.items() if k in was.get(t, {})} for t, items in now.items()
        }
        self.later = brand_new
        self._write(kept, now)
        self.go_on()

    def _update(self, backfill, stale, only=None) -> set[Any]:
        """Set what items lack, as they were read; the keys of those that had changed since."""
        late = set()
        old = self.old.contents(stale)[backfill.table]
        targets = self.new.shaped({**self._lift(stale), **self.later})[backfill.table]
        for key, (shape, item) in targets.items():
            values = {
                v.attribute: item[v.attribute] for v in backfill.values if v.attribute in item
            }
            if shape != backfill.shape or not values or (only is not None and key not in only):
                continue
            read = {n: v for n, v in old[key].items() if n not in self._key_names(backfill.table)}
            read |= {name: old[key].get(name) for name in values}
            names = list(dict.fromkeys((*read, *values)))
            tests = [
                f"#{names.index(n)} = :r{names.index(n)}"
                if value is not None
                else f"attribute_not_exists(#{names.index(n)})"
                for n, value in read.items()
            ]
            present = {f":r{names.index(n)}": v for n, v in read.items() if v is not None}
            sets = [f"#{names.index(n)} = :n{names.index(n)}" for n in values]
            new = {f":n{names.index(n)}": v for n, v in values.items()}
            if self._is_late(
                self.client.update_item,
                TableName=backfill.table,
                Key=wire(dict(zip(self._key_names(backfill.table), key, strict=True))),
                UpdateExpression="SET " + ", ".join(sets),
                ConditionExpression=" AND ".join(
                    [f"attribute_exists({self._key_names(backfill.table)[0]})", *tests]
                ),
                ExpressionAttributeNames={f"#{at}": n for at, n in enumerate(names)},
                ExpressionAttributeValues=wire({**present, **new}),
            ):
                late.add(key)
        return late

    def _put(self, backfill, stale, only=None) -> set[Any]:
        """Put items where there are none, as their sources were read; the keys of those that came too late."""
        late, lift = set(), {**self._lift(stale), **self.later}
        old_entity = (self.renames or {}).get(backfill.entity, {}).get("", backfill.entity)
        sources = self._sources(old_entity, stale)
        for at, item in enumerate(lift.get(backfill.entity, ())):
            for table, shape, made in self.new.made(backfill.entity, item, lift):
                key = self.new.key_of(table, made)
                if (table, shape) != (backfill.table, backfill.shape):
                    continue
                if only is not None and key not in only:
                    continue
                put = {
                    "TableName": table,
                    "Item": wire(made),
                    "ConditionExpression": f"attribute_not_exists({self._key_names(table)[0]})",
                }
                if self._is_far(table):
                    is_late = self._is_late(self.client.put_item, **put)
                    if not is_late and self._is_other(sources[at]):
                        is_late = True
                        names = self._key_names(table)
                        self.client.delete_item(
                            TableName=table, Key=wire({n: made[n] for n in names})
                        )
                else:
                    is_late = self._is_late(
                        self.client.transact_write_items,
                        TransactItems=[{"Put": put}, {"ConditionCheck": sources[at]}],
                    )
                if is_late:
                    late.add(key)
        return late

    def _is_far(self, table: str) -> bool:
        """Whether a table is in another Region than what is copied, so that no transaction spans both."""
        return self.regions[table] != self.before.design.region

    def _is_other(self, check) -> bool:
        """Whether a source is not as it was read."""
        return self._is_late(
            self.client.transact_write_items, TransactItems=[{"ConditionCheck": check}]
        )

    def _sources(self, entity, state) -> list[dict[str, Any]]:
        """For each item of an entity, the check that what holds it is as it was read."""
        found = []
        for item in state[entity]:
            made = [(t, i) for t, shape, i in self.old.made(entity, item, state) if shape == entity]
            table, stored = made[0] if made else self._host(entity, item, state)
            names = self.old.key_names(table)
            rest = {n: v for n, v in stored.items() if n not in names}
            aliases = {f"#{at}": n for at, n in enumerate(rest)}
            tests = [f"#{at} = :{at}" for at in range(len(rest))]
            check = {
                "TableName": table,
                "Key": wire({n: stored[n] for n in names}),
                "ConditionExpression": " AND ".join([f"attribute_exists({names[0]})", *tests]),
            }
            if rest:
                check["ExpressionAttributeNames"] = aliases
                check["ExpressionAttributeValues"] = wire(
                    {f":{at}": v for at, v in enumerate(rest.values())}
                )
            found.append(check)
        return found

    def _host(self, entity, item, state):
        """The item that an embedded one lies in."""
        shape = next(s for t in self.before.plan.tables for s in t.items if s.shape == entity)
        host = self.before.plan.shape(shape.inside.shape)
        for other in state[host.entity]:
            if all(item.get(own) == other.get(t) for own, t in shape.inside.same.items()):
                for table, name, made in self.old.made(host.entity, other, state):
                    if name == host.shape:
                        return table, made
        raise AssertionError(entity)

    def _remove(self, backfill) -> None:
        shaped = self.new.shaped({**self._lift(self.state), **self.later})
        for key, (shape, _) in shaped[backfill.table].items():
            if shape == backfill.shape:
                names = {f"#{at}": name for at, name in enumerate(backfill.attributes)}
                self.client.update_item(
                    TableName=backfill.table,
                    Key=wire(dict(zip(self._key_names(backfill.table), key, strict=True))),
                    UpdateExpression="REMOVE " + ", ".join(names),
                    ConditionExpression=f"attribute_exists({self._key_names(backfill.table)[0]})",
                    ExpressionAttributeNames=names,
                )

    def _delete(self, backfill) -> None:
        left = self.left or self.old.shaped(self.state)
        for key, (shape, _) in left[backfill.table].items():
            if shape == backfill.shape:
                key_names = self._key_names(backfill.table)
                self.client.delete_item(
                    TableName=backfill.table, Key=wire(dict(zip(key_names, key, strict=True)))
                )

    def _is_late(self, call, **request) -> bool:
        """Send a request; whether its condition did not hold."""
        try:
            call(**request)
        except ClientError as error:
            if error.response["Error"]["Code"] not in CONDITIONS:
                raise
            return True
        return False

    # The patterns

    def ask(self, valid: str) -> None:
        if valid in ("old", "both"):
            self._ask(self.old_reader, self.before.design, self.state)
        if valid in ("new", "both"):
            self._ask(self.new_reader, self.after.design, {**self._lift(self.state), **self.later})

    def _ask(self, runner, design, state) -> None:
        for pattern in design.patterns:
            answered = any(
                one.steps for one in runner_plan(self, runner).operations_for(pattern.number)
            )
            if not isinstance(pattern, Read) or not answered:
                continue
            every = cases(design, state, pattern)
            for parameters in [*every[:2], *islice(every, 2, None, 7)]:
                expected = answers.answer(design, state, pattern, parameters)
                given = runner.run(pattern.number, parameters)
                actual = Answered(parts=given) if isinstance(given, dict) else Answered(value=given)
                difference = compare(expected, actual)
                assert difference is None, (pattern.name, parameters, str(difference))
                self.asked += 1

    def ended(self) -> None:
        """Whether the tables are those of the later plan, and hold just what it says."""
        expected = self.new.contents({**self._lift(self.state), **self.later})
        assert self.client.tables.keys() == expected.keys()
        for table, items in expected.items():
            stored = self._stored(table)
            for key in {**items, **stored}:
                assert stored.get(key) == items.get(key), (table, key)
        for table in self.after.plan.tables:
            there = set(self.client.table(table.name).indexes)
            assert there == {index.name for index in table.indexes}


def runner_plan(carried: Carried, runner: Runner) -> Plan:
    """The plan that a runner runs."""
    return carried.before.plan if runner is carried.old_reader else carried.after.plan


def _free(design: Design, entity: str) -> set[str]:
    """Attributes of an entity in which an item may have what any other has: nothing else depends on them."""
    if entity not in design.entity:
        return set()
    found = design.entity[entity]
    bound = {*found.identifier} | {
        name
        for relationship in design.relationships
        for end in (*relationship.parents, relationship.child)
        for mine, theirs in design.references(relationship, end)
        for name in (mine, theirs)
    }
    summed = {
        attribute.aggregate.rpartition(".")[2]
        for each in design.entities
        for attribute in each.attributes
        if attribute.aggregate and "." in attribute.aggregate
    }
    return {
        a.name
        for a in found.attributes
        if not (a.unique or a.unique_within or a.aggregate or a.derived or a.refers_to)
        and a.name not in bound | summed
    }


def _is_leaf(design: Design, entity: str) -> bool:
    """Whether items of it may come and go without a thought for others."""
    counted = {
        design.relationship[attribute.aggregate.partition(" of ")[2].partition(".")[0]].child
        for each in design.entities
        for attribute in each.attributes
        if attribute.aggregate
    }
    named = {
        attribute.refers_to.partition(".")[0]
        for each in design.entities
        for attribute in each.attributes
        if attribute.refers_to
    }
    parents = {end for relationship in design.relationships for end in relationship.parents}
    return entity not in counted | named | parents


def _document(plan: Plan) -> dict[str, Any]:
    return plan.as_json()


def _with_shapes(plan: Plan, other: Plan) -> dict[str, Any]:
    """A plan whose reader also knows the kinds of items that only the other has, to pass over them."""
    document = _document(plan)
    more = {table["name"]: table.get("items", ()) for table in _document(other)["tables"]}
    for table in document["tables"]:
        known = {shape["shape"] for shape in table["items"]}
        table["items"] += [
            shape
            for shape in more.get(table["name"], ())
            if shape["shape"] not in known and "inside" not in shape
        ]
    return document
