"""What is written to the console: plain lines, or JSON for whoever collects them. It opens nothing and names nobody."""

import logging
import re
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final

from pythonjsonlogger.json import JsonFormatter

SECRET = re.compile(
    r"(/(?:s|join|sign-up|account/email|feeds|password/[^/\s]+)/|keywright_)[\w.:=-]{20,}"
)
"""After these parts of an address stands what opens something."""
PERSON = re.compile(
    # An e-mail address. It begins where its signs begin and never looks back: lines hold what people sent.
    r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+"
    r"|(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])"  # an address of the network
    r"|(?<![\w:])(?:[0-9a-fA-F]{1,4}:){2,7}(?::?[0-9a-fA-F]{1,4})+(?![\w:])"
)
"""What tells who somebody is. Not each run of digits and colons: a time of day has two colons and no more."""
TIME_OF_DAY = re.compile(r"\d{1,2}:\d{2}:\d{2}")

ADDRESS = re.compile(r"https?://\S+")
"""What a browser says that it comes from."""

FORMATS: Final = ("plain", "json")
FIELDS: Final = {
    "time", "level", "logger", "message", "request_id", "view", "method", "status", "milliseconds",
    "exc_info", "stack_info",
}  # fmt: skip
"""All that a line of JSON may hold. Django attaches whole requests to its records, cookies included."""

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request that is being answered; empty beside requests."""
NUMBER: Final = "keywright.request_id"
"""Where a request holds its id, in `META`: Django writes of a refusal when the request has been answered."""


def number_of(record: logging.LogRecord) -> str:
    """The id of the request of which a line tells; empty where it tells of none."""
    request = getattr(record, "request", None)
    return request_id.get() or str(getattr(request, "META", {}).get(NUMBER, ""))


def discreet(line: str) -> str:
    """The line without what opens something, and without addresses of people and of their machines."""
    return PERSON.sub(_hidden, SECRET.sub(r"\1...", line))


def _hidden(found: re.Match[str]) -> str:
    return found[0] if TIME_OF_DAY.fullmatch(found[0]) else "..."


def somebody(*who: object) -> str:
    """How django-axes calls whose password was wrong, instead of by name and address."""
    return "somebody"


def without_trace(record: logging.LogRecord) -> bool:
    """A filter that passes all, but makes one line of what was wrong with a request: anybody can send such."""
    if 400 <= getattr(record, "status_code", 0) < 500:
        record.exc_info = record.exc_text = None
        if record.levelno > logging.WARNING:
            record.levelno, record.levelname = logging.WARNING, "WARNING"
    return True


def without_address(record: logging.LogRecord) -> bool:
    """A filter that passes all, but names the view where Django writes the address that a request asked for."""
    request = getattr(record, "request", None)
    path = getattr(request, "path", None)
    if path and isinstance(record.args, tuple):
        match = getattr(request, "resolver_match", None)
        name = "none" if match is None else match.view_name or "unnamed"
        written = path.encode("unicode_escape").decode("ascii")
        record.args = tuple(
            name
            if arg in (path, written)
            else ADDRESS.sub("...", arg)
            if isinstance(arg, str)
            else arg
            for arg in record.args
        )
    return True


def places() -> Callable[[logging.LogRecord], bool]:
    """How the settings of `logging` come by that filter."""
    return without_address


def calm() -> Callable[[logging.LogRecord], bool]:
    """How the settings of `logging` come by that filter."""
    return without_trace


class Discreet(logging.Formatter):
    """Plain lines; within a request its id stands at their end."""

    def format(self, record: logging.LogRecord) -> str:
        line = discreet(super().format(record))
        number = number_of(record)
        return f"{line} [{number}]" if number else line


class DiscreetJson(JsonFormatter):
    """One JSON object a line."""

    def __init__(self) -> None:
        super().__init__(
            "{asctime}{levelname}{name}{message}",
            style="{",
            rename_fields={"asctime": "time", "levelname": "level", "name": "logger"},
        )
        self.default_time_format, self.default_msec_format = "%Y-%m-%dT%H:%M:%S", "%s.%03dZ"
        self.converter = time.gmtime

    def add_fields(
        self, log_data: dict[str, Any], record: logging.LogRecord, message_dict: dict[str, Any]
    ) -> None:
        super().add_fields(log_data, record, message_dict)
        if number := number_of(record):
            log_data["request_id"] = number

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        return {k: v for k, v in log_data.items() if k in FIELDS}

    def format(self, record: logging.LogRecord) -> str:
        return discreet(super().format(record))


def config(kind: str) -> dict[str, Any]:
    """The settings of `logging` for lines of a kind, one of `FORMATS`: for the site, gunicorn and the supervisor."""
    json = {"()": "designer.logs.DiscreetJson"}
    plain = {
        "()": "designer.logs.Discreet",
        "fmt": "{asctime} {levelname} {name}: {message}",
        "style": "{",
    }
    console = {"handlers": ["console"], "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": json if kind == "json" else plain},
        "filters": {
            "calm": {"()": "designer.logs.calm"},
            "places": {"()": "designer.logs.places"},
        },
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["calm", "places"],
            }
        },
        "root": {"handlers": ["console"], "level": "INFO"},
        "loggers": {
            # Django's own logger would add a second handler under DEBUG.
            "django": {"level": "INFO", **console},
            # A line for each request is for machines to read: the console of a laptop does without.
            "designer.watch": {"level": "INFO" if kind == "json" else "WARNING"},
            "gunicorn.error": {"level": "WARNING", **console},
            # It tells whenever a request waits for a thread.
            "waitress.queue": {"level": "ERROR"},
            # It tells whenever it begins to look for tasks, and stops.
            "django_tasks_db": {"level": "WARNING"},
            # They tell every page and every font of a PDF.
            "weasyprint": {"level": "WARNING"},
            "fontTools": {"level": "WARNING"},
        },
    }
