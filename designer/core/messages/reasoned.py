"""Parts of a document that say something: as data, and for readers in words, too."""

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import (
    GetJsonSchemaHandler,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from designer.core.frozen import Frozen
from designer.core.messages.english.rendering import text
from designer.core.messages.message import Message, say

NOTHING = say("text", text="")
"""A message without words."""


class Worded(Frozen):
    """What says something: as data, and in the document in words, too."""

    WORDS: ClassVar[Mapping[str, str]]
    """The properties that the document has for readers, each with the field that has the same as data. A plan is never
    made from these words, except one that was written without the data."""

    @model_validator(mode="before")
    @classmethod
    def _from_words(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        given = {name: value for name, value in data.items() if name not in cls.WORDS}
        for name, field in cls.WORDS.items():
            if data.get(name) and not given.get(field):
                said = say("text", text=data[name])
                given[field] = said if cls.model_fields[field].default == NOTHING else (said,)
        return given

    @model_serializer(mode="wrap")
    def _with_words(self, written: SerializerFunctionWrapHandler) -> dict[str, Any]:
        words = ((name, getattr(self, name)) for name in self.WORDS)
        data: dict[str, Any] = written(self)
        return {name: said for name, said in words if said} | data

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        made = handler.resolve_ref_schema(handler(schema))
        for name in cls.WORDS:
            words = {"type": "string", "default": "", "description": getattr(cls, name).__doc__}
            made["properties"][name] = words
        return made


class Reasoned(Worded):
    """What has reasons."""

    WORDS: ClassVar[Mapping[str, str]] = {"because": "reasons"}

    reasons: tuple[Message, ...] = ()
    """The reasons as data: each has the `id` of a sentence and its `values`."""

    @property
    def because(self) -> str:
        """The reasons in words."""
        return " ".join(map(text, self.reasons))

    def says_less_than(self, other: "Reasoned") -> bool:
        """Whether another gives the same reasons, and then more."""
        known = len(self.reasons)
        return len(other.reasons) > known and other.reasons[:known] == self.reasons


class Choosing(Reasoned):
    """What was, or could have been, chosen."""

    WORDS: ClassVar[Mapping[str, str]] = {"choice": "chosen", **Reasoned.WORDS}

    chosen: Message = NOTHING
    """The choice as data: the `id` of what was chosen, and its `values`."""

    @property
    def choice(self) -> str:
        """The choice in words."""
        return text(self.chosen)
