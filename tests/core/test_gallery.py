"""The gallery's designs are complete and plausible, and their examples hang together."""

import re
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from designer.core import answers
from designer.core.design import gallery
from designer.core.design.check import check
from designer.core.design.load import dump, load
from designer.core.examples import examples
from designer.core.patterns.base import Read

FOLDER = Path(gallery.__file__).parents[2] / "gallery"
MONTH = 2_592_000
"""Seconds in a month of 30 days."""

every_design = pytest.mark.parametrize("slug", gallery.SLUGS)


def rows(slug, entity):
    return examples(gallery.load(slug))[entity]


def changes(design):
    """Each change of each write, with its pattern and its items a second on average."""
    for pattern in design.patterns:
        for change in () if pattern.is_read else pattern.changes:
            times = change.times.average if change.times else 1
            yield pattern, change, pattern.rate.average * times


def test_the_gallery_lists_the_files_it_has_and_begins_with_the_shop():
    assert sorted(gallery.SLUGS) == sorted(path.stem for path in FOLDER.glob("*.yaml"))
    assert gallery.SLUGS[0] == "shop"


def test_an_unknown_name_is_no_path_into_the_file_system():
    for slug in ("nothing", "../settings", ""):
        with pytest.raises(KeyError):
            gallery.load(slug)


def test_cards_say_what_a_design_is_and_how_large():
    cards = gallery.cards()
    assert tuple(card.slug for card in cards) == gallery.SLUGS
    assert len({card.title for card in cards}) == len(cards)
    shop = cards[0]
    assert (shop.title, shop.entities) == ("Shop", 10)
    assert shop.patterns == len(gallery.load("shop").patterns)


@every_design
def test_it_hangs_together_and_is_written_as_we_write(slug):
    design = gallery.load(slug)
    assert check(design) == ()
    assert dump(design, "yaml") == gallery.text(slug)
    assert load(dump(design, "json")) == design


@every_design
def test_it_says_what_it_teaches_and_what_it_is_for(slug):
    design = gallery.load(slug)
    assert 150 <= len(design.description) <= 400
    assert design.context.domain and design.context.business and design.context.scale


@every_design
def test_patterns_are_numbered_from_one_and_named_apart(slug):
    patterns = gallery.load(slug).patterns
    assert [pattern.number for pattern in patterns] == list(range(1, len(patterns) + 1))
    assert len({pattern.name for pattern in patterns}) == len(patterns)
    kinds = [pattern.is_read for pattern in patterns]
    assert kinds == sorted(kinds, reverse=True), "reads come first"


@every_design
def test_every_pattern_has_an_average_and_a_peak_rate(slug):
    for pattern in gallery.load(slug).patterns:
        assert pattern.rate is not None and pattern.rate.peak is not None, pattern.name


@every_design
def test_every_entity_is_created_and_read(slug):
    design = gallery.load(slug)
    created = {c.entity for _, c, _ in changes(design) if c.verb in ("create", "upsert")}
    reads = [pattern for pattern in design.patterns if isinstance(pattern, Read)]
    read = {name for pattern in reads for name in pattern.entities}
    read |= {
        design.relationship[part.relationship].child for pattern in reads for part in pattern.with_
    }
    names = {entity.name for entity in design.entities}
    assert created == names
    assert read == names


@every_design
def test_what_some_write_changes_is_mutable_and_nothing_else(slug):
    design = gallery.load(slug)
    changed = {
        (change.entity, name)
        for _, change, _ in changes(design)
        if change.verb == "update"
        for named in (change.set, change.add, change.remove, change.greatest, *change.of_elements)
        for name in named
    }
    changed |= {
        (change.entity, attribute.name)
        for _, change, _ in changes(design)
        if change.verb == "upsert"
        for attribute in design.entity[change.entity].stored
        if attribute.name not in design.entity[change.entity].identifier
    }
    mutable = {(e.name, a.name) for e in design.entities for a in e.attributes if a.mutable}
    assert changed == mutable


@every_design
def test_numbers_say_how_many_digits_they_have(slug):
    for entity in gallery.load(slug).entities:
        for attribute in entity.attributes:
            if attribute.type == "N":
                assert attribute.digits, f"{entity.name}.{attribute.name}"
                assert attribute.format != "decimal" or attribute.scale, attribute.name


@every_design
def test_relationships_agree_with_the_number_of_items(slug):
    design = gallery.load(slug)
    for relationship in design.relationships:
        edges = design.entity[relationship.child].items
        sides = (
            zip(relationship.many, relationship.averages, strict=True)
            if relationship.cardinality == "N:M"
            else ((relationship.parent, relationship.average),)
        )
        for parent, average in sides:
            expected = edges / design.entity[parent].items
            assert average == pytest.approx(expected, rel=0.1), relationship.name


@every_design
def test_growth_agrees_with_what_is_created_and_deleted(slug):
    design = gallery.load(slug)
    for entity in design.entities:
        if any(attribute.ttl for attribute in entity.attributes):
            continue  # what expires is deleted by no pattern
        net = sum(
            items * {"create": 1, "delete": -1}.get(change.verb, 0)
            for _, change, items in changes(design)
            if change.entity == entity.name
        )
        assert net * MONTH == pytest.approx(entity.growth_per_month or 0, rel=0.25), entity.name


@every_design
def test_what_expires_grows_by_no_more_than_it_states_net_of_expiry(slug):
    for entity in gallery.load(slug).entities:
        if any(attribute.ttl and attribute.present == 1 for attribute in entity.attributes):
            assert not entity.growth_per_month, entity.name


# The examples -----------------------------------------------------------------------------------


@every_design
def test_the_grid_shows_the_examples_as_written(slug):
    design = gallery.load(slug)
    shown = examples(design)
    for entity in design.entities:
        items = shown[entity.name]
        assert len(items) == len(entity.by_name[entity.identifier[0]].examples), entity.name
        for attribute in (one for one in entity.stored if one.type not in ("SS", "L")):
            values = [item[attribute.name] for item in items if attribute.name in item]
            assert [str(value) for value in values] == [
                str(Decimal(str(value))) if attribute.type == "N" else str(value)
                for value in attribute.examples
            ]


@every_design
def test_references_point_at_examples_that_exist(slug):
    design = gallery.load(slug)
    shown = examples(design)
    for relationship in design.relationships:
        sides = relationship.many if relationship.cardinality == "N:M" else (relationship.parent,)
        for parent in sides:
            pairs = design.references(relationship, parent)
            there = {tuple(item[theirs] for _, theirs in pairs) for item in shown[parent]}
            for item in shown[relationship.child]:
                assert tuple(item[mine] for mine, _ in pairs) in there, relationship.name


@every_design
def test_times_are_utc_to_the_second_and_ulids_begin_with_theirs(slug):
    design = gallery.load(slug)
    for entity in design.entities:
        formats = {a.format: a.name for a in entity.attributes}
        for item in examples(design)[entity.name]:
            for attribute in entity.stored:
                if attribute.format == "datetime" and attribute.name in item:
                    value = item[attribute.name]
                    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", value)
                    datetime.fromisoformat(value)
            if "ulid" in formats:
                own = (a.name for a in entity.stored if a.format == "datetime")
                assert _time_of_ulid(item[formats["ulid"]]) == item[next(own)]


def _time_of_ulid(ulid):
    """The first ten characters are milliseconds since 1970, in Crockford's base 32."""
    alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    milliseconds = 0
    for character in ulid[:10]:
        milliseconds = milliseconds * 32 + alphabet.index(character)
    assert len(ulid) == 26
    return (datetime(1970, 1, 1) + timedelta(milliseconds=milliseconds)).isoformat() + "Z"


@pytest.mark.parametrize("slug", ["shop", "merchant-orders"])
def test_an_order_costs_what_its_items_cost(slug):
    for order in rows(slug, "Order"):
        items = [i for i in rows(slug, "OrderItem") if i["orderId"] == order["orderId"]]
        assert sum(item["quantity"] * item["price"] for item in items) == order["total"]


def test_the_shop_s_orders_have_the_status_of_their_latest_change():
    history = rows("shop", "OrderStatusChange")
    for order in rows("shop", "Order"):
        steps = sorted(
            (step["changedAt"], step["status"])
            for step in history
            if step["orderId"] == order["orderId"]
        )
        assert steps[0] == (order["placedAt"], "PLACED")
        assert steps[-1][1] == order["status"]


def test_the_shop_sells_at_the_price_and_name_of_the_product():
    products = {product["productId"]: product for product in rows("shop", "Product")}
    for item in rows("shop", "OrderItem"):
        product = products[item["productId"]]
        assert (item["productName"], item["price"]) == (product["name"], product["price"])


def test_the_shop_s_carts_expire_after_thirty_days():
    for item in rows("shop", "CartItem"):
        added = datetime.fromisoformat(item["addedAt"])
        assert item["expiresAt"] == (added + timedelta(days=30)).timestamp()


def test_counters_count_what_is_there():
    for slug, parent, counter, child, key in (
        ("discussion", "Thread", "posts", "Post", ("threadId",)),
        ("product-reviews", "Product", "ratings", "Review", ("productId",)),
    ):
        for item in rows(slug, parent):
            own = [c for c in rows(slug, child) if all(c[k] == item[k] for k in key)]
            assert item[counter] == len(own)
    for product in rows("product-reviews", "Product"):
        own = [
            r for r in rows("product-reviews", "Review") if r["productId"] == product["productId"]
        ]
        assert product["stars"] == sum(review["rating"] for review in own)
    for course in rows("courses", "Course"):
        done = [
            lesson
            for lesson in rows("courses", "Lesson")
            if all(lesson[k] == course[k] for k in ("studentId", "courseId")) and "doneAt" in lesson
        ]
        assert course["lessonsDone"] == len(done)


def test_a_friendship_is_seen_from_both_sides():
    edges = {(e["userId"], e["friendId"]): e["since"] for e in rows("social-network", "Friendship")}
    assert edges
    assert all(edges[friend, user] == since for (user, friend), since in edges.items())


# What published examples get wrong ----------------------------------------------------------------


def answered(slug, number, **parameters):
    design = gallery.load(slug)
    expected = answers.answer(design, examples(design), design.pattern(number), parameters)
    return [(row.entity, dict(row.item)) for group in expected.rows.groups for row in group]


def test_a_price_range_holds_the_product_at_its_upper_end():
    found = answered(
        "catalogue",
        3,
        category="headphones",
        brand="Halden",
        least=Decimal(500),
        most=Decimal(1000),
    )
    assert [item["price"] for _, item in found] == [500, 1000]


def test_all_departments_are_departments_only():
    found = answered("organisation", 2, organisationId="acme")
    assert {entity for entity, _ in found} == {"Department"}
    assert [item["departmentId"] for _, item in found] == ["engineering", "sales"]


def test_one_department_s_teams_leave_out_the_team_whose_name_begins_alike():
    people = answered(
        "organisation", 4, organisationId="acme", departmentId="engineering", teamId="back"
    )
    assert people == []
    backend = answered(
        "organisation", 4, organisationId="acme", departmentId="engineering", teamId="backend"
    )
    assert {item["teamId"] for _, item in backend} == {"backend"}


@every_design
def test_no_text_repeats_what_published_texts_get_wrong(slug):
    said = gallery.text(slug)
    assert not re.search(r"48 hours|10x|ten times the|always sav|SHARD#|across tables", said)


@every_design
def test_sets_have_words_of_their_own(slug):
    """What the site makes up for a set, colours, contradicts what else the examples say."""
    attributes = [each for entity in gallery.load(slug).entities for each in entity.attributes]
    assert not [each.name for each in attributes if each.type == "SS" and not each.examples]


def test_an_articles_own_tags_are_those_of_its_taggings():
    tags = {}
    for tagging in rows("tags", "Tagging"):
        tags.setdefault(tagging["articleId"], set()).add(tagging["tag"])
    articles = {each["articleId"]: each["tags"] for each in rows("tags", "Article")}
    assert {one: articles[one] for one in tags} == tags


@every_design
def test_numbered_identifiers_have_room_for_all_items(slug):
    for entity in gallery.load(slug).entities:
        name, *others = entity.identifier
        attribute = entity.by_name[name]
        numbered = [re.fullmatch(r"([a-z]+-)\d+", str(one)) for one in attribute.examples or ()]
        if not others and attribute.bytes is not None and numbered and all(numbered):
            digits = attribute.bytes - len(numbered[0][1])
            assert entity.items <= 10**digits, f"{entity.name}.{name}"
