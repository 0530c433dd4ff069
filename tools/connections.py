"""How clients are listened to: waitress, in each of gunicorn's processes.

One loop of each process reads requests and sends answers, so that a client who sends or reads slowly, or says nothing,
holds no thread: a thread gets a request when all of it is there, and is free again when its answer is written down.
gunicorn begins these processes, watches them, and ends them.
"""

import resource
import select
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Thread
from typing import Any

from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from designer.garbage import give_back
from tools.loads import loads

PATIENCE = 20.0
"""Seconds that a client has to send a request, or to take an answer."""
BETWEEN = 75.0
"""Seconds that a client has after one answer to begin the next request. A proxy that keeps connections must be the one
that closes them: otherwise it sends a request while the site closes, and may not send it again. nginx and the load
balancers of AWS keep them for 60 s.
"""
LEAST_RATE = 10_000
"""Bytes a second that a client has to send or take for it to have its time still before it. What it takes at once
gives it no more than that: the system alone takes megabytes for it."""
CONNECTIONS = 500
"""Of a process at once. For a further one, one that waits for its client is closed."""
BACKLOG = 512
"""Connections that wait to be taken."""
HEADERS = 64 * 1024
"""Bytes of all headers of a request."""
BODY = 24 * 1024 * 1024
"""Bytes of a request: more than the site takes (a schema of 20 MB), so that it says so in words."""
BODIES = 256 * 1024 * 1024
"""Bytes that a process keeps of requests that were not answered."""
FILES = 4 * CONNECTIONS
"""Files that a process may have open: a connection, and what of it is kept in files."""
SWITCH = 0.0005
"""Seconds that a thread computes while others of its process want to (`sys.setswitchinterval`). A page asks the
database forty times, and each time lets go of the interpreter: with Python's 5 ms it waits for 0.2 s beside one thread
that only computes.
"""
TRIM_EVERY = 10.0
"""Seconds after which a process gives back the memory that it needs no more."""
TO_BE_READ = 0.2
"""Seconds in which requests that were sent before the end are read."""
REFUSED_AT_MOST = 0.02
"""Of a processor: what it may take to refuse requests. A flood sends more than can be refused, and each thread that
refuses holds up all that answer.
"""
READ_AT_ONCE = 128 * 1024
"""Bytes that are read of a request at once. With the 8 KiB of waitress, a megabyte takes 125 turns of the loop."""
ONE_TURN = 0.5
"""Seconds until the loop looks whether it is to end, when nothing happens."""
BUSY_TURN = 0.02
"""The same while requests are answered: other processes may have become busier meanwhile."""
LEFT = 0.02
"""Seconds for which a process leaves a connection to others that answer fewer requests."""


class Connection(HTTPChannel):  # type: ignore[misc]
    """Knows how long its client is waited for."""

    def __init__(self, *args: Any, **more: Any) -> None:
        self.was_answered = False
        self._wait_for_client()
        super().__init__(*args, **more)

    @property
    def waits_for_client(self) -> bool:
        return not self.requests or self.total_outbufs_len > 0

    @property
    def kept(self) -> int:
        """Bytes of requests that were not answered."""
        return self.sent_so_far if self.request is not None or self.requests else 0

    @property
    def is_between(self) -> bool:
        """Whether all requests were answered, and no other was begun."""
        is_idle = self.request is None and not self.requests and not self.total_outbufs_len
        return self.was_answered and is_idle

    def is_late(self, now: float) -> bool:
        more = BETWEEN - PATIENCE if self.is_between else 0.0
        return self.waits_for_client and now > self.late_at + more

    def _wait_for_client(self) -> None:
        self.late_at, self.sent_so_far = time.monotonic() + PATIENCE, 0

    def _moved(self, count: int) -> None:
        """Note that the client sent or took so many bytes."""
        most = time.monotonic() + PATIENCE
        self.late_at = min(self.late_at + count / LEAST_RATE, most)

    def received(self, data: bytes) -> bool:
        if self.is_between:
            self._wait_for_client()
        self.sent_so_far += len(data)
        self._moved(len(data))
        return bool(super().received(data))

    def send(self, data: bytes, do_close: bool = True) -> int:
        sent = int(super().send(data, do_close))
        self._moved(sent)
        return sent

    def write_soon(self, data: Any) -> int:
        if not self.total_outbufs_len:  # the client had taken all there was
            self._wait_for_client()
        return int(super().write_soon(data))

    def service(self) -> None:
        """Answer one request, in a thread."""
        if self.server.is_ending:
            self.requests[0].headers["CONNECTION"] = "close"  # as if the client had asked for it
        super().service()
        self.was_answered = True
        self._wait_for_client()


class Server(TcpWSGIServer):  # type: ignore[misc]
    """Listens at one socket."""

    channel_class = Connection
    is_ending = False

    def __init__(
        self, *args: Any, lane: "Lane | None" = None, place: int = -1, **more: Any
    ) -> None:
        self.lane = lane
        self._place = place
        self._waits_since: float | None = None
        super().__init__(*args, **more)

    def add_task(self, task: Connection) -> None:
        """Let a thread answer the first request of a connection."""
        if self.lane is not None and self.lane.is_for(task):
            self.lane.add_task(task)
        else:
            self.task_dispatcher.add_task(task)

    def readable(self) -> bool:
        """Whether to take further connections: not while requests wait for a thread here, and not at once while
        another process answers fewer, so that it takes them.
        """
        if not super().readable() or self.task_dispatcher.queue:
            return False
        return loads.is_least(self._place) or self._is_left()

    def _is_left(self) -> bool:
        """Whether somebody waits whom no other process has taken for a while: one that computes in a library cannot."""
        if not select.select([self.socket], [], [], 0)[0]:
            self._waits_since = None
            return False
        now = time.monotonic()
        self._waits_since = now if self._waits_since is None else self._waits_since
        return now - self._waits_since > LEFT

    def handle_accept(self) -> None:
        self._waits_since = None  # the next one is left to others anew
        while len(self.active_channels) >= CONNECTIONS and self._make_room():
            pass
        super().handle_accept()

    def handle_close(self) -> None:
        """The supervisor listens no more."""
        self.del_channel()

    def end(self) -> None:
        """Listen no more, but take who was let in by the system already: they have sent their requests."""
        self.is_ending = True
        for _ in range(BACKLOG):
            if not select.select([self.socket], [], [], 0)[0]:
                break
            self.handle_accept()
        self.del_channel()  # others may go on listening at its socket

    def maintenance(self, now: float) -> None:
        """Close what is late, and what keeps most where too much is kept. At once: waitress would wait until the client
        takes something.
        """
        every = list(self.active_channels.values())
        moment = time.monotonic()
        for each in every:
            if each.is_late(moment):
                each.handle_close()
        kept = sum(each.kept for each in every)
        for each in sorted(every, key=lambda each: each.kept, reverse=True):
            if kept <= BODIES:
                break
            kept -= each.kept
            each.handle_close()

    def _make_room(self) -> bool:
        """Close the connection that waits longest for its client, of the address that has most."""
        idle = [each for each in self.active_channels.values() if each.waits_for_client]
        if not idle:
            return False
        of_each = Counter(each.addr[0] for each in idle)
        min(idle, key=lambda each: (-of_each[each.addr[0]], each.late_at)).handle_close()
        return True


def serving(
    app: Any,
    sock: socket.socket,
    everything: dict[int, Any],
    threads: ThreadedTaskDispatcher,
    lane: "Lane | None" = None,
    place: int = -1,
) -> Server:
    """What answers for a WSGI application at a socket, and adds itself to all that one loop looks after."""
    adjustments = Adjustments(
        sockets=[sock],
        backlog=BACKLOG,
        ident="",
        asyncore_use_poll=True,
        recv_bytes=READ_AT_ONCE,
        log_socket_errors=False,
        # The site reads what its proxy says, when it is told that there is one.
        clear_untrusted_proxy_headers=False,
        connection_limit=2 * CONNECTIONS,
        cleanup_interval=1,
        max_request_header_size=HEADERS,
        max_request_body_size=BODY,
    )
    where = (sock.family, sock.type, sock.proto, sock.getsockname())
    return Server(
        app,
        everything,
        _sock=sock,
        dispatcher=threads,
        adj=adjustments,
        sockinfo=where,
        bind_socket=False,
        lane=lane,
        place=place,
    )


class Lane:
    """One thread, with rests, for what is refused."""

    def __init__(self, refuses: Callable[[Mapping[str, str], str], bool]) -> None:
        """`refuses` says of the headers of a request, by names as in `X_FORWARDED_FOR`, and of the address of its
        client whether it is refused, without asking anybody.
        """
        self._refuses = refuses
        self._thread = ThreadedTaskDispatcher()
        self._thread.set_thread_count(1)

    def is_for(self, connection: Connection) -> bool:
        """Whether the first request of a connection is refused."""
        return self._refuses(connection.requests[0].headers, connection.addr[0])

    def add_task(self, connection: Connection) -> None:
        self._thread.add_task(_Refusal(self, connection))

    def shutdown(self) -> None:
        self._thread.shutdown()


@dataclass(frozen=True)
class _Refusal:
    lane: Lane
    connection: Connection

    def service(self) -> None:
        """Refuse a request, or let it be answered where it waited long enough, and rest."""
        if not self.lane.is_for(self.connection):
            self.connection.server.task_dispatcher.add_task(self.connection)
            return
        began = time.thread_time()
        self.connection.service()
        time.sleep((time.thread_time() - began) * (1 / REFUSED_AT_MOST - 1))

    def cancel(self) -> None:
        self.connection.cancel()


class ConnectionWorker(Worker):  # type: ignore[misc]
    """A process of gunicorn's that listens with waitress."""

    place = -1
    """Where its load is noted. The server says it before it forks."""

    def run(self) -> None:
        _allow_files()
        sys.setswitchinterval(SWITCH)
        everything: dict[int, Any] = {}
        threads = ThreadedTaskDispatcher()
        threads.set_thread_count(self.cfg.threads)
        lane = Lane(_refuses())
        idle = _idle()
        servers = [
            serving(self.wsgi, each.sock, everything, threads, lane, self.place)
            for each in self.sockets
        ]
        trim_at = 0.0
        while self.alive:
            busy = threads.active_count + len(threads.queue) - idle()
            loads.note(self.place, busy)
            wasyncore.poll2(BUSY_TURN if busy > 0 else ONE_TURN, everything)
            self.notify()
            if time.monotonic() > trim_at:
                trim_at = time.monotonic() + TRIM_EVERY
                Thread(target=give_back, daemon=True).start()
        loads.leave(self.place)
        for server in servers:
            server.end()
        soon = time.monotonic() + TO_BE_READ
        end = time.monotonic() + self.cfg.graceful_timeout
        while (now := time.monotonic()) < end:
            if now > soon and not any(map(_is_busy, everything.values())):
                break
            wasyncore.poll2(0.05, everything)
            self.notify()


def _refuses() -> Callable[[Mapping[str, str], str], bool]:
    # Once the site is loaded: its models cannot be imported before.
    from projects.turned_away import is_turned_away

    return is_turned_away


def _idle() -> Callable[[], int]:
    """How many of the requests that threads have only wait for their turn."""
    from projects.gate import answering

    return answering.idle


def _is_busy(each: object) -> bool:
    """Whether it is a connection whose client is to get something yet."""
    return isinstance(each, Connection) and bool(each.requests or each.total_outbufs_len)


def _allow_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
