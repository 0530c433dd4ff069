"""Three hundred readers of a shared page."""

import time
from pathlib import Path
from threading import Thread
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.load.served import served, spread

READERS, SECONDS, PAUSE = 300, 30.0, 5.0
"""Each reads the page, then asks every five seconds whether there is something new, as the page does."""


def main(root: Path) -> None:
    with served(root) as site:
        url = f"{site.url}/s/{site.people(1)['token']}/?pattern=2"
        urlopen(url).close()
        times: list[float] = []
        statuses: list[int] = []
        end = time.monotonic() + SECONDS

        def read(number: int) -> None:
            time.sleep(number * PAUSE / READERS)
            tag = ""
            while time.monotonic() < end:
                asked = Request(url, headers={"If-None-Match": tag} if tag else {})
                begun = time.monotonic()
                try:
                    with urlopen(asked, timeout=60) as answer:
                        answer.read()
                        tag = answer.headers.get("ETag", "")
                        statuses.append(answer.status)
                except HTTPError as error:
                    statuses.append(error.code)
                except OSError:
                    statuses.append(-1)
                times.append(time.monotonic() - begun)
                time.sleep(PAUSE)

        threads = [Thread(target=read, args=[number]) for number in range(READERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(f"{READERS} readers: {len(times) / SECONDS:.0f} answers a second, {spread(times)}")
        print("statuses:", {status: statuses.count(status) for status in sorted(set(statuses))})
        print(f"memory of all processes: {site.memory_mb():.0f} MB")
