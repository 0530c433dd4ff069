"""What an item has that lacks an attribute: the planner makes it up, so that a sparse index can hold such items."""

from designer.core.design.document import Attribute
from designer.core.design.lacking import absence, absence_text, lacking
from designer.core.planner.model.wording import capital


class Absence(Attribute):
    """It is there where an attribute is not, and always the same."""

    derived: str | None = None

    @property
    def source(self) -> tuple[str, str]:
        return "absent", lacking(self.name) or ""


def absence_of(attribute: Attribute) -> Absence:
    """What the items have that lack an attribute."""
    name, text = attribute.name, absence_text(attribute.name)
    return Absence.model_construct(
        name=absence(name),
        derived=f'absent({name}, "{text}")',
        present=1 - attribute.present,
        bytes=float(len(text)),
        distinct=1,
    )


def word(name: str) -> str:
    """How a key attribute or an index is called after an attribute, or after the lack of one: `noAssignee`."""
    lacks = lacking(name)
    return name if lacks is None else f"no{capital(lacks)}"
