"""docs/glossary.md has one entry for each word, and the page's main headings and the plan's parts are in it."""

import re
from pathlib import Path

from designer.core.design.document import Design
from designer.core.plan import Plan

ROOT = Path(__file__).resolve().parent.parent
TERMS = [
    term.strip()
    for line in re.findall(
        r"^\| ([^|]+) \|", (ROOT / "docs" / "glossary.md").read_text("utf-8"), re.M
    )
    for term in line.split(",")
    if line not in ("Word", "---")
]
PLAIN = {
    "keywright",
    "keywright_plan",
    "name",
    "description",
    "format",
    "region",
    "billing",
    "planner",
    "context",
    "style",
    "cost",
}
CALLED = {
    "upkeep": "upkeep",
    "entities": "entity",
    "ignored_findings": "ignored",
    "names": "recorded name",
}
OURS = {"type_attribute", "examples", "table_prefix", "tables", "prefix"}


def singular(field: str) -> str:
    return CALLED.get(field, field.removesuffix("s"))


def test_no_word_has_two_entries() -> None:
    assert len(TERMS) > 50
    assert sorted(TERMS) == sorted(set(TERMS))


def test_parts_of_a_design_and_a_plan_have_an_entry() -> None:
    fields = {*Design.model_fields, *Plan.model_fields} - PLAIN - OURS
    assert {field for field in fields if singular(field) not in TERMS} == set()


def test_pages_never_call_an_access_pattern_a_question() -> None:
    headings = [
        (path.name, heading)
        for path in sorted((ROOT / "templates").rglob("*.html"))
        for heading in re.findall(r"<h[1-3][^>]*>(.*?)</h[1-3]>", path.read_text("utf-8"))
    ]
    assert headings
    assert [
        h for h in headings if re.search(r">?\b[Qq]uestions?\b", re.sub(r"\{.*?\}", "", h[1]))
    ] == []
