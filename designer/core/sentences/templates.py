"""Key templates and constants as people read them."""

import re
from collections.abc import Mapping

from designer.core.plan import Constant, Expression
from designer.core.plan.keys import Form, Reference, is_condition, parse, plain_text
from designer.core.words import figures
from designer.core.words.english import joined

Each = Mapping[str, str]
"""What the current value of a fixed list is called, by the name of the list: its few values, or `each value`."""
NO_EACH: Each = {}


def expression(value: Expression, each: Each = NO_EACH) -> str:
    """A key template or constant as people read it: `USER#<userId>`."""
    if isinstance(value, Constant):
        return plain_text(value.value)
    return template_text(value, each)


def template_text(template: str, each: Each = NO_EACH) -> str:
    """A key template with its names in angle brackets, and with the conditions under which it is written.

    >>> template_text("ORDER#{placedAt}#{pad(10, 2, total)}#{shard(4, orderId)}")
    'ORDER#<placedAt>#<total, 10 digits, 2 of them decimals>#<shard of orderId>'
    >>> template_text('STATE#{only(state, "PAID", "SENT")}'), template_text("{when(paidAt)}U#{userId}")
    ('STATE#<state> (only if state is PAID or SENT)', 'U#<userId> (only if paidAt is present)')
    >>> template_text("USER#{s1.userId}"), template_text("EMAIL#{old.email}")
    ('USER#<userId found>', 'EMAIL#<old email>')
    >>> template_text('STATE#{only(state, "PAID", "SENT")}{when(paidAt)}', {"state": "PAID or SENT"})
    'STATE#<PAID or SENT> (only if paidAt is present)'
    """
    text = ""
    for part in parse(template):
        if isinstance(part, str):
            text += part
        elif isinstance(part, Form) and part.form == "absent":
            text += "".join(part.texts)
        elif not is_condition(part):
            text += f"<{_part_text(part, each)}>"
    conditions = only_if_text(template, each)
    return f"{text} {conditions}" if conditions else text


def only_if_text(template: str, each: Each = NO_EACH) -> str:
    """The conditions under which a key template is written, in parentheses; empty if there are none. A value of a fixed
    list meets those on itself.
    """
    conditions = only_if(template, each)
    return f"(only if {conditions})" if conditions else ""


def only_if(template: str, each: Each = NO_EACH) -> str:
    """The same conditions by themselves: `status is PAID and paidAt is present`."""
    conditions: dict[str, None] = {}
    for part in parse(template):
        if isinstance(part, Form) and part.name not in each:
            said = condition_text(part)
            conditions |= {said: None} if said is not None else {}
    return joined(list(conditions))


def condition_text(part: Form) -> str | None:
    """The condition that a form of a key template makes: `status is PAID`; None where it makes none."""
    if part.form not in ("only", "when", "absent"):
        return None
    is_ = "missing" if part.form == "absent" else joined(list(part.texts), "or") or "present"
    return f"{value_name(part)} is {is_}"


def without_condition(template: str, each: Each = NO_EACH) -> str:
    """A key template with its names in angle brackets, and without the conditions under which it is written."""
    return template_text(template, each).removesuffix(only_if_text(template, each)).rstrip()


def _part_text(part: Reference | Form, each: Each) -> str:
    name = value_name(part)
    if isinstance(part, Reference) or part.form in ("text", "only"):
        return each.get(part.name, name)
    if part.form == "pad":
        digits, decimals = part.numbers
        last = "1 of them a decimal" if decimals == 1 else f"{decimals} of them decimals"
        return f"{name}, {figures.count(digits, 'digit')}{f', {last}' if decimals else ''}"
    return f"{part.form} of {name}"


_FROM_STEP = re.compile(r"(s|look|old)\d*\.(.+)")
"""A value of an item that an earlier step read; `old`: of the item that is about to change."""


def value_name(part: Reference | Form) -> str:
    """What a part of a template is called: an attribute or a parameter, or what an earlier step read."""
    found = _FROM_STEP.fullmatch(part.name)
    if found is not None:
        return f"old {found[2]}" if found[1] == "old" else f"{found[2]} found"
    return EACH.get(part.name, part.name)


EACH = {"each.period": "period", "each.number": "shard"}
"""What the current ones are called."""
