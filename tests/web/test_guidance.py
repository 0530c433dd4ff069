"""What to do next, in the left column: it names what is missing and leads to where it is stated."""

import re
from html import unescape

from django.template.loader import render_to_string
from django.test import Client

from designer.core.design.document import Design
from designer.core.design.meaning import meaning
from designer.core.evaluation.guidance import Step
from designer.core.planner import VERSION
from designer.views.guidance import GapLine, Guided, StepLine
from projects import revisions
from projects.models import Draft, Proof
from tests.web.conftest import design_of

URL = "/d/club4alice/"


def panel(client: Client, url: str = URL) -> str:
    page = client.get(url).content.decode()
    return page.split('id="guidance"')[1].split("</section>")[0]


def plain(markup: str) -> str:
    return re.sub("<[^>]*>", "", markup)


def links(text: str) -> dict[str, str]:
    """Words and address of each link."""
    found = re.findall(r'<a href="([^"]*)"[^>]*>([^<]*)</a>', text)
    return {unescape(words): unescape(url) for url, words in found}


def changed(draft: Draft, design: Design) -> None:
    revisions.edit(draft, lambda _: design, "Change it", draft.project.team.home_of)


def test_it_says_what_comes_first_and_how_far_it_is(club: Draft, as_alice: Client) -> None:
    said = panel(as_alice)
    first = said.split("</p>")[0]
    assert links(first) == {"State how many Member items there are.": f"{URL}entities/e-member/"}
    assert "Next:" in first
    done = int(re.findall(r"(\d) of 7 steps done", plain(said))[0])
    assert said.count('class="guidance-step is-done"') == done < 7
    assert "<details" in said and "<details open" not in said  # folded until someone unfolds it


def test_every_link_leads_to_where_the_thing_is_stated(club: Draft, as_alice: Client) -> None:
    found = links(panel(as_alice))
    assert found["State the rates of 5 access patterns."] == f"{URL}figures/"
    assert found["Run every access pattern on an engine."] == f"{URL}prove/"
    missing = (
        "State how many Visits each Member has on average and at most, in the relationship “makes”."
    )
    assert found[missing].startswith(f"{URL}relationships/")
    for words, url in found.items():
        page = as_alice.get(url)
        assert page.status_code == 200, words
        assert "<form" in page.content.decode(), words


def test_of_many_gaps_the_first_are_listed_and_the_rest_counted(
    club: Draft, as_alice: Client
) -> None:
    member = {"name": "Member", "identifier": ["memberId"], "attributes": [{"name": "memberId"}]}
    refers = {"name": "memberId", "refers_to": "Member.memberId"}
    loose = [
        {"name": f"Card{at}", "identifier": ["id"], "attributes": [{"name": "id"}, refers]}
        for at in range(6)
    ]
    changed(club, Design.model_validate({"name": "Club", "entities": [member, *loose]}))
    lacking = panel(as_alice).split("<strong>Relationships</strong>")[1].split("</ul>")[0]
    assert lacking.count("state how they are related") == 4
    assert "and 2 more" in lacking


def test_an_empty_design_begins_with_an_entity(club: Draft, as_alice: Client) -> None:
    changed(club, Design.model_validate({"name": "Club"}))
    said = panel(as_alice)
    first = links(said.split("</p>")[0])
    assert first == {"List the things that the application stores.": f"{URL}entities/add/"}
    assert said.count('class="guidance-step is-ahead"') == 6


def test_an_edit_answers_with_what_comes_next_then(club: Draft, as_alice: Client) -> None:
    before = design_of(club)
    counted = tuple(e.model_copy(update={"items": 1000}) for e in before.entities)
    changed(club, before.model_copy(update={"entities": counted}))
    assert "State how many Member items there are." not in panel(as_alice)
    answer = as_alice.post(
        f"{URL}undo/", headers={"HX-Request": "true", "HX-Target": "statement"}
    ).content.decode()
    first = answer.split('id="guidance"')[1].split("</p>")[0]
    assert "State how many Member items there are." in first


def test_a_proof_counts_for_the_style_that_is_looked_at(club: Draft, as_alice: Client) -> None:
    Proof.objects.create(
        draft=club,
        style="single",
        revision=1,
        meaning=meaning(design_of(club)),
        planner=VERSION,
        standing=Proof.Standing.ENDED,
        passed=True,
    )
    never = "Run every access pattern on an engine."
    assert never not in panel(as_alice, f"{URL}?view=single")
    assert never in panel(as_alice, f"{URL}?view=multi")
    Proof.objects.update(passed=False)
    assert "The last proof did not pass" in panel(as_alice, f"{URL}?view=single")
    Proof.objects.update(meaning="sha256:0")
    assert "Run every access pattern again" in panel(as_alice, f"{URL}?view=single")


def test_side_by_side_the_steps_are_those_of_the_first_style(as_charlie: Client) -> None:
    """The shop's multi-table plan breaks limits that its single table keeps."""

    def steps(view: str) -> str:
        said = plain(panel(as_charlie, f"/d/shop/?view={view}"))
        found = re.search(r"\d of 7 steps done, [a-z]+ table", said)
        assert found is not None
        return found[0]

    assert steps("single").endswith(", single table")
    assert steps("both") == steps("single")
    assert steps("multi").endswith(", multi table")
    assert steps("multi")[0] < steps("single")[0]


def test_a_visitor_is_led_through_a_design_of_the_gallery_and_not_on_the_first_page(
    as_charlie: Client,
) -> None:
    assert "of 7 steps done" in plain(panel(as_charlie, "/d/starter/"))
    assert "Next problem:" in plain(panel(as_charlie, "/d/sensor-readings/"))
    assert 'id="guidance"' not in as_charlie.get("/").content.decode()


def test_while_a_proof_runs_nothing_is_said_to_be_proven() -> None:
    gaps: tuple[GapLine, ...] = ()
    line = StepLine(Step("test", "Validate and test", "being proven", (), is_running=True), gaps)
    for is_running, said in (
        (True, "Everything is stated. The proof is under way."),
        (False, "Everything is stated and proven."),
    ):
        found = Guided((line,), 0, None, "single", is_running)
        page = render_to_string("designer/partials/_guidance.html", {"guided": found})
        assert said in page
        assert "To do: </span>" in page
