"""Delete an item, or every item of a collection."""

from typing import Literal

from designer.core.patterns.base import Condition, SingleWrite


class Delete(SingleWrite):
    """Delete the item that `by` identifies, which must exist; with `where`, every item that meets it."""

    label = "Delete"
    kind: Literal["delete"] = "delete"
    verbs = ("delete", "remove")
    refused_if = "does not exist"
    unordered = ("where",)
    where: tuple[Condition, ...] = ()

    @property
    def collection(self) -> tuple[Condition, ...]:
        return self.where
