"""Designs read by programs."""

import os
import re
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from designer.core.design import gallery
from designer.core.design.load import load
from designer.core.edits import new_design, replace_design
from designer.core.exporters import TEMPLATES
from designer.core.plan import ALL_STYLES
from designer.views import api
from projects import api_tokens, plans, revisions, teams
from projects.models import ApiToken, Draft, Project
from tests.web.conftest import approve, design_of
from tests.web.test_standing import reorder, word

ROOT = "/api/v1/designs/"
CLUB = f"{ROOT}club4alice/"
PARTS = ("document", "plans", "findings", "templates")
GUIDE = Path(__file__).parents[2] / "docs" / "ci.md"


@pytest.fixture
def secret(club: Draft, alice: User) -> str:
    assert club.project is not None
    return api_tokens.make(club.project, alice, draft=club)[1]


@pytest.fixture
def program(secret: str) -> Client:
    return bearing(secret)


def bearing(secret: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {secret}"})


def problem(answer: Any) -> tuple[int, str]:
    """The status and the kind of a problem, which is told in one form."""
    assert answer.headers["Content-Type"] == "application/problem+json"
    body = answer.json()
    assert set(body) == {"type", "title", "status", "detail"}
    assert body["status"] == answer.status_code
    assert body["detail"].endswith(".")
    return answer.status_code, body["type"].removeprefix("urn:keywright:")


def test_a_program_reads_what_follows_from_a_design(club: Draft, program: Client) -> None:
    (listed,) = program.get(ROOT).json()
    assert (listed["name"], listed["url"]) == ("Club", CLUB)
    about = program.get(listed["url"]).json()
    assert (about["draft"]["revision"], about["approved"]) == (1, None)
    revision = program.get(about["draft"]["url"]).json()
    assert revision["meaning"] == about["draft"]["meaning"] == revisions.current(club).meaning
    document = program.get(revision["document"])
    assert load(document.content) == design_of(club)
    for style in ALL_STYLES:
        plan = program.get(revision["plans"][style]).json()
        assert (plan["keywright_plan"], plan["style"]) == (1, style)
        found = program.get(revision["findings"][style]).json()
        assert {"rule", "severity", "where", "message", "set_aside"} <= set(found[0])
        template = program.get(revision["templates"]["cloudformation"][style])
        assert b"AWS::DynamoDB::" in template.content
        assert template.headers["Keywright-Revision"] == "1"


def test_the_first_answer_says_where_everything_is(
    club: Draft, alice: User, program: Client
) -> None:
    approve(club, alice)
    about = program.get(CLUB).json()
    for at in ("draft", "approved"):
        parts = {name: about[at].get(name) for name in PARTS}
        assert parts["document"] == f"{CLUB}{at}/document"
        revision = program.get(about[at]["url"]).json()
        assert parts == {name: revision[name] for name in PARTS}


def test_a_document_comes_as_text_too(club: Draft, program: Client) -> None:
    answer = program.get(f"{CLUB}draft/document", {"format": "yaml"})
    assert load(answer.content) == design_of(club)
    assert answer.content.startswith(b"keywright: 1")


def test_a_template_has_alarms_and_a_maximum_when_it_is_asked_for_them(
    club: Draft, alice: User
) -> None:
    assert club.project is not None
    busy = revisions.start(Draft(project=club.project), gallery.load("starter"), "Start", alice)
    program = bearing(api_tokens.make(club.project, alice, draft=busy)[1])
    url = f"{ROOT}{busy.slug}/draft/templates/terraform/single"
    assert b"cloudwatch_metric_alarm" not in program.get(url).content
    assert b"cloudwatch_metric_alarm" in program.get(url, {"alarms": "1"}).content
    assert b"on_demand_throughput" not in program.get(url).content
    assert b"on_demand_throughput" in program.get(url, {"maximum": "1"}).content


def test_each_revision_is_read_as_it_was(club: Draft, alice: User, program: Client) -> None:
    new = design_of(club).model_copy(update={"name": "Rowing club"})
    revisions.edit(club, lambda design: replace_design(design, new), "Call it otherwise", alice)
    names = {at: program.get(f"{CLUB}{at}/document").json()["name"] for at in ("draft", "1", "2")}
    assert names == {"draft": "Rowing club", "1": "Club", "2": "Rowing club"}


def test_the_approved_revision_stays_until_another_is_approved(
    club: Draft, alice: User, program: Client
) -> None:
    url = f"{CLUB}approved/templates/cloudformation/single"
    assert problem(program.get(url)) == (409, "not-approved")
    approve(club, alice)
    assert program.get(url).headers["Keywright-Revision"] == "1"
    assert b"judith" in program.get(url).content
    revisions.edit(
        club, lambda design: replace_design(design, new_design("Other")), "Begin anew", alice
    )
    assert program.get(url).headers["Keywright-Revision"] == "1"
    about = program.get(CLUB).json()
    assert (about["draft"]["revision"], about["approved"]["revision"]) == (2, 1)


def test_another_order_of_what_was_approved_is_not_approved(
    club: Draft, alice: User, program: Client
) -> None:
    approve(club, alice)
    reorder(club, alice)
    url = f"{CLUB}approved/templates/cloudformation/single"
    assert program.get(url).headers["Keywright-Revision"] == "1"
    later = program.get(f"{CLUB}draft/templates/cloudformation/single")
    assert b"Revision r2: changed since approval." in later.content


def test_a_template_says_in_which_words_it_was_approved(
    club: Draft, alice: User, program: Client
) -> None:
    approve(club, alice)
    word(club, "In other words", alice)
    answer = program.get(f"{CLUB}approved/templates/cloudformation/single")
    assert answer.headers["Keywright-Revision"] == "2"
    assert b"Approved by judith in the words of r1." in answer.content


def test_what_has_not_changed_is_not_sent_again(club: Draft, alice: User, program: Client) -> None:
    for page in ("", "document", "plan/multi", "findings/single", "templates/terraform/single"):
        url = f"{CLUB}draft/{page}"
        tag = program.get(url).headers["ETag"]
        again = program.get(url, headers={"If-None-Match": tag})
        assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    revisions.edit(
        club, lambda design: replace_design(design, new_design("Other")), "Begin anew", alice
    )
    assert program.get(url, headers={"If-None-Match": tag}).status_code == 200


def test_without_a_token_that_is_valid_there_is_nothing(club: Draft, secret: str) -> None:
    strangers = [
        Client(),
        bearing("keywright_of-nobody"),
        Client(headers={"Authorization": secret}),
    ]
    answers = [stranger.get(f"{ROOT}{page}") for stranger in strangers for page in ("", "x/")]
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    answers.append(bearing(secret).get(CLUB))
    ApiToken.objects.update(expires_at=None, revoked_at=timezone.now())
    answers.append(bearing(secret).get(CLUB))
    for answer in answers:
        assert problem(answer) == (401, "no-token")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        assert answer.content == answers[0].content


def test_a_token_opens_no_page(club: Draft, program: Client) -> None:
    for page in ("", "history/", "share/", "text/design.json", "exports/terraform/single/"):
        assert program.get(f"/d/{club.slug}/{page}").status_code == 404


def test_a_session_is_no_token(club: Draft, as_alice: Client) -> None:
    assert as_alice.get(CLUB).status_code == 401


def test_a_token_opens_its_design_only(
    club: Draft, alice: User, bob: User, program: Client
) -> None:
    beside = revisions.start(Draft(project=club.project), new_design("Beside"), "Start", alice)
    foreign = revisions.start(Draft(project=teams.home(bob)), new_design("Bob's"), "Start", bob)
    for other in (beside, foreign):
        assert problem(program.get(f"{ROOT}{other.slug}/")) == (404, "no-such-design")
    assert len(program.get(ROOT).json()) == 1
    assert club.project is not None
    whole = bearing(api_tokens.make(club.project, alice)[1])
    assert [each["name"] for each in whole.get(ROOT).json()] == ["Beside", "Club"]
    assert problem(whole.get(f"{ROOT}{foreign.slug}/")) == (404, "no-such-design")


def test_a_token_does_not_follow_its_design_elsewhere(
    club: Draft, alice: User, program: Client
) -> None:
    assert club.project is not None
    club.project = Project.objects.create(team=club.project.team, name="Elsewhere")
    club.save()
    assert problem(program.get(CLUB)) == (404, "no-such-design")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (f"{CLUB}later/", (404, "no-such-revision")),
        (f"{CLUB}2/document", (404, "no-such-revision")),
        (f"{CLUB}{'9' * 40}/", (404, "no-such-revision")),
        (f"{CLUB}draft/plan/none", (404, "no-such-style")),
        (f"{CLUB}draft/templates/pdf/single", (404, "no-such-template")),
        (f"{CLUB}draft/document?format=xml", (400, "no-such-format")),
        ("/api/v1/teams/", (404, "no-such-address")),
    ],
)
def test_what_is_not_there_is_said_as_a_problem(
    path: str, expected: tuple[int, str], program: Client
) -> None:
    assert problem(program.get(path)) == expected


def test_nothing_is_written(program: Client) -> None:
    for method in ("post", "put", "delete"):
        answer = getattr(program, method)(f"{CLUB}draft/document")
        assert problem(answer) == (405, "only-read")
        assert answer.headers["Allow"] == "GET, HEAD"


def test_a_plan_that_is_not_ready_is_asked_for_again(
    program: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plans, "plan_of", lambda *asked: None)
    answer = program.get(f"{CLUB}draft/plan/single")
    assert problem(answer) == (503, "planning")
    assert answer.headers["Retry-After"] == "2"
    assert "ETag" not in answer.headers


def test_its_use_is_counted(program: Client) -> None:
    program.get(CLUB)
    program.get(ROOT)
    token = ApiToken.objects.get()
    assert token.used == 2
    assert token.used_at is not None


def shells() -> dict[str, tuple[str, str]]:
    """The shell of each example in the guide, and the file that it fetches."""
    blocks = [
        yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", GUIDE.read_text(), re.S)
    ]
    github, gitlab = blocks
    fetch = next(
        step for step in github["jobs"]["tables"]["steps"] if "KEYWRIGHT_URL" in step.get("env", {})
    )
    (script,) = gitlab["approved-template"]["script"]
    return {"github": (fetch["run"], "tables.yaml"), "gitlab": (script, "tables.tf")}


@pytest.mark.parametrize("kind", ["github", "gitlab"])
def test_the_guides_example_fetches_what_is_approved_and_fails_without(
    kind: str,
    transactional_db: None,
    live_server: LiveServer,
    alice: User,
    club: Draft,
    secret: str,
    tmp_path: Path,
) -> None:
    shell, name = shells()[kind]

    def run(token: str) -> tuple[int, str]:
        given = {
            "PATH": os.environ["PATH"],
            "KEYWRIGHT_URL": live_server.url,
            "KEYWRIGHT_DESIGN": club.slug,
            "KEYWRIGHT_TOKEN": token,
        }
        ran = subprocess.run(
            ["sh", "-ec", shell],
            cwd=tmp_path,
            env=given,
            capture_output=True,
            text=True,
            check=False,
        )
        return ran.returncode, ran.stderr

    status, said = run(secret)
    assert status != 0
    assert "No revision of this design is approved." in said
    assert not (tmp_path / name).exists()
    approve(club, alice)
    assert run(secret) == (0, "")
    assert "DynamoDB tables of Club" in (tmp_path / name).read_text()
    status, said = run("keywright_of-nobody")
    assert status != 0
    assert "Send a valid token" in said


def test_the_guide_names_every_problem_and_every_template() -> None:
    guide = GUIDE.read_text()
    source = Path(api.__file__).read_text()
    kinds = re.findall(r'ProblemError\(\s*\d+,\s*"([a-z-]+)"', source)
    assert len(kinds) > 8
    assert [kind for kind in kinds if kind not in guide] == []
    assert [slug for slug in TEMPLATES if f"`{slug}`" not in guide] == []
