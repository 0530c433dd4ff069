"""The heat page: what it shows is what the core says, and it works for anyone who may see the design."""

import re
from html import unescape

import pytest
from django.test import Client

from designer.core.design import gallery
from designer.core.heat.keys import plan_heat
from tests.planned import planned


def _rows(page: str) -> list[list[str]]:
    """The cells of the first table, as text."""
    body = page.split("<tbody>")[1].split("</tbody>")[0]
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S) for row in body.split("<tr>")[1:]]
    texts = [[re.sub("<[^>]*>", " ", cell) for cell in row] for row in rows]
    return [[unescape(" ".join(text.split())) for text in row] for row in texts]


def test_every_table_and_index_has_a_row_with_its_hottest_key(db: None, client: Client) -> None:
    page = client.get("/d/leaderboards/heat/").content.decode()
    assert _rows(page) == [
        ["arena-app", "SEASON#<season>", "", "2.08", "under 0.01", "cool, under 0.1 %"],
        ["GSI1 on arena-app", "SCORE#SEASON#<season>", "", "6,301", "455", "hot, 210 %"],
    ]
    assert "cache it in the application or in DAX" in page
    assert page.count('class="heat-bars"') == 2


def test_another_style_is_shown_where_it_is_asked_for(db: None, client: Client) -> None:
    page = client.get("/d/leaderboards/heat/?view=multi").content.decode()
    found = plan_heat(gallery.load("leaderboards"), planned(gallery.load("leaderboards"), "multi"))
    assert [row[0] for row in _rows(page)] == [
        f"{s.index} on {s.table}" if s.index else s.table for s in found.structures
    ]
    assert "hot, 140 %" in page


def test_each_pattern_is_named_once_for_what_it_puts_on_a_key(db: None, client: Client) -> None:
    """A transaction may write several items under one key."""
    page = client.get("/d/shop/heat/").content.decode()
    for part in page.split("Sources of this traffic")[1:]:
        rows = re.findall(r'<th scope="row">(.*?)</tr>', part.split("</table>")[0], re.S)
        causes = [(row.split("</th>")[0], "of the writes" in row) for row in rows]
        assert len(causes) == len(set(causes))
        assert not re.search(r">1 (read|write)s<", part)


def test_a_tab_of_the_plan_leads_here(db: None, client: Client) -> None:
    page = client.get("/d/leaderboards/decisions/").content.decode()
    assert 'href="/d/leaderboards/heat/"' in page


def test_the_sources_of_a_key_add_up_to_its_heat(db: None, client: Client) -> None:
    """Also where the hottest value has more items than the average one, and each Query of it reads more."""
    page = client.get("/d/tags/heat/").content.decode()
    found = plan_heat(gallery.load("tags"), planned(gallery.load("tags"), "single"))
    key = max((key for one in found.structures for key in one.keys), key=lambda key: key.reads)
    part = next(each for each in page.split("Sources of this traffic")[1:] if "98.9 %" in each)
    rows = re.findall(r"<tr>(<th scope=\"row\".*?)</tr>", part.split("</table>")[0], re.S)
    units = [re.findall(r'hottest value">([\d.,]+) read', row) for row in rows]
    assert sum(float(one[0].replace(",", "")) for one in units if one) == pytest.approx(
        float(key.reads), rel=0.01
    )
    assert "the hottest value has more items" in part
