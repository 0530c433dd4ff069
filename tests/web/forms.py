"""Fill in and send a form of a page as a browser does: every field with what stands in it, and
the changes.
"""

import re
from html import unescape
from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.utils.html import escape

from designer.core.messages import Value, say, text


def words(id: str, **values: Value) -> str:
    """A message as a page says it."""
    return escape(text(say(id, **values)))


def shown(answer: HttpResponse) -> str:
    """The text of a page, without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", answer.content.decode())).split())


HTMX = {"HX-Request": "true", "HX-Target": "statement"}


class _Form(HTMLParser):
    """The fields of one form, in order."""

    def __init__(self, form_id: str) -> None:
        super().__init__()
        self.form_id = form_id
        self.inside = self.found = False
        self.action = ""
        self.fields: dict[str, str] = {}
        self.select: str | None = None
        self.area: str | None = None

    def handle_starttag(self, tag: str, pairs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in pairs}
        if tag == "form" and given.get("id") == self.form_id:
            self.inside = self.found = True
            self.action = given["action"]
        if not self.inside:
            return
        name = given.get("name", "")
        if tag == "input" and name and given.get("type") not in ("checkbox", "radio"):
            self.fields[name] = given.get("value", "")
        elif tag == "input" and name and "checked" in given:
            self.fields[name] = given.get("value", "on")
        elif tag == "select":
            self.select = name
        elif (
            tag == "option"
            and self.select
            and ("selected" in given or self.select not in self.fields)
        ):
            self.fields[self.select] = given["value"]
        elif tag == "textarea":
            self.area, self.fields[name] = name, ""

    def handle_data(self, data: str) -> None:
        if self.area:
            self.fields[self.area] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False
        elif tag == "select":
            self.select = None
        elif tag == "textarea":
            assert self.area is not None
            self.fields[self.area] = self.fields[self.area].removeprefix("\n")
            self.area = None


def fields_of(response: HttpResponse, form_id: str) -> dict[str, str]:
    """What a browser would send of a form, as it was shown."""
    form = _Form(form_id)
    form.feed(response.content.decode())
    assert form.found, f"there is no form #{form_id}"
    return form.fields


def send(
    client: Client, url: str, form_id: str, changes: dict[str, str], *, htmx: bool = True
) -> Any:
    """Open the page, change some fields, send the form."""
    return send_fields(client, url, {**fields_of(client.get(url), form_id), **changes}, htmx=htmx)


def send_fields(client: Client, url: str, fields: dict[str, str], *, htmx: bool = True) -> Any:
    headers = {**HTMX, "HX-Current-URL": f"http://testserver{url}"} if htmx else {}
    return client.post(url, fields, headers=headers)
