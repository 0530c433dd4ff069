"""A Query whose filter tests the items that its limit leaves, as DynamoDB applies `Limit` first."""

from designer.core.dynamodb.limits import ITEM_BYTES, PAGE_BYTES
from designer.core.plan import ItemCondition, Step, keys
from designer.core.planner.layout.placement import Placement
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.structures import Access
from designer.core.planner.operations.context import Context
from designer.core.planner.operations.item_tests import may_filter, tests_within_limit
from designer.core.planner.pricing.asked_lists import is_asked_of_each


def may_filter_after(
    context: Context, placement: Placement, entity_read: EntityRead, access: Access
) -> bool:
    """Whether one page of one Query has the items within the limit, however large they are, and all that is tested."""
    limit, model = entity_read.limit, context.model(entity_read.entity)
    tests = tests_within_limit(context, entity_read)
    is_repeated = access.shards > 1 or bool(access.period) or entity_read.is_dependent
    return (
        bool(tests)
        and limit is not None
        and limit * ITEM_BYTES <= PAGE_BYTES
        and access.call == "query"
        and access.ordered
        and not is_repeated
        and not is_asked_of_each(model, entity_read, access)
        and all(_is_held(context, placement, test) for test in tests)
    )


def _is_held(context: Context, placement: Placement, test: ItemCondition) -> bool:
    """Whether a filter can test an attribute: it is none of the key's, and not only spelled in the text of one."""
    model, layout = context.model(placement.entity), context.layout
    if not may_filter(model, placement, test):
        return False
    if not placement.structure.is_index:
        return True
    held = layout.projections[placement.entity][placement.structure]
    native = {part.native for part in layout.bases[placement.entity].parts}
    return held is None or keys.stored(test.attribute) in held | native


def filtered_after(query: Step, entity_read: EntityRead, tests: tuple[ItemCondition, ...]) -> Step:
    """The Query with a filter that returns, of the items within its limit, those that pass."""
    expects = query.expects.model_copy(
        update={"returned": round(query.expects.returned * entity_read.passed, 6)}
    )
    update = {"filter": tests, "pages": "one", "until": {}, "expects": expects}
    return query.model_copy(update=update)
