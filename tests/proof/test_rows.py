"""The proof's own items and cases: hard on keys, complete, and the same every time."""

from decimal import Decimal
from functools import cache

import pytest

from designer.core import answers
from designer.core.answers import Refused
from designer.core.design import gallery
from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.patterns.base import Read, Write
from designer.proof import samples
from designer.proof.cases import cases
from designer.proof.rows import references, rows


@cache
def rows_of(slug, small=False):
    return rows(gallery.load(slug), small=small)


@pytest.mark.parametrize("slug", gallery.SLUGS)
class TestTheGallery:
    def test_identifiers_and_unique_values_occur_once(self, slug):
        design = gallery.load(slug)
        state = rows_of(slug)
        for entity in design.entities:
            items = state[entity.name]
            for names in (entity.identifier, *((a.name,) for a in entity.unique_attributes)):
                values = [tuple(item[name] for name in names) for item in items if names[0] in item]
                assert len(set(values)) == len(values)

    def test_what_must_be_there_is_there(self, slug):
        design = gallery.load(slug)
        state = rows_of(slug)
        for entity in design.entities:
            must = {a.name for a in entity.stored if a.present == 1}
            may = {a.name for a in entity.stored}
            for item in state[entity.name]:
                assert must <= set(item) <= may

    def test_most_references_hold_and_one_does_not(self, slug):
        design = gallery.load(slug)
        state = rows_of(slug)
        for entity in design.entities:
            for reference in references(design, entity):
                facts = answers.Facts(design, state)
                there = [
                    bool(
                        facts.where(reference.parent, {t: item.get(o) for o, t in reference.pairs})
                    )
                    for item in state[entity.name]
                    if all(own in item for own, _ in reference.pairs)
                ]
                assert there.count(True) > 1

    def test_every_enum_value_occurs(self, slug):
        design = gallery.load(slug)
        for small in (False, True):
            state = rows_of(slug, small)
            for entity in design.entities:
                for attribute in entity.stored:
                    if attribute.values is not None and len(attribute.values) <= 5:
                        found = {item.get(attribute.name) for item in state[entity.name]}
                        assert set(attribute.values) <= found

    def test_a_limit_is_passed_somewhere(self, slug):
        design = gallery.load(slug)
        state = rows_of(slug)
        for pattern in design.patterns:
            if isinstance(pattern, Read) and pattern.kind == "list" and pattern.limit:
                found = [
                    answers.answer(design, state, pattern, p) for p in cases(design, state, pattern)
                ]
                most = max(sum(map(len, one.rows.groups)) for one in found)
                assert most > pattern.limit, pattern.name

    def test_reads_find_something_and_nothing(self, slug):
        design = gallery.load(slug)
        state = rows_of(slug)
        for pattern in design.patterns:
            if isinstance(pattern, Read) and pattern.kind in ("get", "list"):
                found = [
                    answers.answer(design, state, pattern, p).rows
                    for p in cases(design, state, pattern)
                ]
                counts = [one.count for one in found if one is not None]
                assert max(counts, default=1) > 0, pattern.name
                known = design.entity[pattern.entities[0]].by_name
                given = [c.attribute for c in pattern.where if any(c.parameters)]
                if given and not any(known[name].values for name in given):
                    assert 0 in counts, pattern.name

    def test_writes_go_through_and_are_refused(self, slug):
        design = gallery.load(slug)
        state = rows_of(slug, small=True)
        for pattern in design.patterns:
            if isinstance(pattern, Write):
                outcomes = [
                    answers.apply(design, state, pattern, p) for p in cases(design, state, pattern)
                ]
                refused = [one for one in outcomes if isinstance(one, Refused)]
                assert len(refused) < len(outcomes), pattern.name
                never = pattern.kind == "upsert" or getattr(pattern, "where", ())
                assert refused or never, pattern.name

    def test_all_is_the_same_twice(self, slug):
        design = gallery.load(slug)
        again = Design.model_validate(design.model_dump(by_alias=True))
        assert rows(design) == rows(again)
        state = rows(design, small=True)
        for pattern in design.patterns:
            if isinstance(pattern, (Read, Write)):
                assert cases(design, state, pattern) == cases(
                    again, state, again.pattern(pattern.number)
                )


def attribute(**said):
    return Attribute.model_validate({"name": "a", **said})


def test_texts_begin_one_another_and_hold_the_delimiter_a_space_and_more():
    texts = samples.worst(attribute())
    assert any(one != other and other.startswith(one) for one in texts for other in texts)
    assert all(any(mark in text for text in texts) for mark in ("#", "$", " ", "é"))


def test_numbers_are_negative_zero_and_as_great_as_their_digits():
    numbers = samples.worst(attribute(type="N", format="decimal", digits=5, scale=2))
    assert {
        Decimal(0),
        Decimal("0.01"),
        Decimal("-0.01"),
        Decimal("999.99"),
        Decimal("-999.99"),
    } <= set(numbers)
    assert all(abs(number) <= Decimal("999.99") for number in numbers)


@pytest.mark.parametrize(
    ("said", "width"),
    [
        ({"format": "uuid"}, 36),
        ({"format": "ulid"}, 26),
        ({"format": "ksuid"}, 27),
        ({"format": "date"}, 10),
        ({"format": "datetime"}, 20),
        ({"format": "datetime", "examples": ["2026-01-01T00:00:00.000Z"]}, 24),
    ],
)
def test_formats_of_fixed_width_keep_it_and_never_repeat(said, width):
    values = [samples.nth(attribute(**said), at) for at in range(300)]
    assert {len(value) for value in values} == {width}
    assert len(set(values)) == 300


def test_a_filler_makes_a_collection_of_more_than_a_page():
    design = gallery.load("shop")
    sizes = {
        name: sum(len(str(item)) for item in items)
        for name, items in rows(design, large=True).items()
    }
    assert sizes["OrderItem"] > 1_000_000
