"""What each published case must show, said of the plans of the gallery's designs.

Nothing here names a key: another key that answers the same patterns in as few requests is as good. Which items a
pattern reads and returns is found by running the plan's operation over the example rows, in memory.
"""

import re
from decimal import Decimal

import pytest

from designer.core import answers
from designer.core.design import gallery
from designer.core.examples import examples
from designer.core.examples.simulate import run
from designer.core.examples.stored_items import stored_items
from designer.core.lint import lint
from designer.core.messages import say
from designer.core.plan import STYLES
from designer.core.plan.keys import names
from designer.core.planner import patterns_of_key, plan, why_not
from tests import planned as plans

both_styles = pytest.mark.parametrize("style", STYLES)


def planned(slug, style):
    return plans.planned(gallery.load(slug), style)


def operation(slug, style, number):
    """The operation of a pattern that has one."""
    (found,) = planned(slug, style).operations_for(number)
    return found


def only_step(slug, style, number):
    """The step of an operation that has one and asks it once."""
    found = operation(slug, style, number)
    assert found.answer == "in one request"
    assert found.requests == 1
    (step,) = found.steps
    assert step.for_each is None
    return step


def only_asked(slug, style, number):
    """The step of an operation that is one request, for several items."""
    found = operation(slug, style, number)
    assert (found.answer, found.requests) == ("in one request", 1)
    (step,) = found.steps
    return step


def asked(slug, style, number, **parameters):
    """Run an operation over the example rows: (items of the answer, items that were read)."""
    design, made = gallery.load(slug), planned(slug, style)
    rows = examples(design)
    tables = {table.name: stored_items(design, made, rows, table) for table in made.tables}
    found = next(
        operation
        for operation in made.operations_for(number)
        if operation.given is None or set(operation.given) <= set(parameters)
    )
    trace = run(design, made, tables, found, parameters)
    inside = {one for one, host in trace.inside.items() if host in trace.read}
    return trace.returned, (*trace.read, *sorted(inside & set(trace.returned)))


def indexes(slug, style):
    return [index for table in planned(slug, style).tables for index in table.indexes]


def shapes(slug, style):
    return {shape.shape: shape for table in planned(slug, style).tables for shape in table.items}


def serving(slug, style, number):
    """The index that answers a pattern in one request."""
    step = only_step(slug, style, number)
    (table,) = [table for table in planned(slug, style).tables if table.name == step.table]
    (index,) = [index for index in table.indexes if index.name == step.index]
    return index


def in_order(slug, number):
    """The entities whose items a pattern wants in an order."""
    design = gallery.load(slug)
    pattern = design.pattern(number)
    parts = [design.relationship[part.relationship].child for part in pattern.with_ if part.order]
    return [*(pattern.entities if pattern.order else ()), *parts]


# All of them ------------------------------------------------------------------------------------


@both_styles
@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_every_pattern_is_served_in_the_requests_that_were_asked_for(slug, style):
    design = gallery.load(slug)
    for found in planned(slug, style).operations:
        pattern = design.pattern(found.pattern)
        if pattern.kind == "elsewhere":
            assert found.answer == "elsewhere" and found.because, pattern.name
            continue
        assert found.answer in ("in one request", "in several requests"), pattern.name
        if pattern.at_most_requests is not None and style == "single":
            assert found.requests <= pattern.at_most_requests, pattern.name


@both_styles
@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_no_read_drops_more_than_nine_tenths_of_what_it_reads(slug, style):
    """Apart from what items meet together: each of a few Queries is read whole, and crossed in the application."""
    small = 64 * 1024
    for found in planned(slug, style).operations:
        parts = () if found.result is None else found.result.parts
        if any(part.crossed is not None for part in parts):
            continue
        for step in found.steps:
            if step.call == "Query" and step.expects.bytes > small:
                assert step.expects.returned >= step.expects.read / 10


PATTERNS = [
    ("event-log", 1, {}, "Event-5 Event-4 Event-3 Event-2 Event-1"),
    ("event-log", 5, {"postId": "p-210"}, "Reaction-4 Reaction-3 Reaction-2"),
    (
        "sensor-readings", 2, {"sensorId": "s-0017", "hour": "2026-11-06T08"},
        "Reading-2 Reading-3",
    ),
    (
        "sensor-readings", 3,
        {"sensorId": "s-0017", "since": "2026-11-06T07:59:00Z", "until": "2026-11-06T09:00:00Z"},
        "Reading-1 Reading-2 Reading-3",
    ),
    ("shop", 1, {"userId": "u-10428"}, "User-2"),
    ("shop", 2, {"userId": "u-10427"}, "Order-4 Order-2 Order-1"),
    ("shop", 3, {"orderId": "o-4799120"}, "Order-1 OrderItem-1 OrderItem-2"),
    ("shop", 4, {"orderId": "o-4801015"}, "OrderItem-6 OrderItem-7"),
    ("shop", 5, {"productId": "MUG-0042"}, "Product-4"),
    ("shop", 6, {"category": "tea"}, "Product-2 Product-1"),
    ("shop", 7, {"warehouseId": "HAM-1"}, "Stock-2 Stock-3 Stock-1"),
    ("shop", 8, {"userId": "u-10428", "now": Decimal(1794000000)}, "CartItem-2 CartItem-3"),
    (
        "shop", 9, {"orderId": "o-4800213"},
        "OrderStatusChange-5 OrderStatusChange-6 OrderStatusChange-7",
    ),
    ("shop", 10, {"status": "PLACED"}, "Order-5 Order-4"),
    ("shop", 11, {"email": "chiara.rossi@example.com"}, "User-3"),
    (
        "shop", 12, {"userId": "u-10427"},
        "User-1 Address-1 Address-2 Order-4 Order-2 Order-1",
    ),
    ("shop", 13, {"productId": "TEA-0301"}, "Product-1 Review-3 Review-1"),
    ("shop", 14, {"userId": "u-10427"}, "Review-2 Review-1"),
    ("shop", 15, {"productId": "TEA-0301"}, "Stock-1 Stock-4"),
    ("shop", 18, {"userId": "u-10427"}, "Address-1 Address-2"),
    ("starter", 1, {"projectId": "kitchen"}, "Project-2 Task-4 Task-5"),
    ("organisation", 2, {"organisationId": "acme"}, "Department-1 Department-2"),
    ("organisation", 3, {"organisationId": "acme", "departmentId": "engineering"}, "Team-1 Team-2"),
    (
        "organisation", 4,
        {"organisationId": "acme", "departmentId": "engineering", "teamId": "backend"},
        "Employee-1 Employee-2",
    ),
    (
        "organisation", 4,
        {"organisationId": "acme", "departmentId": "engineering", "teamId": "back"},
        "",
    ),
    (
        "organisation", 5, {"organisationId": "acme", "departmentId": "engineering"},
        "Employee-1 Employee-2 Employee-3",
    ),
    (
        "organisation", 6, {"organisationId": "borealis"},
        "Organisation-2 Department-3 Team-4 Employee-5",
    ),
    ("organisation", 7, {"employeeId": "e-20203"}, "Employee-4"),
    ("enrolment", 2, {"studentId": "s-2041"}, "Enrolment-1 Enrolment-2"),
    ("enrolment", 3, {"classId": "CS214-26A"}, "Enrolment-2 Enrolment-3"),
    (
        "catalogue", 1, {"category": "headphones"}, "Product-3 Product-4 Product-1 Product-2",
    ),
    ("catalogue", 2, {"category": "headphones", "brand": "Norvik"}, "Product-1 Product-2"),
    (
        "catalogue", 3,
        {"category": "headphones", "brand": "Halden", "least": Decimal(500), "most": Decimal(1000)},
        "Product-3 Product-4",
    ),
    (
        "catalogue", 3,
        {"category": "headphones", "brand": "Norvik", "least": Decimal(90), "most": Decimal(1000)},
        "Product-2",
    ),
    ("premium-and-sale", 2, {}, "User-2 User-1"),
    ("premium-and-sale", 4, {}, "Product-1 Product-2"),
    ("discussion", 1, {"threadId": "t-00001"}, "Thread-1 Post-1 Post-2 Post-3"),
    ("discussion", 2, {"threadId": "t-00001", "since": "2026-10-28T10:15:00Z"}, "Post-3"),
    ("discussion", 3, {"board": "dynamodb"}, "Thread-2 Thread-1"),
    (
        "social-network", 1, {"userId": "alice"},
        "User-1 Friendship-1 Friendship-3 Post-2 Post-1",
    ),
    ("social-network", 5, {"userId": "alice", "before": "2026-11-06T18:40:00Z"}, "Post-1"),
    ("merchant-orders", 1, {"userId": "u-124"}, "User-2"),
    ("merchant-orders", 2, {"userId": "u-123"}, "Order-3 Order-1"),
    (
        "merchant-orders", 3, {"orderId": "o-9002"},
        "Order-2 OrderItem-3 Payment-2 Payment-3",
    ),
    ("merchant-orders", 4, {"merchantId": "m-honey"}, "Order-4 Order-2"),
    ("merchant-orders", 5, {"externalId": "pay-8D1H6V2ZPA"}, "Payment-3"),
    ("newest-orders", 1, {"customerId": "c-100123"}, "Customer-1 Order-3 Order-2 Order-1"),
    ("product-reviews", 1, {"productId": "p-1001"}, "Product-1 Review-3 Review-2 Review-1"),
    ("product-reviews", 2, {"productId": "p-1001"}, "Review-3 Review-2 Review-1"),
    (
        "courses", 1, {"studentId": "st-12302"},
        "Student-2 Course-3 Lesson-5 Lesson-6",
    ),
    ("courses", 2, {"studentId": "st-12301", "courseId": "nosql"}, "Lesson-1 Lesson-2 Lesson-3"),
    (
        "courses", 3, {"studentId": "st-12301", "courseId": "nosql", "lesson": Decimal(2)},
        "Lesson-2",
    ),
    ("accounts", 2, {"email": "yuki.sato@example.com"}, "Account-3"),
    ("accounts", 3, {"username": "hruby_p"}, "Account-2"),
    (
        "user-preferences", 1, {"userId": "4f2c9d3e-81b7-4a58-b0a6-6f7d0c5e9b22"},
        "User-2 Preferences-2",
    ),
    (
        "appointments", 1, {"customerId": "3f6c2b1e-0d4a-4f7c-8a15-9b2e6d7c0a41"},
        "Customer-1 Appointment-3 Appointment-2 Appointment-1",
    ),
    (
        "appointments", 2, {"customerId": "3f6c2b1e-0d4a-4f7c-8a15-9b2e6d7c0a41"},
        "Appointment-3 Appointment-2 Appointment-1",
    ),
    (
        "appointments", 3,
        {"employeeId": "e-jana", "since": "2026-10-01T00:00:00Z", "until": "2026-11-01T00:00:00Z"},
        "Appointment-4 Appointment-3",
    ),
]  # fmt: skip


@both_styles
@pytest.mark.parametrize(
    ("slug", "number", "parameters", "expected"),
    PATTERNS,
    ids=[f"{slug}-{number}-{'+'.join(map(str, p.values()))}" for slug, number, p, _ in PATTERNS],
)
def test_a_pattern_returns_these_items_in_this_order_and_reads_no_others(
    slug, style, number, parameters, expected
):
    returned, read = asked(slug, style, number, **parameters)
    guards = {name for name, shape in shapes(slug, style).items() if shape.role == "guard"}
    assert sorted(returned) == sorted(expected.split())
    for entity in in_order(slug, number):
        assert [item for item in returned if item.startswith(f"{entity}-")] == [
            item for item in expected.split() if item.startswith(f"{entity}-")
        ]
    assert {item for item in read if item.rpartition("-")[0] not in guards} == set(returned)


@both_styles
def test_an_expired_cart_item_is_read_and_left_out(style):
    returned, read = asked("shop", style, 8, userId="u-10428", now=Decimal(1796504700))
    assert returned == ("CartItem-3",)
    assert set(read) == {"CartItem-2", "CartItem-3"}


# Case 1: the shop in one table --------------------------------------------------------------------


def test_the_shop_answers_its_ten_patterns_and_eight_queries_in_a_request_each():
    assert len(planned("shop", "single").tables) == 1
    for number in (*range(1, 11), *range(12, 19)):
        assert operation("shop", "single", number).requests == 1, number
    assert operation("shop", "single", 11).requests <= 2, "by e-mail, also through the guard"


@pytest.mark.parametrize(
    ("number", "together"),
    [
        (3, {"Order", "OrderItem"}),
        (12, {"User", "Address", "Order"}),
        (13, {"Product", "Review"}),
    ],
)
def test_the_shop_s_pages_are_one_query_each(number, together):
    step = only_step("shop", "single", number)
    assert step.call == "Query"
    assert set(step.shapes) == together


def test_an_order_just_placed_is_read_strongly_and_so_from_the_table():
    step = only_step("shop", "single", 3)
    assert step.consistent
    assert step.index is None


def test_placing_an_order_is_one_transaction_with_a_condition_on_the_stock():
    for style in STYLES:
        (step,) = operation("shop", style, 29).steps
        assert step.call == "TransactWriteItems"
        written = [(member.verb, member.shape) for member in step.members]
        assert written == [
            ("put", "Order"),
            ("put", "OrderItem"),
            ("put", "OrderStatusChange"),
            ("update", "Stock"),
            ("delete", "CartItem"),
        ]
        stock = step.members[3]
        assert stock.add == {"onHand": "-{quantity}"}
        assert any(c.attribute == "onHand" and c.from_ == "{quantity}" for c in stock.if_)


def test_changing_the_status_costs_two_writes_on_the_index_by_status():
    for style in STYLES:
        step = only_step("shop", style, 30)
        by_status = serving("shop", style, 10)
        table = only_step("shop", style, 10).table
        assert step.expects.index_units[f"{table}/{by_status.name}"] == 2


# Case 2: the shop in a table for each entity --------------------------------------------------------


def test_the_shop_in_many_tables_has_one_for_each_entity_and_one_for_what_is_unique():
    tables = planned("shop", "multi").tables
    held = [tuple(shape.shape for shape in table.items) for table in tables]
    design = gallery.load("shop")
    assert sorted(held) == sorted([*((e.name,) for e in design.entities), ("UserEmailGuard",)])


def test_keys_and_indexes_have_natural_names():
    design = gallery.load("shop")
    for table in planned("shop", "multi").tables:
        (shape,) = table.items
        own = design.entity[shape.entity].by_name
        assert table.key.partition.name in own
        assert table.key.sort is None or table.key.sort.name in own
        assert all(index.name.startswith(f"{shape.entity}") for index in table.indexes)
        assert all("By" in index.name for index in table.indexes)


def test_pages_that_join_take_a_request_for_each_table():
    for number, tables in ((3, 2), (12, 3), (13, 2)):
        assert operation("shop", "single", number).requests == 1
        assert operation("shop", "multi", number).requests == tables


# Case 3: organisation, department, team, employee --------------------------------------------------


@pytest.mark.parametrize("number", [2, 3, 4, 5])
@both_styles
def test_any_level_of_the_hierarchy_is_one_exact_query(style, number):
    step = only_step("organisation", style, number)
    assert step.call == "Query"
    assert step.expects.read == step.expects.returned


def test_the_whole_hierarchy_is_one_query_in_one_table():
    step = only_step("organisation", "single", 6)
    assert set(step.shapes) == {"Organisation", "Department", "Team", "Employee"}


@both_styles
def test_a_person_who_may_move_is_found_by_number_and_moved_without_being_rewritten(style):
    assert only_step("organisation", style, 7).call == "GetItem"
    (write,) = operation("organisation", style, 15).steps
    assert write.call == "UpdateItem"


# Case 4: students and classes -----------------------------------------------------------------------


@both_styles
def test_both_sides_of_an_enrolment_are_one_query_each(style):
    for number in (2, 3):
        step = only_step("enrolment", style, number)
        assert step.call == "Query"
        assert step.expects.read == step.expects.returned
    assert only_step("enrolment", style, 5).call == "GetItem"


@both_styles
def test_the_other_side_is_an_inverted_index_or_doubled_edges_and_priced(style):
    other = only_step("enrolment", style, 3)
    doubled = [s for s in shapes("enrolment", style).values() if s.role in ("edge", "copy")]
    assert other.index is not None or len(doubled) == 2
    decisions = [d for d in planned("enrolment", style).decisions if 3 in d.serves]
    assert decisions
    assert all(decision.per_month is not None for decision in decisions)


# Case 6: category, brand, price ----------------------------------------------------------------------


@both_styles
def test_one_key_answers_category_brand_and_price(style):
    steps = [only_step("catalogue", style, number) for number in (1, 2, 3)]
    assert {(step.table, step.index) for step in steps} == {(steps[0].table, steps[0].index)}
    assert all(step.expects.read == step.expects.returned for step in steps)


@both_styles
def test_prices_in_the_sort_key_are_padded(style):
    index = serving("catalogue", style, 3)
    template = shapes("catalogue", style)["Product"].set[index.sort[0].name]
    assert "{pad(7, 2, price)}" in template


@both_styles
def test_a_new_price_rewrites_the_whole_key_without_reading_first(style):
    (step,) = operation("catalogue", style, 8).steps
    assert step.call == "UpdateItem"
    (member,) = step.members
    assert serving("catalogue", style, 3).sort[0].name in member.set


# Case 7: premium users, products on sale -----------------------------------------------------------------


@both_styles
@pytest.mark.parametrize(("number", "share"), [(2, 0.01), (4, 0.03)])
def test_only_the_few_are_in_a_sparse_index(style, number, share):
    index = serving("premium-and-sale", style, number)
    assert index.sparse
    design, made = gallery.load("premium-and-sale"), planned("premium-and-sale", style)
    (table,) = [t for t in made.tables if index in t.indexes]
    names = {attribute.name for attribute in (*index.partition, *index.sort)}
    items = stored_items(design, made, examples(design), table)
    entity = {2: "User", 4: "Product"}[number]
    inside = {i.id for i in items if i.shape.shape == entity and names <= set(i.values)}
    assert inside == {f"{entity}-1", f"{entity}-2"}, "those with the attribute"
    if style == "multi":
        keys = {2: "withPremiumSince", 4: "withSalePrice"}
        assert index.partition[0].name == keys[number]
    rename = {2: 6, 4: 11}[number]
    (step,) = operation("premium-and-sale", style, rename).steps
    assert step.expects.index_units[f"{table.name}/{index.name}"] == pytest.approx(share)


@both_styles
def test_the_saving_of_a_sparse_index_is_stated(style):
    decisions = planned("premium-and-sale", style).decisions
    for number, share in ((2, r"\b1(\.0)? ?%"), (4, r"\b3(\.0)? ?%")):
        said = [d.because for d in decisions if number in d.serves]
        assert any(re.search(share, because) for because in said)


# Case 24: a leaderboard, and more readers than a partition serves ------------------------------------


@both_styles
def test_the_best_of_a_season_are_read_from_the_end_of_a_key_that_is_the_number_itself(style):
    step = only_step("leaderboards", style, 1)
    assert (step.forward, step.limit) == (False, 100)
    index = serving("leaderboards", style, 1)
    assert [(part.name, part.type) for part in index.sort] == [("points", "N")]
    assert serving("leaderboards", style, 2) == index


@both_styles
def test_winning_points_moves_the_entry_and_reads_nothing(style):
    (step,) = operation("leaderboards", style, 9).steps
    (member,) = step.members
    assert (step.call, member.add, member.set) == ("UpdateItem", {"points": "{won}"}, {})
    assert list(step.expects.index_units.values()) == [2.0]


@both_styles
def test_more_readers_than_a_partition_serves_are_found_and_a_cache_advised(style):
    """The least answer is a unit; 6,000 a second at peak, seven in ten on one season, is 4,200 of 3,000."""
    said = [f for f in planned("leaderboards", style).findings if f.rule == "hot-partition"]
    assert [finding.where for finding in said] == ["entities.Score"]
    assert said[0].problem.values["reads"] == 3000
    assert said[0].solution == say("cache")


@both_styles
def test_what_helps_a_partition_is_said_once(style):
    """Pattern 1 alone overloads it: its finding names the one about the partition, which has the remedy."""
    found = planned("leaderboards", style).findings
    (alone,) = [finding for finding in found if finding.rule == "served-on-average"]
    assert alone.solution.values["remedies"] == (say("as-for-partition", entity="Score"),)
    remedies = [remedy for finding in found for remedy in finding.solution.parts()]
    assert [remedy.id for remedy in remedies].count("cache") == 1


# Cases 9, 10, 12: a parent and its children in one query ---------------------------------------------------


def test_a_thread_and_its_posts_are_one_query_in_the_order_of_the_key():
    step = only_step("discussion", "single", 1)
    assert set(step.shapes) == {"Thread", "Post"}
    assert step.forward
    assert step.expects.read <= 51


def test_a_person_with_friends_and_newest_posts_is_one_query():
    step = only_step("social-network", "single", 1)
    assert set(step.shapes) == {"User", "Friendship", "Post"}


@both_styles
def test_a_friendship_is_made_and_ended_on_both_sides_at_once(style):
    for number in (8, 9):
        (step,) = operation("social-network", style, number).steps
        assert step.call == "TransactWriteItems"
        (member,) = step.members
        assert member.for_each is not None


def test_a_customer_and_the_newest_ten_orders_are_eleven_items_read_backwards():
    step = only_step("newest-orders", "single", 1)
    assert step.limit == 11
    assert not step.forward
    assert step.expects.read == 11
    assert not indexes("newest-orders", "single")


# Case 11: merchant orders -----------------------------------------------------------------------------


@both_styles
def test_pending_orders_are_in_a_sparse_index_and_leave_it(style):
    index = serving("merchant-orders", style, 4)
    assert index.sparse
    design, made = gallery.load("merchant-orders"), planned("merchant-orders", style)
    names = {attribute.name for attribute in (*index.partition, *index.sort)}
    (table,) = [t for t in made.tables if index in t.indexes]
    items = stored_items(design, made, examples(design), table)
    inside = {i.id for i in items if i.shape.shape == "Order" and names <= set(i.values)}
    assert inside == {"Order-2", "Order-4"}
    accepting = operation("merchant-orders", style, 12).steps[-1].members[0]
    assert names & set(accepting.remove)


def test_an_order_with_items_and_payments_is_one_query():
    step = only_step("merchant-orders", "single", 3)
    assert set(step.shapes) == {"Order", "OrderItem", "Payment"}


@both_styles
def test_a_payment_is_found_and_changed_by_the_provider_s_number(style):
    assert operation("merchant-orders", style, 5).requests <= 2
    look, write = operation("merchant-orders", style, 16).steps
    assert look.call == "GetItem"
    assert look.consistent, "no write is addressed through an index"
    assert write.members[0].shape == "Payment"


# Case 16: product reviews -----------------------------------------------------------------------------------


@both_styles
def test_reviews_lie_with_their_product_without_an_index(style):
    assert not indexes("product-reviews", style)
    assert operation("product-reviews", style, 6).write_units == 4, "two items in a transaction"


def test_the_key_by_review_is_rejected_at_its_price():
    made = planned("product-reviews", "single")
    (decision,) = [d for d in made.decisions if d.about == "key Review"]
    apart = [other.per_month for other in decision.instead_of if other.per_month is not None]
    assert apart
    assert all(price > decision.per_month for price in apart)


# Case 17: student, course, lesson ---------------------------------------------------------------------------


def test_three_levels_are_three_stretches_of_one_key():
    assert not indexes("courses", "single")
    everything, course, lesson = (only_step("courses", "single", number) for number in (1, 2, 3))
    assert set(everything.shapes) == {"Student", "Course", "Lesson"}
    assert (everything.call, course.call, lesson.call) == ("Query", "Query", "GetItem")
    assert course.expects.read == course.expects.returned == 12


# Case 19: unique e-mail address and username -----------------------------------------------------------------


@both_styles
@pytest.mark.parametrize(("number", "written", "shards"), [(1, 5000, 7), (5, 1500, 2)])
def test_shards_are_as_many_as_the_peak_takes_and_every_read_asks_them(
    number, written, shards, style
):
    step, *_ = operation("event-log", style, number).steps
    assert step.for_each.numbers == shards == -(-written // 800)
    (part,) = operation("event-log", style, number).result.parts
    assert part.order
    assert part.limit
    decisions = [d for d in planned("event-log", style).decisions if number in d.serves]
    hot = [r for d in decisions for r in d.instead_of if "not spread" in r.choice]
    assert [f"{written:,} write" in one.because for one in hot] == [True]


@both_styles
def test_a_viral_post_is_counted_in_as_many_items_as_its_views_take_and_one_is_flagged(style):
    """Half of 4,000 views a second at peak: 2,000, and one item in 800."""
    (counter,) = [s for s in shapes("event-log", style).values() if s.role == "counter"]
    assert (counter.entity, counter.counts, counter.shards) == ("Post", ("views",), -(-2000 // 800))
    total = only_asked("event-log", style, 6)
    assert (total.call, total.for_each.numbers) == ("BatchGetItem", 3)
    (member,) = only_step("event-log", style, 10).members
    assert member.for_each.drawn == 3
    assert not [f for f in planned("event-log", style).findings if f.rule == "hot-partition"]
    design = gallery.load("event-log")
    settings = design.planner.model_copy(update={"items": "as-stated"})
    whole = plan(design.model_copy(update={"planner": settings}), style)
    (said,) = [f for f in whole.findings if f.rule == "hot-partition"]
    assert said.where == "entities.Post"
    assert said.solution.values["attributes"] == ("Post.views",)
    assert said.solution.values["items"] == 3


@both_styles
def test_one_order_of_time_answers_an_hour_of_a_sensor_any_time_and_the_newest(style):
    """The rig's readings are spread over two shards, each of which is asked once."""
    asked = [operation("sensor-readings", style, number).steps for number in (2, 3, 4)]
    ((hour,), (between,), (newest,)) = asked
    assert "(hour)" in hour.where[-1].begins_with or "{hour}" in hour.where[-1].begins_with
    assert between.where[-1].between
    assert newest.forward is False
    for step in (hour, between, newest):
        assert step.index is None
        assert (step.for_each.periods, step.for_each.numbers) == (None, 2)
        assert step.expects.requests == 2


@both_styles
def test_summaries_outlive_the_readings_and_both_expire(style):
    made = planned("sensor-readings", style)
    homes = {s.shape: table for table in made.tables for s in table.items}
    assert homes["Reading"].ttl
    assert homes["HourSummary"].ttl
    assert only_step("sensor-readings", style, 5).index is None


@both_styles
def test_registering_puts_three_items_on_condition_that_none_is_there(style):
    step = only_step("accounts", style, 5)
    assert step.call == "TransactWriteItems"
    assert [member.verb for member in step.members] == ["put", "put", "put"]
    for member in step.members:
        assert any(condition.exists is False for condition in member.if_)
    held = shapes("accounts", style).values()
    guarded = {shape.guards for shape in held if shape.role == "guard"}
    assert guarded == {("email",), ("username",)}
    assert step.expects.units == 6, "three items, twice the units in a transaction"


@both_styles
@pytest.mark.parametrize(("number", "attribute"), [(6, "email"), (7, "username")])
def test_changing_a_unique_value_frees_the_old_one_and_takes_the_new(style, number, attribute):
    old, write = operation("accounts", style, number).steps
    assert old.consistent
    verbs = [member.verb for member in write.members]
    assert verbs == ["update", "delete", "put"]
    assert any(
        condition.attribute == attribute and condition.same_as == old.id
        for condition in write.members[0].if_
    )


@both_styles
def test_what_uniqueness_costs_is_stated(style):
    guards = [d for d in planned("accounts", style).decisions if d.about.startswith("guard")]
    assert len(guards) == 2
    assert all(decision.per_month > 0 for decision in guards)


# The answers above are what the patterns mean ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "number", "parameters", "expected"),
    PATTERNS,
    ids=[f"{slug}-{number}-{'+'.join(map(str, p.values()))}" for slug, number, p, _ in PATTERNS],
)
def test_the_expected_items_are_what_the_design_says(slug, number, parameters, expected):
    design = gallery.load(slug)
    rows = examples(design)
    found = answers.answer(design, rows, design.pattern(number), parameters).rows

    def number_of(row):
        (at,) = [i for i, item in enumerate(rows[row.entity], 1) if item is row.item]
        return f"{row.entity}-{at}"

    items = []
    for row in (row for group in found.groups for row in group):
        items.append(number_of(row))
        for along in row.along.values():
            items += [number_of(child) for group in along.rows.groups for child in group]
    assert sorted(items) == sorted(expected.split())


# Cases 21 and 31: what is copied, and what is worked out when it is written -------------------------


@both_styles
def test_a_products_name_is_copied_where_it_changes_seldom_and_its_price_is_read(style):
    assert operation("order-lines", style, 2).answer == "in one request"
    assert operation("order-lines", style, 3).requests == 2
    (upkeep,) = planned("order-lines", style).upkeep
    assert upkeep.after == "change of Product.name"
    decided = {one.about: one for one in planned("order-lines", style).decisions}
    (apart,) = decided["copy OrderLine.productName"].instead_of
    assert apart.per_month > decided["copy OrderLine.productName"].per_month
    assert decided["pattern 3"].choice == "Product by a second read"


@both_styles
def test_totals_are_kept_by_the_writes_of_orders_and_lines(style):
    assert operation("running-totals", style, 1).answer == "in one request"
    write = operation("running-totals", style, 5).steps[-1]
    assert write.call == "TransactWriteItems"
    order, _, customer = write.members
    assert order.add == {"itemCount": "{count(OrderLine)}"}
    assert set(customer.add) == {"orderCount", "totalSpent"}
    assert set(customer.greatest) == {"lastOrderAt"}
    decided = [one for one in planned("running-totals", style).decisions if "figure" in one.about]
    alone = next(one for one in decided if one.about == "figure Order.itemCount")
    assert alone.because.startswith("The value is updated when an OrderLine is written")
    assert all(one.per_month and one.instead_of[0].per_month for one in decided)


# Cases 22 and 32: sessions that end, notes that are marked as deleted, schema versions -------------------


@both_styles
def test_tables_expire_what_has_a_time_to_live(style):
    made = planned("sessions", style)
    assert all(table.ttl for table in made.tables)
    for shape, source in (("Session", "expiresAt"), ("Note", "purgeAt")):
        (table,) = [t for t in made.tables if any(item.shape == shape for item in t.items)]
        stored = shapes("sessions", style)[shape]
        assert table.ttl == source or stored.set[table.ttl] == f"{{{source}}}"


@both_styles
def test_a_session_past_its_time_is_not_returned_though_it_is_still_there(style):
    session = {"sessionId": "5b1d6f0e-0a6b-4c52-9d0f-1f6f7c2a9e01"}
    returned, _ = asked("sessions", style, 1, **session, now=1793999999)
    assert list(returned) == ["Session-1"]
    returned, read = asked("sessions", style, 1, **session, now=1794000000)
    assert (len(returned), len(read)) == (0, 1)


@both_styles
def test_a_note_in_the_bin_is_only_in_the_bin(style):
    shown, _ = asked("sessions", style, 3, userId="u-67890")
    binned, _ = asked("sessions", style, 4, userId="u-67890", now=1793000000)
    assert list(shown) == ["Note-2"]
    assert list(binned) == ["Note-1"]


@both_styles
def test_every_item_carries_the_version_of_its_schema(style):
    for shape in shapes("sessions", style).values():
        assert "schemaVersion" in shape.attributes


# Case 23: a state in an index -----------------------------------------------------------------------


@both_styles
def test_a_change_of_a_state_in_an_index_is_two_writes_there(style):
    design = gallery.load("order-states")
    asked_by_any = design.pattern(2).model_validate(
        {
            **design.pattern(2).model_dump(by_alias=True, exclude_none=True),
            "where": [{"attribute": "status", "is": {"param": "status"}}],
        }
    )
    patterns = tuple(asked_by_any if p.number == 2 else p for p in design.patterns)
    made = plan(design.model_copy(update={"patterns": patterns}), style)
    (listed,) = made.operations_for(2)
    index = f"{listed.steps[0].table}/{listed.steps[0].index}"
    for number in (5, 6, 7, 8):
        (change,) = made.operations_for(number)
        assert change.steps[-1].expects.index_units[index] == pytest.approx(2)
    assert any("two writes" in d.because for d in made.decisions if 2 in d.serves)


@both_styles
def test_an_index_of_the_paid_orders_alone_is_written_only_when_one_becomes_paid_or_stops(style):
    index = serving("order-states", style, 2)
    for number, written in ((4, 0), (5, 1), (6, 1), (7, 0), (8, 0)):
        (change,) = operation("order-states", style, number).steps
        units = [n for name, n in change.expects.index_units.items() if name.endswith(index.name)]
        assert sum(units) == pytest.approx(written), number


# One index for unrelated patterns


def test_one_index_answers_patterns_that_have_nothing_in_common():
    (table,) = planned("overloaded-index", "single").tables
    (index,) = table.indexes
    assert index.serves == (2, 5, 6)
    leading = {shape.entity: names(shape.set[index.partition[0].name]) for shape in table.items}
    assert leading == {"Customer": ("email",), "Order": ("status",), "Variety": ("category",)}
    assert len(indexes("overloaded-index", "multi")) == 3


@pytest.mark.parametrize(
    ("entity", "key", "answered"),
    [
        ("Customer", (("customerId",),), {1: "efficient", 2: "no"}),
        ("Customer", (("email",),), {1: "no", 2: "efficient"}),
        ("Order", (("customerId",), ("orderId",)), {3: "efficient", 4: "efficient", 5: "no"}),
        ("Order", (("status",), ("placedAt",)), {3: "no", 4: "no", 5: "efficient"}),
        (
            "Order",
            (("customerId",), ("status", "orderId")),
            {3: "over-reads", 4: "over-reads", 5: "no"},
        ),
        ("Variety", (("category",), ("varietyId",)), {6: "efficient", 7: "no"}),
    ],
)
@both_styles
def test_a_key_says_which_patterns_it_is_good_for(style, entity, key, answered):
    asked = patterns_of_key(gallery.load("overloaded-index"), style, entity, *key)
    assert {one.pattern: one.verdict for one in asked} == answered


# Tenants


@both_styles
def test_a_firm_begins_every_key_of_its_items(style):
    for table in planned("tenants", style).tables:
        leading = [table.key.partition, *(index.partition[0] for index in table.indexes)]
        for shape in table.items:
            for key in leading:
                template = shape.set.get(key.name, f"{{{key.name}}}")
                if key.name in shape.set or key.name in shape.attributes:
                    written = re.sub(r"\{when\([^)]*\)\}", "", template)
                    assert names(written)[0] == "firmId", template


@both_styles
def test_no_finding_says_that_firms_are_not_kept_apart(style):
    design = gallery.load("tenants")
    assert "K105" not in {
        finding.rule for finding in lint(design, {style: planned("tenants", style)})
    }


# Case 20: a user and the preferences, together or apart --------------------------------------------


@both_styles
def test_preferences_lie_in_the_user_s_item_as_four_in_five_reads_need_both(style):
    held = shapes("user-preferences", style)["Preferences"]
    assert (held.role, held.inside.shape) == ("embedded", "User")
    (decision,) = [
        d for d in planned("user-preferences", style).decisions if d.about.startswith("together")
    ]
    assert "80 % of the reads of Users or Preferences need both" in decision.because
    assert decision.instead_of[0].per_month > decision.per_month
    assert only_step("user-preferences", style, 1).call == "GetItem"
    assert only_step("user-preferences", style, 4).call == "PutItem"
    change = only_step("user-preferences", style, 5)
    (member,) = change.members
    assert member.inside[0].set.keys() == {"language", "timeZone", "theme", "notices"}
    assert change.expects.units == 4  # charged by the whole item of more than 3 KB


# Cases 13 and 36: appointments, and the customer who must be there ---------------------------------


@both_styles
def test_an_appointment_is_booked_only_for_a_customer_who_is_there(style):
    step = only_step("appointments", style, 5)
    check, put = step.members
    assert (step.call, check.check, put.put) == ("TransactWriteItems", "Customer", "Appointment")
    assert [test.exists for test in check.if_] == [True]
    both = only_step("appointments", style, 6)
    assert [member.put for member in both.members] == ["Customer", "Appointment"]
    assert all(member.if_[0].exists is False for member in both.members)


def test_a_customer_comes_with_the_newest_appointments_in_one_query():
    step = only_step("appointments", "single", 1)
    assert (step.call, step.index, set(step.shapes)) == ("Query", None, {"Customer", "Appointment"})


# Case 33: an order kept twice, or in an index ------------------------------------------------------


def test_an_order_kept_twice_is_priced_beside_its_index():
    made = planned("merchant-orders", "multi")
    about = f"index market-Orders/{serving('merchant-orders', 'multi', 2).name}"
    found = why_not(gallery.load("merchant-orders"), "multi", about)
    (rival,) = [rival for rival in found.rivals if "stored twice" in rival.choice]
    assert rival.per_month > made.cost.per_month
    assert "a month more" in rival.because


# Case 37: identifiers that begin with their time ---------------------------------------------------


@both_styles
def test_the_newest_come_first_by_their_identifier_and_need_no_index(style):
    step = only_step("appointments", style, 2)
    assert (step.index, step.forward, step.limit) == (None, False, 20)
    asked_of_table = [index.serves for index in indexes("appointments", style)]
    assert asked_of_table == [(3,)]
