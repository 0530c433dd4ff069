"""The commands of compose.yaml, service by service, without containers.

Over HTTPS: an account, an edit, a plan, a proof and an e-mail; then one web host is replaced and the other one killed.
It needs nginx, PgBouncer, PostgreSQL and wget.
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import requests

from tests.test_deploy import SERVICES, nginx, settings_in
from tests.test_https import USER
from tests.web.forms import fields_of
from tools.serve import is_free

ROOT = Path(__file__).resolve().parent.parent.parent
GIVEN = {
    "POSTGRES_PASSWORD": "only-in-here",
    "KEYWRIGHT_SECRET_KEY": "only-in-here-" * 5,
    "KEYWRIGHT_HTTPS": "1",
}
"""The file .env beside it."""
PATIENCE = 90.0
SYSTEM_PATH = os.pathsep.join([os.environ["PATH"], "/usr/sbin", "/usr/local/sbin"])


def filled_in(text: str) -> str:
    """`${NAME}`, `${NAME:-default}` and `${NAME:?why}`, as Compose reads them."""
    pattern = r"\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}"
    return re.sub(pattern, lambda found: GIVEN.get(found[1], found[2] or ""), text)


class Composed:
    """One machine instead of a container for each service: they differ by folder and port alone."""

    def __init__(self, folder: Path, stack: ExitStack, socket: str) -> None:
        self.folder, self.stack, self.socket = folder, stack, socket
        free = filter(is_free, random.sample(range(20_000, 30_000), 200))
        ports = ("proxy", "secure", "pgbouncer", "web-1", "web-2", "metrics-1", "metrics-2")
        self.port = dict(zip((*ports, *WORKERS), free, strict=False))
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def here(self, text: str, name: str) -> str:
        """What a command or a variable of a container says, as it is on this machine."""
        port = self.port
        metrics = port.get(name.replace("web", "metrics"), 0)
        places = {
            "@pgbouncer:6432/": f"@127.0.0.1:{port['pgbouncer']}/",
            "@database:5432/keywright": f"@/keywright?host={self.socket}",
            "0.0.0.0:9100": f"127.0.0.1:{metrics}" if metrics else "",
            "0.0.0.0:8000": f"127.0.0.1:{port.get(name, 0)}",
            "127.0.0.1:8000": f"127.0.0.1:{port.get(name, 0)}",
            "127.0.0.1:8080": f"127.0.0.1:{port['proxy']}",
            "/etc/keywright/": f"{self.folder}/nginx/",
            "/static/": f"{self.folder}/static/",
            "collected/": f"{self.folder}/collected/",
            "/tmp/": f"{self.folder}/{name}/",
            "daemon off;": f"daemon off;{USER}",
        }
        # All at once: what one of them becomes may hold another.
        return re.sub("|".join(map(re.escape, places)), lambda found: places[found[0]], text)

    def environment(self, service: str, name: str) -> dict[str, str]:
        given = SERVICES[service].get("environment", {})
        found = {key: self.here(filled_in(str(value)), name) for key, value in given.items()}
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        return {"HOME": "/tmp", "PATH": path, **found}

    def words(self, command: list[str], name: str) -> list[str]:
        programs = {"nginx": nginx(), "6432": str(self.port["pgbouncer"])}
        return [programs.get(word, self.here(filled_in(word), name)) for word in command]

    def run(self, service: str) -> None:
        """A service that ends."""
        subprocess.run(
            self.words(SERVICES[service]["command"], service),
            cwd=ROOT,
            env=self.environment(service, service),
            check=True,
        )

    def start(self, service: str, name: str = "") -> None:
        name = name or service
        (self.folder / name).mkdir(exist_ok=True)
        log = self.stack.enter_context((self.folder / f"{name}.log").open("wb"))
        process = subprocess.Popen(
            self.words(SERVICES[service]["command"], name),
            cwd=ROOT,
            env=self.environment(service, name),
            stdout=log,
            stderr=log,
        )
        self.running[name] = process
        self.stack.callback(process.wait)
        self.stack.callback(process.terminate)

    def is_healthy(self, service: str, name: str = "") -> bool:
        """What its health check says."""
        name = name or service
        if "healthcheck" in SERVICES[service]:
            kind, *command = SERVICES[service]["healthcheck"]["test"]
            assert kind == "CMD"
        else:
            said = (ROOT / "Dockerfile").read_text()
            (line,) = re.findall(r"HEALTHCHECK .*\\\n\s+CMD (\[.*\])", said)
            command = json.loads(line)
        ran = subprocess.run(
            self.words(command, name),
            env=self.environment(service, name),
            capture_output=True,
            check=False,
        )
        return ran.returncode == 0

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text("utf-8", "replace")


WORKERS = ("worker-plans", "worker-proofs", "worker-mail")
WEBS = ("web-1", "web-2")


@contextmanager
def composed(tmp_path: Path) -> Iterator[Composed]:
    with ExitStack() as stack:
        found = Composed(tmp_path, stack, stack.enter_context(postgres()))
        for folder in ("nginx", "static", "collected"):
            (tmp_path / folder).mkdir()
        bouncer = stack.enter_context(pgbouncer(found))
        until(lambda: found.is_healthy("pgbouncer"), bouncer.poll)
        collect = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
        collected = {
            **found.environment("migrate", "migrate"),
            "KEYWRIGHT_STATIC_ROOT": f"{tmp_path}/collected",
        }
        subprocess.run(collect, cwd=ROOT, env=collected, check=True)
        found.run("migrate")
        for name in WEBS:
            found.start("web", name)
        for name in WORKERS:
            found.start(name)
        make_proxy(found)
        found.start("proxy")
        for name in WEBS:
            until(lambda name=name: found.is_healthy("web", name), found.running[name].poll)
        for name in (*WORKERS, "proxy"):
            until(lambda name=name: found.is_healthy(name), found.running[name].poll)
        yield found


def until(is_so: Callable[[], bool], ended: Callable[[], int | None] = lambda: None) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert ended() is None and time.monotonic() < end
        time.sleep(0.5)


@contextmanager
def postgres() -> Iterator[str]:
    """The folder with the socket of a PostgreSQL that has the service's database."""
    command = [str(ROOT / "tools" / "with_postgres.sh"), "sh", "-c", 'echo "$DATABASE_URL"; cat']
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as server:
        assert server.stdout is not None and server.stdin is not None
        url = server.stdout.readline().strip()
        if not url:
            raise SystemExit("PostgreSQL is not installed.")
        (folder,) = parse_qs(urlsplit(url).query)["host"]
        import psycopg

        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE DATABASE keywright")
        try:
            yield folder
        finally:
            server.stdin.close()


@contextmanager
def pgbouncer(site: Composed) -> Iterator["subprocess.Popen[bytes]"]:
    program = shutil.which("pgbouncer", path=SYSTEM_PATH)
    # Where another user can read it: it refuses to be root.
    home = Path(tempfile.mkdtemp(dir="/tmp"))
    shutil.copytree(ROOT / "deploy" / "pgbouncer", home, dirs_exist_ok=True)
    home.chmod(0o755)
    text = (home / "pgbouncer.ini").read_text()
    text = text.replace("listen_port = 6432", f"listen_port = {site.port['pgbouncer']}")
    (home / "pgbouncer.ini").write_text(text.replace("listen_addr = *", "listen_addr = 127.0.0.1"))
    said = re.findall(r"^CMD (.*)", (home / "Dockerfile").read_text(), re.MULTILINE)
    command = [word.replace("/etc/keywright", str(home)) for word in json.loads(said[0])]
    user = ["setpriv", "--reuid", "postgres", "--clear-groups", "--"] if os.getuid() == 0 else []
    environment = {
        **site.environment("pgbouncer", "pgbouncer"),
        "PGBOUNCER": program,
        "DATABASE_HOST": site.socket,
    }
    with (site.folder / "pgbouncer.log").open("wb") as log:
        process = subprocess.Popen(
            [*user, *command], env=environment, stdout=log, stderr=log, cwd="/"
        )
    try:
        yield process
    finally:
        with suppress(OSError):
            line = Path(f"/proc/{process.pid}/cmdline").read_text().split("\0")
            shutil.rmtree(Path(line[1]).parent, ignore_errors=True)
        process.terminate()
        process.wait()
        shutil.rmtree(home)


def make_proxy(site: Composed) -> None:
    folder = site.folder / "nginx"
    make = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost"
    make += " -addext subjectAltName=DNS:localhost"
    files = ["-keyout", f"{folder}/privkey.pem", "-out", f"{folder}/fullchain.pem"]
    subprocess.run(["openssl", *make.split(), *files], check=True, capture_output=True)
    settings_in(folder, port=f"listen 127.0.0.1:{site.port['proxy']};", web="http://web")
    # As for a name that its resolver knows, nginx notes of none that it did not answer.
    servers = "".join(f"server 127.0.0.1:{site.port[name]} max_fails=0; " for name in WEBS)
    for path in folder.glob("*.conf"):
        text = path.read_text().replace("alias /static/", f"alias {site.folder}/static/")
        text = text.replace("listen 8443 ", f"listen 127.0.0.1:{site.port['secure']} ")
        resolver = "resolver 127.0.0.11 valid=5s ipv6=off;"
        path.write_text(text.replace(resolver, f"upstream web {{ {servers}}}"))


class Person:
    """A browser that trusts the certificate."""

    def __init__(self, site: Composed) -> None:
        self.url = f"https://localhost:{site.port['secure']}"
        self.http = requests.Session()
        self.http.trust_env = False
        self.http.verify = f"{site.folder}/nginx/fullchain.pem"
        self.http.headers["Referer"] = f"{self.url}/"

    def get(self, path: str) -> requests.Response:
        return self.http.get(f"{self.url}{path}", timeout=60)

    def post(self, path: str, data: dict[str, str]) -> requests.Response:
        token = {"X-CSRFToken": self.http.cookies.get("csrftoken", "")}
        return self.http.post(f"{self.url}{path}", data, headers=token, timeout=60)

    def says(self, path: str, words: str) -> bool:
        return words in self.get(path).text


NEEDED = ("nginx", "openssl", "pg_isready", "pgbouncer", "wget")


def main(root: Path) -> None:
    missing = [name for name in NEEDED if shutil.which(name, path=SYSTEM_PATH) is None]
    if missing or root != ROOT:
        raise SystemExit(f"Skipped: it needs {', '.join(missing) or 'this checkout'}.")
    with tempfile.TemporaryDirectory() as folder, composed(Path(folder)) as site:
        print("All services are healthy.", flush=True)
        work_together(site)
    print("They work together: nothing failed.", flush=True)


def work_together(site: Composed) -> None:
    ana = Person(site)
    assert ana.get("/").history == [] and ana.get("/sign-up/").ok
    plain: Any = requests.get(
        f"http://127.0.0.1:{site.port['proxy']}/designs/", timeout=20, allow_redirects=False
    )
    assert plain.status_code == 301 and plain.headers["Location"].startswith("https://")
    password = "correct horse battery"
    given = {"username": "ana", "email": "ana@example.com", "password1": password}
    signed = ana.post("/sign-up/", {**given, "password2": password, "password": password})
    assert "Sign out" in signed.text
    assert all(cookie.secure for cookie in ana.http.cookies)

    design = urlsplit(ana.post("/gallery/shop/copy/", {}).url).path
    form: Any = ana.get(f"{design}settings/")
    saved = ana.post(f"{design}settings/", {**fields_of(form, "settings-form"), "name": "Tea"})
    assert saved.ok and "Tea" in ana.get(design).text

    assert ana.post(f"{design}prove/single/start/", {}).ok
    until(lambda: ana.says(f"{design}prove/?view=single", "Proven"))
    until(lambda: ana.says(f"{design}alternatives/", 'class="table alternatives"'))
    until(lambda: "To: ana@example.com" in site.log("worker-mail"))
    assert "projects.work.run" in site.log("worker-plans")
    assert "projects.proofs.run" in site.log("worker-proofs")

    # A host is replaced, and another one dies.
    site.running["web-1"].terminate()
    for _ in range(10):
        assert ana.get(design).ok
        assert ana.post(f"{design}comments/preview/", {"text": "Tea?"}).ok
    assert site.running["web-1"].wait(10) == 0
    site.start("web", "web-1")
    until(lambda: site.is_healthy("web", "web-1"))
    site.running["web-2"].kill()
    for _ in range(10):
        assert ana.get(design).ok
