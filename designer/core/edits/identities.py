"""Identities for everything in a design that has none, so that links and forms survive a
renaming.
"""

from collections.abc import Iterable

from designer.core.design.document import Design
from designer.core.design.ids import with_ids
from designer.core.design.load import load_plain, plain


def identified(design: Design, former: Iterable[str] = ()) -> Design:
    """The design with an id on every entity, attribute, relationship and pattern; on new ones none of the `former`."""
    parts = (*design.entities, *design.relationships, *design.patterns)
    attributes = (attribute for entity in design.entities for attribute in entity.attributes)
    if all(part.id for part in parts) and all(attribute.id for attribute in attributes):
        return design
    # Read anew, so that nothing worked out from the parts without ids lives on in them.
    return load_plain(plain(with_ids(design, former)))
