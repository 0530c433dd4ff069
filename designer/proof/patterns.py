"""Prove one access pattern after the other: run its operations on the tables, and compare."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from designer.core import answers
from designer.core.answers import Item, Parameters, Refused, State, Value
from designer.core.design.document import Design
from designer.core.messages import say
from designer.core.patterns.base import Pattern, Read, Write
from designer.core.plan import Operation
from designer.core.plan.keys import TemplateError
from designer.proof.alone import alone
from designer.proof.behind import behind
from designer.proof.capacity import LOCAL, Capacity, is_comparable
from designer.proof.cases import cases
from designer.proof.compare import compare, show
from designer.proof.concerned import concerned
from designer.proof.exchanges import Sent
from designer.proof.execute import Outcome, execute
from designer.proof.run_state import NotRunnableError
from designer.proof.tables import (
    CollisionError,
    Stored,
    Tables,
    differences,
    expected_items,
    key_of,
    without_orphans,
)
from designer.proof.verdicts import KINDS, Example, Kind, PatternVerdict

MOST_SHOWN = 6
"""Requests of an example that are kept."""

FAILURES = (ClientError, BotoCoreError, NotRunnableError, TemplateError)
"""What an operation can end in besides a difference; each is a failure with its own message."""


class _DifferenceError(Exception):
    """An answer, or the tables after a write, differ from what they must be."""

    def __init__(self, said: str, is_order: bool = False) -> None:
        super().__init__(said)
        self.is_order = is_order


class _NotServedError(NotRunnableError):
    """The plan says itself that it does not answer a pattern with what is given."""


class _Stream:
    """What a table's stream has told."""

    def __init__(self) -> None:
        self.last: dict[Value, Item | None] = {}
        """Each item that it told of, as it then became."""
        self.told: list[tuple[Item | None, Item | None]] = []
        """Items as they were and as they became, in order; None where there was none."""


class Proof:
    """The proof of a plan on tables of its own, pattern by pattern."""

    def __init__(self, design: Design, tables: Tables, engine: str, examples: bool) -> None:
        self.design = design
        self.engine = engine
        self.examples = examples
        self.sent: list[Sent] = []
        """The requests of the case at hand, where examples are wanted."""
        self.figures: defaultdict[str, float] = defaultdict(int)
        """Of the pattern at hand."""
        self.tables = tables
        self.plan = tables.plan
        self.state: State = {}
        self.held: dict[str, Stored] = {table.name: {} for table in self.plan.tables}
        self.capacity = Capacity(tables.plan, tables.prefix, self.held)
        self.written: set[str] = set()
        self.later = {name for upkeep in self.plan.upkeep for name in upkeep.figures}
        """The figures that a consumer keeps, after the writes."""

    def hold(self, state: State) -> None:
        """Make the tables hold a state."""
        if state == self.state:
            return
        items = expected_items(self.plan, state)
        for table in self.plan.tables:
            self.tables.replace(table, self.held[table.name], items[table.name])
        self.state, self.held = state, items
        self.capacity = Capacity(self.plan, self.tables.prefix, items)

    def pattern(self, pattern: Pattern, state: State) -> PatternVerdict:
        """Run all cases of a pattern on a state."""
        operations = self.plan.operations_for(pattern.number)
        named: dict[str, Any] = {"pattern": pattern.number, "name": pattern.name}
        if not isinstance(pattern, (Read, Write)) or any(
            o.answer == "elsewhere" for o in operations
        ):
            return PatternVerdict(**named, status="elsewhere")
        if not operations or all(o.answer == "not served" for o in operations):
            why = next((operation.because for operation in operations), "")
            return PatternVerdict(**named, status="not served", difference=why)
        self.hold(
            concerned(self.plan, pattern, operations, state)
            if isinstance(pattern, Write)
            else state
        )
        self.figures = defaultdict(int)
        first: dict[str, str] = {}
        order, unserved = "as asked" if _is_ordered(pattern) else "", ""
        kept: dict[Kind, Example] = {}
        for parameters in cases(self.design, state, pattern):
            if self.puts_into_nothing(pattern, parameters):
                continue
            self.sent.clear()
            self.figures["cases"] += 1
            kind: Kind = "failed"
            try:
                kind, came = self.case(pattern, operations, parameters)
            except _NotServedError as error:
                unserved = str(error)
                continue
            except (_DifferenceError, CollisionError, *FAILURES) as error:
                self.figures["failed"] += 1
                came = str(error)
                first = first or {"difference": came, "parameters": show(parameters, 1000)}
                if isinstance(error, _DifferenceError) and error.is_order:
                    order = "wrong"
            self.keep(kept, kind, parameters, came)
        left = self.compare_whole()
        if left:
            self.figures["failed"] += 1
            first = first or {"difference": f"afterwards {'; '.join(left[:4])}"}
        status = "failed" if self.figures["failed"] else "passed"
        if order == "as asked" and status == "failed":
            order = ""  # nobody knows
        if unserved and not self.figures["failed"]:
            status, first = "not served", {"difference": unserved}
        if "answered" in kept:
            kept.pop("empty", None)
        said = {**named, "status": status, "operation": _calls(operations), "order": order}
        examples = tuple(kept[kind] for kind in KINDS if kind in kept)
        return PatternVerdict.model_validate(
            {**said, "examples": examples, **self.figures, **first}
        )

    def keep(
        self, kept: dict["Kind", Example], kind: "Kind", parameters: Parameters, came: str
    ) -> None:
        """Keep the first case of a kind, with what was sent, where that is wanted."""
        if self.examples and kind not in kept:
            kept[kind] = Example(
                parameters=show(parameters, 1000),
                came=came,
                exchanges=tuple(one.shown(self.tables.prefix) for one in self.sent[:MOST_SHOWN]),
            )

    def puts_into_nothing(self, pattern: Read | Write, parameters: Parameters) -> bool:
        """Whether a write makes an embedded item without its parent, which its relationship says is meaningless."""
        embedded = {s.entity for t in self.plan.tables for s in t.items if s.inside is not None}
        made = {c.entity for c in getattr(pattern, "changes", ()) if c.writes_whole}
        if not embedded & made:
            return False
        assert isinstance(pattern, Write)
        after = answers.apply(self.design, self.state, pattern, parameters, self.later)
        return not isinstance(after, Refused) and any(
            len(items) < len(after.get(name, ()))
            for name, items in without_orphans(self.plan, after).items()
        )

    def case(
        self, pattern: Read | Write, operations: tuple[Operation, ...], parameters: Parameters
    ) -> tuple["Kind", str]:
        """What came of a case that is as it must be."""
        operation = operation_for(operations, parameters)
        if isinstance(pattern, Write):
            return self.write(pattern, operation, parameters)
        expected = answers.answer(self.design, self.state, pattern, parameters)
        outcome = self.execute(operation, parameters)
        self.reckon()
        returned = len(outcome.answered.parts.get("rows", ()))
        if expected.rows is not None:
            # Named even when there are none: a pattern that answers rows says how many.
            self.figures["items_expected"] += expected.rows.count
            self.figures["items_returned"] += returned
        difference = compare(expected, outcome.answered)
        if difference is not None:
            raise _DifferenceError(str(difference), difference.is_order)
        if expected.rows is None:
            return "answered", f"The answer is {show(expected.value)}, as expected."
        items = "1 item" if returned == 1 else f"{returned:,} items"
        return "answered" if returned else "empty", f"{items} returned, as expected."

    def execute(self, operation: Operation, parameters: Parameters) -> Outcome:
        """Run an operation, and count what it did. Its requests are kept where examples are wanted."""
        sent = self.sent if self.examples else None
        outcome = execute(self.tables, operation, parameters, sent)
        for call in outcome.calls:
            units = sum(reported["CapacityUnits"] for reported in call.capacity)
            self.figures["read_units" if call.is_read else "write_units"] += units
            self.figures["requests"] += 1
            self.figures["items_read"] += call.read
        return outcome

    def write(
        self, pattern: Write, operation: Operation, parameters: Parameters
    ) -> tuple["Kind", str]:
        expected = answers.apply(self.design, self.state, pattern, parameters, self.later)
        refused = isinstance(expected, Refused)
        after = self.held if isinstance(expected, Refused) else expected_items(self.plan, expected)
        self.tables.touched = {}
        try:
            outcome = self.execute(operation, parameters)
            self.keep_up()
        finally:
            said = self.compare_and_undo(after)
        if isinstance(expected, Refused) and not outcome.refused:
            said.insert(0, f"succeeded, but should have been refused: {expected.because}")
        if outcome.refused and not refused:
            said.insert(0, "was refused, but should have succeeded")
        if not said and operation.until_none:
            said = self.delete_behind(operation, parameters, after)
        if said:
            raise _DifferenceError("; ".join(said[:4]))
        self.reckon(after)
        if isinstance(expected, Refused):
            self.figures["refused"] += 1
            return "refused", f"Refused, as expected: {expected.because}"
        return "answered", self.did(after) if self.examples else ""

    def delete_behind(
        self, operation: Operation, parameters: Parameters, after: Mapping[str, Stored]
    ) -> list[str]:
        """The same once more where the index still names items that have moved; how the tables differ then."""
        client = behind(self.tables, operation, self.held, after)
        if client is None:
            return []
        self.tables.touched = {}
        try:
            execute(self.tables, operation, parameters, client=client)
            self.keep_up()
        finally:
            said = self.compare_and_undo(after)
        return [f"while the index lags behind: {one}" for one in said]

    def reckon(self, after: Mapping[str, Stored] | None = None) -> None:
        """What the requests of the case at hand use by our rules, and whether the engine says the same."""
        if not self.examples:
            return
        for used in self.capacity.used(self.sent, after):
            kind = "read" if used.is_read else "write"
            self.figures[f"{kind}_units_by_rule"] += used.units
        for used in self.capacity.used(self.comparable(), after):
            self.figures["requests_compared"] += 1
            self.figures["requests_differing"] += used.differs_on(self.engine)

    def comparable(self) -> Iterator[Sent]:
        """Requests like those of the case at hand whose units the engine counts as they are billed."""
        for one in self.sent:
            if is_comparable(self.engine, one):
                yield one
            elif self.engine == LOCAL and "Error" not in one.answer:
                yield from alone(self.tables, self.held, one)

    def did(self, after: Mapping[str, Stored]) -> str:
        """What a write did to the tables, by shape."""
        counts = Counter[str]()
        for table in self.plan.tables:
            shapes = [shape.shape for shape in table.items]
            held, wanted = self.held[table.name], after[table.name]
            for key in held.keys() | wanted.keys():
                before, now = held.get(key), wanted.get(key)
                if before != now:
                    shape = self.tables.shape(table.name, now or before or {}, shapes)
                    verb = "put" if before is None else "removed" if now is None else "changed"
                    counts[f"{shape.shape if shape else 'item'} {verb}"] += 1
        said = (what if many == 1 else f"{many} {what}" for what, many in sorted(counts.items()))
        return f"Succeeded: {', '.join(said) or 'nothing changed'}. The tables then held the expected items."

    def keep_up(self) -> None:
        """Do what the streams' consumers do after what was written, and after what they write themselves."""
        streams = {one.table: _Stream() for one in self.plan.upkeep}
        for name, stream in streams.items():
            self.listen(name, stream)
        for upkeep in self.plan.upkeep:
            self.listen(upkeep.table, streams[upkeep.table])
            table = self.plan.table(upkeep.table)
            shapes = [shape.shape for shape in table.items]
            for before, after in streams[table.name].told:
                shape = self.tables.shape(table.name, before or after or {}, shapes)
                is_its = shape is not None and shape.shape == upkeep.entity
                if is_its and upkeep.runs(before, after):
                    execute(self.tables, upkeep.operation, upkeep.given(before, after))

    def listen(self, name: str, stream: "_Stream") -> None:
        """Let a table's stream tell what has changed since it was listened to."""
        touched = dict(self.tables.touched.get(name, {}))
        now = self.tables.read(self.plan.table(name), touched.values())
        for key in touched:
            before, after = stream.last.get(key, self.held[name].get(key)), now.get(key)
            if before != after:
                stream.told.append((before, after))
                stream.last[key] = after

    def compare_and_undo(self, after: Mapping[str, Stored]) -> list[str]:
        """How what a write touched, or had to touch, differs from what it must be now.

        A request changes no items but those whose keys it names, so these are compared after each
        write, and whole tables after each pattern.
        """
        said = []
        for table in self.plan.tables:
            held, wanted = self.held[table.name], after[table.name]
            keys = dict(self.tables.touched.get(table.name, {}))
            if keys and any(shape.shards for shape in table.items):
                # What was added is told by an item and its counters together.
                keys |= {key: key_of(table, item) for key, item in held.items()}
            if wanted is not held:
                for key in held.keys() | wanted.keys():
                    if held.get(key) != wanted.get(key):
                        keys[key] = key_of(table, wanted.get(key) or held[key])
            if keys:
                found = self.tables.read(table, keys.values())
                said += differences(self.plan, table, _those(wanted, keys), found)
                self.tables.replace(table, found, _those(held, keys))
                self.written.add(table.name)
        return said

    def compare_whole(self) -> list[str]:
        """How the tables that writes touched differ from what they held before; they are put right."""
        said = []
        for table in self.plan.tables:
            if table.name in self.written:
                found = self.tables.scan(table)
                said += differences(self.plan, table, self.held[table.name], found)
                self.tables.replace(table, found, self.held[table.name])
        self.written.clear()
        return said


def _is_ordered(pattern: Read | Write) -> bool:
    return isinstance(pattern, Read) and bool(
        pattern.orders or any(along.orders for along in pattern.with_)
    )


def _calls(operations: tuple[Operation, ...]) -> str:
    """The calls of a pattern's operations, each once: `Query GSI1 of app, GetItem app`."""
    said = (
        f"{step.call} {f'{step.index} of ' if step.index else ''}{step.table}"
        for operation in operations
        for step in operation.steps
    )
    return ", ".join(dict.fromkeys(said))


def _those(stored: Stored, keys: Collection[Value]) -> Stored:
    return {key: stored[key] for key in keys if key in stored}


def operation_for(operations: tuple[Operation, ...], parameters: Parameters) -> Operation:
    """The operation for the optional parameters that are given."""
    for operation in operations:
        optional = {p.name for p in operation.parameters if p.optional}
        optional |= {name for other in operations for name in other.given or ()}
        given = {name for name in optional if parameters.get(name) is not None}
        if operation.given is None or set(operation.given) == given:
            if operation.answer == "not served":
                said = say("case-not-served", given=tuple(sorted(given)), reasons=operation.reasons)
                raise _NotServedError(said)
            return operation
    raise NotRunnableError(say("no-operation-for", parameters=show(sorted(parameters))))
