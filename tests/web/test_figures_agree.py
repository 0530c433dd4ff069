"""The bill and the heat are the same on the pages, in the documents and on the command line."""

import io
import re

import pytest
from django.core.management import call_command
from django.test import Client
from pypdf import PdfReader

DESIGN = "shop"
URL = f"/d/{DESIGN}/"


@pytest.fixture(scope="module")
def printed() -> str:
    out = io.StringIO()
    call_command("plan", f"gallery:{DESIGN}", style="single", stdout=out)
    return out.getvalue()


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, re.sub(r"\s+", " ", text))
    assert match is not None, pattern
    return match[1]


def download(client: Client, exporter: str) -> str:
    content = client.get(f"{URL}exports/{exporter}/single/").content
    if exporter != "pdf":
        return content.decode()
    return " ".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)


BILL = r"(\$[\d,.]+) for a month of 30 days at average rates"


@pytest.mark.slow
@pytest.mark.django_db
def test_the_bill_and_the_heat_agree_everywhere(client: Client, printed: str) -> None:
    bill = found(r"Bill: (\$[\d,.]+) a month", printed)
    place, heat = (
        found(r"Heat: .* of (\S+) is the hottest", printed),
        found(r"it takes ([\d.]+ %) of", printed),
    )
    assert (bill, heat) != ("$0.00", "0 %")

    cost_page = client.get(f"{URL}cost/", {"view": "single"}).content.decode()
    assert found(r"bill-total[^>]*><strong>(\$[\d,.]+)</strong> a month", cost_page) == bill
    heat_page = re.sub(
        r"<[^>]*>", " ", client.get(f"{URL}heat/", {"view": "single"}).content.decode()
    )
    assert (
        max(re.findall(r"cool, ([\d.]+ %)", heat_page), key=lambda said: float(said[:-2])) == heat
    )

    model, pdf = download(client, "data-model"), download(client, "pdf")
    assert found(BILL, model) == found(BILL, pdf) == bill
    name = re.escape(place)
    row = rf"\| {name} \|(?: [^|]+ \|){{4}} ({re.escape(heat)}) \| cool"
    assert found(row, model) == heat
    assert found(rf"{name} .{{0,80}}? ({re.escape(heat)}) ?cool", pdf) == heat
    page = re.sub(r"<[^>]*>", " ", client.get(f"{URL}compare/").content.decode())
    in_all = r"Total per month[. |]+(\$[\d,.]+)"
    assert found(in_all, page) == found(in_all, model) == found(in_all, pdf) == bill
    speaks = r"Best for this design: (Single|Multi|Grouped)"
    assert found(speaks, page) == found(speaks, model) == found(speaks, pdf)

    claim = r"The heat of every key can be estimated\.[ |]+yes[ |]+The hottest key takes ([\d.]+ %)"
    assert found(claim, download(client, "requirements")) == found(claim, pdf) == heat
