"""Code cites modelling rules by number; docs/modelling-rules.md has each of them once, in order."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "modelling-rules.md"
CITED = re.compile(r"\brules? (\d+(?:(?:, | and | to )\d+)*)")


def cited() -> Iterator[tuple[str, int]]:
    """Each number that code or a test cites, with its file."""
    for folder in ("designer", "projects", "tests", "tools"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for numbers in CITED.findall(path.read_text("utf-8")):
                for number in re.findall(r"\d+", numbers):
                    yield path.relative_to(ROOT).as_posix(), int(number)


def listed() -> list[int]:
    """The numbers of the page's rules, in the order of the page."""
    return [int(number) for number in re.findall(r"^(\d+)\. \*\*", PAGE.read_text("utf-8"), re.M)]


def test_rules_are_numbered_without_a_gap() -> None:
    assert listed() == list(range(1, len(listed()) + 1))


def test_every_rule_that_code_cites_is_on_the_page() -> None:
    numbers = set(listed())
    found = list(cited())
    assert {number for _, number in found} >= {1, 17, 18}, "the pattern no longer finds citations"
    assert [one for one in found if one[1] not in numbers] == []


def test_every_rule_says_what_it_rests_on() -> None:
    rules = re.split(r"^(?=\d+\. \*\*)", PAGE.read_text("utf-8"), flags=re.M)[1:]
    assert [
        rule[:40] for rule in rules if not re.search(r"\*(DynamoDB|[Pp]ractice|Ours)\*", rule)
    ] == []


def test_planner_modules_that_cite_a_rule_name_the_page() -> None:
    planner = ROOT / "designer" / "core" / "planner"
    assert [
        path.name
        for path in sorted(planner.rglob("*.py"))
        if CITED.search(text := path.read_text("utf-8")) and "docs/modelling-rules.md" not in text
    ] == []
