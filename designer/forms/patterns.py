"""The form of an access pattern: stacked fields that make up a sentence.

Which fields a pattern has follows from its kind's document; this module says only how each is asked
for.
"""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from designer.core.design.document import Design
from designer.core.design.load import plain
from designer.core.design.wording import keys_of
from designer.core.edits import add_pattern, change_pattern, next_number
from designer.core.edits.patterns import same_pattern
from designer.core.patterns import KINDS
from designer.core.patterns.base import Pattern, Read
from designer.core.patterns.elsewhere import REASONS
from designer.core.patterns.list import List
from designer.core.plan import Assumed
from designer.forms.base import Form
from designer.forms.bound import Section
from designer.forms.conditions import (
    CHANGE_KEYS,
    TESTS,
    TOGETHER,
    conditions,
    order,
    read_changes,
    show_changes,
)
from designer.forms.fields import (
    Area,
    Choice,
    Field,
    Group,
    Names,
    Number,
    Raw,
    Rows,
    percent,
)
from designer.forms.known import Known
from designer.forms.pattern_parts import along, change_fields, choose_from, filled, members


class PatternForm(Form):
    key = "pattern"
    # A field may not be called `attributes`: it would hide the property of the form's element.
    renames = {**dict.fromkeys(CHANGE_KEYS, "changes"), "attributes": "only"}
    _listed: Known | None = None

    def show(self, subject: Any) -> dict[str, Raw]:
        if subject is not None:
            return super().show(subject)
        first = self.design.entities[0].name if self.design.entities else ""
        document = {"kind": "list", "returns": first, "entity": first}
        fields = self.fields(document)
        raw = {name: each.raw(document.get(name)) for name, each in fields.items()}
        where = fields["where"]
        assert isinstance(where, Rows)
        return {**raw, "where": [where.blank()]}

    def _decode(self, data: QueryDict) -> None:
        sent = data.copy()
        # Whichever a kind calls it, it is one entity.
        for name, other in (("returns", "entity"), ("entity", "returns")):
            if name not in data and other in data:
                sent[name] = str(data[other])
        super()._decode(sent)
        shown = self.fields(self.raw)
        hidden = {name for _, names, _ in _LAYOUT for name in names} - shown.keys()
        if {"returns", "entity"} & shown.keys():
            hidden -= {"returns", "entity"}
        self.carried = [
            (name, str(data[name])) for name in data if name.partition("-")[0] in hidden
        ]

    def assumed_at(self) -> dict[str, Assumed]:
        found: dict[str, Assumed] = {}
        number = None if self.subject is None else self.subject.number
        of_pattern = self._assumed_of(f"patterns.{number}")
        for one in of_pattern:
            if one.what == "together":
                found["expects"] = one
        for name in ("where", "keep"):
            for at, row in enumerate(self.raw.get(name) or ()):
                for one in of_pattern:
                    field = {"share": "share", "list": "count"}.get(one.what)
                    if field in row and row.get("attribute") == one.of:
                        found[f"{name}-{at}-{field}"] = one
        return found

    def document(self, subject: Any) -> dict[str, Any]:
        document = super().document(subject)
        returns = document.get("returns")
        if isinstance(returns, list):
            document["returns"], document["beside"] = (returns or [""])[0], returns[1:]
        document["changes"] = show_changes(document)
        document["only"] = document.get("attributes")
        result = document.get("result") or {}
        document["result"] = {name: [each] for name, each in result.items() if each is not None}
        return document

    def sections(self, raw: Mapping[str, Raw]) -> tuple[Section, ...]:
        kind = KINDS.get(str(raw.get("kind")), List)
        known = {*keys_of(kind), "beside", "changes"}
        if "returns" not in known:
            known.discard("beside")
        if "set" not in known:
            known.discard("changes")
        if "attributes" in known:
            known.add("only")
        made = self._fields(kind, raw)
        sections = (
            Section(
                title,
                tuple(made[name] for name in names if name in known),
                # What answers with one item or a figure is seldom sorted.
                folded=how == "folded" or (how == "listed" and kind is not List),
                aside=how == "aside",
            )
            for title, names, how in _LAYOUT
        )
        return tuple(section for section in sections if section.fields)

    def _fields(self, kind: type[Pattern], raw: Mapping[str, Raw]) -> dict[str, Field]:
        design = self.design
        entities = [str(raw.get("returns") or raw.get("entity") or "")]
        entities += Names(name="", label="").value(_text(raw.get("beside"))) or ()
        known = self._known
        attributes = known.of(*entities)
        own = attributes.own
        fields: list[Field] = [
            Choice(
                name="kind",
                label="Type",
                choices=tuple((name, each.label) for name, each in KINDS.items()),
                redraws=True,
            ),
            Field(
                name="name",
                label="In your words",
                placeholder="A customer's orders, newest first",
                required=True,
            ),
            Choice(
                name="returns",
                label="Which entity",
                choices=known.entities,
                redraws=True,
                required="returns" in kind.model_fields
                and kind.model_fields["returns"].is_required(),
            ),
            Choice(
                name="entity",
                label="Which entity",
                choices=known.entities,
                redraws=True,
                required=True,
            ),
            Names(
                name="beside",
                label="Together with",
                hint="Other entities in the same result, separated by commas.",
                suggestions=tuple(design.entity),
            ),
            conditions(
                attributes,
                name="where",
                label="Found by",
                tests=TOGETHER if issubclass(kind, Read) and kind.may_cross else TESTS,
                hint="What the caller knows. Keys and indexes follow from it."
                if kind.is_read
                else "If empty, one item is deleted, by its identifier.",
            ),
            order(attributes),
            Number(name="limit", label="At most", unit="items"),
            conditions(
                attributes,
                name="keep",
                label="Returned only if",
                hint="Tested after the read: you pay for the read, and no key is needed.",
            ),
            conditions(
                attributes,
                name="then_keep",
                label="Then only if",
                hint="Tested after sorting and after the limit. For example, take the nearest range, then test whether "
                "it holds an address. An item that is dropped is not replaced by the next one.",
            ),
            along(known, entities),
            Names(
                name="only",
                label="Attributes needed",
                hint="If empty, all. " + choose_from(own),
                suggestions=own,
            ),
            Group(
                name="result",
                label="Aggregates instead of items",
                fields=(
                    Names(name="sum", label="Sum of", suggestions=own),
                    Names(name="greatest", label="Maximum of", suggestions=own),
                    Names(name="least", label="Minimum of", suggestions=own),
                ),
            ),
            Choice(
                name="consistency",
                label="Consistency",
                choices=(
                    ("eventual", "Eventual: may be a second old"),
                    ("strong", "Strong: sees the last write"),
                    ("transactional", "Transactional: a snapshot of one moment"),
                ),
            ),
            Number(
                name="expects",
                label="Average items returned",
                hint="If empty, it follows from the relationships.",
            ),
            *change_fields(known.of(entities[0]), entities[0], str(raw.get("kind"))),
            members(known),
            Choice(
                name="because",
                label="Reason",
                choices=tuple((word, word) for word in REASONS),
                hint="A batch job reads the whole table with a Scan. All others need another service.",
            ),
            Group(
                name="rate",
                label="How often",
                hint="In runs a second. The average determines the bill, and the peak determines the heat.",
                fields=(
                    Number(name="average", label="On average", unit="/s"),
                    Number(name="peak", label="At peak", unit="/s"),
                ),
            ),
            percent(name="hottest", label="Hottest key's share"),
            Number(name="at_most_requests", label="Request limit", unit="requests"),
            Number(name="latency_ms", label="Maximum latency", unit="ms"),
            Field(
                name="workflow",
                label="Workflow",
                hint="Access patterns of one workflow run together.",
            ),
            Area(name="why", label="Reason", placeholder="The account page"),
            Area(name="description", label="Description"),
            Area(name="considerations", label="Considerations"),
            Choice(
                name="status",
                label="Agreement",
                choices=(("open", "Open"), ("agreed", "Agreed"), ("declined", "Declined")),
            ),
        ]
        return {each.name: each for each in fields}

    @property
    def _known(self) -> Known:
        if self._listed is None or self._listed.design is not self.design:
            self._listed = Known(self.design)
        return self._listed

    @property
    def place(self) -> str:
        patterns = self.design.patterns
        numbers = [pattern.number for pattern in patterns]
        at = len(patterns) if self.subject is None else numbers.index(self.subject.number)
        return f"patterns[{at}]"

    @property
    def note(self) -> str:
        if self.subject is None:
            return f"Add pattern {next_number(self.design)}: {self.raw['name']}"
        return f"Change pattern {self.subject.number}: {self.difference}"

    def apply(self, design: Design) -> Design:
        newest = None if self.subject is None else same_pattern(design, self.subject)
        self.design = design
        if newest is not None:
            self.merged(newest)
            self.subject = newest
        pattern = self._pattern(self.changes())
        if newest is None:
            return add_pattern(design, pattern)
        return change_pattern(design, newest.number, pattern)

    def _pattern(self, values: dict[str, Any]) -> Any:
        base = {} if self.subject is None else plain(self.subject)
        base.setdefault("number", next_number(self.design))
        if "changes" in values:
            values |= read_changes(values.pop("changes"))
        if {"beside", "returns"} & values.keys():
            values["returns"] = self._returns(base, values)
            values.pop("beside", None)
        if "only" in values:
            values["attributes"] = values.pop("only")
        if "or" in values:
            values["or"] = filled(values["or"])
        if values.get("result"):
            values["result"] = {name: each[0] for name, each in values["result"].items()}
        document = {**base, **values}
        model = KINDS.get(str(document.get("kind")), List)
        known = keys_of(model)
        return self.build(model, {key: each for key, each in document.items() if key in known})

    def _returns(self, base: Mapping[str, Any], values: Mapping[str, Any]) -> Any:
        before = base.get("returns")
        names = list(before) if isinstance(before, list) else [before] if before else []
        first = values["returns"] if "returns" in values else next(iter(names), None)
        beside = values["beside"] or () if "beside" in values else tuple(names[1:])
        return (first, *beside) if first and beside else first


_LAYOUT: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("Access pattern", ("kind", "name", "returns", "entity"), "open"),
    ("Found by", ("where", "members", "changes", "if", "or"), "open"),
    ("Order and limit", ("order", "limit"), "listed"),
    ("How often", ("rate", "consistency"), "open"),
    ("Without keys", ("because",), "open"),
    ("Related items", ("with",), "folded"),
    ("Filters and result", ("keep", "then_keep", "only", "beside", "result"), "folded"),
    ("Which item", ("by", "given", "times", "each"), "folded"),
    (
        "Reason and agreement",
        ("why", "description", "considerations", "status", "workflow"),
        "aside",
    ),
    ("Expectations", ("expects", "hottest", "at_most_requests", "latency_ms"), "aside"),
)
"""Headings, the fields under each, and how they are shown: open, open for lists, folded until
filled in, or aside."""


def _text(raw: Raw) -> str:
    return raw if isinstance(raw, str) else ", ".join(raw or ())
