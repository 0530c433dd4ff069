"""An example value set in its row: kept among the examples of its attribute."""

from decimal import Decimal, InvalidOperation

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.edits.attributes import change_attribute
from designer.core.edits.replacing import replaced
from designer.core.errors import DesignError
from designer.core.examples import examples
from designer.core.examples.items import Item
from designer.core.messages import say
from designer.core.patterns.document import Scalar
from designer.core.plan.keys import Value

EDITABLE = ("S", "N", "BOOL")
LONGEST = 1000
"""Characters of an example."""
_WORDS = {"true": True, "yes": True, "false": False, "no": False}


def set_example(design: Design, row: str, name: str, text: str) -> Design:
    """The design in which the example row `Guest-2` has another value of an attribute.

    The values of the rows before it are kept as examples too, so that it stays in its row. DesignError where the value
    is of another type, or where it holds the rows together: what identifies them and what refers to others.
    """
    entity, number = _row(design, row)
    items = examples(design)[entity.name]
    attribute = entity.by_name.get(name)
    if attribute is None or number >= len(items):
        raise DesignError("gone", say("example-gone"))
    _refuse_what_holds_together(design, entity, attribute)
    value = _read(attribute, text.strip())
    before = tuple(_scalar(item.get(name), value) for item in items[:number])
    changed = replaced(attribute, examples=(*before, value, *attribute.examples[number + 1 :]))
    after = change_attribute(design, entity.name, name, changed)
    if not _shows(examples(after)[entity.name], number, name, value):
        raise DesignError("example", say("example-stays", name=name))
    return after


def _row(design: Design, row: str) -> tuple[Entity, int]:
    """The entity of a row's name, and the row's place among its examples from 0."""
    name, _, number = row.rpartition("-")
    entity = design.entity.get(name)
    if entity is None or not number.isdecimal() or not 0 < int(number[:6]) < 1000:
        raise DesignError("gone", say("row-follows"))
    return entity, int(number[:6]) - 1


def _refuse_what_holds_together(design: Design, entity: Entity, attribute: Attribute) -> None:
    name = attribute.name
    if name in entity.identifier or (entity.name, name) in design.referred:
        said = say("example-links-rows", name=name)
    elif attribute.derived or attribute.aggregate:
        said = say("example-derived", name=name)
    elif attribute.type not in EDITABLE:
        said = say("example-not-here", name=name)
    else:
        return
    raise DesignError("example", said)


def _read(attribute: Attribute, text: str) -> Scalar:
    if not text:
        raise DesignError("example", say("example-empty"))
    if len(text) > LONGEST:
        raise DesignError("example", say("example-too-long", most=LONGEST))
    if attribute.type == "BOOL":
        if text.lower() not in _WORDS:
            raise DesignError("example", say("example-true-or-false"))
        return _WORDS[text.lower()]
    if attribute.type == "N":
        try:
            number = Decimal(text.replace(" ", ""))
        except InvalidOperation:
            number = Decimal("NaN")
        if not number.is_finite() or abs(number.adjusted()) > 30:
            raise DesignError("example", say("example-not-number", words=text[:40]))
        return _plain(number)
    if attribute.values and text not in attribute.values:
        raise DesignError(
            "example", say("example-one-of", name=attribute.name, values=attribute.values[:8])
        )
    return text


def _plain(number: Decimal) -> int | float:
    return int(number) if number == number.to_integral_value() else float(number)


def _scalar(value: Value, otherwise: Scalar) -> Scalar:
    """A value as an example has it. A row that has none gets what the changed row has."""
    if isinstance(value, Decimal):
        return _plain(value)
    return value if isinstance(value, (str, bool)) else otherwise


def _shows(items: tuple[Item, ...], number: int, name: str, value: Scalar) -> bool:
    shown = items[number].get(name) if number < len(items) else None
    return bool(shown == (Decimal(str(value)) if isinstance(shown, Decimal) else value))
