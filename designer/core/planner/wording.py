"""How the planner's sentences list things."""


def spoken(names: tuple[str, ...]) -> str:
    """Names as a person would say them: a, b and c.

    >>> spoken(("a", "b", "c"))
    'a, b and c'
    """
    return " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} and {names[-1]}"


def numbered(numbers: tuple[int, ...]) -> str:
    """Patterns by their numbers: Pattern 3; Patterns 3 and 4."""
    return f"Pattern{'' if len(numbers) == 1 else 's'} {spoken(tuple(map(str, numbers)))}"
