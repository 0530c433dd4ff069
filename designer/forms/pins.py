"""The form of a pin: a decision taken by hand, with its reason. It begins with what the plan has now."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from django.http import QueryDict

from designer.core.design.document import Design
from designer.core.design.load import plain
from designer.core.design.settings import Pin
from designer.core.edits import add_pin, replace_pins
from designer.core.grid.shown import STYLE_LABELS
from designer.core.patterns.base import Read
from designer.core.plan import ALL_STYLES
from designer.core.plan.pinning import HELD, pin_words
from designer.forms.base import Form
from designer.forms.bound import Section
from designer.forms.fields import Area, Choice, Field, Group, Names, Raw
from designer.forms.known import choices_of

KINDS = (
    ("key", "the key of an entity"),
    ("index", "an entity's keys in an index"),
    ("pattern", "the index that serves an access pattern"),
    ("name", "the name of an entity's table"),
    ("table", "entities that share a table"),
)
"""What can be pinned."""


class PinForm(Form):
    """A new pin, or with `changes` one that takes the place of that one. `now` says what the plan of a style has, as a
    pin; `like` is the pin to begin with.
    """

    key = "pin"
    previews_faults = True

    def __init__(
        self,
        design: Design,
        now: Callable[[str, str], Pin | None],
        data: QueryDict | None = None,
        like: Pin | None = None,
        changes: Pin | None = None,
    ) -> None:
        self.now = now
        self.pin = like = changes or like
        self.replaced = changes
        super().__init__(design, None, data)
        if data is None and like is not None:
            values = {**plain(like), "kind": _kind_of(like)}
            self.raw = {n: each.raw(values.get(n)) for n, each in self.fields(values).items()}

    def sections(self, raw: Mapping[str, Raw]) -> tuple[Section, ...]:
        kind = raw.get("kind") or KINDS[0][0]
        entities = choices_of(entity.name for entity in self.design.entities)
        entity = Choice(
            name="entity", label="Entity", choices=entities, required=True, redraws=True
        )
        key = Group(
            name="key",
            label="Key",
            fields=(
                Field(name="partition", label="Partition key", placeholder="CUSTOMER#{customerId}"),
                Field(name="sort", label="Sort key", placeholder="ORDER#{placedAt}#{orderId}"),
            ),
            hint=f"Text, and attributes in braces. {self._now(raw)}The planner fills in any part that you leave empty.",
        )
        names = Group(
            name="names",
            label="Attribute names",
            fields=(
                Field(name="partition", label="Partition", placeholder="PK"),
                Field(name="sort", label="Sort", placeholder="SK"),
            ),
        )
        index = Field(name="index", label="Index", placeholder="GSI1", required=True)
        projection = Choice(
            name="projection",
            label="Projection",
            choices=(("", "chosen by the planner"), *HELD.items()),
        )
        renamed = Field(name="name", label="Name", placeholder="OrdersByCustomer")
        table = Field(name="name", label="Name", placeholder="Orders")
        patterns = tuple(
            (str(each.number), f"{each.number} {each.name}")
            for each in self.design.patterns
            if isinstance(each, Read)
        )
        own: dict[str, tuple[tuple[Field, ...], tuple[Field, ...]]] = {
            "key": ((entity, key), (names,)),
            "index": ((entity, index, key, projection), (renamed, names)),
            "pattern": (
                (
                    Choice(name="pattern", label="Access pattern", choices=patterns, required=True),
                    Field(name="index", label="Index", placeholder="GSI1"),
                    projection,
                ),
                (renamed, names),
            ),
            "name": ((entity, replace(table, required=True)), ()),
            "table": (
                (
                    Names(
                        name="table",
                        label="Entities",
                        placeholder=", ".join(each.name for each in self.design.entities[:2]),
                        hint="Separated by commas.",
                        required=True,
                    ),
                    table,
                ),
                (),
            ),
        }
        first, more = own.get(str(kind), own["key"])
        styles = (
            ("", "every style"),
            *((style, STYLE_LABELS[style].lower()) for style in ALL_STYLES),
        )
        return (
            Section(
                "Pin",
                (
                    Choice(name="kind", label="What is pinned", choices=KINDS, redraws=True),
                    *first,
                    Choice(name="style", label="Applies to", choices=styles),
                    Area(name="because", label="Why", hint="Reviewers see the reason."),
                ),
            ),
            *((Section("More", more, folded=True),) if more else ()),
        )

    @property
    def place(self) -> str:
        return f"planner.pins[{self.number - 1}]"

    @property
    def number(self) -> int:
        """Which pin it is, counted from one."""
        pins = self.design.planner.pins
        return len(pins) + 1 if self.replaced is None else pins.index(self.replaced) + 1

    @property
    def unsaved(self) -> str:
        return super().unsaved if self.replaced is None else "Not changed yet."

    def _now(self, raw: Mapping[str, Raw]) -> str:
        """The key that the entity has now in the style that is chosen."""
        if raw.get("kind", "key") != "key":
            return ""
        now = self.now(str(raw.get("style") or ALL_STYLES[0]), f"key {raw.get('entity')}")
        if now is None or now.key is None:
            return ""
        return f"Currently {' and '.join(filter(None, (now.key.partition, now.key.sort)))}. "

    @property
    def note(self) -> str:
        assert self.pin is not None
        about = pin_words(self.pin)[0]
        about = f"{about[:1].lower()}{about[1:]}"
        return f"Pin {about}" if self.replaced is None else f"Change the pin: {about}"

    def apply(self, design: Design) -> Design:
        self.design = design
        values = self.changes()
        kind = values.pop("kind", None)
        if "pattern" in values:
            values["pattern"] = int(values["pattern"])
        if self.replaced is None:
            self.pin = self.build(Pin, values)
            return add_pin(design, self.pin)
        # What the form doesn't show of it stays.
        stays = plain(self.replaced) if kind == _kind_of(self.replaced) else {}
        self.pin = self.build(Pin, {**stays, **values})
        return replace_pins(design, {self.replaced: self.pin})


def _kind_of(pin: Pin) -> str:
    if pin.pattern is not None:
        return "pattern"
    if pin.table is not None:
        return "table"
    if pin.index is not None:
        return "index"
    return "key" if pin.key is not None or pin.names is not None else "name"
