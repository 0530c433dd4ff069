"""What documents, plans and messages are made of."""

from typing import Any

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """Data that does not change and has no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def __getstate__(self) -> dict[Any, Any]:
        """What is pickled: the fields alone.

        What a `cached_property` keeps stands beside them in `__dict__`. Another thread may add some while this one
        pickles, which would break off; and equal data would have different bytes.
        """
        state, kept, fields = super().__getstate__(), self.__dict__.copy(), self.__pydantic_fields__
        if len(kept) > len(fields):
            kept = {name: value for name, value in kept.items() if name in fields}
        state["__dict__"] = kept
        return state


def frozen(data: Any) -> Any:
    """Data as read, with tuples instead of lists, however deep."""
    if isinstance(data, (list, tuple)):
        return tuple(frozen(element) for element in data)
    if isinstance(data, dict):
        return {key: frozen(value) for key, value in data.items()}
    return data
