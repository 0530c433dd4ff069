"""The pages of `docs/findings/`, made from the rules: one for each finding, and their list."""

from collections.abc import Iterable, Iterator

from designer.core.lint import TOPICS
from designer.core.lint.base import About, Severity, Topic

SEVERITIES: dict[Severity, tuple[str, str]] = {
    "error": ("Errors", "The design or its plan does not do what was asked."),
    "warning": ("Warnings", "It works, but will cost money, be throttled or mislead somebody."),
    "advice": ("Advice", "Worth considering; often fine as it is."),
}
"""By severity its title, and what it means."""
PLACES: dict[About, str] = {
    "pattern": "an access pattern",
    "entity": "an entity",
    "attribute": "an attribute",
    "relationship": "a relationship",
    "pins": "the pins",
    "settings": "the settings of the design",
}
"""What a finding leads to, in words."""


def by_severity() -> Iterator[tuple[Severity, tuple[type[Topic], ...]]]:
    """All that can be said of a design, the gravest first."""
    for severity in SEVERITIES:
        yield severity, tuple(t for t in TOPICS.values() if t.severity == severity)


def pages() -> dict[str, str]:
    """The Markdown of each page, by the name of its file."""
    return {"README.md": _list(), **{f"{id_}.md": _page(topic) for id_, topic in TOPICS.items()}}


def _list() -> str:
    said = [
        "# Findings",
        "What Keywright finds in a design and its plans, each with its reason, its source and a remedy. Where the "
        "remedy is a simple edit, one click applies it, and it can be undone like every edit.",
        "A finding can be ignored with a reason, which reviewers see beside it: in the workspace, or in the "
        "design under [`ignored_findings`](../design-format.md#the-design). `manage.py lint_design` prints the others.",
        "These pages are made from the rules by `manage.py finding_pages docs/findings`.",
    ]
    for severity, topics in by_severity():
        title, meaning = SEVERITIES[severity]
        rows = [
            f"| [{t.id}]({t.id}.md) | {t.title} | {'yes' if t.offers else ''} |" for t in topics
        ]
        said += [f"## {title}", meaning]
        said.append("\n".join(["| Id | Finding | One click |", "|---|---|---|", *rows]))
    return _text(said)


def _page(topic: type[Topic]) -> str:
    severity = SEVERITIES[topic.severity][0].rstrip("s").lower()
    said = [
        f"# {topic.id}: {topic.title}",
        f"*{severity.capitalize()}, about {PLACES[topic.about]}.* All [findings](README.md).",
        "## When it appears",
        topic.what,
        "## Why",
        topic.why,
        f"Source: <{topic.source}>",
        "## What helps",
        topic.cure,
    ]
    if topic.offers:
        said += ["## With one click", "\n".join(f"- {words}" for words in topic.offers.values())]
    return _text(said)


def _text(paragraphs: Iterable[str]) -> str:
    return "\n\n".join(paragraphs) + "\n"
