"""The documents read against their plans: no key template, rule for pages, condition of a write, or rate is missing.

What to look for is put together here from the plan itself, and not by the functions that write the documents.
"""

import html
import re
from collections.abc import Iterator
from functools import cache

import pytest

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.exporters import EXPORTERS
from designer.core.exporters.pdf.document import document
from designer.core.plan import Constant, Expression, ItemCondition, Operation, Plan, Step, Style
from designer.core.planner import plan as planned

CASES: tuple[tuple[str, Style], ...] = (
    ("shop", "single"),
    ("merchant-orders", "multi"),
    ("leaderboards", "grouped"),
    ("sessions", "single"),
    ("inbox", "single"),
)
SIGNS = {
    "is_": "=",
    "from_": ">=",
    "after": ">",
    "to": "<=",
    "below": "<",
    "not_": "is not",
    "begins_with": "begins with",
    "contains": "contains",
    "below_or_missing": "is missing or <",
    "above_or_missing": "is missing or >",
}


@cache
def made(slug: str, style: Style) -> tuple[Design, Plan]:
    design = gallery.load(slug)
    return design, planned(design, style)


@cache
def texts(slug: str, style: Style) -> dict[str, str]:
    """The documents without what their formats add: marks, line breaks, and places where lines may break."""
    design, plan = made(slug, style)
    found = {"pdf": re.sub(r"<[^>]*>", " ", document(design, plan))}
    for name in ("requirements", "data-model"):
        content = EXPORTERS[name].export(design, plan).content
        assert isinstance(content, str)
        found[name] = content.replace("\\", "").replace("`", "")
    return {name: plain(html.unescape(text)) for name, text in found.items()}


def plain(text: str) -> str:
    return " ".join(text.replace("\u200b", "").split())


def template(text: str) -> str:
    """A key template as a pattern to search for: its constant text, the names in it, and how wide numbers are.

    What only decides whether there is a key stands behind it.
    """
    pattern = only_if = ""
    for place, part in enumerate(re.split(r"\{([^{}]*)\}", text)):
        if place % 2 == 0:
            pattern += re.escape(part)
            continue
        name = re.findall(r"[A-Za-z_][\w.]*(?=[,)]|$)", part)[-1:] or [part]
        if when := re.match(r"when\((\w+)", part):
            only_if += rf"(?: \(|, )only if [^()]*?{when[1]}[^()]*\)?"
            continue
        pattern += rf"<[^<>]*?{re.escape(name[0])}[^<>]*?>"
        if widths := re.match(r"pad\((\d+)", part):
            pattern = pattern.removesuffix("[^<>]*?>") + rf"[^<>]*?{widths[1]} digits[^<>]*?>"
    return pattern + only_if


def value(said: Expression) -> str:
    return re.escape(str(said.value)) if isinstance(said, Constant) else template(str(said))


def conditions(tested: tuple[ItemCondition, ...], keys: set[str]) -> Iterator[str]:
    for one in tested:
        name = re.escape(one.attribute)
        if one.exists is not None and one.attribute in keys:
            yield "it exists" if one.exists else "it does not exist yet"
        elif one.exists is not None and re.fullmatch(r"\w+", one.attribute):
            yield rf"{name} is {'present' if one.exists else 'missing'}"
        for field, sign in SIGNS.items():
            bound = getattr(one, field)
            if (
                bound is not None
                and re.fullmatch(r"\w+", one.attribute)
                and not isinstance(bound, bool)
            ):
                others = (
                    "[^;]*?" if field == "not_" else ""
                )  # values that are excluded stand in one list
                yield rf"{name} {re.escape(sign)} {others}{value(bound)}"


def pages(step: Step) -> Iterator[str]:
    if step.limit:
        yield rf"{step.limit:,} items? a page"
    if step.pages == "all":
        yield "all pages"
    for name, least in step.until.items() if step.pages == "until" else ():
        few, s = ("no", "") if least == 1 else (f"fewer than {least:,}", "s")
        many = f"row{s}" if name == "rows" else f"related item{s} of the relationship “{name}”"
        yield rf"further pages while [^;]*?{few} {many}"


def said_of(plan: Plan, operation: Operation) -> Iterator[str]:
    keys = {
        key.name
        for table in plan.tables
        for key in (table.key.partition, table.key.sort)
        if key is not None
    }
    if operation.until_none:
        yield "repeated until nothing is found"
    for step in operation.steps:
        yield from pages(step)
        for member in step.members:
            yield from conditions(member.if_, keys)


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "style"), CASES)
@pytest.mark.parametrize("name", ["pdf", "data-model"])
def test_key_templates_pages_and_conditions_are_all_there(
    slug: str, style: Style, name: str
) -> None:
    plan, text = made(slug, style)[1], texts(slug, style)[name]
    templates = {
        one
        for table in plan.tables
        for shape in table.items
        for name, one in shape.set.items()
        if name != table.ttl
    }
    expected = {template(one) for one in templates}
    expected |= {said for operation in plan.operations for said in said_of(plan, operation)}
    assert len(expected) > 8
    assert [one for one in sorted(expected) if not re.search(one, text)] == []


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "style"), CASES)
@pytest.mark.parametrize("name", ["pdf", "requirements"])
def test_every_rate_and_peak_is_there(slug: str, style: Style, name: str) -> None:
    design, text = made(slug, style)[0], texts(slug, style)[name]
    rates = [(p.name, p.rate) for p in design.patterns if p.rate is not None]
    assert rates
    for pattern, rate in rates:
        begin = text.index(f" {pattern} " if name == "pdf" else f"| {pattern}.")
        said = text[begin : begin + 900]
        if rate.peak:
            found = re.search(
                r"([\d.,]*\d)(?: times)?(?: an? (?:second|minute|hour|day))? at peak", said
            )
            assert found is not None, (pattern, said)
            times = float(found[1].replace(",", "")) / rate.peak
            # In the unit of the average, or in its own.
            assert min(abs(times / unit - 1) for unit in (1, 60, 3600, 86400)) < 0.01, (
                pattern,
                said,
            )


@pytest.mark.parametrize(("slug", "style"), CASES)
@pytest.mark.parametrize("name", ["cloudformation", "terraform"])
def test_templates_say_each_key_and_each_pattern_of_a_structure(
    slug: str, style: Style, name: str
) -> None:
    design, plan = made(slug, style)
    comments = re.findall(r"^ *#(.*)$", str(EXPORTERS[name].export(design, plan).content), re.M)
    text = plain(" ".join(comments))
    names = {pattern.number: plain(pattern.name) for pattern in design.patterns}
    for table in plan.tables:
        own = [key for key in (table.key.partition, table.key.sort) if key is not None]
        structures = [(f"Table {table.name}.", own, table.serves)]
        structures += [
            (f"Index {one.name}.", [*one.partition, *one.sort], one.serves) for one in table.indexes
        ]
        for heading, keys, serves in structures:
            assert heading in text
            for shape in table.items:
                held = {attribute: f"{{{attribute}}}" for attribute in shape.attributes}
                held |= shape.set
                if all(key.name in held for key in keys):
                    said = ", ".join(
                        rf"{key.name} = {template(held[key.name])}(?:(?: \(|, )only if [^()]*\)?)?"
                        for key in keys
                    )
                    assert re.search(said, text), said
            assert [n for n in serves if f" {n} {names[n]}" not in text] == []


def test_what_is_looked_for_would_be_missed() -> None:
    assert re.search(template("ORDER#{pad(10, 2, total)}#{id}"), "ORDER#<total, 10 digits>#<id>")
    assert not re.search(template("ORDER#{pad(10, 2, total)}#{id}"), "ORDER#<total>#<id>")
    assert not re.search(template("USER#{userId}"), "USER#<orderId>")
    sparse = template("{when(readAt)}USER#{userId}")
    assert re.search(sparse, "USER#<userId> (only if readAt is present)")
    assert not re.search(sparse, "USER#<userId>")
