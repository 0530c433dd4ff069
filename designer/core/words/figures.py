"""Sizes, money and plain numbers as people read them: three significant digits, no more.

>>> size(212), size(64 * 1024), size(3.2e9)
('212 B', '65.5 KB', '3.2 GB')
>>> money(41.2), money(0.004), money(1234567)
('$41.20', 'less than $0.01', '$1,234,567')
>>> number(0.5), number(1200), number(3.14159)
('0.5', '1,200', '3.14')
"""

from math import floor, log10

HALF_A_CENT = 0.005
"""Less than this is no money."""
LESS_THAN_A_CENT = "less than $0.01"
_SIZES = ("B", "KB", "MB", "GB", "TB", "PB")


def number(value: float | None) -> str:
    """A number with three significant digits, thousands apart; empty for None."""
    if value is None:
        return ""
    if value == 0:
        return "0"
    digits = max(0, 2 - floor(log10(abs(value))))
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def size(value: float | None) -> str:
    """Bytes of storage in decimal units, as Amazon bills them; empty for None. Items have `binary_size`."""
    if value is None:
        return ""
    step = 0
    while value >= 1000 and step < len(_SIZES) - 1:
        value /= 1000
        step += 1
    return f"{number(value)} {_SIZES[step]}"


def binary_size(value: float) -> str:
    """Bytes of items and requests in units of 1,024, as Amazon states their limits and counts their units.

    >>> binary_size(400 * 1024), binary_size(4 * 1024 * 1024), binary_size(300)
    ('400 KB', '4 MB', '300 B')
    """
    step = 0
    while value >= 1024 and step < len(_SIZES) - 1:
        value /= 1024
        step += 1
    return f"{number(value)} {_SIZES[step]}"


def whole(value: float) -> str:
    """A count to the unit; one that is no whole number to three digits, said to be about that; one below a hundred with
    its fraction.

    >>> whole(47220.6), whole(600.0), whole(1.5)
    ('about 47,200', '600', '1.5')
    """
    if value < 100:
        return f"{value:,.6g}"
    return f"{value:,.0f}" if value == round(value) else f"about {float(f'{value:.3g}'):,.0f}"


def money(value: float | None) -> str:
    """US dollars; cents up to a thousand; empty for None."""
    if value is None:
        return ""
    if 0 < value < HALF_A_CENT:
        return LESS_THAN_A_CENT
    return f"${value:,.2f}" if value < 1000 else f"${value:,.0f}"


def share(value: float) -> str:
    """A share as per cent."""
    return f"{number(value * 100)} %"


def little(value: float) -> str:
    """A number of which less than a hundredth says nothing: `under 0.01`."""
    return "under 0.01" if 0 < value < 0.01 else number(value)


def little_share(value: float) -> str:
    """A share of which less than a tenth of a per cent says nothing."""
    return "under 0.1 %" if 0 < value < 0.001 else share(value)


def money_apart(one: float, other: float) -> float:
    """By how much the first amount in US dollars is above the second, both as `money` writes them.

    >>> round(money_apart(4.004, 3.836), 2), money_apart(1234.4, 1233.6)
    (0.16, 0.0)
    """
    return _written(one) - _written(other)


def _written(usd: float) -> float:
    return round(usd, 2 if usd < 1000 else 0)


def money_between(usd: float) -> str:
    """The difference of two prices in US dollars, from ten on to the dollar.

    Written amounts are rounded, so the cents of their difference would be others for a part than for the whole plan.

    >>> money_between(22.26), money_between(22.27), money_between(3.154), money_between(1234.4)
    ('$22', '$22', '$3.15', '$1,234')
    """
    return f"${usd:,.0f}" if usd >= 10 else f"${usd:,.2f}"


def money_more(usd: float) -> str:
    """A difference in US dollars: `$3.15 more`, `$0.20 less`, `the same`."""
    if abs(usd) < HALF_A_CENT:
        return "the same"
    return f"{money(abs(usd))} {'more' if usd > 0 else 'less'}"


def money_added(usd: float) -> str:
    """What something does to the monthly bill, as a predicate of several things.

    >>> money_added(33.2), money_added(-0.2), money_added(0)
    ('add $33.20 a month to the bill', 'take $0.20 a month off the bill', 'leave the bill as it is')
    """
    if abs(usd) < HALF_A_CENT:
        return "leave the bill as it is"
    amount = f"{money(abs(usd))} a month"
    return f"add {amount} to the bill" if usd > 0 else f"take {amount} off the bill"


def money_changed(was: float, now: float) -> tuple[str, str, str]:
    """Two different amounts in US dollars with digits that tell them apart, and the difference that these show.

    >>> money_changed(0.486, 0.5249), money_changed(0.504, 0.496)
    (('$0.49', '$0.52', '$0.03 more'), ('$0.504', '$0.496', '$0.008 less'))
    """
    digits = 0 if min(was, now) >= 1000 else 2
    while round(was, digits) == round(now, digits):
        digits = max(2, digits + 1)
    more = round(now, digits) - round(was, digits)
    before, after = (
        LESS_THAN_A_CENT if 0 < each < HALF_A_CENT else f"${each:,.{digits}f}"
        for each in (was, now)
    )
    return before, after, f"${abs(more):,.{digits}f} {'more' if more > 0 else 'less'}"


def count(value: float, noun: str, nouns: str | None = None) -> str:
    """A number and its noun: `1 item`, `4 items`."""
    return f"{number(value)} {noun if value == 1 else nouns or noun + 's'}"
