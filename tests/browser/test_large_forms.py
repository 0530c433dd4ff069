"""A form of very many choices: its long ones are typed, from lists that they share."""

import re

from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from designer.core.design.document import Design
from designer.core.design.load import load_plain
from designer.core.edits import identified
from projects import revisions, teams
from projects.models import Draft
from tests.browser.slow import is_save


def wide() -> Design:
    """A transaction of forty steps on an entity of two hundred attributes."""
    attributes = [{"name": "id"}, *({"name": f"a{at:03}", "mutable": True} for at in range(199))]
    members = [
        {
            "update": "Thing",
            "each": f"rows{at}",
            "times": {"average": 1, "most": 1},
            "set": {"a001": {"param": "p"}},
        }
        for at in range(40)
    ]
    pattern = {"number": 1, "name": "Write", "kind": "transaction", "members": members}
    thing = {"name": "Thing", "identifier": ["id"], "items": 10, "attributes": attributes}
    document = {"keywright": 1, "name": "Wide", "entities": [thing], "patterns": [pattern]}
    return identified(load_plain(document))


def test_a_choice_of_a_large_form_is_typed_and_saved(page: Page, live_server: LiveServer) -> None:
    ana = User.objects.create(username="ana")
    draft = Draft(slug="wide4ana", project=teams.home(ana))
    revisions.start(draft, wide(), "Start", ana)
    client = Client()
    client.force_login(ana)
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    key = revisions.latest(draft).patterns[0].id
    page.goto(f"/d/wide4ana/patterns/{key}/")
    chosen = page.locator("[name='members-3-changes-0-attribute']")
    assert chosen.evaluate("each => each.list.options.length") == 200
    chosen.fill("a150")
    with page.expect_response(lambda each: is_save(each.request)):
        chosen.press("Tab")
    expect(chosen).to_have_value("a150")
    expect(page.locator("body")).to_contain_text(re.compile("Saved"))
    written = revisions.latest(Draft.objects.get(slug=draft.slug)).patterns[0]
    assert [*written.model_dump(by_alias=True)["members"][3]["set"]] == ["a150"]
