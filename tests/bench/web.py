"""How long a visitor waits: from a keystroke to the grid, the first page, and the PDF."""

from collections.abc import Callable
from fractions import Fraction
from html.parser import HTMLParser
from itertools import count

from django.core.management import call_command
from django.test import Client

from designer.core.cost.options import Changes, Options, Rate
from designer.core.cost.whole import whole
from designer.core.design import gallery
from designer.core.exporters import EXPORTERS
from designer.core.planner import plan
from projects.models import Draft, Revision
from tests.bench.workloads import workload


def bench_first_page_of_the_demo() -> Callable[[], object]:
    client = Client()
    return lambda: client.get("/")


def bench_keystroke_to_grid_in_the_shop() -> Callable[[], object]:
    """Server time of a preview that changes a pattern's limit; the aim is 150 ms."""
    client = Client()
    answer = client.post("/gallery/shop/copy/", follow=True)
    url = answer.redirect_chain[-1][0].split("?")[0] + "patterns/2/"
    form = _Fields()
    form.feed(client.get(url).content.decode())
    limits = count(21)

    def type_a_limit() -> object:
        typed = {**form.fields, "limit": str(next(limits)), "intent": "preview"}
        answer = client.post(url, typed, headers={"HX-Request": "true", "HX-Target": "results"})
        assert answer.status_code == 200
        assert f"{typed['limit']} a page" in answer.content.decode()
        return answer

    return type_a_limit


def bench_what_if_of_the_shop() -> Callable[[], object]:
    """Server time of the bill with another rate and another count; the aim is 150 ms."""
    client = Client()
    client.get("/d/shop/cost/")
    rates = count(21)

    def change_a_rate() -> object:
        query = {"rate-2": str(next(rates)), "items-Order": "20000000"}
        answer = client.get(
            "/d/shop/cost/", query, headers={"HX-Request": "true", "HX-Target": "bill"}
        )
        assert "more than with the stated figures" in answer.content.decode()
        return answer

    return change_a_rate


def bench_what_if_of_a_hundred_entities() -> Callable[[], object]:
    """The same of 100 entities with 500 patterns, without its page; the aim is 150 ms."""
    design = workload(100, 500)
    made = plan(design, "multi", reasons="findings")
    rates = count(21)

    def change_a_rate() -> object:
        rate = Rate(Fraction(next(rates)), Fraction(100))
        return whole(design, made, Options(), Changes({design.patterns[0].number: rate}, {}))

    return change_a_rate


def bench_comparison_of_the_shop() -> Callable[[], object]:
    """Server time of the styles side by side once they are planned; the aim is 1 s."""
    client = Client()
    client.get("/d/shop/compare/")

    def compare() -> object:
        answer = client.get("/d/shop/compare/")
        assert answer.status_code == 200
        return answer

    compare()
    return compare


def bench_alternatives_of_the_shop() -> Callable[[], object]:
    """Server time of the plans worth comparing once they are worked out; the aim is 1 s."""
    client = Client()
    answer = client.get("/d/shop/alternatives/")
    call_command("worker", batch=True)

    def compare() -> object:
        answer = client.get("/d/shop/alternatives/")
        assert 'class="table alternatives"' in answer.content.decode()
        return answer

    assert answer.status_code == 200
    compare()
    return compare


def bench_history_of_5000_revisions() -> Callable[[], object]:
    """Server time of its first page; the aim is 150 ms."""
    client = Client()
    answer = client.post("/gallery/shop/copy/", follow=True)
    slug = answer.redirect_chain[-1][0].split("/")[2]
    draft = Draft.objects.get(slug=slug)
    first = draft.revisions.get()
    copies = (
        Revision(
            draft=draft,
            number=number,
            parent=number - 1,
            document=first.document,
            meaning=first.meaning,
            ordered_meaning=first.ordered_meaning,
            digest=first.digest,
            note=f"Edit {number}",
        )
        for number in range(2, 5_001)
    )
    Revision.objects.bulk_create(copies, batch_size=500)
    Draft.objects.filter(pk=draft.pk).update(position=5_000)

    def first_page() -> object:
        answer = client.get(f"/d/{slug}/history/")
        assert "Edit 4951" in answer.content.decode()
        return answer

    first_page()
    return first_page


def bench_compare_two_revisions_of_the_shop() -> Callable[[], object]:
    """Server time of the page once both are planned: sentences and grids of one style."""
    client = Client()
    answer = client.post("/gallery/shop/copy/", follow=True)
    url = answer.redirect_chain[-1][0].split("?")[0]
    form = _Fields()
    form.feed(client.get(f"{url}entities/e-order/").content.decode())
    client.post(f"{url}entities/e-order/", {**form.fields, "name": "Purchase", "items": "11000000"})

    def compare() -> object:
        answer = client.get(f"{url}history/compare/?from=1&to=2")
        assert "Order is now called Purchase." in answer.content.decode()
        return answer

    compare()
    return compare


def bench_pdf_of_the_shop() -> Callable[[], object]:
    """Its processor time from the plan; the aim is 3 s."""
    design = gallery.load("shop")
    made = plan(design, "single")
    return lambda: EXPORTERS["pdf"].export(design, made)


class _Fields(HTMLParser):
    """What a browser would send of the page's forms."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self.select = self.area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        name = found.get("name", "")
        if tag == "input" and name and found.get("type") not in ("submit", "button"):
            if found.get("type") not in ("checkbox", "radio") or "checked" in found:
                self.fields[name] = found.get("value", "")
        elif tag == "select":
            self.select = name
        elif (
            tag == "option"
            and self.select
            and ("selected" in found or self.select not in self.fields)
        ):
            self.fields[self.select] = found.get("value", "")
        elif tag == "textarea":
            self.area = name
            self.fields[name] = ""

    def handle_data(self, data: str) -> None:
        if self.area:
            self.fields[self.area] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self.select = ""
        if tag == "textarea":
            self.area = ""
