"""A finished design for another workload: items, growth and rates follow from three numbers."""

from dataclasses import replace

import pytest

from designer.core.design import gallery
from designer.core.design.check import check
from designer.core.design.document import Design
from designer.core.edits.workload import Workload, for_workload, workload_of
from designer.core.errors import DesignError

PEOPLE = {"name": "id"}, {"name": "owner", "refers_to": "User.id"}


def notes() -> Design:
    def entity(name: str, *attributes: dict[str, str], **figures: int) -> dict[str, object]:
        return {"name": name, "identifier": ["id"], "attributes": list(attributes), **figures}

    by = {"kind": "get", "where": [{"attribute": "id", "is": {"param": "id"}}]}
    return Design.model_validate(
        {
            "name": "Notes",
            "entities": [
                entity("User", PEOPLE[0], items=1000, growth_per_month=10),
                entity("Note", *PEOPLE, items=24_000, growth_per_month=2000),
                entity("Setting", *PEOPLE, items=3000),
                entity("Country", PEOPLE[0], items=200),
            ],
            "relationships": [
                {
                    "name": "writes",
                    "one": "User",
                    "many": "Note",
                    "by": "owner",
                    "average": 24,
                    "most": 500,
                },
                {
                    "name": "has",
                    "one": "User",
                    "many": "Setting",
                    "by": "owner",
                    "average": 3,
                    "most": 9,
                },
            ],
            "patterns": [
                {
                    **by,
                    "number": 1,
                    "name": "a",
                    "returns": "User",
                    "rate": {"average": 30, "peak": 90},
                },
                {**by, "number": 2, "name": "b", "returns": "Note", "rate": {"average": 10}},
                {**by, "number": 3, "name": "c", "returns": "Country"},
            ],
        }
    )


def asked(**numbers: float) -> Design:
    stated = workload_of(notes())
    assert stated is not None
    return for_workload(notes(), replace(stated, **numbers))


def items(design: Design) -> dict[str, int | None]:
    return {entity.name: entity.items for entity in design.entities}


def test_a_workload_is_read_from_the_entity_that_others_belong_to() -> None:
    assert workload_of(notes()) == Workload("User", 1000, 40, 12)


def test_users_bring_what_belongs_to_them_and_nothing_else() -> None:
    assert items(asked(users=500)) == {"User": 500, "Note": 24_000, "Setting": 1500, "Country": 200}
    writes, has = asked(users=500).relationships
    assert (writes.average, writes.most) == (48, 1000)
    assert (has.average, has.most) == (3, 9)


def test_rates_and_growth_follow_the_requests_and_history_the_months() -> None:
    busier = asked(requests=80)
    rates = [
        pattern.rate and (pattern.rate.average, pattern.rate.peak) for pattern in busier.patterns
    ]
    assert rates == [(60, 180), (20, None), None]
    assert [entity.growth_per_month for entity in busier.entities] == [20, 4000, None, None]
    assert items(busier)["Note"] == 48_000
    assert items(asked(months=6))["Note"] == 12_000


@pytest.mark.parametrize(
    "numbers", [{"users": 0}, {"users": 10**12}, {"requests": -1.0}, {"months": 1e9}]
)
def test_numbers_beyond_all_sense_are_refused(numbers: dict[str, float]) -> None:
    with pytest.raises(DesignError, match="must be above 0 and at most"):
        asked(**numbers)


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_designs_of_the_gallery_take_other_numbers(slug: str) -> None:
    design = gallery.load(slug)
    stated = workload_of(design)
    if stated is None:
        return
    assert for_workload(design, stated) == design
    for by in (0.02, 30.0):
        other = Workload(
            stated.entity,
            round(stated.users * by),
            None if stated.requests is None else stated.requests * by,
            stated.months,
        )
        made = for_workload(design, other)
        assert {problem.message for problem in check(made)} <= {
            problem.message for problem in check(design)
        }
        assert workload_of(made) is not None


def test_most_of_the_gallery_asks_for_numbers() -> None:
    having = [slug for slug in gallery.SLUGS if workload_of(gallery.load(slug)) is not None]
    assert len(having) > len(gallery.SLUGS) / 2
