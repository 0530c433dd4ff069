"""Start the site's processes, start again whichever dies, and end all of them together.

    python -m tools.supervise [--bind ADDRESS:PORT] [PART ...]

The parts are `web` and the workers' queues `plans`, `proofs` and `mail`; all of them where none is named. With
KEYWRIGHT_METRICS_PORT there is `metrics` besides. PORT chooses the port; without it and --bind the first free one from
8000 on is taken, for this machine only.

This process holds the socket, so that while the web server is started again visitors wait instead of being refused.
Each part has a process group of its own, which is killed with it, and is ended by the kernel when this process is gone.

supervisord does neither, gives up on what dies too often, and cannot do without a file for its process id.
"""

import argparse
import logging.config
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType

from designer import logs
from designer.processes import end_with_parent
from tools import scratch
from tools.serve import chosen_port

log = logging.getLogger("tools.supervise")

ROOT = Path(__file__).resolve().parent.parent
QUEUES = ("plans", "proofs", "mail")
PATIENCE = 5.0
"""Seconds that a part may take to end. Containers are killed after ten."""
LET_IN = 1.0
"""Seconds in which the web server takes those whom the system has let in, before all others are refused."""
LONGEST_PAUSE = 10.0
"""Seconds between two starts of what dies at once each time."""


@dataclass
class Part:
    """A process that is to be there, with whatever it starts."""

    name: str
    command: list[str]
    fds: tuple[int, ...] = ()
    is_vital: bool = False
    """Without it nothing is worth going on: those who come would wait, where another host might serve them."""
    folder: Path | None = None
    """Where it keeps files while it lives, in place of the system's folder for temporary files."""
    pid: int = 0
    pause: float = 0.0
    begun: float = 0.0
    due: float = 0.0

    def start(self) -> None:
        environment = None
        if self.folder is not None:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            environment = {**os.environ, "TMPDIR": str(self.folder)}
        process = subprocess.Popen(
            [sys.executable, *self.command],
            cwd=ROOT,
            env=environment,
            pass_fds=self.fds,
            stdin=subprocess.DEVNULL,
            # Ctrl+C reaches it through this process alone. Not a session of its own: Linux shares the processors out
            # between sessions first (sched_autogroup), so that a nice worker would get as much as the web server.
            process_group=0,
            preexec_fn=partial(end_with_parent, os.getpid()) if sys.platform == "linux" else None,
        )
        process.returncode = 0  # `reap` waits for it
        self.pid, self.begun = process.pid, time.monotonic()

    def try_to_start(self) -> None:
        """Start it, or try again in a while where the system has no room for a process."""
        try:
            self.start()
        except (OSError, subprocess.SubprocessError) as error:
            self.due = time.monotonic() + LONGEST_PAUSE
            log.warning("%s cannot be started (%s); trying again", self.name, error)

    def died(self, status: int) -> None:
        self.send(signal.SIGKILL)
        scratch.empty(self.folder)
        now = time.monotonic()
        at_once = now - self.begun < LONGEST_PAUSE
        self.pause = min(LONGEST_PAUSE, max(0.5, self.pause * 2)) if at_once else 0.0
        self.pid, self.due = 0, now + self.pause
        how = f"signal {-status}" if status < 0 else f"status {status}"
        log.warning("%s ended (%s); starting it again in %.1f s", self.name, how, self.pause)

    def send(self, signum: signal.Signals) -> None:
        """To all of its group, or with SIGTERM to its first process, which ends the others as it should."""
        # macOS forbids what has just ended.
        with suppress(ProcessLookupError, PermissionError):
            (os.kill if signum == signal.SIGTERM else os.killpg)(self.pid, signum)


class Supervisor:
    def __init__(self, parts: list[Part], listener: socket.socket | None = None) -> None:
        self.parts = parts
        self.listener = listener
        self.is_stopping = False
        self.status = 0

    def run(self) -> int:
        """Until it is told to stop; the status to end with."""
        for signum in (signal.SIGINT, signal.SIGTERM):
            signal.signal(signum, self.stop)
        while not self.is_stopping:
            for part in self.parts:
                if not part.pid and time.monotonic() >= part.due:
                    part.try_to_start()
            self.reap()
            time.sleep(0.1)
        if self.listener is not None:
            refuse(self.listener)
        for part in self.parts:
            if part.pid:
                part.send(signal.SIGTERM)
        end = time.monotonic() + PATIENCE
        while any(part.pid for part in self.parts) and time.monotonic() < end:
            self.reap()
            time.sleep(0.05)
        for part in self.parts:
            if part.pid:
                log.warning("%s did not end in %d s; killing it", part.name, PATIENCE)
                part.send(signal.SIGKILL)
        return self.status

    def stop(self, signum: int, frame: FrameType | None) -> None:
        self.is_stopping = True

    def reap(self) -> None:
        """Notice who has died: parts, and as a container's first process whoever has no parent left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            for part in self.parts:
                if part.pid != pid:
                    continue
                if self.is_stopping:
                    part.send(signal.SIGKILL)
                    part.pid = 0
                else:
                    code = os.waitstatus_to_exitcode(status)
                    part.died(code)
                    # Not when it was killed: then it starts.
                    if part.is_vital and code > 0 and part.pause >= LONGEST_PAUSE:
                        log.error("%s does not start; giving up", part.name)
                        self.is_stopping, self.status = True, 1


def parts(names: list[str], listener: socket.socket | None, metrics: str) -> list[Part]:
    found = []
    if listener is not None:
        gunicorn = ["-m", "gunicorn", "--config", "tools/serve.py", "designer.wsgi"]
        found.append(Part("web", gunicorn, (listener.fileno(),), is_vital=True))
    for queue in QUEUES:
        if queue in names:
            worker = ["manage.py", "worker", "--with-parent", "--queues", queue]
            found.append(Part(f"worker of {queue}", worker))
    if metrics:
        found.append(Part("metrics", ["manage.py", "metrics", metrics]))
    return found


def listen(bind: str) -> socket.socket:
    host, _, port = (bind or f"127.0.0.1:{chosen_port()}").rpartition(":")
    if not port.isdecimal():
        raise SystemExit(f"--bind is {bind!r}; write ADDRESS:PORT, like 0.0.0.0:8000.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host.strip("[]"), int(port)), family=family, backlog=512)
    except (OSError, OverflowError) as error:
        raise SystemExit(f"Cannot listen at {host}:{port}: {error}") from None
    os.environ["KEYWRIGHT_SOCKET"] = str(listener.fileno())
    os.environ["KEYWRIGHT_ADDRESS"] = f"{host}:{port}"
    return listener


def refuse(listener: socket.socket) -> None:
    """Have those who come from now on refused at once, so that a proxy asks another host.

    If the system went on to let them in, they would send their requests, which are cut off at the end: a proxy does not
    send these to another host when they change something.
    """
    end = time.monotonic() + LET_IN
    while let_in(listener) and time.monotonic() < end:
        time.sleep(0.01)
    with suppress(OSError):  # only Linux does this to a socket that listens
        listener.shutdown(socket.SHUT_RD)


def let_in(listener: socket.socket) -> int:
    """How many the system has let in whom no process has taken yet (Linux; 0 elsewhere)."""
    if sys.platform != "linux":
        return 0
    # `tcpi_unacked` of tcp_info (linux/tcp.h), which tells this of a socket that listens.
    info = listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 28)
    return int(struct.unpack_from("=I", info, 24)[0])


def alone_here() -> None:
    """Let visitors take a whole processor of each process: on this machine only, they share it with nobody."""
    for name in ("KEYWRIGHT_VISITOR_PERCENT", "KEYWRIGHT_LATER_PERCENT"):
        os.environ.setdefault(name, "100")


def metrics_folder(address: str) -> None:
    """An empty folder for the figures of all processes."""
    data = Path(os.environ.get("KEYWRIGHT_DATA_DIR") or ROOT / "var").absolute()
    folder = data / f"metrics-{address.rpartition(':')[2]}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, mode=0o700)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description="Start the site and its workers, and keep them.")
    parser.add_argument("--bind", default="", help="ADDRESS:PORT; 0.0.0.0:8000 in a container")
    parser.add_argument("parts", nargs="*", metavar="PART", choices=("web", *QUEUES, []))
    given = parser.parse_args()
    # Threads then share what is free, instead of keeping tens of megabytes each (glibc).
    os.environ.setdefault("MALLOC_ARENA_MAX", "2")
    kind = os.environ.get("KEYWRIGHT_LOG_FORMAT", "").strip() or "plain"
    logging.config.dictConfig(logs.config(kind))
    names = given.parts or ["web", *QUEUES]
    if not given.bind:
        alone_here()
    listener = listen(given.bind) if "web" in names else None
    metrics = os.environ.get("KEYWRIGHT_METRICS_PORT", "").strip()
    if metrics:
        if not metrics.rpartition(":")[2].isdecimal():
            raise SystemExit(f"KEYWRIGHT_METRICS_PORT is {metrics!r}; write 9100 or 0.0.0.0:9100.")
        metrics_folder(metrics)
    every, folder = parts(names, listener, metrics), scratch.begin()
    for number, part in enumerate(every):
        part.folder = folder / str(number)
    try:
        status = Supervisor(every, listener).run()
    finally:
        scratch.empty(folder)
    sys.exit(status)


if __name__ == "__main__":
    main()
