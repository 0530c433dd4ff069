"""A shared Query reads the first few of a collection's items last, so their other end cannot be read with it too."""

import pytest

from designer.core.design.load import load
from designer.core.planner import plan


def wells(average, objective="simplest"):
    """A well with its first and with its newest samples."""
    patterns = "".join(
        f"""
          - number: {number}
            name: A well with its {name} samples
            kind: get
            returns: Well
            where: [{{attribute: wellId, is: {{param: w}}}}]
            with: [{{relationship: samples, order: [takenAt {order}], limit: 2}}]
            rate: {{average: 10}}"""
        for number, name, order in ((1, "first", "ascending"), (2, "newest", "descending"))
    )
    return load(
        f"""
        keywright: 1
        name: Wells
        planner: {{objective: {objective}}}
        entities:
          - name: Well
            identifier: [wellId]
            items: 3000
            attributes: [{{name: wellId, bytes: 8}}, {{name: depth, type: N, digits: 4}}]
          - name: Sample
            identifier: [wellId, takenAt]
            items: {3000 * average}
            attributes:
              - {{name: wellId, refers_to: Well.wellId}}
              - {{name: takenAt, format: datetime}}
              - {{name: remarks, bytes: 500}}
        relationships:
          - name: samples
            one: Well
            many: Sample
            by: wellId
            identifying: true
            average: {average}
            most: {average}
        patterns:{patterns}
          - {{number: 3, name: Take, kind: create, entity: Sample, rate: {{average: 1}}}}
        """,
        name="wells",
    )


@pytest.mark.parametrize("average", [40, 200])
def test_only_one_end_of_a_collection_is_read_with_its_owner(average) -> None:
    """The other end takes a GetItem and a Query of 2 samples: 0.5 read units each, and one request more.

    With the owner it would read all 40, each of 0.6 KB: 3 units, ten times a second.
    """
    made = plan(wells(average), "single")
    steps = [made.operations_for(number)[0].steps for number in (1, 2)]
    assert sorted(map(len, steps)) == [1, 2]
    units = [sum(step.expects.units for step in mine) for mine in steps]
    assert max(units) <= 1
    cheapest = plan(wells(average, "cost"), "single")
    assert made.cost.per_month - cheapest.cost.per_month <= 1


def test_both_ends_of_a_collection_that_is_as_cheap_to_read_whole_are_read_with_its_owner() -> None:
    """All of it has 2 steps of 4 KB at the most, as a GetItem and a Query have."""
    made = plan(wells(8), "single")
    steps = [made.operations_for(number)[0].steps for number in (1, 2)]
    assert [len(mine) for mine in steps] == [1, 1]
    assert sum(step.expects.units for mine in steps for step in mine) == 0.5 + 1
