"""The pages of `docs/findings/`, made from the rules: one for each finding, and their list."""

from collections.abc import Iterable, Iterator

from designer.core.lint import TOPICS
from designer.core.lint.base import About, Severity, Topic

SEVERITIES: dict[Severity, tuple[str, str]] = {
    "error": ("Errors", "The design or its plan does not meet a requirement."),
    "warning": (
        "Warnings",
        "The plan works, but it may be expensive or misleading, or its requests may be throttled.",
    ),
    "advice": ("Advice", "Possible improvements, often optional."),
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
        "These are the problems that Keywright finds in a design and its plans, each with its reason, source and "
        "remedy. If a simple edit solves the problem, one click applies it, and you can undo it like any edit.",
        "You can ignore a finding, in the workspace or in the design under "
        "[`ignored_findings`](../design-format.md#the-design), with a reason that reviewers see. "
        "`manage.py lint_design` prints all findings that are not ignored.",
        "The pages name the fields of the site's forms. In a design as text, “Found by” is `where`, “Returned only if” "
        "is `keep`, and “Then only if” is `then_keep`. The maximum of a relationship is `most`, and that of a list is "
        "under `elements`. An access pattern that is served without keys has the kind `elsewhere`. See the "
        "[design format](../design-format.md#patterns).",
        "`manage.py finding_pages docs/findings` writes these pages from the rules.",
    ]
    for severity, topics in by_severity():
        title, meaning = SEVERITIES[severity]
        rows = [
            f"| [{t.title}]({t.id}.md) | `{t.id}` | {'yes' if t.offers else ''} |" for t in topics
        ]
        said += [f"## {title}", meaning]
        said.append("\n".join(["| Finding | Id | One click |", "|---|---|---|", *rows]))
    return _text(said)


def _page(topic: type[Topic]) -> str:
    severity = SEVERITIES[topic.severity][0].rstrip("s").lower()
    said = [
        f"# {topic.title}",
        f"*{severity.capitalize()} `{topic.id}`, about {PLACES[topic.about]}.* All [findings](README.md).",
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
