"""Key parts as templates: as items carry them, and with what is known of attributes put in."""

import json
from collections.abc import Callable

from designer.core.design.attributes import Attribute
from designer.core.plan import Constant, Expression, keys
from designer.core.planner.layout.placement import KeyPart
from designer.core.planner.model.entity_model import EntityModel
from designer.core.words.lacking import absence, lacking

Known = Callable[[str], Expression | None]
"""For an attribute, what is known of its value: `{name}`, a constant, or None."""


def item_template(part: KeyPart, model: EntityModel) -> str:
    """The key as a template over the entity's own attributes."""
    if part.native is not None:
        return f"{{{part.native}}}"

    def known(name: str) -> Expression:
        return f"{{{name}}}"

    return stored_template(part, model, known, item=True) or ""


def stored_template(
    part: KeyPart, model: EntityModel, known: Known, item: bool = False
) -> str | None:
    """The key as an item carries it: missing where the item is not to be in a sparse index."""
    text = bound_template(part, model, known, item)
    for name, values in reversed(part.when):
        source = model.attribute(name).source
        value = known(source[1] if source else name)
        if lacking(name) is not None:
            if isinstance(value, Constant):
                return None
            if value is not None and text is not None:
                text = f"{{{absence(value[1:-1])}}}{text}"
            continue
        if value is None:
            return None
        if isinstance(value, Constant):
            if values and keys.plain_text(value.value) not in values:
                return None
            continue
        texts = "".join(f", {json.dumps(text, ensure_ascii=False)}" for text in values)
        text = None if text is None else f"{{when({value[1:-1]}{texts})}}{text}"
    return text


def bound_template(
    part: KeyPart, model: EntityModel, known: Known, item: bool = False
) -> str | None:
    """The key with each attribute taken from what is known; None when a constant keeps it out of a sparse index."""
    text = ""
    for kind, value in part.pieces:
        if kind == "text":
            text += brace(value)
            continue
        attribute, only = model.attribute(value), dict(part.only).get(value)
        piece = bound_piece(attribute, known, only, item, kind == "inverse")
        if piece is None:
            return None
        text += piece
    return keys.as_text(text)


def bound_piece(
    attribute: Attribute,
    known: Known,
    only: tuple[str, ...] | None = None,
    item: bool = False,
    inverse: bool = False,
) -> str | None:
    """One component: formatted so that it sorts as its values do, or the other way round."""
    source = attribute.source
    value = known(attribute.name) if not (source and item) else None
    if value is None and source is not None:
        template = f"{{{attribute.derived}}}"
        if lacking(attribute.name) is not None and known(source[1]) is None:
            return brace(keys.render(template, lambda _: None))
        value = known(source[1])
        if isinstance(value, Constant):
            constant = value.value
            text = keys.render(template, lambda _: constant)
            return None if text is None else brace(text)
        new = None if value is None else value[1:-1]
        return None if new is None else keys.rename(template, lambda _: new)
    if value is None:
        return None
    if inverse:
        name = "x" if isinstance(value, Constant) else value[1:-1]
        inverted = attribute.inverted(name)
        if inverted is None or not isinstance(value, Constant):
            return inverted
        text = keys.render(inverted, lambda _: value.value)
        return None if text is None else brace(text)
    if isinstance(value, Constant):
        if only is None:
            return brace(keys.escape(_constant_text(attribute, value)))
        text = keys.plain_text(value.value)  # as `only` writes it
        return None if text not in only else brace(keys.escape(text))
    name = value[1:-1]
    if only is not None:
        return (
            f"{{only({name}, {', '.join(json.dumps(text, ensure_ascii=False) for text in only)})}}"
        )
    if attribute.type == "N":
        digits, scale = attribute.padding
        return f"{{pad({digits}, {scale}, {name})}}"
    return value


def _constant_text(attribute: Attribute, value: Constant) -> str:
    if attribute.type == "N":
        return keys.pad(value.value, *attribute.padding)
    return keys.plain_text(value.value)


def brace(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
