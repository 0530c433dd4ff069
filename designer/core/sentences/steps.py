"""The requests of a plan in sentences."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from designer.core.patterns.document import Scalar
from designer.core.plan import (
    Crossing,
    Expression,
    ItemCondition,
    KeyCondition,
    Operation,
    Plan,
    Repeat,
    Shape,
    Step,
    Upkeep,
)
from designer.core.plan import Member as WrittenItem
from designer.core.plan.keys import (
    ABOVE,
    DELIMITER,
    leading,
    parse,
    plain_text,
)
from designer.core.sentences.index_keys import index_keys_changed
from designer.core.sentences.templates import NO_EACH, Each, expression
from designer.core.words import figures
from designer.core.words.english import joined

Lists = Mapping[str, tuple[Scalar, ...]]
"""The fixed lists of an operation, by the names that its steps use for them."""
NO_LISTS: Lists = {}
THE_ROWS = "the rows are "
"""How it is said what the application does with them, where the words before are of something else."""
FEW = 3
"""Values that a key is written with."""


def served_by(plan: Plan, operation: Operation) -> str:
    """How the plan answers a pattern: calls, keys and the number of requests, in one sentence."""
    if operation.answer in ("elsewhere", "not served"):
        start = "Not served" if operation.answer == "not served" else "Served without keys"
        return f"{start}: {operation.because}" if operation.because else f"{start}."
    requests = "".join(
        ("; in the same request " if step.goes_with else "; then " if at else "")
        + step_sentence(plan, step, operation.constants)
        for at, step in enumerate(operation.steps)
    )
    does = ", ".join(_by_the_caller(operation))
    said = ", ".join(filter(None, (requests, does)))
    is_repeated = bool(operation.steps) and operation.steps[-1].for_each is not None
    if does and (is_repeated or does.startswith(THE_ROWS)):
        # Otherwise it seems to be done for each of them, or with what the last step gets.
        said = f"{requests}; {does}"
    if operation.until_none:
        said = f"{said}; repeated until nothing is found"
    if operation.requests == 0:
        return said
    return f"{said} ({figures.count(operation.requests, 'request')}{at_worst(operation)})"


def at_worst(operation: Operation) -> str:
    """What follows the requests of a read that takes more of them at the worst."""
    worst = operation.worst
    if worst is None or worst.requests <= operation.requests:
        return ""
    return f", at worst {figures.number(worst.requests)}"


def kept_kinds(upkeep: Iterable[Upkeep]) -> str:
    """What these keep up to date, by its kind: `copies`, `aggregates`, `copies and aggregates`."""
    are_figures = {bool(each.figures) for each in upkeep}
    kinds = {False: "copies", True: "aggregates"}
    return " and ".join(words for kind, words in kinds.items() if kind in are_figures)


def kept_up_by(plan: Plan, upkeep: Upkeep) -> str:
    """What a stream's consumer does, in one sentence."""
    said = "; then ".join(step_sentence(plan, step) for step in upkeep.steps)
    return f"{said}, for {joined(list(upkeep.figures))}" if upkeep.figures else said


def _by_the_caller(operation: Operation) -> list[str]:
    """What is left to the application once everything is read: rows kept, sorted, cut."""
    if operation.result is None:
        return []
    if operation.result.kind == "exists":
        tests = (part.keep for part in operation.result.parts if part.keep)
        return [_in_application([_kept(keep, operation.constants)]) for keep in tests]
    said = []
    answering = {name for part in operation.result.parts for name in part.steps}
    for part in operation.result.parts:
        steps = [step for step in operation.steps if step.id in part.steps]
        read_whole = any(step.pages == "all" for step in steps)
        # What comes along is got for the rows of the answer; a second read, for keys that are no part of it.
        got = [e for e in (step.for_each for step in steps) if e and e.rows not in answering]
        # A later step is done for the rows that are kept, and its own words say of which.
        goes_on = [e for e in map(_for_each, operation.steps) if e and e.rows in part.steps]
        does = []
        if part.take:
            said.append(f"the {part.entity} comes from the copies in the rows")
        elif part.keep and not any(each.keep == part.keep for each in (*got, *goes_on)):
            does.append(_kept(part.keep, operation.constants))
        if part.crossed is not None:
            does.append(_crossed(part.crossed))
        if part.order and (part.order, part.limit) in [(each.order, each.limit) for each in got]:
            does.append("put in the same order")
        else:
            if part.order:
                does.append(_sorted(part.order))
            if part.limit and (does or read_whole):
                does.append(f"cut to {part.limit:,}")
        if part.then_keep:
            does.append(f"then {_kept(part.then_keep, operation.constants)}")
        if part.required:
            does.append("required of each row")
        if part.adds:
            said.append(f"{joined(list(part.adds))} added up in the application")
        elif part.completes is not None:
            said.append("each row combined from its items in the application")
        if does:
            name = f"related items of the relationship “{part.name}” "
            if part.name == "rows":
                is_later = bool(steps) and steps[-1] is not operation.steps[-1]
                name = THE_ROWS if is_later or (steps and steps[-1].for_each is not None) else ""
            said.append(f"{name}{_in_application(does)}")
    return said


def _for_each(step: Step) -> Repeat | None:
    return step.for_each


def _in_application(does: list[str]) -> str:
    """What the application does. A condition comes last, so that its value does not seem to be in the application."""
    if not any("kept only if" in each for each in does):
        return f"{joined(does)} in the application"
    first, *others = does
    if "kept only if" in first:
        first = first.replace("kept only if", "kept in the application only if", 1)
    else:
        first += " in the application"
    return joined([first, *others])


def _kept(conditions: tuple[ItemCondition, ...], lists: Lists) -> str:
    return f"kept only if {_all(conditions, lists)}"


def _all(
    conditions: Sequence[ItemCondition],
    lists: Lists,
    said_of: Callable[[ItemCondition, Lists], str] | None = None,
    each: Each = NO_EACH,
) -> str:
    """Conditions that must all hold; the values that one attribute must not have stand together."""
    said: dict[object, str] = {}
    excluded: dict[object, list[str]] = {}
    for condition in conditions:
        about = (condition.attribute, condition.shape)
        if _only_excludes(condition) and condition.not_ is not None:
            values = excluded.setdefault(about, [])
            values.append(expression(condition.not_, each))
            said[about] = (
                f"{_part_of_item(condition.attribute)} is not {joined(values, 'or')}"
                f"{_of_shape(condition)}"
            )
        else:
            said[len(said), about] = (
                said_of(condition, lists) if said_of else item_condition(condition, lists, each)
            )
    return joined(list(said.values()))


def _only_excludes(condition: ItemCondition) -> bool:
    return condition.model_dump(exclude_none=True).keys() <= {"attribute", "shape", "not_"}


def _of_shape(condition: ItemCondition) -> str:
    return f" (of {condition.shape})" if condition.shape is not None else ""


def _crossed(crossing: Crossing) -> str:
    each = f"{'combination of ' if len(crossing.same) > 1 else ''}{joined(list(crossing.same))}"
    return f"reduced to one for each {each} that is found for every value of {crossing.values}"


def _sorted(order: tuple[str, ...]) -> str:
    lines = (each.removesuffix(" ascending").partition(" ") for each in order)
    said = [f"{_part_of_item(name)}{f' in {way} order' if way else ''}" for name, _, way in lines]
    return f"sorted by {joined(said)}"


def _part_of_item(name: str) -> str:
    """What a condition tests or rows are sorted by, in words: `date of readAt`."""
    part = leading(name)
    return name if part is None else f"{part.form} of {part.name}"


def read_from_keys(step: Step) -> list[str]:
    """Which attributes the application reads from the text of which key, a phrase for each key."""
    by_key: dict[str, list[str]] = {}
    for name, key in step.from_keys.items():
        by_key.setdefault(key, []).append(name)
    return [f"{joined(names)} read from the text of {key}" for key, names in by_key.items()]


def step_sentence(plan: Plan, step: Step, lists: Lists = NO_LISTS) -> str:
    """One step: `Query on the table, PK = USER#<userId>, SK begins with ORDER#, backwards`."""
    if step.members:
        return _write_sentence(plan, step, lists)
    place = f"index {step.index}" if step.index else _table(plan, step.table)
    parts = [f"those of {place}" if step.goes_with else f"{step.call} on {place}"]
    each = _each_value(step.for_each, lists)
    parts += [key_condition(condition, each) for condition in step.where]
    parts += [f"{name} = {expression(value, each)}" for name, value in step.key.items()]
    for key in step.also:
        told = (f"{name} = {expression(value, each)}" for name, value in key.items())
        parts.append(f"and {' and '.join(told)}")
    if not step.forward:
        parts.append("backwards")
    is_cut_first = bool(step.filter) and step.limit is not None and step.pages == "one"
    if step.limit:
        items = figures.count(step.limit, "item")
        parts.append(f"one page of {items}" if is_cut_first else f"{items} a page")
    if step.pages == "all":
        parts.append("all pages")
    if step.pages == "until":
        few = [
            _fewer(least, "row")
            if name == "rows"
            else f"{_fewer(least, 'related item')} of the relationship “{name}”"
            for name, least in step.until.items()
        ]
        verb = "is" if list(step.until.values()) == [1] else "are"
        parts.append(
            f"further pages while {joined(few, 'or') or 'too few'} {verb} found and more follow"
        )
    if step.filter:
        then = "then " if is_cut_first else ""
        parts.append(f"{then}filtered to items where {_all(step.filter, lists, each=each)}")
    parts += read_from_keys(step)
    if step.consistent:
        parts.append("strongly consistent")
    if step.for_each is not None:
        repeated = repetition(step, step.for_each, lists)
        # One request gets many items: it is not sent for each of them.
        is_joint = step.call in BY_KEYS and not step.also
        parts.append(f"with a key {repeated}" if is_joint else repeated)
    return ", ".join(parts)


BY_KEYS = ("BatchGetItem", "TransactGetItems")
"""The calls that get several items by their keys."""


def _fewer(least: int, noun: str) -> str:
    return f"no {noun}" if least == 1 else f"fewer than {figures.count(least, noun)}"


def _each_value(repeat: Repeat | None, lists: Lists) -> Each:
    """Of a step that is done for each value of a fixed list: these values, instead of what plans call the list."""
    if repeat is None or repeat.values is None:
        return NO_EACH
    fixed = {name: lists[name] for name in (repeat.values, *repeat.and_values) if name in lists}
    few = {name: joined([plain_text(one) for one in of], "or") for name, of in fixed.items()}
    return {name: few[name] if len(of) <= FEW else "each value" for name, of in fixed.items() if of}


def repetition(step: Step, repeat: Repeat, lists: Lists = NO_LISTS) -> str:
    """What a step, or a part of it, is done for: `for each hour from <since> to <until>, for each of 4 shards`."""
    said = []
    if repeat.rows is not None:
        row = f"of the first {repeat.limit:,} rows" if repeat.limit is not None else "row"
        does = [_kept(repeat.keep, lists)] if repeat.keep else []
        does += [_crossed(repeat.crossed)] if repeat.crossed is not None else []
        does += [_sorted(repeat.order)] if repeat.order else []
        said.append(f"for each {row} found{f', {joined(does)}' if does else ''}")
    if repeat.values is not None:
        each = [_one_of(step, name, lists) for name in (repeat.values, *repeat.and_values)]
        said.append(f"for {' with '.join(each)}")
    if repeat.periods is not None:
        every = repeat.periods
        bounds = f"{expression(every.from_)} to {expression(every.to)}"
        form = "day" if every.form == "date" else every.form
        newest = ", newest first" if every.newest_first else ""
        enough = ", until there are enough" if every.until_enough else ""
        said.append(f"for each {form} from {bounds}{newest}{enough}")
    if repeat.numbers is not None:
        said.append(f"for each of {repeat.numbers} shards")
    if repeat.drawn is not None:
        said.append(f"in one of {repeat.drawn} shards, drawn at random")
    return ", ".join(said)


def _one_of(step: Step, name: str, lists: Lists) -> str:
    """What a step is done for of one list: `each value of wards`, or `each of NEW and OPEN`."""
    fixed = joined([plain_text(value) for value in lists.get(name, ())])
    one = "value" if _uses(step, name) else "given row"
    return f"each of {fixed}" if fixed else f"each {one} of {name}"


def _uses(step: Step, name: str) -> bool:
    """Whether a step uses the elements of a list as they are. Of rows it uses attributes, by names of their own."""
    return (
        re.search(rf'\{{[^{{}}"]*\b{re.escape(name)}\b[^{{}}"]*\}}', step.model_dump_json())
        is not None
    )


def _write_sentence(plan: Plan, step: Step, lists: Lists) -> str:
    members = list(_each_written(plan, step, lists))
    if len(members) == 1 and step.call in ("PutItem", "UpdateItem", "DeleteItem"):
        return f"{step.call}: {members[0]}"
    return f"{step.call}: {'; '.join(members)}"


def _each_written(plan: Plan, step: Step, lists: Lists) -> Iterator[str]:
    """What a step writes; items of which the same is said, as several copies of one, stand once with their number."""
    said = Counter(_written(plan, member, step, lists) for member in step.members)
    for one, count in said.items():
        if count > 1 and one.copy_of is not None:
            yield f"{one.verb} {count} copies of {one.copy_of}{one.rest}"
        else:
            yield from [f"{one.verb} {one.noun}{one.rest}"] * count


class _Written(NamedTuple):
    """What is said of one written item: `put`, `copy of Post`, and all that follows."""

    verb: str
    noun: str
    copy_of: str | None
    rest: str


def _written(plan: Plan, member: WrittenItem, step: Step, lists: Lists) -> _Written:
    table = plan.table(member.table)
    shape = next((shape for shape in table.items if shape.shape == member.shape), None)
    noun = member.shape
    if shape is not None and shape.role == "guard":
        values = " + ".join(shape.guards) or "key"
        noun = f"the guard of {shape.entity}'s {values}"
    elif shape is not None and shape.role not in ("entity", "edge", "split"):
        noun = f"{shape.role} of {shape.entity}"
    copy_of = shape.entity if shape is not None and shape.role == "copy" else None
    repeat = member.for_each or step.for_each
    if repeat is not None and repeat.values == noun and repeat.rows is None:
        # Rows that are given under the entity's own name: `put Message for each of Message` is a riddle.
        noun, copy_of, repeat = f"each given {noun}", None, None
    said = ""
    embedded = [one for one in member.inside if member.verb == one.verb == "put" and not one.if_]
    for inner in embedded:
        of_each = (
            f" {repetition(step, inner.for_each, lists)}" if inner.for_each is not None else ""
        )
        said += (
            f"{' and' if inner is not embedded[0] else ' with'} an embedded {inner.shape}{of_each}"
        )
    source = member.key or member.values
    keys = [table.key.partition.name, *([table.key.sort.name] if table.key.sort else [])]
    where = [f"{name} = {expression(source[name])}" for name in keys if name in source]
    first = next(iter(member.if_), None)
    is_asked = member.verb == "check" and first is not None and _asks_existence(first, keys)
    if is_asked:  # "check User, if it exists" would say that without the item nothing is checked
        noun, copy_of = f"that {noun}", None
    if where and member.verb != "put":
        said += f" ({', '.join(where)})"
    if repeat is not None:
        said += f" {repetition(step, repeat, lists)}"
    said += index_keys_changed(table, member)

    def tested(condition: ItemCondition, lists: Lists) -> str:
        return _tested(condition, keys, lists, "" if is_asked else "it ")

    ways = [
        f"{'both ' * (len(way) == 2)}{_all(way, lists, tested)}"
        for way in (member.any_ if isinstance(member, WrittenItem) else ())
    ]
    if member.if_:
        said += f"{'' if is_asked else ', if'} {_all(member.if_, lists, tested)}"
        said += f" and {_either(ways)}" if ways else ""
    elif ways:
        said += f", if {', or if '.join(ways)}"
    for inner in member.inside:
        if inner in embedded:
            continue
        said += f", and in it {inner.verb} {inner.shape}"
        if inner.if_:
            said += f", if {_all(inner.if_, lists)}"
        if inner.for_each is not None:
            said += f" {repetition(step, inner.for_each, lists)}"
    if member.joins:
        said += " (in one write with other changes to that item)"
    return _Written(member.verb, noun, copy_of, said)


def _either(ways: list[str]) -> str:
    """Ways of which one must hold: `either a = 1, or both b = 2 and c = 3`."""
    if len(ways) > 2:
        return f"at least one of these: {'; '.join(ways)}"
    return f"{'either ' * (len(ways) > 1)}{', or '.join(ways)}"


def _tested(condition: ItemCondition, keys: list[str], lists: Lists, subject: str) -> str:
    """A condition of a write; whether a key is there tells whether the item is."""
    if _asks_existence(condition, keys):
        return f"{subject}{'exists' if condition.exists else 'does not exist yet'}"
    return item_condition(condition, lists)


def _asks_existence(condition: ItemCondition, keys: list[str]) -> bool:
    return condition.exists is not None and condition.attribute in keys


COPIES = (
    "Copies: the application writes each copy in one transaction with its item. DynamoDB keeps indexes up to date by "
    "itself, but not copies."
)


def shape_name(shape: Shape) -> str:
    """What a kind of item is called, and what of: `PostViews, 3 for each Post` or `RoomById, a copy of Room`."""
    if shape.role == "copy":
        return f"{shape.shape}, a copy of {shape.entity}"
    return f"{shape.shape}, {shape.shards} for each {shape.entity}" if shape.shards else shape.shape


def _table(plan: Plan, name: str) -> str:
    return "the table" if len(plan.tables) == 1 else f"table {name}"


def key_condition(condition: KeyCondition, each: Each = NO_EACH) -> str:
    """A key condition in words: `SK begins with ORDER#`."""
    name = condition.attribute
    if condition.equals is not None:
        return f"{name} = {expression(condition.equals, each)}"
    if condition.begins_with is not None:
        return f"{name} begins with {expression(condition.begins_with, each)}"
    if condition.between is not None:
        low, high = condition.between
        bounds = f"{expression(low, each)} and {expression(high, each)}"
        return f"{name} between {bounds}{_why_above(low, high)}"
    for bound, sign in (
        (condition.from_, ">="),
        (condition.after, ">"),
        (condition.to, "<="),
        (condition.below, "<"),
    ):
        if bound is not None:
            return f"{name} {sign} {expression(bound, each)}{_why_above(bound)}"
    return name


def _why_above(*bounds: Expression) -> str:
    """What a bound means that ends with the character after the delimiter."""
    ends = [parse(bound)[-1:] for bound in bounds if isinstance(bound, str)]
    is_above = any(isinstance(end, str) and end.endswith(ABOVE) for [end] in filter(None, ends))
    return f" ({ABOVE} sorts after {DELIMITER})" if is_above else ""


def item_condition(condition: ItemCondition, lists: Lists = NO_LISTS, each: Each = NO_EACH) -> str:
    """A condition on an item in words; all that is said must hold."""
    name = _part_of_item(condition.attribute)
    said = []
    for bound, sign in (
        (condition.is_, "="),
        (condition.from_, ">="),
        (condition.after, ">"),
        (condition.to, "<="),
        (condition.below, "<"),
        (condition.not_, "is not"),
        (condition.begins_with, "begins with"),
        (condition.contains, "contains"),
        (condition.below_or_missing, "is missing or <"),
        (condition.above_or_missing, "is missing or >"),
    ):
        if bound is not None:
            said.append(f"{name} {sign} {expression(bound, each)}")
    if condition.any_of is not None:
        fixed = [plain_text(value) for value in lists.get(condition.any_of, ())]
        said.append(
            f"{name} is {joined(fixed, 'or')}" if fixed else f"{name} in <{condition.any_of}>"
        )
    if condition.exists is not None:
        said.append(f"{name} is {'present' if condition.exists else 'missing'}")
    if condition.same_as is not None:
        said.append(f"{name} is unchanged since it was read")
    return joined(said) + _of_shape(condition)
