"""The proxy of `compose.yaml` with HTTPS before the site as its containers start it, end to end."""

import gzip
import os
import random
import re
import sqlite3
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPMessage, HTTPSConnection
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.test_deploy import nginx, settings_in
from tests.test_serving import environment_of
from tools.serve import is_free

ROOT = Path(__file__).resolve().parent.parent
HOST = "localhost"
FORGED = {"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9"}

USER = " user root;" if os.getuid() == 0 else ""
"""Its workers would not be let into the folder of the tests."""

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Answer:
    status: int
    headers: HTTPMessage
    body: bytes


@dataclass(frozen=True)
class Deployed:
    plain: int
    secure: int
    web: int
    folder: Path

    def ask(
        self, port: int, path: str, method: str = "GET", body: str = "", **headers: str
    ) -> "Answer":
        made = {"Host": HOST, **{name.replace("_", "-"): value for name, value in headers.items()}}
        connection: HTTPConnection = HTTPConnection("127.0.0.1", port, timeout=60)
        if port == self.secure:
            trusted = ssl.create_default_context(cafile=str(self.folder / "fullchain.pem"))
            trusted.check_hostname = False
            connection = HTTPSConnection("127.0.0.1", port, timeout=60, context=trusted)
        connection.request(method, path, body or None, made)
        answer = connection.getresponse()
        found = Answer(answer.status, answer.headers, answer.read())
        connection.close()
        return found


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    folder = tmp_path_factory.mktemp("https")
    plain, secure, web = list(filter(is_free, random.sample(range(20_000, 30_000), 60)))[:3]
    static = folder / "static"
    environment = environment_of(
        folder / "data",
        KEYWRIGHT_HTTPS="1",
        KEYWRIGHT_STATIC_ROOT=str(static),
        KEYWRIGHT_WEB_PROCESSES="1",
    )
    for command in ("migrate", "collectstatic"):
        made = [sys.executable, "manage.py", command, "--noinput", "--verbosity", "0"]
        subprocess.run(made, cwd=ROOT, env=environment, check=True)
    make = f"req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN={HOST}"
    files = ["-keyout", f"{folder}/privkey.pem", "-out", f"{folder}/fullchain.pem"]
    subprocess.run(["openssl", *make.split(), *files], check=True, capture_output=True)
    settings_in(folder, port=f"listen 127.0.0.1:{plain};", web=f"http://127.0.0.1:{web}")
    for name in ("https-1.conf", "site.conf"):
        text = (folder / name).read_text().replace("listen 8443 ", f"listen 127.0.0.1:{secure} ")
        (folder / name).write_text(text.replace("alias /static/", f"alias {static}/"))
    run = [sys.executable, "-m", "tools.supervise", "--bind", f"127.0.0.1:{web}", "web"]
    proxy = [nginx(), "-c", f"{folder}/https-1.conf", "-g", f"daemon off;{USER}"]
    with (
        subprocess.Popen(run, cwd=ROOT, env=environment) as site,
        subprocess.Popen(proxy) as before,
    ):
        try:
            found = Deployed(plain, secure, web, folder)
            end = time.monotonic() + 60
            while is_free(web) or is_free(secure) or found.ask(plain, "/healthz").status != 200:
                assert time.monotonic() < end
                time.sleep(0.2)
            yield found
        finally:
            before.terminate()
            site.terminate()


def test_everybody_is_sent_to_https(deployed: Deployed) -> None:
    for claimed in ({}, {"X-Forwarded-Proto": "https"}):
        answer = deployed.ask(deployed.plain, "/sign-in/?next=/", **claimed)
        assert answer.status == 301
        assert answer.headers["Location"] == f"https://{HOST}/sign-in/?next=/"
    assert deployed.ask(deployed.web, "/sign-in/").headers["Location"].startswith("https://")


def test_pages_are_secure_and_so_are_their_cookies(deployed: Deployed) -> None:
    answer = deployed.ask(deployed.secure, "/sign-in/", **{"X-Forwarded-Proto": "http"})
    assert answer.status == 200
    assert int(re.findall(r"max-age=(\d+)", answer.headers["Strict-Transport-Security"])[0]) > 0
    cookies = answer.headers.get_all("Set-Cookie") or []
    assert cookies and all("; Secure" in cookie for cookie in cookies)


def test_an_address_is_the_proxys_word_and_not_the_visitors(deployed: Deployed) -> None:
    page = deployed.ask(deployed.secure, "/sign-in/")
    cookie = (page.headers["Set-Cookie"] or "").partition(";")[0]
    (token,) = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page.body.decode()))
    body = urlencode(
        {"csrfmiddlewaretoken": token, "username": "zenobia", "password": "wrong guess"}
    )
    kind = "application/x-www-form-urlencoded"
    origin = f"https://{HOST}"
    headers = {
        "Cookie": cookie,
        "Content-Type": kind,
        "Referer": f"{origin}/sign-in/",
        "Origin": origin,
        **FORGED,
    }
    assert deployed.ask(deployed.secure, "/sign-in/", "POST", body, **headers).status == 422
    (database,) = (deployed.folder / "data").glob("*.sqlite3")
    with sqlite3.connect(database) as read:
        assert read.execute("select distinct ip_address from axes_accessattempt").fetchall() == [
            ("127.0.0.1",)
        ]


def test_static_files_come_compressed_from_the_proxy_and_are_kept(deployed: Deployed) -> None:
    page = deployed.ask(deployed.secure, "/sign-in/").body.decode()
    path = re.findall(r'href="(/static/css/[^"]+\.css)"', page)[0]
    answer = deployed.ask(deployed.secure, path, Accept_Encoding="gzip")
    assert answer.status == 200
    assert answer.headers["Server"] == "nginx"
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "immutable" in answer.headers["Cache-Control"]
    assert gzip.decompress(answer.body) == deployed.ask(deployed.secure, path).body
