"""What a team tells the planner: limits of the context, pins, and findings to ignore."""

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from designer.core.patterns.document import Document, Line, Name, Share, Text


class Context(Document):
    """What the application is for."""

    domain: Line | None = None
    business: Text = ""
    scale: Text = ""


class KeyNames(Document):
    """Generic names (PK, GSI1SK) or natural names (userId), for each style."""

    single: Literal["generic", "natural"] = "generic"
    multi: Literal["generic", "natural"] = "natural"


class PinnedKey(Document):
    """The key templates of the partition key and the sort key. The planner chooses an omitted part."""

    partition: Line | None = None
    sort: Line | None = None

    @property
    def templates(self) -> tuple[str, ...]:
        """Those that are stated."""
        return tuple(text for text in (self.partition, self.sort) if text is not None)


class PinnedNames(Document):
    """The attribute names of the partition key and the sort key."""

    partition: Line | None = None
    sort: Line | None = None


class Pin(Document):
    """A decision taken by hand, which the planner plans around.

    Of an entity: its base key and its table's name, or with `index` its keys in that index, which is then built. Of a
    pattern: the index that answers it, and what that holds. Of several entities (`table`): that they share one.
    """

    unordered = ("table",)

    style: Literal["single", "multi", "grouped"] | None = None
    """The style that it applies to; if absent, all styles."""
    entity: Name | None = None
    pattern: int | None = None
    key: PinnedKey | None = None
    names: PinnedNames | None = None
    index: Line | None = None
    """The name of an index."""
    projection: Literal["keys-only", "include", "all"] | None = None
    """The projection: only the keys, the attributes that its patterns need, or all attributes."""
    name: Line | None = None
    """Another name for the index; without `index`, the name of the table."""
    table: tuple[Name, ...] | None = None
    """Entities that share a table."""
    because: Text = ""

    @model_validator(mode="before")
    @classmethod
    def _by_attribute(cls, data: Any) -> Any:
        """Pins were once written with the names of the key's attributes: `key: {PK: "USER#{userId}", SK: A}`."""
        key = data.get("key") if isinstance(data, dict) else None
        if not isinstance(key, dict) or not 0 < len(key) <= 2 or key.keys() & {"partition", "sort"}:
            return data
        parts = ("partition", "sort")
        key_of = dict(zip(parts, key.values(), strict=False))
        return {**data, "key": key_of, "names": dict(zip(parts, key, strict=False))}


class PlannerSettings(Document):
    """Settings for the planner's choices."""

    objective: Literal["simplest", "cost", "indexes", "requests"] = "simplest"
    worth: Annotated[float, Field(gt=0)] | None = None
    """US dollars a month that an index must save with the objective `simplest`; None: by the design's cost."""
    tolerance: Share = 0.05
    composite_index_keys: Literal["strings", "multi-attribute"] = "strings"
    key_names: KeyNames = KeyNames()
    lookups_before_writes: Literal["no-gsi", "gsi"] = "no-gsi"
    point_reads: Literal["one-request", "by-price"] = "one-request"
    """Whether a read by identifier may take two requests if that costs less."""
    items: Literal["by-price", "as-stated"] = "by-price"
    """Whether a child may be in its parent's item, and attributes in an item of their own, if that costs less."""
    max_gsis: Annotated[int, Field(ge=0, le=20)] = 20
    delimiter: Literal["#"] = "#"
    """Sorts before every character that values keep (see the key templates)."""
    work_limit: Annotated[int, Field(ge=1)] = 20_000
    """Node limit of each integer program; at the limit, the best solution so far is used, with its gap."""
    pins: tuple[Pin, ...] = ()


class IgnoredFinding(Document):
    """An ignored finding, with the reason that reviewers see."""

    rule: Line
    about: Line | None = None
    because: Text

    @property
    def place(self) -> str:
        """The path of what it is about, which may also be written in words (`pattern 2`); empty: everything."""
        return (self.about or "").replace("pattern ", "patterns.")
