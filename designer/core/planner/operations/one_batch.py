"""Items of several steps that are got in one request."""

from designer.core.plan import Expected, Expression, ResultPart, Step, keys
from designer.core.planner.model.key_text import spelled
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.structures import Access
from designer.core.planner.operations.along import ends_at_limit
from designer.core.planner.operations.context import Context
from designer.core.planner.operations.expected import expected_at_most
from designer.core.planner.operations.key_conditions import whole_part
from designer.core.planner.operations.renamed import renamed
from designer.core.planner.pricing.requests import batches


def in_one_request(steps: list[Step]) -> list[Step]:
    """The steps, of which those that get items by identifiers that the caller lists go in the request of the first.

    So do all of a transaction, and those that get several parents of the same rows, found or given by the caller; so
    does what a caller names alone.
    """
    listed = [
        step
        for step in steps
        if step.call == "TransactGetItems"
        or (step.call == "BatchGetItem" and step.for_each is not None and step.for_each.values)
    ]
    if len(listed) > 1 and len({(step.call, step.consistent) for step in listed}) == 1:
        steps = _with_first(steps, listed)
    joined = {step.goes_with for step in steps}
    of_rows = [
        step
        for step in steps
        if step.call == "BatchGetItem" and step.for_each is not None and step.for_each.rows
        if step.goes_with is None and step.id not in joined
    ]
    asked_for = {step.for_each.rows for step in steps if step.for_each is not None}
    given = [
        step
        for step in steps
        if step.call == "GetItem" and step.for_each is None and step.id not in asked_for
        if not any(_named(step, other.id) for other in steps)
    ]
    # What ends the operation where it finds nothing goes first.
    given.sort(key=lambda step: step.when_missing != "stop")
    for first in (*of_rows, *given[:1]):
        joint = [first.model_copy(update={"call": "BatchGetItem"})]
        for step in given if first in given else (*of_rows, *given):
            is_same = step in given or step.for_each == first.for_each
            is_same = is_same and step.when_missing != "stop"
            if step is not first and is_same and step.consistent == first.consistent:
                changed = {"call": "BatchGetItem", "expects": _more_requests(joint, step)}
                joint.append(step.model_copy(update=changed))
        if len(joint) > 1:
            ids, at = {step.id for step in joint}, steps.index(first)
            before, after = (
                [step for step in some if step.id not in ids] for some in (steps[:at], steps[at:])
            )
            return _with_first([*before, *joint, *after], joint)
    return steps


def with_their_rows(
    context: Context, entity_read: EntityRead, access: Access, steps: list[Step], rows: ResultPart
) -> list[Step]:
    """The steps, of which those that get parents by what an index's entries say go in the request of the rows.

    The index says it of what never changes alone: of all else it may be behind the items. Where the attribute is in the
    text of a key, the application reads it from there.
    """
    at = next(at for at, step in enumerate(steps) if step.id == rows.steps[-1])
    got, queried = steps[at], steps[at - 1]
    same = got.for_each
    if access.call != "query then get" or same is None or rows.crossed is not None:
        return steps
    if same.keep != rows.keep:
        return steps
    if rows.limit not in (None, same.limit) and not ends_at_limit(queried, rows):
        return steps
    model, base = context.model(entity_read.entity), context.layout.bases[entity_read.entity]
    if access.structure is None:
        return steps
    places = (base, context.layout.placement(entity_read.entity, access.structure))
    known = {part.native for place in places for part in place.parts if part.native is not None}
    known |= access.projection or frozenset()
    known -= model.mutable
    from_texts = {
        name: part.name
        for place in places
        for part in place.parts
        if part.native is None
        for name in spelled(model, place.structure, part.pieces) - known - model.mutable
    }
    told: dict[str, Expression] = {
        name: f"{{{got.id}.{name}}}" for part in base.parts for name in part.attributes
    }
    texts: dict[Expression, Expression] = {
        whole_part(part, model, told): f"{{{queried.id}.{part.name}}}"
        for part in base.parts
        # What is no attribute, such as a shard, cannot be told from what was found.
        if part.attributes and all(name in model.entity.by_name for name in part.attributes)
    }
    joint = [got]
    read: dict[str, str] = {}
    for step in steps[at + 1 :]:
        repeat = step.for_each
        if step.call != got.call or repeat is None or repeat.rows != got.id or not repeat.distinct:
            continue
        each = [
            {n: texts.get(one, one) for n, one in key.items()} for key in (step.key, *step.also)
        ]
        step = step.model_copy(update={"key": each[0], "also": tuple(each[1:])})
        named = _named(step, got.id)
        if named <= known | from_texts.keys():
            read |= {name: from_texts[name] for name in sorted(named - known)}
            expects = _more_requests(joint, step)
            changed = {"for_each": same.model_copy(update={"distinct": True}), "expects": expects}
            joint.append(renamed(step, got.id, queried.id).model_copy(update=changed))
    if read:
        steps = [*steps]
        steps[at - 1] = queried.model_copy(update={"from_keys": {**queried.from_keys, **read}})
    return _with_first(steps, joint) if len(joint) > 1 else steps


def _named(step: Step, id: str) -> set[str]:
    """The attributes of what another step found that the keys of a step have."""
    texts = [text for key in (step.key, *step.also) for text in key.values()]
    parts = [part for text in texts if isinstance(text, str) for part in keys.parse(text)]
    names = [part.name for part in parts if not isinstance(part, str)]
    return {name.removeprefix(f"{id}.") for name in names if name.startswith(f"{id}.")}


def _with_first(steps: list[Step], joint: list[Step]) -> list[Step]:
    """The steps, with these as they go in the request of their first.

    One request may get items of several tables. Of one table, all items are asked for the same attributes.
    """
    asked = {step.table: [one for one in joint if one.table == step.table] for step in joint}
    found: dict[str, Step] = {}
    for step in joint:
        each = [one.project for one in asked[step.table]]
        names = dict.fromkeys(name for one in each for name in one or ())
        found[step.id] = step.model_copy(
            update={
                "goes_with": joint[0].id if step is not joint[0] else None,
                "project": None if None in each else tuple(names),
            }
        )
    return [found.get(step.id, step) for step in steps]


def _more_requests(before: list[Step], step: Step) -> Expected:
    """What a step takes where its items follow others in one request: as many more as these have no room for."""

    def more(at_worst: bool) -> int:
        in_turn = (*before, step)
        many = [((at_worst and one.expects.worst) or one.expects).read for one in in_turn]
        sizes = [items * _item_bytes(one) for items, one in zip(many, in_turn, strict=True)]
        return batches(sum(many), sum(sizes)) - batches(sum(many[:-1]), sum(sizes[:-1]))

    worst = step.expects.worst or step.expects
    usual = step.expects.model_copy(update={"requests": float(more(False)), "worst": None})
    return expected_at_most(usual, more(True), worst.read, worst.units)


def _item_bytes(step: Step) -> float:
    return step.expects.bytes / step.expects.read if step.expects.read else 0.0
