"""Requests as they were sent, and what came back: as code of boto3, as a command of the AWS CLI, as JSON."""

import json
import shlex
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from botocore import xform_name
from botocore.exceptions import ClientError
from pydantic import BaseModel, ConfigDict

MOST_TEXT = 6_000
"""Characters of an answer that are kept."""
MOST_IN_LINE = 72


class Exchange(BaseModel):
    """One request and its answer, in words for people."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    call: str
    python: str
    cli: str
    answer: str


@dataclass(frozen=True)
class Sent:
    """One request and what came of it: an answer, or why there was none."""

    method: str
    """As boto3 calls it: `transact_write_items`."""
    arguments: Mapping[str, Any]
    answer: Mapping[str, Any]

    def shown(self, prefix: str) -> Exchange:
        """In words, with the names of tables as the plan has them: without the proof's prefix."""
        texts = (_python(self), _cli(self), _answer(self))
        python, cli, answer = (text.replace(prefix, "") for text in texts)
        return Exchange(call=_call(self.method), python=python, cli=cli, answer=answer)


class Recorder:
    """A client that notes what is sent through it."""

    def __init__(self, client: Any, sent: list[Sent]) -> None:
        self.client = client
        self.sent = sent

    def __getattr__(self, method: str) -> Any:
        call = getattr(self.client, method)

        def send(**arguments: Any) -> Any:
            try:
                answer = call(**arguments)
            except ClientError as error:
                self.sent.append(Sent(method, arguments, error.response))
                raise
            self.sent.append(Sent(method, arguments, answer))
            return answer

        return send


def _call(method: str) -> str:
    return "".join(word.capitalize() for word in method.split("_"))


def _python(sent: Sent) -> str:
    said = "".join(f"    {name}={_literal(value, 4)},\n" for name, value in sent.arguments.items())
    return f'client = boto3.client("dynamodb")\nclient.{sent.method}(\n{said})'


def _literal(value: Any, indent: int) -> str:
    """A value as Python writes it, in several lines when it is long."""
    text = repr(value)
    if len(text) + indent <= MOST_IN_LINE or not isinstance(value, (dict, list)) or not value:
        return text
    inner = indent + 4
    parts = (
        (f"{name!r}: {_literal(part, inner)}" for name, part in value.items())
        if isinstance(value, dict)
        else (_literal(part, inner) for part in value)
    )
    opened, closed = "{}" if isinstance(value, dict) else "[]"
    lines = "".join(f"{' ' * inner}{part},\n" for part in parts)
    return f"{opened}\n{lines}{' ' * indent}{closed}"


def _cli(sent: Sent) -> str:
    words = [f"aws dynamodb {sent.method.replace('_', '-')}"]
    for name, value in sent.arguments.items():
        option = xform_name(name, "-")
        if isinstance(value, bool):
            words.append(f"--{option}" if value else f"--no-{option}")
        else:
            text = value if isinstance(value, str) else _json(value)
            words.append(f"--{option} {shlex.quote(str(text))}")
    return " \\\n  ".join(words)


def _answer(sent: Sent) -> str:
    said = {name: part for name, part in sent.answer.items() if name != "ResponseMetadata"}
    text = _json(said, 2)
    return text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]}\n… {len(text):,} characters"


def _json(value: Any, spaces: int | None = None) -> str:
    return json.dumps(value, indent=spaces, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> str:
    """Bytes in base64, as the CLI reads and writes them; of anything else its text."""
    return b64encode(value).decode() if isinstance(value, bytes) else str(value)
