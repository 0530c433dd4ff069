"""Items of the earlier plan that the later one does not have where they lie, and what becomes of what they say."""

from collections.abc import Iterable

from designer.core.migration.base import Change
from designer.core.plan import Shape
from designer.core.words.english import joined


def lost(change: Change, shapes: Iterable[Shape]) -> tuple[str, ...]:
    """The entities of such items that the later design does not have."""
    kept = set(change.lineage.entities.values())
    return tuple(sorted({shape.entity for shape in shapes} - kept))


def unreplaced(change: Change, shape: Shape) -> str:
    """That nothing takes the place of guards or copies, as a sentence; empty where something does."""
    if shape.role not in ("guard", "copy") or any(
        change.is_the_same(shape, later)
        for table in change.after.plan.tables
        for later in table.items
    ):
        return ""
    if shape.role == "copy":
        return f"Nothing replaces them: they are copies of data in the {shape.entity} items."
    names = f"{joined(shape.guards)} of {shape.entity}" if shape.guards else shape.entity
    return f"Nothing replaces them: in the later design, nothing keeps {names} unique."
