"""What was decided where two people changed the same, as `_clash.html` sends it."""

from django.http import QueryDict

from designer.core.edits import Choice


def choices_in(data: QueryDict) -> dict[str, Choice]:
    """By the keys of clashes. What nobody has decided is not among them."""
    found = {}
    for name in data:
        key = name.removeprefix("resolve-")
        if key != name:
            seen = str(data.get(f"seen-{key}", "")).replace("\r\n", "\n")
            found[key] = Choice("theirs" if data[name] == "theirs" else "mine", seen)
    return found
