"""What is put in place of an attribute: constants, parameters, and what a step has read."""

from designer.core.patterns.figures import Amount
from designer.core.plan import Constant, Expression, keys


def amount_of(amount: Amount) -> Expression:
    """What a number goes up by, as the plan writes it; a minus before the brace takes away."""
    if amount.value is not None:
        return Constant(value=amount.value)
    return f"{{{amount.param}}}" if amount.param else f"-{{{amount.minus}}}"


def put_to(template: str, known: dict[str, Expression]) -> Expression:
    """A template over the entity's attributes as one over what is known."""
    lone = keys.lone(template)
    if lone is not None:
        return known[lone]
    constants = {n: v.value for n, v in known.items() if isinstance(v, Constant)}
    bound = keys.bind(template, constants.get) if constants else template
    assert bound is not None
    return keys.rename(
        bound, lambda name: str(known[name])[1:-1] if isinstance(known.get(name), str) else None
    )


def text_of(value: Expression) -> str:
    """A value as text inside a composed one."""
    return keys.escape(keys.plain_text(value.value)) if isinstance(value, Constant) else value


def negative(value: Expression) -> Expression:
    """What takes away as much as a value adds."""
    if isinstance(value, Constant):
        assert isinstance(value.value, (int, float))
        return Constant(value=-value.value)
    return value[1:] if value.startswith("-") else f"-{value}"
