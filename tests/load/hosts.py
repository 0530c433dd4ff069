"""Two web hosts and two worker hosts, in network namespaces of this machine, over PgBouncer and PostgreSQL.

While people read and edit through nginx, one web host and one worker host are killed. Linux, as root; it takes a
minute.
"""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.load.served import MADE

SECONDS, KILLED_AT, PEOPLE = 60.0, 20.0, 6
HOSTS = {"db": 10, "web1": 21, "web2": 22, "work1": 31, "work2": 32, "proxy": 40}
NETWORK = "10.77.0"

NGINX = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{ }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    upstream site {{
        server {net}.21:8000 max_fails=1 fail_timeout=5s;
        server {net}.22:8000 max_fails=1 fail_timeout=5s;
    }}
    server {{
        listen {net}.40:8080;
        location / {{
            proxy_pass http://site;
            proxy_set_header Host $host;
            proxy_connect_timeout 2s;
            proxy_next_upstream error timeout;
        }}
    }}
}}
"""
BOUNCER = """
[databases]
keywright = host={net}.10 port=5432 dbname=postgres user=keywright
[pgbouncer]
listen_addr = {net}.10
listen_port = 6432
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 500
default_pool_size = 20
"""


def main(root: Path) -> None:
    if os.geteuid() != 0 or shutil.which("ip") is None:
        raise SystemExit("Network namespaces take Linux, root, and the command `ip` (iproute2).")
    with tempfile.TemporaryDirectory(dir="/tmp") as folder, _network() as hosts:
        Path(folder).chmod(0o755)
        site = _start(hosts, root, Path(folder))
        asking = subprocess.Popen(
            hosts.inside("proxy", sys.executable, "-m", "tests.load.hosts", site["token"],
                         *(f"{each['session']}:{each['design']}" for each in site["people"])),
            cwd=root,
        )  # fmt: skip
        time.sleep(KILLED_AT)
        for host in ("web1", "work1"):
            print(
                f"{time.strftime('%H:%M:%S')} {host} is killed with all that runs on it", flush=True
            )
            hosts.kill(host)
        asking.wait(SECONDS + 120)


class Hosts:
    """Namespaces that reach each other, and what runs in them."""

    def __init__(self) -> None:
        self.running: list[subprocess.Popen[bytes]] = []

    def inside(self, host: str, *command: str) -> list[str]:
        return ["ip", "netns", "exec", f"kw-{host}", *command]

    def start(self, host: str, *command: str, log: Path, **environment: str) -> None:
        with log.open("ab") as said:
            self.running.append(
                subprocess.Popen(
                    self.inside(host, *command),
                    env={**os.environ, **environment},
                    stdout=said,
                    stderr=said,
                )
            )

    def kill(self, host: str) -> None:
        held = subprocess.run(
            ["ip", "netns", "pids", f"kw-{host}"], capture_output=True, text=True, check=False
        )
        for pid in held.stdout.split():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)


@contextmanager
def _network() -> Iterator[Hosts]:
    def ip(*words: str) -> None:
        subprocess.run(["ip", *words], check=True)

    hosts = Hosts()
    try:
        ip("netns", "add", "kw-switch")
        ip("-n", "kw-switch", "link", "add", "bridge", "type", "bridge")
        ip("-n", "kw-switch", "link", "set", "bridge", "up")
        for host, number in HOSTS.items():
            ip("netns", "add", f"kw-{host}")
            ip("-n", f"kw-{host}", "link", "add", "eth", "type", "veth", "peer", "name", f"to-{host}",
               "netns", "kw-switch")  # fmt: skip
            ip("-n", "kw-switch", "link", "set", f"to-{host}", "master", "bridge", "up")
            ip("-n", f"kw-{host}", "addr", "add", f"{NETWORK}.{number}/24", "dev", "eth")
            ip("-n", f"kw-{host}", "link", "set", "eth", "up")
            ip("-n", f"kw-{host}", "link", "set", "lo", "up")
        yield hosts
    finally:
        for host in HOSTS:
            hosts.kill(host)
        for each in hosts.running:
            each.wait()
        for host in (*HOSTS, "switch"):
            subprocess.run(["ip", "netns", "del", f"kw-{host}"], check=False, capture_output=True)


def _start(hosts: Hosts, root: Path, folder: Path) -> dict[str, list[dict[str, str]]]:
    import json

    bin_ = subprocess.run(
        [root / "tools" / "with_postgres.sh"], capture_output=True, text=True, check=True
    ).stdout.strip()
    data = folder / "postgres"
    data.mkdir()
    shutil.chown(data, "postgres")
    as_postgres = ["setpriv", "--reuid", "postgres", "--clear-groups"]
    subprocess.run(
        [*as_postgres, f"{bin_}/initdb", "-D", str(data), "-U", "keywright", "--auth", "trust"],
        check=True, capture_output=True, cwd="/",
    )  # fmt: skip
    with (data / "pg_hba.conf").open("a") as rules:
        rules.write(f"host all all {NETWORK}.0/24 trust\n")
    hosts.start(
        "db", *as_postgres, f"{bin_}/postgres", "-D", str(data), "-c", f"listen_addresses={NETWORK}.10",
        "-c", f"unix_socket_directories={data}", "-c", "fsync=off", log=folder / "postgres.log",
    )  # fmt: skip
    (folder / "pgbouncer.ini").write_text(BOUNCER.format(net=NETWORK))
    hosts.start(
        "db", *as_postgres, "pgbouncer", str(folder / "pgbouncer.ini"), log=folder / "pgbouncer.log"
    )
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, net=NETWORK))
    shared = {
        "DATABASE_URL": f"postgres://keywright@{NETWORK}.10:6432/keywright",
        "KEYWRIGHT_SECRET_KEY": secrets.token_urlsafe(50),
        "KEYWRIGHT_ALLOWED_HOSTS": f"{NETWORK}.40",
        "DJANGO_SETTINGS_MODULE": "designer.settings",
        "KEYWRIGHT_DATA_DIR": str(folder / "db"),
        "PYTHONPATH": str(root),
    }
    time.sleep(3)
    migrate = [sys.executable, str(root / "manage.py"), "migrate", "--verbosity", "0"]
    subprocess.run(hosts.inside("db", *migrate), env={**os.environ, **shared}, check=True, cwd=root)
    for host in ("web1", "web2", "work1", "work2"):
        address = f"{NETWORK}.{HOSTS[host]}:8000"
        parts = ["--bind", address, "web"] if "web" in host else ["plans", "proofs", "mail"]
        mine = {**shared, "KEYWRIGHT_DATA_DIR": str(folder / host)}
        supervise = [sys.executable, "-m", "tools.supervise", *parts]
        hosts.start(host, *supervise, log=folder / f"{host}.log", **mine)
    hosts.start("proxy", "nginx", "-c", str(folder / "nginx.conf"), log=folder / "nginx.out")
    made = subprocess.run(
        hosts.inside("db", sys.executable, "-c", MADE, str(PEOPLE)),
        env={**os.environ, **shared}, check=True, capture_output=True, cwd=root,
    )  # fmt: skip
    time.sleep(6)
    found: dict[str, list[dict[str, str]]] = json.loads(made.stdout)
    return found


def ask(token: str, people: list[str]) -> None:
    """As the people, inside the network: read and edit, and say what was answered and how fast."""
    from threading import Thread

    from tests.load import flood
    from tests.load.served import Served, spread

    url = f"http://{NETWORK}.40:8080"
    site = Served(url, Path(), {}, None, Path())  # type: ignore[arg-type]
    asking = [
        *(flood.Person(flood.Client(site, "", session), f"/d/{design}/")
          for session, _, design in (each.partition(":") for each in people)),
        flood.Person(flood.Client(site, ""), f"/s/{token}/", may_edit=False),
    ]  # fmt: skip
    begun = time.monotonic()
    threads = [Thread(target=each.work, args=[begun + SECONDS]) for each in asking]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name, start, end in (
        ("two and two hosts", 3, KILLED_AT), ("one of each killed", KILLED_AT, KILLED_AT + 10),
        ("one and one host", KILLED_AT + 10, SECONDS + 60),
    ):  # fmt: skip
        took = [t for each in asking for t in each.between(begun + start, begun + end)]
        print(f"{name:20} {len(took):4} answers  {spread(took)}")
    odd: Counter[int] = Counter()
    for each in asking:
        odd += each.odd
    print("odd answers:", dict(odd) or "none")


if __name__ == "__main__":
    ask(sys.argv[1], sys.argv[2:])
