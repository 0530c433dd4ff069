"""A page for each finding, made from its rule."""

from pathlib import Path

from designer.core.lint import TOPICS
from designer.core.lint.pages import PLACES, pages

FOLDER = Path(__file__).parents[2] / "docs" / "findings"


def test_the_pages_are_those_that_the_rules_make():
    """`manage.py finding_pages docs/findings` writes them anew."""
    assert {file.name: file.read_text("utf-8") for file in FOLDER.iterdir()} == pages()


def test_a_page_says_all_that_its_rule_does():
    made = pages()
    for topic in TOPICS.values():
        page = made[f"{topic.id}.md"]
        said = (
            topic.title,
            topic.what,
            topic.why,
            topic.source,
            topic.cure,
            *topic.offers.values(),
        )
        assert all(words in page for words in (*said, PLACES[topic.about])), topic.id
        assert f"[{topic.title}]({topic.id}.md) | `{topic.id}` |" in made["README.md"]
