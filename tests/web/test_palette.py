"""What the palette finds, and for whom."""

import re

from django.test import Client

from projects.models import Draft


def found(page: str) -> dict[str, list[str]]:
    """The labels of each group."""
    groups = re.findall(r'role="group" aria-label="(.*?)">(.*?)(?=<div role="group"|$)', page, re.S)
    return {name: re.findall(r'palette-label">(.*?)<', inside) for name, inside in groups}


def test_a_design_has_its_parts_pages_and_actions(club: Draft, as_alice: Client) -> None:
    groups = found(as_alice.get("/d/club4alice/find/").content.decode())
    assert list(groups)[:3] == ["Access patterns", "Entities", "Relationships"]
    assert "Member" in groups["Entities"]
    assert {"Diagram", "Cost", "History", "My designs", "Account"} <= set(groups["Pages"])
    assert {"Add entity", "Undo"} <= set(groups["Actions"])
    assert "My designs" not in groups


def test_other_designs_are_found_with_their_project(club: Draft, as_alice: Client) -> None:
    as_alice.post("/designs/new/", {"name": "Bookings <b>"})
    page = as_alice.get("/d/club4alice/find/").content.decode()
    assert found(page)["My designs"] == ["Bookings &lt;b&gt;"]
    assert set(found(as_alice.get("/find/").content.decode())["My designs"]) == {
        "Bookings &lt;b&gt;",
        "Club",
    }


def test_who_may_not_change_a_design_finds_no_way_to(as_charlie: Client, club: Draft) -> None:
    groups = found(as_charlie.get("/find/").content.decode())
    assert "My designs" not in groups and "Actions" not in groups
    assert as_charlie.get("/d/club4alice/find/").status_code == 404


def test_every_address_opens(club: Draft, as_alice: Client) -> None:
    page = as_alice.get("/d/club4alice/find/").content.decode()
    for url in re.findall(r'data-href="(.*?)"', page):
        assert as_alice.get(url.replace("&amp;", "&")).status_code == 200, url
