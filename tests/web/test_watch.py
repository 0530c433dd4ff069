"""What those see who run the site: metrics, and lines of the log that name nobody."""

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.test import Client, RequestFactory
from django.utils.module_loading import import_string
from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from designer import logs
from designer.core.messages import say
from projects import mail, queues
from projects.models import Draft
from projects.refused import RefusedError

ROOT = Path(__file__).resolve().parents[2]


class Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.setFormatter(logs.DiscreetJson())
        for each in logs.config("json")["filters"].values():
            self.addFilter(import_string(each["()"])())

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def said() -> Iterator[list[str]]:
    """The lines of JSON that the site would write."""
    handler = Lines()
    loggers = [logging.getLogger(name) for name in ("designer.watch", "django", "axes")]
    before = [each.level for each in loggers]
    for each in loggers:
        each.addHandler(handler)
        each.setLevel("INFO")
    yield handler.lines
    for each, level in zip(loggers, before, strict=True):
        each.removeHandler(handler)
        each.setLevel(level)


def counted(view: str, status: str) -> float:
    labels = {"view": view, "status": status}
    return REGISTRY.get_sample_value("keywright_request_seconds_count", labels) or 0


@pytest.mark.django_db
def test_each_request_is_counted_by_its_view_and_not_by_its_address(client: Client) -> None:
    before = counted("landing", "2xx"), counted("none", "4xx")
    client.get("/")
    client.get("/no-such-page/")
    assert (counted("landing", "2xx"), counted("none", "4xx")) == (before[0] + 1, before[1] + 1)


@pytest.mark.django_db
def test_a_request_has_an_id_and_keeps_a_sane_one_of_its_proxy(client: Client) -> None:
    own = client.get("/").headers["X-Request-ID"]
    assert len(own) == 32
    given = "0b7c9f7e-5a51-4d2b-8f0e-0123456789ab"
    assert client.get("/", headers={"X-Request-ID": given}).headers["X-Request-ID"] == given
    for strange in ("short", "x" * 65, 'a","level":"x"', "line\tbreak-here"):
        answer = client.get("/", headers={"X-Request-ID": strange})
        assert answer.headers["X-Request-ID"] != strange


@pytest.mark.django_db
def test_a_line_of_a_request_tells_its_view_status_time_and_id(
    client: Client, said: list[str]
) -> None:
    number = client.get("/").headers["X-Request-ID"]
    line = json.loads(said[-1])
    assert line["time"].endswith("Z")
    assert line.pop("milliseconds") > 0
    assert {key: line[key] for key in line if key != "time"} == {
        "level": "INFO", "logger": "designer.watch", "message": "answered", "view": "landing",
        "method": "GET", "status": 200, "request_id": number,
    }  # fmt: skip


def test_every_line_of_a_refusal_has_the_id_of_its_request(
    club: Draft, as_alice: Client, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Django writes these when the request has been answered."""

    def refused(*_: object) -> None:
        raise RefusedError("quota", say("site-busy"))

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    as_alice.raise_request_exception = False
    answers = [
        as_alice.get("/no-such-page/"),
        as_alice.post("/d/club4alice/text/", {"text": "x"}),
        as_alice.get("/d/club4alice/undo/"),
        as_alice.get("/readyz"),
    ]
    for instead in (refused, broken):
        monkeypatch.setattr("projects.revisions.latest", instead)
        answers.append(as_alice.get("/d/club4alice/text/"))
    assert [each.status_code for each in answers] == [404, 422, 405, 503, 429, 500]
    lines = [json.loads(line) for line in said]
    for answer in answers:
        number = answer.headers["X-Request-ID"]
        loggers = {line["logger"] for line in lines if line.get("request_id") == number}
        assert loggers >= {"django.request"}, (answer.status_code, lines)


def test_no_line_names_who_asks_or_what_opens_something(
    club: Draft, as_alice: Client, said: list[str]
) -> None:
    User.objects.create_user("zenobia", "zenobia@example.com", "correct horse")
    visitor = Client(
        headers={"Host": "keywright.example.com", "User-Agent": "Netscape"},
        REMOTE_ADDR="203.0.113.77",
    )
    for _ in range(11):
        Client(REMOTE_ADDR="203.0.113.77").post(
            "/sign-in/", {"username": "zenobia", "password": "wrong guess"}
        )
    visitor.get("/")  # not one of the site's hosts
    as_alice.get("/d/club4alice/?q=zenobia@example.com")
    secret = "s3cretS3cretS3cretS3cretS3cret"
    for address in (f"/s/{secret}/", f"/join/{secret}/", f"/nothing/?token={secret}"):
        as_alice.get(address)
    whole = "\n".join(said)
    assert "Locking out somebody" in whole
    assert "Not Found" in whole
    for hidden in ("zenobia", "wrong guess", "203.0.113.77", secret, "Netscape", "alice"):
        assert hidden not in whole, hidden
    assert all(set(json.loads(line)) <= logs.FIELDS for line in said)


def test_lines_of_what_went_wrong_name_views_instead_of_addresses(
    club: Draft,
    as_alice: Client,
    as_charlie: Client,
    said: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    as_charlie.get("/d/club4alice/")
    as_alice.post("/d/club4alice/text/", {"text": "x"})
    as_alice.get("/d/club4alice/undo/")
    as_alice.get("/d/no-such-page-\u00e9/nothing/")
    strict = Client(enforce_csrf_checks=True)
    strict.post(
        "/d/club4alice/text/", secure=True, headers={"Referer": "https://a.example/d/club4alice/"}
    )
    monkeypatch.setattr("projects.revisions.latest", broken)
    as_alice.raise_request_exception = False
    as_alice.get("/d/club4alice/text/")
    lines = [json.loads(line) for line in said]
    messages = {line["message"] for line in lines if line["logger"] != "designer.watch"}
    assert messages >= {
        "Not Found: workspace", "Unprocessable Entity: text", "Method Not Allowed (GET): undo",
        "Not Found: none", "Internal Server Error: text",
    }  # fmt: skip
    assert any(
        message.startswith("Forbidden (Referer checking failed - ...") for message in messages
    )
    for line in lines:
        assert "club4alice" not in line["message"] and "no-such" not in line["message"]


@pytest.mark.parametrize(
    ("line", "discreet"),
    [
        ("Invalid request from ip=192.0.2.7: x", "Invalid request from ip=...: x"),
        ("from 2001:db8::7 at 12:30:59", "from ... at 12:30:59"),
        ("Key (email)=(ana.b+c@example.co.uk) already exists", "Key (email)=(...) already exists"),
        ("version 1.2.3 of r12", "version 1.2.3 of r12"),
    ],
)
def test_addresses_of_people_and_machines_are_left_out(line: str, discreet: str) -> None:
    assert logs.discreet(line) == discreet


def test_a_traceback_stands_in_its_line(said: list[str]) -> None:
    try:
        raise ValueError("for ana@example.com")
    except ValueError:
        logging.getLogger("django").exception("It broke")
    line = json.loads(said[-1])
    assert "ValueError: for ..." in line["exc_info"]


def test_plain_lines_end_with_the_id_of_their_request() -> None:
    record = logging.LogRecord("x", logging.WARNING, "", 0, "Odd", (), None)
    assert logs.Discreet().format(record) == "Odd"
    token = logs.request_id.set("abc")
    try:
        assert logs.Discreet().format(record) == "Odd [abc]"
    finally:
        logs.request_id.reset(token)
    request = RequestFactory().get("/")
    request.META[logs.NUMBER] = "def"
    vars(record)["request"] = request
    assert logs.Discreet().format(record) == "Odd [def]"


def test_figures_of_all_processes_are_summed(tmp_path: Path) -> None:
    program = "from designer import metrics; metrics.refused('throttle'); metrics.planned('plan', 'ok', 0.2)"
    for _ in range(2):
        environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
        subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, check=True)
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(tmp_path))
    text = generate_latest(registry).decode()
    assert 'keywright_refused_total{reason="throttle"} 2.0' in text
    assert 'keywright_planning_seconds_count{kind="plan",outcome="ok"} 2.0' in text


def test_a_process_that_counts_nothing_leaves_no_file(tmp_path: Path) -> None:
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    program = "from designer import metrics"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, check=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.django_db
def test_what_waits_in_a_queue_is_told_with_the_age_of_the_oldest() -> None:
    from django.utils import timezone
    from django_tasks_db.models import DBTaskResult

    for _ in range(2):
        DBTaskResult.objects.create(
            queue_name="mail", backend_name="default", task_path="x", args_kwargs={},
            run_after=timezone.now(),
        )  # fmt: skip
    DBTaskResult.objects.update(enqueued_at=timezone.now() - timezone.timedelta(seconds=90))
    (mail,) = queues.queues()
    assert (mail["queue_name"], mail["waiting"]) == ("mail", 2)
    assert 90 <= mail["oldest_seconds"] < 150


@pytest.mark.django_db
@pytest.mark.parametrize(("error", "outcome"), [(None, "sent"), (OSError("no"), "failed")])
def test_letters_are_counted_by_what_became_of_them(
    error: OSError | None, outcome: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deliver(letter: EmailMessage) -> None:
        if error is not None:
            raise error

    def count() -> float:
        return REGISTRY.get_sample_value("keywright_letters_total", {"outcome": outcome}) or 0

    monkeypatch.setattr(EmailMessage, "send", deliver)
    before = count()
    with suppress(OSError):
        mail.send("ana@example.com", "confirm", {"link": "x"})
    assert count() == before + 1


@pytest.mark.parametrize("sign", ["a", "a.", "1.", "a:", "a@b.", "/password/a"])
def test_a_long_line_is_made_discreet_in_no_time(sign: str) -> None:
    """A line of 100 KB once took 18 s."""
    began = time.process_time()
    logs.discreet(sign * (100_000 // len(sign)) + " ana@example.com")
    assert time.process_time() - began < 1


def test_an_address_behind_a_long_word_is_hidden() -> None:
    assert "example" not in logs.discreet("x" * 5000 + ".ana@example.com")


def test_a_wrong_host_leaves_one_line_and_no_traceback(
    db: None, caplog: pytest.LogCaptureFixture
) -> None:
    assert Client().get("/", headers={"Host": "evil.example"}).status_code == 400
    (record,) = [each for each in caplog.records if each.name.startswith("django.security")]
    line = logs.Discreet("{levelname} {message}", style="{").format(record)
    assert line.startswith("WARNING") and "Traceback" not in line
