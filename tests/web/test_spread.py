"""The key analyser's page: what is typed is simulated and shown without and with a suffix, and nothing is saved."""

import re

import pytest
from django.test import Client

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.heat.from_design import compared, traffic_on
from designer.core.heat.keys import KeyHeat, plan_heat
from designer.core.heat.spread import spread
from designer.core.heat.traffic import Traffic
from designer.core.planner import plan
from designer.forms.spread import SpreadForm, initial
from designer.templatetags.designer_tags import little_share
from designer.views.spread import query_of
from projects.models import Draft, Revision

URL = "/d/event-log/heat/key/"
TYPED = {
    "key": "COUNTER#{counterId}",
    "shape": "hot",
    "hot_share": "50",
    "writes": "4000",
    "reads": "0",
}


def _hottest(slug: str) -> tuple[Design, KeyHeat]:
    design = gallery.load(slug)
    found = plan_heat(design, plan(design, "single")).hottest
    assert found is not None
    return design, found


def test_both_sides_show_what_the_simulation_says(db: None, client: Client) -> None:
    page = client.get(URL, {**TYPED, "shards": "8"}).content.decode()
    traffic = Traffic(TYPED["key"], shape="hot", hot_share=0.5, writes=4000)
    shown = re.findall(r"<dd>([^<]*)</dd><dt>of writes throttled", page)
    both = (
        spread(traffic),
        spread(Traffic(TYPED["key"], shape="hot", hot_share=0.5, writes=4000, shards=8)),
    )
    assert shown == [little_share(found.throttled_writes) for found in both]
    assert "With 8 shards" in page
    assert both[0].throttled_writes > both[1].throttled_writes
    assert page.count("is-tall") == 6


def test_without_anything_typed_it_shows_the_designs_hottest_key(db: None, client: Client) -> None:
    page = client.get(URL).content.decode()
    assert 'value="REACTION#POST#{postId}"' in page
    assert "With 2 shards" in page


def test_a_design_without_rates_shows_an_example(club: Draft, as_alice: Client) -> None:
    answer = as_alice.get("/d/club4alice/heat/key/")
    assert answer.status_code == 200
    assert 'value="ORDER#{orderId}"' in answer.content.decode()


def test_a_key_of_the_design_comes_with_its_own_traffic() -> None:
    _, key = _hottest("event-log")
    traffic = traffic_on(key)
    assert traffic.key == "REACTION#POST#{postId}"
    # In one piece its hottest value takes 1,500 writes a second, as the plan says.
    assert spread(traffic).hottest_key == pytest.approx(1.5)
    assert traffic.write_demand * traffic.hot_share == pytest.approx(1500)


def test_the_heat_page_leads_to_each_key(db: None, client: Client) -> None:
    _, key = _hottest("event-log")
    page = client.get("/d/event-log/heat/").content.decode()
    link = f"/d/event-log/heat/key/?{query_of(key)}".replace("&", "&amp;")
    assert link in page
    assert client.get(link.replace("&amp;", "&")).status_code == 200


@pytest.mark.parametrize("slug", ["event-log", "leaderboards"])
def test_every_key_of_a_design_can_be_simulated(slug: str) -> None:
    design = gallery.load(slug)
    for key in plan_heat(design, plan(design, "single")).keys:
        if key.used:
            assert SpreadForm(initial(compared(key))).is_valid(), key.key


def test_an_entitys_key_panel_leads_here_with_its_key(db: None, client: Client) -> None:
    page = client.get("/d/shop/keys/single/e-order/?partition=userId,status").content.decode()
    assert "/d/shop/heat/key/?key=%7BuserId%7D%23%7Bstatus%7D" in page


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("key", "A#{", "cannot be read as a key"),
        ("key", "A#{shard(x)}", "write <code>{shard(8, x)}</code>"),
        ("key", "{shard(0, x)}", "write <code>{shard(8, x)}</code>"),
        ("key", "{inverse(3, x)}", "write <code>{inverse(4, 0, x)}</code>"),
        ("key", "{sum(x)}", "but a key has no rows"),
        ("key", "{only(x)}", "name the values"),
        ("key", "{pad(2, 0, x)}", "999 does not fit into 2 digits"),
        ("values", "0", "Enter a number from 1 to 50,000."),
        ("values", "many", "whole number"),
        ("hot_share", "120", "Enter a number from 0 to 100."),
        ("shape", "odd", "not one of the available choices"),
        ("partitions", "1000", "Enter a number from 1 to 50."),
        ("reads", "2e7", "Enter a number from 0 to 10,000,000."),
        ("writes", "0", "how often"),
        ("values", "40000", "50,000"),
        ("writes", "nan", "Enter a number"),
    ],
)
def test_bad_input_is_refused_at_its_field(
    field: str, typed: str, said: str, db: None, client: Client
) -> None:
    answer = client.get(URL, {**TYPED, field: typed})
    assert answer.status_code == 422
    page = answer.content.decode()
    error = page.split(f'id="id_{field}_error"')[1].split("</p>")[0]
    assert said in error
    assert "is-tall" not in page


def test_nothing_is_saved(club: Draft, as_alice: Client) -> None:
    before = Revision.objects.count()
    assert as_alice.get("/d/club4alice/heat/key/", TYPED).status_code == 200
    assert Revision.objects.count() == before


def test_a_key_is_shown_escaped(db: None, client: Client) -> None:
    page = client.get(URL, {**TYPED, "key": "<b>{x}"}).content.decode()
    assert "<b>{x}" not in page and "&lt;b&gt;{x}" in page


def test_fewer_values_than_the_design_has_are_said_to_be_fewer(db: None, client: Client) -> None:
    said = "The design has 1,000,000 values of this key."
    assert said in client.get(URL).content.decode()
    assert said not in client.get(URL, {**TYPED, "values": "500", "shards": "2"}).content.decode()
