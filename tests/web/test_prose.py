"""What people write in comments becomes little HTML, and nothing of it reaches out or runs."""

from time import process_time

import pytest

from designer.core.messages import say
from projects.prose import LARGEST, html, mentioned, plain, too_much
from projects.threads import LONGEST

PEOPLE = ("ana", "Ben.Fox", "cid@example.com")


def test_markdown_becomes_html() -> None:
    assert html("A *strong* `SK`\n\n- one\n- two") == (
        "<p>A <em>strong</em> <code>SK</code></p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n"
    )


def test_the_same_in_words_alone() -> None:
    assert plain("A *strong* `SK` & [docs](https://example.com)\n\n- <one>") == (
        "A strong SK & docs\n\n<one>"
    )


def test_a_table_and_a_line_that_ends_stay_so() -> None:
    assert "<td>1</td>" in html("|a|\n|-|\n|1|")
    assert html("one\ntwo") == "<p>one<br>\ntwo</p>\n"


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<a href='javascript:alert(1)'>x</a>",
        '<p style="position:fixed">x</p>',
        "<svg/onload=alert(1)>",
        "a <b>bold</b> word",
    ],
)
def test_raw_html_stays_text(text: str) -> None:
    made = html(text)
    assert "&lt;" in made
    assert not any(f"<{name}" in made for name in ("script", "img", "a ", "svg", "b>", "p style"))


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
    ],
)
def test_a_link_leads_to_a_page_or_a_mailbox_only(url: str) -> None:
    assert "href" not in html(f"[x]({url})")


def test_a_link_gives_nothing_away() -> None:
    made = html("[docs](https://example.com/?a=1&b=2)")
    assert 'rel="nofollow noopener"' in made
    assert 'href="https://example.com/?a=1&amp;b=2"' in made


def test_an_image_is_a_link_and_is_not_fetched() -> None:
    made = html("![seen](https://example.com/pixel.png)")
    assert "<img" not in made
    assert 'href="https://example.com/pixel.png"' in made


def test_a_heading_does_not_break_into_the_page() -> None:
    assert "<h" not in html("# Big\n\nBig\n===")


def test_members_are_marked_and_others_are_not() -> None:
    made = html("@ana and @zoe, ask @Ben.Fox.", PEOPLE)
    assert '<span class="mention">@ana</span>' in made
    assert '<span class="mention">@Ben.Fox</span>.' in made
    assert "@zoe" in made
    assert made.count("mention") == 2


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("@ana, look", {"ana"}),
        ("(@ANA)", {"ana"}),
        ("Thanks @ben.fox.", {"Ben.Fox"}),
        ("@cid@example.com!", {"cid@example.com"}),
        ("write to mail@ana", set()),
        ("`@ana` in code", set()),
        ("```\n@ana\n```", set()),
        ("@anabel", set()),
        ("@ana @ben.fox", {"ana", "Ben.Fox"}),
        ("@ben.fox" + "." * 500, {"Ben.Fox"}),
        ("@" + "." * 500, set()),
    ],
)
def test_whom_a_text_calls(text: str, called: set[str]) -> None:
    assert mentioned(text, PEOPLE) == called


def test_many_signs_that_may_end_a_name_take_no_time() -> None:
    began = process_time()
    assert mentioned("@" + "." * 100_000, PEOPLE) == set()
    assert process_time() - began < 2


WIDE = "|a" * 1600 + "|\n" + "|-" * 1600 + "|\n" + "|a|\n" * 600
LONG = "a|" * 500 + "\n" + "-|" * 500 + "\n" + "a\n" * 4200
HOSTILE = (
    *("[" * LONGEST, "![[" * LONGEST, "]" * LONGEST, "[a](" * LONGEST, "<!--" * LONGEST),
    *("*_" * LONGEST, "**a" * LONGEST, "`" * LONGEST, ">" * LONGEST, "* " * LONGEST),
    *("- a\n" * LONGEST, "- a\n\n" * LONGEST, "a\n" * LONGEST, "&" * LONGEST, "@ana " * LONGEST),
    *("|" * 100 + "\n" + "|-" * 99 + "|\n" + ("|" * 100 + "\n") * 97, WIDE, LONG),
    "".join("`" * at + " " for at in range(1, 140)),
    "".join("  " * at + "- a\n" for at in range(95)),
)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_whatever_may_stand_takes_no_time_to_show(text: str) -> None:
    text = text[:LONGEST]
    began = process_time()
    may_stand = not too_much(text)
    shown = html(text, PEOPLE) if may_stand else ""
    assert process_time() - began < 2
    assert len(shown) <= LARGEST * 2
    assert may_stand != (text in (WIDE[:LONGEST], LONG[:LONGEST]))


def test_a_table_of_far_too_many_cells_is_not_even_read() -> None:
    """Rows without a cell have all those of the head: 4,900 rows of 50."""
    text = ("|a" * 50 + "|\n" + "|-" * 50 + "|\n" + "|\n" * 5000)[:LONGEST]
    quoted = "\n".join(f"> {line}" for line in text.splitlines())
    for each in (text, quoted):
        assert too_much(each) == say("table-too-large")
        assert "<td>" not in html(each)
        assert "|" in plain(each)
    assert "<td>" in html("|a|b|\n|-|-|\n" + "|1|2|\n" * 500)


def test_a_comment_is_made_into_html_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = html("Once for @ana, *please*.", PEOPLE)
    monkeypatch.delattr("projects.prose._MARKDOWN")
    assert html("Once for @ana, *please*.", PEOPLE) == made
    assert 'class="mention"' in made


def test_a_comment_has_so_many_links_and_no_more() -> None:
    link = "[a](https://example.com) "
    assert too_much(link * 50) is None
    assert too_much(link * 51) == say("links-at-most", most=50)
    assert too_much("[a]: /x\n\n" + "[a] " * 51) == say("links-at-most", most=50)


def test_a_name_cannot_smuggle_html() -> None:
    assert "<b>" not in html("@<b>x</b>", ("<b>x</b>",))
