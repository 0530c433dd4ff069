"""Links and tokens made, shown once, and revoked."""

import re
from datetime import timedelta
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from designer.core.design import gallery
from designer.core.edits import replace_design
from designer.forms import sharing
from projects import api_tokens, guests, links, naming, revisions, teams
from projects.models import ApiToken, Draft, Membership, Role, Section, ShareLink
from tests.web.conftest import client_of, design_of
from tests.web.forms import words

URL = "/d/club4alice/share/"
WHOLE = {"shows": "live", "sections": [section.value for section in Section], "days": "30"}
"""What the form of a link sends when nothing is changed in it."""


def made_link(page: str) -> str:
    """The address that the page shows once."""
    found = re.search(r'id="new-link"[^>]* value="http://testserver(/s/[^"]+)"', page)
    assert found is not None
    return found[1]


def editor_of(draft: Draft) -> Client:
    assert draft.project is not None
    person = User.objects.create(username="edith")
    Membership.objects.create(team=draft.project.team, user=person, role=Role.EDITOR)
    return client_of(person)


def test_one_click_makes_a_link(club: Draft, as_alice: Client, as_charlie: Client) -> None:
    answer = as_alice.post(f"{URL}links/add/", WHOLE, follow=True)
    assert answer.redirect_chain == [(URL, 302)]
    address = made_link(answer.content.decode())
    assert answer.headers["Cache-Control"] == "no-store"
    assert as_charlie.get(address).status_code == 200
    link = ShareLink.objects.get()
    assert (link.revision, link.sections, link.password) == (None, [], "")
    assert link.expires_at is not None
    assert (link.expires_at - timezone.now()).days == 29


def test_its_address_is_shown_once_and_to_its_maker(club: Draft, as_alice: Client) -> None:
    answer = as_alice.post(f"{URL}links/add/", WHOLE)
    cookie = answer.cookies["shown-once"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (URL, True, "Strict")
    assert not cookie["secure"]
    assert "new-link" in as_alice.get(URL).content.decode()
    assert "new-link" not in as_alice.get(URL).content.decode()
    encrypted = as_alice.post(f"{URL}links/add/", WHOLE, secure=True)
    assert encrypted.cookies["shown-once"]["secure"]


@pytest.mark.parametrize("what", ["links", "tokens"])
def test_a_name_of_two_lines_is_refused(what: str, club: Draft, as_alice: Client) -> None:
    given = {**WHOLE, "opens": "design", "name": "for\nthe auditors"}
    answer = as_alice.post(f"{URL}{what}/add/", given)
    assert answer.status_code == 422 and "one line" in answer.content.decode()
    assert not ShareLink.objects.exists() and not ApiToken.objects.exists()


def test_a_link_as_it_was_chosen(club: Draft, as_alice: Client) -> None:
    chosen = {
        "name": "Auditors",
        "shows": "1",
        "sections": ["tables", "documents"],
        "days": "always",
        "password": "blue kettle",
        "may_comment": "on",
    }
    page = as_alice.post(f"{URL}links/add/", chosen, follow=True).content.decode()
    link = ShareLink.objects.get()
    assert link.revision is not None
    assert (link.revision.number, link.expires_at) == (1, None)
    assert link.sections == [Section.DOCUMENTS, Section.TABLES]
    assert "blue kettle" not in link.password
    for each in ("Auditors", "r1: ", ", with a password and comments", "until it is revoked"):
        assert each in page


def test_a_password_that_is_guessed_soon_is_refused(club: Draft, as_alice: Client) -> None:
    answer = as_alice.post(f"{URL}links/add/", {**WHOLE, "password": "kettles"})
    assert answer.status_code == 422
    assert "The password of a link must have at least 8 characters." in answer.content.decode()
    assert not ShareLink.objects.exists()
    as_alice.post(f"{URL}links/add/", {**WHOLE, "password": "kettles!"})
    assert ShareLink.objects.get().password


def test_a_link_is_made_below_what_can_be_chosen_for_it(club: Draft, as_alice: Client) -> None:
    page = as_alice.get(URL).content.decode()
    assert page.index('name="password"') < page.index("Create link")


def test_the_newest_and_the_named_and_the_wanted_revision_are_offered(
    club: Draft, alice: User, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "OFFERED", 2)
    naming.name(club, 1, "As it began", "", alice)
    for name in ("Two", "Three", "Four", "Five"):
        new = design_of(club).model_copy(update={"name": name})
        revisions.edit(club, partial(replace_design, new=new), f"Call it {name}", alice)

    def offered(query: str) -> list[str]:
        page = as_alice.get(URL + query).content.decode()
        return re.findall(r'<option value="\d+"[^>]*>(r\d[^<]*)</option>', page)

    newest = ["r5: Call it Five", "r4: Call it Four"]
    assert offered("") == [*newest, "r1, As it began"]
    assert offered("?revision=3") == [*newest, "r3: Call it Three", "r1, As it began"]
    assert as_alice.post(f"{URL}links/add/", {**WHOLE, "shows": "3"}).status_code == 302
    pinned = ShareLink.objects.get().revision
    assert pinned is not None
    assert pinned.number == 3


def test_a_link_of_which_nothing_was_chosen_is_not_made(club: Draft, as_alice: Client) -> None:
    answer = as_alice.post(f"{URL}links/add/", {**WHOLE, "sections": []})
    assert answer.status_code == 422
    assert "Choose at least one part" in answer.content.decode()
    assert not ShareLink.objects.exists()


@pytest.mark.parametrize("days", [{}, {"days": ""}])
def test_what_no_time_was_chosen_for_works_for_30_days(
    days: dict[str, str], club: Draft, as_alice: Client
) -> None:
    as_alice.post(f"{URL}links/add/", {"sections": ["tables"], **days})
    as_alice.post(f"{URL}tokens/add/", {"opens": "design", **days})
    for made in (ShareLink.objects.get(), ApiToken.objects.get()):
        assert made.expires_at is not None
        assert (made.expires_at - timezone.now()).days == 29


def test_the_list_of_links_reads_no_document(club: Draft, alice: User) -> None:
    links.make(club, alice, revision=revisions.current(club))
    (link,) = links.listed(club)
    assert link.revision is not None and "document" in link.revision.get_deferred_fields()


def test_a_revision_that_is_not_there_is_refused(club: Draft, as_alice: Client) -> None:
    answer = as_alice.post(f"{URL}links/add/", {**WHOLE, "shows": "7"})
    assert answer.status_code == 422
    assert "has-error" in answer.content.decode()
    assert not ShareLink.objects.exists()


def test_a_revoked_link_opens_nothing(
    club: Draft, alice: User, as_alice: Client, as_charlie: Client
) -> None:
    link, token = links.make(club, alice)
    as_alice.post(f"{URL}links/{link.pk}/revoke/")
    assert as_charlie.get(f"/s/{token}/").status_code == 404
    assert "revoked" in as_alice.get(URL).content.decode()
    assert as_alice.post(f"{URL}links/{link.pk}/renew/").status_code == 404


def test_a_new_address_ends_the_old_one(
    club: Draft, alice: User, as_alice: Client, as_charlie: Client
) -> None:
    link, old = links.make(club, alice)
    answer = as_alice.post(f"{URL}links/{link.pk}/renew/", follow=True)
    new = made_link(answer.content.decode())
    assert as_charlie.get(f"/s/{old}/").status_code == 404
    assert as_charlie.get(new).status_code == 200
    assert ShareLink.objects.count() == 1


def test_an_archived_projects_links_can_still_be_revoked(
    club: Draft, alice: User, as_alice: Client
) -> None:
    link, _ = links.make(club, alice)
    assert club.project is not None
    club.project.archived_at = timezone.now()
    club.project.save()
    assert as_alice.post(f"{URL}links/add/", WHOLE).status_code == 403
    assert as_alice.post(f"{URL}links/{link.pk}/revoke/").status_code == 302
    link.refresh_from_db()
    assert link.state == "revoked"


def test_the_page_offers_an_archived_projects_owner_to_revoke_only(
    club: Draft, alice: User, as_alice: Client
) -> None:
    links.make(club, alice)
    assert club.project is not None
    teams.archive(club.project, alice)
    page = as_alice.get(URL).content.decode()
    assert "/revoke/" in page
    assert "/renew/" not in page


def test_an_owner_sees_what_was_made_by_who_is_not_in_the_team_any_more(
    club: Draft, alice: User, bob: User, as_alice: Client
) -> None:
    assert club.project is not None
    membership = Membership.objects.create(team=club.project.team, user=bob, role=Role.EDITOR)
    links.make(club, bob)
    api_tokens.make(club.project, bob, draft=club)
    links.make(club, alice)
    assert "who left" not in as_alice.get(URL).content.decode()
    teams.remove(membership)
    page = as_alice.get(URL).content.decode()
    assert page.count("by bob, who left and may still have it") == 2
    bob.delete()
    assert (
        as_alice.get(URL).content.decode().count("by someone who left and may still have it") == 2
    )


def test_the_teams_page_lists_the_tokens_of_who_left_until_they_are_revoked(
    club: Draft, alice: User, bob: User, as_alice: Client
) -> None:
    project = club.project
    assert project is not None
    membership = Membership.objects.create(team=project.team, user=bob, role=Role.OWNER)
    _, secret = api_tokens.make(project, bob, name="Bob's pipeline")
    gone, _ = api_tokens.make(project, bob, draft=club, name="Bob's other")
    gone.revoke()
    api_tokens.make(project, alice, name="Alice's pipeline")
    theirs = teams.home(bob)
    api_tokens.make(theirs, bob, name="Bob's own")
    page = "/teams/team4alice/"
    title = "Tokens of people who left"
    assert title not in as_alice.get(page).content.decode()

    teams.remove(membership)
    assert api_tokens.find(secret) is not None
    seen = as_alice.get(page).content.decode()
    assert title in seen
    assert f'<a href="{URL}">Bob&#x27;s pipeline</a>' in seen
    assert ">bob, who left</td>" in seen
    assert not any(each in seen for each in ("Bob&#x27;s other", "Alice&#x27;s", "Bob&#x27;s own"))
    assert title in editor_of(club).get(page).content.decode()
    viewer = User.objects.create(username="vera")
    Membership.objects.create(team=project.team, user=viewer, role=Role.VIEWER)
    assert title not in client_of(viewer).get(page).content.decode()

    bob.delete()
    assert ">someone who left</td>" in as_alice.get(page).content.decode()
    for token in ApiToken.objects.filter(made_by=None, revoked_at=None):
        as_alice.post(f"{URL}tokens/{token.pk}/revoke/")
    assert title not in as_alice.get(page).content.decode()


def test_a_design_has_so_many_links_that_open_it_and_no_more(
    club: Draft, as_alice: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "MOST", 2)
    links.make(club, alice, expires_at=timezone.now() - timedelta(days=1))
    first, _ = links.make(club, alice)
    links.make(club, alice)
    typed = {**WHOLE, "name": "The auditors", "days": "7", "password": "blue kettle"}
    refused = as_alice.post(f"{URL}links/add/", typed)
    assert refused.status_code == 422
    page = refused.content.decode()
    assert words("links-at-limit", most=2) in page
    assert 'value="The auditors"' in page and '<option value="7" selected' in page
    assert ShareLink.objects.count() == 3
    links.revoke(first, alice)
    assert as_alice.post(f"{URL}links/add/", typed).status_code == 302


def test_a_project_has_so_many_tokens_that_open_something_and_no_more(
    club: Draft, as_alice: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_tokens, "MOST", 2)
    assert club.project is not None
    first, _ = api_tokens.make(club.project, alice, draft=club)
    api_tokens.make(club.project, alice)
    typed = {"opens": "project", "name": "Nightly", "days": "7"}
    refused = as_alice.post(f"{URL}tokens/add/", typed)
    assert refused.status_code == 422
    page = refused.content.decode()
    assert words("tokens-at-limit", most=2) in page and 'value="Nightly"' in page
    assert ApiToken.objects.count() == 2
    api_tokens.revoke(first, alice)
    assert as_alice.post(f"{URL}tokens/add/", typed).status_code == 302


def test_of_what_opens_nothing_any_more_the_newest_are_kept_and_listed(
    club: Draft, as_alice: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for made in (links, api_tokens):
        monkeypatch.setattr(made, "OVER", 2)
    assert club.project is not None
    talked, _ = links.make(club, alice, name="Talked about", may_comment=True)
    design, revision = design_of(club), revisions.current(club)
    guests.begin(talked, club, revision, design, "design", "Ann", "Why?")
    links.revoke(talked, alice)
    for number in range(5):
        links.revoke(links.make(club, alice, name=f"Link {number}")[0], alice)
        token, _ = api_tokens.make(club.project, alice, draft=club, name=f"Token {number}")
        api_tokens.revoke(token, alice)
    links.make(club, alice, name="Live")
    links.make(club, alice, name="Newer")
    api_tokens.make(club.project, alice, draft=club, name="Live token")
    names = ["Newer", "Live", "Link 4", "Link 3"]
    assert [each.name for each in links.listed(club)] == names
    assert [each.name for each in api_tokens.listed(club)] == ["Live token", "Token 4", "Token 3"]
    kept = set(ShareLink.objects.values_list("name", flat=True))
    assert kept == {*names, "Talked about"}
    assert ApiToken.objects.count() == 3
    page = as_alice.get(URL).content.decode()
    assert "Link 3" in page and "Link 2" not in page


def test_what_was_shared_before_it_was_kept_is_of_whoever_kept_it(
    as_charlie: Client, bob: User
) -> None:
    as_charlie.post("/d/starter/share/links/add/", WHOLE)
    draft = Draft.objects.get()
    as_charlie.force_login(bob)
    as_charlie.post(f"/d/{draft.slug}/keep/")
    page = as_charlie.get(f"/d/{draft.slug}/share/").content.decode()
    assert "by bob</span>" in page


def test_a_link_of_another_design_is_not_touched(
    club: Draft, alice: User, as_alice: Client, as_bob: Client, bob: User
) -> None:
    link, _ = links.make(club, alice)
    as_bob.post("/gallery/starter/copy/")
    own = Draft.objects.exclude(pk=club.pk).get()
    for what in ("revoke", "renew"):
        assert as_bob.post(f"/d/{own.slug}/share/links/{link.pk}/{what}/").status_code == 404
    link.refresh_from_db()
    assert link.is_live


def test_a_visitor_shares_a_design_of_the_gallery_as_a_copy(as_charlie: Client) -> None:
    answer = as_charlie.post("/d/starter/share/links/add/", WHOLE, follow=True)
    assert as_charlie.get(made_link(answer.content.decode())).status_code == 200
    assert Draft.objects.get().is_sandbox


def test_who_may_not_edit_sees_links_and_makes_none(
    club: Draft, alice: User, as_alice: Client
) -> None:
    links.make(club, alice, name="Auditors")
    assert club.project is not None
    viewer = User.objects.create(username="vera")
    Membership.objects.create(team=club.project.team, user=viewer, role=Role.VIEWER)
    page = client_of(viewer).get(URL).content.decode()
    assert "Auditors" in page
    assert "Create link" not in page
    assert "Revoke" not in page


def test_a_token_is_shown_once_and_kept_as_a_hash(club: Draft, as_alice: Client) -> None:
    sent = {"name": "Pipeline", "days": "365", "opens": "design"}
    page = as_alice.post(f"{URL}tokens/add/", sent, follow=True).content.decode()
    found = re.search(r'id="new-token"[^>]* value="(keywright_[^"]+)"', page)
    assert found is not None
    token = api_tokens.find(found[1])
    assert token is not None
    assert (token.draft, token.name) == (club, "Pipeline")
    assert example_of(page) == example_of(as_alice.get(URL).content.decode())
    assert found[1] not in str(ApiToken.objects.values().get())
    assert found[1] not in as_alice.get(URL).content.decode()


def example_of(page: str) -> str:
    """The one example of a page that says what a pipeline runs."""
    (example,) = re.findall(r"<pre[^>]*>(curl.*?)</pre>", page, re.S)
    return str(example)


def test_the_teams_page_lists_the_links_of_who_left_until_they_are_revoked(
    club: Draft, alice: User, bob: User, as_alice: Client
) -> None:
    assert club.project is not None
    team = club.project.team
    membership = Membership.objects.create(team=team, user=bob, role=Role.EDITOR)
    auditors, _ = links.make(club, bob, name="Auditors")
    links.make(club, alice, name="Partners")
    title = "Links of people who left"

    def page() -> str:
        return as_alice.get("/teams/team4alice/").content.decode()

    assert title not in page()
    teams.remove(membership)
    assert title in page() and "Tokens of people who left" not in page()
    assert f'<a href="{URL}">Auditors</a>' in page() and "Partners" not in page()
    bob.delete()
    assert ">someone who left</td>" in page()
    auditors.revoke()
    assert title not in page()


def test_a_link_that_goes_along_with_the_design_says_so(club: Draft, as_alice: Client) -> None:
    page = as_alice.post(f"{URL}links/add/", WHOLE, follow=True).content.decode()
    assert '<option value="live" selected>always the newest revision</option>' in page
    assert ">always the newest revision</td>" in page
    assert "Parts of the design" in page


def test_the_page_of_a_project_leads_to_its_tokens(club: Draft, as_alice: Client) -> None:
    assert club.project is not None
    url = f"/projects/{club.project.slug}/"
    page = as_alice.get(url).content.decode()
    assert f'href="{URL}#tokens-title"' in page and "or for the whole project" in page
    assert 'id="tokens-title"' in as_alice.get(URL).content.decode()
    assert "or for the whole project" not in editor_of(club).get(url).content.decode()


def test_the_page_of_a_project_says_what_each_token_reads(
    club: Draft, alice: User, as_alice: Client
) -> None:
    project = club.project
    assert project is not None
    shop = revisions.start(Draft(project=project), gallery.load("starter"), "Start", alice)
    api_tokens.make(project, alice, draft=shop, name="Nightly")
    api_tokens.make(project, alice, name="Deploy")
    gone, _ = api_tokens.make(project, alice, draft=club, name="Old")
    gone.revoke()
    page = as_alice.get(f"/projects/{project.slug}/").content.decode()
    tokens = " ".join(re.sub(r"<[^>]+>", " ", page.split('id="tokens-title"')[1]).split())
    assert f"Nightly reads {shop.name}" in tokens and "Deploy reads every design" in tokens
    assert f'href="/d/{shop.slug}/share/#tokens-title">Nightly</a>' in page
    assert "Old" not in tokens


def test_where_tokens_are_made_there_is_an_example(club: Draft, as_alice: Client) -> None:
    page = as_alice.get(URL).content.decode()
    assert "docs/" not in page
    example = example_of(page)
    address = "/api/v1/designs/club4alice/approved/templates/cloudformation/single"
    assert f'"http://testserver{address}"' in example
    answer = as_alice.get(address)
    assert answer.json()["type"] == "urn:keywright:no-token"


def test_only_an_owner_makes_and_revokes_a_token_for_a_whole_project(
    club: Draft, alice: User, as_alice: Client
) -> None:
    as_editor = editor_of(club)
    sent = {"opens": "project", "days": "always"}
    assert as_editor.post(f"{URL}tokens/add/", sent).status_code == 403
    assert as_alice.post(f"{URL}tokens/add/", sent).status_code == 302
    token = ApiToken.objects.get()
    assert token.draft is None
    assert as_editor.post(f"{URL}tokens/{token.pk}/revoke/").status_code == 403
    assert as_alice.post(f"{URL}tokens/{token.pk}/revoke/").status_code == 302
    token.refresh_from_db()
    assert token.state == "revoked"


def test_an_editors_token_is_theirs_to_revoke(club: Draft) -> None:
    as_editor = editor_of(club)
    as_editor.post(f"{URL}tokens/add/", {"opens": "design"})
    token = ApiToken.objects.get()
    as_editor.post(f"{URL}tokens/{token.pk}/revoke/")
    token.refresh_from_db()
    assert token.state == "revoked"


def test_a_sandbox_has_no_tokens(as_charlie: Client) -> None:
    as_charlie.post("/gallery/starter/copy/")
    slug = Draft.objects.get().slug
    answer = as_charlie.post(f"/d/{slug}/share/tokens/add/", {"opens": "design"})
    assert answer.status_code == 404


@pytest.mark.parametrize("value", ["gallery", "x", "-1", "99999999999"])
def test_an_odd_revision_in_the_address_changes_nothing(
    value: str, club: Draft, as_alice: Client
) -> None:
    assert as_alice.get(URL, {"revision": value}).status_code == 200
