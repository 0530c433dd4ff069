"""A blank field whose figure is assumed shows what is assumed, and what another figure would change."""

import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.planner.pipeline import plan
from designer.forms.attributes import AttributeForm
from designer.forms.base import Number
from designer.forms.conditions import conditions
from designer.forms.known import Attributes
from projects import revisions
from projects.models import Draft
from tests.core.test_assumed_busiest import made
from tests.core.test_flags import TEXT as HOMES
from tests.web.forms import send

DESIGNS = Path(__file__).parents[1] / "designs"
FIRST = "/d/club4alice/patterns/p-1/"


def _field(client: Client, url: str, name: str) -> tuple[str, str]:
    """The placeholder of a field and what the page says that it assumes."""
    page = client.get(url).content.decode()
    field = re.search(rf'<input[^>]* name="{name}"[^>]*>', page)
    assert field is not None
    placeholder = re.search(r' placeholder="([^"]*)"', field[0])
    text = re.search(rf'<p class="[^"]*" id="field-{name}-assumed">([^<]*)</p>', page)
    assert (text is not None) == (f"field-{name}-assumed" in field[0])
    return placeholder[1] if placeholder else "", text[1] if text else ""


def test_the_share_of_a_condition_shows_what_it_is_taken_for(club: Draft, as_alice: Client) -> None:
    placeholder, text = _field(as_alice, FIRST, "where-1-share")
    assert placeholder == "50"
    assert text == "Assumed, because nothing is stated. Items that meet it: 50 %."


def test_what_is_assumed_begins_as_a_sentence() -> None:
    known = Attributes(Design(name="Empty"), ())
    fields = conditions(known, name="where", label="Found by").fields({})
    labels = [each.label for each in fields if isinstance(each, Number)]
    assert labels and all(label[:1].isupper() for label in labels)


def test_a_stated_share_is_not_assumed(club: Draft, as_alice: Client) -> None:
    send(as_alice, FIRST, "pattern-form", {"where-1-share": "20"})
    assert _field(as_alice, FIRST, "where-1-share") == ("", "")


@pytest.mark.parametrize(
    ("url", "name", "placeholder", "says"),
    [
        ("entities/Visit/", "items", "1000", "Number of items: 1,000."),
        ("relationships/makes/", "average", "10", "Visits per Member: 10 on average."),
    ],
)
def test_counts_show_what_they_are_taken_for(
    club: Draft, as_alice: Client, url: str, name: str, placeholder: str, says: str
) -> None:
    shown, text = _field(as_alice, f"/d/club4alice/{url}", name)
    assert shown == placeholder
    assert text.startswith(f"Assumed, because nothing is stated. {says}")
    assert (
        "With a value of 1, pattern 1 takes 1 request and 0.5 read units; with 100, it takes "
        in text
    ) == ("average" in name)


def test_what_several_values_find_together_is_asked_for_as_what_is_expected(
    club: Draft, alice: User, as_alice: Client
) -> None:
    deals = load((DESIGNS / "usual_deals.yaml").read_text(), name="deals")
    draft = Draft(slug="deals4alice", project=club.project)
    revisions.start(draft, deals, "Start", alice)
    url = "/d/deals4alice/patterns/p-2/"
    placeholder, text = _field(as_alice, url, "expects")
    assert placeholder == "50"
    assert text.startswith("Assumed, because nothing is stated.")
    send(as_alice, url, "pattern-form", {"expects": "20"})
    assert _field(as_alice, url, "expects") == ("", "")


def test_the_average_size_shows_what_it_is_taken_for(
    club: Draft, alice: User, as_alice: Client
) -> None:
    harbour = load((DESIGNS / "simplest_harbour.yaml").read_text(), name="harbour")
    draft = Draft(slug="harbor4alice", project=club.project)
    revisions.start(draft, harbour, "Start", alice)
    url = "/d/harbor4alice/entities/Berth/attributes/place/"
    placeholder, text = _field(as_alice, url, "bytes")
    assert placeholder == "20"
    assert text.startswith(
        "Assumed, because nothing is stated. Average size: 20 bytes. With a value of 2 B, an item of Berth takes "
    )
    assert "; with 200 B, an item takes " in text


def test_how_often_a_flag_is_true_is_asked_for_where_it_matters(
    club: Draft, alice: User, as_alice: Client
) -> None:
    homes = load(HOMES.replace(", shares: [0.95, 0.05]", ""), name="homes")
    draft = Draft(slug="homes4alice", project=club.project)
    revisions.start(draft, homes, "Start", alice)
    url = "/d/homes4alice/entities/Device/attributes/online/"
    placeholder, said = _field(as_alice, url, "shares")
    assert placeholder == "50"
    assert said.startswith(
        "Assumed, because nothing is stated. True in: 50 %. With a value of 1 %, "
    )
    send(as_alice, url, "attribute-form", {"shares": "95"})
    draft = Draft.objects.get(slug="homes4alice")
    assert revisions.latest(draft).entity["Device"].by_name["online"].shares == (0.95, 0.05)
    assert "field-shares-assumed" not in as_alice.get(url).content.decode()


def test_the_busiest_values_share_is_asked_for_where_a_key_would_be_hot() -> None:
    design = made()
    member = design.entity["Member"]
    form = AttributeForm(design, member, member.by_name["clubId"])
    form.assumed = plan(design, "multi").assumed
    (busiest,) = [one for section in form.bound for one in section.fields if one.assumed]
    assert (busiest.html_name, busiest.field.placeholder) == ("busiest", "0.05")
    assert "with 10 %" in busiest.assumed
