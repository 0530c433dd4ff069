"""The cheapest keys of a whole design: of each entity alone, or with the other in one collection."""

from collections.abc import Iterator, Sequence
from itertools import product

from designer.core.design.document import Design
from designer.core.dynamodb.limits import READ_UNIT_BYTES
from tests.enumerator.entity import OneEntity
from tests.enumerator.model import Model, joint_read
from tests.enumerator.offers import INDEX, TABLE
from tests.enumerator.pieces import HOT, steps


def cheapest(design: Design, style: str, once: bool = False) -> tuple[int, float]:
    """(patterns that nothing serves, US dollars a month) of the cheapest keys for a design.

    `once`: without two indexes that have the same keys and hold something else.
    """
    entities = [OneEntity(Model(design, entity, style), once) for entity in design.entities]
    alone = [entity.cheapest() for entity in entities]
    best = (sum(one.unserved for one in alone), sum(one.cost for one in alone))
    if joint_read(design) is not None and style == "single":
        for way in (TABLE, INDEX):
            best = min([best, *_shared(entities, way, best[1])])
    return best[0], best[1] % HOT


def _shared(entities: Sequence[OneEntity], way: str, most: float) -> Iterator[tuple[int, float]]:
    """What designs cost in which one request answers the joint read: all its items lie in one collection."""
    parts = [entity.model.joint for entity in entities]
    assert all(part is not None for part in parts)
    if way == INDEX and any(part is not None and part.strong for part in parts):
        return
    for chosen in product(*(entity.shared(way, most) for entity in entities)):
        size = 0.0
        for entity, part, (_, _, one) in zip(entities, parts, chosen, strict=True):
            assert part is not None
            rows = entity.model.matching(part.equals)
            size += one * (rows if part.limit is None else min(rows, part.limit))
        model, part = entities[0].model, parts[0]
        assert part is not None
        unit = part.rate * model.second * part.factor * float(model.prices.read_unit)
        usd = sum(one[1] for one in chosen) + unit * steps(size, READ_UNIT_BYTES)
        yield sum(one[0] for one in chosen), usd
