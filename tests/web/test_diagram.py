"""The diagram that one works in: boxes keep their places, entities are added and renamed where they stand."""

from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from projects import links, revisions, undoing
from projects.models import Draft, Membership, Revision, Role
from tests.web.conftest import design_of
from tests.web.forms import words

URL = "/d/club4alice/"
SHOWN = f"{URL}?show=diagram"
FORM = f"{URL}entities/e-member/?show=diagram"
SVG = "{http://www.w3.org/2000/svg}"


def post(client: Client, path: str, at: str = SHOWN, **sent: object) -> HttpResponse:
    """What the script sends from a page that shows the diagram."""
    headers = {
        "HX-Request": "true",
        "HX-Target": "results",
        "HX-Current-URL": f"http://testserver{at}",
    }
    return client.post(f"{URL}diagram/{path}", sent, headers=headers)


def places(draft: Draft) -> dict[str, tuple[int, int] | None]:
    return {entity.name: entity.drawn_at for entity in design_of(draft).entities}


def test_a_box_is_kept_where_it_was_put(as_alice: Client, club: Draft) -> None:
    answer = post(as_alice, "e-member/move/", x="40.4", y="-12")
    assert answer.status_code == 200
    assert places(club) == {"Member": (40, -12), "Visit": None}
    html = answer.content.decode()
    assert 'class="er-box" fill="#ffffff" stroke="#c9c4b8" x="40" y="-12"' in html
    assert "Saved: Move Member in the diagram." in html
    assert "grid-scroll" not in html  # the tables are not drawn for it


def test_a_page_that_shows_the_design_before_a_move_gets_what_is_drawn_differently(
    as_alice: Client, club: Draft
) -> None:
    def moved(x: int, since: int) -> HttpResponse:
        known = {"HX-Request": "true", "HX-Target": "results", "Keywright-Since": str(since)}
        at = {"HX-Current-URL": f"http://testserver{SHOWN}"}
        sent = {"x": x, "y": -12}
        return as_alice.post(f"{URL}diagram/e-visit/move/", sent, headers={**known, **at})

    since = Draft.objects.get(pk=club.pk).version
    answer = moved(400, since)
    html = answer.content.decode()
    assert answer["HX-Retarget"] == "#diagram-redrawn"
    assert 'data-name="Visit"' in html
    assert 'class="er-edge"' in html
    assert 'data-name="Member"' not in html
    assert "Saved: Move Visit in the diagram." in html
    assert f'data-since="{since + 1}"' in html
    assert "Arrange" in html  # nothing was moved before

    html = moved(400, since + 1).content.decode()  # where it stands already
    assert "er-entity" not in html
    assert "Arrange" not in html

    answer = moved(440, since)  # somebody else was faster
    assert "HX-Retarget" not in answer
    assert 'data-name="Member"' in answer.content.decode()


def test_a_move_is_undone(as_alice: Client, club: Draft, alice: User) -> None:
    post(as_alice, "e-member/move/", x=40, y=12)
    post(as_alice, "e-member/move/", x=80, y=12)
    undoing.undo(club, alice)
    assert places(club)["Member"] == (40, 12)
    undoing.undo(club, alice)
    assert places(club)["Member"] is None


def test_two_who_move_boxes_at_once_keep_both(as_alice: Client, club: Draft, bob: User) -> None:
    assert club.project is not None
    Membership.objects.create(team=club.project.team, user=bob, role=Role.EDITOR)
    as_bob = Client()
    as_bob.force_login(bob)
    post(as_alice, "e-member/move/", x=40, y=12)
    post(as_bob, "e-visit/move/", x=400, y=12)
    assert places(club) == {"Member": (40, 12), "Visit": (400, 12)}


@pytest.mark.parametrize("sent", [{}, {"x": "1"}, {"x": "far", "y": "2"}, {"x": "nan", "y": "inf"}])
def test_what_is_no_place_is_refused(sent: dict[str, str], as_alice: Client, club: Draft) -> None:
    answer = post(as_alice, "e-member/move/", **sent)
    assert answer.status_code == 422
    assert words("box-needs-place") in answer.content.decode()
    assert places(club)["Member"] is None


def test_a_box_of_an_entity_that_is_gone_is_refused(as_alice: Client, club: Draft) -> None:
    answer = post(as_alice, "e-nobody/move/", x=1, y=2)
    assert answer.status_code == 422
    assert "This entity is no longer in the design." in answer.content.decode()


def test_all_boxes_are_arranged_anew(as_alice: Client, club: Draft) -> None:
    assert "Arrange" not in as_alice.get(SHOWN).content.decode()
    post(as_alice, "e-member/move/", x=40, y=12)
    assert "Arrange" in as_alice.get(SHOWN).content.decode()
    assert post(as_alice, "arrange/").status_code == 200
    assert places(club) == {"Member": None, "Visit": None}
    assert post(as_alice, "arrange/").status_code == 422


def test_an_entity_is_added_where_one_points(as_alice: Client, club: Draft) -> None:
    answer = post(as_alice, "add/", name="Locker: lockerId, size", x=300, y=200)
    assert answer.status_code == 200
    assert places(club)["Locker"] == (300, 200)
    assert list(design_of(club).entity["Locker"].by_name) == ["lockerId", "size"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", words("entity-needs-name")),
        ("Member", words("entity-called-so", name="Member")),
    ],
)
def test_a_name_that_does_not_do_is_refused(
    name: str, said: str, as_alice: Client, club: Draft
) -> None:
    answer = post(as_alice, "add/", name=name)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert len(design_of(club).entities) == 2


def test_a_new_name_is_followed(as_alice: Client, club: Draft) -> None:
    answer = post(as_alice, "e-member/rename/", name="Guest")
    assert answer.status_code == 200
    design = design_of(club)
    assert list(design.entity) == ["Guest", "Visit"]
    assert design.relationship["makes"].parent == "Guest"
    assert design.entity["Guest"].id == "e-member"


@pytest.mark.parametrize("name", ["", "Visit", "no/name here"])
def test_a_new_name_that_does_not_do_is_refused(name: str, as_alice: Client, club: Draft) -> None:
    answer = post(as_alice, "e-member/rename/", name=name)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert list(design_of(club).entity) == ["Member", "Visit"]


def test_a_form_beside_the_diagram_stays(as_alice: Client, club: Draft) -> None:
    answer = post(as_alice, "e-visit/move/", at=FORM, x=1, y=2)
    html = answer.content.decode()
    assert 'id="lists"' not in html
    assert f'{URL}entities/e-visit/?show=diagram"' in html  # links keep the diagram


def test_without_script_one_is_led_back_to_the_diagram(as_alice: Client, club: Draft) -> None:
    post(as_alice, "e-member/move/", x=40, y=12)
    answer = as_alice.post(f"{URL}diagram/arrange/")
    assert (answer.status_code, answer["Location"]) == (302, SHOWN)


def test_a_move_in_a_design_of_the_gallery_makes_a_copy(as_charlie: Client) -> None:
    answer = as_charlie.post(
        "/d/shop/diagram/e-user/move/",
        {"x": 5, "y": 6},
        headers={"HX-Request": "true", "HX-Current-URL": "http://testserver/d/shop/?show=diagram"},
    )
    own = Draft.objects.get()
    assert answer["HX-Redirect"] == f"/d/{own.slug}/?show=diagram"
    assert revisions.latest(own).entity["User"].drawn_at == (5, 6)


def test_what_was_drawn_fills_the_form_of_a_relationship(as_alice: Client, club: Draft) -> None:
    html = as_alice.get(f"{URL}relationships/add/?first=Visit&second=Member").content.decode()
    first, second = html.split('id="field-first"')[1].split('id="field-second"')
    assert '<option value="Visit" selected>' in first
    assert '<option value="Member" selected>' in second.split("</select>")[0]


def test_names_of_nothing_leave_that_form_empty(as_alice: Client, club: Draft) -> None:
    answer = as_alice.get(f"{URL}relationships/add/?first=Nobody&second=Nothing")
    assert answer.status_code == 200
    assert "Nobody" not in answer.content.decode().split('id="statement"')[1].split("</form>")[0]


def test_the_diagram_is_a_file(as_alice: Client, club: Draft) -> None:
    post(as_alice, "e-member/move/", x=40, y=12)
    answer = as_alice.get(f"{URL}diagram.svg")
    assert answer["Content-Disposition"] == 'attachment; filename="club.svg"'
    assert answer["Content-Type"].startswith("image/svg+xml")
    names = [
        text.text
        for text in ElementTree.fromstring(answer.content).iter(f"{SVG}text")
        if text.get("class") == "er-name"
    ]
    assert names == ["Member", "Visit"]
    first = Revision.objects.filter(draft=club).earliest("number").number
    assert as_alice.get(f"{URL}r/{first}/diagram.svg").content != answer.content


def test_readers_of_a_link_see_the_diagram_and_move_nothing(
    as_charlie: Client, club: Draft, alice: User
) -> None:
    _, token = links.make(club, alice)
    html = as_charlie.get(f"/s/{token}/?show=diagram").content.decode()
    assert 'class="er-entity' in html
    assert "data-move" not in html
    assert "er-handle" not in html
    assert f"/s/{token}/diagram.svg" in html


def test_the_selected_access_pattern_marks_what_it_reads(as_alice: Client, club: Draft) -> None:
    html = as_alice.get(f"{SHOWN}&pattern=1").content.decode()
    assert 'class="er-entity hue-1 is-asked"' in html
    assert 'class="er-entity hue-0"' in html
