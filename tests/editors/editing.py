"""Editors: each opens forms, changes something and saves, as a browser does, as fast as the server answers."""

import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPException
from threading import Event, Thread
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.edits import (
    add_attribute,
    change_entity,
    change_pattern,
    change_settings,
    remove_attribute,
)
from designer.core.edits.replacing import replaced
from tests.editors.inside import SLUG
from tests.web.forms import fields_of

ROOT = f"/d/{SLUG}/"
PATTERNS = (1, 2, 3, 4, 5)
ENTITIES = ("Member", "Visit")
NUMBER = re.compile(rb">r(\d+) <span class=\"saved-words\"")


@dataclass(frozen=True)
class Edit:
    """Something to do, and what it does to a design."""

    form: str
    url: str
    fields: dict[str, str]
    does: Callable[[Design], Design] | None
    """Nothing for an undo, whose effect depends on what is there to undo."""


@dataclass
class Done:
    """An edit that was sent, and what came of it."""

    edit: Edit
    status: int = 0
    """0 when no answer came: it may have been recorded, or not."""
    number: int | None = None
    """The revision that it became, as the answer said."""
    seconds: float = 0.0
    begun: float = 0.0
    """When, as `time.monotonic` has it."""
    ended: float = 0.0
    """When it was answered, or was known to have no answer."""


@dataclass
class Answer:
    status: int
    content: bytes


@dataclass
class Editor:
    """One of the people."""

    url: str
    name: str
    session: str
    seed: int
    done: list[Done] = field(default_factory=list)
    own: list[tuple[str, str]] = field(default_factory=list)
    """Attributes that this editor added."""
    token: str = ""
    count: int = 0
    chance: random.Random = field(init=False)
    """Goes on when work does: who sends a value again changes nothing, and is told of another's revision."""

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    def work(self, until: float, stop: Event | None = None) -> None:
        while time.monotonic() < until and not (stop and stop.is_set()):
            edit = self.choose(self.chance)
            done = Done(edit, begun=time.monotonic())
            try:
                self.send(done)
            except (URLError, OSError, HTTPException):
                time.sleep(0.2)
            done.ended = time.monotonic()
            self.done.append(done)

    def choose(self, chance: random.Random) -> Edit:
        self.count += 1
        text = f"{self.name} {self.count}"
        kind = chance.choice(("limit", "why", "why", "items", "add", "remove", "describe", "undo"))
        number, entity = chance.choice(PATTERNS), chance.choice(ENTITIES)
        if kind == "limit":
            limit = chance.randint(1, 10**6)
            return Edit(
                "pattern-form",
                f"{ROOT}patterns/p-1/",
                {"limit": str(limit)},
                lambda design: _pattern(design, 1, limit=limit),
            )
        if kind == "why":
            return Edit(
                "pattern-form",
                f"{ROOT}patterns/p-{number}/",
                {"why": text},
                lambda design: _pattern(design, number, why=text),
            )
        if kind == "items":
            items = chance.randint(1, 10**9)
            return Edit(
                "entity-form",
                f"{ROOT}entities/e-{entity.lower()}/",
                {"items": str(items)},
                lambda design: _entity(design, entity, items=items),
            )
        if kind == "describe":
            return Edit(
                "settings-form",
                f"{ROOT}settings/",
                {"description": text},
                lambda design: change_settings(design, description=text),
            )
        if kind == "remove" and self.own:
            owner, gone = self.own.pop()
            key = f"a-{owner}-{gone}".lower()
            return Edit(
                "",
                f"{ROOT}entities/e-{owner.lower()}/attributes/{key}/remove/",
                {},
                lambda design: remove_attribute(design, owner, gone),
            )
        if kind == "undo":
            return Edit("", f"{ROOT}undo/", {}, None)
        name = f"{self.name}x{self.count}"
        return Edit(
            "attribute-form",
            f"{ROOT}entities/e-{entity.lower()}/attributes/add/",
            {"name": name},
            lambda design: add_attribute(design, entity, Attribute(name=name)),
        )

    def send(self, done: Done) -> None:
        edit, fields = done.edit, dict(done.edit.fields)
        if edit.form:
            opened = self.ask(edit.url)
            if opened.status != 200:
                done.status = opened.status
                return
            fields = {**fields_of(opened, edit.form), **fields}  # type: ignore[arg-type]
        elif not self.token:
            self.ask(ROOT)
        begun = time.monotonic()
        answer = self.ask(edit.url, fields)
        if answer.status == 409 and edit.form and b'id="conflict"' in answer.content:
            # Somebody else saved another value since: this editor insists.
            fields = fields_of(answer, edit.form)  # type: ignore[arg-type]
            seen = [name for name in fields if name.startswith("seen-")]
            fields |= {name.replace("seen-", "resolve-", 1): "mine" for name in seen}
            begun = time.monotonic()
            answer = self.ask(edit.url, fields)
        done.seconds = time.monotonic() - begun
        done.status = answer.status
        found = NUMBER.search(answer.content)
        # The page after an undo that found nothing shows somebody else's revision.
        is_done = edit.does is not None or b"Undone: " in answer.content
        if answer.status == 200 and found is not None and is_done:
            done.number = int(found[1])
            if edit.form == "attribute-form":
                self.own.append((_entity_of(edit.url), edit.fields["name"]))

    def ask(self, path: str, data: dict[str, str] | None = None) -> Answer:
        cookies = f"sessionid={self.session}; csrftoken={self.token}"
        headers = {"Cookie": cookies, "X-CSRFToken": self.token}
        if data is not None:
            headers |= {"HX-Request": "true", "HX-Target": "statement"}
            headers |= {"HX-Current-URL": f"{self.url}{path}"}
        body = urlencode(data).encode() if data is not None else None
        try:
            with urlopen(Request(f"{self.url}{path}", body, headers), timeout=120) as answer:
                for cookie in answer.headers.get_all("Set-Cookie", []):
                    if cookie.startswith("csrftoken="):
                        self.token = cookie.partition("=")[2].partition(";")[0]
                return Answer(answer.status, answer.read())
        except HTTPError as error:
            return Answer(error.code, error.read())


def work_together(editors: list[Editor], seconds: float, stop: Event | None = None) -> None:
    """All of them at once, for some time, or until they are told to stop."""
    until = time.monotonic() + seconds
    threads = [Thread(target=editor.work, args=[until, stop]) for editor in editors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _pattern(design: Design, number: int, **fields: object) -> Design:
    return change_pattern(design, number, replaced(design.pattern(number), **fields))


def _entity(design: Design, name: str, **fields: object) -> Design:
    return change_entity(design, name, replaced(design.entity[name], **fields))


def _entity_of(url: str) -> str:
    return next(name for name in ENTITIES if f"/e-{name.lower()}/" in url)
