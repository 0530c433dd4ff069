"""Exports: looked at and downloaded."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from designer.core.exporters import EXPORTERS
from designer.views import exports
from projects import reviews
from projects.models import Draft, Role
from tests.web.test_standing import join, mean

URL = "/d/club4alice/exports/"


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize(
    "slug", [pytest.param(s, marks=pytest.mark.slow if s == "pdf" else ()) for s in EXPORTERS]
)
def test_each_export_is_shown_and_downloaded(
    slug: str, style: str, club: Draft, as_alice: Client
) -> None:
    page = as_alice.get(URL, {"as": slug, "style": style})
    assert page.status_code == 200
    assert f"{URL}{slug}/{style}/" in page.content.decode()
    file = as_alice.get(f"{URL}{slug}/{style}/")
    assert file.status_code == 200
    assert "attachment" in file.headers["Content-Disposition"]
    assert file.headers["Content-Type"].startswith(("text/", "application/"))
    assert file.content


def test_a_preview_is_marked_by_classes_and_not_by_styles(club: Draft, as_alice: Client) -> None:
    page = as_alice.get(URL, {"as": "terraform"}).content.decode()
    assert '<span class="code-' in page
    assert "style=" not in page.split("<main")[1].replace("&amp;style=", "").replace("?style=", "")


def test_of_a_long_export_only_the_beginning_is_marked(
    club: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"as": "terraform", "alarms": "1"}
    whole = as_alice.get(URL, asked).content.decode()
    assert 'data-copies="export"' in whole and "Only its beginning" not in whole
    monkeypatch.setattr(exports, "MOST_SHOWN", 300)
    page = as_alice.get(URL, asked).content.decode()
    (marked,) = re.findall(r'<pre[^>]*id="export"[^>]*>(.*?)</pre>', page, re.DOTALL)
    shown = html.unescape(re.sub("<[^>]+>", "", marked))
    (link,) = re.findall(r'Only its beginning is shown here. <a href="([^"]+)"', page)
    file = as_alice.get(f"{URL}terraform/single/", {"show": "1", "alarms": "1"}).content.decode()
    assert html.unescape(link).endswith("/exports/terraform/single/?alarms=1&show=1")
    assert 0 < len(shown) <= 300 and file.startswith(shown) and shown.endswith("\n")
    assert 'data-copies="export"' not in page, "half a file is not worth copying"


def test_what_is_no_export_is_not_found(club: Draft, as_alice: Client) -> None:
    assert as_alice.get(URL, {"as": "ghost"}).status_code == 404
    assert as_alice.get(URL, {"style": "ghost"}).status_code == 404
    assert as_alice.get(f"{URL}ghost/single/").status_code == 404
    assert as_alice.get(f"{URL}terraform/ghost/").status_code == 404


def test_a_visitor_exports_from_the_gallery_without_a_copy(as_charlie: Client) -> None:
    assert as_charlie.get("/d/starter/exports/").status_code == 200
    assert as_charlie.get("/d/starter/exports/terraform/single/").status_code == 200
    assert not Draft.objects.exists()


def test_alarms_come_with_a_template_that_is_asked_for_them(
    as_charlie: Client,
) -> None:
    url = "/d/starter/exports/"
    page = as_charlie.get(url, {"as": "terraform"}).content.decode()
    assert "alarms=1" in page
    assert "aws_cloudwatch_metric_alarm" not in page
    page = as_charlie.get(url, {"as": "terraform", "alarms": "1"}).content.decode()
    assert "aws_cloudwatch_metric_alarm" in page
    assert f'{url}terraform/single/?alarms=1"' in page
    assert re.search(r"alarms?: CloudWatch charges \$[\d.]+ a month for (it|them)\.", page)
    every = as_charlie.get(url, {"as": "terraform", "alarms": "every"}).content.decode()
    assert "<li>No alarm for latency: no access pattern states a maximum latency.</li>" in every
    asked = as_charlie.get(f"{url}terraform/single/", {"alarms": "1"}).content.decode()
    assert "aws_cloudwatch_metric_alarm" in asked
    document = as_charlie.get(url, {"as": "data-model", "alarms": "1"}).content.decode()
    assert "Add CloudWatch alarms" not in document and "eave them out" not in document


def test_a_template_has_a_maximum_when_it_is_asked_for_one(as_charlie: Client) -> None:
    url = "/d/starter/exports/"
    page = as_charlie.get(url, {"as": "terraform", "alarms": "1"}).content.decode()
    assert "on_demand_throughput" not in page
    assert 'href="?as=terraform&amp;alarms=1&amp;maximum=1"' in page
    asked = {"as": "terraform", "alarms": "1", "maximum": "1"}
    page = as_charlie.get(url, asked).content.decode()
    assert "aws_cloudwatch_metric_alarm" in page and "on_demand_throughput" in page
    assert f'{url}terraform/single/?alarms=1&amp;maximum=1"' in page
    file = as_charlie.get(f"{url}terraform/single/", {"maximum": "1"}).content.decode()
    assert "on_demand_throughput" in file
    assert "maximum=1" not in as_charlie.get(url, {"as": "data-model"}).content.decode()


def test_a_template_says_who_approved_it_until_it_means_something_else(
    club: Draft, alice: User, bob: User, as_alice: Client, as_charlie: Client
) -> None:
    def template(client: Client, url: str = URL) -> str:
        return client.get(f"{url}terraform/single/").content.decode()

    assert "# Revision r1: draft." in template(as_alice)
    review = reviews.ask(club, alice)
    reviews.submit(review, join(club, bob, Role.REVIEWER), "approve")
    assert "# Revision r1: approved. Approved by bob." in template(as_alice)
    mean(club, "eu-west-1", alice)
    assert "# Revision r2: changed since approval." in template(as_alice)
    as_it_was = template(as_alice, "/d/club4alice/r/1/exports/")
    assert "# Revision r1: approved. Approved by bob." in as_it_was
    assert "# Revision" not in template(as_charlie, "/d/starter/exports/")
