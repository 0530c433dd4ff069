"""The engines a plan is proven on: moto in this process, or what answers at an address."""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from designer.core.errors import SaidError
from designer.core.messages import say
from designer.core.plan import Plan
from designer.proof.tables import Tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

PREFIX = "keywright-proof-"
"""Starts the name of every table that a proof makes; no other is ever touched."""
MOTO = f"moto {'.'.join(metadata.version('moto').split('.')[:2])} (emulator)"


class EngineError(SaidError):
    """An engine that cannot be reached or used."""


@dataclass(frozen=True)
class Engine:
    """Something that answers as DynamoDB does."""

    name: str
    """As a verdict names it: `moto 5.2 (emulator)`, `DynamoDB Local`, `AWS eu-west-1`."""
    client: "DynamoDBClient"

    @contextmanager
    def tables(self, plan: Plan) -> Iterator[Tables]:
        """The plan's tables, new and empty; deleted at the end, whatever happens."""
        tables = Tables(self.client, plan, f"{PREFIX}{secrets.token_hex(4)}-")
        try:
            tables.create()
            yield tables
        finally:
            tables.delete()


def engine(endpoint: str | None = None, region: str = "us-east-1") -> Engine:
    """The engine at an address, an empty moto when there is none; EngineError when nothing answers.

    An address of AWS uses the caller's own credentials; any other gets made-up ones.
    """
    if not endpoint:
        from designer.proof import emulator  # which takes a while to import

        return Engine(MOTO, emulator.client(_CONFIG))
    host = urlsplit(endpoint).hostname or ""
    aws = re.fullmatch(r"dynamodb\.([a-z0-9-]+)\.(?:amazonaws\.com(?:\.cn)?|api\.aws)", host)
    settings: dict[str, Any] = {"endpoint_url": endpoint, "region_name": region}
    if aws:
        settings["region_name"] = aws[1]
    else:
        settings |= {"aws_access_key_id": "keywright", "aws_secret_access_key": "keywright"}
    try:
        client = boto3.client("dynamodb", config=_CONFIG, **settings)
        answer = client.list_tables(Limit=1)
    except (BotoCoreError, ClientError, ValueError) as error:
        said = say("no-engine-answers", endpoint=endpoint, problem=str(error))
        raise EngineError(said) from error
    if aws:
        return Engine(f"AWS {aws[1]}", client)
    headers = answer["ResponseMetadata"]["HTTPHeaders"]
    return Engine(_name(endpoint, headers.get("server", "")), client)


_CONFIG = Config(
    connect_timeout=5,
    read_timeout=60,
    parameter_validation=False,
    retries={"total_max_attempts": 3, "mode": "standard"},
)


def _name(address: str, server: str) -> str:
    if server.startswith("Jetty"):
        return "DynamoDB Local"
    if server.startswith("Werkzeug") and _is_moto(address):
        return MOTO
    return f"DynamoDB at {urlsplit(address).netloc}"


def _is_moto(address: str) -> bool:
    """Asks for moto's settings: a small answer, whatever it keeps."""
    try:
        with urlopen(f"{address}/moto-api/config", timeout=5) as answer:
            return bool(200 <= answer.status < 300)
    except OSError:
        return False
