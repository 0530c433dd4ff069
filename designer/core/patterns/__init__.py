"""The kinds of access pattern, one file each, and their union."""

from typing import Annotated, get_args

from pydantic import Field

from designer.core.patterns.base import Pattern
from designer.core.patterns.batch_get import BatchGet
from designer.core.patterns.count import Count
from designer.core.patterns.create import Create
from designer.core.patterns.delete import Delete
from designer.core.patterns.elsewhere import Elsewhere
from designer.core.patterns.exists import Exists
from designer.core.patterns.get import Get
from designer.core.patterns.list import List
from designer.core.patterns.transaction import Transaction
from designer.core.patterns.update import Update
from designer.core.patterns.upsert import Upsert

AnyPattern = Annotated[
    Get
    | BatchGet
    | List
    | Count
    | Exists
    | Create
    | Update
    | Upsert
    | Delete
    | Transaction
    | Elsewhere,
    Field(discriminator="kind"),
]

KINDS: dict[str, type[Pattern]] = {
    kind.model_fields["kind"].default: kind for kind in get_args(get_args(AnyPattern)[0])
}
"""Every kind by its word, in the order the forms offer them."""

__all__ = [
    "KINDS",
    "AnyPattern",
    "BatchGet",
    "Count",
    "Create",
    "Delete",
    "Elsewhere",
    "Exists",
    "Get",
    "List",
    "Transaction",
    "Update",
    "Upsert",
]
