"""Copies of what is frozen: as `dataclasses.replace`, in a fraction of its time, as the search makes millions."""

from typing import TypeVar

Copied = TypeVar("Copied")


def copied(one: Copied, **changed: object) -> Copied:
    """A frozen dataclass with other values in some fields. They are not checked, and nothing cached comes along."""
    fields = one.__dataclass_fields__  # type: ignore[attr-defined]
    made = object.__new__(type(one))
    kept = {name: value for name, value in vars(one).items() if name in fields}
    vars(made).update(kept, **changed)
    return made
