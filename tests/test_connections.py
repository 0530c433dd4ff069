"""Clients who are slow, or say nothing, hold no thread and go in the end; nobody else notices them."""

import logging
import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from waitress import wasyncore
from waitress.task import ThreadedTaskDispatcher

from tools import connections

ROOT = Path(__file__).resolve().parent.parent
DEFAULT_BETWEEN = connections.BETWEEN
KEPT_BY_PROXIES = 60
"""Seconds for which nginx (`keepalive_timeout` of an upstream) and the load balancers of AWS keep a connection."""
LARGE = 12_000_000
"""Bytes of the answer to /large: far more than the system keeps for who does not read."""


REFUSAL = 0.02
"""Seconds of a processor that it takes to refuse somebody."""


def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    if "HTTP_X_FLOOD" in environ:
        end = time.thread_time() + REFUSAL
        while time.thread_time() < end:
            pass
    size = LARGE if environ["PATH_INFO"] == "/large" else 2
    environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(size))])
    return [b"x" * size]


@pytest.fixture
def refuses() -> dict[str, bool]:
    """Whether floods are refused."""
    return {"all": True}


@pytest.fixture
def server(
    monkeypatch: pytest.MonkeyPatch, refuses: dict[str, bool]
) -> Iterator[connections.Server]:
    """A site with two threads, which waits half a second for clients, and refuses who says X-Flood."""
    monkeypatch.setattr(connections, "PATIENCE", 0.5)
    monkeypatch.setattr(connections, "BETWEEN", 0.5)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    threads = ThreadedTaskDispatcher()
    threads.set_thread_count(2)
    lane = connections.Lane(lambda headers, address: refuses["all"] and "X_FLOOD" in headers)
    everything: dict[int, Any] = {}
    is_over = False

    def loop() -> None:
        while not is_over:
            wasyncore.poll2(0.05, everything)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = connections.serving(app, listener, everything, threads, lane)
        looping = Thread(target=loop, daemon=True)
        looping.start()
        yield server
        is_over = True
        looping.join()
        for each in list(server.active_channels.values()):
            each.handle_close()
        threads.shutdown()
        lane.shutdown()
        server.trigger.close()
        wasyncore.close_all(everything)


@pytest.fixture
def port(server: connections.Server) -> int:
    return int(server.effective_port)


def opened(port: int, said: bytes = b"") -> socket.socket:
    client = socket.create_connection(("127.0.0.1", port), timeout=20)
    client.sendall(said)
    return client


def answer(client: socket.socket) -> bytes:
    found = b""
    with suppress(OSError):
        while more := client.recv(1_000_000):
            found += more
    return found


GET = b"GET /%b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
CUT_OFF = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc"


def seconds_to_answer(port: int) -> float:
    """Seconds until somebody ordinary has an answer."""
    asked = time.monotonic()
    with opened(port, GET % b"") as client:
        assert answer(client).endswith(b"\r\n\r\nxx")
    return time.monotonic() - asked


@pytest.mark.parametrize("said", [b"", b"GET / HT", CUT_OFF, GET % b"large"])
def test_who_is_slow_holds_up_nobody(
    port: int, said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 20.0)
    slow = [opened(port, said) for _ in range(20)]
    time.sleep(0.3)
    assert seconds_to_answer(port) < 10  # half of what the slow ones are waited for
    for each in slow:
        each.close()


@pytest.mark.parametrize("said", [b"", b"GET / HT", CUT_OFF])
def test_who_does_not_go_on_is_let_go(port: int, said: bytes) -> None:
    with opened(port, said) as client:
        assert answer(client) == b""


def test_who_does_not_read_is_let_go(server: connections.Server, port: int) -> None:
    with opened(port, GET % b"large") as client:
        time.sleep(0.3)
        assert server.active_channels
        time.sleep(4)
        assert not server.active_channels
        assert len(answer(client)) < LARGE


def test_who_sends_at_a_decent_rate_is_waited_for(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 3.0)
    head = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 160000\r\n\r\n"
    with opened(port, head) as client:
        for _ in range(16):
            time.sleep(0.25)
            client.sendall(b"x" * 10_000)
        assert answer(client).endswith(b"\r\n\r\nxx")


def next_answer(client: socket.socket) -> bytes:
    client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    found = b""
    while not found.endswith(b"xx"):
        more = client.recv(10_000)
        assert more, "it was closed"
        found += more
    return found


def test_a_connection_is_kept_between_requests(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 2.0)
    with opened(port) as client:
        for _ in range(8):
            assert next_answer(client).startswith(b"HTTP/1.1 200")
            time.sleep(0.3)


def test_a_proxy_that_keeps_connections_is_the_one_that_closes_them(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it may not send again what changes something, when the site closes while it sends that."""
    assert DEFAULT_BETWEEN > KEPT_BY_PROXIES
    text = (ROOT / "docs" / "operations.md").read_text()
    assert f"for {DEFAULT_BETWEEN:.0f} s after an answer" in text
    monkeypatch.setattr(connections, "BETWEEN", 20.0)
    with opened(port) as client:
        for _ in range(2):
            assert next_answer(client)
            time.sleep(2.5)  # five times what it has to send a request
        assert next_answer(client)


def test_the_next_request_is_not_waited_for_longer_than_the_first_one(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "BETWEEN", 20.0)
    with opened(port) as client:
        assert next_answer(client)
        time.sleep(1)
        client.sendall(CUT_OFF)
        begun = time.monotonic()
        assert answer(client) == b""
        assert time.monotonic() - begun < 10


def test_a_connection_that_is_not_used_again_is_let_go(port: int) -> None:
    with opened(port) as client:
        assert next_answer(client)
        assert answer(client) == b""


def test_at_the_end_who_was_let_in_is_answered_and_told_to_come_no_more(
    server: connections.Server, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "BETWEEN", 20.0)
    with opened(port) as client:
        assert next_answer(client)
        server.end()
        found = next_answer(client)
        assert b"Connection: close" in found
        assert answer(client) == b""


def test_the_longest_waiting_goes_when_there_are_too_many(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 60.0)
    monkeypatch.setattr(connections, "CONNECTIONS", 10)
    idle = [opened(port) for _ in range(30)]
    with opened(port, GET % b"") as client:
        assert answer(client).endswith(b"xx")
    assert answer(idle[0]) == b""
    for each in idle:
        each.close()


def test_what_is_kept_of_requests_has_a_bound(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 60.0)
    monkeypatch.setattr(connections, "BODIES", 200_000)
    head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 400000\r\n\r\n"
    with opened(port, head + b"x" * 250_000) as client, opened(port, head + b"x") as small:
        assert answer(client) == b""
        small.sendall(b"x" * 100)


def test_what_is_too_large_is_refused(port: int) -> None:
    with opened(port, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99000000\r\n\r\n") as client:
        assert answer(client).startswith(b"HTTP/1.1 413")


FLOOD = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Flood: 1\r\nConnection: close\r\n\r\n"


def answered(clients: list[socket.socket], seconds: float) -> int:
    """How many of them have an answer, after so many seconds."""
    time.sleep(seconds)
    return sum(bool(select.select([each], [], [], 0)[0]) for each in clients)


def test_who_is_refused_holds_up_nobody(
    port: int, refuses: dict[str, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A flood has one thread, which rests most of the time."""
    monkeypatch.setattr(connections, "PATIENCE", 60.0)
    monkeypatch.setattr(connections, "REFUSED_AT_MOST", 0.01)
    flood = [opened(port, FLOOD) for _ in range(20)]
    time.sleep(0.3)
    assert seconds_to_answer(port) < 1.5
    assert 1 <= answered(flood, 0.5) <= 3  # each is followed by a rest of two seconds
    # Who waited until they are refused no more is answered as others are.
    refuses["all"] = False
    assert answered(flood, 4) == 20
    for each in flood:
        each.close()
