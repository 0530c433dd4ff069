"""The absence of an attribute as an attribute of its own, so that a sparse index can hold the items without it."""

from designer.core.design.attributes import Attribute
from designer.core.planner.model.wording import capital
from designer.core.words.lacking import absence, absence_text, lacking


class Absence(Attribute):
    """Present in the items without the attribute that it names, with one value for all."""

    derived: str | None = None

    @property
    def source(self) -> tuple[str, str]:
        return "absent", lacking(self.name) or ""


def absence_of(attribute: Attribute) -> Absence:
    """The absence of an attribute of an entity."""
    name, text = attribute.name, absence_text(attribute.name)
    return Absence.model_construct(
        name=absence(name),
        derived=f'absent({name}, "{text}")',
        present=1 - attribute.present,
        bytes=float(len(text)),
        distinct=1,
    )


def word(name: str) -> str:
    """The word for an attribute, or for its absence (`noAssignee`), in the name of a key attribute."""
    lacks = lacking(name)
    return name if lacks is None else f"no{capital(lacks)}"
