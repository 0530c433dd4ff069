"""The key of a table begins with whose its items are, not with a date or a word of theirs."""

from designer.core.design.load import load
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.pipeline import outlined
from designer.core.planner.workload.requirements import requirements


def ferry(identifier, extra=""):
    """Berths of a ferry's crossings; a crossing is one of a ferry at a time."""
    return load(
        f"""
        keywright: 1
        name: Ferries
        entities:
          - name: Ferry
            identifier: [ferryId]
            items: 50
            attributes:
              - {{name: ferryId, bytes: 6}}
              - {{name: deck, bytes: 900}}
          - name: Crossing
            identifier: [ferryId, leaves]
            items: 50000
            attributes:
              - {{name: ferryId, refers_to: Ferry.ferryId}}
              - {{name: leaves, format: datetime, distinct: 50000}}
              - {{name: weather, bytes: 300}}
          - name: Berth
            identifier: [{identifier}]
            items: 3000000
            attributes:
              - {{name: ferryId, bytes: 6}}
              - {{name: leaves, format: datetime}}
              - {{name: berthId, format: ulid}}
              - {{name: lorry, bytes: 12, distinct: 20000}}
              - {{name: weight, type: N, digits: 5}}
              - {{name: note, bytes: 600}}
        relationships:
          - {{name: crossings, one: Ferry, many: Crossing, by: ferryId, identifying: true, average: 1000, most: 2000}}
          - {{name: berths, one: Crossing, many: Berth, by: [ferryId, leaves], average: 60, most: 90}}
        patterns:
          - number: 1
            name: A crossing with its berths
            kind: get
            returns: Crossing
            where: [{{attribute: ferryId, is: {{param: f}}}}, {{attribute: leaves, is: {{param: l}}}}]
            with: [{{relationship: berths}}]
            rate: {{average: 1}}
          - {{number: 2, name: Book, kind: create, entity: Berth, rate: {{average: 2}}}}
          {extra}
        """,
        name="ferries",
    )


def key_of_berths(design):
    """The templates of partition and sort key of the table of berths."""
    (table,) = [
        one
        for one in outlined(design, "multi").tables
        if any(shape.shape == "Berth" for shape in one.items)
    ]
    (shape,) = table.items
    parts = (table.key.partition.name, table.key.sort.name)
    return tuple(shape.set.get(name, f"{{{name}}}") for name in parts)


HEAVY = """
          - number: 4
            name: Crossings since with their heavy berths
            kind: list
            returns: Crossing
            where: [{attribute: ferryId, is: {param: f}}, {attribute: leaves, from: {param: d}, share: 0.01}]
            with: [{relationship: berths, keep: [{attribute: weight, from: {param: w}, share: 0.05}]}]
            rate: {average: 1}
"""
BY_LORRY = """
          - number: 3
            name: Berths of a lorry
            kind: list
            returns: Berth
            where: [{attribute: lorry, is: {param: l}}]
            rate: {average: 1}
"""


def test_the_time_of_an_owners_crossing_is_no_owner() -> None:
    partition, _ = key_of_berths(ferry("ferryId, leaves, berthId"))
    assert partition.startswith("{ferryId}")


def test_of_two_lists_the_one_of_a_parent_has_the_table_where_the_other_saves_cents() -> None:
    """Berths are listed by crossing and by lorry, so that one list reads an index in any case."""
    partition, sort = key_of_berths(ferry("berthId", BY_LORRY + HEAVY))
    assert partition == "{ferryId}#{leaves}"
    assert sort.endswith("{berthId}")


def test_a_date_that_refers_to_a_day_says_whose_an_item_is() -> None:
    design = ferry("berthId")
    ferries, crossings, berths = design.entities
    a_day = crossings.model_copy(update={"identifier": ("leaves",)})
    by_day = design.relationships[1].model_copy(update={"by": ("leaves",)})
    days = design.model_copy(
        update={"entities": (ferries, a_day, berths), "relationships": (by_day,)}
    )
    found = [
        EntityModel(made, made.entity["Berth"], "multi", requirements(made)).is_time_or_kind(
            "leaves"
        )
        for made in (design, days)
    ]
    assert found == [True, False]
