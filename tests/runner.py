"""Runs a plan document with boto3 and nothing of Keywright's, as docs/plan-format.md says.

Written from that page alone: what this cannot do, the page does not say. tests/expressions.py is the part that says
what templates and conditions mean.
"""

import contextlib
import operator
import random
from datetime import datetime, timedelta
from decimal import Decimal
from functools import reduce

from boto3.dynamodb.conditions import ConditionExpressionBuilder, Key
from botocore.exceptions import ClientError

from tests.expressions import (
    MISSING,
    TESTS,
    comparable,
    demand,
    expressed,
    found_in,
    holds,
    named,
    read_back,
    render,
    sum_of,
    unwire,
    wire,
)


class StopError(Exception):
    pass


class RefusedError(Exception):
    pass


class Runner:
    def __init__(self, client, plan, prefix=""):
        self.client, self.plan, self.prefix = client, plan, prefix
        self.tables = {table["name"]: table for table in plan["tables"]}
        self.marker = plan.get("type_attribute", "Type")

    def create_tables(self):
        for name, table in self.tables.items():
            types = {part["name"]: part["type"] for part in table["key"].values() if part}
            kinds = {"global": "GlobalSecondaryIndexes", "local": "LocalSecondaryIndexes"}
            indexes = {}
            for index in table.get("indexes", ()):
                parts = [("HASH", p) for p in index["partition"]]
                parts += [("RANGE", p) for p in index.get("sort", ())]
                types |= {part["name"]: part["type"] for _, part in parts}
                projection = {"ProjectionType": index["projection"]["type"]}
                if "attributes" in index["projection"]:
                    projection["NonKeyAttributes"] = index["projection"]["attributes"]
                schema = [{"AttributeName": p["name"], "KeyType": kind} for kind, p in parts]
                made = {"IndexName": index["name"], "KeySchema": schema, "Projection": projection}
                indexes.setdefault(kinds[index.get("kind", "global")], []).append(made)
            self.client.create_table(
                TableName=self.prefix + name,
                BillingMode="PAY_PER_REQUEST",
                KeySchema=[
                    {"AttributeName": part, "KeyType": kind}
                    for part, kind in zip(self.key_names(name), ("HASH", "RANGE"), strict=False)
                ],
                AttributeDefinitions=[
                    {"AttributeName": part, "AttributeType": kind} for part, kind in types.items()
                ],
                **indexes,
            )

    def delete_tables(self):
        for name in self.tables:
            self.client.delete_table(TableName=self.prefix + name)

    def key_names(self, table):
        key = self.tables[table]["key"]
        return [key[part]["name"] for part in ("partition", "sort") if key.get(part)]

    def items(self, entity, item, state):
        """What the tables hold of an entity's item: pairs of table and stored item."""
        for name, table in self.tables.items():
            for shape in table.get("items", ()):
                for number in range(shape.get("shards", 1)):
                    if shape["entity"] != entity or "inside" in shape:
                        continue
                    made = {
                        one: self.value(said, one, item, state)
                        for one, said in shape.get("attributes", {}).items()
                        if one not in shape.get("counts", ())
                    }
                    made |= self.held(shape, item, state)
                    added = shape.get("set", {}).items()
                    known = {**item, **made, "each.number": Decimal(number)}
                    made |= {one: render(template, known.get) for one, template in added}
                    if all(made.get(one) is not None for one in self.key_names(name)):
                        yield name, {one: v for one, v in made.items() if v is not None}

    def value(self, said, name, item, state):
        """An attribute of an item; a copy's is that of the item it comes from."""
        if "from" not in said:
            return item.get(name)
        source = said["from"]
        wanted = [item.get(own) for _, own in source["per"]]
        names = [theirs for theirs, _ in source["per"]]
        for other in state.get(source["entity"], ()) if None not in wanted else ():
            if [other.get(one) for one in names] == wanted:
                shapes = [s for t in self.tables.values() for s in t.get("items", ())]
                shape = next(s for s in shapes if s["shape"] == source["entity"])
                further = shape["attributes"].get(source["attribute"], {})
                return self.value(further, source["attribute"], other, state)
        return None

    def within(self, shape):
        """The shapes embedded in items of a shape."""
        shapes = (one for table in self.tables.values() for one in table.get("items", ()))
        return [one for one in shapes if one.get("inside", {}).get("shape") == shape["shape"]]

    def held(self, shape, item, state):
        """The embedded items that an item carries."""
        made = {}
        for one in self.within(shape):
            place = one["inside"]
            mine = [
                {"at": render(place.get("at", "-"), other.get), "element": other}
                for other in state.get(one["entity"], ())
                if all(other.get(own) == item.get(t) for own, t in place["same"].items())
            ]
            for each in mine:
                other = each["element"]
                each["element"] = {n: other[n] for n in one["attributes"] if n in other}
            if "at" in place:
                made[place["attribute"]] = {each["at"]: each["element"] for each in mine}
            elif mine:
                made[place["attribute"]] = mine[0]["element"]
        return made

    def put(self, entity, item, state=None):
        for table, made in self.items(entity, item, state or {}):
            self.client.put_item(TableName=self.prefix + table, Item=wire(made))

    # Operations

    def run(self, pattern, parameters):
        """The answer: rows (entity, item) by part, or a figure; for a write whether it was done."""
        those = [one for one in self.plan["operations"] if one["pattern"] == pattern]
        choices = {name for one in those for name in one.get("given", ())}
        choices |= {
            p["name"] for one in those for p in one.get("parameters", ()) if p.get("optional")
        }
        given = {name for name in choices if parameters.get(name) is not None}
        operation = next(o for o in those if o.get("given") is None or set(o["given"]) == given)
        return self.run_steps(operation, parameters)

    def run_steps(self, operation, parameters):
        result = operation.get("result", {"kind": "written"})
        self.parts = {part["name"]: part for part in result.get("parts", ())}
        always = {n: list(map(constant, v)) for n, v in operation.get("constants", {}).items()}
        self.parameters, self.found, self.counted = {**parameters, **always}, {}, 0
        try:
            if operation.get("until_none"):
                self.run_until_none(operation["steps"])
            else:
                for step in operation["steps"]:
                    (self.write if "members" in step else self.read)(step)
        except (RefusedError, StopError):
            if any("members" in step for step in operation["steps"]):
                return False
        return True if result["kind"] == "written" else self.answer(result)

    def run_until_none(self, steps):
        """Again until nothing is found; what is refused is passed over."""
        for _ in range(50):
            self.found, self.counted = {}, 0
            for step in steps[:-1]:
                self.read(step)
            if not list(self.repeat(steps[-1].get("for_each"), {})):
                return
            with contextlib.suppress(RefusedError):
                self.write(steps[-1])
        raise AssertionError("something is still found")

    def keep_up(self, before, now):
        """What the streams' consumer does. `before`: items by table and key; `now(table)`: as they are."""
        every = self.plan.get("upkeep", ())
        told = {upkeep["table"]: [] for upkeep in every}
        last = {table: dict(before[table]) for table in told}

        def listen(table):
            """What has changed since is told, also what the consumers wrote themselves."""
            after = now(table)
            for at in {**last[table], **after}:
                if last[table].get(at) != after.get(at):
                    told[table].append((last[table].get(at, {}), after.get(at, {})))
            last[table] = after

        for table in told:
            listen(table)
        for upkeep in every:
            listen(upkeep["table"])
            for was, item in told[upkeep["table"]]:
                if (was or item).get(self.marker, upkeep["entity"]) != upkeep["entity"]:
                    continue
                happened = "change" if was and item else "removal" if was else "creation"
                own = upkeep.get("attributes", {})
                changed = {name for name in (*was, *item) if was.get(name) != item.get(name)}
                watched = changed & {*upkeep.get("watch", own.values())}
                if happened not in upkeep.get("on", ("change", "removal")) or not watched:
                    continue
                if not changed & {*upkeep.get("unless", ())}:
                    given = {name: item.get(one) for name, one in own.items()}
                    old = {name: was.get(one) for name, one in upkeep.get("before", {}).items()}
                    self.run_steps(upkeep, {**was, **given, **old})

    def look(self, bound):
        """What names stand for while `bound` is current."""

        def look(name):
            step, _, attribute = name.rpartition(".")
            if step == "each":
                return bound.get(("each", attribute))
            if step:
                rows = [bound["rows", step]] if ("rows", step) in bound else self.found[step]
                for row in rows:
                    read_for = [row["bound"], *row["also_for"]]
                    if any(all(b.get(k, one) is one for k, one in bound.items()) for b in read_for):
                        return row["item"].get(attribute)
                return None
            for (kind, source), element in bound.items():
                if kind == "values" and isinstance(element, dict) and name in element:
                    return element[name]
                if kind == "values" and source == name:
                    return element
            return self.parameters.get(name)

        return look

    def repeat(self, each, bound, enough=lambda since: False):
        """What is current, one repetition after the other; `enough` says whether periods may end."""
        if not each:
            yield bound
            return
        for current in list(self.elements(each, bound)):
            since = sum(map(len, self.found.values()))
            for period in self.periods(each.get("periods"), self.look(current)):
                if each.get("periods", {}).get("until_enough") and enough(since):
                    break
                drawn = random.randrange(each.get("drawn", 1))
                for number in range(drawn, drawn + each.get("numbers", 1)):
                    every = {("each", "period"): period, ("each", "number"): Decimal(number)}
                    said = {"period": "periods" in each, "number": {"numbers", "drawn"} & set(each)}
                    yield current | {key: one for key, one in every.items() if said[key[1]]}

    def elements(self, each, bound):
        if "rows" in each:
            rows = [
                row
                for row in self.found[each["rows"]]
                if each.get("shape") in (None, row["shape"]["shape"]) and self.keeps(each, row)
            ]
            rows = self.crossed(each, rows)
            for row in in_order(rows, each.get("order", ()))[: each.get("limit")]:
                yield {**row["bound"], **bound, ("rows", each["rows"]): row}
        elif "values" in each:
            bounds = [bound]
            for name in (each["values"], *each.get("and_values", ())):
                given = self.parameters.get(name) or ()
                bounds = [{**one, ("values", name): value} for one in bounds for value in given]
            yield from bounds
        else:
            yield bound

    def periods(self, said, look):
        if said is None:
            return [None]
        times = [render(said[bound], look) for bound in ("from", "to")]
        if None in times:
            return []
        count = {"year": 4, "month": 7, "date": 10, "hour": 13}[said["form"]]
        period, last = (time[:count] for time in times)
        found = []
        while period <= last:
            found.append(period)
            start = datetime.fromisoformat(period + "2000-01-01T00:00:00"[count:])
            hours = {"year": 366, "month": 31, "date": 1}.get(said["form"], 1 / 24) * 24
            period = (start + timedelta(hours=hours)).isoformat()[:count]
        return found[::-1] if said.get("newest_first") else found

    # Reads. Batches and transactional gets are done key by key: the answer is the same.

    def read(self, step):
        self.found[step["id"]], seen, missing = [], [], False
        is_query = step["call"] == "Query"

        def enough(since):
            rows = self.found[step["id"]][since - before :]
            return step.get("pages") == "until" and self.enough(step, rows)

        before = sum(map(len, self.found.values()))
        bounds = self.repeat(step.get("for_each"), {}, enough)
        asked = [None] if is_query else [step["key"], *step.get("also", ())]
        for bound, expressions in ((bound, one) for bound in bounds for one in asked):
            look = self.look(bound)
            if is_query:
                key = [self.bounds(condition, look) for condition in step["where"]]
                absent = None in key
                tests = [one.items() for one in step.get("filter", ())]
                said = [e for one in tests for name, e in one if name in TESTS and name != "any_of"]
                tested = [render(expression, look) for expression in said]
            else:
                key = {name: render(one, look) for name, one in expressions.items()}
                absent = any(value in MISSING for value in key.values())
            same = [key, tested] if is_query else key
            if same in seen and (not is_query or step["for_each"].get("distinct")):
                for row in () if is_query else self.found[step["id"]]:
                    if all(row["item"].get(name) == value for name, value in key.items()):
                        row["also_for"].append(bound)
                continue
            seen.append(same)
            missing |= absent or not (self.query if is_query else self.get)(step, key, bound)
        if missing and step.get("when_missing") == "stop":
            raise StopError

    def bounds(self, condition, look):
        """(attribute, test, values) of a key condition; None when nothing can meet it."""
        ((test, said),) = ((test, said) for test, said in condition.items() if test != "attribute")
        values = [render(one, look) for one in (said if test == "between" else [said])]
        if any(value in MISSING for value in values):
            return None
        backwards = test == "between" and comparable(values[0]) > comparable(values[1])
        return None if backwards else (condition["attribute"], test, values)

    def get(self, step, key, bound):
        table = self.prefix + step["table"]
        strong = step.get("consistent", False)
        answer = self.client.get_item(TableName=table, Key=wire(key), ConsistentRead=strong)
        return self.keep(step, [answer["Item"]] if "Item" in answer else [], bound)

    def query(self, step, key, bound):
        request = {
            "TableName": self.prefix + step["table"],
            "IndexName": step.get("index"),
            "ScanIndexForward": step.get("forward", True),
            "ConsistentRead": step.get("consistent", False),
            "Limit": step.get("limit"),
            "Select": "COUNT" if step.get("count") else None,
        }
        request = {name: value for name, value in request.items() if value is not None}
        builder = ConditionExpressionBuilder()
        where = None
        for attribute, test, values in key:
            one = (Key.between if test == "between" else getattr(Key, TESTS[test][0].__name__))(
                Key(attribute), *values
            )
            where = one if where is None else where & one
        expressed(builder, where, request, "KeyConditionExpression", is_key=True)
        filtered = demand(step.get("filter", ()), self.look(bound))
        expressed(builder, filtered, request, "FilterExpression")
        if "project" in step:
            names = {f"#p{at}": name for at, name in enumerate(step["project"])}
            request["ProjectionExpression"] = ", ".join(names)
            request["ExpressionAttributeNames"] |= names
        start, there, pages = len(self.found[step["id"]]), False, step.get("pages", "one")
        while True:
            page = self.client.query(**request)
            there |= self.keep(step, page.get("Items", []), bound) or page["Count"] > 0
            self.counted += page["Count"] if step.get("count") else 0
            own = self.found[step["id"]][start:]
            enough = pages == "until" and self.enough(step, own)
            if "LastEvaluatedKey" not in page or pages == "one" or enough:
                return there
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def enough(self, step, rows):
        return all(
            sum(self.belongs(self.parts[name], row) for row in rows) >= wanted
            for name, wanted in step["until"].items()
        )

    def keep(self, step, wired, bound):
        shapes = {shape["shape"]: shape for shape in self.tables[step["table"]]["items"]}
        marked = any(self.marker in shape.get("set", {}) for shape in shapes.values())
        for item in map(unwire, wired):
            shape = (item.get(self.marker) if marked else None) or step["shapes"][0]
            for name, key in step.get("from_keys", {}).items():
                item[name] = read_back(shapes[shape]["set"][key], item[key])[name]
            row = {"item": item, "shape": shapes[shape], "bound": bound, "also_for": []}
            self.found[step["id"]].append(row)
        return bool(wired)

    # Writes. A batch is done item by item: it has no conditions, and the tables end the same.

    def write(self, step):
        calls = {"Put": self.client.put_item, "Delete": self.client.delete_item}
        calls |= {"Update": self.client.update_item}
        done = []
        for outer in self.repeat(step.get("for_each"), {}):
            about = [
                (member, self.look(bound), bound)
                for member in step["members"]
                for bound in self.repeat(member.get("for_each"), outer)
            ]
            requests = [self.request(*one) for one in self.once(about)]
            if step["call"] == "TransactWriteItems" and requests:
                items = [{verb: arguments} for verb, arguments in requests]
                done.append(self.done(self.client.transact_write_items, TransactItems=items))
            else:
                sent = [(calls[verb], request) for verb, request in requests if verb in calls]
                done += [self.done(call, **request) for call, request in sent]
        if done and not any(done):
            raise RefusedError

    def done(self, call, **request):
        try:
            call(**request)
        except ClientError as error:
            reasons = {one.get("Code") for one in error.response.get("CancellationReasons", ())}
            said = error.response["Error"]
            refused = said["Code"] == "ConditionalCheckFailedException"
            # A transaction takes an item once: the caller gave two names that are one.
            refused |= "multiple operations on one item" in said["Message"]
            if not refused and reasons - {"None", None} != {"ConditionalCheckFailed"}:
                raise
            return False
        return True

    def once(self, about):
        """Of members those that are not left out; with each the ones that join it, as they are about its item."""
        leading, joining = {}, []
        for member, look, bound in about:
            same = [render(expression, look) for expression in member.get("unless_same", ())]
            said = member.get("values", member.get("key"))
            key = [render(said.get(n, ""), look) for n in self.key_names(member["table"])]
            if any(part in MISSING for part in key) or (same and same[0] == same[1]):
                continue
            one = (member, look, bound, [])
            if member.get("joins"):
                joining.append((member["table"], key, one))
            else:
                # Two that do not join are the engine's to refuse.
                leading.setdefault(repr((member["table"], key)), []).append(one)
        for table, key, one in sorted(joining, key=lambda each: "check" in each[2][0]):
            there = leading.setdefault(repr((table, key)), [])
            if there:
                there[0][-1].append(one[:2])
            else:
                there.append(one)
        return [one for same in leading.values() for one in same]

    def request(self, member, look, bound, joining):
        verb = next(one for one in ("put", "update", "delete", "check") if one in member)
        item = {n: render(e, look) for n, e in member.get("values", member.get("key")).items()}
        if verb == "put":
            item |= self.best([(member, look)])
            item |= {n: item[n] + more for n, more in self.added([(member, look)]).items()}
        request = {"TableName": self.prefix + member["table"]}
        inner = [
            (one, self.look(row), self.path(one, row))
            for one in member.get("inside", ())
            for row in self.repeat(one.get("for_each"), bound)
        ]
        parts = [(member, look), *joining]
        condition = None
        for one, own in parts:
            ways = [demand(way, own) for way in one.get("any", ())]
            either = reduce(operator.or_, ways) if ways else None
            for test in (demand(one.get("if", ()), own), either):
                if test is not None:
                    condition = test if condition is None else condition & test
        if verb == "put":
            item |= self.put_inside(member, inner)
        else:
            for one, own, path in inner:
                tests = [demand(one.get("if", ()), own, path)]
                if "exists" in one:
                    at = named(path)
                    tests.append(at.exists() if one["exists"] else at.not_exists())
                for test in filter(None, tests):
                    condition = test if condition is None else condition & test
        request["Item" if verb == "put" else "Key"] = wire(item)
        expressed(ConditionExpressionBuilder(), condition, request, "ConditionExpression")
        updates = [one for one in parts if "update" in one[0]]
        if verb == "update" and not self.changes(updates, request, inner):
            verb = "check"
        return ("ConditionCheck" if verb == "check" else verb.capitalize()), request

    def added(self, members):
        """The numbers to add; of several their sum, of none nothing."""
        found = {}
        for member, look in members:
            for name, said in member.get("add", {}).items():
                more = sum_of(said, look)
                if more is not None:
                    found[name] = found.get(name, 0) + more
        return found

    def best(self, members):
        found = {}
        for member, look in members:
            for word, choose in (("greatest", max), ("least", min)):
                for name, said in member.get(word, {}).items():
                    values = [
                        (sum_of if isinstance(one, list) else render)(one, look) for one in said
                    ]
                    known = [one for one in (found.get(name), *values) if one is not None]
                    found |= {name: choose(known, key=comparable)} if known else {}
        return found

    def path(self, inner, bound):
        """Where an embedded item lies."""
        shapes = (one for table in self.tables.values() for one in table.get("items", ()))
        name = next(inner[verb] for verb in ("put", "update", "delete", "check") if verb in inner)
        place = next(one["inside"] for one in shapes if one["shape"] == name)
        at = [render(inner["at"], self.look(bound))] if "at" in inner else []
        return [place["attribute"], *at]

    def put_inside(self, member, inner):
        shapes = (one for table in self.tables.values() for one in table.get("items", ()))
        shape = next(one for one in shapes if one["shape"] == member["put"])
        places = [one["inside"] for one in self.within(shape)]
        made = {place["attribute"]: {} for place in places if "at" in place}
        for one, look, (attribute, *at) in inner:
            element = values_of(one, look)
            made[attribute] = made[attribute] | {at[0]: element} if at else element
        return made

    def changes(self, members, request, inner):
        """Put what updates change into their request; whether there is anything."""
        sets = {n: render(e, look) for one, look in members for n, e in one.get("set", {}).items()}
        removed = [name for one, _ in members for name in one.get("remove", ())]
        clauses = {
            "SET": {name: value for name, value in sets.items() if value is not None},
            "REMOVE": dict.fromkeys([n for n in sets if sets[n] is None] + removed),
            "ADD": self.added(members),
        }
        clauses["SET"] |= self.best(members)
        for word, clause in (("append", "APPEND"), ("include", "ADD"), ("exclude", "DELETE")):
            of = {n: render(e, look) for one, look in members for n, e in one.get(word, {}).items()}
            clauses[clause] = clauses.get(clause, {}) | of
        names = request.setdefault("ExpressionAttributeNames", {})
        values, said = {}, []
        appended = clauses.pop("APPEND")
        for clause, changed in clauses.items():
            one = []
            for name, value in appended.items() if clause == "SET" else ():
                at = len(names)
                names[f"#u{at}"], values[f":u{at}"], values[":none"] = name, value, []
                one.append(f"#u{at} = list_append(if_not_exists(#u{at}, :none), :u{at})")
            for name, value in changed.items():
                at = len(names)
                names[f"#u{at}"], values[f":u{at}"] = name, value
                sign = {"SET": f" = :u{at}", "REMOVE": ""}.get(clause, f" :u{at}")
                one.append(f"#u{at}{sign}")
            said += [f"{clause} {', '.join(one)}"] if one else []
        for one, own, path in inner:
            changed_inside(one, own, path, said, names, values)
        if values := wire(values):
            request.setdefault("ExpressionAttributeValues", {}).update(values)
        request |= {"UpdateExpression": " ".join(said)} if said else {}
        return bool(said)

    # The answer

    def belongs(self, part, row):
        return row["shape"]["shape"] in part["shapes"] and self.keeps(part, row)

    def keeps(self, part, row, which="keep"):
        look = self.look(row["bound"])
        return all(
            holds(condition, row["item"], look)
            for condition in part.get(which, ())
            if condition.get("shape", row["shape"]["shape"]) == row["shape"]["shape"]
        )

    def embedded(self, part, row):
        """The embedded items that lie in an item that was read."""
        for shape in self.within(row["shape"]):
            place = shape["inside"]
            held = row["item"].get(place["attribute"])
            if held is not None and shape["shape"] in part["shapes"]:
                same = {own: row["item"].get(theirs) for own, theirs in place["same"].items()}
                for element in held.values() if "at" in place else [held]:
                    yield {**row, "item": {**element, **same}, "shape": shape}

    def part(self, part, owners):
        rows = [row for step in part["steps"] for row in self.found.get(step, ())]
        rows = [one for row in rows for one in (row, *self.embedded(part, row))]
        rows = [row for row in rows if self.belongs(part, row)]
        rows = in_order(self.crossed(part, rows), part.get("order", ()))
        limit = part.get("limit") or len(rows)
        if not part.get("per"):
            return [row for row in rows[:limit] if self.keeps(part, row, "then_keep")]
        counts = [([o["item"].get(theirs) for _, theirs in part["per"]], []) for o in owners]
        for row in rows:
            key = [row["item"].get(name) for name, _ in part["per"]]
            _, mine = next((one for one in counts if one[0] == key), (None, [None] * limit))
            mine += [row] if len(mine) < limit else []
        return [row for row in rows if any(row is one for _, mine in counts for one in mine)]

    def crossed(self, part, rows):
        """Of rows that are the same, the first, if together they have all elements of a list."""
        if "crossed" not in part:
            return rows
        said, groups = part["crossed"], []
        for row in rows:
            same = [comparable(row["item"].get(name)) for name in said["same"]]
            if None not in same:
                mine = next((group for was, group in groups if was == same), [])
                groups += [] if mine else [(same, mine)]
                mine.append(row)
        wanted = [comparable(value) for value in self.parameters.get(said["values"]) or ()]
        has = [[comparable(r["item"].get(said["attribute"])) for r in rows] for _, rows in groups]
        whole = [all(value in there for value in wanted) for there in has]
        return [rows[0] for (_, rows), is_whole in zip(groups, whole, strict=True) if is_whole]

    def taken(self, part, owners):
        found = []
        for row in owners:
            if self.keeps(part, row):
                item = {name: row["item"].get(of) for name, of in part["take"].items()}
                item = {name: value for name, value in item.items() if value is not None}
                found += [] if (part["entity"], item) in found else [(part["entity"], item)]
        return found

    def answer(self, result):
        owners = self.part(self.parts["rows"], []) if "rows" in self.parts else []
        for part in (p for p in self.parts.values() if p.get("required")):
            there = [[r["item"].get(n) for n, _ in part["per"]] for r in self.part(part, owners)]
            owners = [o for o in owners if [o["item"].get(n) for _, n in part["per"]] in there]
        told = {n: self.taken(p, owners) for n, p in self.parts.items() if "take" in p}
        parts = {n: self.part(p, owners) for n, p in self.parts.items() if n not in told}
        parts |= {"rows": owners} if "rows" in parts else {}
        if result["kind"] in ("rows", "one"):
            answer = {name: [visible(row) for row in rows] for name, rows in parts.items()} | told
            for name, part in self.parts.items():
                if "crossed" in part:
                    rows, same = answer[name], part["crossed"]["same"]
                    answer[name] = [(entity, {n: row[n] for n in same}) for entity, row in rows]
                if "completes" in part:
                    more, owners = answer.pop(name), answer[part["completes"]]
                    answer[part["completes"]] = [completed(part, row, more) for row in owners]
            return answer
        rows = [row["item"] for rows in parts.values() for row in rows]
        count = len(rows) + self.counted
        if result["kind"] in ("count", "exists"):
            return count if result["kind"] == "count" else count > 0
        found = [found_in(row, result["attribute"]) for row in rows]
        values = [value for value in found if value is not None]
        if result["kind"] == "sum":
            return sum(values, Decimal(0))
        chosen = max if result["kind"] == "greatest" else min
        return chosen(values, key=comparable) if values else None


def in_order(rows, lines):
    for line in reversed(lines):
        name, way = line.split()
        rows = [row for row in rows if found_in(row["item"], name) is not None]
        rows.sort(
            key=lambda r, n=name: comparable(found_in(r["item"], n)), reverse=way == "descending"
        )
    return rows


def completed(part, row, more):
    """A row of the answer with the attributes that another item has for it."""
    entity, item = row
    mine = [one for _, one in more if all(one[a] == item[b] for a, b in part["per"])]
    if "adds" in part:
        known = {n: [one[n] for one in (item, *mine) if n in one] for n in part["adds"]}
        return entity, {**item, **{n: sum(values) for n, values in known.items() if values}}
    return entity, {**item, **(mine[0] if mine else {})}


def values_of(inner, look):
    made = {name: render(one, look) for name, one in inner.get("values", {}).items()}
    return {name: value for name, value in made.items() if value is not None}


def amount(said, look):
    minus = isinstance(said, str) and said.startswith("-{")
    return -render(said[1:], look) if minus else render(said, look)


def changed_inside(inner, look, path, said, names, values):
    """Add to an update what it changes in an embedded item."""

    def at(*more):
        places = [f"#u{len(names) + number}" for number in range(len(path) + len(more))]
        names.update(zip(places, [*path, *more], strict=True))
        return ".".join(places)

    def value(one):
        values[f":w{len(values)}"] = one
        return f":w{len(values) - 1}"

    sets = {name: render(e, look) for name, e in inner.get("set", {}).items()}
    clauses = {"SET": [], "REMOVE": []}
    if "put" in inner:
        clauses["SET"].append(f"{at()} = {value(values_of(inner, look))}")
    if "delete" in inner:
        clauses["REMOVE"].append(at())
    for name, one in sets.items():
        if one is None:
            clauses["REMOVE"].append(at(name))
        else:
            clauses["SET"].append(f"{at(name)} = {value(one)}")
    clauses["REMOVE"] += [at(name) for name in inner.get("remove", ())]
    for name, one in inner.get("add", {}).items():
        now, plus = f"if_not_exists({at(name)}, {value(Decimal(0))})", value(amount(one, look))
        clauses["SET"].append(f"{at(name)} = {now} + {plus}")
    for clause, texts in clauses.items():
        before = next((one for one in said if one.startswith(clause)), None)
        if texts and before is not None:
            said[said.index(before)] = f"{before}, {', '.join(texts)}"
        elif texts:
            said.append(f"{clause} {', '.join(texts)}")


def constant(value):
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return Decimal(str(value)) if is_number else value


def visible(row):
    attributes = {n for n, a in row["shape"].get("attributes", {}).items() if "from" not in a}
    attributes |= row["shape"].get("inside", {}).get("same", {}).keys()
    return row["shape"]["entity"], {n: v for n, v in row["item"].items() if n in attributes}
