"""Fields for conditions, orders and changes: what the forms of patterns have in common."""

from collections.abc import Iterable, Mapping
from typing import Any

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.edits.references import other_side
from designer.core.messages import say
from designer.forms.fields import (
    NOT_YET,
    Choice,
    Choices,
    Field,
    FieldError,
    Flag,
    Number,
    Raw,
    Rows,
    percent,
    together,
)
from designer.forms.known import Attributes

TESTS: Choices = (
    ("is", "is"),
    ("any_of", "is one of"),
    ("not", "is not"),
    ("from", "is at least"),
    ("after", "is more than"),
    ("to", "is at most"),
    ("below", "is less than"),
    ("from-to", "is from … to"),
    ("from-below", "is at least … but less than"),
    ("after-to", "is more than … and at most"),
    ("after-below", "is strictly between"),
    ("begins_with", "begins with"),
    ("contains", "contains"),
    ("exists", "is present"),
    ("missing", "is missing"),
)
TOGETHER: Choices = (*TESTS[:2], ("all_of", "has an item for each of"), *TESTS[2:])
"""The same for what several items may meet together."""
LISTED = ("any_of", "all_of")
BOUNDS = ("from", "after", "to", "below")
HOW: Choices = (("param", "given as"), ("value", "always"))


def relationships_of(design: Design, entities: Iterable[str]) -> Choices:
    """The relationships that lead from any of the entities, with where they lead."""
    found = []
    for relationship in design.relationships:
        there = next(filter(None, (other_side(relationship, name) for name in entities)), None)
        if there is not None:
            found.append((relationship.name, f"{relationship.name} ({there})"))
    return (("", "choose"), *found)


def constant(text: str, attribute: Attribute | None) -> Any:
    """A constant as typed, with the type of its attribute."""
    kind = attribute.type if attribute is not None else "S"
    if kind == "BOOL":
        if text not in ("true", "false"):
            raise FieldError(say("neither-true-nor-false", typed=text))
        return text == "true"
    if kind in ("N", "NS"):
        text = together(text)
        try:
            number = float(text)
        except ValueError:
            raise FieldError(say("not-a-number", typed=text[:40])) from None
        if number != number or number in (float("inf"), float("-inf")):
            raise FieldError(say("not-a-number", typed=text[:40]))
        return int(text) if text.lstrip("+-").isdigit() else number
    return text


def constant_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _constants(test: str, text: str, attribute: Attribute | None) -> Any:
    """The constant that a test compares with; of a list all, which have commas between them."""
    if test not in LISTED:
        return constant(text, attribute)
    return tuple(constant(one.strip(), attribute) for one in text.split(",") if one.strip())


def conditions(
    known: Attributes, *, name: str, label: str, tests: Choices = TESTS, **given: Any
) -> Rows:
    """Rows of conditions on attributes."""

    def fields(row: Mapping[str, Raw]) -> tuple[Field, ...]:
        return (
            Choice(name="attribute", label="Attribute", choices=known.choices),
            Choice(name="test", label="Test", choices=tests),
            Choice(name="how", label="Compared with", choices=HOW),
            Field(name="operand", label="Value", placeholder=str(row.get("attribute") or "")),
            Number(name="count", label="Values in the list"),
            Choice(name="how2", label="and with", choices=HOW),
            Field(name="operand2", label="Second value"),
            Flag(name="optional", label="Optional"),
            percent(name="share", label="Items that meet it"),
        )

    def show(condition: Mapping[str, Any]) -> dict[str, Any]:
        row = {key: condition.get(key) for key in ("attribute", "optional", "share")}
        tests = [key for key in condition if key not in row]
        bounds = [key for key in BOUNDS if key in tests]
        row["test"] = "-".join(bounds) if bounds else next(iter(tests), "is")
        row["how"] = row["how2"] = "param"
        for suffix, key in zip(("", "2"), bounds or tests, strict=False):
            operand = condition[key]
            if not isinstance(operand, Mapping):
                continue
            row[f"how{suffix}"] = "value" if "value" in operand else "param"
            value = operand.get("value")
            several = value if isinstance(value, (list, tuple)) else [value]
            row[f"operand{suffix}"] = (
                ", ".join(map(constant_text, several)) if "value" in operand else operand["param"]
            )
            row["count"] = operand.get("count")
        return row

    def read(row: dict[str, Any]) -> dict[str, Any]:
        condition: dict[str, Any] = {
            key: row[key] for key in ("attribute", "optional", "share") if key in row
        }
        attribute, test = row["attribute"], row["test"]
        if test in ("exists", "missing"):
            return {**condition, test: True}
        keys = test.split("-")
        last = attribute.split(".")[-1]
        for suffix, key in zip(("", "2"), keys, strict=False):
            text = row.get(f"operand{suffix}")
            if row.get(f"how{suffix}") == "value":
                if text is None:
                    raise FieldError(NOT_YET, (f"operand{suffix}",))
                try:
                    condition[key] = {"value": _constants(test, text, known.get(attribute))}
                except FieldError as error:
                    raise FieldError(error.reason, (f"operand{suffix}",)) from None
            else:
                end = ("From", "To")[bool(suffix)] if len(keys) == 2 else ""
                condition[key] = {"param": text or f"{last}{end}"}
        if test in LISTED and "count" in row and "param" in condition[test]:
            condition[test]["count"] = row["count"]
        return condition

    return Rows(
        name=name,
        label=label,
        fields=fields,
        key="attribute",
        is_phrase=True,
        row_label="Condition",
        add_label="Add a condition",
        show_row=show,
        read_row=read,
        **given,
    )


def order(known: Attributes, **given: Any) -> Rows:
    """Rows of an attribute and a direction."""

    def show(line: Any) -> Mapping[str, Any]:
        if isinstance(line, Mapping):
            return line
        name, _, way = str(line).partition(" ")
        return {"attribute": name, "way": way}

    return Rows(
        name="order",
        label="Sorted by",
        fields=lambda row: (
            Choice(name="attribute", label="Attribute", choices=known.own_choices),
            Choice(
                name="way",
                label="Direction",
                choices=(
                    ("ascending", "smallest or oldest first"),
                    ("descending", "largest or newest first"),
                ),
            ),
        ),
        key="attribute",
        is_phrase=True,
        row_label="Sort",
        add_label="Sort by",
        show_row=show,
        read_row=lambda row: f"{row['attribute']} {row['way']}",
        **given,
    )


CHANGES: Choices = (
    ("param", "is set to the value given as"),
    ("value", "is always set to"),
    ("plus", "grows by the value given as"),
    ("minus", "shrinks by the value given as"),
    ("count", "always grows by"),
    ("greatest", "is raised to at least the value given as"),
    ("append", "(list) gains, at its end, the elements given as"),
    ("include", "(set) gains the elements given as"),
    ("exclude", "(set) loses the elements given as"),
    ("remove", "is removed"),
)
PARAMETERS = ("greatest", "append", "include", "exclude")
"""Of these, those that are said of an attribute and a parameter alone."""
FILLED = CHANGES[:2]
"""What can be said of an attribute of an item that is written whole."""


def changes(known: Attributes, *, whole: bool, **given: Any) -> Rows:
    """Rows of what happens to attributes: `set`, `add`, `greatest` and `remove` in one list."""

    def fields(row: Mapping[str, Raw]) -> tuple[Field, ...]:
        return (
            Choice(name="attribute", label="Attribute", choices=known.written),
            Choice(name="how", label="What happens", choices=FILLED if whole else CHANGES),
            Field(name="operand", label="Value", placeholder=str(row.get("attribute") or "")),
        )

    def read(row: dict[str, Any]) -> tuple[str, str, Any]:
        name, how, text = row["attribute"], row["how"], row.get("operand")
        if how == "remove":
            return "remove", name, None
        if how in PARAMETERS:
            return how, name, text or name
        if how in ("value", "count"):
            if text is None:
                raise FieldError(NOT_YET, ("operand",))
            try:
                value = constant(text, known.get(name))
            except FieldError as error:
                raise FieldError(error.reason, ("operand",)) from None
            return ("set" if how == "value" else "add"), name, {"value": value}
        if how == "param":
            return "set", name, {"param": text or name}
        return "add", name, {"minus" if how == "minus" else "param": text or name}

    return Rows(
        name="changes",
        label="Attributes set here" if whole else "What changes",
        hint="The caller gives every other attribute, under its own name." if whole else "",
        fields=fields,
        key="attribute",
        is_phrase=True,
        row_label="Change",
        add_label="Add an attribute",
        read_row=read,
        **given,
    )


CHANGE_KEYS = ("set", "add", *PARAMETERS, "remove")


def show_changes(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """`set`, `add`, `greatest` and `remove` of a document as rows for `changes`."""
    rows: list[dict[str, Any]] = []

    def row(name: str, how: str, operand: Any = None) -> None:
        rows.append({"attribute": name, "how": how, "operand": operand})

    for name, operand in (document.get("set") or {}).items():
        if "value" in operand:
            row(name, "value", constant_text(operand["value"]))
        else:
            row(name, "param", operand["param"])
    for name, amount in (document.get("add") or {}).items():
        if "value" in amount:
            row(name, "count", constant_text(amount["value"]))
        else:
            row(
                name,
                "minus" if "minus" in amount else "plus",
                amount.get("minus") or amount.get("param"),
            )
    for how in PARAMETERS:
        for name, parameter in (document.get(how) or {}).items():
            row(name, how, parameter)
    for name in document.get("remove") or ():
        row(name, "remove")
    return rows


def read_changes(rows: Iterable[tuple[str, str, Any]] | None) -> dict[str, Any]:
    """The reverse; every key is there, None for nothing."""
    document: dict[str, Any] = dict.fromkeys(CHANGE_KEYS)
    for key, name, operand in rows or ():
        if key == "remove":
            document[key] = (*(document[key] or ()), name)
        else:
            document[key] = {**(document[key] or {}), name: operand}
    return document
